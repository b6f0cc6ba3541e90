package transport

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"genussink/core/internal/shared/gendensity"
	"genussink/core/internal/shared/gengraph"
)

func TestDivergenceAgainstOracle(t *testing.T) {
	problems, cases := oracleCases(t), otherCases(t)
	o := Options{Tolerance: 1e-12}
	for i, c := range cases {
		p := Problem{dense(t, problems[i].graph, problems[i].Epsilon), problems[i].Source, problems[i].Target, problems[i].Epsilon}
		r := solve(t, p, o)
		value, within, err := Divergence(t.Context(), p, r, o)
		if err != nil || !near(value/c.Divergence, 1, 1e-8) || !(within < 1e-8*c.Divergence) {
			t.Errorf("problem %d: %.12g within %g, not %.12g: %v", i, value, within, c.Divergence, err)
		}
		p.Target = p.Source
		if value, within, err := Divergence(t.Context(), p, solve(t, p, o), o); err != nil || math.Abs(value) > within+1e-12*r.Primal {
			t.Errorf("problem %d: %g from the source to itself: %v", i, value, err)
		}
		if i == 0 {
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			if _, _, err := Divergence(ended, p, r, o); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %v", err)
			}
		}
	}
}

// From a density to itself a solve takes few iterations at any epsilon, where Sinkhorn's own takes hundreds, and has the same entropic
// cost. It may start from potentials, and tells what rows and columns sum to.
// A divergence needs a result of the problem's size.
func TestDivergenceRefuses(t *testing.T) {
	c := oracleCases(t)[0]
	p := Problem{Kernel: dense(t, c.graph, c.Epsilon), Source: c.Source, Target: c.Target, Epsilon: c.Epsilon}
	for _, r := range []*Result{nil, {}} {
		if _, _, err := Divergence(t.Context(), p, r, Options{}); err == nil || !strings.Contains(err.Error(), "needs its result") {
			t.Errorf("%v: %v", r, err)
		}
	}
}

func TestToItself(t *testing.T) {
	const n = 60
	g, a := gengraph.Ladder(t, n, 3), gendensity.Random(n, 1)
	for _, epsilon := range []float64{5, 0.5, 0.2} {
		p := Problem{dense(t, g, epsilon), a, a, epsilon}
		told := 0
		r := solve(t, p, Options{Tolerance: 1e-10, Watch: func(_ int, rows, columns []float64) {
			if told++; len(rows) != n || len(columns) != n {
				t.Errorf("epsilon %g: %d rows and %d columns are told", epsilon, len(rows), len(columns))
			}
		}})
		if r.Status != Converged || r.Iterations > 40 || told != r.Iterations {
			t.Errorf("epsilon %g: %s after %d iterations, %d told", epsilon, r.Status, r.Iterations, told)
		}
		s, err := newState(t.Context(), p, Options{Tolerance: 1e-10, MaxIterations: 100_000})
		if err != nil {
			t.Fatal(err)
		}
		s.result.Form = Log
		if err := s.iterate(); err != nil {
			t.Fatal(err)
		}
		if err := s.evidence(); err != nil {
			t.Fatal(err)
		}
		t.Logf("epsilon %g: %d iterations, Sinkhorn's %d", epsilon, r.Iterations, s.result.Iterations)
		if !near(r.Primal/s.result.Primal, 1, 1e-7) || !near(r.Cost/s.result.Cost, 1, 1e-6) {
			t.Errorf("epsilon %g: primal %.12g and cost %.12g, Sinkhorn's %.12g and %.12g", epsilon, r.Primal, r.Cost, s.result.Primal, s.result.Cost)
		}
		if again := solve(t, p, Options{Tolerance: 1e-10, Last: r}); again.Iterations > 2 || !near(again.Primal/r.Primal, 1, 1e-8) {
			t.Errorf("epsilon %g: from its own result %d iterations more, to %.12g from %.12g", epsilon, again.Iterations, again.Primal, r.Primal)
		}
	}
}
