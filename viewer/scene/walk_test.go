package scene

import (
	"math"
	"testing"

	"genussink/core/job"
)

// Arrow keys walk from vertex to vertex, as they lie on the screen, and a dab paints there.
func TestWalk(t *testing.T) {
	r := ready(t) // a grid of 9 by 7, seen from above
	r.s.Mesh.flat = true
	r.s.View.approach(&r.s.Mesh)
	r.s.View.ReducedMotion(true)
	r.s.BrushTool(ToolSource)
	r.s.BrushRadius(MinRadius)
	at := func() int32 { return r.s.State().Hover.Vertex }
	r.s.Walk(1, 0)
	if at() != 31 {
		t.Fatalf("begins at %d, the middle is 31", at())
	}
	for _, step := range []struct {
		x, y float64
		to   int32
	}{{1, 0, 32}, {0, 1, 41}, {-1, 0, 40}, {0, -1, 31}} {
		r.s.Walk(step.x, step.y)
		if at() != step.to {
			t.Errorf("(%g, %g) leads to %d, not to %d", step.x, step.y, at(), step.to)
		}
	}
	for range 20 {
		r.s.Walk(1, 0)
	}
	if at() != 35 {
		t.Errorf("beyond the rim at %d", at())
	}
	r.run()
	r.s.Brush.Press(0.1) // a pen's
	r.s.Dab()
	r.run()
	if source, _ := r.s.Densities.Values(); source[35] != 1*DefaultStrength {
		t.Errorf("a dab leaves %g", source[35])
	}
	if st := r.s.State().Densities; st.Undo != 1 || st.Stroke {
		t.Errorf("after a dab: %+v", st)
	}
	empty := New()
	empty.Walk(1, 0)
	empty.Dab()
}

// tube is a grid of 24 by 7 vertices that is rolled up: column 12 faces the front.
func tube() *job.Loaded {
	const columns = 24
	mesh := grid(columns, 7)
	for v := range columns * 7 {
		around := 2*math.Pi*float64(v%columns)/columns - math.Pi
		mesh.Positions[3*v], mesh.Positions[3*v+2] = 3*math.Sin(around), 3*math.Cos(around)
	}
	return mesh
}

// The camera turns after a cursor that walks around a tube, and not before it leaves the side that is seen.
func TestWalkStaysInSight(t *testing.T) {
	r := newRig(t, tube())
	r.run()
	r.s.View.ReducedMotion(true)
	r.s.BrushTool(ToolSource)
	r.s.Walk(1, 0)
	pose, turns := r.s.View.Camera().Goal(), 0
	for range 24 {
		r.s.Walk(1, 0)
		lens, v := r.s.Lens(1, 1), r.s.State().Hover.Vertex
		if slant := r.s.Mesh.slant(&lens, v); slant < grazing {
			t.Errorf("the cursor is at %d, and faces the eye with %g", v, slant)
		}
		if now := r.s.View.Camera().Goal(); now != pose {
			pose, turns = now, turns+1
		}
	}
	if turns < 1 || turns > 3 {
		t.Errorf("around the tube the camera turned %d times", turns)
	}
}
