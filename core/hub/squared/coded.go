package squared

import (
	"context"
	"math"

	"genussink/core/hub/cover"
	"genussink/core/hub/tile"
	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
)

// members are the vertices that slots stand for: of slot i ranks[from[i]:from[i+1]]. They are further than the slot: with a tolerance as many steps as
// offsets says, else by lengths.
type members struct {
	ranks   []int32
	offsets []int32
	lengths []float64
	from    []int32
	labels  []float64 // scratch space
}

func (m *members) expand(t *cover.Cover, slots []int32, aggregates []cover.Aggregate) {
	n := int32(t.Len())
	m.ranks, m.offsets, m.lengths, m.from = m.ranks[:0], m.offsets[:0], m.lengths[:0], m.from[:0]
	for _, v := range slots {
		m.from = append(m.from, int32(len(m.ranks)))
		if v < n {
			m.ranks, m.offsets, m.lengths = append(m.ranks, v), append(m.offsets, 0), append(m.lengths, 0)
			continue
		}
		o := &aggregates[v-n]
		m.ranks = append(m.ranks, t.Ranks[o.From:o.To]...)
		if t.Tolerance == 0 {
			m.lengths = append(m.lengths, t.Lengths[o.From:o.To]...)
			continue
		}
		for _, c := range t.Offsets[o.From:o.To] {
			m.offsets = append(m.offsets, int32(c)-cover.Origin)
		}
	}
	m.from = append(m.from, int32(len(m.ranks)))
}

// spread appends the codes of slots from from on to list, one for each member.
func (m *members) spread(list, codes []uint16, from int) []uint16 {
	for i, c := range codes {
		for _, offset := range m.offsets[m.from[from+i]:m.from[from+i+1]] {
			list = append(list, uint16(int32(c)+offset))
		}
	}
	return list
}

// distances appends to list the distances of the members of slots[from:to] from a hub, without a tolerance.
func (m *members) distances(list []float64, t *cover.Cover, hub int32, slots []int32, from, to int) []float64 {
	m.labels = buffer.Sized(m.labels, to-from)
	t.Gather(m.labels, hub, slots[from:to])
	for i, d := range m.labels {
		for _, offset := range m.lengths[m.from[from+i]:m.from[from+i+1]] {
			list = append(list, d+offset)
		}
	}
	return list
}

// alone reports whether every slot holds one vertex. Then nothing has to be spread over several.
func (m *members) alone() bool { return len(m.ranks) == len(m.from)-1 }

// A sum of two codes less another such is less than tableSize.
const (
	tableSize = 4 * cover.Origin
	tableMask = tableSize - 1
)

// coded is the tile or the separator block under way, its slots spread to their members.
type coded struct {
	rows, cols members
	far, near  []uint16              // codes of the columns, band by band; of some rows
	at         [tile.MaxSide + 1]int // by band: where its columns begin in far, less the first column
	table      [tableSize]float64    // entries, by the sum of two codes less the least
}

// span is the least and the greatest sum of two codes, of a block's pairs.
type span struct{ least, most int }

func (s *span) add(far, near []uint16) {
	l, m := ends(far)
	low, high := ends(near)
	s.least, s.most = min(s.least, l+low), max(s.most, m+high)
}

func ends(codes []uint16) (least, most int) {
	least = math.MaxInt
	for _, c := range codes {
		least, most = min(least, int(c)), max(most, int(c))
	}
	return least, most
}

// open turns to a tile.
func (c *coded) open(t *cover.Cover, o *tile.Tile, aggregates []cover.Aggregate) {
	rows, cols := t.Sides(o)
	c.rows.expand(t, rows, aggregates)
	c.cols.expand(t, cols, aggregates)
}

// walk visits the runs of the tile: the codes of its columns, from from on, and of its rows, from first on.
func (c *coded) walk(t *cover.Cover, n int32, visit func(far, near []uint16, first, from int)) {
	o, codes := &t.Tiles[n], t.TileCodes(n)
	all, alone, rowsAlone := codes, c.cols.alone(), c.rows.alone()
	c.far = c.far[:0]
	at := 0
	for i, b := range t.BandsOf(o) {
		c.at[i] = at - int(c.cols.from[b.From])
		at += int(c.cols.from[b.To] - c.cols.from[b.From])
		if !alone {
			c.far = c.cols.spread(c.far, codes[:b.To-b.From], int(b.From))
		}
		codes = codes[b.To-b.From:]
	}
	if !alone {
		all = c.far
	}
	for first, rows := range t.RowsOf(o) {
		from, size := 0, int(rows.Size)
		for _, r := range t.Runs[rows.Run:][:rows.Runs] {
			to, at := int(c.cols.from[int(r.Last)+1]), c.at[r.Band]
			near := codes[:size]
			codes = codes[size:]
			if !rowsAlone {
				c.near = c.rows.spread(c.near[:0], near, first)
				near = c.near
			}
			visit(all[at+from:at+to], near, int(c.rows.from[first]), from)
			from = to
		}
	}
}

