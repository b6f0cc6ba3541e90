// Package engine runs job requests on the packages of core and answers with
// job events: the page's Worker and the native tool speak to nothing else.
//
// An Engine is one session. It keeps the mesh that was opened last, with its
// graph, and for that mesh one separator tree, one kernel and the plan solved
// last, each until a request needs another of its kind: a repaint at the same
// epsilon pays for its Sinkhorn iterations alone. It computes in a unit of the mesh's own, a power of two (unit.go):
// results scale with the mesh.
//
// What waits for what: requests that open a mesh wait for each other, in one queue. Requests that make separators or multiply with a kernel
// wait for each other in another queue, in the order in which they came; so do what a lead asks of a member of its team, but for rows.
// Questions about the mesh, a path or a row of the plan are answered at once, whatever else is running. A row waits where members have lost
// their part of its kernel meanwhile. Only Cancel gives up a request that waits or runs, and opening a mesh what still runs on the one before.
package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"genussink/core/job"
	"genussink/core/measure"
	"genussink/core/method"
	"genussink/core/team"
)

// Options of an Engine. The zero value works.
type Options struct {
	MemoryLimit int64                            // bytes that tree and kernel together may hold; 0: 2 GiB, what a browser's tab can spare
	FileLimit   int64                            // bytes that opening a file may take; 0: 20 times the file, up to 1 GB (budget.Of)
	Team        team.Members                     // engines to share tree and kernel with; nil: this process's processors alone
	Now         func() time.Time                 // the clock of timings and of the rate of progress; nil: time.Now
	Files       fs.FS                            // where else to look for files that a mesh refers to, a glTF's buffers; nil: nowhere
	Uncompared  bool                             // solves make no rows of the dense matrix to compare with: DenseSetup and DenseSolve are NaN
	Benchmark   Benchmark                        // what answers job.Benchmark, of which the page's ordinary Worker has none; nil: nothing
	Logf        func(format string, args ...any) // told what a person need not see, such as the stack of a panic; nil: nobody
}

// Benchmark runs methods side by side on a space and tells of each (core/benchmark). Source and target sum to 1. In every component of the
// graph both have the same mass. Lengths are in the space's unit. memory is the most bytes of a kernel.
type Benchmark func(r *method.Run, s *method.Space, asked *job.Benchmark, source, target []float64, memory int64, tell func(*job.Benchmarking)) (*job.Benchmarked, error)

const defaultMemoryLimit = 2 << 30

// Engine is one session. Safe for concurrent use.
type Engine struct {
	fileLimit  int64
	files      fs.FS
	uncompared bool
	benchmark  Benchmark
	now        func() time.Time
	logf       func(format string, args ...any)

	opening, solving queue
	scene            atomic.Pointer[scene] // the open mesh, nil before the first
	machine          method.Machine        // in the queue of solves
	member           team.Member           // of a team that another leads; likewise, but for rows

	mu      sync.Mutex
	running map[uint32]context.CancelFunc
}

// New returns an engine without a mesh.
func New(o Options) *Engine {
	e := &Engine{
		fileLimit: o.FileLimit, files: o.Files, uncompared: o.Uncompared, benchmark: o.Benchmark, now: o.Now, logf: o.Logf,
		opening: make(queue, 1), solving: make(queue, 1),
		running: map[uint32]context.CancelFunc{},
	}
	limit := o.MemoryLimit
	if limit == 0 {
		limit = defaultMemoryLimit
	}
	if e.now == nil {
		e.now = time.Now
	}
	if e.logf == nil {
		e.logf = func(string, ...any) {}
	}
	e.machine = method.Machine{MemoryLimit: limit, Now: e.now, Lead: team.Lead{Members: o.Team, Logf: e.logf}}
	e.member.MemoryLimit = limit
	return e
}

// Run does one request and calls emit with every event in answer to it, the
// final one last, before it returns. Events of one request come one at a time,
// from whichever goroutine has them; those of requests that run side by side
// may come at once. A context that ends cancels the request.
//
// The context's Err is called every few milliseconds from the goroutine that
// computes, also when only Cancel could end the request, so that a
// single-threaded caller can let its event loop run inside it.
func (e *Engine) Run(ctx context.Context, req job.Request, emit func(job.Event)) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	r := e.newRun(requestContext{inner, ctx}, cancel, req.ID, emit)
	if !e.register(req.ID, cancel) {
		r.finish(&job.Failed{Kind: "input", Message: fmt.Sprintf("Request %d is still running; its number cannot be used again.", req.ID)})
		return
	}
	final := e.answer(r, req.Body)
	e.unregister(req.ID)
	r.finish(final)
}

func (e *Engine) register(id uint32, cancel context.CancelFunc) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, taken := e.running[id]; taken {
		return false
	}
	e.running[id] = cancel
	return true
}

