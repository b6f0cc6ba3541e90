package septree

import (
	"testing"

	"genussink/core/internal/shared/gengraph"
	"genussink/core/treedec"
)

// A tree along a decomposition has separators no larger than its bags.
func TestAlong(t *testing.T) {
	g := gengraph.Grid(t, 60, 6, 0.5, 3)
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
