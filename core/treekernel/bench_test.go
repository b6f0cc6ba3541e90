package treekernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"genussink/core/graph"
	"genussink/core/internal/growth"
	"genussink/core/linop/linoptest"
	"genussink/core/transport"
)

// family is graphs of one kind; the steps of a product grow with the power
// bound of their size at most, measured with a margin.
type family struct {
	name  string
	bound float64
	make  func(n int) *graph.Graph
}

// families are those of the bar and two on which paths run together late
// or never.
func families(t testing.TB) []family {
	random := func() func() float64 {
		rng := rand.New(rand.NewPCG(1, 1))
		return func() float64 { return 0.5 + rng.Float64() }
	}
	return []family{
		{"tree", 1.01, func(n int) *graph.Graph { return randomTree(t, n, n, rand.New(rand.NewPCG(2, 2)), random()) }},
		{"2 x n", 1.01, func(n int) *graph.Graph { return strip(t, 2, n/2, random()) }},
		{"3 x n", 1.03, func(n int) *graph.Graph { return strip(t, 3, n/3, random()) }},
		{"series-parallel", 1.03, func(n int) *graph.Graph { return seriesParallel(t, n, rand.New(rand.NewPCG(3, 3)), random()) }},
		{"cycle", 1.2, func(n int) *graph.Graph { return cycle(t, n, random()) }},
	}
}

// times are the medians of the stages by a clock, in seconds.
type times struct{ order, build, kernel, multiply, logs float64 }

func measure(t testing.TB, now func() time.Time, g *graph.Graph, repeats int) (out times, bytes int64, report Report) {
	var all [5][]float64
	for range repeats {
		start := now()
		lap := func(i int) {
			all[i] = append(all[i], now().Sub(start).Seconds())
			start = now()
		}
		d := decompose(t, g)
		lap(0)
		tree := build(t, g, d, Options{})
		lap(1)
		k := kernel(t, tree, 0.05*tree.Diameter())
		lap(2)
		x := masses(g.Len(), 1)
		y := linoptest.Must(t, k).MulVec(nil, x)
		linoptest.Must(t, k).LogMulVec(y, x) // both have their room now
		start = now()
		linoptest.Must(t, k).MulVec(y, x)
		linoptest.Must(t, k).MulVec(y, x)
		linoptest.Must(t, k).MulVec(y, x)
		lap(3)
		all[3][len(all[3])-1] /= 3
		linoptest.Must(t, k).LogMulVec(y, x)
		lap(4)
		bytes, report = tree.Bytes()+k.Bytes(), tree.Report()
	}
	median := func(i int) float64 {
		slices.Sort(all[i])
		return all[i][len(all[i])/2]
	}
	return times{median(0), median(1), median(2), median(3), median(4)}, bytes, report
}

// BenchmarkTreeKernel measures set-up and product from 10^4 to 10^6 vertices and
// fits time = c n^e by least squares; on trees and grids of two and three rows e
// is at most 1.15.
func BenchmarkTreeKernel(b *testing.B) {
	for i, f := range families(b) {
		b.Run(f.name, func(b *testing.B) {
			for b.Loop() {
				var sizes, order, setUp, multiply, logs []float64
				for _, n := range []int{10_000, 31_623, 100_000, 316_228, 1_000_000} {
					m, bytes, report := measure(b, time.Now, f.make(n), 5)
					fmt.Printf("%-16s %8d vertices: order %.4f build %.4f kernel %.4f mul %.5f log %.5f s, %d bytes/vertex, %+v\n",
						f.name, n, m.order, m.build, m.kernel, m.multiply, m.logs, bytes/int64(n), report)
					sizes = append(sizes, float64(n))
					order = append(order, m.order)
					setUp = append(setUp, m.order+m.build+m.kernel)
					multiply = append(multiply, m.multiply)
					logs = append(logs, m.logs)
				}
				if e := max(growth.Power(sizes, setUp), growth.Power(sizes, multiply)); i < 3 && e > 1.15 {
					b.Errorf("%s: time grows with the power %.3f", f.name, e)
				}
				b.ReportMetric(growth.Power(sizes, order), "order-exponent")
				b.ReportMetric(growth.Power(sizes, setUp), "set-up-exponent")
				b.ReportMetric(growth.Power(sizes, multiply), "product-exponent")
				b.ReportMetric(growth.Power(sizes, logs), "log-product-exponent")
			}
		})
	}
}

// BenchmarkTreeKernelSolve is a whole Sinkhorn at a million vertices: between
// random densities with mass everywhere, in both forms: to 1e-9, or 50
// iterations.
func BenchmarkTreeKernelSolve(b *testing.B) {
	const n = 1_000_000
	for _, f := range families(b)[:3] {
		for _, share := range []float64{0.05, 0.001} {
			b.Run(fmt.Sprintf("%s/epsilon=%g", f.name, share), func(b *testing.B) {
				g := f.make(n)
				source, target := masses(g.Len(), 1), masses(g.Len(), 2)
				scale(source)
				scale(target)
				for b.Loop() {
					start := time.Now()
					tree := build(b, g, decompose(b, g), Options{})
					epsilon := share * tree.Diameter()
					k := kernel(b, tree, epsilon)
					b.ReportMetric(time.Since(start).Seconds(), "set-up-s")
					r, err := transport.Solve(b.Context(), transport.Problem{Kernel: k, Source: source, Target: target, Epsilon: epsilon}, transport.Options{MaxIterations: 50})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(r.Seconds, "solve-s")
					b.ReportMetric(float64(r.Iterations), "iterations")
					b.ReportMetric(float64(tree.Bytes()+k.Bytes())/(1<<20), "MB")
					b.Logf("%s, %s at %.1e: cost %.6g, gap %.1e", r.Form, r.Status, r.MarginalError, r.Cost, r.Gap)
				}
			})
		}
	}
}
