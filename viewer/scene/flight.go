package scene

import (
	"slices"

	"genussink/core/job"
)

// kind is what a request is for. Of each kind at most one is under way.
type kind int

// The kinds. What a person waits for comes first, what the status line names first before what it names later.
const (
	toOpen kind = iota
	toSolve
	toSeparate
	toMeasure // a preset, masses that are balanced, or densities that are made anew
	toSweep
	toRefine // behind a quick answer
	toFlow

	toExamine
	toPolish
	toWalk // between two vertices
	toDecompose

	toBrush // from here on answers follow the pointer: Cancel leaves them alone
	toPartners
	kindCount
)

// sentences are the status line's while a request is under way; those without one leave it alone.
var sentences = [kindCount]string{
	toOpen:     "Opening the mesh…",
	toSolve:    "Solving…",
	toSeparate: "Separating the mesh…",
	toMeasure:  "Making the densities…",
	toSweep:    "Listing separators by size and balance…",
	toRefine:   "Estimated; refining…",
	toFlow:     "Drawing paths from the plan…",
}

// flight are the requests under way.
type flight struct {
	outbox  []job.Request
	lastID  uint32
	pending map[uint32]question
	ids     [kindCount]uint32 // 0: none of that kind
	retried [kindCount]bool   // what a Worker has died of since the person last asked for something
}

// question is a request that awaits its final event.
type question struct {
	kind kind
	body job.Body
}

// has says whether a request of one of these kinds is under way.
func (f *flight) has(kinds ...kind) bool {
	return slices.ContainsFunc(kinds, func(k kind) bool { return f.ids[k] != 0 })
}

// number is a new id; ids may wrap, 0 means none.
func (f *flight) number() uint32 {
	if f.lastID++; f.lastID == 0 {
		f.lastID++
	}
	return f.lastID
}

// send queues a request and remembers it until its final event.
func (f *flight) send(k kind, body job.Body) {
	id := f.number()
	f.await(id, question{k, body})
	f.outbox = append(f.outbox, job.Request{ID: id, Body: body})
}

// await remembers a request.
func (f *flight) await(id uint32, q question) {
	if f.pending == nil {
		f.pending = map[uint32]question{}
	}
	f.pending[id], f.ids[q.kind] = q, id
}

// end forgets a request.
func (f *flight) end(id uint32) {
	if k := f.pending[id].kind; f.ids[k] == id {
		f.ids[k] = 0
	}
	delete(f.pending, id)
}

// drop forgets the request of a kind, asks the engine to stop it, and says whether there was one.
func (f *flight) drop(k kind) bool {
	id := f.ids[k]
	if id == 0 {
		return false
	}
	f.end(id)
	f.outbox = append(f.outbox, job.Request{ID: f.number(), Body: &job.Cancel{Request: id}})
	return true
}

// forget forgets all requests: they concern a mesh that is gone.
func (f *flight) forget() {
	clear(f.pending)
	f.ids, f.retried = [kindCount]uint32{}, [kindCount]bool{}
}

// send queues a request.
func (s *Scene) send(k kind, body job.Body) {
	s.flight.send(k, body)
	s.changed()
}

// drop ends the request of a kind.
func (s *Scene) drop(k kind) {
	if s.flight.drop(k) {
		s.changed()
	}
}
