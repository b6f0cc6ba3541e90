package polish

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/internal/shared/gendensity"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/linop"
	"genussink/core/linop/linoptest"
	"genussink/core/shortest"
	"genussink/core/transport"
	"genussink/core/transport/check"
)

func dense(t testing.TB, g *graph.Graph, epsilon float64) *baseline.Dense {
	t.Helper()
	k, err := baseline.NewDense(t.Context(), g, epsilon, baseline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func solve(t testing.TB, p transport.Problem, o transport.Options) *transport.Result {
	t.Helper()
	r, err := transport.Solve(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// searched are the distances of a graph, from any goroutine.
type searched struct{ g *graph.Graph }

func (s searched) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return shortest.NewSolver(s.g).Distances(dst, int32(i)), ctx.Err()
}

// Against sums over all pairs: in the scaling and in the log form, with and without a bound on the errors, for any mass.
func TestPolish(t *testing.T) {
	const n, epsilon = 300, 0.7
	masses := []float64{3, 1}
	if testing.Short() {
		masses = masses[:1]
	}
	for form, bridge := range map[string]float64{transport.Scaling: 0, transport.Log: 1000} {
		g := gengraph.Bridged(t, n, bridge)
		long := gengraph.Stretched(t, g, 0.5)
		a, b := gendensity.Halves(t, n)
		for _, mass := range masses {
			p := transport.Problem{Kernel: dense(t, long, epsilon), Source: gendensity.Scaled(a, mass), Target: gendensity.Scaled(b, mass), Epsilon: epsilon}
			r := solve(t, p, transport.Options{})
			if r.Form != form {
				t.Fatalf("%s is solved in the form %s", form, r.Form)
			}
			want, most := 0.0, 0.0
			for i := range n {
				d, own := shortest.From(g, int32(i)), shortest.From(long, int32(i))
				for j := range n {
					if own[j] < math.Inf(1) {
						want += d[j] * math.Exp(r.LogU[i]+r.LogV[j]-own[j]/epsilon)
						most = max(most, own[j]-d[j])
					}
				}
			}
			lower := linoptest.Value(check.LowerBound(context.Background(), p, r, g, shortest.NewSolver(g)))(t)
			for _, o := range []Options{{Most: most, LowerBound: lower}, {Most: math.Inf(1)}, {Least: -most, Most: most}} {
				for _, own := range []linop.Distancer{searched{long}, p.Kernel} {
					c, err := New(p, r, g, o)
					if err != nil {
						t.Fatal(err)
					}
					e := c.Estimate()
					for before := e; !e.Known; before = e {
						if e, err = c.DrawRows(context.Background(), 20, own); err != nil {
							t.Fatal(err)
						}
						if e.Rows <= before.Rows || !(e.Low <= want && want <= e.High && e.Low <= e.Cost && e.Cost <= e.High) {
							t.Fatalf("%s, %+v: %+v after %+v; the cost is %g", form, o, e, before, want)
						}
						if e.Low < o.LowerBound {
							t.Errorf("%s: %+v, below the bound of %g", form, e, o.LowerBound)
						}
					}
					if math.Abs(e.Cost-want) > 1e-9*want*max(1, want) || e.High-e.Low > 1e-6*want-2*r.MarginalError*mass*p.Kernel.LogFloor()*epsilon || e.Rows != e.Of {
						t.Errorf("%s, %+v: %+v, not %g", form, o, e, want)
					}
				}
			}
		}
	}
}

// After a few rows the estimate is as often above the cost as below it. A transport that is not yet the optimum does not raise it.
func TestFewRows(t *testing.T) {
	const n, epsilon, seeds = 900, 0.3, 20
	g := gengraph.Bridged(t, n, 0)
	long := gengraph.Stretched(t, g, 0.5)
	a, b := gendensity.Halves(t, n)
	p := transport.Problem{Kernel: dense(t, long, epsilon), Source: a, Target: b, Epsilon: epsilon}
	r := solve(t, p, transport.Options{})
	above, unready := 0, 0
	for seed := range uint64(seeds) {
		c, err := New(p, r, g, Options{Most: math.Inf(1), Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		e, err := c.DrawRows(context.Background(), 2, searched{long})
		if err != nil {
			t.Fatal(err)
		}
		if c.best != nil && !c.best.optimal && e.Cost <= c.best.cost {
			unready++
		}
		for !e.Known {
			before := e
			if e, err = c.DrawRows(context.Background(), n, searched{long}); err != nil {
				t.Fatal(err)
			}
			if before.Cost > e.Cost {
				above++
			}
		}
	}
	if above < seeds/5 || above > seeds*4/5 {
		t.Errorf("%d of %d estimates are above the cost", above, seeds)
	}
	if unready == 0 {
		t.Error("every transport was good enough: this tests nothing")
	}
}

// Exact distances, to rounding or altogether, take no row.
func TestPolishExact(t *testing.T) {
	const n, epsilon = 100, 0.7
	g := gengraph.Bridged(t, n, 0)
	a, b := gendensity.Halves(t, n)
	p := transport.Problem{Kernel: dense(t, g, epsilon), Source: a, Target: b, Epsilon: epsilon}
	r := solve(t, p, transport.Options{})
	for _, most := range []float64{0, 1e-6 * r.Cost} {
		c, err := New(p, r, g, Options{Most: most})
		if err != nil {
			t.Fatal(err)
		}
		if e := c.Estimate(); !e.Enough() || e.Rows != 0 || e.Cost != r.Cost || e.High-e.Low < most || e.High-e.Low > most+1e-6*r.Cost {
			t.Errorf("%+v, cost %g", e, r.Cost)
		}
	}
}

func TestPolishRefuses(t *testing.T) {
	const n, epsilon = 30, 0.7
	g := gengraph.Bridged(t, n, 0)
	a, b := gendensity.Halves(t, n)
	p := transport.Problem{Kernel: dense(t, g, epsilon), Source: a, Target: b, Epsilon: epsilon}
	r := solve(t, p, transport.Options{})
	begin := func(r *transport.Result, g *graph.Graph, o Options) error {
		_, err := New(p, r, g, o)
		return err
	}
	if begin(r, gengraph.Bridged(t, n+1, 0), Options{}) == nil {
		t.Error("a graph of another size is taken")
	}
	if begin(solve(t, p, transport.Options{MaxIterations: 1}), g, Options{}) == nil {
		t.Error("a plan that has not converged is taken")
	}
	for _, o := range []Options{{Least: 1}, {Least: math.Inf(-1)}, {Most: math.NaN()}} {
		if begin(r, g, o) == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	c, err := New(p, r, g, Options{Most: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	before := c.Estimate()
	if _, err := c.DrawRows(ctx, 1, p.Kernel); !errors.Is(err, context.Canceled) || c.Estimate() != before {
		t.Errorf("cancelled: %v, %+v after %+v", err, c.Estimate(), before)
	}
}

// The sequence holds the total at every draw in 95 % of runs, also of values that are rare and large, where a
// normal interval would not.
func TestSequenceCovers(t *testing.T) {
	const n, runs = 400, 400
	for name, value := range map[string]func(i int) float64{
		"rare":  func(i int) float64 { return float64(max(0, 1-i%50)) },
		"even":  func(i int) float64 { return float64(i) / n },
		"equal": func(int) float64 { return 0.3 },
	} {
		missed, normal, width := 0, 0, 0.0
		for run := range runs {
			rng := rand.New(rand.NewPCG(uint64(run), 5))
			weights, order, keys, total := make([]float64, n), make([]int, n), make([]float64, n), 0.0
			for i := range n {
				weights[i], order[i] = rng.ExpFloat64(), i
				total += weights[i]
			}
			want := 0.0
			for i := range n {
				weights[i] /= total
				want += weights[i] * value(i)
				keys[i] = rng.ExpFloat64() / weights[i]
			}
			slices.SortFunc(order, func(i, j int) int { return int(math.Copysign(1, keys[i]-keys[j])) })
			var s sequence
			past, left, bad := 0.0, 1.0, false
			sum, squares := 0.0, 0.0
			for k, i := range order {
				x := value(i)
				s.add(x, past, left)
				past += weights[i] * x
				left -= weights[i]
				low, mid, high := s.interval()
				bad = bad || want < low-1e-9 || want > high+1e-9
				if math.IsNaN(mid) {
					t.Fatal("no mean")
				}
				sum, squares = sum+x, squares+x*x
				if k == 39 {
					width += high - low
					mean := sum / 40
					if math.Abs(mean-want) > 2*math.Sqrt(max(0, squares/40-mean*mean)/40) {
						normal++
					}
				}
			}
			if bad {
				missed++
			}
		}
		t.Logf("%s: %d of %d runs miss the total at some draw, a normal interval misses it in %d at the 40th; the mean width there is %.2g", name, missed, runs, normal, width/runs)
		if missed > runs/40 || width/runs > 0.9 {
			t.Errorf("%s: %d of %d runs miss the total, the mean width is %g", name, missed, runs, width/runs)
		}
		if name == "rare" && normal < runs/5 {
			t.Errorf("a normal interval misses rare values in %d runs only: the test says nothing", normal)
		}
	}
}

// Rows come by what is not known of them.
func TestPolishDraws(t *testing.T) {
	const n, epsilon, seeds = 60, 0.7, 2000
	g := gengraph.Bridged(t, n, 0)
	a, b := gendensity.Halves(t, n)
	p := transport.Problem{Kernel: dense(t, g, epsilon), Source: a, Target: b, Epsilon: epsilon}
	r := solve(t, p, transport.Options{})
	first := make([]float64, n)
	var c *Polish
	for seed := range uint64(seeds) {
		var err error
		if c, err = New(p, r, g, Options{Most: 1e-3, Seed: seed}); err != nil {
			t.Fatal(err)
		}
		first[c.order[0]]++
	}
	for i, hits := range first {
		want := c.widths[i] / c.total * seeds
		if a[i] == 0 && c.widths[i] != 0 || math.Abs(hits-want) > 5*math.Sqrt(want)+1e-9 {
			t.Errorf("row %d comes first %g times, not %g", i, hits, want)
		}
	}
}

// Pairs drawn from the plan tell the same as rows.
func TestPolishPairs(t *testing.T) {
	const n, epsilon = 200, 0.7
	g := gengraph.Bridged(t, n, 0)
	long := gengraph.Stretched(t, g, 0.1)
	a, b := gendensity.Halves(t, n)
	p := transport.Problem{Kernel: dense(t, long, epsilon), Source: gendensity.Scaled(a, 2), Target: gendensity.Scaled(b, 2), Epsilon: epsilon}
	r := solve(t, p, transport.Options{})
	plan, err := transport.NewPlan(p.Kernel, epsilon, r.LogU, r.LogV)
	if err != nil {
		t.Fatal(err)
	}
	want, most := 0.0, 0.0
	d := make([][]float64, n)
	for i := range n {
		d[i] = shortest.From(g, int32(i))
		for j, own := range shortest.From(long, int32(i)) {
			want += d[i][j] * math.Exp(r.LogU[i]+r.LogV[j]-own/epsilon)
			most = max(most, own-d[i][j])
		}
	}
	distance := func(i, j int32) float64 { return d[i][j] }
	c, err := New(p, r, g, Options{Least: -most, Most: most})
	if err != nil {
		t.Fatal(err)
	}
	before := c.Estimate()
	for _, count := range []int{100, 900, 9000} {
		e, err := c.DrawPairs(context.Background(), count, plan, distance)
		if err != nil || !(e.Low <= want && want <= e.High) || e.High-e.Low >= before.High-before.Low || e.Pairs != before.Pairs+count || e.Rows != 0 {
			t.Errorf("%+v after %+v, %v; the cost is %g", e, before, err, want)
		}
		before = e
	}
	if math.Abs(before.Cost-want) > 0.1*(r.Cost-want) {
		t.Errorf("%+v; the cost is %g, the kernel's %g", before, want, r.Cost)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.DrawPairs(ctx, 100, plan, distance); !errors.Is(err, context.Canceled) || c.Estimate() != before {
		t.Errorf("cancelled: %v, %+v", err, c.Estimate())
	}
	if c, err = New(p, r, g, Options{Most: math.Inf(1)}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.DrawPairs(context.Background(), 100, plan, distance); err == nil {
		t.Error("pairs without a bound are taken")
	}
}

// A refinement keeps to its time, ends when it is told to, and once pairs have taken as long as all rows would
// it computes those.
func TestRefine(t *testing.T) {
	const n, epsilon = 200, 0.7
	g := gengraph.Bridged(t, n, 0)
	long := gengraph.Stretched(t, g, 0.1)
	a, b := gendensity.Halves(t, n)
	p := transport.Problem{Kernel: dense(t, long, epsilon), Source: a, Target: b, Epsilon: epsilon}
	r := solve(t, p, transport.Options{})
	plan, err := transport.NewPlan(p.Kernel, epsilon, r.LogU, r.LogV)
	if err != nil {
		t.Fatal(err)
	}
	all := make([][]float64, n)
	for i := range all {
		all[i] = shortest.From(g, int32(i))
	}
	const most = 100 // far more than it is: pairs say little
	var now time.Time
	var cost float64 // of a row; pairs cost a millisecond in 20
	refinement := func(seconds float64) Refinement {
		return Refinement{
			Seconds: seconds,
			Now:     func() time.Time { return now },
			Own:     searched{long},
			Plan:    plan,
		}
	}
	run := func(o Refinement, pairs bool) (e Polished, spent float64) {
		c, err := New(p, r, g, Options{Least: -most, Most: most})
		if err != nil {
			t.Fatal(err)
		}
		if pairs {
			o.Distance = func(i, j int32) float64 { return all[i][j] }
		}
		o.Draw = func(draw func() error) error { // the clock goes by what was drawn
			before := c.Estimate()
			err := draw()
			after := c.Estimate()
			seconds := cost*float64(after.Rows-before.Rows) + 5e-5*float64(after.Pairs-before.Pairs)
			now = now.Add(time.Duration(seconds * float64(time.Second)))
			return err
		}
		start := now
		if e, err = c.Refine(context.Background(), o); err != nil {
			t.Fatal(err)
		}
		return e, now.Sub(start).Seconds()
	}
	cost = 1e-3
	if e, spent := run(refinement(0.08), false); e.Known || e.Rows < 40 || e.Pairs != 0 || spent > 0.08 {
		t.Errorf("%+v in %g s", e, spent)
	}
	if e, spent := run(refinement(math.Inf(1)), false); !e.Known || e.Rows != e.Of {
		t.Errorf("%+v in %g s", e, spent)
	}
	if e, spent := run(refinement(math.Inf(1)), true); !e.Known || e.Pairs == 0 || spent > 2.5*cost*float64(e.Of) {
		t.Errorf("%+v in %g s, all rows take %g", e, spent, cost*float64(e.Of))
	}
	cost = 10
	if e, spent := run(refinement(21), true); e.Known || e.Rows > 2 || e.Pairs < 10000 {
		t.Errorf("dear rows: %+v in %g s", e, spent)
	}
	o := refinement(math.Inf(1))
	told := 0
	o.Told = func(e Polished, fraction float64) bool {
		if told++; e.Rows == 0 || !(fraction > 0 && fraction < 1) {
			t.Errorf("told of %+v at %g", e, fraction)
		}
		return told < 3
	}
	if e, _ := run(o, false); e.Known || told != 3 {
		t.Errorf("%+v after %d draws", e, told)
	}
}
