package separator

import (
	"context"

	"genussink/core/graph"
	"genussink/core/internal/sets"
)

// genus separates a graph on a surface of Euler genus k, which is twice the handles if the surface is orientable. It takes the
// sqrt(8(k+1)n) vertices of levelsAndCycles, or a level of the search if that is smaller, and shrinks them as far as the balance
// allows. In some small graphs the sides lack the balance; then it takes the separation of the level set finder. To cut levels as well
// as handles is the idea of Gilbert, Hutchinson and Tarjan (A separator theorem for graphs of bounded genus, J. Algorithms 5, 1984).
func genus(ctx context.Context, g *graph.Graph, o Options, least int) ([]side, error) {
	r, err := root(ctx, g, o, embedSurface)
	if err != nil {
		return nil, err
	}
	sides, err := r.levelsAndCycles(ctx)
	if err != nil {
		return nil, err
	}
	sides, err = r.finish(g, sides, 2*g.Len()/3, least)
	if err != nil {
		sides, err = levelSet(ctx, g, o, least)
	} else if l, ok := new(levels).best(g, r.order, least); ok && l.size < tally(sides)[inS] {
		sides = l.sides(g, r.order)
	}
	if err != nil {
		return nil, err
	}
	return sides, newCutter(g).shrink(ctx, sides, least)
}

// cutHandles finds the edges that with the tree cut the surface into a disc:
// those that neither the tree has nor a spanning tree of the triangles crosses
// (tree and cotree; Eppstein, Dynamic generators of topologically embedded
// graphs, SODA 2003). The cotree crosses the edges first that are deepest in
// the tree, which leaves the shortest loops through the root (Erickson and
// Whittlesey, Greedy optimal homotopy and homology generators, SODA 2005).
func (r *rooted) cutHandles(depth []int32) {
	k := r.genus()
	if k == 0 {
		return
	}
	key := func(s int32) int32 {
		u, v := r.ends(s)
		return depth[u] + depth[v]
	}
	inside := func(s int32) bool { return s < r.twin[s] && r.roles[s]&barrier == 0 }
	count := make([]int32, 2*len(r.levels)+1)
	slots := int32(len(r.twin))
	for s := range slots {
		if inside(s) {
			count[key(s)]++
		}
	}
	total := int32(0)
	for i := len(count) - 1; i >= 0; i-- {
		total, count[i] = total+count[i], total
	}
	deepest := make([]int32, total)
	for s := range slots {
		if inside(s) {
			deepest[count[key(s)]] = s
			count[key(s)]++
		}
	}
	joined := sets.New(len(r.triangles))
	for _, s := range deepest {
		a, b := joined.Find(s/3), joined.Find(r.twin[s]/3)
		if a != b {
			joined.Join(max(a, b), min(a, b))
			continue
		}
		r.roles[s] |= barrier
		r.roles[r.twin[s]] |= barrier
		r.handles = append(r.handles, s)
	}
}
