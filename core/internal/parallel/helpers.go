package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// linger is how long a goroutine stays busy waiting, for work or for others to end theirs, before it lets go of
// its processor. To wake a sleeping one takes as long as 10,000 exponentials (BenchmarkEach), and many a loop
// is shorter than that and follows soon after another.
const linger = 200 * time.Microsecond

// Helpers are the goroutines that work for sideBySide's callers. One that has ended its work looks out for
// more, as long as there are fewer than processors: where loops are nested their work comes first.
var (
	helpers atomic.Int32            // all of them
	idle    atomic.Int32            // those that look out for work and have not been promised any
	promise = make(chan func(), 64) // one for each that has been
)

// closed is more than the helpers that a loop can have.
const closed = 1 << 32

// sideBySide calls work(0), and lets helpers call work(w), one for each w in [1, workers). When work(0) has returned all work is done or begun: a helper that
// has not begun is left out, and the others are waited for. work must not panic.
func sideBySide(workers int, work func(w int)) {
	var inside atomic.Int64 // the helpers at work; minus closed when no other may begin
	var asleep atomic.Bool  // the caller: it has waited long
	var wait sync.WaitGroup // for the last one inside
	wait.Add(1)
	for w := 1; w < workers; w++ {
		help(func() {
			for n := inside.Load(); ; n = inside.Load() {
				if n < 0 {
					return
				}
				if inside.CompareAndSwap(n, n+1) {
					break
				}
			}
			work(w)
			if inside.Add(-1) == -closed {
				wait.Done()
			}
			if asleep.Load() {
				runtime.Gosched() // the caller may have to run here
			}
		})
	}
	work(0)
	if inside.Add(-closed) == -closed {
		return
	}
	for start := time.Now(); inside.Load() > -closed; {
		if time.Since(start) > linger {
			asleep.Store(true)
			wait.Wait()
			return
		}
	}
}

// help gives work to an idle helper. If none is idle it starts one, unless there are many already.
func help(work func()) {
	if claim() {
		promise <- work
		return
	}
	if int(helpers.Load()) >= 4*runtime.GOMAXPROCS(0) {
		return
	}
	helpers.Add(1)
	go func() {
		for work != nil {
			work()
			work = next()
		}
		helpers.Add(-1)
	}()
}

// next is more work for a helper; nil: there is none.
func next() func() {
	if int(helpers.Load()) >= runtime.GOMAXPROCS(0) {
		return nil
	}
	idle.Add(1)
	for start := time.Now(); time.Since(start) < linger; {
		for range 100 {
			if len(promise) > 0 {
				select {
				case work := <-promise:
					return work
				default: // another helper was quicker
				}
			}
		}
	}
	if claim() {
		return nil
	}
	return <-promise // all the idle ones have been promised work, this one too
}

// claim makes an idle helper no longer idle. False: there is none.
func claim() bool {
	for n := idle.Load(); n > 0; n = idle.Load() {
		if idle.CompareAndSwap(n, n-1) {
			return true
		}
	}
	return false
}
