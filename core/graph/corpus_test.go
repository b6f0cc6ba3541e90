package graph_test

import (
	"bytes"
	"reflect"
	"testing"

	"genussink/core/graph"
	"genussink/core/internal/shared/corpus"
	"genussink/core/mesh"
)

// The graph of a mesh has its edges, each once from either end and as long as the way between its ends; .gr files keep it.
func TestCorpus(t *testing.T) {
	for _, m := range corpus.Meshes(t) {
		g := m.Graph
		top := m.Mesh.Topology()
		if g.Len() != top.Vertices || g.Edges() != top.Edges {
			t.Errorf("%s: %d vertices and %d edges, the mesh has %d and %d", m.Name, g.Len(), g.Edges(), top.Vertices, top.Edges)
		}
		if _, count := g.Components(); count != m.Want.Components+m.Want.IsolatedVertices {
			t.Errorf("%s: %d components", m.Name, count)
		}
		edges := map[[2]int32]float64{}
		for v := range int32(g.Len()) {
			to, lengths := g.Neighbours(v)
			for k, u := range to {
				edges[[2]int32{v, u}] = lengths[k]
			}
		}
		if len(edges) != 2*g.Edges() {
			t.Errorf("%s: %d arcs for %d edges", m.Name, len(edges), g.Edges())
		}
		for _, f := range m.Mesh.Faces {
			for c, v := range f {
				u := f[(c+1)%3]
				if u == v {
					continue
				}
				if there, back := edges[[2]int32{u, v}], edges[[2]int32{v, u}]; there != back || there != mesh.Distance(m.Mesh.Positions[u], m.Mesh.Positions[v]) {
					t.Fatalf("%s: edge %d-%d has lengths %g and %g", m.Name, u, v, there, back)
				}
			}
		}
	}
	for _, c := range corpus.Graphs(t) {
		if _, count := c.Graph.Components(); count != c.Components {
			t.Errorf("%s: %d components, want %d", c.Name, count, c.Components)
		}
		var file bytes.Buffer
		if err := c.Graph.WritePACE(&file); err != nil {
			t.Fatal(err)
		}
		n, edges, err := graph.ReadPACE(&file)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := graph.New(n, edges); err != nil || !reflect.DeepEqual(again, c.Graph) {
			t.Errorf("%s does not read back: %v", c.Name, err)
		}
	}
}
