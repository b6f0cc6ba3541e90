package treekernel

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"genussink/core/graph"
	"genussink/core/linop/linoptest"
	"genussink/core/shortest"
	"genussink/core/treedec"
	"genussink/internal/race"
)

// A subject is a graph of small treewidth.
type subject struct {
	name  string
	g     *graph.Graph
	width int // of the decomposition that is to be found, at most; -1: any
}

func newGraph(t testing.TB, n int, edges []graph.Edge) *graph.Graph {
	t.Helper()
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func edge(u, v int, w float64) graph.Edge {
	return graph.Edge{U: int32(u), V: int32(v), Weight: w}
}

// decompose finds a decomposition by minimum degree.
func decompose(t testing.TB, g *graph.Graph) *treedec.Decomposition {
	t.Helper()
	order, err := treedec.Order(context.Background(), g, treedec.MinDegree, 0)
	if err != nil {
		t.Fatal(err)
	}
	d, err := treedec.FromOrder(g, order)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func build(t testing.TB, g *graph.Graph, d *treedec.Decomposition, o Options) *Tree {
	t.Helper()
	tree, err := Build(context.Background(), g, d, o)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func kernel(t testing.TB, tree *Tree, epsilon float64) *Kernel {
	t.Helper()
	k, err := NewKernel(context.Background(), tree, epsilon, 0)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// randomTree hangs every vertex on an earlier one: any, or one of the last
// few.
func randomTree(t testing.TB, n, last int, rng *rand.Rand, weight func() float64) *graph.Graph {
	var edges []graph.Edge
	for v := 1; v < n; v++ {
		edges = append(edges, edge(max(0, v-last)+rng.IntN(min(v, last)), v, weight()))
	}
	return newGraph(t, n, edges)
}

// strip is the grid of k x n vertices, without diagonals.
func strip(t testing.TB, k, n int, weight func() float64) *graph.Graph {
	var edges []graph.Edge
	for c := range n {
		for r := range k {
			if r+1 < k {
				edges = append(edges, edge(c*k+r, c*k+r+1, weight()))
			}
			if c+1 < n {
				edges = append(edges, edge(c*k+r, c*k+k+r, weight()))
			}
		}
	}
	return newGraph(t, k*n, edges)
}

func cycle(t testing.TB, n int, weight func() float64) *graph.Graph {
	var edges []graph.Edge
	for v := range n {
		edges = append(edges, edge(v, (v+1)%n, weight()))
	}
	return newGraph(t, n, edges)
}

// outerplanar is a polygon triangulated at random.
func outerplanar(t testing.TB, n int, rng *rand.Rand, weight func() float64) *graph.Graph {
	var edges []graph.Edge
	for v := range n {
		edges = append(edges, edge(v, (v+1)%n, weight()))
	}
	var cut func(lo, hi int)
	cut = func(lo, hi int) {
		if hi-lo < 2 {
			return
		}
		mid := lo + 1 + rng.IntN(hi-lo-1)
		edges = append(edges, edge(lo, mid, weight()), edge(mid, hi, weight()))
		cut(lo, mid)
		cut(mid, hi)
	}
	cut(0, n-1)
	return newGraph(t, n, edges)
}

// seriesParallel grows an edge by putting vertices on edges and beside them.
func seriesParallel(t testing.TB, n int, rng *rand.Rand, weight func() float64) *graph.Graph {
	edges := []graph.Edge{edge(0, 1, weight())}
	for v := 2; v < n; v++ {
		i := rng.IntN(len(edges))
		e := edges[i]
		if rng.IntN(2) == 0 {
			edges[i] = graph.Edge{U: e.U, V: int32(v), Weight: weight()}
			edges = append(edges, graph.Edge{U: int32(v), V: e.V, Weight: weight()})
		} else {
			edges = append(edges, graph.Edge{U: e.U, V: int32(v), Weight: weight()}, graph.Edge{U: int32(v), V: e.V, Weight: weight()})
		}
	}
	return newGraph(t, n, edges)
}

// partialTree is a random k-tree from which some edges are missing: every
// vertex is joined to a k-clique, of the recent ones so that it is long.
func partialTree(t testing.TB, n, k, recent int, missing float64, rng *rand.Rand, weight func() float64) *graph.Graph {
	cliques := [][]int{{}}
	for v := range k {
		cliques[0] = append(cliques[0], v)
	}
	var edges []graph.Edge
	put := func(u, v int) {
		if rng.Float64() >= missing {
			edges = append(edges, edge(u, v, weight()))
		}
	}
	for u := range k {
		for v := range u {
			put(u, v)
		}
	}
	for v := k; v < n; v++ {
		c := cliques[max(0, len(cliques)-recent)+rng.IntN(min(recent, len(cliques)))]
		for i, u := range c {
			put(u, v)
			next := append([]int{v}, c[:i]...)
			cliques = append(cliques, append(next, c[i+1:]...))
		}
	}
	return newGraph(t, n, edges)
}

func union(t testing.TB, parts ...*graph.Graph) *graph.Graph {
	var edges []graph.Edge
	n := 0
	for _, g := range parts {
		for v := range int32(g.Len()) {
			to, w := g.Neighbours(v)
			for k, u := range to {
				edges = append(edges, edge(n+int(v), n+int(u), w[k]))
			}
		}
		n += g.Len()
	}
	return newGraph(t, n, edges)
}

// classified is the graphs that every claim is tested on, each about n vertices.
func classified(t testing.TB, n int) (out []subject) {
	rng := rand.New(rand.NewPCG(5, 8))
	random := func() float64 { return 0.1 + rng.Float64() }
	lengths := map[string]func() float64{
		"random": random,
		"equal":  func() float64 { return 1 },
		"few":    func() float64 { return float64(rng.IntN(3)) }, // 0 among them
		"wild":   func() float64 { return math.Exp(12 * (rng.Float64() - 0.5)) },
	}
	for _, name := range []string{"random", "equal", "few", "wild"} {
		w := lengths[name]
		add := func(kind string, g *graph.Graph, width int) {
			out = append(out, subject{kind + " " + name, g, width})
		}
		add("path", randomTree(t, n, 1, rng, w), 1)
		add("long tree", randomTree(t, n, 4, rng, w), 1)
		add("bushy tree", randomTree(t, n, n, rng, w), 1)
		var star []graph.Edge
		for v := 1; v < n; v++ {
			star = append(star, edge(0, v, w()))
		}
		add("star", newGraph(t, n, star), 1)
		add("cycle", cycle(t, n, w), 2)
		add("outerplanar", outerplanar(t, n, rng, w), 2)
		add("series-parallel", seriesParallel(t, n, rng, w), 2)
		add("2 x n", strip(t, 2, n/2, w), 2)
		add("3 x n", strip(t, 3, n/3, w), 3)
		add("4 x n", strip(t, 4, n/4, w), 4)
		add("3-tree", partialTree(t, n, 3, 6, 0, rng, w), 3)
		add("partial 5-tree", partialTree(t, n, 5, 40, 0.4, rng, w), -1)
		add("partial 12-tree", partialTree(t, n, 12, 40, 0.3, rng, w), -1)
	}
	out = append(out,
		subject{"nothing", newGraph(t, 0, nil), -1},
		subject{"one", newGraph(t, 1, nil), 0},
		subject{"two", newGraph(t, 2, []graph.Edge{edge(0, 1, 2)}), 1},
		subject{"apart", newGraph(t, 9, nil), 0},
		subject{"several", union(t, cycle(t, n/3, random), newGraph(t, 3, nil), strip(t, 3, n/9, random), randomTree(t, n/3, 9, rng, random)), 3},
		subject{"clique", partialTree(t, 24, 23, 1, 0, rng, random), 23},
		subject{"heavy rungs", heavyRungs(t, n/2, rng), 2},
	)
	return out
}

// heavyRungs is a ladder on whose rails paths stay, so that they run together
// late.
func heavyRungs(t testing.TB, n int, rng *rand.Rand) *graph.Graph {
	var edges []graph.Edge
	for c := range n {
		edges = append(edges, edge(2*c, 2*c+1, 5+rng.Float64()))
		if c > 0 {
			edges = append(edges, edge(2*c-2, 2*c, 1+rng.Float64()), edge(2*c-1, 2*c+1, 1+rng.Float64()))
		}
	}
	return newGraph(t, 2*n, edges)
}

func masses(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 2))
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.Float64()
	}
	return x
}

// TestEqualsDense is the bar: the same products as with the matrix to 1e-12,
// on every family, with parts cut small and large.
func TestEqualsDense(t *testing.T) {
	race.Alone(t)
	for _, s := range classified(t, 250) {
		t.Run(s.name, func(t *testing.T) {
			d := decompose(t, s.g)
			if s.width >= 0 && d.Width() > s.width {
				t.Errorf("a decomposition of width %d", d.Width())
			}
			n := s.g.Len()
			x, distances := masses(n, 3), make([][]float64, n)
			for i := range distances {
				distances[i] = shortest.From(s.g, int32(i))
			}
			for _, leaf := range []int{1, 5, 0} {
				tree := build(t, s.g, d, Options{LeafSize: leaf})
				for _, share := range []float64{0.2, 0.02} {
					epsilon := share * max(tree.Diameter(), 1)
					k := kernel(t, tree, epsilon)
					worst := 0.0
					for i, y := range linoptest.Must(t, k).MulVec(nil, x) {
						want := 0.0
						for j, d := range distances[i] {
							want += math.Exp(-d/epsilon) * x[j]
						}
						worst = max(worst, math.Abs(y-want)/want)
					}
					if !(worst <= 1e-12) {
						t.Errorf("leaves of %d, epsilon %g: off by %g", leaf, epsilon, worst)
					}
				}
			}
		})
	}
}

func TestKernelKeepsTheContract(t *testing.T) {
	for _, s := range classified(t, 90) {
		t.Run(s.name, func(t *testing.T) {
			if !strings.HasSuffix(s.name, "random") { // lengths share no work
				race.Alone(t)
			}
			tree := build(t, s.g, decompose(t, s.g), Options{LeafSize: 4})
			for _, share := range []float64{0.2, 1e-3} {
				epsilon := share * max(tree.Diameter(), 1)
				linoptest.Kernel(t, kernel(t, tree, epsilon), epsilon)
			}
		})
	}
}
