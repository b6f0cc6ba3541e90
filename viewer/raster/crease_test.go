package raster

import (
	"math"
	"math/rand/v2"
	"testing"
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
	s := Crease(points, faces, CreaseAngle, nil)
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
	s = Crease(points, faces, 91, nil)
	if len(s.Of) != 8 {
		t.Fatalf("%d vertices without creases", len(s.Of))
	}
	for v := range s.Of {
		n := corner(s.Normals, int32(v))
		for k := range n {
			if want := (2*s.Points[3*v+k] - 1) / float32(math.Sqrt(3)); math.Abs(float64(n[k]-want)) > 1e-6 {
				t.Errorf("vertex %d: normal %v", v, n)
			}
		}
	}
}

// Parts split vertices, and change no normal.
func TestCreaseOfParts(t *testing.T) {
	points, normals, faces := ball(12, [3]float32{}, 1)
	parts := make([]int32, len(faces)/3)
	for f := range parts {
		parts[f] = int32(f) % 3
	}
	s := Crease(points, faces, CreaseAngle, parts)
	if len(s.Of) <= len(points)/3 {
		t.Fatalf("%d vertices", len(s.Of))
	}
	for k, d := range s.Faces {
		if s.Part[d] != parts[k/3] {
			t.Fatalf("corner %d is in part %d, its face in %d", k, s.Part[d], parts[k/3])
		}
		if got := corner(s.Normals, d).Dot(corner(normals, s.Of[d])); got < 0.995 {
			t.Errorf("corner %d: %g along the ball's normal", k, got)
		}
	}
}

// Whichever way faces are turned, a corner's normal goes with its face: on a
// one-sided strip there is no place where normals turn over within a face.
func TestCreaseOfTurnedFaces(t *testing.T) {
	points, _, faces := ball(16, [3]float32{}, 1)
	rng := rand.New(rand.NewPCG(1, 2))
	for f := 0; f < len(faces); f += 3 {
		if rng.IntN(2) == 0 {
			faces[f], faces[f+1] = faces[f+1], faces[f]
		}
	}
	s := Crease(points, faces, CreaseAngle, nil)
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
	s := Crease(points, faces, CreaseAngle, nil)
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
	if e := Crease(nil, nil, CreaseAngle, nil); len(e.Of) != 0 {
		t.Error("vertices of nothing")
	}
}

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
	if len(lines) == 0 || len(lines)%6 != 0 {
		t.Fatalf("%d numbers", len(lines))
	}
	ends := map[[3]float32]int{}
	for i := 0; i < len(lines); i += 3 {
		p := corner(lines, int32(i/3))
		ends[p]++
		x := float64(p[0]) + 0.5*float64(p[1])
		if math.Abs(x+0.3) > 1e-6 && math.Abs(x-0.2) > 1e-6 {
			t.Fatalf("a point of value %g", x)
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
