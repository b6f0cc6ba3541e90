// Package gengraph makes graphs to test with. Only tests use it.
package gengraph

import (
	"math"
	"math/rand/v2"
	"testing"

	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/corpus"
	"genussink/internal/race"
)

// Grid is a w x h grid graph with diagonals one way, its lengths 1 plus noise.
func Grid(t testing.TB, w, h int, noise float64, seed uint64) *graph.Graph {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	var edges []graph.Edge
	at := func(x, y int) int32 { return int32(y*w + x) }
	add := func(u, v int32, d float64) {
		edges = append(edges, graph.Edge{U: u, V: v, Weight: d * (1 + noise*rng.Float64())})
	}
	for y := range h {
		for x := range w {
			if x+1 < w {
				add(at(x, y), at(x+1, y), 1)
			}
			if y+1 < h {
				add(at(x, y), at(x, y+1), 1)
			}
			if x+1 < w && y+1 < h {
				add(at(x, y), at(x+1, y+1), math.Sqrt2)
			}
		}
	}
	return Build(t, w*h, edges)
}

// Build is graph.New.
func Build(t testing.TB, n int, edges []graph.Edge) *graph.Graph {
	t.Helper()
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Random is a sparse graph on n vertices: rarely connected, often with ties.
func Random(t testing.TB, n, m int, seed uint64) *graph.Graph {
	rng := rand.New(rand.NewPCG(seed, 2))
	var edges []graph.Edge
	for range m {
		edges = append(edges, graph.Edge{U: int32(rng.IntN(n)), V: int32(rng.IntN(n)), Weight: float64(rng.IntN(4))})
	}
	return Build(t, n, edges)
}

// All are graphs of many kinds, by name, three meshes of the corpus among them.
func All(t testing.TB) map[string]*graph.Graph {
	clique := []graph.Edge{}
	for i := range int32(40) {
		for j := range i {
			clique = append(clique, graph.Edge{U: i, V: j, Weight: 1 + float64(i*j%7)})
		}
	}
	all := map[string]*graph.Graph{
		"none":       Build(t, 0, nil),
		"one":        Build(t, 1, nil),
		"two apart":  Build(t, 2, nil),
		"ties":       Grid(t, 17, 13, 0, 1),
		"noisy":      Grid(t, 17, 13, 0.3, 2),
		"strip":      Grid(t, 150, 2, 0.3, 3),
		"path":       Grid(t, 200, 1, 0.3, 4),
		"clique":     Build(t, 40, clique),
		"components": Random(t, 150, 150, 5),
		"sparse":     Random(t, 200, 300, 6),
		"dense":      Random(t, 80, 800, 7),
	}
	for _, m := range corpus.Meshes(t) {
		switch m.Name {
		case "torus", "Klein bottle", "book of three pages":
			all[m.Name] = m.Graph
		}
	}
	return all
}

// Each runs a test on every graph of All. Under -short there is one with tiles and one with staircases, and, without the race detector, those
// of one vertex, of none and of several components.
func Each(t *testing.T, test func(t *testing.T, g *graph.Graph)) {
	for name, g := range All(t) {
		t.Run(name, func(t *testing.T) {
			switch name {
			case "noisy", "strip": // tiles, and staircases
			case "none", "one", "components":
				race.Alone(t)
			default:
				shared.Long(t)
			}
			test(t, g)
		})
	}
}
