//go:build js

package port

import (
	"context"
	"slices"
	"syscall/js"
	"time"

	"genussink/core/job"
	"genussink/wasm/internal/dom"
)

// Run does one request and emits its events, the last of them exactly once.
type Run func(ctx context.Context, r job.Request, emit func(job.Event))

// Serve answers the requests that arrive at a Worker's port and never returns.
// Requests run side by side, as run allows; but one that opens a mesh holds back
// those after it, which speak of that mesh. Go has one thread here and
// nothing arrives while it computes, so the context given to run lets the
// event loop turn whenever its Err method is asked and Slice has passed: that
// is how a Cancel gets through. team gets the helpers that the pool introduces.
func Serve(port js.Value, team *Team, run Run) {
	dom.Fault = func(message string) { panic(message) } // a Worker that is broken ends, and is replaced
	s := &server{run: run, team: team, loop: newLoop()}
	s.attach(port)
	port.Call("postMessage", map[string]any{"pulse": true}) // it has started
	select {}
}

type server struct {
	run     Run
	team    *Team
	running []*question
	waiting []*question
	opening bool // one that opens a mesh is running
	lastID  uint32
	loop    *loop
}

// question is a request and the port that its answer goes to.
type question struct {
	job.Request
	port   js.Value
	cancel context.CancelFunc // while it runs
}

// attach listens at a port: the page's, or the lead's on a helper.
func (s *server) attach(port js.Value) {
	dom.Listen(port, "message", func(e js.Value) {
		data := e.Get("data")
		switch {
		case data.Get("pulse").Truthy():
			port.Call("postMessage", map[string]any{"pulse": true})
		case data.Get("lead").Truthy():
			s.attach(data.Get("port"))
		case data.Get("helper").Type() == js.TypeNumber:
			s.team.add(data.Get("helper").Int(), data.Get("port"))
		default:
			s.receive(port, dom.Bytes(data.Get("frame")))
		}
	})
	port.Call("start")
}

func (s *server) receive(port js.Value, frame []byte) {
	id, body, err := job.Decode(frame)
	if err != nil {
		post(port, id, &job.Failed{Kind: "internal", Message: err.Error()})
		return
	}
	if c, ok := body.(*job.Cancel); ok {
		s.stop(port, c.Request)
		return
	}
	s.waiting = append(s.waiting, &question{Request: job.Request{ID: id, Body: body}, port: port})
	s.proceed()
}

// stop cancels a request that runs, or takes one that waits out of the queue.
func (s *server) stop(port js.Value, id uint32) {
	for _, q := range s.running {
		if q.ID == id && q.port.Equal(port) {
			q.cancel()
		}
	}
	s.waiting = slices.DeleteFunc(s.waiting, func(q *question) bool {
		if q.ID != id || !q.port.Equal(port) {
			return false
		}
		post(port, id, &job.Cancelled{})
		return true
	})
}

// proceed starts what need not wait.
func (s *server) proceed() {
	for len(s.waiting) > 0 && !s.opening {
		q := s.waiting[0]
		s.waiting = s.waiting[1:]
		s.running = append(s.running, q)
		s.opening = isMesh(q.Body)
		var ctx context.Context
		ctx, q.cancel = context.WithCancel(context.Background())
		go s.answer(ctx, q)
	}
}

// isMesh says whether a request opens a mesh.
func isMesh(b job.Body) bool {
	switch b.(type) {
	case *job.Load, *job.Generate, *job.Opened:
		return true
	}
	return false
}

func (s *server) answer(ctx context.Context, q *question) {
	// Two ports may use the same id; run sees ours.
	s.lastID++
	r := job.Request{ID: s.lastID, Body: q.Body}
	s.run(&yielding{Context: ctx, loop: s.loop, team: s.team}, r, func(e job.Event) { post(q.port, q.ID, e.Body) })
	q.cancel()
	s.running = slices.DeleteFunc(s.running, func(other *question) bool { return other == q })
	if isMesh(q.Body) {
		s.opening = false
	}
	s.proceed()
}

// Slice is how long a computation may keep the event loop waiting.
const Slice = 15 * time.Millisecond

// yielding is the context of a computation. A computation calls its Err often.
type yielding struct {
	context.Context
	loop *loop
	team *Team
}

// Err yields to the event loop when it is time to, then reports what
// happened meanwhile.
func (y *yielding) Err() error {
	if time.Since(y.loop.last) > Slice {
		for before := -1; before != y.team.answers; { // a turn may bring one of several, and helpers wait till they are taken
			before = y.team.answers
			y.loop.turn()
		}
	}
	return y.Context.Err()
}

// loop waits for one turn of the event loop, by a message to itself: a timer
// would be held back to 4 ms, a message takes a quarter of one.
type loop struct {
	here, there js.Value
	waiting     []chan struct{}
	last        time.Time // when a turn began: another goroutine need not wait for one as well
}

func newLoop() *loop {
	channel := js.Global().Get("MessageChannel").New()
	l := &loop{here: channel.Get("port1"), there: channel.Get("port2")}
	dom.Listen(l.here, "message", func(js.Value) {
		first := l.waiting[0]
		l.waiting = l.waiting[1:]
		close(first)
	})
	l.here.Call("start")
	return l
}

func (l *loop) turn() {
	done := make(chan struct{})
	l.last = time.Now()
	l.waiting = append(l.waiting, done)
	l.there.Call("postMessage", js.Null())
	<-done
	l.last = time.Now()
}
