package graph

import (
	"slices"
	"testing"
)

func TestFromRows(t *testing.T) {
	g, err := New(4, []Edge{{0, 1, 1}, {1, 2, 2}, {0, 2, 3}, {2, 3, 0}})
	if err != nil {
		t.Fatal(err)
	}
	clone := func() ([]int32, []int32, []float64) {
		return slices.Clone(g.Offsets), slices.Clone(g.Targets), slices.Clone(g.Weights)
	}
	if same, err := FromRows(clone()); err != nil || same.Edges() != g.Edges() {
		t.Fatalf("%v, %v", same, err)
	}
	// Every value that is changed makes rows that are refused.
	for i := range g.Offsets {
		o, to, w := clone()
		o[i]++
		if _, err := FromRows(o, to, w); err == nil {
			t.Errorf("offset %d changed: accepted", i)
		}
	}
	for i := range g.Targets {
		for _, wrong := range []int32{-1, 0, 1, 2, 3, 4} {
			o, to, w := clone()
			if to[i] == wrong {
				continue
			}
			to[i] = wrong
			if _, err := FromRows(o, to, w); err == nil {
				t.Errorf("target %d is %d: accepted", i, wrong)
			}
		}
		o, to, w := clone()
		w[i]++
		if _, err := FromRows(o, to, w); err == nil {
			t.Errorf("weight %d changed: accepted", i)
		}
	}
	if _, err := FromRows(nil, nil, nil); err == nil {
		t.Error("no rows at all: accepted")
	}
}
