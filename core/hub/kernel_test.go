package hub_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/hub/cover"
	"genussink/core/hub/hubtest"
	"genussink/core/hub/label"
	"genussink/core/internal/growth"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/internal/shared/realmesh"
	"genussink/core/linop"
	"genussink/core/linop/linoptest"
	"genussink/core/measure/preset"
	"genussink/core/mesh/generate"
	"genussink/core/septree"
	"genussink/core/shortest"
	"genussink/core/transport"
	"genussink/internal/race"
)

// Every entry is within the bound of the true one, with factors of either precision.
func TestMulVec(t *testing.T) {
	race.Alone(t)
	for name, g := range gengraph.All(t) {
		exact := make([][]float64, g.Len())
		for j := range exact {
			exact[j] = shortest.From(g, int32(j))
		}
		for _, p := range hubtest.Precisions {
			l := hubtest.LabelsOf(t, g, septree.Options{Leaf: 8}, p)
			for _, delta := range []float64{0, 0.1, 1, 5} {
				cov := hubtest.BuildCover(t, l, delta)
				for _, epsilon := range [][]float64{label.Float64: {2}, label.Float32: {2, 0.5}}[p] {
					k := hubtest.KernelOf(t, cov, epsilon)
					for j, y := range hubtest.Columns(t, k) {
						for i, d := range exact[j] {
							want := math.Exp(-d / epsilon)
							if !hubtest.Holds(cov, y[i], want, epsilon, delta) {
								t.Fatalf("%s, %v, delta %g: K(%d,%d) = %g, exact %g", name, p, delta, i, j, y[i], want)
							}
						}
					}
				}
			}
		}
	}
}

// Every kernel keeps every kernel's contract, of its own distances, in the range of float64 and beyond it: exact, with a tolerance
// and with float32 labels.
func TestContract(t *testing.T) {
	gengraph.Each(t, func(t *testing.T, g *graph.Graph) {
		for _, c := range []struct {
			precision label.Precision
			delta     float64
			epsilons  []float64
		}{
			{label.Float64, 0, []float64{3, 0.3, 1e-3}},
			{label.Float64, 0.3, []float64{3, 0.3}},
			{label.Float32, 0, []float64{1e4, 1e-3}},
			{label.Float32, 0.3, []float64{1e4, 0.3}},
		} {
			l := hubtest.LabelsOf(t, g, septree.Options{Leaf: 8}, c.precision)
			cov := hubtest.BuildCover(t, l, c.delta)
			for _, epsilon := range c.epsilons {
				k := hubtest.KernelOf(t, cov, epsilon)
				if l.FactorPrecision(epsilon) == label.Float32 { // entries are not exp(-d/epsilon) to the suite's 1e-12
					linoptest.Operator(t, k)
				} else {
					linoptest.Kernel(t, k, epsilon)
				}
			}
			if c.precision == label.Float32 {
				linoptest.Operator(t, hubtest.KernelOf(t, cov, 3))
			}
		}
	})
}

// The log product and the plan's cost are the explicit sums over the kernel's
// own distances, also where exp(-d/epsilon) underflows.
func TestLogMulVecAndPlanCost(t *testing.T) {
	race.Alone(t)
	for name, g := range gengraph.All(t) {
		n := g.Len()
		for _, c := range []struct {
			precision label.Precision
			delta     float64
		}{{label.Float64, 0}, {label.Float64, 1}, {label.Float32, 0}} {
			cov := hubtest.BuildCover(t, hubtest.LabelsOf(t, g, septree.Options{Leaf: 8}, c.precision), c.delta)
			d := hubtest.Entries(t, cov, n)
			tolerance := 1e-12
			if c.precision == label.Float32 {
				tolerance = 0x1p-20 // of the factors
			}
			for _, epsilon := range []float64{2, 1e-3} {
				k := hubtest.KernelOf(t, cov, epsilon)
				rng := rand.New(rand.NewPCG(3, 3))
				x, u, v := make([]float64, n), make([]float64, n), make([]float64, n)
				for i := range n {
					x[i], u[i], v[i] = 10*rng.NormFloat64(), -5*rng.Float64(), -5*rng.Float64()
					if i%7 == 3 {
						x[i], u[i] = math.Inf(-1), math.Inf(-1)
					}
				}
				cost := 0.0
				y := linoptest.Must(t, k).LogMulVec(nil, x)
				for i := range n {
					top := math.Inf(-1)
					for j := range n {
						top = max(top, x[j]-d[i][j]/epsilon)
						if p := math.Exp(u[i] + v[j] - d[i][j]/epsilon); p > 0 {
							cost += p * d[i][j]
						}
					}
					sum := 0.0
					for j := range n {
						sum += math.Exp(x[j] - d[i][j]/epsilon - top)
					}
					if want := top + math.Log(sum); y[i] != want && !(math.Abs(y[i]-want) <= tolerance*(1+math.Abs(want))) {
						if top == math.Inf(-1) && y[i] == top {
							continue
						}
						t.Fatalf("%s, %+v, epsilon %g: row %d is %g, explicitly %g", name, c, epsilon, i, y[i], want)
					}
				}
				if got := linoptest.Must(t, k).PlanCost(u, v); math.Abs(got-cost) > tolerance*cost {
					t.Errorf("%s, %+v, epsilon %g: cost %g, explicitly %g", name, c, epsilon, got, cost)
				}
			}
		}
	}
}

