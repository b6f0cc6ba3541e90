package engine_test

import (
	"math"
	"slices"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/internal/race"
)

// retrace asks for the iterations of the last solve, and checks them: their errors are the solve's, the first ten and the last are there, and the
// last marginals are those that the plan's own product has.
func retrace(c *client, name string, s *job.Solved, source, target []float64) *job.Retraced {
	c.t.Helper()
	r := ask[*job.Retraced](c, &job.Retrace{})
	if !slices.Equal(r.Trace, s.Trace) {
		c.t.Errorf("%s: another trace: %v, not %v", name, r.Trace, s.Trace)
	}
	wanted := [2][]float64{source, target}
	var totals [2]float64
	for side, mass := range wanted {
		for _, m := range mass {
			totals[side] += m
		}
	}
	for i, f := range r.Frames {
		if i > 0 && f.Iteration <= r.Frames[i-1].Iteration || i < min(10, len(r.Trace)) && int(f.Iteration) != i+1 {
			c.t.Errorf("%s: frame %d is of iteration %d", name, i, f.Iteration)
		}
		e := 0.0
		for side, sums := range [2][]float32{f.Rows, f.Columns} {
			if len(sums) == 0 {
				continue
			}
			off := 0.0
			for v, m := range wanted[side] {
				off += math.Abs(float64(sums[v]) - m/totals[side])
			}
			e = max(e, off)
		}
		if want := r.Trace[f.Iteration-1]; math.Abs(e-want) > 1e-6 {
			c.t.Errorf("%s: after iteration %d the marginals are off by %g, not %g", name, f.Iteration, e, want)
		}
	}
	last := r.Frames[len(r.Frames)-1]
	if int(last.Iteration) != len(s.Trace) || len(r.Frames) > 42 {
		c.t.Errorf("%s: %d frames, the last of iteration %d of %d", name, len(r.Frames), last.Iteration, len(s.Trace))
	}
	ones := make([]float64, len(source))
	for i := range ones {
		ones[i] = 1
	}
	for side, sums := range [2][]float32{last.Rows, last.Columns} {
		own := ask[*job.Pushed](c, &job.Push{Values: ones, Transpose: side == 1}).Values
		for v, x := range own {
			if len(sums) > 0 && math.Abs(x-float64(sums[v])) > 1e-7 || len(sums) == 0 && math.Abs(x-wanted[side][v]/totals[side]) > 1e-7 {
				c.t.Fatalf("%s: side %d of vertex %d: the plan has %g", name, side, v, x)
			}
		}
	}
	return r
}

// solveAndRetrace solves, and retraces that.
func solveAndRetrace(c *client, name string, spec job.KernelSpec, warm bool, source, target []float64) *job.Retraced {
	c.t.Helper()
	s := ask[*job.Solved](c, &job.Solve{KernelSpec: spec, Source: source, Target: target, Warm: warm})
	return retrace(c, name, s, source, target)
}

func TestRetrace(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	c := newClient(t, engine.Options{})
	_, d := c.open(sphere(6))
	for _, method := range []string{job.Exact, job.Tree, job.Dense, job.Quantized, job.Support} {
		for _, epsilon := range []float64{0.1, 0.002} { // products as they are and in logarithms
			r := solveAndRetrace(c, method, job.KernelSpec{Method: method, Epsilon: job.Fraction(epsilon)}, false, d.Source, d.Target)
			if len(r.Frames[0].Rows) > 0 || len(r.Frames[0].Columns) == 0 {
				t.Errorf("%s: at first the rows do not fit", method)
			}
			if epsilon < 0.1 && method == job.Exact && (len(r.Trace) <= 40 || len(r.Frames) < 30) {
				t.Errorf("%d frames of %d iterations", len(r.Frames), len(r.Trace))
			}
		}
	}
}

// After the source is repainted, a warm solve begins with the last plan. Its columns fit the target. Its rows do not fit the source.
func TestRetraceOfARepaint(t *testing.T) {
	c := newClient(t, engine.Options{})
	_, d := c.open(sphere(6))
	refuse(c, &job.Retrace{}, "input", "nothing has been solved")
	solveAndRetrace(c, "cold", job.KernelSpec{Epsilon: job.Fraction(0.1)}, false, d.Source, d.Target)
	source := slices.Clone(d.Source)
	source[7] += 0.2
	cold := solveAndRetrace(c, "repainted, cold", job.KernelSpec{Epsilon: job.Fraction(0.1)}, false, source, d.Target)
	solveAndRetrace(c, "before", job.KernelSpec{Epsilon: job.Fraction(0.1)}, false, d.Source, d.Target)
	warm := solveAndRetrace(c, "repainted", job.KernelSpec{Epsilon: job.Fraction(0.1)}, true, source, d.Target)
	if len(warm.Frames[0].Columns) > 0 || len(warm.Frames[0].Rows) == 0 || len(warm.Trace) >= len(cold.Trace) {
		t.Errorf("warm: %d rows and %d columns, %d iterations, cold %d", len(warm.Frames[0].Rows), len(warm.Frames[0].Columns), len(warm.Trace), len(cold.Trace))
	}
	ask[*job.Solved](c, &job.Solve{KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1)}, Source: source, Target: d.Target, Reach: job.Fraction(0.5)})
	refuse(c, &job.Retrace{}, "input", "unbalanced")
}

// A file's decomposition is taken where it is one of the graph, and the file's line or number says what is wrong where it is not.
func TestCheckDecomposition(t *testing.T) {
	c := newClient(t, engine.Options{})
	ask[*job.Loaded](c, &job.Load{Name: "path.gr", Data: []byte("p tw 3 2\n1 2\n2 3\n")})
	d := ask[*job.Decomposed](c, &job.Check{Name: "path.td", Data: []byte("c by hand\ns td 2 2 3\nb 1 1 2\nb 2 2 3\n1 2\n")})
	if d.Lower != 1 || d.Upper != 1 || !d.Exact || d.Status != "file" || !slices.Equal(d.Bag(1), []int32{1, 2}) || !slices.Equal(d.Parents, []int32{-1, 0}) || len(d.Order) != 3 {
		t.Errorf("%+v", d)
	}
	wide := ask[*job.Decomposed](c, &job.Check{Name: "path.td", Data: []byte("s td 1 3 3\nb 1 1 2 3\n")})
	if wide.Lower != 1 || wide.Upper != 2 || wide.Exact {
		t.Errorf("%+v", wide)
	}
	for file, words := range map[string]string{
		"c\ns td 1 4 4\nb 1 1 2 3 4\n":          "path.td: line 2: not valid: size: made for 4 vertices, the graph has 3",
		"s td 2 2 3\nb 1 1 2\nb 2 3\n1 2\n":     "path.td: not valid: edge: no bag holds both ends of edge 2-3",
		"s td 2 2 3\nb 1 1 2\nb 2 2 3 9\n1 2\n": "path.td: line 3: vertex",
		"p tw 3 2\n":                            "path.td: line 1",
	} {
		refuse(c, &job.Check{Name: "path.td", Data: []byte(file)}, "input", words)
	}
}
