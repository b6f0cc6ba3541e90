package kernel

import (
	"cmp"
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"sort"

	"genussink/core/internal/exponential"
)

// A Term is Re(Weight exp(-Rate x)), Re Rate >= 0; the Rate is per length. In real terms both are real and Weight is positive.
type Term struct{ Rate, Weight complex128 }

// Sum is a sum of exponentials in place of a function f on [0, diameter]. It turns a product with f(d) into one with exp(-Rate d) per term.
type Sum struct {
	Terms []Term

	// Bound is proved: |sum - f(x)| <= Bound f(x) where Relative, else <= Bound f(0), for all x in [0, diameter] and with rounding.
	Bound    float64
	Relative bool
}

// At is the sum at x.
func (s Sum) At(x float64) float64 {
	total := 0.0
	for _, t := range s.Terms {
		if imag(t.Rate) == 0 {
			total += real(t.Weight) * exponential.Exp(-real(t.Rate)*x)
		} else {
			total += real(t.Weight * cmplx.Exp(-t.Rate*complex(x, 0)))
		}
	}
	return total
}

const (
	leastTolerance = 1e-12
	mostTolerance  = 0.5
)

// Exponentials is a sum with as few terms as its construction finds whose Bound is at most tolerance, from 1e-12 to 0.5. Completely monotone
// functions have real ones with an error relative to f(x), Gauss complex ones with an error relative to f(0). Others have none: an error.
func Exponentials(f Function, diameter, tolerance float64) (Sum, error) {
	if !(tolerance >= leastTolerance && tolerance <= mostTolerance) {
		return Sum{}, fmt.Errorf("kernel: the tolerance of a sum of exponentials is %v, not from %v to %v", tolerance, leastTolerance, mostTolerance)
	}
	if err := f.Check(diameter); err != nil {
		return Sum{}, err
	}
	switch f := f.(type) {
	case Exp:
		return Sum{[]Term{{1, 1}}, 0, true}, nil
	case Polynomial:
		if f.CompletelyMonotone() {
			return Sum{[]Term{{0, complex(f.c[0], 0)}}, 0, true}, nil
		}
	case Cauchy:
		if f.CompletelyMonotone() {
			return mixture{-f.lambda, 0, f.p, []fraction{{1, f.c}}}.exponentials(f, diameter, tolerance)
		}
	case Rational:
		if constant, parts, ok := f.fractions(); ok {
			if len(parts) == 0 {
				return Sum{[]Term{{0, complex(constant, 0)}}, 0, true}, nil
			}
			return mixture{0, constant, 1, parts}.exponentials(f, diameter, tolerance)
		}
	case Gauss:
		return f.exponentials(diameter, tolerance)
	}
	return Sum{}, fmt.Errorf("kernel %v: no sum of exponentials with a proved error is known", f)
}

// A mixture is exp(-rate x) (constant + sum_k weight_k/(x+c_k)^p), all parameters >= 0.
type mixture struct {
	rate, constant, p float64
	parts             []fraction
}

// A fraction is weight/(x+c), c > 0.
type fraction struct{ weight, c float64 }

