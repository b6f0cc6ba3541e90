package corpus

import (
	"testing"

	"genussink/core/graph"
)

// Graph is a graph without faces, and what is known of it.
type Graph struct {
	Name       string
	Components int
	Treewidth  int
	Planar     bool
	Graph      *graph.Graph
}

// Graphs are those of textbooks, of 1 to 64 vertices, with edges of length 1.
func Graphs(t testing.TB) []Graph {
	t.Helper()
	type pairs = [][2]int32
	path := func(n int32) (e pairs) {
		for v := int32(1); v < n; v++ {
			e = append(e, [2]int32{v - 1, v})
		}
		return e
	}
	grid := func(w, h int32) (e pairs) {
		for v := range w * h {
			if v%w+1 < w {
				e = append(e, [2]int32{v, v + 1})
			}
			if v/w+1 < h {
				e = append(e, [2]int32{v, v + w})
			}
		}
		return e
	}
	complete := func(parts ...int32) (e pairs) { // multipartite
		var part []int
		for p, n := range parts {
			for range n {
				part = append(part, p)
			}
		}
		for v := range part {
			for u := range v {
				if part[u] != part[v] {
					e = append(e, [2]int32{int32(u), int32(v)})
				}
			}
		}
		return e
	}
	var tree, petersen, cube pairs
	for v := int32(1); v < 63; v++ {
		tree = append(tree, [2]int32{(v - 1) / 2, v})
	}
	for v := range int32(5) {
		petersen = append(petersen, [2]int32{v, (v + 1) % 5}, [2]int32{v, v + 5}, [2]int32{v + 5, (v+2)%5 + 5})
	}
	for v := range int32(16) {
		for b := int32(1); b < 16; b *= 2 {
			if v&b == 0 {
				cube = append(cube, [2]int32{v, v | b})
			}
		}
	}
	var list []Graph
	add := func(name string, n, components, treewidth int, planar bool, e pairs) {
		edges := make([]graph.Edge, len(e))
		for i, p := range e {
			edges[i] = graph.Edge{U: p[0], V: p[1], Weight: 1}
		}
		g, err := graph.New(n, edges)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list = append(list, Graph{name, components, treewidth, planar, g})
	}
	add("vertex", 1, 1, 0, true, nil)
	add("three vertices apart", 3, 3, 0, true, nil)
	add("path", 30, 1, 1, true, path(30))
	add("cycle", 30, 1, 2, true, append(path(30), [2]int32{29, 0}))
	add("binary tree", 63, 1, 1, true, tree)
	add("ladder", 40, 1, 2, true, grid(20, 2))
	add("grid", 36, 1, 6, true, grid(6, 6))
	add("path and isolated vertices", 33, 4, 1, true, path(30))
	add("K5", 5, 1, 4, false, complete(1, 1, 1, 1, 1))
	add("K3,3", 6, 1, 3, false, complete(3, 3))
	add("octahedron", 6, 1, 4, true, complete(2, 2, 2))
	add("Petersen", 10, 1, 4, false, petersen)
	add("cube of four dimensions", 16, 1, 6, false, cube)
	return list
}
