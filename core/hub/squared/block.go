package squared

import (
	"math"

	"genussink/core/hub/cover"
	"genussink/core/hub/tile"
	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
)

// side is the rows or the columns of a block.
type side struct {
	ranks []int32
	x     []float64 // what is multiplied, over 2^(256 power)
	power int32
	y     []float64 // the sums that arrive, over 2^(256 power of the other side) and exp(the block's scale)
}

// open makes s the side of these ranks: it copies their x and clears y.
func (k *Kernel) open(s *side, ranks []int32) {
	s.ranks, s.x, s.y, s.power = ranks, buffer.Sized(s.x, len(ranks)), buffer.Sized(s.y, len(ranks)), none
	clear(s.y)
	for _, v := range ranks {
		s.power = max(s.power, k.x.power[v])
	}
	for i, v := range ranks {
		s.x[i] = k.x.part[v] * less(s.power-k.x.power[v])
	}
}

// Entries below tiny count as 0: subnormal numbers lose digits, and processors are slow at them. A pair loses less than missed by
// that and by what open rounds to 0. If a sum is at least least, its loss is too small to show.
const (
	tiny   = 1e-290
	missed = 1e-250
	least  = 1e-225
)

// close adds to y what has arrived on the side to from the side from, times exp(scale).
func (k *Kernel) close(to, from *side, scale float64, y *sums) {
	if from.power == none {
		return // nothing is there
	}
	part, power := split(scale)
	power += from.power
	lost := math.Log(missed*part*float64(len(from.ranks))) + float64(power)*unit
	for i, v := range to.ranks {
		sum := to.y[i]
		y.add(int(v), sum*part, power)
		if !(math.Abs(sum) > least) {
			y.lost[v] = max(y.lost[v], lost)
		}
	}
}

// worker is the scratch space of a worker.
type worker struct {
	rows, cols side
	ranks      []int32 // 0, 1, ...: of rows of labels
	near, far  []float64
	starts     []int
	moments    [2]cover.MomentRow
	coded      coded
	smooth     smooth
}

func (w *worker) bytes() int64 {
	numbers := 0
	for _, s := range []*side{&w.rows, &w.cols} {
		numbers += cap(s.x) + cap(s.y)
	}
	return int64(8*(numbers+cap(w.near)+cap(w.far)+tableSize)+4*cap(w.ranks)) + w.smooth.bytes()
}

// factor is exp(-scale), by which entry multiplies the values of another function. It is 0, and not used, for exp(-D^2/s).
func (k *Kernel) factor(scale float64) float64 {
	if k.f == nil {
		return 0 // exponents take the scale
	}
	return exponential.Exp(-scale)
}

// entry is the kernel's entry at the distance d, over exp(scale). factor is that of scale.
func (k *Kernel) entry(d, scale, factor float64) float64 {
	var e float64
	if k.f == nil {
		e = exponential.Exp(k.LogEntry(d) - scale)
	} else {
		e = k.value(d) * factor
	}
	if k.form.power > 0 {
		e *= k.weight(d)
	}
	return e
}

// row adds the pairs of row i with columns [from,from+len(far)), both ways, at the distances near + far[j].
func (k *Kernel) row(w *worker, i, from int, near float64, far []float64, scale float64) {
	xs, ys := w.cols.x[from:][:len(far)], w.cols.y[from:][:len(far)]
	x, y, factor := w.rows.x[i], 0.0, k.factor(scale)
	for j, d := range far {
		e := k.entry(near+d, scale, factor)
		y += e * xs[j]
		ys[j] += e * x
	}
	w.rows.y[i] += y
}

// settle closes both sides of a block.
func (k *Kernel) settle(w *worker, scale float64, y *sums) {
	k.close(&w.rows, &w.cols, scale, y)
	k.close(&w.cols, &w.rows, scale, y)
}

// over reports whether the product's context has ended. A lane that stops then returns no error: EachLane asks the context again.
func (k *Kernel) over() bool { return k.ctx.Err() != nil }

