package hub

import (
	"math"

	"genussink/core/hub/label"
	"genussink/core/internal/buffer"
	"genussink/core/internal/dominance"
	"genussink/core/internal/exponential"
	"genussink/core/septree"
)

// rangeHubs is the most hubs for which a cell's pairs are searched, once those
// that another one serves everywhere as well are left out, and rangeAround the most
// before that. Cells of so few hubs are one task.
const (
	rangeHubs   = 4
	rangeAround = 8
)

// rangeGain is how many times less stairs must cost than what the walk found, and
// one in rangeSample rows and columns tells first whether they might. On the graphs of
// BenchmarkCross the search takes 75 to 100 ns for a row or column of a stair, as much as 40
// products do.
const (
	rangeGain   = 2
	rangeSample = 4
)

// linkGain is how many times less a link's vertices cost than a stair's or a tile's: their
// labels stand together.
const linkGain = 3

// stairCost is what a stair costs besides its rows and columns.
const stairCost = 10

// stair is a set of pairs of the two sides of a cell that have their shortest
// paths through one hub, as range searching finds them (package dominance; the paper,
// Sec. 3.1.2): each of its rows with all columns from some rank on. Its product takes
// two running sums of positive terms. It is exact, whatever the slack.
type stair struct {
	cell, hub  int32
	rows, cols int32
	at         int // in Tiles.treads: the ranks of rows and columns, and every row's first column, ascending
}

// parts are a stair's rows, columns and first columns.
func (s *stair) parts(treads []int32) (rows, cols, from []int32) {
	treads = treads[s.at:][:2*s.rows+s.cols]
	return treads[:s.rows], treads[s.rows:][:s.cols], treads[s.rows+s.cols:]
}

// cost is in the units of the package's documentation.
func (s *stair) cost() int { return int(s.rows+s.cols) + stairCost }

// stairs is a list of them.
type stairs struct {
	list   []stair
	treads []int32 // of all
}

// drop keeps the space alone.
func (s *stairs) drop() { *s = stairs{s.list[:0], s.treads[:0]} }

func (s *stairs) bytes() int64 { return int64(24*cap(s.list) + 4*cap(s.treads)) }

// cross settles all pairs of the two sides of the walker's cell, a and b, by
// range searching or by a walk, whichever makes the cheaper product.
func (k *walker) cross(a, b *patch) {
	r := &k.l.Cells[k.cell]
	if len(r.Hubs) > rangeAround {
		k.pairs(a, b, r.Hubs)
		return
	}
	hubs := k.needed(r)
	if len(hubs) == 2 && k.delta == 0 {
		k.search(hubs, 1, math.MaxInt) // two stairs at most: nothing costs less
		return
	}
	k.pairs(a, b, hubs)
	if len(hubs) < 2 || len(hubs) > rangeHubs || k.err != nil {
		return
	}
	if limit := k.cost(); k.search(hubs, rangeSample, limit/rangeSample) && k.search(hubs, 1, limit) {
		k.links, k.finds = k.links[:0], k.empty()
	}
}

// needed lists the hubs of a cell but for those that another one serves
// everywhere as well.
func (k *walker) needed(r *septree.Cell) (hubs []int32) {
	label := k.l.At
	middle := (r.Mid + r.Sep) / 2
	over := func(h, g int32) bool { // h is nowhere shorter than g
		enough := label(g, middle) - label(h, middle) // the lead in the middle bounds the least from above
		least := k.l.Lead(h, g, r.Lo, r.Mid, enough)
		return least >= enough && least+k.l.Lead(h, g, r.Mid, r.Sep, -least) >= 0
	}
	hubs = append(hubs, r.Hubs...)
	for i := 0; i < len(hubs); {
		if k.err = k.ctx.Err(); k.err != nil {
			return hubs
		}
		served := false
		for j := 0; j < len(hubs) && !served; j++ {
			served = j != i && over(hubs[i], hubs[j])
		}
		if served {
			hubs = append(hubs[:i], hubs[i+1:]...)
		} else {
			i++
		}
	}
	return hubs
}

// cost is that of what the walker has found, in the units of the package's
// documentation.
func (k *walker) cost() (sum int) {
	seen := map[moment]bool{}
	for _, c := range k.links {
		for _, p := range [2]*patch{c.a, c.b} {
			if m := (moment{c.hub, p.id}); !seen[m] {
				seen[m] = true
				sum += p.len() / linkGain
			}
		}
	}
	for n := range k.tiles {
		sum += k.tileCost(n)
	}
	return sum
}

