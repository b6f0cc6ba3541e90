package hub

import (
	"math"

	"genussink/core/linop"
)

// PlanCost is sum_ij P_ij D_ij for P_ij = exp(logu_i - D_ij/epsilon + logv_j)
// with the kernel's own distances D. Through one hub D is a sum, so that a link
// has rank two: it takes the moments' sums with and without the distance.
func (k *Kernel) PlanCost(logu, logv []float64) float64 {
	l := k.t.labels
	n := l.Len()
	if len(logu) != n || len(logv) != n {
		panic("hub: PlanCost: a vector has the wrong length")
	}
	logs, scalings := [2][]float64{make([]float64, n), make([]float64, n)}, [2][]float64{make([]float64, n), make([]float64, n)}
	for p, w := range l.Order {
		logs[0][p], logs[1][p] = logu[w], logv[w]
	}
	u, v := scaling{scale: 1 / k.epsilon, x: logs[0]}, scaling{scale: 1 / k.epsilon, x: logs[1]}
	var plain plainCosts
	if linop.Scalings(scalings[0], scalings[1], logs[0], logs[1], k.LogFloor()) {
		u, v = scaling{plain: true, x: scalings[0]}, scaling{plain: true, x: scalings[1]}
		plain = k.plainCosts(u.x, v.x)
	}
	moments := make([][2]costSum, len(k.t.moments))
	var scratch [groups]costTile // by worker
	k.each(func(_, g int) {
		var weights, x []float64
		var distances, factors row
		for m := k.moments[g]; m < k.moments[g+1] && !k.over(m); m++ {
			o := &k.t.moments[m]
			places, dist := distances.of(k.t, &l.numbers, o)
			stored := dist
			if u.plain {
				_, stored = factors.of(k.t, &k.factors, o)
			}
			weights, x = sized(weights, len(places)), sized(x, len(places))
			for side, s := range [2]scaling{u, v} {
				for i, w := range places {
					x[i] = s.x[w]
				}
				sum := costSum{top: s.weigh(weights, stored, x)}
				for i, d := range dist {
					sum.add(weights[i], d)
				}
				moments[m][side] = sum
			}
		}
	})
	var sums [groups]float64
	k.each(func(worker, g int) {
		sum, c := 0.0, &scratch[worker]
		for h := k.hubs[g]; h < k.hubs[g+1] && !k.over(h); h++ {
			if u.plain {
				sum += plain.hub(int32(h))
			} else {
				sum += c.hub(k, int32(h), u, v)
			}
		}
		for _, o := range k.t.links[k.links[g]:k.links[g+1]] {
			sum += moments[o.a][0].cross(moments[o.b][1], o.shift, k.epsilon) + moments[o.a][1].cross(moments[o.b][0], o.shift, k.epsilon)
		}
		for n := k.stairs[g]; n < k.stairs[g+1] && !k.over(4*n); n++ {
			sum += c.stair(k, &k.t.stairs.list[n], u, v)
		}
		for n := k.blocks[g]; n < k.blocks[g+1]; n++ {
			b, end := &k.t.blocks[n], &k.t.blocks[n+1]
			if !u.plain || k.t.slack > 0 { // plain costs without slack take u and v as they are
				c.enter(k, n, u, v)
			}
			for i := int(b.fan); i < int(end.fan) && !k.over(i); i++ {
				if u.plain {
					sum += plain.fan(c, i)
				} else {
					sum += c.fan(k, &k.t.fans[i])
				}
			}
			for i := int(b.tile); i < int(end.tile) && !k.over(4*i); i++ {
				if u.plain {
					sum += plain.tile(c, i)
				} else {
					sum += c.tile(k, &k.t.tiles[i])
				}
			}
		}
		sums[g] = sum
	})
	total := 0.0
	for _, s := range sums {
		total += s
	}
	return total
}

// scaling is one of a plan's two scalings, by place: plain numbers or, where
// these are out of range, their logarithms.
type scaling struct {
	plain bool
	scale float64 // 1/epsilon
	x     []float64
}

