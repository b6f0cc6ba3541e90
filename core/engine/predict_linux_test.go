package engine_test

import (
	"math"
	"slices"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
)

// What dense is predicted to take is what it takes, to a factor of two, set-up and solve, on several sizes and in both forms:
// predicted by exact before dense has run, and by dense for itself. On one processor, by the processor's time, the least of two: what else the machine does is not in it.
func TestDenseIsPredicted(t *testing.T) {
	shared.Long(t)
	shared.OneProcessor(t)
	for _, size := range []struct {
		frequency, epsilon float64
	}{{10, 0.1}, {14, 0.1}, {18, 0.1}, {10, 0.0008}} {
		var setup, solve [3][]float64 // by exact, by dense, measured
		for range 2 {
			c := newClient(t, engine.Options{Now: shared.Processor})
			_, d := c.open(&job.Generate{Kind: "sphere", Params: []job.Param{{Name: "frequency", Value: size.frequency}}})
			s := &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(size.epsilon)}, MaxIterations: 12}
			for k, method := range []string{"exact", "dense"} {
				s.Method = method
				got := ask[*job.Solved](c, s)
				setup[k], solve[k] = append(setup[k], got.DenseSetup), append(solve[k], got.DenseSolve/float64(got.Iterations))
				if method == job.Dense {
					took := 0.0
					for _, stage := range got.Setup {
						took += stage.Seconds
					}
					setup[2] = append(setup[2], took)
					for _, stage := range got.Timings {
						if stage.Stage == "solve" {
							solve[2] = append(solve[2], stage.Seconds/float64(got.Iterations))
						}
					}
				}
			}
		}
		for k, who := range []string{"exact", "dense"} {
			for what, pair := range map[string][2][]float64{"set-up": {setup[k], setup[2]}, "an iteration": {solve[k], solve[2]}} {
				predicted, took := slices.Min(pair[0]), slices.Min(pair[1])
				t.Logf("sphere of frequency %g, epsilon %g: %s by %s predicted %.4f s, measured %.4f s: %+.0f %%", size.frequency, size.epsilon, what, who, predicted, took, 100*(predicted/took-1))
				if math.Abs(math.Log2(predicted/took)) > 1 {
					t.Errorf("sphere of frequency %g, epsilon %g: %s of dense is predicted by %s to take %g s, it takes %g", size.frequency, size.epsilon, what, who, predicted, took)
				}
			}
		}
	}
}
