package exponential

import "math"

// LogSum is log sum_j exp(x_j).
func LogSum(x []float64) float64 {
	top, total := math.Inf(-1), 0.0
	for _, l := range x {
		top = max(top, l)
	}
	if top == math.Inf(-1) {
		return top
	}
	for _, l := range x {
		total += Exp(l - top)
	}
	return top + math.Log(total)
}
