package sgfi

import (
	"math"

	"genussink/core/internal/exponential"
)

// A tile is the kernel between two lists of vertices, in one of two forms. All
// tiles of a kernel together hold each unordered pair once.
//
// Values are entries exp(-d/epsilon) or, in a kernel of exponents, d/epsilon.
type tile struct {
	rows, cols  []int32
	direct      []float64 // entry (i, j) at i*len(cols)+j; nil in a tile of rank one
	left, right []float64 // rank one: entry (i, j) is left[i]*right[j], or left[i]+right[j] of exponents
	diagonal    bool      // direct, rows are cols: both orders of each pair are there
}

func (t *tile) size() int { return len(t.direct) + len(t.left) + len(t.right) }

// A lane is a share of the tiles with its own accumulators.
type lane struct {
	tiles []tile
	sum   []float64    // per vertex
	top   []float64    // per vertex, of exponents
	a, b  [4][]float64 // room for a tile's rows and columns
}

func gather(dst, x []float64, at []int32) []float64 {
	dst = dst[:len(at)]
	for i, v := range at {
		dst[i] = x[v]
	}
	return dst
}

func scatter(y []float64, at []int32, add []float64) {
	for i, v := range at {
		y[v] += add[i]
	}
}

func (k *Kernel) multiplyLane(_, at int) {
	l := &k.lanes[at]
	clear(l.sum)
	for i := range l.tiles {
		if k.over(i) {
			return
		}
		t := &l.tiles[i]
		xr, xc := gather(l.a[0], k.x, t.rows), gather(l.b[0], k.x, t.cols)
		yr, yc := l.a[1][:len(xr)], l.b[1][:len(xc)]
		clear(yc)
		switch {
		case t.direct == nil && k.exponents:
			productExp(yr, yc, t.left, t.right, xr, xc)
		case t.direct == nil:
			product(yr, yc, t.left, t.right, xr, xc)
		case k.exponents:
			for r := range yr {
				yr[r] = rowExp(t.direct[r*len(xc):], xr[r], xc, yc)
			}
		default:
			r := 0
			for ; r+4 <= len(yr); r += 4 {
				four(t.direct[r*len(xc):], xr[r:r+4], yr[r:r+4], xc, yc)
			}
			for ; r < len(yr); r++ {
				yr[r] = one(t.direct[r*len(xc):], xr[r], xc, yc)
			}
		}
		scatter(l.sum, t.rows, yr)
		if !t.diagonal {
			scatter(l.sum, t.cols, yc)
		}
	}
}

// four computes four rows of a direct tile's two products: yr = k xc,
// yc += k^T xr. Reading each entry once for both is what counts: a large kernel comes from memory.
func four(k, xr, yr, xc, yc []float64) {
	n := len(xc)
	k0, k1, k2, k3 := k[:n], k[n:][:n], k[2*n:][:n], k[3*n:][:n]
	yc = yc[:n]
	x0, x1, x2, x3 := xr[0], xr[1], xr[2], xr[3]
	var s0, s1, s2, s3 float64
	for c, x := range xc {
		a, b, e, f := k0[c], k1[c], k2[c], k3[c]
		s0 += a * x
		s1 += b * x
		s2 += e * x
		s3 += f * x
		yc[c] += (a*x0 + b*x1) + (e*x2 + f*x3)
	}
	yr[0], yr[1], yr[2], yr[3] = s0, s1, s2, s3
}

func one(k []float64, xr float64, xc, yc []float64) (s float64) {
	k, yc = k[:len(xc)], yc[:len(xc)]
	for c, x := range xc {
		s += k[c] * x
		yc[c] += k[c] * xr
	}
	return s
}

func rowExp(d []float64, xr float64, xc, yc []float64) (s float64) {
	d, yc = d[:len(xc)], yc[:len(xc)]
	for c, x := range xc {
		e := exponential.Exp(-d[c])
		s += e * x
		yc[c] += e * xr
	}
	return s
}

// product is the two products of a tile of rank one.
func product(yr, yc, left, right, xr, xc []float64) {
	var s, t float64
	for j, b := range right {
		s += b * xc[j]
	}
	for i, a := range left {
		t += a * xr[i]
		yr[i] = a * s
	}
	for j, b := range right {
		yc[j] = b * t
	}
}

func productExp(yr, yc, left, right, xr, xc []float64) {
	var s, t float64
	for j, b := range right {
		s += exponential.Exp(-b) * xc[j]
	}
	for i, a := range left {
		e := exponential.Exp(-a)
		t += e * xr[i]
		yr[i] = e * s
	}
	for j, b := range right {
		yc[j] = exponential.Exp(-b) * t
	}
}

// peakLane finds, for each vertex, the greatest x_j - d_ij/epsilon of the
// lane's tiles.
func (k *Kernel) peakLane(_, at int) {
	l := &k.lanes[at]
	for i := range l.top {
		l.top[i] = math.Inf(-1)
	}
	for i := range l.tiles {
		if k.over(i) {
			return
		}
		t := &l.tiles[i]
		xr, xc := gather(l.a[0], k.x, t.rows), gather(l.b[0], k.x, t.cols)
		if t.direct == nil {
			s, u := peak(xc, t.right), peak(xr, t.left)
			for i, v := range t.rows {
				l.top[v] = max(l.top[v], s-t.left[i])
			}
			for j, v := range t.cols {
				l.top[v] = max(l.top[v], u-t.right[j])
			}
			continue
		}
		top := gather(l.b[1], l.top, t.cols)
		for r, v := range t.rows {
			m, x := l.top[v], xr[r]
			for c, d := range t.direct[r*len(xc):][:len(xc)] {
				if y := xc[c] - d; y > m {
					m = y
				}
				if y := x - d; y > top[c] {
					top[c] = y
				}
			}
			l.top[v] = m
		}
		for c, v := range t.cols {
			l.top[v] = max(l.top[v], top[c])
		}
	}
}

