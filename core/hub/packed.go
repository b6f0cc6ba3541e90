package hub

import (
	"context"
	"math"

	"genussink/core/internal/parallel"
)

// packed are the factors of fans and of tiles with slack in the order in which a product
// takes them: few of a label row's are taken, from here and there. One of the two is nil.
//
// First come those of the bundles' vertices, exp(-offset/epsilon). Of a fan these are its pairs, hub
// by hub; of a tile the columns of each band, and then the rows of each run.
type packed struct {
	fan, tile []int // by fan, by tile: where it begins
	short     []float32
	long      []float64
}

// bytes is the memory that they take.
func (q *packed) bytes() int64 {
	return int64(8*(len(q.fan)+len(q.tile)) + 4*len(q.short) + 8*len(q.long))
}

// at is number i.
func (q *packed) at(i int) float64 {
	if q.short != nil {
		return float64(q.short[i])
	}
	return q.long[i]
}

// pack fills packed from the factors.
func (k *Kernel) pack(ctx context.Context) error {
	t, q := k.t, &k.packed
	if t.slack == 0 {
		return nil
	}
	size := len(t.places)
	q.fan, q.tile = make([]int, len(t.fans)), make([]int, len(t.tiles))
	for i := range t.fans {
		q.fan[i] = size
		size += t.fans[i].factors()
	}
	for i := range t.tiles {
		q.tile[i] = size
		size += t.tiles[i].factors
	}
	if k.factors.short != nil {
		q.short = make([]float32, size)
		return pack(ctx, k, k.factors.short, q.short)
	}
	q.long = make([]float64, size)
	return pack(ctx, k, k.factors.long, q.long)
}

func pack[T number](ctx context.Context, k *Kernel, factors [][]T, to []T) error {
	t, tree := k.t, k.t.labels.Tree
	return parallel.Each(ctx, parallel.Workers(len(t.blocks)-1), len(t.blocks)-1, func(_, n int) {
		b, end := &t.blocks[n], &t.blocks[n+1]
		r := &tree.regions[b.region]
		bundles := t.bundles[b.bundle:end.bundle]
		for _, o := range bundles {
			for i := o.from; i < o.to; i++ {
				to[i] = T(math.Exp(-float64(t.offsets[i]) / k.epsilon))
			}
		}
		var places []int32
		take := func(to []T, hub int32, slots []int32) []T {
			places = sized(places, len(slots))
			f := stretchOf(tree, factors, hub, r.lo, r.hi)
			for i, v := range t.centres(places, slots, bundles) {
				to[i] = f[v-r.lo]
			}
			return to[len(slots):]
		}
		for i := b.fan; i < end.fan; i++ {
			o, to := &t.fans[i], to[k.packed.fan[i]:]
			for h := o.from; h < o.to; h++ {
				to = take(to, h, t.order[o.order:][:o.width])
			}
		}
		for i := b.tile; i < end.tile; i++ {
			o, to := &t.tiles[i], to[k.packed.tile[i]:]
			rows, cols := t.sides(o)
			bands := t.bands[o.band:][:o.bands]
			for _, b := range bands {
				to = take(to, b.hub, cols[b.from:b.to])
			}
			t.each(o, func(run run, first, last, _ int) { to = take(to, bands[run.band].hub, rows[first:last]) })
		}
	})
}

// multiplyBlock adds the pairs of a block with slack, both ways.
func multiplyBlock[T number](k *Kernel, factors []T, n int, p *part) {
	b, end := &k.t.blocks[n], &k.t.blocks[n+1]
	bundles := k.t.bundles[b.bundle:end.bundle]
	size := len(k.x)
	p.x, p.y = p.x[:size+len(bundles)], p.y[:size+len(bundles)]
	clear(p.y[size:])
	for i, o := range bundles {
		sum, spread := 0.0, factors[o.from:o.to]
		for j, v := range k.t.places[o.from:o.to] {
			sum += float64(spread[j]) * p.x[v]
		}
		p.x[size+i] = sum
	}
	for i := b.fan; i < end.fan && !k.over(int(i)); i++ {
		multiplyFan(k, factors[k.packed.fan[i]:], &k.t.fans[i], p)
	}
	for i := b.tile; i < end.tile && !k.over(int(i)); i++ {
		multiplyPacked(k, factors[k.packed.tile[i]:], &k.t.tiles[i], p)
	}
	for i, o := range bundles {
		sum, spread := p.y[size+i], factors[o.from:o.to]
		for j, v := range k.t.places[o.from:o.to] {
			p.y[v] += float64(spread[j]) * sum
		}
	}
	p.x, p.y = p.x[:size], p.y[:size]
}

