package linoptest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"genussink/core/linop"
)

// Countdown is a context that is cancelled after it has been asked so many times whether it has ended. Any number of
// goroutines may ask.
type Countdown struct {
	context.Context
	left  atomic.Int64
	asked atomic.Int64
	done  chan struct{}
}

// NewCountdown is cancelled when it is asked for the time after calls. Negative: never.
func NewCountdown(calls int) *Countdown {
	c := &Countdown{Context: context.Background(), done: make(chan struct{})}
	c.left.Store(int64(calls))
	if calls < 0 {
		c.left.Store(1 << 62)
	}
	return c
}

// Err is context.Canceled once it has been asked often enough.
func (c *Countdown) Err() error {
	c.asked.Add(1)
	left := c.left.Add(-1)
	if left == -1 {
		close(c.done)
	}
	if left < 0 {
		return context.Canceled
	}
	return nil
}

// Done is closed when Err begins to return an error.
func (c *Countdown) Done() <-chan struct{} { return c.done }

// Asked is how often it has been asked.
func (c *Countdown) Asked() int { return int(c.asked.Load()) }

// Call is a function that takes a context, with arguments that suit it.
type Call struct {
	Name string
	// Do returns whether there is an answer besides the error.
	Do func(ctx context.Context) (answer bool, err error)
}

// Slice is a call that answers with a slice.
func Slice[T any](name string, f func(ctx context.Context) ([]T, error)) Call {
	return Call{name, func(ctx context.Context) (bool, error) {
		y, err := f(ctx)
		return y != nil, err
	}}
}

// Number is a call that answers with a number above 0.
func Number(name string, f func(ctx context.Context) (float64, error)) Call {
	return Call{name, func(ctx context.Context) (bool, error) {
		y, err := f(ctx)
		return y != 0, err
	}}
}

// Calls are all of a kernel's methods that take a context, and what the functions of linop make of them.
func Calls(k linop.Kernel, epsilon float64) []Call {
	n, _ := k.Dims()
	u, v, logu := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range u {
		u[i], v[i], logu[i] = 1+float64(i%3), 2-float64(i%2), float64(i%5)-2
	}
	draw := func(name string, product func(ctx context.Context, dst, x []float64) ([]float64, error), x []float64) Call {
		return Call{name, func(ctx context.Context) (bool, error) {
			if _, err := product(context.Background(), nil, x); err != nil {
				return false, err
			}
			sources, share := make([]int32, 40), make([]float64, 40)
			for i := range sources {
				sources[i], share[i] = int32(i*i%n), float64(i)/40
			}
			targets, dist, err := linop.Draw(ctx, k, sources, share)
			return targets != nil || dist != nil, err
		}}
	}
	calls := []Call{
		Slice("MulVec", func(ctx context.Context) ([]float64, error) { return k.MulVec(ctx, nil, u) }),
		Slice("LogMulVec", func(ctx context.Context) ([]float64, error) { return k.LogMulVec(ctx, nil, logu) }),
		Number("PlanCost", func(ctx context.Context) (float64, error) { return k.PlanCost(ctx, logu, logu) }),
		Number("MulPlan", func(ctx context.Context) (float64, error) {
			return linop.MulPlan(ctx, k, make([]float64, n), make([]float64, n), u, v)
		}),
	}
	if n > 0 {
		calls = append(calls,
			Slice("Distances", func(ctx context.Context) ([]float64, error) { return k.Distances(ctx, nil, n/2) }),
			Slice("Row", func(ctx context.Context) ([]float64, error) { return linop.Row(ctx, k, epsilon, nil, n/2) }),
			draw("Draw", k.MulVec, u),
			draw("Draw in logarithms", k.LogMulVec, logu),
		)
	}
	return calls
}

