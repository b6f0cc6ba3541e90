package hub_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"genussink/core/hub/cover"
	"genussink/core/hub/hubtest"
	"genussink/core/hub/label"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/septree"
	"genussink/internal/race"

	"pgregory.net/rapid"
)

// Of every family of graphs, with ties, with edges of hardly any length beside
// others and with several components, in either precision: the cover names for
// every pair one distance that is never too short and too long by at most their
// bound, and all products are those of that distance, at whatever epsilon, whole
// and in shards.
func TestCoverNamesOneDistance(t *testing.T) {
	race.Alone(t)
	shared.Draws(t, 30)
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		g := gengraph.Draw(t)
		n := g.Len()
		tree, err := septree.Split(ctx, g, septree.Options{Leaf: rapid.IntRange(1, 40).Draw(t, "leaf")})
		if err != nil {
			t.Fatal(err)
		}
		precision := rapid.SampledFrom(hubtest.Precisions).Draw(t, "precision")
		l, err := label.Measure(ctx, tree, label.MeasureOptions{Precision: precision})
		if err != nil {
			t.Fatal(err)
		}
		exact, scale := hubtest.Distances(g)
		delta := scale * rapid.SampledFrom([]float64{0, 0, 1e-13, 6e-4, 0.01, 0.1, 0.4, 1e6}).Draw(t, "delta")
		const shards = 3
		covers := make([]*cover.Cover, shards+1) // the whole last
		for p := range covers {
			o := cover.Options{Delta: delta}
			if p < shards {
				o.Shard, o.Shards = p, shards
			}
			if covers[p], err = cover.Build(ctx, l, o); errors.Is(err, label.ErrFloat32) && precision == label.Float32 && delta > 0 && delta <= label.Rounding(l.Reach) {
				return
			} else if err != nil {
				t.Fatal(err)
			}
		}
		bound := covers[shards].Bound()
		sums := 1e-12 * scale                                        // what sums in another order may differ by
		stored := sums + hubtest.Rounded32(precision, 0x1p-20*scale) // and exponentials as they are stored
		// Two epsilons whose kernels are within float64, one whose is far beyond.
		named := hubtest.NamedDistances(t, covers, scale/5)
		again := hubtest.NamedDistances(t, covers, scale/300)
		logs := hubtest.LoggedDistances(t, covers, scale/1e6)
		for i := range n {
			for j, d := range exact[i] {
				x := named[i][j]
				if math.IsInf(d, 1) {
					if !math.IsInf(x, 1) || !math.IsInf(again[i][j], 1) || !math.IsInf(logs[i][j], 1) {
						t.Fatalf("no path leads from %d to %d, and %g, %g, %g are named", i, j, x, again[i][j], logs[i][j])
					}
					continue
				}
				if !(x >= d-delta-sums && x <= d+bound+sums && logs[i][j] >= d-delta-sums && logs[i][j] <= d+bound+sums) {
					t.Fatalf("D(%d,%d) is %g, in logarithms %g, exactly %g, delta %g, bound %g", i, j, x, logs[i][j], d, delta, bound)
				}
				if !(math.Abs(again[i][j]-x) <= stored && math.Abs(logs[i][j]-x) <= stored && math.Abs(named[j][i]-x) <= sums) {
					t.Fatalf("D(%d,%d) is %g, at another epsilon %g, in logarithms %g, from the other side %g", i, j, x, again[i][j], logs[i][j], named[j][i])
				}
			}
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "densities"), 2))
		for _, epsilon := range []float64{scale / 5, scale / 300, scale / 1e6} {
			hubtest.CheckProducts(t, covers, logs, epsilon, sums/epsilon+stored/scale, r)
		}
	})
}
