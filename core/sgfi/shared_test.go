//go:build !js

// Files are for native runs: the browser has none, and all pairs of 3,000
// vertices take a minute there.

package sgfi

import (
	"testing"

	"genussink/core/internal/shared"
	"genussink/core/internal/shared/realmesh"
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
			likeDense(t, m, g)
		})
	}
}
