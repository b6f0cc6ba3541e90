package generate_test

import (
	"math"
	"testing"

	"genussink/core/mesh/generate"
)

// box has its edges along the coordinate axes, rounded with the given radius within its half sizes.
func box(centre, half generate.Vec, round float64) generate.Field {
	return func(p generate.Vec) float64 {
		out, in := 0.0, math.Inf(-1)
		for c, x := range p {
			q := math.Abs(x-centre[c]) - half[c] + round
			out = math.Hypot(out, max(q, 0))
			in = max(in, q)
		}
		return out + min(in, 0) - round
	}
}

func TestSurface(t *testing.T) {
	type vec = generate.Vec
	cut := generate.Sphere(vec{}, 5) // larger than its box
	for _, c := range []struct {
		name          string
		field         generate.Field
		edge          float64
		genus, pieces int
		area          float64 // 0: not compared
	}{
		{"sphere", generate.Sphere(vec{}, 1), 0.1, 0, 1, 4 * math.Pi},
		{"torus", generate.Ring(vec{}, 1, 0.4), 0.1, 1, 1, 4 * math.Pi * math.Pi * 0.4},
		{"two balls apart", generate.Union(0, generate.Sphere(vec{-0.8}, 0.5), generate.Sphere(vec{0.8}, 0.5)), 0.1, 0, 2, 2 * math.Pi},
		{"two balls that touch", generate.Union(0, generate.Sphere(vec{-0.5}, 0.5), generate.Sphere(vec{0.5}, 0.5)), 0.1, 0, -1, 0},
		{"box", box(vec{}, vec{1, 0.6, 0.4}, 0.15), 0.09, 0, 1, 0},
		{"bored box", generate.Subtract(0.1, box(vec{}, vec{1, 0.6, 0.4}, 0.15),
			generate.Cylinder(vec{0.4, 0, -1}, vec{0.4, 0, 1}, 0.25, 0), generate.Cylinder(vec{-0.4, 0, -1}, vec{-0.4, 0, 1}, 0.25, 0)), 0.09, 2, 1, 0},
		{"cut off by the box", cut, 0.4, 0, 1, 0},
		{"nothing there", generate.Sphere(vec{9}, 1), 0.2, 0, 0, 0},
		{"noise", func(p vec) float64 {
			return math.Sin(61*p[0]+7*p[1]) + math.Sin(53*p[1]+11*p[2]) + math.Sin(47*p[2]+13*p[0])
		}, 0.2, -1, -1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := generate.Surface(c.field, vec{-1.6, -1.5, -1.5}, vec{1.6, 1.5, 1.5}, c.edge)
			if err != nil {
				t.Fatal(err)
			}
			g := m.Topology()
			if !g.Oriented || g.BoundaryLoops+g.NonmanifoldEdges+g.NonmanifoldVertices+g.IsolatedVertices != 0 || g.Watertight != (g.Faces > 0) {
				t.Errorf("not a closed oriented manifold: %+v", *g)
			}
			if c.pieces >= 0 && g.Components != c.pieces || c.genus >= 0 && g.Genus != c.genus {
				t.Errorf("%d pieces of genus %d, want %d and %d", g.Components, g.Genus, c.pieces, c.genus)
			}
			if c.area > 0 {
				area := 0.0
				for _, a := range m.VertexAreas() {
					area += a
				}
				if math.Abs(area-c.area) > 0.01*c.area {
					t.Errorf("area %g, want %g", area, c.area)
				}
				if g.EdgeMin < 0.5*c.edge || g.EdgeMax > 1.6*c.edge || g.DegenerateFaces > 0 {
					t.Errorf("edges from %g to %g, %d degenerate faces, wanted %g", g.EdgeMin, g.EdgeMax, g.DegenerateFaces, c.edge)
				}
			}
		})
	}
	for _, edge := range []float64{0, -1, math.NaN(), math.Inf(1), 1e-9} {
		if _, err := generate.Surface(cut, vec{}, vec{1, 1, 1}, edge); err == nil {
			t.Errorf("edge %g: no error", edge)
		}
	}
	if _, err := generate.Surface(cut, vec{1}, vec{-1, 1, 1}, 0.1); err == nil {
		t.Error("empty box: no error")
	}
}
