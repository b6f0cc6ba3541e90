// Package label finds the hub labels of a graph: for every cell of its separator tree, the distance in the whole graph from each
// vertex of its separator to each of its vertices. Two vertices' labels have a hub in common through which a shortest path
// runs, so that they answer any distance, and any path.
//
// Source: E. Cohen, E. Halperin, H. Kaplan and U. Zwick, "Reachability and distance queries via 2-hop labels", 2003; the hubs here
// are the separators of nested dissection.
package label

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"genussink/core/graph"
	"genussink/core/internal/buffer"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
	"genussink/core/septree"
	"genussink/core/shortest"
)

// Labels are the hub labels of a graph: for every cell of its tree, the
// distance in the whole graph from each vertex of its separator to each of its
// vertices. With float32 they are rounded up, so that no path gets shorter, and
// a distance is at most 2^-23 of itself too long. They do not change after
// Measure and any number of goroutines may read them.
type Labels struct {
	*septree.Tree
	Values
	Far   float64 // the greatest label
	Reach float64 // no distance is greater
	Scale Scale   // of the labels
}

// MeasureOptions of Measure. The zero value works.
type MeasureOptions struct {
	Precision   Precision
	MemoryLimit int64 // bytes that the labels may take, and what they are made from; 0: any number
	Progress    func(stage string, fraction float64)
}

// taskEdges is about how many edges one task of Measure looks at: a few milliseconds of work. Hubs of one task help one another, up to between of
// them. So a cell with a large separator has longer tasks, but at least leastTasks.
const (
	taskEdges  = 1 << 17
	leastTasks = 8
)

// Measure computes the labels of a tree, depth by depth, because a cell's
// distances start from those of the hubs around it. Time is that of one search
// (shortest.Stepper) inside each cell for each vertex of its separator.
// Beyond the memory limit the error is a *linop.MemoryError, for lengths beyond
// float32 it is ErrFloat32.
func Measure(ctx context.Context, t *septree.Tree, o MeasureOptions) (*Labels, error) {
	if o.Precision != Float32 && o.Precision != Float64 {
		return nil, fmt.Errorf("label: precision %d is neither Float32 nor Float64", o.Precision)
	}
	need := Bytes(t, o.Precision)
	var starts *starts
	if o.Precision == Float32 {
		starts = newStarts(t)
		need += starts.bytes(t)
	}
	if o.MemoryLimit > 0 && need > o.MemoryLimit {
		return nil, &linop.MemoryError{What: "label: labels", Vertices: t.Len(), Need: need, Limit: o.MemoryLimit}
	}
	starts.allocate(t)
	l := &Labels{Tree: t, Values: NewValues(t, o.Precision)}
	byDepth := [][]int32{}
	for i := range t.Cells {
		r := &t.Cells[i]
		for int(r.Depth) >= len(byDepth) {
			byDepth = append(byDepth, nil)
		}
		byDepth[r.Depth] = append(byDepth[r.Depth], int32(i))
	}
	total := float64(numberBytes(t, o.Precision) / o.Precision.Bytes())
	var done atomic.Int64
	borders := borders(t, starts)
	for _, level := range byDepth {
		var tasks []task
		for _, at := range level {
			for from, to := range stretches(t, at) {
				tasks = append(tasks, task{at, from, to})
			}
		}
		workers := make([]worker, parallel.Workers(len(tasks)))
		for i := range workers {
			workers[i] = worker{labels: l, borders: borders, starts: starts, cell: -1}
		}
		err := parallel.Each(ctx, len(workers), len(tasks), func(w, i int) {
			sum := done.Add(workers[w].measure(tasks[i]))
			if o.Progress != nil {
				o.Progress("labels", float64(sum)/total)
			}
		})
		if err != nil {
			return nil, err
		}
		for i := range workers {
			l.Far = max(l.Far, workers[i].far)
		}
		starts.drop(level)
		for _, at := range level {
			borders[at] = nil
		}
	}
	if err := l.fit(o.Precision); err != nil {
		return nil, err
	}
	l.measured()
	return l, nil
}

// Rounded is the labels as Measure would have them with float32. They share the
// tree. Distances beyond float32 are ErrFloat32.
func (l *Labels) Rounded() (*Labels, error) {
	if err := l.fit(Float32); err != nil {
		return nil, err
	}
	short := &Labels{Tree: l.Tree, Values: NewValues(l.Tree, Float32), Far: l.Far}
	var buffer []float64
	for i := range l.Cells {
		r := &l.Cells[i]
		for h := r.Sep; h < r.Hi; h++ {
			short.PutRows(h, r.Lo, l.Row(&buffer, h, r.Lo, r.Hi), true)
		}
	}
	short.measured()
	return short, nil
}

