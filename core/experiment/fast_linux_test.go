package experiment

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/internal/growth"
	"genussink/core/internal/heap"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/realmesh"
	"genussink/core/job"
	"genussink/core/measure/preset"
	"genussink/core/mesh"
	"genussink/core/mesh/generate"
	"genussink/core/method"
	"genussink/core/transport"
)

// takes is the processor seconds that f takes.
func takes(f func()) float64 {
	runtime.GC()
	start := shared.Processor()
	f()
	return shared.Processor().Sub(start).Seconds()
}

// quick is what quantized takes, in processor seconds.
type quick struct {
	setup, solve, estimate float64
	peak                   int64
	iterations             int
}

func (q quick) total() float64 { return q.setup + q.solve + q.estimate }

// makers is what kernels of a mesh are made with, by processor time.
func makers(m *mesh.Mesh, g *graph.Graph) (*method.Space, *method.Machine) {
	return method.NewSpace(m, g, 0), &method.Machine{MemoryLimit: math.MaxInt64 - 1, Now: shared.Processor}
}

// request is one whose stages are measured in processor time.
func request(b *testing.B) *method.Run {
	return &method.Run{Context: b.Context(), Now: shared.Processor, Progress: func(string, float64) {}}
}

// subdivided is a shared mesh with its faces cut in 4 so many times, its graph and the paper's densities.
func subdivided(b *testing.B, file string, times int) (*mesh.Mesh, *graph.Graph, preset.Pair) {
	b.Helper()
	m, _ := realmesh.Read(b, file)
	m, err := generate.Subdivide(m, times)
	if err != nil {
		b.Fatal(err)
	}
	g, err := graph.FromMesh(m)
	if err != nil {
		b.Fatal(err)
	}
	p, err := preset.ByName("paper", preset.Each, m, g, preset.Floor)
	if err != nil {
		b.Fatal(err)
	}
	return m, g, p
}

// measured is the medians of so many rounds of quantized, each from nothing.
func measured(b *testing.B, m *mesh.Mesh, g *graph.Graph, p preset.Pair, rounds int) quick {
	b.Helper()
	space, machine := makers(m, g)
	spec, err := space.Spec(job.KernelSpec{Method: job.Quantized, Epsilon: job.Fraction(0.2), Representatives: method.FirstCells})
	if err != nil {
		b.Fatal(err)
	}
	var all []quick
	for range rounds {
		var q quick
		meter := heap.Watch()
		meter.Restart()
		run := request(b)
		found, err := method.New(space, machine).Gather(run, spec, p.Source, p.Target, transport.Options{}, method.Goal{})
		if err != nil {
			b.Fatal(err)
		}
		r := Row{}
		r.took(run.Timings)
		q.setup, q.solve, q.estimate = r.Setup(), r.Solve, r.Estimate
		q.peak, q.iterations = meter.Peak(), found.Result.Iterations
		meter.Stop()
		all = append(all, q)
	}
	return middleOf(all)
}

// middleOf is the round that took the middle time.
func middleOf(all []quick) quick {
	slices.SortFunc(all, func(x, y quick) int { return cmp.Compare(x.total(), y.total()) })
	return all[len(all)/2]
}

// denseSeconds is how long dense takes to set up and to solve in so many iterations. Above 12,000 vertices both are predicted from 512 rows.
func denseSeconds(b *testing.B, m *mesh.Mesh, g *graph.Graph, p preset.Pair, iterations int) (setup, solve float64) {
	b.Helper()
	space, machine := makers(m, g)
	maker, run := method.New(space, machine), request(b)
	spec, err := space.Spec(job.KernelSpec{Method: job.Dense, Epsilon: job.Fraction(0.2)})
	if err != nil {
		b.Fatal(err)
	}
	if g.Len() > 12000 {
		d, err := maker.PredictDense(run.Context, spec.Epsilon, job.Float64, predictedRows)
		if err != nil {
			b.Fatal(err)
		}
		return d.Build, float64(2*iterations)*d.Product + d.Cost
	}
	var k *method.Kernel
	setup = takes(func() { k, err = maker.Kernel(run, spec) })
	if err != nil {
		b.Fatal(err)
	}
	solve = takes(func() {
		_, err = transport.Solve(run.Context, transport.Problem{Kernel: k.Kernel, Source: p.Source, Target: p.Target, Epsilon: spec.Epsilon}, transport.Options{})
	})
	if err != nil {
		b.Fatal(err)
	}
	return setup, solve
}

