package separator

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/graph"
	"genussink/core/internal/growth"
	"genussink/core/internal/random"
	"genussink/core/internal/shared"
	"genussink/core/mesh"
	"genussink/internal/race"
)

// triangulation is a random triangulation of the sphere, and its graph.
func triangulation(n, flips int, r *rand.Rand) (*graph.Graph, [][3]int32) {
	faces := random.Triangulation(n, flips, r)
	return fromFaces(n, faces), faces
}

func fromFaces(n int, faces [][3]int32) *graph.Graph {
	g, err := graph.FromMesh(&mesh.Mesh{Positions: make([][3]float64, n), Faces: faces})
	if err != nil {
		panic(err)
	}
	return g
}

// checkTheorem asserts what Lipton and Tarjan promise, and its like on surfaces.
func checkTheorem(r *rooted) error {
	sides, err := r.levelsAndCycles(context.Background())
	if err != nil {
		return err
	}
	n, k := r.g.Len(), r.genus()
	s := collect(sides)
	if len(r.handles) != k {
		return fmt.Errorf("%d handles are cut, the Euler genus is %d", len(r.handles), k)
	}
	if len(s.S)*len(s.S) > 8*(k+1)*n {
		return fmt.Errorf("%d vertices in the separator, sqrt(8(k+1)n) is %.1f", len(s.S), math.Sqrt(8*float64(k+1)*float64(n)))
	}
	if 3*len(s.A) > 2*n || 3*len(s.B) > 2*n {
		return fmt.Errorf("sides of %d and %d of %d vertices", len(s.A), len(s.B), n)
	}
	for _, v := range s.A {
		for _, u := range r.g.Targets[r.g.Offsets[v]:r.g.Offsets[v+1]] {
			if sides[u] == inB {
				return fmt.Errorf("edge %d-%d joins A and B", v, u)
			}
		}
	}
	return nil
}

// checkEmbedding recounts what the triangles must be: twins on the same edge,
// every edge of the graph with slots and, around every vertex, one cycle.
func checkEmbedding(e *embedding) error {
	for v := range int32(e.g.Len()) {
		for i, w := range e.larger(v) {
			if a, b := e.ends(e.beside[e.first[v]+int32(i)]); min(a, b) != v || max(a, b) != w {
				return fmt.Errorf("the slot of edge %d-%d runs from %d to %d", v, w, a, b)
			}
		}
	}
	around := make([]int32, e.g.Len()) // of a vertex: slot ends at it
	for s := range int32(len(e.twin)) {
		t := e.twin[s]
		if t < 0 || e.twin[t] != s || t == s {
			return fmt.Errorf("slot %d has the twin %d", s, t)
		}
		u, v := e.ends(s)
		x, y := e.ends(t)
		if min(u, v) != min(x, y) || max(u, v) != max(x, y) {
			return fmt.Errorf("slot %d runs from %d to %d, its twin from %d to %d", s, u, v, x, y)
		}
		around[u]++
		around[v]++
	}
	// A corner is a slot and whether it is its start; two corners of a triangle
	// at the same vertex follow each other, as do those of twins.
	seen := make([]bool, 2*len(e.twin))
	cycles := make([]int, e.g.Len())
	for s := range int32(len(e.twin)) {
		if seen[2*s] {
			continue
		}
		v, _ := e.ends(s)
		cycles[v]++
		for at, atStart := s, true; !seen[2*at+bit(atStart)]; {
			seen[2*at+bit(atStart)] = true
			if atStart {
				at, atStart = following(following(at)), false
			} else {
				at, atStart = following(at), true
			}
			seen[2*at+bit(atStart)] = true
			t := e.twin[at]
			if x, y := e.ends(t); x == y { // a loop is a diagonal, whose slots run opposite ways
				at, atStart = t, !atStart
			} else {
				at, atStart = t, x == v
			}
		}
	}
	for v, c := range cycles {
		if c != 1 && around[v] > 0 {
			return fmt.Errorf("%d cycles of triangles around vertex %d", c, v)
		}
	}
	return nil
}

func bit(atStart bool) int32 {
	if atStart {
		return 0
	}
	return 1
}

