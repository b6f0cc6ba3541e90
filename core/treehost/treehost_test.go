package treehost

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/graph"
	"genussink/core/internal/random"
	"genussink/core/linop"
	"genussink/core/shortest"
	"genussink/internal/race"
)

// verify checks a host against the definition: the decomposition is one of the
// host, and over the given rows no distance is too short, none longer by more
// than the bound. It returns the largest excess. Lengths along two paths of the same
// length may differ in the last digits.
func verify(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, g *graph.Graph, h *Host, o Options, rows []int32) (worst float64) {
	t.Helper()
	if h.Graph.Len() != g.Len() {
		t.Fatalf("a host of %d vertices for a graph of %d", h.Graph.Len(), g.Len())
	}
	if err := h.Decomposition.Validate(h.Graph); err != nil {
		t.Fatalf("the host's decomposition: %v", err)
	}
	if !(h.Bound >= 0 && h.Bound <= o.Distortion) {
		t.Fatalf("bound %v, asked for %v", h.Bound, o.Distortion)
	}
	inGraph, inHost := shortest.NewSolver(g), shortest.NewSolver(h.Graph)
	for _, u := range rows {
		true_, host := inGraph.Distances(nil, u), inHost.Distances(nil, u)
		for v, d := range true_ {
			if d == inf || host[v] == inf {
				if d != host[v] {
					t.Fatalf("%d-%d: distance %v, %v in the host", u, v, d, host[v])
				}
				continue
			}
			excess, digits := host[v]-d, 1e-12*(1+d)
			if excess < -digits || excess > h.Bound+digits {
				t.Fatalf("%d-%d: distance %v, %v in the host, bound %v", u, v, d, host[v], h.Bound)
			}
			worst = max(worst, excess)
		}
	}
	return worst
}

func all(n int) []int32 {
	rows := make([]int32, n)
	for v := range rows {
		rows[v] = int32(v)
	}
	return rows
}

// radius is that of the forest.
func radius(t testing.TB, g *graph.Graph) float64 {
	t.Helper()
	f, err := grow(g)
	if err != nil {
		t.Fatal(err)
	}
	r := 0.0
	for _, d := range f.dist {
		r = max(r, d)
	}
	return r
}

// weighted is the graph of the faces' edges with random lengths, of which some
// are 0 and some longer than the way round.
func weighted(t interface{ Fatalf(string, ...any) }, n int, faces [][3]int32, extra []graph.Edge, r *rand.Rand) *graph.Graph {
	edges := slices.Clone(extra)
	for _, f := range faces {
		for c := range 3 {
			if u, v := f[c], f[(c+1)%3]; u < v {
				edges = append(edges, graph.Edge{U: u, V: v, Weight: 0})
			}
		}
	}
	for i := range edges {
		if edges[i].Weight = 4 * r.Float64(); r.IntN(20) == 0 {
			edges[i].Weight = 0
		}
	}
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return g
}

var constructions = []Construction{Nested, Emulated}

// TestTriangulations: spheres, with and without holes, of any lengths.
func TestTriangulations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 120).Draw(t, "n")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		faces := random.Triangulation(n, rapid.IntRange(0, 300).Draw(t, "flips"), r)
		g := weighted(t, n, faces, nil, r)
		o := Options{
			Distortion:   rapid.SampledFrom([]float64{0, 0.1, 1, 5, 1e6}).Draw(t, "distortion"),
			Construction: rapid.SampledFrom(constructions).Draw(t, "construction"),
		}
		if rapid.Bool().Draw(t, "faces") {
			o.Faces = slices.Clone(faces)
			for range rapid.IntRange(0, n/4).Draw(t, "missing") { // the graph keeps the edges
				o.Faces = slices.Delete(o.Faces, 0, 1)
			}
		}
		h, err := Embed(t.Context(), g, o)
		if err != nil {
			t.Fatalf("%v", err)
		}
		verify(t, g, h, o, all(n))
	})
}

// TestAnyGraph: graphs that no surface carries, with faces that mean nothing.
func TestAnyGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		extra := make([]graph.Edge, rapid.IntRange(0, 2*n).Draw(t, "edges"))
		for i := range extra {
			extra[i] = graph.Edge{U: int32(r.IntN(n)), V: int32(r.IntN(n))}
		}
		g := weighted(t, n, nil, extra, r)
		o := Options{Distortion: 4 * r.Float64(), Construction: rapid.SampledFrom(constructions).Draw(t, "construction")}
		component, _ := g.Components()
		if rapid.Bool().Draw(t, "faces") {
			o.Faces = [][3]int32{}
			for range rapid.IntRange(0, 2*n).Draw(t, "count") {
				f := [3]int32{int32(r.IntN(n)), int32(r.IntN(n)), int32(r.IntN(n))}
				if component[f[0]] == component[f[1]] && component[f[1]] == component[f[2]] {
					o.Faces = append(o.Faces, f)
				}
			}
		}
		h, err := Embed(t.Context(), g, o)
		if err != nil {
			t.Fatalf("%v", err)
		}
		verify(t, g, h, o, all(n))
	})
}

