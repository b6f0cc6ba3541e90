// Package exponential has e^x for inner loops.
package exponential

import "math"

// Exp is math.Exp, bit by bit, in less than half the time: Go's own takes the result apart and puts it together again through memory
// to multiply it with a power of two, which WebAssembly is slow at.
//
// The method is that of FreeBSD's e_exp.c, which math.Exp follows too: x = k ln 2 + r with |r| <= ln 2 / 2, a rational
// approximation of e^r, and a product with 2^k, here from a table.
func Exp(x float64) float64 {
	if !(x > -708 && x < 709) || x > -nearZero && x < nearZero { // NaN, an infinity, subnormal, or 1 + x
		return math.Exp(x)
	}
	k := math.Trunc(math.Log2E*x + math.Copysign(0.5, x))
	hi, lo := x-k*ln2Hi, k*ln2Lo
	r := hi - lo
	t := r * r
	c := r - t*(p1+t*(p2+t*(p3+t*(p4+t*p5))))
	y := 1 - ((lo - (r*c)/(2-c)) - hi)
	return y * powers[(int(k)+bias)&(len(powers)-1)]
}

const (
	nearZero = 1.0 / (1 << 28)

	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10

	p1 = 1.66666666666666657415e-01
	p2 = -2.77777777770155933842e-03
	p3 = 6.61375632143793436117e-05
	p4 = -1.65339022054652515390e-06
	p5 = 4.13813679705723846039e-08

	bias = 1022
)

// powers are 2^-1022 to 2^1023. Their number spares a check of bounds.
var powers = func() (p [2048]float64) {
	for i := range bias + 1024 {
		p[i] = math.Ldexp(1, i-bias)
	}
	return p
}()
