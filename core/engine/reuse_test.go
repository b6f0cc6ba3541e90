package engine_test

import (
	"math"
	"slices"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
)

// A cover is built once for every delta, whatever becomes of epsilon and the
// densities, also where only logarithms can multiply: the kernel is made of the
// same cover there, its factors of float64 at most twice the bytes of float32, and its cost is that
// of the dense one.
func TestCoversAreReused(t *testing.T) {
	shared.Long(t)
	shared.OneProcessor(t)
	for method, deltas := range map[string][2]float64{"exact": {}, "certified": {0.06, 0.09}} {
		c := newClient(t, engine.Options{})
		_, d := c.open(sphere(7))
		covers := 0
		solve := func(s job.Solve) *job.Solved {
			t.Helper()
			s.Method, s.Source, s.Target = method, d.Source, d.Target
			if method == job.Exact {
				s.Precision = job.Float64
			} else if s.Delta.Value == 0 {
				s.Delta = job.Fraction(deltas[0])
			}
			solved := ask[*job.Solved](c, &s)
			if solved.Method != method {
				t.Errorf("%s was taken for %s", solved.Method, method)
			}
			if slices.Contains(stages(solved.Timings), "tiles") {
				covers++
			}
			return solved
		}
		first := solve(job.Solve{KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}})
		d.Source, d.Target = d.Target, d.Source
		if swapped := solve(job.Solve{KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}, Warm: true}); relative(swapped.Cost, first.Cost) > 1e-7 {
			t.Errorf("%s: back costs %g, there %g", method, swapped.Cost, first.Cost)
		}
		for _, epsilon := range []float64{0.05, 0.02, 0.001} {
			s := solve(job.Solve{KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon)}, MaxIterations: 30})
			if (s.Form == "log") != (epsilon == 0.001) || s.MemoryBytes > 2*first.MemoryBytes || math.IsNaN(s.Cost) || math.IsNaN(s.Gap) {
				t.Errorf("%s, epsilon %g: %s, %d bytes, before %d, cost %g, gap %g", method, epsilon, s.Form, s.MemoryBytes, first.MemoryBytes, s.Cost, s.Gap)
			}
			dense := ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Method: job.Dense}, MaxIterations: 30})
			if off := relative(s.Cost, dense.Cost); method == job.Exact && off > 1e-10 || off > 0.02 {
				t.Errorf("%s, epsilon %g: cost %.12g, dense %.12g", method, epsilon, s.Cost, dense.Cost)
			}
		}
		if covers != 1 {
			t.Errorf("%s: %d covers", method, covers)
		}
		if deltas[1] > 0 {
			solve(job.Solve{KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Delta: job.Fraction(deltas[1])}})
			if covers != 2 {
				t.Errorf("%s: another delta, %d covers in all", method, covers)
			}
		}
	}
}

// The potentials of one epsilon are a good start for another: the same cost in
// no more iterations, and in fewer where epsilon is small.
func TestWarmStartAcrossEpsilon(t *testing.T) {
	shared.Long(t)
	shared.OneProcessor(t)
	for method, body := range map[string]job.Body{"exact": sphere(7), "certified": ring()} {
		c := newClient(t, engine.Options{})
		_, d := c.open(body)
		solve := func(epsilon float64, warm bool) *job.Solved {
			s := &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Method: method, Epsilon: job.Fraction(epsilon)}, Warm: warm, Tolerance: 1e-6}
			if method == job.Certified {
				s.Delta = job.Fraction(0.01)
			}
			solved := ask[*job.Solved](c, s)
			if solved.Method != method {
				t.Errorf("%s was taken for %s", solved.Method, method)
			}
			return solved
		}
		saved := 0
		for _, step := range [][2]float64{{0.05, 0.04}, {0.01, 0.02}, {0.01, 0.005}, {0.005, 0.004}} {
			cold := solve(step[1], false)
			solve(step[0], false)
			warm := solve(step[1], true)
			t.Logf("%s, from %g to %g: %d iterations, %d from nothing", method, step[0], step[1], warm.Iterations, cold.Iterations)
			saved += cold.Iterations - warm.Iterations
			if warm.Iterations > cold.Iterations || relative(warm.Cost, cold.Cost) > 1e-4 || warm.Status != "converged" {
				t.Errorf("%s, from %g to %g: %d iterations to %.9g, %d to %.9g from nothing", method, step[0], step[1], warm.Iterations, warm.Cost, cold.Iterations, cold.Cost)
			}
		}
		if saved < 2 {
			t.Errorf("%s: warm starts save %d iterations", method, saved)
		}
	}
}
