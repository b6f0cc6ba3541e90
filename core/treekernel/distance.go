package treekernel

import (
	"context"
	"math"

	"genussink/core/internal/parallel"
)

// run runs a product: rise, the way up and across, on every part and then on
// what joins them, and fall, the way down, in the opposite order. It returns the error
// of ctx as soon as it has one.
func (t *Tree) run(ctx context.Context, rise, fall func(_, part int)) error {
	n := len(t.parts)
	workers := parallel.Workers(n)
	if err := parallel.Each(ctx, workers, n, rise); err != nil {
		return err
	}
	rise(0, n)
	if err := ctx.Err(); err != nil {
		return err
	}
	fall(0, n)
	return parallel.Each(ctx, workers, n, fall)
}

// program is that of a part, or after the last that of the top.
func (t *Tree) program(part int) *program {
	if part == len(t.parts) {
		return &t.top
	}
	return &t.parts[part]
}

// post carries values between vertices, in their order, and parts. Parts far
// apart in the graph have vertices in between each other's, and at a million
// vertices it would be half of a product if each part picked out its own.
type post struct {
	t    *Tree
	x    []float64 // the vector under way
	mail []float64 // part by part, by vertex
	next []int32   // of each part's, for each chunk of vertices

	put, get func(_, chunk int) // bound once, so that a product allocates nothing
}

// chunks is how many runs of vertices are carried side by side.
const chunks = 16

func newPost(t *Tree) *post {
	p := &post{t: t, mail: make([]float64, t.n), next: make([]int32, len(t.first))}
	p.put, p.get = p.putChunk, p.getChunk
	return p
}

// address counts where each chunk's values begin among each part's.
func (t *Tree) address() {
	parts := len(t.parts) + 1
	t.first = make([]int32, chunks*parts)
	next := make([]int32, parts)
	for i := range next {
		next[i] = int32(t.program(i).mail)
	}
	for c := range chunks {
		copy(t.first[c*parts:], next)
		for _, part := range t.part[c*t.n/chunks : (c+1)*t.n/chunks] {
			next[part]++
		}
	}
}

func (p *post) each(ctx context.Context, x []float64, carry func(_, chunk int)) error {
	p.x = x
	copy(p.next, p.t.first)
	return parallel.Each(ctx, parallel.Workers(chunks), chunks, carry)
}

// through carries x to the parts, runs a product there, and carries what it makes of x to dst.
func (p *post) through(ctx context.Context, dst, x []float64, rise, fall func(_, part int)) error {
	if err := p.each(ctx, x, p.put); err != nil {
		return err
	}
	if err := p.t.run(ctx, rise, fall); err != nil {
		return err
	}
	return p.each(ctx, dst, p.get)
}

func (p *post) chunk(c int) (part []int32, x []float64, next []int32) {
	lo, hi, parts := c*p.t.n/chunks, (c+1)*p.t.n/chunks, len(p.t.parts)+1
	return p.t.part[lo:hi], p.x[lo:hi], p.next[c*parts:][:parts]
}

func (p *post) putChunk(_, c int) {
	part, x, next := p.chunk(c)
	for v, part := range part {
		p.mail[next[part]] = x[v]
		next[part]++
	}
}

func (p *post) getChunk(_, c int) {
	part, x, next := p.chunk(c)
	for v, part := range part {
		x[v] = p.mail[next[part]]
		next[part]++
	}
}

// of is the values of a part's vertices.
func (p *post) of(part *program) []float64 { return p.mail[part.mail:][:len(part.homes)] }

// sweep is a product with sums for products and least values for sums: it
// measures distances from a few vertices.
type sweep struct {
	t         *Tree
	near, got []float64 // by slot: the distance of what is behind it, and of what is beyond
	post      *post

	rise, fall func(_, part int) // bound once, so that a sweep allocates nothing
}

func newSweep(t *Tree) *sweep {
	s := &sweep{t: t, post: newPost(t), near: make([]float64, t.slots), got: make([]float64, t.slots)}
	s.rise, s.fall = s.risePart, s.fallPart
	return s
}

// run sets row, by vertex, to the least distance from a vertex at which it is
// 0; elsewhere it must be +Inf.
func (s *sweep) run(ctx context.Context, row []float64) error {
	return s.post.through(ctx, row, row, s.rise, s.fall)
}

func (s *sweep) risePart(_, part int) {
	p, near, got := s.t.program(part), s.near, s.got
	for i := p.base; i < p.base+p.slots; i++ {
		near[i], got[i] = math.Inf(1), math.Inf(1)
	}
	for i, x := range s.post.of(p) {
		near[p.homes[i]], got[p.homes[i]] = x, x
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
	mail := s.post.of(p)
	for i, h := range p.homes {
		mail[i] = got[h]
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
	from := func(sources []int) []float64 { // of no use once ctx has ended
		row := make([]float64, t.n)
		for v := range row {
			row[v] = math.Inf(1)
		}
		for _, v := range sources {
			row[v] = 0
		}
		if failed := s.run(ctx, row); failed != nil {
			err = failed
		}
		return row
	}
	start := from(pick(func(_, _ int) bool { return false }))
	one := from(pick(func(v, w int) bool { return start[v] > start[w] }))
	other := from(pick(func(v, w int) bool { return one[v] > one[w] }))
	middle := from(pick(func(v, w int) bool { return max(one[v], other[v]) < max(one[w], other[w]) }))
	for _, d := range middle {
		diameter = max(diameter, 2*d)
	}
	return diameter, err
}
