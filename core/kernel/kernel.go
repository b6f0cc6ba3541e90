// Package kernel has the functions f of generalised Sinkhorn, each with what its structure is good for: a fast product with the matrix
// f(x_i + y_j), and a sum of exponentials with a proved error.
//
// x_i and y_j are distances to one vertex s that separates the i from the j, so that x_i + y_j is the distance between them. This is the
// case |S| = 1 of the paper's cross_compute (Sec. 3.1.2, Appendix A). All functions are of a distance x >= 0; their
// parameters are in its unit. With distances divided by epsilon, Exp is the kernel of Sinkhorn itself.
//
//	f                  Parse                        product f(x_i + y_j)                 sum of exponentials
//	exp(-x)            exp                          rank one, exact                      itself
//	1/(x+1)            inverse                      as cauchy:c=1, which it is short for
//	sum_k c_k x^k      poly:c0,c1,...               binomial moments, exact              none
//	P(x)/Q(x)          rational:p0,p1,.../q0,q1,... interpolation, 1e-10                 real, where it is a mixture of 1/(x+c)
//	exp(l x)/(x+c)^p   cauchy:lambda=l,c=c,p=p      interpolation, 1e-10                 real, l <= 0
//	exp(-x^2/s)        gauss:s=s                    fast Gauss transform, 1e-10          complex
//	exp(-x^2)          squared                      as gauss:s=1, which it is short for
//	any of a spectrum  features:count=,seed=,f=     random features, with an estimate    none
//
// The generalised problem has h = f^-1 in place of the logarithm (Sec. 1 of the paper): see Inverse.
//
// # Deviations
//
// From the paper: f is a function of the distance x >= 0 itself, where the paper writes f(-x/epsilon) (Eq. 4). Hence Inverse is -h.
//
// Rational functions and the Cauchy-like class are multiplied by a one-dimensional fast multipole method on Chebyshev points, in the time
// of O(n) after sorting, where Appendix A of the paper cites polynomial multiplication by FFT and the Cauchy transform of matrices of low
// displacement rank. Those are exact in exact arithmetic alone: the product of all points' denominators, which they expand, leaves the range of
// float64 at a few hundred points. An FFT of points on a grid errs by a share of the largest entry, which small entries do not
// survive (TestFourierOnGrid). Here every entry is right to 1e-10 of itself, wherever the points lie.
//
// exp(-x^2/s) belongs to no class of Appendix A but random features. Here it has a fast Gauss transform, and every entry is right too.
//
// Random features are real, cosines and sines, since f is even and real. Frequencies are drawn by strata and weighted, in independent batches,
// so that the spread of the batches tells the error. The paper's features estimate the same sum with a larger error and do not tell it.
//
// The class exp(lambda x)/(x+c) has a third parameter, a power p of the denominator.
package kernel

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"genussink/internal/decimal"
)

// A Function is a kernel f(x) of a distance x >= 0. Its values are immutable and safe for concurrent use.
type Function interface {
	// String is the specification that Parse reads.
	String() string

	// At is f(x), x >= 0.
	At(x float64) float64

	// Check is an error where f is not a finite number somewhere on [0, diameter], or is too large there for its product. It names the
	// parameter and the place.
	Check(diameter float64) error

	// CompletelyMonotone reports whether f is known to be a mixture of exponentials exp(-r x), r >= 0, with positive weights. It is then
	// positive and decreasing, and its matrix f(d) has a real sum of exponentials.
	CompletelyMonotone() bool

	// sign is the sign of f on [0, diameter], or 0 and a place where f is zero or within rounding of it.
	sign(diameter float64) (int, float64)

	// slope is the sign of f' likewise.
	slope(diameter float64) (int, float64)

	// method is the fast product; x and y are checked.
	method(x, y []float64) method
}

// Default is the function of Sinkhorn itself.
const Default = "exp"

// Parse reads a specification as String writes it. See the table above.
func Parse(spec string) (Function, error) {
	kind, rest, _ := strings.Cut(strings.TrimSpace(spec), ":")
	switch kind {
	case "exp":
		if rest != "" {
			return nil, fmt.Errorf("kernel exp takes no parameters, got %q", rest)
		}
		return Exp{}, nil
	case "poly":
		c, err := numbers("poly", rest)
		if err != nil {
			return nil, err
		}
		return nilOnError(NewPolynomial(c...))
	case "rational":
		above, below, ok := strings.Cut(rest, "/")
		if !ok {
			return nil, fmt.Errorf("kernel rational:%s: a stroke must stand between numerator and denominator, as in rational:1/1,2,1", rest)
		}
		p, err := numbers("rational numerator", above)
		if err != nil {
			return nil, err
		}
		q, err := numbers("rational denominator", below)
		if err != nil {
			return nil, err
		}
		return nilOnError(NewRational(p, q))
	case "cauchy":
		v, err := parameters("cauchy", rest, map[string]float64{"lambda": 0, "c": math.NaN(), "p": 1})
		if err != nil {
			return nil, err
		}
		return nilOnError(NewCauchy(v["lambda"], v["c"], v["p"]))
	case "inverse":
		if rest != "" {
			return nil, fmt.Errorf("kernel inverse takes no parameters, got %q", rest)
		}
		return nilOnError(NewCauchy(0, 1, 1))
	case "squared":
		if rest != "" {
			return nil, fmt.Errorf("kernel squared takes no parameters, got %q", rest)
		}
		return nilOnError(NewGauss(1))
	case "gauss":
		v, err := parameters("gauss", rest, map[string]float64{"s": 1})
		if err != nil {
			return nil, err
		}
		return nilOnError(NewGauss(v["s"]))
	case "features":
		before, of, ok := strings.Cut(rest, "f=")
		if !ok {
			return nil, fmt.Errorf("kernel features:%s: f is missing, as in features:count=1024,seed=1,f=gauss:s=2", rest)
		}
		v, err := parameters("features", strings.TrimSuffix(before, ","), map[string]float64{"count": 1024, "seed": 1})
		if err != nil {
			return nil, err
		}
		count, seed := v["count"], v["seed"]
		if count != math.Trunc(count) || math.Abs(count) > math.MaxInt32 {
			return nil, fmt.Errorf("kernel features: count is %v, not a whole number", count)
		}
		if seed != math.Trunc(seed) || seed < 0 || seed > 1<<53 {
			return nil, fmt.Errorf("kernel features: seed is %v, not a whole number from 0 to 2^53", seed)
		}
		f, err := Parse(of)
		if err != nil {
			return nil, err
		}
		spectral, ok := f.(Spectral)
		if !ok {
			return nil, fmt.Errorf("kernel features: the Fourier transform of %v is not known; exp and gauss have one", f)
		}
		return nilOnError(NewFeatures(spectral, int(count), uint64(seed)))
	}
	return nil, fmt.Errorf("kernel %q is not one of exp, inverse, poly, rational, cauchy, squared, gauss, features", kind)
}