// search finds the stairs of one in step of the cell's rows and columns. It reports
// whether they cost rangeGain times less than the limit, and took sorting no more rows
// and columns than that; otherwise there are none.
func (k *walker) search(hubs []int32, step int32, limit int) bool {
	r := &k.l.Cells[k.cell]
	rows, cols := every(step, r.Mid-r.Lo), every(step, r.Sep-r.Mid)
	k.stairs.drop()
	if limit < rangeGain*(len(rows)+len(cols)) {
		return false // every vertex is in some stair
	}
	s := dominance.New(k.columns(hubs, r.Lo, r.Mid), k.columns(hubs, r.Mid, r.Sep), len(hubs))
	if !s.Run(k.ctx, rows, cols, limit, &finder{k.cell, r.Lo, r.Mid, hubs, s, &k.stairs}) {
		k.stairs.drop()
		k.err = k.ctx.Err()
		return false
	}
	return true
}

// columns are the labels of the ranks [lo,hi), rank by rank.
func (k *walker) columns(hubs []int32, lo, hi int32) []float64 {
	labels := make([]float64, int(hi-lo)*len(hubs))
	var row []float64
	for n, h := range hubs {
		for i, d := range k.l.Row(&row, h, lo, hi) {
			labels[i*len(hubs)+n] = d
		}
	}
	return labels
}

// every lists one in step of the numbers below n.
func every(step, n int32) (list []int32) {
	for i := int32(0); i < n; i += step {
		list = append(list, i)
	}
	return list
}

// finder keeps what a search of a cell finds as stairs.
type finder struct {
	cell     int32
	row, col int32 // the ranks of the first row and the first column
	hubs     []int32
	search   *dominance.Search
	found    *stairs
}

// Stairs implements dominance.Visitor.
func (f *finder) Stairs(hub int, rows, cols, from []int32) int {
	return f.add(hub, rows, f.row, cols, f.col, from)
}

func (f *finder) add(hub int, rows []int32, row int32, cols []int32, col int32, from []int32) int {
	s := stair{f.cell, f.hubs[hub], int32(len(rows)), int32(len(cols)), len(f.found.treads)}
	f.found.list = append(f.found.list, s)
	treads := f.found.treads
	for _, i := range rows {
		treads = append(treads, row+i)
	}
	for _, j := range cols {
		treads = append(treads, col+j)
	}
	f.found.treads = append(treads, from...)
	return rangeGain * s.cost()
}

// Few implements dominance.Visitor: a stair for each vertex of the shorter side, as
// its only row.
func (f *finder) Few(hub int, rows, cols []int32) (cost int) {
	own, others, first, second := rows, cols, f.row, f.col
	turned := len(rows) > len(cols)
	if turned {
		own, others, first, second = cols, rows, f.col, f.row
	}
	var met []int32
	for n, i := range own {
		met = met[:0]
		for _, j := range others {
			row, col := i, j
			if turned {
				row, col = j, i
			}
			if f.search.Belongs(hub, row, col) {
				met = append(met, j)
			}
		}
		if len(met) > 0 {
			cost += f.add(hub, own[n:n+1], first, met, second, []int32{0})
		}
	}
	return cost
}

// multiplyStairs adds the pairs of the group's stairs, both ways.
func (k *Kernel) multiplyStairs(g int, p *part) {
	for n := k.stairs[g]; n < k.stairs[g+1] && !k.over(n); n++ {
		s := &k.t.stairs.list[n]
		r := &k.t.labels.Cells[s.cell]
		rows, cols, from := s.parts(k.t.stairs.treads)
		if f := &k.factors; f.Short != nil {
			climb(k.x, p.y, label.RowOf(f.Tree, f.Short, s.hub, r.Lo, r.Hi), r.Lo, rows, cols, from)
		} else {
			climb(k.x, p.y, label.RowOf(f.Tree, f.Long, s.hub, r.Lo, r.Hi), r.Lo, rows, cols, from)
		}
	}
}

// climb adds the pairs of a stair to y, with its hub's factors from the rank lo on: to a row the sum of
// its columns, from the last on, and to a column that of the rows so far.
func climb[T label.Float](x, y []float64, factors []T, lo int32, rows, cols, from []int32) {
	sum, at := 0.0, len(cols)
	for n := len(rows) - 1; n >= 0; n-- {
		for _, j := range cols[from[n]:at] {
			sum += float64(factors[j-lo]) * x[j]
		}
		at = int(from[n])
		i := rows[n]
		y[i] += float64(factors[i-lo]) * sum
	}
	sum = 0
	for n, i := range rows {
		sum += float64(factors[i-lo]) * x[i]
		to := len(cols)
		if n+1 < len(rows) {
			to = int(from[n+1])
		}
		for _, j := range cols[from[n]:to] {
			y[j] += float64(factors[j-lo]) * sum
		}
	}
}

