package hub

import (
	"context"
	"math"

	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
	"genussink/core/internal/parallel"
)

// steps are the lengths that the tiles of a walk with slack, and its fans, are made of: whole multiples
// of one, numbered from origin on, for a bundle's offsets may be negative. So one small table
// holds a kernel's factors at every epsilon, and a pair takes two bytes.
type steps float64

// origin is the number of the length 0, and of steps in the greatest label. With twice as many the table
// of those that are used would be larger than a processor's first cache.
const origin = 1 << 13

// among masks a number of steps for a table of 2*origin, so that no index is out of it.
const among = 2*origin - 1

// stepsTo are those with which lengths up to far are numbered.
func stepsTo(far float64) steps {
	if s := steps(far / (origin - 1)); s > 0 {
		return s
	}
	return 1 // all lengths are 0, or as good as that
}

// number is that of the nearest multiple.
func (s steps) number(d float64) uint16 { return uint16(origin + math.Round(d/float64(s))) }

// length is the multiple of a number.
func (s steps) length(number uint16) float64 { return float64(int(number)-origin) * float64(s) }

// packed are the distances of fans and of tiles with slack in the order in which a product
// takes them: few of a label row's are taken, from here and there. Of a fan these are its
// pairs, hub by hub; of a tile the columns of each band, and then the rows of each run.
type packed struct {
	fan, tile []int // by fan, by tile: where it begins
	distances []uint16
}

// bytes is the memory that they take.
func (q *packed) bytes() int64 { return int64(8*(len(q.fan)+len(q.tile)) + 2*len(q.distances)) }

// pack fills packed from the labels.
func (t *Tiles) pack(ctx context.Context) error {
	if t.slack == 0 {
		return nil
	}
	q, size := &t.packed, 0
	q.fan, q.tile = make([]int, len(t.fans)), make([]int, len(t.tiles))
	for i := range t.fans {
		q.fan[i] = size
		size += t.fans[i].pairs()
	}
	for i := range t.tiles {
		q.tile[i] = size
		size += t.tiles[i].distances
	}
	q.distances = make([]uint16, size)
	workers := parallel.Workers(len(t.blocks) - 1)
	scratch := make([]struct {
		ranks []int32
		dist  []float64
	}, workers)
	return parallel.Each(ctx, workers, len(t.blocks)-1, func(w, n int) {
		b, end, s := &t.blocks[n], &t.blocks[n+1], &scratch[w]
		bundles := t.bundles[b.bundle:end.bundle]
		take := func(to []uint16, hub int32, slots []int32) []uint16 {
			s.ranks, s.dist = buffer.Sized(s.ranks, len(slots)), buffer.Sized(s.dist, len(slots))
			t.labels.Gather(s.dist, hub, t.centres(s.ranks, slots, bundles))
			for i, d := range s.dist {
				to[i] = t.steps.number(d)
			}
			return to[len(slots):]
		}
		for i := b.fan; i < end.fan; i++ {
			o, to := &t.fans[i], q.distances[q.fan[i]:]
			for h := o.from; h < o.to; h++ {
				to = take(to, h, t.order[o.order:][:o.width])
			}
		}
		for i := b.tile; i < end.tile; i++ {
			o, to := &t.tiles[i], q.distances[q.tile[i]:]
			rows, cols := t.sides(o)
			bands := t.bandsOf(o)
			for _, b := range bands {
				to = take(to, b.hub, cols[b.from:b.to])
			}
			t.each(o, func(run run, first, last, _ int) { to = take(to, bands[run.band].hub, rows[first:last]) })
		}
	})
}

// next fills dst with the distances of a hub and some ranks: the next ones of those that
// are packed, whose rest it returns, or, where none are, the labels.
func (t *Tiles) next(dst []float64, packed []uint16, hub int32, ranks []int32) []uint16 {
	if t.slack == 0 {
		t.labels.Gather(dst, hub, ranks)
		return nil
	}
	for i := range dst {
		dst[i] = t.steps.length(packed[i])
	}
	return packed[len(dst):]
}

// packedFan and packedTile are the packed distances from those of a fan or a tile on; nil without slack.
func (t *Tiles) packedFan(n int32) []uint16 { return t.packed.distances[t.packed.fan[n]:] }

