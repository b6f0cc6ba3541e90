package separator

import (
	"context"
	"math"

	"genussink/core/graph"
	"genussink/core/treedec"
)

// centroidBag takes the centroid bag of a tree decomposition by minimum degree. If the components that it leaves do not add up to
// balanced sides, it takes that of a decomposition by minimum fill. No component without the bag has more than half the vertices. The
// bag is small where the treewidth is; on meshes it is larger than a cut by flow.
func centroidBag(ctx context.Context, g *graph.Graph, o Options, least int) ([]side, error) {
	for _, rule := range [...]treedec.Rule{treedec.MinDegree, treedec.MinFill} {
		d, err := treedec.Eliminate(ctx, g, rule, o.Seed)
		if err != nil {
			return nil, err
		}
		bag, err := d.Centroid()
		if err != nil {
			return nil, err
		}
		sides := make([]side, g.Len())
		for _, v := range d.Bags[bag] {
			sides[v] = inS
		}
		dealComponents(g, sides)
		freeInner(g, sides)
		trim(g, sides, math.MaxInt)
		if tally(sides).lighter() >= least {
			return sides, nil
		}
	}
	return nil, ErrNoSeparation
}

// freeInner looks for a vertex of the separator without a neighbour outside it, and gives it to the lighter side. If there is one
// component besides the bag, that begins the other side before the side of the component grows over the bag.
func freeInner(g *graph.Graph, sides []side) {
	count := tally(sides)
	for v, s := range sides {
		if s != inS {
			continue
		}
		to, _ := g.Neighbours(int32(v))
		inner := true
		for _, t := range to {
			inner = inner && sides[t] == inS
		}
		if inner {
			lighter := inA
			if count[inB] < count[inA] {
				lighter = inB
			}
			sides[v] = lighter
			count[lighter]++
		}
	}
}

// treeCentroid separates a tree by the vertex without which the largest component is smallest: it has at most half
// the vertices (Jordan 1869), so that two sides of the components have at most two thirds each.
func treeCentroid(g *graph.Graph) []side {
	n := g.Len()
	order := breadthFirst(g, 0)
	below, largest := make([]int, n), make([]int, n) // vertices of the subtree; of the largest child's
	seen := make([]bool, n)
	best := int32(0)
	for i := n - 1; i >= 0; i-- { // children before parents
		v := order[i]
		below[v]++
		seen[v] = true
		if most := max(largest[v], n-below[v]); i == n-1 || most < max(largest[best], n-below[best]) {
			best = v
		}
		to, _ := g.Neighbours(v)
		for _, parent := range to {
			if !seen[parent] {
				below[parent] += below[v]
				largest[parent] = max(largest[parent], below[v])
			}
		}
	}
	sides := make([]side, n)
	sides[best] = inS
	dealComponents(g, sides)
	return sides
}
