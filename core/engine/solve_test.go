package engine_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"genussink/core/baseline"
	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/internal/race"
)

func relative(a, b float64) float64 { return math.Abs(a-b) / max(math.Abs(a), math.Abs(b), 1e-300) }

// meshes are the classified meshes that both methods must agree on.
func meshes() map[string]*job.Generate {
	return map[string]*job.Generate{
		"sphere, with ties": sphere(5),
		"torus":             {Kind: "torus", Params: []job.Param{{Name: "segments", Value: 20}, {Name: "sides", Value: 8}}},
		"genus 2":           {Kind: "multi-torus", Params: []job.Param{{Name: "genus", Value: 2}, {Name: "edge", Value: 0.2}}},
		"with boundary":     {Kind: "dumbbell", Params: []job.Param{{Name: "radius", Value: 6}}},
		"necks":             {Kind: "pseudo-genus", Params: []job.Param{{Name: "order", Value: 2}, {Name: "vertices", Value: 300}}},
	}
}

func TestExactEqualsDense(t *testing.T) {
	shared.Long(t)
	shared.OneProcessor(t)
	for name, body := range meshes() {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, engine.Options{})
			l, d := c.open(body)
			for _, epsilon := range []float64{0.2, 0.05, 0.005} {
				s := &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon)}, MaxIterations: 300, Tolerance: 1e-12}
				short := ask[*job.Solved](c, s)
				s.Precision = job.Float64
				exact := ask[*job.Solved](c, s)
				s.Method, s.Precision = job.Dense, ""
				dense := ask[*job.Solved](c, s)
				if r := relative(exact.Cost, dense.Cost); r > 1e-10 {
					t.Errorf("epsilon %g: cost %.15g, dense %.15g: %g apart", epsilon, exact.Cost, dense.Cost, r)
				}
				if r := relative(short.Cost, dense.Cost); r > 1e-6 || short.Dual < dense.Dual-1e-9*l.Report.Diagonal || short.Dual > dense.Dual+short.Bound+1e-9*l.Report.Diagonal {
					t.Errorf("epsilon %g: of %s cost %.15g, dense %.15g: %g apart; dual %g, dense %g, bound %g",
						epsilon, short.Precision, short.Cost, dense.Cost, r, short.Dual, dense.Dual, short.Bound)
				}
				if a := short.Accuracy; short.Bound > 0 != (a.Rows > 0) || a.Rows > 0 && !(a.Holds && a.Most <= short.Bound) || exact.Bound != 0 || exact.Accuracy.Rows != 0 {
					t.Errorf("epsilon %g: bound %g, measured %+v; with float64 %g, %+v", epsilon, short.Bound, a, exact.Bound, exact.Accuracy)
				}
				if exact.Method != job.Exact || dense.Method != job.Dense || exact.Vertices != l.Report.Vertices || exact.Edges != l.Report.Edges ||
					relative(exact.Epsilon, epsilon*l.Report.Diagonal) > 1e-15 || len(exact.Trace) != exact.Iterations {
					t.Errorf("evidence %+v", exact)
				}
				if epsilon == 0.2 && (exact.Status != "converged" || exact.MarginalError > 1e-9) {
					t.Errorf("epsilon 0.2: %s, marginal error %g after %d iterations", exact.Status, exact.MarginalError, exact.Iterations)
				}
				a := &job.Apply{Values: d.Source, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Precision: job.Float64}}
				y := ask[*job.Applied](c, a)
				a.Method, a.Precision = job.Dense, ""
				for i, want := range ask[*job.Applied](c, a).Values {
					if relative(y.Values[i], want) > 1e-12 {
						t.Fatalf("epsilon %g: product %d is %.15g, dense %.15g", epsilon, i, y.Values[i], want)
					}
				}
			}
		})
	}
}

