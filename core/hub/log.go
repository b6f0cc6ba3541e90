package hub

import (
	"context"
	"math"
	"slices"

	"genussink/core/hub/cover"
	"genussink/core/hub/loops"
	"genussink/core/hub/tile"
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
		for g := range k.lanes {
			p := &k.lanes[g]
			p.yTop, p.accTop = make([]float64, len(p.y), cap(p.y)), make([]float64, len(p.acc))
		}
	}
	k.load(x)
	if err := k.run(k.logStages[:]...); err != nil {
		return nil, err
	}
	k.form = logarithmic
	return k.dst, nil
}

func (k *Kernel) logCollectLane(_, g int) {
	from, to := k.laneRanks(g)
	total := exponents{[]float64{0}, []float64{0}}
	for p, v := range k.cover.Labels.Order[from:to] {
		total.clear()
		for i := range k.lanes {
			total.add(0, k.lanes[i].yTop[from+p], k.lanes[i].y[from+p])
		}
		k.dst[v] = total.log(0)
	}
}

func (k *Kernel) logSumUpLane(_, g int) {
	scale := 1 / k.epsilon
	all := exponents{k.tops, k.sums}
	for m := k.Moments[g]; m < k.Moments[g+1]; m++ {
		o := &k.cover.Moments[m]
		k.tops[m], k.sums[m] = math.Inf(-1), 0
		ranks, dist := k.lanes[g].row.of(k.cover, &k.cover.Labels.Values, o)
		for i, d := range dist {
			all.add(m, k.x[ranks[i]]-d*scale, 1)
		}
	}
}

func (k *Kernel) logMultiplyLane(worker, g int) {
	p, l, scale := &k.lanes[g], k.cover.Labels, 1/k.epsilon
	y, acc := exponents{p.yTop, p.y}, exponents{p.accTop, p.acc}
	y.clear()
	acc.clear()
	for h := k.Hubs[g]; h < k.Hubs[g+1]; h++ {
		r := &l.Cells[l.Owner[h]]
		lo := k.cover.DenseFrom(r)
		for i, d := range l.Row(&p.buffer, int32(h), lo, r.Hi) {
			v := int(lo) + i
			y.add(h, k.x[v]-d*scale, 1)
			if v < int(r.Sep) {
				y.add(v, k.x[h]-d*scale, 1)
			}
		}
	}
	for _, c := range k.cover.RankOnes[k.RankOnes[g]:k.RankOnes[g+1]] {
		acc.add(int(c.A), k.tops[c.B]+c.Shift/k.epsilon, k.sums[c.B])
		acc.add(int(c.B), k.tops[c.A]+c.Shift/k.epsilon, k.sums[c.A])
	}
	k.logMultiplyStaircases(g, p, y)
	p.x = k.workerX(worker)
	for n := k.Batches[g]; n < k.Batches[g+1]; n++ {
		k.logMultiplyBatch(n, p)
	}
}

// logMultiplyBatch is multiplyBatch in logarithms.
func (k *Kernel) logMultiplyBatch(n int, p *lane) {
	b, end := &k.cover.Batches[n], &k.cover.Batches[n+1]
	aggregates := k.cover.Aggregates[b.Aggregate:end.Aggregate]
	size, scale := len(k.x), 1/k.epsilon
	p.x, p.y, p.yTop = p.x[:size], p.y[:size+len(aggregates)], p.yTop[:size+len(aggregates)]
	for _, o := range aggregates {
		p.x = append(p.x, logSum(k.cover, o, p.x, scale))
	}
	y := exponents{p.yTop, p.y}
	exponents{y.top[size:], y.sum[size:]}.clear()
	for i := b.SeparatorBlock; i < end.SeparatorBlock && !k.over(int(i)); i++ {
		k.logMultiplySeparatorBlock(i, p, y)
	}
	for i := b.Tile; i < end.Tile && !k.over(8*int(i)); i++ {
		k.logMultiplyTile(i, p, y)
	}
	for i, o := range aggregates {
		if sum := y.sum[size+i]; sum > 0 {
			for j := o.From; j < o.To; j++ {
				y.add(int(k.cover.Ranks[j]), y.top[size+i]-k.cover.Step.Length(k.cover.Offsets[j])*scale, sum)
			}
		}
	}
	p.x, p.y, p.yTop = p.x[:size], p.y[:size], p.yTop[:size]
}

// logSum is what an aggregate is of x: log sum_i exp(x_i - offset_i*scale).
func logSum(t *cover.Cover, o cover.Aggregate, x []float64, scale float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for j := o.From; j < o.To; j++ {
		top = max(top, x[t.Ranks[j]]-t.Step.Length(t.Offsets[j])*scale)
	}
	if top == math.Inf(-1) {
		return top
	}
	for j := o.From; j < o.To; j++ {
		sum += exponential.Exp(x[t.Ranks[j]] - t.Step.Length(t.Offsets[j])*scale - top)
	}
	return top + math.Log(sum)
}

