package sgfi

import (
	"cmp"
	"context"
	"slices"
)

// A block is the part of a node's pairs that one piece of work evaluates: rows
// [from, to) of a node's A x B, or of a leaf's vertices by themselves.
//
// Each unordered pair of vertices must be counted once, where Algorithm 1
// counts S x S in both children and subtracts it (l. 10): a subtraction that
// the log domain does not have. So each vertex carries a mask with one bit
// for every ancestor from whose separator it came into the right child. Two
// vertices that share a bit were counted in a left child, and their entry is
// left out.
type block struct {
	node             *Node
	rows, cols       []int32  // vertices
	rowAt, colAt     []int32  // their positions in LeftIDs and RightIDs
	rowMask, colMask []uint64 // nil when all are 0
	from, to         int
	connected        bool // all distances from the separator are finite

	search *rangeSearch // nil for brute force; else pieces stand in for rows and cols
	pieces []rangePiece
}

// bandEntries is about how many entries a block has: enough that a product spends
// its time on entries, few enough that the blocks of a large node can be
// dealt evenly.
const bandEntries = 1 << 18

func (b *block) leaf() bool { return b.node.Explicit != nil }

// bytes is the size of the block's tiles.
func (b block) bytes() (total int64) {
	for _, p := range b.pieces {
		total += int64(8*p.size() + 4*(len(p.rows)+len(p.cols)))
	}
	if b.search != nil {
		return total
	}
	h, w := int64(b.to-b.from), int64(len(b.cols))
	if b.leaf() { // a square and what is right of it
		w -= int64(b.from)
	}
	return 8 * h * w
}

// work is what evaluating the block costs, about in nanoseconds, measured on a
// noisy icosphere: per entry the exponential and the candidates that pruning
// leaves, or in a leaf a share of a Dijkstra.
func (b block) work() float64 {
	if b.search != nil {
		return 3 * float64(b.bytes())
	}
	h, w := float64(b.to-b.from), float64(len(b.cols))
	if b.leaf() {
		return 100 * h * w
	}
	return h * w * (20 + 0.3*float64(len(b.node.SepIDs)))
}

// carried is the block of the rows and columns with a mask.
func (b block) carried() block {
	c := block{node: b.node, connected: b.connected}
	for i, m := range b.rowMask {
		if m != 0 && b.colMask != nil {
			c.rows, c.rowAt, c.rowMask = append(c.rows, b.rows[i]), append(c.rowAt, b.rowAt[i]), append(c.rowMask, m)
		}
	}
	for j, m := range b.colMask {
		if m != 0 {
			c.cols, c.colAt, c.colMask = append(c.cols, b.cols[j]), append(c.colAt, b.colAt[j]), append(c.colMask, m)
		}
	}
	return c
}

// leaves numbers the leaves from left to right and gives for each vertex the
// first that holds it.
func (t *Tree) leaves() []int32 {
	leaf := make([]int32, t.Graph.Len())
	next := int32(0)
	var walk func(n *Node)
	walk = func(n *Node) {
		if n.Explicit == nil {
			walk(n.Left)
			walk(n.Right)
			return
		}
		next++ // from 1: 0 is not found yet
		for _, v := range n.LeftIDs {
			if leaf[v] == 0 {
				leaf[v] = next
			}
		}
	}
	walk(t.Root)
	return leaf
}

// plan lists the blocks of a whole kernel, in a fixed order. It is made once:
// it does not depend on epsilon.
func (t *Tree) plan(ctx context.Context) ([]block, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.blocks != nil {
		return t.blocks, nil
	}
	t.single, t.ranged, t.paired = 0, 0, 0
	leaf := t.leaves()
	mask := make([]uint64, t.Graph.Len())
	masks := func(ids []int32) []uint64 {
		if !slices.ContainsFunc(ids, func(v int32) bool { return mask[v] != 0 }) {
			return nil
		}
		out := make([]uint64, len(ids))
		for i, v := range ids {
			out[i] = mask[v]
		}
		return out
	}
	// order sorts the vertices by leaf, so that runs of them are near each
	// other whatever their numbers are.
	order := func(ids []int32) (sorted, at []int32) {
		at = make([]int32, len(ids))
		for i := range at {
			at[i] = int32(i)
		}
		slices.SortFunc(at, func(a, b int32) int {
			return cmp.Or(cmp.Compare(leaf[ids[a]], leaf[ids[b]]), cmp.Compare(a, b))
		})
		return pick(ids, at), at
	}
	var plan []block
	bands := func(b block, height int) {
		for from := 0; from < len(b.rows); from += height {
			b.from, b.to = from, min(from+height, len(b.rows))
			plan = append(plan, b)
		}
	}
	var walk func(n *Node, level int)
	walk = func(n *Node, level int) {
		if ctx.Err() != nil {
			return
		}
		b := block{node: n}
		b.rows, b.rowAt = order(n.LeftIDs)
		b.rowMask = masks(b.rows)
		if n.Explicit != nil {
			b.cols, b.colAt, b.colMask = b.rows, b.rowAt, b.rowMask
			height := len(b.rows)
			if height > 2*side {
				height = side
			}
			bands(b, max(1, height))
			return
		}
		if len(n.SepIDs) > 0 {
			b.cols, b.colAt = order(n.RightIDs)
			b.colMask = masks(b.cols)
			_, left := farthest(n.LeftDist, len(n.SepIDs))
			_, right := farthest(n.RightDist, len(n.SepIDs))
			b.connected = left && right
			blocks, ok := rangeBlocks(ctx, b)
			switch {
			case ok && len(n.SepIDs) == 1:
				t.single++
			case ok:
				t.ranged++
			default:
				t.paired++
			}
			if ok {
				plan = append(plan, blocks...)
				b = b.carried()
			}
			if len(b.cols) > 0 {
				height := bandEntries / len(b.cols)
				bands(b, side*max(1, (height+side-1)/side))
			}
		}
		walk(n.Left, level+1)
		for _, v := range n.SepIDs {
			mask[v] |= 1 << level
		}
		walk(n.Right, level+1)
		for _, v := range n.SepIDs {
			mask[v] &^= 1 << level
		}
	}
	walk(t.Root, 0)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t.blocks = plan
	return plan, nil
}
