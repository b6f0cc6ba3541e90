// Package coarse makes a small stand-in for a graph. A solve of optimal transport corrects its potentials by it and
// takes fewer products.
package coarse

import (
	"context"
	"math"

	"genussink/core/graph"
	"genussink/core/internal/exponential"
	"genussink/core/internal/parallel"
	"genussink/core/shortest"
)

// Graph is a small stand-in for a graph: some vertices, the representatives, far apart
// and near every vertex; their distances; and for every vertex the weights by which it
// interpolates between the values of the nearest representatives and by which, without the negative
// ones, its mass is handed to them. With these W and the kernel k of the representatives, the
// kernel is about W k W^T. It is a transport.Coarse, for one solve at a time.
type Graph struct {
	representatives []int32
	distance        []float64 // m x m, in the graph's unit
	near            []int32   // n x nearest, numbers of representatives; -1: none
	weight          []float64 // as near, the greatest first; of total 1 where a representative can be reached

	epsilon float64   // that kernel is of
	kernel  []float64 // m x m: exp(-distance/epsilon)
	parts   []float64 // m for every piece of a loop over the vertices; nil until they are asked for
}

// nearest is how many representatives a vertex has. With 4 a solve takes two products more on
// some meshes (BenchmarkResolve), with 12 it takes as many.
const nearest = 8

// fineness is the number of representatives over the square root of that of
// vertices: a product with the small kernel takes fineness^2 numbers per vertex. With 5 a solve takes
// up to four products more at an epsilon of 0.005 diagonals, with 7 up to eight fewer; at 0.2 all take as many.
const fineness = 6

// landmarks is how many representatives, the first ones, tell where a vertex lies among its
// nearest. With 20 the error after each step is up to a fifth greater, with 64 up to a fifth less.
const landmarks = 40

