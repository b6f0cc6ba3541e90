package hub

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
	"genussink/core/internal/parallel"
	"genussink/core/linop"
	"genussink/core/shortest"
)

// Labels are the hub labels of a graph: for every region of its tree, the
// distance in the whole graph from each vertex of its separator to each of its
// vertices. With float32 they are rounded up, so that no path gets shorter, and
// a distance is at most 2^-23 of itself too long. They do not change after
// Measure and any number of goroutines may read them.
type Labels struct {
	*Tree
	numbers
	far   float64 // the greatest label
	reach float64 // no distance is greater
	scale scale   // of the labels
}

// MeasureOptions of Measure. The zero value works.
type MeasureOptions struct {
	Precision   Precision
	MemoryLimit int64 // bytes that the labels may take, and what they are made from; 0: any number
	Progress    func(stage string, fraction float64)

	// Elsewhere computes labels that Surveyor.Rows computes, on one of Helpers
	// places that share no memory with this one, each asked for a few things at once; nil: it could not.
	Helpers   int
	Elsewhere func(helper int, w Work) []float64
}

// Work is a request for labels: those of the hubs at the places [From,To) of
// the region [Lo,Hi) or, with Sizes, those of the region's separator and of all below it. Starts
// holds how far the hubs are from outside: for each of them the distance at which each edge that leaves the
// region enters it; or, with Sizes, for each region, and each hub of it, the distance of the hubs next to the
// region, where they are none of those asked for.
type Work struct {
	Lo, Hi, From, To int32
	Sizes            []int32   // 3 for each region, parents before children, left before right: vertices left, right and in the separator
	Starts           []float64 // (To-From) x edges, in the order of their places inside and then outside; hubs x hubs outside, ascending
}

// pending is how many pieces of work a helper has at once: with further ones at
// hand it need not wait for the lead, which may answer between its own.
const pending = 6

// From depth branchDepth on helpers are asked for a region with all below it, branchPending at once.
const (
	branchDepth   = 3
	branchPending = 2
)

// taskSteps is how many edges one task of Measure looks at, about: a few
// milliseconds of work. Less takes longer to ask for elsewhere than to do.
const taskSteps = 1 << 17

