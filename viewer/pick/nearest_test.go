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

func TestNearestEdge(t *testing.T) {
	points := []float32{0, 0, 1, 10, 0, 1, 10, 10, 1, 0, 0, 0.5, 10, 0, 0.5, 20, 0, -1}
	edges := []int32{1, 0, 1, 2, 4, 3, 5, 1}
	flat := func(p [3]float64) (x, y, depth float64) { return p[0], p[1], p[2] }
	for _, c := range []struct {
		x, y, within float64
		want         [2]int32
	}{
		{5, 2, 5, [2]int32{3, 4}},    // of two at one place the nearer
		{9, 6, 5, [2]int32{1, 2}},    // beside its middle
		{10, 13, 5, [2]int32{1, 2}},  // beyond its end
		{5, 2, 1, [2]int32{-1, -1}},  // too far from any
		{16, 0, 5, [2]int32{-1, -1}}, // partly behind the near plane
	} {
		if got := NearestEdge(points, edges, flat, 0.1, c.x, c.y, c.within); got != c.want {
			t.Errorf("at (%g, %g) within %g: %v, want %v", c.x, c.y, c.within, got, c.want)
		}
	}
	if got := NearestEdge([]float32{1, 1, 1}, []int32{0, 0}, flat, 0, 1, 1, 5); got != [2]int32{} {
		t.Errorf("an edge without length: %v", got)
	}
}
