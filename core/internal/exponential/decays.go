//go:build !js

package exponential

import "math"

// Decays fills dst with exp(-d/epsilon) for as many lengths d >= 0; epsilon is positive. Each is within 1.5 units in the last place of
// exp of the rounded -d/epsilon.
//
// The method is that of a table (P. T. P. Tang, "Table-driven implementation of the exponential function in IEEE floating-point
// arithmetic", ACM TOMS 15, 1989): x = k ln 2 / 128 + r, 2^(k/128) from a table, and a polynomial in r. Nothing is called in the loop, and
// one number does not wait for the one before, so that it takes half of the time of math.Exp.
func Decays(dst, lengths []float64, epsilon float64) {
	dst = dst[:len(lengths)]
	for i, d := range lengths {
		x := -d / epsilon
		if !(x > lowest) {
			dst[i] = math.Exp(x) // subnormal, zero or a NaN
			continue
		}
		shifted := x*perLn2 + shift
		k := math.Float64bits(shifted)
		whole := shifted - shift
		r := x - whole*stepHi - whole*stepLo
		square := r * r
		p := r + square*(1./2+r*(1./6)) + square*square*(1./24+r*(1./120))
		scale := math.Float64frombits(roots[k%steps] + k/steps<<52)
		dst[i] = scale + scale*p
	}
}

const (
	steps  = 128
	lowest = -708               // exp is a normal number from there on
	shift  = 0x1.8p52           // added to a number it leaves a whole one in the last bits
	perLn2 = steps * math.Log2E // steps per unit

	// ln 2 / steps in two parts. The first has so few digits that its product with a whole number is exact.
	stepHi = 6.93147180369123816490e-01 / steps
	stepLo = 1.90821492927058770002e-10 / steps
)

// roots are the bits of 2^(j/steps).
var roots = func() (r [steps]uint64) {
	for j := range r {
		r[j] = math.Float64bits(math.Exp2(float64(j) / steps))
	}
	return r
}()