// nilOnError spares callers a Function that is not nil beside an error.
func nilOnError[F Function](f F, err error) (Function, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// numbers reads numbers with commas between.
func numbers(what, list string) ([]float64, error) {
	if strings.TrimSpace(list) == "" {
		return nil, fmt.Errorf("kernel %s: no coefficients", what)
	}
	var out []float64
	for i, field := range strings.Split(list, ",") {
		x, ok := decimal.Float([]byte(strings.TrimSpace(field)))
		if !ok {
			return nil, fmt.Errorf("kernel %s: coefficient %d is %q, not a number", what, i, field)
		}
		out = append(out, x)
	}
	return out, nil
}

// parameters reads name=value with commas between; defaults names them all, those without a default by NaN.
func parameters(kind, list string, defaults map[string]float64) (map[string]float64, error) {
	given := map[string]bool{}
	if list = strings.TrimSpace(list); list != "" {
		for field := range strings.SplitSeq(list, ",") {
			name, value, ok := strings.Cut(strings.TrimSpace(field), "=")
			if !ok {
				return nil, fmt.Errorf("kernel %s: %q is not name=value", kind, field)
			}
			if _, known := defaults[name]; !known {
				return nil, fmt.Errorf("kernel %s: no parameter %q", kind, name)
			}
			if given[name] {
				return nil, fmt.Errorf("kernel %s: %s is given twice", kind, name)
			}
			given[name] = true
			if defaults[name], ok = decimal.Float([]byte(value)); !ok {
				return nil, fmt.Errorf("kernel %s: %s is %q, not a number", kind, name, value)
			}
		}
	}
	for name, value := range defaults {
		if math.IsNaN(value) && !given[name] {
			return nil, fmt.Errorf("kernel %s: %s is missing", kind, name)
		}
	}
	return defaults, nil
}

// number writes x so that reading gives it again.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func list(c []float64) string {
	s := make([]string, len(c))
	for i, c := range c {
		s[i] = number(c)
	}
	return strings.Join(s, ",")
}

// span is an error where diameter is no length.
func span(diameter float64) error {
	if !(diameter >= 0) || math.IsInf(diameter, 0) {
		return fmt.Errorf("kernel: the diameter is %v, not a finite length", diameter)
	}
	return nil
}

// Positive is an error where f is not positive on [0, diameter], with the place. Sinkhorn divides by products with f(d): it needs
// positive entries.
func Positive(f Function, diameter float64) error {
	if err := f.Check(diameter); err != nil {
		return err
	}
	switch sign, place := f.sign(diameter); {
	case sign < 0:
		return fmt.Errorf("kernel %v is negative: f(0) = %v", f, f.At(0))
	case sign == 0:
		return fmt.Errorf("kernel %v is zero or within rounding of it near x = %.6g, within the diameter %.6g", f, place, diameter)
	}
	return nil
}

// Inverse is the x in [0, diameter] with f(x) = value, to the last places of x that f tells apart. The paper's h is -Inverse. It is an error where f does not
// rise or fall all the way, or does not reach value.
func Inverse(f Function, value, diameter float64) (float64, error) {
	if err := f.Check(diameter); err != nil {
		return 0, err
	}
	slope, place := f.slope(diameter)
	if slope == 0 {
		return 0, fmt.Errorf("kernel %v has no inverse on [0, %.6g]: it neither rises nor falls near x = %.6g", f, diameter, place)
	}
	s := float64(slope)
	low, high := f.At(0), f.At(diameter)
	if !(s*value >= s*low && s*value <= s*high) {
		return 0, fmt.Errorf("kernel %v does not take the value %v on [0, %.6g], where it goes from %v to %v", f, value, diameter, low, high)
	}
	a, b := 0.0, diameter
	for {
		m := a + (b-a)/2
		if m <= a || m >= b {
			break
		}
		if s*f.At(m) < s*value {
			a = m
		} else {
			b = m
		}
	}
	if math.Abs(f.At(a)-value) < math.Abs(f.At(b)-value) {
		return a, nil
	}
	return b, nil
}
