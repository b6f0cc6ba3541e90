package app

import (
	"slices"
	"time"

	"genussink/viewer/scene"
)

// window is how many frames the medians are over.
const window = 300

// stats measures what frames cost the main thread.
type stats struct {
	update    time.Duration // of the frame under way
	redraws   ring          // milliseconds of frames that drew the mesh anew
	idles     ring          // milliseconds of the others
	intervals ring          // seconds between frames
	frames    int
	redrawn   int // of the frames
	shown     int // of the frames, those that were drawn at all
	painter   bool
	quick     bool
}

// ring holds the last values.
type ring struct {
	values []float64
	next   int
}

func (r *ring) add(x float64) {
	if len(r.values) < window {
		r.values = append(r.values, x)
		return
	}
	r.values[r.next] = x
	r.next = (r.next + 1) % window
}

// last returns the median of the last n values and how many there were.
func (r *ring) last(n int) (float64, int) {
	n = min(n, len(r.values))
	if n == 0 {
		return 0, 0
	}
	recent := make([]float64, 0, n)
	for i := range n {
		recent = append(recent, r.values[(r.next+len(r.values)-1-i)%len(r.values)])
	}
	slices.Sort(recent)
	return recent[n/2], n
}

func (s *stats) between(seconds float64) { s.intervals.add(seconds) }

func (s *stats) interval() float64 {
	x, _ := s.intervals.last(12)
	return x
}

func (s *stats) drawn(draw time.Duration, redrawn, painter bool) {
	ms := (s.update + draw).Seconds() * 1000
	s.frames++
	s.painter = painter
	if redrawn {
		s.redrawn++
		s.redraws.add(ms)
	} else {
		s.idles.add(ms)
	}
}

// slow decides whether motion is drawn in painter's order, which costs one
// pass instead of three: above slowDraw, until it costs less than a third.
func (s *stats) slow() bool {
	ms, n := s.redraws.last(8)
	if n == 8 && ms > slowDraw*1000 {
		s.quick = true
	}
	if ms < slowDraw*1000/3 {
		s.quick = false
	}
	return s.quick
}

func (s *stats) state() scene.FrameState {
	f := scene.FrameState{Frames: s.frames, Redraw: s.redrawn, Shown: s.shown, Mode: "depth"}
	if s.painter {
		f.Mode = "painter"
	}
	f.Median, _ = s.redraws.last(window)
	f.Idle, _ = s.idles.last(window)
	for _, x := range s.redraws.values {
		f.Worst = max(f.Worst, x)
	}
	return f
}
