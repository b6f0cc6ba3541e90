package transport

import (
	"context"
	"math"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/shortest"
)

// Coarse is a small stand-in for a graph: some vertices, the representatives, far apart
// and near every vertex; their distances; and for every vertex the weights by which its
// mass is handed to the nearest representatives and by which it interpolates between
// their values. With these W and the kernel k of the representatives, the kernel is about
// W k W^T. Solve corrects its potentials by it (correct). One solve at a time.
type Coarse struct {
	representatives []int32
	distance        []float64 // m x m, in the graph's unit
	near            []int32   // n x nearest, numbers of representatives; -1: none
	weight          []float64 // as near; >= 0, of total 1 where a representative can be reached

	epsilon float64   // that kernel is of
	kernel  []float64 // m x m: exp(-distance/epsilon)
}

// nearest is how many representatives a vertex has: with 3 the interpolation is worse,
// with 6 no better.
const nearest = 4

// fineness is the number of representatives over the square root of that of
// vertices: a product with the small kernel takes fineness^2 times a few numbers per vertex.
const fineness = 5

// NewCoarse makes the stand-in of g. The distances of the representatives from
// one another, m x m, come from among, of the kernel to solve with. It takes the time of some
// twenty runs of Dijkstra's algorithm.
func NewCoarse(ctx context.Context, g *graph.Graph, among func(ctx context.Context, vertices []int32) ([]float64, error)) (*Coarse, error) {
	n := g.Len()
	c := &Coarse{near: make([]int32, n*nearest), weight: make([]float64, n*nearest)}
	radius, err := c.choose(ctx, g, representatives(n))
	if err != nil {
		return nil, err
	}
	if c.distance, err = among(ctx, c.representatives); err != nil {
		return nil, err
	}
	m := len(c.representatives)
	type neighbour struct {
		vertex   int32
		distance float64
	}
	around := make([][]neighbour, m)
	solvers := make([]*shortest.Solver, parallel.Workers(m))
	if err := parallel.Each(ctx, len(solvers), m, func(w, r int) {
		if solvers[w] == nil {
			solvers[w] = shortest.NewSolver(g)
		}
		vertices, d := solvers[w].Within(1.5*radius, c.representatives[r])
		for _, v := range vertices {
			around[r] = append(around[r], neighbour{v, d[v]})
		}
	}); err != nil {
		return nil, err
	}
	for i := range c.near {
		c.near[i], c.weight[i] = -1, math.Inf(1) // their distances, for the time being
	}
	for r, list := range around {
		for _, a := range list {
			at := int(a.vertex) * nearest
			insert(c.near[at:at+nearest], c.weight[at:at+nearest], int32(r), a.distance)
		}
	}
	for v := range n {
		c.interpolate(c.near[v*nearest:][:nearest], c.weight[v*nearest:][:nearest])
	}
	return c, nil
}

// CoarseBytes is the memory that a Coarse of n vertices takes, in bytes.
func CoarseBytes(n int) int64 {
	m := int64(representatives(n))
	return 2*8*m*m + (4+8)*nearest*int64(n)
}

// representatives is how many a graph of n vertices has, unless there are fewer places.
func representatives(n int) int { return min(n, int(fineness*math.Sqrt(float64(n)))) }

// choose takes at most m representatives, each the vertex farthest from those
// before (Gonzalez 1985), and returns the distance within which every vertex has one.
func (c *Coarse) choose(ctx context.Context, g *graph.Graph, m int) (radius float64, err error) {
	far := make([]float64, g.Len())
	for v := range far {
		far[v] = math.Inf(1)
	}
	solver := shortest.NewSolver(g)
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		next := 0
		for v, d := range far {
			if d > far[next] {
				next = v
			}
		}
		if len(far) == 0 || far[next] == 0 {
			return 0, nil
		}
		if len(c.representatives) == m {
			return far[next], nil
		}
		c.representatives = append(c.representatives, int32(next))
		vertices, d := solver.Within(far[next], int32(next))
		for _, v := range vertices {
			far[v] = min(far[v], d[v])
		}
	}
}

// insert puts r at distance d into a list by distance, whose last one goes.
func insert(list []int32, distances []float64, r int32, d float64) {
	at := len(list)
	for at > 0 && d < distances[at-1] {
		at--
	}
	if at < len(list) {
		copy(list[at+1:], list[at:])
		copy(distances[at+1:], distances[at:])
		list[at], distances[at] = r, d
	}
}

// interpolate replaces the distances of a vertex from its representatives by
// weights: those of the interpolation by a constant and multiples of the
// distances from the representatives, which is exact at them; without the negative ones.
func (c *Coarse) interpolate(near []int32, weight []float64) {
	k := 0
	for k < nearest && near[k] >= 0 {
		k++
	}
	var a [nearest + 1][nearest + 2]float64 // equations, the right-hand side last
	for i := range k {
		for j := range k {
			a[i][j] = -c.distance[int(near[i])*len(c.representatives)+int(near[j])]
		}
		a[i][k], a[k][i], a[i][k+1] = 1, 1, -weight[i]
	}
	a[k][k+1] = 1
	clear(weight)
	if k == 0 {
		return
	}
	weight[0] = 1
	scale := max(1, -a[0][k-1])
	for i := range k + 1 {
		pivot := i
		for j := i + 1; j <= k; j++ {
			if math.Abs(a[j][i]) > math.Abs(a[pivot][i]) {
				pivot = j
			}
		}
		if !(math.Abs(a[pivot][i]) > 1e-9*scale) {
			return // the distances do not tell the representatives apart: the nearest alone
		}
		a[i], a[pivot] = a[pivot], a[i]
		for j := range k + 1 {
			if f := a[j][i] / a[i][i]; j != i && f != 0 {
				for l := i; l <= k+1; l++ {
					a[j][l] -= f * a[i][l]
				}
			}
		}
	}
	total := 0.0
	for i := range k {
		weight[i] = 0
		if w := a[i][k+1] / a[i][i]; w > 1e-3 {
			weight[i] = w
			total += w
		}
	}
	for i := range k {
		weight[i] /= total // at least 1, for the others are positive and make 1 with the negative ones
	}
}

