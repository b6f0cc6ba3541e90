// Package genmesh makes meshes to test with. Only tests use it.
package genmesh

import (
	"testing"

	"genussink/core/graph"
	"genussink/core/mesh"
	"genussink/core/mesh/generate"
)

// Make is generate.Make, and the mesh's graph.
func Make(t testing.TB, kind string, params map[string]float64) (*mesh.Mesh, *graph.Graph) {
	t.Helper()
	m, err := generate.Make(kind, params)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.FromMesh(m)
	if err != nil {
		t.Fatal(err)
	}
	return m, g
}