// TestLiptonTarjanTheorem checks the theorem on random triangulations of the
// sphere with faces taken out, which leaves holes and pinched vertices, or
// given the other way round, and without faces.
func TestLiptonTarjanTheorem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 300).Draw(t, "n")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		g, faces := triangulation(n, rapid.IntRange(0, 4*n).Draw(t, "flips"), r)
		out := rapid.Float64Range(0, 1).Draw(t, "out")
		if rapid.Bool().Draw(t, "closed") {
			out = 0
		}
		var kept [][3]int32
		for _, f := range faces {
			if r.Float64() >= out {
				kept = append(kept, f)
			}
		}
		if out > 0 {
			// The graph keeps the edges of the faces that are left, if connected.
			g = fromFaces(n, kept)
			if _, count := g.Components(); count > 1 {
				return
			}
		}
		if rapid.Bool().Draw(t, "turned") {
			for f := range kept {
				if r.IntN(2) == 0 {
					kept[f][0], kept[f][1] = kept[f][1], kept[f][0]
				}
			}
		}
		for seed, given := range [][][3]int32{kept, nil, kept, kept[:len(kept)/2]} {
			x, err := root(context.Background(), g, Options{Faces: given, Seed: uint64(seed)}, embedPlanar)
			if err != nil {
				t.Fatal(err)
			}
			if err := checkEmbedding(x.embedding); err != nil {
				t.Fatal(err)
			}
			if x.genus() != 0 {
				t.Fatalf("genus %d", x.genus())
			}
			if err := checkTheorem(x); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// shapes are triangulations of few and of many levels, numbered as in a mesh,
// near each other when near in number, and one as badly as can be.
var shapes = map[string]func(n int) (*graph.Graph, [][3]int32){
	"random": func(n int) (*graph.Graph, [][3]int32) {
		return inOrder(triangulation(n, n, rand.New(rand.NewPCG(9, 9))))
	},
	"tube":   func(n int) (*graph.Graph, [][3]int32) { return tube(40, n/40) },
	"square": func(n int) (*graph.Graph, [][3]int32) { w := int(math.Sqrt(float64(n))); return tube(w, w) },
	"short":  func(n int) (*graph.Graph, [][3]int32) { return tube(n/5, 5) },
	"scrambled": func(n int) (*graph.Graph, [][3]int32) {
		w := int(math.Sqrt(float64(n)))
		g, faces := tube(w, w)
		r := rand.New(rand.NewPCG(1, 1))
		number := r.Perm(g.Len())
		for f, t := range faces {
			for c, v := range t {
				faces[f][c] = int32(number[v])
			}
		}
		r.Shuffle(len(faces), func(i, j int) { faces[i], faces[j] = faces[j], faces[i] })
		return fromFaces(g.Len(), faces), faces
	},
}

// TestLiptonTarjanLarge checks the theorem at 100,000 vertices.
func TestLiptonTarjanLarge(t *testing.T) {
	shared.Long(t)
	for name, shape := range shapes {
		g, faces := shape(100000)
		x, err := root(context.Background(), g, Options{Faces: faces}, embedPlanar)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := checkTheorem(x); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for seed := range uint64(6) { // and random ones of all sizes up to that
		r := rand.New(rand.NewPCG(seed, 1))
		n := int(300 * math.Pow(1e5/300, r.Float64()))
		g, faces := triangulation(n, r.IntN(4*n), r)
		x, err := root(context.Background(), g, Options{Faces: faces, Seed: seed}, embedPlanar)
		if err != nil {
			t.Fatalf("%d vertices, seed %d: %v", n, seed, err)
		}
		if err := checkTheorem(x); err != nil {
			t.Errorf("%d vertices, seed %d: %v", n, seed, err)
		}
	}
}

// TestLiptonTarjanLinear compares the finder's time with that of making the
// graph, by counting sorts and therefore linear, from 1,000 to 64,000
// vertices. What the machine does to one it does to the other, so the ratio
// tells whether the steps grow faster than the graph: by no more than n^0.1. Of each size there are as many graphs as have
// 64,000 vertices together, so that caches serve none better. The sizes
// take turns, so that a machine that slows down for a while does so for all of them, and each has its least times: of more
// rounds where few show more.
func TestLiptonTarjanLinear(t *testing.T) {
	shared.Long(t)
	type piece struct {
		g     *graph.Graph
		faces [][3]int32
		mesh  *mesh.Mesh
	}
	type size struct {
		n             int
		pieces        []piece
		finder, maker float64
	}
	const together = 64000
	for _, name := range []string{"square", "random"} {
		var all []*size
		for n := 1000; n <= together; n *= 4 {
			s := &size{n: n, finder: math.Inf(1), maker: math.Inf(1)}
			for range together / n {
				g, faces := shapes[name](n)
				s.pieces = append(s.pieces, piece{g, faces, &mesh.Mesh{Positions: make([][3]float64, g.Len()), Faces: faces}})
			}
			all = append(all, s)
		}
		exponent := math.Inf(1)
		for round := 0; round < 8 || round < 40 && exponent > 0.1; round++ {
			var sizes, ratios []float64
			for _, s := range all {
				finder, maker := 0.0, 0.0
				for _, p := range s.pieces {
					finder += nanoseconds(t, 1, p.g, Options{Faces: p.faces, Balance: 0.1})
					start := shared.Processor()
					if _, err := graph.FromMesh(p.mesh); err != nil {
						t.Fatal(err)
					}
					maker += float64(shared.Processor().Sub(start).Nanoseconds())
				}
				s.finder, s.maker = min(s.finder, finder), min(s.maker, maker)
				sizes, ratios = append(sizes, float64(s.n)), append(ratios, s.finder/s.maker)
			}
			exponent = growth.Power(sizes, ratios)
		}
		t.Logf("%s: the ratio grows like n^%.3f", name, exponent)
		if exponent > 0.1 {
			t.Errorf("%s: the time grows like n^%.2f times that of making the graph", name, exponent)
		}
	}
}

// nanoseconds is the least of several times of the finder, of a processor.
func nanoseconds(b testing.TB, runs int, g *graph.Graph, o Options) float64 {
	least := math.Inf(1)
	for range runs {
		start := shared.Processor()
		if _, err := find(b, "lipton-tarjan", g, o); err != nil {
			b.Fatal(err)
		}
		least = min(least, float64(shared.Processor().Sub(start).Nanoseconds()))
	}
	return least
}

// BenchmarkLiptonTarjan fits the exponent of the finder's time from 1,000 to
// 1,000,000 vertices, and reports the median of several fits. Of numbers
// without any order the caches make most of the exponent: it is reported, and
// not held to the bar.
func BenchmarkLiptonTarjan(b *testing.B) {
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		b.Run(name, func(b *testing.B) {
			sizes := []int{1000, 3160, 10000, 31600, 100000, 316000, 1000000}
			graphs := make([]*graph.Graph, len(sizes))
			faces := make([][][3]int32, len(sizes))
			vertices, times := make([]float64, len(sizes)), make([]float64, len(sizes))
			for i, n := range sizes {
				graphs[i], faces[i] = shapes[name](n)
				vertices[i] = float64(graphs[i].Len())
			}
			var exponents, first, last []float64
			for b.Loop() {
				for i, g := range graphs {
					runtime.GC() // so that none is due meanwhile
					times[i] = nanoseconds(b, max(2, 200000/sizes[i]), g, Options{Faces: faces[i], Balance: 0.1})
				}
				exponents = append(exponents, growth.Power(vertices, times))
				end := len(sizes) - 1
				first, last = append(first, times[0]/vertices[0]), append(last, times[end]/vertices[end])
			}
			for _, list := range [][]float64{exponents, first, last} {
				slices.Sort(list)
			}
			median := len(exponents) / 2
			b.ReportMetric(exponents[median], "exponent")
			b.ReportMetric(first[median], "ns/vertex-at-1e3")
			b.ReportMetric(last[median], "ns/vertex-at-1e6")
			if exponents[median] > 1.1 && name != "scrambled" {
				b.Errorf("time grows like n^%.2f", exponents[median])
			}
		})
	}
}

// inOrder gives the vertices the numbers of a breadth-first search.
func inOrder(g *graph.Graph, faces [][3]int32) (*graph.Graph, [][3]int32) {
	number := make([]int32, g.Len())
	for i, v := range breadthFirst(g, 0) {
		number[v] = int32(i)
	}
	out := make([][3]int32, len(faces))
	for f, t := range faces {
		out[f] = [3]int32{number[t[0]], number[t[1]], number[t[2]]}
	}
	slices.SortFunc(out, func(a, b [3]int32) int { return slices.Compare(a[:], b[:]) })
	return fromFaces(g.Len(), out), out
}

// tube is a cylinder of rings, open at both ends.
func tube(around, rings int) (*graph.Graph, [][3]int32) {
	var faces [][3]int32
	for y := range int32(rings - 1) {
		for x := range int32(around) {
			a, b := y*int32(around)+x, y*int32(around)+(x+1)%int32(around)
			c, d := a+int32(around), b+int32(around)
			faces = append(faces, [3]int32{a, b, d}, [3]int32{a, d, c})
		}
	}
	return fromFaces(around*rings, faces), faces
}

// TestPlanarFinders checks the finders that use faces on spheres, tubes and
// graphs of two components.
func TestPlanarFinders(t *testing.T) {
	one, oneFaces := triangulation(500, 1500, rand.New(rand.NewPCG(1, 1)))
	pipe, pipeFaces := tube(20, 50)
	var two [][3]int32
	two = append(two, pipeFaces...)
	for _, f := range oneFaces[:3] {
		two = append(two, [3]int32{f[0] + 1000, f[1] + 1000, f[2] + 1000})
	}
	cases := []struct {
		name  string
		g     *graph.Graph
		faces [][3]int32
		cycle int // most vertices of a fundamental cycle separator
	}{
		{"random sphere", one, oneFaces, 60},
		{"tube", pipe, pipeFaces, 40},
		{"tube and a little", fromFaces(1500, two), two, 40},
		{"tree", build(t, 200, randomTree(200, 5)...), nil, 1},
	}
	for _, c := range cases {
		for name, most := range map[string]int{"fundamental-cycle": c.cycle, "lipton-tarjan": int(math.Sqrt(8 * float64(c.g.Len())))} {
			s, err := find(t, name, c.g, Options{Faces: c.faces, Balance: 0.2})
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, name, err)
				continue
			}
			if err := Verify(c.g, s, 0.2); err != nil {
				t.Errorf("%s, %s: %v", c.name, name, err)
			}
			if len(s.S) > most {
				t.Errorf("%s, %s: %d vertices, at most %d expected", c.name, name, len(s.S), most)
			}
		}
	}
}

