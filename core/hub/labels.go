// Package hub multiplies by exp(-d/epsilon) through hub labels: every vertex
// knows its distance to the separators of the regions that hold it, which
// answers any distance exactly, and a dual walk over pairs of clusters finds
// out which separator vertex (hub) a block of pairs goes through.
//
// It is the engine for ordinary meshes, whose separators are too large for the
// paper's cross_compute (Sec. 3.1.2). Deviations from the paper: regions are
// induced subgraphs without shortcut edges, and the distances are those of the
// whole graph, so that a pair split at a region needs the region's separator
// and the vertices around the region, nothing else (see region.hubs).
package hub

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/separator"
	"genussink/core/shortest"
)

// DefaultLeaf is the number of vertices below which a region is not separated
// further; measured on meshes of 3k to 30k vertices.
const DefaultLeaf = 96

// Options of Build. The zero value asks for the defaults.
type Options struct {
	Finder    string       // separator.ByName; "": its default
	Balance   float64      // separator.Options.Balance; 0: its default
	Leaf      int          // vertices in a leaf; 0: DefaultLeaf
	Positions [][3]float64 // a hint for the finder; nil: none
	Progress  func(stage string, fraction float64)
}

// Labels are the exact hub labels of a graph: for every region of the
// separator tree, the distance in the whole graph from each vertex of its
// separator to each of its vertices. They do not change after Build and any
// number of goroutines may read them.
//
// Vertices are renumbered by place so that every region is a range: its left
// part, its right part, its separator.
type Labels struct {
	Order []int32 // place -> vertex
	place []int32 // vertex -> place
	owner []int32 // place -> the region whose separator it is in

	regions []region // parents before children; one root for every component
}

// region is a connected or disconnected part of the graph, the places
// [lo,hi): left [lo,mid), right [mid,sep), separator [sep,hi). A leaf has
// lo = mid = sep: all its vertices are hubs.
type region struct {
	lo, mid, sep, hi          int32
	parent, left, right, deep int32 // regions, -1 where there is none; depth

	// hubs are the places through which some shortest path runs between any
	// vertex of the left and any of the right: the separator, for paths inside the
	// region, and the vertices next to the region, for paths that leave it. The
	// latter lie in separators of ancestors.
	hubs []int32
	rim  []arc // the edges that leave the region

	dist []float64 // (hi-sep) x (hi-lo), one row for every separator vertex
}

// arc is an edge from a place in a region to a hub outside it.
type arc struct {
	in, out int32
	weight  float64
}

// Build computes the labels of g. Time is that of one Dijkstra inside each
// region for each vertex of its separator; memory as Bytes says.
func Build(ctx context.Context, g *graph.Graph, o Options) (*Labels, error) {
	finder, err := separator.ByName(o.Finder)
	if err != nil {
		return nil, err
	}
	if o.Leaf == 0 {
		o.Leaf = DefaultLeaf
	}
	if o.Leaf < 1 {
		return nil, fmt.Errorf("hub: leaf of %d vertices", o.Leaf)
	}
	if o.Positions != nil && len(o.Positions) != g.Len() {
		return nil, fmt.Errorf("hub: %d positions for %d vertices", len(o.Positions), g.Len())
	}
	s := splitter{finder: finder, o: o, spare: make(chan struct{}, parallel.Workers(g.Len())-1)}
	n := g.Len()
	l := &Labels{Order: make([]int32, 0, n), place: make([]int32, n), owner: make([]int32, n)}
	component, count := g.Components()
	members := make([][]int32, count)
	for v, c := range component {
		members[c] = append(members[c], int32(v))
	}
	for _, ids := range members {
		part := g
		if count > 1 {
			part = g.Induced(ids)
		}
		p, err := s.split(ctx, part, ids)
		if err != nil {
			return nil, err
		}
		l.number(p, -1, 0)
	}
	for i, v := range l.Order {
		l.place[v] = int32(i)
	}
	if err := l.measure(ctx, g.Induced(l.Order), o.Progress); err != nil {
		return nil, err
	}
	return l, nil
}

