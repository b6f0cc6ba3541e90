// Package layout places the vertices of a graph that has no coordinates so
// that distances in the picture follow those along the graph: stress
// majorisation by stochastic gradient descent (Zheng, Pawar, Goodman, Graph
// Drawing by Stochastic Gradient Descent) on edges and sampled pivots (Ortmann,
// Klimenta, Brandes, A Sparse Stress Model), from a start by PivotMDS (Brandes
// and others). Components are laid out one by one and set beside each other.
package layout

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"genussink/core/graph"
	"genussink/core/shortest"
)

// Options of Place. The zero value works.
type Options struct {
	Dimensions int    // 2 or 3; 0: 2
	Seed       uint64 // of the order of descent
	Progress   func(stage string, fraction float64)
}

const (
	// pairBudget is how many distances are looked at per iteration beside the
	// edges: all of them up to 500 vertices. Twice as many do not look better.
	pairBudget = 250_000
	minPivots  = 12
	iterations = 30 // of up to so many vertices; of more half as many, which Zheng and others take
	many       = 100_000
	firstStep  = 1.0  // of the longest distance: the first iteration moves every pair to its place
	lastStep   = 0.05 // of the shortest, what the steps end at
)

// What a vertex and an edge take at most while they are placed, in bytes: the graph included, and what is not collected yet. Few vertices
// have more pivots and take more, some ten megabytes in all.
const (
	VertexBytes = 450
	EdgeBytes   = 150
)

// Place returns a position for every vertex, in the unit of the graph's edge
// lengths; with two dimensions the third coordinate is 0. Time is near linear:
// a fixed number of iterations over the edges and a fixed number of pairs, or
// 12 for every vertex where that is more, and a shortest-path search from each
// pivot. The same graph and options give the same answer on every platform.
func Place(ctx context.Context, g *graph.Graph, o Options) ([][3]float64, error) {
	switch o.Dimensions {
	case 0:
		o.Dimensions = 2
	case 2, 3:
	default:
		return nil, fmt.Errorf("layout: %d dimensions, want 2 or 3", o.Dimensions)
	}
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	// In units of about the mean length no power of a distance overflows. A power
	// of two changes no digit of the rest.
	_, exponent := math.Frexp(meanLength(g))
	g = &graph.Graph{Offsets: g.Offsets, Targets: g.Targets, Weights: slices.Clone(g.Weights)}
	for i := range g.Weights {
		g.Weights[i] = math.Ldexp(g.Weights[i], -exponent)
	}
	n := g.Len()
	at := make([][3]float64, n)
	component, count := g.Components()
	members := make([][]int32, count)
	for v, c := range component {
		members[c] = append(members[c], int32(v))
	}
	boxes := make([]box, count)
	placed := 0
	for c, ids := range members {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		part := g
		if count > 1 && len(ids) > 1 {
			part = g.Induced(ids)
		}
		local := make([][3]float64, len(ids))
		if len(ids) > 1 {
			p := placer{ctx: ctx, g: part, dims: o.Dimensions, at: local, rng: rand.New(rand.NewPCG(o.Seed, 0x6c61796f7574))}
			p.progress = func(f float64) {
				o.Progress("layout", (float64(placed)+f*float64(len(ids)))/float64(n))
			}
			if err := p.place(); err != nil {
				return nil, err
			}
		}
		placed += len(ids)
		boxes[c] = boxOf(local)
		for i, v := range ids {
			at[v] = local[i]
		}
	}
	if count > 1 {
		offsets := pack(boxes, meanLength(g))
		for v, c := range component {
			for k := range 3 {
				at[v][k] += offsets[c][k]
			}
		}
	}
	for v := range at {
		for k := range 3 {
			at[v][k] = math.Ldexp(at[v][k], exponent)
		}
	}
	return at, nil
}

func meanLength(g *graph.Graph) float64 {
	if len(g.Weights) == 0 {
		return 1
	}
	mean := 0.0
	for _, w := range g.Weights {
		mean += w / float64(len(g.Weights)) // the sum may be beyond a float64
	}
	if !(mean > 0) {
		return 1
	}
	return mean
}

// placer lays out a connected graph of at least two vertices.
type placer struct {
	ctx      context.Context
	g        *graph.Graph
	dims     int
	at       [][3]float64
	rng      *rand.Rand
	progress func(fraction float64)

	pivots []int32
	pairs  []pair // of each vertex with all pivots, vertex by vertex
	edges  []term
}

// pair is a vertex's distance from a pivot, and the weight of that, 0 for none.
type pair struct{ d, weight float64 }

