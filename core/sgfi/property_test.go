package sgfi

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/graph"
	"genussink/core/linop/linoptest"
	"genussink/core/shortest"
)

// TestAnyGraph: on any graph, with any finder and any tree's shape, the kernel
// equals the sum over all pairs, and Integrate too.
func TestAnyGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 60).Draw(t, "n")
		// Small multiples of a half tie, and some are zero.
		lengths := rapid.OneOf(rapid.Map(rapid.IntRange(0, 4), func(i int) float64 { return float64(i) / 2 }), rapid.Float64Range(0, 2))
		edge := rapid.Custom(func(t *rapid.T) graph.Edge {
			vertex := rapid.Int32Range(0, int32(n-1))
			return graph.Edge{U: vertex.Draw(t, "u"), V: vertex.Draw(t, "v"), Weight: lengths.Draw(t, "length")}
		})
		var edges []graph.Edge
		if n > 0 {
			edges = rapid.SliceOfN(edge, 0, 2*n).Draw(t, "edges")
		}
		g, err := graph.New(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := Build(context.Background(), g, Options{
			Finder:   rapid.SampledFrom([]string{"", "level-set"}).Draw(t, "finder"),
			Balance:  rapid.SampledFrom([]float64{0, 0.05, 0.4}).Draw(t, "balance"),
			LeafSize: rapid.IntRange(1, 10).Draw(t, "leaf size"),
			Depth:    rapid.IntRange(0, 4).Draw(t, "depth"),
		})
		if err != nil {
			t.Fatal(err)
		}
		epsilon := rapid.SampledFrom([]float64{0.5, 0.005}).Draw(t, "epsilon")
		k, err := NewKernel(context.Background(), tree, epsilon, KernelOptions{})
		if err != nil {
			t.Fatal(err)
		}
		x := masses(n, 1)
		product, streamed := linoptest.Must(t, k).MulVec(nil, x), linoptest.Value(tree.Integrate(context.Background(), nil, x, func(d float64) float64 { return math.Exp(-d / epsilon) }))(t)
		for i := range product {
			want := 0.0
			for j, d := range shortest.From(g, int32(i)) {
				want += math.Exp(-d/epsilon) * x[j]
			}
			if math.Abs(product[i]-want) > 1e-12*want {
				t.Fatalf("element %d is %v, want %v", i, product[i], want)
			}
			// The subtraction of Algorithm 1 leaves an error relative to what is subtracted, at most all the mass once per level.
			if math.Abs(streamed[i]-want) > 1e-12*(want+float64(n)) {
				t.Fatalf("Integrate: element %d is %v, want %v", i, streamed[i], want)
			}
		}
	})
}
