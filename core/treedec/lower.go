package treedec

import "genussink/core/graph"

// Degeneracy removes vertices of least degree one by one, and returns the largest degree that a vertex had then. The treewidth is at
// least that. The time is linear, but for the queue.
func Degeneracy(g *graph.Graph) int {
	n := g.Len()
	key := make([]int, n)
	for v := range key {
		key[v] = int(g.Offsets[v+1] - g.Offsets[v])
	}
	h := newHeap(key, nil)
	bound := 0
	gone := make([]bool, n)
	for len(h.items) > 0 {
		v, key := h.pop()
		gone[v] = true
		bound = max(bound, key)
		to, _ := g.Neighbours(v)
		for _, u := range to {
			if !gone[u] {
				h.lower(u, 1)
			}
		}
	}
	return bound
}

// MinorMinWidth (MMD+) contracts edges one by one: from a vertex of least degree to the neighbour with which it has the fewest
// neighbours in common. It returns the largest least degree that it met. A minor has at most the treewidth of the graph, so the
// treewidth is at least that (Bodlaender and Koster, Treewidth computations II).
func MinorMinWidth(g *graph.Graph) int {
	n := g.Len()
	e := newElimination(g)
	key := make([]int, n)
	for v := range key {
		key[v] = int(e.degree[v])
	}
	h := newHeap(key, nil)
	bound := 0
	for len(h.items) > 0 {
		v, key := h.pop()
		bound = max(bound, key)
		around := e.neighbours(v)
		if len(around) == 0 {
			continue
		}
		into, fewest := int32(-1), n
		for _, u := range around {
			if c := common(around, e.rows[u]); c < fewest {
				into, fewest = u, c
			}
		}
		for _, u := range e.remove(v) {
			if u != into && e.put(into, u) {
				e.put(u, into)
			}
		}
		for _, u := range around {
			h.change(u, int(e.degree[u]))
		}
	}
	return bound
}