// torus is a triangulated grid on the torus or, twisted, on the Klein bottle.
func torus(w, h int32, twisted bool) (*graph.Graph, [][3]int32) {
	var faces [][3]int32
	at := func(x, y int32) int32 {
		if y == h && twisted {
			x = 2*w - x
		}
		return y%h*w + x%w
	}
	for y := range h {
		for x := range w {
			a, b, c, d := at(x, y), at(x+1, y), at(x, y+1), at(x+1, y+1)
			faces = append(faces, [3]int32{a, b, d}, [3]int32{a, d, c})
		}
	}
	return fromFaces(int(w*h), faces), faces
}

// TestNotPlanar gives the planar finders graphs that are not planar, alone and
// beside a smaller component, and faces that do not matter.
func TestNotPlanar(t *testing.T) {
	ring, ringFaces := torus(6, 6, false)
	var pairs [][2]int32
	for v := range int32(ring.Len()) {
		to, _ := ring.Neighbours(v)
		for _, u := range to {
			pairs = append(pairs, [2]int32{u + 5, v + 5})
		}
	}
	cases := []struct {
		name  string
		g     *graph.Graph
		faces [][3]int32
	}{
		{"torus", ring, ringFaces},
		{"torus without faces", ring, nil},
		{"torus behind a path", build(t, 41, append(pairs, path(5)...)...), nil},
		{"K3,3", build(t, 6, bipartite(3, 3)...), nil},
		{"K3,3 with a face it lacks", build(t, 6, bipartite(3, 3)...), [][3]int32{{0, 1, 2}}},
	}
	for _, c := range cases {
		for _, name := range []string{"fundamental-cycle", "lipton-tarjan", "genus"} {
			s, err := find(t, name, c.g, Options{Faces: c.faces, Balance: 0.2})
			if name == "genus" && len(c.faces) > 0 {
				continue // another test's
			}
			var crossing *NotPlanarError
			if !errors.Is(err, ErrNotPlanar) || !errors.As(err, &crossing) {
				t.Errorf("%s, %s: got %v and error %v", c.name, name, s, err)
			} else if err := crossing.Witness.Verify(c.g); err != nil {
				t.Errorf("%s, %s: the witness: %v", c.name, name, err)
			}
			named := Named(err, func(v int32) string { return string('a' + v) })
			if !errors.Is(named, ErrNotPlanar) || !strings.Contains(named.Error(), string('a'+crossing.Witness.Branch[0])+", ") {
				t.Errorf("%s, %s: named: %v", c.name, name, named)
			}
		}
	}
	pipe, pipeFaces := tube(6, 6)
	flipped := append([][3]int32{{pipeFaces[0][1], pipeFaces[0][0], pipeFaces[0][2]}}, pipeFaces[1:]...)
	for name, faces := range map[string][][3]int32{
		"none":                       nil,
		"one the other way round":    flipped,
		"one twice":                  append(pipeFaces[:len(pipeFaces):len(pipeFaces)], pipeFaces[0]),
		"one of another graph":       {{0, 1, 20}},
		"one that is degenerate":     {{0, 1, 1}},
		"one three times":            {pipeFaces[0], pipeFaces[0], pipeFaces[0]},
		"one alone":                  pipeFaces[5:6],
		"two sides of one, no other": {pipeFaces[3], pipeFaces[3]},
	} {
		for _, finder := range []string{"fundamental-cycle", "lipton-tarjan", "genus"} {
			s, err := find(t, finder, pipe, Options{Faces: faces, Balance: 0.2})
			if err != nil {
				t.Errorf("faces: %s, %s: %v", name, finder, err)
			} else if err := Verify(pipe, s, 0.2); err != nil {
				t.Errorf("faces: %s, %s: %v", name, finder, err)
			}
		}
	}
	f, err := ByName("lipton-tarjan")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Find(context.Background(), pipe, Options{Faces: [][3]int32{{0, 1, 36}}}); err == nil || errors.Is(err, ErrNotPlanar) {
		t.Errorf("a face out of range: error %v", err)
	}
}

