package logdomain

import (
	"math"
	"slices"

	"genussink/core/hub/cover"
	"genussink/core/hub/loops"
	"genussink/core/hub/tile"
	"genussink/core/internal/buffer"
)

// Scratch is the space of one lane's products. Each of its methods adds the pairs of one block, both ways: to y what x, logarithms,
// makes at epsilon. Both are by slot.
type Scratch struct {
	starts    tile.Starts
	running   []loops.Running
	columnTop []float64 // by band: the exponent that the columns' running sums are relative to
	rowTop    []float64 // by band: that of what arrives from the rows
	near, far []float64 // distances
}

// Hub adds to y the pairs of hub h with vertices of its cell: those that are stored as rows of labels. SeparatorBlock adds the pairs
// that are in separator blocks.
func (s *Scratch) Hub(t *cover.Cover, h int, epsilon float64, x []float64, y Exponents) {
	l, scale := t.Labels, 1/epsilon
	r := &l.Cells[l.Owner[h]]
	lo := t.DenseFrom(r)
	for i, d := range l.Row(&s.near, int32(h), lo, r.Hi) {
		v := int(lo) + i
		y.Add(h, x[v]-d*scale, 1)
		if v < int(r.Sep) {
			y.Add(v, x[h]-d*scale, 1)
		}
	}
}

// SeparatorBlock adds the pairs of a separator block.
func (s *Scratch) SeparatorBlock(t *cover.Cover, n int32, epsilon float64, x []float64, y Exponents) {
	o, packed := &t.SeparatorBlocks[n], t.SeparatorCodes(n)
	s.near = buffer.Sized(s.near, o.Width)
	slots := t.Order[o.Order:][:o.Width]
	for h := o.From; h < o.To; h++ {
		packed = t.NextDistances(s.near, packed, h, slots)
		for i, v := range slots {
			d := s.near[i] / epsilon
			y.Add(int(h), x[v]-d, 1)
			y.Add(int(v), x[h]-d, 1)
		}
	}
}

// Tile adds the pairs of a tile by differences of running sums, which are relative to the largest
// exponent at each hub. What underflows there is as little to the row's own
// sum: no way through a hub is shorter than the shortest.
func (s *Scratch) Tile(c *cover.Cover, n int32, epsilon float64, x []float64, y Exponents) {
	t, packed, scale := &c.Tiles[n], c.TileCodes(n), 1/epsilon
	rows, cols := c.Sides(t)
	bands := c.BandsOf(t)
	s.columnTop, s.rowTop, s.running = buffer.Sized(s.columnTop, len(bands)), buffer.Sized(s.rowTop, len(bands)), buffer.Sized(s.running, s.starts.Set(bands))
	columnTop, rowTop := s.columnTop, s.rowTop
	s.near = s.near[:0]
	shift := t.Shift * scale
	next := func(hub int32, slots []int32) (dist []float64, top float64) {
		at := len(s.near)
		s.near = slices.Grow(s.near, len(slots))[:at+len(slots)]
		dist, top = s.near[at:], math.Inf(-1)
		packed = c.NextDistances(dist, packed, hub, slots)
		for i, v := range slots {
			dist[i] *= scale
			top = max(top, x[v]-dist[i])
		}
		return dist, top
	}
	for n, b := range bands {
		used := cols[b.From:b.To]
		dist, top := next(b.Hub, used)
		rowTop[n], columnTop[n] = math.Inf(-1), top
		sums, sum := tile.BandSums(s.running, &s.starts, n, b), 0.0
		for i, v := range used {
			sums[i] = loops.Running{Before: sum}
			sum += Relative(x[v]-dist[i], top)
		}
		sums[len(used)] = loops.Running{Before: sum}
	}
	columns := len(s.near)
	c.Each(t, func(run tile.Run, first, last, _ int) {
		_, top := next(bands[run.Band].Hub, rows[first:last])
		rowTop[run.Band] = max(rowTop[run.Band], top)
	})
	down := s.near[columns:]
	c.Each(t, func(run tile.Run, first, last, from int) {
		n := int(run.Band)
		a, b, _ := tile.Ends(run, s.starts[n], s.running, from)
		out, in := b.Before-a.Before, 0.0
		for i, v := range rows[first:last] {
			d := down[i]
			if out > 0 {
				y.Add(int(v), columnTop[n]-d+shift, out)
			}
			in += Relative(x[v]-d, rowTop[n])
		}
		down = down[last-first:]
		a.Change += in
		b.Change -= in
	})
	across := s.near
	for n, b := range bands {
		used := cols[b.From:b.To]
		sums, sum := tile.BandSums(s.running, &s.starts, n, b), 0.0
		for i, v := range used {
			if sum += sums[i].Change; sum > 0 {
				y.Add(int(v), rowTop[n]-across[i]+shift, sum)
			}
		}
		across = across[len(used):]
	}
}

// Staircase adds the pairs of a staircase block, with sums relative to their largest exponent so far.
func (s *Scratch) Staircase(t *cover.Cover, o *cover.Staircase, epsilon float64, x []float64, y Exponents) {
	numbers, scale := t.Staircases.Numbers, 1/epsilon
	sum := Exponents{[]float64{0}, []float64{0}}
	rows, cols, _ := o.Sides(numbers)
	s.near, s.far = buffer.Sized(s.near, len(rows)), buffer.Sized(s.far, len(cols))
	t.Labels.Gather(s.near, o.Hub, rows)
	t.Labels.Gather(s.far, o.Hub, cols)
	gather := func(ranks []int32, dist []float64) func(int) {
		return func(n int) { sum.Add(0, x[ranks[n]]-dist[n]*scale, 1) }
	}
	hand := func(ranks []int32, dist []float64) func(int) {
		return func(n int) {
			if sum.Sum[0] > 0 {
				y.Add(int(ranks[n]), sum.Top[0]-dist[n]*scale, sum.Sum[0])
			}
		}
	}
	sum.Clear()
	o.Climb(numbers, gather(cols, s.far), hand(rows, s.near))
	sum.Clear()
	o.Descend(numbers, hand(cols, s.far), gather(rows, s.near))
}
