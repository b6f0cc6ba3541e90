package treedec

import (
	"context"
	"slices"

	"genussink/core/graph"
)

// atom is a part of a graph. The clique, in the numbers of the part, is what it
// has in common with the parts after it.
type atom struct {
	reduced
	clique []int32
}

// atoms cuts g along cliques that separate it: the treewidth is the largest of
// the atoms'. The empty clique makes components and single vertices blocks.
// Every minimal separator of a minimal triangulation is the intersection of two
// neighbouring bags of its clique tree, and the cliques that minimally separate
// g are among them; so the tree is cut wherever the intersection is a clique in
// g. Where the triangulation is not minimal (large graphs), some cliques may be
// missed, and the cuts are still right (R. Tarjan, Decomposition by clique
// separators; Leimer; Berry, Pogorelcnik and Simonet, An introduction to clique
// minimal separator decomposition).
func atoms(ctx context.Context, g *graph.Graph) ([]atom, error) {
	n := g.Len()
	if n == 0 {
		return nil, nil
	}
	var order []int32
	var err error
	if n*g.Edges() <= maxMCSM {
		order, err = searchMCSM(ctx, g)
	} else {
		order, err = Order(ctx, g, MinDegree, 0)
	}
	if err != nil {
		return nil, err
	}
	d, err := FromOrder(g, order)
	if err != nil {
		return nil, err
	}
	if d, err = d.Clean(); err != nil {
		return nil, err
	}
	visits, err := d.root(0)
	if err != nil {
		return nil, err
	}
	// From the leaves up a bag joins the one above or begins an atom of its own.
	parts := make([][]int32, len(d.Bags))
	var list []atom
	for i := len(visits) - 1; i >= 0; i-- {
		b, p := visits[i].bag, visits[i].parent
		part := append(parts[b], d.Bags[b]...)
		parts[b] = nil
		var shared []int32
		if p >= 0 {
			for _, v := range d.Bags[b] {
				if contains(d.Bags[p], v) {
					shared = append(shared, v)
				}
			}
			if !isClique(g, shared) {
				parts[p] = append(parts[p], part...)
				continue
			}
		}
		slices.Sort(part)
		part = slices.Compact(part)
		a := atom{reduced: reduced{vertices: part}}
		if len(part) == n {
			a.Graph = g
		} else {
			a.Graph = within(g, part)
		}
		for _, v := range shared {
			k, _ := slices.BinarySearch(part, v)
			a.clique = append(a.clique, int32(k))
		}
		list = append(list, a)
	}
	return list, nil
}

// within is g.Induced in time that depends on the ascending vertices alone.
func within(g *graph.Graph, vertices []int32) *graph.Graph {
	var edges []graph.Edge
	for i, v := range vertices {
		to, _ := g.Neighbours(v)
		for _, u := range to {
			if u > v {
				break
			}
			if k, there := slices.BinarySearch(vertices, u); there {
				edges = append(edges, graph.Edge{U: int32(k), V: int32(i), Weight: 1})
			}
		}
	}
	return build(len(vertices), edges)
}

func isClique(g *graph.Graph, vertices []int32) bool {
	for i, v := range vertices {
		to, _ := g.Neighbours(v)
		for _, u := range vertices[:i] {
			if !contains(to, u) {
				return false
			}
		}
	}
	return true
}

// maxMCSM bounds vertices times edges of the graphs that searchMCSM orders.
const maxMCSM = 1 << 26

// searchMCSM returns a minimal elimination order, by maximum cardinality
// search: from the last position down, a vertex of largest weight; weights grow
// where a path through smaller weights leads (MCS-M, Berry, Blair, Heggernes
// and Peyton, Maximum cardinality search for computing minimal triangulations
// of graphs). Time O(n m).
func searchMCSM(ctx context.Context, g *graph.Graph) ([]int32, error) {
	n := g.Len()
	order := make([]int32, n)
	weight := make([]int, n)
	placed := make([]bool, n)
	seen := make([]int32, n)
	levels := make([][]int32, n+1) // reached vertices by the largest weight on the way
	for i := n - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v := int32(-1)
		for u := range int32(n) {
			if !placed[u] && (v < 0 || weight[u] > weight[v]) {
				v = u
			}
		}
		order[i], placed[v] = v, true
		stamp := int32(n - i)
		var heavier []int32
		top := 0
		visit := func(u int32, level int) {
			if placed[u] || seen[u] == stamp {
				return
			}
			seen[u] = stamp
			if weight[u] > level {
				heavier = append(heavier, u)
			}
			level = max(level, weight[u])
			top = max(top, level)
			levels[level] = append(levels[level], u)
		}
		to, _ := g.Neighbours(v)
		for _, u := range to {
			visit(u, -1)
		}
		for level := 0; level <= top; level++ {
			for len(levels[level]) > 0 {
				last := len(levels[level]) - 1
				u := levels[level][last]
				levels[level] = levels[level][:last]
				to, _ := g.Neighbours(u)
				for _, w := range to {
					visit(w, level)
				}
			}
		}
		for _, u := range heavier {
			weight[u]++
		}
	}
	return order, nil
}
