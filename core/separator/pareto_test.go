package separator

import (
	"context"
	"errors"
	"testing"
	"time"
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

// BenchmarkPareto sweeps the shared meshes near 10,000 vertices; the bar is 2 s.
func BenchmarkPareto(b *testing.B) {
	for _, m := range realMeshes(b, 9000, 10000) {
		b.Run(m.name, func(b *testing.B) {
			for b.Loop() {
				start := time.Now()
				list, err := Pareto(context.Background(), m.g, Options{})
				if err != nil {
					b.Fatal(err)
				}
				for _, s := range list {
					b.Logf("|S| %d, lighter side %d", len(s.S), lighter(s))
				}
				if took := time.Since(start); took > 2*time.Second {
					b.Errorf("%v", took)
				}
			}
		})
	}
}
