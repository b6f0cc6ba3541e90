package generate_test

import (
	"fmt"

	"genussink/core/mesh/generate"
)

// The paper's smallest dumbbell, with a bridge of one vertex.
func ExampleDumbbellGraph() {
	g, positions, err := generate.DumbbellGraph(10, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Len(), g.Edges(), len(positions))
	// Output: 644 1195 644
}
