package separator

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/graph"
	"genussink/core/mesh/generate"
	"genussink/core/shortest"
)

// latticeOf is the graph of some points of the lattice of width columns, given which are there: edges of length step join those that are
// next to each other.
func latticeOf(t interface{ Fatal(...any) }, there []bool, width int, step float64) (*graph.Graph, [][3]float64) {
	var positions [][3]float64
	var edges []graph.Edge
	number := make([]int32, len(there))
	for i, in := range there {
		if !in {
			continue
		}
		number[i] = int32(len(positions))
		positions = append(positions, [3]float64{float64(i%width) * step, float64(i/width) * step, 0})
		for _, j := range [2]int{i - 1, i - width} {
			if j >= 0 && there[j] && (j == i-width || i%width > 0) {
				edges = append(edges, graph.Edge{U: number[j], V: number[i], Weight: step})
			}
		}
	}
	g, err := graph.New(len(positions), edges)
	if err != nil {
		t.Fatal(err)
	}
	return g, positions
}

// In what counts as a convex part of a lattice, distances are those of the grid, and a straight cut separates it. Some are not convex:
// TestStraight has one that is.
func TestConvexLattices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Rows of one stretch each are often convex.
		width, height, step := rapid.IntRange(1, 9).Draw(t, "width"), rapid.IntRange(1, 7).Draw(t, "height"), rapid.SampledFrom([]float64{1, 0.1, 3e-7}).Draw(t, "step")
		there := make([]bool, width*height)
		for y := range height {
			from := rapid.IntRange(0, width-1).Draw(t, "from")
			to := rapid.IntRange(from, width-1).Draw(t, "to")
			for x := from; x <= to; x++ {
				there[y*width+x] = true
			}
		}
		if rapid.IntRange(0, 3).Draw(t, "hole") == 0 {
			there[rapid.IntRange(0, len(there)-1).Draw(t, "where")] = false
		}
		g, positions := latticeOf(t, there, width, step)
		if _, count := g.Components(); count != 1 {
			return
		}
		if _, ok := latticeLines(g, positions); !ok {
			return
		}
		for v, p := range positions {
			for w, d := range shortest.From(g, int32(v)) {
				q := positions[w]
				if want := math.Abs(p[0]-q[0]) + math.Abs(p[1]-q[1]); math.Abs(d-want) > 1e-9*want {
					t.Fatalf("%v and %v are %g apart, not %g", p, q, d, want)
				}
			}
		}
		sides, ok := straight(g, Options{Positions: positions}, 1)
		if !ok {
			return // of two rows, say
		}
		s := collect(sides)
		if err := Verify(g, s, math.SmallestNonzeroFloat64); err != nil {
			t.Fatal(err)
		}
		for _, axis := range [2]int{0, 1} {
			same := 0
			for _, v := range s.S {
				if positions[v][axis] == positions[s.S[0]][axis] {
					same++
				}
			}
			if same == len(s.S) {
				return
			}
		}
		t.Fatalf("no line: %v", s.S)
	})
}

// A disc of a lattice is cut straight and evenly. What only resembles a convex part of a lattice is not: a hole, a slit, unequal edges, a bend.
func TestStraight(t *testing.T) {
	const width, middle = 41, 20
	disc := make([]bool, width*width)
	for i := range disc {
		x, y := i%width-middle, i/width-middle
		disc[i] = x*x+y*y <= middle*middle
	}
	g, positions := latticeOf(t, disc, width, 1)
	f, err := ByName("")
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Find(context.Background(), g, Options{Positions: positions})
	if err != nil {
		t.Fatal(err)
	}
	if err := Verify(g, s, 0); err != nil {
		t.Fatal(err)
	}
	if len(s.S) < 35 || len(s.S) > width || lighter(s) < g.Len()*2/5 {
		t.Errorf("the disc's sides have %d and %d vertices, its separator %d", len(s.A), len(s.B), len(s.S))
	}
	flow, err := f.Find(context.Background(), g, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(flow.S) > len(s.S) || float64(len(s.S)) > math.Sqrt2*float64(len(flow.S))+2 {
		t.Errorf("%d vertices cut the disc straight, %d without positions", len(s.S), len(flow.S))
	}

	holed := append([]bool(nil), disc...)
	holed[middle*width+middle+3] = false
	for name, graphOf := range map[string]func() (*graph.Graph, [][3]float64){
		"a hole": func() (*graph.Graph, [][3]float64) { return latticeOf(t, holed, width, 1) },
		"a slit": func() (*graph.Graph, [][3]float64) { return without(t, g, positions, int32(g.Len()/2)) },
		"an edge of another length": func() (*graph.Graph, [][3]float64) {
			other, _ := latticeOf(t, disc, width, 1)
			_, weights := other.Neighbours(0)
			weights[0] = 2
			return other, positions
		},
		"two discs and a bridge": func() (*graph.Graph, [][3]float64) {
			g, positions, err := generate.DumbbellGraph(10, 1)
			if err != nil {
				t.Fatal(err)
			}
			return g, positions
		},
		"a bend": func() (*graph.Graph, [][3]float64) {
			bent := append([][3]float64(nil), positions...)
			bent[7][2] = 1
			return g, bent
		},
	} {
		g, positions := graphOf()
		if _, ok := latticeLines(g, positions); ok {
			t.Errorf("%s: it counts as a convex part of a lattice", name)
		}
	}
}

// without is a graph without the first edge of a vertex.
func without(t *testing.T, g *graph.Graph, positions [][3]float64, vertex int32) (*graph.Graph, [][3]float64) {
	var edges []graph.Edge
	neighbours, _ := g.Neighbours(vertex)
	a, b := min(vertex, neighbours[0]), max(vertex, neighbours[0])
	for v := range int32(g.Len()) {
		to, weights := g.Neighbours(v)
		for i, w := range to {
			if v < w && (v != a || w != b) {
				edges = append(edges, graph.Edge{U: v, V: w, Weight: weights[i]})
			}
		}
	}
	less, err := graph.New(g.Len(), edges)
	if err != nil {
		t.Fatal(err)
	}
	return less, positions
}
