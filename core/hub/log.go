package hub

import (
	"context"
	"math"
	"slices"

	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
)

// exponents is a list of numbers sum[i]*exp(top[i]), 0 where top is -Inf.
type exponents struct{ top, sum []float64 }

func (e exponents) clear() {
	for i := range e.top {
		e.top[i], e.sum[i] = math.Inf(-1), 0
	}
}

// add adds w*exp(t) to number i.
func (e exponents) add(i int, t, w float64) {
	switch top := e.top[i]; {
	case t <= top:
		if t > math.Inf(-1) {
			e.sum[i] += w * exponential.Exp(t-top)
		}
	case top == math.Inf(-1):
		e.top[i], e.sum[i] = t, w
	default:
		e.top[i], e.sum[i] = t, e.sum[i]*exponential.Exp(top-t)+w
	}
}

func (e exponents) log(i int) float64 {
	if e.top[i] == math.Inf(-1) {
		return e.top[i]
	}
	return e.top[i] + math.Log(e.sum[i])
}

// LogMulVec computes dst_i = log sum_j exp(x_j - d_ij/epsilon) on the same
// tiles as MulVec.
func (k *Kernel) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	k.begin(ctx)
	defer k.end()
	k.dst = check(dst, x, len(k.x))
	if k.tops == nil {
		k.tops = make([]float64, len(k.sums))
		for g := range k.parts {
			p := &k.parts[g]
			p.yTop, p.accTop = make([]float64, len(p.y), cap(p.y)), make([]float64, len(p.acc))
		}
	}
	k.enter(x)
	if err := k.run(k.logStages[:]...); err != nil {
		return nil, err
	}
	k.form = logarithmic
	return k.dst, nil
}

func (k *Kernel) logCollectGroup(_, g int) {
	from, to := k.share(g)
	total := exponents{[]float64{0}, []float64{0}}
	for p, v := range k.t.labels.Order[from:to] {
		total.clear()
		for i := range k.parts {
			total.add(0, k.parts[i].yTop[from+p], k.parts[i].y[from+p])
		}
		k.dst[v] = total.log(0)
	}
}

func (k *Kernel) logSumUpGroup(_, g int) {
	scale := 1 / k.epsilon
	all := exponents{k.tops, k.sums}
	for m := k.moments[g]; m < k.moments[g+1]; m++ {
		o := &k.t.moments[m]
		k.tops[m], k.sums[m] = math.Inf(-1), 0
		ranks, dist := k.parts[g].row.of(k.t, &k.t.labels.Values, o)
		for i, d := range dist {
			all.add(m, k.x[ranks[i]]-d*scale, 1)
		}
	}
}

func (k *Kernel) logMultiplyGroup(worker, g int) {
	p, l, scale := &k.parts[g], k.t.labels, 1/k.epsilon
	y, acc := exponents{p.yTop, p.y}, exponents{p.accTop, p.acc}
	y.clear()
	acc.clear()
	for h := k.hubs[g]; h < k.hubs[g+1]; h++ {
		r := &l.Cells[l.Owner[h]]
		lo := k.t.labelled(r)
		for i, d := range l.Row(&p.buffer, int32(h), lo, r.Hi) {
			v := int(lo) + i
			y.add(h, k.x[v]-d*scale, 1)
			if v < int(r.Sep) {
				y.add(v, k.x[h]-d*scale, 1)
			}
		}
	}
	for _, c := range k.t.links[k.links[g]:k.links[g+1]] {
		acc.add(int(c.a), k.tops[c.b]+c.shift/k.epsilon, k.sums[c.b])
		acc.add(int(c.b), k.tops[c.a]+c.shift/k.epsilon, k.sums[c.a])
	}
	k.logMultiplyStairs(g, p, y)
	p.x = k.own(worker)
	for n := k.blocks[g]; n < k.blocks[g+1]; n++ {
		k.logMultiplyBlock(n, p)
	}
}

// logMultiplyBlock is multiplyBlock in logarithms.
func (k *Kernel) logMultiplyBlock(n int, p *part) {
	b, end := &k.t.blocks[n], &k.t.blocks[n+1]
	bundles := k.t.bundles[b.bundle:end.bundle]
	size, scale := len(k.x), 1/k.epsilon
	p.x, p.y, p.yTop = p.x[:size], p.y[:size+len(bundles)], p.yTop[:size+len(bundles)]
	for _, o := range bundles {
		p.x = append(p.x, k.t.logSum(o, p.x, scale))
	}
	y := exponents{p.yTop, p.y}
	exponents{y.top[size:], y.sum[size:]}.clear()
	for i := b.fan; i < end.fan && !k.over(int(i)); i++ {
		k.logMultiplyFan(i, p, y)
	}
	for i := b.tile; i < end.tile && !k.over(8*int(i)); i++ {
		k.logMultiplyTile(i, p, y)
	}
	for i, o := range bundles {
		if sum := y.sum[size+i]; sum > 0 {
			for j := o.from; j < o.to; j++ {
				y.add(int(k.t.ranks[j]), y.top[size+i]-k.t.steps.length(k.t.offsets[j])*scale, sum)
			}
		}
	}
	p.x, p.y, p.yTop = p.x[:size], p.y[:size], p.yTop[:size]
}

