package kernel

import (
	"fmt"
	"math"

	"genussink/core/internal/exponential"
)

// Gauss is f(x) = exp(-x^2/s), s > 0: the kernel of squared distance.
type Gauss struct{ s float64 }

// NewGauss wants s > 0, a length squared.
func NewGauss(s float64) (Gauss, error) {
	if !(s > 0) || math.IsInf(s, 0) {
		return Gauss{}, fmt.Errorf("kernel gauss: s is %v, not a finite length squared above zero", s)
	}
	return Gauss{s}, nil
}

func (f Gauss) String() string { return "gauss:s=" + number(f.s) }

// At is exp(-x^2/s).
func (f Gauss) At(x float64) float64 { return exponential.Exp(-x * (x / f.s)) }

// Check takes any diameter.
func (f Gauss) Check(diameter float64) error {
	if !(f.s > 0) {
		return fmt.Errorf("kernel gauss: s is %v", f.s)
	}
	return span(diameter)
}

// CompletelyMonotone is false: f is flat at 0.
func (Gauss) CompletelyMonotone() bool { return false }

func (f Gauss) sign(diameter float64) (int, float64) { return vanishing(f, diameter) }

func (f Gauss) slope(diameter float64) (int, float64) { return falling(f, diameter) }

// Transform is the Fourier transform, sqrt(pi s) exp(-pi^2 s omega^2).
func (f Gauss) Transform(omega float64) float64 {
	return math.Sqrt(math.Pi*f.s) * exponential.Exp(-math.Pi*math.Pi*f.s*omega*omega)
}

// Frequency is where the transform has fallen to 1/e.
func (f Gauss) Frequency() float64 { return 1 / (math.Pi * math.Sqrt(f.s)) }

func (f Gauss) method(x, y []float64) method {
	return newMultipole(x, y, 0, f.At, func(low, high, grown, across float64) float64 {
		// |f(a+ib)| = exp((b^2 - a^2)/s): on the ellipse |b| is at most its half axis across, and a at least its left end.
		a := max(0, (low+high)/2-grown)
		return (across*across + (high-a)*(high+a)) / f.s
	}, func(low float64) bool { return f.At(low) == 0 })
}
