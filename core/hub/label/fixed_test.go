package label

import (
	"math"
	"math/rand/v2"
	"testing"

	"genussink/core/internal/shared/gengraph"
	"genussink/core/septree"
)

// A length comes back at most a 2^-52 of the greatest too short, whatever that is, and a sum of two, with a
// hub's rank, does not overflow.
func TestFixed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, far := range []float64{1, 1.5, 3, math.Pi, 1e-3, 1e300, math.MaxFloat64, 1e-300, 0x1p-1060, math.SmallestNonzeroFloat64} {
		c := scaleTo(far)
		if most := c.Fixed(far); most+most+HubMask < most || most&HubMask != 0 {
			t.Errorf("far %g: the greatest is %d", far, most)
		}
		for range 1000 {
			d := far * math.Pow(r.Float64(), 4)
			x := c.Fixed(d)
			if got := c.Length(x); !(got <= d && got >= d-far*0x1p-52) || x&HubMask != 0 {
				t.Fatalf("far %g: %g becomes %g", far, d, got)
			}
		}
		if got := c.Length(c.Fixed(far)); got != far {
			t.Errorf("far %g becomes %g", far, got)
		}
	}
}

// Loops of several steps do what one at a time does, at every length.
func TestStepsAtATime(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	c := scaleTo(1)
	for n := 1; n < 40; n++ {
		short, a, b := make([]float32, n), make([]float64, n), make([]float64, n)
		least := math.Inf(1)
		for i := range short {
			short[i], a[i], b[i] = r.Float32(), float64(r.Float32()), float64(r.Float32())
			least = min(least, a[i]-b[i])
		}
		wide, x, y := make([]float64, n), make([]Fixed, n), make([]Fixed, n)
		widen(wide, short)
		fix(x, a, &c)
		fix(y, b, &c)
		for i, s := range short {
			if wide[i] != float64(s) || c.Length(x[i]) != a[i] {
				t.Fatalf("%d numbers: number %d becomes %g and %g", n, i, wide[i], c.Length(x[i]))
			}
		}
		if got := lead(a, b, math.Inf(-1)); got != least {
			t.Errorf("%d numbers: the lead is %g, not %g", n, got, least)
		}
		if got := LeadFixed(x, y, math.MinInt64); c.Length(got) != least {
			t.Errorf("%d numbers: the lead is %g, not %g", n, c.Length(got), least)
		}
		if got := lead(a, b, least+0.01); !(got < least+0.01) {
			t.Errorf("%d numbers: the lead is %g, and given up below %g", n, got, least+0.01)
		}
	}
}

// Labels at some ranks are those of the row, in either precision.
func TestFixAt(t *testing.T) {
	g := gengraph.Grid(t, 12, 10, 0.3, 3)
	for _, p := range precisions {
		l := labelsOf(t, g, septree.Options{Leaf: 8}, p)
		for i := range l.Cells {
			r := &l.Cells[i]
			for h := r.Sep; h < r.Hi; h++ {
				base := (r.Lo + r.Mid) / 2
				ranks := []int32{r.Hi - 1 - base, 0, (r.Hi - base) / 2}
				got := make([]Fixed, len(ranks))
				l.FixAt(got, h, base, ranks)
				for k, v := range ranks {
					if want := l.Scale.Fixed(l.At(h, base+v)); got[k] != want {
						t.Fatalf("%v: hub %d at rank %d: %d, not %d", p, h, base+v, got[k], want)
					}
				}
			}
		}
	}
}
