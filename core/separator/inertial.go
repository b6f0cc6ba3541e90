package separator

import (
	"context"

	"genussink/core/graph"
)

// inertialFlow takes minimum vertex cuts between the first and the last least
// vertices along several directions, and the smallest of them (Schild and
// Sommer, On balanced separators in road networks, SEA 2015, there with edge
// cuts and geometric directions). It starts from the best level set, so it is
// never worse.
func inertialFlow(ctx context.Context, g *graph.Graph, o Options, least int) ([]side, error) {
	list := orders(g, o, 4)
	best, size, err := smallestLevel(ctx, g, append(list, breadthFirst(g, leastDegree(g))), least)
	if err != nil {
		return nil, err
	}
	f := newFlow(g)
	for _, order := range list {
		if ok, err := f.between(ctx, order, least, size-1); err != nil {
			return nil, err
		} else if ok {
			copy(best, f.sides)
			size = f.value
		}
	}
	trim(g, best)
	return best, nil
}

// between cuts the first count vertices of an order from the last count. It
// reports false when the cut has more than limit vertices.
func (f *flow) between(ctx context.Context, order []int32, count, limit int) (bool, error) {
	for v := range f.sides {
		f.sides[v] = inS
	}
	for _, v := range order[len(order)-count:] {
		f.sides[v] = inB
	}
	for _, v := range order[:count] {
		if f.touches(v, inB) {
			return false, nil
		}
		f.sides[v] = inA
	}
	return f.minCut(ctx, limit)
}