// tiny is so long that float32 holds a distance of a 2^24th of it with all its digits.
const tiny = 0x1p-102

// fit refuses distances that the precision cannot hold.
func (l *Labels) fit(p Precision) error {
	if p == Float32 && (l.Far > math.MaxFloat32 || l.Far > 0 && l.Far < tiny) {
		return fmt.Errorf("label: distances up to %g are outside the range of float32: %w", l.Far, ErrFloat32)
	}
	return nil
}

// measured finds the reach once the labels are there, and the greatest label as it is stored.
func (l *Labels) measured() {
	if l.Short != nil {
		l.Far = float64(Round32(l.Far, true))
	}
	l.Scale = scaleTo(l.Far)
	for i := range l.Cells {
		if l.Cells[i].Parent < 0 {
			l.Reach = max(l.Reach, l.diameter(int32(i)))
		}
	}
}

// diameter is an upper bound on the distance of two vertices of a component's
// root: twice the reach of its most central hub.
func (l *Labels) diameter(root int32) float64 {
	r := &l.Cells[root]
	bound := math.Inf(1)
	for s := r.Sep; s < r.Hi; s++ {
		bound = min(bound, 2*l.Greatest(s, r.Lo, r.Hi))
	}
	if math.IsInf(bound, 1) {
		return 0 // no vertices
	}
	return bound
}

// stretches are the hubs of a cell, [from,to), that take one task each.
func stretches(t *septree.Tree, at int32) iter.Seq2[int32, int32] {
	r := &t.Cells[at]
	degree := 1 + len(t.Graph.Targets)/max(1, t.Graph.Len())
	hubs := int32(max(1, taskEdges/(degree*int(r.Hi-r.Lo)), min(int(r.Hi-r.Sep)/leastTasks, between+1)))
	return func(yield func(from, to int32) bool) {
		for from := r.Sep; from < r.Hi && yield(from, min(from+hubs, r.Hi)); from += hubs {
		}
	}
}

// starts are the distances in float64 that rows are still to start from: the
// labels themselves are rounded, and one cell after the other would add to that.
type starts struct {
	around [][]int32   // by cell: the hubs next to it, ascending
	dist   [][]float64 // by cell: (hi-sep) x around
	wanted [][]wanted  // by hub: who asks for its distances
}

// wanted is a hub's rank among those around a cell.
type wanted struct{ cell, at int32 }

func newStarts(t *septree.Tree) *starts {
	k := &starts{around: make([][]int32, len(t.Cells)), wanted: make([][]wanted, t.Graph.Len())}
	seen := make([]bool, t.Graph.Len())
	for i := range t.Cells {
		if r := &t.Cells[i]; r.Sep < r.Hi {
			k.around[i] = r.Around(t.Graph, seen)
		}
		for at, h := range k.around[i] {
			k.wanted[h] = append(k.wanted[h], wanted{int32(i), int32(at)})
		}
	}
	return k
}

func (k *starts) bytes(t *septree.Tree) (sum int64) {
	for i := range t.Cells {
		r := &t.Cells[i]
		sum += 8 * int64(len(k.around[i])) * int64(r.Hi-r.Sep)
	}
	return sum
}

func (k *starts) allocate(t *septree.Tree) {
	if k == nil {
		return
	}
	k.dist = make([][]float64, len(t.Cells))
	for i := range t.Cells {
		r := &t.Cells[i]
		k.dist[i] = make([]float64, len(k.around[i])*int(r.Hi-r.Sep))
	}
}

// take keeps what is wanted of the row of the hub at rank h, whose cell
// begins at lo.
func (k *starts) take(t *septree.Tree, h, lo int32, row []float64) {
	for _, w := range k.wanted[h] {
		r := &t.Cells[w.cell]
		count := len(k.around[w.cell])
		to := k.dist[w.cell][w.at:]
		for i, d := range row[r.Sep-lo : r.Hi-lo] {
			to[i*count] = d
		}
	}
}

// drop forgets what cells started from that are done.
func (k *starts) drop(cells []int32) {
	if k == nil {
		return
	}
	for _, i := range cells {
		k.around[i], k.dist[i] = nil, nil
	}
}

// task asks for the labels of some hubs of a cell: those at the ranks [from,to).
type task struct{ cell, from, to int32 }

// worker is one of Measure's. It keeps what it knows of the cell that it measured last.
type worker struct {
	labels  *Labels
	borders []func() border // by cell, found once for all workers
	starts  *starts         // nil: the labels are not rounded

	cell    int32 // -1: none yet
	border  border
	part    graph.Graph      // the cell
	stepper shortest.Stepper // of that

	buffer  []float64 // rows
	ways    []float64 // hubs x edges of the border: how far a hub is from outside, by each
	seeds   []int32
	offsets []float64
	far     float64 // the greatest label so far
}

