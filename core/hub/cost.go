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
		for n := k.tiles[g]; n < k.tiles[g+1] && !k.over(4*n); n++ {
			if u.plain {
				sum += plain.tile(c, &k.t.tiles[n])
			} else {
				sum += c.tile(k, &k.t.tiles[n], u, v)
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

// weighedCost is costSum of both scalings, relative to tops kept elsewhere.
type weighedCost struct{ sum, cost [2]float64 }

func (w *weighedCost) add(d, first, second float64) {
	w.sum[0] += first
	w.sum[1] += second
	w.cost[0] += first * d
	w.cost[1] += second * d
}

// cross is the cost of a group's pairs with the columns between two running
// sums, first scaling with second and the other way round, distances less shift.
func (w *weighedCost) cross(i int, from, to *weighedCost, shift float64) float64 {
	j := 1 - i
	return w.sum[i]*(to.cost[j]-from.cost[j]) + (w.cost[i]-shift*w.sum[i])*(to.sum[j]-from.sum[j])
}

// plainCosts are the costs of a hub's pairs with its region, and of a tile's, where scalings
// and factors are plain numbers.
type plainCosts struct {
	hub  func(h int32) float64
	tile func(c *costTile, t *tile) float64
}

func (k *Kernel) plainCosts(u, v []float64) plainCosts {
	switch l := k.t.labels; {
	case l.short == nil:
		return newPlainCosts(k, l.long, k.factors.long, u, v)
	case k.factors.short == nil:
		return newPlainCosts(k, l.short, k.factors.long, u, v)
	default:
		return newPlainCosts(k, l.short, k.factors.short, u, v)
	}
}

func newPlainCosts[S, T number](k *Kernel, labels [][]S, factors [][]T, u, v []float64) plainCosts {
	tree := k.t.labels.Tree
	hub := func(h int32) float64 {
		r := &tree.regions[tree.owner[h]]
		dist, f := stretchOf(tree, labels, h, r.lo, r.hi), stretchOf(tree, factors, h, r.lo, r.hi)
		own := h - r.lo
		here, there := 0.0, 0.0
		for _, part := range [2][2]int32{{0, r.sep - r.lo}, {own + 1, r.hi - r.lo}} { // within the separator each pair once
			ux, vx, f := u[r.lo:][part[0]:part[1]], v[r.lo:][part[0]:part[1]], f[part[0]:part[1]]
			for i, d := range dist[part[0]:part[1]] {
				w := float64(d) * float64(f[i])
				here += w * vx[i]
				there += w * ux[i]
			}
		}
		return float64(f[own]) * (u[h]*here + v[h]*there)
	}
	tile := func(c *costTile, t *tile) float64 {
		rows, cols := k.t.sides(t)
		bands := k.t.bands[t.band:][:t.bands]
		r := &tree.regions[t.region]
		ux, vx := u[r.lo:r.hi], v[r.lo:r.hi]
		stride := len(cols) + 1
		c.before = sized(c.before, len(bands)*stride)
		c.x[0], c.x[1] = sized(c.x[0], max(len(cols), crowd)), sized(c.x[1], max(len(cols), crowd))
		us, vs := c.x[0], c.x[1]
		for j, w := range cols {
			us[j], vs[j] = ux[w], vx[w]
		}
		for n, b := range bands {
			dist, f := stretchOf(tree, labels, b.hub, r.lo, r.hi), stretchOf(tree, factors, b.hub, r.lo, r.hi)
			before := c.before[n*stride:][b.from : b.to+1]
			us, vs := us[b.from:b.to], vs[b.from:b.to]
			var sum weighedCost
			for j, w := range cols[b.from:b.to] {
				before[j] = sum
				f := float64(f[w])
				sum.add(float64(dist[w]), f*us[j], f*vs[j])
			}
			before[len(us)] = sum
		}
		total := 0.0
		k.t.each(t, func(run run, first, last, from int) {
			group := rows[first:last]
			us, vs := us[:len(group)], vs[:len(group)]
			if from == 0 {
				for i, w := range group {
					us[i], vs[i] = ux[w], vx[w]
				}
			}
			hub := bands[run.band].hub
			dist, f := stretchOf(tree, labels, hub, r.lo, r.hi), stretchOf(tree, factors, hub, r.lo, r.hi)
			var sum weighedCost
			for i, w := range group {
				f := float64(f[w])
				sum.add(float64(dist[w]), f*us[i], f*vs[i])
			}
			before := c.before[int(run.band)*stride:][:stride]
			a, b := &before[from], &before[int(run.last)+1]
			total += sum.cross(0, a, b, t.shift) + sum.cross(1, a, b, t.shift)
		})
		return total * k.gain(t.shift)
	}
	return plainCosts{hub, tile}
}

// costTile is the scratch space of one worker's costs.
type costTile struct {
	x, weights [2][]float64 // by scaling
	dist       []float64
	rows       []weighed     // by band and row, of logarithms
	before     []weighedCost // by band and column: the sums over the columns before it
	tops       [2][2][]float64
}

// weighed is a row's distance from a hub and its weights in the two scalings.
type weighed struct {
	d      float64
	weight [2]float64
}

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
		if w := r.lo + int32(i); w < r.sep || w > h { // within the separator each pair once
			here += d * c.weights[1][i]
			there += d * c.weights[0][i]
		}
	}
	return product(top, c.weights[0][h-r.lo], here) + product(top, c.weights[1][h-r.lo], there)
}

