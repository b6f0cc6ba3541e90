package quantized

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/shortest"
)

// Net is what does not depend on masses: the representatives of a graph, their Voronoi cells, and what is known of distances between
// them. Components may be left out; n is the number of the other vertices.
type Net struct {
	graph           *graph.Graph
	Representatives []int32 // far from one another, and so are the first half of them
	Of              []int32 // the cell of every vertex: the position of its representative; -1 of vertices left out
	Radius          float64 // no vertex is further from its representative

	length   []float64    // k x k, symmetric, between representatives: exact where one sees the other's cell, else along hops, corrected by the views
	order    []int32      // the n vertices, each cell's side by side
	start    []int32      // of each cell in order, and the end
	rank     []int32      // of every vertex among these, -1 of those left out
	cell     []int32      // of each of these
	position []int32      // of each representative among these
	near     *graph.Graph // the graph in that order, in which neighbours lie close together in memory
	seen     []seen       // by representative: what lies within a hop of it
	reach    reach
	views    int       // the first of the representatives have a row of true distances
	row      []float32 // views x n, in order
	viewing  []int32   // the view nearest to each representative
	solvers  sync.Pool
}

// seen are the cells that a representative sees: all their vertices lie within a hop of it.
type seen struct {
	whole    []int32   // ascending
	distance []float32 // of their vertices, in order
}

// reach is how far a net looks.
type reach struct {
	radii float64 // how many radii long a hop may be
	views int     // at most: rows of true distances are kept, one for each of the first representatives
	doubt float64 // of the cost: what wrong distances may add where none are checked
}

var (
	// Hops of 4 radii instead of 6 take half the time. Where mass moves a few radii, costs are wrong by 5e-3 then instead of 1e-3. Hops of 8
	// take twice the time, and are no better. With 16 views costs are wrong by up to 1e-3 more than with 32; 48 are no better.
	accurate = reach{radii: 6, views: 32, doubt: 2e-3}

	// It takes a third of the time. Costs are wrong by up to 2e-2.
	hasty = reach{radii: 3, views: 16, doubt: 1.2e-2}
)

// NewNet makes a net of the vertices of the spread. Every component that the spread does not leave out needs one. A net made in haste takes a third of the
// time; its distances are less accurate. progress may be nil. When ctx ends its error is returned.
func NewNet(ctx context.Context, g *graph.Graph, s *shortest.Spread, haste bool, progress func(fraction float64)) (*Net, error) {
	n, k := 0, len(s.Vertices)
	reach := accurate
	if haste {
		reach = hasty
	}
	t := &Net{
		graph: g, Representatives: slices.Clone(s.Vertices), Of: slices.Clone(s.Nearest),
		length: make([]float64, k*k), seen: make([]seen, k), reach: reach, views: min(reach.views, k), viewing: make([]int32, k),
	}
	size := make([]int32, k)
	for v, r := range t.Of {
		if r < 0 && s.Far[v] == 0 {
			continue
		}
		if r < 0 {
			return nil, fmt.Errorf("quantized: %d representatives, and vertex %d is in a component without one", k, v)
		}
		size[r]++
		n++
		t.Radius = max(t.Radius, s.Far[v])
	}
	t.start = make([]int32, k+1)
	for r := range k {
		t.start[r+1] = t.start[r] + size[r]
	}
	t.order, t.rank, t.cell = make([]int32, n), make([]int32, g.Len()), make([]int32, n)
	t.position = make([]int32, k)
	past := slices.Clone(t.start) // each cell's vertices so far
	for v, r := range t.Of {
		if t.rank[v] = -1; r < 0 {
			continue
		}
		at := past[r]
		past[r]++
		t.order[at], t.rank[v], t.cell[at] = int32(v), at, r
		if t.Representatives[r] == int32(v) {
			t.position[r] = at
		}
	}
	t.near = g.Induced(t.order)
	t.row = make([]float32, t.views*n)

	var done atomic.Int64
	advance := func(w int) {
		if d := done.Add(1); progress != nil && w == 0 {
			progress(float64(d) / float64(t.views+2*k))
		}
	}
	truth := make([]float64, t.views*k)
	solvers := make([]*shortest.Solver, parallel.Workers(t.views+k))
	counts := make([][]int32, len(solvers))
	if err := parallel.Each(ctx, len(solvers), t.views+k, func(w, r int) { // the longer runs first
		defer advance(w)
		if solvers[w] == nil {
			solvers[w], counts[w] = shortest.NewSolver(t.near), make([]int32, k)
		}
		if r < t.views {
			_, d := solvers[w].Within(math.Inf(1), t.position[r])
			row := t.row[r*n:][:n]
			for at, x := range d {
				row[at] = float32(x)
			}
			for j, at := range t.position {
				truth[r*k+j] = d[at]
			}
			return
		}
		t.look(solvers[w], counts[w], r-t.views)
	}); err != nil {
		return nil, err
	}
	if err := t.join(ctx, s.Far, advance); err != nil {
		return nil, err
	}
	over := make([]float64, t.views*k) // what length is too long by
	for i := range k {
		for a := range t.views {
			if t.length[i*k+a] < t.length[i*k+int(t.viewing[i])] {
				t.viewing[i] = int32(a)
			}
			if d := truth[a*k+i]; d < math.Inf(1) {
				over[a*k+i] = t.length[a*k+i] - d
			}
		}
	}
	for i := range k {
		for j := range i {
			d := t.length[j*k+i]
			if !t.sees(i, j) && !t.sees(j, i) {
				d -= (over[int(t.viewing[i])*k+j] + over[int(t.viewing[j])*k+i]) / 2
			}
			t.length[i*k+j], t.length[j*k+i] = d, d
		}
	}
	return t, nil
}