func (k *Kernel) multiplyLane(by, g int) {
	w := k.workers[by]
	if w == nil {
		w = &worker{ranks: make([]int32, k.cover.Len())}
		for i := range w.ranks {
			w.ranks[i] = int32(i)
		}
		k.workers[by] = w
	}
	y := &k.lanes[g]
	y.clear()
	for i := range y.lost {
		y.lost[i] = math.Inf(-1)
	}
	k.hubs(w, g, y)
	for _, c := range k.cover.RankOnes[k.cuts.RankOnes[g]:k.cuts.RankOnes[g+1]] {
		k.rankOne(w, &c, y)
	}
	for n := k.cuts.Staircases[g]; n < k.cuts.Staircases[g+1] && !k.over(); n++ {
		k.staircase(w, &k.cover.Staircases.List[n], y)
	}
	for n := k.cuts.Batches[g]; n < k.cuts.Batches[g+1]; n++ {
		b, end := &k.cover.Batches[n], &k.cover.Batches[n+1]
		aggregates := k.cover.Aggregates[b.Aggregate:end.Aggregate]
		for i := b.SeparatorBlock; i < end.SeparatorBlock && !k.over(); i++ {
			if k.cover.Tolerance > 0 {
				k.separatorBlock(w, i, aggregates, y)
			} else {
				k.exactSeparatorBlock(w, i, aggregates, y)
			}
		}
		for i := b.Tile; i < end.Tile && !k.over(); i++ {
			if k.cover.Tolerance > 0 {
				k.codedTile(w, i, aggregates, y)
			} else {
				k.exactTile(w, i, aggregates, y)
			}
		}
	}
}

// hubs adds the pairs that are in rows of labels: each hub of lane g with the vertices of its cell from rank DenseFrom on.
func (k *Kernel) hubs(w *worker, g int, y *sums) {
	l := k.cover.Labels
	for h := int32(k.cuts.Hubs[g]); h < int32(k.cuts.Hubs[g+1]); {
		r := &l.Cells[l.Owner[h]]
		end, lo := min(r.Hi, int32(k.cuts.Hubs[g+1])), k.cover.DenseFrom(r)
		k.open(&w.rows, w.ranks[h:end])
		k.open(&w.cols, w.ranks[lo:r.Hi])
		both := int(r.Sep - lo) // beyond are the hubs of the separator, each of which has its own row
		xs, ys := w.cols.x, w.cols.y[:both]
		for i, x := range w.rows.x {
			if k.over() {
				return
			}
			e, sum := k.entries[k.starts[int(h)+i]:k.starts[int(h)+i+1]], 0.0
			if k.form.power > 0 {
				w.far = append(w.far[:0], e...)
				for j, d := range l.Row(&w.near, h+int32(i), lo, r.Hi) {
					w.far[j] *= k.weight(d)
				}
				e = w.far
			}
			for j, e := range e[:both] {
				sum += e * xs[j]
				ys[j] += e * x
			}
			for j, e := range e[both:] {
				sum += e * xs[both+j]
			}
			w.rows.y[i] += sum
		}
		k.close(&w.rows, &w.cols, 0, y)
		w.cols.ranks = w.cols.ranks[:both]
		k.close(&w.cols, &w.rows, 0, y)
		h = end
	}
}

// scale is the logarithm of the entry of a block's least distance.
func (k *Kernel) scale(d float64) float64 { return k.LogEntry(max(0, d)) }

// rankOne adds the pairs of a rank-one block.
func (k *Kernel) rankOne(w *worker, c *cover.RankOne, y *sums) {
	rows, near := w.moments[0].Of(k.cover, &k.cover.Labels.Values, &k.cover.Moments[c.A])
	cols, far := w.moments[1].Of(k.cover, &k.cover.Labels.Values, &k.cover.Moments[c.B])
	k.open(&w.rows, rows)
	k.open(&w.cols, cols)
	scale := k.scale(smallest(near) + smallest(far) - c.Shift)
	if k.interpolate(w, near, far, c.Shift, scale) {
		k.settle(w, scale, y)
		return
	}
	for i, d := range near {
		if k.over() {
			return
		}
		k.row(w, i, 0, d-c.Shift, far, scale)
	}
	k.settle(w, scale, y)
}

