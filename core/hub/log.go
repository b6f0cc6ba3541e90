package hub

import "math"

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
			e.sum[i] += w * math.Exp(t-top)
		}
	case top == math.Inf(-1):
		e.top[i], e.sum[i] = t, w
	default:
		e.top[i], e.sum[i] = t, e.sum[i]*math.Exp(top-t)+w
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
func (k *Kernel) LogMulVec(dst, x []float64) []float64 {
	dst = check(dst, x, len(k.x))
	l := k.t.labels
	if k.tops == nil {
		k.tops = make([]float64, len(k.sums))
		for g := range k.parts {
			p := &k.parts[g]
			p.yTop, p.accTop = make([]float64, len(p.y)), make([]float64, len(p.acc))
		}
	}
	for p, v := range l.Order {
		k.x[p] = x[v]
	}
	k.each(k.logSumUp)
	k.each(k.logMultiply)
	k.each(k.logHandOut)
	for p, v := range l.Order {
		total := exponents{[]float64{math.Inf(-1)}, []float64{0}}
		for g := range k.parts {
			total.add(0, k.parts[g].yTop[p], k.parts[g].y[p])
		}
		dst[v] = total.log(0)
	}
	return dst
}

func (k *Kernel) logSumUpGroup(_, g int) {
	scale := 1 / k.epsilon
	all := exponents{k.tops, k.sums}
	for m := k.moments[g]; m < k.moments[g+1]; m++ {
		o := &k.t.moments[m]
		k.tops[m], k.sums[m] = math.Inf(-1), 0
		for i, d := range k.t.labels.stretchOf(o.hub, o.lo, o.hi) {
			all.add(m, k.x[int(o.lo)+i]-d*scale, 1)
		}
	}
}

func (k *Kernel) logMultiplyGroup(_, g int) {
	p, l, scale := &k.parts[g], k.t.labels, 1/k.epsilon
	y, acc := exponents{p.yTop, p.y}, exponents{p.accTop, p.acc}
	y.clear()
	acc.clear()
	for h := k.hubs[g]; h < k.hubs[g+1]; h++ {
		r := &l.regions[l.owner[h]]
		for i, d := range l.row(int32(h)) {
			v := int(r.lo) + i
			y.add(h, k.x[v]-d*scale, 1)
			if v < int(r.sep) {
				y.add(v, k.x[h]-d*scale, 1)
			}
		}
	}
	for _, c := range k.t.links[k.links[g]:k.links[g+1]] {
		acc.add(int(c.a), k.tops[c.b], k.sums[c.b])
		acc.add(int(c.b), k.tops[c.a], k.sums[c.a])
	}
	for n := k.tiles[g]; n < k.tiles[g+1] && !k.over(8*n); n++ {
		k.t.pairs(&k.t.tiles[n],
			func(v int, d float64, m int32) {
				y.add(v, k.tops[m]-d*scale, k.sums[m])
				acc.add(int(m), k.x[v]-d*scale, 1)
			},
			func(v, w int, d float64) {
				y.add(v, k.x[w]-d*scale, 1)
				y.add(w, k.x[v]-d*scale, 1)
			})
	}
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
		o := &k.t.moments[m]
		for i, d := range k.t.labels.stretchOf(o.hub, o.lo, o.hi) {
			y.add(int(o.lo)+i, total.top[0]-d*scale, total.sum[0])
		}
	}
}

// pairs visits the pairs of a tile: single with the place of each row that has
// one hub, its distance to that and the moment of the columns there; mixed
// with every pair of another row.
func (t *Tiles) pairs(o *tile, single func(place int, d float64, moment int32), each func(v, w int, d float64)) {
	l := t.labels
	hubs, columns := t.hubs[o.hub:o.hub+o.hubs], t.columns[o.hub:o.hub+o.hubs]
	width := int(o.chi - o.clo)
	next := t.rows[o.row:]
	for v := o.rlo; v < o.rhi; v++ {
		if n := next[0]; n != mixed {
			single(int(v), l.label(hubs[n], v), columns[n])
			next = next[1:]
			continue
		}
		next = next[1:]
		for from := 0; from < width; {
			h, to := hubs[next[0]], int(next[1])
			next = next[2:]
			d := l.label(h, v)
			for j, e := range l.stretchOf(h, o.clo+int32(from), o.clo+int32(to)) {
				each(int(v), int(o.clo)+from+j, d+e)
			}
			from = to
		}
	}
}
