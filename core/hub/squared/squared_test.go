package squared_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/hub/cover"
	"genussink/core/hub/hubtest"
	"genussink/core/hub/label"
	"genussink/core/hub/squared"
	"genussink/core/internal/shared/corpus"
	"genussink/core/internal/shared/gendensity"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/linop"
	"genussink/core/linop/linoptest"
	"genussink/core/measure/preset"
	"genussink/core/mesh/generate"
	"genussink/core/septree"
	"genussink/core/transport"
	"genussink/internal/race"
)

// kernelOf is the kernel at epsilon of a cover of float64 labels with leaves of some vertices.
func kernelOf(t *testing.T, l *label.Labels, delta, epsilon float64) (*squared.Kernel, *cover.Cover) {
	t.Helper()
	c := hubtest.BuildCover(t, l, delta)
	k, err := squared.New(t.Context(), c, epsilon*epsilon)
	if err != nil {
		t.Fatal(err)
	}
	return k, c
}

// Graphs of every kind, with little blur and much, keep what every kernel promises.
func TestContract(t *testing.T) {
	gengraph.Each(t, func(t *testing.T, g *graph.Graph) {
		_, scale := hubtest.Distances(g)
		l := hubtest.LabelsOf(t, g, septree.Options{Leaf: 8}, label.Float64)
		for _, share := range []float64{0.02, 0.3} {
			k, _ := kernelOf(t, l, 0, share*scale)
			linoptest.Kernel(t, k, 0)
			if t.Failed() {
				t.Fatalf("at %g of the diameter", share)
			}
		}
	})
}

// On a mesh of every class, exact and with a tolerance, products in numbers and in logarithms and costs are those of the
// matrix of the cover's distances, also where entries are far below what a float64 holds.
func TestCorpus(t *testing.T) {
	race.Alone(t)
	for _, m := range corpus.Meshes(t) {
		if testing.Short() && m.Graph.Len() > 300 {
			continue
		}
		l := hubtest.LabelsOf(t, m.Graph, septree.Options{Leaf: 16, Positions: m.Mesh.Positions}, label.Float64)
		exact, err := baseline.NewDense(t.Context(), m.Graph, 1, baseline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []struct{ delta, epsilon float64 }{{0, 0.05}, {0, 0.2}, {0.02, 0.02}, {0.02, 0.2}, {0.1, 0.05}} {
			if testing.Short() && o.epsilon*o.delta > 0 && o.epsilon < 0.2 {
				continue
			}
			diagonal := m.Mesh.Diagonal()
			k, c := kernelOf(t, l, o.delta*diagonal, o.epsilon*diagonal)
			check(t, m.Name, k, c, exact)
			if o.epsilon == 0.2 || o.delta == 0 { // another function on the same cover
				k, err := squared.NewOf(t.Context(), c, func(d float64) float64 { return 1 / (1 + d/diagonal) }, 1e-3, -1)
				if err != nil {
					t.Fatal(err)
				}
				check(t, m.Name, k, c, exact)
			}
		}
	}
}

// The same on a lattice, whose vertices are in classes.
func TestClasses(t *testing.T) {
	g, positions, err := generate.DumbbellGraph(7, 1)
	if err != nil {
		t.Fatal(err)
	}
	l := hubtest.Labels(t, g, septree.Options{Positions: positions})
	exact, err := baseline.NewDense(t.Context(), g, 1, baseline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, epsilon := range []float64{2, 10} {
		k, c := kernelOf(t, l, 0, epsilon)
		if len(c.Aggregates) == 0 {
			t.Fatal("no classes")
		}
		check(t, "dumbbell", k, c, exact)
	}
}

// check holds products of the kernel to its distances, and these to the true ones.
func check(t *testing.T, name string, k *squared.Kernel, c *cover.Cover, exact *baseline.Dense) {
	t.Helper()
	must, n := linoptest.Must(t, k), c.Len()
	x := gendensity.Random(n, 1)
	far := make([]float64, n) // potentials over hundreds of orders of magnitude
	for i, x := range x {
		far[i] = 2000*(x*float64(n)-1) - float64(i%7)
		if i%5 == 0 {
			far[i] = math.Inf(-1)
		}
	}
	const large = 1e290
	plain, logs := must.MulVec(nil, gendensity.Scaled(x, large)), must.LogMulVec(nil, far)
	share := k.Share() + 1e-13
	cost, square, u := 0.0, 0.0, make([]float64, n)
	for i := range n {
		u[i] = -logs[i]
		d := must.Distances(nil, i)
		want, top := 0.0, math.Inf(-1)
		for j, d := range d {
			want += math.Exp(k.LogEntry(d)) * x[j]
			top = max(top, far[j]+k.LogEntry(d))
		}
		sum, moved, squares := 0.0, 0.0, 0.0
		for j, d := range d {
			if e := math.Exp(far[j] + k.LogEntry(d) - top); e > 0 {
				sum += e
				moved += e * d
				squares += e * d * d
			}
		}
		if top == math.Inf(-1) {
			u[i] = top
		} else {
			cost += moved / sum
			square += squares / sum
		}
		if got := plain[i] / large; !(math.Abs(got-want) <= share*want) {
			t.Fatalf("%s: row %d is %g, dense %g", name, i, got, want)
		}
		if w := top + math.Log(sum); !(math.Abs(logs[i]-w) <= share*max(1, math.Abs(w))) && logs[i] != w {
			t.Fatalf("%s: the logarithm of row %d is %.15g, dense %.15g", name, i, logs[i], w)
		}
		for j, want := range linoptest.Value(exact.Distances(t.Context(), nil, i))(t) {
			if !(math.Abs(d[j]-want) <= c.Bound()+1e-12*want) && d[j] != want {
				t.Fatalf("%s: from %d to %d %g, truly %g, bound %g", name, i, j, d[j], want, c.Bound())
			}
		}
	}
	if got := must.PlanCost(u, far); !(math.Abs(got-cost) <= 1e-9*cost) {
		t.Errorf("%s: a plan costs %.12g, dense %.12g", name, got, cost)
	}
	got := linoptest.Value(k.PlanSquare(t.Context(), u, far))(t)
	if !(math.Abs(got-square) <= 1e-9*square) {
		t.Errorf("%s: a plan costs %.12g of squared distance, dense %.12g", name, got, square)
	}
	if _, err := k.PlanSquare(linoptest.NewCountdown(0), u, far); err == nil {
		t.Errorf("%s: a cost under a context that has ended", name)
	}
}

// Squared distance at a small epsilon is begun by easier problems: the answer is the same, in fewer iterations.
func TestTempered(t *testing.T) {
	race.Alone(t)
	m, g := genmesh.Make(t, "torus", map[string]float64{"segments": 30, "sides": 14})
	epsilon := 0.02 * m.Diagonal()
	k, _ := kernelOf(t, hubtest.LabelsOf(t, g, septree.Options{Positions: m.Positions}, label.Float64), 0, epsilon)
	p, err := preset.ByName("two-spots", "", m, g, preset.Floor)
	if err != nil {
		t.Fatal(err)
	}
	solve := func(k linop.Kernel) *transport.Result {
		last := 0.0
		progress := func(_ string, share float64) {
			if share < last || share > 1 {
				t.Errorf("progress %g after %g", share, last)
			}
			last = share
		}
		return linoptest.Value(transport.Solve(t.Context(), transport.Problem{Kernel: k, Source: p.Source, Target: p.Target, Epsilon: epsilon}, transport.Options{Progress: progress}))(t)
	}
	before, counted := &count{Kernel: k}, &count{Kernel: k}
	plain, quick := solve(struct {
		linop.Kernel
		linop.LogEntrier
	}{before, k}), solve(counted)
	if off := math.Abs(quick.Cost/plain.Cost - 1); plain.Status != transport.Converged || quick.Status != transport.Converged || off > 1e-7 || 3*counted.products > 2*before.products {
		t.Errorf("in %d products %g; begun from nothing in %d products %g", counted.products, quick.Cost, before.products, plain.Cost)
	}
	// The kernel of another share is that of the distances.
	other := linoptest.Value(k.Tempered(t.Context(), 0.1))(t)
	linoptest.Kernel(t, other, epsilon)
	if e := other.(linop.LogEntrier).LogEntry(2); math.Abs(e-0.1*k.LogEntry(2)) > 1e-12*math.Abs(e) {
		t.Errorf("the entry at 2 is %g, of the kernel itself %g", e, k.LogEntry(2))
	}
}

// count counts products, and those of tempered kernels.
type count struct {
	*squared.Kernel
	products int
}

func (c *count) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	c.products++
	return c.Kernel.LogMulVec(ctx, dst, x)
}

func (c *count) Tempered(ctx context.Context, share float64) (linop.Kernel, error) {
	other, err := c.Kernel.Tempered(ctx, share)
	if err != nil {
		return nil, err
	}
	return &nested{other.(*squared.Kernel), c}, nil
}

type nested struct {
	*squared.Kernel
	of *count
}

func (k *nested) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	k.of.products++
	return k.Kernel.LogMulVec(ctx, dst, x)
}

