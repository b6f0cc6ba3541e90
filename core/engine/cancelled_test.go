package engine_test

import (
	"context"
	"math"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
	"genussink/core/linop/linoptest"
)

// A solve that is cancelled, wherever it is, leaves nothing half made: the next one finds what a fresh engine finds.
func TestSolveAfterACancelledOne(t *testing.T) {
	solve := func(ctx context.Context, c *client, body job.Body) (final job.Body) {
		c.e.Run(ctx, job.Request{ID: 1000, Body: body}, func(ev job.Event) {
			if _, more := ev.Body.(*job.Progress); !more {
				final = ev.Body
			}
		})
		return final
	}
	fresh := newClient(t, engine.Options{})
	_, d := fresh.open(sphere(6))
	exact := &job.Solve{Source: d.Source, Target: d.Target, Reach: job.Fraction(0.2), KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1)}}
	whole := linoptest.NewCountdown(math.MaxInt)
	want, solved := solve(whole, fresh, exact).(*job.Solved)
	if !solved {
		t.Fatal("the solve fails")
	}
	const parts = 8
	cancelled := 0
	for k := range parts {
		c := newClient(t, engine.Options{})
		c.open(sphere(6))
		at := whole.Asked() * k / parts
		if _, ended := solve(linoptest.NewCountdown(at), c, exact).(*job.Cancelled); ended {
			cancelled++ // how often a solve asks depends on what threads wait for: a late question may not come
		}
		if got := ask[*job.Solved](c, exact); relative(got.Cost, want.Cost) > 1e-12 {
			t.Errorf("after a solve that was cancelled at question %d of %d the cost is %.12g, not %.12g", at, whole.Asked(), got.Cost, want.Cost)
		}
	}
	if cancelled < 2 {
		t.Errorf("of %d solves %d are cancelled", parts, cancelled)
	}
}

// Who cancels a solve has the plan before it.
func TestCancelledSolveLeavesThePlan(t *testing.T) {
	c := newClient(t, engine.Options{})
	_, d := c.open(sphere(10))
	ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}})
	push := func() []float64 { return ask[*job.Pushed](c, &job.Push{Values: d.Source}).Values }
	before := push()
	for range 20 { // it may be done before it is cancelled
		ctx, cancel := context.WithCancel(context.Background())
		p := c.start(ctx, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Method: job.Certified, Delta: job.Fraction(0.1), Epsilon: job.Fraction(0.05)}})
		p.wait(t, job.StageExamine)
		cancel()
		if _, cancelled := (<-p.final).(*job.Cancelled); !cancelled {
			ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}})
			continue
		}
		for i, x := range push() {
			if relative(x, before[i]) > 1e-9 {
				t.Fatalf("after a cancelled solve vertex %d is sent %g, before %g", i, x, before[i])
			}
		}
		return
	}
	t.Error("no solve could be cancelled in time")
}

// On a lattice, whose separators have classes of hubs, a member does its part too.
func TestMemberOnALattice(t *testing.T) {
	grid := &job.Generate{Kind: "grid", Params: []job.Param{{Name: "side", Value: 60}}}
	solved := func(team engine.Options) *job.Solved {
		c := newClient(t, team)
		ask[*job.Loaded](c, grid)
		d := ask[*job.Measured](c, &job.Measure{})
		return ask[*job.Solved](c, &job.Solve{
			Source: d.Source, Target: d.Target, MaxIterations: 5, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Precision: job.Float64},
		})
	}
	alone, shared := solved(engine.Options{}), solved(engine.Options{Team: newCrew(1)})
	if shared.Threads != alone.Threads+1 || relative(shared.Cost, alone.Cost) > 1e-12 {
		t.Errorf("with a member %d threads and a cost of %.15g, alone %d and %.15g", shared.Threads, shared.Cost, alone.Threads, alone.Cost)
	}
}
