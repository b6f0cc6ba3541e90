package scene

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/job"
)

func snapshot(s *Scene) [2][]float64 {
	a, b := s.Densities.Values()
	return [2][]float64{slices.Clone(a), slices.Clone(b)}
}

func same(a, b [2][]float64) bool { return slices.Equal(a[0], b[0]) && slices.Equal(a[1], b[1]) }

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

// The first stroke on a preset replaces that density, and no other one. Later strokes add to it; a swap, an undo, erasing and smoothing keep
// account of which density is a preset's.
func TestTheFirstStrokeReplacesAPreset(t *testing.T) {
	r := ready(t)
	total := func() [2]float64 { return [2]float64{r.s.Densities.mass(sourceSide), r.s.Densities.mass(targetSide)} }
	stroke := func(tool Tool, v int32) {
		r.s.BrushTool(tool)
		r.s.StrokeBegin(v)
		r.s.StrokeEnd()
		for range 3 {
			for _, q := range r.take() {
				if b, ok := q.Body.(*job.Brush); ok {
					r.answer(q.ID, r.ball(b))
				}
			}
		}
	}
	r.s.Brush.Strength(1)
	preset := snapshot(r.s)
	stroke(ToolSource, 20)
	source, target := r.s.Densities.Values()
	if math.Abs(total()[0]-1) > 1e-12 || source[62] != 0 || !slices.Equal(target, preset[1]) {
		t.Fatalf("after a stroke of the source: %v", total())
	}
	one := slices.Clone(source)
	stroke(ToolSource, 40)
	if source, _ := r.s.Densities.Values(); source[20] != one[20] || source[40] == 0 {
		t.Error("the second stroke does not add to the first")
	}
	stroke(ToolTarget, 50)
	if source, target := r.s.Densities.Values(); target[0] != 0 || target[50] == 0 || source[20] != one[20] {
		t.Error("the target's preset is not replaced, or the source is")
	}
	for range 3 {
		r.s.Undo()
	}
	if !same(snapshot(r.s), preset) {
		t.Fatal("undo does not bring the preset back")
	}
	r.s.Swap()
	stroke(ToolTarget, 20) // the preset's source
	if source, target := r.s.Densities.Values(); !slices.Equal(source, preset[1]) || target[62] != 0 {
		t.Error("after a swap the wrong density is replaced")
	}
	stroke(ToolSource, 30) // the preset's target
	if source, _ := r.s.Densities.Values(); source[0] != 0 || source[30] == 0 {
		t.Error("after a swap and a stroke the other density is not replaced")
	}
	for range 3 {
		r.s.Undo()
	}
	stroke(ToolErase, 20)
	erased := snapshot(r.s)
	stroke(ToolSource, 62)
	if source, _ := r.s.Densities.Values(); source[0] != erased[0][0] || source[62] <= erased[0][62] {
		t.Error("what was erased by hand is replaced")
	}
}
