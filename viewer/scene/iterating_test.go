package scene

import (
	"slices"
	"testing"

	"genussink/core/job"
	"genussink/viewer/colormap"
	"genussink/viewer/timeline"
)

// iterated are the iterations of a solve on a mesh of n vertices: the columns come to the target, and the rows fit but in the last.
func iterated(n int) *job.Retraced {
	e := &job.Retraced{Trace: []float64{1, 0.5, 0.25, 0.1}}
	for _, at := range []int32{1, 2, 4} {
		f := job.Frame{Iteration: at, Columns: make([]float32, n)}
		f.Columns[n-1], f.Columns[n/2] = float32(1-1/float64(2*at)), float32(1/float64(2*at))
		if at == 4 {
			f.Rows = slices.Clone(f.Columns)
		}
		e.Frames = append(e.Frames, f)
	}
	return e
}

// The iterations of a solve are asked for when a person moves their timeline, shown in place of the densities, and forgotten with the plan.
func TestIterations(t *testing.T) {
	r := ready(t)
	n := 63
	r.s.View.ReducedMotion(true)
	r.s.Iterate((*timeline.Timeline).Forward)
	if st := r.s.State().Transport.Iterations; !st.Available || st.Shown || !st.Waiting || st.Count != 2 {
		t.Errorf("asked: %+v", st)
	}
	r.s.Iterate((*timeline.Timeline).Forward) // while they are found
	id, _ := one[*job.Retrace](r)
	r.answer(id, iterated(n))
	st := r.s.State().Transport.Iterations
	if !st.Shown || st.Waiting || st.Step != 2 || st.Steps != 3 || st.Iteration != 2 || st.Error != 0.5 || !st.Rows || st.Columns {
		t.Fatalf("two steps on: %+v", st)
	}
	middle := func() colormap.RGB { return r.s.Colors()[n/2] }
	var colors []colormap.RGB
	for step := 0; step <= 3; step++ {
		r.s.Iterate(timeline.To(float64(step)))
		colors = append(colors, middle())
	}
	if colors[0] != colormap.Clay(r.s.View.Theme()) || colors[0] == colors[1] || colors[1] == colors[2] || colors[2] == colors[3] {
		t.Errorf("the middle, where no mass is wanted, has the colours %v", colors)
	}
	if st := r.s.State().Transport.Iterations; st.Iteration != 4 || st.Rows || st.Columns || st.Error != 0.1 {
		t.Errorf("in the end: %+v", st)
	}
	for step := 2; step >= 0; step-- {
		if r.s.Iterate((*timeline.Timeline).Back); middle() != colors[step] {
			t.Errorf("back at step %d the middle has the colour %v, not %v", step, middle(), colors[step])
		}
	}
	// The same share of the mass has the same shade, whatever the density's total is.
	r.s.HideIterations()
	values := r.s.Densities.values
	for side := range values {
		values[side] = slices.Clone(values[side])
		for v := range values[side] {
			values[side][v] *= 5
		}
	}
	r.s.Densities.painted(values)
	r.s.Iterate(timeline.To(0))
	top := r.s.Colors()[n-1]
	r.s.Iterations.found.Frames[0].Columns = make([]float32, n)
	r.s.Iterations.found.Frames[0].Columns[n-1] = 1
	if r.s.Iterate(timeline.To(1)); r.s.Colors()[n-1] != top {
		t.Errorf("all of the target's mass has the colour %v, not %v", r.s.Colors()[n-1], top)
	}
	names := func() (names []string) {
		for _, e := range r.s.Legend() {
			if e.On {
				for _, p := range e.Parts {
					names = append(names, p.Name)
				}
			}
		}
		return names
	}
	if got := names(); !slices.Equal(got, []string{"the plan’s rows", "the plan’s columns", "isolines: what is wanted"}) {
		t.Errorf("the legend has %q", got)
	}
	// They are played, and mass on the move takes them off.
	r.s.Iterate((*timeline.Timeline).Play)
	for range 30 {
		r.s.Tick(0.1)
	}
	if st := r.s.State().Transport.Iterations; st.Playing || st.Step != 3 || r.s.Showing().Mass != AtRest {
		t.Errorf("played: %+v", st)
	}
	r.s.Play()
	if st := r.s.State().Transport.Iterations; st.Shown || r.s.Showing().Mass == AtRest {
		t.Errorf("while mass is on the move: %+v", st)
	}
	// Known iterations need not be asked for again, until there is another plan.
	r.s.Iterate(timeline.To(1))
	if out := r.take(); len(out) != 0 {
		t.Errorf("asked again: %v", kinds(out))
	}
	for name, end := range map[string]func(){
		"another task": func() { r.s.Task(TaskInspect); r.s.Task(TaskTransport) },
		"a brush":      func() { r.s.BrushTool(ToolSource); r.s.BrushTool(ToolNone) },
		"the legend":   func() { r.s.Toggle(LayerMass) },
	} {
		r.s.Iterate(timeline.To(1))
		if !r.s.State().Transport.Iterations.Shown {
			t.Fatalf("before %s nothing is shown", name)
		}
		if end(); r.s.State().Transport.Iterations.Shown {
			t.Errorf("%s leaves them on the mesh", name)
		}
	}
	r.s.Epsilon(0.3)
	if st := r.s.State().Transport.Iterations; st.Available || r.s.Iterations.found != nil {
		t.Errorf("of another epsilon: %+v", st)
	}
	r.s.Iterate((*timeline.Timeline).Forward)
	r.take()
	r.s.Solve()
	id, _ = one[*job.Solve](r)
	r.answer(id, &job.Solved{Solution: job.Solution{Status: job.Converged, Iterations: 4, Trace: []float64{1, 0.5, 0.25, 0.1}}})
	r.take()

	r.s.Iterate((*timeline.Timeline).Play)
	id, _ = one[*job.Retrace](r)
	r.s.HideIterations() // before they are there
	r.answer(id, iterated(n))
	if st := r.s.State().Transport.Iterations; st.Shown || st.Waiting || r.s.State().Error != "" {
		t.Errorf("no longer wanted: %+v", st)
	}
	r.take()
	for name, e := range map[string]*job.Retraced{
		"length": iterated(n - 1), "order": {Trace: []float64{1, 1}, Frames: []job.Frame{{Iteration: 2}, {Iteration: 1}}}, "count": {Frames: []job.Frame{{Iteration: 1}}},
	} {
		r.s.Iterate((*timeline.Timeline).Forward)
		id, _ = one[*job.Retrace](r)
		if r.answer(id, e); r.s.State().Error == "" || r.s.Iterations.found != nil {
			t.Errorf("a wrong %s is taken", name)
		}
		r.s.Dismiss()
	}
}
