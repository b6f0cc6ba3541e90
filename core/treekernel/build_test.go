package treekernel

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/graph"
	"genussink/core/internal/growth"
	"genussink/core/internal/shared"
	"genussink/core/linop"
	"genussink/core/linop/linoptest"
	"genussink/core/shortest"
	"genussink/core/treedec"
)

// TestChordalHasTheDistances: an edge between two vertices of a bag is as long
// as their distance.
func TestChordalHasTheDistances(t *testing.T) {
	for _, s := range classified(t, 150) {
		c, err := newChordal(context.Background(), s.g, decompose(t, s.g), 0)
		if err != nil {
			t.Fatal(err)
		}
		for v := range int32(c.len()) {
			far := shortest.From(s.g, c.order[v])
			if p := c.parent[v]; p >= 0 && (len(c.above(v)) == 0 || c.above(v)[0] != p) {
				t.Fatalf("%s: %d hangs on %d, the first of %v", s.name, v, p, c.above(v))
			}
			for i, u := range c.above(v) {
				if want := far[c.order[u]]; math.Abs(c.lengths(v)[i]-want) > 1e-14*want {
					t.Fatalf("%s: %d to %d is %v, want %v", s.name, v, u, c.lengths(v)[i], want)
				}
			}
		}
	}
}

// TestEveryPairOnce: with lengths of 0 an entry counts the ways from one vertex to
// another, of which the program must have exactly one.
func TestEveryPairOnce(t *testing.T) {
	for _, s := range classified(t, 200) {
		for _, leaf := range []int{1, 3, 0} {
			tree := build(t, s.g, decompose(t, s.g), Options{LeafSize: leaf})
			k := kernel(t, tree, 1)
			for i := range k.factors {
				for _, f := range [][]float64{k.factors[i].up, k.factors[i].pairs, k.factors[i].blocks} {
					for n := range f {
						f[n] = 1
					}
				}
			}
			component, count := s.g.Components()
			size := make([]float64, count)
			x := make([]float64, s.g.Len())
			for v, c := range component {
				x[v] = 1
				size[c]++
			}
			for v, y := range linoptest.Must(t, k).MulVec(nil, x) {
				if y != size[component[v]] {
					t.Fatalf("%s, leaves of %d: %g vertices meet %d, want %g", s.name, leaf, y, v, size[component[v]])
				}
			}
		}
	}
}

// TestRangeSearch holds range searching against brute force on one to five
// hubs, with distances in general position and full of ties.
func TestRangeSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	random := rng.Float64
	few := func() float64 { return float64(rng.IntN(4)) }
	const rows, cols = 130, 90
	for s := 1; s <= 5; s++ {
		for name, draw := range map[string]func() float64{"random": random, "ties": few} {
			fill := func(n int) []float64 {
				out := make([]float64, n)
				for i := range out {
					out[i] = draw()
				}
				return out
			}
			a, b := fill(rows*s), fill(cols*s)
			tree := &Tree{n: rows + cols, part: make([]int32, rows+cols)}
			p := &tree.top
			p.slot(rows + cols)
			for v := range int32(rows + cols) {
				p.homes = append(p.homes, v)
			}
			r := ranged{p: p, hubs: s, row: 0, col: rows, a: a, b: b}
			if r.cross(context.Background(), 10) || p.slots != rows+cols || len(p.up.ends)+len(p.pairs.ends) > 0 {
				t.Fatalf("%s, %d hubs: 10 steps were enough, or some are left", name, s)
			}
			if !r.cross(context.Background(), math.MaxInt) {
				t.Fatal("gave up")
			}
			tree.slots = int(p.slots)
			tree.address()
			k := kernel(t, tree, 1)
			for j := range cols {
				x := make([]float64, rows+cols)
				x[rows+j] = 1
				for i, y := range linoptest.Must(t, k).MulVec(nil, x)[:rows] {
					want := math.Inf(1)
					for l := range s {
						want = min(want, a[i*s+l]+b[j*s+l])
					}
					if want = math.Exp(-want); math.Abs(y-want) > 1e-14*want {
						t.Fatalf("%s, %d hubs: the entry %d, %d is %v, want %v", name, s, i, j, y, want)
					}
				}
			}
		}
	}
}

// TestFormsAreUsed: each form of cross_compute is the one that runs somewhere.
func TestFormsAreUsed(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, c := range []struct {
		g    *graph.Graph
		used func(r Report) int
	}{
		{randomTree(t, 3000, 3000, rng, rng.Float64), func(r Report) int { return r.Single }},
		{strip(t, 3, 1000, rng.Float64), func(r Report) int { return r.Pairs }},
		{cycle(t, 6000, rng.Float64), func(r Report) int { return r.Range }},
		{prism(t, 3000, rng), func(r Report) int { return r.Range }}, // three hubs
	} {
		tree := build(t, c.g, decompose(t, c.g), Options{})
		if r := tree.Report(); c.used(r) == 0 {
			t.Errorf("%+v", r)
		}
		checkRow(t, c.g, kernel(t, tree, 0.2*tree.Diameter()), 17)
	}
}

