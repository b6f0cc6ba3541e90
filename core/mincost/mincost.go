// Package mincost finds what it takes to move one density to another along the edges of a graph: the unregularised
// optimum, the Wasserstein distance W1, which every entropic cost lies above.
//
// Mass goes from edge to edge. A flow is cheapest where there are potentials that differ by no more than its length along any edge,
// and by just that along those with flow: complementary slackness, the certificate that Optimum carries. This is the transport problem with
// the distances as costs, on 2m arcs in place of n^2 pairs.
//
// The method is the network simplex (Ahuja, Magnanti and Orlin, Network Flows, 1993, ch. 11). It holds a spanning tree and sends
// all mass along it. While the potentials of the tree differ by too much along some other edge, that edge enters the tree, and
// one of the circle that it closes leaves. Arcs have no capacity, and an edge can be used in either direction. Trees stay
// strongly feasible (Cunningham 1976), so that no tree comes twice. For that masses are whole numbers.
package mincost

import (
	"context"
	"fmt"
	"math"
	"slices"

	"genussink/core/graph"
	"genussink/core/measure"
	"genussink/core/shortest"
)

// Optimum is the cheapest flow and its certificate. Masses are in shares of the whole: each is a multiple of 2^-60.
type Optimum struct {
	Cost       float64   // sum of flow times length, in the graph's unit
	Dual       float64   // sum of (source - target) times potential: the same but for rounding
	Flow       []Arc     // along which mass moves
	Potential  []float64 // of each vertex, in the graph's unit: along no edge is the difference greater than its length
	Iterations int       // edges that entered the tree
}

// Arc is an edge in the direction of its flow.
type Arc struct {
	From, To int32
	Mass     float64 // positive
}

// scale is how many units a mass of 1 has. Sums of them fit an int64.
const scale = 1 << 60

// slack is how much of the longest distance rounding may make of a difference of potentials.
const slack = 0x1p-40

// Solve finds the cheapest flow from source to target, n finite values >= 0 each, which are brought to total 1. On a mesh of 10,000
// vertices it takes a second. Potentials are within 2^-40 of the greatest distance. Errors: bad data; mass that differs in a component
// (a *measure.UnequalError); the context's.
func Solve(ctx context.Context, g *graph.Graph, source, target []float64) (*Optimum, error) {
	n := g.Len()
	for _, side := range []struct {
		name   string
		values []float64
	}{{"source", source}, {"target", target}} {
		if err := measure.Validate(side.values, n); err != nil {
			return nil, fmt.Errorf("mincost: %s: %w", side.name, err)
		}
	}
	if n == 0 {
		return &Optimum{}, nil
	}
	a, b := measure.Normalise(slices.Clone(source)), measure.Normalise(slices.Clone(target))
	component, count := g.Components()
	if err := measure.Components(a, b, component, count); err != nil {
		return nil, err
	}
	s := newSimplex(g, supplies(a, b, component, count), component, count)
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	return s.optimum(a, b), nil
}

// supplies are the units that a vertex has over (positive) or lacks. Every component's total is 0: what rounding leaves goes where
// most is moved.
func supplies(a, b []float64, component []int32, count int) []int64 {
	supply := make([]int64, len(a))
	rest, most := make([]int64, count), make([]int32, count)
	for c := range most {
		most[c] = -1
	}
	for v, c := range component {
		supply[v] = int64(math.Round((a[v] - b[v]) * scale))
		rest[c] += supply[v]
		if m := most[c]; m < 0 || max(supply[v], -supply[v]) > max(supply[m], -supply[m]) {
			most[c] = int32(v)
		}
	}
	for c, m := range most {
		supply[m] -= rest[c]
	}
	return supply
}

// simplex is a spanning tree of each component, with all mass on its edges.
type simplex struct {
	g          *graph.Graph
	parent     []int32   // -1 at a root
	length     []float64 // of the edge to the parent
	up         []bool    // the flow goes to the parent; so does an edge without flow
	flow       []int64   // units, >= 0
	depth      []int32
	child      []int32 // the first one, -1: none
	next, last []int32 // its neighbours in the list of its parent's children, -1: none
	potential  []float64
	slack      float64
	entered    int
	stack      []int32
}

// newSimplex begins with trees of shortest paths.
func newSimplex(g *graph.Graph, supply []int64, component []int32, count int) *simplex {
	n := g.Len()
	s := &simplex{
		g: g, parent: make([]int32, n), length: make([]float64, n), up: make([]bool, n), flow: make([]int64, n), depth: make([]int32, n),
		child: make([]int32, n), next: make([]int32, n), last: make([]int32, n), potential: make([]float64, n),
	}
	roots, seen := make([]int32, 0, count), make([]bool, count)
	for v, c := range component {
		s.parent[v], s.child[v], s.next[v], s.last[v] = -1, -1, -1, -1
		if !seen[c] {
			seen[c], roots = true, append(roots, int32(v))
		}
	}
	solver := shortest.NewSolver(g)
	distance := solver.Distances(nil, roots...)
	s.slack = slack * slices.Max(distance)
	for v, p := range solver.Predecessors(nil) {
		if p != int32(v) {
			to, lengths := g.Neighbours(int32(v))
			k, _ := slices.BinarySearch(to, p)
			s.parent[v], s.length[v] = p, lengths[k]
			s.attach(int32(v))
		}
	}
	order := slices.Clone(roots) // parents first
	for i := 0; i < len(order); i++ {
		for c := s.child[order[i]]; c >= 0; c = s.next[c] {
			order = append(order, c)
		}
	}
	for _, v := range slices.Backward(order) {
		s.up[v], s.flow[v] = supply[v] >= 0, max(supply[v], -supply[v])
		if p := s.parent[v]; p >= 0 {
			supply[p] += supply[v]
		}
	}
	for _, r := range roots {
		s.settle(r)
	}
	return s
}