// measure finds labels and stores them. It returns how many.
func (s *worker) measure(t task) int64 {
	l, r := s.labels, &s.labels.Cells[t.cell]
	s.begin(t)
	width := int(r.Hi - r.Lo)
	count := int(t.to-t.from) * width
	var rows []float64
	if l.Long != nil { // found where they are stored
		rows = l.Long[t.cell][int(t.from-r.Sep)*width:][:count]
	} else {
		s.buffer = buffer.Sized(s.buffer, count)
		rows = s.buffer
	}
	s.rows(rows, t)
	if l.Long == nil {
		l.PutRows(t.from, r.Lo, rows, true)
	}
	s.far = max(s.far, greatest(rows))
	if s.starts != nil {
		for hub := t.from; hub < t.to; hub++ {
			s.starts.take(l.Tree, hub, r.Lo, rows[int(hub-t.from)*width:][:width])
		}
	}
	return int64(count)
}

// border is how a cell's hubs are reached from outside.
type border struct {
	edges []arc
	out   []int32 // by edge: the rank of its outer end among the hubs around that are kept; nil without these
}

// borders are those of the cells, each found when it is first asked for.
func borders(t *septree.Tree, k *starts) []func() border {
	all := make([]func() border, len(t.Cells))
	for at := range all {
		all[at] = sync.OnceValue(func() border {
			r := &t.Cells[at]
			b := border{edges: boundary(t.Graph, r.Lo, r.Hi)}
			if k != nil {
				b.out = make([]int32, len(b.edges))
				for i, a := range b.edges {
					j, _ := slices.BinarySearch(k.around[at], a.out)
					b.out[i] = int32(j)
				}
			}
			return b
		})
	}
	return all
}

// begin turns to the cell and finds how far its hubs are from outside.
func (s *worker) begin(t task) {
	l, r := s.labels, &s.labels.Cells[t.cell]
	if s.cell != t.cell {
		s.cell, s.border = t.cell, s.borders[t.cell]()
		inside(&s.part, l.Graph, r.Lo, r.Hi)
		s.stepper.Turn(&s.part)
	}
	edges := s.border.edges
	s.ways = buffer.Sized(s.ways, int(t.to-t.from)*len(edges)) // all are set
	if s.starts == nil {
		for i, a := range edges {
			for hub, d := range l.Row(&s.buffer, a.out, t.from, t.to) {
				s.ways[hub*len(edges)+i] = d + a.weight
			}
		}
		return
	}
	to := s.ways
	for hub := t.from; hub < t.to; hub++ {
		from := s.starts.dist[t.cell][int(hub-r.Sep)*len(s.starts.around[t.cell]):]
		for i, a := range edges {
			to[i] = from[s.border.out[i]] + a.weight
		}
		to = to[len(edges):]
	}
}

// arc is an edge from a rank in a cell to a hub outside it.
type arc struct {
	in, out int32
	weight  float64
}

// between is the most hubs that stand between two whose rows help to find theirs, and one more.
const between = 16

// rows finds the rows of hubs that follow one another in a separator, and so are close together mostly. The ways through two
// of them bound the distances from those between: only what these are nearer to is searched. First comes the last of up to 17 hubs, by
// the way through the first, then the one in the middle, then those in the middle of either half, and so on. On a lattice
// a third of all vertices need not be visited, on a mesh a sixth.
//
// Where a bound stays, a path through its vertex is shorter by at most shortest.NoShorter of itself, and the bounds of neighbours differ
// by no more than the edge between them. So a label is too long by at most that share for each step from the first hub to its own: for 17
// hubs five. That is a twentieth of Precision.Unit.
func (s *worker) rows(dst []float64, t task) {
	lo, width := s.labels.Cells[t.cell].Lo, s.part.Len()
	row := func(i int32) []float64 { return dst[int(i)*width:][:width] }
	search := func(i, a, b int32) { // given the rows a and b
		hub, ways := t.from+i-lo, s.ways[int(i)*len(s.border.edges):]
		s.seeds, s.offsets = append(s.seeds[:0], hub), append(s.offsets[:0], 0)
		for i, a := range s.border.edges {
			s.seeds, s.offsets = append(s.seeds, a.in-lo), append(s.offsets, ways[i])
		}
		if i == 0 {
			s.stepper.Seeded(row(i), s.seeds, s.offsets)
			return
		}
		through(row(i), row(a), row(b), hub)
		s.stepper.Lower(row(i), s.seeds, s.offsets)
	}
	var fill func(a, b int32)
	fill = func(a, b int32) {
		if i := (a + b) / 2; a < i {
			search(i, a, b)
			fill(a, i)
			fill(i, b)
		}
	}
	last := t.to - t.from - 1
	for a, b := int32(0), int32(0); b <= last; a, b = b, max(b+1, min(b+between, last)) {
		search(b, a, a)
		fill(a, b)
	}
}

