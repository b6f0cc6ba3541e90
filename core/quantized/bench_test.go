package quantized

import (
	"context"
	"math/rand/v2"
	"testing"

	"genussink/core/internal/shared/realmesh"
	"genussink/core/measure/preset"
	"genussink/core/shortest"
	"genussink/core/transport"
)

// BenchmarkSetUp is a net of 500 cells, the plan between them and its estimate, on a mesh of 9,210 vertices.
func BenchmarkSetUp(b *testing.B) {
	ctx := context.Background()
	m, g := realmesh.Read(b, "cgal__turbine.off")
	p, err := preset.ByName("paper", "", m, g, preset.Floor)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s := shortest.NewSpread(g)
		if _, err := s.Extend(ctx, 500); err != nil {
			b.Fatal(err)
		}
		net, err := NewNet(ctx, g, s, false, nil)
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

// BenchmarkPath is the paths between 50 pairs of vertices of a mesh of 134,345 vertices.
func BenchmarkPath(b *testing.B) {
	ctx := context.Background()
	_, g := realmesh.Read(b, "common3d__igea.ply")
	s := shortest.NewSpread(g)
	if _, err := s.Extend(ctx, 500); err != nil {
		b.Fatal(err)
	}
	net, err := NewNet(ctx, g, s, false, nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		rng := rand.New(rand.NewPCG(1, 2))
		for range 50 {
			if _, _, ok := net.Path(nil, nil, rng.Int32N(int32(g.Len())), rng.Int32N(int32(g.Len()))); !ok {
				b.Fatal("no path")
			}
		}
	}
}

// BenchmarkResolve is what a painting costs where the net is known: the cells' distances, the plan between them and its estimate, on
// a mesh of 9,210 vertices.
func BenchmarkResolve(b *testing.B) {
	ctx := context.Background()
	m, g := realmesh.Read(b, "cgal__turbine.off")
	p, err := preset.ByName("paper", "", m, g, preset.Floor)
	if err != nil {
		b.Fatal(err)
	}
	s := shortest.NewSpread(g)
	if _, err := s.Extend(ctx, 500); err != nil {
		b.Fatal(err)
	}
	net, err := NewNet(ctx, g, s, false, nil)
	if err != nil {
		b.Fatal(err)
	}
	mass := mean(p.Source, p.Target)
	b.Run("cells", func(b *testing.B) {
		for b.Loop() {
			cellsOf(b, net, mass)
		}
	})
	cells := cellsOf(b, net, mass)
	var q *Solution
	b.Run("solve", func(b *testing.B) {
		for b.Loop() {
			if q, err = Solve(ctx, cells, p.Source, p.Target, 0.2*m.Diagonal(), transport.Options{}, nil); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(q.Result.Iterations), "iterations")
	})
	b.Run("estimate", func(b *testing.B) {
		for b.Loop() {
			if _, err := q.Estimate(ctx, net, 0, transport.Options{Tolerance: 1e-6}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkHaste is a first net of a mesh of 134,345 vertices.
func BenchmarkHaste(b *testing.B) {
	ctx := context.Background()
	_, g := realmesh.Read(b, "common3d__igea.ply")
	for _, c := range []struct {
		name  string
		haste bool
	}{{"hasty", true}, {"accurate", false}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				s := shortest.NewSpread(g)
				if _, err := s.Extend(ctx, 250); err != nil {
					b.Fatal(err)
				}
				if _, err := NewNet(ctx, g, s, c.haste, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