// piece is a region before its places are known.
type piece struct {
	left, right *piece
	separator   []int32 // vertices of the whole graph; all of them in a leaf
}

type splitter struct {
	finder separator.Finder
	o      Options
	spare  chan struct{} // one token for every further goroutine under way
}

// split separates g, whose vertex i is ids[i] of the whole graph, down to leaves.
func (s *splitter) split(ctx context.Context, g *graph.Graph, ids []int32) (*piece, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if g.Len() <= s.o.Leaf {
		return &piece{separator: ids}, nil
	}
	so := separator.Options{Balance: s.o.Balance}
	if s.o.Positions != nil {
		so.Positions = make([][3]float64, len(ids))
		for i, v := range ids {
			so.Positions[i] = s.o.Positions[v]
		}
	}
	sep, err := s.finder.Find(ctx, g, so)
	if errors.Is(err, separator.ErrNoSeparation) {
		return &piece{separator: ids}, nil
	}
	if err != nil {
		return nil, err
	}
	child := func(part []int32) (*piece, error) {
		sub := make([]int32, len(part))
		for i, v := range part {
			sub[i] = ids[v]
		}
		return s.split(ctx, g.Induced(part), sub)
	}
	p := &piece{separator: along(g, sep.S)}
	for i, v := range p.separator {
		p.separator[i] = ids[v]
	}
	var rightErr error
	var wait sync.WaitGroup
	select {
	case s.spare <- struct{}{}:
		wait.Go(func() {
			p.right, rightErr = child(sep.B)
			<-s.spare
		})
		p.left, err = child(sep.A)
		wait.Wait()
	default:
		if p.left, err = child(sep.A); err == nil {
			p.right, rightErr = child(sep.B)
		}
	}
	return p, errors.Join(err, rightErr)
}

// along orders the vertices of a separator so that a run of them is a short
// stretch of it: depth first over neighbours and neighbours of neighbours.
func along(g *graph.Graph, s []int32) []int32 {
	const outside, waiting, taken = 0, 1, 2
	state := make([]byte, g.Len())
	for _, v := range s {
		state[v] = waiting
	}
	order := make([]int32, 0, len(s))
	var stack []int32
	for _, v := range s {
		stack = append(stack, v)
		for len(stack) > 0 {
			u := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if state[u] != waiting {
				continue
			}
			state[u] = taken
			order = append(order, u)
			to, _ := g.Neighbours(u)
			for _, w := range to {
				far, _ := g.Neighbours(w)
				for _, x := range far {
					if state[x] == waiting {
						stack = append(stack, x)
					}
				}
			}
			for _, w := range to {
				if state[w] == waiting {
					stack = append(stack, w)
				}
			}
		}
	}
	return order
}

// number gives the piece's vertices the next places and its region an index.
func (l *Labels) number(p *piece, parent, depth int32) int32 {
	at := int32(len(l.regions))
	l.regions = append(l.regions, region{lo: int32(len(l.Order)), parent: parent, left: -1, right: -1, deep: depth})
	left, right := int32(-1), int32(-1)
	if p.left != nil {
		left = l.number(p.left, at, depth+1)
	}
	mid := int32(len(l.Order))
	if p.right != nil {
		right = l.number(p.right, at, depth+1)
	}
	sep := int32(len(l.Order))
	for i := range p.separator {
		l.owner[int(sep)+i] = at
	}
	l.Order = append(l.Order, p.separator...)
	r := &l.regions[at]
	r.left, r.right, r.mid, r.sep, r.hi = left, right, mid, sep, int32(len(l.Order))
	return at
}

