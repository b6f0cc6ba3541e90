package planar

import (
	"testing"

	"genussink/core/internal/shared/corpus"
)

// Textbook graphs are planar or not, with a proof; so are spheres with and without holes. A closed surface of another genus is
// never planar where its triangulation is as fine as these.
func TestCorpus(t *testing.T) {
	for _, c := range corpus.Graphs(t) {
		if got, err := decide(c.Graph); err != nil || got != c.Planar {
			t.Errorf("%s: planar %v, %v", c.Name, got, err)
		}
	}
	for _, m := range corpus.Surfaces(t) {
		want := m.Want.Genus == 0 && m.Class != corpus.OneSided
		if got, err := decide(m.Graph); err != nil || got != want {
			t.Errorf("%s: planar %v, %v", m.Name, got, err)
		}
	}
}