// prism is three paths of random lengths between two vertices, their vertices
// joined by nothing: no two paths run together before the ends.
func prism(t testing.TB, n int, rng *rand.Rand) *graph.Graph {
	var edges []graph.Edge
	for v := 3; v < n; v++ {
		edges = append(edges, edge(v-3, v, rng.Float64()))
	}
	edges = append(edges, edge(0, 1, 1), edge(1, 2, 1), edge(n-3, n-2, 1), edge(n-2, n-1, 1))
	return newGraph(t, n, edges)
}

// checkRow checks a row of the kernel against Dijkstra.
func checkRow(t testing.TB, g *graph.Graph, k *Kernel, i int) {
	t.Helper()
	x := make([]float64, g.Len())
	x[i] = 1
	y := linoptest.Must(t, k).MulVec(nil, x)
	for v, d := range shortest.From(g, int32(i)) {
		if want := math.Exp(-d / k.epsilon); math.Abs(y[v]-want) > 1e-12*want {
			t.Fatalf("entry %d, %d is %v, want %v", i, v, y[v], want)
		}
	}
}

// TestAnyGraph: on any graph with any order, the kernel is the matrix's.
func TestAnyGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 60).Draw(t, "n")
		lengths := rapid.OneOf(rapid.Map(rapid.IntRange(0, 4), func(i int) float64 { return float64(i) / 2 }), rapid.Float64Range(0, 2))
		var edges []graph.Edge
		if n > 0 {
			vertex := rapid.Int32Range(0, int32(n-1))
			edges = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) graph.Edge {
				return graph.Edge{U: vertex.Draw(t, "u"), V: vertex.Draw(t, "v"), Weight: lengths.Draw(t, "length")}
			}), 0, 2*n).Draw(t, "edges")
		}
		g, err := graph.New(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		order, err := treedec.Order(context.Background(), g, treedec.MinDegree, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		d, err := treedec.FromOrder(g, order)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := Build(context.Background(), g, d, Options{LeafSize: rapid.IntRange(0, 9).Draw(t, "leaf size")})
		if err != nil {
			t.Fatal(err)
		}
		epsilon := rapid.SampledFrom([]float64{0.5, 0.005}).Draw(t, "epsilon")
		k, err := NewKernel(context.Background(), tree, epsilon, 0)
		if err != nil {
			t.Fatal(err)
		}
		x := masses(n, 1)
		for i, y := range linoptest.Must(t, k).MulVec(nil, x) {
			want := 0.0
			for j, d := range shortest.From(g, int32(i)) {
				want += math.Exp(-d/epsilon) * x[j]
			}
			if math.Abs(y-want) > 1e-12*want {
				t.Fatalf("element %d is %v, want %v", i, y, want)
			}
		}
	})
}

// TestAnyDecompositionWillDo: a decomposition of another graph gives no wrong
// answers, only width.
func TestAnyDecompositionWillDo(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	g := cycle(t, 200, rng.Float64)
	d := decompose(t, randomTree(t, 200, 200, rng, rng.Float64))
	tree := build(t, g, d, Options{})
	checkRow(t, g, kernel(t, tree, tree.Diameter()), 3)
}

