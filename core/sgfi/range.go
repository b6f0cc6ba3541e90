package sgfi

import (
	"cmp"
	"context"
	"math"
	"slices"
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

// rangeSmall is the number of rows or columns at which the recursion ends and
// the pairs are looked at one by one.
const rangeSmall = 8

// A rangePiece is a set of rows and one of columns, by place in LeftIDs and
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

// rangeSearch is the paper's cross_compute by recursion (Sec. 3.1.2). A pair
// belongs to the separator vertex k when a_i[k]+b_j[k] is less than for every
// earlier vertex and at most that for every later one, so to exactly one:
//
//	w_i[l] = a_i[k] - a_i[l]  <  b_j[l] - b_j[k] = z_j[l]   for l < k, <= for l > k.
//
// Where the paper has a strict order of vectors in general position, this
// holds for ties. It needs exact arithmetic, or three near ties could each lose to another:
// distances are first rounded to multiples of a unit so large that
// their sums and differences are exact, 2^-51 of the greatest.
type rangeSearch struct {
	s     int
	a, b  []float64 // rounded distances, row-major
	ctx   context.Context
	limit int // numbers to give up at
	size  int
	found []rangePiece
}

// newRangeSearch prepares for a node, or returns nil where range searching is
// not worth trying. Separator vertices apart from one another would need
// searches of their own; brute force serves.
func newRangeSearch(ctx context.Context, n *Node) *rangeSearch {
	s := len(n.SepIDs)
	pairs := len(n.LeftIDs) * len(n.RightIDs)
	if s == 0 || s > rangeSeparator || pairs < rangeFloor || slices.Contains(n.SepDist, math.Inf(1)) {
		return nil
	}
	far := 0.0
	for _, d := range [...][]float64{n.LeftDist, n.RightDist} {
		columns, _ := farthest(d, s)
		far = max(far, slices.Max(columns))
	}
	_, exponent := math.Frexp(far)
	unit := max(math.Ldexp(1, exponent-51), 0x1p-1074)
	rounded := func(d []float64) []float64 {
		out := make([]float64, len(d))
		for i, x := range d {
			out[i] = math.RoundToEven(x/unit) * unit
		}
		return out
	}
	return &rangeSearch{ctx: ctx, s: s, a: rounded(n.LeftDist), b: rounded(n.RightDist), limit: pairs / rangeGain}
}

// pieces covers rows x cols, which must reach the separator, and reports
// whether that took few enough numbers.
func (r *rangeSearch) pieces(rows, cols []int32) bool {
	for k := range r.s {
		var others []int
		for l := range r.s {
			if l != k {
				others = append(others, l)
			}
		}
		r.order(k, rows, cols, others)
	}
	return r.size <= r.limit
}

func (r *rangeSearch) row(i int32, k, l int) float64 {
	return r.a[int(i)*r.s+k] - r.a[int(i)*r.s+l]
}

func (r *rangeSearch) col(j int32, k, l int) float64 {
	return r.b[int(j)*r.s+l] - r.b[int(j)*r.s+k]
}

// holds compares one coordinate of w and z.
func holds(k, l int, w, z float64) bool { return w < z || l > k && w == z }

// order sorts rows and columns by the first of the coordinates that are left
// to compare.
func (r *rangeSearch) order(k int, rows, cols []int32, left []int) {
	if r.ctx.Err() != nil {
		r.limit = -1 // gives up
		return
	}
	if len(left) > 0 {
		l := left[0]
		rows, cols = slices.Clone(rows), slices.Clone(cols)
		slices.SortFunc(rows, func(i, j int32) int {
			return cmp.Or(cmp.Compare(r.row(i, k, l), r.row(j, k, l)), cmp.Compare(i, j))
		})
		slices.SortFunc(cols, func(i, j int32) int {
			return cmp.Or(cmp.Compare(r.col(i, k, l), r.col(j, k, l)), cmp.Compare(i, j))
		})
	}
	r.split(k, rows, cols, left)
}

// split halves the rows at their median, as the paper does, after it has set
// apart the columns on which all the rows agree.
func (r *rangeSearch) split(k int, rows, cols []int32, left []int) {
	if len(rows) == 0 || len(cols) == 0 || r.size > r.limit {
		return
	}
	if len(left) == 0 {
		r.add(rangePiece{k, rows, cols, len(rows)*len(cols) <= len(rows)+len(cols)})
		return
	}
	l := left[0]
	first := func(w float64) int { // of the columns that w is below
		at, _ := slices.BinarySearchFunc(cols, w, func(j int32, w float64) int {
			if holds(k, l, w, r.col(j, k, l)) {
				return 1
			}
			return -1
		})
		return at
	}
	some := first(r.row(rows[0], k, l))
	all := first(r.row(rows[len(rows)-1], k, l))
	if all < len(cols) {
		if len(left) > 1 && min(len(rows), len(cols)-all) <= rangeSmall {
			r.add(rangePiece{k, rows, cols[all:], true})
		} else {
			r.order(k, rows, cols[all:], left[1:])
		}
	}
	cols = cols[some:all]
	if len(cols) == 0 {
		return
	}
	if min(len(rows), len(cols)) <= rangeSmall {
		r.add(rangePiece{k, rows, cols, true})
		return
	}
	half := len(rows) / 2
	r.split(k, rows[:half], cols, left)
	r.split(k, rows[half:], cols, left)
}

func (r *rangeSearch) add(p rangePiece) {
	r.size += p.size()
	r.found = append(r.found, p)
}

// belongs reports whether the pair of row i and column j belongs to hub k.
func (r *rangeSearch) belongs(k int, i, j int32) bool {
	for l := range r.s {
		if l != k && !holds(k, l, r.row(i, k, l), r.col(j, k, l)) {
			return false
		}
	}
	return true
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
			if b.search.belongs(p.hub, i, j) {
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
	r := newRangeSearch(ctx, b.node)
	if r == nil {
		return nil, false
	}
	// part splits places into those without a mask and those with one.
	part := func(at []int32, mask []uint64, dist []float64) (free, carried []int32) {
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
	rows, rowsCarried := part(b.rowAt, b.rowMask, b.node.LeftDist)
	cols, colsCarried := part(b.colAt, b.colMask, b.node.RightDist)
	if !r.pieces(slices.Concat(rows, rowsCarried), cols) || !r.pieces(rows, colsCarried) {
		return nil, false
	}
	next := block{node: b.node, search: r}
	r.ctx = nil // is for the search alone
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
