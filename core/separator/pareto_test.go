package separator

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"genussink/core/internal/shared"
)

func TestPareto(t *testing.T) {
	// Two grids of unlike size joined by an edge: a cut vertex unbalanced, a
	// column of the larger grid balanced.
	pairs := append(append(grid(20, 20), shift(grid(10, 10), 400)...), [2]int32{399, 400})
	g := build(t, 500, pairs...)
	list, err := Pareto(context.Background(), g, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range list {
		if err := Verify(g, s, 0.05); err != nil {
			t.Error(err)
		}
		if i > 0 && (len(s.S) <= len(list[i-1].S) || lighter(s) <= lighter(list[i-1])) {
			t.Errorf("entry %d: |S| %d with %d, after |S| %d with %d", i, len(s.S), lighter(s), len(list[i-1].S), lighter(list[i-1]))
		}
	}
	if len(list) < 2 || len(list[0].S) != 1 || lighter(list[len(list)-1]) < 200 {
		t.Errorf("%d entries, |S| from %d to %d, sides from %d to %d", len(list), len(list[0].S), len(list[len(list)-1].S), lighter(list[0]), lighter(list[len(list)-1]))
	}
	if _, err := Pareto(context.Background(), build(t, 5, clique(5)...), Options{}); !errors.Is(err, ErrNoSeparation) {
		t.Errorf("a clique: error %v", err)
	}
	if _, err := Pareto(context.Background(), g, Options{Balance: 2}); err == nil {
		t.Error("a balance of 2 is accepted")
	}
}

// TestParetoRealMeshes compares the list with a separation by inertial flow for
// each of several balances.
func TestParetoRealMeshes(t *testing.T) {
	shared.Long(t)
	asked, lost := 0, 0
	for _, m := range realMeshes(t, 1000, 2600) {
		list, err := Pareto(context.Background(), m.g, Options{Positions: m.mesh.Positions})
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
			continue
		}
		for i, s := range list {
			// Half a vertex less, so that the share does not fall below by rounding.
			if err := Verify(m.g, s, (float64(lighter(s))-0.5)/float64(m.g.Len())); err != nil {
				t.Errorf("%s, entry %d: %v", m.name, i, err)
			}
			if i > 0 && (len(s.S) <= len(list[i-1].S) || lighter(s) <= lighter(list[i-1])) {
				t.Errorf("%s: entry %d is no trade for that before", m.name, i)
			}
		}
		for _, balance := range []float64{0.05, 0.15, 0.25, 0.35, 0.45} {
			single, err := find(t, "inertial-flow", m.g, Options{Balance: balance, Positions: m.mesh.Positions})
			if errors.Is(err, ErrNoSeparation) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			asked++
			if !slices.ContainsFunc(list, func(s Separation) bool {
				return len(s.S) <= len(single.S) && lighter(s) >= lighter(single)
			}) {
				lost++
			}
		}
	}
	t.Logf("at %d of %d balances a single cut is not in the list nor beaten", lost, asked)
	if asked < 30 || lost > asked/10 {
		t.Errorf("at %d of %d balances a single cut is not in the list nor beaten", lost, asked)
	}
}

// TestParetoParts wants a list of a graph of several components, from the one
// that deals them whole on.
func TestParetoParts(t *testing.T) {
	pairs := append(grid(12, 12), shift(grid(5, 5), 144)...)
	g := build(t, 169+3, pairs...) // and three isolated vertices
	list, err := Pareto(context.Background(), g, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if err := Verify(g, s, 0.05); err != nil {
			t.Error(err)
		}
	}
	if first, last := list[0], list[len(list)-1]; len(first.S) != 0 || lighter(first) != 28 || lighter(last) < 75 || len(last.S) > 12 {
		t.Errorf("from |S| %d with %d to |S| %d with %d", len(first.S), lighter(first), len(last.S), lighter(last))
	}
}

// BenchmarkPareto sweeps the shared meshes near 10,000 vertices; the bar is 2 s of a processor.
func BenchmarkPareto(b *testing.B) {
	for _, m := range realMeshes(b, 9000, 10000) {
		b.Run(m.name, func(b *testing.B) {
			for b.Loop() {
				start := shared.Processor()
				list, err := Pareto(context.Background(), m.g, Options{Positions: m.mesh.Positions})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(list)), "cuts")
				if took := shared.Processor().Sub(start); took > 2*time.Second {
					b.Errorf("%v", took)
				}
			}
		})
	}
}
