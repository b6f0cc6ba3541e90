package engine_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/core/measure/preset"
	"genussink/core/mesh/generate"
	"genussink/internal/race"
)

// Every result scales with the mesh: all methods, on meshes that are larger and smaller by powers of two, in both
// precisions, give the same numbers, and the same lengths times the power, bit for bit.
func TestResultsScaleWithTheMesh(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	m, err := generate.Make("sphere", map[string]float64{"frequency": 5}) // wider than what goes along a tree decomposition
	if err != nil {
		t.Fatal(err)
	}
	exponents := []int{-996, -333, -133, -100, 130, 1020}
	if testing.Short() {
		exponents = []int{-133, 1020}
	}
	opened := func(exponent int) *job.Opened {
		scaled := m.Scaled(exponent)
		o := &job.Opened{Name: "sphere"}
		for _, p := range scaled.Positions {
			o.Positions = append(o.Positions, p[:]...)
		}
		for _, f := range m.Faces {
			o.Faces = append(o.Faces, f[:]...)
		}
		return o
	}
	n := len(m.Positions)
	source, target := make([]float64, n), make([]float64, n)
	for i := range n {
		source[i], target[i] = 1+math.Sin(float64(i)), 1+math.Cos(float64(3*i))
	}
	type kind struct{ method, host, precision string }
	kinds := []kind{
		{"exact", "", "float32"}, {"exact", "", "float64"}, {"certified", "", "float32"}, {"certified", "", "float64"},
		{"embedded", "nested", ""}, {"embedded", "emulated", ""}, {"sampled", "", ""}, {"tree", "", ""}, {"dense", "", ""},
		{"quantized", "", ""}, {"support", "", ""},
	}
	// answers are what a client is told of one kind: numbers as they are, and lengths.
	answers := func(c *client, k kind, o *job.Opened, exponent int) (numbers, lengths []float64) {
		in := func(x float64) float64 { return math.Ldexp(x, exponent) }
		loaded := ask[*job.Loaded](c, o)
		s := &job.Solve{Source: source, Target: target, KernelSpec: job.KernelSpec{Method: k.method, Host: k.host, Precision: k.precision, Epsilon: job.Fraction(0.1), Delta: deltaOf(k.method, job.Units(in(0.25)))}}
		if k.method == job.Dense {
			s.Epsilon = job.Units(in(0.3))
		}
		got := ask[*job.Solved](c, s)
		if got.Method != k.method || got.Status != "converged" || got.Accuracy.Rows > 0 && k.method != job.Sampled && !got.Accuracy.Holds {
			c.t.Fatalf("%+v at 2^%d: %s, %s, %+v", k, exponent, got.Method, got.Status, got.Accuracy)
		}
		numbers = slices.Concat([]float64{float64(got.Iterations), got.MarginalError, got.Accuracy.MostRelative, got.Accuracy.MeanRelative}, got.Trace, got.LogU, got.LogV)
		a := got.Accuracy
		x := got.Estimate
		lengths = []float64{x.Cost, x.Low, x.High, loaded.Report.Diagonal, got.Epsilon, got.Delta, got.Bound, got.Cost, got.Primal, got.Dual, got.Gap, got.LowerBound, a.Least, a.Most, a.Mean}
		if k.method != job.Support { // which multiplies nothing without two densities
			apply := ask[*job.Applied](c, &job.Apply{Values: source, KernelSpec: job.KernelSpec{Method: k.method, Host: k.host, Precision: k.precision, Epsilon: s.Epsilon, Delta: s.Delta}})
			numbers, lengths = append(numbers, apply.Values...), append(lengths, apply.Epsilon, apply.Delta, apply.Bound)
		}
		p := ask[*job.Partnered](c, &job.Partners{Vertex: 7, Top: 5, Distances: true})
		numbers, lengths = append(numbers, p.Mass...), slices.Concat(lengths, p.Distances, p.True)
		lengths = append(lengths, ask[*job.Centred](c, &job.Centres{}).Positions...)
		flowing := c.start(t.Context(), &job.Flow{Particles: 20, Seed: 1})
		<-flowing.final
		for _, f := range flowing.told {
			lengths = append(lengths, f.(*job.Flowing).Along...)
		}
		polished := ask[*job.Polished](c, &job.Polish{Seconds: math.Inf(1)})
		if lengths = append(lengths, polished.Low, polished.High); !(polished.Low > 0 && polished.Low <= polished.High) {
			c.t.Fatalf("%+v at 2^%d: polished to %+v", k, exponent, polished)
		}
		lengths = append(lengths, ask[*job.Path](c, &job.Distance{From: 0, To: 99}).Length)
		if job.Whole(k.method) {
			s.Debias = true
			debiased := ask[*job.Solved](c, s)
			lengths = append(lengths, debiased.Divergence, debiased.DivergenceWithin)
			s.Debias, s.Reach = false, job.Units(in(0.5))
			between := ask[*job.Barycentred](c, &job.Barycentre{KernelSpec: s.KernelSpec, Densities: slices.Concat(source, target), Weights: []float64{1, 2}})
			numbers = append(append(numbers, float64(between.Iterations)), between.Density...)
			lengths = append(append(lengths, between.Epsilon), between.Costs...)
			relaxed := ask[*job.Solved](c, s)
			numbers = slices.Concat(numbers, []float64{float64(relaxed.Iterations), relaxed.Destroyed, relaxed.Created}, relaxed.LogU)
			lengths = append(lengths, relaxed.Reach, relaxed.Cost, relaxed.Primal, relaxed.Dual)
			if why := ask[*job.Polished](c, &job.Polish{}).Why; relaxed.Status != job.Converged || !math.IsNaN(relaxed.LowerBound) || why == "" {
				c.t.Fatalf("%+v at 2^%d: unbalanced %s, lower bound %g, polish %q", k, exponent, relaxed.Status, relaxed.LowerBound, why)
			}
		}
		least := ask[*job.Minimised](c, &job.Minimum{Source: source, Target: target})
		if numbers, lengths = append(numbers, least.Mass...), append(append(lengths, least.Cost, least.Dual), least.Potential...); !(least.Cost > 0 && least.Cost <= got.Primal*(1+1e-9)) && k.method != job.Sampled {
			c.t.Fatalf("%+v at 2^%d: a minimum of %g, an entropic cost of %g", k, exponent, least.Cost, got.Primal)
		}
		brush := ask[*job.Brushed](c, &job.Brush{Center: 5, Radius: in(0.4)})
		if lengths = append(lengths, brush.Distances...); len(brush.Vertices) < 5 || len(brush.Vertices) > n/2 {
			c.t.Fatalf("a brush over %d vertices", len(brush.Vertices))
		}
		painted := ask[*job.Painted](c, &job.Paint{Steps: []job.Step{{Kind: job.StrokeSource, Radius: in(0.4), Strength: 0.5, Centres: []int32{5, 9}}}})
		return append(numbers, painted.States[1].Source...), lengths
	}
	for _, k := range kinds {
		numbers, lengths := answers(newClient(t, engine.Options{}), k, opened(0), 0)
		for _, e := range exponents {
			gotNumbers, gotLengths := answers(newClient(t, engine.Options{}), k, opened(e), e)
			if i := differ(numbers, gotNumbers, 0); i >= 0 {
				t.Errorf("%+v at 2^%d: number %d is %g, not %g", k, e, i, gotNumbers[i], numbers[i])
			}
			if i := differ(lengths, gotLengths, e); i >= 0 {
				t.Errorf("%+v at 2^%d: length %d is %g, not 2^%d of %g", k, e, i, gotLengths[i], e, lengths[i])
			}
		}
	}
}

