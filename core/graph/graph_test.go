package graph

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/mesh"
)

func TestNewRefuses(t *testing.T) {
	cases := []struct {
		n     int
		edges []Edge
		err   string
	}{
		{-1, nil, "-1 vertices"},
		{math.MaxInt32, nil, "vertices"},
		{2, []Edge{{0, 1, 1}, {0, 2, 1}}, "edge 1 joins 0 and 2, vertices are 0 to 1"},
		{2, []Edge{{-1, 1, 1}}, "edge 0 joins -1 and 1"},
		{0, []Edge{{0, 0, 1}}, "edge 0"},
		{2, []Edge{{0, 1, -1}}, "edge 0 (0-1) has weight -1"},
		{2, []Edge{{0, 1, math.NaN()}}, "weight NaN"},
		{2, []Edge{{0, 1, math.Inf(1)}}, "weight +Inf"},
		{3, []Edge{{0, 1, 1e308}, {1, 2, 1e308}}, "up to edge 1 (1-2) of weight 1e+308 the weights add up to more"},
	}
	for _, c := range cases {
		if g, err := New(c.n, c.edges); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("New(%d, %v) = %v, %v, want an error with %q", c.n, c.edges, g, err, c.err)
		}
	}
}

func TestEmpty(t *testing.T) {
	for n := range 2 {
		g, err := New(n, nil)
		if err != nil {
			t.Fatal(err)
		}
		component, count := g.Components()
		if g.Len() != n || g.Edges() != 0 || len(component) != n || count != n {
			t.Errorf("n=%d: %d vertices, %d edges, %d components", n, g.Len(), g.Edges(), count)
		}
		if sub := g.Induced(nil); sub.Len() != 0 {
			t.Errorf("n=%d: an empty induced graph of %d vertices", n, sub.Len())
		}
	}
}

