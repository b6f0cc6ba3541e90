package published

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/linop/linoptest"
	"genussink/core/measure"
	"genussink/core/mesh/generate"
	"genussink/core/transport"
	"genussink/internal/race"
)

//go:embed testdata/oracle.json
var oracle []byte // made by testdata/oracle.py

type problem struct {
	Vertices       int
	Edges          [][3]float64
	Positions      [][3]float64
	Source, Target []float64
	Epsilon        float64
	Tests          []struct {
		Method                string
		Refused               bool
		Cost, Threshold, Time float64
		Budget                float64
		Rank, Degree, Updates int
		Normal                [][3]float64
	}
	graph *graph.Graph
}

func problems(t testing.TB) []*problem {
	t.Helper()
	var all []*problem
	if err := json.Unmarshal(oracle, &all); err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		var edges []graph.Edge
		for _, e := range p.Edges {
			edges = append(edges, graph.Edge{U: int32(e[0]), V: int32(e[1]), Weight: e[2]})
		}
		var err error
		if p.graph, err = graph.New(p.Vertices, edges); err != nil {
			t.Fatal(err)
		}
		measure.Normalise(p.Source)
		measure.Normalise(p.Target)
	}
	return all
}

func (p *problem) dense(t testing.TB) transport.Problem {
	t.Helper()
	k, err := baseline.NewDense(context.Background(), p.graph, p.Epsilon, baseline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return transport.Problem{Kernel: k, Source: p.Source, Target: p.Target, Epsilon: p.Epsilon}
}

// Every method costs what its definition, as a dense matrix in NumPy, and POT say: with the settings at which it becomes the dense
// kernel, or the matrix exponential, too.
func TestAgainstOracle(t *testing.T) {
	ctx, tests := context.Background(), map[string]int{}
	for _, p := range problems(t) {
		for _, c := range p.Tests {
			tests[c.Method]++
			most := 1e-8
			var r *transport.Result
			var k *Kernel
			var err error
			switch c.Method {
			case "dense":
				r, err = transport.Solve(ctx, p.dense(t), transport.Options{Tolerance: 1e-12})
			case "greenkhorn":
				r, err = Greenkhorn(ctx, p.dense(t), GreenkhornOptions{Tolerance: 1e-10, MaxUpdates: c.Updates})
				if err == nil && c.Updates < 1000 && r.Iterations != c.Updates {
					t.Errorf("%d updates, not %d", r.Iterations, c.Updates)
				}
			case "screenkhorn":
				most = 1e-6 // SciPy's end
				if r, err = Screenkhorn(ctx, p.dense(t), ScreenkhornOptions{Budget: c.Budget}); err == nil && (r.Status != job.Converged || r.Iterations >= 100) {
					t.Errorf("%d vertices, %+v: %d evaluations", p.Vertices, c, r.Iterations)
				}
			case "sparse":
				k, err = NewSparse(ctx, p.graph, p.Epsilon, c.Threshold, 0)
			case "nystroem":
				k, err = NewNystroem(ctx, p.graph, p.Epsilon, c.Rank)
			case "heat":
				k, err = NewHeat(p.graph, p.Epsilon, c.Time, c.Degree)
			case "ambient":
				k, err = newAmbient(ctx, p.graph, p.Positions, p.Epsilon, c.Normal)
			}
			if err == nil && k != nil {
				if r, err = k.Solve(ctx, p.Source, p.Target, transport.Options{Tolerance: 1e-12}); err == nil {
					r.Cost, err = k.Cost(ctx, r.LogU, r.LogV)
				}
			}
			if c.Refused != errors.Is(err, ErrNotPositive) || err != nil && !c.Refused {
				t.Errorf("%d vertices, %+v: %v", p.Vertices, c, err)
			} else if !c.Refused && !(math.Abs(r.Cost/c.Cost-1) < most) {
				t.Errorf("%d vertices, %+v: a cost of %.12g", p.Vertices, c, r.Cost)
			}
		}
	}
	for _, method := range []string{"dense", "sparse", "nystroem", "heat", "ambient", "greenkhorn", "screenkhorn"} {
		if tests[method] < 3 {
			t.Errorf("%d tests of %s", tests[method], method)
		}
	}
}

func kernels(t testing.TB, p *problem) map[string]*Kernel {
	t.Helper()
	ctx := context.Background()
	out := map[string]*Kernel{}
	var errs [4]error
	out["sparse"], errs[0] = NewSparse(ctx, p.graph, p.Epsilon, 1e-2, 0)
	out["nystroem"], errs[1] = NewNystroem(ctx, p.graph, p.Epsilon, 20)
	out["heat"], errs[2] = NewHeat(p.graph, p.Epsilon, p.Epsilon/4, 20)
	out["ambient"], errs[3] = NewAmbient(ctx, p.graph, p.Positions, p.Epsilon, 64, 5)
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return out
}

// Products are those of the rows, which are symmetric; what is made again is the same; memory is counted.
func TestProductsAreOfTheRows(t *testing.T) {
	p := problems(t)[0]
	again := kernels(t, p)
	for name, k := range kernels(t, p) {
		n := p.Vertices
		row, whole := k.matrix.rows(), make([][]float64, n)
		x := make([]float64, n)
		for i := range whole {
			whole[i] = make([]float64, n)
			row(whole[i], i)
			x[i] = 1 + float64(i%5)
		}
		y, err := products{k}.MulVec(context.Background(), nil, x)
		if err != nil {
			t.Fatal(err)
		}
		other, err := products{again[name]}.MulVec(context.Background(), nil, x)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			sum := 0.0
			for j, v := range whole[i] {
				sum += v * x[j]
				if math.Abs(v-whole[j][i]) > 1e-12 {
					t.Fatalf("%s: entry %d,%d is %g, its mirror image %g", name, i, j, v, whole[j][i])
				}
			}
			if !(math.Abs(y[i]-sum) <= 1e-12*sum) || y[i] != other[i] {
				t.Fatalf("%s: product %d is %g, made again %g, of the row %g", name, i, y[i], other[i], sum)
			}
		}
		if k.Bytes() < int64(8*n) || k.Bytes() > int64(100*n*n) {
			t.Errorf("%s: %d bytes", name, k.Bytes())
		}
	}
}

