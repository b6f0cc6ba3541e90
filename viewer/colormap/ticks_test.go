package colormap

import (
	"math"
	"testing"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct{ low, high float64 }{{0, 1}, {0, 2.03}, {-3.7, 12}, {1e-9, 4e-9}, {100, 101}, {0, 9.99}, {5, 7e5}, {0, 0.1403}} {
		got := Ticks(c.low, c.high)
		if len(got) < 3 || len(got) > 8 {
			t.Errorf("%g to %g: %d ticks %v", c.low, c.high, len(got), got)
		}
		for k, x := range got {
			if x < c.low-1e-9*math.Abs(c.low) || x > c.high*(1+1e-9) || k > 0 && x <= got[k-1] {
				t.Errorf("%g to %g: ticks %v", c.low, c.high, got)
			}
		}
	}
	if got := Ticks(3, 3); len(got) != 1 || got[0] != 3 {
		t.Errorf("ticks of one value: %v", got)
	}
}
