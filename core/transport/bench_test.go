package transport

import (
	"context"
	"fmt"
	"testing"
	"time"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/hub"
	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/hub/squared"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/internal/shared/realmesh"
	"genussink/core/linop"
	"genussink/core/linop/linoptest"
	"genussink/core/measure/preset"
	"genussink/core/mesh/generate"
	"genussink/core/septree"
	"genussink/core/transport/coarse"
)

// The paper's measures on a real mesh: iterations and seconds by epsilon.
func BenchmarkSolve(b *testing.B) {
	for _, name := range []string{"common3d__spot.obj", "libigl__fertility.off"} {
		m, g := realmesh.Read(b, name)
		source, target, err := preset.Paper(m, g, preset.Floor)
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

// What a certified solve takes in products, cold and after 5 % of the mass has
// moved, with the coarse graph and without; and in the time of products: the coarse
// graph, the cost and the whole of both solves.
func BenchmarkResolve(b *testing.B) {
	for _, c := range []struct {
		name, file string
		subdivide  int
	}{{"spot", "common3d__spot.obj", 0}, {"fertility", "libigl__fertility.off", 0}, {"turbine", "cgal__turbine.off", 0}, {"spot2", "common3d__spot.obj", 1}} {
		m, g := realmesh.Read(b, c.file)
		m, err := generate.Subdivide(m, c.subdivide)
		if err != nil {
			b.Fatal(err)
		}
		if g, err = graph.FromMesh(m); err != nil {
			b.Fatal(err)
		}
		source, target, err := preset.Paper(m, g, preset.Floor)
		if err != nil {
			b.Fatal(err)
		}
		repainted := repaint(g, m.Diagonal(), source, target)
		ctx := context.Background()
		tree, err := septree.Split(ctx, g, septree.Options{Positions: m.Positions, Faces: m.Faces})
		if err != nil {
			b.Fatal(err)
		}
		labels, err := label.Measure(ctx, tree, label.MeasureOptions{Precision: label.Float64})
		if err != nil {
			b.Fatal(err)
		}
		tiles, err := cover.Build(ctx, labels, cover.Options{Delta: 0.01 * m.Diagonal()})
		if err != nil {
			b.Fatal(err)
		}
		for _, share := range []float64{0.2, 0.05, 0.02, 0.005} {
			epsilon := share * m.Diagonal()
			kernel, err := hub.NewKernel(ctx, tiles, epsilon)
			if err != nil {
				b.Fatal(err)
			}
			for _, with := range []bool{true, false} {
				b.Run(fmt.Sprintf("%s/eps=%g/coarse=%v", c.name, share, with), func(b *testing.B) {
					var product, made, cost, cold, warm time.Duration
					clock := func(sum *time.Duration, f func()) {
						start := time.Now()
						f()
						*sum += time.Since(start)
					}
					k := &tally{Kernel: kernel}
					y := make([]float64, g.Len())
					for b.Loop() {
						var o Options
						p := Problem{k, source, target, epsilon}
						if with {
							clock(&made, func() {
								if o.Coarse, err = coarse.New(ctx, g, kernel.Among); err != nil {
									b.Fatal(err)
								}
							})
						}
						k.products = 0
						clock(&cold, func() { o.Last = solve(b, p, o) })
						b.ReportMetric(float64(k.products), "cold")
						p.Source, k.products = repainted, 0
						clock(&warm, func() { solve(b, p, o) })
						b.ReportMetric(float64(k.products), "warm")
						clock(&cost, func() { linoptest.Must(b, kernel).PlanCost(o.Last.LogU, o.Last.LogV) })
						clock(&product, func() { linoptest.Must(b, kernel).MulVec(y, source) })
					}
					for unit, d := range map[string]time.Duration{"coarse/product": made, "cost/product": cost, "cold/product": cold, "warm/product": warm} {
						b.ReportMetric(float64(d)/float64(product), unit)
					}
				})
			}
		}
	}
}

// The processor time of the barycentre of three paintings on 10,000 vertices over that of a solve between two of them, certified,
// the solve with the coarse graph where there is one.
func BenchmarkBarycentre(b *testing.B) {
	ctx := context.Background()
	m, g := genmesh.Make(b, "torus", map[string]float64{"segments": 160, "sides": 63})
	tree, err := septree.Split(ctx, g, septree.Options{Positions: m.Positions, Faces: m.Faces})
	if err != nil {
		b.Fatal(err)
	}
	labels, err := label.Measure(ctx, tree, label.MeasureOptions{})
	if err != nil {
		b.Fatal(err)
	}
	tiles, err := cover.Build(ctx, labels, cover.Options{Delta: 0.01 * m.Diagonal()})
	if err != nil {
		b.Fatal(err)
	}
	densities := paintings(m, g, 0.15)
	for _, share := range []float64{0.2, 0.05, 0.02} {
		epsilon := share * m.Diagonal()
		own, err := hub.NewKernel(ctx, tiles, epsilon)
		if err != nil {
			b.Fatal(err)
		}
		ofSquare, err := squared.New(ctx, tiles, epsilon*epsilon)
		if err != nil {
			b.Fatal(err)
		}
		small, err := coarse.New(ctx, g, own.Among)
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range []struct {
			what   string
			kernel linop.Kernel
			o      Options
		}{{"distance", own, Options{Coarse: small}}, {"squared", ofSquare, Options{}}} {
			b.Run(fmt.Sprintf("%s/eps=%g", c.what, share), func(b *testing.B) {
				var once, all time.Duration
				for b.Loop() {
					start := shared.Processor()
					r := solve(b, Problem{c.kernel, densities[0], densities[1], epsilon}, c.o)
					between := shared.Processor()
					found, err := FindBarycentre(ctx, c.kernel, epsilon, densities, []float64{1, 1, 1}, Options{})
					if err != nil || found.Status != Converged {
						b.Fatal(found, err)
					}
					once, all = once+between.Sub(start), all+shared.Processor().Sub(between)
					b.ReportMetric(float64(r.Iterations), "solve")
					b.ReportMetric(float64(found.Iterations), "barycentre")
				}
				b.ReportMetric(float64(all)/float64(once), "times")
				b.ReportMetric(once.Seconds()*1e3/float64(b.N), "ms/solve")
			})
		}
	}
}
