package label

import (
	"math"
	"math/rand/v2"
	"testing"

	"genussink/core/graph"
	"genussink/core/internal/shared/corpus"
	"genussink/core/mesh"
	"genussink/core/septree"
	"genussink/core/shortest"
)

// Paths on a mesh of every class. TestPathOnMeshes has larger ones.
func TestPathOnCorpus(t *testing.T) {
	for _, m := range corpus.Meshes(t) {
		pathsHold(t, m.Name, m.Mesh, m.Graph)
	}
}

// pathsHold asks for paths between random vertices of a mesh. All are shortest, and at most one in a thousand is not found.
func pathsHold(t *testing.T, name string, m *mesh.Mesh, g *graph.Graph) {
	t.Helper()
	for _, p := range precisions {
		l := labelsOf(t, g, septree.Options{Positions: m.Positions}, p)
		r := rand.New(rand.NewPCG(1, 1))
		solver := shortest.NewSolver(g)
		var d []float64
		asked, lost := 0, 0
		for range 30 {
			i := r.Int32N(int32(g.Len()))
			d = solver.Distances(d, i)
			for range 100 {
				j := r.Int32N(int32(g.Len()))
				found := checkPath(t, g, l, i, j, d[j])
				if d[j] < math.Inf(1) {
					if asked++; !found {
						lost++
					}
				}
			}
		}
		if lost*1000 > asked {
			t.Errorf("%s, %v: %d of %d paths are not found", name, p, lost, asked)
		}
	}
}
