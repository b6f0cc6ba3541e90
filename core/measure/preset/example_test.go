package preset_test

import (
	"fmt"

	"genussink/core/graph"
	"genussink/core/measure/preset"
	"genussink/core/mesh/generate"
)

// The paper's densities on a sphere of 162 vertices.
func ExamplePaper() {
	m, err := generate.Make("sphere", map[string]float64{"frequency": 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := graph.FromMesh(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	source, target, err := preset.Paper(m, g, preset.Floor)
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := [2]float64{}
	for v := range source {
		sum[0] += source[v]
		sum[1] += target[v]
	}
	fmt.Printf("%d vertices, totals %.6f and %.6f\n", len(source), sum[0], sum[1])
	// Output: 162 vertices, totals 1.000000 and 1.000000
}