// look finds what representative r sees. count is scratch space, all 0.
func (t *Net) look(solver *shortest.Solver, count []int32, r int) {
	vertices, d := solver.Within(t.reach.radii*t.Radius, t.position[r])
	at, total := &t.seen[r], int32(0)
	for _, v := range vertices {
		cell := t.cell[v]
		if count[cell]++; count[cell] == t.start[cell+1]-t.start[cell] {
			at.whole = append(at.whole, cell)
			total += count[cell]
		}
	}
	for _, v := range vertices {
		count[t.cell[v]] = 0
	}
	slices.Sort(at.whole)
	at.distance = make([]float32, 0, total)
	for _, cell := range at.whole {
		t.length[r*len(count)+int(cell)] = d[t.position[cell]]
		for _, x := range d[t.start[cell]:t.start[cell+1]] {
			at.distance = append(at.distance, float32(x))
		}
	}
}

// sees reports whether all of cell j is within a hop of representative i.
func (t *Net) sees(i, j int) bool {
	_, found := slices.BinarySearch(t.seen[i].whole, int32(j))
	return found
}

// join sets the lengths of pairs that do not see each other: shortest paths along hops.
func (t *Net) join(ctx context.Context, far []float64, advance func(w int)) error {
	k := len(t.Representatives)
	var hops []graph.Edge
	for i := range t.seen {
		for _, j := range t.seen[i].whole {
			if i != int(j) && (i < int(j) || !t.sees(int(j), i)) {
				hops = append(hops, graph.Edge{U: int32(i), V: j, Weight: t.length[i*k+int(j)]})
			}
		}
	}
	// An edge of the graph may join two cells that do not see each other. A hop goes along it, so that hops lead wherever the graph does.
	across := map[[2]int32]float64{}
	for v, i := range t.Of {
		next, weights := t.graph.Neighbours(int32(v))
		for e, w := range next {
			if j := t.Of[w]; i < j && !t.sees(int(i), int(j)) && !t.sees(int(j), int(i)) {
				d, pair := far[v]+weights[e]+far[w], [2]int32{i, j}
				if known, ok := across[pair]; !ok || d < known {
					across[pair] = d
				}
			}
		}
	}
	for pair, d := range across {
		hops = append(hops, graph.Edge{U: pair[0], V: pair[1], Weight: d})
	}
	net, err := graph.New(k, hops)
	if err != nil {
		return err
	}
	solvers := make([]*shortest.Solver, parallel.Workers(k))
	return parallel.Each(ctx, len(solvers), k, func(w, i int) {
		defer advance(w)
		if solvers[w] == nil {
			solvers[w] = shortest.NewSolver(net)
		}
		solvers[w].Distances(t.length[i*k:][:k], int32(i))
	})
}

