package label

import (
	"errors"
	"math"
	"testing"

	"genussink/core/graph"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/linop/linoptest"
	"genussink/core/septree"
	"genussink/core/shortest"
	"genussink/internal/race"
)

// The labels answer every distance, one by one and by row.
func TestDistances(t *testing.T) {
	race.Alone(t)
	for name, g := range gengraph.All(t) {
		for _, leaf := range []int{1, 8, 0} {
			for _, p := range precisions {
				l := labelsOf(t, g, septree.Options{Leaf: leaf}, p)
				solver := shortest.NewSolver(g)
				var want, row []float64
				for i := range int32(g.Len()) {
					want = solver.Distances(want, i)
					row = linoptest.Value(l.Distances(t.Context(), row, int(i)))(t)
					for j, d := range want {
						if got := l.Distance(i, int32(j)); !agrees(got, d, p) || !agrees(row[j], d, p) {
							t.Fatalf("%s, leaf %d, %v: d(%d,%d) = %g, in the row %g, Dijkstra %g", name, leaf, p, i, j, got, row[j], d)
						}
						if d < math.Inf(1) && d > l.Reach {
							t.Fatalf("%s, leaf %d, %v: d(%d,%d) = %g, no distance should be above %g", name, leaf, p, i, j, d, l.Reach)
						}
					}
				}
			}
		}
	}
}

// Lengths that float32 cannot hold with all its digits are refused, others are
// within the bound.
func TestExtremeLengths(t *testing.T) {
	path := func(length float64) *septree.Tree {
		tree, err := septree.Split(t.Context(), gengraph.Build(t, 3, []graph.Edge{{U: 0, V: 1, Weight: length}, {U: 1, V: 2, Weight: length}}), septree.Options{Leaf: 1})
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	for _, length := range []float64{1e39, 1e-31, 1e-44, 1e-60} {
		if _, err := Measure(t.Context(), path(length), MeasureOptions{Precision: Float32}); !errors.Is(err, ErrFloat32) {
			t.Errorf("lengths of %g: %v", length, err)
		}
	}
	for _, length := range []float64{1e38, 1e-30, 0} {
		l, err := Measure(t.Context(), path(length), MeasureOptions{Precision: Float32})
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Distance(0, 2); got < 2*length || got > 2*length+Rounding(l.Reach) {
			t.Errorf("twice %g is %g, the bound %g", length, got, Rounding(l.Reach))
		}
	}
}

// A label found with the help of its neighbours' is as good as one found by itself: Precision.Unit counts on it.
func TestLabelsAreDistances(t *testing.T) {
	race.Alone(t)
	for name, g := range map[string]*graph.Graph{"grid": gengraph.Grid(t, 60, 50, 0.3, 5), "lattice": gengraph.Grid(t, 60, 50, 0, 5), "strip": gengraph.Grid(t, 400, 5, 0.3, 6)} {
		if testing.Short() && name != "strip" {
			continue
		}
		l := labels(t, g, septree.Options{})
		solver, worst := shortest.NewSolver(l.Graph), 0.0
		var dist []float64
		for i := range l.Cells {
			r := &l.Cells[i]
			for h := r.Sep; h < r.Hi; h++ {
				dist = solver.Distances(dist, h)
				for v := r.Lo; v < r.Hi; v++ {
					if want := dist[v]; want > 0 {
						worst = max(worst, math.Abs(l.At(h, v)-want)/want)
					}
				}
			}
		}
		t.Logf("%s: %.2g", name, worst)
		if worst > Float64.Unit()/10 {
			t.Errorf("%s: a label is off by %.2g of itself", name, worst)
		}
	}
}

// Labels along a refined tree know the same distances.
func TestRefinedLabels(t *testing.T) {
	for name, g := range map[string]*graph.Graph{"grid": gengraph.Grid(t, 40, 30, 0.3, 5), "strip": gengraph.Grid(t, 400, 3, 0.3, 6), "components": gengraph.Random(t, 500, 600, 7)} {
		tree, err := septree.Split(t.Context(), g, septree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fine, err := tree.Refine(t.Context(), septree.Options{Leaf: septree.FineLeaf(g.Len())})
		if err != nil {
			t.Fatal(err)
		}
		l, err := Measure(t.Context(), fine, MeasureOptions{Precision: Float64})
		if err != nil {
			t.Fatal(err)
		}
		want := labels(t, g, septree.Options{})
		for v := range int32(g.Len()) {
			if a, b := l.Distance(v, (v*7+3)%int32(g.Len())), want.Distance(v, (v*7+3)%int32(g.Len())); math.Abs(a-b) > 1e-12*(1+b) && a != b {
				t.Fatalf("%s: distance %g, %g by the tree itself", name, a, b)
			}
		}
	}
}
