package linop

import (
	"math"
	"testing"
)

func TestScalings(t *testing.T) {
	none := math.Inf(-1)
	for _, c := range []struct {
		logu, logv []float64
		floor      float64
		ok         bool
	}{
		{nil, nil, 0, true},
		{[]float64{none, none}, []float64{none, none}, 0, true},
		{[]float64{1, none, -3}, []float64{0, 2, none}, -100, true},
		{[]float64{1000, 900, none}, []float64{-1000, -1200, 0}, -100, false}, // v becomes e^500 to e^-700
		{[]float64{1000, 900, none}, []float64{-1000, -1100, none}, -100, true},
		{[]float64{0}, []float64{0}, -700, false},
		{[]float64{0, -700}, []float64{0, 0}, 0, false},
		{[]float64{700, 700}, []float64{700, 700}, 0, false},
		{[]float64{math.NaN()}, []float64{0}, 0, false},
	} {
		u, v := make([]float64, len(c.logu)), make([]float64, len(c.logv))
		ok := Scalings(u, v, c.logu, c.logv, c.floor)
		if ok != c.ok {
			t.Errorf("%v, %v, floor %g: %v", c.logu, c.logv, c.floor, ok)
		}
		for i := range u {
			for j := range v {
				want := 0.0
				if ok {
					want = math.Exp(c.logu[i] + c.logv[j])
				}
				if math.Abs(u[i]*v[j]-want) > 1e-13*want {
					t.Errorf("%v, %v: %g at %d,%d, not %g", c.logu, c.logv, u[i]*v[j], i, j, want)
				}
			}
		}
	}
}
