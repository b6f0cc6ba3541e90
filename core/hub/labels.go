package hub

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
	"genussink/core/shortest"
)

// Labels are the exact hub labels of a graph: for every region of its tree, the
// distance in the whole graph from each vertex of its separator to each of its
// vertices. They do not change after Measure and any number of goroutines may
// read them.
type Labels struct {
	*Tree
	dist [][]float64 // by region, (hi-sep) x (hi-lo): one row for every separator vertex
}

// MeasureOptions of Measure. The zero value works.
type MeasureOptions struct {
	MemoryLimit int64 // bytes that the labels may take; 0: any number
	Progress    func(stage string, fraction float64)

	// Elsewhere computes labels that Surveyor.Rows computes, on one of Helpers
	// places that share no memory with this one; nil: it could not, and that
	// helper is not asked again.
	Helpers   int
	Elsewhere func(helper int, w Work) []float64
}

// Work is a request for labels: those of the hubs at the places [From,To) of
// the region [Lo,Hi). Starts holds, for each of these hubs, the distance at
// which each edge that leaves the region enters it from outside.
type Work struct {
	Lo, Hi, From, To int32
	Starts           []float64 // (To-From) x edges, the edges in the order of their places inside and then outside
}

// taskSteps is how many edges one task of Measure looks at, about: a few
// milliseconds of work. Less takes longer to ask for elsewhere than to do.
const taskSteps = 1 << 17

