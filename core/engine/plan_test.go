package engine_test

import (
	"math"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/internal/race"
)

// Whatever a plan is asked for, of every method, in either form and also where members have parts of its kernel, it answers with
// one matrix: rows and columns, which are the marginals, add up to what products say; an entry is that of its row; pairs are drawn with the entries'
// probabilities; and every path of a flow is a shortest one.
func TestPlansAreOnePlan(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	const tolerance = 1e-9
	for _, c := range []struct {
		solve job.Solve
		team  int
		form  string
	}{
		{job.Solve{KernelSpec: job.KernelSpec{Method: job.Exact, Epsilon: job.Fraction(0.02)}}, 0, "scaling"},
		{job.Solve{KernelSpec: job.KernelSpec{Method: job.Exact, Epsilon: job.Fraction(0.02), Precision: job.Float64}}, 0, "scaling"},
		{job.Solve{KernelSpec: job.KernelSpec{Method: job.Exact, Epsilon: job.Fraction(0.002)}}, 0, "log"},
		{job.Solve{KernelSpec: job.KernelSpec{Method: job.Certified, Epsilon: job.Fraction(0.02), Delta: job.Fraction(0.06)}}, 0, "scaling"},
		{job.Solve{KernelSpec: job.KernelSpec{Method: job.Certified, Epsilon: job.Fraction(0.02), Delta: job.Fraction(0.1)}}, 0, "scaling"},
		{job.Solve{KernelSpec: job.KernelSpec{Method: job.Certified, Epsilon: job.Fraction(0.002), Delta: job.Fraction(0.06)}}, 0, "log"},
		{job.Solve{KernelSpec: job.KernelSpec{Method: job.Certified, Epsilon: job.Fraction(0.05), Delta: job.Fraction(0.04)}}, 2, "scaling"},
		{job.Solve{KernelSpec: job.KernelSpec{Method: job.Certified, Epsilon: job.Fraction(0.002), Delta: job.Fraction(0.04)}}, 2, "log"},
		{job.Solve{KernelSpec: job.KernelSpec{Method: job.Embedded, Epsilon: job.Fraction(0.05), Delta: job.Fraction(0.1)}}, 0, "scaling"},
		{job.Solve{KernelSpec: job.KernelSpec{Method: job.Embedded, Epsilon: job.Fraction(0.002), Delta: job.Fraction(0.1)}}, 0, "log"},
		{job.Solve{KernelSpec: job.KernelSpec{Method: job.Sampled, Epsilon: job.Fraction(0.05)}}, 0, "scaling"},
		{job.Solve{KernelSpec: job.KernelSpec{Method: job.Tree, Epsilon: job.Fraction(0.05)}}, 0, "scaling"},
		{job.Solve{KernelSpec: job.KernelSpec{Method: job.Dense, Epsilon: job.Fraction(0.002)}}, 0, "scaling"},
		{job.Solve{KernelSpec: job.KernelSpec{Method: job.Support, Epsilon: job.Fraction(0.02)}}, 0, "scaling"},
		{job.Solve{KernelSpec: job.KernelSpec{Method: job.Quantized, Epsilon: job.Fraction(0.05), Representatives: 60}}, 0, "scaling"},
		{job.Solve{KernelSpec: job.KernelSpec{Method: job.Quantized, Epsilon: job.Fraction(0.001), Representatives: 60}}, 0, "log"},
	} {
		o, frequency := engine.Options{}, 6.0
		if c.team > 0 {
			o.Team, frequency = newCrew(c.team), 10
		}
		cl := newClient(t, o)
		_, d := cl.open(sphere(frequency))
		n := len(d.Source)
		c.solve.Source, c.solve.Target, c.solve.Tolerance, c.solve.MaxIterations = d.Source, d.Target, tolerance, 20000
		s := ask[*job.Solved](cl, &c.solve)
		if s.Method != c.solve.Method || s.Form != c.form || s.Status != "converged" {
			t.Errorf("%s, epsilon %v: %s, form %s, %s", c.solve.Method, c.solve.Epsilon, s.Method, s.Form, s.Status)
		}
		say := func(format string, args ...any) {
			t.Errorf("%s, epsilon %g, delta %g, %d members: "+format, append([]any{c.solve.Method, c.solve.Epsilon, c.solve.Delta, c.team}, args...)...)
		}
		ones := make([]float64, n)
		for i := range ones {
			ones[i] = 1
		}
		sums := [2][]float64{ask[*job.Pushed](cl, &job.Push{Values: ones}).Values, ask[*job.Pushed](cl, &job.Push{Values: ones, Transpose: true}).Values}
		for side, marginal := range [2][]float64{d.Source, d.Target} {
			for v := int32(side); int(v) < n; v += 29 {
				p := ask[*job.Partnered](cl, &job.Partners{Vertex: v, Target: side == 1, Distances: true})
				total := 0.0
				for k, m := range p.Mass {
					i, j := v, p.Vertices[k]
					if side == 1 {
						i, j = j, i
					}
					if want := math.Exp(s.LogU[i] + s.LogV[j] - p.Distances[k]/s.Epsilon); !(math.Abs(m-want) <= 2e-6*want) {
						say("P(%d,%d) is %g at the distance %g, whose kernel gives %g", i, j, m, p.Distances[k], want)
					}
				}
				if at := len(p.True) / 2; math.Abs(p.True[at]-ask[*job.Path](cl, &job.Distance{From: v, To: p.Vertices[at]}).Length) > 1e-12*p.True[at] {
					say("%d and %d are %g apart", v, p.Vertices[at], p.True[at])
				}
				for _, m := range p.Mass {
					total += m
				}
				if !(math.Abs(total-sums[side][v]) <= 1e-10*total) || !(math.Abs(total-p.Total) <= 1e-12*total) || !(math.Abs(total-marginal[v]) <= 2*tolerance) {
					say("side %d: the masses of %d add up to %g, %g, its product is %g, its marginal %g", side, v, total, p.Total, sums[side][v], marginal[v])
				}
				if side == 0 {
					at := len(p.Vertices) / 3
					if e := ask[*job.Shared](cl, &job.Between{From: []int32{v}, To: p.Vertices[at : at+1]}).Mass; !(math.Abs(e-p.Mass[at]) <= 1e-12*e) {
						say("P(%d,%d) is %g, %g in the row", v, p.Vertices[at], e, p.Mass[at])
					}
				}
			}
		}
		// Chi-square of pairs over blocks of vertices.
		const draws, blocks = 20000, 6
		var seen, expected [blocks][blocks]float64
		for b := range blocks {
			into := make([]float64, n)
			for j := range into {
				if j*blocks/n == b {
					into[j] = draws
				}
			}
			for i, m := range ask[*job.Pushed](cl, &job.Push{Values: into}).Values {
				expected[i*blocks/n][b] += m
			}
		}
		drawn := ask[*job.Drawn](cl, &job.Draw{Count: draws, Seed: 11})
		for k, i := range drawn.From {
			seen[int(i)*blocks/n][int(drawn.To[k])*blocks/n]++
		}
		chi := 0.0
		for a := range blocks {
			for b := range blocks {
				chi += (seen[a][b] - expected[a][b]) * (seen[a][b] - expected[a][b]) / max(expected[a][b], 1)
			}
		}
		if len(drawn.From) != draws || chi > 80 { // 35 degrees of freedom: 1 in 20,000, and the seed is fixed
			say("%d pairs, chi-square %g", len(drawn.From), chi)
		}
		f := flowing(cl, &job.Flow{Particles: 300, Seed: 3})
		for k := range len(f.Offsets) - 1 {
			path, along := f.Vertices[f.Offsets[k]:f.Offsets[k+1]], f.Along[f.Offsets[k]:f.Offsets[k+1]]
			want := ask[*job.Path](cl, &job.Distance{From: path[0], To: path[len(path)-1]}).Length
			if got := along[len(along)-1]; !(math.Abs(got-want) <= 0x1p-22*want) {
				say("a path from %d to %d is %g long, the shortest %g", path[0], path[len(path)-1], got, want)
			}
		}
	}
}

