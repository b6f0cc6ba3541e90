package growth

import (
	"math"
	"testing"
)

func TestPower(t *testing.T) {
	n := []float64{10, 20, 70, 1e6}
	for _, e := range []float64{-1, 0, 1.25, 2} {
		y := make([]float64, len(n))
		for i, n := range n {
			y[i] = 3 * math.Pow(n, e)
		}
		if p := Power(n, y); math.Abs(p-e) > 1e-12 {
			t.Errorf("n^%g grows like n^%g", e, p)
		}
	}
	// A point that is e off in the middle of three does not turn the line.
	if p := Power([]float64{1, 10, 100}, []float64{1, 10 * math.E, 100}); math.Abs(p-1) > 1e-12 {
		t.Errorf("n^%g", p)
	}
}
