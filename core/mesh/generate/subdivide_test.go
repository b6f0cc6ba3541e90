package generate

import (
	"math"
	"testing"

	"genussink/core/mesh"
)

func TestSubdivide(t *testing.T) {
	one := &mesh.Mesh{Positions: [][3]float64{{}, {1}, {0, 1}}, Faces: [][3]int32{{0, 1, 2}}}
	for _, times := range []int{-1, 15, 1000} {
		if _, err := Subdivide(one, times); err == nil {
			t.Errorf("subdivided %d times", times)
		}
	}
	for _, kind := range []string{"sphere", "torus", "dumbbell"} {
		m, err := Make(kind, nil)
		if err != nil {
			t.Fatal(err)
		}
		before := m.Topology()
		fine, err := Subdivide(m, 2)
		if err != nil {
			t.Fatal(err)
		}
		after := fine.Topology()
		if after.Faces != 16*before.Faces || after.Euler != before.Euler || after.Genus != before.Genus ||
			after.BoundaryLoops != before.BoundaryLoops || after.Oriented != before.Oriented || after.NonmanifoldEdges != 0 {
			t.Errorf("%s: %+v becomes %+v", kind, before, after)
		}
		if math.Abs(after.EdgeMean-before.EdgeMean/4) > 1e-9*before.EdgeMean+0.2*before.EdgeMean/4 || math.Abs(after.EdgeMax-before.EdgeMax/4) > 1e-9*before.EdgeMax {
			t.Errorf("%s: edges of mean %g, max %g become %g, %g", kind, before.EdgeMean, before.EdgeMax, after.EdgeMean, after.EdgeMax)
		}
		for v, p := range m.Positions {
			if fine.Positions[v] != p {
				t.Fatalf("%s: vertex %d moves", kind, v)
			}
		}
	}
	if m, err := Subdivide(&mesh.Mesh{}, 3); err != nil || len(m.Positions) != 0 {
		t.Errorf("nothing becomes %v, %v", m, err)
	}
	m := &mesh.Mesh{Positions: [][3]float64{{1}, {2}, {3}}, Faces: [][3]int32{{0, 0, 1}}}
	if fine, err := Subdivide(m, 1); err != nil || len(fine.Faces) != 4 {
		t.Errorf("a degenerate face becomes %v, %v", fine, err)
	}
}
