package kernel

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// MaxDegree is the largest degree of a polynomial, and of a rational function's numerator and denominator.
const MaxDegree = 16

// Polynomial is f(x) = sum_k c_k x^k, k <= MaxDegree (Appendix A of the paper: polynomials of bounded degree).
type Polynomial struct{ c []float64 }

// NewPolynomial is the polynomial with the coefficients c of 1, x, x^2, ...
func NewPolynomial(c ...float64) (Polynomial, error) {
	c, err := coefficients("poly", c)
	return Polynomial{c}, err
}

// coefficients is c, checked, without leading zeros.
func coefficients(what string, c []float64) ([]float64, error) {
	for k, c := range c {
		if math.IsNaN(c) || math.IsInf(c, 0) {
			return nil, fmt.Errorf("kernel %s: coefficient %d is %v, not a finite number", what, k, c)
		}
	}
	n := len(c)
	for n > 0 && c[n-1] == 0 {
		n--
	}
	if n == 0 {
		return nil, fmt.Errorf("kernel %s: all coefficients are zero", what)
	}
	if n > MaxDegree+1 {
		return nil, fmt.Errorf("kernel %s: the degree is %d, more than %d", what, n-1, MaxDegree)
	}
	return slices.Clone(c[:n]), nil
}

func (f Polynomial) String() string { return "poly:" + list(f.c) }

// Degree is that of x^k with the largest k, at most MaxDegree.
func (f Polynomial) Degree() int { return len(f.c) - 1 }

// At is f(x), by Horner's rule. It is right to 2e-16 (degree+1) of sum_k |c_k| x^k.
func (f Polynomial) At(x float64) float64 { return horner(f.c, x) }

// Share bounds by what share of itself At may be off on [0, diameter], where f falls and is positive.
func (f Polynomial) Share(diameter float64) float64 {
	sum := 0.0
	for _, c := range slices.Backward(f.c) {
		sum = sum*diameter + math.Abs(c)
	}
	return 0x1p-52 * float64(len(f.c)) * sum / f.At(diameter)
}

// Falls is an error where f does not fall all the way from 0 to the diameter, with the place.
func (f Polynomial) Falls(diameter float64) error {
	if err := f.Check(diameter); err != nil {
		return err
	}
	if slope, place := f.slope(diameter); slope >= 0 {
		return fmt.Errorf("kernel %v does not fall near x = %.6g, and must up to the diameter %.6g", f, place, diameter)
	}
	return nil
}

func horner(c []float64, x float64) float64 {
	v := 0.0
	for _, c := range slices.Backward(c) {
		v = v*x + c
	}
	return v
}

// Check wants f's terms finite at the diameter.
func (f Polynomial) Check(diameter float64) error {
	if err := span(diameter); err != nil {
		return err
	}
	return bounded("poly", f.c, diameter)
}

// bounded is an error where the terms of c at x, and so all that products add up, are too large.
func bounded(what string, c []float64, x float64) error {
	total, power := 0.0, 1.0
	for _, c := range c {
		total += math.Abs(c) * power
		power *= x
	}
	if len(c) == 0 || !(total < 1e300) {
		return fmt.Errorf("kernel %s: its terms add up to %v at the diameter %.6g", what, total, x)
	}
	return nil
}

// CompletelyMonotone is true of positive constants alone: all others grow beyond bounds.
func (f Polynomial) CompletelyMonotone() bool { return len(f.c) == 1 && f.c[0] > 0 }

func (f Polynomial) sign(diameter float64) (int, float64) { return signOn(f.c, diameter) }

func (f Polynomial) slope(diameter float64) (int, float64) {
	return signInside(derivative(f.c), diameter)
}

func derivative(c []float64) []float64 {
	var d []float64
	for k := 1; k < len(c); k++ {
		d = append(d, float64(k)*c[k])
	}
	return d
}

func (f Polynomial) method(x, y []float64) method { return &moments{f.c, x, y} }

