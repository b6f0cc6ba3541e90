package benchmark_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"genussink/core/baseline"
	"genussink/core/benchmark"
	"genussink/core/engine"
	"genussink/core/graph"
	"genussink/core/job"
	"genussink/core/linop/linoptest"
	"genussink/core/mesh/generate"
	"genussink/core/transport"
)

const particles = 400

// diagonal is that of the bounding box of a torus whose radii are 1 and 0.4.
var diagonal = math.Sqrt(2*2.8*2.8 + 0.8*0.8)

// opened is an engine with the benchmark, a small torus of some size, its graph, and densities on it.
func opened(t *testing.T, size float64) (*engine.Engine, *graph.Graph, *job.Measured) {
	t.Helper()
	m, err := generate.Make("torus", map[string]float64{"segments": 16, "sides": 8})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range m.Positions {
		m.Positions[i] = [3]float64{size * p[0], size * p[1], size * p[2]}
	}
	g, err := graph.FromMesh(m)
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{Benchmark: benchmark.Answer})
	ask(t, e, &job.Opened{Positions: job.Flat(m.Positions), Faces: job.Flat(m.Faces)})
	all := ask(t, e, &job.Measure{Preset: "two-spots"})
	return e, g, all[len(all)-1].(*job.Measured)
}

// ask returns all events in answer to a request but for progress, the last of which must not be a failure.
func ask(t *testing.T, e *engine.Engine, b job.Body) (all []job.Body) {
	t.Helper()
	e.Run(context.Background(), job.Request{ID: 1, Body: b}, func(ev job.Event) {
		if _, ok := ev.Body.(*job.Progress); !ok {
			all = append(all, ev.Body)
		}
	})
	if f, ok := all[len(all)-1].(*job.Failed); ok {
		t.Fatalf("%T: %+v", b, f)
	}
	return all
}

func rows(t *testing.T, all []job.Body) (rows []*job.Benchmarking, reference string) {
	t.Helper()
	for _, b := range all[:len(all)-1] {
		rows = append(rows, b.(*job.Benchmarking))
	}
	return rows, all[len(all)-1].(*job.Benchmarked).Reference
}