// The mean of many features is the Gaussian kernel: over ten seeds, at equal number, it misses by no more than their spread allows.
func TestAmbientEstimatesTheGaussian(t *testing.T) {
	p := problems(t)[1]
	n, seeds := p.Vertices, 10
	row, mean, square := make([]float64, n), make([]float64, n), make([]float64, n)
	for seed := range seeds {
		k, err := NewAmbient(context.Background(), p.graph, p.Positions, p.Epsilon, 4000, uint64(seed))
		if err != nil {
			t.Fatal(err)
		}
		k.matrix.rows()(row, 17)
		for j, x := range row {
			mean[j] += x / float64(seeds)
			square[j] += x * x / float64(seeds)
		}
	}
	for j, x := range mean {
		d2 := 0.0
		for c := range 3 {
			d2 += (p.Positions[17][c] - p.Positions[j][c]) * (p.Positions[17][c] - p.Positions[j][c])
		}
		want := math.Exp(-d2 / (p.Epsilon * p.Epsilon))
		spread := math.Sqrt((square[j] - x*x) / float64(seeds-1))
		if !(math.Abs(x-want) < 6*spread) || spread > 0.1*want+1e-6 {
			t.Errorf("entry 17,%d: %g +- %g, not %g", j, x, spread, want)
		}
	}
}

//go:embed testdata/features.json
var featureCosts []byte // made by testdata/features.py

