package polish

import (
	"context"
	"math"
	"runtime"
	"time"

	"genussink/core/linop"
	"genussink/core/transport"
)

// Refinement is the options of Refine.
type Refinement struct {
	Seconds  float64                                      // the most time, but one draw may exceed it; +Inf: no limit
	Now      func() time.Time                             // the clock
	Own      linop.Distancer                              // the kernel's distances, from any goroutine
	Distance func(i, j int32) float64                     // a true distance, but for rounding, from any goroutine; nil: not at hand
	Plan     *transport.Plan                              // to draw pairs from; needed with Distance
	Draw     func(draw func() error) error                // draws once; nil: at once
	Told     func(p Polished, fraction float64) (on bool) // after every draw; nil: on
}

// The first draw has firstRows rows, for the mean of fewer says little, or firstPairs pairs. Later draws have as many as take about
// drawSeconds seconds.
const (
	firstRows   = 32
	firstPairs  = 1 << 10
	drawSeconds = 0.02
)

// drawing is the progress of the draws of rows, or of those of pairs.
type drawing struct {
	size     int // of the next draw
	done     int
	seconds  float64
	expected float64 // seconds of the next draw, from the last one
}

// took notes how long a draw took.
func (d *drawing) took(seconds float64) {
	d.done += d.size
	d.seconds += seconds
	d.expected = seconds
	if seconds < drawSeconds/2 {
		d.size *= 2
		d.expected *= 2
	} else if seconds > 2*drawSeconds && d.size > 1 {
		d.size /= 2
		d.expected /= 2
	}
}

// Refine draws rows or pairs until the interval is narrow enough (Polished.Enough) or the time is over. Without o.Distance it draws
// rows alone. Otherwise it first draws a few rows, to see how long one takes. Then it draws pairs, for as long as all other rows would
// take. If that is not enough it draws rows again. Nobody knows beforehand whether rows or pairs take less time. This order takes at
// most twice the time of the better one.
func (c *Polish) Refine(ctx context.Context, o Refinement) (Polished, error) {
	begun := o.Now()
	now := func() float64 { return o.Now().Sub(begun).Seconds() }
	rows, pairs := drawing{size: firstRows}, drawing{size: firstPairs}
	if o.Distance != nil { // to see how long one takes
		rows.size = runtime.GOMAXPROCS(0)
	}
	known := c.Estimate()
	for !known.Enough() {
		next, draw := &rows, func() (err error) { known, err = c.DrawRows(ctx, rows.size, o.Own); return err }
		if o.Distance != nil && rows.done > 0 && pairs.seconds < rows.seconds/float64(rows.done)*float64(known.Of-known.Rows) {
			next, draw = &pairs, func() (err error) { known, err = c.DrawPairs(ctx, pairs.size, o.Plan, o.Distance); return err }
		}
		start := now()
		if rows.done > 0 && start+next.expected > o.Seconds {
			return known, nil
		}
		var err error
		if o.Draw == nil {
			err = draw()
		} else {
			err = o.Draw(draw)
		}
		if err != nil {
			return known, err
		}
		next.took(now() - start)
		fraction := float64(known.Rows) / float64(known.Of)
		if o.Seconds < math.Inf(1) {
			fraction = max(fraction, now()/o.Seconds)
		}
		if o.Told != nil && !o.Told(known, min(fraction, 1)) {
			return known, nil
		}
	}
	return known, nil
}