// openBlock turns to a separator block.
func (c *coded) openBlock(t *cover.Cover, o *cover.SeparatorBlock, aggregates []cover.Aggregate) {
	c.cols.expand(t, t.Order[o.Order:][:o.Width], aggregates)
}

// block are the codes of the separator block's pairs, hub by hub.
func (c *coded) block(t *cover.Cover, n int32) []uint16 {
	o := &t.SeparatorBlocks[n]
	codes := t.SeparatorCodes(n)[:int(o.To-o.From)*o.Width]
	if c.cols.alone() {
		return codes
	}
	for c.far = c.far[:0]; len(codes) > 0; codes = codes[o.Width:] {
		c.far = c.cols.spread(c.far, codes[:o.Width], 0)
	}
	return c.far
}

// spans are those of all tiles and separator blocks.
func spans(ctx context.Context, t *cover.Cover) (tiles, blocks []span, err error) {
	tiles, blocks = make([]span, len(t.Tiles)), make([]span, len(t.SeparatorBlocks))
	cuts := t.Cuts()
	err = cover.EachLane(ctx, func(_, g int) {
		var c coded
		for n := cuts.Batches[g]; n < cuts.Batches[g+1] && ctx.Err() == nil; n++ {
			b, end := &t.Batches[n], &t.Batches[n+1]
			aggregates := t.Aggregates[b.Aggregate:end.Aggregate]
			for i := b.Tile; i < end.Tile; i++ {
				own := span{least: math.MaxInt}
				c.open(t, &t.Tiles[i], aggregates)
				c.walk(t, i, func(far, near []uint16, _, _ int) { own.add(far, near) })
				tiles[i] = own
			}
			for i := b.SeparatorBlock; i < end.SeparatorBlock; i++ {
				c.openBlock(t, &t.SeparatorBlocks[i], aggregates)
				blocks[i].least, blocks[i].most = ends(c.block(t, i))
			}
		}
	})
	return tiles, blocks, err
}

// anchor is how many entries of a table follow from one another before an exponential is taken anew.
const anchor = 256

// fill makes a table of count entries, relative to exp(scale). The first is of the distance d, and each of the others of a distance one step
// longer. An entry is the one four steps before it times a ratio. The ratio is the one four steps before it times a constant.
// So there are four sequences, and a processor can go on with one while it waits for another.
// Another function is asked for every entry.
func (c *coded) fill(k *Kernel, d float64, count int, scale float64) {
	step := float64(k.cover.Step)
	if k.f != nil {
		factor := k.factor(scale)
		for i := range count {
			c.table[i] = k.entry(d+float64(i)*step, scale, factor)
		}
		return
	}
	turn := exponential.Exp(-2 * step * (step / k.s))
	turn4 := turn * turn * turn * turn
	turn16 := turn4 * turn4 * turn4 * turn4
	for from := 0; from < count; from += anchor {
		at, part := d+float64(from)*step, c.table[from:][:anchor]
		e0, ratio := exponential.Exp(k.LogEntry(at)-scale), exponential.Exp(-step*((2*at+step)/k.s))
		if e0 < tiny && at > 0 { // and what follows is less
			clear(c.table[from : from+(count-from+anchor-1)/anchor*anchor])
			return
		}
		r1 := ratio * turn
		r2 := r1 * turn
		r3 := r2 * turn
		e1 := e0 * ratio
		e2 := e1 * r1
		e3 := e2 * r2
		q0 := ratio * r1 * r2 * r3
		q1 := q0 * turn4
		q2 := q1 * turn4
		q3 := q2 * turn4
		for i := 0; i+3 < len(part); i += 4 {
			part[i], part[i+1], part[i+2], part[i+3] = e0, e1, e2, e3
			e0, e1, e2, e3 = e0*q0, e1*q1, e2*q2, e3*q3
			q0, q1, q2, q3 = q0*turn16, q1*turn16, q2*turn16, q3*turn16
		}
		if e3 < tiny {
			for i, e := range part {
				if e < tiny {
					part[i] = 0
				}
			}
		}
		if k.form.power > 0 {
			for i := range part {
				part[i] *= k.weight(at + float64(i)*step)
			}
		}
	}
}

