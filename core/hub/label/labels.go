// Package label finds the hub labels of a graph: for every cell of its separator tree, the distance in the whole graph from each
// vertex of its separator to each of its vertices. Two vertices' labels have a hub in common through which a shortest path
// runs, so that they answer any distance, and any path.
//
// Source: E. Cohen, E. Halperin, H. Kaplan and U. Zwick, "Reachability and distance queries via 2-hop labels", 2003; the hubs here
// are the separators of nested dissection.
package label

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"runtime"
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

	// Elsewhere computes labels that Worker.Rows computes, on one of Helpers
	// places that share no memory with this one, each asked for a few things at once; nil: it could not.
	Helpers   int
	Elsewhere func(helper int, w Work) []float64
}

// Work is a request for labels: those of the hubs at the ranks [From,To) of
// the cell [Lo,Hi) or, with Sizes, those of the cell's separator and of all below it. Starts
// holds how far the hubs are from outside: for each of them the distance at which each edge that leaves the
// cell enters it; or, with Sizes, for each cell, and each hub of it, the distance of the hubs next to the
// cell, where they are none of those asked for.
type Work struct {
	Lo, Hi, From, To int32
	Sizes            []int32   // 3 for each cell, parents before children, left before right: vertices left, right and in the separator
	Starts           []float64 // (To-From) x edges, in the order of their ranks inside and then outside; hubs x hubs outside, ascending
}

// pending is how many pieces of work a helper has at once: with further ones at
// hand it need not wait for the lead, which may answer between its own.
const pending = 6

// From depth subtreeDepth on helpers are asked for a cell with all below it, subtreePending at once.
const (
	subtreeDepth   = 3
	subtreePending = 2
)

