package kernel

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
)

// Rational is f(x) = P(x)/Q(x), both polynomials of degree at most MaxDegree (Appendix A of the paper).
type Rational struct {
	p, q         []float64
	zeros, poles []root
}

// NewRational has the coefficients of 1, x, x^2, ... of numerator and denominator.
func NewRational(numerator, denominator []float64) (Rational, error) {
	p, err := coefficients("rational numerator", numerator)
	if err != nil {
		return Rational{}, err
	}
	q, err := coefficients("rational denominator", denominator)
	if err != nil {
		return Rational{}, err
	}
	return Rational{p, q, roots(p), roots(q)}, nil
}

func (f Rational) String() string { return "rational:" + list(f.p) + "/" + list(f.q) }

// At is P(x)/Q(x), each by Horner's rule.
func (f Rational) At(x float64) float64 { return horner(f.p, x) / horner(f.q, x) }

// Check wants the denominator without zeros on [0, diameter].
func (f Rational) Check(diameter float64) error {
	if err := span(diameter); err != nil {
		return err
	}
	if err := bounded("rational numerator", f.p, diameter); err != nil {
		return err
	}
	if err := bounded("rational denominator", f.q, diameter); err != nil {
		return err
	}
	if sign, place := signOn(f.q, diameter); sign == 0 {
		return fmt.Errorf("kernel %v: the denominator is zero or within rounding of it near x = %.6g, within the diameter %.6g", f, place, diameter)
	}
	return nil
}

// CompletelyMonotone is true where f is a positive constant and positive multiples of 1/(x+c), c > 0. Other rational functions may be completely monotone
// too: 1/(x+c)^p is, see Cauchy.
func (f Rational) CompletelyMonotone() bool {
	_, _, ok := f.fractions()
	return ok
}

// fractions are f = constant + sum_k weight_k/(x+c_k) where all weights are positive and all c_k different and above zero.
func (f Rational) fractions() (constant float64, parts []fraction, ok bool) {
	if len(f.p) > len(f.q) {
		return 0, nil, false
	}
	if len(f.p) == len(f.q) {
		if constant = f.p[len(f.p)-1] / f.q[len(f.q)-1]; constant < 0 {
			return 0, nil, false
		}
	}
	slope := derivative(f.q)
	for i, z := range f.poles {
		for j, other := range f.poles {
			// A disc that meets no other holds one root, and where it meets the axis a real one: the root's conjugate is a root
			// too, at most three radii from the centre, where no other disc is.
			if i != j && !(cmplx.Abs(z.z-other.z) > 4*(z.radius+other.radius)) {
				return 0, nil, false
			}
		}
		if math.Abs(imag(z.z)) > z.radius || real(z.z)+z.radius >= 0 {
			return 0, nil, false
		}
		x := newton(f.q, slope, real(z.z))
		residue := horner(f.p, x) / horner(slope, x)
		if !(residue > 0) {
			return 0, nil, false
		}
		parts = append(parts, fraction{residue, -x})
	}
	return constant, parts, constant > 0 || len(parts) > 0
}

// newton makes a simple root x of c better.
func newton(c, slope []float64, x float64) float64 {
	for range 3 {
		if s := horner(slope, x); s != 0 {
			x -= horner(c, x) / s
		}
	}
	return x
}

func (f Rational) sign(diameter float64) (int, float64) {
	above, place := signOn(f.p, diameter)
	below, _ := signOn(f.q, diameter)
	return above * below, place
}

// slope is the sign of P'Q - PQ'.
func (f Rational) slope(diameter float64) (int, float64) {
	dp, dq := derivative(f.p), derivative(f.q)
	w := make([]float64, len(f.p)+len(f.q))
	for i, a := range dp {
		for j, b := range f.q {
			w[i+j] += a * b
		}
	}
	for i, a := range f.p {
		for j, b := range dq {
			w[i+j] -= a * b
		}
	}
	return signInside(w, diameter)
}

func (f Rational) method(x, y []float64) method {
	return newMultipole(x, y, 0, f.At, func(low, high, grown float64) float64 {
		total := 0.0
		middle := complex((low+high)/2, 0)
		for _, z := range f.poles {
			total += apart(z.z, z.radius, low, high, grown)
		}
		for _, z := range f.zeros {
			// The largest |x-z| on the ellipse to the least between low and high: zeros are kept away from so that entries are
			// right to a share of themselves.
			near := distance(z.z, low, high) - z.radius
			if !(near > 0) {
				return math.Inf(1)
			}
			total += math.Log((cmplx.Abs(middle-z.z) + z.radius + grown) / near)
		}
		return total
	})
}

// A root is a disc around z in the complex plane. A polynomial of degree n has n of them, and each of its roots lies in at
// least one of these discs.
type root struct {
	z      complex128
	radius float64
}

// roots are the roots of the polynomial c, whose leading coefficient c_n must not be zero. Aberth's iteration (1973) finds
// approximate roots z_i. Around each lies a disc of Smith (1970),
//
//	|x - z_i| <= n |c(z_i) / (c_n prod_{j != i} (z_i - z_j))|
//
// Together these discs hold all roots, even where the z_i are poor approximations: then the discs are large.
func roots(c []float64) []root {
	n := len(c) - 1
	if n == 0 {
		return nil
	}
	lead := c[n]
	size := 0.0 // Fujiwara's bound of the roots
	for k, c := range c[:n] {
		size = max(size, 2*math.Pow(math.Abs(c/lead), 1/float64(n-k)))
	}
	z := make([]complex128, n)
	if size == 0 { // x^n
		return make([]root, n)
	}
	for i := range z {
		z[i] = cmplx.Rect(size/2, 2*math.Pi*(float64(i)+0.3)/float64(n))
	}
	slope := derivative(c)
	for range 200 {
		moved := false
		for i := range z {
			step := hornerComplex(c, z[i])
			if step == 0 {
				continue
			}
			step /= hornerComplex(slope, z[i])
			var pull complex128
			for j := range z {
				if i != j {
					pull += 1 / (z[i] - z[j])
				}
			}
			step /= 1 - step*pull
			if cmplx.IsNaN(step) || cmplx.IsInf(step) {
				step = complex(1e-9*size, 1e-9*size) // out of a corner
			}
			z[i] -= step
			moved = moved || cmplx.Abs(step) > 1e-15*cmplx.Abs(z[i])
		}
		if !moved {
			break
		}
	}
	out := make([]root, n)
	for i, at := range z {
		terms, power := 0.0, 1.0
		for _, c := range c {
			terms += math.Abs(c) * power
			power *= cmplx.Abs(at)
		}
		value := cmplx.Abs(hornerComplex(c, at)) + 1e-15*float64(n+1)*terms // and what rounding may have hidden
		for j, other := range z {
			if i != j {
				value /= cmplx.Abs(at - other)
			}
		}
		out[i] = root{at, float64(n) * value / math.Abs(lead)}
		if math.IsNaN(out[i].radius) {
			out[i].radius = math.Inf(1)
		}
	}
	return out
}

func hornerComplex(c []float64, x complex128) complex128 {
	var v complex128
	for _, c := range slices.Backward(c) {
		v = v*x + complex(c, 0)
	}
	return v
}
