package engine_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/core/team"
)

// ring is a mesh on which a delta of 1 % pays, for its size: a thin torus of 1,440 vertices.
func ring() *job.Generate {
	return &job.Generate{Kind: "torus", Params: []job.Param{{Name: "minor", Value: 0.2}, {Name: "segments", Value: 240}, {Name: "sides", Value: 6}}}
}

// What an approximate method says of itself against the dense one.
func TestAccuracyAndPolish(t *testing.T) {
	shared.Long(t)
	shared.OneProcessor(t)
	for _, test := range []struct {
		team     team.Members
		epsilons []float64
	}{{nil, []float64{0.2, 0.02}}, {newCrew(2), []float64{0.2}}} {
		c := newClient(t, engine.Options{Team: test.team})
		_, d := c.open(ring())
		for _, epsilon := range test.epsilons {
			s := &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Method: job.Dense}}
			dense := ask[*job.Solved](c, s)
			if p := ask[*job.Polished](c, &job.Polish{}); dense.Accuracy.Rows != 0 || p.Cost != dense.Cost || p.Rows != 0 || !p.Known || p.High-p.Low > 1e-6*p.Cost || p.Why != "" {
				t.Errorf("dense: %+v, polished %+v", dense, p)
			}
			s.Method, s.Delta = "certified", job.Fraction(0.01)
			solved := ask[*job.Solved](c, s)
			a := solved.Accuracy
			if solved.Method != job.Certified || a.Rows != 8 || !a.Holds || a.Least < -solved.Bound*(1+1e-6) || a.Most > solved.Bound*(1+1e-6) ||
				!(a.Mean > 0 && a.Mean < a.Most && a.MeanRelative > 0 && a.MeanRelative < a.MostRelative) {
				t.Errorf("epsilon %g, bound %g: %+v", epsilon, solved.Bound, a)
			}
			// Ever better, where the request before ended, until all is known.
			first := ask[*job.Polished](c, &job.Polish{Seconds: 1e-9})
			next := ask[*job.Polished](c, &job.Polish{Seconds: 1e-9})
			all := ask[*job.Polished](c, &job.Polish{Seconds: math.Inf(1)})
			if first.Rows == 0 || first.Rows >= first.Of || next.Rows <= first.Rows || all.Timings[0].Stage != "refine" || first.Timings[0].Stage != "polish" {
				t.Errorf("epsilon %g: %+v, %+v, %+v", epsilon, first, next, all)
			}
			for _, p := range []*job.Polished{first, next, all} {
				if !(p.Low <= all.Cost && all.Cost <= p.High && p.Low <= p.Cost && p.Cost <= p.High) {
					t.Errorf("epsilon %g: %+v, in full %+v", epsilon, p, all)
				}
			}
			raw, polished := relative(solved.Cost, dense.Cost), relative(all.Cost, dense.Cost)
			t.Logf("team %v, epsilon %g: error %.2g raw, %.2g polished, %.2g from %d rows", test.team != nil, epsilon, raw, polished, relative(first.Cost, dense.Cost), first.Rows)
			if polished > 1e-4 || !(all.High-all.Low <= 1e-5*all.Cost) {
				t.Errorf("epsilon %g: error %g raw, %g polished: %+v", epsilon, raw, polished, all)
			}
			early := *s
			early.MaxIterations = 1
			stopped := ask[*job.Solved](c, &early)
			if p := ask[*job.Polished](c, &job.Polish{}); stopped.Status != "iterations" || !math.IsNaN(p.Cost) || !math.IsNaN(p.Low) || !math.IsNaN(p.High) || p.Rows != 0 || !strings.Contains(p.Why, "before it converged") {
				t.Errorf("epsilon %g: %s, and polished: %+v", epsilon, stopped.Status, p)
			}
		}
		refuse(c, &job.Polish{Seconds: -1}, "input", "-1 seconds")
		refuse(c, &job.Polish{Seconds: math.NaN()}, "input", "NaN seconds")
	}
	c := newClient(t, engine.Options{})
	c.open(sphere(4))
	refuse(c, &job.Polish{}, "input", "nothing has been solved")
}

// By default polishing takes at most a quarter of what set-up and solve took, by every method.
func TestPolishingIsShort(t *testing.T) {
	shared.Long(t)
	for _, s := range []job.Solve{{KernelSpec: job.KernelSpec{Method: job.Certified, Delta: job.Fraction(0.03)}}, {KernelSpec: job.KernelSpec{Method: job.Embedded, Delta: job.Fraction(0.1)}}, {KernelSpec: job.KernelSpec{Method: job.Sampled}}} {
		best := math.Inf(1)
		for round := 0; round < 3 && best > 0.25; round++ { // other tests may take the processors away meanwhile
			c := newClient(t, engine.Options{})
			_, d := c.open(sphere(20)) // 4,002 vertices
			s.Source, s.Target, s.Epsilon = d.Source, d.Target, job.Fraction(0.1)
			took, polish := 0.0, 0.0
			for _, x := range ask[*job.Solved](c, &s).Timings {
				took += x.Seconds
			}
			p := ask[*job.Polished](c, &job.Polish{})
			for _, x := range p.Timings {
				polish += x.Seconds
			}
			t.Logf("%s: %.3f s of set-up and solve, %.3f s of polishing: %d of %d rows, %d pairs, %.1e of the cost wide", s.Method, took, polish, p.Rows, p.Of, p.Pairs, (p.High-p.Low)/p.Cost)
			if p.Rows == 0 {
				t.Errorf("%s: no rows: %+v", s.Method, p)
			}
			best = min(best, polish/took)
		}
		if best > 0.25 {
			t.Errorf("%s: polishing takes %.2f of set-up and solve", s.Method, best)
		}
	}
}

// A request that polishes for long ends at once when it is cancelled, and lets questions to the plan through meanwhile.
func TestPolishingGivesWay(t *testing.T) {
	c := newClient(t, engine.Options{})
	_, d := c.open(sphere(12))
	ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Method: job.Certified, Delta: job.Fraction(0.05)}})
	var final job.Body
	told, asked := 0, 0
	c.e.Run(context.Background(), job.Request{ID: 77, Body: &job.Polish{Seconds: math.Inf(1)}}, func(ev job.Event) {
		final = ev.Body
		if p, ok := ev.Body.(*job.Progress); ok && p.Stage == "polish" && p.Fraction > 0 && asked == 0 {
			asked++
			told++
			ask[*job.Pushed](c, &job.Push{Values: d.Source})
			ask[*job.Cancelled](c, &job.Cancel{Request: 77})
		}
	})
	if _, ok := final.(*job.Cancelled); !ok || told != 1 {
		t.Errorf("ended by %T %+v after %d questions", final, final, told)
	}
}
