package engine

import (
	"context"
	"sync"
	"time"

	"genussink/core/job"
	"genussink/core/method"
)

// progressInterval is the least time between two Progress events of a stage. A person follows
// five a second, and for each a browser lays out and composes its panel anew, on the processors that compute.
const progressInterval = 200 * time.Millisecond

// run is one request under way.
type run struct {
	e      *Engine
	ctx    context.Context
	cancel context.CancelFunc
	id     uint32
	emit   func(job.Event)
	unit   method.Unit // of the scene that it is about

	method.Run

	mu       sync.Mutex // of what follows, and of the order of events
	finished bool
	stage    string             // said last
	furthest map[string]float64 // what was said of each stage
	said     time.Time
}

func (e *Engine) newRun(ctx context.Context, cancel context.CancelFunc, id uint32, emit func(job.Event)) *run {
	r := &run{e: e, ctx: ctx, cancel: cancel, id: id, emit: emit}
	r.Run = method.Run{Context: ctx, Now: e.now, Progress: r.progress}
	return r
}

// progress reports how far a stage has come. It is silent within progressInterval of its last report on the same stage, and where the fraction
// would decrease. Safe for concurrent use.
func (r *run) progress(stage string, fraction float64) {
	fraction = min(max(fraction, 0), 1)
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.e.now()
	before, known := r.furthest[stage]
	if r.finished || known && !(fraction > before) || stage == r.stage && now.Sub(r.said) < progressInterval {
		return
	}
	if !known && r.furthest == nil {
		r.furthest = map[string]float64{}
	}
	r.stage, r.furthest[stage], r.said = stage, fraction, now
	r.emit(job.Event{ID: r.id, Body: &job.Progress{Stage: stage, Fraction: fraction}})
}

// tell says something that is neither progress nor the end.
func (r *run) tell(b job.Body) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.finished {
		r.emit(job.Event{ID: r.id, Body: say(r.unit, b)})
	}
}

func (r *run) finish(final job.Body) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finished = true
	r.emit(job.Event{ID: r.id, Body: say(r.unit, final)})
}