// from are the pairs of a vertex, one per pivot.
func (p *placer) from(v int) []pair { return p.pairs[v*len(p.pivots) : (v+1)*len(p.pivots)] }

// term is a pair of vertices that should be a distance apart.
type term struct {
	u, v      int32
	d, weight float64
}

func (p *placer) place() error {
	if err := p.measure(); err != nil {
		return err
	}
	if err := p.begin(); err != nil {
		return err
	}
	return p.descend()
}

// measure chooses the pivots, each farthest from those before, and finds the
// distances from them. An edge of no length counts as a hundredth of the mean,
// so that its ends can be told apart.
func (p *placer) measure() error {
	n := p.g.Len()
	least := meanLength(p.g) / 100
	lengths := make([]float64, len(p.g.Weights))
	for i, w := range p.g.Weights {
		lengths[i] = max(w, least)
	}
	g := &graph.Graph{Offsets: p.g.Offsets, Targets: p.g.Targets, Weights: lengths}
	k := min(n, max(minPivots, pairBudget/n))
	nearest := make([]float64, n)
	owner := make([]int32, n)
	for v := range nearest {
		nearest[v] = math.Inf(1)
	}
	solver := shortest.NewSolver(g)
	next := int32(0)
	p.pairs = make([]pair, n*k)
	var d []float64
	for i := range k {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		p.progress(0.4 * float64(i) / float64(k))
		d = solver.Distances(d, next)
		p.pivots = append(p.pivots, next)
		farthest := next
		for v, x := range d {
			p.pairs[v*k+i].d = x
			if x < nearest[v] {
				nearest[v], owner[v] = x, int32(i)
			}
			if nearest[v] > nearest[farthest] {
				farthest = int32(v)
			}
		}
		next = farthest
	}
	p.weigh(nearest, owner)
	for u := range int32(n) {
		for e := g.Offsets[u]; e < g.Offsets[u+1]; e++ {
			if v, d := g.Targets[e], lengths[e]; u < v {
				p.edges = append(p.edges, term{u, v, d, 1 / (d * d)})
			}
		}
	}
	return nil
}

// weigh gives each pair of a pivot and a vertex its weight: a pivot speaks for
// the vertices of its region that are at most half as far from it as the
// vertex is (Ortmann et al., Sec. 3.2).
func (p *placer) weigh(nearest []float64, owner []int32) {
	n, k := len(nearest), len(p.pivots)
	regions := make([][]float64, k)
	for v, i := range owner {
		regions[i] = append(regions[i], nearest[v])
	}
	var ranks []int
	for i, region := range regions {
		if k == n {
			for v := range n {
				if x := &p.pairs[v*k+i]; x.d > 0 && int32(v) < p.pivots[i] { // each pair once
					x.weight = 1 / (x.d * x.d)
				}
			}
			continue
		}
		// Counts of the region by a hundred steps of distance are fine enough for
		// a weight, and linear.
		const steps = 100
		top := 0.0
		for _, d := range region {
			top = max(top, d)
		}
		ranks = append(ranks[:0], make([]int, steps+1)...)
		for _, d := range region {
			if top > 0 {
				ranks[int(d/top*(steps-1))]++
			}
		}
		for s := 1; s <= steps; s++ {
			ranks[s] += ranks[s-1]
		}
		for v := range n {
			x := &p.pairs[v*k+i]
			if x.d <= 0 {
				continue
			}
			count := len(region)
			if x.d/2 < top {
				count = max(1, ranks[int(x.d/2/top*(steps-1))])
			}
			x.weight = float64(count) / (x.d * x.d)
		}
	}
}

