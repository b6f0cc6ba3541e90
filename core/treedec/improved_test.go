package treedec

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Improved is told of bounds that close in on each other, each held by a valid
// decomposition, and of the last ones.
func TestImproved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 11)
		var told []Result
		r, err := Treewidth(t.Context(), g, Options{Improved: func(r Result) { told = append(told, r) }})
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range told {
			if err := x.Decomposition.Validate(g); err != nil {
				t.Fatal(err)
			}
			if x.Lower > x.Decomposition.Width() || x.Exact != (x.Lower == x.Decomposition.Width()) {
				t.Fatalf("lower bound %d, width %d, exact %v", x.Lower, x.Decomposition.Width(), x.Exact)
			}
			if i > 0 && (x.Lower < told[i-1].Lower || x.Decomposition.Width() > told[i-1].Decomposition.Width()) {
				t.Fatalf("the bounds part: %+v after %+v", x, told[i-1])
			}
		}
		last := told[len(told)-1]
		if last.Lower != r.Lower || last.Exact != r.Exact || !slices.EqualFunc(last.Decomposition.Bags, r.Decomposition.Bags, slices.Equal) {
			t.Fatalf("told of %+v last, the result is %+v", last, r)
		}
	})
}
