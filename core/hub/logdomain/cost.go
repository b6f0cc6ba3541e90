package logdomain

import (
	"context"
	"math"

	"genussink/core/hub/cover"
	"genussink/core/hub/tile"
	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
)

// Cost is sum_ij P_ij D_ij for P_ij = exp(logu_i - D_ij/epsilon + logv_j) with the cover's distances D, by rank. Through one hub
// D is a sum, so that a rank-one block has rank two: it takes the hub moments' sums with and without the distance.
func Cost(ctx context.Context, t *cover.Cover, cuts *cover.Cuts, epsilon float64, logu, logv []float64) (float64, error) {
	k := &costs{ctx, t, cuts, epsilon}
	u, v := scaling{scale: 1 / epsilon, x: logu}, scaling{scale: 1 / epsilon, x: logv}
	l := k.cover.Labels
	moments := make([][2]costSum, len(k.cover.Moments))
	var scratch [cover.Lanes]costWorker // by worker
	err := cover.EachLane(ctx, func(_, g int) {
		var weights, x []float64
		var distances cover.MomentRow
		for m := k.Moments[g]; m < k.Moments[g+1] && !k.over(m); m++ {
			ranks, dist := distances.Of(k.cover, &l.Values, &k.cover.Moments[m])
			weights, x = buffer.Sized(weights, len(ranks)), buffer.Sized(x, len(ranks))
			for side, s := range [2]scaling{u, v} {
				for i, w := range ranks {
					x[i] = s.x[w]
				}
				sum := costSum{top: s.weigh(weights, dist, x)}
				for i, d := range dist {
					sum.add(weights[i], d)
				}
				moments[m][side] = sum
			}
		}
	})
	if err != nil {
		return 0, err
	}
	var sums [cover.Lanes]float64
	err = cover.EachLane(ctx, func(worker, g int) {
		sum, c := 0.0, &scratch[worker]
		for h := k.Hubs[g]; h < k.Hubs[g+1] && !k.over(h); h++ {
			sum += c.hub(k, int32(h), u, v)
		}
		for _, o := range k.cover.RankOnes[k.RankOnes[g]:k.RankOnes[g+1]] {
			sum += moments[o.A][0].cross(moments[o.B][1], o.Shift, k.epsilon) + moments[o.A][1].cross(moments[o.B][0], o.Shift, k.epsilon)
		}
		for n := k.Staircases[g]; n < k.Staircases[g+1] && !k.over(4*n); n++ {
			sum += c.staircase(k, &k.cover.Staircases.List[n], u, v)
		}
		for n := k.Batches[g]; n < k.Batches[g+1]; n++ {
			c.openBatch(k, n, u, v)
			b, end := &k.cover.Batches[n], &k.cover.Batches[n+1]
			for i := b.SeparatorBlock; i < end.SeparatorBlock && !k.over(int(i)); i++ {
				sum += c.separatorBlock(k, i)
			}
			for i := b.Tile; i < end.Tile && !k.over(4*int(i)); i++ {
				sum += c.tile(k, i)
			}
		}
		sums[g] = sum
	})
	if err != nil {
		return 0, err
	}
	total := 0.0
	for _, s := range sums {
		total += s
	}
	return total, nil
}

// costs are those of a cover's kernel.
type costs struct {
	ctx   context.Context
	cover *cover.Cover
	*cover.Cuts
	epsilon float64
}

// over asks the context, once every so many calls. A lane that gives up says nothing: EachLane asks again.
func (k *costs) over(calls int) bool { return calls%128 == 0 && k.ctx.Err() != nil }

// scaling is one of a plan's two scalings, by rank, in logarithms.
type scaling struct {
	scale float64 // 1/epsilon
	x     []float64
}

// weigh fills dst with the weights exp(x-d/epsilon-top) of ranks with the
// scalings x at the distances dist, and returns top.
func (s *scaling) weigh(dst, dist, x []float64) (top float64) {
	top = math.Inf(-1)
	for i, d := range dist {
		dst[i] = x[i] - d*s.scale
		top = max(top, dst[i])
	}
	for i, t := range dst {
		dst[i] = Relative(t, top)
	}
	return top
}

// costSum is a sum of weights relative to exp(top), without the distance and
// with it.
type costSum struct{ top, sum, cost float64 }

func (s *costSum) add(weight, d float64) {
	s.sum += weight
	s.cost += weight * d
}