// mesh is a shared mesh with its graph and the paper's densities.
func mesh(t testing.TB, name string) (g *graph.Graph, positions [][3]float64, diagonal float64, source, target []float64) {
	t.Helper()
	m, g := realmesh.Read(t, name)
	source, target, err := preset.Paper(m, g, preset.Floor)
	if err != nil {
		t.Fatal(err)
	}
	return g, m.Positions, m.Diagonal(), source, target
}

// On real meshes, with boundaries, handles and several components, the exact
// product is the dense one to 1e-12 in every row, with float32 within the bound.
func TestMulVecOnMeshes(t *testing.T) {
	shared.Long(t)
	for _, name := range []string{
		"cgal__3torus.off", "gc__moebius.obj", "cgal__eight.off", "trimesh__pins.glb", "vtkdata__footbones.ply",
		"cgal__elephant-with-holes.off", "draco__Duck.glb", "directional__1146164.off",
	} {
		g, positions, diagonal, source, _ := mesh(t, name)
		cov := [2]*cover.Cover{}
		for i, p := range hubtest.Precisions {
			cov[i] = hubtest.BuildCover(t, hubtest.LabelsOf(t, g, septree.Options{Positions: positions}, p), 0)
		}
		fractions := [2]float64{0.2, 0.02}
		var want [2][]float64
		solver, d := shortest.NewSolver(g), make([]float64, g.Len())
		for i := range int32(g.Len()) {
			solver.Distances(d, i)
			for f, fraction := range fractions {
				sum := 0.0
				for j, d := range d {
					sum += math.Exp(-d/(fraction*diagonal)) * source[j]
				}
				want[f] = append(want[f], sum)
			}
		}
		for f, fraction := range fractions {
			epsilon := fraction * diagonal
			for p, cov := range cov {
				got := linoptest.Must(t, hubtest.KernelOf(t, cov, epsilon)).MulVec(nil, source)
				for i, want := range want[f] {
					if !hubtest.Holds(cov, got[i], want, epsilon, 0) {
						t.Fatalf("%s, epsilon %g, %v: row %d is %g, dense %g", name, fraction, hubtest.Precisions[p], i, got[i], want)
					}
				}
			}
		}
	}
}

