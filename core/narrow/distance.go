package narrow

import (
	"context"
	"math"

	"genussink/core/internal/parallel"
)

// run runs a product: rise, the way up and across, on every part and then on
// what joins them, and fall, the way down, in the opposite order. Once ctx has
// ended it leaves parts out.
func (t *Tree) run(ctx context.Context, rise, fall func(_, part int)) {
	n := len(t.parts)
	workers := parallel.Workers(n)
	if parallel.Each(ctx, workers, n, rise) != nil {
		return
	}
	rise(0, n)
	fall(0, n)
	_ = parallel.Each(ctx, workers, n, fall) // the caller asks ctx
}

// program is that of a part, or after the last that of the top.
func (t *Tree) program(part int) *program {
	if part == len(t.parts) {
		return &t.top
	}
	return &t.parts[part]
}

// sweep is a product with sums for products and least values for sums: it
// measures distances from a few vertices.
type sweep struct {
	t         *Tree
	near, got []float64 // by slot: the distance of what is behind it, and of what is beyond
	row       []float64
	ctx       context.Context

	rise, fall func(_, part int) // bound once, so that a sweep allocates nothing
}

func newSweep(t *Tree) *sweep {
	s := &sweep{t: t, ctx: context.Background(), near: make([]float64, t.slots), got: make([]float64, t.slots)}
	s.rise, s.fall = s.risePart, s.fallPart
	return s
}

// run sets row, by vertex, to the least distance from a vertex at which it is
// 0; elsewhere it must be +Inf.
func (s *sweep) run(row []float64) {
	s.row = row
	s.t.run(s.ctx, s.rise, s.fall)
}

func (s *sweep) risePart(_, part int) {
	p, near, got := s.t.program(part), s.near, s.got
	for i := p.base; i < p.base+p.slots; i++ {
		near[i], got[i] = math.Inf(1), math.Inf(1)
	}
	for _, h := range p.homes {
		near[h.slot] = s.row[h.vertex]
		got[h.slot] = near[h.slot]
	}
	for i, a := range p.up.ends {
		near[a.to] = min(near[a.to], near[a.from]+p.up.dist[i])
	}
	for i, a := range p.pairs.ends {
		d := p.pairs.dist[i]
		got[a.from] = min(got[a.from], near[a.to]+d)
		got[a.to] = min(got[a.to], near[a.from]+d)
	}
	for i := range p.blocks {
		p.blocks[i].each(p.dist, func(r int32, from int32, d []float64) {
			cols, back := near[from:][:len(d)], got[from:][:len(d)]
			x, y := near[r], got[r]
			for c, d := range d {
				y = min(y, cols[c]+d)
				back[c] = min(back[c], x+d)
			}
			got[r] = y
		})
	}
}

func (s *sweep) fallPart(_, part int) {
	p, got := s.t.program(part), s.got
	for i := len(p.up.ends) - 1; i >= 0; i-- {
		a := p.up.ends[i]
		got[a.from] = min(got[a.from], got[a.to]+p.up.dist[i])
	}
	for _, h := range p.homes {
		s.row[h.vertex] = got[h.slot]
	}
}

// each visits the rows of a block: the row's slot, the first column's and the
// values from there on.
func (b *block) each(values []float64, visit func(row, col int32, values []float64)) {
	at := b.at
	for r := range b.rows {
		row, col, width := b.row+r, b.col, int(b.cols)
		if b.triangle() {
			col, width = row+1, int(b.rows-r)-1
		}
		visit(row, col, values[at:][:width])
		at += width
	}
}

// bound is an upper bound on the finite distances: twice the greatest distance
// from a vertex in the middle of a long shortest path, in every component,
// given by vertex, at once.
func (t *Tree) bound(ctx context.Context, component []int32) (diameter float64, err error) {
	count := 0
	for _, c := range component {
		count = max(count, int(c)+1)
	}
	s := newSweep(t)
	s.ctx = ctx
	pick := func(better func(v, w int) bool) []int {
		best := make([]int, count)
		for c := range best {
			best[c] = -1
		}
		for v, c := range component {
			if best[c] < 0 || better(v, best[c]) {
				best[c] = v
			}
		}
		return best
	}
	from := func(sources []int) []float64 {
		row := make([]float64, t.n)
		for v := range row {
			row[v] = math.Inf(1)
		}
		for _, v := range sources {
			row[v] = 0
		}
		s.run(row)
		return row
	}
	any := from(pick(func(_, _ int) bool { return false }))
	one := from(pick(func(v, w int) bool { return any[v] > any[w] }))
	other := from(pick(func(v, w int) bool { return one[v] > one[w] }))
	middle := from(pick(func(v, w int) bool { return max(one[v], other[v]) < max(one[w], other[w]) }))
	for _, d := range middle {
		diameter = max(diameter, 2*d)
	}
	return diameter, ctx.Err()
}
