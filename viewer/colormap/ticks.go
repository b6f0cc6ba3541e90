package colormap

import "math"

// Ticks are three to eight round values between two, multiples of 1, 2 or 5 times a power of ten; of two that are the same it is that one.
func Ticks(low, high float64) (values []float64) {
	if !(high > low) {
		return []float64{low}
	}
	power := math.Pow(10, math.Floor(math.Log10(high-low)))
	step := 0.2 * power
	for _, part := range []float64{5, 2, 1, 0.5} {
		if (high-low)/(part*power) >= 3 {
			step = part * power
			break
		}
	}
	for k := math.Ceil(low/step - 1e-9); k*step <= high+1e-9*step; k++ {
		values = append(values, k*step+0) // no -0
	}
	return values
}