// differ is the first place where b is not a times 2^exponent, but for the digits that a float64 loses below 2^-1022; -1: there is none.
func differ(a, b []float64, exponent int) int {
	if len(a) != len(b) {
		return min(len(a), len(b)) - 1
	}
	for i, x := range a {
		if y := math.Ldexp(x, exponent); y != b[i] && !(math.IsNaN(y) && math.IsNaN(b[i])) {
			return i
		}
	}
	return -1
}

// A mesh from a file, with decimals, scales too, and what float64 cannot hold is refused in words.
func TestScaledFiles(t *testing.T) {
	m, err := generate.Make("sphere", map[string]float64{"frequency": 3})
	if err != nil {
		t.Fatal(err)
	}
	load := func(unit string) *job.Load {
		var file bytes.Buffer
		for _, p := range m.Positions {
			fmt.Fprintf(&file, "v %.15f%s %.15f%s %.15f%s\n", p[0], unit, p[1], unit, p[2], unit)
		}
		for _, f := range m.Faces {
			fmt.Fprintf(&file, "f %d %d %d\n", f[0]+1, f[1]+1, f[2]+1)
		}
		return &job.Load{Name: "sphere.obj", Data: file.Bytes()}
	}
	n := len(m.Positions)
	solve := &job.Solve{Source: make([]float64, n), Target: make([]float64, n), KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}}
	solve.Source[0], solve.Target[n-1], solve.Target[n/2] = 1, 1, 1
	c := newClient(t, engine.Options{})
	whole := ask[*job.Loaded](c, load("")).Report
	want := ask[*job.Solved](c, solve)
	for _, power := range []int{-300, -160, -100, -40, 40, 100, 160, 300} {
		scale := math.Pow10(power)
		loaded := ask[*job.Loaded](c, load(fmt.Sprintf("e%d", power))).Report
		if loaded.DegenerateFaces != whole.DegenerateFaces || relative(loaded.EdgeMean, whole.EdgeMean*scale) > 1e-12 || relative(loaded.Diagonal, whole.Diagonal*scale) > 1e-12 {
			t.Errorf("at 1e%d the report is %+v", power, loaded)
		}
		for _, s := range []*job.Solve{solve, {Source: solve.Source, Target: solve.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Method: job.Dense}}} {
			if got := ask[*job.Solved](c, s); relative(got.Cost, want.Cost*scale) > 1e-7 {
				t.Errorf("at 1e%d %s costs %g, at 1 it is %g", power, got.Method, got.Cost, want.Cost)
			}
		}
		// The paper's least sigma is in mesh units, and is said where it binds.
		d := ask[*job.Measured](c, &job.Measure{Preset: "paper"})
		if said := strings.Contains(d.Note, "1e-08 mesh units"); said != (power < 0) {
			t.Errorf("at 1e%d the preset says %q", power, d.Note)
		}
		if level := slices.Max(d.Source) < 1.001*slices.Min(d.Source); level != (power < 0) {
			t.Errorf("at 1e%d the preset's source is from %g to %g", power, slices.Min(d.Source), slices.Max(d.Source))
		}
	}
	ask[*job.Loaded](c, load("e-312"))
	refuse(c, solve, "input", "scale the mesh up")
	refuse(c, load("e308"), "input", "too long for a float64")
	ask[*job.Loaded](c, load("e307"))
	if preset.Floor != 1e-8 {
		t.Errorf("the paper's floor is 1e-8, not %g", preset.Floor)
	}
}