// logMultiplySeparatorBlock is multiplySeparatorBlock in logarithms.
func (k *Kernel) logMultiplySeparatorBlock(n int32, p *lane, y exponents) {
	o, packed := &k.cover.SeparatorBlocks[n], k.cover.SeparatorCodes(n)
	p.buffer = buffer.Sized(p.buffer, o.Width)
	slots := k.cover.Order[o.Order:][:o.Width]
	for h := o.From; h < o.To; h++ {
		packed = k.cover.NextDistances(p.buffer, packed, h, slots)
		for i, v := range slots {
			d := p.buffer[i] / k.epsilon
			y.add(int(h), p.x[v]-d, 1)
			y.add(int(v), p.x[h]-d, 1)
		}
	}
}

// logMultiplyTile is multiplyTile and multiplyPackedTile with running sums relative to the largest
// exponent at each hub. What underflows there is as little to the row's own
// sum: no way through a hub is shorter than the shortest.
func (k *Kernel) logMultiplyTile(n int32, p *lane, y exponents) {
	t, packed, scale := &k.cover.Tiles[n], k.cover.TileCodes(n), 1/k.epsilon
	rows, cols := k.cover.Sides(t)
	x := p.x
	bands := k.cover.BandsOf(t)
	p.xs, p.ys, p.running = buffer.Sized(p.xs, len(bands)), buffer.Sized(p.ys, len(bands)), buffer.Sized(p.running, p.starts.Set(bands))
	columnTop, rowTop := p.xs, p.ys // by band
	p.buffer = p.buffer[:0]
	shift := t.Shift * scale
	next := func(hub int32, slots []int32) (dist []float64, top float64) {
		at := len(p.buffer)
		p.buffer = slices.Grow(p.buffer, len(slots))[:at+len(slots)]
		dist, top = p.buffer[at:], math.Inf(-1)
		packed = k.cover.NextDistances(dist, packed, hub, slots)
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
		sums, sum := tile.BandSums(p.running, &p.starts, n, b), 0.0
		for i, v := range used {
			sums[i] = loops.Running{Before: sum}
			sum += relative(x[v]-dist[i], top)
		}
		sums[len(used)] = loops.Running{Before: sum}
	}
	columns := len(p.buffer)
	k.cover.Each(t, func(run tile.Run, first, last, _ int) {
		_, top := next(bands[run.Band].Hub, rows[first:last])
		rowTop[run.Band] = max(rowTop[run.Band], top)
	})
	down := p.buffer[columns:]
	k.cover.Each(t, func(run tile.Run, first, last, from int) {
		n := int(run.Band)
		a, b, _ := tile.Ends(run, p.starts[n], p.running, from)
		out, in := b.Before-a.Before, 0.0
		for i, v := range rows[first:last] {
			d := down[i]
			if out > 0 {
				y.add(int(v), columnTop[n]-d+shift, out)
			}
			in += relative(x[v]-d, rowTop[n])
		}
		down = down[last-first:]
		a.Change += in
		b.Change -= in
	})
	across := p.buffer
	for n, b := range bands {
		used := cols[b.From:b.To]
		sums, sum := tile.BandSums(p.running, &p.starts, n, b), 0.0
		for i, v := range used {
			if sum += sums[i].Change; sum > 0 {
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

func (k *Kernel) logHandOutLane(_, g int) {
	p, scale := &k.lanes[g], 1/k.epsilon
	y := exponents{p.yTop, p.y}
	for m := k.Moments[g]; m < k.Moments[g+1]; m++ {
		total := exponents{[]float64{math.Inf(-1)}, []float64{0}}
		for q := range k.lanes {
			total.add(0, k.lanes[q].accTop[m], k.lanes[q].acc[m])
		}
		if total.top[0] == math.Inf(-1) {
			continue
		}
		ranks, dist := p.row.of(k.cover, &k.cover.Labels.Values, &k.cover.Moments[m])
		for i, d := range dist {
			y.add(int(ranks[i]), total.top[0]-d*scale, total.sum[0])
		}
	}
}

// logMultiplyStaircases is multiplyStaircases with sums relative to their largest exponent so far.
func (k *Kernel) logMultiplyStaircases(g int, p *lane, y exponents) {
	l, scale := k.cover.Labels, 1/k.epsilon
	sum := exponents{[]float64{0}, []float64{0}}
	for n := k.Staircases[g]; n < k.Staircases[g+1] && !k.over(8*n); n++ {
		s := &k.cover.Staircases.List[n]
		rows, cols, _ := s.Sides(k.cover.Staircases.Numbers)
		p.buffer, p.more = buffer.Sized(p.buffer, len(rows)), buffer.Sized(p.more, len(cols))
		l.Gather(p.buffer, s.Hub, rows)
		l.Gather(p.more, s.Hub, cols)
		gather := func(ranks []int32, dist []float64) func(int) {
			return func(n int) { sum.add(0, k.x[ranks[n]]-dist[n]*scale, 1) }
		}
		hand := func(ranks []int32, dist []float64) func(int) {
			return func(n int) {
				if sum.sum[0] > 0 {
					y.add(int(ranks[n]), sum.top[0]-dist[n]*scale, sum.sum[0])
				}
			}
		}
		sum.clear()
		s.Climb(k.cover.Staircases.Numbers, gather(cols, p.more), hand(rows, p.buffer))
		sum.clear()
		s.Descend(k.cover.Staircases.Numbers, hand(cols, p.more), gather(rows, p.buffer))
	}
}