// weigh fills dst with the weights exp(log-d/epsilon-top) of places with the
// scalings x, and returns top. Stored are the factors of a plain scaling, the distances
// d for logarithms.
func (s *scaling) weigh(dst, stored, x []float64) (top float64) {
	if s.plain {
		for i, f := range stored {
			dst[i] = f * x[i]
		}
		return 0
	}
	top = math.Inf(-1)
	for i, d := range stored {
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
	return math.Exp(top) * a * b
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

// plainCosts are the costs of a hub's pairs with its region, of a fan's and of a tile's, by number,
// where scalings and factors are plain numbers.
type plainCosts struct {
	hub       func(h int32) float64
	fan, tile func(c *costTile, n int) float64
}

func (k *Kernel) plainCosts(u, v []float64) plainCosts {
	switch l := k.t.labels; {
	case l.short == nil:
		return newPlainCosts(k, l.long, k.factors.long, k.packed.long, u, v)
	case k.factors.short == nil:
		return newPlainCosts(k, l.short, k.factors.long, k.packed.long, u, v)
	default:
		return newPlainCosts(k, l.short, k.factors.short, k.packed.short, u, v)
	}
}

func newPlainCosts[S, T number](k *Kernel, labels [][]S, factors [][]T, packed []T, u, v []float64) plainCosts {
	tree := k.t.labels.Tree
	hub := func(h int32) float64 {
		r := &tree.regions[tree.owner[h]]
		dist, f := stretchOf(tree, labels, h, r.lo, r.hi), stretchOf(tree, factors, h, r.lo, r.hi)
		own := h - r.lo
		here, there := 0.0, 0.0
		for _, part := range [2][2]int32{{k.t.labelled(r) - r.lo, r.sep - r.lo}, {own + 1, r.hi - r.lo}} { // within the separator each pair once
			ux, vx, f := u[r.lo:][part[0]:part[1]], v[r.lo:][part[0]:part[1]], f[part[0]:part[1]]
			for i, d := range dist[part[0]:part[1]] {
				w := float64(d) * float64(f[i])
				here += w * vx[i]
				there += w * ux[i]
			}
		}
		return float64(f[own]) * (u[h]*here + v[h]*there)
	}
	fan := func(c *costTile, n int) float64 {
		o := &k.t.fans[n]
		c.open(k, k.t.order[o.order:][:o.width])
		r := &tree.regions[tree.owner[o.from]]
		f, total := packed[k.packed.fan[n]:], 0.0
		for h := o.from; h < o.to; h++ {
			dist, here, there := stretchOf(tree, labels, h, r.lo, r.hi), 0.0, 0.0
			for i, f := range f[:o.width] {
				d := float64(dist[c.places[i]-r.lo])
				here += float64(f) * c.values[1][i] * (d + c.offsets[1][i])
				there += float64(f) * c.values[0][i] * (d + c.offsets[0][i])
			}
			f = f[o.width:]
			total += u[h]*here + v[h]*there
		}
		return total
	}
	tile := func(c *costTile, n int) float64 {
		t := &k.t.tiles[n]
		if packed != nil {
			return packedCost(k, c, t, labels, packed[k.packed.tile[n]:])
		}
		rows, cols := k.t.sides(t)
		bands := k.t.bands[t.band:][:t.bands]
		r := &tree.regions[t.region]
		stride := len(cols) + 1
		c.before = sized(c.before, len(bands)*stride)
		for n, b := range bands {
			dist, f := stretchOf(tree, labels, b.hub, r.lo, r.hi), stretchOf(tree, factors, b.hub, r.lo, r.hi)
			before := c.before[n*stride:][b.from : b.to+1]
			var sum weighedCost
			for j, w := range cols[b.from:b.to] {
				before[j] = sum
				f, d := float64(f[w-r.lo]), float64(dist[w-r.lo])
				sum = sum.plus(d, d, f*u[w], f*v[w])
			}
			before[len(before)-1] = sum
		}
		total := 0.0
		k.t.each(t, func(run run, first, _, from int) { // one row each
			w, hub := rows[first], bands[run.band].hub
			f, d := float64(stretchOf(tree, factors, hub, w, w+1)[0]), float64(stretchOf(tree, labels, hub, w, w+1)[0])
			var sum weighedCost
			sum = sum.plus(d, d, f*u[w], f*v[w])
			before := c.before[int(run.band)*stride:][:stride]
			a, b := &before[from], &before[int(run.last)+1]
			uv, vu := sum.cross(a, b, 0)
			total += uv + vu
		})
		return total
	}
	return plainCosts{hub, fan, tile}
}

// packedCost is the cost of a tile with slack, given its packed factors.
func packedCost[S, T number](k *Kernel, c *costTile, t *tile, labels [][]S, factors []T) float64 {
	tree := k.t.labels.Tree
	r := &tree.regions[t.region]
	height, width := int(t.rows), int(t.cols)
	bands := k.t.bands[t.band:][:t.bands]
	stride := width + 1
	c.before = sized(c.before, len(bands)*stride)
	c.open(k, k.t.order[t.order:][:height+width])
	for i := range c.places {
		c.places[i] -= r.lo
	}
	rows := make([][]S, len(bands)) // labels by band
	for n, b := range bands {
		dist := stretchOf(tree, labels, b.hub, r.lo, r.hi)
		rows[n] = dist
		from, to := height+int(b.from), height+int(b.to)
		places := c.places[from:to]
		f, us, vs := factors[:len(places)], c.values[0][from:][:len(places)], c.values[1][from:][:len(places)]
		as, bs, at := c.offsets[0][from:][:len(places)], c.offsets[1][from:][:len(places)], n*stride+int(b.from)
		before := c.before[at:][:len(places)]
		factors = factors[len(f):]
		var sum weighedCost
		for j, w := range places {
			before[j] = sum
			f, d := float64(f[j]), float64(dist[w])
			sum = sum.plus(d+as[j], d+bs[j], f*us[j], f*vs[j])
		}
		c.before[at+len(places)] = sum
	}
	total := 0.0
	runs := k.t.runs[t.run:]
	row := 0
	for _, size := range k.t.groups[t.group:] {
		if row == height {
			break
		}
		end := row + int(size)
		places := c.places[row:end]
		us, vs := c.values[0][row:][:len(places)], c.values[1][row:][:len(places)]
		as, bs := c.offsets[0][row:][:len(places)], c.offsets[1][row:][:len(places)]
		row = end
		for from := 0; from < width; runs = runs[1:] {
			run := runs[0]
			dist := rows[run.band]
			f := factors[:len(places)]
			factors = factors[len(places):]
			before := c.before[int(run.band)*stride:][:stride]
			a, b := &before[from], &before[int(run.last)+1]
			var sum weighedCost
			for i, w := range places {
				f, d := float64(f[i]), float64(dist[w])
				sum = sum.plus(d+as[i], d+bs[i], f*us[i], f*vs[i])
			}
			uv, vu := sum.cross(a, b, t.shift)
			total += uv + vu
			from = int(run.last) + 1
		}
	}
	return total * k.gain(t.shift)
}

// costTile is the scratch space of one worker's costs.
type costTile struct {
	// Of the block under way, by scaling and slot: the scaling, a bundle's as for a product, and the
	// mean offset by its share in that.
	x, more [2][]float64
	bundles []bundle

	// Of the tile or fan under way, by slot: the centre's place and, by scaling, x and more.
	places          []int32
	values, offsets [2][]float64

	weights [2][]float64 // by scaling
	dist    []float64
	stored  []float64     // factors
	rows    []weighed     // by band and row, of logarithms
	before  []weighedCost // by band and column: the sums over the columns before it
	tops    [2][2][]float64
}

// enter turns to a block.
func (c *costTile) enter(k *Kernel, n int, u, v scaling) {
	b, end := &k.t.blocks[n], &k.t.blocks[n+1]
	c.bundles = k.t.bundles[b.bundle:end.bundle]
	size := k.t.labels.Len()
	for side, s := range [2]scaling{u, v} {
		if c.x[side] == nil {
			c.x[side], c.more[side] = make([]float64, k.t.slots), make([]float64, k.t.slots)
			copy(c.x[side], s.x)
		}
		x := c.x[side]
		for i, o := range c.bundles {
			top, sum, more := 0.0, 0.0, 0.0
			if !s.plain {
				top = k.t.logSum(o, x, s.scale)
			}
			for j := o.from; j < o.to; j++ {
				offset := float64(k.t.offsets[j])
				var w float64
				if s.plain {
					w = x[k.t.places[j]] * k.packed.at(int(j))
				} else {
					w = relative(x[k.t.places[j]]-offset*s.scale, top)
				}
				sum += w
				more += w * offset
			}
			x[size+i], c.more[side][size+i] = sum, 0
			if !s.plain {
				x[size+i] = top
			}
			if sum > 0 {
				c.more[side][size+i] = more / sum
			}
		}
	}
}

// open turns to a tile or a fan.
func (c *costTile) open(k *Kernel, slots []int32) {
	c.places = sized(c.places, len(slots))
	copy(c.places, k.t.centres(c.places, slots, c.bundles))
	for side := range 2 {
		c.values[side], c.offsets[side] = sized(c.values[side], len(slots)), sized(c.offsets[side], len(slots))
		for i, v := range slots {
			c.values[side][i], c.offsets[side][i] = c.x[side][v], c.more[side][v]
		}
	}
}

// weighed is a row's distances from a hub and its weights in the two scalings.
type weighed struct{ d, weight [2]float64 }

// hub is the cost of a hub's pairs with its region, from logarithms.
func (c *costTile) hub(k *Kernel, h int32, u, v scaling) float64 {
	l := k.t.labels
	r := &l.regions[l.owner[h]]
	dist := l.stretch(&c.dist, h, r.lo, r.hi)
	top := 0.0
	for side, s := range [2]scaling{u, v} {
		c.weights[side] = sized(c.weights[side], len(dist))
		top += s.weigh(c.weights[side], dist, s.x[r.lo:r.hi])
	}
	here, there := 0.0, 0.0
	for i, d := range dist {
		if w := r.lo + int32(i); w >= k.t.labelled(r) && w < r.sep || w > h { // within the separator each pair once
			here += d * c.weights[1][i]
			there += d * c.weights[0][i]
		}
	}
	return product(top, c.weights[0][h-r.lo], here) + product(top, c.weights[1][h-r.lo], there)
}

// fan is the cost of a fan's pairs, from logarithms.
func (c *costTile) fan(k *Kernel, o *fan) (total float64) {
	c.open(k, k.t.order[o.order:][:o.width])
	c.dist = sized(c.dist, o.width)
	for h := o.from; h < o.to; h++ {
		k.t.labels.gather(c.dist, h, c.places)
		for i, d := range c.dist {
			for side := range 2 {
				d := d + c.offsets[side][i]
				if t := c.x[1-side][h] + c.values[side][i] - (d-c.offsets[side][i])/k.epsilon; t > math.Inf(-1) {
					total += d * math.Exp(t)
				}
			}
		}
	}
	return total
}

// tile is the cost of a tile's pairs, from logarithms.
func (c *costTile) tile(k *Kernel, t *tile) float64 {
	l := k.t.labels
	height, width := int(t.rows), int(t.cols)
	stride := width + 1
	bands := k.t.bands[t.band:][:t.bands]
	c.open(k, k.t.order[t.order:][:height+width])
	size := max(height, width)
	c.dist = sized(c.dist, size)
	c.rows, c.before = sized(c.rows, len(bands)*height), sized(c.before, len(bands)*stride)
	for side, first := range [2]int{0, height} {
		for i := range 2 {
			c.weights[i], c.tops[side][i] = sized(c.weights[i], size), sized(c.tops[side][i], len(bands))
		}
		for n, b := range bands {
			from, to := first, first+height
			if side == 1 {
				from, to = first+int(b.from), first+int(b.to)
			}
			dist := c.dist[:to-from]
			l.gather(dist, b.hub, c.places[from:to])
			for i := range 2 {
				s := scaling{scale: 1 / k.epsilon}
				c.tops[side][i][n] = s.weigh(c.weights[i][:len(dist)], dist, c.values[i][from:to])
			}
			one, two, a, b := c.weights[0], c.weights[1], c.offsets[0][from:to], c.offsets[1][from:to]
			if side == 0 {
				for i, d := range dist {
					c.rows[n*height+i] = weighed{[2]float64{d + a[i], d + b[i]}, [2]float64{one[i], two[i]}}
				}
				continue
			}
			before := c.before[n*stride:][from-first : to-first+1]
			var sum weighedCost
			for j, d := range dist {
				before[j] = sum
				sum = sum.plus(d+a[j], d+b[j], one[j], two[j])
			}
			before[len(dist)] = sum
		}
	}
	total := 0.0
	k.t.each(t, func(run run, first, last, from int) {
		n := int(run.band)
		var sum weighedCost
		for _, w := range c.rows[n*height+first : n*height+last] {
			sum = sum.plus(w.d[0], w.d[1], w.weight[0], w.weight[1])
		}
		a, b := &c.before[n*stride+from], &c.before[n*stride+int(run.last)+1]
		uv, vu := sum.cross(a, b, t.shift)
		total += product(c.tops[0][0][n]+c.tops[1][1][n]+t.shift/k.epsilon, 1, uv) + product(c.tops[0][1][n]+c.tops[1][0][n]+t.shift/k.epsilon, 1, vu)
	})
	return total
}
