package pick

import "testing"

func TestNearest(t *testing.T) {
	points := []float32{0, 0, 1, 10, 0, 1, 10, 0, 0.5, 20, 0, -1}
	flat := func(p [3]float64) (x, y, depth float64) { return p[0], p[1], p[2] }
	for _, c := range []struct {
		x, y, within float64
		want         int32
	}{
		{1, 0, 5, 0},
		{9, 0, 5, 2},   // of two at one place the nearer
		{5.1, 0, 6, 2}, // the nearest of all within reach
		{5, 9, 5, -1},  // too far from any
		{20, 0, 5, -1}, // behind the near plane
		{1, 0, 0, -1},  // no reach
	} {
		if got := Nearest(points, flat, 0.1, c.x, c.y, c.within); got != c.want {
			t.Errorf("at (%g, %g) within %g: %d, want %d", c.x, c.y, c.within, got, c.want)
		}
	}
	if got := Nearest(nil, flat, 0.1, 0, 0, 5); got != -1 {
		t.Errorf("of nothing: %d", got)
	}
}
