package scene

import (
	"slices"
	"testing"

	"genussink/core/job"
)

// A block is asked for, shown on the mesh and in the legend, and goes with its plan.
func TestBlocks(t *testing.T) {
	r := ready(t)
	r.s.Solve()
	id, _ := one[*job.Solve](r)
	r.answer(id, &job.Solved{Kernel: job.Kernel{Method: job.Exact, Width: -1}, Solution: job.Solution{Status: job.Converged, Trace: []float64{0}}})
	r.take()
	if st := r.s.State().Transport.Block; !st.Available || st.Shown {
		t.Fatalf("%+v", st)
	}
	block := func() *job.Blocked {
		return &job.Blocked{
			Number: 1, Count: 3, RowStarts: []int32{0, 1, 3}, RowVertices: []int32{5, 6, 7}, ColumnStarts: []int32{0, 1, 2}, ColVertices: []int32{8, 9},
			Runs: []int32{0, 1, 0, 2, 4, 1, 2, 0, 1, 4, 1, 2, 1, 2, 3},
		}
	}
	r.s.ShowBlock(1)
	id, _ = one[*job.Block](r)
	r.answer(id, block())
	want := BlockState{Available: true, Shown: true, Number: 1, Count: 3, Rows: 2, Columns: 2, Pairs: 6, Runs: 3, Hubs: 2, Gathered: 1}
	if st := r.s.State().Transport.Block; st != want {
		t.Errorf("%+v", st)
	}
	if dots := r.s.Markers(nil); len(dots) != 7 || dots[0].Vertex != 5 || dots[6].Vertex != 3 {
		t.Errorf("marked: %+v", dots)
	}
	if !slices.ContainsFunc(r.s.Legend(), func(e LegendEntry) bool { return e.Layer == LayerBlock && len(e.Parts) == 3 }) {
		t.Error("the legend lacks it")
	}
	if r.s.Play(); r.s.State().Transport.Block.Shown {
		t.Error("mass moves over it")
	}
	r.take()
	r.s.ShowBlock(1)
	id, _ = one[*job.Block](r)
	r.answer(id, block())
	if on := r.s.Showing(); on.Mass != AtRest || r.s.State().Playback.Playing {
		t.Errorf("mass lies over it: %+v", on)
	}
	mass := func() (e LegendEntry) {
		for _, e = range r.s.Legend() {
			if e.Layer == LayerMass {
				break
			}
		}
		return e
	}
	if e := mass(); e.Layer != LayerMass || e.On {
		t.Errorf("in the legend mass is %+v", e)
	}
	if r.s.Toggle(LayerMass); r.s.State().Transport.Block.Shown || r.s.Showing().Mass == AtRest || !mass().On {
		t.Errorf("mass is wanted back: %+v, in the legend %+v", r.s.Showing(), mass())
	}
	r.take()
	r.s.ShowBlock(1)
	id, _ = one[*job.Block](r)
	r.answer(id, block())
	r.s.ShowBlock(7)
	if _, b := one[*job.Block](r); b.Number != 2 {
		t.Errorf("asked for block %d", b.Number)
	}
	r.s.Toggle(LayerBlock)
	if st := r.s.State().Transport.Block; st.Shown || len(r.s.Markers(nil)) != 0 {
		t.Errorf("taken off: %+v", st)
	}
	r.take()
	r.s.Toggle(LayerBlock)
	if back := r.take(); !slices.ContainsFunc(back, func(q job.Request) bool { b, ok := q.Body.(*job.Block); return ok && b.Number == 1 }) {
		t.Errorf("put back: %v", kinds(back))
	}
	r.s.ShowBlock(-1)
	r.take()
	for name, broken := range map[string]func(e *job.Blocked){
		"starts": func(e *job.Blocked) { e.RowStarts[2] = 9 }, "vertex": func(e *job.Blocked) { e.ColVertices[0] = 63 }, "run": func(e *job.Blocked) { e.Runs[3] = 3 },
		"hub": func(e *job.Blocked) { e.Runs[4] = -1 }, "rest": func(e *job.Blocked) { e.Runs = e.Runs[:7] },
	} {
		e := block()
		broken(e)
		r.s.ShowBlock(1)
		id, _ = one[*job.Block](r)
		if r.answer(id, e); r.s.State().Error == "" || r.s.Blocks.Block() != nil {
			t.Errorf("a wrong %s is taken", name)
		}
		r.s.Dismiss()
	}
	r.s.ShowBlock(1)
	id, _ = one[*job.Block](r)
	r.answer(id, block())
	if r.s.Epsilon(0.3); r.s.State().Transport.Block.Shown || r.s.State().Transport.Block.Available {
		t.Error("it outlives its plan")
	}
}