// through fills dst with the lengths of the shorter ways to a vertex through either of two, given the distances from these.
func through(dst, a, b []float64, to int32) {
	x, y := a[to], b[to]
	a, b = a[:len(dst)], b[:len(dst)]
	for v := range dst {
		d := a[v] + x
		if e := b[v] + y; e < d { // min is a call in WebAssembly
			d = e
		}
		dst[v] = d
	}
}

// boundary lists the edges that leave the ranks [lo,hi).
func boundary(g *graph.Graph, lo, hi int32) (edges []arc) {
	for v := lo; v < hi; v++ {
		to, w := g.Neighbours(v)
		for k, t := range to {
			if t < lo || t >= hi {
				edges = append(edges, arc{v, t, w[k]})
			}
		}
	}
	return edges
}

// inside makes part the subgraph induced on the ranks [lo,hi), numbered from 0.
func inside(part, g *graph.Graph, lo, hi int32) {
	part.Offsets, part.Targets, part.Weights = append(part.Offsets[:0], 0), part.Targets[:0], part.Weights[:0]
	for v := lo; v < hi; v++ {
		to, w := g.Neighbours(v)
		for k, t := range to {
			if t >= lo && t < hi {
				part.Targets, part.Weights = append(part.Targets, t-lo), append(part.Weights, w[k])
			}
		}
		part.Offsets = append(part.Offsets, int32(len(part.Targets)))
	}
}

// Bytes is the memory that the labels of a tree take, in bytes.
func Bytes(t *septree.Tree, p Precision) int64 { return int64(12*t.Len()) + numberBytes(t, p) }

// Distance is the length of a shortest path between two vertices, +Inf where
// none leads.
func (l *Labels) Distance(i, j int32) float64 {
	_, d := l.through(l.Rank[i], l.Rank[j])
	return d
}

// through is the hub of a shortest path between two ranks, one of them or one of those of the cell that separates them,
// and its length; -1 and +Inf where none leads.
func (l *Labels) through(p, q int32) (hub int32, d float64) {
	a, b := l.Owner[p], l.Owner[q]
	for a != b { // climb to the cell that separates the two, or that has one in its separator
		if l.Cells[a].Depth < l.Cells[b].Depth {
			a, b, p, q = b, a, q, p
		}
		if a = l.Cells[a].Parent; a < 0 {
			return -1, math.Inf(1) // two components
		}
	}
	r := &l.Cells[a]
	if p >= r.Sep {
		return p, l.At(p, q)
	}
	if q >= r.Sep {
		return q, l.At(q, p)
	}
	hub, d = -1, math.Inf(1)
	for _, h := range r.Hubs {
		if way := l.At(h, p) + l.At(h, q); way < d {
			hub, d = h, way
		}
	}
	return hub, d
}

// Distances fills dst (len n, nil allocates) with the distances of all
// vertices from vertex i. Any number of goroutines may call it.
func (l *Labels) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	if dst == nil {
		dst = make([]float64, l.Len())
	} else if len(dst) != l.Len() {
		panic("label: Distances: destination has the wrong length")
	}
	for v := range dst {
		dst[v] = math.Inf(1)
	}
	p := l.Rank[i]
	var buffer []float64
	own := &l.Cells[l.Owner[p]]
	for k, d := range l.Row(&buffer, p, own.Lo, own.Hi) {
		dst[l.Order[int(own.Lo)+k]] = d
	}
	for below, at := l.Owner[p], own.Parent; at >= 0; below, at = at, l.Cells[at].Parent {
		r := &l.Cells[at]
		for s := r.Sep; s < r.Hi; s++ {
			dst[l.Order[s]] = l.At(s, p)
		}
		lo, hi := r.Lo, r.Mid // the other side
		if below == r.Left {
			lo, hi = r.Mid, r.Sep
		}
		for n, h := range r.Hubs {
			if n%16 == 0 && ctx.Err() != nil {
				break
			}
			row := l.Row(&buffer, h, lo, hi)
			d := l.At(h, p)
			for k, v := range l.Order[lo:hi] {
				dst[v] = min(dst[v], d+row[k])
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return dst, nil
}

var _ linop.Distancer = (*Labels)(nil)