func TestInducedRefusesRepetition(t *testing.T) {
	g, err := New(3, []Edge{{0, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	g.Induced([]int32{0, 1, 0})
}

func TestFromMesh(t *testing.T) {
	// Two triangles that share an edge, and a vertex that none uses.
	m, err := mesh.New([][3]float64{{0, 0, 0}, {3, 0, 0}, {0, 4, 0}, {3, 4, 0}, {9, 9, 9}}, [][3]int32{{0, 1, 2}, {2, 1, 3}})
	if err != nil {
		t.Fatal(err)
	}
	g, err := FromMesh(m)
	if err != nil {
		t.Fatal(err)
	}
	if g.Len() != 5 || g.Edges() != 5 {
		t.Errorf("%d vertices and %d edges, want 5 and 5", g.Len(), g.Edges())
	}
	to, w := g.Neighbours(1)
	if !slices.Equal(to, []int32{0, 2, 3}) || !slices.Equal(w, []float64{3, 5, 4}) {
		t.Errorf("neighbours of 1: %v at %v", to, w)
	}
	if to, _ := g.Neighbours(4); len(to) != 0 {
		t.Errorf("the unused vertex has neighbours %v", to)
	}
}

// table is the slow twin: lengths by pair, +Inf for none.
func table(n int, edges []Edge) [][]float64 {
	d := make([][]float64, n)
	for u := range d {
		d[u] = make([]float64, n)
		for v := range d[u] {
			d[u][v] = math.Inf(1)
		}
	}
	for _, e := range edges {
		if e.U != e.V {
			w := min(d[e.U][e.V], e.Weight)
			d[e.U][e.V], d[e.V][e.U] = w, w
		}
	}
	return d
}

// Meshes that were not read from a file may have anything in them.
func TestFromMeshRefuses(t *testing.T) {
	for _, c := range []struct {
		positions [][3]float64
		faces     [][3]int32
		err       string
	}{
		{[][3]float64{{}, {1}, {0, math.NaN()}}, [][3]int32{{0, 1, 2}}, "the edge from 0 to 2 is NaN long"},
		{[][3]float64{{}, {1}, {0, math.Inf(1)}}, [][3]int32{{0, 1, 2}}, "the edge from 0 to 2 is +Inf long"},
		{[][3]float64{{}, {1}, {0, 1}}, [][3]int32{{0, 1, 3}}, "face 0 has vertex 3, vertices are 0 to 2"},
		{[][3]float64{{}, {1}, {0, 1}}, [][3]int32{{0, 1, 2}, {0, -1, 2}}, "face 1 has vertex -1"},
		{[][3]float64{{}, {1e308}, {0, 1e308}}, [][3]int32{{0, 1, 2}}, "the lengths add up to more than a float64 holds"},
	} {
		if _, err := FromMesh(&mesh.Mesh{Positions: c.positions, Faces: c.faces}); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%v, %v: %v, want %q", c.positions, c.faces, err, c.err)
		}
	}
}

func compare(t *rapid.T, g *Graph, want [][]float64) {
	if g.Len() != len(want) {
		t.Fatalf("%d vertices, want %d", g.Len(), len(want))
	}
	edges := 0
	for v := range int32(g.Len()) {
		to, w := g.Neighbours(v)
		if !slices.IsSorted(to) {
			t.Fatalf("neighbours of %d are not sorted: %v", v, to)
		}
		got := make([]float64, g.Len())
		for i := range got {
			got[i] = math.Inf(1)
		}
		for k, u := range to {
			got[u] = w[k]
		}
		if !slices.Equal(got, want[v]) {
			t.Fatalf("row %d: %v, want %v", v, got, want[v])
		}
		edges += len(to)
	}
	if g.Edges() != edges/2 {
		t.Fatalf("%d edges, want %d", g.Edges(), edges/2)
	}
}

func TestGraphIsItsTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "n")
		var edges []Edge
		if n > 0 {
			vertex := rapid.Int32Range(0, int32(n-1))
			for range rapid.IntRange(0, 30).Draw(t, "m") {
				edges = append(edges, Edge{vertex.Draw(t, "u"), vertex.Draw(t, "v"), rapid.SampledFrom([]float64{0, 0.5, 1, 2}).Draw(t, "w")})
			}
		}
		want := table(n, edges)
		g, err := New(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, g, want)

		// The induced graph of a shuffled subset is the sub-table.
		some := rapid.Permutation(vertices(n)).Draw(t, "order")
		some = some[:rapid.IntRange(0, n).Draw(t, "kept")]
		sub := make([][]float64, len(some))
		for i, u := range some {
			for _, v := range some {
				sub[i] = append(sub[i], want[u][v])
			}
			if len(some) == 0 {
				sub[i] = nil
			}
		}
		compare(t, g.Induced(some), sub)

		// Components are the classes of the transitive closure.
		component, count := g.Components()
		reach := want
		for k := range n {
			for u := range n {
				for v := range n {
					reach[u][v] = min(reach[u][v], reach[u][k]+reach[k][v])
				}
			}
		}
		next := int32(0)
		for u := range n {
			if component[u] == next {
				next++
			} else if component[u] > next {
				t.Fatalf("component %d before %d", component[u], next)
			}
			for v := range n {
				if u != v && (component[u] == component[v]) != !math.IsInf(reach[u][v], 1) {
					t.Fatalf("components of %d and %d: %d and %d, distance %g", u, v, component[u], component[v], reach[u][v])
				}
			}
		}
		if int(next) != count {
			t.Fatalf("%d components, counted %d", next, count)
		}
	})
}

func vertices(n int) []int32 {
	list := make([]int32, n)
	for v := range list {
		list[v] = int32(v)
	}
	return list
}

func BenchmarkNew(b *testing.B) {
	const side = 100
	var edges []Edge
	for y := range int32(side) {
		for x := range int32(side) {
			v := y*side + x
			if x > 0 {
				edges = append(edges, Edge{v, v - 1, 1})
			}
			if y > 0 {
				edges = append(edges, Edge{v, v - side, 1})
			}
		}
	}
	for b.Loop() {
		if _, err := New(side*side, edges); err != nil {
			b.Fatal(err)
		}
	}
}
