package sgfi

import (
	"fmt"
	"slices"
)

// covers checks that the node stands for exactly the vertices ids, ascending,
// and its children for what they should.
func (n *Node) covers(ids []int32) error {
	all := slices.Concat(n.LeftIDs, n.SepIDs, n.RightIDs)
	slices.Sort(all)
	if !slices.Equal(all, ids) {
		return fmt.Errorf("sgfi: a node of %d vertices stands for %d others", len(all), len(ids))
	}
	if n.Explicit != nil {
		return nil
	}
	for _, child := range [...]struct {
		node *Node
		side []int32
	}{{n.Left, n.LeftIDs}, {n.Right, n.RightIDs}} {
		own := slices.Concat(child.side, n.SepIDs)
		slices.Sort(own)
		if err := child.node.covers(own); err != nil {
			return err
		}
	}
	return nil
}
