package polish

import (
	"context"
	"math"
	"runtime"
	"time"

	"genussink/core/linop"
	"genussink/core/transport"
)

// Refinement is how Polish goes on.
type Refinement struct {
	Seconds  float64                                      // at most, but for one draw; +Inf: until it is Enough
	Now      func() time.Time                             // the clock
	Own      linop.Distancer                              // the kernel's distances, from any goroutine
	Distance func(i, j int32) float64                     // a true distance, but for rounding, from any goroutine; nil: not at hand
	Plan     *transport.Plan                              // to draw pairs from; needed with Distance
	Draw     func(draw func() error) error                // draws once; nil: at once
	Told     func(p Polished, fraction float64) (on bool) // after every draw; nil: on
}

// A refinement begins with firstRows rows, of fewer the mean says little, or with firstPairs pairs, and goes on by as
// many as take about drawSeconds seconds.
const (
	firstRows   = 32
	firstPairs  = 1 << 10
	drawSeconds = 0.02
)

// drawing is how rows, or pairs, go.
type drawing struct {
	size     int // of the next draw
	done     int
	seconds  float64
	expected float64 // seconds of the next draw, as far as can be known
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

// Refine draws until enough is known or the time is over. If pairs can be drawn, it draws pairs for as long as all rows would take.
// Nobody knows beforehand which is the shorter way; this takes at most twice as long.
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
