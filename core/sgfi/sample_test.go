package sgfi

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/graph"
	"genussink/core/linop/linoptest"
	"genussink/core/shortest"
	"genussink/internal/race"
)

// A sampled tree's distances are never too short, join what is joined and
// nothing else, and are what its kernel multiplies with.
func TestSampledBounds(t *testing.T) {
	race.Alone(t)
	rng := rand.New(rand.NewPCG(7, 8))
	random := func() float64 { return 0.5 + rng.Float64() }
	subjects := append(classified(t),
		subject{name: "star of paths", g: union(t, star(t, 12, 20, random), path(t, 30, random))})
	for at, s := range subjects {
		for _, sample := range []Sample{{}, {Keep: 1, Seed: 3}, {Keep: 2, Farthest: true, Seed: 4}} {
			if s.g.Len() > 250 && sample.Seed > 0 {
				continue // to be quick
			}
			tree := build(t, s.g, Options{LeafSize: 8, Positions: s.positions, Sample: &sample})
			checkSampled(t, s.name, s.g, tree)
			if d := tree.Diameter(); d > 0 && sample.Seed == 0 {
				epsilon := d / []float64{5, 2000}[at%2]
				linoptest.Kernel(t, kernel(t, tree, epsilon, KernelOptions{}), epsilon)
			}
		}
	}
}

func checkSampled(t linoptest.T, name string, g *graph.Graph, tree *Tree) {
	t.Helper()
	n := g.Len()
	solver := shortest.NewSolver(g)
	var want, got []float64
	for i := range int32(n) {
		want, got = solver.Distances(want, i), linoptest.Value(tree.Distances(context.Background(), got, int(i)))(t)
		for j, d := range got {
			w := want[j]
			if !(d >= w*(1-1e-12)) || math.IsInf(d, 1) != math.IsInf(w, 1) || d != tree.Distance(i, int32(j)) || (int(i) == j) != (d == 0) && w > 0 {
				t.Fatalf("%s: distance %d-%d is %g (alone %g), the true one %g", name, i, j, d, tree.Distance(i, int32(j)), w)
			}
			if !math.IsInf(d, 1) && d > tree.Diameter() {
				t.Fatalf("%s: distance %g beyond the diameter %g", name, d, tree.Diameter())
			}
		}
	}
}

// star is a centre with arms: what a sample leaves out of it is cut off.
func star(t testing.TB, arms, length int, weight func() float64) *graph.Graph {
	var edges []graph.Edge
	n := 1
	for range arms {
		for k := range length {
			from := n - 1
			if k == 0 {
				from = 0
			}
			edges = append(edges, graph.Edge{U: int32(from), V: int32(n), Weight: weight()})
			n++
		}
	}
	return newGraph(t, n, edges)
}

func TestSampledAnyGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 50).Draw(t, "n")
		vertex := rapid.Int32Range(0, int32(n-1))
		edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) graph.Edge {
			return graph.Edge{U: vertex.Draw(t, "u"), V: vertex.Draw(t, "v"), Weight: float64(rapid.IntRange(0, 4).Draw(t, "length")) / 2}
		}), 0, 2*n).Draw(t, "edges")
		g, err := graph.New(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := Build(t.Context(), g, Options{
			LeafSize: rapid.IntRange(1, 6).Draw(t, "leaf"),
			Balance:  0.1,
			Sample: &Sample{
				Keep:     rapid.IntRange(1, 4).Draw(t, "keep"),
				Farthest: rapid.Bool().Draw(t, "farthest"),
				Seed:     rapid.Uint64().Draw(t, "seed"),
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		checkSampled(t, "drawn", g, tree)
	})
}

// Keeping everything is no sample, and vertices far apart beat random ones.
func TestSampledAccuracy(t *testing.T) {
	race.Alone(t)
	s := icosphere(t, 3)
	off := func(sample *Sample) (sum float64) {
		tree := build(t, s.g, Options{Positions: s.positions, Sample: sample})
		for i := int32(0); i < int32(s.g.Len()); i += 10 {
			want := shortest.From(s.g, i)
			for j, d := range linoptest.Value(tree.Distances(t.Context(), nil, int(i)))(t) {
				sum += d - want[j]
			}
		}
		return sum
	}
	if e := off(&Sample{Keep: 1000}); math.Abs(e) > 1e-9 {
		t.Errorf("all separator vertices kept: distances off by %g in all", e)
	}
	var random, farthest []float64
	for seed := range uint64(9) {
		random, farthest = append(random, off(&Sample{Keep: 6, Seed: seed})), append(farthest, off(&Sample{Keep: 6, Seed: seed, Farthest: true}))
	}
	slices.Sort(random)
	slices.Sort(farthest)
	t.Logf("error with random vertices %.3g, with vertices far apart %.3g (medians of 9)", random[4], farthest[4])
	if farthest[4] > 0.8*random[4] {
		t.Errorf("vertices far apart: error %g, random %g", farthest[4], random[4])
	}
	if random[0] == random[8] {
		t.Error("the seed makes no difference")
	}
}

func TestSampledRepeats(t *testing.T) {
	s := icosphere(t, 3)
	x := masses(s.g.Len(), 2)
	var first []float64
	for _, processors := range []int{1, 4} {
		before := runtime.GOMAXPROCS(processors)
		y := linoptest.Must(t, kernel(t, build(t, s.g, Options{Positions: s.positions, Sample: &Sample{Seed: 5}}), 0.5, KernelOptions{})).MulVec(nil, x)
		runtime.GOMAXPROCS(before)
		if first == nil {
			first = y
		}
		if !slices.Equal(first, y) {
			t.Errorf("with %d processors another product", processors)
		}
	}
	if _, err := Build(t.Context(), s.g, Options{Sample: &Sample{Keep: -1}}); err == nil {
		t.Error("a sample of -1 is taken")
	}
	for n, want := range map[int]int{0: 1, 1: 1, 2: 1, 16: 2, 3000: 4, 10000: 4, 134345: 4, 1 << 30: 5} {
		if got := LogLog(n); got != want {
			t.Errorf("log log %d is %d, not %d", n, got, want)
		}
	}
}
