package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/internal/race"
)

// Whatever was asked before, warm or not, with whatever method, epsilon,
// densities and tree, an answer is that of an engine that was asked nothing else.
func TestSessionForgetsNothingItNeeds(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	const triangles = "v 0 0 0\nv 3 0 0\nv 0 4 0\nv 9 9 9\nv 10 9 9\nv 9 10 9\nf 1 2 3\nf 4 5 6\n"
	bodies := []job.Body{
		sphere(4),
		&job.Generate{Kind: "torus", Params: []job.Param{{Name: "segments", Value: 14}, {Name: "sides", Value: 7}}},
		&job.Generate{Kind: "dumbbell", Params: []job.Param{{Name: "radius", Value: 4}}},
		&job.Load{Name: "two.obj", Data: []byte(triangles)}, // two components
	}
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 3))
		body := bodies[seed%4]
		long := newClient(t, engine.Options{})
		opened := ask[*job.Loaded](long, body)
		density := func() []float64 {
			x := make([]float64, opened.Report.Vertices)
			for i := range x {
				if r.IntN(3) > 0 {
					x[i] = math.Exp(2 * r.NormFloat64())
				}
			}
			if seed%4 != 3 {
				x[0]++
				return x
			}
			for _, part := range [][]float64{x[:3], x[3:]} { // as much mass on either
				part[0]++
				total := 0.0
				for _, m := range part {
					total += m
				}
				for i := range part {
					part[i] /= total
				}
			}
			return x
		}
		epsilons := []float64{0.3, 0.1, 0.05, 0.02}
		if seed%4 != 3 { // on two triangles it takes more iterations than there are
			epsilons = append(epsilons, 0.002)
		}
		source, target := density(), density()
		for step := range 12 {
			switch r.IntN(4) {
			case 0:
				source = density()
			case 1:
				target = slices.Clone(target)
				target[r.IntN(3)] *= 1.5
				if seed%4 == 3 {
					target = density()
				}
			case 2:
				ask[*job.Separated](long, &job.Separate{Finder: []string{"", "level-set", "flow-cutter"}[r.IntN(3)]})
			}
			s := &job.Solve{
				Source: source, Target: target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilons[r.IntN(len(epsilons))]), Method: []string{"exact", "exact", "certified", "tree", "dense"}[r.IntN(5)]}, Tolerance: 1e-8, Warm: r.IntN(4) > 0,
			}
			if s.Method == job.Certified {
				s.Delta = job.Fraction([]float64{1e-9, 0.1}[r.IntN(2)])
			}
			name := fmt.Sprintf("seed %d, step %d: %s, epsilon %v, delta %v, warm %v", seed, step, s.Method, s.Epsilon, s.Delta, s.Warm)
			got := ask[*job.Solved](long, s)
			alone := newClient(t, engine.Options{})
			ask[*job.Loaded](alone, body)
			cold := *s
			cold.Warm = false
			want := ask[*job.Solved](alone, &cold)
			length := want.Epsilon / s.Epsilon.Value // the diagonal
			for _, a := range []*job.Solved{got, want} {
				// A marginal error of 1e-8 moves no more mass than that, over no more than some diagonals.
				if a.Status != "converged" || a.MarginalError > 1e-8 || a.Gap < -1e-12*length || a.Gap > 1e-5*length {
					t.Errorf("%s: %s, marginal error %g, gap %g of %g", name, a.Status, a.MarginalError, a.Gap, length)
				}
			}
			apart := 1e-6 * length
			if s.Delta.Value > 1e-3 {
				apart = 2 * s.Delta.Value * length // other trees, other tiles
			}
			if math.Abs(got.Cost-want.Cost) > apart || math.Abs(got.Dual-want.Dual) > apart {
				t.Errorf("%s: cost %.12g, dual %.12g, alone %.12g and %.12g", name, got.Cost, got.Dual, want.Cost, want.Dual)
			}
			// The plan that is asked is the one just solved.
			ones := slices.Repeat([]float64{1}, len(source))
			total := 0.0
			for _, m := range source {
				total += m
			}
			for i, m := range ask[*job.Pushed](long, &job.Push{Values: ones}).Values {
				if math.Abs(m-source[i]/total) > 1e-7 {
					t.Fatalf("%s: row %d sends %g, its mass is %g", name, i, m, source[i]/total)
				}
			}
		}
	}
}
