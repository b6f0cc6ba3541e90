package linoptest

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"testing"

	"genussink/core/linop"
)

// plain is a kernel by the definitions, and the base of the broken ones.
type plain struct {
	d       [][]float64
	epsilon float64
}

func (p *plain) Dims() (rows, cols int) { return len(p.d), len(p.d) }

func (p *plain) room(dst, x []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(p.d))
	}
	if len(dst) != len(p.d) || len(x) != len(p.d) {
		panic("plain: wrong length")
	}
	return dst
}

func (p *plain) multiply(dst, x []float64) []float64 {
	dst = p.room(dst, x)
	for i, row := range p.d {
		dst[i] = 0
		for j, d := range row {
			dst[i] += math.Exp(-d/p.epsilon) * x[j]
		}
	}
	return dst
}

func (p *plain) log(dst, x []float64) []float64 {
	dst = p.room(dst, x)
	for i, row := range p.d {
		dst[i] = logSum(x, row, func(d float64) float64 { return -d / p.epsilon })
	}
	return dst
}

func (p *plain) cost(u, v []float64) float64 {
	p.room(nil, u)
	p.room(nil, v)
	sum := 0.0
	for i, row := range p.d {
		for j, d := range row {
			if d < math.Inf(1) {
				sum += d * math.Exp(u[i]+v[j]-d/p.epsilon)
			}
		}
	}
	return sum
}

func (p *plain) row(dst []float64, i int) []float64 {
	dst = p.room(dst, p.d[i])
	copy(dst, p.d[i])
	return dst
}

// unless is the answer unless ctx has ended.
func unless[T any](ctx context.Context, answer T) (T, error) {
	if err := ctx.Err(); err != nil {
		var none T
		return none, err
	}
	return answer, nil
}

func (p *plain) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	return unless(ctx, p.multiply(dst, x))
}

func (p *plain) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	return unless(ctx, p.log(dst, x))
}

func (p *plain) PlanCost(ctx context.Context, u, v []float64) (float64, error) {
	return unless(ctx, p.cost(u, v))
}

func (p *plain) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return unless(ctx, p.row(dst, i))
}

func (p *plain) LogFloor() float64 {
	far := 0.0
	for _, row := range p.d {
		for _, d := range row {
			if d < math.Inf(1) {
				far = max(far, d)
			}
		}
	}
	return -far / p.epsilon
}

// line is n points on a line, the last one apart.
func line(n int, epsilon float64) *plain {
	p := &plain{epsilon: epsilon}
	for i := range n {
		p.d = append(p.d, make([]float64, n))
		for j := range n {
			p.d[i][j] = math.Abs(float64(i-j)) / 10
			if i != j && max(i, j) == n-1 {
				p.d[i][j] = math.Inf(1)
			}
		}
	}
	return p
}

func TestKernelAcceptsTheDefinition(t *testing.T) {
	for _, n := range []int{0, 1, 2, 30} {
		for _, epsilon := range []float64{1e-3, 0.5, 100} {
			Kernel(t, line(n, epsilon), epsilon)
		}
	}
}

// recorder takes note of failures.
type recorder struct {
	testing.TB
	messages []string
}

func (r *recorder) Errorf(format string, a ...any) {
	r.messages = append(r.messages, fmt.Sprintf(format, a...))
}
func (r *recorder) Error(a ...any) { r.messages = append(r.messages, fmt.Sprint(a...)) }
func (r *recorder) Fatalf(format string, a ...any) {
	r.Errorf(format, a...)
	runtime.Goexit()
}

// broken overrides some of plain.
type broken struct {
	*plain
	multiply, adjoint, log func(dst, x []float64) []float64
	cost                   func(u, v []float64) float64
	row                    func(dst []float64, i int) []float64
	floor                  func() float64
}

func (b *broken) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	if b.multiply != nil {
		return unless(ctx, b.multiply(dst, x))
	}
	return b.plain.MulVec(ctx, dst, x)
}

func (b *broken) MulVecT(ctx context.Context, dst, x []float64) ([]float64, error) {
	if b.adjoint != nil {
		return unless(ctx, b.adjoint(dst, x))
	}
	return b.plain.MulVec(ctx, dst, x)
}

func (b *broken) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	if b.log != nil {
		return unless(ctx, b.log(dst, x))
	}
	return b.plain.LogMulVec(ctx, dst, x)
}

func (b *broken) PlanCost(ctx context.Context, u, v []float64) (float64, error) {
	if b.cost != nil {
		return unless(ctx, b.cost(u, v))
	}
	return b.plain.PlanCost(ctx, u, v)
}

func (b *broken) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	if b.row != nil {
		return unless(ctx, b.row(dst, i))
	}
	return b.plain.Distances(ctx, dst, i)
}

