package squared_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/hub"
	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/hub/squared"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/gendensity"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/internal/shared/realmesh"
	"genussink/core/linop"
	"genussink/core/measure"
	"genussink/core/mesh"
	"genussink/core/septree"
	"genussink/core/transport"
)

// coverOf is the cover of a mesh whose distances may be wrong by a share of the diagonal.
func coverOf(t testing.TB, m *mesh.Mesh, g *graph.Graph, share float64) *cover.Cover {
	t.Helper()
	tree, err := septree.Split(t.Context(), g, septree.Options{Positions: m.Positions, Faces: m.Faces})
	if err != nil {
		t.Fatal(err)
	}
	l, err := label.Measure(t.Context(), tree, label.MeasureOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := cover.Build(t.Context(), l, cover.Options{Delta: share * m.Diagonal()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// dense is the slow twin: all true distances, one after the other, in logarithms.
type dense struct {
	*baseline.Dense // of the distances alone
	rows            [][]float64
	s               float64
}

func newDense(t testing.TB, g *graph.Graph) *dense {
	t.Helper()
	all, err := baseline.NewDense(t.Context(), g, 1, baseline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	k := &dense{Dense: all, rows: make([][]float64, g.Len())}
	for i := range k.rows {
		if k.rows[i], err = all.Distances(t.Context(), nil, i); err != nil {
			t.Fatal(err)
		}
	}
	return k
}

func (k *dense) LogEntry(d float64) float64 { return -d * d / k.s }

func (k *dense) LogFloor() float64 {
	far := 0.0
	for _, row := range k.rows {
		for _, d := range row {
			far = max(far, d)
		}
	}
	return k.LogEntry(far)
}

// sum is log sum_j exp(x_j - d_j^2/s), and the mean of d_j by these terms.
func (k *dense) sum(d, x []float64) (log, mean float64) {
	top := math.Inf(-1)
	for j, d := range d {
		top = max(top, x[j]+k.LogEntry(d))
	}
	if top == math.Inf(-1) {
		return top, 0
	}
	sum, moved := 0.0, 0.0
	for j, d := range d {
		if l := x[j] + k.LogEntry(d) - top; l > -60 {
			e := math.Exp(l)
			sum += e
			moved += e * d
		}
	}
	return top + math.Log(sum), moved / sum
}

func (k *dense) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	for i, d := range k.rows {
		dst[i], _ = k.sum(d, x)
	}
	return dst, ctx.Err()
}

func (k *dense) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	logs := make([]float64, len(x))
	for i, x := range x {
		logs[i] = math.Log(x)
	}
	_, err := k.LogMulVec(ctx, dst, logs)
	for i, y := range dst {
		dst[i] = math.Exp(y)
	}
	return dst, err
}

func (k *dense) MulVecT(ctx context.Context, dst, x []float64) ([]float64, error) {
	return k.MulVec(ctx, dst, x)
}

func (k *dense) PlanCost(ctx context.Context, logu, logv []float64) (cost float64, err error) {
	for i, d := range k.rows {
		log, mean := k.sum(d, logv)
		cost += mean * math.Exp(logu[i]+log)
	}
	return cost, ctx.Err()
}

// MulPlan hides that of the distances' own kernel.
func (k *dense) MulPlan(ctx context.Context, ku, kv, u, v []float64) (float64, error) {
	return linop.MulPlan(ctx, struct{ linop.Kernel }{k}, ku, kv, u, v)
}

// With distances wrong by a hundredth of the diagonal transport costs the same to a thousandth as with the matrix of the true ones,
// with much blur, in numbers, and with little, in logarithms.
func TestCost(t *testing.T) {
	m, g := genmesh.Make(t, "torus", map[string]float64{"segments": 40, "sides": 16})
	costs(t, m, g, 0.05, 0.2)
}

func TestCostOnSpot(t *testing.T) {
	shared.Long(t)
	shared.Alone(t)
	m, g := realmesh.Read(t, "common3d__spot.obj")
	costs(t, m, g, 0.2)
}

func costs(t *testing.T, m *mesh.Mesh, g *graph.Graph, epsilons ...float64) {
	t.Helper()
	c := coverOf(t, m, g, 0.01)
	a, b := make([]float64, g.Len()), make([]float64, g.Len())
	near := m.Diagonal() * m.Diagonal() / 40
	for v, p := range m.Positions { // about the first vertex and about the middle one
		a[v], b[v] = 1e-3+math.Exp(-square(p, m.Positions[0])/near), 1e-3+math.Exp(-square(p, m.Positions[g.Len()/2])/near)
	}
	twin := newDense(t, g)
	for _, share := range epsilons {
		epsilon := share * m.Diagonal()
		k, err := squared.New(t.Context(), c, epsilon*epsilon)
		if err != nil {
			t.Fatal(err)
		}
		twin.s = epsilon * epsilon
		var costs [2]float64
		for i, kernel := range []linop.Kernel{k, twin} {
			r, err := transport.Solve(t.Context(), transport.Problem{
				Kernel: kernel, Source: gendensity.Scaled(a, 1/measure.Total(a)), Target: gendensity.Scaled(b, 1/measure.Total(b)), Epsilon: epsilon,
			}, transport.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != transport.Converged {
				t.Fatalf("epsilon %g: %s", share, r.Status)
			}
			costs[i] = r.Cost
		}
		if !(math.Abs(costs[0]-costs[1]) <= 1e-3*costs[1]) {
			t.Errorf("epsilon %g: costs %g, dense %g", share, costs[0], costs[1])
		}
	}
}

func square(p, q [3]float64) (sum float64) {
	for i := range p {
		sum += (p[i] - q[i]) * (p[i] - q[i])
	}
	return sum
}

// BenchmarkAgainstExp compares a product of squared distance with one of exp, at the same epsilon and on the same cover. The two take turns.
// "times" is the least processor time of the first over that of the second, "times/log" the same of products in logarithms.
func BenchmarkAgainstExp(b *testing.B) {
	for _, name := range []string{"common3d__spot.obj", "libigl__fertility.off", "cgal__turbine.off"} {
		m, g := realmesh.Read(b, name)
		c := coverOf(b, m, g, 0.01)
		x := gendensity.Random(g.Len(), 1)
		logx, y := make([]float64, len(x)), make([]float64, len(x))
		for i, x := range x {
			logx[i] = math.Log(x)
		}
		for _, share := range []float64{0.05, 0.2} {
			epsilon := share * m.Diagonal()
			exp, err := hub.NewKernel(b.Context(), c, epsilon)
			if err != nil {
				b.Fatal(err)
			}
			own, err := squared.New(b.Context(), c, epsilon*epsilon)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/%g", name, share), func(b *testing.B) {
				least := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
				take := func(i, products int, multiply func(ctx context.Context, dst, x []float64) ([]float64, error), x []float64) {
					begun := shared.Processor()
					for range products {
						if _, err := multiply(b.Context(), y, x); err != nil {
							b.Fatal(err)
						}
					}
					least[i] = min(least[i], shared.Processor().Sub(begun).Seconds()/float64(products))
				}
				for b.Loop() {
					take(0, 8, exp.MulVec, x)
					take(1, 1, own.MulVec, x)
					take(2, 1, own.LogMulVec, logx)
				}
				b.ReportMetric(1e3*least[0], "ms/exp")
				b.ReportMetric(least[1]/least[0], "times")
				b.ReportMetric(least[2]/least[0], "times/log")
			})
		}
	}
}
