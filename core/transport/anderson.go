package transport

import (
	"math"
	"slices"
)

// anderson chooses the potential log v of the next iteration from those before
// (Anderson 1965; for fixed points in general: Walker and Ni, SIAM J. Numer. Anal. 49, 2011).
// Let T(x) be the potential that one of Sinkhorn's iterations makes of x, and r = T(x) - x.
// Over the last few steps T and r change by dT_j and dr_j; the next potential is
//
//	T(x) - sum_j g_j dT_j   with the g that make |r - sum_j g_j dr_j| least,
//
// the norm weighing each vertex by its mass. Near the solution, where T is
// nearly linear, that is what a Krylov method does.
//
// Sinkhorn's own step never raises the L1 error. A chosen potential whose error
// is far above the least so far is taken back: the iteration returns to the last
// good one, takes its plain step and forgets what it knew. It takes plain steps
// too while the chosen one is so far off that T cannot be called linear. Chosen potentials may also come back again and again, with the same
// errors. So after some iterations without a smaller error come plain steps alone, twice as many each time.
type anderson struct {
	at     []int32   // the vertices with mass
	weight []float64 // the square root of their mass
	limit  int       // steps to look back; 0 is the plain iteration
	space  *workspace

	image, residual []float64   // T(x) and weight*r of the last good potential
	safe            []float64   // Sinkhorn's step from there
	least           float64     // error of all so far
	dT, dr, q       [][]float64 // the last steps, oldest first; q is dr made orthogonal, newest first
	known, plain    bool        // there is a last one; the step under way is a plain one
	waited          int         // iterations since the least error fell
	rest, longest   int         // plain steps that are left of a time of rest, and the next such time
	r               []float64
}

// depth is how many steps are looked back on. Of 3, 5 and 8 with the coarse graph, 8 takes the fewest
// products, cold and after 5 % of the mass has moved, on four meshes: at an epsilon of 0.005 diagonals
// up to a fifth fewer than 3, at 0.05 and 0.2 as many. 12 is no better.
const depth = 8

// stuck is after how many iterations without a smaller error plain steps are taken.
const stuck = 50

// rise is how far the error may be above the least: of 1, 1.5, 3 and 10 the one
// with the fewest products cold at an epsilon of 0.005 diagonals without the coarse graph, over four
// meshes. With it, it makes no difference.
const rise = 3

// reach bounds how far from Sinkhorn's own step the potential may go.
const reach = 100

// newAnderson takes room for vectors as long as the masses.
func newAnderson(mass []float64, room *workspace) *anderson {
	a := &anderson{limit: depth, least: math.Inf(1), at: make([]int32, 0, len(mass)), weight: room.vector()[:0], space: room}
	for i, m := range mass {
		if m > 0 {
			a.at, a.weight = append(a.at, int32(i)), append(a.weight, math.Sqrt(m))
		}
	}
	a.image, a.safe, a.residual, a.r = a.vector(), a.vector(), a.vector(), a.vector()
	return a
}

// vector is one with a number for every vertex with mass.
func (a *anderson) vector() []float64 { return a.space.vector()[:len(a.at)] }

// inherit takes over the steps of another one, of nearly the same T, where that has the same vertices.
func (a *anderson) inherit(last *anderson) {
	if last != nil && slices.Equal(a.at, last.at) {
		a.dT, a.dr, a.q = last.dT, last.dr, last.q
	}
}

