package engine_test

import (
	"math"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
)

// What an approximate method says of itself against the dense one.
func TestAccuracyAndPolish(t *testing.T) {
	for _, test := range []struct {
		team     engine.Team
		epsilons []float64
	}{{nil, []float64{0.2, 0.02}}, {newCrew(2), []float64{0.2}}} {
		c := newClient(t, engine.Options{Team: test.team})
		_, d := c.open(teamMesh())
		for _, epsilon := range test.epsilons {
			s := &job.Solve{Source: d.Source, Target: d.Target, Epsilon: epsilon, Method: "dense", Polish: true}
			dense := ask[*job.Solved](c, s)
			if dense.Accuracy.Rows != 0 || dense.PolishedRows != 0 {
				t.Errorf("dense: %+v", dense)
			}
			s.Method, s.Delta, s.Polish = "certified", 0.01, false
			fast := ask[*job.Solved](c, s)
			if fast.PolishedRows != 0 {
				t.Errorf("polished without being asked: %+v", fast)
			}
			s.Polish, s.Warm = true, true
			slow := ask[*job.Solved](c, s)
			a := slow.Accuracy
			if a != fast.Accuracy || a.Rows != 8 || !a.Holds || a.Least < -slow.Bound*(1+1e-6) || a.Most > slow.Bound*(1+1e-6) ||
				!(a.Mean > 0 && a.Mean < a.Most && a.MeanRelative > 0 && a.MeanRelative < a.MostRelative) {
				t.Errorf("epsilon %g, bound %g: %+v, then %+v", epsilon, slow.Bound, fast.Accuracy, a)
			}
			raw, polished := relative(slow.Cost, dense.Cost), relative(slow.Polished, dense.Cost)
			t.Logf("team %v, epsilon %g: error %.2g raw, %.2g polished +- %.2g from %d rows", test.team != nil, epsilon, raw, polished, slow.PolishedError/slow.Polished, slow.PolishedRows)
			// Raw errors of either sign may happen to cancel: a tenth of the 1e-4 that is asked for is enough.
			if polished > max(raw/4, 1e-5)+4*slow.PolishedError/slow.Polished || slow.PolishedRows == 0 {
				t.Errorf("epsilon %g: error %g raw, %g polished: %+v", epsilon, raw, polished, slow)
			}
			early := *s
			early.MaxIterations, early.Warm = 1, false
			if stopped := ask[*job.Solved](c, &early); stopped.Status != "iterations" || stopped.PolishedRows != 0 {
				t.Errorf("epsilon %g: stopped early, and polished: %+v", epsilon, stopped)
			}
			ask[*job.Solved](c, s)
			// The kernel that polishing takes leaves the plan's alone.
			ones := make([]float64, len(d.Target))
			for i := range ones {
				ones[i] = 1
			}
			total := 0.0
			for i, m := range ask[*job.Pushed](c, &job.Push{Values: ones}).Values {
				total += math.Abs(m - d.Source[i])
			}
			if total > 1e-8 {
				t.Errorf("epsilon %g: the plan's rows are off by %g afterwards", epsilon, total)
			}
		}
	}
}
