package sgfi

import (
	"testing"

	"genussink/core/graph"
	"genussink/core/internal/shared/corpus"
	"genussink/core/linop/linoptest"
	"genussink/core/mesh"
)

// On a mesh of every class the kernel's products are those of all pairs' Dijkstra. TestRealMeshes has larger ones.
func TestCorpus(t *testing.T) {
	for _, m := range corpus.Meshes(t) {
		t.Run(m.Name, func(t *testing.T) { likeDense(t, m.Mesh, m.Graph) })
	}
}

// likeDense holds the kernel of a mesh against all pairs' Dijkstra.
func likeDense(t *testing.T, m *mesh.Mesh, g *graph.Graph) {
	t.Helper()
	epsilon := 0.05 * m.Diagonal()
	tree := build(t, g, Options{Positions: m.Positions})
	k, want := kernel(t, tree, epsilon, KernelOptions{}), oracle(t, g, epsilon)
	x, u := masses(g.Len(), 2), logs(g.Len(), 3)
	near(t, "MulVec", linoptest.Must(t, k).MulVec(nil, x), linoptest.Must(t, want).MulVec(nil, x), 1e-12)
	near(t, "LogMulVec", exp(linoptest.Must(t, k).LogMulVec(nil, u)), exp(linoptest.Must(t, want).LogMulVec(nil, u)), 1e-12)
	near(t, "PlanCost", []float64{linoptest.Must(t, k).PlanCost(u, u)}, []float64{linoptest.Must(t, want).PlanCost(u, u)}, 1e-12)
	if k.LogFloor() > want.LogFloor()*(1-1e-12) {
		t.Errorf("LogFloor %v, the least logarithm is %v", k.LogFloor(), want.LogFloor())
	}
}