func (b *broken) LogFloor() float64 {
	if b.floor != nil {
		return b.floor()
	}
	return b.plain.LogFloor()
}

// zeros gives zeros for a product that was given up.
type zeros struct{ *plain }

func (z *zeros) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	dst = z.log(dst, x)
	if ctx.Err() != nil {
		clear(dst)
	}
	return dst, nil
}

// deaf asks no context.
type deaf struct{ *plain }

func (d *deaf) PlanCost(_ context.Context, u, v []float64) (float64, error) { return d.cost(u, v), nil }

// both gives an answer with the error.
type both struct{ *plain }

func (b *both) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return b.row(dst, i), ctx.Err()
}

// spoilt is not right again after a product that was given up.
type spoilt struct {
	*plain
	off float64
}

func (s *spoilt) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	dst, err := s.plain.MulVec(ctx, dst, x)
	if err != nil {
		s.off = 1e-9
		return nil, err
	}
	for i := range dst {
		dst[i] *= 1 + s.off
	}
	return dst, nil
}

// misnamed has a MulPlan that nobody finds.
type misnamed struct{ *plain }

func (m *misnamed) MulPlan(ku, kv, u, v []float64) float64 { return 0 }

// rowed has rows of another kernel.
type rowed struct{ *plain }

func (r *rowed) Row(ctx context.Context, dst []float64, i int) ([]float64, error) {
	dst = r.row(dst, i)
	for j, d := range dst {
		dst[j] = math.Exp(-2 * d / r.epsilon)
	}
	return unless(ctx, dst)
}

// drawn draws the source itself, whatever was multiplied.
type drawn struct{ *plain }

func (d *drawn) Draw(ctx context.Context, sources []int32, u []float64) ([]int32, []float64, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	return sources, make([]float64, len(sources)), nil
}

func TestKernelRefusesWhatIsBroken(t *testing.T) {
	p := line(20, 0.5)
	for name, k := range map[string]linop.Kernel{
		"not linear": &broken{plain: p, multiply: func(dst, x []float64) []float64 {
			dst = p.multiply(dst, x)
			dst[0] += 1e-9
			return dst
		}},
		"adds to its destination": &broken{plain: p, multiply: func(dst, x []float64) []float64 {
			y := p.multiply(nil, x)
			dst = p.room(dst, x)
			for i := range y {
				dst[i] += y[i]
			}
			return dst
		}},
		"not the adjoint": &broken{plain: p, adjoint: func(dst, x []float64) []float64 {
			dst = p.multiply(dst, x)
			dst[3] *= 1 + 1e-9
			return dst
		}},
		"returns another slice": &broken{plain: p, adjoint: func(dst, x []float64) []float64 {
			return p.multiply(nil, x)
		}},
		"no check of lengths": &broken{plain: p, adjoint: func(dst, x []float64) []float64 {
			if len(x) > 20 || len(dst) > 20 {
				return dst
			}
			return p.multiply(dst, x)
		}},
		"underflow": &broken{plain: p, log: func(dst, x []float64) []float64 {
			e := make([]float64, len(x))
			for i := range x {
				e[i] = math.Exp(x[i])
			}
			dst = p.multiply(dst, e)
			for i := range dst {
				dst[i] = math.Log(dst[i])
			}
			return dst
		}},
		"cost of the transposed plan with one pair missing": &broken{plain: p, cost: func(u, v []float64) float64 {
			return p.cost(v, u) - p.d[0][1]*math.Exp(v[0]+u[1]-p.d[0][1]/p.epsilon)
		}},
		"not symmetric": &broken{plain: p, row: func(dst []float64, i int) []float64 {
			dst = p.row(dst, i)
			if i == 2 {
				dst[5] *= 1 + 1e-9
			}
			return dst
		}},
		"diagonal": &broken{plain: p, row: func(dst []float64, i int) []float64 {
			dst = p.row(dst, i)
			dst[i] = 1e-30
			return dst
		}},
		"gives zeros when it gives up": &zeros{p},
		"asks no context":              &deaf{p},
		"an answer with the error":     &both{p},
		"wrong after it gave up":       &spoilt{plain: p},
		"a MulPlan of another form":    &misnamed{p},
		"rows of another kernel":       &rowed{p},
		"draws what has nothing":       &drawn{p},
		"floor too high":               &broken{plain: p, floor: func() float64 { return p.LogFloor() * (1 - 1e-9) }},
	} {
		r := &recorder{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			Kernel(r, k, p.epsilon)
		}()
		<-done
		if len(r.messages) == 0 {
			t.Errorf("%s: accepted", name)
		}
	}
}