// Measure computes the labels of a tree, depth by depth, because a region's
// distances start from those of the hubs around it. Time is that of one run of
// Dijkstra's algorithm inside each region for each vertex of its separator.
// Beyond the memory limit the error is a *linop.MemoryError.
func Measure(ctx context.Context, t *Tree, o MeasureOptions) (*Labels, error) {
	if need := LabelBytes(t); o.MemoryLimit > 0 && need > o.MemoryLimit {
		return nil, &linop.MemoryError{What: "hub: labels", Vertices: t.Len(), Need: need, Limit: o.MemoryLimit}
	}
	l := &Labels{Tree: t, dist: make([][]float64, len(t.regions))}
	byDepth := [][]int32{}
	total := 0.0 // labels
	for i := range t.regions {
		r := &t.regions[i]
		for int(r.deep) >= len(byDepth) {
			byDepth = append(byDepth, nil)
		}
		byDepth[r.deep] = append(byDepth[r.deep], int32(i))
		l.dist[i] = make([]float64, int(r.hi-r.sep)*int(r.hi-r.lo))
		total += float64(len(l.dist[i]))
	}
	var done atomic.Int64
	degree := 1 + len(t.graph.Targets)/max(1, t.Len())
	type task struct{ region, from, to int32 }
	for _, level := range byDepth {
		var tasks []task
		for _, at := range level {
			r := &t.regions[at]
			hubs := int32(max(1, taskSteps/(degree*int(r.hi-r.lo))))
			for from := r.sep; from < r.hi; from += hubs {
				tasks = append(tasks, task{at, from, min(from+hubs, r.hi)})
			}
		}
		here := parallel.Workers(len(tasks))
		workers := make([]surveying, here+o.Helpers)
		for i := range workers {
			workers[i] = surveying{Surveyor: Surveyor{graph: t.graph, lo: -1}, helper: i - here}
		}
		err := parallel.Each(ctx, len(workers), len(tasks), func(worker, i int) {
			r := &t.regions[tasks[i].region]
			w := Work{Lo: r.lo, Hi: r.hi, From: tasks[i].from, To: tasks[i].to}
			workers[worker].work(l, w, o.Elsewhere)
			if sum := done.Add(int64(w.To-w.From) * int64(w.Hi-w.Lo)); o.Progress != nil {
				o.Progress("labels", float64(sum)/total)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return l, nil
}

// surveying is a worker of Measure, here or, from helper 0 on, elsewhere.
type surveying struct {
	Surveyor
	helper int
	lost   bool
}

func (s *surveying) work(l *Labels, w Work, elsewhere func(int, Work) []float64) {
	s.enter(w.Lo, w.Hi)
	for hub := w.From; hub < w.To; hub++ {
		for _, a := range s.rim {
			w.Starts = append(w.Starts, l.label(a.out, hub)+a.weight)
		}
	}
	at := l.owner[w.From]
	width := int(w.Hi - w.Lo)
	to := l.dist[at][int(w.From-l.regions[at].sep)*width:][:int(w.To-w.From)*width]
	if s.helper >= 0 && !s.lost {
		if rows := elsewhere(s.helper, w); len(rows) == len(to) {
			copy(to, rows)
			return
		}
		s.lost = true
	}
	s.rows(to, w)
}

// Surveyor computes labels of one graph, numbered by place. It keeps what it
// knows of the region that it was asked about last.
type Surveyor struct {
	graph  *graph.Graph
	lo, hi int32
	rim    []arc // the edges that leave the region
	solver *shortest.Solver

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

// Rows computes labels: (To-From) x (Hi-Lo). Work that does not fit the graph
// is an error.
func (s *Surveyor) Rows(w Work) ([]float64, error) {
	if w.Lo < 0 || w.Lo > w.From || w.From > w.To || w.To > w.Hi || int(w.Hi) > s.graph.Len() {
		return nil, fmt.Errorf("hub: places %d to %d of region %d to %d, of %d", w.From, w.To, w.Lo, w.Hi, s.graph.Len())
	}
	s.enter(w.Lo, w.Hi)
	if len(w.Starts) != int(w.To-w.From)*len(s.rim) {
		return nil, fmt.Errorf("hub: %d starts for %d hubs and %d edges", len(w.Starts), w.To-w.From, len(s.rim))
	}
	for i, d := range w.Starts {
		if !(d >= 0) {
			return nil, fmt.Errorf("hub: start %d is %g", i, d)
		}
	}
	rows := make([]float64, int(w.To-w.From)*int(w.Hi-w.Lo))
	s.rows(rows, w)
	return rows, nil
}

// enter turns to the region [lo,hi).
func (s *Surveyor) enter(lo, hi int32) {
	if s.lo == lo && s.hi == hi {
		return
	}
	var inside *graph.Graph
	inside, s.rim = span(s.graph, lo, hi)
	s.lo, s.hi, s.solver = lo, hi, shortest.NewSolver(inside)
}

func (s *Surveyor) rows(dst []float64, w Work) {
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

// span is the subgraph induced on the places [lo,hi), numbered from 0, and the
// edges that leave it.
func span(g *graph.Graph, lo, hi int32) (inside *graph.Graph, rim []arc) {
	inside = &graph.Graph{Offsets: make([]int32, 1, hi-lo+1)}
	for v := lo; v < hi; v++ {
		to, w := g.Neighbours(v)
		for k, t := range to {
			if t >= lo && t < hi {
				inside.Targets = append(inside.Targets, t-lo)
				inside.Weights = append(inside.Weights, w[k])
			} else {
				rim = append(rim, arc{v, t, w[k]})
			}
		}
		inside.Offsets = append(inside.Offsets, int32(len(inside.Targets)))
	}
	return inside, rim
}

// LabelBytes is the memory that the labels of a tree take, in bytes.
func LabelBytes(t *Tree) int64 {
	sum := int64(12 * t.Len())
	for i := range t.regions {
		r := &t.regions[i]
		sum += 8 * int64(r.hi-r.sep) * int64(r.hi-r.lo)
	}
	return sum
}

// row holds the distances of the hub at place s from the places of its region.
func (l *Labels) row(s int32) []float64 {
	r := &l.regions[l.owner[s]]
	return l.stretchOf(s, r.lo, r.hi)
}

// label is the distance of the hub at place h from a place in its region.
func (l *Labels) label(h, place int32) float64 {
	at := l.owner[h]
	r := &l.regions[at]
	return l.dist[at][int(h-r.sep)*int(r.hi-r.lo)+int(place-r.lo)]
}

// stretchOf is the row of the hub at place h over the places [lo,hi).
func (l *Labels) stretchOf(h, lo, hi int32) []float64 {
	at := l.owner[h]
	r := &l.regions[at]
	start := int(h-r.sep)*int(r.hi-r.lo) + int(lo-r.lo)
	return l.dist[at][start : start+int(hi-lo)]
}

// Distance is the length of a shortest path between two vertices, +Inf where
// none leads.
func (l *Labels) Distance(i, j int32) float64 {
	p, q := l.place[i], l.place[j]
	a, b := l.owner[p], l.owner[q]
	for a != b { // climb to the region where the two part, or that has one in its separator
		if l.regions[a].deep < l.regions[b].deep {
			a, b, p, q = b, a, q, p
		}
		if a = l.regions[a].parent; a < 0 {
			return math.Inf(1) // two components
		}
	}
	r := &l.regions[a]
	if p >= r.sep {
		return l.label(p, q)
	}
	if q >= r.sep {
		return l.label(q, p)
	}
	d := math.Inf(1)
	for _, h := range r.hubs {
		d = min(d, l.label(h, p)+l.label(h, q))
	}
	return d
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
	own := &l.regions[l.owner[p]]
	for k, d := range l.row(p) {
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
			row := l.stretchOf(h, lo, hi)
			d := l.label(h, p)
			for k, v := range l.Order[lo:hi] {
				dst[v] = min(dst[v], d+row[k])
			}
		}
	}
	return dst
}