// A product does not mind components, a transport between them is refused
// with both masses.
func TestComponents(t *testing.T) {
	c := newClient(t, engine.Options{})
	ask[*job.Loaded](c, &job.Load{Name: "two.obj", Data: []byte(twoTriangles)})
	y := ask[*job.Applied](c, &job.Apply{Values: []float64{1, 0, 0, 1, 0, 0, 1}, KernelSpec: job.KernelSpec{Epsilon: job.Units(1)}})
	want := []float64{1, math.Exp(-3), math.Exp(-4), 1, math.Exp(-1), math.Exp(-1), 1}
	for i := range want {
		if relative(y.Values[i], want[i]) > 1e-12 {
			t.Errorf("product %d is %g, want %g", i, y.Values[i], want[i])
		}
	}
	refuse(c, &job.Solve{Source: []float64{1, 0, 0, 3, 0, 0, 0}, Target: []float64{0, 1, 0, 0, 1, 0, 0}, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}}, "unequal", "source mass 0.25 and target mass 0.5")
	s := ask[*job.Solved](c, &job.Solve{Source: []float64{1, 0, 0, 3, 0, 0, 0}, Target: []float64{0, 1, 0, 0, 3, 0, 0}, KernelSpec: job.KernelSpec{Epsilon: job.Units(1)}})
	if relative(s.Cost, 0.25*3+0.75*1) > 1e-10 {
		t.Errorf("cost %g, want 1.5", s.Cost)
	}
	if !math.IsInf(s.LogU[1], -1) || !math.IsInf(s.LogV[6], -1) {
		t.Errorf("potentials without mass: %v %v", s.LogU, s.LogV)
	}
}

func TestRefusedSolves(t *testing.T) {
	c := newClient(t, engine.Options{})
	_, d := c.open(sphere(2))
	n := len(d.Source)
	bad := func(change func(s *job.Solve)) *job.Solve {
		s := &job.Solve{Source: slices.Clone(d.Source), Target: slices.Clone(d.Target), KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}}
		change(s)
		return s
	}
	for words, body := range map[string]job.Body{
		"source: measure: 41":  bad(func(s *job.Solve) { s.Source = s.Source[:41] }),
		"value 3 is NaN":       bad(func(s *job.Solve) { s.Source[3] = math.NaN() }),
		"value 4 is -1":        bad(func(s *job.Solve) { s.Target[4] = -1 }),
		"value 5 is +Inf":      bad(func(s *job.Solve) { s.Target[5] = math.Inf(1) }),
		"no mass":              bad(func(s *job.Solve) { clear(s.Target) }),
		"epsilon 0: must be":   bad(func(s *job.Solve) { s.Epsilon = job.Fraction(0) }),
		"epsilon -1u: must be": bad(func(s *job.Solve) { s.Epsilon = job.Units(-1) }),
		"epsilon NaN: must be": bad(func(s *job.Solve) { s.Epsilon = job.Fraction(math.NaN()) }),
		"method fast: there":   bad(func(s *job.Solve) { s.Method = "fast" }),
		`kernel cosine: kernel "cosine" is not one of exp, inverse, poly, rational, cauchy, squared, gauss, features`: bad(func(s *job.Solve) { s.Function = "cosine" }),
		"tolerance is -1":       bad(func(s *job.Solve) { s.Tolerance = -1 }),
		"-5 iterations":         bad(func(s *job.Solve) { s.MaxIterations = -5 }),
		"vector of 3 values":    &job.Apply{Values: make([]float64, 3), KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}},
		"value 0 of the":        &job.Apply{Values: append([]float64{math.Inf(1)}, make([]float64, n-1)...), KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}},
		"of the product is":     &job.Apply{Values: slices.Repeat([]float64{math.MaxFloat64}, n), KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}},
		"can be solved to that": bad(func(s *job.Solve) { s.Epsilon = job.Units(1e-310) }),
		"of the bounding box's": bad(func(s *job.Solve) { s.Epsilon = job.Fraction(math.MaxFloat64) }),
	} {
		refuse(c, body, "input", words)
	}
}

// What a session has it does not compute again.
func TestRepaintPaysForIterationsOnly(t *testing.T) {
	c := newClient(t, engine.Options{})
	_, d := c.open(sphere(9))
	s := &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1)}}
	first := ask[*job.Solved](c, s)
	if got := stages(first.Timings); !slices.Equal(got, []string{"tree", "labels", "tiles", "kernel", "coarse", "solve", "examine"}) {
		t.Errorf("the first solve: %v", got)
	}
	again := ask[*job.Solved](c, s)
	if got := stages(again.Timings); !slices.Equal(got, []string{"solve"}) || again.Cost != first.Cost || again.Iterations != first.Iterations {
		t.Errorf("the same again: %v, cost %g after %g", got, again.Cost, first.Cost)
	}

	// Some mass is painted, also where there was none.
	source, target := slices.Clone(d.Source), slices.Clone(d.Target)
	for i := range 40 {
		source[i] += 0.05 / 40
		target[i*7] *= 1.5
	}
	cold := ask[*job.Solved](c, &job.Solve{Source: source, Target: target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1)}})
	ask[*job.Solved](c, s)
	warm := ask[*job.Solved](c, &job.Solve{Source: source, Target: target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1)}, Warm: true})
	if warm.Iterations >= cold.Iterations || relative(warm.Cost, cold.Cost) > 1e-7 {
		t.Errorf("warm: %d iterations to cost %.12g, cold: %d to %.12g", warm.Iterations, warm.Cost, cold.Iterations, cold.Cost)
	}

	finer := *s
	finer.Epsilon = job.Fraction(0.11)
	if got := stages(ask[*job.Solved](c, &finer).Timings); !slices.Equal(got, []string{"kernel", "solve", "examine"}) {
		t.Errorf("another epsilon: %v", got)
	}
	ask[*job.Separated](c, &job.Separate{Balance: 0.1})
	rebuilt := ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.12)}})
	if got := stages(rebuilt.Timings); !slices.Equal(got, []string{"labels", "tiles", "kernel", "coarse", "solve", "examine"}) {
		t.Errorf("after Separate: %v", got)
	}
}

