package separator

import (
	"errors"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/corpus"
	"genussink/internal/race"
)

// The default balance costs ordinary meshes little: against separators at 0.3, by which labels are fewest, those at
// 1/3 have at most a twentieth more vertices in the median. So it is on the meshes of every clone, and on the shared ones.
func TestDefaultBalanceIsCheap(t *testing.T) {
	race.Alone(t)
	t.Run("corpus", func(t *testing.T) {
		var list []realMesh
		for _, m := range append(corpus.Surfaces(t), corpus.Gallery(t)...) {
			if m.Graph.Len() >= 150 {
				list = append(list, realMesh{name: m.Name, mesh: m.Mesh, g: m.Graph})
			}
		}
		if len(list) < 12 {
			t.Errorf("%d meshes", len(list))
		}
		cheap(t, list)
	})
	t.Run("shared", func(t *testing.T) {
		shared.Long(t)
		cheap(t, realMeshes(t, 500, 20000))
	})
}

func cheap(t *testing.T, meshes []realMesh) {
	t.Helper()
	finder, err := ByName("")
	if err != nil {
		t.Fatal(err)
	}
	var ratios []float64
	for _, m := range meshes {
		size := func(balance float64) float64 {
			s, err := finder.Find(t.Context(), m.g, Options{Balance: balance, Positions: m.mesh.Positions})
			if err != nil {
				t.Errorf("%s at %g: %v", m.name, balance, err)
			}
			if err := Verify(m.g, s, balance); err != nil {
				t.Errorf("%s: %v", m.name, err)
			}
			return float64(len(s.S))
		}
		at, before := size(0), size(0.3)
		t.Logf("%-40s n %6d  |S| %4.0f at 0.3, %4.0f by default", m.name, m.g.Len(), before, at)
		if before > 0 {
			ratios = append(ratios, at/before)
		}
	}
	slices.Sort(ratios)
	if median := ratios[len(ratios)/2]; median > 1.05 {
		t.Errorf("separators have %.3f times the vertices", median)
	}
}

// Neither side has more than two thirds of the vertices, however these add up in components, and one vertex is spent
// on that at most.
func TestNoSideHasMoreThanTwoThirds(t *testing.T) {
	finder, err := ByName("")
	if err != nil {
		t.Fatal(err)
	}
	for large := 2; large <= 9; large++ {
		for small := 1; small <= large; small++ {
			n := large + small
			var edges []graph.Edge // two complete graphs
			for i := range n {
				for j := range i {
					if (i < large) == (j < large) {
						edges = append(edges, graph.Edge{U: int32(i), V: int32(j), Weight: 1})
					}
				}
			}
			g, err := graph.New(n, edges)
			if err != nil {
				t.Fatal(err)
			}
			s, err := finder.Find(t.Context(), g, Options{})
			if least := n / 3; small < least {
				if !errors.Is(err, ErrNoSeparation) {
					t.Errorf("%d and %d: %v", large, small, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%d and %d: %v", large, small, err)
				continue
			}
			if err := Verify(g, s, 0); err != nil {
				t.Errorf("%d and %d: %v", large, small, err)
			}
			if (len(s.S) == 1) != (3*large > 2*n) || len(s.S) > 1 {
				t.Errorf("%d and %d: S has %d vertices", large, small, len(s.S))
			}
		}
	}
}

// The default finder cuts a tree at one vertex, and leaves at most half of the vertices in a component.
func TestTreesAreCutAtTheirCentroid(t *testing.T) {
	for seed := range uint64(40) {
		n := 3 + int(seed*seed)%97
		g := build(t, n, randomTree(n, seed)...)
		s, err := find(t, "", g, Options{})
		if err != nil {
			t.Fatalf("%d vertices, seed %d: %v", n, seed, err)
		}
		if err := Verify(g, s, 0); err != nil {
			t.Errorf("%d vertices, seed %d: %v", n, seed, err)
		}
		rest := g.Induced(slices.Concat(s.A, s.B))
		component, count := rest.Components()
		sizes := make([]int, count)
		for _, c := range component {
			sizes[c]++
		}
		if len(s.S) != 1 || slices.Max(sizes) > n/2 {
			t.Errorf("%d vertices, seed %d: S %v, components of %v", n, seed, s.S, sizes)
		}
	}
}
