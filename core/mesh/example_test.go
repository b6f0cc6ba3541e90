package mesh_test

import (
	"fmt"

	"genussink/core/mesh"
)

// The surface of a tetrahedron is a sphere: closed, of genus 0.
func ExampleMesh_Topology() {
	m, err := mesh.New(
		[][3]float64{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		[][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	t := m.Topology()
	fmt.Println(t.Vertices, t.Edges, t.Faces, "genus", t.Genus, "closed", t.Watertight)
	// Output: 4 6 4 genus 0 closed true
}
