package meshio_test

import (
	"bytes"
	"reflect"
	"testing"

	"genussink/core/internal/shared/corpus"
	"genussink/core/meshio"
)

// A mesh of every class comes back from every format as the surface that it was. Formats of float32 and of triangles alone lose what has
// no face and what has no area.
func TestCorpusComesBack(t *testing.T) {
	for _, m := range corpus.Meshes(t) {
		for _, format := range meshio.Formats() {
			var file bytes.Buffer
			if err := meshio.Write(&file, format, m.Mesh); err != nil {
				t.Fatal(err)
			}
			r, err := meshio.Read("a."+format, &file, meshio.Options{})
			if err != nil {
				t.Fatal(err)
			}
			switch format {
			case "obj", "off", "ply":
				if !reflect.DeepEqual(r.Mesh.Positions, m.Mesh.Positions) || !reflect.DeepEqual(r.Mesh.Faces, m.Mesh.Faces) {
					t.Errorf("%s as %s is another mesh", m.Name, format)
				}
			default:
				g := r.Mesh.Topology()
				got := corpus.Invariants{
					Components: g.Components, BoundaryLoops: g.BoundaryLoops, Genus: g.Genus, Euler: g.Euler,
					NonmanifoldEdges: g.NonmanifoldEdges, NonmanifoldVertices: g.NonmanifoldVertices, Watertight: g.Watertight, Oriented: g.Oriented,
				}
				want := m.Want
				want.DegenerateFaces, want.IsolatedVertices = 0, 0
				if got != want || g.Faces != len(m.Mesh.Faces) {
					t.Errorf("%s as %s: %+v, want %+v", m.Name, format, got, want)
				}
			}
		}
	}
}
