package kernel

import (
	"fmt"
	"math"

	"genussink/core/internal/exponential"
)

// Cauchy is f(x) = exp(lambda x)/(x+c)^p, c > 0 (Appendix A of the paper: Cauchy-like, of low displacement rank, there with p = 1).
type Cauchy struct{ lambda, c, p float64 }

// Powers of a Cauchy's denominator.
const (
	LeastPower = 0.01
	MostPower  = 64
)

// NewCauchy wants c > 0, a length, and p from LeastPower to MostPower; lambda is per length.
func NewCauchy(lambda, c, p float64) (Cauchy, error) {
	if math.IsNaN(lambda) || math.IsInf(lambda, 0) {
		return Cauchy{}, fmt.Errorf("kernel cauchy: lambda is %v, not a finite number", lambda)
	}
	if !(c > 0) || math.IsInf(c, 0) {
		return Cauchy{}, fmt.Errorf("kernel cauchy: c is %v, not a finite length above zero", c)
	}
	if !(p >= LeastPower && p <= MostPower) {
		return Cauchy{}, fmt.Errorf("kernel cauchy: p is %v, not from %v to %v", p, LeastPower, MostPower)
	}
	return Cauchy{lambda, c, p}, nil
}

func (f Cauchy) String() string {
	s := "cauchy:lambda=" + number(f.lambda) + ",c=" + number(f.c)
	if f.p != 1 {
		s += ",p=" + number(f.p)
	}
	return s
}

// At is exp(lambda x)/(x+c)^p.
func (f Cauchy) At(x float64) float64 { return exponential.Exp(f.lambda*x) * f.power(x) }

func (f Cauchy) power(x float64) float64 {
	switch f.p {
	case 1:
		return 1 / (x + f.c)
	case 2:
		return 1 / ((x + f.c) * (x + f.c))
	}
	return math.Pow(x+f.c, -f.p)
}

// Check wants 0 < f < infinity at both ends, but for exp(lambda x), which may underflow.
func (f Cauchy) Check(diameter float64) error {
	if err := span(diameter); err != nil {
		return err
	}
	if v := f.power(0); !(v < 1e300) {
		return fmt.Errorf("kernel cauchy: f(0) = c^-p is %v at c = %v, p = %v", v, f.c, f.p)
	}
	if v := f.power(diameter); !(v > 1e-290) {
		return fmt.Errorf("kernel cauchy: (x+c)^-p is %v at the diameter %.6g and c = %v, p = %v", v, diameter, f.c, f.p)
	}
	if e := f.lambda * diameter; !(e < 690) {
		return fmt.Errorf("kernel cauchy: exp(lambda x) overflows at the diameter %.6g and lambda = %v", diameter, f.lambda)
	}
	return nil
}

// CompletelyMonotone is lambda <= 0: a product of two such functions.
func (f Cauchy) CompletelyMonotone() bool { return f.lambda <= 0 }

func (f Cauchy) sign(diameter float64) (int, float64) { return vanishing(f, diameter) }

// slope is the sign of f'/f = lambda - p/(x+c), which rises.
func (f Cauchy) slope(diameter float64) (int, float64) {
	if f.lambda <= 0 || f.lambda < f.p/(diameter+f.c) {
		return falling(f, diameter)
	}
	if f.lambda > f.p/f.c {
		return 1, 0
	}
	return 0, f.p/f.lambda - f.c
}

func (f Cauchy) method(x, y []float64) method {
	return newMultipole(x, y, f.lambda, f.power, func(low, high, grown float64) float64 {
		return f.p * apart(complex(-f.c, 0), 0, low, high, grown)
	})
}
