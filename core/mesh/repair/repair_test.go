package repair_test

import (
	"reflect"
	"slices"
	"testing"

	"genussink/core/internal/shared/corpus"
	"genussink/core/mesh"
	"genussink/core/mesh/repair"
)

// Each step by hand on a square whose second triangle has vertices of its own, with a face without area, one turned over and a vertex of no face.
func TestRepair(t *testing.T) {
	broken := &mesh.Mesh{
		Positions: [][3]float64{{0, 0, 0}, {9, 9, 9}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}, {1, 1, 0}, {0, 1, 0}},
		Faces:     [][3]int32{{0, 2, 3}, {4, 6, 5}, {0, 2, 0}},
	}
	was := &mesh.Mesh{Positions: slices.Clone(broken.Positions), Faces: slices.Clone(broken.Faces)}
	for _, c := range []struct {
		name      string
		step      func(*mesh.Mesh) (*mesh.Mesh, int)
		count     int
		positions [][3]float64
		faces     [][3]int32
	}{
		{"weld", repair.Weld, 2, [][3]float64{{0, 0, 0}, {9, 9, 9}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, [][3]int32{{0, 2, 3}, {0, 4, 3}, {0, 2, 0}}},
		{"degenerate", repair.DropDegenerate, 1, nil, [][3]int32{{0, 2, 3}, {0, 4, 3}}},
		{"isolated", repair.DropIsolated, 1, [][3]float64{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, [][3]int32{{0, 1, 2}, {0, 3, 2}}},
		{"orient", repair.Orient, 1, nil, nil},
	} {
		mended, n := c.step(broken)
		if n != c.count || c.positions != nil && !reflect.DeepEqual(mended.Positions, c.positions) || c.faces != nil && !reflect.DeepEqual(mended.Faces, c.faces) {
			t.Errorf("%s: %d changes, %+v", c.name, n, mended)
		}
		if again, n := c.step(mended); n != 0 || again != mended {
			t.Errorf("%s: %d changes the second time", c.name, n)
		}
		broken = mended
	}
	if topology := broken.Topology(); !topology.Oriented || topology.BoundaryLoops != 1 || topology.Components != 1 || topology.DegenerateFaces+topology.IsolatedVertices != 0 {
		t.Errorf("at the end: %+v", topology)
	}
	if first, _ := repair.Weld(was); first == was || len(was.Positions) != 7 || was.Faces[1] != [3]int32{4, 6, 5} {
		t.Error("the broken mesh was changed")
	}
}

// Every mesh of the corpus has after all steps none of the defects that they mend, and as much area as before.
func TestRepairOfCorpus(t *testing.T) {
	for _, c := range append(corpus.Meshes(t), corpus.Gallery(t)...) {
		m := c.Mesh
		for _, step := range []func(*mesh.Mesh) (*mesh.Mesh, int){repair.Weld, repair.DropDegenerate, repair.DropIsolated, repair.Orient} {
			m, _ = step(m)
		}
		d, before, after := m.Defects(), 0.0, 0.0
		for f := range c.Mesh.Faces {
			before += c.Mesh.FaceArea(f)
		}
		for f := range m.Faces {
			after += m.FaceArea(f)
		}
		if len(d.DegenerateFaces)+len(d.IsolatedVertices)+len(d.FlippedFaces) != 0 || !(after >= before*(1-1e-6) && after <= before*(1+1e-12)) {
			t.Errorf("%s: %d degenerate faces, %d isolated vertices, %d flipped faces, area %g of %g",
				c.Name, len(d.DegenerateFaces), len(d.IsolatedVertices), len(d.FlippedFaces), after, before)
		}
	}
}
