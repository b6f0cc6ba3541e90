package raster

import (
	"math"
	"testing"
)

// A level's isoline lies where the value is the level, and it has no ends on a
// closed surface: every end is that of two segments.
func TestContours(t *testing.T) {
	points, _, faces := ball(20, [3]float32{}, 1)
	values := make([]float64, len(points)/3)
	for v := range values {
		values[v] = float64(points[3*v]) + 0.5*float64(points[3*v+1])
	}
	levels := []float64{-0.3, 0.2, 0.2000001}
	lines := Contours(nil, points, faces, values, levels)
	if len(lines) == 0 {
		t.Fatal("no pieces")
	}
	ends := map[[3]float32]int{}
	for _, line := range lines {
		low, high := math.Inf(1), math.Inf(-1) // the face's values
		for _, v := range faces[3*line.Face : 3*line.Face+3] {
			low, high = min(low, values[v]), max(high, values[v])
		}
		for _, p := range [][3]float32{line.P, line.Q} {
			ends[p]++
			x := float64(p[0]) + 0.5*float64(p[1])
			if math.Abs(x+0.3) > 1e-6 && math.Abs(x-0.2) > 1e-6 || x < low-1e-6 || x > high+1e-6 {
				t.Fatalf("a point of value %g on a face of %g to %g", x, low, high)
			}
		}
	}
	odd := 0
	for _, n := range ends {
		if n%2 != 0 {
			odd++
		}
	}
	if odd > 0 {
		t.Errorf("%d of %d ends are loose", odd, len(ends))
	}
	if lines := Contours(nil, points, faces, values, []float64{9}); len(lines) != 0 {
		t.Error("a level that no value has")
	}
}
