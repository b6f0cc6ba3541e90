package separator_test

import (
	"context"
	"fmt"

	"genussink/core/graph"
	"genussink/core/separator"
)

// The middle of a path separates its halves.
func ExampleFinder() {
	var edges []graph.Edge
	for v := range int32(6) {
		edges = append(edges, graph.Edge{U: v, V: v + 1, Weight: 1})
	}
	g, err := graph.New(7, edges)
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := separator.ByName("") // the default
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := f.Find(context.Background(), g, separator.Options{Balance: 0.4})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.A, s.S, s.B, separator.Verify(g, s, 0.4))
	// Output: [0 1 2] [3] [4 5 6] <nil>
}