// attach puts v into the list of its parent's children, and detach takes it out.
func (s *simplex) attach(v int32) {
	p := s.parent[v]
	s.last[v], s.next[v] = -1, s.child[p]
	if s.next[v] >= 0 {
		s.last[s.next[v]] = v
	}
	s.child[p] = v
}

func (s *simplex) detach(v int32) {
	if s.last[v] >= 0 {
		s.next[s.last[v]] = s.next[v]
	} else {
		s.child[s.parent[v]] = s.next[v]
	}
	if s.next[v] >= 0 {
		s.last[s.next[v]] = s.last[v]
	}
}

// settle computes depths and potentials from v downwards. They follow from the parent's, so that rounding does not grow with the iterations.
func (s *simplex) settle(v int32) {
	s.stack = append(s.stack[:0], v)
	for len(s.stack) > 0 {
		v := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		if p := s.parent[v]; p >= 0 {
			s.depth[v] = s.depth[p] + 1
			if s.up[v] {
				s.potential[v] = s.potential[p] + s.length[v]
			} else {
				s.potential[v] = s.potential[p] - s.length[v]
			}
		}
		for c := s.child[v]; c >= 0; c = s.next[c] {
			s.stack = append(s.stack, c)
		}
	}
}

// run pivots until no edge is too short for its potentials. Edges are looked at in blocks, one after the other; of a block the worst enters.
func (s *simplex) run(ctx context.Context) error {
	n := int32(s.g.Len())
	block := max(64, int(math.Sqrt(float64(2*s.g.Edges()))))
	worst, from, to, length := s.slack, int32(-1), int32(-1), 0.0
	looked, clean := 0, int32(0)
	for v := int32(0); clean < n; v = (v + 1) % n {
		neighbours, lengths := s.g.Neighbours(v)
		for k, t := range neighbours {
			if over := s.potential[v] - s.potential[t] - lengths[k]; over > worst {
				worst, from, to, length = over, v, t, lengths[k]
			}
		}
		clean++
		if looked += len(neighbours); looked < block && clean < n {
			continue
		}
		looked = 0
		if from < 0 {
			continue
		}
		s.pivot(from, to, length)
		worst, from, clean = s.slack, -1, 0
		if s.entered++; s.entered%64 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// pivot brings the edge from u to v into the tree. Mass is sent around the circle that it closes, in its direction, until an edge of the
// tree has none left, which leaves: of several the last one behind the vertex nearest to the root, which keeps the tree strongly feasible.
func (s *simplex) pivot(u, v int32, length float64) {
	least, leaving, above := int64(math.MaxInt64), int32(-1), u
	for x, y := u, v; x != y; {
		if s.depth[x] >= s.depth[y] { // against the circle's direction
			if s.up[x] && s.flow[x] < least {
				least, leaving, above = s.flow[x], x, u
			}
			x = s.parent[x]
		} else {
			if !s.up[y] && s.flow[y] <= least {
				least, leaving, above = s.flow[y], y, v
			}
			y = s.parent[y]
		}
	}
	for x, y := u, v; x != y; {
		if s.depth[x] >= s.depth[y] {
			s.send(x, !s.up[x], least)
			x = s.parent[x]
		} else {
			s.send(y, s.up[y], least)
			y = s.parent[y]
		}
	}
	// Between the edge that leaves and the one that enters, children become parents.
	x, parent, up, flow := above, v, true, least
	if above == v {
		parent, up = u, false
	}
	for {
		s.detach(x)
		p, l, was, had := s.parent[x], s.length[x], s.up[x], s.flow[x]
		s.parent[x], s.length[x], s.up[x], s.flow[x] = parent, length, up, flow
		s.attach(x)
		if x == leaving {
			break
		}
		x, parent, length, up, flow = p, x, l, !was, had
	}
	s.settle(above)
}

// send adds mass to the edge from v to its parent, or takes it away.
func (s *simplex) send(v int32, add bool, mass int64) {
	if add {
		s.flow[v] += mass
	} else {
		s.flow[v] -= mass
	}
}

// optimum is what the tree says.
func (s *simplex) optimum(a, b []float64) *Optimum {
	o := &Optimum{Potential: s.potential, Iterations: s.entered}
	for v, p := range s.parent {
		o.Dual += (a[v] - b[v]) * s.potential[v]
		if s.flow[v] == 0 || p < 0 {
			continue
		}
		arc := Arc{int32(v), p, math.Ldexp(float64(s.flow[v]), -60)}
		if !s.up[v] {
			arc.From, arc.To = p, int32(v)
		}
		o.Cost += arc.Mass * s.length[v]
		o.Flow = append(o.Flow, arc)
	}
	return o
}
