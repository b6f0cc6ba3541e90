package hub

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/shortest"
	"genussink/core/treedec"

	"pgregory.net/rapid"
)

// On any graph, with ties, edges without length and several components, in
// either precision, every entry of the kernel is within its bound of the true one,
// above it only where there is slack, and no entry is below the floor. The bound
// is delta, or the rounding of float32 where that is 0: 2^-20 of the reach is more.
func TestEveryEntryIsWithinItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) graph.Edge {
			return graph.Edge{
				U:      int32(rapid.IntRange(0, n-1).Draw(t, "u")),
				V:      int32(rapid.IntRange(0, n-1).Draw(t, "v")),
				Weight: rapid.SampledFrom([]float64{0, 1e-9, 1, 1, 2, 0.7, 3.25, 0.1}).Draw(t, "w"),
			}
		}), 0, 4*n).Draw(t, "edges")
		g, err := graph.New(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		delta := rapid.SampledFrom([]float64{0, 1e-6, 0.5, 1, 3}).Draw(t, "delta")
		epsilon := rapid.SampledFrom([]float64{0.05, 0.5, 2}).Draw(t, "epsilon")
		ctx := context.Background()
		o := Options{
			Leaf:   rapid.IntRange(1, 9).Draw(t, "leaf"),
			Depth:  rapid.IntRange(0, 3).Draw(t, "depth"),
			Finder: rapid.SampledFrom([]string{"", "level-set"}).Draw(t, "finder"),
		}
		tree, err := Split(ctx, g, o)
		if rapid.Bool().Draw(t, "along") {
			tree, err = Along(ctx, g, decomposition(t, g), o)
		}
		if err != nil {
			t.Fatal(err)
		}
		precision := rapid.SampledFrom(precisions).Draw(t, "precision")
		l, err := Measure(ctx, tree, MeasureOptions{Precision: precision})
		if err != nil {
			t.Fatal(err)
		}
		tiles, err := Walk(ctx, l, WalkOptions{Delta: delta})
		if errors.Is(err, ErrFloat32) && precision == Float32 && delta > 0 && delta <= Rounding(l.reach) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		bound := tiles.Bound()
		if delta > 0 && bound != delta || delta == 0 && precision == Float64 && bound != 0 || delta == 0 && bound > 0x1p-20*l.reach+0x1p-140 {
			t.Fatalf("the bound of delta %g is %g", delta, bound)
		}
		k, err := NewKernel(ctx, tiles, epsilon)
		if err != nil {
			t.Fatal(err)
		}
		for j, got := range columns(k) {
			for i, d := range shortest.From(g, int32(j)) {
				most := math.Exp(-d / epsilon)
				if !holds(tiles, got[i], most, epsilon, delta) {
					t.Fatalf("K(%d,%d) = %g, exact %g, bound %g", i, j, got[i], most, bound)
				}
				if got[i] > 0 && math.Log(got[i]) < k.LogFloor()-1e-12 {
					t.Fatalf("K(%d,%d) = %g is below the floor exp(%g)", i, j, got[i], k.LogFloor())
				}
			}
		}
	})
}

// decomposition is that of an elimination order, or, a decomposition all the
// same, one that has bags of several components.
func decomposition(t *rapid.T, g *graph.Graph) *treedec.Decomposition {
	d, err := treedec.FromOrder(g, rapid.Permutation(order(g.Len())).Draw(t, "order"))
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "mixed") {
		more := rapid.Int32Range(0, int32(g.Len())-1).Draw(t, "more")
		for i, bag := range d.Bags {
			if k, there := slices.BinarySearch(bag, more); !there {
				d.Bags[i] = slices.Insert(bag, k, more)
			}
		}
	}
	if err := d.Validate(g); err != nil {
		t.Fatal(err)
	}
	return d
}

func order(n int) []int32 {
	o := make([]int32, n)
	for v := range o {
		o[v] = int32(v)
	}
	return o
}

// A tree along a decomposition has separators no larger than its bags.
func TestAlong(t *testing.T) {
	g := grid(t, 60, 6, 0.5, 3)
	order, err := treedec.Order(t.Context(), g, treedec.MinDegree, 0)
	if err != nil {
		t.Fatal(err)
	}
	d, err := treedec.FromOrder(g, order)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := Along(t.Context(), g, d, Options{Leaf: 20})
	if err != nil {
		t.Fatal(err)
	}
	nodes, _ := tree.Outline()
	depth := int32(0)
	for _, node := range nodes {
		depth = max(depth, node.Depth)
		if int(node.S) > d.Width()+1 || node.Left < 0 && int(node.A) > max(20, 2*(d.Width()+1)) {
			t.Errorf("node %+v, width %d", node, d.Width())
		}
	}
	if len(nodes) < 20 || depth > 12 {
		t.Errorf("%d nodes, depth %d", len(nodes), depth)
	}
	if _, err := Along(t.Context(), g, d, Options{Leaf: -1}); err == nil {
		t.Error("negative leaves: no error")
	}
}
