package linop

import (
	"math"

	"genussink/core/internal/exponential"
)

// MaxLog bounds the logarithms of what may be multiplied as plain numbers:
// e^690 is 1e299, and e^-690 is still far from the denormals, where digits are
// lost.
const MaxLog = 690

// Scalings sets u = exp(logu + c) and v = exp(logv - c), with the c that gives
// both the same greatest value: u_i v_j is what it was. It reports false, and
// leaves u and v alone, when a value or an entry of the kernel with the given
// LogFloor would leave exp(+-MaxLog); -Inf stands for no mass and becomes 0.
func Scalings(u, v, logu, logv []float64, floor float64) bool {
	lowU, highU := span(logu)
	lowV, highV := span(logv)
	c := (highV - highU) / 2
	if !(min(lowU+c, lowV-c, floor) > -MaxLog && max(highU+c, highV-c) < MaxLog) {
		return false
	}
	for i, l := range logu {
		u[i] = exponential.Exp(l + c)
	}
	for i, l := range logv {
		v[i] = exponential.Exp(l - c)
	}
	return true
}

// span is the range of the values above -Inf; 0, 0 without any.
func span(x []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, l := range x {
		if l != math.Inf(-1) {
			low, high = min(low, l), max(high, l)
		}
	}
	if low > high {
		return 0, 0
	}
	return low, high
}
