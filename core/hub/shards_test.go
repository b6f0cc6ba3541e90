package hub_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"genussink/core/hub"
	"genussink/core/hub/cover"
	"genussink/core/hub/hubtest"
	"genussink/core/hub/label"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/linop/linoptest"
	"genussink/core/septree"
)

// The shards of a kernel, each made from labels that went through a Snapshot, add up
// to the whole: products, products of logarithms and costs.
func TestShards(t *testing.T) {
	const shards, epsilon = 3, 2.0
	for name, g := range gengraph.All(t) {
		n := g.Len()
		l := hubtest.LabelsOf(t, g, septree.Options{Leaf: 8}, hubtest.Precisions[n%2])
		whole := hubtest.KernelOf(t, hubtest.BuildCover(t, l, 0.1), epsilon)
		rng := rand.New(rand.NewPCG(4, 4))
		x, logs := make([]float64, n), make([]float64, n)
		for i := range n {
			logs[i] = -3 * rng.Float64()
			x[i] = math.Exp(logs[i])
		}
		sum, tops, cost := make([]float64, n), make([]float64, n), 0.0
		for shard := range shards {
			copied, err := l.Snapshot().Labels()
			if err != nil {
				t.Fatal(err)
			}
			cov, err := cover.Build(context.Background(), copied, cover.Options{Delta: 0.1, Shard: shard, Shards: shards})
			if err != nil {
				t.Fatal(err)
			}
			k := hubtest.KernelOf(t, cov, epsilon)
			for i, y := range linoptest.Must(t, k).MulVec(nil, x) {
				sum[i] += y
			}
			for i, y := range linoptest.Must(t, k).LogMulVec(nil, logs) {
				tops[i] += math.Exp(y)
			}
			cost += linoptest.Must(t, k).PlanCost(logs, logs)
		}
		if want := linoptest.Must(t, whole).PlanCost(logs, logs); math.Abs(cost-want) > 1e-12*want {
			t.Errorf("%s: cost %g in shards, %g whole", name, cost, want)
		}
		for i, want := range linoptest.Must(t, whole).MulVec(nil, x) {
			// Logarithms are of labels, not of factors, which may be float32.
			if math.Abs(sum[i]-want) > 1e-12*want || math.Abs(tops[i]-want) > (1e-12+hubtest.Rounded32(l.FactorPrecision(epsilon), 0x1p-20))*want {
				t.Fatalf("%s: row %d is %g in shards, %g through logarithms, %g whole", name, i, sum[i], tops[i], want)
			}
		}
	}
}

// Broken slices are errors, never panics.
func FuzzSnapshot(f *testing.F) {
	goods := [2]label.Snapshot{}
	for i, p := range hubtest.Precisions {
		goods[i] = hubtest.LabelsOf(f, gengraph.Grid(f, 9, 7, 0.3, 1), septree.Options{Leaf: 4}, p).Snapshot()
	}
	f.Add(uint8(0), 0, 0)
	f.Add(uint8(1), 3, 1<<30)
	f.Add(uint8(2), 5, -1)
	f.Add(uint8(3), 2, 7)
	f.Add(uint8(15), 2, 7)
	f.Fuzz(func(t *testing.T, field uint8, at, value int) {
		good := goods[field/8%2]
		broken := label.Snapshot{Order: slices.Clone(good.Order), Sizes: slices.Clone(good.Sizes), Hubs: slices.Clone(good.Hubs), Long: slices.Clone(good.Long), Short: slices.Clone(good.Short)}
		cut := func(n int) int { return (at%max(1, n) + n) % max(1, n) }
		lists := [3]*[]int32{&broken.Order, &broken.Sizes, &broken.Hubs}
		if field %= 8; field < 3 {
			list := *lists[field]
			list[(at%len(list)+len(list))%len(list)] = int32(value)
		} else if field < 6 {
			list := lists[field-3]
			*list = (*list)[:(at%len(*list)+len(*list))%len(*list)]
		} else {
			if at%2 == 0 {
				broken.Long = broken.Long[:cut(len(broken.Long))]
				broken.Short = broken.Short[:cut(len(broken.Short))]
			}
			if i := cut(len(broken.Long)); i < len(broken.Long) {
				broken.Long[i] = broken.Long[i][:len(broken.Long[i])/2]
			}
			if i := cut(len(broken.Short)); i < len(broken.Short) {
				broken.Short[i] = broken.Short[i][:len(broken.Short[i])/2]
			}
		}
		got, err := broken.Labels()
		if err != nil {
			return
		}
		cov, err := cover.Build(context.Background(), got, cover.Options{})
		if err != nil {
			t.Fatal(err)
		}
		k, err := hub.NewKernel(context.Background(), cov, 1)
		if err != nil {
			t.Fatal(err)
		}
		linoptest.Must(t, k).MulVec(nil, make([]float64, got.Len()))
	})
}
