package graph_test

import (
	"fmt"

	"genussink/core/graph"
)

// Of parallel edges the shortest is kept.
func ExampleNew() {
	g, err := graph.New(3, []graph.Edge{{U: 0, V: 1, Weight: 2}, {U: 1, V: 2, Weight: 1}, {U: 1, V: 0, Weight: 1.5}})
	if err != nil {
		fmt.Println(err)
		return
	}
	next, weights := g.Neighbours(1)
	fmt.Println(g.Len(), g.Edges(), next, weights)
	// Output: 3 2 [0 2] [1.5 1]
}
