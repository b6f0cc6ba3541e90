package engine_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/internal/race"
)

// Exact and certified keep their distances as float32 unless they are told
// otherwise, or it would not do; both say what they did and keep to it, alone
// and with a team, whichever came first.
func TestPrecision(t *testing.T) {
	shared.Long(t)
	team := newCrew(1)
	for name, o := range map[string]engine.Options{"alone": {}, "with a member": {Team: team}} {
		c := newClient(t, o)
		l, d := c.open(teamMesh())
		solve := func(method, precision string, delta float64) *job.Solved {
			return ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Method: method, Precision: precision, Delta: job.Fraction(delta)}})
		}
		dense := solve("dense", "", 0)
		certified := solve("certified", "", 0.05)
		exact := solve("exact", "float64", 0)
		short := solve("exact", "", 0)
		long := solve("certified", "float64", 0.05)
		again := solve("certified", "", 0.05)
		tight := solve("certified", "", 1e-9)
		for _, s := range []struct {
			*job.Solved
			precision    string
			bound, error float64 // shares of the diagonal and of the cost
		}{
			{dense, "float64", 0, 0},
			{exact, "float64", 0, 1e-10},
			{short, "float32", 5e-6, 1e-6},
			{certified, "float32", 0.05, 0.05},
			{long, "float64", 0.05, 0.05},
			{tight, "float64", 0, 1e-10}, // float32 would round by more than delta
		} {
			bound := s.bound * l.Report.Diagonal
			if s.Precision != s.precision || s.Bound > bound*(1+1e-12) || s.Bound < bound/100 || relative(s.Cost, dense.Cost) > s.error {
				t.Errorf("%s: %s in %s, bound %g, cost %.12g, dense %.12g; want %s, bound %g", name, s.Method, s.Precision, s.Bound, s.Cost, dense.Cost, s.precision, bound)
			}
		}
		if again.Cost != certified.Cost || again.MemoryBytes != certified.MemoryBytes {
			t.Errorf("%s: certified costs %.17g in %d bytes, after others %.17g in %d", name, certified.Cost, certified.MemoryBytes, again.Cost, again.MemoryBytes)
		}
		if short.MemoryBytes >= exact.MemoryBytes || certified.MemoryBytes >= long.MemoryBytes {
			t.Errorf("%s: exact with float64 holds %d bytes, without %d; certified %d, with float64 %d", name, exact.MemoryBytes, short.MemoryBytes, certified.MemoryBytes, long.MemoryBytes)
		}
		if y := ask[*job.Applied](c, &job.Apply{Values: d.Source, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}}); y.Precision != job.Float32 || y.Bound != short.Bound {
			t.Errorf("%s: a product of %s, bound %g", name, y.Precision, y.Bound)
		}
		s := &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Precision: "float16"}}
		refuse(c, s, "input", "precision float16: there are float64 and float32")
		s.Method, s.Precision = job.Tree, "float32"
		refuse(c, s, "input", "only exact and certified")
		s.Method, s.Delta = "certified", job.Fraction(1e-9)
		refuse(c, s, "input", "rounding distances to float32")
	}
	// Lengths beyond float32 are none in the unit that is computed in.
	c := newClient(t, engine.Options{})
	var far strings.Builder
	for i := range 30 * 30 { // wider than what goes along a tree decomposition
		fmt.Fprintf(&far, "v %de38 %de38 0\n", i/30, i%30)
		if i%30 > 0 && i/30 > 0 {
			fmt.Fprintf(&far, "f %d %d %d\nf %d %d %d\n", i+1, i, i-30, i+1, i-30, i-29)
		}
	}
	ask[*job.Loaded](c, &job.Load{Name: "far.obj", Data: []byte(far.String())})
	source, target := make([]float64, 900), make([]float64, 900)
	source[0], target[899] = 1, 1
	s := &job.Solve{Source: source, Target: target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}}
	if got := ask[*job.Solved](c, s); got.Precision != job.Float32 || !(got.Bound > 0) || got.Bound > 1e-5*got.Epsilon || !got.Accuracy.Holds || relative(got.Cost, 29e38*math.Sqrt2) > 1e-6 {
		t.Errorf("lengths beyond float32: %s, bound %g, cost %g", got.Precision, got.Bound, got.Cost)
	}
	if team.asked["*job.Hold"] == 0 {
		t.Error("the team was not asked")
	}
}