// GivenUp checks that a call gives up with its context: ended before, or while the call works, the first time that it looks, the
// second, and so on. Depths far apart are few. Then it has the context's error and no answer.
func GivenUp(t testing.TB, c Call) {
	t.Helper()
	all := NewCountdown(-1)
	if _, err := c.Do(all); err != nil {
		t.Errorf("%s: %v", c.Name, err)
		return
	}
	if all.Asked() == 0 {
		t.Errorf("%s does not ask its context", c.Name)
	}
	for at := 0; at < all.Asked(); at += 1 + at/4 {
		ctx := NewCountdown(at)
		answer, err := c.Do(ctx)
		if ctx.Asked() <= at && err == nil {
			continue // where goroutines race it may be asked less often
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled when it asked for the time %d of %d, it returns the error %v", c.Name, at+1, all.Asked(), err)
			return
		}
		if answer {
			t.Errorf("%s: cancelled when it asked for the time %d of %d, it returns an answer", c.Name, at+1, all.Asked())
			return
		}
	}
}

// Cancelled checks that every method of a kernel gives up with its context, and that the next product is what it was before.
func Cancelled(t testing.TB, k linop.Kernel, epsilon float64) {
	t.Helper()
	n, _ := k.Dims()
	x, logx := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], logx[i] = float64(i%7), float64(i%4)
	}
	sure := Must(t, k)
	plain, logs := sure.MulVec(nil, x), sure.LogMulVec(nil, logx)
	same := func(what string) {
		for _, p := range []struct {
			name      string
			want, got []float64
		}{{"MulVec", plain, sure.MulVec(nil, x)}, {"LogMulVec", logs, sure.LogMulVec(nil, logx)}} {
			for i, want := range p.want {
				if p.got[i] != want {
					t.Fatalf("%s after a cancelled %s: element %d is %v, was %v", p.name, what, i, p.got[i], want)
				}
			}
		}
	}
	for _, c := range Calls(k, epsilon) {
		GivenUp(t, c)
		same(c.Name)
	}
}

// T is what of a test is needed; a *rapid.T is one too.
type T interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// Value is an answer in a test, which fails where there is an error instead: Value(plan.Push(ctx, nil, x))(t).
func Value[A any](answer A, err error) func(t T) A {
	return func(t T) A {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
}

// Sure has the methods of a kernel without context and error: a test fails where they fail.
type Sure struct {
	t T
	k linop.Kernel
}

// Must makes the methods of a kernel fail the test where they fail.
func Must(t T, k linop.Kernel) Sure { return Sure{t, k} }

// MulVec is that of the kernel.
func (s Sure) MulVec(dst, x []float64) []float64 {
	s.t.Helper()
	return Value(s.k.MulVec(context.Background(), dst, x))(s.t)
}

// LogMulVec is that of the kernel.
func (s Sure) LogMulVec(dst, x []float64) []float64 {
	s.t.Helper()
	return Value(s.k.LogMulVec(context.Background(), dst, x))(s.t)
}

// PlanCost is that of the kernel.
func (s Sure) PlanCost(logu, logv []float64) float64 {
	s.t.Helper()
	return Value(s.k.PlanCost(context.Background(), logu, logv))(s.t)
}

// MulPlan is linop.MulPlan.
func (s Sure) MulPlan(ku, kv, u, v []float64) float64 {
	s.t.Helper()
	return Value(linop.MulPlan(context.Background(), s.k, ku, kv, u, v))(s.t)
}

// Distances is that of the kernel.
func (s Sure) Distances(dst []float64, i int) []float64 {
	s.t.Helper()
	return Value(s.k.Distances(context.Background(), dst, i))(s.t)
}

// Row is linop.Row.
func (s Sure) Row(epsilon float64, dst []float64, i int) []float64 {
	s.t.Helper()
	return Value(linop.Row(context.Background(), s.k, epsilon, dst, i))(s.t)
}

// Draw is linop.Draw.
func (s Sure) Draw(sources []int32, u []float64) (targets []int32, dist []float64) {
	s.t.Helper()
	targets, dist, err := linop.Draw(context.Background(), s.k, sources, u)
	if err != nil {
		s.t.Fatal(err)
	}
	return targets, dist
}
