package quantized

import (
	"context"
	"testing"

	"genussink/core/internal/shared/realmesh"
	"genussink/core/measure"
	"genussink/core/shortest"
	"genussink/core/transport"
)

// BenchmarkSetUp is a net of 500 cells, the plan between them and its estimate, on a mesh of 9,210 vertices.
func BenchmarkSetUp(b *testing.B) {
	ctx := context.Background()
	m, g := realmesh.Read(b, "cgal__turbine.off")
	p, err := measure.ByName("paper", "", m, g, measure.Floor)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s := shortest.NewSpread(g)
		if _, err := s.Extend(ctx, 500); err != nil {
			b.Fatal(err)
		}
		net, err := NewNet(ctx, g, s, nil)
		if err != nil {
			b.Fatal(err)
		}
		q, err := Solve(ctx, cellsOf(b, net, mean(p.Source, p.Target)), p.Source, p.Target, 0.2*m.Diagonal(), transport.Options{}, nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := q.Estimate(ctx, net, 16, transport.Options{Tolerance: 1e-6}); err != nil {
			b.Fatal(err)
		}
	}
}