// TestSmall: graphs of no, one, two and three vertices, and several components.
func TestSmall(t *testing.T) {
	one := func(u, v int32) graph.Edge { return graph.Edge{U: u, V: v, Weight: 1} }
	for name, c := range map[string]struct {
		n     int
		edges []graph.Edge
		faces [][3]int32
	}{
		"empty":           {},
		"vertex":          {n: 1},
		"edge":            {n: 2, edges: []graph.Edge{one(0, 1)}},
		"two vertices":    {n: 2},
		"triangle":        {n: 3, edges: []graph.Edge{one(0, 1), one(1, 2), one(0, 2)}, faces: [][3]int32{{0, 1, 2}}},
		"two triangles":   {n: 7, edges: []graph.Edge{one(0, 1), one(1, 2), one(0, 2), one(3, 4), one(4, 5), one(3, 5)}, faces: [][3]int32{{0, 1, 2}, {3, 5, 4}}},
		"shared corner":   {n: 5, edges: []graph.Edge{one(0, 1), one(1, 2), one(0, 2), one(2, 3), one(3, 4), one(2, 4)}, faces: [][3]int32{{0, 1, 2}, {2, 3, 4}}},
		"shared side":     {n: 5, edges: []graph.Edge{one(0, 1), one(1, 2), one(0, 2), one(1, 3), one(0, 3), one(1, 4), one(0, 4)}, faces: [][3]int32{{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}},
		"repeated vertex": {n: 2, edges: []graph.Edge{one(0, 1)}, faces: [][3]int32{{0, 1, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := graph.New(c.n, c.edges)
			if err != nil {
				t.Fatal(err)
			}
			for _, construction := range constructions {
				for _, faces := range [][][3]int32{nil, append([][3]int32{}, c.faces...)} {
					o := Options{Faces: faces, Construction: construction, Distortion: 0.5}
					h, err := Embed(t.Context(), g, o)
					if err != nil {
						t.Fatal(err)
					}
					verify(t, g, h, o, all(c.n))
				}
			}
		})
	}
}

// TestWidth holds the host of planar graphs to the width that the package
// comment proves, both for lengths at random and for a grid.
func TestWidth(t *testing.T) {
	race.Alone(t)
	r := rand.New(rand.NewPCG(5, 5))
	for _, n := range []int{50, 500, 3000} {
		faces := random.Triangulation(n, 4*n, r)
		g := weighted(t, n, faces, nil, r)
		f, err := grow(g)
		if err != nil {
			t.Fatal(err)
		}
		b, err := fromFaces(g, f, faces)
		if err != nil {
			t.Fatal(err)
		}
		if len(b.top) > 0 {
			t.Errorf("%d vertices: the bags of a sphere do not hang together at %v", n, b.top)
		}
		big := radius(t, g)
		for _, share := range []float64{1, 0.4, 0.1} {
			o := Options{Distortion: share * big, Faces: faces}
			h, err := Embed(t.Context(), g, o)
			if err != nil {
				t.Fatal(err)
			}
			proved := 3*(2/share+1)*math.Log2(float64(n)) + leafSize
			if w := h.Decomposition.Width(); float64(w) > proved {
				t.Errorf("%d vertices, distortion %g R: width %d, proved %.0f", n, share, w, proved)
			}
			verify(t, g, h, o, []int32{0, int32(n) / 2, int32(n) - 1})
		}
	}
}

// TestExact: without distortion all vertices of separators are portals.
func TestExact(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	faces := random.Triangulation(200, 800, r)
	g := weighted(t, 200, faces, nil, r)
	for _, o := range []Options{{}, {Faces: faces}, {Construction: Emulated}, {Faces: faces, Construction: Emulated}} {
		h, err := Embed(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		if verify(t, g, h, o, all(200)); h.Bound != 0 {
			t.Errorf("bound %v without distortion", h.Bound)
		}
	}
}

func TestSame(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	faces := random.Triangulation(300, 900, r)
	g := weighted(t, 300, faces, nil, r)
	for _, construction := range constructions {
		o := Options{Distortion: 1, Faces: faces, Construction: construction}
		a, err := Embed(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Embed(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.Graph.Weights, b.Graph.Weights) || !slices.Equal(a.Graph.Targets, b.Graph.Targets) || a.Bound != b.Bound || !slices.Equal(a.Portals, b.Portals) {
			t.Error("two hosts of the same graph differ")
		}
		s, err := NewSketch(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		if s.Portals != len(a.Portals) || !slices.EqualFunc(s.Decomposition.Bags, a.Decomposition.Bags, slices.Equal[[]int32]) || !slices.Equal(s.Decomposition.Tree, a.Decomposition.Tree) {
			t.Error("the sketch is not the host's")
		}
	}
}

func TestRefusals(t *testing.T) {
	g, err := graph.New(4, []graph.Edge{{U: 0, V: 1, Weight: 1}, {U: 1, V: 2, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	long, err := graph.New(3, []graph.Edge{{U: 0, V: 1, Weight: 8e307}, {U: 1, V: 2, Weight: 8e307}})
	if err != nil {
		t.Fatal(err)
	}
	if h, err := Embed(t.Context(), long, Options{}); err == nil {
		verify(t, long, h, Options{}, []int32{1}) // the root may be in the middle
	}
	for name, o := range map[string]Options{
		"negative":          {Distortion: -1},
		"NaN":               {Distortion: math.NaN()},
		"infinite":          {Distortion: inf},
		"vertex":            {Faces: [][3]int32{{0, 1, 4}}},
		"negative vertex":   {Faces: [][3]int32{{0, 1, -1}}},
		"joined components": {Faces: [][3]int32{{0, 1, 3}}},
		"construction":      {Construction: 7},
	} {
		if _, err := Embed(t.Context(), g, o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	var memory *linop.MemoryError
	if _, err := Embed(t.Context(), g, Options{MemoryLimit: 1, Faces: [][3]int32{}, Construction: Emulated}); !errors.As(err, &memory) || memory.Need <= 1 {
		t.Errorf("a limit of 1 byte: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := rand.New(rand.NewPCG(8, 8))
	faces := random.Triangulation(100, 100, r)
	planar := weighted(t, 100, faces, nil, r)
	for _, construction := range constructions {
		if _, err := Embed(ctx, planar, Options{Faces: faces, Construction: construction}); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
}