// measure fills the labels, g being the graph renumbered by place: depth by
// depth, because a region's distances start from those of the hubs around it.
func (l *Labels) measure(ctx context.Context, g *graph.Graph, progress func(string, float64)) error {
	byDepth := [][]int32{}
	var total, done float64 // settled vertices, over all Dijkstra runs
	for i := range l.regions {
		r := &l.regions[i]
		for int(r.deep) >= len(byDepth) {
			byDepth = append(byDepth, nil)
		}
		byDepth[r.deep] = append(byDepth[r.deep], int32(i))
		total += float64(r.hi-r.sep) * float64(r.hi-r.lo)
		r.dist = make([]float64, int(r.hi-r.sep)*int(r.hi-r.lo))
	}
	// A task is a few sources of one region; a worker keeps the region's graph
	// for as long as its tasks stay in it.
	const sources = 8
	type task struct{ region, from, to int32 }
	type bench struct {
		region  int32
		solver  *shortest.Solver
		seeds   []int32
		offsets []float64
	}
	for _, level := range byDepth {
		var tasks []task
		for _, at := range level {
			r := &l.regions[at]
			r.surround(g)
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
				b.region, b.solver = t.region, shortest.NewSolver(span(g, r.lo, r.hi))
			}
			for s := t.from; s < t.to; s++ {
				b.seeds, b.offsets = append(b.seeds[:0], s-r.lo), append(b.offsets[:0], 0)
				for _, a := range r.rim {
					b.seeds = append(b.seeds, a.in-r.lo)
					b.offsets = append(b.offsets, l.label(a.out, s)+a.weight)
				}
				b.solver.Seeded(r.row(s), b.seeds, b.offsets)
			}
		})
		if err != nil {
			return err
		}
		for _, at := range level {
			r := &l.regions[at]
			done += float64(r.hi-r.sep) * float64(r.hi-r.lo)
		}
		if progress != nil {
			progress("labels", done/total)
		}
	}
	return nil
}

// surround finds the edges that leave the region and the hubs they lead to.
func (r *region) surround(g *graph.Graph) {
	for v := r.lo; v < r.hi; v++ {
		to, w := g.Neighbours(v)
		for k, t := range to {
			if t < r.lo || t >= r.hi {
				r.rim = append(r.rim, arc{v, t, w[k]})
			}
		}
	}
	for _, a := range r.rim {
		r.hubs = append(r.hubs, a.out)
	}
	slices.Sort(r.hubs)
	r.hubs = slices.Compact(r.hubs)
	if r.lo == r.sep {
		r.hubs = nil // a leaf splits no pair
		return
	}
	for s := r.sep; s < r.hi; s++ {
		r.hubs = append(r.hubs, s)
	}
}

// span is the subgraph induced on the places [lo,hi), numbered from 0.
func span(g *graph.Graph, lo, hi int32) *graph.Graph {
	sub := &graph.Graph{Offsets: make([]int32, 1, hi-lo+1)}
	for v := lo; v < hi; v++ {
		to, w := g.Neighbours(v)
		for k, t := range to {
			if t >= lo && t < hi {
				sub.Targets = append(sub.Targets, t-lo)
				sub.Weights = append(sub.Weights, w[k])
			}
		}
		sub.Offsets = append(sub.Offsets, int32(len(sub.Targets)))
	}
	return sub
}

// row holds the distances of the separator vertex at place s from the region's places.
func (r *region) row(s int32) []float64 {
	width := int(r.hi - r.lo)
	return r.dist[int(s-r.sep)*width:][:width]
}

// label is the distance of the hub at place h from a place in its region.
func (l *Labels) label(h, place int32) float64 {
	r := &l.regions[l.owner[h]]
	return r.dist[int(h-r.sep)*int(r.hi-r.lo)+int(place-r.lo)]
}

// Len is the number of vertices.
func (l *Labels) Len() int { return len(l.Order) }

// Bytes is the memory of the labels, in bytes.
func (l *Labels) Bytes() int64 {
	sum := int64(12 * len(l.Order))
	for i := range l.regions {
		r := &l.regions[i]
		sum += int64(8*cap(r.dist) + 4*cap(r.hubs) + 16*cap(r.rim))
	}
	return sum
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
	for k, d := range own.row(p) {
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
			hr := &l.regions[l.owner[h]]
			row := hr.row(h)[lo-hr.lo : hi-hr.lo]
			d := l.label(h, p)
			for k, v := range l.Order[lo:hi] {
				dst[v] = min(dst[v], d+row[k])
			}
		}
	}
	return dst
}
