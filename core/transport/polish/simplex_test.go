package polish

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/graph"
	"genussink/core/internal/shared/gendensity"
	"genussink/core/internal/shared/gengraph"
)

// checkTransshipment checks that the mass on its way leads from one density to the other, what it costs, and, at the optimum,
// that prices prove it: they differ by no more than an edge is long, so that no transport costs less than what they differ by in all.
func checkTransshipment(t interface {
	Helper()
	Fatalf(string, ...any)
}, s *transshipment, g *graph.Graph, a, b []float64,
) {
	t.Helper()
	n := g.Len()
	left, cost, proof, scale := make([]float64, n), 0.0, 0.0, 1.0
	for v := range n {
		left[v] += a[v] - b[v]
		proof += (a[v] - b[v]) * s.price[v]
		scale += math.Abs(s.price[v])
		p := s.parent[v]
		if p < 0 {
			continue
		}
		cost += s.mass[v] * s.weight[v]
		if _, w := edgeBetween(g, int32(v), p); w != s.weight[v] || s.mass[v] < 0 || s.depth[v] != s.depth[p]+1 {
			t.Fatalf("vertex %d hangs from %d by an edge of %g, not %g, with a mass of %g", v, p, s.weight[v], w, s.mass[v])
		}
		m := s.mass[v]
		if !s.up[v] {
			m = -m
		}
		left[v] -= m
		left[p] += m
	}
	for v, m := range left {
		if math.Abs(m) > 1e-12 {
			t.Fatalf("a mass of %g stays at vertex %d", m, v)
		}
	}
	if math.Abs(cost-s.cost) > 1e-12*scale {
		t.Fatalf("it costs %g, not %g", cost, s.cost)
	}
	if !s.optimal {
		return
	}
	for v := range int32(n) {
		targets, weights := g.Neighbours(v)
		for k, w := range targets {
			if s.price[v]-s.price[w] > weights[k]+1e-9*scale/float64(n) {
				t.Fatalf("prices fall by %g along an edge of %g", s.price[v]-s.price[w], weights[k])
			}
		}
	}
	if math.Abs(proof-cost) > 1e-9*scale {
		t.Fatalf("prices prove %.15g of a cost of %.15g", proof, cost)
	}
}

func edgeBetween(g *graph.Graph, u, v int32) (place int, weight float64) {
	targets, weights := g.Neighbours(u)
	for k, w := range targets {
		if w == v {
			return k, weights[k]
		}
	}
	return -1, math.NaN()
}

// On any graph, with ties, edges of length 0, several components and vertices without mass, from any prices: the cost falls to
// the optimum, which the prices prove, and what is on its way is a transport at every step.
func TestTransshipment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "vertices")
		pieces := rapid.IntRange(1, 3).Draw(t, "pieces")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		lengths := rapid.SampledFrom([]int{2, 4, 1000}).Draw(t, "lengths") // few: ties
		empty := rapid.Float64Range(0, 1).Draw(t, "share without mass")
		var edges []graph.Edge
		join := func(u, v int) {
			edges = append(edges, graph.Edge{U: int32(u), V: int32(v), Weight: float64(rng.IntN(lengths))})
		}
		for v := pieces; v < n; v++ {
			join(v, v-pieces*(1+rng.IntN(v/pieces)))
		}
		for range 2 * n {
			if u, v := rng.IntN(n), rng.IntN(n); u%pieces == v%pieces {
				join(u, v)
			}
		}
		g, err := graph.New(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		a, b, prices := make([]float64, n), make([]float64, n), make([]float64, n)
		for v := range n {
			if rng.Float64() >= empty {
				a[v] += rng.Float64()
				b[v%pieces+pieces*rng.IntN((n-1-v%pieces)/pieces+1)] += a[v]
			}
			prices[v] = []float64{0, rng.Float64(), math.Inf(-1)}[rng.IntN(3)]
		}
		s := newTransshipment(g, a, b, prices)
		checkTransshipment(t, s, g, a, b)
		for last := s.cost; !s.optimal; last = s.cost {
			s.improve(3)
			checkTransshipment(t, s, g, a, b)
			if s.cost > last*(1+1e-12)+1e-12 {
				t.Fatalf("the cost grows from %g to %g", last, s.cost)
			}
		}
	})
}

// Improving allocates nothing.
func TestTransshipmentAllocates(t *testing.T) {
	const n = 300
	g := gengraph.Bridged(t, n, 0)
	a, b := gendensity.Halves(t, n)
	s := newTransshipment(g, a, b, make([]float64, n))
	if s.improve(1); s.optimal {
		t.Fatal("optimal at once")
	}
	if made := testing.AllocsPerRun(5, func() { s.improve(2) }); made != 0 {
		t.Errorf("%g allocations", made)
	}
}
