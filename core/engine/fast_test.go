package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/internal/race"
)

// torus is one of so many vertices, about.
func torus(vertices float64) *job.Generate {
	sides := math.Round(math.Sqrt(vertices / 2.4))
	return &job.Generate{Kind: "torus", Params: []job.Param{{Name: "segments", Value: math.Round(2.4 * sides)}, {Name: "sides", Value: sides}}}
}

// painted is a spot: what a brush of that radius, a fraction of the diagonal, leaves at a vertex.
func painted(c *client, l *job.Loaded, centre int32, radius float64) []float64 {
	b := ask[*job.Brushed](c, &job.Brush{Center: centre, Radius: radius * l.Report.Diagonal})
	x := make([]float64, l.Report.Vertices)
	for i, v := range b.Vertices {
		x[v] = 1 - b.Distances[i]/(radius*l.Report.Diagonal)
	}
	return x
}

// Between painted spots auto takes support, and costs what exact does. A repaint searches for new vertices alone, another epsilon for none.
func TestAutomaticOnSpots(t *testing.T) {
	c := newClient(t, engine.Options{})
	l, _ := c.open(torus(2500))
	a, b := painted(c, l, 0, 0.08), painted(c, l, 1250, 0.08)
	for _, epsilon := range []float64{0.2, 0.02} {
		fast := ask[*job.Solved](c, &job.Solve{Source: a, Target: b, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Method: job.Auto}})
		if fast.Method != job.Support || fast.Requested != job.Auto || fast.Note == "" || fast.Status != "converged" {
			t.Fatalf("auto took %q, asked for %q (%s): %s", fast.Method, fast.Requested, fast.Note, fast.Status)
		}
		exact := ask[*job.Solved](c, &job.Solve{Source: a, Target: b, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Method: job.Exact, Precision: job.Float64}})
		if relative(fast.Cost, exact.Cost) > 1e-9 || fast.Bound != 0 || math.Abs(fast.LowerBound-exact.LowerBound) > 1e-6*exact.Cost {
			t.Errorf("support costs %v with a bound of %v, at least %v; exact %v and %v", fast.Cost, fast.Bound, fast.LowerBound, exact.Cost, exact.LowerBound)
		}
		if p := ask[*job.Polished](c, &job.Polish{}); relative(p.Cost, exact.Cost) > 1e-6 {
			t.Errorf("polished %v, exact %v", p.Cost, exact.Cost)
		}
	}
	// In haste, too, its answer is the last one: it has a lower bound. Its words count vertices of both sides where these share all of them.
	other, count := make([]float64, len(a)), 0
	for v, x := range a {
		if x > 0 {
			other[v], count = 1.1-x, count+1
		}
	}
	hasty := ask[*job.Solved](c, &job.Solve{Source: a, Target: other, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Method: job.Auto}, Accuracy: math.Inf(1)})
	if words := fmt.Sprintf("%d and %d vertices have mass", count, count); hasty.Method != job.Support || !strings.HasPrefix(hasty.Note, words) || !(hasty.LowerBound > 0 && hasty.LowerBound <= hasty.Cost) {
		t.Errorf("in haste %s costs %v, at least %v: %q, want %q", hasty.Method, hasty.Cost, hasty.LowerBound, hasty.Note, words)
	}
	if refused := c.do(&job.Apply{Values: a, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Method: job.Support}}); !failed(refused, "two densities") {
		t.Errorf("a product with support: %#v", refused)
	}
}

func failed(b job.Body, words string) bool {
	f, ok := b.(*job.Failed)
	return ok && strings.Contains(f.Message, words)
}