// An epsilon below what any form can solve is refused with the smallest that can, and that one can.
func TestLeastEpsilon(t *testing.T) {
	for _, o := range []struct {
		body      job.Body
		tolerance float64
	}{
		{&job.Load{Name: "tetrahedron.obj", Data: []byte("v 1e-20 1e-20 1e-20\nv 1e-20 -1e-20 -1e-20\nv -1e-20 1e-20 -1e-20\nv -1e-20 -1e-20 1e-20\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n")}, 0},
		{&job.Load{Name: "path.gr", Data: []byte("p tw 7 6\n1 2\n2 3\n3 4\n4 5\n5 6\n6 7\n")}, 1e-6},
	} {
		c := newClient(t, engine.Options{})
		loaded := ask[*job.Loaded](c, o.body)
		n := loaded.Report.Vertices
		solve := &job.Solve{Source: make([]float64, n), Target: make([]float64, n), KernelSpec: job.KernelSpec{Epsilon: job.Units(1e-30 * loaded.Report.Diagonal)}, Tolerance: o.tolerance}
		for i := range n {
			solve.Source[i], solve.Target[i] = float64(1+i), float64(n-i)
		}
		failed, ok := c.do(solve).(*job.Failed)
		if !ok || failed.Kind != "input" {
			t.Fatalf("%+v", failed)
		}
		_, words, _ := strings.Cut(failed.Message, "to that tolerance is ")
		if _, err := fmt.Sscanf(words, "%g", &solve.Epsilon.Value); err != nil {
			t.Fatal(failed.Message, err)
		}
		if s := ask[*job.Solved](c, solve); s.Status != "converged" {
			t.Errorf("at %v, the smallest: %s with an error of %g", solve.Epsilon, s.Status, s.MarginalError)
		}
		solve.Epsilon = job.Fraction(1e-300)
		refuse(c, solve, "input", "the smallest that can be solved")
		solve.Epsilon = job.Units(1e-320)
		refuse(c, solve, "input", "epsilon is 1e-320")
	}
}
