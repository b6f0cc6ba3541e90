package label

import (
	"context"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/linop/linoptest"
	"genussink/core/mesh/generate"
	"genussink/core/septree"
)

// A measurement that is cancelled, wherever it is, is an error, or has all labels.
func TestCancelledMeasure(t *testing.T) {
	m, err := generate.Make("sphere", map[string]float64{"frequency": 10})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.FromMesh(m)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := septree.Split(context.Background(), g, septree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range precisions {
		whole, err := Measure(context.Background(), tree, MeasureOptions{Precision: p})
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; ; at++ {
			ctx := linoptest.NewCountdown(at)
			l, err := Measure(ctx, tree, MeasureOptions{Precision: p})
			if ctx.Asked() <= at {
				break
			}
			if err != nil {
				continue
			}
			for i := range tree.Cells {
				if p == Float64 && !slices.Equal(l.Long[i], whole.Long[i]) || p == Float32 && !slices.Equal(l.Short[i], whole.Short[i]) {
					t.Fatalf("%v: cancelled at question %d: no error, and labels of cell %d are wrong", p, at, i)
				}
			}
		}
	}
}
