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
	lu, lv := make([]float64, n), make([]float64, n) // by place
	for p, w := range l.Order {
		lu[p], lv[p] = logu[w], logv[w]
	}
	var sums [groups]float64
	if u, v := make([]float64, n), make([]float64, n); linop.Scalings(u, v, lu, lv, k.floor-k.t.delta/k.epsilon) {
		k.scaledCost(&sums, u, v)
	} else {
		k.logCost(&sums, lu, lv)
	}
	total := 0.0
	for _, s := range sums {
		total += s
	}
	return total
}

// scaledCost adds up the cost by groups, from scalings as plain numbers, in the
// manner of multiplyTile. Both scalings of a pair stand on either side.
func (k *Kernel) scaledCost(sums *[groups]float64, u, v []float64) {
	l := k.t.labels
	moments := make([]costSums, len(k.t.moments))
	k.each(func(_, g int) {
		for m := k.moments[g]; m < k.moments[g+1] && !k.over(m); m++ {
			o := &k.t.moments[m]
			f, d := k.factors(o.hub, o.lo, o.hi), l.stretchOf(o.hub, o.lo, o.hi)
			for i := range f {
				moments[m].add(f[i], d[i], u[int(o.lo)+i], v[int(o.lo)+i])
			}
		}
	})
	k.each(func(_, g int) {
		sum := 0.0
		for h := k.hubs[g]; h < k.hubs[g+1] && !k.over(h); h++ {
			r := &l.regions[l.owner[h]]
			f, d := k.factors(int32(h), r.lo, r.hi), l.row(int32(h))
			for i := range f {
				if w := int(r.lo) + i; w < int(r.sep) || w > h { // within the separator each pair once
					sum += f[i] * d[i] * (u[h]*v[w] + u[w]*v[h])
				}
			}
		}
		for _, c := range k.t.links[k.links[g]:k.links[g+1]] {
			sum += moments[c.a].cross(moments[c.b])
		}
		var before []costSums // by hub and column: the sums over the columns before
		for n := k.tiles[g]; n < k.tiles[g+1] && !k.over(4*n); n++ {
			t := &k.t.tiles[n]
			hubs, columns := k.t.hubs[t.hub:t.hub+t.hubs], k.t.columns[t.hub:t.hub+t.hubs]
			width := int(t.chi - t.clo)
			before = before[:0]
			for _, h := range hubs {
				f, d := k.factors(h, t.clo, t.chi), l.stretchOf(h, t.clo, t.chi)
				var sums costSums
				for j := range f {
					before = append(before, sums)
					sums.add(f[j], d[j], u[int(t.clo)+j], v[int(t.clo)+j])
				}
				before = append(before, sums)
			}
			next := k.t.rows[t.row:]
			for w := t.rlo; w < t.rhi; w++ {
				row := func(n byte) (own costSums) {
					own.add(k.factors(hubs[n], w, w+1)[0], l.label(hubs[n], w), u[w], v[w])
					return own
				}
				n := next[0]
				next = next[1:]
				if n != mixed {
					sum += row(n).cross(moments[columns[n]])
					continue
				}
				for from := 0; from < width; next = next[2:] {
					to := int(next[1])
					at := before[int(next[0])*(width+1):]
					sum += row(next[0]).cross(at[to].less(at[from]))
					from = to
				}
			}
		}
		sums[g] = sum
	})
}

// costSums are sums over vertices at distance d from a hub, with factor
// exp(-d/epsilon), of both scalings: without the distance and with it.
type costSums struct{ u, v, du, dv float64 }

func (s *costSums) add(factor, d, u, v float64) {
	u, v = factor*u, factor*v
	s.u += u
	s.v += v
	s.du += d * u
	s.dv += d * v
}

func (s costSums) less(t costSums) costSums {
	return costSums{s.u - t.u, s.v - t.v, s.du - t.du, s.dv - t.dv}
}

// cross is the cost of all pairs of one and of the other, both ways.
func (s costSums) cross(t costSums) float64 {
	return s.u*t.dv + s.du*t.v + t.u*s.dv + t.du*s.v
}

// logCost adds up the cost by groups, from scalings as logarithms.
func (k *Kernel) logCost(sums *[groups]float64, u, v []float64) {
	l := k.t.labels
	scale := 1 / k.epsilon
	// For both scalings: sum exp(u-d/epsilon-top) and the same times d.
	type seen struct{ top, sum, cost float64 }
	over := func(o *moment, x []float64) seen {
		s := seen{top: math.Inf(-1)}
		row := l.stretchOf(o.hub, o.lo, o.hi)
		for i, d := range row {
			s.top = max(s.top, x[int(o.lo)+i]-d*scale)
		}
		if s.top == math.Inf(-1) {
			return s
		}
		for i, d := range row {
			e := math.Exp(x[int(o.lo)+i] - d*scale - s.top)
			s.sum += e
			s.cost += e * d
		}
		return s
	}
	fromU, fromV := make([]seen, len(k.t.moments)), make([]seen, len(k.t.moments))
	k.each(func(_, g int) {
		for m := k.moments[g]; m < k.moments[g+1]; m++ {
			fromU[m], fromV[m] = over(&k.t.moments[m], u), over(&k.t.moments[m], v)
		}
	})
	cross := func(a, b seen) float64 {
		if a.sum == 0 || b.sum == 0 {
			return 0
		}
		return math.Exp(a.top+b.top) * (a.sum*b.cost + a.cost*b.sum)
	}
	k.each(func(_, g int) {
		sum := 0.0
		pair := func(a, b int, d float64) {
			sum += d * (math.Exp(u[a]+v[b]-d*scale) + math.Exp(u[b]+v[a]-d*scale))
		}
		for h := k.hubs[g]; h < k.hubs[g+1]; h++ {
			r := &l.regions[l.owner[h]]
			for i, d := range l.row(int32(h)) {
				if w := int(r.lo) + i; w < int(r.sep) || w > h { // within the separator each pair once
					pair(h, w, d)
				}
			}
		}
		for _, c := range k.t.links[k.links[g]:k.links[g+1]] {
			sum += cross(fromU[c.a], fromV[c.b]) + cross(fromU[c.b], fromV[c.a])
		}
		for n := k.tiles[g]; n < k.tiles[g+1] && !k.over(8*n); n++ {
			k.t.pairs(&k.t.tiles[n], func(a int, d float64, m int32) {
				sum += cross(seen{u[a] - d*scale, 1, d}, fromV[m]) + cross(seen{v[a] - d*scale, 1, d}, fromU[m])
			}, pair)
		}
		sums[g] = sum
	})
}
