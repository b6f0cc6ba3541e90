package treedec

import (
	"context"
	"slices"

	"genussink/core/graph"
)

// reduced is a graph on some vertices of another.
type reduced struct {
	*graph.Graph
	vertices []int32
}

// reduce eliminates vertices as long as that is safe, raises the lower bound to
// the degrees of the simplicial ones, and returns what is left and the order.
//
// Twins are vertices with the same neighbours, counting themselves or not; a
// vertex has at least itself. Let t twins have the neighbours S besides
// themselves. To eliminate them costs a bag of one vertex and its degree and
// leaves S a clique. That is safe when the degree is at most a lower bound of
// the treewidth and the edges missing in S have a cover of at most t vertices:
// to contract each twin into a vertex of the cover makes the same graph, so
// that is a minor. For t = 1 this is the simplicial and the almost simplicial
// rule, and with two neighbours the series rule; for t = 2 and three neighbours
// the buddy rule (Bodlaender, Koster and van den Eijkhof, Preprocessing rules
// for triangulation of probabilistic networks).
func reduce(ctx context.Context, g *graph.Graph, lower *int) (r reduced, order []int32, err error) {
	n := g.Len()
	queued := make([]bool, n)
	queue := make([]int32, 0, n)
	e := newElimination(g)
	push := func(v int32) {
		if !e.gone[v] && !queued[v] {
			queued[v] = true
			queue = append(queue, v)
		}
	}
	f := fills{e, make([]int, n), push}
	for v := range int32(n) {
		if v%256 == 0 {
			if err := ctx.Err(); err != nil {
				return r, nil, err
			}
		}
		f.fill[v] = e.fill(v)
		push(v)
	}
	for done := 0; len(queue) > 0; done++ {
		if done%256 == 0 {
			if err := ctx.Err(); err != nil {
				return r, nil, err
			}
		}
		v := queue[0]
		queue = queue[1:]
		queued[v] = false
		if e.gone[v] {
			continue
		}
		degree := int(e.degree[v])
		twins := []int32{v}
		if f.fill[v] > 0 {
			if degree > *lower {
				continue
			}
			twins = e.twins(v)
			if !e.covered(v, twins) {
				continue
			}
		}
		raised := f.fill[v] == 0 && degree > *lower
		for _, u := range twins {
			f.eliminate(u)
			order = append(order, u)
		}
		if raised {
			*lower = degree
			for u := range int32(n) {
				push(u) // more vertices may be safe now
			}
		}
	}
	var edges []graph.Edge
	local := make([]int32, n)
	for v := range int32(n) {
		if !e.gone[v] {
			local[v] = int32(len(r.vertices))
			r.vertices = append(r.vertices, v)
		}
	}
	for _, v := range r.vertices {
		for _, u := range e.neighbours(v) {
			if u < v {
				edges = append(edges, graph.Edge{U: local[v], V: local[u], Weight: 1})
			}
		}
	}
	r.Graph = build(len(r.vertices), edges)
	return r, order, nil
}

// build makes a graph from edges that are known to be right.
func build(n int, edges []graph.Edge) *graph.Graph {
	g, err := graph.New(n, edges)
	if err != nil {
		panic("treedec: an edge outside its own graph")
	}
	return g
}

// twins are the true twins of v, or else its false twins, with v first.
func (e *elimination) twins(v int32) []int32 {
	twins := []int32{v}
	around := e.neighbours(v)
	least := around[0]
	for _, u := range around {
		if e.degree[u] < e.degree[least] {
			least = u
		}
		if e.degree[u] == e.degree[v] && common(around, e.neighbours(u)) == len(around)-1 {
			twins = append(twins, u)
		}
	}
	if len(twins) > 1 {
		return twins
	}
	for _, w := range e.neighbours(least) {
		if w != v && e.degree[w] == e.degree[v] && slices.Equal(e.neighbours(w), around) {
			twins = append(twins, w)
		}
	}
	return twins
}

// covered reports whether as many vertices as there are twins cover the edges
// missing between the neighbours of v that are none of the twins. Of many twins
// only some are asked, for the time doubles with each.
func (e *elimination) covered(v int32, twins []int32) bool {
	var others []int32
	for _, u := range e.neighbours(v) {
		if !slices.Contains(twins, u) {
			others = append(others, u)
		}
	}
	if len(twins) >= len(others)-1 {
		return true // all but one vertex cover everything
	}
	cover := min(len(twins), 6)
	// A cover of that size misses a vertex, so it must hold enough of them.
	most := cover * len(others)
	var missing [][2]int32
	for i, a := range others {
		for _, b := range others[i+1:] {
			if _, there := slices.BinarySearch(e.neighbours(a), b); !there {
				if missing = append(missing, [2]int32{a, b}); len(missing) > most {
					return false
				}
			}
		}
	}
	return coverable(missing, nil, cover)
}

// coverable reports whether chosen and at most left more vertices cover edges.
func coverable(edges [][2]int32, chosen []int32, left int) bool {
	for i, e := range edges {
		if slices.Contains(chosen, e[0]) || slices.Contains(chosen, e[1]) {
			continue
		}
		return left > 0 && (coverable(edges[i+1:], append(slices.Clip(chosen), e[0]), left-1) ||
			coverable(edges[i+1:], append(slices.Clip(chosen), e[1]), left-1))
	}
	return true
}