// codedTile adds the pairs of a tile with a tolerance.
func (k *Kernel) codedTile(w *worker, n int32, aggregates []cover.Aggregate, y *sums) {
	c, t, s := &w.coded, &k.cover.Tiles[n], k.spans[n]
	c.open(k.cover, t, aggregates)
	k.open(&w.rows, c.rows.ranks)
	k.open(&w.cols, c.cols.ranks)
	if w.rows.power == none && w.cols.power == none {
		return
	}
	nearest := float64(s.least-2*cover.Origin)*float64(k.cover.Step) - t.Shift
	scale := k.scale(nearest)
	c.fill(k, nearest, s.most-s.least+1, scale)
	rows, cols := &w.rows, &w.cols
	c.walk(k.cover, n, func(far, near []uint16, first, from int) {
		c.multiply(far, near, s.least, rows.x[first:], rows.y[first:], cols.x[from:], cols.y[from:])
	})
	k.settle(w, scale, y)
}

// separatorBlock adds the pairs of a separator block. To its hubs the labels are the distances.
func (k *Kernel) separatorBlock(w *worker, n int32, aggregates []cover.Aggregate, y *sums) {
	c, o := &w.coded, &k.cover.SeparatorBlocks[n]
	c.openBlock(k.cover, o, aggregates)
	k.open(&w.rows, w.ranks[o.From:o.To])
	k.open(&w.cols, c.cols.ranks)
	s := k.separatorSpans[n]
	nearest := float64(s.least-cover.Origin) * float64(k.cover.Step)
	scale := k.scale(nearest)
	c.fill(k, nearest, s.most-s.least+1, scale)
	far, size := c.block(k.cover, n), len(w.cols.ranks)
	for i, x := range w.rows.x {
		w.rows.y[i] += c.one(far[i*size:][:size], w.cols.x, w.cols.y, -s.least, x)
	}
	k.settle(w, scale, y)
}

// multiply adds the pairs of rows with the columns whose codes are far, both ways. The rows' codes are near; the table begins at base.
func (c *coded) multiply(far, near []uint16, base int, rowX, rowY, xs, ys []float64) {
	i := 0
	for ; i+3 < len(near); i += 4 {
		c.four(far, xs, ys, near[i:][:4], base, rowX[i:][:4], rowY[i:][:4])
	}
	if i+1 < len(near) {
		c.two(far, xs, ys, near[i:][:2], base, rowX[i:][:2], rowY[i:][:2])
		i += 2
	}
	if i < len(near) {
		rowY[i] += c.one(far, xs, ys, int(near[i])-base, rowX[i])
	}
}

// one is multiply of one row, in two sums, for one waits for the addition before.
func (c *coded) one(far []uint16, xs, ys []float64, near int, x float64) float64 {
	xs, ys = xs[:len(far)], ys[:len(far)]
	table := &c.table
	var even, odd float64
	j := 0
	for ; j+1 < len(far); j += 2 {
		e, f := table[(int(far[j])+near)&tableMask], table[(int(far[j+1])+near)&tableMask]
		even += e * xs[j]
		odd += f * xs[j+1]
		ys[j] += e * x
		ys[j+1] += f * x
	}
	if j < len(far) {
		e := table[(int(far[j])+near)&tableMask]
		even += e * xs[j]
		ys[j] += e * x
	}
	return even + odd
}

// two is multiply of two rows at once, which spares a quarter of the time.
func (c *coded) two(far []uint16, xs, ys []float64, near []uint16, base int, x, y []float64) {
	xs, ys = xs[:len(far)], ys[:len(far)]
	table := &c.table
	n0, n1 := int(near[0])-base, int(near[1])-base
	x0, x1 := x[0], x[1]
	var y0, y1 float64
	for j, d := range far {
		at, x := int(d), xs[j]
		e0, e1 := table[(at+n0)&tableMask], table[(at+n1)&tableMask]
		y0 += e0 * x
		y1 += e1 * x
		ys[j] += e0*x0 + e1*x1
	}
	y[0] += y0
	y[1] += y1
}

// four is multiply of four.
func (c *coded) four(far []uint16, xs, ys []float64, near []uint16, base int, x, y []float64) {
	xs, ys = xs[:len(far)], ys[:len(far)]
	table := &c.table
	n0, n1, n2, n3 := int(near[0])-base, int(near[1])-base, int(near[2])-base, int(near[3])-base
	x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
	var y0, y1, y2, y3 float64
	for j, d := range far {
		at, x := int(d), xs[j]
		e0, e1, e2, e3 := table[(at+n0)&tableMask], table[(at+n1)&tableMask], table[(at+n2)&tableMask], table[(at+n3)&tableMask]
		y0 += e0 * x
		y1 += e1 * x
		y2 += e2 * x
		y3 += e3 * x
		ys[j] += (e0*x0 + e1*x1) + (e2*x2 + e3*x3)
	}
	y[0] += y0
	y[1] += y1
	y[2] += y2
	y[3] += y3
}
