package septree

import (
	"testing"

	"genussink/core/internal/shared/genmesh"
	"genussink/core/treehost"
)

// The effort that a host asks for is known without its edges: the labels exactly, the walk but for hubs that no vertex is joined to.
func TestEffortAlong(t *testing.T) {
	for kind, params := range map[string]map[string]float64{
		"sphere":      {"frequency": 8},
		"multi-torus": {"genus": 2, "edge": 0.2},
		"dumbbell":    {"radius": 8},
	} {
		m, g := genmesh.Make(t, kind, params)
		for _, share := range []float64{0.02, 0.1} {
			h, err := treehost.Embed(t.Context(), g, treehost.Options{Distortion: share * m.Diagonal(), Faces: m.Faces})
			if err != nil {
				t.Fatal(err)
			}
			tree, err := Along(t.Context(), h.Graph, h.Decomposition, Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := tree.Effort()
			got, err := EffortAlong(t.Context(), g, h.Decomposition)
			if err != nil {
				t.Fatal(err)
			}
			if got.Labels != want.Labels || got.Cover < want.Cover*(1-1e-9) || got.Cover > 1.5*want.Cover {
				t.Errorf("%s, distortion %g: %+v without edges, %+v with them", kind, share, got, want)
			}
		}
	}
}
