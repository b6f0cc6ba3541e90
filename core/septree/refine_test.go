package septree

import (
	"errors"
	"math"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/separator"
)

// join are edges of length 1.
func join(pairs ...[2]int32) (edges []graph.Edge) {
	for _, p := range pairs {
		edges = append(edges, graph.Edge{U: p[0], V: p[1], Weight: 1})
	}
	return edges
}

// smallGraphs are what people draw on paper.
func smallGraphs(t testing.TB) map[string]*graph.Graph {
	cycle, clique, wheel := [][2]int32{}, [][2]int32{}, [][2]int32{}
	for v := range int32(12) {
		cycle = append(cycle, [2]int32{v, (v + 1) % 12})
		wheel = append(wheel, [2]int32{v, (v + 1) % 12}, [2]int32{v, 12})
	}
	dodecahedron := [][2]int32{} // the generalised Petersen graph GP(10, 2)
	for v := range int32(10) {
		dodecahedron = append(dodecahedron, [2]int32{v, (v + 1) % 10}, [2]int32{v, v + 10}, [2]int32{v + 10, (v+2)%10 + 10})
	}
	for v := range int32(7) {
		for w := range v {
			clique = append(clique, [2]int32{w, v})
		}
	}
	return map[string]*graph.Graph{
		"tree of 7":    gengraph.Build(t, 7, join([2]int32{0, 1}, [2]int32{0, 2}, [2]int32{1, 3}, [2]int32{1, 4}, [2]int32{2, 5}, [2]int32{2, 6})),
		"dodecahedron": gengraph.Build(t, 20, join(dodecahedron...)),
		// The paper's first figure is a planar graph of seven vertices, A to G, that {B,C,D} parts in two; the
		// caption says no more of it, so these are edges with which that is true.
		"paper's first figure": gengraph.Build(t, 7, join([2]int32{0, 1}, [2]int32{0, 2}, [2]int32{1, 2}, [2]int32{1, 3}, [2]int32{2, 3},
			[2]int32{1, 4}, [2]int32{3, 4}, [2]int32{3, 5}, [2]int32{4, 5}, [2]int32{4, 6}, [2]int32{5, 6}, [2]int32{2, 5})),
		"path":              gengraph.Grid(t, 9, 1, 0, 1),
		"cycle":             gengraph.Build(t, 12, join(cycle...)),
		"wheel":             gengraph.Build(t, 13, join(wheel...)),
		"grid":              gengraph.Grid(t, 8, 5, 0, 1),
		"K4":                gengraph.Build(t, 4, join(clique[:6]...)),
		"K7":                gengraph.Build(t, 7, join(clique...)),
		"K7 less an edge":   gengraph.Build(t, 7, join(clique[1:]...)),
		"star":              gengraph.Build(t, 7, join([2]int32{0, 1}, [2]int32{0, 2}, [2]int32{0, 3}, [2]int32{0, 4}, [2]int32{0, 5}, [2]int32{0, 6})),
		"K4 and a path":     gengraph.Build(t, 9, join(append(clique[:6:6], [2]int32{4, 5}, [2]int32{5, 6}, [2]int32{6, 7})...)),
		"two vertices":      gengraph.Build(t, 2, join([2]int32{0, 1})),
		"one vertex":        gengraph.Build(t, 1, nil),
		"nothing connected": gengraph.Build(t, 5, nil),
	}
}

// split is a node of an outline with its vertices, by side.
type shown struct {
	Node
	a, s, b []int32
}

func shownOf(tree *Tree) []shown {
	nodes, cells := tree.Outline()
	list := make([]shown, len(nodes))
	for i := range list {
		list[i].Node = nodes[i]
	}
	for v, c := range cells {
		list[c].s = append(list[c].s, int32(v))
		for at := c; nodes[at].Parent >= 0; at = nodes[at].Parent {
			if p := &list[nodes[at].Parent]; p.Left == at {
				p.a = append(p.a, int32(v))
			} else {
				p.b = append(p.b, int32(v))
			}
		}
	}
	return list
}

// separable tells by trying all whether a graph has a separation of the default balance.
func separable(g *graph.Graph) bool {
	n := g.Len()
	side := make([]int, n)
	least := max(1, int(math.Floor(separator.DefaultBalance*float64(n)+1e-9)))
	var try func(v, a, b int) bool
	try = func(v, a, b int) bool {
		if v == n {
			return a >= least && b >= least
		}
		for s := range 3 {
			to, _ := g.Neighbours(int32(v))
			if s != 0 && slices.ContainsFunc(to, func(w int32) bool { return int(w) < v && side[w] == 3-s }) {
				continue
			}
			side[v] = s
			if try(v+1, a+[]int{0, 1, 0}[s], b+[]int{0, 0, 1}[s]) {
				return true
			}
		}
		side[v] = 0
		return false
	}
	return try(0, 0, 0)
}