func (t *Tiles) packedTile(n int32) []uint16 {
	if t.slack == 0 {
		return nil
	}
	return t.packed.distances[t.packed.tile[n]:]
}

// table is a value for every number of steps.
type table [2 * origin]float64

// both adds alpha times the values of the numbers to y and returns their inner product with x, in
// two sums, for one waits for the addition before.
func (t *table) both(y, x []float64, alpha float64, numbers []uint16) float64 {
	var s0, s1 float64
	x, numbers = x[:len(y)], numbers[:len(y)]
	i := 0
	for ; i+1 < len(y); i += 2 {
		f0, f1 := t[numbers[i]&among], t[numbers[i+1]&among]
		y[i] += alpha * f0
		y[i+1] += alpha * f1
		s0 += f0 * x[i]
		s1 += f1 * x[i+1]
	}
	if i < len(y) {
		f := t[numbers[i]&among]
		y[i] += alpha * f
		s0 += f * x[i]
	}
	return s0 + s1
}

// dot is the inner product of x at some ranks with the values of as many numbers, in two sums.
func (t *table) dot(x []float64, ranks []int32, numbers []uint16) float64 {
	var s0, s1 float64
	numbers = numbers[:len(ranks)]
	i := 0
	for ; i+1 < len(ranks); i += 2 {
		s0 += t[numbers[i]&among] * x[ranks[i]]
		s1 += t[numbers[i+1]&among] * x[ranks[i+1]]
	}
	if i < len(ranks) {
		s0 += t[numbers[i]&among] * x[ranks[i]]
	}
	return s0 + s1
}

// axpy adds alpha times the values of the numbers to y at as many ranks.
func (t *table) axpy(y []float64, alpha float64, ranks []int32, numbers []uint16) {
	numbers = numbers[:len(ranks)]
	for i, v := range ranks {
		y[v] += t[numbers[i]&among] * alpha
	}
}

// table is exp(-length/epsilon).
func (s steps) table(epsilon float64) *table {
	t := new(table)
	for i := range t {
		t[i] = exponential.Exp(-s.length(uint16(i)) / epsilon)
	}
	return t
}

// multiplyBlock adds the pairs of a block with slack, both ways.
func (k *Kernel) multiplyBlock(n int, p *part) {
	b, end := &k.t.blocks[n], &k.t.blocks[n+1]
	bundles, factors := k.t.bundles[b.bundle:end.bundle], k.packedFactors
	size := len(k.x)
	p.x, p.y = p.x[:size+len(bundles)], p.y[:size+len(bundles)]
	clear(p.y[size:])
	x, sums := p.x[:size], p.x[size:]
	for i, o := range bundles {
		sums[i] = factors.dot(x, k.t.ranks[o.from:o.to], k.t.offsets[o.from:o.to])
	}
	for i := b.fan; i < end.fan && !k.over(int(i)); i++ {
		k.multiplyFan(i, p)
	}
	for i := b.tile; i < end.tile && !k.over(int(i)); i++ {
		k.multiplyPacked(i, p)
	}
	k.spread(bundles, p)
	p.x, p.y = p.x[:size], p.y[:size]
}

// spread hands out to the bundles' vertices what has arrived for the bundles.
func (k *Kernel) spread(bundles []bundle, p *part) {
	y, sums := p.y[:len(k.x)], p.y[len(k.x):]
	for i, o := range bundles {
		k.packedFactors.axpy(y, sums[i], k.t.ranks[o.from:o.to], k.t.offsets[o.from:o.to])
	}
}

// open sets xs to what the slots are of x, and ys to 0.
func (p *part) open(slots []int32) {
	p.xs, p.ys = buffer.Sized(p.xs, len(slots)), buffer.Sized(p.ys, len(slots))
	clear(p.ys)
	x, xs := p.x, p.xs[:len(slots)]
	for j, v := range slots {
		xs[j] = x[v]
	}
}

// close adds ys to y.
func (p *part) close(slots []int32) {
	y, ys := p.y, p.ys[:len(slots)]
	for j, v := range slots {
		y[v] += ys[j]
	}
}

