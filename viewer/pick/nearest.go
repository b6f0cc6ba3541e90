package pick

import "math"

// Nearest returns the point (3 numbers each) that is nearest to (x, y) on the
// screen, at most within pixels away, -1 for none. Project tells where a point lies and
// its depth, which must be at least near; of points at one place the nearer in
// depth is meant.
func Nearest(points []float32, project func([3]float64) (x, y, depth float64), near, x, y, within float64) int32 {
	best, vertex := within*within, int32(-1)
	front := math.Inf(1)
	for v := 0; v+2 < len(points); v += 3 {
		px, py, z := project([3]float64{float64(points[v]), float64(points[v+1]), float64(points[v+2])})
		if z < near {
			continue
		}
		if d := (px-x)*(px-x) + (py-y)*(py-y); d < best || d == best && z < front {
			best, front, vertex = d, z, int32(v/3)
		}
	}
	return vertex
}