// Whatever is quickest is answered with at once, with an estimate that holds the exact cost; another painting and another epsilon take
// the cells that are there. Paths are shortest ones.
func TestQuantizedAtOnce(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	c := newClient(t, engine.Options{})
	l, d := c.open(torus(3000))
	at := math.Inf(1)
	first := ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: job.Auto}, Accuracy: at})
	if first.Method != job.Quantized || first.Representatives != 500 || !slices.Contains(stages(first.Timings), "net") {
		t.Fatalf("auto took %q with %d cells: %v", first.Method, first.Representatives, stages(first.Timings))
	}
	if !math.IsNaN(first.LowerBound) || !math.IsNaN(first.DenseSetup) || !math.IsNaN(first.Bound) {
		t.Errorf("lower bound %v, dense %v, bound %v: nothing of that is known at once", first.LowerBound, first.DenseSetup, first.Bound)
	}
	for _, pair := range [][2][]float64{{d.Source, d.Target}, {d.Target, d.Source}, {painted(c, l, 0, 0.4), painted(c, l, 1500, 0.4)}} {
		for _, epsilon := range []float64{0.2, 0.05} {
			s := ask[*job.Solved](c, &job.Solve{Source: pair[0], Target: pair[1], KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Method: job.Quantized}, Accuracy: at})
			if slices.Contains(stages(s.Timings), "net") {
				t.Errorf("a repaint took %v", stages(s.Timings))
			}
			f := flowing(c, &job.Flow{Particles: 300, Seed: 1})
			for p := range 300 {
				path := f.Vertices[f.Offsets[p]:f.Offsets[p+1]]
				length := f.Along[f.Offsets[p+1]-1]
				if p%10 == 0 {
					if want := ask[*job.Path](c, &job.Distance{From: path[0], To: path[len(path)-1]}).Length; math.Abs(length-want) > 1e-6*want {
						t.Errorf("a path of length %v, the shortest is %v", length, want)
					}
				}
			}
			exact := ask[*job.Solved](c, &job.Solve{Source: pair[0], Target: pair[1], KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon)}})
			if e := s.Estimate; !(e.Low <= exact.Cost && exact.Cost <= e.High) || !(e.Low <= e.Cost && e.Cost <= e.High) {
				t.Errorf("epsilon %g: exact costs %v, the estimate is %v, between %v and %v", epsilon, exact.Cost, e.Cost, e.Low, e.High)
			}
			if !math.IsNaN(exact.Estimate.Cost) || exact.Representatives != 0 {
				t.Errorf("exact has an estimate: %v of %d cells", exact.Estimate, exact.Representatives)
			}
		}
	}
}

// Auto is as accurate as it is asked to be: where cells are not enough, as for white noise at a small epsilon, exact takes over and the result says why.
func TestAutomaticIsAccurate(t *testing.T) {
	if testing.Short() {
		t.Skip("exact is solved four times")
	}
	const vertices = 5000
	c := newClient(t, engine.Options{})
	l, d := c.open(torus(vertices))
	rng := rand.New(rand.NewPCG(1, 2))
	noise := [2][]float64{}
	for range l.Report.Vertices {
		noise[0], noise[1] = append(noise[0], rng.Float64()), append(noise[1], rng.Float64())
	}
	for _, epsilon := range []float64{0.2, 0.02} { // exact keeps its kernel
		for name, pair := range map[string][2][]float64{"paper": {d.Source, d.Target}, "noise": noise} {
			exact := ask[*job.Solved](c, &job.Solve{Source: pair[0], Target: pair[1], KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon)}})
			fresh := newClient(t, engine.Options{})
			ask[*job.Loaded](fresh, torus(vertices))
			s := ask[*job.Solved](fresh, &job.Solve{Source: pair[0], Target: pair[1], KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Method: job.Auto}})
			cost := s.Cost
			if s.Method == job.Quantized {
				cost = s.Estimate.Cost
				if s.Estimate.High-s.Estimate.Low > 2.0001e-3*cost {
					t.Errorf("%s, %g: accepted between %v and %v", name, epsilon, s.Estimate.Low, s.Estimate.High)
				}
			}
			if relative(cost, exact.Cost) > 2e-3 {
				t.Errorf("%s, %g: %s has %v, exact %v", name, epsilon, s.Method, cost, exact.Cost)
			}
			if name == "noise" && epsilon == 0.02 && (s.Method != job.Exact || s.Requested != job.Auto || !strings.Contains(s.Note, "%")) {
				t.Errorf("noise: %q, asked for %q: %s", s.Method, s.Requested, s.Note)
			}
			q := ask[*job.Solved](fresh, &job.Solve{Source: pair[0], Target: pair[1], KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Method: job.Quantized, Representatives: 200}})
			if q.Method != job.Quantized || q.Representatives != 200 {
				t.Errorf("200 representatives: %q with %d", q.Method, q.Representatives)
			}
		}
	}
}