// next replaces x by the next potential, given T(x) where there is mass and the
// error of x. Where T is more than Sinkhorn's own step, safe is that step; else it is
// nil. It reports whether x is taken back.
func (a *anderson) next(x, image, safe []float64, e float64) (back bool) {
	if a.waited++; e < a.least {
		a.waited = 0
	}
	if a.rest == 0 && a.waited >= stuck {
		a.longest = max(stuck, 2*a.longest)
		a.rest, a.waited, a.dT, a.dr, a.known = a.longest, 0, a.dT[:0], a.dr[:0], false
	}
	if a.rest > 0 {
		a.rest--
		if safe == nil {
			safe = image
		}
		for _, i := range a.at {
			x[i] = safe[i]
		}
		a.least = min(a.least, e)
		return false
	}
	if a.known && !a.plain && !(e <= rise*a.least) { // back to the last good one
		for k, i := range a.at {
			x[i] = a.safe[k]
		}
		a.dT, a.dr, a.known, a.plain = a.dT[:0], a.dr[:0], false, true
		return true
	}
	for k, i := range a.at {
		a.r[k] = a.weight[k] * (image[i] - x[i])
	}
	if a.known && a.limit > 0 {
		dT, dr := a.room(&a.dT), a.room(&a.dr)
		for k, i := range a.at {
			dT[k], dr[k] = image[i]-a.image[k], a.r[k]-a.residual[k]
		}
	}
	copy(a.residual, a.r)
	for k, i := range a.at {
		a.image[k], a.safe[k] = image[i], image[i]
		if safe != nil {
			a.safe[k] = safe[i]
		}
		x[i] = image[i]
	}
	a.known, a.least = true, min(a.least, e)
	g := a.solve()
	a.plain = safe == nil
	if g == nil {
		return false
	}
	far := 0.0
	for k := range a.at {
		move := 0.0
		for j, g := range g {
			move += g * a.dT[j][k]
		}
		a.r[k] = move
		far = max(far, math.Abs(move))
	}
	if !(far < reach) {
		a.dT, a.dr = a.dT[:0], a.dr[:0]
		return false
	}
	for k, i := range a.at {
		x[i] -= a.r[k]
	}
	a.plain = false
	return false
}

// room makes room for one more step at the end, the oldest going where the
// limit is reached.
func (a *anderson) room(steps *[][]float64) []float64 {
	s := *steps
	var free []float64
	switch {
	case len(s) == a.limit:
		free = s[0]
		copy(s, s[1:])
		s = s[:len(s)-1]
	case len(s) < cap(s):
		free = s[:len(s)+1][len(s)] // of a step forgotten
	}
	if free == nil {
		free = a.vector()
	}
	*steps = append(s, free)
	return free
}

// solve is the g of the least squares: a.r by the columns of dr, orthogonal
// one after the other from the newest on. A column that is all but in the space of newer ones
// has g = 0. Nil: there are none. gonum's mat.QR takes 1.4 times as long, in WebAssembly 3 times, and leaves no column out.
func (a *anderson) solve() []float64 {
	m := len(a.dr)
	if m == 0 {
		return nil
	}
	for len(a.q) < m {
		a.q = append(a.q, a.vector())
	}
	var upper [depth][depth]float64 // of the columns, newest first
	var right [depth]float64
	var kept [depth]bool
	for c := range m {
		q := a.q[c]
		copy(q, a.dr[m-1-c])
		size := norm(q)
		for b := range c {
			if kept[b] {
				p := product(a.q[b], q)
				upper[b][c] = p
				for k, x := range a.q[b] {
					q[k] -= p * x
				}
			}
		}
		left := norm(q)
		if kept[c] = left > 1e-7*size; !kept[c] { // also when all is 0
			continue
		}
		upper[c][c] = left
		for k := range q {
			q[k] /= left
		}
		right[c] = product(q, a.r)
	}
	g := make([]float64, m)
	found := false
	for c := m - 1; c >= 0; c-- {
		if !kept[c] {
			continue
		}
		sum := right[c]
		for d := c + 1; d < m; d++ {
			sum -= upper[c][d] * g[m-1-d]
		}
		g[m-1-c] = sum / upper[c][c]
		found = true
	}
	if !found {
		return nil
	}
	return g
}

// product is a.b, in four running sums.
func product(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i, x := range a {
		s0 += x * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

func norm(a []float64) float64 { return math.Sqrt(product(a, a)) }
