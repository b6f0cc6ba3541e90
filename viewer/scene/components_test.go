package scene

import (
	"math"
	"slices"
	"strings"
	"testing"

	"genussink/core/job"
)

// pieces is a mesh of two grids of 9 x 3 vertices and a vertex that no face uses.
func pieces() *job.Loaded {
	one := grid(9, 3)
	m := &job.Loaded{Name: "pieces", Positions: slices.Clone(one.Positions), Faces: slices.Clone(one.Faces), Component: make([]int32, 55)}
	for i, x := range one.Positions {
		if i%3 == 1 {
			x += 10
		}
		m.Positions = append(m.Positions, x)
	}
	for _, v := range one.Faces {
		m.Faces = append(m.Faces, v+27)
	}
	m.Positions = append(m.Positions, 3, 30, 0)
	for v := 27; v < 54; v++ {
		m.Component[v] = 1
	}
	m.Component[54] = 2
	m.Report = job.Report{Vertices: 55, Faces: len(m.Faces) / 3, Components: 2, IsolatedVertices: 1, Diagonal: 30}
	return m
}

// dealt is a pair of densities with the given shares on the two grids.
func dealt(e *job.Measured, source, target [2]float64) *job.Measured {
	e.Source, e.Target = make([]float64, 55), make([]float64, 55)
	for k := range source {
		e.Source[27*k], e.Target[27*k+26] = source[k], target[k]
	}
	return e
}

// apart is a scene of pieces with a balanced preset, solved.
func apart(t *testing.T) *rig {
	r := newRig(t, pieces())
	for range 4 {
		for _, q := range r.take() {
			switch b := q.Body.(type) {
			case *job.Generate:
				r.answer(q.ID, r.mesh)
			case *job.Separate:
				r.answer(q.ID, tree(55, 3))
			case *job.Measure:
				r.answer(q.ID, dealt(&job.Measured{Preset: b.Preset, Components: "each", Note: "Each of 2 components."}, [2]float64{0.5, 0.5}, [2]float64{0.5, 0.5}))
			case *job.Solve:
				r.answer(q.ID, &job.Solved{Solution: job.Solution{Status: job.Converged, Iterations: 3}})
			case *job.Flow:
				r.answer(q.ID, &job.Flowing{Offsets: []int32{0, 2}, Vertices: []int32{0, 1}, Along: []float64{0, 1}})
				r.answer(q.ID, &job.Flowed{Particles: 1})
			default:
				t.Fatalf("asked %T", b)
			}
		}
	}
	st := r.s.State()
	if d := st.Densities; st.Error != "" || st.Transport.Result == nil || d.Unequal != nil || d.Count != 3 || d.Components != "each" || d.Note != "Each of 2 components." {
		t.Fatalf("%+v", st.Densities)
	}
	return r
}

// paintOn draws a stroke of one dab.
func (r *rig) paintOn(tool Tool, v int32) {
	r.s.BrushTool(tool)
	r.s.BrushRadius(0.04)
	r.s.StrokeBegin(v)
	for _, q := range r.take() {
		if b, ok := q.Body.(*job.Brush); ok {
			e := r.ball(b)
			keep := e.Vertices[:0]
			for i, w := range e.Vertices {
				if r.mesh.Component == nil || r.mesh.Component[w] == r.mesh.Component[v] {
					e.Distances[len(keep)] = e.Distances[i]
					keep = append(keep, w)
				}
			}
			e.Vertices, e.Distances = keep, e.Distances[:len(keep)]
			r.answer(q.ID, e)
		}
	}
}

// settle lets time pass until nothing is due.
func (r *rig) settle() []job.Request {
	for range 10 {
		r.s.Tick(0.1)
	}
	return r.take()
}

// own makes densities the reader's own: a stroke adds to them.
func own(d *Densities) {
	d.recipe = []job.Step{{Kind: job.StepValues, Source: d.values[sourceSide], Target: d.values[targetSide]}}
}

