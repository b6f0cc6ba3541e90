package kernel

import (
	"context"
	"math"

	"genussink/core/internal/exponential"
)

// Exp is f(x) = exp(-x), the kernel of Sinkhorn itself (Sec. 3.1.2 of the paper).
type Exp struct{}

func (Exp) String() string { return "exp" }

// At is exp(-x).
func (Exp) At(x float64) float64 { return exponential.Exp(-x) }

// Check takes any diameter.
func (Exp) Check(diameter float64) error { return span(diameter) }

// CompletelyMonotone is true.
func (Exp) CompletelyMonotone() bool { return true }

func (f Exp) sign(diameter float64) (int, float64) { return vanishing(f, diameter) }

func (f Exp) slope(diameter float64) (int, float64) { return falling(f, diameter) }

// Transform is the Fourier transform of exp(-|x|), 2/(1 + (2 pi omega)^2).
func (Exp) Transform(omega float64) float64 {
	t := 2 * math.Pi * omega
	return 2 / (1 + t*t)
}

// Frequency is where the transform has fallen to a half.
func (Exp) Frequency() float64 { return 1 / (2 * math.Pi) }

func (Exp) method(x, y []float64) method {
	return &rankOne{row: x, column: y, lambda: -1}
}

// vanishing is the sign of a function that is positive and decreasing, but for underflow.
func vanishing(f Function, diameter float64) (int, float64) {
	if f.At(diameter) == 0 {
		return 0, diameter
	}
	return 1, 0
}

// falling is the slope of a function that decreases, but for underflow.
func falling(f Function, diameter float64) (int, float64) {
	sign, place := vanishing(f, diameter)
	return -sign, place
}

// rankOne multiplies with exp(lambda (x_i + y_j)).
type rankOne struct {
	row, column []float64
	lambda      float64
}

func (m *rankOne) multiply(_ context.Context, dst, w []float64, transposed bool) error {
	x, y := m.row, m.column
	if transposed {
		x, y = y, x
	}
	shift, total := least(y), 0.0
	for j, y := range y {
		total += exponential.Exp(m.lambda*(y-shift)) * w[j]
	}
	for i, x := range x {
		dst[i] = exponential.Exp(m.lambda*(x+shift)) * total
	}
	return nil
}

func (m *rankOne) steps() int64 { return int64(len(m.row)) + int64(len(m.column)) }

// least is the least of x; 0 without any.
func least(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	low := x[0]
	for _, x := range x {
		low = min(low, x)
	}
	return low
}
