package scene

import (
	"genussink/core/job"
	"genussink/viewer/timeline"
)

// Iterations are Sinkhorn's, of the last solve, as it really went: from where it began, accelerated or not. They are asked for when a
// person first moves the timeline, and forgotten with the plan.
type Iterations struct {
	found    *job.Retraced // nil before they are asked for
	timeline timeline.Timeline
	due      []func(t *timeline.Timeline) // moves that wait for them
	shown    bool                         // the mesh shows the plan's marginals where the timeline stands
	values   [2][]float64                 // the marginals shown, in shares of the mass; nil: that density itself
}

// iterationSeconds is how long one stays while they are played.
const iterationSeconds = 0.5

// Timeline is of the iterations that are kept. At its start none is done. It must not be changed but by Iterate.
func (i *Iterations) Timeline() *timeline.Timeline { return &i.timeline }

// forget forgets the plan before, and keeps the speed.
func (i *Iterations) forget() {
	timeline.To(0)(&i.timeline)
	*i = Iterations{timeline: i.timeline}
	i.timeline.End = 0
}

// take takes the iterations of a mesh of so many vertices.
func (i *Iterations) take(e *job.Retraced, vertices int) bool {
	before := 0
	for _, f := range e.Frames {
		if int(f.Iteration) <= before || int(f.Iteration) > len(e.Trace) {
			return false
		}
		before = int(f.Iteration)
		for _, sums := range [2][]float32{f.Rows, f.Columns} {
			if len(sums) != 0 && len(sums) != vertices {
				return false
			}
		}
	}
	i.found = e
	i.timeline.End, i.timeline.Pace = float64(len(e.Frames)), iterationSeconds
	return true
}

// frame is the plan where the timeline stands, nil at its start.
func (i *Iterations) frame() *job.Frame {
	if at := i.timeline.Step(); i.found != nil && at > 0 {
		return &i.found.Frames[at-1]
	}
	return nil
}

// look makes the marginals that are shown.
func (i *Iterations) look() {
	i.values = [2][]float64{}
	f := i.frame()
	if f == nil {
		return
	}
	for side, sums := range [2][]float32{sourceSide: f.Rows, targetSide: f.Columns} {
		for _, x := range sums {
			i.values[side] = append(i.values[side], float64(x))
		}
	}
}

// lay lays the marginals over the fill in place of the densities, in the same shades for the same shares of the mass.
func (i *Iterations) lay(over *cover, d *Densities) {
	if !i.shown {
		return
	}
	for _, side := range [2]side{sourceSide, targetSide} {
		if values := i.values[side]; values != nil {
			over.densities[side] = values
			over.per[side] *= d.mass(side)
		}
	}
}

// IterationsState are the iterations of the last solve, one after the other.
type IterationsState struct {
	Available bool    `json:"available"` // there is a plan whose iterations can be shown
	Waiting   bool    `json:"waiting"`   // they are being found: it is solved again
	Shown     bool    `json:"shown"`     // the mesh shows the plan's marginals
	Playing   bool    `json:"playing"`
	Step      int     `json:"step"` // of the timeline
	Steps     int     `json:"steps"`
	Iteration int     `json:"iteration"` // shown, from 1; 0 before the first
	Count     int     `json:"count"`     // of the solve
	Error     float64 `json:"error"`     // the marginal error then: L1, a share of the mass; 0 before the first iteration
	Rows      bool    `json:"rows"`      // the plan's rows fit the source, but for rounding
	Columns   bool    `json:"columns"`   // its columns fit the target
}

// state is what the panel shows.
func (i *Iterations) state(t *Transport, waiting bool) IterationsState {
	st := IterationsState{Waiting: waiting, Shown: i.shown, Playing: i.timeline.Playing(), Step: i.timeline.Step(), Steps: int(i.timeline.End)}
	if t.solved != nil {
		st.Count = len(t.solved.Trace)
		st.Available = !t.stale && st.Count > 0
	}
	if i.found == nil {
		st.Steps = st.Count // nearly, until it is known
	}
	if f := i.frame(); f != nil {
		st.Iteration, st.Error = int(f.Iteration), finite(i.found.Trace[f.Iteration-1])
		st.Rows, st.Columns = len(f.Rows) == 0, len(f.Columns) == 0
	}
	return st
}

// Iterate moves the timeline of the last solve's iterations, and shows the plan's marginals where it stands. Before they are known it is solved
// again to find them, and the timeline moves then.
func (s *Scene) Iterate(change func(t *timeline.Timeline)) {
	i := &s.Iterations
	if s.Transport.solved == nil || s.Transport.stale || len(s.Transport.solved.Trace) == 0 || !s.ready() {
		return
	}
	if i.found == nil {
		i.due = append(i.due, change)
		if !s.flight.has(toRetrace) {
			s.send(toRetrace, &job.Retrace{})
		}
		return
	}
	if !i.shown {
		s.uncover()
		s.Playback.Pause()
		s.View.looks.Densities = true
		i.shown = true
	}
	before := i.timeline.Step()
	change(&i.timeline)
	if i.timeline.Step() != before {
		i.look()
	}
	s.recolor(true)
	s.changed()
}

// HideIterations shows the densities themselves again.
func (s *Scene) HideIterations() {
	i := &s.Iterations
	s.drop(toRetrace)
	if i.due = nil; !i.shown {
		return
	}
	timeline.To(0)(&i.timeline)
	i.shown, i.values = false, [2][]float64{}
	s.recolor(true)
	s.changed()
}

// retraced takes the iterations, and moves on as was asked for meanwhile.
func (s *Scene) retraced(e *job.Retraced) bool {
	i := &s.Iterations
	if !i.take(e, s.Mesh.Vertices()) {
		return false
	}
	due := i.due
	i.due = nil
	for _, change := range due {
		s.Iterate(change)
	}
	return true
}

// forgetIterations forgets those of the plan before.
func (s *Scene) forgetIterations() {
	s.HideIterations()
	s.Iterations.forget()
}