// cross is the cost of all pairs of one and of the other, whose distances are
// shift less than those by way of the hub.
func (s costSum) cross(t costSum, shift, epsilon float64) float64 {
	return product(s.top+t.top+shift/epsilon, 1, s.sum*t.cost+s.cost*t.sum-shift*s.sum*t.sum)
}

// product is a*b*exp(top), 0 where a or b is.
func product(top, a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	if top == 0 {
		return a * b
	}
	return exponential.Exp(top) * a * b
}

// weighedCost is costSum of both scalings, relative to tops kept elsewhere. An aggregate's distance
// depends on the scaling. Fields instead of arrays can be kept in registers.
type weighedCost struct{ sumU, sumV, costU, costV float64 }

func (w weighedCost) plus(d, e, u, v float64) weighedCost {
	return weighedCost{w.sumU + u, w.sumV + v, w.costU + u*d, w.costV + v*e}
}

// cross is the cost of a row group's pairs with the columns between two running
// sums, first scaling with second and the other way round, distances less shift.
func (w weighedCost) cross(from, to *weighedCost, shift float64) (uv, vu float64) {
	return w.sumU*(to.costV-from.costV) + (w.costU-shift*w.sumU)*(to.sumV-from.sumV),
		w.sumV*(to.costU-from.costU) + (w.costV-shift*w.sumV)*(to.sumU-from.sumU)
}

// costWorker is the scratch space of one worker's costs.
type costWorker struct {
	// Of the block under way, by logarithmic scaling and slot: that, an aggregate's as for a product; and
	// the offset, an aggregate's the mean by its share in that.
	x, more [2][]float64

	// Of the tile or separator block under way, by slot: these.
	values, offsets [2][]float64

	weights [2][]float64 // by scaling
	dist    []float64
	starts  tile.Starts
	before  []weighedCost // by band and column: the sums over the columns before it
	tops    [2][]float64  // by scaling and band: of the columns' weights
}

// openBatch turns to a batch.
func (c *costWorker) openBatch(k *costs, n int, u, v scaling) {
	b, end := &k.cover.Batches[n], &k.cover.Batches[n+1]
	size := k.cover.Labels.Len()
	for side, s := range [2]scaling{u, v} {
		if c.x[side] == nil {
			c.x[side], c.more[side] = make([]float64, k.cover.Slots), make([]float64, k.cover.Slots)
			copy(c.x[side], s.x)
		}
		x := c.x[side]
		for i, o := range k.cover.Aggregates[b.Aggregate:end.Aggregate] {
			top, sum, more := AggregateSum(k.cover, o, x, s.scale), 0.0, 0.0
			for j := o.From; j < o.To; j++ {
				offset := k.cover.Offset(j)
				w := Relative(x[k.cover.Ranks[j]]-offset*s.scale, top)
				sum += w
				more += w * offset
			}
			if x[size+i], c.more[side][size+i] = top, 0; sum > 0 {
				c.more[side][size+i] = more / sum
			}
		}
	}
}

// open turns to a tile or a separator block.
func (c *costWorker) open(slots []int32) {
	for side := range 2 {
		c.values[side], c.offsets[side] = buffer.Sized(c.values[side], len(slots)), buffer.Sized(c.offsets[side], len(slots))
		for i, v := range slots {
			c.values[side][i], c.offsets[side][i] = c.x[side][v], c.more[side][v]
		}
	}
}

// hub is the cost of a hub's pairs with its cell, from logarithms.
func (c *costWorker) hub(k *costs, h int32, u, v scaling) float64 {
	l := k.cover.Labels
	r := &l.Cells[l.Owner[h]]
	dist := l.Row(&c.dist, h, r.Lo, r.Hi)
	top := 0.0
	for side, s := range [2]scaling{u, v} {
		c.weights[side] = buffer.Sized(c.weights[side], len(dist))
		top += s.weigh(c.weights[side], dist, s.x[r.Lo:r.Hi])
	}
	here, there := 0.0, 0.0
	for i, d := range dist {
		if w := r.Lo + int32(i); w >= k.cover.DenseFrom(r) && w < r.Sep || w > h { // within the separator each pair once
			here += d * c.weights[1][i]
			there += d * c.weights[0][i]
		}
	}
	return product(top, c.weights[0][h-r.Lo], here) + product(top, c.weights[1][h-r.Lo], there)
}

