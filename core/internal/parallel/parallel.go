// Package parallel spreads independent pieces of work over the processors.
// With one processor, as in WebAssembly, it is a plain loop.
package parallel

import (
	"context"
	"runtime"
	"sync/atomic"
)

// Workers is how many workers Each uses for n pieces: size per-worker scratch
// space by it. At least 1.
func Workers(n int) int { return max(1, min(runtime.GOMAXPROCS(0), n)) }

// Each calls body(worker, i) once for every i in [0, n), in ascending order of
// start, with 0 <= worker < workers; calls with the same worker do not overlap.
// It asks ctx before every call and returns its error as soon as it has one,
// after the calls under way have ended. A panic of body comes out of Each.
func Each(ctx context.Context, workers, n int, body func(worker, i int)) error {
	if workers <= 1 {
		for i := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			body(0, i)
		}
		return nil
	}
	return spread(ctx, workers, n, body)
}

func spread(ctx context.Context, workers, n int, body func(worker, i int)) error {
	var next atomic.Int64
	var stopped atomic.Bool
	var fault atomic.Pointer[any] // the first panic: in a goroutine nobody could recover it
	work := func(w int) {
		defer func() {
			if p := recover(); p != nil {
				fault.CompareAndSwap(nil, &p)
				next.Store(int64(n))
			}
		}()
		for {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if ctx.Err() != nil {
				stopped.Store(true)
				return
			}
			body(w, i)
		}
	}
	sideBySide(workers, work)
	if p := fault.Load(); p != nil {
		panic(*p)
	}
	if stopped.Load() {
		return ctx.Err()
	}
	return nil
}
