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
	list := orders(g, o, 1)
	best, size, err := smallestLevel(ctx, g, append(list, breadthFirst(g, leastDegree(g))), least)
	if err != nil {
		return nil, err
	}
	c := newCutter(g)
	sides := make([]side, g.Len())
	for _, order := range list {
		ends(sides, order, least)
		ok, err := c.minCut(ctx, sides, size-1)
		if err != nil {
			return nil, err
		}
		if ok {
			copy(best, sides)
			size = c.value
		}
	}
	return best, c.shrink(ctx, best, least)
}
