package engine_test

import (
	"math"
	"slices"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
	"genussink/internal/race"
)

// Set-up is what a solve needed before it began, whichever request made it, and stands apart from the solve. A
// solve says whether it started from the last plan: the first of a method does not, nor does dense ever, so that
// cold is compared with cold. All that took part are counted.
func TestSetupAndSolveApart(t *testing.T) {
	race.Alone(t)
	c := newClient(t, engine.Options{Team: newCrew(2)})
	_, d := c.open(teamMesh())
	ask[*job.Separated](c, &job.Separate{})
	solve := func(method string, epsilon float64) *job.Solved {
		return ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Method: method, Delta: deltaOf(method, job.Fraction(0.05))}, Warm: true})
	}
	alone := solve("dense", 0.2)
	hub := []string{"tree", "labels", "tiles", "kernel", "coarse"}
	for _, step := range []struct {
		method  string
		epsilon float64
		warm    bool
		setup   []string
	}{
		{"exact", 0.2, false, hub},
		{"exact", 0.2, true, hub},
		{"exact", 0.1, true, hub},
		{"certified", 0.1, false, hub},
		{"certified", 0.1, true, hub},
		{"embedded", 0.1, false, []string{"host", "tree", "labels", "tiles", "kernel", "coarse"}},
		{"exact", 0.1, false, hub}, // another method's plan is no start
		{"sampled", 0.1, false, []string{"tree", "kernel"}},
		{"dense", 0.1, false, []string{"kernel", "coarse"}},
		{"dense", 0.1, false, []string{"kernel", "coarse"}},
	} {
		s := solve(step.method, step.epsilon)
		if got := stages(s.Setup); s.Warm != step.warm || !slices.Equal(got, step.setup) {
			t.Errorf("%s at %g: warm %v, set-up %v, want %v, %v", step.method, step.epsilon, s.Warm, got, step.warm, step.setup)
		}
		members := 0
		if step.method == job.Exact || step.method == job.Certified || step.method == job.Embedded {
			members = 2
		}
		if s.Threads != alone.Threads+members {
			t.Errorf("%s: %d threads, dense has %d", step.method, s.Threads, alone.Threads)
		}
		if !(s.DenseSetup > 0 && s.DenseSolve > 0) {
			t.Errorf("%s: dense would take %g and %g s", step.method, s.DenseSetup, s.DenseSolve)
		}
	}
}

// An engine that compares nothing makes no row of the matrix, and says that nothing was predicted.
func TestUncompared(t *testing.T) {
	c := newClient(t, engine.Options{Uncompared: true})
	_, d := c.open(teamMesh())
	for _, method := range []string{job.Exact, job.Quantized} {
		s := ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Method: method}})
		if s.Method != method || !math.IsNaN(s.DenseSetup) || !math.IsNaN(s.DenseSolve) {
			t.Errorf("%s, asked for %s: dense would take %g and %g s", s.Method, method, s.DenseSetup, s.DenseSolve)
		}
	}
}
