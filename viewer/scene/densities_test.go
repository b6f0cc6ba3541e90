package scene

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/job"
)

func snapshot(s *Scene) [2][]float64 {
	a, b := s.Densities()
	return [2][]float64{slices.Clone(a), slices.Clone(b)}
}

func same(a, b [2][]float64) bool { return slices.Equal(a[0], b[0]) && slices.Equal(a[1], b[1]) }

func TestStrokeAsksForOneBallAtATime(t *testing.T) {
	r := ready(t)
	r.s.BrushTool(ToolTarget)
	r.s.BrushRadius(0.2)
	r.s.BrushStrength(1)
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
	_, target := r.s.Densities()
	for _, v := range []int32{10, 11, 12} {
		if target[v] != before[1][v]+1 { // the peak of the target was 1
			t.Errorf("target at %d is %g", v, target[v])
		}
	}
	if source, _ := r.s.Densities(); !slices.Equal(source, before[0]) {
		t.Error("the source was painted too")
	}
	r.s.Undo()
	if !same(snapshot(r.s), before) {
		t.Error("undo does not take the stroke back")
	}
	r.s.Redo()
	if _, again := r.s.Densities(); !slices.Equal(again, target) {
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
		source, _ := r.s.Densities()
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
	r.s.BrushStrength(1)
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
	source, _ := r.s.Densities()
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
	ring := r.s.Ring()
	if len(ring) == 0 || len(ring)%6 != 0 {
		t.Fatalf("ring of %d numbers", len(ring))
	}
	// 39 is (3, 4) on the grid; every point of the ring is between 2 and 3 edges
	// away, diagonals of the mesh aside.
	m := r.s.Mesh()
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
	if r.s.Ring() != nil {
		t.Error("a ring without a pointer")
	}
}

func TestPresetCanBeUndone(t *testing.T) {
	r := ready(t)
	before := snapshot(r.s)
	r.s.Preset("uniform")
	id, m := one[*job.Measure](r)
	if m.Preset != "uniform" {
		t.Errorf("asks %+v", m)
	}
	flat := slices.Repeat([]float64{1.0 / 63}, 63)
	r.answer(id, &job.Measured{Preset: "uniform", Source: flat, Target: flat})
	if st := r.s.State(); st.Densities.Preset != "uniform" || st.Densities.Undo != 1 {
		t.Errorf("%+v", st.Densities)
	}
	r.s.Undo()
	if st := r.s.State(); !same(before, snapshot(r.s)) || st.Densities.Preset != "paper" {
		t.Errorf("after undo: %+v", st.Densities)
	}
	r.s.Preset("uniform")
	id, _ = one[*job.Measure](r)
	r.answer(id, &job.Measured{Source: []float64{1}, Target: []float64{math.NaN()}})
	if r.s.State().Error == "" || !same(before, snapshot(r.s)) {
		t.Error("densities that do not fit were taken")
	}
}

func TestUndoIsBounded(t *testing.T) {
	r := ready(t)
	for range 3 * maxUndo {
		r.s.Swap()
	}
	if n := r.s.State().Densities.Undo; n != maxUndo {
		t.Errorf("%d steps of undo", n)
	}
}

// Whatever a person does: undoing everything brings the first densities back,
// redoing everything the last, what the engine was handed never changes, and
// at most one brush request is under way.
func TestAnyPaintingCanBeUndone(t *testing.T) {
	rapid.Check(t, func(p *rapid.T) {
		r := ready(t)
		first := snapshot(r.s)
		type handed struct {
			now, then []float64
		}
		var kept []handed
		var under []job.Request
		take := func() {
			for _, q := range r.take() {
				switch b := q.Body.(type) {
				case *job.Brush:
					under = append(under, q)
					if len(under) > 1 {
						p.Fatalf("%d brush requests under way", len(under))
					}
				case *job.Solve:
					kept = append(kept, handed{b.Source, slices.Clone(b.Source)}, handed{b.Target, slices.Clone(b.Target)})
				}
			}
		}
		for range rapid.IntRange(1, 40).Draw(p, "steps") {
			v := int32(rapid.IntRange(-1, 62).Draw(p, "vertex"))
			switch rapid.IntRange(0, 11).Draw(p, "what") {
			case 0:
				r.s.BrushTool([]Tool{ToolNone, ToolSource, ToolTarget, ToolErase, ToolMeasure}[rapid.IntRange(0, 4).Draw(p, "tool")])
			case 1, 2:
				r.s.StrokeBegin(v)
			case 3:
				r.s.StrokeMove(v)
			case 4:
				r.s.StrokeEnd()
			case 5:
				r.s.Hover(v)
			case 6:
				r.s.Swap()
			case 7:
				if rapid.IntRange(0, 3).Draw(p, "rarely") == 0 {
					r.s.Clear()
				}
			case 8:
				r.s.Undo()
			case 9:
				r.s.Redo()
			case 10:
				r.s.Solve()
			case 11:
				r.s.BrushRadius(rapid.Float64Range(0.01, 0.5).Draw(p, "radius"))
			}
			take()
			for len(under) > 0 && rapid.Bool().Draw(p, "answer") {
				q := under[0]
				under = nil
				r.answer(q.ID, r.ball(q.Body.(*job.Brush)))
				take()
			}
		}
		r.s.StrokeEnd()
		for len(under) > 0 {
			q := under[0]
			under = nil
			r.answer(q.ID, r.ball(q.Body.(*job.Brush)))
			take()
		}
		if r.s.State().Densities.Stroke {
			p.Fatal("a stroke that never ends")
		}
		for r.s.State().Densities.Redo > 0 {
			r.s.Redo()
		}
		last := snapshot(r.s)
		for r.s.State().Densities.Undo > 0 {
			r.s.Undo()
		}
		if !same(snapshot(r.s), first) {
			p.Fatal("undoing everything does not bring the first densities back")
		}
		for r.s.State().Densities.Redo > 0 {
			r.s.Redo()
		}
		if !same(snapshot(r.s), last) {
			p.Fatal("redoing everything does not bring the last densities back")
		}
		for _, k := range kept {
			if !slices.Equal(k.now, k.then) {
				p.Fatal("a density that the engine was handed has changed")
			}
		}
	})
}
