package gengraph

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/graph"
)

// Ladder is a connected graph of n vertices with ties and edges of length 0.
func Ladder(t rapid.TB, n int, seed uint64) *graph.Graph {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	var edges []graph.Edge
	for v := 1; v < n; v++ {
		for range 2 {
			edges = append(edges, graph.Edge{U: int32(v), V: int32(max(0, v-1-r.IntN(9))), Weight: float64(r.IntN(5)) / 4})
		}
	}
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Bridged is a ladder one edge of which, in the middle, has the given length
// and the only path across; of the length 0, a ladder.
func Bridged(t testing.TB, n int, length float64) *graph.Graph {
	t.Helper()
	g := Ladder(t, n, 5)
	if length == 0 {
		return g
	}
	edges := []graph.Edge{{U: int32(n/2 - 1), V: int32(n / 2), Weight: length}}
	for v := range int32(n) {
		to, w := g.Neighbours(v)
		for k, u := range to {
			if u < v && (u < int32(n/2)) == (v < int32(n/2)) {
				edges = append(edges, graph.Edge{U: u, V: v, Weight: w[k]})
			}
		}
	}
	return Build(t, n, edges)
}

// Stretched is a graph whose edges are longer by up to a share, differently
// each: its kernel stands for an approximate one.
func Stretched(t testing.TB, g *graph.Graph, by float64) *graph.Graph {
	t.Helper()
	var edges []graph.Edge
	for v := range int32(g.Len()) {
		targets, weights := g.Neighbours(v)
		for k, w := range targets {
			if v < w {
				edges = append(edges, graph.Edge{U: v, V: w, Weight: weights[k] * (1 + by*math.Abs(math.Sin(float64(v+3*w))))})
			}
		}
	}
	return Build(t, g.Len(), edges)
}
