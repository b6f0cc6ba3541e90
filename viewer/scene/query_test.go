package scene

import (
	"math"
	"testing"

	"genussink/core/job"
	"genussink/core/paint"
	"genussink/viewer/colormap"
)

// A stroke of an asking tool selects what lies under it, asks the plan while it goes on, and leaves the densities alone.
func TestQuery(t *testing.T) {
	r := ready(t)
	n := r.s.Mesh.Vertices()
	before := snapshot(r.s)
	r.s.BrushTool(ToolGoes)
	r.s.BrushRadius(0.1) // one unit: a vertex and its neighbours
	r.s.StrokeBegin(0)
	ball, b := one[*job.Brush](r)
	r.answer(ball, r.ball(b))
	id, push := one[*job.Push](r)
	sum := 0.0
	for _, x := range push.Values {
		sum += x
	}
	if !push.Transpose || push.Values[0] != 1 || sum != 3 {
		t.Errorf("asks %+v", push)
	}
	r.s.StrokeMove(2)
	ball, b = one[*job.Brush](r)
	r.answer(ball, r.ball(b))
	if out := r.take(); len(out) > 0 {
		t.Errorf("two questions at once: %v", kinds(out))
	}
	answer := &job.Pushed{Values: make([]float64, n)}
	answer.Values[5], answer.Values[6] = 0.9, 0.05
	r.answer(id, answer)
	q := r.s.State().Query
	if q == nil || !q.Known || q.Vertices != 6 || q.Share != 1 || q.Most != 1 || math.Abs(q.Mass-0.95) > 1e-12 {
		t.Errorf("answered: %+v", q)
	}
	r.s.StrokeEnd()
	r.run() // what was selected meanwhile
	if on := r.s.Showing(); on.Fill != FillQuery || on.Densities || on.Mass != AtRest {
		t.Errorf("shows %+v", on)
	}
	if st := r.s.State(); st.Densities.Undo != 0 || st.Transport.Stale || !same(snapshot(r.s), before) {
		t.Errorf("the densities have changed: %+v", st.Densities)
	}
	if q := &r.s.Query; q.set[2] != 1 || q.answer[n-3] == 0 {
		t.Error("the last answer is not of the whole stroke")
	}
	r.s.StrokeBegin(int32(n - 1))
	r.run()
	r.s.StrokeEnd()
	if q := r.s.State().Query; q.Vertices != 3 || q.Share != 0 {
		t.Errorf("another stroke asks anew: %+v", q)
	}
	r.s.Solve()
	r.run()
	if q := r.s.State().Query; !q.Known {
		t.Error("the next plan is not asked")
	}
	r.s.BrushTool(ToolComes)
	if r.s.State().Query != nil || r.s.Showing().Fill == FillQuery {
		t.Error("another tool goes on with the question")
	}
	r.s.StrokeBegin(int32(n - 1))
	r.run()
	r.s.StrokeEnd()
	if q := r.s.State().Query; !q.Target || q.Share != 1 {
		t.Errorf("where the target's mass comes from: %+v", q)
	}
	r.s.Task(TaskInspect)
	if st := r.s.State(); st.Query != nil || st.Densities.Tool != ToolNone {
		t.Error("another task goes on with the question")
	}
	if !r.s.Query.take(nil) || r.s.Query.shown() {
		t.Error("an answer that comes too late begins a question")
	}
	r.s.BrushTool(ToolGoes)
	r.s.StrokeBegin(0)
	if r.s.Query.take([]float64{1}) {
		t.Error("an answer of another mesh is taken")
	}
}

// Where all the mass comes to lie among the selected vertices, their colour is nearer the selection's than the mass's.
func TestQueryIsSeenUnderItsMass(t *testing.T) {
	var q Query
	q.begin(sourceSide, 3)
	q.add([]int32{0})
	if !q.take([]float64{1, 1, 0}) {
		t.Fatal("refused")
	}
	var c colors
	c.fill(baseKey{}, 3, func(dst []colormap.RGB) []colormap.RGB { return q.fill(dst, colormap.Light) })
	zero := make([]float64, 3)
	got := make([]colormap.RGB, 3)
	c.lay(got, q.cover(&Densities{pair: pair{values: paint.Pair{zero, zero}}}), AtRest, colormap.Light)
	far := func(a, b colormap.RGB) (sum float64) {
		for k := range a {
			sum += math.Abs(float64(a[k]) - float64(b[k]))
		}
		return sum
	}
	if mass := got[1]; !(far(got[0], colormap.Accent()) < far(got[0], mass)) || got[0] == colormap.Accent() {
		t.Errorf("selected %v, mass %v, the selection's colour %v", got[0], mass, colormap.Accent())
	}
	if q.answer[0] != 1 {
		t.Errorf("the answer itself has become %v", q.answer)
	}
}
