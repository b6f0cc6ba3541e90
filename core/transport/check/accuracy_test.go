package check

import (
	"context"
	"math"
	"testing"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/shortest"
)

func dense(t testing.TB, g *graph.Graph, epsilon float64) *baseline.Dense {
	t.Helper()
	k, err := baseline.NewDense(t.Context(), g, epsilon, baseline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestMeasureAccuracy(t *testing.T) {
	const n = 120
	for _, epsilon := range []float64{0.7, 0.01} { // products as they are, and in logarithms
		for _, bridge := range []float64{0, 10} {
			g := gengraph.Bridged(t, n, bridge)
			long := gengraph.Stretched(t, g, 0.03)
			got, err := MeasureAccuracy(context.Background(), dense(t, long, epsilon), epsilon, g, 8)
			if err != nil {
				t.Fatal(err)
			}
			want := Accuracy{Rows: 8, Least: math.Inf(1), Most: math.Inf(-1)}
			pairs, apart := 0.0, 0.0
			for r := range 8 {
				i := int32(r * n / 8)
				d, stretch := shortest.From(g, i), shortest.From(long, i)
				for j, x := range d {
					if math.IsInf(x, 1) {
						continue
					}
					e := stretch[j] - x
					pairs++
					want.Least, want.Most, want.Mean = min(want.Least, e), max(want.Most, e), want.Mean+e
					if x > 0 {
						apart++
						want.MostRelative, want.MeanRelative = max(want.MostRelative, e/x), want.MeanRelative+e/x
					}
				}
			}
			want.Mean /= pairs
			want.MeanRelative /= apart
			for _, p := range [][2]float64{
				{got.Least, want.Least}, {got.Most, want.Most}, {got.Mean, want.Mean},
				{got.MostRelative, want.MostRelative}, {got.MeanRelative, want.MeanRelative},
			} {
				if math.Abs(p[0]-p[1]) > 1e-11*max(1, math.Abs(p[1])) {
					t.Errorf("epsilon %g: %+v, not %+v", epsilon, got, want)
				}
			}
			same, err := MeasureAccuracy(context.Background(), dense(t, g, epsilon), epsilon, g, n+5)
			if err != nil || same.Rows != n || same.Most > 1e-11 || same.Least < -1e-11 {
				t.Errorf("a kernel against itself: %+v, %v", same, err)
			}
		}
	}
	empty := gengraph.Bridged(t, 0, 0)
	if a, err := MeasureAccuracy(context.Background(), dense(t, empty, 1), 1, empty, 3); err != nil || *a != (Accuracy{}) {
		t.Errorf("of nothing: %+v, %v", a, err)
	}
}