// moments multiplies with a polynomial of x_i + y_j:
//
//	sum_j sum_k c_k (x_i + y_j)^k w_j = sum_l x_i^l sum_{k>=l} c_k binom(k, l) m_{k-l},  m_r = sum_j y_j^r w_j.
//
// Nothing is taken from anything but where c or w has both signs: with x, y >= 0 it is right to some 1e-15 (degree+1) of
// sum_j sum_k |c_k| (x_i + y_j)^k |w_j|, as the sum over all pairs is.
type moments struct{ c, row, column []float64 }

func (m *moments) multiply(_ context.Context, dst, w []float64, transposed bool) error {
	x, y := m.row, m.column
	if transposed {
		x, y = y, x
	}
	n := len(m.c)
	var sums, a [MaxDegree + 1]float64
	for j, y := range y {
		term := w[j]
		for r := range n {
			sums[r] += term
			term *= y
		}
	}
	for l := range n {
		binomial := 1.0
		for k := l; k < n; k++ {
			a[l] += m.c[k] * binomial * sums[k-l]
			binomial *= float64(k+1) / float64(k+1-l)
		}
	}
	for i, x := range x {
		dst[i] = horner(a[:n], x)
	}
	return nil
}

func (m *moments) steps() int64 {
	n := int64(len(m.c))
	return n * (int64(len(m.row)) + int64(len(m.column)) + n)
}

// signInside is signOn for the open interval: a zero at 0 does not count.
func signInside(c []float64, width float64) (int, float64) {
	for len(c) > 0 && c[0] == 0 {
		c = c[1:]
	}
	return signOn(c, width)
}

// signOn is the sign of a polynomial on [0, width], or 0 and a place where it is zero or within rounding of it: by its
// coefficients in Bernstein's basis, between whose least and greatest its values lie, on halves of halves (Farouki and Rajan, 1987).
func signOn(c []float64, width float64) (int, float64) {
	n := len(c)
	if n == 0 {
		return 0, 0
	}
	// Bernstein coefficients, b_i = sum_{k<=i} binom(i, k)/binom(n-1, k) c_k width^k. Rounding puts b_i off by rounding[i] at most, here
	// and where the interval is halved.
	b, rounding := make([]float64, n), make([]float64, n)
	for i := range b {
		ratio, power := 1.0, 1.0
		for k := 0; k <= i; k++ {
			term := ratio * power * c[k]
			b[i] += term
			rounding[i] += 1e-14 * float64(n) * math.Abs(term)
			ratio *= float64(i-k) / float64(max(1, n-1-k))
			power *= width
		}
	}
	return bernstein(b, rounding, 0, width, 60)
}

func bernstein(b, rounding []float64, low, high float64, depth int) (int, float64) {
	last := len(b) - 1
	positive, negative := true, true
	for i, b := range b {
		positive = positive && b > rounding[i]
		negative = negative && b < -rounding[i]
	}
	middle := low + (high-low)/2
	switch {
	case positive:
		return 1, 0
	case negative:
		return -1, 0
	case math.Abs(b[0]) <= rounding[0]: // the ends are values
		return 0, low
	case math.Abs(b[last]) <= rounding[last]:
		return 0, high
	case depth == 0:
		return 0, middle
	}
	left, right := halves(b)
	leftRounding, rightRounding := halves(rounding)
	s, place := bernstein(left, leftRounding, low, middle, depth-1)
	if s == 0 {
		return 0, place
	}
	return bernstein(right, rightRounding, middle, high, depth-1) // the middle is an end of both
}

// halves are Bernstein's coefficients on both halves of the interval (de Casteljau).
func halves(b []float64) (left, right []float64) {
	left, right = make([]float64, len(b)), slices.Clone(b)
	for k := range b {
		left[k] = right[0]
		for i := range len(b) - 1 - k {
			right[i] += (right[i+1] - right[i]) / 2
		}
	}
	return left, right
}
