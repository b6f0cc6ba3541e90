package inspect_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"genussink/core/inspect"
)

func TestSymmetry(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var points [][3]float64
	for range 600 { // pairs across y, somewhere far from the origin
		x, y, z := 7+rng.Float64(), rng.Float64(), rng.Float64()*rng.Float64()
		points = append(points, [3]float64{x, 40 + y, z}, [3]float64{x, 40 - y, z})
	}
	axis, partner, _ := inspect.Symmetry(t.Context(), points)
	if axis != 1 {
		t.Fatalf("the axis is %d", axis)
	}
	for v, w := range partner {
		if w != int32(v^1) {
			p, q := points[v^1], points[w]
			if d := (p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]); w < 0 || d > 1e-20 {
				t.Fatalf("vertex %d has the partner %d", v, w)
			}
		}
	}
	lonely := append(slices.Clone(points), [3]float64{7.5, 40.99, 0.97})
	if axis, partner, _ := inspect.Symmetry(t.Context(), lonely); axis != 1 || len(partner) != len(lonely) {
		t.Errorf("with one vertex more the axis is %d", axis)
	}
	for i := range points {
		points[i][1] = (points[i][1] - 39) * (points[i][1] - 39)
	}
	if axis, partner, _ := inspect.Symmetry(t.Context(), points); axis != -1 || partner != nil {
		t.Errorf("what is not symmetric mirrors across %d", axis)
	}
	for what, few := range map[string][][3]float64{"nothing": nil, "a point": {{1, 2, 3}}, "one place": {{1, 2, 3}, {1, 2, 3}}} {
		if axis, _, _ := inspect.Symmetry(t.Context(), few); axis != -1 {
			t.Errorf("%s mirrors across %d", what, axis)
		}
	}
	if axis, _, _ := inspect.Symmetry(t.Context(), [][3]float64{{0, 0, 0}, {1, 0.2, 0}, {1, -0.2, 0}}); axis != 1 { // flat: not across z
		t.Errorf("a triangle in a plane mirrors across %d", axis)
	}
}

// An ended context ends the search.
func TestSymmetryIsCancelled(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if axis, partner, err := inspect.Symmetry(ctx, [][3]float64{{0, 0, 0}, {1, 1, 1}}); !errors.Is(err, context.Canceled) || axis != -1 || partner != nil {
		t.Errorf("%d, %v, %v", axis, partner, err)
	}
}
