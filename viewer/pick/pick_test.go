package pick

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"genussink/viewer/camera"
)

// slow is the twin of Ray: every face, no tree.
func slow(t *Tree, o, d [3]float64) (Hit, bool) {
	best := Nothing()
	best.Distance = math.Inf(1)
	for f := range t.faces[:len(t.faces)/3*3] {
		if f%3 == 0 {
			t.face(int32(f/3), o, d, &best)
		}
	}
	if best.Face < 0 {
		return best, false
	}
	best.Vertex, best.Edge = t.nearest(&best, camera.Plane{}), t.side(&best, camera.Plane{})
	return best, true
}

// soup draws points on a coarse lattice, so that ties and degenerate faces
// are common.
func soup(r *rapid.T) *Tree {
	n := rapid.IntRange(0, 40).Draw(r, "vertices")
	points := make([]float32, 3*n)
	for i := range points {
		points[i] = float32(rapid.IntRange(-4, 4).Draw(r, "x")) / 4
	}
	var faces []int32
	if n > 0 {
		for range 3 * rapid.IntRange(0, 60).Draw(r, "faces") {
			faces = append(faces, int32(rapid.IntRange(0, n-1).Draw(r, "corner")))
		}
	}
	return New(points, faces)
}

func TestRayFindsWhatEveryFaceTestFinds(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tree := soup(r)
		var o, d [3]float64
		for k := range o {
			o[k] = float64(rapid.IntRange(-8, 8).Draw(r, "origin")) / 4
			d[k] = float64(rapid.IntRange(-4, 4).Draw(r, "direction")) / 4
		}
		got, ok := tree.Ray(o, d)
		want, wok := slow(tree, o, d)
		if d == ([3]float64{}) {
			wok = false
		}
		if ok != wok || ok && got != want {
			r.Fatalf("ray from %v along %v: %+v %v, without the tree %+v %v", o, d, got, ok, want, wok)
		}
	})
}

// sphere is a bumpy sphere of rows by 2*rows quads.
func sphere(rows int) ([]float32, []int32) {
	var points []float32
	var faces []int32
	columns := 2 * rows
	for i := 0; i <= rows; i++ {
		for j := 0; j < columns; j++ {
			a, b := math.Pi*float64(i)/float64(rows), 2*math.Pi*float64(j)/float64(columns)
			r := 0.8 + 0.1*math.Sin(5*b)*math.Sin(a)
			points = append(points, float32(r*math.Sin(a)*math.Cos(b)), float32(r*math.Cos(a)), float32(r*math.Sin(a)*math.Sin(b)))
			if i < rows {
				p, q := int32(i*columns+j), int32(i*columns+(j+1)%columns)
				faces = append(faces, p, q, p+int32(columns), q, q+int32(columns), p+int32(columns))
			}
		}
	}
	return points, faces
}

func TestRayOnASphere(t *testing.T) {
	points, faces := sphere(24)
	tree := New(points, faces)
	rng := rand.New(rand.NewPCG(1, 2))
	hits := 0
	for range 500 {
		o := [3]float64{rng.NormFloat64() * 3, rng.NormFloat64() * 3, rng.NormFloat64() * 3}
		d := [3]float64{-o[0] + rng.NormFloat64()*0.6, -o[1] + rng.NormFloat64()*0.6, -o[2] + rng.NormFloat64()*0.6}
		got, ok := tree.Ray(o, d)
		want, wok := slow(tree, o, d)
		if ok != wok || ok && got != want {
			t.Fatalf("ray from %v along %v: %+v %v, without the tree %+v %v", o, d, got, ok, want, wok)
		}
		if !ok {
			continue
		}
		hits++
		sum := got.Barycentric[0] + got.Barycentric[1] + got.Barycentric[2]
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("barycentric coordinates %v sum to %g", got.Barycentric, sum)
		}
	}
	if hits < 200 {
		t.Errorf("%d of 500 rays hit the sphere", hits)
	}
}

func TestRayHitsNothing(t *testing.T) {
	nan := math.NaN()
	points, faces := sphere(4)
	full := New(points, faces)
	empty := New(nil, nil)
	for _, c := range []struct {
		name string
		tree *Tree
		o, d [3]float64
	}{
		{"no faces", empty, [3]float64{0, 0, 3}, [3]float64{0, 0, -1}},
		{"away from it", full, [3]float64{0, 0, 3}, [3]float64{0, 0, 1}},
		{"no direction", full, [3]float64{0, 0, 3}, [3]float64{}},
		{"direction not a number", full, [3]float64{0, 0, 3}, [3]float64{nan, 0, -1}},
		{"origin not a number", full, [3]float64{nan, nan, nan}, [3]float64{0, 0, -1}},
	} {
		if h, ok := c.tree.Ray(c.o, c.d); ok {
			t.Errorf("%s: hit %+v", c.name, h)
		}
	}
}

func BenchmarkNew(b *testing.B) {
	points, faces := sphere(258) // 134k vertices
	b.Logf("%d vertices, %d faces", len(points)/3, len(faces)/3)
	for b.Loop() {
		New(points, faces)
	}
}

