package scene

import (
	"math"
	"slices"
	"testing"

	"genussink/core/job"
)

func TestStrokeAsksForOneBallAtATime(t *testing.T) {
	r := ready(t)
	r.s.BrushTool(ToolTarget)
	r.s.BrushRadius(0.2)
	r.s.Brush.Strength(1)
	before := snapshot(r.s)
	r.s.StrokeBegin(10)
	id, b := one[*job.Brush](r)
	if b.Center != 10 || math.Abs(b.Radius-0.2*10) > 1e-12 {
		t.Errorf("asks %+v", b)
	}
	r.s.StrokeMove(11)
	r.s.StrokeMove(11)
	r.s.StrokeMove(-1)
	r.s.StrokeMove(12)
	r.s.StrokeEnd()
	if got := r.take(); len(got) != 0 {
		t.Fatalf("more than one under way: %v", kinds(got))
	}
	if st := r.s.State(); !st.Densities.Stroke || st.Densities.Undo != 0 {
		t.Errorf("before its dabs are back: %+v", st.Densities)
	}
	r.answer(id, r.ball(b))
	for _, center := range []int32{11, 12} {
		id, b = one[*job.Brush](r)
		if b.Center != center {
			t.Errorf("asks for %d, want %d", b.Center, center)
		}
		r.answer(id, r.ball(b))
	}
	st := r.s.State()
	if st.Densities.Stroke || st.Densities.Undo != 1 {
		t.Errorf("after the stroke: %+v", st.Densities)
	}
	_, target := r.s.Densities.Values()
	peak := slices.Max(target)
	for _, v := range []int32{10, 11, 12} { // the first dab has mass 1
		if target[v] != peak || !(peak > 0.1 && peak < 1) {
			t.Errorf("target at %d is %g of at most %g", v, target[v], peak)
		}
	}
	if target[62] != 0 || before[1][62] == 0 {
		t.Errorf("far from the stroke on a preset the target is %g, before %g: it is replaced", target[62], before[1][62])
	}
	if source, _ := r.s.Densities.Values(); !slices.Equal(source, before[0]) {
		t.Error("the source was painted too")
	}
	r.s.Undo()
	if !same(snapshot(r.s), before) {
		t.Error("undo does not take the stroke back")
	}
	r.s.Redo()
	if _, again := r.s.Densities.Values(); !slices.Equal(again, target) {
		t.Error("redo does not bring it again")
	}
}

func TestStrokeDoesNotDependOnItsSpeed(t *testing.T) {
	paint := func(through ...int32) []float64 {
		r := ready(t)
		r.s.BrushTool(ToolSource)
		r.s.BrushRadius(0.25)
		r.s.StrokeBegin(through[0])
		r.run()
		for _, v := range through[1:] {
			r.s.StrokeMove(v)
			r.run()
		}
		r.s.StrokeEnd()
		source, _ := r.s.Densities.Values()
		return source
	}
	if a, b := paint(20, 21, 22), paint(20, 21, 22, 21, 20, 21, 22); !slices.Equal(a, b) {
		t.Errorf("going over it again changes it: %v and %v", a, b)
	}
}

func TestFirstDabOnNothingHasMassOne(t *testing.T) {
	r := ready(t)
	r.s.Clear()
	r.s.BrushTool(ToolSource)
	r.s.BrushRadius(0.3)
	r.s.Brush.Strength(1)
	r.s.StrokeBegin(31)
	r.run()
	r.s.StrokeEnd()
	if m := r.s.State().Densities.Source; math.Abs(m-1) > 1e-12 {
		t.Errorf("mass %g", m)
	}
	r.s.BrushTool(ToolErase)
	r.s.StrokeBegin(31)
	r.run()
	r.s.StrokeEnd()
	source, _ := r.s.Densities.Values()
	if source[31] != 0 {
		t.Errorf("erased, and %g is left", source[31])
	}
}

func TestPreviewKeepsOnlyTheLatest(t *testing.T) {
	r := ready(t)
	r.s.BrushTool(ToolSource)
	r.s.BrushRadius(0.25) // 2.5 units
	r.s.Hover(20)
	id, b := one[*job.Brush](r)
	for v := int32(21); v < 40; v++ {
		r.s.Hover(v)
	}
	r.answer(id, r.ball(b))
	id, b = one[*job.Brush](r)
	if b.Center != 39 {
		t.Errorf("asks for %d, the pointer is on 39", b.Center)
	}
	before := snapshot(r.s)
	r.answer(id, r.ball(b))
	if !same(before, snapshot(r.s)) {
		t.Error("a preview paints")
	}
	ring := r.s.Brush.Ring()
	if len(ring) == 0 || len(ring)%6 != 0 {
		t.Fatalf("ring of %d numbers", len(ring))
	}
	// 39 is (3, 4) on the grid; every point of the ring is between 2 and 3 edges
	// away, diagonals of the mesh aside.
	m := r.s.Mesh.Mesh
	for i := 0; i < len(ring); i += 3 {
		x, y := float64(ring[i])*m.HalfDiag+m.Center[0]-3, float64(ring[i+1])*m.HalfDiag+m.Center[1]-4
		if d := math.Abs(x) + math.Abs(y); d < 1.9 || d > 3.6 {
			t.Errorf("ring at (%g, %g) from the centre", x, y)
		}
	}
	if got := r.take(); len(got) != 0 {
		t.Errorf("at rest the scene asks %v", kinds(got))
	}
	r.s.Hover(-1)
	if r.s.Brush.Ring() != nil {
		t.Error("a ring without a pointer")
	}
}
