package hub_test

import (
	"context"
	"fmt"

	"genussink/core/graph"
	"genussink/core/hub"
)

// A path of ten vertices, an edge of length 1 between neighbours. Mass at one end is seen from the other
// as exp(-9/epsilon), and no matrix is formed.
func ExampleNew() {
	var edges []graph.Edge
	for v := range int32(9) {
		edges = append(edges, graph.Edge{U: v, V: v + 1, Weight: 1})
	}
	g, err := graph.New(10, edges)
	if err != nil {
		fmt.Println(err)
		return
	}
	k, err := hub.New(context.Background(), g, hub.Options{Epsilon: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := make([]float64, 10)
	x[0] = 1
	y, err := k.MulVec(context.Background(), nil, x)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f %.4f %.4f\n", y[0], y[1], y[9])
	// Output: 1.0000 0.7165 0.0498
}
