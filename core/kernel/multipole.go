package kernel

import (
	"context"
	"math"
	"math/cmplx"
	"slices"

	"genussink/core/internal/exponential"
)

const (
	nodes = 20 // Chebyshev points of an interval
	leaf  = 32 // points of an interval that is not halved; a pair of such is added up directly

	// interpolated is the error of an entry, as a share of itself, that interpolation may make.
	interpolated = 2e-12
)

// swell is the log of the greatest |g| on an ellipse around [low, high], over the least |g| on [low, high]; +Inf if g has a pole in the
// ellipse. Its foci are low and high, its half axis along the line grown.
type swell func(low, high, grown float64) float64

// multipole multiplies with exp(lambda (x_i + y_j)) g(x_i + y_j), g smooth but for poles: the fast multipole method of Greengard and Rokhlin
// (1987) with Chebyshev interpolation in place of expansions (Dutt, Gu and Rokhlin, 1996; Fong and Darve, 2009).
//
// Both sides are halved at the median, again and again. A pair of intervals I, J is admissible when g(x+y) = sum_ab L_a(x) g(x_a+y_b) L_b(y) up to the error
// interpolated, by a theorem: the polynomial of degree n-1 in the n Chebyshev points of an
// interval misses g by at most (1+Lebesgue constant) times the best one, which misses it by 2 M rho^(1-n)/(rho-1), M = max |g| on the
// ellipse with half axes of sum rho times the half interval (Bernstein; Trefethen, Approximation Theory and Approximation Practice, Theorems 8.2 and
// 15.1). The ellipse of the interval I+J contains those of I+y and x+J. Pairs that are not admissible are
// halved; pairs of leaves are added up.
type multipole struct {
	lambda    float64
	g         func(float64) float64
	sides     [2]*cluster // x and y
	far, near []pair
}

type pair struct{ x, y int32 }

// A cluster is one side's points, each once and sorted, and its tree of intervals.
type cluster struct {
	points []float64
	place  []int32 // which of them each given one is
	tree   []interval
	basis  []float64 // of each point the values of the Lagrange polynomials of its leaf
	w      []float64 // scratch: the vector in order
	moment []float64 // scratch: nodes numbers per interval
}

// An interval of the line holds the points first to last-1. Children are after their parent, first child -1 in a leaf.
type interval struct {
	first, last  int32
	left, right  int32
	middle, half float64
}

func (v interval) count() int       { return int(v.last - v.first) }
func (v interval) low() float64     { return v.middle - v.half }
func (v interval) high() float64    { return v.middle + v.half }
func (v interval) isLeaf() bool     { return v.left < 0 }
func (v interval) at(a int) float64 { return v.middle + v.half*chebyshev[a] }

var (
	chebyshev [nodes]float64 // cos((2a+1) pi/(2 nodes))
	weights   [nodes]float64 // of the barycentric formula
)

func init() {
	for a := range nodes {
		sin, cos := math.Sincos(float64(2*a+1) * math.Pi / (2 * nodes))
		chebyshev[a], weights[a] = cos, sin*float64(1-2*(a%2))
	}
}

// lagrange are the Lagrange polynomials of the Chebyshev points of [-1, 1] at u.
func lagrange(out []float64, u float64) {
	total := 0.0
	for a, c := range chebyshev {
		if u == c {
			clear(out)
			out[a] = 1
			return
		}
		out[a] = weights[a] / (u - c)
		total += out[a]
	}
	for a := range out {
		out[a] /= total
	}
}

func newMultipole(x, y []float64, lambda float64, g func(float64) float64, grows swell) *multipole {
	m := &multipole{lambda: lambda, g: g, sides: [2]*cluster{newCluster(x), newCluster(y)}}
	if len(x) == 0 || len(y) == 0 {
		return m
	}
	stack := []pair{{0, 0}}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		i, j := m.sides[0].tree[p.x], m.sides[1].tree[p.y]
		low, high := i.low()+j.low(), i.high()+j.high()
		switch {
		case i.count()*j.count() > nodes*nodes && admissible(low, high, grows):
			m.far = append(m.far, p)
		case i.isLeaf() && j.isLeaf():
			m.near = append(m.near, p)
		case j.isLeaf() || !i.isLeaf() && i.half >= j.half:
			stack = append(stack, pair{i.left, p.y}, pair{i.right, p.y})
		default:
			stack = append(stack, pair{p.x, j.left}, pair{p.x, j.right})
		}
	}
	return m
}

// admissible reports whether g is interpolated well enough on [low, high].
func admissible(low, high float64, grows swell) bool {
	half := (high - low) / 2
	lebesgue := 2/math.Pi*math.Log(nodes) + 1
	for rho := 1.5; rho < 200; rho *= 1.3 {
		log := grows(low, high, half*(rho+1/rho)/2)
		// In y, and then in x the polynomials that are left: (1+lebesgue) times.
		log += math.Log((1+lebesgue)*(1+lebesgue)*2/(rho-1)) - (nodes-1)*math.Log(rho)
		if log <= math.Log(interpolated) {
			return true
		}
	}
	return false
}

// apart is the log of the greatest |x-z| on [low, high] over the least on the ellipse around it, for a z known to within radius; +Inf where
// the ellipse may hold it. The half sum of the distances from the foci is grown on the ellipse, and changes no faster than the point.
func apart(z complex128, radius, low, high, grown float64) float64 {
	a, b := cmplx.Abs(z-complex(low, 0)), cmplx.Abs(z-complex(high, 0))
	least := (a+b)/2 - grown - radius
	if !(least > 0) {
		return math.Inf(1)
	}
	return math.Log((max(a, b) + radius) / least)
}

// distance is from z to the interval.
func distance(z complex128, low, high float64) float64 {
	return cmplx.Abs(z - complex(min(max(real(z), low), high), 0))
}