// Auto is within 2e-3 of exact on the shared meshes, whatever the densities.
func TestAutomaticOnSharedMeshes(t *testing.T) {
	if testing.Short() {
		t.Skip("exact on large meshes takes a minute")
	}
	shared.OneProcessor(t)
	took := map[string]int{}
	for _, name := range []string{"libigl__fertility.off", "manifold__79741.stl"} {
		data, err := os.ReadFile(shared.Path(t, "meshes", name))
		if err != nil {
			t.Fatal(err)
		}
		automatic(t, name, data, took)
	}
	t.Logf("taken: %v", took)
	if took["support"] < 4 || took["quantized"] < 4 || took["exact"] < 4 {
		t.Errorf("taken: %v", took)
	}
}

// automatic holds auto to exact on a mesh and densities of all sorts, and counts the methods that it takes.
func automatic(t *testing.T, name string, data []byte, took map[string]int) {
	t.Helper()
	exact := newClient(t, engine.Options{})
	l, d := exact.open(&job.Load{Name: name, Data: data})
	rng := rand.New(rand.NewPCG(3, 4))
	var rough [2][]float64
	for range l.Report.Vertices {
		rough[0], rough[1] = append(rough[0], rng.Float64()), append(rough[1], rng.Float64())
	}
	far := ask[*job.Measured](exact, &job.Measure{Preset: "two-spots"})
	pairs := map[string][2][]float64{
		"paper": {d.Source, d.Target}, "rough": rough, "two-spots": {far.Source, far.Target},
		"painted":         {painted(exact, l, 0, 0.08), painted(exact, l, int32(l.Report.Vertices/2), 0.08)},
		"uniform to area": {ask[*job.Measured](exact, &job.Measure{Preset: "uniform"}).Source, ask[*job.Measured](exact, &job.Measure{Preset: "area"}).Source},
	}
	for _, epsilon := range []float64{0.2, 0.02} { // exact keeps its kernel
		for density, pair := range pairs {
			want := ask[*job.Solved](exact, &job.Solve{Source: pair[0], Target: pair[1], KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Precision: job.Float32}, Tolerance: 1e-6})
			c := newClient(t, engine.Options{})
			ask[*job.Loaded](c, &job.Load{Name: name, Data: data})
			s := ask[*job.Solved](c, &job.Solve{Source: pair[0], Target: pair[1], KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Method: job.Auto}})
			took[s.Method]++
			cost := s.Cost
			if s.Method == job.Quantized {
				cost = s.Estimate.Cost
			}
			if off := relative(cost, want.Cost); off > 2e-3 {
				t.Errorf("%s, %s, epsilon %g: %s has %v, exact %v, %.2e off", name, density, epsilon, s.Method, cost, want.Cost, off)
			}
		}
	}
}

// A product with quantized is near that of exact, and auto's is exact's.
func TestQuantizedProduct(t *testing.T) {
	c := newClient(t, engine.Options{})
	_, d := c.open(torus(1500))
	want := ask[*job.Applied](c, &job.Apply{Values: d.Source, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}})
	got := ask[*job.Applied](c, &job.Apply{Values: d.Source, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Method: job.Quantized}})
	for i, y := range got.Values {
		if relative(y, want.Values[i]) > 0.15 {
			t.Fatalf("value %d is %v, exact %v", i, y, want.Values[i])
		}
	}
	if a := ask[*job.Applied](c, &job.Apply{Values: d.Source, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Method: job.Auto}}); a.Method != job.Exact || a.Requested != job.Auto {
		t.Errorf("auto took %q, asked for %q", a.Method, a.Requested)
	}
}

// A mesh of more components than representatives is refused in words.
func TestQuantizedNeedsRepresentatives(t *testing.T) {
	c := newClient(t, engine.Options{})
	var text strings.Builder
	for i := range 5 {
		for j := range 3 {
			text.WriteString("v " + strings.Repeat("1", i+1) + " " + []string{"0 0", "1 0", "0 1"}[j] + "\n")
		}
	}
	for i := range 5 {
		text.WriteString("f " + []string{"1 2 3", "4 5 6", "7 8 9", "10 11 12", "13 14 15"}[i] + "\n")
	}
	_, d := c.open(&job.Load{Name: "five.obj", Data: []byte(text.String())})
	if r := c.do(&job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Method: job.Quantized, Representatives: 3}}); !failed(r, "5 components") {
		t.Errorf("three representatives: %#v", r)
	}
	if s := ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Method: job.Quantized}}); s.Status != "converged" || s.Representatives != 15 {
		t.Errorf("as many as there are vertices: %s with %d", s.Status, s.Representatives)
	}
}