// New makes the stand-in of g. The distances of the representatives from
// one another, m x m, come from among, of the kernel to solve with. It takes the time of some
// fifty runs of Dijkstra's algorithm, most of them side by side.
func New(ctx context.Context, g *graph.Graph, among func(ctx context.Context, vertices []int32) ([]float64, error)) (*Graph, error) {
	n := g.Len()
	c := &Graph{near: make([]int32, n*nearest), weight: make([]float64, n*nearest)}
	spread := shortest.NewSpread(g)
	radius, err := spread.Extend(ctx, representatives(n))
	if err != nil {
		return nil, err
	}
	c.representatives = spread.Vertices
	if c.distance, err = among(ctx, c.representatives); err != nil {
		return nil, err
	}
	unit := radius
	if unit == 0 || math.IsInf(unit, 1) {
		unit = 1
	}
	m := len(c.representatives)
	type neighbour struct {
		vertex   int32
		distance float64
	}
	around := make([][]neighbour, m)
	marks := min(m, landmarks)
	from := make([]float32, n*marks) // distances from the landmarks, over unit
	for i := range from {
		from[i] = float32(math.Inf(1))
	}
	solvers := make([]*shortest.Solver, parallel.Workers(m))
	if err := parallel.Each(ctx, len(solvers), marks+m, func(w, r int) {
		if solvers[w] == nil {
			solvers[w] = shortest.NewSolver(g)
		}
		if r < marks { // the longer runs first
			vertices, d := solvers[w].Within(math.Inf(1), c.representatives[r])
			for _, v := range vertices {
				from[int(v)*marks+r] = float32(d[v] / unit)
			}
			return
		}
		r -= marks
		vertices, d := solvers[w].Within(2*radius, c.representatives[r])
		for _, v := range vertices {
			around[r] = append(around[r], neighbour{v, d[v] / unit})
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
	err = parallel.LoopContext(ctx, n, func(_, lo, hi int) {
		for v := lo; v < hi; v++ {
			c.interpolate(c.near[v*nearest:][:nearest], c.weight[v*nearest:][:nearest], from, v, marks)
		}
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Bytes is the memory, in bytes, that a Graph of n vertices takes, including the memory that New needs to make it.
func Bytes(n int) int64 {
	m := int64(representatives(n))
	const around = 16 * 16 // some 12 representatives are near enough to a vertex to be looked at
	return 2*8*m*m + 8*m*int64(parallel.Pieces(n)) + ((4+8)*nearest+4*landmarks+around)*int64(n)
}

// representatives is how many a graph of n vertices has, unless there are fewer places.
func representatives(n int) int { return min(n, int(fineness*math.Sqrt(float64(n)))) }

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

// interpolate replaces the distances of vertex v from its representatives by
// weights of total 1 with which the mean of the representatives' distances from every
// landmark is that of v, by least squares: what is smooth is a linear function of these
// distances nearby. Of the many such weights those are wanted that prefer the nearest; at a
// representative it is alone. Distances are over the unit.
func (c *Graph) interpolate(near []int32, weight []float64, from []float32, v, marks int) {
	k := 0
	for k < nearest && near[k] >= 0 {
		k++
	}
	var rows [nearest][]float32
	for i := range k {
		rows[i] = from[int(c.representatives[near[i]])*marks:][:marks]
	}
	// The normal equations a w = 1, then their Cholesky factor. By gonum's Cholesky a vertex takes 8 times as long, in WebAssembly 12.
	var a [nearest][nearest]float64
	var step [nearest]float64
	for l, here := range from[v*marks:][:marks] {
		usable := true
		for i := range k {
			step[i] = float64(rows[i][l] - here)
			usable = usable && math.Abs(step[i]) < math.Inf(1) // a path leads there
		}
		for i := 0; i < k && usable; i++ {
			for j := range i + 1 {
				a[i][j] += step[i] * step[j]
			}
		}
	}
	for i := range k {
		x := preference * weight[i]
		a[i][i] += x*x + 1e-12
	}
	clear(weight)
	if k == 0 {
		return
	}
	var w [nearest]float64
	for i := range k {
		w[i] = 1
		for j := range i + 1 {
			x := a[i][j]
			for l := range j {
				x -= a[i][l] * a[j][l]
			}
			if j < i {
				a[i][j] = x / a[j][j]
				w[i] -= a[i][j] * w[j]
			} else {
				a[i][i] = math.Sqrt(x)
				w[i] /= a[i][i]
			}
		}
	}
	total := 0.0
	for i := k - 1; i >= 0; i-- {
		for j := i + 1; j < k; j++ {
			w[i] -= a[j][i] * w[j]
		}
		w[i] /= a[i][i]
		total += w[i]
	}
	if !(total > 0) || math.IsInf(total, 1) {
		weight[0] = 1 // the distances do not tell the representatives apart: the nearest alone
		return
	}
	for i := range k { // by weight
		r, x := near[i], w[i]/total
		at := i
		for ; at > 0 && weight[at-1] < x; at-- {
			near[at], weight[at] = near[at-1], weight[at-1]
		}
		near[at], weight[at] = r, x
	}
}

// preference times distance and weight is what a representative counts beside the errors at the
// landmarks. With 0.1 the error after a step is up to a fifth greater, with 1 up to two fifths.
const preference = 0.3

// Len is the number of vertices, and of representatives.
func (c *Graph) Len() (vertices, representatives int) {
	return len(c.near) / nearest, len(c.representatives)
}

// Kernel is that of the representatives, row by row. It is kept until it is asked for another epsilon. When ctx ends its error
// is returned.
func (c *Graph) Kernel(ctx context.Context, epsilon float64) ([]float64, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.epsilon == epsilon {
		return c.kernel, nil
	}
	c.epsilon, c.kernel = 0, make([]float64, len(c.distance))
	err := parallel.LoopContext(ctx, len(c.distance), func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			c.kernel[i] = exponential.Exp(-c.distance[i] / epsilon)
		}
	})
	if err != nil {
		return nil, err
	}
	c.epsilon = epsilon
	return c.kernel, nil
}

// Restrict hands the masses x of the vertices to the representatives: W^T x. It takes 2 ms for 134,000 vertices, and so no
// context.
func (c *Graph) Restrict(x []float64) []float64 {
	m := len(c.representatives)
	if c.parts == nil {
		c.parts = make([]float64, parallel.Pieces(len(x))*m)
	}
	parallel.Loop(len(x), func(p, lo, hi int) {
		y := c.parts[p*m:][:m]
		clear(y)
		for v := lo; v < hi; v++ {
			if x[v] == 0 {
				continue
			}
			total, k := 0.0, 0
			weight := c.weight[v*nearest:][:nearest]
			for k < nearest && weight[k] > 0 {
				total += weight[k]
				k++
			}
			share := x[v] / total
			for i, r := range c.near[v*nearest:][:k] {
				y[r] += weight[i] * share
			}
		}
	})
	y := make([]float64, m)
	for p := 0; p < len(c.parts); p += m {
		for i, x := range c.parts[p:][:m] {
			y[i] += x
		}
	}
	return y
}

// Interpolate adds the values x of the representatives to those y of the vertices: y += W x. It takes 2 ms for 134,000 vertices,
// and so no context.
func (c *Graph) Interpolate(y, x []float64) {
	parallel.Loop(len(y), func(_, lo, hi int) {
		for v := lo; v < hi; v++ {
			y[v] += c.value(x, v)
		}
	})
}

// value interpolates the values y of the representatives at vertex v.
func (c *Graph) value(y []float64, v int) (x float64) {
	for i, w := range c.weight[v*nearest:][:nearest] {
		if w != 0 {
			x += w * y[c.near[v*nearest+i]]
		}
	}
	return x
}
