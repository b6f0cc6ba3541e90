package treedec

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"genussink/core/graph"
)

// family is a kind of graph whose treewidth is known.
type family struct {
	name  string
	width int
	make  func(t testing.TB, n int) *graph.Graph
}

// families are graphs of small treewidth, some with vertices of very many
// neighbours.
func families() []family {
	edge := func(u, v int) graph.Edge { return graph.Edge{U: int32(u), V: int32(v), Weight: 1} }
	from := func(edges func(v int, add func(u int))) func(t testing.TB, n int) *graph.Graph {
		return func(t testing.TB, n int) *graph.Graph {
			var list []graph.Edge
			for v := 1; v < n; v++ {
				edges(v, func(u int) { list = append(list, edge(u, v)) })
			}
			g, err := graph.New(n, list)
			if err != nil {
				t.Fatal(err)
			}
			return g
		}
	}
	random := rand.New(rand.NewPCG(1, 1))
	return []family{
		{"path", 1, from(func(v int, add func(u int)) { add(v - 1) })},
		{"random tree", 1, from(func(v int, add func(u int)) { add(random.IntN(v)) })},
		{"star", 1, from(func(_ int, add func(u int)) { add(0) })},
		{"fan", 2, from(func(v int, add func(u int)) {
			add(0)
			add(v - 1)
		})},
		{"K2,n", 2, from(func(v int, add func(u int)) {
			if v > 1 {
				add(0)
				add(1)
			}
		})},
		{"2 x n", 2, func(t testing.TB, n int) *graph.Graph { return grid(t, 2, n/2, false) }},
		{"n x 2 with diagonals", 2, func(t testing.TB, n int) *graph.Graph { return grid(t, n/2, 2, true) }},
		{"3 x n", 3, func(t testing.TB, n int) *graph.Graph { return grid(t, 3, n/3, false) }},
	}
}

// TestLargeSimpleGraphs proves the treewidth of graphs that the reductions
// consume. Anything quadratic in a vertex's neighbours would take minutes here.
func TestLargeSimpleGraphs(t *testing.T) {
	n := 60000
	if testing.Short() {
		n = 10000
	}
	for _, f := range families() {
		g := f.make(t, n)
		r, err := Treewidth(context.Background(), g, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Decomposition.Validate(g); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
		if !r.Exact || r.Lower != f.width || len(r.Decomposition.Bags) > g.Len() {
			t.Errorf("%s: width %d, lower bound %d, exact %v, %d bags; the treewidth is %d",
				f.name, r.Decomposition.Width(), r.Lower, r.Exact, len(r.Decomposition.Bags), f.width)
		}
		order, err := Order(context.Background(), g, MinDegree, 0)
		if err != nil {
			t.Fatal(err)
		}
		d, err := FromOrder(g, order)
		if err != nil {
			t.Fatal(err)
		}
		if d.Width() != f.width {
			t.Errorf("%s: width %d by minimum degree, the treewidth is %d", f.name, d.Width(), f.width)
		}
		if d, err = d.Clean(); err != nil {
			t.Fatal(err)
		}
		c, err := d.Centroid()
		if err != nil {
			t.Fatal(err)
		}
		if most := largestPart(g, d.Bags[c]); 2*most > g.Len() {
			t.Errorf("%s: the centroid leaves %d of %d vertices", f.name, most, g.Len())
		}
	}
}

// BenchmarkFamilies takes graphs of small treewidth from 1e4 to 1e6 vertices
// from graph to centroid, and reports the exponent of the time.
func BenchmarkFamilies(b *testing.B) {
	for _, f := range families() {
		b.Run(f.name, func(b *testing.B) {
			var graphs []*graph.Graph
			for _, n := range []int{10000, 100000, 1000000} {
				graphs = append(graphs, f.make(b, n))
			}
			for b.Loop() {
				var took []float64
				for _, g := range graphs {
					best := math.Inf(1)
					for range 3 {
						start := time.Now()
						order, err := Order(context.Background(), g, MinDegree, 0)
						if err != nil {
							b.Fatal(err)
						}
						d, err := FromOrder(g, order)
						if err == nil {
							d, err = d.Clean()
						}
						if err == nil {
							_, err = d.Centroid()
						}
						if err != nil {
							b.Fatal(err)
						}
						best = min(best, time.Since(start).Seconds())
					}
					took = append(took, best)
				}
				b.ReportMetric(math.Log(took[2]/took[0])/math.Log(100), "exponent")
				b.Log(f.name, fmt.Sprintf("%.3g s", took))
			}
		})
	}
}
