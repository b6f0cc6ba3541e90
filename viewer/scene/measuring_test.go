package scene

import (
	"math"
	"slices"
	"testing"

	"genussink/core/job"
)

func TestMeasuringPaths(t *testing.T) {
	r := ready(t)
	r.s.BrushTool(ToolMeasure)
	r.s.Click(on(3))
	if p := r.s.State().Paths; len(p) != 1 || p[0].From != 3 || p[0].To != -1 || p[0].Middle != -1 {
		t.Fatalf("paths %+v", p)
	}
	r.s.Click(on(8))
	id, d := one[*job.Distance](r)
	if d.From != 3 || d.To != 8 {
		t.Errorf("asks %+v", d)
	}

	// A second one is measured after the first. Each has its number, its line and its lengths.
	r.s.Click(on(0))
	r.s.Click(on(10))
	if len(r.take()) != 0 {
		t.Error("two are asked for at once")
	}
	r.answer(id, &job.Path{Vertices: []int32{3, 4, 5, 6, 7, 8}, Length: 6})
	id, d = one[*job.Distance](r)
	if d.To != 10 {
		t.Errorf("then asks %+v", d)
	}
	r.answer(id, &job.Path{Vertices: []int32{0, 1, 10}, Length: 2})
	p := r.s.State().Paths
	if len(p) != 2 || !p[0].Known || !p[0].Connected || p[0].Length != 6 || p[0].Straight != 5 || p[0].Edges != 5 || p[0].Middle != 6 || p[1].Number != 2 || math.Abs(p[1].Straight-math.Sqrt2) > 1e-12 {
		t.Errorf("paths %+v", p)
	}
	if lines := r.s.Inspection.Lines(); len(lines) != 2 || len(lines[0].Vertices) != 6 || lines[0].Color == lines[1].Color || lines[1].Color != p[1].Color() {
		t.Errorf("drawn: %+v", lines)
	}
	if m := r.s.Markers(nil); len(m) != 4 {
		t.Errorf("marked: %+v", m)
	}

	// Between components there is no path.
	r.s.MeasurePath(0, 1)
	id, _ = one[*job.Distance](r)
	r.answer(id, &job.Path{Length: math.Inf(1)})
	if p := r.s.State().Paths; len(p) != 3 || !p[2].Known || p[2].Connected || p[2].Length != 0 || p[2].Middle != -1 {
		t.Errorf("between components: %+v", p)
	}

	// A click beside the mesh, and another tool, forget a first end alone.
	for what, do := range map[string]func(){"a click beside the mesh": func() { r.s.Click(on(-1)) }, "another tool": func() { r.s.BrushTool(ToolNone) }} {
		r.s.BrushTool(ToolMeasure)
		r.s.Click(on(2))
		if do(); len(r.s.State().Paths) != 3 {
			t.Errorf("%s leaves %+v", what, r.s.State().Paths)
		}
	}

	// One goes, then what cannot be measured, what is cancelled, and all. Numbers do not come again.
	r.s.RemovePath(1)
	if p := r.s.State().Paths; len(p) != 2 || p[0].Number != 2 || len(r.s.Inspection.Lines()) != 2 {
		t.Errorf("without the first: %+v", p)
	}
	r.s.MeasurePath(0, 1)
	r.s.MeasurePath(0, 2)
	id, _ = one[*job.Distance](r)
	r.answer(id, &job.Failed{Message: "no"})
	if p := r.s.State(); len(p.Paths) != 3 || p.Error == "" {
		t.Errorf("after a failure: %+v", p.Paths)
	}
	id, d = one[*job.Distance](r)
	r.answer(id, &job.Path{Vertices: []int32{1 << 20}})
	if p := r.s.State(); d.To != 2 || len(p.Paths) != 2 {
		t.Errorf("after what does not fit: %+v", p.Paths)
	}
	r.s.MeasurePath(0, 1)
	if r.s.Cancel(); len(r.s.State().Paths) != 2 {
		t.Errorf("after cancelling: %+v", r.s.State().Paths)
	}
	was := r.s.State().Paths
	r.s.RemovePath(was[0].Number)
	r.s.RemovePath(0)
	for _, left := range []int{len(was) - 1, len(was)} {
		r.s.ReturnPaths()
		if p := r.s.State().Paths; len(p) != left || len(r.s.Inspection.Lines()) != left {
			t.Errorf("brought back: %+v", p)
		}
	}
	if p := r.s.State().Paths; !slices.Equal(p, was) {
		t.Errorf("brought back: %+v, want %+v", p, was)
	}
	r.s.RemovePath(0)
	r.s.MeasurePath(0, 1)
	if p := r.s.State().Paths; len(p) != 1 || p[0].Number < 6 {
		t.Errorf("after all: %+v", p)
	}
	// Those that were removed first come back too, before the new one; then there is nothing left to bring back.
	r.s.ReturnPaths()
	r.s.ReturnPaths()
	if st := r.s.State(); len(st.Paths) != len(was)+2 || st.Paths[0].Number != 1 || st.Removed != 0 {
		t.Errorf("all that was removed: %+v", st.Paths)
	}
	r.s.ReturnPaths()
}

// A length stands where the path is seen, as near to its middle as that is.
func TestHalfwayIsSeen(t *testing.T) {
	r := newRig(t, tube())
	r.run()
	r.s.MeasurePath(3*24+9, 3*24+23)
	id, _ := one[*job.Distance](r)
	path := &job.Path{Length: 14}
	for column := range int32(15) {
		path.Vertices = append(path.Vertices, 3*24+9+column)
	}
	r.answer(id, path)
	p := r.s.State().Paths[0]
	slant := func(v int32) float64 {
		lens := r.s.Lens(1, 1)
		return r.s.Mesh.slant(&lens, v)
	}
	if slant(p.Middle) > 0 {
		t.Fatalf("the middle, %d, is seen", p.Middle)
	}
	lens := r.s.Lens(1, 1)
	at := r.s.Halfway(p.Number, &lens)
	if !(slant(at) > 0) || slant(at+1) > 0 || !slices.Contains(path.Vertices, at) {
		t.Errorf("the length stands at %d", at)
	}
	if at := r.s.Halfway(99, &lens); at != -1 {
		t.Errorf("of no path the length stands at %d", at)
	}
}
