package hub_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"genussink/core/graph"
	"genussink/core/hub/hubtest"
	"genussink/core/separator"
	"genussink/core/septree"
	"genussink/internal/race"
)

// Patches whose pairs need more hubs than a byte can number are split, and leaves halved.
func TestMoreHubsThanAByteCanNumber(t *testing.T) {
	race.Alone(t)
	const between, side = 300, 40
	rng := rand.New(rand.NewPCG(7, 7))
	n := between + 2*side
	var edges []graph.Edge
	root := &separator.Separation{}
	for v := range int32(n) {
		switch {
		case v < between:
			root.S = append(root.S, v)
			continue
		case v < between+side:
			root.A = append(root.A, v)
		default:
			root.B = append(root.B, v)
		}
		if v != between && v != between+side { // no shortest path, but by these a side can be separated
			edges = append(edges, graph.Edge{U: v - 1, V: v, Weight: 10})
		}
		for h := range int32(between) {
			edges = append(edges, graph.Edge{U: v, V: h, Weight: 1 + rng.Float64()})
		}
	}
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	exact, _ := hubtest.Distances(g)
	for _, leaf := range []int{side, side / 4} {
		l := hubtest.Labels(t, g, septree.Options{Root: root, Leaf: leaf})
		for _, delta := range []float64{0, 0.02} {
			cov := hubtest.BuildCover(t, l, delta)
			if len(cov.Tiles) < 2 {
				t.Errorf("leaves of %d, delta %g: %d tiles, no patch had too many hubs", leaf, delta, len(cov.Tiles))
			}
			k := hubtest.KernelOf(t, cov, 0.5)
			for j, column := range hubtest.Columns(t, k) {
				for i, d := range exact[j] {
					if got := -0.5 * math.Log(column[i]); !(math.Abs(got-d) <= delta+1e-12) {
						t.Fatalf("leaves of %d, delta %g: the distance of %d and %d is %g, exact %g", leaf, delta, i, j, got, d)
					}
				}
			}
		}
	}
}