// peak is the greatest x_i - d_i.
func peak(x, d []float64) float64 {
	m := math.Inf(-1)
	for i, x := range x {
		m = max(m, x-d[i])
	}
	return m
}

// negligible is how far below the greatest term of a sum, in logarithm, the
// others are left out: exp(-60) of it each is beyond the last digit for up to a billion terms.
const negligible = -60.

// sumLane adds exp(x_j - d_ij/epsilon - top_i) over the lane's tiles. A row
// without any term has top -Inf, and keeps the sum 0.
func (k *Kernel) sumLane(_, at int) {
	l := &k.lanes[at]
	clear(l.sum)
	for i := range l.tiles {
		if k.over(i) {
			return
		}
		t := &l.tiles[i]
		xr, xc := gather(l.a[0], k.x, t.rows), gather(l.b[0], k.x, t.cols)
		tr, tc := gather(l.a[1], k.top, t.rows), gather(l.b[1], k.top, t.cols)
		if t.direct == nil {
			addRankOne(l.sum, t.rows, t.left, tr, xc, t.right)
			addRankOne(l.sum, t.cols, t.right, tc, xr, t.left)
			continue
		}
		yc := l.b[2][:len(xc)]
		clear(yc)
		for r, v := range t.rows {
			var s float64
			x, top := xr[r], tr[r]
			for c, d := range t.direct[r*len(xc):][:len(xc)] {
				// Comparisons with NaN, of -Inf less -Inf, are false.
				if z := xc[c] - d - top; z > negligible {
					s += exponential.Exp(z)
				}
				if z := x - d - tc[c]; z > negligible {
					yc[c] += exponential.Exp(z)
				}
			}
			l.sum[v] += s
		}
		if !t.diagonal {
			scatter(l.sum, t.cols, yc)
		}
	}
}

// addRankOne adds the product of a tile of rank one in one direction.
func addRankOne(sum []float64, to []int32, near, top, x, far []float64) {
	m := peak(x, far)
	if math.IsInf(m, -1) {
		return
	}
	var s float64
	for j, x := range x {
		if z := x - far[j] - m; z > negligible {
			s += exponential.Exp(z)
		}
	}
	for i, v := range to {
		if z := m - near[i] - top[i]; z > negligible {
			sum[v] += exponential.Exp(z) * s
		}
	}
}

// integrateLane adds up P_ij d_ij/epsilon by rows; of a kernel of entries with
// the scaled u and v instead of the plan's.
func (k *Kernel) integrateLane(_, at int) {
	l := &k.lanes[at]
	clear(l.sum)
	x, y := k.u, k.v
	if k.exponents {
		x, y = k.x, k.y
	}
	for i := range l.tiles {
		if k.over(i) {
			return
		}
		t := &l.tiles[i]
		ur, vr := gather(l.a[0], x, t.rows), gather(l.a[1], y, t.rows)
		uc, vc := gather(l.b[0], x, t.cols), gather(l.b[1], y, t.cols)
		if t.direct == nil {
			if k.exponents {
				l.sum[t.rows[0]] += momentExp(ur, t.left, vc, t.right) + momentExp(uc, t.right, vr, t.left)
			} else {
				l.sum[t.rows[0]] += moment(ur, t.left, vc, t.right) + moment(uc, t.right, vr, t.left)
			}
			continue
		}
		for r, v := range t.rows {
			row := t.direct[r*len(uc):][:len(uc)]
			u, w := ur[r], vr[r]
			if t.diagonal {
				w = 0 // each order of a pair has its own entry
				if k.exponents {
					w = math.Inf(-1)
				}
			}
			var s float64
			if k.exponents {
				for c, d := range row {
					if d > 0 && d < math.Inf(1) {
						s += d * (exponential.Exp(u+vc[c]-d) + exponential.Exp(w+uc[c]-d))
					}
				}
			} else {
				for c, e := range row {
					if e > 0 {
						s -= math.Log(e) * e * (u*vc[c] + w*uc[c])
					}
				}
			}
			l.sum[v] += s
		}
	}
}

// moment is sum_ij u_i left_i right_j v_j (-log left_i - log right_j).
func moment(u, left, v, right []float64) float64 {
	total := func(x, k []float64) (s, m float64) {
		for i, x := range x {
			if z := x * k[i]; z > 0 {
				s += z
				m -= z * math.Log(k[i])
			}
		}
		return s, m
	}
	a, am := total(u, left)
	b, bm := total(v, right)
	return am*b + a*bm
}

// momentExp is the same of logarithms u and v and exponents left and right.
func momentExp(u, left, v, right []float64) float64 {
	p, q := peak(u, left), peak(v, right)
	if math.IsInf(p, -1) || math.IsInf(q, -1) {
		return 0
	}
	total := func(x, d []float64, top float64) (s, m float64) {
		for i, x := range x {
			z := exponential.Exp(x - d[i] - top)
			s += z
			if z > 0 {
				m += z * d[i]
			}
		}
		return s, m
	}
	a, am := total(u, left, p)
	b, bm := total(v, right, q)
	return (am*b + a*bm) * exponential.Exp(p+q)
}
