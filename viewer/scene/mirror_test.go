package scene

import (
	"testing"

	"genussink/core/job"
)

// mirrors answers the question about symmetry, which a page that is idle asks once.
func mirrors(r *rig, e *job.Mirrored) {
	r.t.Helper()
	r.s.Mesh.unshaded = true
	asked := 0
	for range 20 {
		r.s.Tick(0.25)
		for _, q := range r.take() {
			if _, ok := q.Body.(*job.Mirror); ok {
				asked++
				r.answer(q.ID, e)
			}
		}
	}
	if asked != 1 {
		r.t.Fatalf("asked %d times", asked)
	}
}

func TestMirroredStrokes(t *testing.T) {
	r := ready(t)
	n := r.s.Mesh.Vertices()
	e := &job.Mirrored{Axis: "x"}
	for v := range int32(n) { // a grid 9 wide
		e.Partners = append(e.Partners, v/9*9+8-v%9)
	}
	r.s.MirrorStrokes(true)
	if r.s.State().Densities.Mirrored {
		t.Error("mirrored before a symmetry is known")
	}
	mirrors(r, e)
	if st := r.s.State().Densities; st.Symmetry != "x" || !st.Mirrored {
		t.Errorf("%+v", st)
	}
	r.s.BrushTool(ToolTarget)
	r.s.BrushRadius(MinRadius)
	r.s.Hover(10)
	r.run()
	twin := false
	for _, d := range r.s.Markers(nil) {
		twin = twin || d.Vertex == 16
	}
	if !twin {
		t.Error("the twin of the vertex under the brush is not marked")
	}
	r.s.StrokeBegin(10)
	r.run()
	r.s.StrokeMove(13) // on the plane: its own twin
	r.run()
	r.s.StrokeMove(20)
	r.run()
	r.s.StrokeEnd()
	_, target := r.s.Densities.Values()
	for v := range int32(n - 1) {
		if on := v == 10 || v == 16 || v == 13 || v == 20 || v == 24; on != (target[v] > 0) || target[v] != target[e.Partners[v]] && e.Partners[v] != int32(n-1) && v != 54 {
			t.Errorf("vertex %d has %g, its twin %g", v, target[v], target[e.Partners[v]])
		}
	}
	steps := r.s.Densities.painting().Steps
	if got := steps[len(steps)-1].Centres; len(got) != 5 {
		t.Errorf("the stroke dabs at %v", got)
	}
	r.s.BrushShape(ShapeComponent)
	r.s.Mesh.components.of = make([]int32, n)
	for v := range int32(n) {
		r.s.Mesh.components.of[v] = map[bool]int32{true: 1}[v%9 > 4]
	}
	r.s.StrokeBegin(0)
	if _, target := r.s.Densities.Values(); target[1] == 0 || target[7] != target[1] {
		t.Error("the mirrored component is not filled")
	}
	for what, bad := range map[string]*job.Mirrored{"few": {Axis: "y", Partners: []int32{0}}, "beyond": {Axis: "y", Partners: append([]int32{int32(n)}, e.Partners[1:]...)}} {
		r := ready(t)
		mirrors(r, bad)
		if st := r.s.State(); st.Densities.Symmetry != "" || st.Error == "" {
			t.Errorf("%s partners are taken", what)
		}
	}
}
