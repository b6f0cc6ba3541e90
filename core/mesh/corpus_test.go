package mesh_test

import (
	"testing"

	"genussink/core/internal/shared/corpus"
)

// Topology finds what the corpus's meshes are known to be.
func TestTopologyOfCorpus(t *testing.T) {
	for _, m := range append(corpus.Meshes(t), corpus.Gallery(t)...) {
		g := m.Mesh.Topology()
		got := corpus.Invariants{
			Components: g.Components, BoundaryLoops: g.BoundaryLoops, Genus: g.Genus, Euler: g.Euler,
			NonmanifoldEdges: g.NonmanifoldEdges, NonmanifoldVertices: g.NonmanifoldVertices,
			DegenerateFaces: g.DegenerateFaces, IsolatedVertices: g.IsolatedVertices, Watertight: g.Watertight, Oriented: g.Oriented,
		}
		if got != m.Want {
			t.Errorf("%s: %+v, want %+v", m.Name, got, m.Want)
		}
		if g.Edges != m.Graph.Edges() || g.Components+g.IsolatedVertices != components(m) {
			t.Errorf("%s: %d edges and %d components, its graph has %d and %d", m.Name, g.Edges, g.Components, m.Graph.Edges(), components(m))
		}
	}
}

func components(m corpus.Mesh) int {
	_, count := m.Graph.Components()
	return count
}