// TestPlanarSameEverywhere pins the answers of the finders that embed by their
// hash: it runs on every platform the project is built for.
func TestPlanarSameEverywhere(t *testing.T) {
	sphere, faces := triangulation(400, 800, rand.New(rand.NewPCG(3, 3)))
	ring, ringFaces := torus(24, 20, false)
	for _, c := range []struct {
		name  string
		g     *graph.Graph
		faces [][3]int32
		want  string
	}{
		{"fundamental-cycle", sphere, faces, "9cb7fe67bf94a105"},
		{"fundamental-cycle", sphere, nil, "9cb7fe67bf94a105"},
		{"lipton-tarjan", sphere, faces, "a87a41a572d2204d"},
		{"lipton-tarjan", sphere, nil, "a87a41a572d2204d"},
		{"genus", sphere, nil, "9cb7fe67bf94a105"},
		{"genus", ring, ringFaces, "a6eb074576d25e83"},
	} {
		s, err := find(t, c.name, c.g, Options{Faces: c.faces, Balance: 0.2})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		h := fnv.New64a()
		if _, err := fmt.Fprint(h, s.A, s.S, s.B); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%016x", h.Sum64()); got != c.want {
			t.Errorf("%s, %d faces: %s, want %s (|S| = %d)", c.name, len(c.faces), got, c.want, len(s.S))
		}
	}
}

