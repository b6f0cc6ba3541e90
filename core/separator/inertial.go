package separator

import (
	"context"

	"genussink/core/graph"
)

// inertialFlow takes minimum vertex cuts between the first and the last least
// vertices along several directions (Schild and Sommer, On balanced separators
// in road networks, SEA 2015, there with edge cuts and geometric directions),
// and shrinks the smallest of them. It starts from the best level set, so it
// is never larger than that.
func inertialFlow(ctx context.Context, g *graph.Graph, o Options, least int) ([]side, error) {
	list := orders(g, o)
	best, size, err := smallestLevel(ctx, g, append(list, breadthFirst(g, leastDegree(g))), least)
	if err != nil {
		return nil, err
	}
	f := newFlow(g)
	for _, order := range list {
		ok, err := f.between(ctx, order, least, size-1)
		if err != nil {
			return nil, err
		}
		if ok {
			copy(best, f.sides)
			size = f.value
		}
	}
	return best, f.shrink(ctx, best, least)
}

// between cuts the first count vertices of an order from the last count. It
// reports false when they touch or the cut has more than limit vertices.
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
