package engine_test

import (
	"context"
	"errors"
	"testing"

	"genussink/core/engine"
	"genussink/core/hub"
	"genussink/core/job"
	"genussink/core/linop/linoptest"
	"genussink/core/transport"
	"genussink/internal/race"
)

// Every method's kernel keeps the contract of kernels, as it is, as a solve counts it and as whoever asks a plan has it.
// A product that is given up returns context.Canceled and no answer, whatever the method and whoever has wrapped
// the kernel, at whatever depth it is when its context ends. The next product is right again, and a solve returns the error too.
func TestCancelledProducts(t *testing.T) {
	for _, c := range []struct {
		name string
		body job.Solve
		team int
	}{
		{"exact", job.Solve{}, 0},
		{"exact in logarithms", job.Solve{KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.0015)}}, 0},
		{"float32", job.Solve{KernelSpec: job.KernelSpec{Precision: job.Float32}}, 0},
		{"certified", job.Solve{KernelSpec: job.KernelSpec{Method: job.Certified, Delta: job.Fraction(0.05)}}, 0},
		{"embedded", job.Solve{KernelSpec: job.KernelSpec{Method: job.Embedded, Delta: job.Fraction(0.1)}}, 0},
		{"tree", job.Solve{KernelSpec: job.KernelSpec{Method: job.Tree}}, 0},
		{"sampled", job.Solve{KernelSpec: job.KernelSpec{Method: job.Sampled}}, 0},
		{"dense", job.Solve{KernelSpec: job.KernelSpec{Method: job.Dense}}, 0},
		{"quantized", job.Solve{KernelSpec: job.KernelSpec{Method: job.Quantized}}, 0},
		{"support", job.Solve{KernelSpec: job.KernelSpec{Method: job.Support}}, 0},
		{"exact with members", job.Solve{}, 2},
		{"certified with members", job.Solve{KernelSpec: job.KernelSpec{Method: job.Certified, Delta: job.Fraction(0.05)}}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, mesh := engine.Options{}, sphere(4)
			if c.team > 0 {
				o.Team, mesh = newCrew(c.team), teamMesh()
			}
			cl := newClient(t, o)
			_, d := cl.open(mesh)
			body := c.body
			body.Source, body.Target, body.MaxIterations = d.Source, d.Target, 20
			if body.Epsilon == (job.Length{}) {
				body.Epsilon = job.Fraction(0.2)
			}
			allowed := linoptest.Allowance{}
			if s := ask[*job.Solved](cl, &body); s.Precision == job.Float32 {
				allowed.Rounding = 1e-6
			}
			kernels, problem := engine.PlanKernels(cl.e)
			if _, alone := kernels["own"].(*hub.Kernel); !alone && (c.name == "float32" || c.name == "certified") {
				t.Errorf("alone in its process the kernel is a %T", kernels["own"])
			}
			for name, k := range kernels {
				if c.team == 0 { // core/team holds kernels of a team to the contract
					t.Run(name, func(t *testing.T) {
						race.Alone(t) // their packages hold them to it, too
						linoptest.KernelBut(t, k, problem.Epsilon, allowed)
					})
				}
			}
			problem.Kernel = kernels["own"]
			all := linoptest.NewCountdown(-1)
			if _, err := transport.Solve(all, problem, transport.Options{MaxIterations: 5}); err != nil {
				t.Fatal(err)
			}
			for at := 0; at < all.Asked(); at += 1 + at/4 {
				ctx := linoptest.NewCountdown(at)
				r, err := transport.Solve(ctx, problem, transport.Options{MaxIterations: 5})
				if ctx.Asked() > at && (r != nil || !errors.Is(err, context.Canceled)) {
					t.Fatalf("a solve that is cancelled when it asks for the time %d of %d returns %v", at+1, all.Asked(), err)
				}
			}
		})
	}
}