// taskEdges is how many edges one task of Measure looks at, about: a few
// milliseconds of work. Less takes longer to ask for elsewhere than to do. A cell whose separator is large has tasks of as many hubs as
// help one another (between), as long as there are leastTasks.
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
	type task struct{ cell, from, to int32 } // hubs; or else cells, the first with all below it
	each := func(tasks []task, pending int, do func(s *measuring, t task) (labels int64)) error {
		here := parallel.Workers(len(tasks))
		workers := make([]measuring, here+pending*o.Helpers)
		for i := range workers {
			workers[i] = measuring{Worker: Worker{graph: t.Graph, lo: -1}, borders: borders, starts: starts, helper: -1}
			if i >= here {
				workers[i].helper = (i - here) % o.Helpers
			}
		}
		err := parallel.Each(ctx, len(workers), len(tasks), func(worker, i int) {
			if worker < here && o.Helpers > 0 {
				runtime.Gosched() // where there is one thread helpers are asked first
			}
			sum := done.Add(do(&workers[worker], tasks[i]))
			if o.Progress != nil {
				o.Progress("labels", float64(sum)/total)
			}
		})
		for i := range workers {
			l.Far = max(l.Far, workers[i].far)
		}
		return err
	}
	rows := func(s *measuring, t task) int64 {
		r := &l.Cells[t.cell]
		s.work(l, Work{Lo: r.Lo, Hi: r.Hi, From: t.from, To: t.to}, o.Elsewhere)
		return int64(t.to-t.from) * int64(r.Hi-r.Lo)
	}
	for depth, level := range byDepth {
		var tasks []task
		if depth == subtreeDepth && o.Helpers > 0 {
			for _, at := range level {
				tasks = append(tasks, task{at, at, l.Below(at)})
			}
			slices.SortFunc(tasks, func(a, b task) int { return cmp.Compare(l.Labels(b.from, b.to), l.Labels(a.from, a.to)) }) // the larger first
			if err := each(tasks, subtreePending, func(s *measuring, t task) int64 { return s.subtree(ctx, l, t.from, t.to, o.Elsewhere) }); err != nil {
				return nil, err
			}
			break
		}
		for _, at := range level {
			for from, to := range stretches(t, at) {
				tasks = append(tasks, task{at, from, to})
			}
		}
		if err := each(tasks, pending, rows); err != nil {
			return nil, err
		}
		starts.drop(level)
		for _, at := range level {
			borders[at] = nil
		}
	}
	if err := ctx.Err(); err != nil { // a subtree may have given up
		return nil, err
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

// measuring is one of Measure's workers, here or, from helper 0 on, elsewhere.
type measuring struct {
	Worker
	borders []func() border // by cell, found once for all workers
	starts  *starts         // nil: the labels are not rounded
	helper  int
	lost    bool
	buffer  []float64 // rows
	ways    []float64 // Work.Starts
	far     float64   // the greatest label so far
}

func (s *measuring) work(l *Labels, w Work, elsewhere func(int, Work) []float64) {
	s.begin(l, &w)
	count := int(w.To-w.From) * int(w.Hi-w.Lo)
	rows := s.ask(w, count, elsewhere)
	if rows == nil && l.Long != nil { // found where they are stored
		at := l.Owner[w.From]
		rows = l.Long[at][int(w.From-l.Cells[at].Sep)*int(w.Hi-w.Lo):][:count]
		s.rows(rows, w)
	} else {
		if rows == nil {
			s.buffer = buffer.Sized(s.buffer, count)
			rows = s.buffer
			s.rows(rows, w)
		}
		l.PutRows(w.From, w.Lo, rows, true)
	}
	s.far = max(s.far, greatest(rows))
	if s.starts != nil {
		width := int(w.Hi - w.Lo)
		for hub := w.From; hub < w.To; hub++ {
			s.starts.take(l.Tree, hub, w.Lo, rows[int(hub-w.From)*width:][:width])
		}
	}
}

// ask has the helper do the work, unless there is none or it could not before; nil: it does not.
func (s *measuring) ask(w Work, count int, elsewhere func(int, Work) []float64) []float64 {
	if s.helper < 0 || s.lost {
		return nil
	}
	rows := elsewhere(s.helper, w)
	if s.lost = len(rows) != count; s.lost {
		return nil
	}
	return rows
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

// begin turns to the cell and finds the starts.
func (s *measuring) begin(l *Labels, w *Work) {
	at := l.Owner[w.From]
	b := s.borders[at]()
	s.turnTo(w.Lo, w.Hi, func() []arc { return b.edges })
	s.ways = buffer.Sized(s.ways, int(w.To-w.From)*len(b.edges)) // all are set
	w.Starts = s.ways
	if s.starts == nil {
		for i, a := range b.edges {
			for hub, d := range l.Row(&s.buffer, a.out, w.From, w.To) {
				w.Starts[hub*len(b.edges)+i] = d + a.weight
			}
		}
		return
	}
	to := w.Starts
	for hub := w.From; hub < w.To; hub++ {
		from := s.starts.dist[at][int(hub-l.Cells[at].Sep)*len(s.starts.around[at]):]
		for i, a := range b.edges {
			to[i] = from[b.out[i]] + a.weight
		}
		to = to[len(b.edges):]
	}
}

// subtree finds the labels of the cells [at,end), the first and all below it. It returns how many. Once ctx
// has ended some are left out.
func (s *measuring) subtree(ctx context.Context, l *Labels, at, end int32, elsewhere func(int, Work) []float64) (labels int64) {
	labels = l.Labels(at, end)
	rows := s.ask(s.all(l, at, end), int(labels), elsewhere)
	if rows == nil {
		s.descend(ctx, l, at, end)
		return labels
	}
	s.far = max(s.far, greatest(rows))
	for i := at; i < end; i++ {
		r := &l.Cells[i]
		if r.Sep < r.Hi {
			l.PutRows(r.Sep, r.Lo, rows[:r.Labels()], true)
		}
		rows = rows[r.Labels():]
	}
	return labels
}

// descend computes the labels of the cells [at,end), here. Once ctx has ended some are left out.
func (s *measuring) descend(ctx context.Context, l *Labels, at, end int32) {
	for i := at; i < end; i++ {
		r := &l.Cells[i]
		for from, to := range stretches(l.Tree, i) {
			if ctx.Err() != nil {
				return
			}
			s.work(l, Work{Lo: r.Lo, Hi: r.Hi, From: from, To: to}, nil)
		}
	}
}

// all is the work of the cells [at,end).
func (s *measuring) all(l *Labels, at, end int32) Work {
	root := &l.Cells[at]
	w := Work{Lo: root.Lo, Hi: root.Hi, From: root.Sep, To: root.Hi}
	if s.helper < 0 || s.lost {
		return w // nobody is asked
	}
	var seen []bool
	if s.starts == nil {
		seen = make([]bool, l.Len())
	}
	for i := at; i < end; i++ {
		r := &l.Cells[i]
		w.Sizes = append(w.Sizes, r.Mid-r.Lo, r.Sep-r.Mid, r.Hi-r.Sep)
		if s.starts != nil {
			w.Starts = append(w.Starts, s.starts.dist[i]...)
			continue
		}
		around := r.Around(l.Graph, seen)
		for hub := r.Sep; hub < r.Hi; hub++ {
			for _, o := range around {
				if o >= root.Lo && o < root.Hi {
					w.Starts = append(w.Starts, 0) // not known yet
				} else {
					w.Starts = append(w.Starts, l.At(o, hub))
				}
			}
		}
	}
	return w
}

// Worker computes labels of one graph, numbered by rank. It keeps what it
// knows of the cell that it was asked about last.
type Worker struct {
	graph    *graph.Graph
	lo, hi   int32
	boundary []arc            // the edges that leave the cell
	part     graph.Graph      // the cell, once it is turned there
	stepper  shortest.Stepper // of that
	turned   bool

	seeds   []int32
	offsets []float64
}

// arc is an edge from a rank in a cell to a hub outside it.
type arc struct {
	in, out int32
	weight  float64
}

// NewWorker returns a worker for a tree's graph: Tree.Graph.
func NewWorker(g *graph.Graph) *Worker { return &Worker{graph: g, lo: -1} }

// Rows computes labels: (To-From) x (Hi-Lo) or, with Sizes, for each cell separator x all. Work that does
// not fit the graph is an error; once ctx has ended that is.
func (s *Worker) Rows(ctx context.Context, w Work) ([]float64, error) {
	if w.Lo < 0 || w.Lo > w.From || w.From > w.To || w.To > w.Hi || int(w.Hi) > s.graph.Len() {
		return nil, fmt.Errorf("label: ranks %d to %d of cell %d to %d, of %d", w.From, w.To, w.Lo, w.Hi, s.graph.Len())
	}
	for i, d := range w.Starts {
		if !(d >= 0) {
			return nil, fmt.Errorf("label: start %d is %g", i, d)
		}
	}
	if len(w.Sizes) > 0 {
		return s.subtree(ctx, w)
	}
	s.turnTo(w.Lo, w.Hi, func() []arc { return boundary(s.graph, w.Lo, w.Hi) })
	if len(w.Starts) != int(w.To-w.From)*len(s.boundary) {
		return nil, fmt.Errorf("label: %d starts for %d hubs and %d edges", len(w.Starts), w.To-w.From, len(s.boundary))
	}
	rows := make([]float64, int(w.To-w.From)*int(w.Hi-w.Lo))
	s.rows(rows, w)
	return rows, nil
}

// subtree is Rows of a cell with all below it.
func (s *Worker) subtree(ctx context.Context, w Work) ([]float64, error) {
	t, err := septree.Subtree(s.graph, w.Sizes, w.Lo, w.Hi)
	if err != nil {
		return nil, err
	}
	starts := newStarts(t)
	starts.allocate(t)
	for i, dist := range starts.dist {
		if len(dist) > len(w.Starts) {
			return nil, fmt.Errorf("label: %d starts for the %d of cell %d", len(w.Starts), len(dist), i)
		}
		w.Starts = w.Starts[copy(dist, w.Starts):]
	}
	if len(w.Starts) > 0 {
		return nil, fmt.Errorf("label: %d starts left over", len(w.Starts))
	}
	l := &Labels{Tree: t, Values: NewValues(t, Float64)}
	own := measuring{Worker: Worker{graph: s.graph, lo: -1}, borders: borders(t, starts), starts: starts, helper: -1}
	own.descend(ctx, l, 0, int32(len(t.Cells)))
	return slices.Concat(l.Long...), ctx.Err()
}

// turnTo turns to the cell [lo,hi), whose boundary is asked for unless it is at that one.
func (s *Worker) turnTo(lo, hi int32, boundary func() []arc) {
	if s.lo != lo || s.hi != hi {
		s.lo, s.hi, s.boundary, s.turned = lo, hi, boundary(), false
	}
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
func (s *Worker) rows(dst []float64, w Work) {
	if !s.turned {
		inside(&s.part, s.graph, w.Lo, w.Hi)
		s.stepper.Turn(&s.part)
		s.turned = true
	}
	width := int(w.Hi - w.Lo)
	row := func(i int32) []float64 { return dst[int(i)*width:][:width] }
	search := func(i, a, b int32) { // given the rows a and b
		hub, starts := w.From+i-w.Lo, w.Starts[int(i)*len(s.boundary):]
		s.seeds, s.offsets = append(s.seeds[:0], hub), append(s.offsets[:0], 0)
		for i, a := range s.boundary {
			s.seeds, s.offsets = append(s.seeds, a.in-w.Lo), append(s.offsets, starts[i])
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
	last := w.To - w.From - 1
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