// exponentials is the trapezoidal rule in the logarithm of the rate for
//
//	(x+c)^-p = 1/Gamma(p) integral exp(-(x+c) e^t + p t) dt   over the line
//
// (Beylkin and Monzon, 2005 and 2010), of which the small rates, many and close together, are replaced by their Gauss quadrature: the few rates and weights
// with the same first moments. All shares of the error are relative to f(x), and proved:
//
//   - The whole rule with step h errs, by Poisson's formula, by a share of at most 2 sum_m |Gamma(p + 2 pi i m/h)|/Gamma(p), and
//     |Gamma(p+iy)| <= Gamma(p) e^(-y theta) cos(theta)^-p for every theta in [0, pi/2): move the line by i theta. Best is tan theta = y/p. Stirling's formula is the other bound taken, with the error
//     1/(6|z|) of its logarithm for Re z > 0 (DLMF 5.11(ii)).
//   - Large rates, left out: with z = x+c, terms (z e^t)^p exp(-z e^t) fall with z where z e^t >= p, so that they are worst at x = 0.
//   - Small rates, left out: (z e^t)^p at most, worst at x = diameter.
//   - Gauss quadrature of exp(-r x) in r with m points errs by x^2m/(2m)! exp(-xi x) |pi_m|^2, pi_m the orthogonal polynomial: at
//     most as at x = diameter, beside f(diameter).
//
// How the shares are divided and where the small rates end are tried out.
func (f mixture) exponentials(of Function, diameter, tolerance float64) (Sum, error) {
	low, high := math.Inf(1), 0.0
	for _, part := range f.parts {
		low, high = min(low, part.c), max(high, part.c)
	}
	high += diameter
	gamma := math.Gamma(f.p)
	// Where rounding takes part: in every term by the rounding of its exponent, of which the mean over the terms is -x f'/f.
	rounding := 1e-15 * (100 + 4*(f.p+f.rate*diameter))
	if rounding > tolerance/2 {
		return Sum{}, fmt.Errorf("kernel %v: rounding alone may err by %.2g, more than half the tolerance %v", of, rounding, tolerance)
	}
	wanted := tolerance - rounding
	leftOut := wanted * 1e-3
	atDiameter := 0.0 // f(diameter), without its exponential
	for _, part := range f.parts {
		atDiameter += part.weight * math.Pow(part.c+diameter, -f.p)
	}
	atDiameter += f.constant

	var best []Term
	bound := math.Inf(1)
	for _, share := range [...]float64{0.6, 0.4, 0.8, 0.2} {
		h := step(f.p, share*wanted)
		discretised := aliasing(f.p, h)
		for _, offset := range [...]float64{0, 0.25, 0.5, 0.75} {
			// Downwards from where what is left out is nothing to where it is next to nothing.
			var rates, masses, tails []float64 // tails: what leaving out a rate and all above costs
			tail := 0.0
			for k := math.Ceil(math.Log(max(f.p, 1)*100/low) / h); ; k-- {
				r := math.Exp((k + offset) * h)
				if s := low * r; s >= f.p {
					tail += h * math.Exp(f.p*math.Log(s)-s) / gamma
				} else {
					tail = math.Inf(1)
				}
				mass := 0.0
				for _, part := range f.parts {
					mass += part.weight * math.Exp(f.p*math.Log(r)-part.c*r)
				}
				rates, masses, tails = append(rates, r), append(masses, mass*h/gamma), append(tails, tail)
				if below := h / gamma * math.Exp(f.p*math.Log(high*r)) / math.Expm1(f.p*h); below <= leftOut { // a geometric sum
					break
				}
			}
			if f.constant > 0 {
				rates, masses = append(rates, 0), append(masses, f.constant)
			}
			for _, part := range [...]float64{0.5, 0.9} {
				cut := sort.Search(len(tails), func(k int) bool { return tails[k] > part*(wanted-discretised-leftOut) })
				above := 0.0
				if cut > 0 {
					above = tails[cut-1]
				}
				total := discretised + leftOut + above + rounding
				fewest := len(rates) - cut
				if best != nil {
					fewest = min(fewest, len(best)-1)
				}
				if terms, err, ok := compress(rates[cut:], masses[cut:], diameter, (tolerance-total)*atDiameter, fewest); ok {
					best, bound = terms, total+err/atDiameter
				}
			}
		}
	}
	for k := range best {
		best[k].Rate += complex(f.rate, 0)
	}
	return Sum{best, bound, true}, nil
}

// aliasing is the bound of the share by which the trapezoidal rule with step h errs.
func aliasing(p, h float64) float64 {
	total := 0.0
	for m := 1.0; ; m++ {
		y := 2 * math.Pi * m / h
		theta := math.Atan2(y, p)
		size := math.Hypot(p, y)
		moved := -y*theta - p*math.Log(math.Cos(theta))
		gamma, _ := math.Lgamma(p)
		stirling := (p-0.5)*math.Log(size) - y*theta - p + math.Log(2*math.Pi)/2 + 1/(6*size) - gamma
		total += 2 * math.Exp(min(moved, stirling))
		// With theta of this m the terms fall geometrically from here on.
		ratio := math.Exp(-2 * math.Pi / h * theta)
		if rest := 2 * math.Exp(moved) * ratio / (1 - ratio); rest <= 1e-3*total {
			return total + rest
		}
	}
}