// open sets xs to what the slots are of x, and ys to 0.
func (p *part) open(slots []int32) {
	p.xs, p.ys = sized(p.xs, len(slots)), sized(p.ys, len(slots))
	clear(p.ys)
	for j, v := range slots {
		p.xs[j] = p.x[v]
	}
}

// close adds ys to y.
func (p *part) close(slots []int32) {
	ys := p.ys[:len(slots)]
	for j, v := range slots {
		p.y[v] += ys[j]
	}
}

// multiplyFan adds the pairs of a fan.
func multiplyFan[T number](k *Kernel, factors []T, o *fan, p *part) {
	order := k.t.order[o.order:][:o.width]
	p.open(order)
	for h := o.from; h < o.to; h++ {
		p.y[h] += both(p.ys, p.xs, k.x[h], factors[:o.width])
		factors = factors[o.width:]
	}
	p.close(order)
}

// multiplyPacked adds the pairs of a tile with slack, both ways, by differences of running
// sums. These are safe: a hub's factors for a pair are at most the kernel's
// entry within the slack, so that what is subtracted is at most about the row's own sum.
func multiplyPacked[T number](k *Kernel, factors []T, t *tile, p *part) {
	height, width := int(t.rows), int(t.cols)
	bands := k.t.bands[t.band:][:t.bands]
	stride := width + 1
	p.sums = sized(p.sums, len(bands)*stride)
	order := k.t.order[t.order:][:height+width]
	p.open(order)
	columns := factors
	for n, b := range bands {
		f, sum := factors[:b.to-b.from], 0.0
		factors = factors[len(f):]
		at := n*stride + int(b.from)
		sums, xs := p.sums[at:][:len(f)], p.xs[height+int(b.from):][:len(f)]
		for j, f := range f {
			sums[j] = running{before: sum}
			sum += float64(f) * xs[j]
		}
		p.sums[at+len(f)] = running{before: sum}
	}
	gain := k.gain(t.shift)
	runs, sums := k.t.runs[t.run:], p.sums
	at, row := 0, 0
	for _, size := range k.t.groups[t.group:] {
		if row == height {
			break
		}
		xs, ys := p.xs[row:][:size], p.ys[row:][:size]
		row += int(size)
		if size == 1 { // one and two are the most frequent, and have the most runs: a loop would take a tenth longer
			x, y := xs[0]*gain, 0.0
			for from := 0; from < width; {
				a, b, to := runs[at].ends(sums, stride, from)
				at, from = at+1, to
				f := float64(factors[0])
				factors = factors[1:]
				y += f * (b.before - a.before)
				f *= x
				a.change += f
				b.change -= f
			}
			ys[0] = y * gain
			continue
		}
		if size == 2 {
			x0, x1, y0, y1 := xs[0]*gain, xs[1]*gain, 0.0, 0.0
			for from := 0; from < width; {
				a, b, to := runs[at].ends(sums, stride, from)
				at, from = at+1, to
				f0, f1 := float64(factors[0]), float64(factors[1])
				factors = factors[2:]
				out := b.before - a.before
				y0 += f0 * out
				y1 += f1 * out
				in := f0*x0 + f1*x1
				a.change += in
				b.change -= in
			}
			ys[0], ys[1] = y0*gain, y1*gain
			continue
		}
		for from := 0; from < width; {
			a, b, to := runs[at].ends(sums, stride, from)
			at, from = at+1, to
			f := factors[:len(xs)]
			factors = factors[len(xs):]
			out, in := (b.before-a.before)*gain, 0.0
			ys := ys[:len(f)]
			for i, f := range f {
				f := float64(f)
				ys[i] += f * out
				in += f * xs[i]
			}
			in *= gain
			a.change += in
			b.change -= in
		}
	}
	for n, b := range bands {
		f, sum := columns[:b.to-b.from], 0.0
		columns = columns[len(f):]
		sums, ys := p.sums[n*stride+int(b.from):][:len(f)], p.ys[height+int(b.from):][:len(f)]
		for j, f := range f {
			sum += sums[j].change
			ys[j] += float64(f) * sum
		}
	}
	p.close(order)
}
