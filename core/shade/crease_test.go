package shade

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"genussink/core/mesh"
)

// cube has 8 vertices and 12 faces.
func cube() (points []float32, faces []int32) {
	for k := range 8 {
		points = append(points, float32(k&1), float32(k>>1&1), float32(k>>2&1))
	}
	for _, q := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		faces = append(faces, q[0], q[1], q[2], q[0], q[2], q[3])
	}
	return points, faces
}

// A cube's corners have three normals, each along an axis; with a larger angle
// one, along the diagonal: angles, not faces, are the weights.
func TestCreaseOfACube(t *testing.T) {
	points, faces := cube()
	s := creased(t, points, faces, CreaseAngle)
	if len(s.Of) != 24 || len(s.Faces) != len(faces) {
		t.Fatalf("%d vertices", len(s.Of))
	}
	for k, d := range s.Faces {
		if s.Of[d] != faces[k] {
			t.Fatalf("corner %d is vertex %d, was %d", k, s.Of[d], faces[k])
		}
		n := corner(s.Normals, d)
		if got := n.Dot([3]float32(faceNormals(points, faces)[k/3*3:])); math.Abs(float64(got)-1) > 1e-6 {
			t.Errorf("corner %d: normal %v", k, n)
		}
	}
	s = creased(t, points, faces, 91)
	if len(s.Of) != 8 {
		t.Fatalf("%d vertices without creases", len(s.Of))
	}
	for v := range s.Of {
		n := corner(s.Normals, int32(v))
		for k := range n {
			if want := (2*points[3*v+k] - 1) / float32(math.Sqrt(3)); math.Abs(float64(n[k]-want)) > 1e-6 {
				t.Errorf("vertex %d: normal %v", v, n)
			}
		}
	}
}

// Whichever way faces are turned, a corner's normal goes with its face: on a
// one-sided strip there is no place where normals turn over within a face.
func TestCreaseOfTurnedFaces(t *testing.T) {
	points, faces := ball(16)
	rng := rand.New(rand.NewPCG(1, 2))
	for f := 0; f < len(faces); f += 3 {
		if rng.IntN(2) == 0 {
			faces[f], faces[f+1] = faces[f+1], faces[f]
		}
	}
	s := creased(t, points, faces, CreaseAngle)
	of := faceNormals(points, faces)
	for k, d := range s.Faces {
		if got := corner(s.Normals, d).Dot(corner(of, int32(k/3))); got < 0.9 {
			t.Fatalf("corner %d: %g along its face's normal", k, got)
		}
	}
}

// Degenerate faces, edges of three faces and vertices alone do no harm.
func TestCreaseOfOddMeshes(t *testing.T) {
	points := []float32{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 5, 5, 5}
	faces := []int32{0, 1, 2, 0, 1, 3, 0, 1, 4, 0, 0, 1, 2, 2, 2}
	s := creased(t, points, faces, CreaseAngle)
	for k, d := range s.Faces {
		if s.Of[d] != faces[k] {
			t.Errorf("corner %d is vertex %d", k, s.Of[d])
		}
	}
	for _, x := range s.Normals {
		if math.IsNaN(float64(x)) {
			t.Fatal("a normal is not a number")
		}
	}
	if e := creased(t, nil, nil, CreaseAngle); len(e.Of) != 0 {
		t.Error("vertices of nothing")
	}
}

// ball is a sphere of n rings of 2n vertices, without its poles' caps.
func ball(n int) (points []float32, faces []int32) {
	for i := range n {
		for j := range 2 * n {
			a, b := math.Pi*(float64(i)+0.5)/float64(n), math.Pi*float64(j)/float64(n)
			points = append(points, float32(math.Sin(a)*math.Cos(b)), float32(math.Cos(a)), float32(-math.Sin(a)*math.Sin(b)))
			if i+1 < n {
				p, q := int32(2*n*i+j), int32(2*n*i+(j+1)%(2*n))
				r, s := p+int32(2*n), q+int32(2*n)
				faces = append(faces, p, r, s, p, s, q)
			}
		}
	}
	return points, faces
}

// Where a mesh is and how large it is changes nothing; doubles are as open as their own side of a crease is.
func TestShade(t *testing.T) {
	points, faces := cube()
	build := func(scale, off float64) *mesh.Mesh {
		m := &mesh.Mesh{}
		for v := 0; v < len(points); v += 3 {
			m.Positions = append(m.Positions, [3]float64{off + scale*float64(points[v]), off + scale*float64(points[v+1]), off + scale*float64(points[v+2])})
		}
		for f := 0; f < len(faces); f += 3 {
			m.Faces = append(m.Faces, [3]int32(faces[f:f+3]))
		}
		return m
	}
	small, err := Shade(t.Context(), build(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	large, err := Shade(t.Context(), build(1<<20, 1<<22))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(small, large) {
		t.Error("a large cube far away is shaded otherwise than a small one")
	}
	if n := len(small.Of); n != 24 || len(small.Open) != n || len(small.Normals) != 3*n {
		t.Fatalf("%d vertices, %d open, %d normals", n, len(small.Open), len(small.Normals))
	}
	for v, x := range small.Open {
		if x < 0.85 { // 1 but for the depth maps' coarseness
			t.Errorf("vertex %d of a cube is %.2f open", v, x)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Shade(stopped, build(1, 0)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if s, err := Shade(t.Context(), &mesh.Mesh{}); err != nil || len(s.Of) != 0 {
		t.Errorf("nothing: %v, %v", s, err)
	}
}

func creased(t *testing.T, points []float32, faces []int32, degrees float64) *Split {
	t.Helper()
	s, err := Crease(t.Context(), points, faces, degrees)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
