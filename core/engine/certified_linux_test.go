package engine_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
)

// From 5,000 vertices on a solve that asks for certified at 1 % takes exact where that is as quick: the very same kernel, and nothing but
// what it needs is made.
func TestCertifiedIsExact(t *testing.T) {
	shared.Long(t)
	for _, test := range []struct {
		name     string // of the gallery, or of a generator
		epsilons []float64
	}{
		{"sphere", []float64{0.2, 0.02}}, // 5,292 vertices
		{"trefoil", []float64{0.02}},     // 5,710
		{"octopus", []float64{0.02}},     // 5,064
		{"gear", []float64{0.02}},        // 11,751
	} {
		var open job.Body = sphere(23)
		if test.name != "sphere" {
			data, err := os.ReadFile(filepath.Join("..", "..", "assets", "meshes", test.name+".glb"))
			if err != nil {
				t.Fatal(err)
			}
			open = &job.Load{Name: test.name + ".glb", Data: data}
		}
		c := newClient(t, engine.Options{})
		_, d := c.open(open)
		for i, epsilon := range test.epsilons {
			s := &job.Solve{
				Source: d.Source, Target: d.Target, Tolerance: 1e-9, MaxIterations: 5,
				KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Method: job.Certified, Delta: job.Fraction(0.01)},
			}
			certified := ask[*job.Solved](c, s)
			s.Method, s.Delta = job.Exact, job.Length{}
			exact := ask[*job.Solved](c, s)
			made := []string{"tree", "labels", "tiles", "kernel", "coarse", "solve"}
			if i > 0 {
				made = made[1:] // the tree is there
			}
			if exact.Precision == job.Float32 {
				made = append(made, "examine")
			}
			if certified.Method != job.Exact || !slices.Equal(stages(certified.Timings), made) {
				t.Errorf("%s at %g: %s was taken, in %v, not %v", test.name, epsilon, certified.Method, stages(certified.Timings), made)
			}
			if certified.Precision != exact.Precision || certified.Cost != exact.Cost || certified.MemoryBytes != exact.MemoryBytes || !slices.Equal(stages(exact.Timings), []string{"solve"}) {
				t.Errorf("%s at %g: certified took exact in %s; exact is in %s, and made anew: %v", test.name, epsilon, certified.Precision, exact.Precision, stages(exact.Timings))
			}
		}
	}
}

// Where a solve that asks for certified at 1 % does not take exact, all of it takes no longer than exact.
// Both are solved in turns, each from nothing, in processor
// time, which what else runs on the machine hardly changes; the least of some
// rounds is taken, which differs by up to 2 % when the same is measured twice: 3 %
// are left for that. A second epsilon takes the set-up that is there, and its time counts again.
// docs/engineering/measurements.md has up to 35,000 vertices, measured by hand.
func TestCertifiedIsNoSlower(t *testing.T) {
	shared.Long(t)
	const rounds, noise = 10, 1.03
	shared.OneProcessor(t)
	epsilons := []float64{0.2, 0.02}
	least := map[string]*[2]float64{job.Exact: {}, job.Certified: {}} // seconds
	for round := range rounds {
		for _, method := range []string{job.Exact, job.Certified} {
			c := newClient(t, engine.Options{Now: shared.Processor})
			_, d := c.open(sphere(45)) // 20,252 vertices
			for i, epsilon := range epsilons {
				s := &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Method: method}, Tolerance: 1e-9}
				if method == job.Certified {
					s.Delta = job.Fraction(0.01)
				}
				runtime.GC()
				begun := shared.Processor()
				solved := ask[*job.Solved](c, s)
				seconds := shared.Processor().Sub(begun).Seconds()
				for _, stage := range solved.Setup {
					if !slices.Contains(stages(solved.Timings), stage.Stage) {
						seconds += stage.Seconds // made for the first epsilon
					}
				}
				if solved.Method != method {
					t.Errorf("%s at %g: %s was taken", method, epsilon, solved.Method)
				}
				if round == 0 || seconds < least[method][i] {
					least[method][i] = seconds
				}
			}
		}
		// One round is enough where it is clear, by as much as two differ.
		decided := true
		for i := range epsilons {
			ratio := least[job.Certified][i] / least[job.Exact][i]
			decided = decided && (ratio <= 2-noise || round > 0 && ratio <= noise)
		}
		if decided {
			break
		}
	}
	for i, epsilon := range epsilons {
		exact, certified := least[job.Exact][i], least[job.Certified][i]
		t.Logf("at %g: exact %.3f s, certified %.3f s, ratio %.3f", epsilon, exact, certified, certified/exact)
		if certified > exact*noise {
			t.Errorf("at %g: certified takes %.3f s, exact %.3f s", epsilon, certified, exact)
		}
	}
}
