package squared_test

import (
	"context"
	"fmt"
	"log"

	"genussink/core/graph"
	"genussink/core/hub"
	"genussink/core/hub/label"
	"genussink/core/hub/squared"
	"genussink/core/transport"
)

// Two kernels on a path of ten vertices: the one of squared distance, exp(-(d/epsilon)^2), and one of a function of one's own, 1/(1+d).
func Example() {
	ctx := context.Background()
	var edges []graph.Edge
	for v := range int32(9) {
		edges = append(edges, graph.Edge{U: v, V: v + 1, Weight: 1})
	}
	g, err := graph.New(10, edges)
	if err != nil {
		log.Fatal(err)
	}
	const epsilon = 1
	exp, err := hub.New(ctx, g, hub.Options{Epsilon: epsilon, Precision: label.Float64})
	if err != nil {
		log.Fatal(err)
	}
	source, target := make([]float64, 10), make([]float64, 10)
	source[0], source[1], target[8], target[9] = 0.5, 0.5, 0.5, 0.5

	square, err := squared.New(ctx, exp.Cover(), epsilon*epsilon)
	if err != nil {
		log.Fatal(err)
	}
	r, err := transport.Solve(ctx, transport.Problem{Kernel: square, Source: source, Target: target, Epsilon: epsilon}, transport.Options{})
	if err != nil {
		log.Fatal(err)
	}
	cost, err := square.PlanSquare(ctx, r.LogU, r.LogV)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("squared distance: %s, cost %.2f\n", r.Status, cost) // every vertex moves by 8

	own, err := squared.NewOf(ctx, exp.Cover(), func(d float64) float64 { return 1 / (1 + d) }, 0.1, -1)
	if err != nil {
		log.Fatal(err)
	}
	r, err = transport.Solve(ctx, transport.Problem{Kernel: own, Source: source, Target: target, Epsilon: epsilon}, transport.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("1/(1+d): %s, cost %.2f, distances wrong by at most %g\n", r.Status, r.Cost, exp.Cover().Bound())
	// Output:
	// squared distance: converged, cost 64.27
	// 1/(1+d): converged, cost 8.00, distances wrong by at most 0
}
