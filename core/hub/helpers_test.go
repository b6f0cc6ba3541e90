package hub

import (
	"context"
	"testing"

	"genussink/core/graph"
	"genussink/core/hub/label"
	"genussink/core/septree"
)

func labels(t testing.TB, g *graph.Graph, o septree.Options) *label.Labels {
	t.Helper()
	return labelsOf(t, g, o, label.Float64)
}

func labelsOf(t testing.TB, g *graph.Graph, o septree.Options, p label.Precision) *label.Labels {
	t.Helper()
	tree, err := septree.Split(context.Background(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := label.Measure(context.Background(), tree, label.MeasureOptions{Precision: p})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// precisions are those that labels can have.
var precisions = []label.Precision{label.Float64, label.Float32}

// rounded32 is a tolerance that only float32 needs.
func rounded32(p label.Precision, tolerance float64) float64 {
	if p == label.Float32 {
		return tolerance
	}
	return 0
}
