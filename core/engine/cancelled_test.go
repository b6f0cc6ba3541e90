package engine_test

import (
	"context"
	"os"
	"testing"
	"time"

	"genussink/core/engine"
	"genussink/core/job"
)

// slow is a crew whose member is slow with one subtree of labels: the lead has done all the rest by then. The solve is cancelled meanwhile.
type slow struct {
	*crew
	at, seen int // of the subtrees asked for
	cancel   context.CancelFunc
}

func (f *slow) Call(ctx context.Context, member int, request job.Body) (job.Body, error) {
	if rows, ok := request.(*job.Rows); ok && len(rows.Sizes) > 0 && f.cancel != nil {
		f.mu.Lock()
		f.seen++
		now := f.seen == f.at
		f.mu.Unlock()
		if now {
			time.Sleep(100 * time.Millisecond)
			f.cancel()
			<-ctx.Done()
			return nil, ctx.Err()
		}
	}
	return f.crew.Call(ctx, member, request)
}

// A solve that is cancelled while labels are computed leaves none that lack some: the next solve finds what a fresh engine finds.
func TestSolveAfterCancelledLabels(t *testing.T) {
	data, err := os.ReadFile("../../assets/meshes/cat.glb")
	if err != nil {
		t.Fatal(err)
	}
	load := &job.Load{Name: "cat.glb", Data: data}
	fresh := newClient(t, engine.Options{})
	_, d := fresh.open(load)
	certified := &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Method: job.Certified, Delta: job.Fraction(0.05), Epsilon: job.Fraction(0.1)}}
	exact := &job.Solve{Source: d.Source, Target: d.Target, Reach: job.Fraction(0.2), KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1)}}
	want := ask[*job.Solved](fresh, exact)
	for at := 1; ; at++ {
		f := &slow{crew: newCrew(1), at: at}
		c := newClient(t, engine.Options{Team: f})
		c.open(load)
		ask[*job.Solved](c, certified) // its labels are of float32, those of exact are computed anew
		ctx, cancel := context.WithCancel(context.Background())
		f.cancel = cancel
		first := <-c.start(ctx, exact).final
		cancel()
		if f.cancel = nil; f.seen < at {
			if at == 1 {
				t.Error("no subtree was asked for")
			}
			break
		}
		if _, cancelled := first.(*job.Cancelled); !cancelled {
			t.Errorf("cancelled while the member has subtree %d: the solve ends in %T", at, first)
		}
		if got := ask[*job.Solved](c, exact); relative(got.Cost, want.Cost) > 1e-12 {
			t.Errorf("after a solve that was cancelled while the member had subtree %d the cost is %.12g, not %.12g", at, got.Cost, want.Cost)
		}
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
