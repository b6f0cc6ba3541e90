package hub_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"genussink/core/graph"
	"genussink/core/hub/cover"
	"genussink/core/hub/hubtest"
	"genussink/core/hub/label"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/linop/linoptest"
	"genussink/core/septree"
	"genussink/core/shortest"
	"genussink/internal/race"
)

// aggregated are graphs large enough for separator blocks, and for aggregates at a delta of a share of the reach.
func aggregated(t testing.TB) map[string]*graph.Graph {
	_, sphere := genmesh.Make(t, "sphere", map[string]float64{"frequency": 9})
	return map[string]*graph.Graph{"grid": gengraph.Grid(t, 40, 25, 0, 1), "noisy grid": gengraph.Grid(t, 34, 30, 0.3, 2), "sphere": sphere}
}

// Aggregates and separator blocks are there; every entry, the products in logarithms and the cost are
// those of one matrix of distances within the bound, none negative; and shards add up to it.
func TestAggregates(t *testing.T) {
	race.Alone(t)
	for name, g := range aggregated(t) {
		if testing.Short() && name != "noisy grid" {
			continue
		}
		n := g.Len()
		for _, p := range hubtest.Precisions {
			l := hubtest.LabelsOf(t, g, septree.Options{}, p)
			for _, share := range []float64{0.03, 0.2} {
				if (share == 0.2) == (name == "grid") == (p == label.Float64) {
					continue // half of all: every two of graph, precision and share meet
				}
				delta := share * l.Reach
				cov := hubtest.BuildCover(t, l, delta)
				if len(cov.Aggregates) == 0 || len(cov.SeparatorBlocks) == 0 {
					t.Errorf("%s, delta %g: %d aggregates, %d separator blocks", name, share, len(cov.Aggregates), len(cov.SeparatorBlocks))
				}
				epsilon := l.Reach / 5
				k := hubtest.KernelOf(t, cov, epsilon)
				rng := rand.New(rand.NewPCG(5, 5))
				x, logs, logu := make([]float64, n), make([]float64, n), make([]float64, n)
				for i := range n {
					logs[i], logu[i] = -3*rng.Float64(), -3*rng.Float64()
				}
				y, logy, cost := make([]float64, n), make([]float64, n), 0.0
				exact := shortest.NewSolver(g)
				for j, column := range hubtest.Columns(t, k) {
					for i, d := range exact.Distances(nil, int32(j)) {
						got := -epsilon * math.Log(column[i])
						if math.Abs(got-d) > cov.Bound()*(1+1e-12) || got < -1e-12*delta {
							t.Fatalf("%s, %v, delta %g: the distance of %d and %d is %g, exact %g", name, p, delta, i, j, got, d)
						}
						y[i] += column[i] * math.Exp(logs[j])
						cost += math.Exp(logu[i]) * column[i] * got * math.Exp(logs[j])
					}
				}
				for i := range n {
					x[i] = math.Exp(logs[i])
				}
				near := func(what string, got, want float64) {
					if !(math.Abs(got-want) <= (1e-11+hubtest.Rounded32(l.FactorPrecision(epsilon), 0x1p-20))*math.Abs(want)) {
						t.Fatalf("%s, %v, delta %g: %s is %g, entry by entry %g", name, p, delta, what, got, want)
					}
				}
				product := linoptest.Must(t, k).MulVec(nil, x)
				linoptest.Must(t, k).LogMulVec(logy, logs)
				for i, want := range y {
					near("a product", product[i], want)
					near("a product in logarithms", math.Exp(logy[i]), want)
				}
				hubtest.CheckRows(t, k, epsilon, x, logs)
				hubtest.CheckDraws(t, k, epsilon, logs, false, 1)
				hubtest.CheckDraws(t, k, epsilon, logs, true, 2)
				near("the cost", linoptest.Must(t, k).PlanCost(logu, logs), cost)
				u := make([]float64, n)
				for i, l := range logu {
					u[i] = math.Exp(l)
				}
				ku, kx := make([]float64, n), make([]float64, n)
				near("the cost with the products", linoptest.Must(t, k).MulPlan(ku, kx, u, x), cost)
				for i, want := range linoptest.Must(t, k).MulVec(nil, u) {
					near("a product with the cost", ku[i], want)
					near("the other product with the cost", kx[i], y[i])
				}
				far := hubtest.KernelOf(t, cov, l.Reach/2000) // beyond float64
				hubtest.CheckDraws(t, far, l.Reach/2000, logs, true, 3)
				if want := linoptest.Must(t, far).PlanCost(logu, logs); !(want > 0) {
					t.Errorf("%s, %v, delta %g: the cost beyond float64 is %g", name, p, delta, want)
				}
				sum, costs := make([]float64, n), 0.0
				const shards = 3
				for shard := range shards {
					own, err := cover.Build(context.Background(), l, cover.Options{Delta: delta, Shard: shard, Shards: shards})
					if err != nil {
						t.Fatal(err)
					}
					k := hubtest.KernelOf(t, own, epsilon)
					for i, y := range linoptest.Must(t, k).MulVec(nil, x) {
						sum[i] += y
					}
					hubtest.CheckRows(t, k, epsilon, x, logs)
					hubtest.CheckDraws(t, k, epsilon, logs, shard == 0, 4)
					costs += linoptest.Must(t, k).PlanCost(logu, logs)
				}
				for i, want := range product {
					near("a product in shards", sum[i], want)
				}
				near("the cost in shards", costs, cost)
			}
		}
	}
}