// TestPlanarCancel ends the finders that embed at every point where they can
// end, with an embedding, without one, and while they look for a witness.
func TestPlanarCancel(t *testing.T) {
	race.Alone(t)
	sphere, faces := triangulation(20000, 20000, rand.New(rand.NewPCG(3, 3)))
	ring, ringFaces := torus(100, 100, false)
	for _, c := range []struct {
		name  string
		g     *graph.Graph
		faces [][3]int32
		least int // times that the context is asked
	}{
		{"lipton-tarjan", sphere, faces, 12},
		{"lipton-tarjan", sphere, nil, 20},
		{"lipton-tarjan", ring, nil, 40},
		{"genus", ring, ringFaces, 12},
	} {
		f, err := ByName(c.name)
		if err != nil {
			t.Fatal(err)
		}
		ended := 0
		for left := 0; ; left += 1 + left/2 {
			_, err := f.Find(&limited{context.Background(), left}, c.g, Options{Faces: c.faces, Balance: 0.1})
			if err == nil || errors.Is(err, ErrNotPlanar) {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: %v", c.name, err)
			}
			ended = left
		}
		if ended+1+ended/2 < c.least {
			t.Errorf("%s, %d faces: asks its context at most %d times", c.name, len(c.faces), ended+1+ended/2)
		}
	}
}
