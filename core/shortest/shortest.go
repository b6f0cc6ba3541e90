// Package shortest computes shortest-path distances in a graph by Dijkstra's
// algorithm: From for a single question, Solver where many are asked of the
// same graph.
package shortest

import (
	"context"
	"math"

	"genussink/core/graph"
	"genussink/core/internal/buffer"
)

// From returns the distance of every vertex from the nearest source, in the
// graph's unit; +Inf where no path leads. It panics when a source is out of
// range.
func From(g *graph.Graph, sources ...int32) []float64 {
	return NewSolver(g).Distances(nil, sources...)
}

// Solver answers shortest-path questions on one graph, reusing its buffers:
// after the first question a further one allocates nothing when the caller
// reuses its destination too. Not safe for concurrent use; each goroutine
// makes its own.
//
// On a mesh of 134,000 vertices a question of one source takes 40 ms at most. It needs no context. One that starts from all
// vertices at once takes 80 ms. DistancesContext asks the same under a context.
type Solver struct {
	g      *graph.Graph
	dist   []float64
	pred   []int32   // the vertex before v on a shortest path; v itself at a source
	open   queue     // what was reached; of a vertex's entries the nearest counts
	done   []bool    // settled
	settle []int32   // settled vertices in order of distance
	wanted []bool    // targets not settled yet, all false between questions; made when there are targets
	bound  []float64 // of Toward: the bound of every vertex seen; made when it is asked for
}

// NewSolver prepares a solver with 17 bytes per vertex, and 16 for each that is open at a time.
func NewSolver(g *graph.Graph) *Solver {
	n := g.Len()
	s := &Solver{g: g, dist: make([]float64, n), pred: make([]int32, n), done: make([]bool, n), settle: make([]int32, 0, n)}
	for v := range n {
		s.dist[v] = math.Inf(1)
	}
	return s
}

// Distances fills dst (len n, nil allocates) with the distance of every vertex
// from the nearest source and returns it; +Inf where no path leads.
func (s *Solver) Distances(dst []float64, sources ...int32) []float64 {
	dst, _ = s.DistancesContext(context.Background(), dst, sources, nil)
	return dst
}

// DistancesContext is Distances or, where there are offsets, Seeded. It asks ctx every millisecond or so. When ctx ends its
// error is returned, without distances.
func (s *Solver) DistancesContext(ctx context.Context, dst []float64, sources []int32, offsets []float64) ([]float64, error) {
	if offsets != nil && len(offsets) != len(sources) {
		panic("shortest: sources and offsets differ in length")
	}
	dst = buffer.Vector(dst, s.g.Len())
	if err := s.run(ctx, math.Inf(1), nil, sources, offsets); err != nil {
		return nil, err
	}
	copy(dst, s.dist)
	return dst, nil
}

// Seeded is Distances with a start for each source: dst[v] is the least of
// offsets[i] plus the distance from sources[i] to v. Offsets are >= 0, +Inf for
// a source that does not count, and as many as sources.
func (s *Solver) Seeded(dst []float64, sources []int32, offsets []float64) []float64 {
	dst, _ = s.DistancesContext(context.Background(), dst, sources, offsets)
	return dst
}

// Within returns the vertices at most radius from the nearest source in order
// of distance, and the distances of all vertices by vertex: dist[v], +Inf
// beyond the radius. Both slices belong to the solver and hold until its next
// question.
func (s *Solver) Within(radius float64, sources ...int32) (vertices []int32, dist []float64) {
	_ = s.run(context.Background(), radius, nil, sources, nil)
	return s.settle, s.dist
}

// Lower lowers far, the distances from some sources, +Inf for none, to those from these and one
// more. It visits the vertices alone that the new source is nearest to, and their
// neighbours: what lies behind another is no nearer. It returns the vertices whose distance became less; the slice holds
// until the next question.
func (s *Solver) Lower(far []float64, source int32) (lowered []int32) {
	if len(far) != s.g.Len() {
		panic("shortest: Lower: distances of the wrong length")
	}
	if source < 0 || int(source) >= s.g.Len() {
		panic("shortest: source out of range")
	}
	s.forget()
	s.reach(source, source, 0)
	for v := s.next(); v >= 0; v = s.next() {
		d := s.dist[v]
		far[v] = min(far[v], d)
		for k := s.g.Offsets[v]; k < s.g.Offsets[v+1]; k++ {
			if t, e := s.g.Targets[k], d+s.g.Weights[k]; e < far[t] {
				s.reach(t, v, e)
			}
		}
	}
	return s.settle
}

// To is Distances, for the targets alone: it fills dst (as long as targets, nil
// allocates) and stops when the farthest target is reached.
func (s *Solver) To(dst []float64, targets []int32, sources ...int32) []float64 {
	if dst == nil {
		dst = make([]float64, len(targets))
	} else if len(dst) != len(targets) {
		panic("shortest: To: destination has the wrong length")
	}
	_ = s.run(context.Background(), math.Inf(1), targets, sources, nil)
	for i, v := range targets {
		dst[i] = s.dist[v]
	}
	return dst
}

// Path returns the vertices of a shortest path from one vertex to another,
// both ends included, and its length; nil and +Inf where none leads.
func (s *Solver) Path(from, to int32) ([]int32, float64) {
	_ = s.run(context.Background(), math.Inf(1), []int32{to}, []int32{from}, nil)
	if !s.done[to] {
		return nil, math.Inf(1)
	}
	length := s.dist[to]
	return s.back(to), length
}

// Before is the vertex before v on the shortest path that the last question found to it, a source's itself. It has a meaning for vertices that the question has
// reached.
func (s *Solver) Before(v int32) int32 { return s.pred[v] }

