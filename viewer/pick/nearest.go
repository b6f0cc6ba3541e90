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

// NearestEdge returns the edge, by its ends with the smaller first, that is nearest to (x, y) on the screen, at most within pixels away; both
// ends are -1 where there is none. Of edges at one place the nearer in depth is meant. An edge with an end nearer than near is left out.
func NearestEdge(points []float32, edges []int32, project func([3]float64) (x, y, depth float64), near, x, y, within float64) [2]int32 {
	best, front, found := within*within, math.Inf(1), [2]int32{-1, -1}
	at := func(v int32) (px, py, z float64) {
		return project([3]float64{float64(points[3*v]), float64(points[3*v+1]), float64(points[3*v+2])})
	}
	for e := 0; e+1 < len(edges); e += 2 {
		ax, ay, az := at(edges[e])
		bx, by, bz := at(edges[e+1])
		if az < near || bz < near {
			continue
		}
		dx, dy, t := bx-ax, by-ay, 0.0
		if length := dx*dx + dy*dy; length > 0 {
			t = min(max(((x-ax)*dx+(y-ay)*dy)/length, 0), 1)
		}
		px, py, z := ax+t*dx, ay+t*dy, az+t*(bz-az)
		if d := (px-x)*(px-x) + (py-y)*(py-y); d < best || d == best && z < front {
			best, front, found = d, z, [2]int32{min(edges[e], edges[e+1]), max(edges[e], edges[e+1])}
		}
	}
	return found
}
