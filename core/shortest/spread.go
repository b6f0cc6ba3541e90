package shortest

import (
	"context"
	"math"

	"genussink/core/graph"
)

// Spread is a set of vertices that are far from one another and near all others. Each is, of those
// farthest from the ones before it, the first (Gonzalez 1985). The first m of them are a Spread too.
type Spread struct {
	Vertices []int32   // the first is vertex 0
	Nearest  []int32   // of every vertex of the graph: the place in Vertices of the one nearest to it; -1 before there is one
	Far      []float64 // of every vertex: the distance to that one. +Inf: no path leads there. 0: at that one, or left out

	solver *Solver
	bound  []float64 // of each block of Far: its maximum or more
}

// NewSpread is a Spread without vertices.
func NewSpread(g *graph.Graph) *Spread {
	n := g.Len()
	s := &Spread{Nearest: make([]int32, n), Far: make([]float64, n), solver: NewSolver(g), bound: make([]float64, (n+block-1)/block)}
	for v := range n {
		s.Nearest[v], s.Far[v] = -1, math.Inf(1)
	}
	for b := range s.bound {
		s.bound[b] = math.Inf(1)
	}
	return s
}

// Leave leaves a vertex out: it is never added, and nothing is near it. All vertices of its component must be left out, before the first Extend.
func (s *Spread) Leave(v int32) { s.Far[v] = 0 }

// Extend adds vertices until there are m, or until every vertex has one at distance 0. It returns the radius: the
// greatest distance of a vertex from the nearest of them, +Inf while a component has none. When ctx
// ends its error is returned; what there is by then holds.
func (s *Spread) Extend(ctx context.Context, m int) (radius float64, err error) {
	if len(s.Far) == 0 {
		return 0, nil
	}
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		next := s.farthest()
		if s.Far[next] == 0 || len(s.Vertices) >= m {
			return s.Far[next], nil
		}
		for _, v := range s.solver.Lower(s.Far, int32(next)) {
			s.Nearest[v] = int32(len(s.Vertices))
		}
		s.Vertices = append(s.Vertices, int32(next))
	}
}

// block is of how many vertices a Spread keeps a bound.
const block = 256

// farthest is the first vertex of those farthest from all. Distances only become less, so that the bounds hold.
func (s *Spread) farthest() int {
	for {
		at := 0
		for b, x := range s.bound {
			if x > s.bound[at] {
				at = b
			}
		}
		first := at * block
		for v := first; v < min(len(s.Far), (at+1)*block); v++ {
			if s.Far[v] > s.Far[first] {
				first = v
			}
		}
		if s.Far[first] == s.bound[at] {
			return first
		}
		s.bound[at] = s.Far[first]
	}
}
