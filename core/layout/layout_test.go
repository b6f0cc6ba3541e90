package layout

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"genussink/core/graph"
	"genussink/core/graphio"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/silence"
	"genussink/core/shortest"
)

func grid(t testing.TB, w, h int) *graph.Graph {
	var edges []graph.Edge
	for y := range h {
		for x := range w {
			v := int32(y*w + x)
			if x+1 < w {
				edges = append(edges, graph.Edge{U: v, V: v + 1, Weight: 1})
			}
			if y+1 < h {
				edges = append(edges, graph.Edge{U: v, V: v + int32(w), Weight: 1})
			}
		}
	}
	return made(t, w*h, edges)
}

func made(t testing.TB, n int, edges []graph.Edge) *graph.Graph {
	t.Helper()
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func place(t testing.TB, g *graph.Graph, o Options) [][3]float64 {
	t.Helper()
	at, err := Place(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(at) != g.Len() {
		t.Fatalf("%d positions for %d vertices", len(at), g.Len())
	}
	for v, p := range at {
		for k, x := range p {
			if math.IsNaN(x) || math.IsInf(x, 0) || o.Dimensions != 3 && k == 2 && x != 0 {
				t.Fatalf("vertex %d lies at %v", v, p)
			}
		}
	}
	return at
}

// stress is the mean over connected pairs, from up to 100 sources, of the
// squared relative error of the picture's distance.
func stress(g *graph.Graph, at [][3]float64) float64 {
	solver := shortest.NewSolver(g)
	sum, count := 0.0, 0
	n := g.Len()
	for i := range min(n, 100) {
		u := int32(i * n / min(n, 100))
		for v, d := range solver.Distances(nil, u) {
			if d > 0 && !math.IsInf(d, 0) {
				e := (math.Sqrt(square(at[u], at[v])) - d) / d
				sum += e * e
				count++
			}
		}
	}
	return sum / float64(max(count, 1))
}

// Graphs that have a true picture are drawn close to it; others are drawn
// within what is known of them. Beside each its stress when measured.
func TestStress(t *testing.T) {
	path := func(n int) *graph.Graph { return grid(t, n, 1) }
	ring := func(n int) *graph.Graph {
		var edges []graph.Edge
		for v := range n {
			edges = append(edges, graph.Edge{U: int32(v), V: int32((v + 1) % n), Weight: 2})
		}
		return made(t, n, edges)
	}
	star := func(n int) *graph.Graph {
		var edges []graph.Edge
		for v := 1; v < n; v++ {
			edges = append(edges, graph.Edge{U: 0, V: int32(v), Weight: 1})
		}
		return made(t, n, edges)
	}
	for name, c := range map[string]struct {
		g    *graph.Graph
		dims int
		most float64
	}{
		"path":               {path(50), 2, 0.001},
		"long path":          {path(5000), 2, 0.01},
		"ring":               {ring(40), 2, 0.04},
		"grid":               {grid(t, 20, 20), 2, 0.05},
		"large grid":         {grid(t, 90, 90), 2, 0.05},
		"grid in space":      {grid(t, 20, 20), 3, 0.05},
		"star":               {star(30), 2, 0.16},
		"star in space":      {star(30), 3, 0.1},
		"edge":               {path(2), 2, 1e-6},
		"edges of no length": {made(t, 3, []graph.Edge{{U: 0, V: 1, Weight: 0}, {U: 1, V: 2, Weight: 1}}), 2, 0.01},
	} {
		if testing.Short() && c.g.Len() > 5000 {
			continue // the long path has as many levels
		}
		got := stress(c.g, place(t, c.g, Options{Dimensions: c.dims}))
		t.Logf("%s: stress %.5f", name, got)
		if !(got <= c.most) {
			t.Errorf("%s: stress %.5f, at most %g", name, got, c.most)
		}
	}
}

func TestDegenerate(t *testing.T) {
	for _, g := range []*graph.Graph{made(t, 0, nil), made(t, 1, nil), made(t, 5, nil),
		made(t, 2, []graph.Edge{{U: 0, V: 1, Weight: 0}}),
		made(t, 3, []graph.Edge{{U: 0, V: 1, Weight: 1e-300}, {U: 1, V: 2, Weight: 1e-300}}),
		made(t, 3, []graph.Edge{{U: 0, V: 1, Weight: 1e120}, {U: 1, V: 2, Weight: 1}}),
	} {
		at := place(t, g, Options{})
		for v := range at {
			for w := range v {
				if at[v] == at[w] {
					t.Errorf("%d vertices, %d edges: vertices %d and %d share the place %v", g.Len(), g.Edges(), v, w, at[v])
				}
			}
		}
	}
	if _, err := Place(t.Context(), made(t, 2, nil), Options{Dimensions: 4}); err == nil {
		t.Error("four dimensions are accepted")
	}
}

// Components stand beside each other.
func TestComponents(t *testing.T) {
	var edges []graph.Edge
	for c := range 7 { // seven triangles and three single vertices
		v := int32(3 * c)
		edges = append(edges, graph.Edge{U: v, V: v + 1, Weight: 1}, graph.Edge{U: v + 1, V: v + 2, Weight: 1}, graph.Edge{U: v, V: v + 2, Weight: 1})
	}
	g := made(t, 24, edges)
	at := place(t, g, Options{})
	component, count := g.Components()
	boxes := make([]box, count)
	for c := range boxes {
		var part [][3]float64
		for v, p := range at {
			if component[v] == int32(c) {
				part = append(part, p)
			}
		}
		boxes[c] = boxOf(part)
	}
	for i, a := range boxes {
		for _, b := range boxes[:i] {
			if a.lo[0] <= b.hi[0] && b.lo[0] <= a.hi[0] && a.lo[1] <= b.hi[1] && b.lo[1] <= a.hi[1] {
				t.Errorf("the boxes %v and %v meet", a, b)
			}
		}
	}
}

func TestDeterminism(t *testing.T) {
	g := grid(t, 20, 15)
	if !slices.Equal(place(t, g, Options{Seed: 3}), place(t, g, Options{Seed: 3})) {
		t.Error("the same seed gives another picture")
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Place(ctx, grid(t, 30, 30), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestAsksItsContext(t *testing.T) {
	shared.OneProcessor(t)
	least := time.Hour                  // of three runs: another may have had garbage to collect
	const most = 100 * time.Millisecond // an order of magnitude above what is usual
	for range 3 {
		c := &silence.Context{Context: t.Context()}
		if _, err := Place(c, grid(t, 120, 100), Options{}); err != nil {
			t.Fatal(err)
		}
		if least = min(least, c.Longest); least <= most {
			break
		}
	}
	t.Logf("at most %v between two questions", least)
	if least > most {
		t.Errorf("the context was not asked for %v", least)
	}
}

// A road network without coordinates, in 22 components.
func TestSharedRoads(t *testing.T) {
	file := shared.Path(t, "roads", "rome99", "rome99.gr")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	net, err := graphio.Read(graphio.File{Name: filepath.Base(file), Data: data}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := stress(net.Graph, place(t, net.Graph, Options{}))
	t.Logf("stress %.4f", got)
	if got > 0.1 {
		t.Errorf("stress %.4f", got)
	}
}

func BenchmarkPlace(b *testing.B) {
	for _, side := range []int{50, 100, 200} {
		g := grid(b, side, side)
		b.Run(strconv.Itoa(side*side), func(b *testing.B) {
			for b.Loop() {
				if _, err := Place(b.Context(), g, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The picture does not depend on the unit of length, however long or short:
// no power of a distance leaves a float64.
func TestUnits(t *testing.T) {
	g := grid(t, 6, 5)
	g.Weights[0], g.Weights[1] = g.Weights[0]*3, g.Weights[1]*0.5 // not all alike
	want := place(t, g, Options{})
	for _, exponent := range []int{-900, -300, 300, 900} {
		scaled := &graph.Graph{Offsets: g.Offsets, Targets: g.Targets, Weights: slices.Clone(g.Weights)}
		for i := range scaled.Weights {
			scaled.Weights[i] = math.Ldexp(scaled.Weights[i], exponent)
		}
		for v, p := range place(t, scaled, Options{}) {
			for k, x := range p {
				if x != math.Ldexp(want[v][k], exponent) {
					t.Fatalf("lengths times 2^%d: vertex %d lies at %v, want 2^%d times %v", exponent, v, p, exponent, want[v])
				}
			}
		}
	}
	// One edge that is far longer than the rest does no harm.
	mixed := made(t, 4, []graph.Edge{{U: 0, V: 1, Weight: 1}, {U: 1, V: 2, Weight: 1e100}, {U: 2, V: 3, Weight: 1e-100}})
	place(t, mixed, Options{})
}
