package transport

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/internal/shared/gendensity"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/measure"
	"genussink/core/shortest"
)

func dense(t testing.TB, g *graph.Graph, epsilon float64) *baseline.Dense {
	t.Helper()
	k, err := baseline.NewDense(context.Background(), g, epsilon, baseline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func solve(t testing.TB, p Problem, o Options) *Result {
	t.Helper()
	r, err := Solve(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// matrix is the plan written out from Dijkstra's distances.
func matrix(g *graph.Graph, epsilon float64, r *Result) [][]float64 {
	p := make([][]float64, g.Len())
	for i := range p {
		p[i] = shortest.From(g, int32(i))
		for j, d := range p[i] {
			p[i][j] = math.Exp(r.LogU[i] + r.LogV[j] - d/epsilon)
		}
	}
	return p
}

func near(a, b, tolerance float64) bool {
	return a == b || math.Abs(a-b) <= tolerance*max(1, math.Abs(a), math.Abs(b))
}

// Marginals, cost, dual and gap against the matrix, over epsilons that need
// either form.
func TestSolveEvidence(t *testing.T) {
	const n = 90
	for _, mass := range []float64{1, 250} {
		for _, c := range []struct{ epsilon, bridge float64 }{{2, 0}, {0.3, 0}, {0.1, 0}, {0.5, 320}, {0.5, 400}} {
			epsilon := c.epsilon
			g := gengraph.Bridged(t, n, c.bridge)
			a, b := gendensity.Halves(t, n)
			for i := range a {
				a[i] *= mass
				b[i] *= mass
			}
			k := dense(t, g, epsilon)
			r := solve(t, Problem{k, a, b, epsilon}, Options{})
			want := Scaling
			if c.bridge/epsilon > 690 {
				want = Log
			}
			if r.Form != want {
				t.Errorf("eps=%g: form %s, not %s at floor %g", epsilon, r.Form, want, k.LogFloor())
			}
			if r.Status != Converged || r.MarginalError > 1e-9 || len(r.Trace) != r.Iterations || r.Trace[r.Iterations-1] != r.MarginalError {
				t.Errorf("eps=%g: %s, error %g, %d iterations, trace of %d", epsilon, r.Status, r.MarginalError, r.Iterations, len(r.Trace))
			}
			p := matrix(g, epsilon, r)
			var rows, columns, cost, primal, total float64
			column := make([]float64, n)
			for i := range p {
				d := shortest.From(g, int32(i))
				for j, x := range p[i] {
					if x > 0 {
						cost += x * d[j]
						primal += x*d[j] + epsilon*x*math.Log(x*mass/(a[i]*b[j]))
						total += x
					}
					column[j] += x
				}
				rows += math.Abs(measure.Total(p[i]) - a[i])
			}
			for j := range column {
				columns += math.Abs(column[j] - b[j])
			}
			if e := max(rows, columns) / mass; math.Abs(e-r.MarginalError) > 1e-12 {
				t.Errorf("eps=%g: the matrix's marginal error is %g, reported %g", epsilon, e, r.MarginalError)
			}
			if !near(cost/mass, r.Cost/mass, 1e-12) {
				t.Errorf("eps=%g: the matrix costs %g, reported %g", epsilon, cost, r.Cost)
			}
			dual := epsilon * (mass - total)
			for i := range a {
				if a[i] > 0 {
					dual += epsilon * a[i] * (r.LogU[i] - math.Log(a[i]) + math.Log(mass)/2)
				}
				if b[i] > 0 {
					dual += epsilon * b[i] * (r.LogV[i] - math.Log(b[i]) + math.Log(mass)/2)
				}
			}
			if math.Abs(dual-r.Dual) > 1e-12*mass*epsilon*(100-k.LogFloor()) || r.Primal != r.Dual+r.Gap || r.Dual < 0 || r.Primal < r.Cost-1e-9*mass {
				t.Errorf("eps=%g: dual %g, reported %g; primal %g, gap %g, cost %g", epsilon, dual, r.Dual, r.Primal, r.Gap, r.Cost)
			}
			if slack := math.Abs(primal - r.Dual); slack > 1e-9*mass*epsilon*(100-k.LogFloor()) {
				t.Errorf("eps=%g: primal and dual differ by %g", epsilon, slack)
			}
			if r.Gap < -1e-13*mass || r.Gap > 1e-9*mass*epsilon*(100-k.LogFloor()) {
				t.Errorf("eps=%g: gap %g", epsilon, r.Gap)
			}
		}
	}
}

// The gap bounds how far an unfinished solve is from the optimum.
func TestGapIsABound(t *testing.T) {
	const n, epsilon = 60, 0.4
	g := gengraph.Ladder(t, n, 6)
	p := Problem{dense(t, g, epsilon), gendensity.Random(n, 3), gendensity.Random(n, 4), epsilon}
	best := solve(t, p, Options{Tolerance: 1e-13})
	for iterations := 1; iterations <= 6; iterations++ {
		r := solve(t, p, Options{MaxIterations: iterations})
		if r.Status != Iterations || r.Iterations != iterations {
			t.Errorf("%s after %d of %d", r.Status, r.Iterations, iterations)
		}
		// The dual value is below the optimum by at most the gap.
		if short := best.Dual - r.Dual; short < -1e-12 || short > r.Gap+1e-12 {
			t.Errorf("%d iterations: short of the optimum by %g, gap %g", iterations, short, r.Gap)
		}
	}
}

func TestSolveProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		seed := rapid.Uint64().Draw(t, "seed")
		epsilon := rapid.Float64Range(0.2, 3).Draw(t, "epsilon")
		g := gengraph.Ladder(t, n, seed)
		k, err := baseline.NewDense(context.Background(), g, epsilon, baseline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a, b := gendensity.Random(n, seed), gendensity.Random(n, seed+1)
		run := func(p Problem, o Options) *Result {
			r, err := Solve(context.Background(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		o := Options{Tolerance: 1e-12}
		r := run(Problem{k, a, b, epsilon}, o)
		if r.Status != Converged {
			t.Fatalf("%s, error %g", r.Status, r.MarginalError)
		}
		if s := run(Problem{k, b, a, epsilon}, o); !near(r.Cost, s.Cost, 1e-9) || !near(r.Dual, s.Dual, 1e-9) {
			t.Errorf("swapped: cost %g and %g, dual %g and %g", r.Cost, s.Cost, r.Dual, s.Dual)
		}
		// Twice the mass costs twice as much.
		a2, b2 := make([]float64, n), make([]float64, n)
		for i := range n {
			a2[i], b2[i] = 2*a[i], 2*b[i]
		}
		if s := run(Problem{k, a2, b2, epsilon}, o); !near(2*r.Cost, s.Cost, 1e-9) {
			t.Errorf("doubled: cost %g and %g", r.Cost, s.Cost)
		}
		for _, warm := range []Options{{LogU: r.LogU, LogV: r.LogV}, {LogU: r.LogU}, {LogV: r.LogV}} {
			if s := run(Problem{k, a, b, epsilon}, warm); s.Iterations > 1 || !near(r.Cost, s.Cost, 1e-8) {
				t.Errorf("warm: %d iterations, cost %g and %g", s.Iterations, r.Cost, s.Cost)
			}
		}
		// No plan costs less than moving every vertex's surplus nowhere near: the
		// cost is at least |sum_i (a_i - b_i) d_i| for the distances from any vertex.
		for _, source := range []int32{0, int32(n - 1)} {
			bound := 0.0
			for i, d := range shortest.From(g, source) {
				bound += (a[i] - b[i]) * d
			}
			if r.Cost < math.Abs(bound)-1e-9 {
				t.Errorf("cost %g below the dual bound %g", r.Cost, math.Abs(bound))
			}
		}
	})
}

// Both forms agree where both work, and a bad start sends the scaling form to
// the logarithms.
func TestFormsAgree(t *testing.T) {
	const n, epsilon = 70, 0.2
	g := gengraph.Ladder(t, n, 8)
	k := dense(t, g, epsilon)
	p := Problem{k, gendensity.Random(n, 5), gendensity.Random(n, 6), epsilon}
	scaling := solve(t, p, Options{})
	log := solve(t, Problem{lowered{k}, p.Source, p.Target, epsilon}, Options{})
	if scaling.Form != Scaling || log.Form != Log || scaling.Iterations != log.Iterations || !near(scaling.Cost, log.Cost, 1e-13) {
		t.Errorf("%s: %d iterations, cost %.17g; %s: %d, %.17g", scaling.Form, scaling.Iterations, scaling.Cost, log.Form, log.Iterations, log.Cost)
	}
	start := make([]float64, n)
	start[0] = 5000
	bad := solve(t, p, Options{LogV: start})
	if bad.Form != Log || bad.Status != Converged || !near(bad.Cost, scaling.Cost, 1e-7) {
		t.Errorf("from a bad start: %s, %s, cost %g, not %g", bad.Form, bad.Status, bad.Cost, scaling.Cost)
	}
}

// lowered claims a floor that the scaling form cannot stand.
type lowered struct{ *baseline.Dense }

func (lowered) LogFloor() float64 { return -1e6 }

// failing fails in its products.
type failing struct {
	*baseline.Dense
	err error
}

func (f failing) MulVec(context.Context, []float64, []float64) ([]float64, error) { return nil, f.err }

func (f failing) LogMulVec(context.Context, []float64, []float64) ([]float64, error) {
	return nil, f.err
}

func TestSolveDegenerate(t *testing.T) {
	none, err := graph.New(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := solve(t, Problem{dense(t, none, 1), nil, nil, 1}, Options{}); r.Status != Converged || r.Cost != 0 {
		t.Errorf("no vertices: %+v", r)
	}
	one := gengraph.Ladder(t, 1, 0)
	if r := solve(t, Problem{dense(t, one, 1), []float64{3}, []float64{3}, 1}, Options{}); r.Status != Converged || r.Cost != 0 || r.Iterations != 1 || math.Abs(r.Gap) > 1e-14 {
		t.Errorf("one vertex: %+v", r)
	}
	two, err := graph.New(2, []graph.Edge{{U: 0, V: 1, Weight: 7}})
	if err != nil {
		t.Fatal(err)
	}
	for _, epsilon := range []float64{100, 1, 1e-3} {
		if r := solve(t, Problem{dense(t, two, epsilon), []float64{1, 0}, []float64{0, 1}, epsilon}, Options{}); !near(r.Cost, 7, 1e-12) || r.Status != Converged {
			t.Errorf("eps=%g: all mass over one edge costs %g, %s", epsilon, r.Cost, r.Status)
		}
	}
	flat, err := graph.New(5, []graph.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}, {U: 3, V: 4}})
	if err != nil {
		t.Fatal(err)
	}
	if r := solve(t, Problem{dense(t, flat, 1), gendensity.Random(5, 1), gendensity.Random(5, 2), 1}, Options{}); r.Cost != 0 || r.Status != Converged {
		t.Errorf("all vertices in one place: cost %g, %s", r.Cost, r.Status)
	}
}

func TestSolveRefuses(t *testing.T) {
	apart, err := graph.New(4, []graph.Edge{{U: 0, V: 1, Weight: 1}, {U: 2, V: 3, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	k := dense(t, apart, 1)
	good := []float64{0.25, 0.25, 0.25, 0.25}
	nan := math.NaN()
	for _, c := range []struct {
		p    Problem
		o    Options
		want string
	}{
		{Problem{k, []float64{1, 0, 0, 0}, []float64{0, 0, 0, 1}, 1}, Options{}, "no target mass can be reached from the source mass 1 at vertex 0"},
		{Problem{k, []float64{1, 0, 0, 0}, []float64{0, 0.5, 0, 0.5}, 1}, Options{}, "no source mass can reach the target mass 0.5 at vertex 3"},
		{Problem{k, []float64{1, 0, -1, 0}, good, 1}, Options{}, "source: measure: value 2 is -1"},
		{Problem{k, good, []float64{1, nan, 0, 0}, 1}, Options{}, "target: measure: value 1 is NaN"},
		{Problem{k, good[:3], good, 1}, Options{}, "3 values for 4 vertices"},
		{Problem{k, good, []float64{1, 1, 0, 0}, 1}, Options{}, "source's mass is 1 and the target's 2"},
		{Problem{k, good, good, nan}, Options{}, "epsilon is NaN"},
		{Problem{k, good, good, 2}, Options{}, "epsilon is 2, and the kernel's is 1"},
		{Problem{nil, good, good, 1}, Options{}, "no kernel"},
		{Problem{dense(t, apart, 1e-310), good, good, 1e-310}, Options{}, "epsilon is 1e-310: a distance divided by it"},
		{Problem{k, good, good, 1}, Options{Tolerance: -1}, "tolerance is -1"},
		{Problem{k, good, good, 1}, Options{MaxIterations: -1}, "-1 iterations"},
		{Problem{k, good, good, 1}, Options{LogU: good[:1]}, "LogU has 1 values"},
		{Problem{k, good, good, 1}, Options{LogV: []float64{0, nan, 0, 0}}, "LogV of vertex 1 is NaN"},
		{Problem{dense(t, apart, 1e-8), good, good, 1e-8}, Options{}, "epsilon is 1e-08: rounding alone is above the tolerance where it is below 8.88e-07"},
		{Problem{dense(t, apart, 1e12), good, good, 1e12}, Options{}, "epsilon is 1e+12: the figures of a plan are lost to rounding where it is above 1.07e+09"},
	} {
		if _, err := Solve(context.Background(), c.p, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, got %v", c.want, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Solve(ctx, Problem{k, good, good, 1}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	// What a kernel fails with is the answer, in either form.
	lost := errors.New("lost")
	for _, o := range []Options{{}, {LogV: []float64{5000, 0, 0, 0}}, {LogU: good}} {
		if _, err := Solve(context.Background(), Problem{failing{k, lost}, good, good, 1}, o); !errors.Is(err, lost) {
			t.Errorf("a product failed: %v", err)
		}
	}
	// Components that hold different masses cannot converge, and do not turn into NaN.
	for _, kernel := range []Problem{{Kernel: k}, {Kernel: lowered{k}}} {
		r, err := Solve(context.Background(), Problem{kernel.Kernel, []float64{0.9, 0, 0.1, 0}, []float64{0, 0.1, 0, 0.9}, 1}, Options{MaxIterations: 1000})
		if err != nil || r.Status != Iterations || !finite(r.Cost) || !finite(r.Gap) || !(r.MarginalError > 0.5) {
			t.Errorf("unbalanced components: %v, %+v", err, r)
		}
	}
}

// Acceleration reaches the same plan in far fewer iterations where the plain
// iteration is slow, and does not cost any where it is quick.
func TestAccelerationPays(t *testing.T) {
	const n = 90
	g := gengraph.Ladder(t, n, 5)
	for _, c := range []struct{ epsilon, share float64 }{{2, 1}, {0.3, 0.6}, {0.1, 0.4}} {
		p := Problem{dense(t, g, c.epsilon), gendensity.Random(n, 1), gendensity.Random(n, 2), c.epsilon}
		quick := solve(t, p, Options{})
		s, err := newState(context.Background(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		s.anderson.limit, s.result.Form = 0, Scaling
		for _, step := range []func() error{func() error { return s.begin(Options{}) }, s.iterate, s.evidence} {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
		plain := s.result
		if float64(quick.Iterations) > c.share*float64(plain.Iterations) || !near(quick.Cost, plain.Cost, 1e-8) || quick.Status != Converged {
			t.Errorf("eps=%g: %d iterations, cost %.12g; plain %d, %.12g", c.epsilon, quick.Iterations, quick.Cost, plain.Iterations, plain.Cost)
		}
	}
}

func TestProgressRises(t *testing.T) {
	const n, epsilon = 2 * tiny, 0.2
	last := -1.0
	solve(t, Problem{dense(t, gengraph.Ladder(t, n, 9), epsilon), gendensity.Random(n, 1), gendensity.Random(n, 2), epsilon}, Options{
		Progress: func(stage string, f float64) {
			if stage != "solve" || !(f >= last && f <= 1) {
				t.Errorf("%s %g after %g", stage, f, last)
			}
			last = f
		},
	})
	if last <= 0.5 {
		t.Errorf("progress ended at %g", last)
	}
}
