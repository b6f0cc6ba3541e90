package treehost

import (
	"fmt"

	"genussink/core/graph"
	"genussink/core/shortest"
)

// A forest has a shortest-path tree in every component of a graph, its root
// near the component's middle, so that no path of it is much longer than half
// the diameter.
type forest struct {
	parent   []int32   // none at a root
	dist     []float64 // from the root
	order    []int32   // parents before children, every subtree a range
	position []int32   // in order
	head     []int32   // the top of the heavy path that a vertex is on
}

const none int32 = -1

func grow(g *graph.Graph) (*forest, error) {
	n := g.Len()
	solver := shortest.NewSolver(g)
	var roots []int32
	seen := make([]bool, n)
	for v := range int32(n) {
		if seen[v] {
			continue
		}
		reached, _ := solver.Within(inf, v)
		for _, u := range reached {
			seen[u] = true
		}
		one := reached[len(reached)-1]
		reached, dist := solver.Within(inf, one)
		other := reached[len(reached)-1]
		length := dist[other]
		path, _ := solver.Path(one, other)
		// The middle is the last vertex in the first half of a longest path.
		root := one
		_, dist = solver.Within(length/2, one)
		for _, u := range path {
			if dist[u] <= length/2 {
				root = u
			}
		}
		roots = append(roots, root)
	}
	f := &forest{dist: solver.Distances(nil, roots...), parent: solver.Predecessors(nil)}
	for _, r := range roots {
		f.parent[r] = none
	}
	for v, d := range f.dist {
		if d == inf {
			return nil, fmt.Errorf("treehost: the distance of vertex %d from others overflows", v)
		}
	}
	f.number(roots)
	return f, nil
}

// number orders the vertices and finds the heavy paths.
func (f *forest) number(roots []int32) {
	n := len(f.parent)
	first, next := make([]int32, n), make([]int32, n) // lists of children
	for v := range first {
		first[v] = none
	}
	for v := int32(n) - 1; v >= 0; v-- {
		if p := f.parent[v]; p != none {
			next[v], first[p] = first[p], v
		}
	}
	f.order, f.position, f.head = make([]int32, 0, n), make([]int32, n), make([]int32, n)
	stack := make([]int32, 0, len(roots))
	for i := len(roots) - 1; i >= 0; i-- {
		stack = append(stack, roots[i])
	}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		f.position[v] = int32(len(f.order))
		f.order = append(f.order, v)
		for c := first[v]; c != none; c = next[c] {
			stack = append(stack, c)
		}
	}
	size := make([]int32, n)
	heavy := make([]int32, n)
	for v := range heavy {
		heavy[v] = none
	}
	for i := n - 1; i >= 0; i-- {
		v := f.order[i]
		size[v]++
		if p := f.parent[v]; p != none {
			size[p] += size[v]
			if heavy[p] == none || size[v] > size[heavy[p]] {
				heavy[p] = v
			}
		}
	}
	for _, v := range f.order {
		if p := f.parent[v]; p != none && heavy[p] == v {
			f.head[v] = f.head[p]
		} else {
			f.head[v] = v
		}
	}
}

// meet is the lowest common ancestor of two vertices of one tree.
func (f *forest) meet(u, v int32) int32 {
	for f.head[u] != f.head[v] {
		if f.position[f.head[u]] < f.position[f.head[v]] {
			u, v = v, u
		}
		u = f.parent[f.head[u]]
	}
	if f.position[u] < f.position[v] {
		return u
	}
	return v
}

// sum adds to every vertex what its descendants have.
func (f *forest) sum(count []int32) {
	for i := len(f.order) - 1; i >= 0; i-- {
		v := f.order[i]
		if p := f.parent[v]; p != none {
			count[p] += count[v]
		}
	}
}
