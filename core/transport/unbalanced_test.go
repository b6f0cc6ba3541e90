package transport

import (
	"errors"
	"math"
	"testing"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/internal/shared/gendensity"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/measure"
)

func TestUnbalancedAgainstOracle(t *testing.T) {
	problems, cases := oracleCases(t), otherCases(t)
	for i, c := range cases {
		p := Problem{dense(t, problems[i].graph, problems[i].Epsilon), problems[i].Source, problems[i].Target, problems[i].Epsilon}
		for j := range p.Target {
			p.Target[j] *= 1.7
		}
		for _, want := range c.Unbalanced {
			for _, form := range []string{Scaling, Log} {
				q := p
				if form == Log {
					q.Kernel = lowered{p.Kernel.(*baseline.Dense)}
				}
				r := solve(t, q, Options{Tolerance: 1e-13, Reach: want.Reach})
				moved := 1 - r.Destroyed + r.Created // at the target
				if r.Form != form || r.Status != Converged || !near(r.Cost/want.Cost, 1, 1e-9) || !near(r.Primal/want.Primal, 1, 1e-9) || !near(r.Dual/want.Primal, 1, 1e-9) || !near(moved, 1.7, 1e-9) {
					t.Errorf("problem %d, reach %g, %s %s: cost %.12g, primal %.12g, dual %.12g, not %.12g and %.12g; source with created and less destroyed is %g",
						i, want.Reach, r.Form, r.Status, r.Cost, r.Primal, r.Dual, want.Cost, want.Primal, moved)
				}
				if total := moves(t, q, r); !near(total/want.Moved, 1, 1e-9) {
					t.Errorf("problem %d, reach %g: %.12g moves, not %.12g", i, want.Reach, total, want.Moved)
				}
			}
		}
	}
}

// moves is the mass of a result's plan.
func moves(t *testing.T, p Problem, r *Result) float64 {
	t.Helper()
	plan, err := NewPlan(p.Kernel, p.Epsilon, r.LogU, r.LogV)
	if err != nil {
		t.Fatal(err)
	}
	ones := make([]float64, plan.Len())
	for i := range ones {
		ones[i] = 1
	}
	rows, err := plan.Push(t.Context(), nil, ones)
	if err != nil {
		t.Fatal(err)
	}
	return measure.Total(rows)
}

// With a reach far beyond all distances the plan is the balanced one, and its value the same.
func TestGreatReachIsBalanced(t *testing.T) {
	const n, epsilon = 80, 0.5
	k := dense(t, gengraph.Bridged(t, n, 0), epsilon)
	a, b := gendensity.Halves(t, n)
	p := Problem{k, a, b, epsilon}
	balanced := solve(t, p, Options{})
	for _, reach := range []float64{1e3, 1e5} {
		r := solve(t, p, Options{Reach: reach})
		if r.Status != Converged || !near(r.Primal/balanced.Primal, 1, 10*balanced.Primal/reach) || r.Primal > balanced.Primal*(1+1e-9) || r.Destroyed > 10*balanced.Primal/reach*measure.Total(a) {
			t.Errorf("reach %g: %s, primal %g of %g, %g destroyed", reach, r.Status, r.Primal, balanced.Primal, r.Destroyed)
		}
		if r.Iterations > 3*balanced.Iterations+20 {
			t.Errorf("reach %g: %d iterations, balanced %d", reach, r.Iterations, balanced.Iterations)
		}
	}
}

// Costs grow with the mass as they do of balanced transport, and the gap is a bound however early the solve stops.
func TestUnbalancedProperties(t *testing.T) {
	const n, epsilon, reach = 60, 0.4, 2.0
	k := dense(t, gengraph.Bridged(t, n, 0), epsilon)
	a, b := gendensity.Halves(t, n)
	p := Problem{k, a, b, epsilon}
	best := solve(t, p, Options{Reach: reach, Tolerance: 1e-13})
	for most := 1; most < 6; most++ {
		r := solve(t, p, Options{Reach: reach, MaxIterations: most})
		if slack := 1e-12 * best.Primal; r.Dual > best.Primal+slack || r.Primal < best.Dual-slack || r.Gap < 0 {
			t.Errorf("after %d iterations %g to %g, the optimum is %g", most, r.Dual, r.Primal, best.Primal)
		}
	}
	many := Problem{k, make([]float64, n), make([]float64, n), epsilon}
	for i := range a {
		many.Source[i], many.Target[i] = 1e6*a[i], 1e6*b[i]
	}
	if r := solve(t, many, Options{Reach: reach, Tolerance: 1e-13}); !near(r.Primal/best.Primal, 1e6, 1e-3) || !near(r.Destroyed/best.Destroyed, 1e6, 1e-3) {
		t.Errorf("a million times the mass: primal %g and %g, destroyed %g and %g", r.Primal, best.Primal, r.Destroyed, best.Destroyed)
	}
}

// Mass that nothing can reach is destroyed and created, in either form.
func TestUnbalancedApart(t *testing.T) {
	g, err := graph.New(5, []graph.Edge{{U: 0, V: 1, Weight: 1}, {U: 2, V: 3, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	const epsilon, reach = 0.5, 3.0
	for _, p := range []Problem{
		{dense(t, g, epsilon), []float64{1, 0, 2, 0, 0}, []float64{0, 1, 0, 0, 4}, epsilon},
		{lowered{dense(t, g, epsilon)}, []float64{1, 0, 2, 0, 0}, []float64{0, 1, 0, 0, 4}, epsilon},
	} {
		r := solve(t, p, Options{Reach: reach})
		if r.Status != Converged || r.LogU[2] != math.Inf(-1) || r.LogV[4] != math.Inf(-1) || r.Destroyed < 2 || r.Created < 4 || !near(3-r.Destroyed+r.Created, 5, 1e-9) || !(r.Gap <= 1e-8) {
			t.Errorf("%s: %+v", r.Form, r)
		}
		// Of a single pair with masses a = b = 1: rho (2 - 2x) + x log terms, by its optimality condition.
		m := math.Sqrt(15)
		x := math.Exp((-1 - epsilon*math.Log(m)) / (epsilon + 2*reach)) // epsilon log(x m) + 2 reach log x = -1
		want := x + epsilon*(x*math.Log(x*m)-x+m) + 2*reach*(x*math.Log(x)-x+1) + reach*6
		if !near(r.Cost, x, 1e-8) || !near(r.Primal, want, 1e-8) {
			t.Errorf("%s: cost %.12g, primal %.12g, not %.12g and %.12g", r.Form, r.Cost, r.Primal, x, want)
		}
	}
}

func TestUnbalancedRefuses(t *testing.T) {
	k := dense(t, gengraph.Bridged(t, 20, 0), 1)
	a, b := gendensity.Halves(t, 20)
	for _, reach := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := Solve(t.Context(), Problem{k, a, b, 1}, Options{Reach: reach}); err == nil {
			t.Errorf("a reach of %g", reach)
		}
	}
	stop := errors.New("stopped")
	if _, err := Solve(t.Context(), Problem{failing{k, stop}, a, b, 1}, Options{Reach: 1}); !errors.Is(err, stop) {
		t.Errorf("a kernel that fails: %v", err)
	}
}
