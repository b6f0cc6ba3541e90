package cluster_test

import (
	"slices"
	"testing"

	"genussink/core/hub/cluster"
	"genussink/core/hub/hubtest"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/septree"
)

// The patches of a cell's side, however small, have every vertex of it once, all within the radius of their
// centre; and a bisection has every vertex of its patch once.
func TestPatches(t *testing.T) {
	g := gengraph.Grid(t, 40, 30, 0.3, 5)
	l := hubtest.Labels(t, g, septree.Options{Leaf: 24})
	c := cluster.New(l)
	for at := range l.Cells {
		cell := &l.Cells[at]
		if cell.Lo == cell.Sep {
			continue
		}
		for _, side := range [2]int32{cell.Left, cell.Right} {
			whole := c.Patch(c.Of[side], nil)
			for depth := range 4 {
				var ranks []int32
				for _, p := range c.Cut(whole, depth) {
					for i := range p.Len() {
						v := p.Rank(i)
						ranks = append(ranks, v)
						// The distance of two vertices of a cell is a label where one of them is in its separator.
						if owner := &l.Cells[l.Owner[p.Centre]]; p.Len() > 0 && owner.Lo <= v && v < owner.Hi && !(l.At(p.Centre, v) <= p.Radius*(1+1e-12)) {
							t.Fatalf("cell %d: rank %d is %g from the centre of a patch of radius %g", at, v, l.At(p.Centre, v), p.Radius)
						}
					}
					order := slices.Sorted(slices.Values(p.Bisection(l, cell.Hubs).Order))
					for i, v := range order {
						if i != int(v) || len(order) != p.Len() {
							t.Fatalf("cell %d: the order of a patch of %d vertices is %v", at, p.Len(), order)
						}
					}
				}
				slices.Sort(ranks)
				for i, v := range ranks {
					if want := l.Cells[side].Lo + int32(i); v != want || len(ranks) != int(l.Cells[side].Hi-l.Cells[side].Lo) {
						t.Fatalf("cell %d, depth %d: rank %d instead of %d, of %d", at, depth, v, want, len(ranks))
					}
				}
			}
		}
	}
}
