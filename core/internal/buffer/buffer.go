// Package buffer has slices that are used again.
package buffer

// Vector is dst or, where that is nil, a new one of n numbers.
func Vector(dst []float64, n int) []float64 {
	if dst == nil {
		dst = make([]float64, n)
	}
	if len(dst) != n {
		panic("buffer: a vector has the wrong length")
	}
	return dst
}

// Sized returns a slice of length n, s if it is long enough, otherwise one with
// room to spare, so that what grows step by step is not made anew each time.
func Sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
