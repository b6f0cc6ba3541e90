package separator

import (
	"context"
	"math"

	"genussink/core/graph"
)

// shrink makes a separation smaller, with at least least vertices a side: it drops vertices that do not touch both sides, and as long as
// that makes the separator smaller it replaces it by a minimum cut of the band
// around it that leaves the farthest vertices of either side in place.
func (c *cutter) shrink(ctx context.Context, sides []side, least int) error {
	smaller := make([]side, len(sides))
	for {
		size := trim(c.g, sides, math.MaxInt)
		if size == 0 {
			return nil
		}
		ends(smaller, aroundSeparator(c.g, sides), least)
		ok, err := c.minCut(ctx, smaller, size-1)
		if err != nil {
			return err
		}
		if !ok {
			return nil
		}
		copy(sides, smaller)
	}
}

// aroundSeparator orders the vertices by their hops from the separator, those
// of A before it and those of B after it.
func aroundSeparator(g *graph.Graph, sides []side) []int32 {
	n := g.Len()
	seen := make([]bool, n)
	queue := make([]int32, 0, n)
	meet := func(v int32) {
		if !seen[v] {
			seen[v] = true
			queue = append(queue, v)
		}
	}
	for v, s := range sides {
		if s == inS {
			meet(int32(v))
		}
	}
	for i := 0; i < len(queue); i++ {
		to, _ := g.Neighbours(queue[i])
		for _, t := range to {
			meet(t)
		}
	}
	for v := range int32(n) {
		meet(v) // no path from the separator: farthest
	}
	order := make([]int32, n)
	lo, hi := 0, n
	for i := n - 1; i >= 0; i-- {
		if v := queue[i]; sides[v] == inB {
			hi--
			order[hi] = v
		} else {
			order[lo] = v
			lo++
		}
	}
	return order
}

// trim drops vertices from the separator that do not touch both sides. Each joins the side that it touches, or the lighter one if it
// touches neither. Sides only grow: a vertex that must stay then must stay for good, so one pass is enough. No side grows beyond most
// vertices. It returns the size of the separator.
func trim(g *graph.Graph, sides []side, most int) int {
	count := tally(sides)
	for v, s := range sides {
		if s != inS {
			continue
		}
		var touches [3]bool
		neighbours, _ := g.Neighbours(int32(v))
		for _, t := range neighbours {
			touches[sides[t]] = true
		}
		if touches[inA] && touches[inB] {
			continue
		}
		to := inB
		if touches[inA] || !touches[inB] && count[inA] <= count[inB] {
			to = inA
		}
		if count[to] < most {
			sides[v] = to
			count[to]++
			count[inS]--
		}
	}
	return count[inS]
}
