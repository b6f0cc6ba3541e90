package parallel

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestEachVisitsEveryPieceOnce(t *testing.T) {
	for _, n := range []int{0, 1, 3, 1000} {
		for _, workers := range []int{1, 4} {
			seen := make([]atomic.Int32, n)
			if err := Each(context.Background(), workers, n, func(w, i int) {
				if w < 0 || w >= workers {
					t.Errorf("worker %d of %d", w, workers)
				}
				seen[i].Add(1)
			}); err != nil {
				t.Fatal(err)
			}
			for i := range seen {
				if c := seen[i].Load(); c != 1 {
					t.Errorf("n=%d workers=%d: piece %d done %d times", n, workers, i, c)
				}
			}
		}
	}
}

// Loops within loops, several at once and one after the other: each piece once, no worker twice at a time, and in
// the end no helper is left.
func TestNestedLoops(t *testing.T) {
	ctx := context.Background()
	var sum atomic.Int64
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			for range 50 {
				_ = Each(ctx, 4, 8, func(_, _ int) {
					var busy [3]atomic.Bool
					_ = Each(ctx, len(busy), 10, func(w, i int) {
						if busy[w].Swap(true) {
							t.Errorf("worker %d has two pieces at a time", w)
						}
						sum.Add(int64(i))
						busy[w].Store(false)
					})
				})
			}
		})
	}
	wait.Wait()
	if want := int64(3 * 50 * 8 * 45); sum.Load() != want {
		t.Errorf("pieces of total %d, want %d", sum.Load(), want)
	}
	for start := time.Now(); helpers.Load() > 0; time.Sleep(linger) {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("%d helpers have not ended", helpers.Load())
		}
	}
	if idle.Load() != 0 || len(promise) != 0 {
		t.Errorf("%d helpers idle, %d promises left", idle.Load(), len(promise))
	}
}

// A loop does not wait for helpers that have not begun when its work is done, and these leave it alone: nothing of it runs once it has returned.
func TestLateHelpers(t *testing.T) {
	const loops, workers = 200, 4
	var late, begun atomic.Int32
	for range loops {
		var returned atomic.Bool
		sideBySide(workers, func(int) {
			begun.Add(1)
			runtime.Gosched()
			if returned.Load() {
				late.Add(1)
			}
		})
		returned.Store(true)
	}
	for start := time.Now(); helpers.Load() > 0; time.Sleep(linger) {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("%d helpers have not ended", helpers.Load())
		}
	}
	if late.Load() > 0 || begun.Load() < loops {
		t.Errorf("%d of %d calls went on after their loop had returned", late.Load(), begun.Load())
	}
}

func TestEachStopsWhenCancelled(t *testing.T) {
	for _, workers := range []int{1, 4} {
		ctx, cancel := context.WithCancel(context.Background())
		var done atomic.Int32
		err := Each(ctx, workers, 1000, func(_, _ int) {
			switch n := done.Add(1); {
			case n == 10:
				cancel()
			case n > 10:
				<-ctx.Done() // under way while it is cancelled
			}
		})
		if !errors.Is(err, context.Canceled) || done.Load() >= int32(10+workers) {
			t.Errorf("workers=%d: %v after %d pieces", workers, err, done.Load())
		}
	}
}

func TestWorkers(t *testing.T) {
	if Workers(0) != 1 || Workers(1) != 1 {
		t.Errorf("Workers(0), Workers(1) = %d, %d", Workers(0), Workers(1))
	}
}

// Whoever calls Each can recover what its body panics with.
func TestPanicComesOut(t *testing.T) {
	for _, workers := range []int{1, 4} {
		func() {
			defer func() {
				if p := recover(); p != "oops" {
					t.Errorf("%d workers: recovered %v", workers, p)
				}
			}()
			_ = Each(context.Background(), workers, 100, func(_, i int) {
				if i == 50 {
					panic("oops")
				}
			})
			t.Errorf("%d workers: no panic", workers)
		}()
	}
}

// Loops of 10,000 exponentials, of 50 us, in several pieces, 100 us after one another.
func BenchmarkEach(b *testing.B) {
	var x, y [10000]float64
	for i := range x {
		x[i] = float64(i % 100)
	}
	for _, pieces := range []int{1, 4, 20} {
		b.Run(fmt.Sprint(pieces), func(b *testing.B) {
			var took time.Duration
			for b.Loop() {
				start := time.Now()
				_ = Each(context.Background(), Workers(pieces), pieces, func(_, p int) {
					from, to := p*len(x)/pieces, (p+1)*len(x)/pieces
					for i, x := range x[from:to] {
						y[from+i] = math.Exp(x)
					}
				})
				took += time.Since(start)
				for start := time.Now(); time.Since(start) < 100*time.Microsecond; {
				}
			}
			b.ReportMetric(float64(took.Microseconds())/float64(b.N), "us/loop")
		})
	}
}
