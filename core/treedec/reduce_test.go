package treedec

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/graph"
)

// drawTwins is drawGraph with some vertices doubled.
func drawTwins(t *rapid.T, limit int) *graph.Graph {
	g := drawGraph(t, limit-3)
	n := g.Len()
	if n == 0 {
		return g
	}
	edges := edgesOf(g)
	for range rapid.IntRange(0, 3).Draw(t, "twins") {
		v := rapid.Int32Range(0, int32(n-1)).Draw(t, "twin of")
		for _, e := range slices.Clone(edges) {
			if e.U == v {
				edges = append(edges, graph.Edge{U: int32(n), V: e.V, Weight: 1})
			} else if e.V == v {
				edges = append(edges, graph.Edge{U: int32(n), V: e.U, Weight: 1})
			}
		}
		if rapid.Bool().Draw(t, "true twin") {
			edges = append(edges, graph.Edge{U: v, V: int32(n), Weight: 1})
		}
		n++
	}
	return build(n, edges)
}

func edgesOf(g *graph.Graph) (edges []graph.Edge) {
	for v := range int32(g.Len()) {
		to, _ := g.Neighbours(v)
		for _, u := range to {
			if u < v {
				edges = append(edges, graph.Edge{U: u, V: v, Weight: 1})
			}
		}
	}
	return edges
}

// TestReductionsKeepTreewidth reduces graphs under every lower bound that is
// true: the treewidth is the larger of the bound then and the treewidth of what
// is left, and the order has no larger bag.
func TestReductionsKeepTreewidth(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		g := drawTwins(t, 12)
		want := slowTreewidth(g)
		lower := rapid.IntRange(-1, want).Draw(t, "lower bound")
		r, order, err := reduce(ctx, g, &lower)
		if err != nil {
			t.Fatal(err)
		}
		if lower > want {
			t.Fatalf("lower bound %d, the treewidth is %d", lower, want)
		}
		if got := max(lower, slowTreewidth(r.Graph)); got != want {
			t.Fatalf("treewidth %d after the reduction, %d before", got, want)
		}
		if w := eliminationWidth(g, order); w > want {
			t.Fatalf("the order has width %d, the treewidth is %d", w, want)
		}
		if len(order)+r.Len() != g.Len() {
			t.Fatalf("%d vertices eliminated, %d left of %d", len(order), r.Len(), g.Len())
		}
	})
}

// TestEachReduction gives every rule a graph that it alone consumes, and checks
// that it needs its lower bound.
func TestEachReduction(t *testing.T) {
	edges := func(pairs ...[2]int32) (list []graph.Edge) {
		for _, p := range pairs {
			list = append(list, graph.Edge{U: p[0], V: p[1], Weight: 1})
		}
		return list
	}
	// The octahedron without its missing edges 0-1, 2-3, 4-5 has treewidth 4 and
	// no vertex that may go before the lower bound is 4.
	var octahedron [][2]int32
	for v := range int32(6) {
		for u := range v {
			if u/2 != v/2 {
				octahedron = append(octahedron, [2]int32{u, v})
			}
		}
	}
	with := func(more ...[2]int32) []graph.Edge { return edges(slices.Concat(octahedron, more)...) }
	cases := []struct {
		name        string
		n           int
		edges       []graph.Edge
		lower, left int
	}{
		{"nothing", 6, edges(octahedron...), 3, 6},
		{"islet", 7, edges(octahedron...), 0, 6},
		{"twig", 7, with([2]int32{6, 0}), 0, 6},
		{"simplicial", 7, with([2]int32{6, 0}, [2]int32{6, 2}, [2]int32{6, 4}), 3, 6},
		{"series", 7, with([2]int32{6, 0}, [2]int32{6, 1}), 2, 6},
		{"series below its bound", 7, with([2]int32{6, 0}, [2]int32{6, 1}), 1, 7},
		{"almost simplicial", 7, with([2]int32{6, 0}, [2]int32{6, 1}, [2]int32{6, 2}), 3, 6},
		{"almost simplicial below its bound", 7, with([2]int32{6, 0}, [2]int32{6, 1}, [2]int32{6, 2}), 2, 7},
		// Three false twins on four vertices without edges: any three of them cover.
		{"K3,4 and no bound", 7, edges([2]int32{0, 3}, [2]int32{0, 4}, [2]int32{0, 5}, [2]int32{0, 6}, [2]int32{1, 3}, [2]int32{1, 4}, [2]int32{1, 5}, [2]int32{1, 6}, [2]int32{2, 3}, [2]int32{2, 4}, [2]int32{2, 5}, [2]int32{2, 6}), 2, 7},
		{"false twins: K3,4", 7, edges([2]int32{0, 3}, [2]int32{0, 4}, [2]int32{0, 5}, [2]int32{0, 6}, [2]int32{1, 3}, [2]int32{1, 4}, [2]int32{1, 5}, [2]int32{1, 6}, [2]int32{2, 3}, [2]int32{2, 4}, [2]int32{2, 5}, [2]int32{2, 6}), 3, 0},
	}
	for _, c := range cases {
		g := build(c.n, c.edges)
		lower := c.lower
		if tw := slowTreewidth(g); lower > tw {
			t.Fatalf("%s: lower bound %d of treewidth %d", c.name, lower, tw)
		}
		r, _, err := reduce(context.Background(), g, &lower)
		if err != nil {
			t.Fatal(err)
		}
		if r.Len() != c.left {
			t.Errorf("%s: %d vertices left, want %d", c.name, r.Len(), c.left)
		}
	}
	// Neighbours that no single vertex covers, but two do.
	for _, c := range []struct {
		name    string
		twins   int
		joined  bool
		covered bool
	}{
		{"one vertex", 1, false, false}, {"two false twins", 2, false, true},
		{"two true twins", 2, true, true}, {"three false twins", 3, false, true},
	} {
		// S = 0..3 with the edges 0-2, 0-3, 1-2, 1-3: 0-1 and 2-3 are missing.
		list := edges([2]int32{0, 2}, [2]int32{0, 3}, [2]int32{1, 2}, [2]int32{1, 3})
		var twins []int32
		for k := range int32(c.twins) {
			v := 4 + k
			twins = append(twins, v)
			for s := range int32(4) {
				list = append(list, graph.Edge{U: v, V: s, Weight: 1})
			}
			for u := int32(4); u < v && c.joined; u++ {
				list = append(list, graph.Edge{U: u, V: v, Weight: 1})
			}
		}
		e := newElimination(build(4+c.twins, list))
		got := e.twins(4)
		slices.Sort(got)
		if !slices.Equal(got, twins) || e.covered(4, twins) != c.covered {
			t.Errorf("%s: found %v, covered %v", c.name, got, e.covered(4, twins))
		}
	}
}

