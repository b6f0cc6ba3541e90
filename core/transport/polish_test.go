package transport

import (
	"context"
	"errors"
	"math"
	"testing"

	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/linop"
	"genussink/core/shortest"
)

// stretched is a graph whose edges are longer by up to a share, differently
// each: its kernel stands for an approximate one.
func stretched(t testing.TB, g *graph.Graph, by float64) *graph.Graph {
	t.Helper()
	var edges []graph.Edge
	for v := range int32(g.Len()) {
		targets, weights := g.Neighbours(v)
		for k, w := range targets {
			if v < w {
				edges = append(edges, graph.Edge{U: v, V: w, Weight: weights[k] * (1 + by*math.Abs(math.Sin(float64(v+3*w))))})
			}
		}
	}
	long, err := graph.New(g.Len(), edges)
	if err != nil {
		t.Fatal(err)
	}
	return long
}

func TestPolish(t *testing.T) {
	shared.Long(t)
	const n, epsilon = 300, 0.7
	for name, bridge := range map[string]float64{Scaling: 0, Log: 1000} {
		g := bridged(t, n, bridge)
		a, b := halves(t, n)
		exact := solve(t, Problem{dense(t, g, epsilon), a, b, epsilon}, Options{})
		var last float64 // error
		for _, by := range []float64{0.04, 0.02, 0.01, 0} {
			long := stretched(t, g, by)
			tune := func(epsilon float64) (linop.Kernel, error) { return dense(t, long, epsilon), nil }
			p := Problem{dense(t, long, epsilon), a, b, epsilon}
			r := solve(t, p, Options{})
			if r.Form != name {
				t.Fatalf("%s is solved in the form %s", name, r.Form)
			}
			all, err := Polish(context.Background(), p, r, g, tune, PolishOptions{Rows: n + 1})
			if err != nil {
				t.Fatal(err)
			}
			raw, polished := math.Abs(r.Cost-exact.Cost), math.Abs(all.Cost-exact.Cost)
			t.Logf("%s, up to %g %% longer: error %.3g raw, %.3g polished", name, 100*by, raw/exact.Cost, polished/exact.Cost)
			// Of second order: half the stretch, a quarter of the error.
			if last > 0 && polished > last/3+1e-8 || all.StandardError != 0 || by > 0 && polished > raw/10 {
				t.Errorf("%s: the polished cost is %g from the true %g, the raw one %g, the polished one before %g", name, polished, exact.Cost, raw, last)
			}
			last = polished
			triple := p // three times the mass, three times the cost
			triple.Source, triple.Target = scaled(a, 3), scaled(b, 3)
			if three, err := Polish(context.Background(), triple, solve(t, triple, Options{}), g, tune, PolishOptions{Rows: n + 1}); err != nil || !near(three.Cost, 3*all.Cost, 1e-7*all.Cost) {
				t.Errorf("%s: %+v, %v, not three times %g", name, three, err, all.Cost)
			}
			for seed := range uint64(4) {
				o := PolishOptions{Rows: 60, Seed: seed}
				some, err := Polish(context.Background(), p, r, g, tune, o)
				if err != nil {
					t.Fatal(err)
				}
				if e := math.Abs(some.Cost - all.Cost); !(e <= 4*some.StandardError+1e-12) || some.StandardError > raw/3+1e-4 || some.Rows > 60 {
					t.Errorf("%s: %+v from 60 rows, %g from all: %g apart; raw error %g", name, some, all.Cost, e, raw)
				}
				again, err := Polish(context.Background(), p, r, g, tune, o)
				if err != nil || *again != *some {
					t.Errorf("%s: %+v, then %+v, %v", name, some, again, err)
				}
			}
		}
	}
}

func scaled(x []float64, by float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = by * v
	}
	return y
}

