package parallel

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
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

func TestEachStopsWhenCancelled(t *testing.T) {
	for _, workers := range []int{1, 4} {
		ctx, cancel := context.WithCancel(context.Background())
		var done atomic.Int32
		err := Each(ctx, workers, 1000, func(_, _ int) {
			if done.Add(1) == 10 {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) || done.Load() > int32(10+workers) {
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
