package exponential

// Decays fills dst with exp(-d/epsilon) for as many lengths d >= 0; epsilon is positive.
func Decays(dst, lengths []float64, epsilon float64) {
	dst = dst[:len(lengths)]
	for i, d := range lengths {
		dst[i] = Exp(-d / epsilon)
	}
}