// Cells returns the cells with their mean distances. Vertex v counts as mass[v]. In a cell without mass all vertices count alike.
// Cells runs no Dijkstra search; its time is in proportion to what is seen.
//
// Let r and s be the representatives of the cells I and J. Their mean distance is taken to be d(r,s) + (mean over I of d(v,s) -
// d(r,s)) + (mean over J of d(r,w) - d(r,s)). If a representative does not see the whole of the other cell, the view nearest to it
// stands in.
func (t *Net) Cells(ctx context.Context, mass []float64) (*Cells, error) {
	n, k := len(t.order), len(t.Representatives)
	c := &Cells{Of: t.Of, Mass: make([]float64, k), Distance: make([]float64, k*k), further: make([]float64, k*k)}
	for at, cell := range t.cell {
		c.Mass[cell] += mass[t.order[at]]
	}
	weight := make([]float64, n) // in order, of total 1 in every cell
	for at, cell := range t.cell {
		if weight[at] = mass[t.order[at]] / c.Mass[cell]; !(c.Mass[cell] > 0) {
			weight[at] = 1 / float64(t.start[cell+1]-t.start[cell])
		}
	}
	afar := make([]float64, t.views*k) // c.further, of the views: as if no cell were seen whole
	if err := parallel.Each(ctx, parallel.Workers(t.views), t.views, func(_, a int) {
		row := t.row[a*n:][:n]
		for j := range k {
			from, to := t.start[j], t.start[j+1]
			if d := dot(weight[from:to], row[from:to]) - float64(row[t.position[j]]); !math.IsNaN(d) { // else no path leads there
				afar[a*k+j] = d
			}
		}
	}); err != nil {
		return nil, err
	}
	if err := parallel.Each(ctx, parallel.Workers(k), k, func(_, i int) {
		row, distance := c.further[i*k:][:k], t.seen[i].distance
		copy(row, afar[int(t.viewing[i])*k:])
		for _, j := range t.seen[i].whole {
			part := weight[t.start[j]:t.start[j+1]]
			row[j] = dot(part, distance[:len(part)]) - t.length[i*k+int(j)]
			distance = distance[len(part):]
		}
	}); err != nil {
		return nil, err
	}
	return c, parallel.Each(ctx, parallel.Workers(k), k, func(_, i int) {
		row, length, further := c.Distance[i*k:][:k], t.length[i*k:][:k], c.further[i*k:][:k]
		for j, d := range length {
			row[j] = max(0, d+(further[j]+c.further[j*k+i]))
		}
		row[i] = inCell * further[i]
	})
}

// dot is the sum of x_i y_i.
func dot(x []float64, y []float32) float64 {
	y = y[:len(x)]
	var even, odd float64
	i := 0
	for ; i+1 < len(x); i += 2 {
		even += x[i] * float64(y[i])
		odd += x[i+1] * float64(y[i+1])
	}
	if i < len(x) {
		even += x[i] * float64(y[i])
	}
	return even + odd
}

// inCell is the mean distance of two points of a disc over that of a point from its centre: 128/(45 pi) over 2/3.
const inCell = 1.3581

// Covers says whether every vertex with mass has a cell.
func (t *Net) Covers(mass []float64) bool {
	for v, x := range mass {
		if x > 0 && t.Of[v] < 0 {
			return false
		}
	}
	return true
}

// Hasty says whether the net was made in haste.
func (t *Net) Hasty() bool { return t.reach == hasty }

// Bytes is the memory that the net holds.
func (t *Net) Bytes() int64 {
	bytes := 4*int64(4*len(t.Of)+len(t.row)+len(t.near.Offsets)) + 12*int64(len(t.near.Targets)) + 8*int64(len(t.length))
	for _, s := range t.seen {
		bytes += 4 * int64(len(s.distance)+len(s.whole))
	}
	return bytes
}

// NetBytes estimates the bytes that a net of k cells of n vertices holds, with its kernel.
func NetBytes(n, k int) int64 {
	const within = 60 // a vertex is in a cell that so many representatives see whole, on surfaces
	const graph = 100 // bytes of a vertex with its edges and positions
	return (4*within+4*int64(accurate.views)+graph)*int64(n) + 5*8*int64(k)*int64(k)
}
