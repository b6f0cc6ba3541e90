package shade

import (
	"context"
	"math"
	"runtime"
	"sync"

	"github.com/go-gl/mathgl/mgl32"
)

// Views is how many pairs of opposite directions are looked along.
const Views = 64

// The depth maps' side follows the mesh, within these limits, in pixels.
const (
	leastSide = 128
	mostSide  = 512
)

// Open returns for every point, 3 numbers each with a unit normal, the share of
// the half space in front of it from which it can be seen, weighted by the
// cosine to the normal: 1 on a convex body, 0 deep in a crevice. Faces are 3
// points each, and may be turned either way. The side that is more open counts more;
// on a sheet both sides count. Views is the
// number of pairs of opposite directions. An ended context is the only error.
func Open(ctx context.Context, points, normals []float32, faces []int32, views int) ([]float32, error) {
	n := len(points) / 3
	radius := 0.0
	for v := range n {
		p := points[3*v : 3*v+3]
		radius = max(radius, math.Sqrt(float64(p[0])*float64(p[0])+float64(p[1])*float64(p[1])+float64(p[2])*float64(p[2])))
	}
	open := make([]float32, n)
	if radius == 0 || len(faces) == 0 {
		for v := range open {
			open[v] = 1
		}
		return open, nil
	}
	// Each worker has sums of its own. Their number does not change a result: a
	// view's terms are whole multiples of 2^-12 and their sums exact.
	workers := min(runtime.GOMAXPROCS(0), views)
	all := make([]*look, workers)
	var wait sync.WaitGroup
	for w := range all {
		l := newLook(points, normals, faces, radius)
		all[w] = l
		wait.Add(1)
		go func() {
			defer wait.Done()
			for k := w; k < views && ctx.Err() == nil; k += workers {
				l.along(direction(k, views))
			}
		}()
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for v := range open {
		var s [4]float32
		for _, l := range all {
			for c, x := range l.sums[4*v : 4*v+4] {
				s[c] += x
			}
		}
		front, back := float32(1), float32(0)
		if s[1] > 0 {
			front = s[0] / s[1]
		}
		if s[3] > 0 {
			back = s[2] / s[3]
		}
		open[v] = opener(front, back)
	}
	return smooth(open, faces), nil
}

// opener is the openness of a point by that of its two sides: that of the side
// that is far more open, as of a body; of a sheet's two sides a mean.
func opener(front, back float32) float32 {
	if front == 0 && back == 0 {
		return 0
	}
	return (front*front*front + back*back*back) / (front*front + back*back)
}

// direction is the kth of some directions that are spread evenly over half a
// sphere: with their opposites they cover it. (Fibonacci's lattice.)
func direction(k, views int) [3]float32 {
	z := (float64(k) + 0.5) / float64(views)
	r := math.Sqrt(1 - z*z)
	s, c := math.Sincos(float64(k) * math.Pi * (3 - math.Sqrt(5)))
	return [3]float32{float32(r * c), float32(r * s), float32(z)}
}

// look sees a mesh along one direction after the other.
type look struct {
	points, normals []float32
	faces           []int32
	side            int
	radius          float32
	near, far       []float32 // by pixel: the largest and the smallest depth
	at              []float32 // by point: x, y in pixels, depth in pixels
	sums            []float32 // by point: seen and all of its front, then of its back
}

func newLook(points, normals []float32, faces []int32, radius float64) *look {
	// A pixel is about half an edge: finer ones would see the facets.
	side := min(max(int(2.5*math.Sqrt(float64(len(faces))/3)), leastSide), mostSide)
	n := len(points) / 3
	return &look{
		points: points, normals: normals, faces: faces, side: side, radius: float32(radius),
		near: make([]float32, side*side), far: make([]float32, side*side), at: make([]float32, 3*n), sums: make([]float32, 4*n),
	}
}

// along adds what can be seen looking against a unit vector d, and along it.
func (l *look) along(d mgl32.Vec3) {
	// Two vectors across d.
	u := mgl32.Vec3{d[1], -d[0], 0}
	if d[0]*d[0]+d[1]*d[1] < 0.25 {
		u = mgl32.Vec3{0, d[2], -d[1]}
	}
	u = u.Normalize()
	w := d.Cross(u)
	middle := float32(l.side) / 2
	scale := (middle - 2) / l.radius
	for v := 0; v+2 < len(l.points); v += 3 {
		p, q := l.points[v:v+3:v+3], l.at[v:v+3:v+3]
		q[0] = middle + scale*(p[0]*u[0]+p[1]*u[1]+p[2]*u[2])
		q[1] = middle + scale*(p[0]*w[0]+p[1]*w[1]+p[2]*w[2])
		q[2] = scale * (p[0]*d[0] + p[1]*d[1] + p[2]*d[2])
	}
	low := -2 * float32(l.side)
	for i := range l.near {
		l.near[i], l.far[i] = low, -low
	}
	for f := 0; f+2 < len(l.faces); f += 3 {
		a, b, c := 3*l.faces[f], 3*l.faces[f+1], 3*l.faces[f+2]
		l.fill((*[3]float32)(l.at[a:]), (*[3]float32)(l.at[b:]), (*[3]float32)(l.at[c:]))
	}
	for v := range len(l.points) / 3 {
		n, q := l.normals[3*v:3*v+3:3*v+3], l.at[3*v:3*v+3:3*v+3]
		cos := n[0]*d[0] + n[1]*d[1] + n[2]*d[2]
		sum := l.sums[4*v : 4*v+4 : 4*v+4]
		// A point stands a little off its surface, farther where that is seen from aside.
		x := lift * (n[0]*u[0] + n[1]*u[1] + n[2]*u[2])
		y := lift * (n[0]*w[0] + n[1]*w[1] + n[2]*w[2])
		z := lift * cos
		weight := float32(math.Round(float64(max(cos, -cos))*1024)) / 1024
		for side, sign := range [2]float32{1, -1} { // the front's side, then the back's
			var seen float32
			if sign*cos > 0 {
				seen = l.above(q[0]+sign*x, q[1]+sign*y, q[2]+sign*z+slack)
			} else {
				seen = l.below(q[0]+sign*x, q[1]+sign*y, q[2]+sign*z-slack)
			}
			// The front is seen from d where the normal points there, else from -d.
			sum[2*side] += seen * weight
			sum[2*side+1] += weight
		}
	}
}

// How far off its surface a point is taken, along its normal and along the
// view, in pixels.
const (
	lift  = 1.6
	slack = 0.6
)

// above is how much of a pixel's four neighbours lies no nearer than z, in quarters.
func (l *look) above(x, y, z float32) float32 {
	i := l.corner(x, y)
	seen := float32(0)
	for _, k := range [4]int{i, i + 1, i + l.side, i + l.side + 1} {
		if l.near[k] <= z {
			seen += 0.25
		}
	}
	return seen
}

// below is the same from the other side.
func (l *look) below(x, y, z float32) float32 {
	i := l.corner(x, y)
	seen := float32(0)
	for _, k := range [4]int{i, i + 1, i + l.side, i + l.side + 1} {
		if l.far[k] >= z {
			seen += 0.25
		}
	}
	return seen
}

// corner is the first of the four pixels around a place.
func (l *look) corner(x, y float32) int {
	i := min(max(int(x-0.5), 0), l.side-2)
	j := min(max(int(y-0.5), 0), l.side-2)
	return j*l.side + i
}

// fill puts a triangle into both depth maps.
func (l *look) fill(a, b, c *[3]float32) {
	area := (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
	if area == 0 {
		return
	}
	x0, x1 := int(min(a[0], b[0], c[0])+0.5), int(max(a[0], b[0], c[0])-0.5)
	y0, y1 := int(min(a[1], b[1], c[1])+0.5), int(max(a[1], b[1], c[1])-0.5)
	if x0 > x1 || y0 > y1 {
		return // no pixel's middle
	}
	per := 1 / area
	// The shares of a and b, which change evenly.
	ux, uy := -(c[1]-b[1])*per, (c[0]-b[0])*per
	vx, vy := -(a[1]-c[1])*per, (a[0]-c[0])*per
	px, py := float32(x0)+0.5, float32(y0)+0.5
	u0, v0 := (px-b[0])*ux+(py-b[1])*uy, (px-c[0])*vx+(py-c[1])*vy
	for y := y0; y <= y1; y++ {
		u, v := u0, v0
		for i := y*l.side + x0; i <= y*l.side+x1; i++ {
			if w := 1 - u - v; u >= 0 && v >= 0 && w >= 0 {
				z := u*a[2] + v*b[2] + w*c[2]
				l.near[i], l.far[i] = max(l.near[i], z), min(l.far[i], z)
			}
			u += ux
			v += vx
		}
		u0 += uy
		v0 += vy
	}
}

// smooth averages over neighbours once: depth maps are coarse.
func smooth(open []float32, faces []int32) []float32 {
	sum, count := make([]float32, len(open)), make([]float32, len(open))
	for f := 0; f+2 < len(faces); f += 3 {
		a, b, c := faces[f], faces[f+1], faces[f+2]
		x, y, z := open[a], open[b], open[c]
		sum[a] += y + z
		sum[b] += x + z
		sum[c] += x + y
		count[a] += 2
		count[b] += 2
		count[c] += 2
	}
	for v := range open {
		if count[v] > 0 {
			open[v] = (open[v] + sum[v]/count[v]) / 2
		}
	}
	return open
}