// at makes the kernel that of epsilon.
func (c *Coarse) at(epsilon float64) {
	if c.epsilon == epsilon {
		return
	}
	c.epsilon, c.kernel = epsilon, make([]float64, len(c.distance))
	for i, d := range c.distance {
		c.kernel[i] = math.Exp(-d / epsilon)
	}
}

// restrict hands the masses of the vertices to the representatives: W^T x.
func (c *Coarse) restrict(x []float64) []float64 {
	y := make([]float64, len(c.representatives))
	for v, x := range x {
		if x > 0 {
			for i, r := range c.near[v*nearest:][:nearest] {
				if r >= 0 {
					y[r] += c.weight[v*nearest+i] * x
				}
			}
		}
	}
	return y
}

// value interpolates the values y of the representatives at vertex v.
func (c *Coarse) value(y []float64, v int) (x float64) {
	for i, w := range c.weight[v*nearest:][:nearest] {
		if w > 0 {
			x += w * y[c.near[v*nearest+i]]
		}
	}
	return x
}

// correction improves a step of Sinkhorn's iteration: by the small problem, which has
// the marginals handed to the representatives. It is solved for the marginals that are
// wanted and for those that the plan has. By as much as its log K^T u differ, those of
// the plan will still change: a multigrid method's coarse correction (the full
// approximation scheme of Brandt 1977). What the small problem cannot see, the
// products smooth away.
type correction struct {
	c         *Coarse
	ctx       context.Context
	tolerance float64
	source    []float64
	wanted    []float64 // log K^T u for the marginals that are wanted
	start     []float64 // log v for these: where every other problem starts, lest a constant factor of v creep in
	logv      []float64 // of the problem solved last
	logu      []float64 // scratch
	ku        []float64 // log K^T u of the problem solved last
	kv        []float64
	x         []float64
}

// accuracy is what share of the plan's marginal error the small problem's may have.
const accuracy = 1e-3

// patience is how many iterations a small problem may take.
const patience = 300

// newCorrection solves the small problem for the marginals a and b to a tolerance
// that no later one goes below; nil: in vain.
func newCorrection(ctx context.Context, c *Coarse, epsilon float64, a, b []float64, tolerance float64) *correction {
	c.at(epsilon)
	m := len(c.representatives)
	k := &correction{
		c: c, ctx: ctx, tolerance: tolerance, source: c.restrict(a), wanted: make([]float64, m), start: make([]float64, m), logv: make([]float64, m),
		logu: make([]float64, m), ku: make([]float64, m), kv: make([]float64, m), x: make([]float64, m),
	}
	if !k.solve(c.restrict(b), tolerance) {
		return nil
	}
	copy(k.wanted, k.ku)
	copy(k.start, k.logv)
	return k
}

// solve runs Sinkhorn's iteration on the small problem from logv. False: it
// does not come to the tolerance.
func (k *correction) solve(target []float64, tolerance float64) bool {
	logs, image := logs(target), make([]float64, len(target))
	step := newAnderson(target)
	for range patience {
		if k.ctx.Err() != nil {
			return false
		}
		for i, l := range k.logv {
			k.x[i] = 0
			if target[i] > 0 {
				k.x[i] = math.Exp(l)
			}
		}
		k.multiply(k.kv)
		for i, a := range k.source {
			k.x[i] = 0
			if a > 0 {
				k.x[i] = a / k.kv[i]
			}
		}
		k.multiply(k.ku)
		e := 0.0
		for i, b := range target {
			y := k.ku[i]
			k.ku[i] = math.Log(y)
			if b > 0 {
				e += math.Abs(math.Exp(k.logv[i])*y - b)
				image[i] = logs[i] - k.ku[i]
			}
		}
		if !finite(e) {
			return false
		}
		if e <= tolerance {
			return true
		}
		step.next(k.logv, image, nil, e)
	}
	return false
}

// multiply sets y = k x.
func (k *correction) multiply(y []float64) {
	m := len(y)
	const rows = 64
	parts := (m + rows - 1) / rows
	_ = parallel.Each(k.ctx, parallel.Workers(parts), parts, func(_, part int) {
		for i := part * rows; i < min(m, (part+1)*rows); i++ {
			y[i] = product(k.c.kernel[i*m:][:m], k.x)
		}
	})
}

// correct improves image, the next log v, given the masses of the plan's
// columns and their error. False: it is what it was.
func (k *correction) correct(image, columns []float64, e float64) bool {
	copy(k.logv, k.start)
	if !k.solve(k.c.restrict(columns), max(k.tolerance, accuracy*e)) {
		return false
	}
	k.follow(image, k.ku, k.wanted)
	return true
}

// follow adds to y what the values of the representatives change by.
func (k *correction) follow(y, after, before []float64) {
	for i := range k.x {
		if k.x[i] = after[i] - before[i]; !finite(k.x[i]) {
			k.x[i] = 0 // nothing reaches it
		}
	}
	for v := range y {
		y[v] += k.c.value(k.x, v)
	}
}
