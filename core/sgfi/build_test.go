package sgfi

import (
	"context"
	"errors"
	"math"
	"testing"

	"genussink/core/linop/linoptest"
)

func TestDistance(t *testing.T) {
	for _, s := range classified(t) {
		all := oracle(t, s.g, 1)
		tree := build(t, s.g, Options{LeafSize: 16})
		far := 0.0
		for i := 0; i < s.g.Len(); i += 1 + s.g.Len()/40 {
			row := linoptest.Value(tree.Distances(t.Context(), nil, i))(t)
			for j, d := range row {
				want := all.Distance(i, j)
				near(t, s.name, []float64{d}, []float64{want}, 1e-13)
				if j%17 == 0 {
					near(t, s.name, []float64{tree.Distance(int32(i), int32(j))}, []float64{want}, 1e-13)
				}
				if want < math.Inf(1) {
					far = max(far, want)
				}
			}
		}
		if tree.Diameter() < far*(1-1e-13) {
			t.Errorf("%s: a diameter of at most %g, but some are %g apart", s.name, tree.Diameter(), far)
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	g := icosphere(t, 1).g
	for _, o := range []Options{{Finder: "none"}, {Balance: 0.7}, {Balance: math.NaN()}, {Depth: -1}, {LeafSize: -1}, {Positions: make([][3]float64, 3)}} {
		if _, err := Build(context.Background(), g, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Build(cancelled, g, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestBuildProgress(t *testing.T) {
	s := icosphere(t, 3)
	last := 0.0
	build(t, s.g, Options{Progress: func(stage string, fraction float64) {
		if stage != "tree" || fraction < last || fraction > 1 {
			t.Errorf("%s %g after %g", stage, fraction, last)
		}
		last = fraction
	}})
	if last < 0.9 {
		t.Errorf("ended at %g", last)
	}
}

func TestDepth(t *testing.T) {
	s := icosphere(t, 3)
	for depth := 1; depth <= 4; depth++ {
		for _, sample := range []*Sample{nil, {}} {
			if d := build(t, s.g, Options{Depth: depth, Sample: sample}).Depth(); d != depth {
				t.Errorf("asked for %d levels, got %d", depth, d)
			}
		}
	}
	if d := build(t, s.g, Options{LeafSize: s.g.Len()}).Depth(); d != 0 {
		t.Errorf("one leaf has %d levels", d)
	}
}
