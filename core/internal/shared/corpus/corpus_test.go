package corpus_test

import (
	"testing"

	"genussink/core/internal/shared/corpus"
)

// Every class is there, and what names promise.
func TestClasses(t *testing.T) {
	count := map[corpus.Class]int{}
	for _, m := range corpus.Meshes(t) {
		count[m.Class]++
		if n := len(m.Mesh.Positions); n > 1100 || m.Graph.Len() != n {
			t.Errorf("%s: %d vertices, %d in its graph", m.Name, n, m.Graph.Len())
		}
	}
	for _, c := range []corpus.Class{corpus.Closed, corpus.Boundary, corpus.OneSided, corpus.Disconnected, corpus.NonManifold, corpus.Degenerate} {
		if count[c] == 0 {
			t.Errorf("no mesh is %s", c)
		}
	}
	if closed := len(corpus.Gallery(t)); closed != 10 {
		t.Errorf("%d meshes in the gallery", closed)
	}
}