// begin places the vertices by PivotMDS: along the main directions of the
// doubly centred squared distances from the pivots.
func (p *placer) begin() error {
	n, k := p.g.Len(), len(p.pivots)
	if k > 200 {
		k = 200 // the first pivots, which are the farthest apart, say enough
	}
	column := make([]float64, k)
	row := make([]float64, n)
	all := 0.0
	for v := range row {
		for i, x := range p.from(v)[:k] {
			s := float64(x.d * x.d)
			column[i] += s / float64(n)
			row[v] += s / float64(k)
		}
	}
	for _, s := range column {
		all += s / float64(k)
	}
	c := make([]float64, k) // a row of the matrix C
	centred := func(v int) {
		for i, x := range p.from(v)[:k] {
			c[i] = -0.5 * (float64(x.d*x.d) - row[v] - column[i] + all)
		}
	}
	// The eigenvectors of the k x k matrix C^T C, by power iteration. By gonum's mat they take 0.8 to 1.3 times as long, and
	// its sums depend on the processor: the layout would too.
	m := make([][]float64, k)
	for i := range m {
		m[i] = make([]float64, k)
	}
	for v := range n {
		if v%1024 == 0 {
			if err := p.ctx.Err(); err != nil {
				return err
			}
		}
		centred(v)
		for i, x := range c {
			for j, y := range c[:i+1] {
				m[i][j] += float64(x * y)
			}
		}
	}
	for i := range m {
		for j := range i {
			m[j][i] = m[i][j]
		}
	}
	var directions [][]float64
	next := make([]float64, k)
	for range p.dims {
		x := make([]float64, k)
		for i := range x {
			x[i] = p.rng.Float64() - 0.5
		}
		for range 60 {
			for _, d := range directions {
				s := inner(x, d)
				for i := range x {
					x[i] -= float64(s * d[i])
				}
			}
			for i := range next {
				next[i] = inner(m[i], x)
			}
			length := math.Sqrt(inner(next, next))
			if !(length > 0) || math.IsInf(length, 0) {
				clear(x)
				break
			}
			for i := range x {
				x[i] = next[i] / length
			}
		}
		directions = append(directions, x)
	}
	least := meanLength(p.g)
	for v := range p.at {
		centred(v)
		for axis, d := range directions {
			p.at[v][axis] = inner(c, d)
		}
	}
	// The scale at which the picture's mean squared distance from the first
	// pivot is the graph's, shared by all axes through the eigenvalue.
	want, have := 0.0, 0.0
	for v := range p.at {
		d := p.from(v)[0].d
		want += float64(d * d)
		have += square(p.at[v], p.at[p.pivots[0]])
	}
	scale := 0.0
	if have > 0 && want > 0 {
		scale = math.Sqrt(want / have)
	}
	for v := range p.at {
		for axis := range p.dims {
			// Twins have one place; a little noise parts them.
			p.at[v][axis] = float64(p.at[v][axis]*scale) + float64(0.05*least*(p.rng.Float64()-0.5))
		}
	}
	return nil
}

func inner(x, y []float64) float64 {
	s := 0.0
	for i, a := range x {
		s += float64(a * y[i])
	}
	return s
}

func square(p, q [3]float64) float64 {
	s := 0.0
	for k := range p {
		d := p[k] - q[k]
		s += float64(d * d)
	}
	return s
}

// descend moves pairs towards their distances, in random order, by steps that
// shrink from the longest distance's scale to the shortest's.
func (p *placer) descend() error {
	n, k := p.g.Len(), len(p.pivots)
	least, most := math.Inf(1), 0.0
	for _, e := range p.edges {
		least, most = min(least, e.weight), max(most, e.weight)
	}
	for v := range n {
		all := p.from(v)
		if k != n {
			all = all[:1] // the first pivot's distances tell the scale
		}
		for _, x := range all {
			if x.weight > 0 {
				least = min(least, x.weight)
			}
		}
	}
	first, last := firstStep/least, lastStep/most
	turns := iterations
	if n > many {
		turns /= 2
	}
	decay := math.Log(first/last) / float64(turns-1)
	order := make([]int32, n)
	for v := range order {
		order[v] = int32(v)
	}
	edges := make([]int32, len(p.edges))
	for e := range edges {
		edges[e] = int32(e)
	}
	for t := range turns {
		p.progress(0.4 + 0.6*float64(t)/float64(turns))
		eta := first * math.Exp(-decay*float64(t))
		p.rng.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		p.rng.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
		// The vertices in random order, each against all pivots.
		for i, v := range order {
			if i%64 == 0 {
				if err := p.ctx.Err(); err != nil {
					return err
				}
			}
			for j, x := range p.from(int(v)) {
				if x.weight > 0 {
					p.move(p.pivots[j], v, x.d, min(eta*x.weight, 1), k == n)
				}
			}
		}
		for i, e := range edges {
			if i%4096 == 0 {
				if err := p.ctx.Err(); err != nil {
					return err
				}
			}
			x := p.edges[e]
			p.move(x.u, x.v, x.d, min(eta*x.weight, 1), true)
		}
	}
	return nil
}

// move brings v, and u too if both are to move, a share of the way to where
// they are d apart.
func (p *placer) move(u, v int32, d, share float64, both bool) {
	a, b := &p.at[u], &p.at[v]
	s := square(*a, *b)
	if s == 0 {
		return // the noise at the start makes that a matter of luck
	}
	length := math.Sqrt(s)
	r := share * (length - d) / length
	if both {
		r /= 2
	}
	for k := range p.dims {
		step := float64(r * (b[k] - a[k]))
		b[k] -= step
		if both {
			a[k] += step
		}
	}
}
