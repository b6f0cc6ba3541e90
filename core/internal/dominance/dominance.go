// Package dominance is the orthogonal range searching of the paper's
// cross_compute (Sec. 3.1.2).
//
// Rows i and columns j have distances a_i[k] and b_j[k] from hubs k, and are
// a_i[k]+b_j[k] apart for the best k. A pair belongs to the hub k when that is
// less than for every earlier hub and at most that for every later one, so to
// exactly one:
//
//	a_i[k] - a_i[l]  <  b_j[l] - b_j[k]  for l < k, <= for l > k.
//
// Where the paper has a strict order of vectors in general position, this
// holds for ties. It needs exact arithmetic, or three near ties could each lose
// to another: distances are first rounded to multiples of a unit so large that
// their sums and differences are exact, 2^-51 of the greatest.
//
// s hubs take O(n log^(s-2) n) steps.
//
// # Deviations
//
// From the paper:
//
//   - Ties are decided, as above, and distances rounded.
//   - All coordinates but the last are halved as the paper does. On the last, rows
//     and columns are sorted, and a row meets the columns from some place on.
//   - Columns on which all rows agree are set apart before rows are halved.
package dominance

import (
	"context"
	"math"
	"slices"
)

// few is the number of rows or columns at which the recursion ends and the
// pairs are looked at one by one.
const few = 8

// Visitor is told which pairs belong to a hub. It returns what keeping them
// costs. Rows and columns are the visitor's only during the call.
type Visitor interface {
	// Stairs: rows[n] meets cols[from[n]:]; from ascends.
	Stairs(hub int, rows, cols, from []int32) (cost int)
	// Few: of these pairs those that Belong.
	Few(hub int, rows, cols []int32) (cost int)
}

// Search is distances from hubs, rounded.
type Search struct {
	hubs int
	a, b []float64

	ctx     context.Context
	visitor Visitor
	limit   int
	cost    int     // of what was found
	work    int     // rows and columns sorted
	keyed   []keyed // scratch
}

// New takes the distances of rows and columns from the hubs, row by row, all
// >= 0, and finite for those that will be searched.
func New(a, b []float64, hubs int) *Search {
	most := 0.0
	for _, side := range [...][]float64{a, b} {
		for _, d := range side {
			if d < math.Inf(1) {
				most = max(most, d)
			}
		}
	}
	_, exponent := math.Frexp(most)
	unit := max(math.Ldexp(1, exponent-51), 0x1p-1074)
	rounded := func(d []float64) []float64 {
		out := make([]float64, len(d))
		for i, x := range d {
			out[i] = math.RoundToEven(x/unit) * unit
		}
		return out
	}
	return &Search{hubs: hubs, a: rounded(a), b: rounded(b)}
}

// Run visits the pairs of rows and columns, and reports whether that cost no
// more than limit, nor took sorting so many; it gives up where it does, or when ctx ends.
func (s *Search) Run(ctx context.Context, rows, cols []int32, limit int, v Visitor) bool {
	s.ctx, s.visitor, s.limit, s.cost, s.work = ctx, v, limit, 0, 0
	for k := range s.hubs {
		others := make([]int, 0, s.hubs)
		for l := range s.hubs {
			if l != k {
				others = append(others, l)
			}
		}
		s.order(k, slices.Clone(rows), slices.Clone(cols), others)
	}
	return !s.over()
}

func (s *Search) over() bool { return max(s.cost, s.work) > s.limit }

// w and z are the two sides of the comparison of hub k with hub l.
func (s *Search) w(i int32, k, l int) float64 { return s.a[int(i)*s.hubs+k] - s.a[int(i)*s.hubs+l] }
func (s *Search) z(j int32, k, l int) float64 { return s.b[int(j)*s.hubs+l] - s.b[int(j)*s.hubs+k] }

func holds(k, l int, w, z float64) bool { return w < z || l > k && w == z }

// Belongs reports whether the pair of row i and column j belongs to a hub.
func (s *Search) Belongs(hub int, i, j int32) bool {
	for l := range s.hubs {
		if l != hub && !holds(hub, l, s.w(i, hub, l), s.z(j, hub, l)) {
			return false
		}
	}
	return true
}

// order sorts rows and cols, in place, by left[0]: the first of the coordinates that are left to compare.
func (s *Search) order(k int, rows, cols []int32, left []int) {
	s.work += len(rows) + len(cols)
	if s.ctx.Err() != nil {
		s.cost, s.limit = 1, 0 // gives up
	}
	if s.over() {
		return
	}
	if len(left) > 0 {
		l := left[0]
		s.sort(rows, func(i int32) float64 { return s.w(i, k, l) })
		s.sort(cols, func(j int32) float64 { return s.z(j, k, l) })
	}
	s.split(k, rows, cols, left)
}

// keyed is a row or column with what it is sorted by.
type keyed struct {
	key float64
	id  int32
}

// sort sorts rows or columns by a key, and by number where keys are equal.
func (s *Search) sort(ids []int32, key func(int32) float64) {
	s.keyed = s.keyed[:0]
	for _, i := range ids {
		s.keyed = append(s.keyed, keyed{key(i), i})
	}
	slices.SortFunc(s.keyed, func(a, b keyed) int {
		switch {
		case a.key < b.key:
			return -1
		case a.key > b.key:
			return 1
		}
		return int(a.id) - int(b.id)
	})
	for n := range ids {
		ids[n] = s.keyed[n].id
	}
}

// split halves the rows at their median, as the paper does, after it has set
// apart the columns on which all the rows agree.
func (s *Search) split(k int, rows, cols []int32, left []int) {
	switch {
	case len(rows) == 0 || len(cols) == 0 || s.over():
		return
	case len(left) <= 1:
		s.stairs(k, rows, cols, left)
		return
	case min(len(rows), len(cols)) <= few:
		s.cost += s.visitor.Few(k, rows, cols)
		return
	}
	l := left[0]
	first := func(i int32) int { // of the columns that row i is below
		w := s.w(i, k, l)
		at, _ := slices.BinarySearchFunc(cols, w, func(j int32, w float64) int {
			if holds(k, l, w, s.z(j, k, l)) {
				return 1
			}
			return -1
		})
		return at
	}
	some, all := first(rows[0]), first(rows[len(rows)-1])
	if all < len(cols) {
		s.order(k, slices.Clone(rows), slices.Clone(cols[all:]), left[1:])
	}
	cols = cols[some:all]
	half := len(rows) / 2
	s.split(k, rows[:half], cols, left)
	s.split(k, rows[half:], cols, left)
}

// stairs finds where each row's columns begin on the last coordinate, if there
// is one.
func (s *Search) stairs(k int, rows, cols []int32, left []int) {
	from := make([]int32, 0, len(rows))
	at := 0
	for _, i := range rows {
		for len(left) > 0 && at < len(cols) && !holds(k, left[0], s.w(i, k, left[0]), s.z(cols[at], k, left[0])) {
			at++
		}
		if at == len(cols) {
			break
		}
		from = append(from, int32(at))
	}
	if rows = rows[:len(from)]; len(rows) > 0 {
		s.cost += s.visitor.Stairs(k, rows, cols[from[0]:], shifted(from))
	}
}

// shifted is the places less the first.
func shifted(from []int32) []int32 {
	first := from[0]
	for i := range from {
		from[i] -= first
	}
	return from
}
