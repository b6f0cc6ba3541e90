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
	u, v := scaling{k: k, log: make([]float64, n)}, scaling{k: k, log: make([]float64, n)}
	for p, w := range l.Order {
		u.log[p], v.log[p] = logu[w], logv[w]
	}
	u.plain, v.plain = make([]float64, n), make([]float64, n)
	if !linop.Scalings(u.plain, v.plain, u.log, v.log, k.LogFloor()) {
		u.plain, v.plain = nil, nil
	}
	moments := make([][2]costSum, len(k.t.moments))
	k.each(func(_, g int) {
		var weights, buffer []float64
		for m := k.moments[g]; m < k.moments[g+1] && !k.over(m); m++ {
			o := &k.t.moments[m]
			weights = sized(weights, int(o.hi-o.lo))
			for side, s := range [2]scaling{u, v} {
				sum := costSum{top: s.weigh(weights, o.hub, o.lo, o.hi)}
				for i, d := range l.stretch(&buffer, o.hub, o.lo, o.hi) {
					sum.add(weights[i], d)
				}
				moments[m][side] = sum
			}
		}
	})
	var sums [groups]float64
	k.each(func(_, g int) {
		sum := 0.0
		var weights [2][]float64
		var buffer []float64
		for h := k.hubs[g]; h < k.hubs[g+1] && !k.over(h); h++ {
			r := &l.regions[l.owner[h]]
			top := 0.0
			for side, s := range [2]scaling{u, v} {
				weights[side] = sized(weights[side], int(r.hi-r.lo))
				top += s.weigh(weights[side], int32(h), r.lo, r.hi)
			}
			here, there := 0.0, 0.0
			for i, d := range l.stretch(&buffer, int32(h), r.lo, r.hi) {
				if w := int(r.lo) + i; w < int(r.sep) || w > h { // within the separator each pair once
					here += d * weights[1][i]
					there += d * weights[0][i]
				}
			}
			own := h - int(r.lo)
			sum += product(top, weights[0][own], here) + product(top, weights[1][own], there)
		}
		for _, c := range k.t.links[k.links[g]:k.links[g+1]] {
			sum += moments[c.a][0].cross(moments[c.b][1]) + moments[c.a][1].cross(moments[c.b][0])
		}
		var scratch costTile
		for n := k.tiles[g]; n < k.tiles[g+1] && !k.over(4*n); n++ {
			sum += scratch.cost(k.t, &k.t.tiles[n], u, v)
		}
		sums[g] = sum
	})
	total := 0.0
	for _, s := range sums {
		total += s
	}
	return total
}

// scaling is one of a plan's two scalings, by place: its logarithms and,
// where they are in range, the plain numbers.
type scaling struct {
	k          *Kernel
	log, plain []float64
}

// weigh fills dst, of length hi-lo, with the weights exp(log-d/epsilon-top) of
// the places [lo,hi) at distances d from the hub at place h, and returns top.
func (s *scaling) weigh(dst []float64, h, lo, hi int32) (top float64) {
	if s.plain != nil {
		x := s.plain[lo:hi]
		for i, f := range s.k.factors.stretch(&dst, h, lo, hi) {
			dst[i] = f * x[i]
		}
		return 0
	}
	x, scale := s.log[lo:hi], 1/s.k.epsilon
	top = math.Inf(-1)
	for i, d := range s.k.t.labels.stretch(&dst, h, lo, hi) {
		dst[i] = x[i] - d*scale
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

// cross is the cost of all pairs of one and of the other.
func (s costSum) cross(t costSum) float64 {
	return product(s.top+t.top, 1, s.sum*t.cost+s.cost*t.sum)
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

// costTile is the scratch space of one tile's cost: by scaling and band, the
// rows' weights and the columns' sums before each column.
type costTile struct {
	weights []float64
	buffer  []float64
	before  [2][]costSum
	rows    [2][]float64
	tops    [2][]float64
}

func (c *costTile) cost(ts *Tiles, t *tile, u, v scaling) float64 {
	l := ts.labels
	height, width := int(t.rhi-t.rlo), int(t.chi-t.clo)
	order, bands := ts.order[t.order:][:width], ts.bands[t.band:][:t.bands]
	stride := width + 1
	c.weights = sized(c.weights, width)
	for side, s := range [2]scaling{u, v} {
		c.before[side] = sized(c.before[side], len(bands)*stride)
		c.rows[side] = sized(c.rows[side], len(bands)*height)
		c.tops[side] = sized(c.tops[side], len(bands))
		for n, b := range bands {
			c.tops[side][n] = s.weigh(c.rows[side][n*height:][:height], b.hub, t.rlo, t.rhi)
			sum := costSum{top: s.weigh(c.weights, b.hub, t.clo, t.chi)}
			dist, before := l.stretch(&c.buffer, b.hub, t.clo, t.chi), c.before[side][n*stride:][:stride]
			for j := b.from; j < b.to; j++ {
				before[j] = sum
				sum.add(c.weights[order[j]], dist[order[j]])
			}
			before[b.to] = sum
		}
	}
	total := 0.0
	runs := ts.runs[t.run:]
	for w := range height {
		for from := 0; from < width; runs = runs[1:] {
			n, to := int(runs[0].band), int(runs[0].last)+1
			d := l.label(bands[n].hub, t.rlo+int32(w))
			for side := range 2 {
				own := c.rows[side][n*height+w]
				a, b := c.before[1-side][n*stride+from], c.before[1-side][n*stride+to]
				total += product(c.tops[side][n]+a.top, own, d*(b.sum-a.sum)+b.cost-a.cost)
			}
			from = to
		}
	}
	return total
}
