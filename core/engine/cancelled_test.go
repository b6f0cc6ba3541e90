package engine_test

import (
	"context"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
)

// A solve that is cancelled while labels are computed leaves none that lack some: the next solve finds what a fresh engine finds.
func TestSolveAfterCancelledLabels(t *testing.T) {
	fresh, c := newClient(t, engine.Options{}), newClient(t, engine.Options{})
	_, d := fresh.open(sphere(20))
	exact := &job.Solve{Source: d.Source, Target: d.Target, Reach: job.Fraction(0.2), KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1)}}
	want := ask[*job.Solved](fresh, exact)
	c.open(sphere(20))
	for range 20 { // they may be done before it is cancelled
		p := c.start(context.Background(), exact)
		p.wait(t, job.StageLabels)
		c.do(&job.Cancel{Request: p.id})
		_, cancelled := (<-p.final).(*job.Cancelled)
		if got := ask[*job.Solved](c, exact); relative(got.Cost, want.Cost) > 1e-12 {
			t.Errorf("after a solve that was cancelled the cost is %.12g, not %.12g", got.Cost, want.Cost)
		}
		if cancelled {
			return
		}
		c.open(sphere(20))
	}
	t.Error("no solve could be cancelled in time")
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
