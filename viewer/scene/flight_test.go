package scene

import (
	"math"
	"testing"

	"genussink/core/job"
)

// One request of a kind is under way; ids are never 0, and a cancel names what it ends.
func TestFlight(t *testing.T) {
	f := flight{lastID: math.MaxUint32 - 1}
	f.send(toSolve, &job.Solve{})
	f.send(toFlow, &job.Flow{})
	solve, flow := f.asked[toSolve], f.asked[toFlow]
	if solve.id != math.MaxUint32 || flow.id != 1 || !f.has(toOpen, toFlow) || f.has(toOpen, toSweep) {
		t.Fatalf("ids %d and %d, %v", solve.id, flow.id, f.asked)
	}
	if q, ok := f.with(flow.id); !ok || q.kind != toFlow {
		t.Errorf("with the id %d: %v", flow.id, q)
	}
	f.end(solve)
	if _, ok := f.with(solve.id); ok || f.has(toSolve) || !f.has(toFlow) || f.drop(toSolve) || len(f.outbox) != 2 {
		t.Errorf("after its end: %v, %d requests out", f.asked, len(f.outbox))
	}
	if !f.drop(toFlow) || f.has(toFlow) || len(f.outbox) != 3 || f.outbox[2].Body.(*job.Cancel).Request != flow.id {
		t.Errorf("dropped: %v, out %v", f.asked, f.outbox)
	}
	// A request that another of its kind has taken the place of is awaited no more.
	f.send(toSweep, &job.Sweep{})
	before := f.asked[toSweep]
	f.send(toSweep, &job.Sweep{})
	if _, ok := f.with(before.id); ok || !f.has(toSweep) {
		t.Error("the earlier request is awaited beside the later one")
	}
	f.retried[toSolve] = true
	if f.forget(); f.has(toSweep) || f.retried[toSolve] || len(f.outbox) == 0 {
		t.Errorf("forgotten: %+v", f)
	}
	if _, ok := f.with(0); ok {
		t.Error("the id 0 is awaited")
	}
}