// New mass where the target had none must not spoil a warm start.
func TestWarmStartWithNewSupport(t *testing.T) {
	c := newClient(t, engine.Options{})
	l := ask[*job.Loaded](c, sphere(8))
	n := l.Report.Vertices
	spot := func(center int32, radius float64) []float64 {
		a := make([]float64, n)
		b := ask[*job.Brushed](c, &job.Brush{Center: center, Radius: radius})
		for _, v := range b.Vertices {
			a[v] = 1
		}
		return a
	}
	s := &job.Solve{Source: spot(0, 0.6), Target: spot(300, 0.6), KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.03)}}
	ask[*job.Solved](c, s)
	wider := &job.Solve{Source: s.Source, Target: spot(300, 0.7), KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.03)}}
	cold := ask[*job.Solved](c, wider)
	ask[*job.Solved](c, s)
	wider.Warm = true
	warm := ask[*job.Solved](c, wider)
	if warm.Iterations > cold.Iterations || relative(warm.Cost, cold.Cost) > 1e-6 || warm.Status != "converged" {
		t.Errorf("warm: %d iterations to %.10g, cold: %d to %.10g", warm.Iterations, warm.Cost, cold.Iterations, cold.Cost)
	}
}

func TestPlanQuestions(t *testing.T) {
	c := newClient(t, engine.Options{})
	l, d := c.open(sphere(8))
	n := l.Report.Vertices
	s := ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Precision: job.Float64}})
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	for transpose, want := range map[bool][]float64{false: d.Source, true: d.Target} {
		for i, x := range ask[*job.Pushed](c, &job.Push{Values: ones, Transpose: transpose}).Values {
			if math.Abs(x-want[i]) > 1e-9 {
				t.Fatalf("marginal %d (transposed %t) is %g, want %g", i, transpose, x, want[i])
			}
		}
	}
	heaviest := int32(0)
	for i, x := range d.Source {
		if x > d.Source[heaviest] {
			heaviest = int32(i)
		}
	}
	all := ask[*job.Partnered](c, &job.Partners{Vertex: heaviest})
	if math.Abs(all.Total-d.Source[heaviest]) > 1e-9 || len(all.Vertices) != n {
		t.Errorf("vertex %d sends %g to %d vertices, has %g", heaviest, all.Total, len(all.Vertices), d.Source[heaviest])
	}
	for i, v := range all.Vertices {
		path := ask[*job.Path](c, &job.Distance{From: heaviest, To: v})
		want := math.Exp(s.LogU[heaviest] - path.Length/s.Epsilon + s.LogV[v])
		if relative(all.Mass[i], want) > 1e-10 || i > 0 && all.Mass[i] > all.Mass[i-1] {
			t.Fatalf("partner %d is vertex %d with %g, want %g", i, v, all.Mass[i], want)
		}
	}
	top := ask[*job.Partnered](c, &job.Partners{Vertex: heaviest, Top: 5})
	if !slices.Equal(top.Vertices, all.Vertices[:5]) || top.Total != all.Total {
		t.Errorf("the first five are %v of %v", top.Vertices, all.Vertices[:8])
	}
	from := ask[*job.Partnered](c, &job.Partners{Vertex: all.Vertices[0], Target: true})
	at := slices.Index(from.Vertices, heaviest)
	if at < 0 || relative(from.Mass[at], all.Mass[0]) > 1e-10 {
		t.Errorf("vertex %d receives %v from %v, and %g was sent by %d", all.Vertices[0], from.Mass, from.Vertices, all.Mass[0], heaviest)
	}
	refuse(c, &job.Partners{Vertex: int32(n)}, "input", "does not exist")
	refuse(c, &job.Push{Values: ones[1:]}, "input", "vector")

	f := flowing(c, &job.Flow{Particles: 200, Seed: 7})
	if len(f.Offsets) != 201 || len(f.Along) != len(f.Vertices) {
		t.Fatalf("%d offsets, %d vertices, %d distances", len(f.Offsets), len(f.Vertices), len(f.Along))
	}
	for p := range 200 {
		lo, hi := f.Offsets[p], f.Offsets[p+1]
		path := ask[*job.Path](c, &job.Distance{From: f.Vertices[lo], To: f.Vertices[hi-1]})
		if f.Along[lo] != 0 || relative(f.Along[hi-1], path.Length) > 1e-12 && path.Length > 0 {
			t.Fatalf("particle %d runs %v along %v, the distance is %g", p, f.Vertices[lo:hi], f.Along[lo:hi], path.Length)
		}
	}
	if again := flowing(c, &job.Flow{Particles: 200, Seed: 7}); !slices.Equal(again.Vertices, f.Vertices) {
		t.Error("the same seed gives another flow")
	}
	if none := flowing(c, &job.Flow{}); len(none.Vertices) != 0 {
		t.Errorf("no particles visit %v", none.Vertices)
	}
	refuse(c, &job.Flow{Particles: -1}, "input", "-1 particles")
	refuse(c, &job.Flow{Particles: math.MaxInt}, "input", "particles")
}