// On real meshes the exact kernel solves to the dense cost, to 1e-10 with
// float64 and 1e-6 with float32, the certified one within its bound, at large and
// small epsilon, in both forms of the solver.
func TestSolve(t *testing.T) {
	race.Alone(t)
	ctx := context.Background()
	for name, epsilons := range map[string][]float64{
		"cgal__eight.off":          {0.2, 0.02, 0.002},
		"gc__moebius.obj":          {0.2, 0.02, 0.001},
		"directional__1146164.off": {0.2},
	} {
		if testing.Short() && name == "directional__1146164.off" {
			continue
		}
		g, positions, diagonal, source, target := mesh(t, name)
		long, short := hubtest.Labels(t, g, septree.Options{Positions: positions}), hubtest.LabelsOf(t, g, septree.Options{Positions: positions}, label.Float32)
		for _, fraction := range epsilons {
			epsilon := fraction * diagonal
			solve := func(k linop.Kernel) *transport.Result {
				r, err := transport.Solve(ctx, transport.Problem{Kernel: k, Source: source, Target: target, Epsilon: epsilon},
					transport.Options{MaxIterations: 60, Tolerance: 1e-9})
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			dense, err := baseline.NewDense(ctx, g, epsilon, baseline.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := solve(dense)
			for _, c := range []struct {
				l         *label.Labels
				delta     float64
				tolerance float64 // of the cost
			}{{long, 0, 1e-10}, {short, 0, 1e-6}, {long, 0.01, 0}, {short, 0.01, 0}} {
				delta := c.delta
				if c.tolerance != 1e-10 && want.Status != transport.Converged {
					continue // nothing to compare: on the way small differences grow
				}
				got := solve(hubtest.KernelOf(t, hubtest.BuildCover(t, c.l, delta*diagonal), epsilon))
				off := math.Abs(got.Cost-want.Cost) / want.Cost
				t.Logf("%s, epsilon %g, delta %g, %v: %s, %d iterations, cost %g, off by %.1e", name, fraction, delta, c.l.Precision(), got.Form, got.Iterations, got.Cost, off)
				if delta == 0 && off > c.tolerance {
					t.Errorf("%s, epsilon %g, %v: exact cost %g, dense %g", name, fraction, c.l.Precision(), got.Cost, want.Cost)
				}
				if delta > 0 && math.Abs(got.Dual-want.Dual) > delta*diagonal {
					t.Errorf("%s, epsilon %g: dual %g, dense %g: further apart than delta", name, fraction, got.Dual, want.Dual)
				}
			}
		}
	}
}

// BenchmarkTotal times set-up and 26 products, what a solve at epsilon = 0.2
// diagonals takes, against the dense kernel in the same run.
func BenchmarkTotal(b *testing.B) {
	ctx := context.Background()
	for _, name := range []string{"common3d__spot.obj", "odedstein__cat-low-resolution.obj", "cgal__turbine.off", "meshlabjs__heptoroid_50k.ply"} {
		g, positions, diagonal, x, _ := mesh(b, name)
		epsilon := 0.2 * diagonal
		const products = 26
		b.Run(fmt.Sprintf("%s/dense", name), func(b *testing.B) {
			if g.Len() > 12000 {
				b.Skip("the dense kernel would take minutes")
			}
			for b.Loop() {
				k, err := baseline.NewDense(ctx, g, epsilon, baseline.Options{})
				if err != nil {
					b.Fatal(err)
				}
				for range products {
					linoptest.Must(b, k).MulVec(nil, x)
				}
			}
		})
		for _, c := range []struct {
			delta     float64
			precision label.Precision
		}{{0, label.Float64}, {0, label.Float32}, {0.01, label.Float64}, {0.01, label.Float32}} {
			b.Run(fmt.Sprintf("%s/delta=%g/%v", name, c.delta, c.precision), func(b *testing.B) {
				var times [4]time.Duration
				for b.Loop() {
					start := time.Now()
					lap := func(i int) { times[i] += time.Since(start); start = time.Now() }
					l := hubtest.LabelsOf(b, g, septree.Options{Positions: positions}, c.precision)
					lap(0)
					cov := hubtest.BuildCover(b, l, c.delta*diagonal)
					lap(1)
					k := hubtest.KernelOf(b, cov, epsilon)
					lap(2)
					for range products {
						linoptest.Must(b, k).MulVec(nil, x)
					}
					lap(3)
				}
				for i, stage := range []string{"labels", "tiles", "factors", "products"} {
					b.ReportMetric(times[i].Seconds()*1e3/float64(b.N), stage+"-ms")
				}
			})
		}
	}
}

// BenchmarkGrowth fits how a certified product's time grows over one shape at four sizes, spot and its
// faces cut in 4, 16 and 64. The sizes take turns, so that all of them have the machine at the same
// speeds; every size's time is the median of its turns.
func BenchmarkGrowth(b *testing.B) {
	m, _ := realmesh.Read(b, "common3d__spot.obj")
	const sizes, turns = 4, 41
	var kernels [sizes]hubtest.Subject
	var x, y [sizes][]float64
	var times [sizes][]float64
	for i := range kernels {
		finer, err := generate.Subdivide(m, i)
		if err != nil {
			b.Fatal(err)
		}
		g, err := graph.FromMesh(finer)
		if err != nil {
			b.Fatal(err)
		}
		l := hubtest.LabelsOf(b, g, septree.Options{Positions: finer.Positions, Faces: finer.Faces}, label.Float32)
		kernels[i] = hubtest.KernelOf(b, hubtest.BuildCover(b, l, 0.01*m.Diagonal()), 0.2*m.Diagonal())
		x[i], y[i] = make([]float64, g.Len()), make([]float64, g.Len())
		for v := range x[i] {
			x[i][v] = 1
		}
	}
	for b.Loop() {
		for range turns {
			for i, k := range kernels {
				start := time.Now()
				linoptest.Must(b, k).MulVec(y[i], x[i])
				times[i] = append(times[i], time.Since(start).Seconds())
			}
		}
	}
	var vertices, medians []float64
	for i, list := range times {
		slices.Sort(list)
		vertices, medians = append(vertices, float64(len(x[i]))), append(medians, list[len(list)/2])
		b.ReportMetric(1e3*medians[i], fmt.Sprintf("ms-at-%d", len(x[i])))
	}
	power := growth.Power(vertices, medians)
	b.ReportMetric(power, "power-of-n")
	if !(power <= 1.25) {
		b.Errorf("products grow with n^%.3f, at most n^1.25", power)
	}
}
