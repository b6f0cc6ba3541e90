package scene

import (
	"slices"
	"testing"

	"genussink/core/job"
)

// A press fills what the shape covers, evenly and in one step of undo, which is made anew from its recipe.
func TestFill(t *testing.T) {
	r := ready(t)
	n := r.s.Mesh.Vertices()
	cells := r.s.Separation.tree
	before := snapshot(r.s)
	r.s.BrushTool(ToolTarget)
	r.s.Brush.Strength(0.5)
	r.s.BrushShape("varnish")
	r.s.BrushShape(ShapeCell)
	r.s.Hover(3)
	if len(r.s.Brush.Ring()) == 0 {
		t.Error("no outline of the cell under the pointer")
	}
	r.s.StrokeBegin(3)
	r.s.StrokeEnd()
	left := cells.Nodes[0].Left
	source, target := r.s.Densities.Values()
	for v, x := range target {
		c := cells.Cells[v]
		for c != 0 && c != left {
			c = cells.Nodes[c].Parent
		}
		// The preset is replaced by half of what of mass 1 a vertex of the cell has.
		if want := map[bool]float64{true: 0.5 / float64(cells.Nodes[0].A), false: 0}[c == left]; x != want {
			t.Fatalf("vertex %d has %g, want %g", v, x, want)
		}
	}
	if !slices.Equal(source, before[0]) {
		t.Error("the source was filled too")
	}
	steps := r.s.Densities.painting().Steps
	step := steps[len(steps)-1]
	if st := r.s.State().Densities; st.Undo != 1 || !step.Fill || step.Kind != job.StrokeTarget || len(step.Centres) != int(cells.Nodes[0].A) {
		t.Errorf("%d steps to undo, the last is %s of %d vertices", st.Undo, step.Kind, len(step.Centres))
	}
	r.s.StrokeBegin(int32(n / 2)) // the separator
	if _, target := r.s.Densities.Values(); target[n/2] == 0 || target[n/2+1] != 0 {
		t.Error("the separator is not a cell of its own")
	}
	r.s.Undo()
	r.s.Undo()
	if !same(snapshot(r.s), before) {
		t.Error("undo does not take the fills back")
	}

	r.s.Mesh.components.of = make([]int32, n)
	for v := n / 3; v < n; v++ {
		r.s.Mesh.components.of[v] = 1
	}
	r.s.BrushShape(ShapeComponent)
	r.s.BrushTool(ToolSmooth)
	r.s.Brush.Strength(1)
	r.s.StrokeBegin(1)
	source, target = r.s.Densities.Values()
	if share := 1 / float64(n/3); source[0] < share*0.999 || source[0] > share*1.001 || source[n/3-1] != source[0] || target[n-1] != 1 {
		t.Errorf("evened out: %g at 0, %g at %d", source[0], source[n/3-1], n/3-1)
	}
	r.run()
	r.s.BrushTool(ToolComes)
	r.s.StrokeBegin(int32(n - 1))
	r.run()
	if q := r.s.State().Query; q == nil || !q.Known || q.Vertices != n-n/3 || q.Share != 1 {
		t.Errorf("a component is asked about: %+v", q)
	}
	r.s.Separation.tree = nil
	r.s.BrushTool(ToolErase)
	r.s.BrushShape(ShapeCell)
	undo := r.s.State().Densities.Undo
	if r.s.StrokeBegin(0); r.s.State().Densities.Undo != undo {
		t.Error("without a tree something is filled")
	}
}