// TestAtoms cuts graphs along cliques: the atoms are small enough, have no
// clique that separates them, and give the treewidth.
func TestAtoms(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 10)
		n := g.Len()
		list, err := atoms(ctx, g)
		if err != nil {
			t.Fatal(err)
		}
		width, gone := -1, make([]bool, n)
		for _, a := range list {
			width = max(width, slowTreewidth(a.Graph))
			if !isClique(a.Graph, a.clique) {
				t.Fatalf("atom %v ends with %v, which is no clique", a.vertices, a.clique)
			}
			for i, v := range a.vertices {
				if gone[v] {
					t.Fatalf("vertex %d comes back in atom %v", v, a.vertices)
				}
				gone[v] = !slices.Contains(a.clique, int32(i))
			}
			if s := separatingClique(a.Graph); s != nil {
				t.Fatalf("atom %v is separated by %v of it", a.vertices, s)
			}
		}
		if slices.Contains(gone, false) {
			t.Fatalf("a vertex lies in no atom: %v", gone)
		}
		if want := slowTreewidth(g); width != want {
			t.Fatalf("atoms of treewidth %d, the graph has %d", width, want)
		}
	})
}

// separatingClique looks at all sets of vertices.
func separatingClique(g *graph.Graph) []int32 {
	n := g.Len()
	for set := range 1 << n {
		var in, out []int32
		for v := range int32(n) {
			if set>>v&1 == 1 {
				in = append(in, v)
			} else {
				out = append(out, v)
			}
		}
		if isClique(g, in) {
			if _, parts := g.Induced(out).Components(); parts > 1 {
				if in == nil {
					in = []int32{}
				}
				return in
			}
		}
	}
	return nil
}

// TestMCSMIsMinimal: no edge that the order adds can be left away. In a chordal
// graph an edge can exactly when the common neighbours of its ends are a clique.
func TestMCSMIsMinimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 16)
		order, err := searchMCSM(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		d, err := FromOrder(g, order)
		if err != nil {
			t.Fatal(err)
		}
		var filled []graph.Edge
		for _, bag := range d.Bags {
			for i, u := range bag {
				for _, v := range bag[:i] {
					filled = append(filled, graph.Edge{U: u, V: v, Weight: 1})
				}
			}
		}
		h := build(g.Len(), filled)
		for _, e := range edgesOf(h) {
			if to, _ := g.Neighbours(e.U); contains(to, e.V) {
				continue
			}
			var shared []int32
			to, _ := h.Neighbours(e.U)
			other, _ := h.Neighbours(e.V)
			for _, v := range to {
				if contains(other, v) {
					shared = append(shared, v)
				}
			}
			if isClique(h, shared) {
				t.Fatalf("the added edge %d-%d can be left away", e.U, e.V)
			}
		}
	})
}

// TestEndingWith: the order without the clique, and then the clique, is as
// narrow as before.
func TestEndingWith(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 15)
		if g.Len() == 0 {
			return
		}
		order, err := Order(context.Background(), g, MinFill, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		before := eliminationWidth(g, order)
		// A clique, grown at random.
		var clique []int32
		for _, v := range rapid.Permutation(slices.Clone(order)).Draw(t, "vertices") {
			if isClique(g, append(slices.Clip(clique), v)) {
				clique = append(clique, v)
			}
		}
		slices.Sort(clique)
		first, err := endingWith(g, order, clique)
		if err != nil {
			t.Fatal(err)
		}
		if len(first)+len(clique) != g.Len() {
			t.Fatalf("%d and %d of %d vertices", len(first), len(clique), g.Len())
		}
		if w := eliminationWidth(g, append(first, clique...)); w > before {
			t.Fatalf("width %d, before %d", w, before)
		}
	})
}
