package method_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/job"
	"genussink/core/mesh"
	"genussink/core/mesh/generate"
	"genussink/core/method"
	"genussink/core/transport"
)

// request is one that nobody hears of.
func request(ctx context.Context) *method.Run {
	return &method.Run{Context: ctx, Now: time.Now, Progress: func(string, float64) {}}
}

func machine(limit int64) *method.Machine {
	return &method.Machine{MemoryLimit: limit, Now: time.Now}
}

// spaceOf is the space of a mesh of a kind.
func spaceOf(t testing.TB, kind string, parameters map[string]float64) *method.Space {
	t.Helper()
	m, err := generate.Make(kind, parameters)
	if err != nil {
		t.Fatal(err)
	}
	m, u := method.Scaled(m)
	g, err := graph.FromMesh(m)
	if err != nil {
		t.Fatal(err)
	}
	return method.NewSpace(m, g, u)
}

// network is the space of a graph without faces.
func network(t testing.TB, n int, edges []graph.Edge) *method.Space {
	t.Helper()
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	positions := make([][3]float64, n)
	for v := range positions {
		positions[v] = [3]float64{float64(v), float64(v % 7), 0}
	}
	m, err := mesh.New(positions, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, g, u := method.ScaledGraph(m, g)
	return method.NewSpace(m, g, u)
}

// spaces are a tree, a strip four vertices wide and a sphere.
func spaces(t testing.TB) map[string]*method.Space {
	t.Helper()
	const n, wide = 160, 4
	var tree, strip []graph.Edge
	for v := range int32(n) {
		if v > 0 {
			tree = append(tree, graph.Edge{U: (v - 1) / 2, V: v, Weight: 1 + float64(v%5)})
		}
		if v%wide > 0 {
			strip = append(strip, graph.Edge{U: v - 1, V: v, Weight: 1 + float64(v%3)})
		}
		if v >= wide {
			strip = append(strip, graph.Edge{U: v - wide, V: v, Weight: 2 + float64(v%5)})
		}
	}
	return map[string]*method.Space{"tree": network(t, n, tree), "strip": network(t, n, strip), "sphere": spaceOf(t, "sphere", map[string]float64{"frequency": 6})}
}

// Every method's kernel is exp(-D/epsilon) of distances D that miss the true ones by no more than is proved, and says what it is.
func TestEveryMethodAgainstDense(t *testing.T) {
	ctx := t.Context()
	for name, s := range spaces(t) {
		m := method.New(s, machine(1<<30))
		n := s.Graph.Len()
		narrow := name != "sphere"
		var want []float64 // the product with the dense matrix
		for _, c := range []struct {
			spec      job.KernelSpec
			made      string // the method
			precision string
			stages    []string
			most      float64 // by how much a distance may be wrong, a share of the diagonal
		}{
			{job.KernelSpec{}, job.Exact, "", nil, 1e-5},
			{job.KernelSpec{Precision: job.Float64}, job.Exact, job.Float64, nil, 1e-12},
			{job.KernelSpec{Precision: job.Float32}, job.Exact, job.Float32, []string{job.StageTree, job.StageLabels, job.StageCover, job.StageKernel}, 1e-5},
			{job.KernelSpec{Method: job.Certified, Delta: job.Fraction(0.1)}, "", "", nil, 0.1},
			{job.KernelSpec{Method: job.Certified, Delta: job.Fraction(1e-4)}, job.Exact, "", nil, 1e-4},
			{job.KernelSpec{Method: job.Embedded, Delta: job.Fraction(0.1)}, job.Embedded, job.Float64, []string{job.StageHost, job.StageTree, job.StageLabels, job.StageCover, job.StageKernel}, 0.1},
			{job.KernelSpec{Method: job.Sampled}, job.Sampled, job.Float64, []string{job.StageTree, job.StageKernel}, math.Inf(1)},
			{job.KernelSpec{Method: job.Tree}, job.Tree, job.Float64, []string{job.StageTree, job.StageKernel}, 1e-12},
			{job.KernelSpec{Method: job.Dense}, job.Dense, job.Float64, []string{job.StageKernel}, 0},
		} {
			c.spec.Epsilon = job.Fraction(0.2)
			what := fmt.Sprintf("%s, %+v", name, c.spec)
			spec, err := s.Spec(c.spec)
			if err != nil {
				t.Fatal(what, err)
			}
			r := request(ctx)
			k, err := m.Kernel(r, spec)
			if err != nil {
				t.Fatal(what, err)
			}
			requested, note := m.Instead(k, spec)
			made := k.Answer(spec, requested, note)
			var stages []string
			for _, x := range k.Stages {
				stages = append(stages, x.Stage)
			}
			if c.made != "" && made.Method != c.made || c.precision != "" && made.Precision != c.precision || c.stages != nil && !slices.Equal(stages, c.stages) || made.Function != "exp" || made.MemoryBytes <= 0 || made.Epsilon != spec.Epsilon {
				t.Errorf("%s: made %+v in stages %v", what, made, stages)
			}
			if (made.Requested != "") != (made.Method != spec.Method) || (made.Requested != "") != (made.Note != "") {
				t.Errorf("%s: %s is taken for %q: %q", what, made.Method, made.Requested, made.Note)
			}
			if goesAlong := made.Method == job.Tree || made.Method == job.Exact && c.precision == job.Float64; goesAlong && (made.Width >= 0) != narrow {
				t.Errorf("%s: along a decomposition of width %d", what, made.Width)
			}
			if again, err := m.Kernel(request(ctx), spec); err != nil || again != k {
				t.Errorf("%s: another kernel when asked again, %v", what, err)
			}
			least, most := m.Errors(k)
			rounding := 1e-12 * s.Reach()
			if !(-least <= c.most*s.Diagonal+rounding) || !(most <= c.most*s.Diagonal+rounding) {
				t.Errorf("%s: distances within %g and %g of a diagonal of %g, want %g of it", what, least, most, s.Diagonal, c.most)
			}
			x := make([]float64, n)
			for i := range x {
				x[i] = float64(1 + i*i%13)
			}
			y, err := k.Kernel.MulVec(ctx, nil, x)
			if err != nil {
				t.Fatal(what, err)
			}
			if want == nil { // epsilon is the same for all
				dense, err := baseline.NewDense(ctx, s.Graph, spec.Epsilon, baseline.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if want, err = dense.MulVec(ctx, nil, x); err != nil {
					t.Fatal(err)
				}
			}
			// A distance longer by e makes an entry smaller by a factor of exp(-e/epsilon) at most.
			low, high := math.Exp(-(most+rounding)/spec.Epsilon), math.Exp((rounding-least)/spec.Epsilon)
			for i := range y {
				if !(y[i] >= want[i]*low*(1-1e-12) && y[i] <= want[i]*high*(1+1e-12)) {
					t.Errorf("%s: product %d is %g, dense %g", what, i, y[i], want[i])
					break
				}
			}
		}
	}
}

// What is kept is used again: another epsilon pays for its kernel alone, another precision for labels and what follows.
func TestMakerKeeps(t *testing.T) {
	s := spaceOf(t, "sphere", map[string]float64{"frequency": 7})
	m := method.New(s, machine(1<<30))
	for _, step := range []struct {
		epsilon   float64
		precision string
		want      []string
	}{
		{0.2, "float64", []string{"tree", "labels", "tiles", "kernel"}},
		{0.2, "float64", nil},
		{0.1, "float64", []string{"kernel"}},
		{0.1, "float32", []string{"tiles", "kernel"}}, // labels of float32 are had from those of float64
		{0.1, "float64", []string{"labels", "tiles", "kernel"}},
	} {
		spec, err := s.Spec(job.KernelSpec{Epsilon: job.Fraction(step.epsilon), Precision: step.precision})
		if err != nil {
			t.Fatal(err)
		}
		r := request(t.Context())
		if _, err := m.Kernel(r, spec); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range r.Timings {
			got = append(got, x.Stage)
		}
		if !slices.Equal(got, step.want) {
			t.Errorf("epsilon %g, %s: %v, want %v", step.epsilon, step.precision, got, step.want)
		}
	}
	m.Forget()
	r := request(t.Context())
	spec, _ := s.Spec(job.KernelSpec{Epsilon: job.Fraction(0.1), Precision: job.Float64})
	if _, err := m.Kernel(r, spec); err != nil || r.Timings[0].Stage != "labels" {
		t.Errorf("after Forget: %v, %v", r.Timings, err)
	}
}

// A kernel that has no room is refused with what it needs and what would fit. One in use gives way.
func TestMemory(t *testing.T) {
	s := spaceOf(t, "sphere", map[string]float64{"frequency": 9})
	spec, err := s.Spec(job.KernelSpec{Epsilon: job.Fraction(0.2), Precision: job.Float32})
	if err != nil {
		t.Fatal(err)
	}
	roomy := method.New(s, machine(1<<30))
	k, err := roomy.Kernel(request(t.Context()), spec)
	if err != nil {
		t.Fatal(err)
	}
	bytes := k.Made.MemoryBytes
	_, err = method.New(s, machine(bytes/2)).Kernel(request(t.Context()), spec)
	if !method.IsMemory(err) || !strings.Contains(err.Error(), "The exact kernel of 812 vertices needs") {
		t.Errorf("half of %d bytes: %v", bytes, err)
	}
	tight := method.New(s, machine(bytes*3/2))
	first, err := tight.Kernel(request(t.Context()), spec)
	if err != nil {
		t.Fatal(err)
	}
	released := 0
	tight.InUse(first, func() { released++ })
	other := spec
	other.Method, other.Precision, other.Delta = job.Certified, "", 0.3*s.Diagonal
	if _, err := tight.Kernel(request(t.Context()), other); err != nil || released != 1 {
		t.Errorf("beside a kernel in use: %v, released %d times", err, released)
	}
}

// What cannot be is refused, and a request that ends leaves the maker as good as new.
func TestRefusals(t *testing.T) {
	s := spaceOf(t, "sphere", map[string]float64{"frequency": 6})
	for says, asked := range map[string]job.KernelSpec{
		"epsilon 0: must be positive": {},
		"method fast: there are auto": {Method: "fast", Epsilon: job.Fraction(0.2)},
		"give it in mesh units":       {Epsilon: job.Fraction(math.MaxFloat64)},
	} {
		if _, err := s.Spec(asked); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, want %q", asked, err, says)
		}
	}
	m := method.New(s, machine(1<<30))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	spec, err := s.Spec(job.KernelSpec{Epsilon: job.Fraction(0.2), Precision: job.Float32})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Kernel(request(ctx), spec); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := m.Separate(request(ctx), method.Shape{Finder: "flow-cutter"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := m.Kernel(request(t.Context()), spec); err != nil {
		t.Errorf("after that: %v", err)
	}
}

// A forecast names the method that was asked for and others that take less; what is at hand needs none.
func TestForecastOfMethods(t *testing.T) {
	s := spaceOf(t, "sphere", map[string]float64{"frequency": 12})
	m := method.New(s, machine(1<<30))
	spec, err := s.Spec(job.KernelSpec{Method: job.Exact, Epsilon: job.Fraction(0.2)})
	if err != nil {
		t.Fatal(err)
	}
	f := m.Forecast(t.Context(), spec, 1e-9)
	if f == nil || f.Asked.Method != job.Exact || !(f.Asked.Seconds > 0) || f.Asked.Bytes <= 0 || math.Abs(f.Asked.Epsilon.Value-0.2) > 1e-12 {
		t.Fatalf("%+v", f)
	}
	for i, o := range f.Others {
		if before := append([]job.Outlook{f.Asked}, f.Others[:i]...); o.Seconds >= before[len(before)-1].Seconds {
			t.Errorf("%+v after %+v", o, before)
		}
		if _, err := s.Spec(o.KernelSpec); err != nil {
			t.Errorf("%+v cannot be asked for: %v", o, err)
		}
	}
	if _, err := m.Kernel(request(t.Context()), spec); err != nil {
		t.Fatal(err)
	}
	if f := m.Forecast(t.Context(), spec, 1e-9); f != nil {
		t.Errorf("of what is at hand: %+v", f)
	}
}

// Quantized's cells of single vertices, and support, are exact.
func TestCellsAgainstDense(t *testing.T) {
	s := spaceOf(t, "sphere", map[string]float64{"frequency": 5})
	m := method.New(s, machine(1<<30))
	n := s.Graph.Len()
	spec, err := s.Spec(job.KernelSpec{Method: job.Quantized, Epsilon: job.Fraction(0.2), Representatives: n})
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Quantized(request(t.Context()), spec)
	if err != nil {
		t.Fatal(err)
	}
	dense, err := baseline.NewDense(t.Context(), s.Graph, spec.Epsilon, baseline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, n)
	x[3], x[n-1] = 1, 2
	got, err := k.Kernel.MulVec(t.Context(), nil, x)
	if err != nil {
		t.Fatal(err)
	}
	want, err := dense.MulVec(t.Context(), nil, x)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-6*want[i] {
			t.Fatalf("cells of one vertex: product %d is %g, dense %g", i, got[i], want[i])
		}
	}
	source, target := make([]float64, n), make([]float64, n)
	source[1], source[2], target[n-2] = 0.5, 0.5, 1
	found, err := m.SolveSupport(request(t.Context()), spec, source, target, transport.Options{})
	if err != nil || found.Count != 0 || !found.Enough || found.Kernel.Cells().Count() < 3 {
		t.Errorf("support: %+v, %v", found, err)
	}
	if name, why := m.Choose(t.Context(), spec, false, source, target); name != job.Exact || why == "" {
		t.Errorf("auto takes %s on %d vertices: %q", name, n, why)
	}
}

// What has no mass gets no cells: isolated vertices, and a component beside. Mass that comes there gets some. Components that only later cells are in
// are merged among themselves.
func TestCellsOfComponentsWithMass(t *testing.T) {
	ball, err := generate.Make("sphere", map[string]float64{"frequency": 8})
	if err != nil {
		t.Fatal(err)
	}
	ring, err := generate.Make("torus", map[string]float64{"segments": 24, "sides": 16})
	if err != nil {
		t.Fatal(err)
	}
	first, second := len(ball.Positions), len(ring.Positions)
	m := &mesh.Mesh{Positions: slices.Concat(ball.Positions, ring.Positions, make([][3]float64, 400)), Faces: slices.Clone(ball.Faces)}
	for _, f := range ring.Faces {
		m.Faces = append(m.Faces, [3]int32{f[0] + int32(first), f[1] + int32(first), f[2] + int32(first)})
	}
	g, err := graph.FromMesh(m)
	if err != nil {
		t.Fatal(err)
	}
	s := method.NewSpace(m, g, 0)
	maker := method.New(s, machine(1<<30))
	n := g.Len()
	on := func(from, count int) (density []float64) {
		density = make([]float64, n)
		for v := range count {
			density[from+v] += 1 / float64(count)
		}
		return density
	}
	half := func(a, b []float64) (sum []float64) {
		sum = make([]float64, n)
		for v := range sum {
			sum[v] = (a[v] + b[v]) / 2
		}
		return sum
	}
	var dense *baseline.Dense
	ballFrom, ballTo, ringFrom, ringTo := on(0, first/3), on(first/2, first/2), on(first, second/4), on(first+second/2, second/3)
	for _, c := range []struct {
		name           string
		source, target []float64
		cells          int
	}{
		{"the first", ballFrom, ballTo, 300},
		{"the second", ringFrom, ringTo, 300},
		{"both", half(ballFrom, ringFrom), half(ballTo, ringTo), 300},
		{"both, a cell each and one", half(ballFrom, ringFrom), half(ballTo, ringTo), 3},
		{"an isolated vertex", half(ballFrom, on(n-1, 1)), half(ballTo, on(n-1, 1)), 300},
	} {
		spec, err := s.Spec(job.KernelSpec{Method: job.Quantized, Epsilon: job.Fraction(0.2), Representatives: c.cells})
		if err != nil {
			t.Fatal(err)
		}
		found, err := maker.Gather(request(t.Context()), spec, c.source, c.target, transport.Options{}, method.Goal{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if dense == nil { // epsilon is the same for all
			if dense, err = baseline.NewDense(t.Context(), g, spec.Epsilon, baseline.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		want, err := transport.Solve(t.Context(), transport.Problem{Kernel: dense, Source: c.source, Target: c.target, Epsilon: spec.Epsilon}, transport.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if e := found.Estimate; found.Count != c.cells || c.cells >= 100 && !(math.Abs(e.Cost-want.Cost) <= 5e-3*want.Cost) || !(math.Abs(found.Result.Cost-want.Cost) <= want.Cost/2) {
			t.Errorf("%s: %d cells, cost %.4g, estimated %.4g in [%.4g, %.4g]; exact %.4g", c.name, found.Count, found.Result.Cost, e.Cost, e.Low, e.High, want.Cost)
		}
		if c.cells < 100 && !math.IsNaN(found.Estimate.Cost) {
			t.Errorf("%s: an estimate of %g", c.name, found.Estimate.Cost)
		}
	}
	if net := maker.KeptNet(ringFrom, ringTo); net != nil {
		t.Error("the ring has no mass and has cells")
	}
	few, _ := s.Spec(job.KernelSpec{Method: job.Quantized, Epsilon: job.Fraction(0.2), Representatives: 1})
	if _, err := maker.Gather(request(t.Context()), few, half(ballFrom, ringFrom), half(ballTo, ringTo), transport.Options{}, method.Goal{}); err == nil || !strings.Contains(err.Error(), "2 components have, and it has 1 cells") {
		t.Errorf("one cell: %v", err)
	}
}