// tile is the cost of a tile's pairs, from logarithms.
func (c *costTile) tile(k *Kernel, t *tile, u, v scaling) float64 {
	l := k.t.labels
	rows, cols := k.t.sides(t)
	height, stride := len(rows), len(cols)+1
	bands := k.t.bands[t.band:][:t.bands]
	base := l.regions[t.region].lo
	size := max(height, len(cols))
	c.dist = sized(c.dist, size)
	c.rows, c.before = sized(c.rows, len(bands)*height), sized(c.before, len(bands)*stride)
	for side, places := range [2][]int32{rows, cols} {
		for i, s := range [2]scaling{u, v} {
			c.x[i], c.weights[i], c.tops[side][i] = sized(c.x[i], size), sized(c.weights[i], size), sized(c.tops[side][i], len(bands))
			for j, w := range places {
				c.x[i][j] = s.x[base+w]
			}
		}
		for n, b := range bands {
			from, to := 0, height
			if side == 1 {
				from, to = int(b.from), int(b.to)
			}
			used := places[from:to]
			dist := c.dist[:len(used)]
			l.gather(dist, b.hub, base, used)
			for i, s := range [2]scaling{u, v} {
				c.tops[side][i][n] = s.weigh(c.weights[i][:len(used)], dist, c.x[i][from:to])
			}
			first, second := c.weights[0][:len(used)], c.weights[1][:len(used)]
			if side == 0 {
				for i, d := range dist {
					c.rows[n*height+i] = weighed{d, [2]float64{first[i], second[i]}}
				}
				continue
			}
			before := c.before[n*stride:][from : to+1]
			var sum weighedCost
			for j, d := range dist {
				before[j] = sum
				sum.add(d, first[j], second[j])
			}
			before[len(used)] = sum
		}
	}
	total := 0.0
	k.t.each(t, func(run run, first, last, from int) {
		n := int(run.band)
		var sum weighedCost
		for _, w := range c.rows[n*height+first : n*height+last] {
			sum.add(w.d, w.weight[0], w.weight[1])
		}
		a, b := &c.before[n*stride+from], &c.before[n*stride+int(run.last)+1]
		for i := range 2 {
			total += product(c.tops[0][i][n]+c.tops[1][1-i][n]+t.shift/k.epsilon, 1, sum.cross(i, a, b, t.shift))
		}
	})
	return total
}