func BenchmarkRay(b *testing.B) {
	points, faces := sphere(258)
	tree := New(points, faces)
	x := 0.0
	for b.Loop() {
		x += 0.001
		tree.Ray([3]float64{0.5 * math.Sin(x), 0.5 * math.Cos(x), 3}, [3]float64{0, 0, -1})
	}
}

// A tree that has grown beforehand answers as one that has not, in bounded steps; a ray then splits small nodes alone.
func TestGrow(t *testing.T) {
	points, faces := sphere(150)
	plain, grown := New(points, faces), New(points, faces)
	steps := 1
	for ; grown.Grow(1 << 14); steps++ {
	}
	if least := len(faces) / 3 / (1 << 14); steps < least {
		t.Errorf("%d steps for %d faces", steps, len(faces)/3)
	}
	for i, n := range grown.nodes {
		if n.left == unsplit && n.count > coarse {
			t.Errorf("node %d of %d faces is left", i, n.count)
		}
	}
	before := len(grown.nodes)
	for i := range 40 {
		o, d := [3]float64{3, 0.01 * float64(i), 0.02}, [3]float64{-1, 0.003 * float64(i), 0.01}
		a, hit := plain.Ray(o, d)
		b, also := grown.Ray(o, d)
		if a != b || hit != also {
			t.Errorf("ray %d: %+v and %+v", i, a, b)
		}
	}
	if len(grown.nodes) == before {
		t.Error("rays have split nothing")
	}
}

// The edge that is hit is the nearest to the point, whatever the lengths of the others.
func TestEdge(t *testing.T) {
	tree := New([]float32{0, 0, 0, 10, 0, 0, 0, 1, 0}, []int32{2, 0, 1})
	for _, c := range []struct {
		x, y float64
		want [2]int32
	}{{5, 0.2, [2]int32{0, 1}}, {5, 0.45, [2]int32{1, 2}}, {0.1, 0.5, [2]int32{0, 2}}} {
		hit, ok := tree.Ray([3]float64{c.x, c.y, 1}, [3]float64{0, 0, -1})
		if !ok || hit.Edge != c.want {
			t.Errorf("at (%g, %g): %+v, want %v", c.x, c.y, hit, c.want)
		}
	}
	if hit, ok := tree.Ray([3]float64{20, 0, 1}, [3]float64{0, 0, -1}); ok || hit.Edge != Nothing().Edge {
		t.Errorf("beside it: %+v", hit)
	}
}

// What is in front of a plane is not hit: the first of the hits that lie behind it is, as a search through all faces finds it, and the vertex
// and the edge that are meant are seen.
func TestBehindSkipsWhatIsCutAway(t *testing.T) {
	hits, deeper := 0, 0
	check := func(r *rapid.T) {
		tree := soup(r)
		var o, d [3]float64
		if len(tree.faces) == 0 {
			return
		}
		aim := 3 * rapid.IntRange(0, len(tree.faces)/3-1).Draw(r, "aim") // near the middle of a face
		for k := range o {
			o[k] = float64(rapid.IntRange(-8, 8).Draw(r, "origin"))/4 + 0.013
			d[k] = 0.0071*float64(k+1) - o[k]
			for _, v := range tree.faces[aim : aim+3] {
				d[k] += float64(tree.points[3*int(v)+k]) / 3
			}
		}
		plane := camera.Plane{Offset: float64(rapid.IntRange(-4, 4).Draw(r, "offset"))/4 + 0.0317}
		plane.Normal[rapid.IntRange(0, 2).Draw(r, "axis")] = float64(2*rapid.IntRange(0, 1).Draw(r, "side") - 1)
		at := func(x float64) (p [3]float64) {
			for k := range p {
				p[k] = o[k] + x*d[k]
			}
			return p
		}
		want := math.Inf(1)
		for f := range len(tree.faces) / 3 {
			one := Nothing()
			one.Distance = math.Inf(1)
			tree.face(int32(f), o, d, &one)
			if one.Face >= 0 && plane.Behind(at(one.Distance)) >= 0 {
				want = min(want, one.Distance)
			}
		}
		got, ok := tree.Behind(plane, o, d)
		if ok != !math.IsInf(want, 1) || ok && math.Abs(got.Distance-want) > 1e-9*(1+want) {
			r.Fatalf("%+v, %v along %v: %+v %t, want %g", plane, o, d, got, ok, want)
		}
		if !ok {
			return
		}
		hits++
		if first, _ := tree.Ray(o, d); first.Distance < got.Distance-1e-9 {
			deeper++
		}
		if !tree.seen(got.Vertex, plane) || !tree.seen(got.Edge[0], plane) && !tree.seen(got.Edge[1], plane) {
			r.Fatalf("%+v is cut away by %+v", got, plane)
		}
	}
	for round := 0; round < 20 && deeper == 0; round++ { // a hundred cases may have none that is behind something
		rapid.Check(t, check)
	}
	if hits == 0 || deeper == 0 {
		t.Errorf("%d hits, %d of them behind something that is cut away", hits, deeper)
	}
}
