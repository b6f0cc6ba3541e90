package separator

import (
	"errors"
	"math"
	"testing"

	"genussink/core/internal/shared/corpus"
)

// Every finder separates meshes of every class, or says that they are not of its kind; on surfaces the separators are as small as
// the theorems say.
func TestCorpus(t *testing.T) {
	surface := map[string]bool{}
	for _, m := range corpus.Surfaces(t) {
		surface[m.Name] = true
	}
	for _, m := range corpus.Meshes(t) {
		n := m.Graph.Len()
		found := 0
		for _, name := range Names() {
			s, err := find(t, name, m.Graph, Options{Positions: m.Mesh.Positions, Faces: m.Mesh.Faces})
			switch {
			case errors.Is(err, ErrNotPlanar):
				if m.Want.Genus == 0 && m.Class == corpus.Closed {
					t.Errorf("%s, %s: %v", name, m.Name, err)
				}
				continue
			case errors.Is(err, ErrNotSurface):
				if surface[m.Name] {
					t.Errorf("%s, %s: %v", name, m.Name, err)
				}
				continue
			case errors.Is(err, ErrNoSeparation): // a bag may be too large for the balance
				continue
			case err != nil:
				t.Errorf("%s, %s: %v", name, m.Name, err)
				continue
			}
			found++
			if err := Verify(m.Graph, s, 0); err != nil {
				t.Errorf("%s, %s: %v", name, m.Name, err)
			}
			if name == "lipton-tarjan" && (float64(len(s.S)) > math.Sqrt(8*float64(n)) || 3*max(len(s.A), len(s.B)) > 2*n) {
				t.Errorf("%s, %s: |S| %d, sides %d and %d of %d vertices", name, m.Name, len(s.S), len(s.A), len(s.B), n)
			}
		}
		if n > 4 && found < 3 {
			t.Errorf("%s: %d finders separate it", m.Name, found)
		}
	}
}