// Unequal masses are explained while they are painted, and not solved: by
// itself the scene says nothing louder, asked to solve it answers in words.
// Balancing is one step that leads to a solve and can be undone.
func TestUnequalMasses(t *testing.T) {
	r := apart(t)
	own(&r.s.Densities)
	before := snapshot(r.s)
	r.paintOn(ToolSource, 4)
	st := r.s.State()
	u := st.Densities.Unequal
	if !st.Densities.Stroke || u == nil {
		t.Fatalf("during the stroke: %+v", st.Densities)
	}
	source := r.s.Densities.values[sourceSide]
	share := 0.0
	for v, x := range source {
		if v < 27 {
			share += x / st.Densities.Source
		}
	}
	if u.Count != 2 || u.Components != 3 || u.Component != 0 || u.Vertex != 0 || u.Vertices != 27 || !u.Mendable ||
		math.Abs(u.Source-share) > 1e-12 || u.Source <= 0.5 || math.Abs(u.Target-0.5) > 1e-12 {
		t.Errorf("%+v, share %g", u, share)
	}
	for _, words := range []string{"3 components", "in 2 of them", "component 0 (27 vertices", "50 % of the target", "Balance masses"} {
		if !strings.Contains(u.Sentence(), words) {
			t.Errorf("%q lacks %q", u.Sentence(), words)
		}
	}
	r.s.StrokeEnd()
	if asked := r.settle(); len(asked) != 0 {
		t.Errorf("asks %v", kinds(asked))
	}
	if st := r.s.State(); st.Error != "" || !st.Transport.Stale || !strings.Contains(st.Status, "differ in 2 of 3 components") || st.Densities.Note != "" {
		t.Errorf("%q, %q, %+v", st.Error, st.Status, st.Densities)
	}
	r.s.Solve()
	if got := r.s.State().Error; got != u.Sentence() || len(r.take()) != 0 {
		t.Errorf("asked to solve: %q", got)
	}
	painted := snapshot(r.s)
	r.s.BalanceMasses()
	id, b := one[*job.Balance](r)
	if !slices.Equal(b.Source, source) {
		t.Error("not what was painted is balanced")
	}
	r.answer(id, dealt(&job.Measured{Note: "Balanced."}, [2]float64{0.7, 0.3}, [2]float64{0.7, 0.3}))
	st = r.s.State()
	if d := st.Densities; st.Error != "" || d.Unequal != nil || d.Undo != 2 || d.Preset != "" || d.Note != "Balanced." {
		t.Errorf("balanced: %q, %+v", st.Error, st.Densities)
	}
	solves := 0
	for _, q := range r.settle() {
		if s, ok := q.Body.(*job.Solve); ok {
			solves++
			if s.Source[0] != 0.7 {
				t.Errorf("solves with %g", s.Source[0])
			}
		}
	}
	if solves != 1 {
		t.Errorf("%d solves once balanced", solves)
	}
	if p := r.s.Densities.painting(); len(p.Steps) != 3 || p.Steps[2].Kind != job.StepBalance {
		t.Errorf("painting of %+v", p.Steps)
	}
	r.s.Undo()
	if r.s.State().Densities.Unequal == nil || !same(painted, snapshot(r.s)) {
		t.Error("undo does not bring the painting back")
	}
	r.s.Undo()
	if d := r.s.State().Densities; d.Unequal != nil || !same(before, snapshot(r.s)) || d.Note == "" {
		t.Errorf("undone: %+v", d)
	}
}

// Where no component has both, balancing would leave nothing, and the advice is another.
func TestUnequalMassesApart(t *testing.T) {
	r := apart(t)
	r.s.Clear()
	r.paintOn(ToolSource, 4)
	r.s.StrokeEnd()
	if u := r.s.State().Densities.Unequal; u != nil {
		t.Errorf("without a target: %+v", u)
	}
	r.paintOn(ToolTarget, 54) // the vertex alone
	r.s.StrokeEnd()
	u := r.s.State().Densities.Unequal
	if u == nil || u.Mendable || u.Source+u.Target != 1 || !strings.Contains(u.Sentence(), "Paint both in one component") {
		t.Fatalf("%+v", u)
	}
	if asked := r.settle(); len(asked) != 0 {
		t.Errorf("asks %v", kinds(asked))
	}
}

// Presets lie in each component or in the largest, and undo brings the choice back.
func TestComponentsOfPresets(t *testing.T) {
	r := apart(t)
	r.s.Components("some")
	r.s.Components("each")
	if asked := r.take(); len(asked) != 0 {
		t.Errorf("asks %v", kinds(asked))
	}
	r.s.Components("largest")
	id, m := one[*job.Measure](r)
	if m.Preset != "paper" || m.Components != "largest" {
		t.Fatalf("asks %+v", m)
	}
	r.answer(id, dealt(&job.Measured{Preset: "paper", Components: "largest", Note: "Only the largest."}, [2]float64{1, 0}, [2]float64{1, 0}))
	if d := r.s.State().Densities; d.Components != "largest" || d.Note != "Only the largest." || d.Undo != 1 || d.Unequal != nil {
		t.Errorf("%+v", d)
	}
	r.s.Undo()
	if d := r.s.State().Densities; d.Components != "each" || d.Note != "Each of 2 components." {
		t.Errorf("undone: %+v", d)
	}
	r.s.Redo()
	if d := r.s.State().Densities; d.Components != "largest" || d.Note != "Only the largest." {
		t.Errorf("redone: %+v", d)
	}
	// Another mesh begins with each.
	r.take()
	r.s.OpenGenerated("sphere", nil)
	for _, q := range r.take() {
		if _, ok := q.Body.(*job.Generate); ok {
			r.answer(q.ID, grid(3, 3))
		}
	}
	if d := r.s.State().Densities; d.Components != "each" || d.Count != 1 {
		t.Errorf("another mesh: %+v", d)
	}
	// Components that do not fit are refused.
	for _, of := range [][]int32{{0}, slices.Repeat([]int32{-1}, 55), slices.Repeat([]int32{55}, 55)} {
		bad := pieces()
		bad.Component = of
		r := newRig(t, bad)
		id, _ := one[*job.Generate](r)
		r.answer(id, bad)
		if r.s.State().Error == "" {
			t.Errorf("components %v are taken", of[:1])
		}
	}
}