func (e *Engine) unregister(id uint32) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.running, id)
}

func (e *Engine) cancel(id uint32) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if cancel := e.running[id]; cancel != nil {
		cancel()
	}
}

// answer turns whatever happens into a final event.
func (e *Engine) answer(r *run, body job.Body) (final job.Body) {
	defer func() {
		if p := recover(); p != nil {
			e.logf("engine: request %d, %T: panic: %v\n%s", r.id, body, p, debug.Stack())
			final = &job.Failed{Kind: "internal", Message: fmt.Sprintf("A fault of ours: %v.", p)}
		}
	}()
	done, err := e.handle(r, body)
	if err == nil {
		return done
	}
	if r.ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return &job.Cancelled{}
	}
	kind := "input"
	var unequal *measure.UnequalError
	switch {
	case method.IsMemory(err):
		kind = "memory"
	case errors.As(err, &unequal):
		kind = "unequal"
	}
	return &job.Failed{Kind: kind, Message: err.Error()}
}

var errNoMesh = errors.New("no mesh is open")

func (e *Engine) handle(r *run, body job.Body) (job.Body, error) {
	switch b := body.(type) {
	case *job.Load:
		return e.load(r, b)
	case *job.Generate:
		return e.generate(r, b)
	case *job.Opened:
		return e.adopt(r, b)
	case *job.Cancel:
		e.cancel(b.Request)
		return &job.Cancelled{}, nil
	case *job.Animate:
		return animate(r, b)
	case *job.Dissect, *job.Hold, *job.Tune, *job.Multiply:
		return e.assist(r, body)
	}
	sc := e.scene.Load()
	if sc == nil {
		return nil, errNoMesh
	}
	// The scene that ends ends the request.
	defer context.AfterFunc(sc.ctx, r.cancel)()
	r.unit = sc.Unit
	switch b := body.(type) {
	case *job.Separate:
		return e.separate(r, sc, b)
	case *job.Sweep:
		return e.sweep(r, sc)
	case *job.Decompose:
		return e.decompose(r, sc, b)
	case *job.Check:
		return sc.checked(b)
	case *job.Measure:
		return sc.measure(b)
	case *job.Paint:
		return sc.paint(r, b)
	case *job.Balance:
		return sc.balance(b)
	case *job.Brush:
		return sc.brush(b)
	case *job.Distance:
		return sc.distance(b)
	case *job.Inspect:
		return sc.inspect(r)
	case *job.Mirror:
		return sc.mirror(r)
	case *job.Shade:
		return sc.shade(r)
	case *job.Solve:
		return e.solve(r, sc, b)
	case *job.Barycentre:
		return e.barycentre(r, sc, b)
	case *job.Benchmark:
		return e.bench(r, sc, b)
	case *job.Minimum:
		return sc.minimum(r, b)
	case *job.Profile:
		return sc.profile(r, b)
	case *job.Polish:
		return e.polish(r, sc, b)
	case *job.Apply:
		return e.apply(r, sc, b)
	case *job.Block:
		return e.block(r, sc, b)
	case *job.Retrace:
		return e.retrace(r, sc)
	case *job.Partners:
		return e.partners(r, sc, b)
	case *job.Push:
		return e.push(r, sc, b)
	case *job.Between:
		return e.between(r, sc, b)
	case *job.Centres:
		return e.centres(r, sc)
	case *job.Draw:
		return e.draw(r, sc, b)
	case *job.Export:
		return e.export(r, sc, b)
	case *job.Flow:
		return e.flow(r, sc, b)
	}
	return nil, fmt.Errorf("%T is not a request", body)
}

// assist answers a lead. It waits in the queue of solves, unless the lead wants a row.
func (e *Engine) assist(r *run, body job.Body) (job.Body, error) {
	if b, ok := team.Beside(body); ok {
		return e.member.Row(r.ctx, b)
	}
	if err := e.solving.enter(r); err != nil {
		return nil, err
	}
	defer e.solving.leave()
	return e.member.Do(r.ctx, body, r.progress)
}

// queue lets one request through at a time. Whoever has to wait says so, as a
// stage of progress.
type queue chan struct{}

func (q queue) enter(r *run) error {
	select {
	case q <- struct{}{}:
		return nil
	default:
	}
	r.progress("waiting", 0)
	select {
	case q <- struct{}{}:
		return nil
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
}

func (q queue) leave() { <-q }

// requestContext is cancelled with its request or with the caller's context.
// It exists because Err of a derived context does not ask its parent, and the
// caller may count on being asked.
type requestContext struct {
	context.Context
	caller context.Context
}

func (c requestContext) Err() error {
	if err := c.caller.Err(); err != nil {
		return err
	}
	return c.Context.Err()
}
