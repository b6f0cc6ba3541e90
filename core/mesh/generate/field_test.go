package generate_test

import (
	"math"
	"testing"

	"genussink/core/mesh"
	"genussink/core/mesh/generate"

	"pgregory.net/rapid"
)

func anyPoint(t *rapid.T, name string) generate.Vec {
	x := rapid.Float64Range(-3, 3)
	return generate.Vec{x.Draw(t, name+" x"), x.Draw(t, name+" y"), x.Draw(t, name+" z")}
}

// Tube passes over capsules that are too far away to matter; the plain union
// passes over none.
func TestTubeIsTheUnionOfItsCapsules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "points")
		points, radii := make([]generate.Vec, n), make([]float64, n)
		for i := range points {
			points[i], radii[i] = anyPoint(t, "point"), rapid.Float64Range(0, 1).Draw(t, "radius")
		}
		var capsules []generate.Field
		for i := range n - 1 {
			capsules = append(capsules, generate.Capsule(points[i], points[i+1], radii[i], radii[i+1]))
		}
		p := anyPoint(t, "at")
		tube, union := generate.Tube(points, radii)(p), generate.Union(0, capsules...)(p)
		if math.Abs(tube-union) > 1e-12 {
			t.Fatalf("tube %g, union %g", tube, union)
		}
	})
}

func TestFieldsAreDistances(t *testing.T) {
	type vec = generate.Vec
	rod := generate.Cylinder(vec{0, 0, -1}, vec{0, 0, 1}, 0.5, 0.1)
	for _, c := range []struct {
		name  string
		field generate.Field
		at    vec
		want  float64
	}{
		{"sphere", generate.Sphere(vec{1}, 2), vec{4}, 1},
		{"ellipsoid on its axis", generate.Ellipsoid(vec{}, vec{1, 2, 3}), vec{0, 2}, 0},
		{"middle of an ellipsoid", generate.Ellipsoid(vec{}, vec{1, 2, 3}), vec{}, -1},
		{"capsule beside its thick end", generate.Capsule(vec{}, vec{0, 1}, 0.5, 0.1), vec{1}, 0.5},
		{"capsule beyond its thin end", generate.Capsule(vec{}, vec{0, 1}, 0.5, 0.1), vec{0, 2}, 0.9},
		{"capsule of no length", generate.Capsule(vec{}, vec{}, 0.5, 0.5), vec{0, 2}, 1.5},
		{"ring", generate.Ring(vec{}, 2, 0.5), vec{0, 2, 1}, 0.5},
		{"rod beyond its end", rod, vec{0, 0, 3}, 2},
		{"rod beside its middle", rod, vec{0, 2}, 1.5},
		{"prism", generate.Prism(func(x, _ float64) float64 { return x - 1 }, 0.5, 0), vec{0, 7, 2}, 1.5},
		{"mirror image", generate.Mirror(generate.Sphere(vec{2}, 1)), vec{-2}, -1},
		{"turned to the y axis", generate.Place(generate.Capsule(vec{}, vec{5}, 1, 1), vec{0, 1}, vec{0, 1}, vec{-1}), vec{0, 6}, -1},
		{"common part", generate.Intersect(0, generate.Sphere(vec{-1}, 2), generate.Sphere(vec{1}, 2)), vec{2}, 1},
		{"hole", generate.Subtract(0, generate.Sphere(vec{}, 2), generate.Sphere(vec{}, 1)), vec{}, 1},
		{"fillet halfway between two", generate.Union(1, generate.Sphere(vec{-2}, 1), generate.Sphere(vec{2}, 1)), vec{}, 0.75},
		{"no fillet far away", generate.Union(1, generate.Sphere(vec{-2}, 1), generate.Sphere(vec{2}, 1)), vec{-4}, 1},
	} {
		if got := c.field(c.at); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

func TestCurveGoesThroughItsPoints(t *testing.T) {
	through := []generate.Vec{{0, 0, 0}, {1, 2, 0}, {3, 1, 1}, {4, 4, 4}}
	curve := generate.Curve(31, through...)
	for i, p := range through {
		if d := mesh.Distance(curve[10*i], p); d > 1e-12 {
			t.Errorf("point %d is missed by %g", i, d)
		}
	}
	if got := generate.Taper(5, 4, 2, 6); got[0] != 4 || got[1] != 3 || got[2] != 2 || got[3] != 4 || got[4] != 6 {
		t.Errorf("taper %v", got)
	}
}
