package treedec

import (
	"testing"

	"genussink/core/internal/shared/corpus"
)

// Textbook graphs have the treewidth that textbooks say; decompositions of meshes of every class are valid.
func TestCorpus(t *testing.T) {
	for _, c := range corpus.Graphs(t) {
		r, err := Treewidth(t.Context(), c.Graph, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Decomposition.Validate(c.Graph); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if r.Decomposition.Width() != c.Treewidth || r.Lower != c.Treewidth || !r.Exact {
			t.Errorf("%s: width %d, at least %d, exact %v; its treewidth is %d", c.Name, r.Decomposition.Width(), r.Lower, r.Exact, c.Treewidth)
		}
	}
	for _, m := range corpus.Meshes(t) {
		for _, rule := range []Rule{MinDegree, MinFill} {
			order, err := Order(t.Context(), m.Graph, rule, 1)
			if err != nil {
				t.Fatal(err)
			}
			d, err := FromOrder(m.Graph, order)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Validate(m.Graph); err != nil {
				t.Errorf("%s: %v", m.Name, err)
			}
			if low := max(Degeneracy(m.Graph), MinorMinWidth(m.Graph)); d.Width() < low {
				t.Errorf("%s: width %d, proved to be %d at least", m.Name, d.Width(), low)
			}
		}
	}
}
