//go:build !js

// Files are for native runs: the browser has none, and all pairs of 3,000
// vertices take a minute there.

package sgfi

import (
	"testing"

	"genussink/core/internal/shared"
	"genussink/core/internal/shared/realmesh"
	"genussink/core/linop/linoptest"
)

// TestRealMeshes holds the kernel against all pairs' Dijkstra on real meshes:
// genus 0 to 9, open and closed, with 1 to 26 components, edges tiny and long, not
// orientable.
func TestRealMeshes(t *testing.T) {
	shared.Long(t)
	for _, name := range []string{
		"cgal__3torus.off", "gc__moebius.obj", "qmuntal__OrientationTest.gltf", "cgal__eight.off",
		"cgal__couplingdown.off", "vtkdata__footbones.ply", "common3d__spot.obj",
	} {
		t.Run(name, func(t *testing.T) {
			m, g := realmesh.Read(t, name)
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
			t.Logf("%d vertices, %d levels, separator %d, %d MB", g.Len(), tree.Root.depth(), len(tree.Root.SepIDs), k.Bytes()>>20)
		})
	}
}