func newCluster(points []float64) *cluster {
	c := &cluster{points: slices.Compact(slices.Sorted(slices.Values(points))), place: make([]int32, len(points))}
	for i, x := range points {
		k, _ := slices.BinarySearch(c.points, x)
		c.place[i] = int32(k)
	}
	n := len(c.points)
	c.w = make([]float64, n)
	if n == 0 {
		return c
	}
	c.tree = []interval{c.interval(0, int32(n))}
	c.basis = make([]float64, n*nodes)
	for k := 0; k < len(c.tree); k++ {
		v := c.tree[k]
		if v.count() > leaf {
			middle := v.first + (v.last-v.first)/2
			c.tree[k].left, c.tree[k].right = int32(len(c.tree)), int32(len(c.tree)+1)
			c.tree = append(c.tree, c.interval(v.first, middle), c.interval(middle, v.last))
			continue
		}
		for i := v.first; i < v.last; i++ {
			lagrange(c.basis[int(i)*nodes:int(i+1)*nodes], v.inside(c.points[i]))
		}
	}
	c.moment = make([]float64, nodes*len(c.tree))
	return c
}

func (c *cluster) interval(first, last int32) interval {
	low, high := c.points[first], c.points[last-1]
	half := (high - low) / 2
	return interval{first, last, -1, -1, low + half, half}
}

// inside is where x lies in the interval, from -1 to 1.
func (v interval) inside(x float64) float64 {
	if v.half == 0 {
		return 0
	}
	return min(max((x-v.middle)/v.half, -1), 1)
}

// gather makes the moments of all intervals: sum_j L_b(y_j) w_j.
func (c *cluster) gather() {
	clear(c.moment)
	var basis [nodes]float64
	for k := len(c.tree) - 1; k >= 0; k-- {
		v := c.tree[k]
		own := c.moment[k*nodes : (k+1)*nodes]
		if v.isLeaf() {
			for i := v.first; i < v.last; i++ {
				w := c.w[i]
				for a, l := range c.basis[int(i)*nodes : int(i+1)*nodes] {
					own[a] += l * w
				}
			}
			continue
		}
		for _, child := range [...]int32{v.left, v.right} {
			for b, m := range c.moment[int(child)*nodes : int(child+1)*nodes] {
				lagrange(basis[:], v.inside(c.tree[child].at(b)))
				for a, l := range basis {
					own[a] += l * m
				}
			}
		}
	}
}

// spread adds the values at all intervals' Chebyshev points, interpolated, to the points.
func (c *cluster) spread() {
	var basis [nodes]float64
	for k, v := range c.tree {
		own := c.moment[k*nodes : (k+1)*nodes]
		if v.isLeaf() {
			for i := v.first; i < v.last; i++ {
				total := 0.0
				for a, l := range c.basis[int(i)*nodes : int(i+1)*nodes] {
					total += l * own[a]
				}
				c.w[i] += total
			}
			continue
		}
		for _, child := range [...]int32{v.left, v.right} {
			below := c.moment[int(child)*nodes : int(child+1)*nodes]
			for b := range below {
				lagrange(basis[:], v.inside(c.tree[child].at(b)))
				for a, l := range basis {
					below[b] += l * own[a]
				}
			}
		}
	}
}

// askEvery is how many pairs of intervals are multiplied between two questions to the context: they take a millisecond.
const askEvery = 256

func (m *multipole) multiply(ctx context.Context, dst, w []float64, transposed bool) error {
	to, from := m.sides[0], m.sides[1]
	if transposed {
		to, from = from, to
	}
	if len(to.points) == 0 || len(from.points) == 0 {
		clear(dst)
		return nil
	}
	// The exponential is shifted so that what is large here is large in the result.
	shift := from.points[0]
	if m.lambda > 0 {
		shift = from.points[len(from.points)-1]
	}
	clear(from.w)
	for j, k := range from.place {
		from.w[k] += w[j]
	}
	if m.lambda != 0 {
		for k, y := range from.points {
			from.w[k] *= exponential.Exp(m.lambda * (y - shift))
		}
	}
	from.gather()
	clear(to.w)
	clear(to.moment)
	for n, p := range m.far {
		if n%askEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		i, j := p.x, p.y
		if transposed {
			i, j = j, i
		}
		a, b := to.tree[i], from.tree[j]
		moments := from.moment[int(j)*nodes : int(j+1)*nodes]
		for k := range nodes {
			at, total := a.at(k), 0.0
			for l, w := range moments {
				total += m.g(at+b.at(l)) * w
			}
			to.moment[int(i)*nodes+k] += total
		}
	}
	to.spread()
	for n, p := range m.near {
		if n%askEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		i, j := p.x, p.y
		if transposed {
			i, j = j, i
		}
		a, b := to.tree[i], from.tree[j]
		for k := a.first; k < a.last; k++ {
			at, total := to.points[k], 0.0
			for l := b.first; l < b.last; l++ {
				total += m.g(at+from.points[l]) * from.w[l]
			}
			to.w[k] += total
		}
	}
	if m.lambda != 0 {
		for k, x := range to.points {
			to.w[k] *= exponential.Exp(m.lambda * (x + shift))
		}
	}
	for i, k := range to.place {
		dst[i] = to.w[k]
	}
	return nil
}

func (m *multipole) steps() int64 {
	total := int64(len(m.far)) * nodes * nodes
	for _, c := range m.sides {
		total += int64(len(c.place)) + int64(len(c.points))*nodes + int64(len(c.tree))*nodes*nodes
	}
	for _, p := range m.near {
		total += int64(m.sides[0].tree[p.x].count()) * int64(m.sides[1].tree[p.y].count())
	}
	return total
}
