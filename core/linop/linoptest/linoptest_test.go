package linoptest

import (
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

func (p *plain) MulVec(dst, x []float64) []float64 {
	dst = p.room(dst, x)
	for i, row := range p.d {
		dst[i] = 0
		for j, d := range row {
			dst[i] += math.Exp(-d/p.epsilon) * x[j]
		}
	}
	return dst
}

func (p *plain) MulVecT(dst, x []float64) []float64 { return p.MulVec(dst, x) }

func (p *plain) LogMulVec(dst, x []float64) []float64 {
	dst = p.room(dst, x)
	for i, row := range p.d {
		dst[i] = logSum(x, row, p.epsilon)
	}
	return dst
}

func (p *plain) PlanCost(u, v []float64) float64 {
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

func (p *plain) Distances(dst []float64, i int) []float64 {
	dst = p.room(dst, p.d[i])
	copy(dst, p.d[i])
	return dst
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

func (b *broken) MulVec(dst, x []float64) []float64 {
	if b.multiply != nil {
		return b.multiply(dst, x)
	}
	return b.plain.MulVec(dst, x)
}

func (b *broken) MulVecT(dst, x []float64) []float64 {
	if b.adjoint != nil {
		return b.adjoint(dst, x)
	}
	return b.plain.MulVecT(dst, x)
}

func (b *broken) LogMulVec(dst, x []float64) []float64 {
	if b.log != nil {
		return b.log(dst, x)
	}
	return b.plain.LogMulVec(dst, x)
}

func (b *broken) PlanCost(u, v []float64) float64 {
	if b.cost != nil {
		return b.cost(u, v)
	}
	return b.plain.PlanCost(u, v)
}

func (b *broken) Distances(dst []float64, i int) []float64 {
	if b.row != nil {
		return b.row(dst, i)
	}
	return b.plain.Distances(dst, i)
}

func (b *broken) LogFloor() float64 {
	if b.floor != nil {
		return b.floor()
	}
	return b.plain.LogFloor()
}

func TestKernelRefusesWhatIsBroken(t *testing.T) {
	p := line(20, 0.5)
	for name, k := range map[string]linop.Kernel{
		"not linear": &broken{plain: p, multiply: func(dst, x []float64) []float64 {
			dst = p.MulVec(dst, x)
			dst[0] += 1e-9
			return dst
		}},
		"adds to its destination": &broken{plain: p, multiply: func(dst, x []float64) []float64 {
			y := p.MulVec(nil, x)
			dst = p.room(dst, x)
			for i := range y {
				dst[i] += y[i]
			}
			return dst
		}},
		"not the adjoint": &broken{plain: p, adjoint: func(dst, x []float64) []float64 {
			dst = p.MulVec(dst, x)
			dst[3] *= 1 + 1e-9
			return dst
		}},
		"returns another slice": &broken{plain: p, adjoint: func(dst, x []float64) []float64 {
			return p.MulVec(nil, x)
		}},
		"no check of lengths": &broken{plain: p, adjoint: func(dst, x []float64) []float64 {
			if len(x) > 20 || len(dst) > 20 {
				return dst
			}
			return p.MulVec(dst, x)
		}},
		"underflow": &broken{plain: p, log: func(dst, x []float64) []float64 {
			e := make([]float64, len(x))
			for i := range x {
				e[i] = math.Exp(x[i])
			}
			dst = p.MulVec(dst, e)
			for i := range dst {
				dst[i] = math.Log(dst[i])
			}
			return dst
		}},
		"cost of the transposed plan with one pair missing": &broken{plain: p, cost: func(u, v []float64) float64 {
			return p.PlanCost(v, u) - p.d[0][1]*math.Exp(v[0]+u[1]-p.d[0][1]/p.epsilon)
		}},
		"not symmetric": &broken{plain: p, row: func(dst []float64, i int) []float64 {
			dst = p.Distances(dst, i)
			if i == 2 {
				dst[5] *= 1 + 1e-9
			}
			return dst
		}},
		"diagonal": &broken{plain: p, row: func(dst []float64, i int) []float64 {
			dst = p.Distances(dst, i)
			dst[i] = 1e-30
			return dst
		}},
		"floor too high": &broken{plain: p, floor: func() float64 { return p.LogFloor() * (1 - 1e-9) }},
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
