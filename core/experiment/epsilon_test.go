package experiment

import (
	"context"
	"math"
	"testing"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/hub"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/internal/shared/realmesh"
	"genussink/core/linop"
	"genussink/core/measure"
	"genussink/core/mesh"
	"genussink/core/shortest"
	"genussink/core/transport"
)

// At epsilon = 0.2, 0.05 and 0.02 diagonals alike: kernel entries are positive
// and within their bound, exact costs what dense does to 1e-10, with float32
// labels to 1e-6, certified at 1 % to 1e-3, and its plan on true distances to 2e-4: it is not dense's plan.
func TestGuaranteesAtSmallEpsilon(t *testing.T) {
	shared.Long(t)
	for name, params := range map[string]map[string]float64{
		"sphere":       {"frequency": 6}, // with ties
		"torus":        {"segments": 20, "sides": 8},
		"multi-torus":  {"genus": 1, "edge": 0.2},
		"dumbbell":     {"radius": 6}, // with boundary
		"pseudo-genus": {"order": 2, "vertices": 300},
	} {
		t.Run(name, func(t *testing.T) {
			m, g := genmesh.Make(t, name, params)
			guarantees(t, m, g, 400, 0.2, 0.05, 0.02)
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
	labels, err := hub.Measure(ctx, tree, hub.MeasureOptions{Precision: hub.Float64})
	if err != nil {
		t.Fatal(err)
	}
	short, err := labels.Rounded()
	if err != nil {
		t.Fatal(err)
	}
	walk := func(labels *hub.Labels, delta float64) *hub.Tiles {
		tiles, err := hub.Walk(ctx, labels, hub.WalkOptions{Delta: delta})
		if err != nil {
			t.Fatal(err)
		}
		return tiles
	}
	exact, rounded, certified := walk(labels, 0), walk(short, 0), walk(short, slack*m.Diagonal())
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

		errors := map[*hub.Tiles]float64{}
		var problem transport.Problem
		var r *transport.Result
		for _, tiles := range []*hub.Tiles{exact, rounded, certified} {
			k := kernel(tiles, epsilon)
			checkColumns(t, k, g, epsilon, tiles.Bound(), columns)
			problem, r = solve(k)
			errors[tiles] = off(r.Cost)
			// The dual is the least over plans: distances that are off by at most the bound move it by no more.
			if up := r.Dual - want.Dual; math.Abs(up) > tiles.Bound()+1e-9*m.Diagonal() {
				t.Errorf("epsilon %g: the dual is off by %g, the bound is %g", share, up, tiles.Bound())
			}
		}
		own := func(dst []float64, i int32) []float64 { return certified.Distances(dst, int(i)) }
		c, err := transport.NewPolish(problem, r, g, transport.PolishOptions{Least: -certified.Bound(), Most: certified.Bound()})
		if err != nil {
			t.Fatal(err)
		}
		p := c.Estimate()
		for p.Rows < 512 && !p.Enough() {
			if p, err = c.Step(ctx, 32, own); err != nil {
				t.Fatal(err)
			}
		}
		polished := off(p.Cost)
		t.Logf("epsilon %g: exact off by %.1e, with float32 by %.1e, certified by %.1e, polished by %.1e, within %.1e, from %d rows",
			share, errors[exact], errors[rounded], errors[certified], polished, (p.High-p.Low)/2/want.Cost, p.Rows)
		if errors[exact] > 1e-10 || errors[rounded] > 1e-6 || errors[certified] > 1e-3 || polished > 2e-4 {
			t.Errorf("epsilon %g: exact off by %g, with float32 by %g, certified by %g, polished by %g",
				share, errors[exact], errors[rounded], errors[certified], polished)
		}
	}
}

// checkColumns holds columns of a kernel to the true ones: each entry finite,
// positive, within exp(delta/epsilon) of the true one either way, but for the
// rounding of distances and exponentials.
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
			if got := y[i]; !(got > 0) || !(got <= want/least*(1+rounding)) || !(got >= want*least*(1-rounding)) {
				t.Fatalf("epsilon %g, delta %g: K(%d,%d) is %g, the true one %g", epsilon, delta, i, j, got, want)
			}
		}
	}
}
