package sgfi

import (
	"context"
	"math"
	"slices"

	"genussink/core/internal/dominance"
)

// rangeSeparator is the largest separator that range searching is tried on.
// The pieces number about |S| (log n)^(|S|-1) per vertex: beyond 4 brute force
// is quicker at every size that fits.
const rangeSeparator = 4

// rangeFloor is the least number of pairs for which range searching is tried,
// and rangeGain how many times fewer numbers it must keep than brute force: a
// number in a piece costs a random access where one in a block does not.
// Measured on grids joined by one to four edges.
const (
	rangeFloor = 1 << 12
	rangeGain  = 4
)

// rangeSmall is the number of rows or columns at which stairs are no longer
// halved, and their pairs are looked at one by one.
const rangeSmall = 8

// A rangePiece is a set of rows and one of columns, by position in LeftIDs and
// RightIDs, whose pairs all have their shortest paths through the separator
// vertex hub; or, when tested, few pairs of which some have.
type rangePiece struct {
	hub        int
	rows, cols []int32
	tested     bool
}

// size is how many numbers a tile made of the piece has.
func (p *rangePiece) size() int {
	if p.tested {
		return len(p.rows) * len(p.cols)
	}
	return len(p.rows) + len(p.cols)
}

// rangeSearch keeps what the paper's cross_compute by recursion (Sec. 3.1.2,
// package dominance) finds as tiles of rank one.
type rangeSearch struct {
	*dominance.Search
	s     int
	limit int // numbers to give up at
	size  int
	found []rangePiece
}

// newRangeSearch prepares for a node, or returns nil where range searching is
// not worth trying. Separator vertices apart from one another would need
// searches of their own; brute force serves.
func newRangeSearch(n *Node) *rangeSearch {
	s := len(n.SepIDs)
	pairs := len(n.LeftIDs) * len(n.RightIDs)
	if s == 0 || s > rangeSeparator || pairs < rangeFloor || slices.Contains(n.SepDist, math.Inf(1)) {
		return nil
	}
	return &rangeSearch{Search: dominance.New(n.LeftDist, n.RightDist, s), s: s, limit: pairs / rangeGain}
}

// pieces covers rows x cols, which must reach the separator, and reports
// whether that took few enough numbers.
func (r *rangeSearch) pieces(ctx context.Context, rows, cols []int32) bool {
	return r.Run(ctx, rows, cols, r.limit, r) && r.size <= r.limit
}

// Stairs implements dominance.Visitor: it halves the rows, setting apart the
// columns on which all the rows agree.
func (r *rangeSearch) Stairs(hub int, rows, cols, from []int32) int {
	before := r.size
	last := from[len(from)-1]
	r.add(rangePiece{hub, slices.Clone(rows), slices.Clone(cols[last:]), false})
	r.halve(hub, rows, cols[:last], from)
	return r.size - before
}

// halve covers what is left of stairs whose last rows have no columns any more.
func (r *rangeSearch) halve(hub int, rows, cols, from []int32) {
	for len(rows) > 0 && int(from[len(rows)-1]) >= len(cols) {
		rows = rows[:len(rows)-1]
	}
	if len(rows) == 0 {
		return
	}
	if min(len(rows), len(cols)-int(from[0])) <= rangeSmall {
		r.Few(hub, rows, cols[from[0]:])
		return
	}
	half := (len(rows) + 1) / 2
	last := min(int(from[half-1]), len(cols))
	r.add(rangePiece{hub, slices.Clone(rows[:half]), slices.Clone(cols[last:]), false})
	r.halve(hub, rows[:half], cols[:last], from)
	r.halve(hub, rows[half:], cols, from[half:])
}

// Few implements dominance.Visitor.
func (r *rangeSearch) Few(hub int, rows, cols []int32) int {
	r.add(rangePiece{hub, slices.Clone(rows), slices.Clone(cols), true})
	return len(rows) * len(cols)
}

func (r *rangeSearch) add(p rangePiece) {
	if len(p.cols) == 0 {
		return
	}
	if !p.tested && len(p.rows)*len(p.cols) <= len(p.rows)+len(p.cols) {
		p.tested = true
	}
	r.size += p.size()
	r.found = append(r.found, p)
}

// rangeTile evaluates a piece.
func (k *Kernel) rangeTile(b block, p rangePiece) tile {
	n, s := b.node, len(b.node.SepIDs)
	t := tile{rows: pick(n.LeftIDs, p.rows), cols: pick(n.RightIDs, p.cols)}
	if !p.tested {
		t.left, t.right = make([]float64, len(p.rows)), make([]float64, len(p.cols))
		for i, v := range p.rows {
			t.left[i] = k.entry(n.LeftDist[int(v)*s+p.hub])
		}
		for j, v := range p.cols {
			t.right[j] = k.entry(n.RightDist[int(v)*s+p.hub])
		}
		return t
	}
	t.direct = make([]float64, 0, len(p.rows)*len(p.cols))
	for _, i := range p.rows {
		for _, j := range p.cols {
			d := math.Inf(1)
			if b.search.Belongs(p.hub, i, j) {
				d = n.LeftDist[int(i)*s+p.hub] + n.RightDist[int(j)*s+p.hub]
			}
			t.direct = append(t.direct, k.entry(d))
		}
	}
	return t
}

// rangeBlocks covers a node's pairs by range searching where that keeps few
// enough numbers. Pairs of two carried vertices, some of which must be left
// out, remain for brute force.
func rangeBlocks(ctx context.Context, b block) (blocks []block, ok bool) {
	r := newRangeSearch(b.node)
	if r == nil {
		return nil, false
	}
	// divide splits positions into those without a mask and those with one.
	divide := func(at []int32, mask []uint64, dist []float64) (free, carried []int32) {
		for i, v := range at {
			if math.IsInf(dist[int(v)*r.s], 1) {
				continue // cut off from the separator: nothing to add
			}
			if mask != nil && mask[i] != 0 {
				carried = append(carried, v)
			} else {
				free = append(free, v)
			}
		}
		return free, carried
	}
	rows, rowsCarried := divide(b.rowAt, b.rowMask, b.node.LeftDist)
	cols, colsCarried := divide(b.colAt, b.colMask, b.node.RightDist)
	if !r.pieces(ctx, slices.Concat(rows, rowsCarried), cols) || !r.pieces(ctx, rows, colsCarried) {
		return nil, false
	}
	next := block{node: b.node, search: r}
	size := 0
	for _, p := range r.found {
		next.pieces = append(next.pieces, p)
		if size += p.size(); size >= bandEntries {
			blocks = append(blocks, next)
			next.pieces, size = nil, 0
		}
	}
	return append(blocks, next), true
}