// Over ten seeds linear Sinkhorn costs what NumPy and POT say, at equal rank: the same to 1e-6 with the same features, at an epsilon where costs of two seeds differ by some
// per cent, and the mean to 1e-3 with features of its own, at one where a cost of one seed is off by some 1e-4.
func TestFeaturesAgainstOracle(t *testing.T) {
	race.Alone(t)
	ctx := context.Background()
	var want struct {
		Rank        int
		Small, Wide float64 // epsilons
		Problems    []struct{ Drawn, Wide []float64 }
	}
	if err := json.Unmarshal(featureCosts, &want); err != nil {
		t.Fatal(err)
	}
	all := problems(t)
	if len(want.Problems) != len(all) {
		t.Fatalf("costs of %d problems, there are %d", len(want.Problems), len(all))
	}
	cost := func(p *problem, k *Kernel, err error) float64 {
		if err != nil {
			t.Fatal(err)
		}
		r, err := k.Solve(ctx, p.Source, p.Target, transport.Options{Tolerance: 1e-11})
		if err != nil {
			t.Fatal(err)
		}
		c, err := k.Cost(ctx, r.LogU, r.LogV)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for i, p := range all {
		own, others := 0.0, 0.0
		for seed := range 10 {
			k, err := newAmbient(ctx, p.graph, p.Positions, want.Small, drawn(seed, want.Rank))
			if c, w := cost(p, k, err), want.Problems[i].Drawn[seed]; !(math.Abs(c/w-1) < 1e-6) {
				t.Errorf("%d vertices, seed %d: a cost of %.9g, not %.9g", p.Vertices, seed, c, w)
			}
			k, err = NewAmbient(ctx, p.graph, p.Positions, want.Wide, want.Rank, uint64(seed))
			own += cost(p, k, err)
			others += want.Problems[i].Wide[seed]
		}
		if !(math.Abs(own/others-1) < 1e-3) {
			t.Errorf("%d vertices: a mean cost of %.6g over ten seeds, not %.6g", p.Vertices, own/10, others/10)
		}
	}
}

// drawn are the normal numbers of features.py, by Box and Muller from Lehmer's generator.
func drawn(seed, count int) [][3]float64 {
	const prime = 1<<31 - 1
	state := int64(seed) + 1
	uniform := func() float64 {
		state = state * 48271 % prime
		return float64(state) / prime
	}
	out := make([][3]float64, count)
	for k := range out {
		for c := range 3 {
			length := math.Sqrt(-2 * math.Log(uniform()))
			out[k][c] = length * math.Cos(2*math.Pi*uniform())
		}
	}
	return out
}

// Heat is neither lost nor made: K 1 = 1, on graphs large enough for several processors too, where products are those of the rows.
func TestHeatKeepsItsSum(t *testing.T) {
	g, _, err := generate.DumbbellGraph(26, 1)
	if err != nil {
		t.Fatal(err)
	}
	k, err := NewHeat(g, 4, 1, 20)
	if err != nil {
		t.Fatal(err)
	}
	n := g.Len()
	x := make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	y, err := products{k}.MulVec(context.Background(), nil, x)
	if err != nil || n < 4096 {
		t.Fatal(n, err)
	}
	for i, v := range y {
		if !(math.Abs(v-1) < 1e-13) {
			t.Fatalf("value %d is %.17g", i, v)
		}
	}
	row, shared := make([]float64, n), make([]float64, n)
	k.matrix.rows()(row, 2000)
	clear(x)
	x[2000] = 1
	if err := k.matrix.multiply(context.Background(), shared, x); err != nil || !slices.Equal(row, shared) {
		t.Errorf("a row is not the product with a unit vector: %v", err)
	}
}

func TestNotPositive(t *testing.T) {
	ctx, p := context.Background(), problems(t)[0]
	// A degree far too low for the time: a Chebyshev sum that overshoots.
	k, err := NewHeat(p.graph, p.Epsilon, 20*p.Epsilon, 3)
	if err != nil {
		t.Fatal(err)
	}
	spot := [2][]float64{make([]float64, p.Vertices), make([]float64, p.Vertices)}
	from, to, row := 0, -1, make([]float64, p.Vertices)
	for ; to < 0; from++ {
		k.matrix.rows()(row, from)
		to = slices.IndexFunc(row, func(x float64) bool { return x < 0 })
	}
	spot[0][from-1], spot[1][to] = 1, 1
	if _, err := k.Solve(ctx, spot[0], spot[1], transport.Options{}); !errors.Is(err, ErrNotPositive) || !strings.Contains(err.Error(), "row ") {
		t.Errorf("a negative product: %v", err)
	}
	even := make([]float64, p.Vertices)
	if _, err := k.Cost(ctx, even, even); !errors.Is(err, ErrNotPositive) || !strings.Contains(err.Error(), "of the plan's mass") {
		t.Errorf("negative entries: %v", err)
	}
}

func TestErrors(t *testing.T) {
	ctx, p := context.Background(), problems(t)[0]
	zero, err := graph.New(2, []graph.Edge{{U: 0, V: 1}})
	if err != nil {
		t.Fatal(err)
	}
	k := kernels(t, p)["sparse"]
	all := p.dense(t)
	less := all
	less.Target = make([]float64, p.Vertices)
	less.Target[3] = 0.5
	short := all
	short.Source = short.Source[1:]
	steep := all
	steep.Epsilon = -1
	over := func(f func() (*Kernel, error)) error { _, err := f(); return err }
	solved := func(p transport.Problem, o GreenkhornOptions) error { _, err := Greenkhorn(ctx, p, o); return err }
	screened := func(p transport.Problem, o ScreenkhornOptions) error { _, err := Screenkhorn(ctx, p, o); return err }
	for want, err := range map[string]error{
		"epsilon is 0":                 over(func() (*Kernel, error) { return NewSparse(ctx, p.graph, 0, 0.1, 0) }),
		"threshold is 1.5":             over(func() (*Kernel, error) { return NewSparse(ctx, p.graph, 1, 1.5, 0) }),
		"threshold is NaN":             over(func() (*Kernel, error) { return NewSparse(ctx, p.graph, 1, math.NaN(), 0) }),
		"rank is 43":                   over(func() (*Kernel, error) { return NewNystroem(ctx, p.graph, 1, 43) }),
		"epsilon is +Inf":              over(func() (*Kernel, error) { return NewNystroem(ctx, p.graph, math.Inf(1), 4) }),
		"time of diffusion is -1":      over(func() (*Kernel, error) { return NewHeat(p.graph, 1, -1, 4) }),
		"degree is 0":                  over(func() (*Kernel, error) { return NewHeat(p.graph, 1, 1, 0) }),
		"edge from 0 to 1":             over(func() (*Kernel, error) { return NewHeat(zero, 1, 1, 4) }),
		"0 features":                   over(func() (*Kernel, error) { return NewAmbient(ctx, p.graph, p.Positions, 1, 0, 1) }),
		"41 positions for 42 vertices": over(func() (*Kernel, error) { return NewAmbient(ctx, p.graph, p.Positions[1:], 1, 8, 1) }),
		"they must agree":              solved(less, GreenkhornOptions{}),
		"density 0":                    solved(short, GreenkhornOptions{}),
		"epsilon is -1":                solved(steep, GreenkhornOptions{}),
		"tolerance is NaN":             solved(all, GreenkhornOptions{Tolerance: math.NaN()}),
		"at most -1 updates":           solved(all, GreenkhornOptions{MaxUpdates: -1}),
		"budget is 1.5":                screened(all, ScreenkhornOptions{Budget: 1.5}),
		"budget is NaN":                screened(all, ScreenkhornOptions{Budget: math.NaN()}),
		"the tolerance is -1":          screened(all, ScreenkhornOptions{Tolerance: -1}),
		"at most -1 evaluations":       screened(all, ScreenkhornOptions{MaxEvaluations: -1}),
		"the target's 0.5":             screened(less, ScreenkhornOptions{}),
		"1 and 1 potentials":           func() error { _, err := k.Cost(ctx, []float64{0}, []float64{0}); return err }(),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
	var memory *linop.MemoryError
	if _, err := NewSparse(ctx, p.graph, 1, 0.1, 100); !errors.As(err, &memory) || memory.Limit != 100 || memory.Need <= 100 {
		t.Errorf("%v, no memory error", err)
	}
}

func TestCancelled(t *testing.T) {
	p := problems(t)[0]
	all, logs := p.dense(t), make([]float64, p.Vertices)
	calls := []linoptest.Call{
		{Name: "NewSparse", Do: func(ctx context.Context) (bool, error) {
			k, err := NewSparse(ctx, p.graph, 1, 0.1, 0)
			return k != nil, err
		}},
		{Name: "NewNystroem", Do: func(ctx context.Context) (bool, error) {
			k, err := NewNystroem(ctx, p.graph, 1, 5)
			return k != nil, err
		}},
		{Name: "NewAmbient", Do: func(ctx context.Context) (bool, error) {
			k, err := NewAmbient(ctx, p.graph, p.Positions, 1, 5, 1)
			return k != nil, err
		}},
		{Name: "Greenkhorn", Do: func(ctx context.Context) (bool, error) {
			r, err := Greenkhorn(ctx, all, GreenkhornOptions{})
			return r != nil, err
		}},
		{Name: "Screenkhorn", Do: func(ctx context.Context) (bool, error) {
			r, err := Screenkhorn(ctx, all, ScreenkhornOptions{})
			return r != nil, err
		}},
	}
	for name, k := range kernels(t, p) {
		calls = append(calls,
			linoptest.Call{Name: name, Do: func(ctx context.Context) (bool, error) {
				r, err := k.Solve(ctx, p.Source, p.Target, transport.Options{})
				return r != nil, err
			}},
			linoptest.Number(name+" cost", func(ctx context.Context) (float64, error) { return k.Cost(ctx, logs, logs) }))
	}
	for _, c := range calls {
		linoptest.GivenUp(t, c)
	}
}