// logMultiplyStairs is multiplyStairs with sums relative to their largest exponent so far.
func (k *Kernel) logMultiplyStairs(g int, p *part, y exponents) {
	l, scale := k.t.labels, 1/k.epsilon
	sum := exponents{[]float64{0}, []float64{0}}
	for n := k.stairs[g]; n < k.stairs[g+1] && !k.over(8*n); n++ {
		s := &k.t.stairs.list[n]
		rows, cols, from := s.parts(k.t.stairs.treads)
		x := k.x
		p.buffer, p.more = buffer.Sized(p.buffer, len(rows)), buffer.Sized(p.more, len(cols))
		l.Gather(p.buffer, s.hub, rows)
		l.Gather(p.more, s.hub, cols)
		hand := func(v int32, d float64) {
			if sum.sum[0] > 0 {
				y.add(int(v), sum.top[0]-d*scale, sum.sum[0])
			}
		}
		sum.clear()
		at := len(cols)
		for n := len(rows) - 1; n >= 0; n-- {
			for at > int(from[n]) {
				at--
				sum.add(0, x[cols[at]]-p.more[at]*scale, 1)
			}
			hand(rows[n], p.buffer[n])
		}
		sum.clear()
		for n, i := range rows {
			sum.add(0, x[i]-p.buffer[n]*scale, 1)
			to := len(cols)
			if n+1 < len(rows) {
				to = int(from[n+1])
			}
			for j := int(from[n]); j < to; j++ {
				hand(cols[j], p.more[j])
			}
		}
	}
}

// stair is the cost of a stair's pairs, from logarithms.
func (c *costTile) stair(k *Kernel, s *stair, u, v scaling) (total float64) {
	l := k.t.labels
	rows, cols, from := s.parts(k.t.stairs.treads)
	c.dist = buffer.Sized(c.dist, len(rows)+len(cols))
	near, far := c.dist[:len(rows)], c.dist[len(rows):]
	l.Gather(near, s.hub, rows)
	l.Gather(far, s.hub, cols)
	for _, pair := range [2][2]scaling{{u, v}, {v, u}} {
		sum := costSum{top: math.Inf(-1)}
		at := len(cols)
		for n := len(rows) - 1; n >= 0; n-- {
			for at > int(from[n]) {
				at--
				sum.join(pair[1].one(cols[at], far[at]))
			}
			total += pair[0].one(rows[n], near[n]).cross(sum, 0, k.epsilon)
		}
	}
	return total
}

// one is the sum of one rank at distance d from a hub.
func (s *scaling) one(rank int32, d float64) costSum {
	if s.x[rank] == math.Inf(-1) {
		return costSum{top: s.x[rank]}
	}
	return costSum{s.x[rank] - d*s.scale, 1, d}
}

// join adds another sum.
func (s *costSum) join(t costSum) {
	if t.top > s.top {
		*s, t = t, *s
	}
	if t.sum > 0 {
		f := 1.0
		if t.top < s.top {
			f = exponential.Exp(t.top - s.top)
		}
		s.sum += f * t.sum
		s.cost += f * t.cost
	}
}

// Crosses counts how the pairs of tiles are multiplied: the cells between whose two
// sides one link serves, stairs, or whatever a walk found; and the leaves, which are dense.
type Crosses struct{ Single, Range, Walk, Leaves int }

// Crosses is those of the tiles' part.
func (t *Tiles) Crosses() Crosses { return t.crosses }

// climbed joins the stairs that the tasks found and counts the crosses.
func (t *Tiles) climbed(found []*walker) {
	list, treads := 0, 0
	for _, f := range found {
		list, treads = list+len(f.stairs.list), treads+len(f.stairs.treads)
	}
	t.stairs = stairs{make([]stair, 0, list), make([]int32, 0, treads)}
	for len(found) > 0 {
		cell, links, tiles, stairs := found[0].cell, 0, 0, 0
		for len(found) > 0 && found[0].cell == cell { // the tasks of a cell stand together
			f := found[0]
			found = found[1:]
			links, tiles, stairs = links+len(f.links), tiles+len(f.tiles), stairs+len(f.stairs.list)
			for _, s := range f.stairs.list {
				s.at += len(t.stairs.treads)
				t.stairs.list = append(t.stairs.list, s)
			}
			t.stairs.treads = append(t.stairs.treads, f.stairs.treads...)
		}
		switch {
		case stairs > 0:
			t.crosses.Range++
		case links == 1 && tiles == 0:
			t.crosses.Single++
		case links+tiles > 0:
			t.crosses.Walk++
		}
	}
	for i := range t.labels.Cells {
		if r := &t.labels.Cells[i]; r.Lo == r.Sep {
			t.crosses.Leaves++
		}
	}
}