func TestRecost(t *testing.T) {
	const n, epsilon = 300, 0.7
	for _, bridge := range []float64{0, 1000} {
		g := bridged(t, n, bridge)
		long := stretched(t, g, 0.5)
		a, b := halves(t, n)
		a, b = scaled(a, 3), scaled(b, 3) // any mass will do
		p := Problem{dense(t, long, epsilon), a, b, epsilon}
		r := solve(t, p, Options{})
		want := 0.0
		for i := range n {
			d, own := shortest.From(g, int32(i)), shortest.From(long, int32(i))
			for j := range n {
				if own[j] < math.Inf(1) {
					want += d[j] * math.Exp(r.LogU[i]+r.LogV[j]-own[j]/epsilon)
				}
			}
		}
		approximate := func(dst []float64, i int32) []float64 { return shortest.NewSolver(long).Distances(dst, i) }
		all, err := Recost(context.Background(), p, r, g, approximate, PolishOptions{Rows: n + 1})
		if err != nil || !near(all.Cost, want, 1e-9*want) || all.StandardError != 0 {
			t.Errorf("%+v, %v, not %g", all, err, want)
		}
		some, err := Recost(context.Background(), p, r, g, approximate, PolishOptions{Rows: 60})
		if err != nil || !(math.Abs(some.Cost-want) <= 4*some.StandardError) || some.StandardError > (r.Cost-want)/5 {
			t.Errorf("%+v, %v, not %g; raw %g", some, err, want, r.Cost)
		}
		if _, err := Recost(context.Background(), p, r, bridged(t, n+1, 0), approximate, PolishOptions{}); err == nil {
			t.Error("a graph of another size is taken")
		}
	}
}

func TestPolishRefuses(t *testing.T) {
	const n, epsilon = 30, 0.7
	g := bridged(t, n, 0)
	a, b := halves(t, n)
	p := Problem{dense(t, g, epsilon), a, b, epsilon}
	tune := func(epsilon float64) (linop.Kernel, error) { return dense(t, g, epsilon), nil }
	r := solve(t, p, Options{})
	if _, err := Polish(context.Background(), p, r, bridged(t, n+1, 0), tune, PolishOptions{}); err == nil {
		t.Error("a graph of another size is taken")
	}
	if _, err := Polish(context.Background(), p, r, g, tune, PolishOptions{Rows: -1}); err == nil {
		t.Error("-1 rows are taken")
	}
	early := solve(t, p, Options{MaxIterations: 1})
	if _, err := Polish(context.Background(), p, early, g, tune, PolishOptions{}); !errors.Is(err, ErrUnpolished) {
		t.Errorf("a plan that has not converged: %v", err)
	}
	flat := Problem{dense(t, g, 1e12), a, b, 1e12}
	if _, err := Polish(context.Background(), flat, solve(t, flat, Options{}), g, tune, PolishOptions{}); !errors.Is(err, ErrUnpolished) {
		t.Errorf("a plan without distances: %v", err)
	}
	no := errors.New("no")
	if _, err := Polish(context.Background(), p, r, g, func(float64) (linop.Kernel, error) { return nil, no }, PolishOptions{}); !errors.Is(err, no) {
		t.Errorf("without a kernel: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Polish(ctx, p, r, g, tune, PolishOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestDrawByMass(t *testing.T) {
	mass := make([]float64, 50)
	for i := range mass {
		if i%3 > 0 {
			mass[i] = float64(i)
		}
	}
	if got := drawByMass(mass, 100, 1); len(got) != 33 || got[0] != 1 {
		t.Errorf("all that have mass are %v", got)
	}
	hits := make([]float64, len(mass))
	const seeds, draws = 2000, 20
	for seed := range uint64(seeds) {
		for k, i := range drawByMass(mass, draws, seed) {
			hits[i]++
			if k > draws {
				t.Fatal("too many")
			}
		}
	}
	total := sum(mass)
	for i, h := range hits {
		want := mass[i] / total * draws * seeds
		if math.Abs(h-want) > 5*math.Sqrt(want) {
			t.Errorf("vertex %d is drawn %g times, not %g", i, h, want)
		}
	}
}