// separatorBlock is the cost of a separator block's pairs, from logarithms.
func (c *costWorker) separatorBlock(k *costs, n int32) (total float64) {
	o, packed := &k.cover.SeparatorBlocks[n], k.cover.SeparatorCodes(n)
	slots := k.cover.Order[o.Order:][:o.Width]
	c.open(slots)
	c.dist = buffer.Sized(c.dist, o.Width)
	for h := o.From; h < o.To; h++ {
		packed = k.cover.NextDistances(c.dist, packed, h, slots)
		for i, d := range c.dist {
			for side := range 2 {
				if t := c.x[1-side][h] + c.values[side][i] - d/k.epsilon; t > math.Inf(-1) {
					total += (d + c.offsets[side][i]) * exponential.Exp(t)
				}
			}
		}
	}
	return total
}

// tile is the cost of a tile's pairs, from logarithms.
func (c *costWorker) tile(k *costs, n int32) float64 {
	t, packed := &k.cover.Tiles[n], k.cover.TileCodes(n)
	height := int(t.Rows)
	bands := k.cover.BandsOf(t)
	slots := k.cover.SlotsOf(t)
	c.open(slots)
	s := scaling{scale: 1 / k.epsilon}
	c.before = buffer.Sized(c.before, c.starts.Set(bands))
	for i := range 2 {
		c.tops[i] = buffer.Sized(c.tops[i], len(bands))
	}
	next := func(hub int32, from, to int) (dist, ones, twos []float64, tops [2]float64) {
		size := to - from
		c.dist, c.weights[0], c.weights[1] = buffer.Sized(c.dist, size), buffer.Sized(c.weights[0], size), buffer.Sized(c.weights[1], size)
		dist, ones, twos = c.dist, c.weights[0], c.weights[1]
		packed = k.cover.NextDistances(dist, packed, hub, slots[from:to])
		return dist, ones, twos, [2]float64{s.weigh(ones, dist, c.values[0][from:to]), s.weigh(twos, dist, c.values[1][from:to])}
	}
	for n, b := range bands {
		from, to := height+int(b.From), height+int(b.To)
		dist, ones, twos, tops := next(b.Hub, from, to)
		c.tops[0][n], c.tops[1][n] = tops[0], tops[1]
		as, bs := c.offsets[0][from:to], c.offsets[1][from:to]
		before := tile.BandSums(c.before, &c.starts, n, b)
		var sum weighedCost
		for j, d := range dist {
			before[j] = sum
			sum = sum.plus(d+as[j], d+bs[j], ones[j], twos[j])
		}
		before[len(dist)] = sum
	}
	total := 0.0
	k.cover.Each(t, func(run tile.Run, first, last, from int) {
		n := int(run.Band)
		dist, ones, twos, tops := next(bands[n].Hub, first, last)
		as, bs := c.offsets[0][first:last], c.offsets[1][first:last]
		var sum weighedCost
		for i, d := range dist {
			sum = sum.plus(d+as[i], d+bs[i], ones[i], twos[i])
		}
		before, after, _ := tile.Ends(run, c.starts[n], c.before, from)
		uv, vu := sum.cross(before, after, t.Shift)
		total += product(tops[0]+c.tops[1][n]+t.Shift/k.epsilon, 1, uv) + product(tops[1]+c.tops[0][n]+t.Shift/k.epsilon, 1, vu)
	})
	return total
}

// staircase is the cost of a staircase's pairs, from logarithms.
func (c *costWorker) staircase(k *costs, s *cover.Staircase, u, v scaling) (total float64) {
	l := k.cover.Labels
	rows, cols, _ := s.Sides(k.cover.Staircases.Numbers)
	c.dist = buffer.Sized(c.dist, len(rows)+len(cols))
	near, far := c.dist[:len(rows)], c.dist[len(rows):]
	l.Gather(near, s.Hub, rows)
	l.Gather(far, s.Hub, cols)
	for _, pair := range [2][2]scaling{{u, v}, {v, u}} {
		sum := costSum{top: math.Inf(-1)}
		s.Climb(k.cover.Staircases.Numbers,
			func(j int) { sum.join(pair[1].one(cols[j], far[j])) },
			func(i int) { total += pair[0].one(rows[i], near[i]).cross(sum, 0, k.epsilon) })
	}
	return total
}

// one is the costSum of a single rank, at distance d from a hub. It is that of nothing where the rank has no mass.
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
