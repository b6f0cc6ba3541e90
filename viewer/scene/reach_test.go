package scene

import (
	"math"
	"slices"
	"strings"
	"testing"

	"genussink/core/job"
)

// With a reach masses may differ: what is not solved otherwise is, by exact in the place of automatic. Link and command say the reach. Where mass is
// destroyed and created comes from the plan's marginals, and takes the place of the densities.
func TestReach(t *testing.T) {
	r := apart(t)
	r.s.Method(Automatic)
	r.paintOn(ToolSource, 4)
	r.s.StrokeEnd()
	r.settle()
	if st := r.s.State(); st.Densities.Unequal == nil {
		t.Fatal("the masses are equal")
	}
	r.s.Reach(0.25)
	r.s.Solve()
	var solve *job.Solve
	for _, q := range r.take() {
		if b, ok := q.Body.(*job.Solve); ok {
			solve = b
			r.answer(q.ID, &job.Solved{Kernel: job.Kernel{Method: job.Exact, Function: job.Exp, Epsilon: 3}, Reach: 2, Destroyed: 0.25, Created: 0.5, Solution: job.Solution{Status: job.Converged, Cost: 2}})
		}
	}
	if solve == nil || solve.Reach != job.Fraction(0.25) || solve.Method != job.Exact {
		t.Fatalf("solves %+v", solve)
	}
	st := r.s.State()
	if res := st.Transport.Result; st.Densities.Unequal != nil || st.Transport.Reach != 0.25 || res.Reach != 2 || res.Destroyed != 0.25 || res.Created != 0.5 {
		t.Errorf("%+v, %+v", st.Transport, res)
	}
	text := link(r.s)
	if sn := parse(t, text); sn.Reach != 0.25 || sn.Method != job.Exact {
		t.Errorf("link %s", text)
	}
	if line, _ := r.s.Command("solve", "", Look{}); !strings.Contains(line, "-reach 0.25") {
		t.Errorf("command %s", line)
	}
	if _, on := lines(r.s)[LayerChange]; on {
		t.Error("shows what nobody asked for")
	}
	r.take()
	r.s.Toggle(LayerChange)
	n := r.s.Mesh.Vertices()
	total := 0.0
	for _, x := range solve.Source {
		total += x
	}
	// The plan takes half of what each vertex has. Three quarters of the target arrive and, at the first vertex, more than all.
	id, rows := one[*job.Push](r)
	if rows.Transpose || len(rows.Values) != n || slices.Min(rows.Values) != 1 {
		t.Errorf("asks first %+v", rows)
	}
	half := make([]float64, n)
	for v := range half {
		half[v] = solve.Source[v] / total / 2
	}
	r.answer(id, &job.Pushed{Values: half})
	id, columns := one[*job.Push](r)
	if !columns.Transpose {
		t.Error("asks twice for what is sent")
	}
	arrives := make([]float64, n)
	for v := range arrives {
		arrives[v] = solve.Target[v] / total * 0.75
	}
	arrives[0] = solve.Target[0]/total + 0.125
	r.answer(id, &job.Pushed{Values: arrives})
	if on := lines(r.s); !slices.Equal(on[LayerChange], []string{"destroyed", "created"}) || len(on[LayerDensities]) > 0 {
		t.Errorf("legend %v", on)
	}
	gone, made := 0.0, 0.0
	for v := range n {
		gone += r.s.Transport.margins.mass[sourceSide][v]
		made += r.s.Transport.margins.mass[targetSide][v]
	}
	wantMade := 0.0
	for _, x := range solve.Target[1:] {
		wantMade += x / total / 4
	}
	if math.Abs(gone-0.625) > 1e-12 || math.Abs(made-wantMade) > 1e-12 {
		t.Errorf("destroys %g and creates %g, want 0.625 and %g", gone, made, wantMade)
	}
	// The densities take its place; a kernel other than exp has no reach.
	r.s.Toggle(LayerDensities)
	r.s.View.Densities(true)
	if on := lines(r.s); on[LayerChange] != nil || on[LayerDensities] == nil {
		t.Errorf("legend %v", on)
	}
	r.s.Kernel("squared")
	r.s.Reach(0.5)
	if st := r.s.State().Transport; st.Reach != 0 || st.Kernel != "squared" {
		t.Errorf("a reach of %g with %s", st.Reach, st.Kernel)
	}
	other := opened(t, parse(t, "kernel=squared&reach=0.5&method=exact"), grid(9, 7))
	other.run()
	if st := other.s.State(); st.Transport.Reach != 0 || len(st.Mesh.Warnings) != 1 {
		t.Errorf("a reach of %g, warnings %v", st.Transport.Reach, st.Mesh.Warnings)
	}
	other = opened(t, parse(t, "reach=99"), grid(9, 7))
	other.take()
	id = other.seen[0].ID
	other.answer(id, other.mesh)
	if st := other.s.State(); st.Transport.Reach != MaxReach || st.Transport.Method != job.Exact {
		t.Errorf("%+v", st.Transport)
	}
}
