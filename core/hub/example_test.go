package hub_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"genussink/core/graph"
	"genussink/core/hub"
	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/septree"
)

// A path of ten vertices 0 - 1 - ... - 9, an edge of length 1 between neighbours. One call makes the kernel; then every step of it
// by hand. The separator is one vertex, which is the only hub of the two sides, so that all pairs of the two are one
// rank-one block. The product at vertex 0 is its own side, the separator, and the hub moment of the other side.
func ExampleNew() {
	ctx := context.Background()
	var edges []graph.Edge
	for v := range int32(9) {
		edges = append(edges, graph.Edge{U: v, V: v + 1, Weight: 1})
	}
	g, err := graph.New(10, edges)
	if err != nil {
		log.Fatal(err)
	}
	const epsilon = 3
	k, err := hub.New(ctx, g, hub.Options{Epsilon: epsilon})
	if err != nil {
		log.Fatal(err)
	}
	x := []float64{0, 0, 0, 0, 0, 0, 0, 0, 1, 2} // what is multiplied: mass at one end
	y, err := k.MulVec(ctx, nil, x)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("y at vertex 0: %.4f\n", y[0])

	// The separator tree, one level deep.
	tree, err := septree.Split(ctx, g, septree.Options{Leaf: 5})
	if err != nil {
		log.Fatal(err)
	}
	root := tree.Cells[0]
	sides := [2][]int32{tree.Order[root.Lo:root.Mid], tree.Order[root.Mid:root.Sep]}
	if tree.Rank[0] >= root.Mid {
		sides[0], sides[1] = sides[1], sides[0] // vertex 0 is on the first side
	}
	fmt.Println("vertices:", len(sides[0]), "and", len(sides[1]), "on the sides,", root.Hi-root.Sep, "in the separator")

	// The hub labels of the separator's vertex.
	labels, err := label.Measure(ctx, tree, label.MeasureOptions{Precision: label.Float64})
	if err != nil {
		log.Fatal(err)
	}
	h := root.Sep // a rank
	d := func(v int32) float64 { return labels.At(h, tree.Rank[v]) }
	fmt.Printf("labels: %g + %g = D(0,9)\n", d(0), d(9))

	// The cover: one rank-one block, no tiles.
	c, err := cover.Build(ctx, labels, cover.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("rank-one blocks:", len(c.RankOnes), "tiles:", len(c.Tiles))

	// The product at vertex 0 by way of the hub.
	moment := 0.0
	for _, v := range sides[1] {
		moment += math.Exp(-d(v)/epsilon) * x[v]
	}
	fmt.Printf("hub moment: %.4f, handed out to vertex 0: %.4f\n", moment, math.Exp(-d(0)/epsilon)*moment)
	// Output:
	// y at vertex 0: 0.1691
	// vertices: 5 and 4 on the sides, 1 in the separator
	// labels: 5 + 4 = D(0,9)
	// rank-one blocks: 1 tiles: 0
	// hub moment: 0.8951, handed out to vertex 0: 0.1691
}