// Small graphs are split down to pairs: every node is a separation without an edge between its
// sides, balanced where its vertices allow that, and only complete graphs stay whole.
func TestRefineSmallGraphs(t *testing.T) {
	for name, g := range smallGraphs(t) {
		for _, finder := range separator.Names() {
			tree, err := Split(t.Context(), g, Options{Finder: finder})
			if err != nil {
				t.Fatal(err)
			}
			before, _ := tree.Outline()
			fine, err := tree.Refine(t.Context(), Options{Finder: finder, Leaf: FineLeaf(g.Len())})
			if errors.Is(err, separator.ErrNotPlanar) || finder == "genus" && err != nil {
				continue // the finder says so of larger graphs too
			}
			if err != nil {
				t.Errorf("%s, %s: %v", name, finder, err)
				continue
			}
			if after, _ := tree.Outline(); !slices.Equal(before, after) {
				t.Errorf("%s, %s: refining changed the tree itself", name, finder)
			}
			splits := 0
			for i, n := range shownOf(fine) {
				all := slices.Sorted(slices.Values(slices.Concat(n.a, n.s, n.b)))
				part := g.Induced(all)
				m := len(all)
				if n.Left < 0 {
					if complete := part.Edges() == m*(m-1)/2; !complete && m > 2 {
						t.Errorf("%s, %s: leaf %d holds %v, which can be split", name, finder, i, all)
					}
					continue
				}
				splits++
				if int(n.A) != len(n.a) || int(n.S) != len(n.s) || int(n.B) != len(n.b) {
					t.Errorf("%s, %s: node %d says %+v of %v | %v | %v", name, finder, i, n.Node, n.a, n.s, n.b)
				}
				least := math.SmallestNonzeroFloat64
				if _, count := part.Components(); count == 1 && m <= 13 && separable(part) {
					least = separator.DefaultBalance
				}
				local := func(ids []int32) []int32 {
					ranks := make([]int32, len(ids))
					for k, v := range ids {
						p, _ := slices.BinarySearch(all, v)
						ranks[k] = int32(p)
					}
					return ranks
				}
				if err := separator.Verify(part, separator.Separation{A: local(n.a), S: local(n.s), B: local(n.b)}, least); err != nil {
					t.Errorf("%s, %s: node %d: %v", name, finder, i, err)
				}
			}
			if components, count := g.Components(); count == 1 && (splits > 0) != (g.Edges() < g.Len()*(g.Len()-1)/2) {
				t.Errorf("%s, %s: %d splits of %d vertices, %v", name, finder, splits, g.Len(), components)
			}
		}
	}
}

// The root's separation that was asked for is the refined tree's too, though the graph is a leaf
// of the tree that it refines.
func TestRefineRoot(t *testing.T) {
	g := smallGraphs(t)["path"]
	root := separator.Separation{A: []int32{0, 1}, S: []int32{2}, B: []int32{3, 4, 5, 6, 7, 8}}
	tree, err := Split(t.Context(), g, Options{Root: &root})
	if err != nil {
		t.Fatal(err)
	}
	fine, err := tree.Refine(t.Context(), Options{Root: &root, Leaf: 2})
	if err != nil {
		t.Fatal(err)
	}
	if n := shownOf(fine)[0]; !slices.Equal(n.a, root.A) || !slices.Equal(n.s, root.S) || !slices.Equal(n.b, root.B) {
		t.Errorf("%v | %v | %v", n.a, n.s, n.b)
	}
}

// In a refined tree the cells above the leaves are as they were. Trees of all sizes have some hundreds of nodes.
func TestRefineLargeGraphs(t *testing.T) {
	for name, g := range map[string]*graph.Graph{
		"grid": gengraph.Grid(t, 40, 30, 0.3, 5), "strip": gengraph.Grid(t, 400, 3, 0.3, 6), "components": gengraph.Random(t, 500, 600, 7), "larger": gengraph.Grid(t, 90, 70, 0.3, 8),
	} {
		tree, err := Split(t.Context(), g, Options{})
		if err != nil {
			t.Fatal(err)
		}
		leaf := FineLeaf(g.Len())
		fine, err := tree.Refine(t.Context(), Options{Leaf: leaf})
		if err != nil {
			t.Fatal(err)
		}
		coarse, all := shownOf(tree), shownOf(fine)
		if len(all) <= len(coarse) || len(all) > 1024 {
			t.Errorf("%s: %d nodes, %d before", name, len(all), len(coarse))
		}
		k := 0
		for _, n := range all { // in the order of the coarse ones, with further nodes below their leaves
			if k < len(coarse) && n.Depth == coarse[k].Depth && n.A+n.S+n.B == coarse[k].A+coarse[k].S+coarse[k].B {
				if c := coarse[k]; c.Left >= 0 && (!slices.Equal(n.a, c.a) || !slices.Equal(n.s, c.s)) {
					t.Errorf("%s: node %+v is %+v in the refined tree", name, c.Node, n.Node)
				}
				k++
			}
			if m := int(n.A); n.Left < 0 && m > leaf && g.Induced(n.s).Edges() < m*(m-1)/2 {
				t.Errorf("%s: a leaf of %d vertices", name, m)
			}
		}
		if k != len(coarse) {
			t.Errorf("%s: %d of %d nodes are in the refined tree", name, k, len(coarse))
		}
	}
}
