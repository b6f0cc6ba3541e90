package mesh_test

import (
	"slices"
	"testing"

	"genussink/core/internal/shared/corpus"
	"genussink/core/mesh"
)

// Every list is as long as Topology counts, in ascending order, and names what it says, by a count over all faces.
func TestDefectsOfCorpus(t *testing.T) {
	for _, m := range append(corpus.Meshes(t), corpus.Gallery(t)...) {
		d := m.Mesh.Defects()
		if got := [5]int{len(d.BoundaryLoops), len(d.NonmanifoldEdges), len(d.NonmanifoldVertices), len(d.DegenerateFaces), len(d.IsolatedVertices)}; got !=
			[5]int{m.Want.BoundaryLoops, m.Want.NonmanifoldEdges, m.Want.NonmanifoldVertices, m.Want.DegenerateFaces, m.Want.IsolatedVertices} {
			t.Errorf("%s: lists of %d, want %+v", m.Name, got, m.Want)
		}
		for _, list := range [][]int32{d.NonmanifoldVertices, d.DegenerateFaces, d.IsolatedVertices, d.FlippedFaces} {
			if !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
				t.Errorf("%s: %v is not ascending", m.Name, list)
			}
		}
		faces := facesOf(m.Mesh)
		for _, e := range d.NonmanifoldEdges {
			if faces[e] < 3 {
				t.Errorf("%s: edge %v has %d faces", m.Name, e, faces[e])
			}
		}
		sides := 0
		for _, loop := range d.BoundaryLoops {
			if loop[0] != loop[len(loop)-1] && len(d.NonmanifoldEdges) == 0 {
				t.Errorf("%s: the loop %v is open", m.Name, loop)
			}
			for i, v := range loop[1:] {
				u := loop[i]
				if faces[[2]int32{min(u, v), max(u, v)}] != 1 {
					t.Errorf("%s: the boundary runs along %d %d, which has %d faces", m.Name, u, v, faces[[2]int32{min(u, v), max(u, v)}])
				}
				sides++
			}
		}
		for _, n := range faces {
			if n == 1 {
				sides--
			}
		}
		if sides != 0 {
			t.Errorf("%s: the boundary loops have %d edges more than the boundary", m.Name, sides)
		}
		if oriented := len(d.FlippedFaces) == 0; m.Want.Oriented && !oriented {
			t.Errorf("%s: %d faces are flipped", m.Name, len(d.FlippedFaces))
		}
	}
}

// facesOf counts the faces of every edge, but for faces that name a vertex twice.
func facesOf(m *mesh.Mesh) map[[2]int32]int {
	faces := map[[2]int32]int{}
	for _, f := range m.Faces {
		if f[0] == f[1] || f[1] == f[2] || f[2] == f[0] {
			continue
		}
		for c := range 3 {
			u, v := f[c], f[(c+1)%3]
			faces[[2]int32{min(u, v), max(u, v)}]++
		}
	}
	return faces
}

// Where a few faces of an oriented mesh are turned over, these are the flipped ones; turning them over again mends it. Where most
// are, it is the others.
func TestFlippedFaces(t *testing.T) {
	tried := 0
	meshes := corpus.Meshes(t)
	if !testing.Short() {
		meshes = append(meshes, corpus.Gallery(t)...)
	}
	for _, m := range meshes {
		if !m.Want.Oriented || m.Want.NonmanifoldEdges > 0 || m.Want.DegenerateFaces > 0 || m.Want.Components != 1 || len(m.Mesh.Faces) < 8 {
			continue
		}
		tried++
		for _, every := range []int{7, 1} {
			turned := &mesh.Mesh{Positions: m.Mesh.Positions, Faces: slices.Clone(m.Mesh.Faces)}
			var want []int32
			for f := range turned.Faces {
				if few := f%7 == 3; few == (every == 7) {
					turned.Faces[f][1], turned.Faces[f][2] = turned.Faces[f][2], turned.Faces[f][1]
				}
				if f%7 == 3 {
					want = append(want, int32(f))
				}
			}
			if turned.Topology().Oriented {
				t.Fatalf("%s is oriented still", m.Name)
			}
			got := turned.Defects().FlippedFaces
			if !slices.Equal(got, want) {
				t.Errorf("%s: %d faces are flipped, want %d", m.Name, len(got), len(want))
			}
			for _, f := range got {
				turned.Faces[f][1], turned.Faces[f][2] = turned.Faces[f][2], turned.Faces[f][1]
			}
			if !turned.Topology().Oriented {
				t.Errorf("%s: turned over again it is not oriented", m.Name)
			}
		}
	}
	if tried < 5 {
		t.Errorf("%d meshes", tried)
	}
}
