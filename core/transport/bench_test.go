package transport

import (
	"context"
	"fmt"
	"testing"

	"genussink/core/baseline"
	"genussink/core/internal/shared/realmesh"
	"genussink/core/measure"
)

// The paper's measures on a real mesh: iterations and seconds by epsilon.
func BenchmarkSolve(b *testing.B) {
	for _, name := range []string{"common3d__spot.obj", "libigl__fertility.off"} {
		m, g := realmesh.Read(b, name)
		source, target, err := measure.Paper(m, g)
		if err != nil {
			b.Fatal(err)
		}
		for _, share := range []float64{0.2, 0.05, 0.02, 0.005} {
			epsilon := share * m.Diagonal()
			k, err := baseline.NewDense(context.Background(), g, epsilon, baseline.Options{MemoryLimit: 8 << 30})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/eps=%g", name, share), func(b *testing.B) {
				for b.Loop() {
					r := solve(b, Problem{k, source, target, epsilon}, Options{})
					b.ReportMetric(float64(r.Iterations), "iterations")
					b.ReportMetric(r.Cost, "cost")
					b.ReportMetric(-k.LogFloor(), "floor")
				}
			})
		}
	}
}
