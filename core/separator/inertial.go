package separator

import (
	"context"
	"slices"
	"sync"

	"genussink/core/graph"
)

// inertialFlow orders the vertices along several directions, and takes minimum vertex cuts between the first and the last of each
// order (Schild and Sommer, On balanced separators in road networks, SEA 2015, there with edge cuts and geometric directions). It
// shrinks the smallest. It starts from the best level set, so it is never larger than that. There are two exceptions: a tree is cut at its
// centroid, and a convex part of a lattice straight.
func inertialFlow(ctx context.Context, g *graph.Graph, o Options, least int) ([]side, error) {
	if g.Edges() == g.Len()-1 {
		if sides := treeCentroid(g); tally(sides).lighter() >= least {
			return sides, nil
		}
	}
	if sides, ok := straight(g, o, least); ok {
		return sides, nil
	}
	list, err := orders(ctx, g, o, 1)
	if err != nil {
		return nil, err
	}
	best, size, err := smallestLevel(ctx, g, append(list, breadthFirst(g, leastDegree(g))), least)
	if err != nil {
		return nil, err
	}
	// Of the smallest cuts the first in the list counts, whichever is found first: one as small as
	// the smallest found is looked for as long as that comes later.
	var lock sync.Mutex
	var fault error
	found := -1
	cutters := make([]*cutter, len(list))
	if err := each(ctx, g, len(list), func(w, i int) {
		if cutters[w] == nil {
			cutters[w] = newCutter(g)
		}
		c, sides := cutters[w], make([]side, g.Len())
		ends(sides, list[i], least)
		lock.Lock()
		limit := size
		if found < i {
			limit--
		}
		lock.Unlock()
		ok, err := c.minCut(ctx, sides, limit)
		lock.Lock()
		defer lock.Unlock()
		if err != nil {
			fault = err
		}
		if ok && (c.value < size || c.value == size && i < found) {
			best, size, found = sides, c.value, i
		}
	}); err != nil {
		return nil, err
	}
	if fault != nil {
		return nil, fault
	}
	c := cutters[slices.IndexFunc(cutters, func(c *cutter) bool { return c != nil })]
	return best, c.shrink(ctx, best, least)
}