// step is the largest step, nearly, that errs by a share of at most allowed.
func step(p, allowed float64) float64 {
	low, high := 1e-3, 100.0
	for range 50 {
		if middle := math.Sqrt(low * high); aliasing(p, middle) <= allowed {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// compress is the rates, which fall, with their masses as terms, as many as possible of the small ones replaced by Gauss quadrature
// with an error of at most allowed on [0, diameter], and the error's bound; not ok if there are more than most.
func compress(rates, masses []float64, diameter, allowed float64, most int) (terms []Term, bound float64, ok bool) {
	kept := len(rates)
	ok = kept <= most
	var small recurrence
	// Below some third of rate times diameter the remainder grows with the points.
	for k := range len(rates) {
		if rates[k]*diameter/3 > float64(most-k) {
			continue
		}
		if r, err, fits := recur(rates[k:], masses[k:], diameter, allowed, most-k); fits {
			kept, most, small, bound, ok = k, k+len(r.alpha)-1, r, err, true
		}
	}
	for k := range kept {
		terms = append(terms, Term{complex(rates[k], 0), complex(masses[k], 0)})
	}
	return append(terms, small.quadrature()...), bound, ok
}

// A recurrence is that of the monic orthogonal polynomials of positive masses at rates: pi_{k+1} = (r - alpha_k) pi_k - beta_k pi_{k-1}.
// Rates are in units of the largest.
type recurrence struct {
	alpha, beta []float64
	unit, mass  float64
}

// recur is the recurrence of as many polynomials as Gauss quadrature needs for an error of at most allowed, and the
// bound of that error; not ok if more than most. It is that of Lanczos, on square roots of masses, each polynomial made orthogonal
// to all before: rates lie close together near zero, where Stieltjes' own loses many places.
func recur(rates, masses []float64, diameter, allowed float64, most int) (r recurrence, bound float64, ok bool) {
	r.unit = rates[0]
	now := make([]float64, len(rates))
	for k, mass := range masses {
		r.mass += mass
		now[k] = math.Sqrt(mass)
	}
	var basis [][]float64
	taylor, norm := r.mass, math.Sqrt(r.mass) // of now; in taylor that of the monic polynomial
	for m := 1; m <= most && norm > 0; m++ {
		for k := range now {
			now[k] /= norm
		}
		basis = append(basis, now)
		next, mean := make([]float64, len(now)), 0.0
		for k, v := range now {
			next[k] = rates[k] / r.unit * v
			mean += next[k] * v
		}
		r.alpha, r.beta = append(r.alpha, mean), append(r.beta, norm*norm)
		for range 2 {
			for _, v := range slices.Backward(basis) {
				product := 0.0
				for k := range v {
					product += v[k] * next[k]
				}
				for k := range v {
					next[k] -= product * v[k]
				}
			}
		}
		now, norm = next, 0
		for _, v := range now {
			norm += v * v
		}
		norm = math.Sqrt(norm)
		x := r.unit * diameter
		taylor *= x * x / float64((2*m-1)*2*m) * norm * norm
		// The quadrature's error, and rounding's of rates and weights.
		if bound = taylor + 1e-15*float64(m+4)*r.mass; bound <= allowed {
			return r, bound, true
		}
	}
	return r, 0, false
}

// quadrature is the points and weights: the eigenvalues of the recurrence's tridiagonal matrix, and the mass times the squares of the
// eigenvectors' first entries (Golub and Welsch, 1969), by the QL algorithm with implicit shifts (Martin and Wilkinson, 1968). gonum's
// mat.EigenSym takes 1.6 to 3.4 times as long: it finds all of the vectors.
func (r recurrence) quadrature() []Term {
	n := len(r.alpha)
	if n == 0 {
		return nil
	}
	d, e, z := slices.Clone(r.alpha), make([]float64, n), make([]float64, n)
	for k := 1; k < n; k++ {
		e[k-1] = math.Sqrt(r.beta[k])
	}
	z[0] = 1
	for l := range n {
		for range 100 {
			m := l
			for m < n-1 && math.Abs(e[m]) > 0x1p-53*(math.Abs(d[m])+math.Abs(d[m+1])) {
				m++
			}
			if m == l {
				break
			}
			g := (d[l+1] - d[l]) / (2 * e[l])
			g = d[m] - d[l] + e[l]/(g+math.Copysign(math.Hypot(g, 1), g))
			s, c, p := 1.0, 1.0, 0.0
			for i := m - 1; i >= l; i-- {
				f, b := s*e[i], c*e[i]
				e[i+1] = math.Hypot(f, g)
				if e[i+1] == 0 {
					d[i+1] -= p
					e[m] = 0
					break
				}
				s, c = f/e[i+1], g/e[i+1]
				g = d[i+1] - p
				t := (d[i]-g)*s + 2*c*b
				p = s * t
				d[i+1] = g + p
				g = c*t - b
				z[i], z[i+1] = c*z[i]-s*z[i+1], s*z[i]+c*z[i+1]
				if i == l {
					d[l] -= p
					e[l], e[m] = g, 0
				}
			}
		}
	}
	var terms []Term
	for k, rate := range d {
		// Rounding may leave a rate of zero below it.
		terms = append(terms, Term{complex(max(0, rate)*r.unit, 0), complex(r.mass*z[k]*z[k], 0)})
	}
	slices.SortFunc(terms, func(a, b Term) int { return cmp.Compare(real(b.Rate), real(a.Rate)) })
	return terms
}

// exponentials is the trapezoidal rule for the Fourier integral along a line beside the real one. In the unit x = sqrt(s),
//
//	exp(-x^2) = integral sqrt(pi) exp(-pi^2 w^2 + 2 pi i w x) dw,   w = (k+1/2)/P + i a/(2 pi P),
//
// has terms that fall like exp(-a x/P). By Poisson's formula the rule errs by sum_{m != 0} (-1)^m e^(-a m) exp(-(x-mP)^2): the copies of the function
// that lie at mP > 0 are damped, those at mP < 0 are seen at their foot alone. Without a the period P has to be longer
// than the diameter; with it the number of terms does not depend on the diameter. P and a are those with the least bound.
func (f Gauss) exponentials(diameter, tolerance float64) (Sum, error) {
	unit := math.Sqrt(f.s)
	width := diameter / unit
	for n := 1; n <= 200; n++ {
		// Golden sections in log P, within each in log a.
		logP := minimum(math.Log(0.2), math.Log(50), func(logP float64) float64 {
			_, b := shift(n, math.Exp(logP), width)
			return b
		})
		p := math.Exp(logP)
		a, logBound := shift(n, p, width)
		terms := make([]Term, n)
		size := 0.0
		for k := range terms {
			w := complex((float64(k)+0.5)/p, a/(2*math.Pi*p))
			weight := complex(2*math.Sqrt(math.Pi)/p, 0) * cmplx.Exp(-math.Pi*math.Pi*w*w)
			terms[k] = Term{complex(0, -2*math.Pi/unit) * w, weight}
			size += cmplx.Abs(weight)
		}
		// Rounding: of weights, and of rates, by which the terms turn: at most rate x exp(-a x/P).
		turn := 2 * math.Pi * float64(n) / p * min(width, p/(a*math.E))
		if bound := math.Exp(logBound) + 1e-15*size*(4+float64(n)+turn); bound <= tolerance {
			return Sum{terms, bound, false}, nil
		}
	}
	return Sum{}, fmt.Errorf("kernel %v: no sum of 200 exponentials reaches the tolerance %v on the diameter %.6g", f, tolerance, diameter)
}

// shift is the a with the least bound for n terms and the period p, and the bound's log.
func shift(n int, p, width float64) (a, logBound float64) {
	bound := func(a float64) float64 {
		total := 0.0
		for m := 1.0; m < 100; m++ {
			// On [0, width] the copy at mP is at least mP-width away, and that at -mP at least mP.
			away := max(0, m*p-width)
			term := math.Exp(-a*m-away*away) + math.Exp(a*m-m*m*p*p)
			total += term
			if a*m > 700 || m*p*p > 2*a && term < 1e-20*total { // from here on both fall faster than halves
				break
			}
		}
		// What is left out: sum over k >= n of 2 sqrt(pi)/P exp(-pi^2 (w_k^2 - eta^2)), at most its first times a geometric sum.
		w, eta := (float64(n)+0.5)/p, a/(2*math.Pi*p)
		first := 2 * math.Sqrt(math.Pi) / p * math.Exp(-math.Pi*math.Pi*(w*w-eta*eta))
		return math.Log(total + first/-math.Expm1(-2*math.Pi*math.Pi*w/p))
	}
	a = math.Exp(minimum(math.Log(1e-3), math.Log(200), func(loga float64) float64 { return bound(math.Exp(loga)) }))
	return a, bound(a)
}

// minimum is where f, which falls and then rises, is least, nearly: by golden sections.
func minimum(low, high float64, f func(float64) float64) float64 {
	golden := (math.Sqrt(5) - 1) / 2
	a, b := high-golden*(high-low), low+golden*(high-low)
	fa, fb := f(a), f(b)
	for range 40 {
		if fa < fb {
			high, b, fb = b, a, fa
			a = high - golden*(high-low)
			fa = f(a)
		} else {
			low, a, fa = a, b, fb
			b = low + golden*(high-low)
			fb = f(b)
		}
	}
	return (low + high) / 2
}
