// Package gendensity makes densities to test with. Only tests use it.
package gendensity

import (
	"math/rand/v2"
	"testing"

	"genussink/core/measure"
)

// Random has a total of 1, and vertices without mass.
func Random(n int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 2))
	a := make([]float64, n)
	total := 0.0
	for i := range a {
		if r.IntN(3) > 0 || i == n-1 {
			a[i] = r.ExpFloat64()
			total += a[i]
		}
	}
	for i := range a {
		a[i] /= total
	}
	return a
}

// Halves are two densities with the same mass on either side of a bridge (gengraph.Bridged): a
// net flow over a long one takes the potentials thousands of iterations.
func Halves(t testing.TB, n int) (a, b []float64) {
	t.Helper()
	side := make([]int32, n)
	for i := n / 2; i < n; i++ {
		side[i] = 1
	}
	a, b, _, err := measure.Balance(Random(n, 1), Random(n, 2), side, 2)
	if err != nil {
		t.Fatal(err)
	}
	return a, b
}

// Scaled is x times by.
func Scaled(x []float64, by float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = by * v
	}
	return y
}
