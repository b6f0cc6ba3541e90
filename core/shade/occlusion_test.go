package shade

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// grid is the surface of a function over a square of n by n vertices.
func grid(n int, at func(u, v float64) [3]float64) (points, normals []float32, faces []int32) {
	put := func(list []float32, p [3]float64) []float32 {
		return append(list, float32(p[0]), float32(p[1]), float32(p[2]))
	}
	for i := range n {
		for j := range n {
			u, v := float64(i)/float64(n-1), float64(j)/float64(n-1)
			points = put(points, at(u, v))
			const h = 1e-4
			p, a, b := at(u, v), at(u+h, v), at(u, v+h)
			x, y := [3]float64{a[0] - p[0], a[1] - p[1], a[2] - p[2]}, [3]float64{b[0] - p[0], b[1] - p[1], b[2] - p[2]}
			c := [3]float64{x[1]*y[2] - x[2]*y[1], x[2]*y[0] - x[0]*y[2], x[0]*y[1] - x[1]*y[0]}
			l := math.Sqrt(c[0]*c[0] + c[1]*c[1] + c[2]*c[2])
			normals = put(normals, [3]float64{c[0] / l, c[1] / l, c[2] / l})
			if i+1 < n && j+1 < n {
				k := int32(i*n + j)
				m := int32(n)
				faces = append(faces, k, k+m, k+m+1, k, k+m+1, k+1)
			}
		}
	}
	return points, normals, faces
}

// valley is a bowl whose sides rise steeply: open at the rim, not on its ground.
func valley(u, v float64) [3]float64 {
	x, y := 2*u-1, 2*v-1
	return [3]float64{x, y, 0.9 * (1 - math.Exp(-6*(x*x+y*y)))}
}

// slow casts a ray in each of the same directions.
func slow(points, normals []float32, faces []int32, views int) []float32 {
	open := make([]float32, len(points)/3)
	for v := range open {
		var sides [2]float32
		for side, sign := range [2]float32{1, -1} {
			n, p := [3]float32(normals[3*v:3*v+3]), [3]float32(points[3*v:3*v+3])
			for k := range p {
				n[k] *= sign
				p[k] += 2e-3 * n[k]
			}
			seen, all := 0.0, 0.0
			for k := range 2 * views {
				d := direction(k/2, views)
				if k%2 == 1 {
					d = [3]float32{-d[0], -d[1], -d[2]}
				}
				cos := float64(n[0]*d[0] + n[1]*d[1] + n[2]*d[2])
				if cos <= 0 {
					continue
				}
				all += cos
				if !hit(points, faces, p, d) {
					seen += cos
				}
			}
			sides[side] = float32(seen / all)
		}
		open[v] = opener(sides[0], sides[1])
	}
	return smooth(open, faces)
}

// hit is the test of Möller and Trumbore (1997) with every face.
func hit(points []float32, faces []int32, o, d [3]float32) bool {
	vec := func(i int32, to [3]float32) mgl64.Vec3 {
		return mgl64.Vec3{float64(points[3*i] - to[0]), float64(points[3*i+1] - to[1]), float64(points[3*i+2] - to[2])}
	}
	ray := mgl64.Vec3{float64(d[0]), float64(d[1]), float64(d[2])}
	for f := 0; f+2 < len(faces); f += 3 {
		a := [3]float32(points[3*faces[f] : 3*faces[f]+3])
		e, g := vec(faces[f+1], a), vec(faces[f+2], a)
		p := ray.Cross(g)
		det := e.Dot(p)
		if math.Abs(det) < 1e-12 {
			continue
		}
		s := mgl64.Vec3{float64(o[0] - a[0]), float64(o[1] - a[1]), float64(o[2] - a[2])}
		q := s.Cross(e)
		u, v, t := s.Dot(p)/det, ray.Dot(q)/det, g.Dot(q)/det
		if u >= 0 && v >= 0 && u+v <= 1 && t > 0 {
			return true
		}
	}
	return false
}

// Depth maps see what rays see, to within the maps' coarseness.
func TestOpenAgreesWithRays(t *testing.T) {
	const views = 24
	points, normals, faces := grid(17, valley)
	got, err := Open(t.Context(), points, normals, faces, views)
	if err != nil {
		t.Fatal(err)
	}
	want := slow(points, normals, faces, views)
	sum, worst := 0.0, 0.0
	for v := range got {
		d := math.Abs(float64(got[v] - want[v]))
		sum, worst = sum+d, max(worst, d)
	}
	if mean := sum / float64(len(got)); mean > 0.02 || worst > 0.12 {
		t.Errorf("off by %.3f in the mean and %.3f at most", mean, worst)
	}
	middle, rim := got[len(got)/2], got[0]
	if middle > 0.93 || rim < 0.95 {
		t.Errorf("the ground is %.2f open, the rim %.2f", middle, rim)
	}
}

// It does not matter which way a surface is turned, nor how many processors work.
func TestOpenOfTheOtherSide(t *testing.T) {
	points, normals, faces := grid(15, valley)
	want, err := Open(t.Context(), points, normals, faces, 16)
	if err != nil {
		t.Fatal(err)
	}
	for i := range normals {
		normals[i] = -normals[i]
	}
	got, err := Open(t.Context(), points, normals, faces, 16)
	if err != nil {
		t.Fatal(err)
	}
	for v := range got {
		if got[v] != want[v] {
			t.Fatalf("vertex %d: %g, turned %g", v, want[v], got[v])
		}
	}
}

func TestOpenOfLittle(t *testing.T) {
	if open, err := Open(t.Context(), nil, nil, nil, Views); err != nil || len(open) != 0 {
		t.Errorf("%v %v", open, err)
	}
	if open, err := Open(t.Context(), []float32{1, 2, 3}, []float32{0, 0, 0}, nil, Views); err != nil || open[0] != 1 {
		t.Errorf("a vertex alone: %v %v", open, err)
	}
	points, normals, faces := grid(4, valley)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Open(ctx, points, normals, faces, Views); !errors.Is(err, context.Canceled) {
		t.Errorf("%v after it was cancelled", err)
	}
}
