// Package polygon splits polygons into triangles.
package polygon

import "math"

// work bounds the point-in-triangle tests of one file: clipping ears is
// quadratic in the corners, and cubic on the worst polygons.
const work = 1 << 24

// Splitter splits the polygons of one file, with scratch that it reuses. The zero value is ready.
type Splitter struct {
	tests int // spent so far
	ring  []int32
	flat  [][2]float64
}

// Split appends the len(corners)-2 triangles of a polygon: the fan around the
// first corner, or ears where the fan would turn a triangle over because the
// polygon is concave. The fan stands too when the polygon crosses itself, when
// the file's work is used up and while a corner is not in positions yet, which
// OBJ allows.
func (e *Splitter) Split(faces [][3]int32, positions [][3]float64, corners []int32) [][3]int32 {
	start := len(faces)
	for i := 2; i < len(corners); i++ {
		faces = append(faces, [3]int32{corners[0], corners[i-1], corners[i]})
	}
	for _, v := range corners {
		if int(v) >= len(positions) {
			return faces
		}
	}
	// The sum of the fan's cross products is the polygon's normal, whichever
	// way it is split.
	var sum [3]float64
	for _, t := range faces[start:] {
		n := Normal(positions, t)
		for c := range sum {
			sum[c] += n[c]
		}
	}
	concave := false
	for _, t := range faces[start:] {
		n := Normal(positions, t)
		concave = concave || float64(n[0]*sum[0])+float64(n[1]*sum[1])+float64(n[2]*sum[2]) < 0
	}
	if concave && e.project(positions, corners, sum) {
		e.clip(faces[start:], corners)
	}
	return faces
}

// Spent says whether the file's work is used up: the polygons since then were split as if convex.
func (e *Splitter) Spent() bool { return e.tests > work }

// Normal is the normal of a triangle, twice its area long.
func Normal(positions [][3]float64, t [3]int32) [3]float64 {
	p, q, r := positions[t[0]], positions[t[1]], positions[t[2]]
	var u, v [3]float64
	for c := range u {
		u[c], v[c] = q[c]-p[c], r[c]-p[c]
	}
	// The conversions keep platforms from fusing product and difference, each
	// in its own way.
	return [3]float64{float64(u[1]*v[2]) - float64(u[2]*v[1]), float64(u[2]*v[0]) - float64(u[0]*v[2]), float64(u[0]*v[1]) - float64(u[1]*v[0])}
}

// project drops the axis nearest to the normal, such that the polygon turns
// anticlockwise.
func (e *Splitter) project(positions [][3]float64, corners []int32, normal [3]float64) bool {
	drop := 0
	for c := range normal {
		if math.Abs(normal[c]) > math.Abs(normal[drop]) {
			drop = c
		}
	}
	x, y := (drop+1)%3, (drop+2)%3
	if normal[drop] < 0 {
		x, y = y, x
	}
	e.flat, e.ring = e.flat[:0], e.ring[:0]
	for i, v := range corners {
		e.flat = append(e.flat, [2]float64{positions[v][x], positions[v][y]})
		e.ring = append(e.ring, int32(i))
	}
	return normal[drop] != 0 && !math.IsInf(normal[drop], 0)
}

// clip overwrites the fan in faces by ears, all of them or none.
func (e *Splitter) clip(faces [][3]int32, corners []int32) {
	fan := faces[:len(faces):len(faces)]
	ears := make([][3]int32, 0, len(fan))
	for i, missed := 0, 0; len(e.ring) > 3; {
		n := len(e.ring)
		if missed == n || e.tests > work {
			return
		}
		if e.ear(i % n) {
			a, b, c := e.ring[(i+n-1)%n], e.ring[i%n], e.ring[(i+1)%n]
			ears = append(ears, [3]int32{corners[a], corners[b], corners[c]})
			at := i % n
			e.ring = append(e.ring[:at], e.ring[at+1:]...)
			e.tests += n / 32 // what that moved
			i, missed = at, 0
			continue
		}
		i = i%n + 1
		missed++
	}
	copy(fan, append(ears, [3]int32{corners[e.ring[0]], corners[e.ring[1]], corners[e.ring[2]]}))
}

// ear tells whether the corner at i of the ring is convex and no other corner
// lies in its triangle.
func (e *Splitter) ear(i int) bool {
	n := len(e.ring)
	e.tests++
	a, b, c := e.flat[e.ring[(i+n-1)%n]], e.flat[e.ring[i]], e.flat[e.ring[(i+1)%n]]
	if turn(a, b, c) <= 0 {
		return false
	}
	for k := 2; k < n-1; k++ {
		e.tests++
		p := e.flat[e.ring[(i+k)%n]]
		if p != a && p != b && p != c && turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0 {
			return false
		}
	}
	return true
}

// turn is positive when a, b, c turn left.
func turn(a, b, c [2]float64) float64 {
	return float64((b[0]-a[0])*(c[1]-a[1])) - float64((b[1]-a[1])*(c[0]-a[0]))
}
