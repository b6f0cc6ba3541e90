package transport

import (
	"testing"

	"genussink/core/internal/shared"
	"genussink/core/internal/shared/corpus"
	"genussink/core/measure"
	"genussink/core/measure/preset"
	"genussink/internal/race"
)

// On meshes of every class the coarse graph and a last result change the products that a solve takes, and not its answer. Cold, a solve
// takes at most one product more than without the coarse graph, which is what a guess costs that does not do; after a repaint one for each.
func TestCoarseOnCorpus(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	saved, failed := 0, 0
	for _, m := range corpus.Meshes(t) {
		component, count := m.Graph.Components()
		pair, err := preset.ByName("paper", "", m.Mesh, m.Graph, preset.Floor)
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		for _, fraction := range []float64{0.2, 0.05} {
			epsilon := fraction * m.Mesh.Diagonal()
			k := &tally{Kernel: dense(t, m.Graph, epsilon)}
			p := Problem{k, pair.Source, pair.Target, epsilon}
			plain := solve(t, p, Options{})
			without := k.products
			o := Options{Coarse: standIn(t, m.Graph)}
			k.products = 0
			first := solve(t, p, o)
			with := k.products
			saved += without - with
			if first.Status != Converged || !near(first.Cost, plain.Cost, 1e-7) || with > without+1 {
				t.Errorf("%s, epsilon %g: %s, cost %.15g after %d products, without the coarse graph %.15g after %d", m.Name, fraction, first.Status, first.Cost, with, plain.Cost, without)
			}
			moved := repaint(m.Graph, m.Mesh.Diagonal(), pair.Source, pair.Target)
			a, b, _, err := measure.Balance(moved, pair.Target, component, count)
			if err != nil {
				t.Fatalf("%s: %v", m.Name, err)
			}
			p.Source, p.Target = a, b
			k.products = 0
			want := solve(t, p, Options{Last: plain})
			without = k.products
			o.Last = first
			k.products, k.plans = 0, 0
			again := solve(t, p, o)
			if k.plans > 1 {
				failed++
			}
			if k.products > without+k.plans {
				t.Errorf("%s, epsilon %g: after a repaint %d products, %d of them for guesses, without the coarse graph %d", m.Name, fraction, k.products, k.plans, without)
			}
			if again.Status != Converged || !near(again.Cost, want.Cost, 1e-7) {
				t.Errorf("%s, epsilon %g: after a repaint %s, cost %.15g, without the coarse graph %.15g", m.Name, fraction, again.Status, again.Cost, want.Cost)
			}
		}
	}
	if saved <= 0 || failed == 0 {
		t.Errorf("the coarse graph saves %d products in all; %d guesses fail", saved, failed)
	}
}