func TestMemoryIsRefused(t *testing.T) {
	race.Alone(t)
	roomy := newClient(t, engine.Options{})
	_, d := roomy.open(sphere(9))
	s := &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}}
	need := ask[*job.Solved](roomy, s)
	if need.DenseBytes != baseline.DenseBytes(need.Vertices) || need.MemoryBytes <= 0 || !(need.DenseSetup > 0 && need.DenseSolve > 0) {
		t.Fatalf("%+v", need)
	}
	if need.PeakBytes < need.MemoryBytes {
		t.Errorf("a peak of %d bytes with %d held", need.PeakBytes, need.MemoryBytes)
	}
	if need.MemoryBytes >= need.DenseBytes {
		t.Fatalf("exact holds %d bytes, dense %d", need.MemoryBytes, need.DenseBytes)
	}
	c := newClient(t, engine.Options{MemoryLimit: (need.MemoryBytes + 3*need.DenseBytes) / 4})
	c.open(sphere(9))
	s.Method = job.Dense
	refuse(c, s, "memory", fmt.Sprint(need.DenseBytes))
	refuse(c, s, "memory", "exact gives the same answer to 7 digits in")
	s.Method = job.Exact
	ask[*job.Solved](c, s)
	s.Epsilon = job.Fraction(0.1) // both kernels do not fit: the old plan goes
	ask[*job.Solved](c, s)

	// With less and less memory the labels fit for longer than all tiles.
	for limit := need.MemoryBytes; ; limit -= need.MemoryBytes / 20 {
		tight := newClient(t, engine.Options{MemoryLimit: limit})
		tight.open(sphere(9))
		if failed, ok := tight.do(s).(*job.Failed); ok {
			if failed.Kind != "memory" || !strings.Contains(failed.Message, "certified needs less") {
				t.Fatalf("%d bytes: %+v", limit, failed)
			}
			roomier := *s
			roomier.Method, roomier.Delta = "certified", job.Fraction(0.5)
			ask[*job.Solved](tight, &roomier)
			break
		}
	}
	hopeless := newClient(t, engine.Options{MemoryLimit: 1e5})
	hopeless.open(sphere(9))
	refuse(hopeless, s, "memory", "no other method fits")
	s.Method = job.Dense
	refuse(hopeless, s, "memory", "no other method fits")
	s.Method = job.Tree
	refuse(hopeless, s, "memory", "no other method fits")
	s.Method = job.Sampled
	refuse(hopeless, s, "memory", "no other method fits")
}