// multiplyFan adds the pairs of a fan.
func (k *Kernel) multiplyFan(n int32, p *part) {
	o, dist, factors := &k.t.fans[n], k.t.packedFan(n), k.packedFactors
	order := k.t.order[o.order:][:o.width]
	p.open(order)
	xs, ys := p.xs[:o.width], p.ys[:o.width]
	for h := o.from; h < o.to; h++ {
		p.y[h] += factors.both(ys, xs, k.x[h], dist)
		dist = dist[o.width:]
	}
	p.close(order)
}

// multiplyPacked adds the pairs of a tile with slack, both ways, by differences of running
// sums. A hub's factors for a pair are at most the kernel's entry within the slack. So what is subtracted
// is at most exp(slack/epsilon) times the row's own sum, and of that sum it loses as many times the unit
// of rounding: nothing that shows where the slack is a few epsilons, digits where it is thirty.
func (k *Kernel) multiplyPacked(n int32, p *part) {
	t, dist, factors := &k.t.tiles[n], k.t.packedTile(n), k.packedFactors
	height := int(t.rows)
	bands := k.t.bandsOf(t)
	p.sums = buffer.Sized(p.sums, p.starts.of(bands))
	order := k.t.slotsOf(t)
	p.open(order)
	columns := dist
	for n, b := range bands {
		d, sum := dist[:b.to-b.from], 0.0
		dist = dist[len(d):]
		at := int(p.starts[n]) + int(b.from)
		sums, xs := p.sums[at:][:len(d)], p.xs[height+int(b.from):][:len(d)]
		j := 0
		for ; j+1 < len(d); j += 2 { // by two: one addition waits for the last, not two
			x, y := factors[d[j]&among]*xs[j], factors[d[j+1]&among]*xs[j+1]
			sums[j], sums[j+1] = running{before: sum}, running{before: sum + x}
			sum += x + y
		}
		if j < len(d) {
			sums[j] = running{before: sum}
			sum += factors[d[j]&among] * xs[j]
		}
		p.sums[at+len(d)] = running{before: sum}
	}
	gain := k.gain(t.shift)
	all, sums, row := k.t.runs[t.run:], p.sums, 0
	for _, g := range k.t.groups[t.group:] {
		if row == height {
			break
		}
		xs, ys, runs := p.xs[row:][:g.size], p.ys[row:][:g.size], all[:g.runs]
		all, row = all[g.runs:], row+int(g.size)
		from := 0
		if g.size == 1 { // one and two are the most frequent, and have the most runs: a loop would take a tenth longer
			x, y := xs[0]*gain, 0.0
			for i, d := range dist[:len(runs)] {
				a, b, to := ends(runs[i], p.starts[runs[i].band], sums, from)
				from = to
				f := factors[d&among]
				y += f * (b.before - a.before)
				f *= x
				a.change += f
				b.change -= f
			}
			dist = dist[len(runs):]
			ys[0] = y * gain
			continue
		}
		if g.size == 2 {
			x0, x1, y0, y1 := xs[0]*gain, xs[1]*gain, 0.0, 0.0
			for _, r := range runs {
				a, b, to := ends(r, p.starts[r.band], sums, from)
				from = to
				f0, f1 := factors[dist[0]&among], factors[dist[1]&among]
				dist = dist[2:]
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
		for _, r := range runs {
			a, b, to := ends(r, p.starts[r.band], sums, from)
			from = to
			in := factors.both(ys, xs, (b.before-a.before)*gain, dist) * gain
			dist = dist[len(xs):]
			a.change += in
			b.change -= in
		}
	}
	k.handDown(bands, columns, &p.starts, p.ys[height:], p.sums)
	p.close(order)
}

// handDown adds to a tile's columns what has arrived from its rows at their bands.
func (k *Kernel) handDown(bands []band, dist []uint16, starts *bandStarts, ys []float64, sums []running) {
	factors := k.packedFactors
	for n, b := range bands {
		d, sum := dist[:b.to-b.from], 0.0
		dist = dist[len(d):]
		sums, ys := sumsOf(sums, starts, n, b), ys[b.from:][:len(d)]
		j := 0
		for ; j+1 < len(d); j += 2 { // by two, as there
			first, both := sums[j].change, sums[j].change+sums[j+1].change
			ys[j] += factors[d[j]&among] * (sum + first)
			sum += both
			ys[j+1] += factors[d[j+1]&among] * sum
		}
		if j < len(d) {
			ys[j] += factors[d[j]&among] * (sum + sums[j].change)
		}
	}
}
