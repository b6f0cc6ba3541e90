// Package growth tells how what is measured grows.
package growth

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Power is the power of n by which y grows: the slope of least squares of log y over log n. Both are
// positive, and two of n differ.
func Power(n, y []float64) float64 {
	_, slope := stat.LinearRegression(logs(n), logs(y), nil, false)
	return slope
}

func logs(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, x := range x {
		y[i] = math.Log(x)
	}
	return y
}