func (k *nested) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	k.of.products++
	return k.Kernel.MulVec(ctx, dst, x)
}

func TestRefused(t *testing.T) {
	c := hubtest.BuildCover(t, hubtest.Labels(t, gengraph.Grid(t, 3, 3, 0.2, 1), septree.Options{}), 0)
	for _, s := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := squared.New(t.Context(), c, s); err == nil || !strings.Contains(err.Error(), "squared: s is ") {
			t.Errorf("s = %g: %v", s, err)
		}
	}
	wide := hubtest.BuildCover(t, c.Labels, 0.5)
	if _, err := squared.New(t.Context(), wide, 1e-4); err == nil || !strings.Contains(err.Error(), "delta is 0.5, and an s of 0.0001 can do with 0.245") {
		t.Error(err)
	}
	for _, least := range []float64{0, -1, 2, math.NaN()} {
		if _, err := squared.NewOf(t.Context(), c, func(float64) float64 { return 1 }, least, 0); err == nil || !strings.Contains(err.Error(), "the least value of a function") {
			t.Errorf("least %g: %v", least, err)
		}
	}
	for says, f := range map[string]func(float64) float64{
		"there is no function":            nil,
		"the function is 2 at 0, not 1":   func(float64) float64 { return 2 },
		"not from 0.1 to 1":               func(d float64) float64 { return 1 - d },
		"the function is 7.38":            func(d float64) float64 { return math.Exp(2 * math.Round(d)) },
		"the function is NaN at the dist": func(d float64) float64 { return 1 + 0*math.Log(0.5-d) },
	} {
		if _, err := squared.NewOf(t.Context(), c, f, 0.1, -1); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
	if _, err := squared.New(linoptest.NewCountdown(0), c, 1); err == nil {
		t.Error("made under a context that has ended")
	}
}