func smallest(list []float64) float64 {
	least := math.Inf(1)
	for _, d := range list {
		least = min(least, d)
	}
	return least
}

// staircase adds the pairs of a staircase block.
func (k *Kernel) staircase(w *worker, s *cover.Staircase, y *sums) {
	rows, cols, from := s.Sides(k.cover.Staircases.Numbers)
	k.open(&w.rows, rows)
	k.open(&w.cols, cols)
	w.near, w.far = buffer.Sized(w.near, len(rows)), buffer.Sized(w.far, len(cols))
	k.cover.Labels.Gather(w.near, s.Hub, rows)
	k.cover.Labels.Gather(w.far, s.Hub, cols)
	scale := k.scale(smallest(w.near) + smallest(w.far))
	for i, d := range w.near {
		if k.over() {
			return
		}
		k.row(w, i, int(from[i]), d, w.far[from[i]:], scale)
	}
	k.settle(w, scale, y)
}

// exactTile adds the pairs of a tile without a tolerance.
func (k *Kernel) exactTile(w *worker, n int32, aggregates []cover.Aggregate, y *sums) {
	t, c := &k.cover.Tiles[n], &w.coded
	rows, cols := k.cover.Sides(t)
	bands := k.cover.BandsOf(t)
	c.open(k.cover, t, aggregates)
	k.open(&w.rows, c.rows.ranks)
	k.open(&w.cols, c.cols.ranks)
	w.far, w.starts = w.far[:0], w.starts[:0]
	for _, b := range bands {
		w.starts = append(w.starts, len(w.far)-int(c.cols.from[b.From]))
		w.far = c.cols.distances(w.far, k.cover, b.Hub, cols, int(b.From), int(b.To))
	}
	w.near = w.near[:0] // of the rows' vertices, run by run
	nearest := math.Inf(1)
	k.cover.Each(t, func(run tile.Run, first, _, from int) {
		known := len(w.near)
		w.near = c.rows.distances(w.near, k.cover, bands[run.Band].Hub, rows, first, first+1)
		far := w.far[w.starts[run.Band]+int(c.cols.from[from]) : w.starts[run.Band]+int(c.cols.from[int(run.Last)+1])]
		nearest = min(nearest, smallest(w.near[known:])+smallest(far))
	})
	scale, near := k.scale(nearest-t.Shift), w.near
	k.cover.Each(t, func(run tile.Run, first, _, from int) {
		at := int(c.cols.from[from])
		far := w.far[w.starts[run.Band]+at : w.starts[run.Band]+int(c.cols.from[int(run.Last)+1])]
		for row := c.rows.from[first]; row < c.rows.from[first+1]; row++ {
			k.row(w, int(row), at, near[0]-t.Shift, far, scale)
			near = near[1:]
		}
	})
	k.settle(w, scale, y)
}

// exactSeparatorBlock adds the pairs of a separator block without a tolerance.
func (k *Kernel) exactSeparatorBlock(w *worker, n int32, aggregates []cover.Aggregate, y *sums) {
	c, o := &w.coded, &k.cover.SeparatorBlocks[n]
	c.openBlock(k.cover, o, aggregates)
	k.open(&w.rows, w.ranks[o.From:o.To])
	k.open(&w.cols, c.cols.ranks)
	order := k.cover.Order[o.Order:][:o.Width]
	w.far = w.far[:0]
	for h := o.From; h < o.To; h++ {
		w.far = c.cols.distances(w.far, k.cover, h, order, 0, o.Width)
	}
	scale, size := k.scale(smallest(w.far)), len(c.cols.ranks)
	for i := range w.rows.x {
		k.row(w, i, 0, 0, w.far[i*size:][:size], scale)
	}
	k.settle(w, scale, y)
}
