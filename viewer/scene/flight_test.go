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
	solve, flow := f.ids[toSolve], f.ids[toFlow]
	if solve != math.MaxUint32 || flow != 1 || !f.has(toOpen, toFlow) || f.has(toOpen, toSweep) {
		t.Fatalf("ids %d and %d, %v", solve, flow, f.ids)
	}
	f.end(solve)
	if f.has(toSolve) || len(f.pending) != 1 || f.drop(toSolve) || len(f.outbox) != 2 {
		t.Errorf("after its end: %v, %d requests out", f.ids, len(f.outbox))
	}
	if !f.drop(toFlow) || f.has(toFlow) || len(f.outbox) != 3 || f.outbox[2].Body.(*job.Cancel).Request != flow {
		t.Errorf("dropped: %v, out %v", f.ids, f.outbox)
	}
	// The end of a request that another of its kind has taken the place of ends nothing else.
	f.send(toSweep, &job.Sweep{})
	before := f.ids[toSweep]
	f.send(toSweep, &job.Sweep{})
	if f.end(before); !f.has(toSweep) {
		t.Error("the later request is forgotten with the one before")
	}
	f.retried[toSolve] = true
	if f.forget(); f.has(toSweep) || len(f.pending) != 0 || f.retried[toSolve] || len(f.outbox) == 0 {
		t.Errorf("forgotten: %+v", f)
	}
}
