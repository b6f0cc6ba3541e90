package treedec

import (
	"slices"

	"genussink/core/graph"
)

// Degeneracy is the largest least degree that is met when vertices of least
// degree are removed one by one; the treewidth is at least that. Linear time
// but for the queue.
func Degeneracy(g *graph.Graph) int {
	n := g.Len()
	h := heap{key: make([]int, n), tie: make([]int, n), items: make([]int32, n), place: make([]int32, n)}
	for v := range int32(n) {
		h.key[v], h.tie[v] = int(g.Offsets[v+1]-g.Offsets[v]), int(v)
		h.items[v], h.place[v] = v, v
	}
	for i := n/4 + 1; i >= 0; i-- {
		h.down(int32(i))
	}
	bound := 0
	gone := make([]bool, n)
	for len(h.items) > 0 {
		v := h.items[0]
		h.pop()
		gone[v] = true
		bound = max(bound, h.key[v])
		to, _ := g.Neighbours(v)
		for _, u := range to {
			if !gone[u] {
				h.key[u]--
				h.up(h.place[u])
			}
		}
	}
	return bound
}

// MinorMinWidth (MMD+) contracts an edge of a vertex of least degree again and
// again, with the neighbour it has the fewest neighbours in common with, and
// returns the largest least degree met. The treewidth of a minor is at most
// that of the graph, so the treewidth is at least that (Bodlaender and Koster,
// Treewidth computations II).
func MinorMinWidth(g *graph.Graph) int {
	n := g.Len()
	adj := newElimination(g).adj
	h := heap{key: make([]int, n), tie: make([]int, n), items: make([]int32, n), place: make([]int32, n)}
	for v := range int32(n) {
		h.key[v], h.tie[v] = len(adj[v]), int(v)
		h.items[v], h.place[v] = v, v
	}
	for i := n/4 + 1; i >= 0; i-- {
		h.down(int32(i))
	}
	bound := 0
	remove := func(from, v int32) {
		k, _ := slices.BinarySearch(adj[from], v)
		adj[from] = slices.Delete(adj[from], k, k+1)
	}
	for len(h.items) > 0 {
		v := h.items[0]
		h.pop()
		bound = max(bound, len(adj[v]))
		if len(adj[v]) == 0 {
			continue
		}
		into, fewest := int32(-1), n
		for _, u := range adj[v] {
			if c := common(adj[u], adj[v]); c < fewest {
				into, fewest = u, c
			}
		}
		for _, u := range adj[v] {
			remove(u, v)
			if u != into {
				if k, there := slices.BinarySearch(adj[u], into); !there {
					adj[u] = slices.Insert(adj[u], k, into)
					k, _ = slices.BinarySearch(adj[into], u)
					adj[into] = slices.Insert(adj[into], k, u)
				}
			}
		}
		for _, u := range adj[v] {
			h.key[u] = len(adj[u])
			h.fix(u)
		}
		adj[v] = nil
	}
	return bound
}

func common(a, b []int32) (count int) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case b[0] < a[0]:
			b = b[1:]
		default:
			count++
			a, b = a[1:], b[1:]
		}
	}
	return count
}
