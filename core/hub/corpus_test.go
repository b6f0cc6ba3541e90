package hub_test

import (
	"math"
	"testing"

	"genussink/core/baseline"
	"genussink/core/hub"
	"genussink/core/hub/label"
	"genussink/core/internal/shared/corpus"
	"genussink/core/internal/shared/gendensity"
	"genussink/core/measure"
	"genussink/core/transport"
)

// On a mesh of every class the kernel's products are those of the matrix, and transport with either costs the same and keeps the marginals.
func TestCorpus(t *testing.T) {
	ctx := t.Context()
	for _, m := range corpus.Meshes(t) {
		n := m.Graph.Len()
		epsilon := 0.2 * m.Mesh.Diagonal()
		dense, err := baseline.NewDense(ctx, m.Graph, epsilon, baseline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		k, err := hub.New(ctx, m.Graph, hub.Options{Epsilon: epsilon, Precision: label.Float64, Positions: m.Mesh.Positions})
		if err != nil {
			t.Fatal(err)
		}
		component, count := m.Graph.Components()
		source, target, _, err := measure.Balance(gendensity.Random(n, 1), gendensity.Random(n, 2), component, count)
		if err != nil {
			t.Fatal(err)
		}
		want, err := dense.MulVec(ctx, nil, source)
		if err != nil {
			t.Fatal(err)
		}
		got, err := k.MulVec(ctx, nil, source)
		if err != nil {
			t.Fatal(err)
		}
		for v := range want {
			if !(math.Abs(got[v]-want[v]) <= 1e-12*want[v]) {
				t.Fatalf("%s: row %d is %g, dense %g", m.Name, v, got[v], want[v])
			}
		}
		costs := [2]float64{}
		for i, kernel := range []transport.Problem{{Kernel: k}, {Kernel: dense}} {
			kernel.Source, kernel.Target, kernel.Epsilon = source, target, epsilon
			r, err := transport.Solve(ctx, kernel, transport.Options{Tolerance: 1e-10})
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != transport.Converged || !(r.MarginalError <= 1e-10) {
				t.Errorf("%s: %s, marginal error %g", m.Name, r.Status, r.MarginalError)
			}
			costs[i] = r.Cost
		}
		if !(math.Abs(costs[0]-costs[1]) <= 1e-8*costs[1]) {
			t.Errorf("%s: cost %.15g, dense %.15g", m.Name, costs[0], costs[1])
		}
	}
}
