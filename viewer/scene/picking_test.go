package scene

import (
	"math"
	"reflect"
	"testing"

	"genussink/core/job"
	"genussink/viewer/pick"
)

func TestPick(t *testing.T) {
	r := ready(t) // 9 by 7, mesh units apart
	r.run()
	if r.s.Click(pick.Hit{Face: 0, Vertex: 1, Edge: [2]int32{1, 9}}); r.s.State().Pick != nil {
		t.Error("a click picks where nothing is inspected")
	}
	r.s.Task(TaskInspect)
	r.s.Click(pick.Hit{Face: 0, Vertex: 1, Edge: [2]int32{1, 9}}) // the face of 0, 1, 9
	p := r.s.State().Pick
	if p == nil || p.Vertex != 1 || p.Position != [3]float64{1, 0, 0} || math.Abs(float64(p.EdgeLength)-math.Sqrt2) > 1e-12 || p.Corners != [3]int32{0, 1, 9} || p.Area != 0.5 {
		t.Fatalf("picked: %+v", p)
	}
	for k, want := range []float64{90, 45, 45} {
		if math.Abs(p.Angles[k]-want) > 1e-12 {
			t.Errorf("angle %d is %g", k, p.Angles[k])
		}
	}
	lines := r.s.Inspection.Lines()
	if len(lines) != 2 || !reflect.DeepEqual(lines[0].Vertices, []int32{0, 1, 9, 0}) || !reflect.DeepEqual(lines[1].Vertices, []int32{1, 9}) {
		t.Errorf("outlined by %+v", lines)
	}
	if m := r.s.Markers(nil); len(m) != 1 || m[0].Vertex != 1 {
		t.Errorf("marked: %+v", m)
	}
	for what, do := range map[string]func(){"a click beside the mesh": func() { r.s.Click(pick.Nothing()) }, "letting go": r.s.LetGo, "another task": func() { r.s.Task(TaskTransport) }} {
		r.s.Task(TaskInspect)
		r.s.Click(on(3))
		if do(); r.s.State().Pick != nil || len(r.s.Inspection.Lines()) != 0 {
			t.Errorf("%s keeps what was picked", what)
		}
	}

	// Of a graph without faces an edge has the length that its file says, and vertices have its numbers.
	g := newRig(t, nil)
	for _, q := range g.take() {
		g.answer(q.ID, &job.Opened{
			Name: "path", Positions: []float64{0, 0, 0, 1, 0, 0, 2, 0, 0}, Edges: []int32{1, 0, 1, 2}, Lengths: []float64{5, 7}, Numbers: []float64{10, 20, 30}, Graph: true,
		})
	}
	g.s.Task(TaskInspect)
	g.s.Click(pick.Hit{Face: -1, Vertex: -1, Edge: [2]int32{0, 1}})
	if p := g.s.State().Pick; p == nil || p.EdgeLength != 5 || p.Face != -1 || p.Vertex != -1 {
		t.Errorf("of a graph: %+v", p)
	}
	if n := g.s.Mesh.Number(2); n != 30 {
		t.Errorf("vertex 2 is called %d", n)
	}
	g.s.Mesh.numbers = nil
	if n, m := g.s.Mesh.Number(2), r.s.Mesh.Number(2); n != 3 || m != 2 {
		t.Errorf("vertex 2 is called %d of a graph, %d of a mesh", n, m)
	}
}
