package engine_test

import (
	"math"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
)

// Questions about single vertices agree with the plan whatever the kernel's function, on a mesh and on a narrow graph, whose kernel goes along a
// tree decomposition.
func TestRowsOfEveryFunction(t *testing.T) {
	for name, body := range map[string]job.Body{"sphere": sphere(3), "grid": paceGrid(6, 6)} {
		for _, function := range []string{"exp", "inverse", "cauchy:lambda=-1,c=2,p=2", "squared", "poly:1,-0.05"} {
			c := newClient(t, engine.Options{})
			l := ask[*job.Loaded](c, body)
			n := l.Report.Vertices
			uniform := make([]float64, n)
			for i := range uniform {
				uniform[i] = 1 / float64(n)
			}
			ask[*job.Solved](c, &job.Solve{Source: uniform, Target: uniform, Tolerance: 1e-10,
				KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: job.Exact, Function: function}})
			for v := int32(0); int(v) < n; v += 5 {
				row, column := ask[*job.Partnered](c, &job.Partners{Vertex: v}), ask[*job.Partnered](c, &job.Partners{Vertex: v, Target: true})
				for _, p := range []*job.Partnered{row, column} {
					sum := 0.0
					for _, m := range p.Mass {
						sum += m
					}
					if !(math.Abs(p.Total-uniform[v]) <= 1e-5*uniform[v]) || !(math.Abs(sum-p.Total) <= 1e-9*sum) {
						t.Errorf("%s, %s: vertex %d has %g, its partners %g, its marginal is %g", name, function, v, p.Total, sum, uniform[v])
					}
				}
				at := len(row.Vertices) / 2
				if e := ask[*job.Shared](c, &job.Between{From: []int32{v}, To: row.Vertices[at : at+1]}).Mass; !(math.Abs(e-row.Mass[at]) <= 1e-9*e) {
					t.Errorf("%s, %s: an entry of row %d is %g, and %g in the row", name, function, v, e, row.Mass[at])
				}
			}
		}
	}
}

// A tiny problem for squared distance begins with its own costs.
func TestTinySquared(t *testing.T) {
	c := newClient(t, engine.Options{})
	ask[*job.Loaded](c, &job.Load{Name: "k4.gr", Data: []byte("p sp 4 6\na 1 2 1\na 1 3 1.1\na 1 4 0.9\na 2 3 1\na 2 4 1.05\na 3 4 1.02\n")})
	for _, epsilon := range []float64{0.01, 0.02, 0.05, 0.5} {
		s := ask[*job.Solved](c, &job.Solve{Source: []float64{0.1, 0.2, 0.3, 0.4}, Target: []float64{0.4, 0.3, 0.1, 0.2}, Tolerance: 1e-9,
			KernelSpec: job.KernelSpec{Epsilon: job.Length{Value: epsilon, Units: true}, Method: job.Exact, Function: "squared"}})
		if s.Status != "converged" || s.Iterations > 50 {
			t.Errorf("epsilon %g: %s after %d iterations, error %g", epsilon, s.Status, s.Iterations, s.MarginalError)
		}
	}
}

// The divergence of a kernel that is a sum of exponentials is as wrong as the sum may be, and says so.
func TestDivergenceOfSums(t *testing.T) {
	c := newClient(t, engine.Options{})
	_, d := c.open(sphere(3))
	var got, within [2]float64
	for i, method := range []string{job.Exact, job.Embedded} {
		spec := job.KernelSpec{Epsilon: job.Fraction(0.1), Method: method, Function: "cauchy:lambda=-1,c=2,p=2"}
		if method == job.Embedded {
			spec.Delta = job.Fraction(1e-9)
		}
		s := ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, Tolerance: 1e-12, Debias: true, KernelSpec: spec})
		got[i], within[i] = s.Divergence, s.DivergenceWithin
		if !(s.DivergenceWithin >= 2*s.Epsilon*s.Share*(1-1e-9)) && !math.IsNaN(s.DivergenceWithin) {
			t.Errorf("%s: the divergence is said to be right to %g, and the kernel is off by %g of itself", method, s.DivergenceWithin, s.Share)
		}
	}
	if math.IsNaN(within[0]) || math.Abs(got[0]-got[1]) > within[0]+within[1] {
		t.Errorf("divergences %g, each right to %g", got, within)
	}
}
