package gengraph

import (
	"math"
	"math/rand/v2"
	"slices"

	"genussink/core/graph"
	input "genussink/core/internal/random"
	"genussink/core/treedec"

	"pgregory.net/rapid"
)

// families make the edges of graphs on about n vertices, without lengths.
var families = map[string]func(n int, r *rand.Rand) [][2]int32{
	"path":   func(n int, _ *rand.Rand) [][2]int32 { return Lattice(n, 1) },
	"strip":  func(n int, _ *rand.Rand) [][2]int32 { return Lattice(n/3, 3) },
	"square": func(n int, _ *rand.Rand) [][2]int32 { side := int(math.Sqrt(float64(n))); return Lattice(side, side) },
	"star": func(n int, _ *rand.Rand) (edges [][2]int32) {
		for v := 1; v < n; v++ {
			edges = append(edges, [2]int32{0, int32(v)})
		}
		return edges
	},
	"cycle": func(n int, _ *rand.Rand) (edges [][2]int32) {
		for v := range int32(n) {
			edges = append(edges, [2]int32{v, (v + 1) % int32(n)})
		}
		return edges
	},
	"series-parallel": func(n int, r *rand.Rand) [][2]int32 { // an edge gets a vertex of its own beside it or in its place
		edges := [][2]int32{{0, 1}}
		for v := int32(2); v < int32(n); v++ {
			i := r.IntN(len(edges))
			e := edges[i]
			edges = append(edges, [2]int32{e[0], v}, [2]int32{v, e[1]})
			if r.IntN(2) == 0 {
				edges = slices.Delete(edges, i, i+1)
			}
		}
		return edges
	},
	"dumbbell": func(n int, r *rand.Rand) [][2]int32 { // two squares, joined by few edges
		side := int(math.Sqrt(float64(n) / 2))
		edges := Lattice(side, side)
		second := int32(side * side)
		for _, e := range edges {
			edges = append(edges, [2]int32{second + e[0], second + e[1]})
		}
		for range 1 + r.IntN(4) {
			edges = append(edges, [2]int32{r.Int32N(second), second + r.Int32N(second)})
		}
		return edges
	},
	"clique": func(n int, _ *rand.Rand) (edges [][2]int32) {
		for v := range int32(min(n, 40)) {
			for u := range v {
				edges = append(edges, [2]int32{u, v})
			}
		}
		return edges
	},
	"tree": func(n int, r *rand.Rand) (edges [][2]int32) {
		for v := 1; v < n; v++ {
			edges = append(edges, [2]int32{int32(r.IntN(v)), int32(v)})
		}
		return edges
	},
	"general": func(n int, r *rand.Rand) (edges [][2]int32) { // rarely connected
		for range r.IntN(3 * n) {
			edges = append(edges, [2]int32{int32(r.IntN(n)), int32(r.IntN(n))})
		}
		return edges
	},
	"mesh": func(n int, r *rand.Rand) (edges [][2]int32) {
		for _, f := range input.Triangulation(max(n, 4), 4*n, r) {
			for c := range 3 {
				edges = append(edges, [2]int32{f[c], f[(c+1)%3]})
			}
		}
		return edges
	},
}

// Lattice is a w x h grid with diagonals one way.
func Lattice(w, h int) (edges [][2]int32) {
	for v := range int32(w * h) {
		right, down := int(v)%w+1 < w, int(v)/w+1 < h
		if right {
			edges = append(edges, [2]int32{v, v + 1})
		}
		if down {
			edges = append(edges, [2]int32{v, v + int32(w)})
		}
		if right && down {
			edges = append(edges, [2]int32{v, v + int32(w) + 1})
		}
	}
	return edges
}

// lengths draw an edge's length.
var lengths = map[string]func(r *rand.Rand) float64{
	"unit":    func(*rand.Rand) float64 { return 1 },
	"few":     func(r *rand.Rand) float64 { return float64(1 + r.IntN(3)) },
	"uniform": func(r *rand.Rand) float64 { return 0.2 + r.Float64() },
	"nothing": func(r *rand.Rand) float64 { return [...]float64{0, 1e-12, 1, 1}[r.IntN(4)] },
	"scales":  func(r *rand.Rand) float64 { return math.Exp(8 * r.NormFloat64()) },
}

// Draw makes a graph of one family, or of two side by side.
func Draw(t *rapid.T) *graph.Graph {
	length := lengths[rapid.SampledFrom(keys(lengths)).Draw(t, "lengths")]
	var edges []graph.Edge
	n := int32(0)
	for range rapid.IntRange(1, 2).Draw(t, "pieces") {
		family := families[rapid.SampledFrom(keys(families)).Draw(t, "family")]
		size := rapid.IntRange(3, 120).Draw(t, "size")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		from := n
		for _, e := range family(size, r) {
			edges = append(edges, graph.Edge{U: from + e[0], V: from + e[1], Weight: length(r)})
			n = max(n, from+max(e[0], e[1])+1)
		}
	}
	g, err := graph.New(int(n)+rapid.IntRange(0, 1).Draw(t, "isolated"), edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func keys[V any](m map[string]V) (list []string) {
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// Decomposition is that of an elimination order, or, a decomposition all the
// same, one that has bags of several components.
func Decomposition(t *rapid.T, g *graph.Graph) *treedec.Decomposition {
	d, err := treedec.FromOrder(g, rapid.Permutation(order(g.Len())).Draw(t, "order"))
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "mixed") {
		more := rapid.Int32Range(0, int32(g.Len())-1).Draw(t, "more")
		for i, bag := range d.Bags {
			if k, there := slices.BinarySearch(bag, more); !there {
				d.Bags[i] = slices.Insert(bag, k, more)
			}
		}
	}
	if err := d.Validate(g); err != nil {
		t.Fatal(err)
	}
	return d
}

func order(n int) []int32 {
	o := make([]int32, n)
	for v := range o {
		o[v] = int32(v)
	}
	return o
}