// Measure computes the labels of a tree, depth by depth, because a region's
// distances start from those of the hubs around it. Time is that of one run of
// Dijkstra's algorithm inside each region for each vertex of its separator.
// Beyond the memory limit the error is a *linop.MemoryError, for lengths beyond
// float32 it is ErrFloat32.
func Measure(ctx context.Context, t *Tree, o MeasureOptions) (*Labels, error) {
	need := LabelBytes(t, o.Precision)
	var starts *starts
	if o.Precision == Float32 {
		starts = newStarts(t)
		need += starts.bytes(t)
	}
	if o.MemoryLimit > 0 && need > o.MemoryLimit {
		return nil, &linop.MemoryError{What: "hub: labels", Vertices: t.Len(), Need: need, Limit: o.MemoryLimit}
	}
	starts.allocate(t)
	l := &Labels{Tree: t, numbers: newNumbers(t, o.Precision)}
	byDepth := [][]int32{}
	for i := range t.regions {
		r := &t.regions[i]
		for int(r.deep) >= len(byDepth) {
			byDepth = append(byDepth, nil)
		}
		byDepth[r.deep] = append(byDepth[r.deep], int32(i))
	}
	total := float64(numberBytes(t, o.Precision) / o.Precision.bytes())
	var done atomic.Int64
	borders := t.borders(starts)
	type task struct{ region, from, to int32 } // hubs; or else regions, the first with all below it
	each := func(tasks []task, pending int, do func(s *surveying, t task) (labels int64)) error {
		here := parallel.Workers(len(tasks))
		workers := make([]surveying, here+pending*o.Helpers)
		for i := range workers {
			workers[i] = surveying{Surveyor: Surveyor{graph: t.graph, lo: -1}, borders: borders, starts: starts, helper: -1}
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
			l.far = max(l.far, workers[i].far)
		}
		return err
	}
	rows := func(s *surveying, t task) int64 {
		r := &l.regions[t.region]
		s.work(l, Work{Lo: r.lo, Hi: r.hi, From: t.from, To: t.to}, o.Elsewhere)
		return int64(t.to-t.from) * int64(r.hi-r.lo)
	}
	for depth, level := range byDepth {
		var tasks []task
		if depth == branchDepth && o.Helpers > 0 {
			for _, at := range level {
				tasks = append(tasks, task{at, at, l.below(at)})
			}
			slices.SortFunc(tasks, func(a, b task) int { return cmp.Compare(l.under(b.from, b.to), l.under(a.from, a.to)) }) // the larger first
			if err := each(tasks, branchPending, func(s *surveying, t task) int64 { return s.branch(ctx, l, t.from, t.to, o.Elsewhere) }); err != nil {
				return nil, err
			}
			break
		}
		for _, at := range level {
			for from, to := range t.stretches(at) {
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
	short := &Labels{Tree: l.Tree, numbers: newNumbers(l.Tree, Float32), far: l.far}
	var buffer []float64
	for i := range l.regions {
		r := &l.regions[i]
		for h := r.sep; h < r.hi; h++ {
			short.put(h, r.lo, l.stretch(&buffer, h, r.lo, r.hi), true)
		}
	}
	short.measured()
	return short, nil
}

// tiny is so long that float32 holds a distance of a 2^24th of it with all its digits.
const tiny = 0x1p-102

// fit refuses distances that the precision cannot hold.
func (l *Labels) fit(p Precision) error {
	if p == Float32 && (l.far > math.MaxFloat32 || l.far > 0 && l.far < tiny) {
		return fmt.Errorf("hub: distances up to %g are outside the range of float32: %w", l.far, ErrFloat32)
	}
	return nil
}

// measured finds the reach once the labels are there, and the greatest label as it is stored.
func (l *Labels) measured() {
	if l.short != nil {
		l.far = float64(rounded(l.far, true))
	}
	l.scale = scaleTo(l.far)
	for i := range l.regions {
		if l.regions[i].parent < 0 {
			l.reach = max(l.reach, l.diameter(int32(i)))
		}
	}
}

// diameter is an upper bound on the distance of two vertices of a component's
// root: twice the reach of its most central hub.
func (l *Labels) diameter(root int32) float64 {
	r := &l.regions[root]
	bound := math.Inf(1)
	for s := r.sep; s < r.hi; s++ {
		bound = min(bound, 2*l.greatest(s, r.lo, r.hi))
	}
	if math.IsInf(bound, 1) {
		return 0 // no vertices
	}
	return bound
}

// stretches are the hubs of a region, [from,to), that take one task each.
func (t *Tree) stretches(at int32) iter.Seq2[int32, int32] {
	r := &t.regions[at]
	degree := 1 + len(t.graph.Targets)/max(1, t.graph.Len())
	hubs := int32(max(1, taskSteps/(degree*int(r.hi-r.lo))))
	return func(yield func(from, to int32) bool) {
		for from := r.sep; from < r.hi && yield(from, min(from+hubs, r.hi)); from += hubs {
		}
	}
}

// starts are the distances in float64 that rows are still to start from: the
// labels themselves are rounded, and one region after the other would add to that.
type starts struct {
	around [][]int32   // by region: the hubs next to it, ascending
	dist   [][]float64 // by region: (hi-sep) x around
	wanted [][]wanted  // by hub: who asks for its distances
}

// wanted is a hub's place among those around a region.
type wanted struct{ region, at int32 }

func newStarts(t *Tree) *starts {
	k := &starts{around: make([][]int32, len(t.regions)), wanted: make([][]wanted, t.graph.Len())}
	seen := make([]bool, t.graph.Len())
	for i := range t.regions {
		if r := &t.regions[i]; r.sep < r.hi {
			k.around[i] = r.around(t.graph, seen)
		}
		for at, h := range k.around[i] {
			k.wanted[h] = append(k.wanted[h], wanted{int32(i), int32(at)})
		}
	}
	return k
}

func (k *starts) bytes(t *Tree) (sum int64) {
	for i := range t.regions {
		r := &t.regions[i]
		sum += 8 * int64(len(k.around[i])) * int64(r.hi-r.sep)
	}
	return sum
}

func (k *starts) allocate(t *Tree) {
	if k == nil {
		return
	}
	k.dist = make([][]float64, len(t.regions))
	for i := range t.regions {
		r := &t.regions[i]
		k.dist[i] = make([]float64, len(k.around[i])*int(r.hi-r.sep))
	}
}

// take keeps what is wanted of the row of the hub at place h, whose region
// begins at lo.
func (k *starts) take(t *Tree, h, lo int32, row []float64) {
	for _, w := range k.wanted[h] {
		r := &t.regions[w.region]
		count := len(k.around[w.region])
		to := k.dist[w.region][w.at:]
		for i, d := range row[r.sep-lo : r.hi-lo] {
			to[i*count] = d
		}
	}
}

// drop forgets what regions started from that are done.
func (k *starts) drop(regions []int32) {
	if k == nil {
		return
	}
	for _, i := range regions {
		k.around[i], k.dist[i] = nil, nil
	}
}

// surveying is a worker of Measure, here or, from helper 0 on, elsewhere.
type surveying struct {
	Surveyor
	borders []func() border // by region, found once for all workers
	starts  *starts         // nil: the labels are not rounded
	helper  int
	lost    bool
	buffer  []float64 // rows
	far     float64   // the greatest label so far
}

func (s *surveying) work(l *Labels, w Work, elsewhere func(int, Work) []float64) {
	s.begin(l, &w)
	count := int(w.To-w.From) * int(w.Hi-w.Lo)
	rows := s.ask(w, count, elsewhere)
	if rows == nil {
		s.buffer = sized(s.buffer, count)
		rows = s.buffer
		s.rows(rows, w)
	}
	s.far = max(s.far, greatest(rows))
	l.put(w.From, w.Lo, rows, true)
	if s.starts != nil {
		width := int(w.Hi - w.Lo)
		for hub := w.From; hub < w.To; hub++ {
			s.starts.take(l.Tree, hub, w.Lo, rows[int(hub-w.From)*width:][:width])
		}
	}
}

// ask has the helper do the work, unless there is none or it could not before; nil: it does not.
func (s *surveying) ask(w Work, count int, elsewhere func(int, Work) []float64) []float64 {
	if s.helper < 0 || s.lost {
		return nil
	}
	rows := elsewhere(s.helper, w)
	if s.lost = len(rows) != count; s.lost {
		return nil
	}
	return rows
}

// border is how a region's hubs are reached from outside.
type border struct {
	rim []arc
	out []int32 // by edge of the rim: the place of its outer end among the hubs around that are kept; nil without these
}

// borders are those of the regions, each found when it is first asked for.
func (t *Tree) borders(k *starts) []func() border {
	all := make([]func() border, len(t.regions))
	for at := range all {
		all[at] = sync.OnceValue(func() border {
			r := &t.regions[at]
			b := border{rim: rim(t.graph, r.lo, r.hi)}
			if k != nil {
				b.out = make([]int32, len(b.rim))
				for i, a := range b.rim {
					j, _ := slices.BinarySearch(k.around[at], a.out)
					b.out[i] = int32(j)
				}
			}
			return b
		})
	}
	return all
}

// begin turns to the region and finds the starts.
func (s *surveying) begin(l *Labels, w *Work) {
	at := l.owner[w.From]
	b := s.borders[at]()
	s.enter(w.Lo, w.Hi, func() []arc { return b.rim })
	w.Starts = make([]float64, 0, int(w.To-w.From)*len(b.rim))
	for hub := w.From; hub < w.To; hub++ {
		if s.starts == nil {
			for _, a := range b.rim {
				w.Starts = append(w.Starts, l.label(a.out, hub)+a.weight)
			}
			continue
		}
		from := s.starts.dist[at][int(hub-l.regions[at].sep)*len(s.starts.around[at]):]
		for i, a := range b.rim {
			w.Starts = append(w.Starts, from[b.out[i]]+a.weight)
		}
	}
}

// branch finds the labels of the regions [at,end), the first and all below it. It returns how many. Once ctx
// has ended some are left out.
func (s *surveying) branch(ctx context.Context, l *Labels, at, end int32, elsewhere func(int, Work) []float64) (labels int64) {
	labels = l.under(at, end)
	rows := s.ask(s.all(l, at, end), int(labels), elsewhere)
	if rows == nil {
		s.descend(ctx, l, at, end)
		return labels
	}
	s.far = max(s.far, greatest(rows))
	for i := at; i < end; i++ {
		r := &l.regions[i]
		if r.sep < r.hi {
			l.put(r.sep, r.lo, rows[:r.labels()], true)
		}
		rows = rows[r.labels():]
	}
	return labels
}

// under is the number of labels of the regions [at,end).
func (t *Tree) under(at, end int32) (labels int64) {
	for i := at; i < end; i++ {
		labels += t.regions[i].labels()
	}
	return labels
}

// descend computes the labels of the regions [at,end), here. Once ctx has ended some are left out.
func (s *surveying) descend(ctx context.Context, l *Labels, at, end int32) {
	for i := at; i < end; i++ {
		r := &l.regions[i]
		for from, to := range l.stretches(i) {
			if ctx.Err() != nil {
				return
			}
			s.work(l, Work{Lo: r.lo, Hi: r.hi, From: from, To: to}, nil)
		}
	}
}

// all is the work of the regions [at,end).
func (s *surveying) all(l *Labels, at, end int32) Work {
	root := &l.regions[at]
	w := Work{Lo: root.lo, Hi: root.hi, From: root.sep, To: root.hi}
	if s.helper < 0 || s.lost {
		return w // nobody is asked
	}
	var seen []bool
	if s.starts == nil {
		seen = make([]bool, l.Len())
	}
	for i := at; i < end; i++ {
		r := &l.regions[i]
		w.Sizes = append(w.Sizes, r.mid-r.lo, r.sep-r.mid, r.hi-r.sep)
		if s.starts != nil {
			w.Starts = append(w.Starts, s.starts.dist[i]...)
			continue
		}
		around := r.around(l.graph, seen)
		for hub := r.sep; hub < r.hi; hub++ {
			for _, o := range around {
				if o >= root.lo && o < root.hi {
					w.Starts = append(w.Starts, 0) // not known yet
				} else {
					w.Starts = append(w.Starts, l.label(o, hub))
				}
			}
		}
	}
	return w
}

// Surveyor computes labels of one graph, numbered by place. It keeps what it
// knows of the region that it was asked about last.
type Surveyor struct {
	graph  *graph.Graph
	lo, hi int32
	rim    []arc            // the edges that leave the region
	solver *shortest.Solver // of the region; nil until it is needed

	seeds   []int32
	offsets []float64
}

// arc is an edge from a place in a region to a hub outside it.
type arc struct {
	in, out int32
	weight  float64
}

// NewSurveyor returns a surveyor of a tree's graph: Tree.Graph.
func NewSurveyor(g *graph.Graph) *Surveyor { return &Surveyor{graph: g, lo: -1} }

// Rows computes labels: (To-From) x (Hi-Lo) or, with Sizes, for each region separator x all. Work that does
// not fit the graph is an error; once ctx has ended that is.
func (s *Surveyor) Rows(ctx context.Context, w Work) ([]float64, error) {
	if w.Lo < 0 || w.Lo > w.From || w.From > w.To || w.To > w.Hi || int(w.Hi) > s.graph.Len() {
		return nil, fmt.Errorf("hub: places %d to %d of region %d to %d, of %d", w.From, w.To, w.Lo, w.Hi, s.graph.Len())
	}
	for i, d := range w.Starts {
		if !(d >= 0) {
			return nil, fmt.Errorf("hub: start %d is %g", i, d)
		}
	}
	if len(w.Sizes) > 0 {
		return s.branch(ctx, w)
	}
	s.enter(w.Lo, w.Hi, func() []arc { return rim(s.graph, w.Lo, w.Hi) })
	if len(w.Starts) != int(w.To-w.From)*len(s.rim) {
		return nil, fmt.Errorf("hub: %d starts for %d hubs and %d edges", len(w.Starts), w.To-w.From, len(s.rim))
	}
	rows := make([]float64, int(w.To-w.From)*int(w.Hi-w.Lo))
	s.rows(rows, w)
	return rows, nil
}

// branch is Rows of a region with all below it.
func (s *Surveyor) branch(ctx context.Context, w Work) ([]float64, error) {
	t := &Tree{graph: s.graph, owner: make([]int32, s.graph.Len())}
	if rest, err := t.branch(w.Sizes, w.Lo, 0); err != nil {
		return nil, err
	} else if root := &t.regions[0]; len(rest) > 0 || root.hi != w.Hi {
		return nil, fmt.Errorf("hub: %d sizes left over, the region ends at %d, not at %d", len(rest), root.hi, w.Hi)
	}
	starts := newStarts(t)
	starts.allocate(t)
	for i, dist := range starts.dist {
		if len(dist) > len(w.Starts) {
			return nil, fmt.Errorf("hub: %d starts for the %d of region %d", len(w.Starts), len(dist), i)
		}
		w.Starts = w.Starts[copy(dist, w.Starts):]
	}
	if len(w.Starts) > 0 {
		return nil, fmt.Errorf("hub: %d starts left over", len(w.Starts))
	}
	l := &Labels{Tree: t, numbers: newNumbers(t, Float64)}
	own := surveying{Surveyor: Surveyor{graph: s.graph, lo: -1}, borders: t.borders(starts), starts: starts, helper: -1}
	own.descend(ctx, l, 0, int32(len(t.regions)))
	return slices.Concat(l.long...), ctx.Err()
}

// branch appends the region from lo on that the first sizes are of, and all below it, and returns the sizes left.
func (t *Tree) branch(sizes []int32, lo, depth int32) (rest []int32, err error) {
	at := int32(len(t.regions))
	if len(sizes) < 3 {
		return nil, fmt.Errorf("hub: region %d is missing", at)
	}
	left, right, separator := sizes[0], sizes[1], sizes[2]
	sizes = sizes[3:]
	total := int64(left) + int64(right) + int64(separator)
	if left < 0 || right < 0 || separator < 0 || total == 0 || (left == 0) != (right == 0) || int64(lo)+total > int64(t.graph.Len()) {
		return nil, fmt.Errorf("hub: region %d of %d, %d and %d vertices does not fit", at, left, right, separator)
	}
	r := region{lo: lo, mid: lo + left, sep: lo + left + right, hi: lo + left + right + separator, deep: depth}
	t.regions = append(t.regions, r)
	for h := r.sep; h < r.hi; h++ {
		t.owner[h] = at
	}
	if left == 0 {
		return sizes, nil
	}
	for _, side := range [2][2]int32{{r.lo, r.mid}, {r.mid, r.sep}} {
		next := len(t.regions)
		if sizes, err = t.branch(sizes, side[0], depth+1); err != nil {
			return nil, err
		}
		if t.regions[next].hi != side[1] {
			return nil, fmt.Errorf("hub: the regions below region %d do not fill it", at)
		}
	}
	return sizes, nil
}

// enter turns to the region [lo,hi), whose rim is asked for unless it is at that one.
func (s *Surveyor) enter(lo, hi int32, rim func() []arc) {
	if s.lo != lo || s.hi != hi {
		s.lo, s.hi, s.rim, s.solver = lo, hi, rim(), nil
	}
}

func (s *Surveyor) rows(dst []float64, w Work) {
	if s.solver == nil {
		s.solver = shortest.NewSolver(inside(s.graph, w.Lo, w.Hi))
	}
	width := int(w.Hi - w.Lo)
	for hub := w.From; hub < w.To; hub++ {
		s.seeds, s.offsets = append(s.seeds[:0], hub-w.Lo), append(s.offsets[:0], 0)
		for i, a := range s.rim {
			s.seeds, s.offsets = append(s.seeds, a.in-w.Lo), append(s.offsets, w.Starts[i])
		}
		s.solver.Seeded(dst[:width], s.seeds, s.offsets)
		dst, w.Starts = dst[width:], w.Starts[len(s.rim):]
	}
}

// rim lists the edges that leave the places [lo,hi).
func rim(g *graph.Graph, lo, hi int32) (rim []arc) {
	for v := lo; v < hi; v++ {
		to, w := g.Neighbours(v)
		for k, t := range to {
			if t < lo || t >= hi {
				rim = append(rim, arc{v, t, w[k]})
			}
		}
	}
	return rim
}

// inside is the subgraph induced on the places [lo,hi), numbered from 0.
func inside(g *graph.Graph, lo, hi int32) *graph.Graph {
	most := g.Offsets[hi] - g.Offsets[lo]
	part := &graph.Graph{Offsets: make([]int32, 1, hi-lo+1), Targets: make([]int32, 0, most), Weights: make([]float64, 0, most)}
	for v := lo; v < hi; v++ {
		to, w := g.Neighbours(v)
		for k, t := range to {
			if t >= lo && t < hi {
				part.Targets, part.Weights = append(part.Targets, t-lo), append(part.Weights, w[k])
			}
		}
		part.Offsets = append(part.Offsets, int32(len(part.Targets)))
	}
	return part
}

// LabelBytes is the memory that the labels of a tree take, in bytes.
func LabelBytes(t *Tree, p Precision) int64 { return int64(12*t.Len()) + numberBytes(t, p) }

// Distance is the length of a shortest path between two vertices, +Inf where
// none leads.
func (l *Labels) Distance(i, j int32) float64 {
	_, d := l.through(l.place[i], l.place[j])
	return d
}

// through is the hub of a shortest path between two places, one of them or one of those of the region that parts them,
// and its length; -1 and +Inf where none leads.
func (l *Labels) through(p, q int32) (hub int32, d float64) {
	a, b := l.owner[p], l.owner[q]
	for a != b { // climb to the region where the two part, or that has one in its separator
		if l.regions[a].deep < l.regions[b].deep {
			a, b, p, q = b, a, q, p
		}
		if a = l.regions[a].parent; a < 0 {
			return -1, math.Inf(1) // two components
		}
	}
	r := &l.regions[a]
	if p >= r.sep {
		return p, l.label(p, q)
	}
	if q >= r.sep {
		return q, l.label(q, p)
	}
	hub, d = -1, math.Inf(1)
	for _, h := range r.hubs {
		if way := l.label(h, p) + l.label(h, q); way < d {
			hub, d = h, way
		}
	}
	return hub, d
}

// Distances fills dst (len n, nil allocates) with the distances of all
// vertices from vertex i.
func (l *Labels) Distances(dst []float64, i int32) []float64 {
	if dst == nil {
		dst = make([]float64, l.Len())
	} else if len(dst) != l.Len() {
		panic("hub: Distances: destination has the wrong length")
	}
	for v := range dst {
		dst[v] = math.Inf(1)
	}
	p := l.place[i]
	var buffer []float64
	own := &l.regions[l.owner[p]]
	for k, d := range l.stretch(&buffer, p, own.lo, own.hi) {
		dst[l.Order[int(own.lo)+k]] = d
	}
	for below, at := l.owner[p], own.parent; at >= 0; below, at = at, l.regions[at].parent {
		r := &l.regions[at]
		for s := r.sep; s < r.hi; s++ {
			dst[l.Order[s]] = l.label(s, p)
		}
		lo, hi := r.lo, r.mid // the other side
		if below == r.left {
			lo, hi = r.mid, r.sep
		}
		for _, h := range r.hubs {
			row := l.stretch(&buffer, h, lo, hi)
			d := l.label(h, p)
			for k, v := range l.Order[lo:hi] {
				dst[v] = min(dst[v], d+row[k])
			}
		}
	}
	return dst
}
