package engine_test

import (
	"cmp"
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/core/team"
	"genussink/internal/race"
)

// The host's distances are at most Bound too long, so is the entropic optimum,
// and both say so.
func TestEmbedded(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	for name, test := range map[string]struct {
		mesh job.Body
		team team.Members
	}{
		"sphere":          {sphere(8), nil},
		"torus":           {&job.Generate{Kind: "torus", Params: []job.Param{{Name: "segments", Value: 36}, {Name: "sides", Value: 15}}}, nil},
		"boundary":        {&job.Generate{Kind: "dumbbell", Params: []job.Param{{Name: "radius", Value: 9}}}, nil},
		"team":            {teamMesh(), newCrew(2)},
		"graph, no faces": {paceGrid(17, 23), nil},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "sphere" && name != "graph, no faces" {
				shared.Long(t)
			}
			c := newClient(t, engine.Options{Team: test.team})
			loaded, d := c.open(test.mesh)
			s := &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: job.Dense}}
			dense := ask[*job.Solved](c, s)
			s.Method = job.Embedded
			widths := map[string]int{}
			for _, host := range []string{"", "nested", "emulated"} {
				s.Host = host
				widest := 0
				deltas := []float64{0.4, 0.1, 1e-9}
				if host == "" {
					deltas = deltas[:1] // it is nested, which has the others
				}
				for _, delta := range deltas {
					s.Delta = job.Fraction(delta)
					e := ask[*job.Solved](c, s)
					asked := delta * loaded.Report.Diagonal
					if !(e.Bound >= 0 && e.Bound <= asked) || e.Width < widest || e.Width >= e.Vertices || e.Host != cmp.Or(host, "nested") {
						t.Errorf("host %s, delta %g: host %s, bound %g of %g allowed, width %d", host, delta, e.Host, e.Bound, asked, e.Width)
					}
					widest = e.Width
					digits := 1e-7 * loaded.Report.Diagonal
					if e.Dual < dense.Dual-digits || e.Dual > dense.Dual+e.Bound+digits {
						t.Errorf("host %s, delta %g: optimum %g, exact %g, bound %g", host, delta, e.Dual, dense.Dual, e.Bound)
					}
					if !e.Accuracy.Holds || e.Accuracy.Rows == 0 || e.Accuracy.Most > e.Bound+digits {
						t.Errorf("host %s, delta %g, bound %g: %+v", host, delta, e.Bound, e.Accuracy)
					}
					if delta == 0.4 {
						widths[host] = e.Width
					}
				}
			}
			if widths[""] != widths["nested"] || widths["emulated"] <= widths["nested"] {
				t.Errorf("widths %v: nested is the default, and the narrower", widths)
			}
			a := ask[*job.Applied](c, &job.Apply{Values: d.Source, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: job.Embedded, Delta: job.Fraction(0.1)}})
			if !(a.Bound > 0 && a.Bound <= 0.1*loaded.Report.Diagonal) {
				t.Errorf("a product with the bound %g", a.Bound)
			}
		})
	}
}

// Members that hold the cover of another kernel do not answer for this one,
// though the tolerance is the same.
func TestPlanOutlivesAnotherKernel(t *testing.T) {
	c := newClient(t, engine.Options{Team: newCrew(2)})
	_, d := c.open(teamMesh())
	ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}})
	before := ask[*job.Pushed](c, &job.Push{Values: d.Source}).Values
	ask[*job.Applied](c, &job.Apply{Values: d.Source, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Method: job.Embedded, Delta: job.Fraction(0.3)}})
	for i, y := range ask[*job.Pushed](c, &job.Push{Values: d.Source}).Values {
		if relative(y, before[i]) > 1e-12 {
			t.Fatalf("after another kernel the plan takes vertex %d to %g, before to %g", i, y, before[i])
		}
	}
}

func TestEmbeddedIsRefused(t *testing.T) {
	c := newClient(t, engine.Options{MemoryLimit: 400_000})
	_, d := c.open(sphere(10))
	f, ok := c.do(&job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: job.Embedded, Delta: job.Fraction(0.001)}}).(*job.Failed)
	if !ok || f.Kind != "memory" || !strings.Contains(f.Message, "embedded") {
		t.Errorf("%+v", f)
	}
	for _, s := range []job.Solve{{KernelSpec: job.KernelSpec{Method: job.Embedded, Delta: job.Fraction(0.1), Host: "hotel"}}, {KernelSpec: job.KernelSpec{Method: job.Exact, Host: job.Nested}}} {
		s.Source, s.Target, s.Epsilon = d.Source, d.Target, job.Fraction(0.1)
		if f, ok := c.do(&s).(*job.Failed); !ok || f.Kind != "input" || !strings.Contains(f.Message, "host "+s.Host) {
			t.Errorf("%+v", f)
		}
	}
}
