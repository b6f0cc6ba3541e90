package narrow

import (
	"cmp"
	"math"
	"slices"
)

// rangeLeast is the number of classes on either side from which on range
// searching is tried, rangeGain how many times fewer steps it must take than
// there are pairs: a step of its own costs a random access, one of a block does
// not.
const (
	rangeLeast = 32
	rangeGain  = 4
)

// rangeHubs is the number of hubs up to which range searching is tried. Five
// took as long as all pairs at every size that fits.
const rangeHubs = 4

// rangeSmall is the number of rows or columns at which the recursion ends and
// the pairs are looked at one by one.
const rangeSmall = 4

// rangeSearch is the paper's cross_compute by recursion (Sec. 3.1.2). A pair
// belongs to the hub k when a_i[k]+b_j[k] is less than for every earlier hub
// and at most that for every later one, so to exactly one:
//
//	a_i[k] - a_i[l]  <  b_j[l] - b_j[k]  for l < k, <= for l > k.
//
// Where the paper has a strict order of vectors in general position, this
// holds for ties. It needs exact arithmetic, or three near ties could each lose
// to another: distances are first rounded to multiples of a unit so large that
// their sums and differences are exact, 2^-51 of the greatest.
//
// All coordinates but the last are halved as the paper does. On the last, rows
// and columns are sorted, and a row meets the columns from some place on: one
// slot for each such place, that adds its own columns to the slot of the next.
// Thus s hubs take O(n log^(s-2) n) steps.
type rangeSearch struct {
	s         int
	a, b      []float64 // rounded distances from the hubs, row-major
	far, near []float64 // as they are, of the rows and columns
	row, col  int32     // first slots

	p     *program
	limit int // steps, or work, to give up at
	steps int
	work  int // rows and columns sorted
}

// search crosses rows and columns by range searching when that takes at most
// limit steps, and otherwise leaves the program as it was. It panics on no
// hubs.
func search(p *program, row, col int32, a, b []float64, s, limit int) bool {
	most := max(slices.Max(a), slices.Max(b))
	_, exponent := math.Frexp(most)
	unit := max(math.Ldexp(1, exponent-51), 0x1p-1074)
	rounded := func(d []float64) []float64 {
		out := make([]float64, len(d))
		for i, x := range d {
			out[i] = math.RoundToEven(x/unit) * unit
		}
		return out
	}
	r := &rangeSearch{s: s, a: rounded(a), b: rounded(b), far: a, near: b, row: row, col: col, p: p, limit: limit}
	slots, up, pairs := p.slots, len(p.up.ends), len(p.pairs.ends)
	for k := range s {
		var others []int
		for l := range s {
			if l != k {
				others = append(others, l)
			}
		}
		r.order(k, count(len(a)/s), count(len(b)/s), others)
	}
	if r.steps > r.limit {
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

// w and z are the two sides of the comparison of hub k with hub l.
func (r *rangeSearch) w(i int32, k, l int) float64 {
	return r.a[int(i)*r.s+k] - r.a[int(i)*r.s+l]
}

func (r *rangeSearch) z(j int32, k, l int) float64 {
	return r.b[int(j)*r.s+l] - r.b[int(j)*r.s+k]
}

func holds(k, l int, w, z float64) bool { return w < z || l > k && w == z }

// order sorts rows and columns by the first of the coordinates that are left
// to compare.
func (r *rangeSearch) order(k int, rows, cols []int32, left []int) {
	if r.work += len(rows) + len(cols); r.work > r.limit {
		r.steps = r.limit + 1
		return
	}
	if len(left) > 0 {
		l := left[0]
		slices.SortFunc(rows, func(i, j int32) int {
			return cmp.Or(cmp.Compare(r.w(i, k, l), r.w(j, k, l)), cmp.Compare(i, j))
		})
		slices.SortFunc(cols, func(i, j int32) int {
			return cmp.Or(cmp.Compare(r.z(i, k, l), r.z(j, k, l)), cmp.Compare(i, j))
		})
	}
	r.split(k, rows, cols, left)
}

// split halves the rows at their median, as the paper does, after it has set
// apart the columns on which all the rows agree.
func (r *rangeSearch) split(k int, rows, cols []int32, left []int) {
	switch {
	case len(rows) == 0 || len(cols) == 0 || r.steps > r.limit:
		return
	case len(left) == 0:
		r.stairs(k, rows, cols, func(_, _ int32) bool { return true })
		return
	case min(len(rows), len(cols)) <= rangeSmall:
		r.single(k, rows, cols)
		return
	}
	l := left[0]
	if len(left) == 1 {
		r.stairs(k, rows, cols, func(i, j int32) bool { return holds(k, l, r.w(i, k, l), r.z(j, k, l)) })
		return
	}
	first := func(i int32) int { // of the columns that row i is below
		w := r.w(i, k, l)
		at, _ := slices.BinarySearchFunc(cols, w, func(j int32, w float64) int {
			if holds(k, l, w, r.z(j, k, l)) {
				return 1
			}
			return -1
		})
		return at
	}
	some, all := first(rows[0]), first(rows[len(rows)-1])
	if all < len(cols) {
		r.order(k, slices.Clone(rows), slices.Clone(cols[all:]), left[1:])
	}
	cols = cols[some:all]
	if len(cols) == 0 {
		return
	}
	half := len(rows) / 2
	r.split(k, rows[:half], cols, left)
	r.split(k, rows[half:], cols, left)
}

// stairs crosses each row with the columns from the first that fits on: the
// later the row, the later that is.
func (r *rangeSearch) stairs(k int, rows, cols []int32, fits func(i, j int32) bool) {
	r.steps += len(rows) + 2*len(cols)
	p, slot, end := r.p, int32(-1), len(cols)
	for n := len(rows) - 1; n >= 0; n-- {
		i, from := rows[n], end
		for from > 0 && fits(i, cols[from-1]) {
			from--
		}
		if from < end {
			next := p.slot(1)
			if slot >= 0 {
				p.up.add(slot, next, 0)
			}
			for _, j := range cols[from:end] {
				p.up.add(r.col+j, next, r.near[int(j)*r.s+k])
			}
			slot, end = next, from
		}
		if slot >= 0 {
			p.pairs.add(r.row+i, slot, r.far[int(i)*r.s+k])
		}
	}
}

// single crosses those of few pairs that belong to hub k.
func (r *rangeSearch) single(k int, rows, cols []int32) {
	for _, i := range rows {
		for _, j := range cols {
			if r.belongs(k, i, j) {
				r.steps++
				r.p.pairs.add(r.row+i, r.col+j, r.far[int(i)*r.s+k]+r.near[int(j)*r.s+k])
			}
		}
	}
}

func (r *rangeSearch) belongs(k int, i, j int32) bool {
	for l := range r.s {
		if l != k && !holds(k, l, r.w(i, k, l), r.z(j, k, l)) {
			return false
		}
	}
	return true
}