func TestBuildRefuses(t *testing.T) {
	ctx := context.Background()
	g := strip(t, 2, 100, func() float64 { return 1 })
	d := decompose(t, g)
	for name, bad := range map[string]*treedec.Decomposition{
		"of fewer vertices": decompose(t, strip(t, 2, 99, func() float64 { return 1 })),
		"of none":           {},
		"no tree":           {Vertices: 200, Bags: d.Bags, Tree: d.Tree[1:]},
		"of one bag twice":  {Vertices: 200, Bags: [][]int32{d.Bags[0], d.Bags[0]}, Tree: [][2]int32{{0, 1}}},
	} {
		if _, err := Build(ctx, g, bad, Options{}); err == nil {
			t.Errorf("a decomposition %s: no error", name)
		}
	}
	if _, err := Build(ctx, g, d, Options{LeafSize: -1}); err == nil {
		t.Error("leaf size -1: no error")
	}
	long := newGraph(t, 3, []graph.Edge{edge(0, 1, math.MaxFloat64/10), edge(1, 2, math.MaxFloat64/10)})
	if _, err := Build(ctx, long, decompose(t, long), Options{}); err == nil {
		t.Error("lengths whose sums float64 may not hold: no error")
	}
	var memory *linop.MemoryError
	for _, limit := range []int64{100, 5000, build(t, g, d, Options{}).Bytes() - 1} {
		if _, err := Build(ctx, g, d, Options{MemoryLimit: limit}); !errors.As(err, &memory) || memory.Need <= limit || memory.Limit != limit {
			t.Errorf("a limit of %d bytes: %v", limit, err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Build(cancelled, g, d, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestNewKernelRefuses(t *testing.T) {
	g := strip(t, 2, 100, func() float64 { return 1 })
	tree := build(t, g, decompose(t, g), Options{})
	for _, epsilon := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := NewKernel(context.Background(), tree, epsilon, 0); err == nil {
			t.Errorf("epsilon %g: no error", epsilon)
		}
	}
	need := kernel(t, tree, 1).Bytes()
	var memory *linop.MemoryError
	if _, err := NewKernel(context.Background(), tree, 1, need-1); !errors.As(err, &memory) || memory.Need != need {
		t.Errorf("a byte too few: %v", err)
	}
	if _, err := NewKernel(context.Background(), tree, 1, need); err != nil {
		t.Error(err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewKernel(cancelled, tree, 1, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestProgress(t *testing.T) {
	g := strip(t, 3, 2000, func() float64 { return 1 })
	last := 0.0
	build(t, g, decompose(t, g), Options{Progress: func(stage string, fraction float64) {
		if stage != "tree" || fraction < last || fraction > 1 {
			t.Errorf("%s %g after %g", stage, fraction, last)
		}
		last = fraction
	}})
	if last < 0.9 {
		t.Errorf("ended at %g", last)
	}
}

func TestAnswersDoNotDependOnProcessors(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	g := strip(t, 3, 2000, rng.Float64)
	d := decompose(t, g)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var want [4][]float64
	for i, procs := range []int{1, 3, 8} {
		runtime.GOMAXPROCS(procs)
		tree := build(t, g, d, Options{})
		k := kernel(t, tree, 0.05*tree.Diameter())
		x := masses(g.Len(), 9)
		got := [4][]float64{linoptest.Must(t, k).MulVec(nil, x), linoptest.Must(t, k).LogMulVec(nil, x), {linoptest.Must(t, k).PlanCost(x, x), tree.Diameter()}, linoptest.Must(t, k).Distances(nil, 5)}
		if i == 0 {
			want = got
		}
		for j := range want {
			if !slices.Equal(got[j], want[j]) {
				t.Errorf("GOMAXPROCS %d: answer %d differs", procs, j)
			}
		}
	}
}

// TestSizeIsNearLinear: what a product does, counted, from 4,000 to 32,000
// vertices.
func TestSizeIsNearLinear(t *testing.T) {
	shared.Long(t)
	for _, f := range families(t) {
		var sizes, steps []float64
		for _, n := range []int{4_000, 32_000} {
			g := f.make(n)
			tree := build(t, g, decompose(t, g), Options{})
			count := 0
			for i := range len(tree.parts) + 1 {
				p := tree.program(i)
				count += len(p.up.ends) + len(p.pairs.ends) + len(p.dist)
			}
			sizes, steps = append(sizes, float64(n)), append(steps, float64(count))
		}
		if e := growth.Power(sizes, steps); e > f.bound {
			t.Errorf("%s: the steps %v of %v vertices grow with the power %.3f, at most %g", f.name, steps, sizes, e, f.bound)
		}
	}
}

// TestTimeIsNearLinear: 16 times the vertices take less than 16^1.4 = 48 times
// as much of one processor, where a matrix would take 256 times. BenchmarkTreeKernel measures the power. The sizes take turns
// and the least times count, for a machine may slow down by half at any time: so there are three turns, and up to 20
// where three show more.
func TestTimeIsNearLinear(t *testing.T) {
	shared.Long(t)
	shared.OneProcessor(t)
	const bound = 1.4
	for _, f := range families(t)[:3] {
		var least [2][3]float64 // by size: of the set-up, a product and one of logarithms
		var powers [3]float64
		for turn := 0; turn < 3 || turn < 20 && slices.Max(powers[:]) > bound; turn++ {
			for size, n := range []int{2_000, 32_000} {
				m, _, _ := measure(t, shared.Processor, f.make(n), 1)
				for i, seconds := range [3]float64{m.order + m.build + m.kernel, m.multiply, m.logs} {
					if turn == 0 || seconds < least[size][i] {
						least[size][i] = seconds
					}
				}
			}
			for i := range powers {
				powers[i] = math.Log2(least[1][i]/least[0][i]) / 4
			}
		}
		for i, what := range [3]string{"set-up", "a product", "a product of logarithms"} {
			if powers[i] > bound {
				t.Errorf("%s: %s grows with the power %.2f", f.name, what, powers[i])
			}
		}
	}
}