// back is the path that was found to a vertex.
func (s *Solver) back(to int32) []int32 {
	var path []int32
	for v := to; ; v = s.pred[v] {
		path = append(path, v)
		if s.pred[v] == v {
			break
		}
	}
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	return path
}

// Toward is Path's vertices, nil where none leads, found with the help of lower: a bound of every vertex's distance from to, for which
// lower(u) <= lower(v) + the length of every edge from u to v, +Inf where no path leads. It settles the fewer vertices the better the bound is (A*: Hart,
// Nilsson and Raphael 1968). Where rounding makes the bound greater than the distance the path may be longer by as much.
func (s *Solver) Toward(from, to int32, lower func(v int32) float64) []int32 {
	s.forget()
	if s.bound == nil {
		s.bound = make([]float64, s.g.Len())
	}
	at := lower(from)
	if math.IsInf(at, 1) {
		return nil
	}
	s.bound[from] = at
	s.reach(from, from, at)
	for v := s.next(); v >= 0 && v != to; v = s.next() {
		way := s.dist[v] - s.bound[v]
		for k := s.g.Offsets[v]; k < s.g.Offsets[v+1]; k++ {
			t := s.g.Targets[k]
			if s.done[t] {
				continue
			}
			if math.IsInf(s.dist[t], 1) { // asked once: a bound takes longer than the rest
				s.bound[t] = lower(t)
			}
			s.reach(t, v, way+s.g.Weights[k]+s.bound[t])
		}
	}
	s.leave()
	if !s.done[to] {
		return nil
	}
	return s.back(to)
}

// Predecessors returns, for the question asked last, the vertex before each
// vertex on a shortest path: itself at a source, -1 where no path was found.
// The slice is dst (len n, nil allocates).
func (s *Solver) Predecessors(dst []int32) []int32 {
	if dst == nil {
		dst = make([]int32, s.g.Len())
	} else if len(dst) != s.g.Len() {
		panic("shortest: Predecessors: destination has the wrong length")
	}
	for i := range dst {
		dst[i] = -1
	}
	for _, v := range s.settle {
		dst[v] = s.pred[v]
	}
	return dst
}

// At returns what the question asked last found of a vertex: its distance, +Inf
// where it found no path, and the vertex before it, as in Predecessors.
func (s *Solver) At(v int32) (distance float64, before int32) {
	if s.dist[v] == math.Inf(1) {
		return s.dist[v], -1
	}
	return s.dist[v], s.pred[v]
}

// run settles vertices in order of distance until the heap is empty, the next
// one is beyond radius, or all targets, if there are any, are settled. Vertices that it has seen and
// not settled are put back to unseen, so that dist is +Inf wherever settle
// does not name the vertex. Offsets are the distances that the sources start
// from; nil: all 0. When ctx ends its error is returned.
func (s *Solver) run(ctx context.Context, radius float64, targets, sources []int32, offsets []float64) (err error) {
	s.forget()
	if err := ctx.Err(); err != nil {
		return err
	}
	left := s.want(targets)
	for i, v := range sources {
		if v < 0 || int(v) >= s.g.Len() {
			panic("shortest: source out of range")
		}
		start := 0.0
		if offsets != nil {
			start = offsets[i]
		}
		if start <= radius {
			s.reach(v, v, start)
		}
	}
	for v := s.next(); v >= 0; v = s.next() {
		if len(s.settle)%askEvery == 0 {
			if err = ctx.Err(); err != nil {
				break
			}
		}
		if left > 0 && s.wanted[v] {
			s.wanted[v] = false
			if left--; left == 0 {
				break
			}
		}
		d := s.dist[v]
		to, weights := s.g.Neighbours(v)
		weights = weights[:len(to)]
		for k, t := range to {
			if e := d + weights[k]; e < s.dist[t] && e <= radius { // it is not done then
				s.dist[t], s.pred[t] = e, v
				s.open.push(open{e, t})
			}
		}
	}
	s.leave()
	for _, v := range targets {
		s.wanted[v] = false
	}
	return err
}

// askEvery is how many vertices are settled between two questions to the context.
const askEvery = 1 << 12

// forget undoes the question before.
func (s *Solver) forget() {
	for _, v := range s.settle {
		s.dist[v], s.done[v] = math.Inf(1), false
	}
	s.settle = s.settle[:0]
}

// leave forgets what was reached and not settled, so that dist is +Inf there.
func (s *Solver) leave() {
	for v := range s.open.vertices {
		if !s.done[v] {
			s.dist[v] = math.Inf(1)
		}
	}
	s.open.reset()
}

// want marks the targets and returns how many there are.
func (s *Solver) want(targets []int32) (count int) {
	if len(targets) > 0 && s.wanted == nil {
		s.wanted = make([]bool, s.g.Len())
	}
	for _, v := range targets {
		if v < 0 || int(v) >= s.g.Len() {
			panic("shortest: target out of range")
		}
		if !s.wanted[v] {
			s.wanted[v] = true
			count++
		}
	}
	return count
}

// reach offers v the distance d by way of from.
func (s *Solver) reach(v, from int32, d float64) {
	if d >= s.dist[v] || s.done[v] {
		return
	}
	s.dist[v], s.pred[v] = d, from
	s.open.push(open{d, v})
}

// next settles the nearest vertex that is open and returns it, -1 where there is none.
func (s *Solver) next() int32 {
	for {
		o, ok := s.open.pop()
		if !ok {
			return -1
		}
		if s.done[o.v] {
			continue
		}
		s.done[o.v] = true
		s.settle = append(s.settle, o.v)
		return o.v
	}
}
