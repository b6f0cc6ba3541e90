package engine_test

import (
	"math"
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
)

// A profile has a bin for every sampled pair, f at every step, and the distance at which f is a tenth, in mesh units.
func TestProfile(t *testing.T) {
	c := newClient(t, engine.Options{})
	l := ask[*job.Loaded](c, &job.Generate{Kind: "sphere", Params: []job.Param{{Name: "frequency", Value: 6}}})
	n := l.Report.Vertices
	for name, k := range map[string]struct {
		f     func(x float64) float64
		tenth float64 // in epsilons
	}{
		"exp":                     {func(x float64) float64 { return math.Exp(-x) }, math.Log(10)},
		"gauss:s=2":               {func(x float64) float64 { return math.Exp(-x * x / 2) }, math.Sqrt(2 * math.Log(10))},
		"cauchy:lambda=0,c=1,p=2": {func(x float64) float64 { return 1 / ((x + 1) * (x + 1)) }, math.Sqrt(10) - 1},
	} {
		for _, share := range []float64{0.1, 1e-3} { // of which the last has entries that underflow
			if share == 1e-3 && name[0] == 'c' {
				continue // whose sum of exponentials would have too many terms
			}
			epsilon := share * l.Report.Diagonal
			got := ask[*job.Profiled](c, &job.Profile{KernelSpec: job.KernelSpec{Method: job.Certified, Delta: job.Fraction(0.001), Function: name, Epsilon: job.Fraction(share)}})
			pairs, nearer := 0, 0.0
			for i, count := range got.Pairs {
				pairs += int(count)
				if width := got.Longest / float64(len(got.Pairs)); float64(i+1)*width <= got.Tenth {
					nearer += float64(count)
				}
			}
			if want := got.Rows * (n - 1); pairs != want || got.Rows < 4 {
				t.Errorf("%s: %d pairs of %d rows, want %d", name, pairs, got.Rows, want)
			}
			if got.Longest < 0.9*math.Pi || got.Longest > 1.3*math.Pi {
				t.Errorf("%s: the longest distance on a sphere is %g", name, got.Longest)
			}
			for i, v := range got.Values {
				if want := k.f(got.Longest * float64(i) / float64(len(got.Values)-1) / epsilon); math.Abs(v-want) > 1e-12 {
					t.Fatalf("%s: f is %g at step %d, want %g", name, v, i, want)
				}
			}
			if want := k.tenth * epsilon; want < got.Longest && math.Abs(got.Tenth-want) > 1e-9*want {
				t.Errorf("%s: a tenth at %g, want %g", name, got.Tenth, want)
			} else if want >= got.Longest && !math.IsNaN(got.Tenth) {
				t.Errorf("%s: a tenth at %g, which is beyond %g", name, got.Tenth, got.Longest)
			}
			if bin := 1.0 / float64(len(got.Pairs)); !math.IsNaN(got.Tenth) && !(got.Nearer >= nearer/float64(pairs) && got.Nearer <= nearer/float64(pairs)+3*bin) {
				t.Errorf("%s: %g are nearer, by the bins %g", name, got.Nearer, nearer/float64(pairs))
			}
		}
	}
}

// What a solve would refuse a profile refuses in the same words.
func TestProfileRefused(t *testing.T) {
	c := newClient(t, engine.Options{})
	ask[*job.Loaded](c, &job.Generate{Kind: "sphere", Params: []job.Param{{Name: "frequency", Value: 3}}})
	for _, bad := range []struct{ method, function, says string }{
		{job.Exact, "gauss:s=-1", "s is -1"},
		{job.Exact, "cauchy:c=", "c is"},
		{job.Exact, "rational:1,-1/1,1", "kernel"}, // it goes below zero
		{job.Tree, "squared", "the method tree has exp alone"},
	} {
		f := ask[*job.Failed](c, &job.Profile{KernelSpec: job.KernelSpec{Method: bad.method, Function: bad.function, Epsilon: job.Fraction(0.1)}})
		if f.Kind != "input" || !strings.Contains(f.Message, bad.says) {
			t.Errorf("%s of %s: %s: %q", bad.function, bad.method, f.Kind, f.Message)
		}
		t.Log(f.Message)
	}
}

// What a plan with a reach destroys and creates is what its marginals, which can be asked for, leave of the densities.
func TestMarginalsWithReach(t *testing.T) {
	c := newClient(t, engine.Options{})
	l := ask[*job.Loaded](c, &job.Generate{Kind: "sphere", Params: []job.Param{{Name: "frequency", Value: 4}}})
	n := l.Report.Vertices
	source, target, ones := make([]float64, n), make([]float64, n), make([]float64, n)
	for v := range ones {
		source[v], target[v], ones[v] = float64(v%3), 5*float64(v%7), 1
	}
	s := ask[*job.Solved](c, &job.Solve{KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1)}, Source: source, Target: target, Reach: job.Fraction(0.1)})
	total := 0.0
	for _, x := range source {
		total += x
	}
	rows := ask[*job.Pushed](c, &job.Push{Values: ones}).Values
	columns := ask[*job.Pushed](c, &job.Push{Values: ones, Transpose: true}).Values
	destroyed, created := 0.0, 0.0
	for v := range n {
		for _, gone := range []float64{source[v]/total - rows[v], columns[v] - target[v]/total} {
			destroyed, created = destroyed+max(0, gone), created+max(0, -gone)
		}
	}
	if !(s.Created > 1) || math.Abs(destroyed-s.Destroyed) > 1e-8 || math.Abs(created-s.Created) > 1e-8 {
		t.Errorf("destroys %g and creates %g, by the marginals %g and %g", s.Destroyed, s.Created, destroyed, created)
	}
}