// What docs/QUANTIZED.md says that quantized and support are held to. All of it runs on one processor, and processor time is what counts: of a
// round from nothing, set-up, solve and estimate together, against dense's set-up and solve, which is predicted from 512 rows above 12,000
// vertices. The medians of some rounds; of ratios, those of one round each.
func BenchmarkFast(b *testing.B) {
	shared.OneProcessor(b)
	ctx := context.Background()
	for _, c := range []struct {
		name, file string
		subdivide  int
		faster     float64 // than dense, so many times at least
		seconds    float64 // at most; 0: any
		rounds     int
	}{
		{"bunny2", "meshlabjs__bunny5k_asc.obj", 1, 30, 0, 3},
		{"turbine", "cgal__turbine.off", 0, 30, 0, 3},
		{"heptoroid", "meshlabjs__heptoroid_50k.ply", 0, 100, 0, 5},
		{"spot4", "common3d__spot.obj", 2, 300, 0, 5},
		{"igea", "common3d__igea.ply", 0, 0, 4, 3},
		{"dino16", "cgal__dino.off", 4, 0, 40, 1},
	} {
		b.Run(c.name, func(b *testing.B) {
			m, g, p := subdivided(b, c.file, c.subdivide)
			for b.Loop() {
				var all []quick
				var times []float64 // of each round, dense beside quantized
				for range c.rounds {
					q := measured(b, m, g, p, 1)
					all = append(all, q)
					if c.faster > 0 {
						setup, solve := denseSeconds(b, m, g, p, q.iterations)
						times = append(times, (setup+solve)/q.total())
						b.Logf("dense %.1f and %.2f s, quantized %.3f", setup, solve, q.total())
					}
				}
				q := middleOf(all)
				b.Logf("%d vertices: set-up %.3f, solve %.3f, estimate %.3f, together %.3f s, peak %.0f MB", g.Len(), q.setup, q.solve, q.estimate, q.total(), float64(q.peak)/1e6)
				b.ReportMetric(q.total(), "s")
				b.ReportMetric(float64(q.peak)/1e6, "MB")
				if c.seconds > 0 && q.total() > c.seconds {
					b.Errorf("%.3f s, at most %g", q.total(), c.seconds)
				}
				if q.peak > 24e9 {
					b.Errorf("%d bytes, more than 24 GB", q.peak)
				}
				if c.faster > 0 {
					faster := halfway(times)
					b.ReportMetric(faster, "dense/quantized")
					if faster < c.faster {
						b.Errorf("%.1f times faster, at least %g", faster, c.faster)
					}
				}
			}
		})
	}
	b.Run("growth", func(b *testing.B) { // spot, from 11,714 to 749,570 vertices
		for b.Loop() {
			var n, setup, peak []float64
			for times, rounds := range map[int]int{1: 5, 2: 5, 3: 3, 4: 1} {
				m, g, p := subdivided(b, "common3d__spot.obj", times)
				q := measured(b, m, g, p, rounds)
				n, setup, peak = append(n, float64(g.Len())), append(setup, q.setup), append(peak, float64(q.peak))
				b.Logf("%d vertices: set-up %.3f s, together %.3f s, peak %.0f MB", g.Len(), q.setup, q.total(), float64(q.peak)/1e6)
			}
			time, memory := growth.Power(n, setup), growth.Power(n, peak)
			b.ReportMetric(time, "power-of-n,set-up")
			b.ReportMetric(memory, "power-of-n,memory")
			if time > 1.15 || memory > 1.05 {
				b.Errorf("set-up grows like n^%.3f, at most 1.15; memory like n^%.3f, at most 1.05", time, memory)
			}
		}
	})
	b.Run("spots", func(b *testing.B) { // painted, of 8 % radius
		m, g, p := subdivided(b, "meshlabjs__bunny5k_asc.obj", 1)
		t := &trial{g: g, diagonal: m.Diagonal(), source: p.Source, target: p.Target}
		t.repaint()
		o := transport.Options{Tolerance: spotsTolerance}
		space, machine := makers(m, g)
		exactly, err := space.Spec(job.KernelSpec{Precision: job.Float64, Epsilon: job.Fraction(0.2)})
		if err != nil {
			b.Fatal(err)
		}
		among := exactly
		among.Method, among.Precision = job.Support, ""
		for b.Loop() {
			var shares, missed []float64
			vertices := 0
			for range 5 {
				var k *method.Kernel
				exact := takes(func() { k, err = method.New(space, machine).Kernel(request(b), exactly) })
				if err != nil {
					b.Fatal(err)
				}
				want, err := transport.Solve(ctx, transport.Problem{Kernel: k.Kernel, Source: t.spots[0], Target: t.spots[1], Epsilon: exactly.Epsilon}, o)
				if err != nil {
					b.Fatal(err)
				}
				var got *method.Found
				support := takes(func() {
					got, err = method.New(space, machine).SolveSupport(request(b), among, t.spots[0], t.spots[1], o)
				})
				if err != nil {
					b.Fatal(err)
				}
				vertices = got.Kernel.Cells().Count()
				shares, missed = append(shares, support/exact), append(missed, math.Abs(got.Result.Cost/want.Cost-1))
			}
			share, most := halfway(shares), slices.Max(missed)
			b.ReportMetric(1/share, "exact-set-up/support")
			b.Logf("%d vertices: set-up and solve take %.3f of exact's set-up, the cost is %.2g off", vertices, share, most)
			if share > 0.1 || !(most <= 1e-9) {
				b.Errorf("%.3f of exact's set-up, at most a tenth; the cost is %.2g off, at most 1e-9", share, most)
			}
		}
	})
}
