package shortest

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
	"pgregory.net/rapid"

	"genussink/core/graph"
	"genussink/core/linop/linoptest"
)

// drawGraph draws a graph whose lengths have exact sums, with ties, zero
// lengths, parallel edges and isolated vertices.
func drawGraph(t *rapid.T) *graph.Graph {
	n := rapid.IntRange(1, 16).Draw(t, "n")
	vertex := rapid.Int32Range(0, int32(n-1))
	edges := make([]graph.Edge, rapid.IntRange(0, 3*n).Draw(t, "m"))
	for i := range edges {
		edges[i] = graph.Edge{U: vertex.Draw(t, "u"), V: vertex.Draw(t, "v"), Weight: float64(rapid.IntRange(0, 8).Draw(t, "w")) / 4}
	}
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// floydWarshall is the slow twin.
func floydWarshall(g *graph.Graph) [][]float64 {
	n := g.Len()
	d := make([][]float64, n)
	for u := range d {
		d[u] = make([]float64, n)
		for v := range d[u] {
			d[u][v] = math.Inf(1)
		}
		d[u][u] = 0
		to, w := g.Neighbours(int32(u))
		for k, v := range to {
			d[u][v] = min(d[u][v], w[k])
		}
	}
	for k := range n {
		for u := range n {
			for v := range n {
				d[u][v] = min(d[u][v], d[u][k]+d[k][v])
			}
		}
	}
	return d
}

// TestSolver asks one solver question after question and compares each answer
// with the table of all distances.
func TestSolver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		n := g.Len()
		d := floydWarshall(g)
		s := NewSolver(g)
		vertex := rapid.Int32Range(0, int32(n-1))
		nearest := func(v int, sources []int32) float64 {
			least := math.Inf(1)
			for _, u := range sources {
				least = min(least, d[u][v])
			}
			return least
		}
		dst := make([]float64, n)
		for range rapid.IntRange(1, 6).Draw(t, "questions") {
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				sources := rapid.SliceOfN(vertex, 0, 4).Draw(t, "sources")
				for v, got := range s.Distances(dst, sources...) {
					if got != nearest(v, sources) {
						t.Fatalf("distance of %d from %v: %g, want %g", v, sources, got, nearest(v, sources))
					}
				}
				for v, p := range s.Predecessors(nil) {
					if d, before := s.At(int32(v)); d != dst[v] || before != p {
						t.Fatalf("vertex %d at %g after %d, is at %g after %d", v, d, before, dst[v], p)
					}
					switch {
					case math.IsInf(dst[v], 1):
						if p != -1 {
							t.Fatalf("vertex %d is out of reach, its predecessor is %d", v, p)
						}
					case p == int32(v):
						if dst[v] != 0 || !slices.Contains(sources, p) {
							t.Fatalf("vertex %d at %g is its own predecessor", v, dst[v])
						}
					case dst[p]+edge(g, p, int32(v)) != dst[v]:
						t.Fatalf("vertex %d at %g has predecessor %d at %g", v, dst[v], p, dst[p])
					}
				}
			case 1:
				sources := rapid.SliceOfN(vertex, 0, 4).Draw(t, "sources")
				radius := float64(rapid.IntRange(-1, 12).Draw(t, "radius")) / 4
				got, dist := s.Within(radius, sources...)
				inside := make([]bool, n)
				last := 0.0
				for _, v := range got {
					if inside[v] || dist[v] < last {
						t.Fatalf("within %g of %v: %v at %v", radius, sources, got, dist)
					}
					inside[v], last = true, dist[v]
				}
				for v := range n {
					want := nearest(v, sources)
					if inside[v] != (want <= radius) {
						t.Fatalf("within %g of %v: vertex %d at %g, listed: %v", radius, sources, v, want, inside[v])
					}
					if !inside[v] {
						want = math.Inf(1)
					}
					if dist[v] != want {
						t.Fatalf("within %g of %v: vertex %d at %g, want %g", radius, sources, v, dist[v], want)
					}
				}
			case 4:
				sources := rapid.SliceOfN(vertex, 0, 5).Draw(t, "sources")
				far := make([]float64, n)
				for v := range far {
					far[v] = math.Inf(1)
				}
				for _, v := range sources {
					s.Lower(far, v)
				}
				for v, got := range far {
					if want := nearest(v, sources); got != want {
						t.Fatalf("lowered from %v: %d at %g, want %g", sources, v, got, want)
					}
				}
			case 3:
				sources, targets := rapid.SliceOfN(vertex, 0, 4).Draw(t, "sources"), rapid.SliceOfN(vertex, 0, 6).Draw(t, "targets")
				for i, got := range s.To(nil, targets, sources...) {
					if want := nearest(int(targets[i]), sources); got != want {
						t.Fatalf("distance of %d from %v: %g, want %g", targets[i], sources, got, want)
					}
				}
			case 2:
				from, to := vertex.Draw(t, "from"), vertex.Draw(t, "to")
				p, length := s.Path(from, to)
				if length != d[from][to] {
					t.Fatalf("path from %d to %d of length %g, want %g", from, to, length, d[from][to])
				}
				if math.IsInf(length, 1) {
					if p != nil {
						t.Fatalf("path %v from %d to %d, which is out of reach", p, from, to)
					}
					continue
				}
				sum := 0.0
				for i := 1; i < len(p); i++ {
					sum += edge(g, p[i-1], p[i])
				}
				if p[0] != from || p[len(p)-1] != to || sum != length {
					t.Fatalf("path %v from %d to %d of length %g, want %g", p, from, to, sum, length)
				}
			}
		}
	})
}