// logSum is what a bundle is of x: log sum_i exp(x_i - offset_i*scale).
func (t *Tiles) logSum(o bundle, x []float64, scale float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for j := o.from; j < o.to; j++ {
		top = max(top, x[t.ranks[j]]-t.steps.length(t.offsets[j])*scale)
	}
	if top == math.Inf(-1) {
		return top
	}
	for j := o.from; j < o.to; j++ {
		sum += exponential.Exp(x[t.ranks[j]] - t.steps.length(t.offsets[j])*scale - top)
	}
	return top + math.Log(sum)
}

// logMultiplyFan is multiplyFan in logarithms.
func (k *Kernel) logMultiplyFan(n int32, p *part, y exponents) {
	o, packed := &k.t.fans[n], k.t.packedFan(n)
	p.buffer = buffer.Sized(p.buffer, o.width)
	slots := k.t.order[o.order:][:o.width]
	for h := o.from; h < o.to; h++ {
		packed = k.t.next(p.buffer, packed, h, slots)
		for i, v := range slots {
			d := p.buffer[i] / k.epsilon
			y.add(int(h), p.x[v]-d, 1)
			y.add(int(v), p.x[h]-d, 1)
		}
	}
}

// logMultiplyTile is multiplyTile and multiplyPacked with running sums relative to the largest
// exponent at each hub. What underflows there is as little to the row's own
// sum: no way through a hub is shorter than the shortest.
func (k *Kernel) logMultiplyTile(n int32, p *part, y exponents) {
	t, packed, scale := &k.t.tiles[n], k.t.packedTile(n), 1/k.epsilon
	rows, cols := k.t.sides(t)
	x := p.x
	bands := k.t.bandsOf(t)
	p.xs, p.ys, p.sums = buffer.Sized(p.xs, len(bands)), buffer.Sized(p.ys, len(bands)), buffer.Sized(p.sums, p.starts.of(bands))
	columnTop, rowTop := p.xs, p.ys // by band
	p.buffer = p.buffer[:0]
	shift := t.shift * scale
	next := func(hub int32, slots []int32) (dist []float64, top float64) {
		at := len(p.buffer)
		p.buffer = slices.Grow(p.buffer, len(slots))[:at+len(slots)]
		dist, top = p.buffer[at:], math.Inf(-1)
		packed = k.t.next(dist, packed, hub, slots)
		for i, v := range slots {
			dist[i] *= scale
			top = max(top, x[v]-dist[i])
		}
		return dist, top
	}
	for n, b := range bands {
		used := cols[b.from:b.to]
		dist, top := next(b.hub, used)
		rowTop[n], columnTop[n] = math.Inf(-1), top
		sums, sum := sumsOf(p.sums, &p.starts, n, b), 0.0
		for i, v := range used {
			sums[i] = running{before: sum}
			sum += relative(x[v]-dist[i], top)
		}
		sums[len(used)] = running{before: sum}
	}
	columns := len(p.buffer)
	k.t.each(t, func(run run, first, last, _ int) {
		_, top := next(bands[run.band].hub, rows[first:last])
		rowTop[run.band] = max(rowTop[run.band], top)
	})
	down := p.buffer[columns:]
	k.t.each(t, func(run run, first, last, from int) {
		n := int(run.band)
		a, b, _ := ends(run, p.starts[n], p.sums, from)
		out, in := b.before-a.before, 0.0
		for i, v := range rows[first:last] {
			d := down[i]
			if out > 0 {
				y.add(int(v), columnTop[n]-d+shift, out)
			}
			in += relative(x[v]-d, rowTop[n])
		}
		down = down[last-first:]
		a.change += in
		b.change -= in
	})
	across := p.buffer
	for n, b := range bands {
		used := cols[b.from:b.to]
		sums, sum := sumsOf(p.sums, &p.starts, n, b), 0.0
		for i, v := range used {
			if sum += sums[i].change; sum > 0 {
				y.add(int(v), rowTop[n]-across[i]+shift, sum)
			}
		}
		across = across[len(used):]
	}
}

// relative is exp(t-top), 0 where both are -Inf.
func relative(t, top float64) float64 {
	if t == math.Inf(-1) {
		return 0
	}
	return exponential.Exp(t - top)
}

func (k *Kernel) logHandOutGroup(_, g int) {
	p, scale := &k.parts[g], 1/k.epsilon
	y := exponents{p.yTop, p.y}
	for m := k.moments[g]; m < k.moments[g+1]; m++ {
		total := exponents{[]float64{math.Inf(-1)}, []float64{0}}
		for q := range k.parts {
			total.add(0, k.parts[q].accTop[m], k.parts[q].acc[m])
		}
		if total.top[0] == math.Inf(-1) {
			continue
		}
		ranks, dist := p.row.of(k.t, &k.t.labels.Values, &k.t.moments[m])
		for i, d := range dist {
			y.add(int(ranks[i]), total.top[0]-d*scale, total.sum[0])
		}
	}
}
