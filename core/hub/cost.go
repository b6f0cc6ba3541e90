package hub

import (
	"context"
	"math"

	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
	"genussink/core/linop"
)

// PlanCost is sum_ij P_ij D_ij for P_ij = exp(logu_i - D_ij/epsilon + logv_j)
// with the kernel's own distances D.
func (k *Kernel) PlanCost(ctx context.Context, logu, logv []float64) (float64, error) {
	n := k.t.labels.Len()
	if len(logu) != n || len(logv) != n {
		panic("hub: PlanCost: a vector has the wrong length")
	}
	u, v := make([]float64, n), make([]float64, n)
	if linop.Scalings(u, v, logu, logv, k.LogFloor()) {
		return k.MulPlan(ctx, nil, nil, u, v)
	}
	for p, w := range k.t.labels.Order {
		u[p], v[p] = logu[w], logv[w]
	}
	k.begin(ctx)
	defer k.end()
	return k.logCost(scaling{scale: 1 / k.epsilon, x: u}, scaling{scale: 1 / k.epsilon, x: v})
}

// logCost is PlanCost from logarithms by rank. Through one hub D is a sum, so that a link has
// rank two: it takes the moments' sums with and without the distance.
func (k *Kernel) logCost(u, v scaling) (float64, error) {
	l := k.t.labels
	moments := make([][2]costSum, len(k.t.moments))
	var scratch [groups]costTile // by worker
	err := k.run(func(_, g int) {
		var weights, x []float64
		var distances row
		for m := k.moments[g]; m < k.moments[g+1] && !k.over(m); m++ {
			ranks, dist := distances.of(k.t, &l.Values, &k.t.moments[m])
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
	var sums [groups]float64
	err = k.run(func(worker, g int) {
		sum, c := 0.0, &scratch[worker]
		for h := k.hubs[g]; h < k.hubs[g+1] && !k.over(h); h++ {
			sum += c.hub(k, int32(h), u, v)
		}
		for _, o := range k.t.links[k.links[g]:k.links[g+1]] {
			sum += moments[o.a][0].cross(moments[o.b][1], o.shift, k.epsilon) + moments[o.a][1].cross(moments[o.b][0], o.shift, k.epsilon)
		}
		for n := k.stairs[g]; n < k.stairs[g+1] && !k.over(4*n); n++ {
			sum += c.stair(k, &k.t.stairs.list[n], u, v)
		}
		for n := k.blocks[g]; n < k.blocks[g+1]; n++ {
			c.enter(k, n, u, v)
			b, end := &k.t.blocks[n], &k.t.blocks[n+1]
			for i := b.fan; i < end.fan && !k.over(int(i)); i++ {
				sum += c.fan(k, i)
			}
			for i := b.tile; i < end.tile && !k.over(4*int(i)); i++ {
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
		dst[i] = relative(t, top)
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

// weighedCost is costSum of both scalings, relative to tops kept elsewhere. A bundle's distance
// depends on the scaling. Fields instead of arrays can be kept in registers.
type weighedCost struct{ sumU, sumV, costU, costV float64 }

func (w weighedCost) plus(d, e, u, v float64) weighedCost {
	return weighedCost{w.sumU + u, w.sumV + v, w.costU + u*d, w.costV + v*e}
}

// cross is the cost of a group's pairs with the columns between two running
// sums, first scaling with second and the other way round, distances less shift.
func (w weighedCost) cross(from, to *weighedCost, shift float64) (uv, vu float64) {
	return w.sumU*(to.costV-from.costV) + (w.costU-shift*w.sumU)*(to.sumV-from.sumV),
		w.sumV*(to.costU-from.costU) + (w.costV-shift*w.sumV)*(to.sumU-from.sumU)
}

// costTile is the scratch space of one worker's costs.
type costTile struct {
	// Of the block under way, by logarithmic scaling and slot: that, a bundle's as for a product; and
	// the offset, a bundle's the mean by its share in that.
	x, more [2][]float64

	// Of the tile or fan under way, by slot: these.
	values, offsets [2][]float64

	weights [2][]float64 // by scaling
	dist    []float64
	starts  bandStarts
	before  []weighedCost // by band and column: the sums over the columns before it
	tops    [2][]float64  // by scaling and band: of the columns' weights
}

// enter turns to a block.
func (c *costTile) enter(k *Kernel, n int, u, v scaling) {
	b, end := &k.t.blocks[n], &k.t.blocks[n+1]
	size := k.t.labels.Len()
	for side, s := range [2]scaling{u, v} {
		if c.x[side] == nil {
			c.x[side], c.more[side] = make([]float64, k.t.slots), make([]float64, k.t.slots)
			copy(c.x[side], s.x)
		}
		x := c.x[side]
		for i, o := range k.t.bundles[b.bundle:end.bundle] {
			top, sum, more := k.t.logSum(o, x, s.scale), 0.0, 0.0
			for j := o.from; j < o.to; j++ {
				offset := k.t.steps.length(k.t.offsets[j])
				w := relative(x[k.t.ranks[j]]-offset*s.scale, top)
				sum += w
				more += w * offset
			}
			if x[size+i], c.more[side][size+i] = top, 0; sum > 0 {
				c.more[side][size+i] = more / sum
			}
		}
	}
}

// open turns to a tile or a fan.
func (c *costTile) open(slots []int32) {
	for side := range 2 {
		c.values[side], c.offsets[side] = buffer.Sized(c.values[side], len(slots)), buffer.Sized(c.offsets[side], len(slots))
		for i, v := range slots {
			c.values[side][i], c.offsets[side][i] = c.x[side][v], c.more[side][v]
		}
	}
}

// hub is the cost of a hub's pairs with its cell, from logarithms.
func (c *costTile) hub(k *Kernel, h int32, u, v scaling) float64 {
	l := k.t.labels
	r := &l.Cells[l.Owner[h]]
	dist := l.Row(&c.dist, h, r.Lo, r.Hi)
	top := 0.0
	for side, s := range [2]scaling{u, v} {
		c.weights[side] = buffer.Sized(c.weights[side], len(dist))
		top += s.weigh(c.weights[side], dist, s.x[r.Lo:r.Hi])
	}
	here, there := 0.0, 0.0
	for i, d := range dist {
		if w := r.Lo + int32(i); w >= k.t.labelled(r) && w < r.Sep || w > h { // within the separator each pair once
			here += d * c.weights[1][i]
			there += d * c.weights[0][i]
		}
	}
	return product(top, c.weights[0][h-r.Lo], here) + product(top, c.weights[1][h-r.Lo], there)
}

// fan is the cost of a fan's pairs, from logarithms.
func (c *costTile) fan(k *Kernel, n int32) (total float64) {
	o, packed := &k.t.fans[n], k.t.packedFan(n)
	slots := k.t.order[o.order:][:o.width]
	c.open(slots)
	c.dist = buffer.Sized(c.dist, o.width)
	for h := o.from; h < o.to; h++ {
		packed = k.t.next(c.dist, packed, h, slots)
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
func (c *costTile) tile(k *Kernel, n int32) float64 {
	t, packed := &k.t.tiles[n], k.t.packedTile(n)
	height := int(t.rows)
	bands := k.t.bandsOf(t)
	slots := k.t.slotsOf(t)
	c.open(slots)
	s := scaling{scale: 1 / k.epsilon}
	c.before = buffer.Sized(c.before, c.starts.of(bands))
	for i := range 2 {
		c.tops[i] = buffer.Sized(c.tops[i], len(bands))
	}
	next := func(hub int32, from, to int) (dist, ones, twos []float64, tops [2]float64) {
		size := to - from
		c.dist, c.weights[0], c.weights[1] = buffer.Sized(c.dist, size), buffer.Sized(c.weights[0], size), buffer.Sized(c.weights[1], size)
		dist, ones, twos = c.dist, c.weights[0], c.weights[1]
		packed = k.t.next(dist, packed, hub, slots[from:to])
		return dist, ones, twos, [2]float64{s.weigh(ones, dist, c.values[0][from:to]), s.weigh(twos, dist, c.values[1][from:to])}
	}
	for n, b := range bands {
		from, to := height+int(b.from), height+int(b.to)
		dist, ones, twos, tops := next(b.hub, from, to)
		c.tops[0][n], c.tops[1][n] = tops[0], tops[1]
		as, bs := c.offsets[0][from:to], c.offsets[1][from:to]
		before := sumsOf(c.before, &c.starts, n, b)
		var sum weighedCost
		for j, d := range dist {
			before[j] = sum
			sum = sum.plus(d+as[j], d+bs[j], ones[j], twos[j])
		}
		before[len(dist)] = sum
	}
	total := 0.0
	k.t.each(t, func(run run, first, last, from int) {
		n := int(run.band)
		dist, ones, twos, tops := next(bands[n].hub, first, last)
		as, bs := c.offsets[0][first:last], c.offsets[1][first:last]
		var sum weighedCost
		for i, d := range dist {
			sum = sum.plus(d+as[i], d+bs[i], ones[i], twos[i])
		}
		before, after, _ := ends(run, c.starts[n], c.before, from)
		uv, vu := sum.cross(before, after, t.shift)
		total += product(tops[0]+c.tops[1][n]+t.shift/k.epsilon, 1, uv) + product(tops[1]+c.tops[0][n]+t.shift/k.epsilon, 1, vu)
	})
	return total
}
