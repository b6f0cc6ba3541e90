package hub

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/hub/label"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/linop/linoptest"
	"genussink/core/septree"
	"genussink/core/shortest"
)

// bundled are graphs large enough for fans, and for bundles at a delta of a share of the reach.
func bundled(t testing.TB) map[string]*graph.Graph {
	_, sphere := genmesh.Make(t, "sphere", map[string]float64{"frequency": 9})
	return map[string]*graph.Graph{"grid": gengraph.Grid(t, 40, 25, 0, 1), "noisy grid": gengraph.Grid(t, 34, 30, 0.3, 2), "sphere": sphere}
}

// Bundles and fans are there; every entry, the products in logarithms and the cost are
// those of one matrix of distances within the bound, none negative; and parts add up to it.
func TestBundles(t *testing.T) {
	shared.Alone(t)
	for name, g := range bundled(t) {
		n := g.Len()
		for _, p := range precisions {
			l := labelsOf(t, g, septree.Options{}, p)
			for _, share := range []float64{0.03, 0.2} {
				if (share == 0.2) == (name == "grid") == (p == label.Float64) {
					continue // half of all: every two of graph, precision and share meet
				}
				delta := share * l.Reach
				tiles := walk(t, l, delta)
				if len(tiles.bundles) == 0 || len(tiles.fans) == 0 {
					t.Errorf("%s, delta %g: %d bundles, %d fans", name, share, len(tiles.bundles), len(tiles.fans))
				}
				epsilon := l.Reach / 5
				k := kernelOf(t, tiles, epsilon)
				rng := rand.New(rand.NewPCG(5, 5))
				x, logs, logu := make([]float64, n), make([]float64, n), make([]float64, n)
				for i := range n {
					logs[i], logu[i] = -3*rng.Float64(), -3*rng.Float64()
				}
				y, logy, cost := make([]float64, n), make([]float64, n), 0.0
				exact := shortest.NewSolver(g)
				for j, column := range columns(t, k) {
					for i, d := range exact.Distances(nil, int32(j)) {
						got := -epsilon * math.Log(column[i])
						if math.Abs(got-d) > tiles.Bound()*(1+1e-12) || got < -1e-12*delta {
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
					if !(math.Abs(got-want) <= (1e-11+rounded32(k.factors.Precision(), 0x1p-20))*math.Abs(want)) {
						t.Fatalf("%s, %v, delta %g: %s is %g, entry by entry %g", name, p, delta, what, got, want)
					}
				}
				product := linoptest.Must(t, k).MulVec(nil, x)
				linoptest.Must(t, k).LogMulVec(logy, logs)
				for i, want := range y {
					near("a product", product[i], want)
					near("a product in logarithms", math.Exp(logy[i]), want)
				}
				checkRows(t, k, epsilon, x, logs)
				checkDraws(t, k, epsilon, logs, false, 1)
				checkDraws(t, k, epsilon, logs, true, 2)
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
				far := kernelOf(t, tiles, l.Reach/2000) // beyond float64
				checkDraws(t, far, l.Reach/2000, logs, true, 3)
				if want := linoptest.Must(t, far).PlanCost(logu, logs); !(want > 0) {
					t.Errorf("%s, %v, delta %g: the cost beyond float64 is %g", name, p, delta, want)
				}
				sum, costs := make([]float64, n), 0.0
				const parts = 3
				for part := range parts {
					own, err := Walk(context.Background(), l, WalkOptions{Delta: delta, Part: part, Parts: parts})
					if err != nil {
						t.Fatal(err)
					}
					k := kernelOf(t, own, epsilon)
					for i, y := range linoptest.Must(t, k).MulVec(nil, x) {
						sum[i] += y
					}
					checkRows(t, k, epsilon, x, logs)
					checkDraws(t, k, epsilon, logs, part == 0, 4)
					costs += linoptest.Must(t, k).PlanCost(logu, logs)
				}
				for i, want := range product {
					near("a product in parts", sum[i], want)
				}
				near("the cost in parts", costs, cost)
			}
		}
	}
}

// Plan costs in logarithms are those of plain factors.
func TestBundlesCostInLogarithms(t *testing.T) {
	g := bundled(t)["noisy grid"]
	l := labelsOf(t, g, septree.Options{}, label.Float64)
	tiles := walk(t, l, 0.1*l.Reach)
	k := kernelOf(t, tiles, l.Reach/5)
	logu, logv := make([]float64, g.Len()), make([]float64, g.Len())
	for i := range logu {
		logu[i], logv[i] = math.Sin(float64(i)), math.Cos(float64(3*i))
	}
	want := linoptest.Must(t, k).PlanCost(logu, logv)
	k.floor = -1e6 // not what plain factors are made for
	if got := linoptest.Must(t, k).PlanCost(logu, logv); math.Abs(got-want) > 1e-12*want {
		t.Errorf("%g, plain %g", got, want)
	}
}

// A side with more entries than a byte can number leaves no bundles behind, and those made before can still be used.
func TestEntriesBeyondTheLimit(t *testing.T) {
	l := labelsOf(t, bundled(t)["noisy grid"], septree.Options{}, label.Float64)
	tiles := walk(t, l, 0.05*l.Reach)
	k := newWalker(context.Background(), tiles, nil)
	r := &l.Cells[0]
	p := k.clusters.patch(k.clusters.of[r.Left], nil)
	s := &side{}
	enter := func(hubs []int32, limit int) bool {
		s.ranks = p.ranks(r.Lo)
		s.load(l, r.Lo, hubs)
		k.weaver.pivots = k.weaver.numbers(1)
		return k.enter(s, p, k.weaver.numbers(len(hubs)), limit)
	}
	if !enter(r.Hubs[:1], most) || len(k.bundles) == 0 {
		t.Fatalf("%d entries of %d vertices with one hub, %d bundles", len(s.entries), p.len(), len(k.bundles))
	}
	bundles, ranks, entries := len(k.bundles), len(k.ranks), slices.Clone(s.entries)
	for _, limit := range []int{1, 5} {
		if enter(r.Hubs[len(r.Hubs)-3:], limit) || len(k.bundles) != bundles || len(k.ranks) != ranks || len(k.offsets) != ranks {
			t.Fatalf("limit %d, %d entries: %d bundles of %d vertices, there were %d of %d", limit, len(s.entries), len(k.bundles), len(k.ranks), bundles, ranks)
		}
		for node, list := range p.bisection.bundles {
			for _, b := range list {
				if int(b) >= bundles {
					t.Fatalf("limit %d: node %d has bundle %d of %d", limit, node, b, bundles)
				}
			}
		}
	}
	if !enter(r.Hubs[:1], most) || !slices.Equal(s.entries, entries) {
		t.Errorf("the entries are %v, before %v", s.entries, entries)
	}
	if !enter(r.Hubs[len(r.Hubs)-3:], most) || len(k.bundles) == bundles {
		t.Error("other hubs see the same bundles: nothing was tested")
	}
}
