package minplus

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, terms := range []int{0, 1, 3, 4, 7, 8} {
		for _, n := range []int{0, 1, 5} {
			stride := n + 2
			a, b, out := make([]float64, terms), make([]float64, terms*stride), make([]float64, n)
			for i := range a {
				a[i] = rng.Float64()
			}
			for i := range b {
				b[i] = rng.Float64()
			}
			if terms > 0 {
				a[0] = math.Inf(1)
			}
			Row(out, a, b, stride)
			for j, got := range out {
				want := math.Inf(1)
				for k, x := range a {
					want = min(want, x+b[k*stride+j])
				}
				if got != want {
					t.Errorf("%d terms: element %d of %d is %v, want %v", terms, j, n, got, want)
				}
			}
		}
	}
}
