package label

import (
	"context"
	"testing"

	"genussink/core/graph"
	"genussink/core/septree"
)

func labels(t testing.TB, g *graph.Graph, o septree.Options) *Labels {
	t.Helper()
	return labelsOf(t, g, o, Float64)
}

func labelsOf(t testing.TB, g *graph.Graph, o septree.Options, p Precision) *Labels {
	t.Helper()
	tree, err := septree.Split(context.Background(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Measure(context.Background(), tree, MeasureOptions{Precision: p})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// precisions are those that labels can have.
var precisions = []Precision{Float64, Float32}

// rounded32 is a tolerance that only float32 needs.
func rounded32(p Precision, tolerance float64) float64 {
	if p == Float32 {
		return tolerance
	}
	return 0
}

// agrees reports whether a distance by labels is the true one, but for the
// rounding of sums of the same edge lengths, and for that of float32, which
// makes it longer by at most 2^-23 of itself.
func agrees(got, want float64, p Precision) bool {
	if got == want {
		return true
	}
	return got >= want*(1-1e-13) && got <= want+(1e-13+rounded32(p, 0x1p-23))*want
}
