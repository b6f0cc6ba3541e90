package experiment

import (
	"context"
	"math"
	"testing"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/hub"
	"genussink/core/internal/shared/realmesh"
	"genussink/core/linop"
	"genussink/core/measure"
	"genussink/core/mesh"
	"genussink/core/mesh/generate"
	"genussink/core/shortest"
	"genussink/core/transport"
)

// At epsilon = 0.2, 0.05 and 0.02 diagonals alike: kernel entries are positive
// and within their bound, exact costs what dense does, certified at 1 % is
// within 1e-3 of it and polished within 1e-4.
func TestGuaranteesAtSmallEpsilon(t *testing.T) {
	for name, params := range map[string]map[string]float64{
		"sphere":       {"frequency": 6}, // with ties
		"torus":        {"segments": 20, "sides": 8},
		"multi-torus":  {"genus": 2, "edge": 0.2},
		"dumbbell":     {"radius": 6}, // with boundary
		"pseudo-genus": {"order": 2, "vertices": 300},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := generate.Make(name, params)
			if err != nil {
				t.Fatal(err)
			}
			g, err := graph.FromMesh(m)
			if err != nil {
				t.Fatal(err)
			}
			guarantees(t, m, g, g.Len(), 0.2, 0.05, 0.02)
		})
	}
	for name, shares := range map[string][]float64{"common3d__spot.obj": {0.05, 0.02}, "libigl__fertility.off": {0.02}} {
		t.Run(name, func(t *testing.T) {
			m, g := realmesh.Read(t, name)
			guarantees(t, m, g, 24, shares...)
		})
	}
}

// The same on a mesh for which the dense kernel takes long, with the figures.
func BenchmarkGuaranteesAtSmallEpsilon(b *testing.B) {
	for _, name := range []string{"common3d__spot.obj", "libigl__fertility.off", "cgal__turbine.off"} {
		m, g := realmesh.Read(b, name)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				guarantees(b, m, g, 100, 0.2, 0.05, 0.02)
			}
		})
	}
}

// guarantees holds so many columns, spread over the vertices, and the costs, at
// epsilons that are shares of the diagonal.
func guarantees(t testing.TB, m *mesh.Mesh, g *graph.Graph, columns int, shares ...float64) {
	const slack = 0.01 // of the diagonal
	ctx := context.Background()
	source, target, err := measure.Paper(m, g)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := hub.Split(ctx, g, hub.Options{Positions: m.Positions})
	if err != nil {
		t.Fatal(err)
	}
	labels, err := hub.Measure(ctx, tree, hub.MeasureOptions{})
	if err != nil {
		t.Fatal(err)
	}
	walk := func(delta float64) *hub.Tiles {
		tiles, err := hub.Walk(ctx, labels, hub.WalkOptions{Delta: delta})
		if err != nil {
			t.Fatal(err)
		}
		return tiles
	}
	delta := slack * m.Diagonal()
	exact, certified := walk(0), walk(delta)
	kernel := func(tiles *hub.Tiles, epsilon float64) *hub.Kernel {
		k, err := hub.NewKernel(ctx, tiles, epsilon)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	for _, share := range shares {
		epsilon := share * m.Diagonal()
		solve := func(k linop.Kernel) (transport.Problem, *transport.Result) {
			p := transport.Problem{Kernel: k, Source: source, Target: target, Epsilon: epsilon}
			r, err := transport.Solve(ctx, p, transport.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != transport.Converged || r.MarginalError > 1e-9 || math.Abs(r.Gap) > 1e-7*r.Cost {
				t.Errorf("epsilon %g: %s, marginal error %g, gap %g of %g", share, r.Status, r.MarginalError, r.Gap, r.Cost)
			}
			return p, r
		}
		dense, err := baseline.NewDense(ctx, g, epsilon, baseline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, want := solve(dense)
		off := func(cost float64) float64 { return math.Abs(cost-want.Cost) / want.Cost }

		plain, near := kernel(exact, epsilon), kernel(certified, epsilon)
		checkColumns(t, plain, g, epsilon, 0, columns)
		checkColumns(t, near, g, epsilon, delta, columns)

		_, r := solve(plain)
		exactly := off(r.Cost)
		problem, r := solve(near)
		tune := func(epsilon float64) (linop.Kernel, error) { return kernel(certified, epsilon), nil }
		p, err := transport.Polish(ctx, problem, r, g, tune, transport.PolishOptions{})
		if err != nil {
			t.Fatal(err)
		}
		raw, polished := off(r.Cost), off(p.Cost)
		t.Logf("epsilon %g: exact off by %.1e, certified by %.1e, polished by %.1e +- %.1e", share, exactly, raw, polished, p.StandardError/want.Cost)
		if exactly > 1e-10 || raw > 1e-3 || polished > 1e-4 {
			t.Errorf("epsilon %g: exact off by %g, certified by %g, polished by %g", share, exactly, raw, polished)
		}
		// The dual is the least over plans: distances that are longer by at most delta move it by no more.
		if up := (r.Dual - want.Dual) / delta; up < -1e-9 || up > 1+1e-9 {
			t.Errorf("epsilon %g: the dual is off by %g delta", share, up)
		}
	}
}

// checkColumns holds columns of a kernel to the true ones: each entry finite,
// positive, at most the true one and at least exp(-delta/epsilon) of it, but for
// the rounding of distances and exponentials.
func checkColumns(t testing.TB, k linop.Kernel, g *graph.Graph, epsilon, delta float64, columns int) {
	const rounding = 1e-12
	n := g.Len()
	columns = min(columns, n)
	x, y, d := make([]float64, n), make([]float64, n), make([]float64, n)
	solver := shortest.NewSolver(g)
	least := math.Exp(-delta / epsilon)
	for c := range columns {
		j := c * n / columns
		x[j] = 1
		k.MulVec(y, x)
		x[j] = 0
		for i, d := range solver.Distances(d, int32(j)) {
			want := math.Exp(-d / epsilon)
			if got := y[i]; !(got > 0) || !(got <= want*(1+rounding)) || !(got >= want*least*(1-rounding)) {
				t.Fatalf("epsilon %g, delta %g: K(%d,%d) is %g, the true one %g", epsilon, delta, i, j, got, want)
			}
		}
	}
}
