package engine_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"genussink/core/engine"
	"genussink/core/internal/shared/cputime"
	"genussink/core/job"
)

// counting is a caller's context that notes for how much of the processor's
// time it was not asked.
type counting struct {
	context.Context
	asked int
	last  time.Duration
	gap   time.Duration
	where string
}

func (c *counting) Err() error {
	now := cputime.Now()
	if gap := now - c.last; c.asked > 0 && gap > c.gap {
		c.gap = gap
		stack := make([]byte, 2048)
		c.where = string(stack[:runtime.Stack(stack, false)])
	}
	c.asked++
	c.last = now
	return nil
}

// With one processor, as in a browser, the caller's event loop turns inside
// Err: a long silence would freeze whoever waits for a small answer.
func TestTheCallerIsAsked(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	c := newClient(t, engine.Options{})
	_, d := c.open(sphere(9))
	for _, body := range []job.Body{
		&job.Solve{Source: d.Source, Target: d.Target, Epsilon: 0.05},
		&job.Solve{Source: d.Source, Target: d.Target, Epsilon: 0.05, Method: "dense"},
		&job.Solve{Source: d.Source, Target: d.Target, Epsilon: 0.05, Method: "embedded", Delta: 0.05},
		&job.Flow{Particles: 500},
	} {
		ctx := &counting{Context: context.Background()}
		c.e.Run(ctx, job.Request{ID: 1000, Body: body}, func(ev job.Event) {
			if f, ok := ev.Body.(*job.Failed); ok {
				t.Errorf("%T: %+v", body, f)
			}
		})
		t.Logf("%T: asked %d times, longest silence %v", body, ctx.asked, ctx.gap)
		if ctx.asked < 50 || ctx.gap > 150*time.Millisecond {
			t.Errorf("%T: asked %d times, longest silence %v, broken in\n%s", body, ctx.asked, ctx.gap, ctx.where)
		}
	}
}
