package treedec_test

import (
	"context"
	"fmt"

	"genussink/core/graph"
	"genussink/core/treedec"
)

// A cycle has treewidth 2.
func ExampleTreewidth() {
	var edges []graph.Edge
	for v := range int32(8) {
		edges = append(edges, graph.Edge{U: v, V: (v + 1) % 8, Weight: 1})
	}
	g, err := graph.New(8, edges)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := treedec.Treewidth(context.Background(), g, treedec.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Decomposition.Width(), r.Exact, r.Decomposition.Validate(g))
	// Output: 2 true <nil>
}
