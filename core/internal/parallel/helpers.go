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

// sideBySide calls work(w) for every w in [0, workers), the first itself. work must not panic.
func sideBySide(workers int, work func(w int)) {
	var left atomic.Int32
	var asleep atomic.Bool // the caller: it has waited long
	var wait sync.WaitGroup
	left.Store(int32(workers - 1))
	wait.Add(workers - 1)
	for w := 1; w < workers; w++ {
		help(func() {
			work(w)
			left.Add(-1)
			wait.Done()
			if asleep.Load() {
				runtime.Gosched() // the caller may have to run here
			}
		})
	}
	work(0)
	for start := time.Now(); left.Load() > 0 && time.Since(start) < linger; {
	}
	asleep.Store(true)
	wait.Wait()
}

// help has work done by a helper, a new one if none is idle.
func help(work func()) {
	if claim() {
		promise <- work
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