func TestSharedMeshes(t *testing.T) {
	race.Alone(t)
	for _, name := range []string{"cgal__eight.off", "openscad__far-out-ring.obj"} {
		data, err := os.ReadFile(shared.Path(t, "meshes", name))
		if err != nil {
			t.Fatal(err)
		}
		c := newClient(t, engine.Options{})
		_, d := c.open(&job.Load{Name: name, Data: data})
		s := &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Precision: job.Float64}}
		exact := ask[*job.Solved](c, s)
		s.Method, s.Precision = job.Dense, ""
		dense := ask[*job.Solved](c, s)
		if r := relative(exact.Cost, dense.Cost); r > 1e-10 || exact.Status != "converged" {
			t.Errorf("%s: cost %.15g, dense %.15g: %g apart; %s", name, exact.Cost, dense.Cost, r, exact.Status)
		}
		var line strings.Builder
		for _, timing := range exact.Timings {
			fmt.Fprintf(&line, " %s %.3f", timing.Stage, timing.Seconds)
		}
		t.Logf("%s: %d vertices,%s; dense predicted %.3f + %.3f s, measured%v", name, exact.Vertices, &line, exact.DenseSetup, exact.DenseSolve, dense.Timings)
	}
}

// A solve whose accelerated iteration would go round in a circle converges.
func TestCircle(t *testing.T) {
	data, err := os.ReadFile(shared.Path(t, "meshes", "cgal__3torus.off"))
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, engine.Options{})
	ask[*job.Loaded](c, &job.Load{Name: "cgal__3torus.off", Data: data})
	s := ask[*job.Solved](c, &job.Solve{
		KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.05), Function: "squared"},
		Source: []float64{0.00468416, 0.00793827, 0.439521, 7.13778e-05, 0.129687, 0.281749, 0.00124657, 9.2486e-06, 0.00571659, 0,
			0, 0, 0.0350324, 0.200667, 0.0319504, 0.160739, 0.875969, 0.217695, 0.0235224},
		Target: []float64{0.00122945, 0.0143254, 0, 0, 0, 0.0102449, 0, 0, 0.231651, 0,
			0.000119451, 0.00166192, 0.611917, 0.213577, 0.520133, 0.172473, 0.0273164, 0.0712105, 0.124027},
	})
	if s.Status != job.Converged || relative(s.Primal, 6.928978) > 1e-6 { // by plain iterations, in numpy
		t.Errorf("%s after %d iterations, primal %g", s.Status, s.Iterations, s.Primal)
	}
}

// Where all distances are 0 float32 does too, and a product with a function is with the function itself, whatever f(0) is.
func TestSmallestProblems(t *testing.T) {
	c := newClient(t, engine.Options{})
	ask[*job.Loaded](c, &job.Load{Name: "one.gr", Data: []byte("p tw 1 0\n")})
	one := []float64{1}
	s := ask[*job.Solved](c, &job.Solve{Source: one, Target: one, KernelSpec: job.KernelSpec{Epsilon: job.Units(1), Precision: job.Float32}})
	if s.Status != job.Converged || s.Cost != 0 {
		t.Errorf("one vertex: %s, cost %g", s.Status, s.Cost)
	}
	for function, want := range map[string]float64{"cauchy:c=4": 0.25, "rational:3/1,1": 3, "inverse": 1, "squared": 1} {
		y := ask[*job.Applied](c, &job.Apply{Values: one, KernelSpec: job.KernelSpec{Epsilon: job.Units(1), Function: function}}).Values
		if relative(y[0], want) > 1e-9 {
			t.Errorf("%s: f(0) is %g, not %g", function, y[0], want)
		}
	}
}

// What is proved of the divergence counts the error of the distances.
func TestDivergenceOfLooseDistances(t *testing.T) {
	c := newClient(t, engine.Options{})
	_, d := c.open(sphere(8))
	found := func(spec job.KernelSpec) *job.Solved {
		spec.Epsilon = job.Fraction(0.2)
		return ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, Debias: true, KernelSpec: spec})
	}
	exact := found(job.KernelSpec{Precision: job.Float64})
	for _, spec := range []job.KernelSpec{{Precision: job.Float32}, {Method: job.Certified, Delta: job.Fraction(0.1)}, {Method: job.Embedded, Delta: job.Fraction(0.1)}} {
		s := found(spec)
		if off := math.Abs(s.Divergence - exact.Divergence); !(off <= s.DivergenceWithin) || !(s.DivergenceWithin >= 2*s.Bound) {
			t.Errorf("%s: off by %g, within %g, distances within %g", s.Method, off, s.DivergenceWithin, s.Bound)
		}
	}
	if s := found(job.KernelSpec{Method: job.Certified, Delta: job.Fraction(0.1), Function: "squared"}); s.Bound > 0 && !math.IsNaN(s.DivergenceWithin) {
		t.Errorf("squared: within %g", s.DivergenceWithin)
	}
}