// Every method answers in mesh units, whatever those are. Errors are against the cost of the dense matrix, which is found here by itself, and
// the mass on the move by a plan goes as far as that costs.
func TestAnswer(t *testing.T) {
	sizes := []float64{300, 1}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, size := range sizes {
		e, g, d := opened(t, size)
		b := &job.Benchmark{Epsilon: job.Fraction(0.1), Source: d.Source, Target: d.Target, Particles: particles}
		found, reference := rows(t, ask(t, e, b))
		if reference != job.Dense || len(found) != len(job.Contenders) {
			t.Fatalf("%d rows against %q", len(found), reference)
		}
		epsilon := 0.1 * size * diagonal
		k, err := baseline.NewDense(context.Background(), g, epsilon, baseline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := transport.Solve(context.Background(), transport.Problem{Kernel: k, Source: d.Source, Target: d.Target, Epsilon: epsilon}, transport.Options{Tolerance: 1e-7})
		if err != nil {
			t.Fatal(err)
		}
		// Measured, and rounded up: how coarse the paper's settings are on so few vertices.
		most := map[string]float64{
			job.Dense: 0, job.Exact: 1e-12, job.Certified: 1e-2, job.Embedded: 0.1, job.Sampled: 0.2, job.Tree: 1e-12,
			job.Greenkhorn: 1e-3, job.Screenkhorn: 0.6, job.Sparse: 1e-2, job.Heat: 1, job.Nystroem: 0.1, job.Ambient: 0.5,
		}
		for i, r := range found {
			if r.Method != job.Contenders[i] {
				t.Errorf("row %d is %s", i, r.Method)
			}
			if strings.HasPrefix(r.Note, job.Refused) {
				if r.Method != job.Heat || !math.IsNaN(r.Cost) || !math.IsNaN(r.Error) || !math.IsNaN(r.Setup) || len(r.Offsets) > 0 {
					t.Errorf("refused: %+v", r)
				}
				continue
			}
			if missed := math.Abs(r.Cost-want.Cost) / want.Cost; !(missed <= most[r.Method]+1e-9) || math.Abs(r.Error-missed) > 1e-9 {
				t.Errorf("%s costs %g, dense %g: %g, the row says %g", r.Method, r.Cost, want.Cost, missed, r.Error)
			}
			if !(r.Setup > 0 && r.Solve > 0 && r.PeakBytes > 0 && r.Iterations > 0 && r.Setting != "") {
				t.Errorf("%+v", r)
			}
			// The mean length of the paths estimates the cost: 400 of them are some 5 % off.
			sum := 0.0
			for p := range len(r.Offsets) - 1 {
				path := r.Vertices[r.Offsets[p]:r.Offsets[p+1]]
				sum += r.Along[r.Offsets[p+1]-1]
				if d.Source[path[0]] == 0 {
					t.Errorf("%s: a path begins at %d, where no mass is", r.Method, path[0])
				}
			}
			if mean := sum / particles; len(r.Offsets) != particles+1 || math.Abs(mean-r.Cost) > 0.2*r.Cost {
				t.Errorf("%s costs %g, and its %d paths have a mean length of %g", r.Method, r.Cost, len(r.Offsets)-1, mean)
			}
		}
	}
}

// Some methods alone: errors are against exact where dense is not among them, and not known where neither is.
func TestAnswerSome(t *testing.T) {
	e, _, d := opened(t, 1)
	ofThem := func(methods ...string) ([]*job.Benchmarking, string) {
		return rows(t, ask(t, e, &job.Benchmark{Epsilon: job.Fraction(0.2), Source: d.Source, Target: d.Target, Methods: methods}))
	}
	found, reference := ofThem(job.Nystroem, job.Exact)
	if reference != job.Exact || len(found) != 2 || found[0].Method != job.Exact || found[0].Error != 0 || !(found[1].Error > 0) || len(found[1].Offsets) > 0 {
		t.Errorf("%+v against %q", found, reference)
	}
	if found, reference = ofThem(job.Nystroem); reference != "" || len(found) != 1 || !math.IsNaN(found[0].Error) || !(found[0].Cost > 0) {
		t.Errorf("%+v against %q", found, reference)
	}
}

// What cannot be is said, with its value; an end in the middle leaves no row that is half done.
func TestAnswerFails(t *testing.T) {
	e, _, d := opened(t, 1)
	for want, b := range map[string]*job.Benchmark{
		`"sideways"`:                {Epsilon: job.Fraction(0.2), Source: d.Source, Target: d.Target, Methods: []string{"sideways"}},
		"-3 particles":              {Epsilon: job.Fraction(0.2), Source: d.Source, Target: d.Target, Particles: -3},
		"epsilon is -1":             {Epsilon: job.Fraction(-1), Source: d.Source, Target: d.Target},
		"target: measure: 1 values": {Epsilon: job.Fraction(0.2), Source: d.Source, Target: []float64{1}},
		"there is no method":        {Epsilon: job.Fraction(0.2), Source: d.Source, Target: d.Target, Methods: []string{""}},
	} {
		var last job.Body
		e.Run(context.Background(), job.Request{ID: 1, Body: b}, func(ev job.Event) { last = ev.Body })
		if f, ok := last.(*job.Failed); !ok || f.Kind != "input" || !strings.Contains(f.Message, want) {
			t.Errorf("%q: %+v", want, last)
		}
	}
	none := engine.New(engine.Options{})
	ask(t, none, &job.Generate{Kind: "torus"})
	none.Run(context.Background(), job.Request{ID: 1, Body: &job.Benchmark{}}, func(ev job.Event) {
		if f, ok := ev.Body.(*job.Failed); !ok || !strings.Contains(f.Message, "compares no methods") {
			t.Errorf("without a benchmark: %+v", ev.Body)
		}
	})
	for _, after := range []int{20, 200, 2000} {
		var all []job.Body
		e.Run(linoptest.NewCountdown(after), job.Request{ID: 1, Body: &job.Benchmark{Epsilon: job.Fraction(0.2), Source: d.Source, Target: d.Target}}, func(ev job.Event) { all = append(all, ev.Body) })
		if _, ok := all[len(all)-1].(*job.Cancelled); !ok {
			t.Errorf("after %d: %T", after, all[len(all)-1])
		}
		for _, b := range all {
			if r, ok := b.(*job.Benchmarking); ok && math.IsNaN(r.Cost) && !strings.HasPrefix(r.Note, job.Refused) {
				t.Errorf("after %d: half a row %+v", after, r)
			}
		}
	}
}

// A mesh that is too large for the dense kernel has the other methods, against exact.
func TestDenseLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("left out under -short: 6,180 vertices")
	}
	e := engine.New(engine.Options{Benchmark: benchmark.Answer})
	ask(t, e, &job.Generate{Kind: "torus", Params: []job.Param{{Name: "segments", Value: 103}, {Name: "sides", Value: 60}}})
	all := ask(t, e, &job.Measure{Preset: "paper"})
	d := all[len(all)-1].(*job.Measured)
	found, reference := rows(t, ask(t, e, &job.Benchmark{
		Epsilon: job.Fraction(0.2), Source: d.Source, Target: d.Target, Methods: []string{job.Dense, job.Greenkhorn, job.Exact, job.Nystroem},
	}))
	var methods []string
	for _, r := range found {
		methods = append(methods, r.Method)
		if dense := r.Method == job.Dense || r.Method == job.Greenkhorn; dense != (r.Note == "refused: the dense kernel of 6180 vertices: at most 6000 are possible") || dense != math.IsNaN(r.Error) {
			t.Errorf("%+v", r)
		}
	}
	if reference != job.Exact || !slices.Equal(methods, []string{job.Dense, job.Exact, job.Greenkhorn, job.Nystroem}) {
		t.Errorf("%q against %s", methods, reference)
	}
}