// A member that no longer has its part of the plan's kernel costs a question about a row no answer: the lead makes the part its
// own. Where members have theirs no queue is waited for.
func TestRowsBesideASolve(t *testing.T) {
	team := newCrew(2)
	c := newClient(t, engine.Options{Team: team})
	_, d := c.open(teamMesh())
	ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: job.Certified, Delta: job.Fraction(0.05)}})
	want := ask[*job.Partnered](c, &job.Partners{Vertex: 70})
	solve := endless(d)
	solve.Method, solve.Delta = "certified", job.Fraction(0.05)
	p := c.start(t.Context(), solve)
	p.wait(t, "solve")
	same := func(got *job.Partnered) {
		t.Helper()
		if len(got.Mass) != len(want.Mass) || relative(got.Total, want.Total) > 1e-12 || relative(got.Mass[3], want.Mass[3]) > 1e-12 {
			t.Errorf("%d partners with %g of %g, before %d with %g of %g", len(got.Mass), got.Mass[3], got.Total, len(want.Mass), want.Mass[3], want.Total)
		}
	}
	same(ask[*job.Partnered](c, &job.Partners{Vertex: 70}))
	ask[*job.Cancelled](c, &job.Cancel{Request: p.id})
	<-p.final
	team.mu.Lock()
	team.dead = func(member int, request job.Body) bool { return member == 1 }
	team.mu.Unlock()
	same(ask[*job.Partnered](c, &job.Partners{Vertex: 70}))
}