// Over the whole range of epsilon the entries of exact's plan are those of dense but for 1e-5 of themselves: where
// the rounding of float32 would show, distances are kept as float64. An unfinished solve is compared
// after as many iterations.
func TestPrecisionFollowsEpsilon(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	epsilons := []float64{1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 3e-4, 1e-4} // the page's slider
	if testing.Short() {
		epsilons = []float64{0.3, 0.001}
	}
	for name, body := range meshes() {
		t.Run(name, func(t *testing.T) {
			if name != "torus" && name != "with boundary" {
				shared.Long(t)
			}
			c := newClient(t, engine.Options{})
			l, d := c.open(body)
			n := int32(l.Report.Vertices)
			seen, narrow := map[string]bool{}, false
			for _, epsilon := range epsilons {
				s := &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon)}, MaxIterations: 30, Tolerance: 1e-11}
				var entries [2][]*job.Partnered
				finished := true
				for k, method := range []string{"exact", "dense"} {
					s.Method = method
					solved := ask[*job.Solved](c, s)
					finished = finished && solved.Status == "converged"
					if method == job.Exact {
						narrow = solved.Width >= 0 // along a tree decomposition, in float64 whatever epsilon is
						seen[solved.Precision] = true
						if solved.Bound > 1e-5*solved.Epsilon || (solved.Precision == job.Float32) != (solved.Bound > 0) {
							t.Errorf("epsilon %g: %s with a bound of %g epsilon", epsilon, solved.Precision, solved.Bound/solved.Epsilon)
						}
					}
					for v := int32(0); v < n; v += max(1, n/6) {
						entries[k] = append(entries[k], ask[*job.Partnered](c, &job.Partners{Vertex: v}))
					}
				}
				if narrow && !finished {
					continue // it iterates otherwise
				}
				worst := 0.0
				for k, row := range entries[0] {
					masses := map[int32]float64{}
					for i, v := range entries[1][k].Vertices {
						masses[v] = entries[1][k].Mass[i]
					}
					for i, v := range row.Vertices {
						if row.Mass[i] > 1e-12*row.Total {
							worst = max(worst, relative(row.Mass[i], masses[v]))
						}
					}
				}
				if !(worst <= 1e-5) {
					t.Errorf("epsilon %g: an entry of the plan is off by %g of itself", epsilon, worst)
				}
			}
			if seen["float32"] == narrow || !seen["float64"] {
				t.Errorf("precisions %v", seen)
			}
		})
	}
	// Where float64 has no room it is float32 that is kept, and said.
	big := sphere(9)
	c := newClient(t, engine.Options{})
	_, d := c.open(big)
	s := &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.003), Precision: job.Float32}, MaxIterations: 5}
	short := ask[*job.Solved](c, s)
	s.Precision = ""
	long := ask[*job.Solved](c, s)
	if long.Precision != job.Float64 || long.MemoryBytes <= short.MemoryBytes {
		t.Fatalf("%s in %d bytes, float32 in %d", long.Precision, long.MemoryBytes, short.MemoryBytes)
	}
	tight := newClient(t, engine.Options{MemoryLimit: (long.MemoryBytes + short.MemoryBytes) / 2})
	tight.open(big)
	for _, epsilon := range []float64{0.003, 0.004} {
		s.Epsilon = job.Fraction(epsilon)
		got := ask[*job.Solved](tight, s)
		if got.Precision != job.Float32 || !(got.Bound > 0) || got.MemoryBytes > (long.MemoryBytes+short.MemoryBytes)/2 {
			t.Errorf("epsilon %g: %s in %d bytes, float64 takes %d", epsilon, got.Precision, got.MemoryBytes, long.MemoryBytes)
		}
		if made := stages(got.Timings); epsilon == 0.004 && slices.Contains(made, "labels") {
			t.Errorf("at another epsilon %v are made again", made)
		}
	}
}
