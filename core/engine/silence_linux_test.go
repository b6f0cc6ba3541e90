package engine_test

import (
	"context"
	"testing"
	"time"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/silence"
	"genussink/core/job"
	"genussink/internal/race"
)

// With one processor, as in a browser, the caller's event loop turns inside
// Err: a long silence would freeze whoever waits for a small answer.
func TestTheCallerIsAsked(t *testing.T) {
	race.Alone(t) // the bar is of time
	shared.OneProcessor(t)
	c := newClient(t, engine.Options{})
	_, d := c.open(sphere(9))
	for _, body := range []job.Body{
		&job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.05)}},
		&job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.05), Method: job.Dense}},
		&job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.05), Method: job.Embedded, Delta: job.Fraction(0.05)}},
		&job.Flow{Particles: 500},
	} {
		ctx := &silence.Context{Context: context.Background()}
		c.e.Run(ctx, job.Request{ID: 1000, Body: body}, func(ev job.Event) {
			if f, ok := ev.Body.(*job.Failed); ok {
				t.Errorf("%T: %+v", body, f)
			}
		})
		t.Logf("%T: asked %d times, longest silence %v", body, ctx.Asked, ctx.Longest)
		if ctx.Asked < 50 || ctx.Longest > 150*time.Millisecond {
			t.Errorf("%T: asked %d times, longest silence %v, broken in\n%s", body, ctx.Asked, ctx.Longest, ctx.Where)
		}
	}
}
