package hub

import (
	"context"
	"fmt"
	"math"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
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

// arc is an edge from a place in a region to a hub outside it.
type arc struct {
	in, out int32
	weight  float64
}

// Measure computes the labels of a tree, depth by depth, because a region's
// distances start from those of the hubs around it. Time is that of one run of
// Dijkstra's algorithm inside each region for each vertex of its separator.
// limit is how many bytes the labels may take, 0 any number; beyond it the
// error is a *MemoryError.
func Measure(ctx context.Context, t *Tree, limit int64, progress func(stage string, fraction float64)) (*Labels, error) {
	l := &Labels{Tree: t, dist: make([][]float64, len(t.regions))}
	if need := LabelBytes(t); limit > 0 && need > limit {
		return nil, &MemoryError{Vertices: t.Len(), Need: need, Limit: limit}
	}
	g := t.graph
	byDepth := [][]int32{}
	var total, done float64 // settled vertices, over all Dijkstra runs
	for i := range l.regions {
		r := &l.regions[i]
		for int(r.deep) >= len(byDepth) {
			byDepth = append(byDepth, nil)
		}
		byDepth[r.deep] = append(byDepth[r.deep], int32(i))
		total += float64(r.hi-r.sep) * float64(r.hi-r.lo)
		l.dist[i] = make([]float64, int(r.hi-r.sep)*int(r.hi-r.lo))
	}
	// A task is a few sources of one region; a worker keeps the region's graph
	// for as long as its tasks stay in it.
	const sources = 8
	type task struct{ region, from, to int32 }
	type bench struct {
		region  int32
		solver  *shortest.Solver
		rim     []arc
		seeds   []int32
		offsets []float64
	}
	for _, level := range byDepth {
		var tasks []task
		for _, at := range level {
			r := &l.regions[at]
			for from := r.sep; from < r.hi; from += sources {
				tasks = append(tasks, task{at, from, min(from+sources, r.hi)})
			}
		}
		benches := make([]bench, parallel.Workers(len(tasks)))
		for i := range benches {
			benches[i].region = -1
		}
		err := parallel.Each(ctx, len(benches), len(tasks), func(worker, i int) {
			t, b := tasks[i], &benches[worker]
			r := &l.regions[t.region]
			if b.region != t.region {
				var inside *graph.Graph
				inside, b.rim = span(g, r.lo, r.hi)
				b.region, b.solver = t.region, shortest.NewSolver(inside)
			}
			for s := t.from; s < t.to; s++ {
				b.seeds, b.offsets = append(b.seeds[:0], s-r.lo), append(b.offsets[:0], 0)
				for _, a := range b.rim {
					b.seeds = append(b.seeds, a.in-r.lo)
					b.offsets = append(b.offsets, l.label(a.out, s)+a.weight)
				}
				b.solver.Seeded(l.row(s), b.seeds, b.offsets)
			}
		})
		if err != nil {
			return nil, err
		}
		for _, at := range level {
			r := &l.regions[at]
			done += float64(r.hi-r.sep) * float64(r.hi-r.lo)
		}
		if progress != nil {
			progress("labels", done/total)
		}
	}
	return l, nil
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

// MemoryError says that labels would not fit.
type MemoryError struct {
	Vertices    int
	Need, Limit int64 // bytes
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("hub: the labels of %d vertices need %d bytes, the limit is %d", e.Vertices, e.Need, e.Limit)
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