// edge is the length of the edge u-v, NaN if there is none.
func edge(g *graph.Graph, u, v int32) float64 {
	to, w := g.Neighbours(u)
	for k, t := range to {
		if t == v {
			return w[k]
		}
	}
	return math.NaN()
}

// grid is a square grid whose edges differ in length.
func grid(t testing.TB, side int) *graph.Graph {
	t.Helper()
	var edges []graph.Edge
	for y := range side {
		for x := range side {
			v := int32(y*side + x)
			if x > 0 {
				edges = append(edges, graph.Edge{U: v - 1, V: v, Weight: 1 + float64(v*7919%101)/100})
			}
			if y > 0 {
				edges = append(edges, graph.Edge{U: v - int32(side), V: v, Weight: 1 + float64(v*104729%97)/100})
			}
		}
	}
	g, err := graph.New(side*side, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestNoAllocationWhenReused(t *testing.T) {
	g := grid(t, 30)
	s := NewSolver(g)
	dst := make([]float64, g.Len())
	pred := make([]int32, g.Len())
	sources := []int32{3, 700}
	for name, ask := range map[string]func(){
		"Distances":    func() { s.Distances(dst, sources...) },
		"Within":       func() { s.Within(8, sources...) },
		"Predecessors": func() { s.Predecessors(pred) },
	} {
		if count := testing.AllocsPerRun(10, ask); count != 0 {
			t.Errorf("%s allocates %g times", name, count)
		}
	}
}

func TestMisusePanics(t *testing.T) {
	g := grid(t, 2)
	for name, misuse := range map[string]func(){
		"source too large":     func() { From(g, 4) },
		"source negative":      func() { From(g, -1) },
		"target out of range":  func() { NewSolver(g).Path(0, 4) },
		"targets out of range": func() { NewSolver(g).To(nil, []int32{0, 4}, 0) },
		"targets too many":     func() { NewSolver(g).To(make([]float64, 1), []int32{0, 1}, 0) },
		"lowered too short":    func() { NewSolver(g).Lower(make([]float64, 3), 0) },
		"lowered from beyond":  func() { NewSolver(g).Lower(make([]float64, 4), 4) },
		"distances too short":  func() { NewSolver(g).Distances(make([]float64, 3), 0) },
		"predecessors too few": func() { NewSolver(g).Predecessors(make([]int32, 3)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			misuse()
		}()
	}
	empty, err := graph.New(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := From(empty); len(d) != 0 {
		t.Errorf("distances in the empty graph: %v", d)
	}
}

func BenchmarkDistances(b *testing.B) {
	g := grid(b, 100)
	s := NewSolver(g)
	dst := make([]float64, g.Len())
	b.ReportAllocs()
	for b.Loop() {
		s.Distances(dst, 5050)
	}
}

// BenchmarkGonum asks the same of gonum.
func BenchmarkGonum(b *testing.B) {
	g := grid(b, 100)
	same := simple.NewWeightedUndirectedGraph(0, math.Inf(1))
	for v := range int32(g.Len()) {
		to, w := g.Neighbours(v)
		for k, t := range to {
			if t > v {
				same.SetWeightedEdge(same.NewWeightedEdge(simple.Node(v), simple.Node(t), w[k]))
			}
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		path.DijkstraFrom(simple.Node(5050), same)
	}
}

// When a context ends so does the question under it, with an error and no distances. The next question is right.
func TestDistancesContext(t *testing.T) {
	const n = 20000
	var edges []graph.Edge
	for v := range int32(n - 1) {
		edges = append(edges, graph.Edge{U: v, V: v + 1, Weight: 1})
	}
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSolver(g)
	for name, offsets := range map[string][]float64{"from the sources": nil, "with offsets": {2, 1}} {
		ask := func(ctx context.Context) ([]float64, error) {
			return s.DistancesContext(ctx, nil, []int32{0, n - 1}, offsets)
		}
		linoptest.GivenUp(t, linoptest.Slice(name, ask))
		d := linoptest.Value(ask(t.Context()))(t)
		want := s.Distances(nil, 0, n-1)
		if offsets != nil {
			want = s.Seeded(nil, []int32{0, n - 1}, offsets)
		}
		if !slices.Equal(d, want) || d[n/2-1] != float64(n/2-1)+float64(len(offsets)) {
			t.Errorf("%s: vertex %d is at %g, without a context at %g", name, n/2-1, d[n/2-1], want[n/2-1])
		}
	}
}
