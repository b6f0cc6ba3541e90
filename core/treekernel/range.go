package treekernel

import (
	"context"

	"genussink/core/internal/dominance"
)

// rangeHubs is the number of hubs up to which range searching is tried, and
// rangeLeast the number of classes on either side from which on. It must take
// rangeGain times fewer steps than there are pairs: a step of its own costs a
// random access, one of a block does not.
const (
	rangeHubs  = 4
	rangeLeast = 32
	rangeGain  = 4
)

// ranged writes what range searching finds. A row meets the columns from some
// position on: there is one slot for each such position, that adds its own columns to
// the slot of the next.
type ranged struct {
	p        *program
	search   *dominance.Search
	hubs     int
	row, col int32     // first slots
	a, b     []float64 // distances of rows and columns from the hubs
}

// cross crosses rows and columns by range searching when that takes at most
// limit steps, and otherwise leaves the program as it was.
func (r *ranged) cross(ctx context.Context, limit int) bool {
	p := r.p
	slots, up, pairs := p.slots, len(p.up.ends), len(p.pairs.ends)
	r.search = dominance.New(r.a, r.b, r.hubs)
	if !r.search.Run(ctx, count(len(r.a)/r.hubs), count(len(r.b)/r.hubs), limit, r) {
		p.slots = slots
		p.up.cut(up)
		p.pairs.cut(pairs)
		return false
	}
	return true
}

// count is 0 to n-1.
func count(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// Stairs implements dominance.Visitor.
func (r *ranged) Stairs(hub int, rows, cols, from []int32) int {
	p, slot, end := r.p, int32(-1), int32(len(cols))
	for n := len(rows) - 1; n >= 0; n-- {
		if from[n] < end {
			next := p.slot(1)
			if slot >= 0 {
				p.up.add(slot, next, 0)
			}
			for _, j := range cols[from[n]:end] {
				p.up.add(r.col+j, next, r.b[int(j)*r.hubs+hub])
			}
			slot, end = next, from[n]
		}
		p.pairs.add(r.row+rows[n], slot, r.a[int(rows[n])*r.hubs+hub])
	}
	return len(rows) + 2*len(cols)
}

// Few implements dominance.Visitor.
func (r *ranged) Few(hub int, rows, cols []int32) (cost int) {
	for _, i := range rows {
		for _, j := range cols {
			if r.search.Belongs(hub, i, j) {
				cost++
				r.p.pairs.add(r.row+i, r.col+j, r.a[int(i)*r.hubs+hub]+r.b[int(j)*r.hubs+hub])
			}
		}
	}
	return cost
}
