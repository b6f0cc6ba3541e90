package squared

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Interpolation gives the sums that visiting every pair gives, at every scale of the kernel, also where pairs are weighed by distance. Large blocks use it.
func TestInterpolation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := &Kernel{ctx: context.Background(), longest: 8}
		if k.polynomial = rapid.Bool().Draw(t, "polynomial"); k.polynomial {
			degree := rapid.IntRange(0, nodes-2).Draw(t, "degree")
			least := rapid.Float64Range(leastOfPolynomial, 1).Draw(t, "least")
			k.f = func(d float64) float64 { return least + (1-least)*math.Pow(1-d/k.longest, float64(degree)) }
			k.floor = math.Log(least)
		}
		epsilon := math.Pow(10, rapid.Float64Range(-2, 2).Draw(t, "epsilon, a power of ten"))
		k.s = epsilon * epsilon
		if k.f == nil {
			k.floor = k.LogEntry(k.longest)
		}
		k.form.power = rapid.IntRange(0, 2).Draw(t, "power")
		shift := rapid.Float64Range(0, 0.1).Draw(t, "shift")
		labels := func(name string) []float64 {
			least, long := rapid.Float64Range(0, 2).Draw(t, name), math.Pow(10, rapid.Float64Range(-3, 0.3).Draw(t, name+" spread, a power of ten"))
			list := make([]float64, rapid.IntRange(600, 900).Draw(t, name+"s"))
			for i := range list {
				list[i] = least + long*math.Abs(math.Sin(float64(i*i)))
			}
			return list
		}
		near, far := labels("row"), labels("column")
		scale := k.scale(smallest(near) + smallest(far) - shift)
		sides := func() (w *worker) {
			w = &worker{}
			for s, n := range map[*side]int{&w.rows: len(near), &w.cols: len(far)} {
				s.x, s.y = make([]float64, n), make([]float64, n)
				for i := range s.x {
					s.x[i] = 1 + math.Cos(float64(i))
				}
			}
			return w
		}
		direct, w := sides(), sides()
		if !k.interpolate(w, near, far, shift, scale) {
			if k.polynomial && k.form.power < 2 && smallest(near)+smallest(far) > shift || !k.polynomial && epsilon > 0.5 {
				t.Fatal("it is visited pair by pair")
			}
			return // there are too many bins
		}
		for i, d := range near {
			k.row(direct, i, 0, d-shift, far, scale)
		}
		for what, both := range map[string][2][]float64{"row": {w.rows.y, direct.rows.y}, "column": {w.cols.y, direct.cols.y}} {
			most := 0.0
			for _, y := range both[1] {
				most = max(most, math.Abs(y))
			}
			for i, want := range both[1] {
				// A weighed entry near 0 is right beside the others, not beside itself.
				if off := math.Abs(both[0][i] - want); off > k.Share()*math.Abs(want)+missed && !(k.form.power > 0 && off <= k.Share()*most) {
					t.Fatalf("%s %d: %g, pair by pair %g", what, i, both[0][i], want)
				}
			}
		}
	})
}

// spread is a block of the kernel exp(-d^2/s): its labels lie evenly between 0 and rows, and 0 and cols.
type spread struct{ s, longest, rows, cols, shift float64 }

// alike compares the columns' sums of n rows and n columns with those of visiting every pair. They may differ by a share of their entries' sizes.
func (c spread) alike(t *testing.T, name string, n int, power int, share float64) {
	k := &Kernel{ctx: context.Background(), longest: c.longest, s: c.s}
	k.form.power = power
	rows, cols, ones := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		rows[i], cols[i], ones[i] = c.rows*float64(i)/float64(n), c.cols*float64(i)/float64(n), 1
	}
	w := &worker{}
	w.rows.x, w.rows.y, w.cols.x, w.cols.y = ones, make([]float64, n), ones, make([]float64, n)
	if !k.interpolate(w, rows, cols, c.shift, 0) {
		t.Fatalf("%s: it is visited pair by pair", name)
	}
	for j := range cols {
		want, size := 0.0, 0.0
		for i := range rows {
			d := rows[i] + cols[j] - c.shift
			e := math.Exp(-d * d / c.s)
			e *= math.Pow(d/c.longest, float64(power))
			want, size = want+e, size+math.Abs(e)
		}
		if got := w.cols.y[j]; math.Abs(got-want) > share*size+missed {
			t.Fatalf("%s, column %d: %g, pair by pair %g", name, j, got, want)
		}
	}
}

// With a tolerance some distances of a block may be negative, or all. The sums are those of visiting every pair.
func TestInterpolationBelowZero(t *testing.T) {
	for name, c := range map[string]spread{"all": {1, 1, 1e-3, 1e-3, 0.1}, "some": {1e-4, 1, 1e-3, 0.6, 0.1}} {
		c.alike(t, name, 1200, 0, 1e-12)
	}
}

// Entries may be weighed by distance. Their sums keep their digits, also where all distances of a block are far shorter than the kernel is wide.
func TestInterpolationOfShortDistances(t *testing.T) {
	for name, c := range map[string]spread{
		"all short": {1e4, 8, 1e-3, 5e-3, 2e-4}, "all alike": {1e4, 8, 0, 0, -1e-3}, "all below zero": {1e4, 8, 1e-5, 1e-5, 1e-3}, "all zero": {1e4, 8, 0, 0, 0},
	} {
		c.alike(t, name, 900, 1, 2e-13)
		c.alike(t, name, 900, 2, 2e-13)
	}
}

// A small block is visited pair by pair, and one of another function.
func TestNoInterpolation(t *testing.T) {
	k, labels := &Kernel{ctx: context.Background(), longest: 1, s: 1}, []float64{0, 0.5, 1}
	if k.interpolate(&worker{}, labels, labels, 0, 0) {
		t.Error("nine pairs are interpolated")
	}
	k.f = func(d float64) float64 { return 1 / (1 + d) }
	many := make([]float64, 4000)
	if k.interpolate(&worker{}, many, many, 0, 0) {
		t.Error("another function is interpolated, of which nothing is known")
	}
}
