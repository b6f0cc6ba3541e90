package transport

import (
	"math"
	"testing"

	"genussink/core/graph"
)

// stretched is a graph whose edges are longer by up to a share, differently
// each: its kernel stands for an approximate one.
func stretched(t testing.TB, g *graph.Graph, by float64) *graph.Graph {
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
	long, err := graph.New(g.Len(), edges)
	if err != nil {
		t.Fatal(err)
	}
	return long
}

func scaled(x []float64, by float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = by * v
	}
	return y
}

