// Package realmesh reads the shared meshes. Only tests use it.
package realmesh

import (
	"os"
	"path/filepath"
	"testing"

	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/mesh"
	"genussink/core/meshio"
)

// Read reads the shared mesh of that file name, and its graph. Where there is
// none the test is skipped, and says so.
func Read(t testing.TB, name string) (*mesh.Mesh, *graph.Graph) {
	t.Helper()
	path := shared.Path(t, "meshes", name)
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := meshio.Read(name, file, meshio.Options{Files: os.DirFS(filepath.Dir(path))})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.FromMesh(r.Mesh)
	if err != nil {
		t.Fatal(err)
	}
	return r.Mesh, g
}
