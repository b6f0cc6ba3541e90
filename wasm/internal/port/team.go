//go:build js

package port

import (
	"context"
	"errors"
	"fmt"
	"syscall/js"

	"genussink/core/job"
	"genussink/wasm/internal/dom"
)

// Team is the lead's end of the lines to its helpers: Workers that compute
// parts of its jobs. It is the engine's team in the browser.
type Team struct {
	members []*member
	answers int // that have arrived
}

type member struct {
	port    js.Value
	next    uint32
	waiting map[uint32]chan job.Body
}

// errReplaced ends what a helper owed when it was replaced.
var errReplaced = errors.New("a helping Worker was replaced")

// add takes a line to helper i, in place of the one it had.
func (t *Team) add(i int, port js.Value) {
	for len(t.members) <= i {
		t.members = append(t.members, nil)
	}
	if old := t.members[i]; old != nil {
		for _, c := range old.waiting {
			close(c)
		}
		old.port.Call("close")
	}
	m := &member{port: port, waiting: map[uint32]chan job.Body{}}
	dom.Listen(port, "message", func(e js.Value) {
		t.answers++
		id, body, err := job.Decode(dom.Bytes(e.Get("data").Get("frame")))
		if err != nil {
			body = &job.Failed{Kind: "internal", Message: err.Error()}
		}
		if job.Interim(body) {
			return
		}
		if c, ok := m.waiting[id]; ok {
			delete(m.waiting, id)
			c <- body
		}
	})
	port.Call("start")
	t.members[i] = m
}

// Size is the number of helpers.
func (t *Team) Size() int { return len(t.members) }

// Call asks helper i and waits for its last event; ctx ends the wait, and the
// helper's work.
func (t *Team) Call(ctx context.Context, i int, body job.Body) (job.Body, error) {
	m := t.members[i]
	m.next++
	id := m.next
	answer := make(chan job.Body, 1)
	m.waiting[id] = answer
	post(m.port, id, body)
	select {
	case <-ctx.Done():
		delete(m.waiting, id)
		post(m.port, id, &job.Cancel{Request: id})
		return nil, ctx.Err()
	case b, ok := <-answer:
		if !ok {
			return nil, errReplaced
		}
		switch b := b.(type) {
		case *job.Failed:
			return nil, fmt.Errorf("a helping Worker: %s", b.Message)
		case *job.Cancelled:
			return nil, context.Canceled
		default:
			return b, nil
		}
	}
}
