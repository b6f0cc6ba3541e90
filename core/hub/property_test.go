package hub_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"genussink/core/graph"
	"genussink/core/hub/cover"
	"genussink/core/hub/hubtest"
	"genussink/core/hub/label"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/septree"
	"genussink/core/shortest"

	"pgregory.net/rapid"
)

// On any graph, with ties, edges without length and several components, in
// either precision, every entry of the kernel is within its bound of the true one,
// above it only where there is a tolerance, and no entry is below the floor. The bound
// is delta, or the rounding of float32 where that is 0: 2^-20 of the reach is more.
func TestEveryEntryIsWithinItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) graph.Edge {
			return graph.Edge{
				U:      int32(rapid.IntRange(0, n-1).Draw(t, "u")),
				V:      int32(rapid.IntRange(0, n-1).Draw(t, "v")),
				Weight: rapid.SampledFrom([]float64{0, 1e-9, 1, 1, 2, 0.7, 3.25, 0.1}).Draw(t, "w"),
			}
		}), 0, 4*n).Draw(t, "edges")
		g, err := graph.New(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		delta := rapid.SampledFrom([]float64{0, 1e-6, 0.5, 1, 3}).Draw(t, "delta")
		epsilon := rapid.SampledFrom([]float64{0.05, 0.5, 2}).Draw(t, "epsilon")
		ctx := context.Background()
		o := septree.Options{
			Leaf:   rapid.IntRange(1, 9).Draw(t, "leaf"),
			Depth:  rapid.IntRange(0, 3).Draw(t, "depth"),
			Finder: rapid.SampledFrom([]string{"", "level-set"}).Draw(t, "finder"),
		}
		tree, err := septree.Split(ctx, g, o)
		if rapid.Bool().Draw(t, "along") {
			tree, err = septree.Along(ctx, g, gengraph.Decomposition(t, g), o)
		}
		if err != nil {
			t.Fatal(err)
		}
		precision := rapid.SampledFrom(hubtest.Precisions).Draw(t, "precision")
		l, err := label.Measure(ctx, tree, label.MeasureOptions{Precision: precision})
		if err != nil {
			t.Fatal(err)
		}
		cov, err := cover.Build(ctx, l, cover.Options{Delta: delta})
		if errors.Is(err, label.ErrFloat32) && precision == label.Float32 && delta > 0 && delta <= label.Rounding(l.Reach) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		bound := cov.Bound()
		if delta > 0 && bound != delta || delta == 0 && precision == label.Float64 && bound != 0 || delta == 0 && bound > 0x1p-20*l.Reach+0x1p-140 {
			t.Fatalf("the bound of delta %g is %g", delta, bound)
		}
		k := hubtest.KernelOf(t, cov, epsilon)
		for j, got := range hubtest.Columns(t, k) {
			for i, d := range shortest.From(g, int32(j)) {
				most := math.Exp(-d / epsilon)
				if !hubtest.Holds(cov, got[i], most, epsilon, delta) {
					t.Fatalf("K(%d,%d) = %g, exact %g, bound %g", i, j, got[i], most, bound)
				}
				if got[i] > 0 && math.Log(got[i]) < k.LogFloor()-1e-12 {
					t.Fatalf("K(%d,%d) = %g is below the floor exp(%g)", i, j, got[i], k.LogFloor())
				}
			}
		}
	})
}
