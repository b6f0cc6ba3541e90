package separator

import (
	"context"
	"math"

	"genussink/core/graph"
	"genussink/core/internal/buffer"
)

// levelSet cuts along level sets of d(p,.)-d(q,.) for far pairs p, q, at the
// level with the fewest vertices.
func levelSet(ctx context.Context, g *graph.Graph, o Options, least int) ([]side, error) {
	list, err := orders(ctx, g, o, 1)
	if err != nil {
		return nil, err
	}
	sides, _, err := smallestLevel(ctx, g, append(list, breadthFirst(g, leastDegree(g))), least)
	return sides, err
}

// smallestLevel is the best level of all the orders, and its size.
func smallestLevel(ctx context.Context, g *graph.Graph, list [][]int32, least int) ([]side, int, error) {
	cuts, found, spaces := make([]level, len(list)), make([]bool, len(list)), make([]levels, len(list))
	if err := each(ctx, g, len(list), func(w, i int) { cuts[i], found[i] = spaces[w].best(g, list[i], least) }); err != nil {
		return nil, 0, err
	}
	var best []int32
	var cut level
	for i, l := range cuts {
		if found[i] && (best == nil || l.better(cut)) {
			best, cut = list[i], l
		}
	}
	if best == nil {
		return nil, 0, ErrNoSeparation
	}
	sides := cut.sides(g, best)
	return sides, trim(g, sides, math.MaxInt), nil
}

// level is a cut of a vertex order after its first prefix vertices. The
// separator is the vertices before the cut that have a neighbour after it, or,
// if outer, those after it that have one before.
type level struct {
	prefix, size int
	outer        bool
	lighter      int // the smaller side
}

func (l level) better(than level) bool {
	return l.size < than.size || l.size == than.size && l.lighter > than.lighter
}

// levels is scratch space for finding one level after the other.
type levels struct{ position, inner, outer []int32 }

// best finds the smallest level of the order that leaves least vertices
// on either side, of equal ones the best balanced, in linear time.
func (s *levels) best(g *graph.Graph, order []int32, least int) (best level, ok bool) {
	n := len(order)
	s.position, s.inner, s.outer = buffer.Sized(s.position, n), buffer.Sized(s.inner, n+2), buffer.Sized(s.outer, n+2)
	position, inner, outer := s.position, s.inner, s.outer
	clear(inner)
	clear(outer)
	for i, v := range order {
		position[v] = int32(i)
	}
	// The vertex at position i lies on the inner boundary of the prefixes i+1..last
	// and on the outer boundary of first+1..i, where first and last are the
	// extreme positions of its neighbours: difference arrays count both.
	for i, v := range order {
		first, last := int32(i), int32(i)
		to, _ := g.Neighbours(v)
		for _, t := range to {
			first, last = min(first, position[t]), max(last, position[t])
		}
		inner[i+1]++
		inner[last+1]--
		outer[first+1]++
		outer[i+1]--
	}
	var in, out int
	for k := 1; k < n; k++ {
		in += int(inner[k])
		out += int(outer[k])
		for _, l := range [2]level{
			{prefix: k, size: in, lighter: min(k-in, n-k)},
			{prefix: k, size: out, outer: true, lighter: min(k, n-k-out)},
		} {
			if l.lighter >= least && (!ok || l.better(best)) {
				best, ok = l, true
			}
		}
	}
	return best, ok
}

func (l level) sides(g *graph.Graph, order []int32) []side {
	sides := make([]side, len(order))
	for _, v := range order[l.prefix:] {
		sides[v] = inB
	}
	from, across := order[:l.prefix], inB
	if l.outer {
		from, across = order[l.prefix:], inA
	}
	for _, v := range from {
		to, _ := g.Neighbours(v)
		for _, t := range to {
			if sides[t] == across {
				sides[v] = inS
				break
			}
		}
	}
	return sides
}

// breadthFirst lists the vertices that a breadth-first search from start reaches, in its order.
func breadthFirst(g *graph.Graph, start int32) []int32 {
	seen := make([]bool, g.Len())
	seen[start] = true
	order := append(make([]int32, 0, g.Len()), start)
	for i := 0; i < len(order); i++ {
		to, _ := g.Neighbours(order[i])
		for _, t := range to {
			if !seen[t] {
				seen[t] = true
				order = append(order, t)
			}
		}
	}
	return order
}
