package hub

import (
	"context"
	"math"
	"testing"

	"genussink/core/graph"
	"genussink/core/shortest"

	"pgregory.net/rapid"
)

// On any graph, with ties, edges without length and several components, every
// entry of the kernel lies between exp(-delta/epsilon) times the true one and
// the true one, and no entry is below the floor.
func TestEveryEntryIsWithinItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) graph.Edge {
			return graph.Edge{
				U:      int32(rapid.IntRange(0, n-1).Draw(t, "u")),
				V:      int32(rapid.IntRange(0, n-1).Draw(t, "v")),
				Weight: rapid.SampledFrom([]float64{0, 1e-9, 1, 1, 2, 0.7, 3.25}).Draw(t, "w"),
			}
		}), 0, 4*n).Draw(t, "edges")
		g, err := graph.New(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		delta := rapid.SampledFrom([]float64{0, 1e-6, 0.5, 1, 3}).Draw(t, "delta")
		epsilon := rapid.SampledFrom([]float64{0.5, 2}).Draw(t, "epsilon")
		ctx := context.Background()
		tree, err := Split(ctx, g, Options{
			Leaf:   rapid.IntRange(1, 9).Draw(t, "leaf"),
			Depth:  rapid.IntRange(0, 3).Draw(t, "depth"),
			Finder: rapid.SampledFrom([]string{"", "level-set"}).Draw(t, "finder"),
		})
		if err != nil {
			t.Fatal(err)
		}
		l, err := Measure(ctx, tree, MeasureOptions{})
		if err != nil {
			t.Fatal(err)
		}
		tiles, err := Walk(ctx, l, WalkOptions{Delta: delta})
		if err != nil {
			t.Fatal(err)
		}
		k, err := NewKernel(ctx, tiles, epsilon)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, n)
		for j := range n {
			clear(x)
			x[j] = 1
			got := k.MulVec(nil, x)
			for i, d := range shortest.From(g, int32(j)) {
				most := math.Exp(-d / epsilon)
				if got[i] > most*(1+1e-12) || got[i] < most*math.Exp(-delta/epsilon)*(1-1e-12) {
					t.Fatalf("K(%d,%d) = %g, exact %g, delta %g", i, j, got[i], most, delta)
				}
				if got[i] > 0 && math.Log(got[i]) < k.LogFloor()-1e-12 {
					t.Fatalf("K(%d,%d) = %g is below the floor exp(%g)", i, j, got[i], k.LogFloor())
				}
			}
		}
	})
}
