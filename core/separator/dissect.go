package separator

import (
	"context"
	"errors"
	"slices"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/treedec"
)

// Dissect returns an elimination order of g by nested dissection (George, Nested dissection of a regular finite element mesh, SIAM J.
// Numer. Anal. 10, 1973): the order of A, the order of B, then S. Separations are those of the default finder for o. A part is left to
// minimum degree if that is no wider, or so narrow that the separators above matter more. So the order is never wider than that of
// treedec.MinDegree.
func Dissect(ctx context.Context, g *graph.Graph, o Options) ([]int32, error) {
	if _, err := check(ctx, g, o); err != nil && !errors.Is(err, ErrNoSeparation) {
		return nil, err
	}
	f, err := ByName("")
	if err != nil {
		return nil, err
	}
	o.Faces = nil
	order, _, err := dissect(ctx, f, g, g.Len(), treedec.Degeneracy(g), o)
	return order, err
}

// dissect orders the first own vertices of g, those of a part; the others are
// the vertices around it, which are eliminated later. It returns the width of
// the order too: the most neighbours that a vertex has at its elimination. No
// width below enough is better than that.
func dissect(ctx context.Context, f Finder, g *graph.Graph, own, enough int, o Options) ([]int32, int, error) {
	const small = 64 // vertices; no more is gained below
	if own <= small {
		enough = g.Len()
	}
	order, width, err := treedec.OrderWithin(ctx, g, own, enough)
	if !errors.Is(err, treedec.ErrWide) {
		return order, width, err
	}
	part := make([]int32, own)
	for v := range part {
		part[v] = int32(v)
	}
	s, err := f.Find(ctx, g.Induced(part), o)
	if errors.Is(err, ErrNoSeparation) {
		return treedec.OrderWithin(ctx, g, own, g.Len())
	}
	if err != nil {
		return nil, 0, err
	}
	last, err := lastWidth(g, own, s.S)
	if err != nil {
		return nil, 0, err
	}
	sides := [...][]int32{s.A, s.B}
	var widths [len(sides)]int
	var failed [len(sides)]error
	workers := 1
	if own > 64*small { // else the sides are done before a goroutine pays
		workers = parallel.Workers(len(sides))
	}
	if err := parallel.Each(ctx, workers, len(sides), func(_, i int) {
		side := sides[i]
		inner := o
		if o.Positions != nil {
			inner.Positions = make([][3]float64, len(side))
			for k, v := range side {
				inner.Positions[k] = o.Positions[v]
			}
		}
		var sub []int32
		sub, widths[i], failed[i] = dissect(ctx, f, g.Induced(withNeighbours(g, side)), len(side), max(enough, last), inner)
		for k, v := range sub {
			sub[k] = side[v]
		}
		sides[i] = sub
	}); err != nil {
		return nil, 0, err
	}
	if err := errors.Join(failed[:]...); err != nil {
		return nil, 0, err
	}
	nested := max(last, widths[0], widths[1])
	if nested > enough { // else minimum degree has failed already
		if order, width, err := treedec.OrderWithin(ctx, g, own, nested); !errors.Is(err, treedec.ErrWide) {
			return order, width, err
		}
	}
	return slices.Concat(sides[0], sides[1], s.S), nested, nil
}

// lastWidth is the most neighbours that a vertex of the separator has when
// nothing else is left of the part, the first own vertices of g. What goes before
// it counts by its components: each joins all its neighbours.
func lastWidth(g *graph.Graph, own int, separator []int32) (int, error) {
	const unseen = -1
	number := make([]int32, g.Len()) // in the graph that is left: the separator, what is around the part, components
	for v := range number {
		number[v] = unseen
	}
	count := int32(0)
	for _, v := range separator {
		number[v] = count
		count++
	}
	for v := own; v < g.Len(); v++ {
		number[v] = count
		count++
	}
	kept := count
	var stack []int32
	var edges []graph.Edge
	for v := range int32(own) {
		if number[v] != unseen {
			continue
		}
		number[v] = count
		for stack = append(stack[:0], v); len(stack) > 0; {
			u := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			to, _ := g.Neighbours(u)
			for _, t := range to {
				switch at := number[t]; {
				case at == unseen:
					number[t] = count
					stack = append(stack, t)
				case at < kept:
					edges = append(edges, graph.Edge{U: at, V: count})
				}
			}
		}
		count++
	}
	for v := range int32(g.Len()) {
		if number[v] < kept {
			to, _ := g.Neighbours(v)
			for _, t := range to {
				if v < t && number[t] < kept {
					edges = append(edges, graph.Edge{U: number[v], V: number[t]})
				}
			}
		}
	}
	left, err := graph.New(int(count), edges)
	if err != nil {
		return 0, err
	}
	order := make([]int32, count)
	for i := range order {
		order[i] = (kept + int32(i)) % count
	}
	d, err := treedec.FromOrder(left, order)
	if err != nil {
		return 0, err
	}
	width := 0
	for _, bag := range d.Bags[count-kept:][:len(separator)] {
		width = max(width, len(bag)-1)
	}
	return width, nil
}

// withNeighbours returns the part and behind it the vertices next to it.
func withNeighbours(g *graph.Graph, part []int32) []int32 {
	seen := make([]bool, g.Len())
	for _, v := range part {
		seen[v] = true
	}
	all := slices.Clone(part)
	for _, v := range part {
		to, _ := g.Neighbours(v)
		for _, t := range to {
			if !seen[t] {
				seen[t] = true
				all = append(all, t)
			}
		}
	}
	return all
}
