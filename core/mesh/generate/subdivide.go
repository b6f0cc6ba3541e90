package generate

import (
	"fmt"
	"math"

	"genussink/core/mesh"
)

// Subdivide cuts every face in four at the middles of its edges, times over:
// the same shape with 4 times the faces each time. Edges are halved, so that
// the lengths of paths along them stay what they are between old vertices or
// get shorter.
func Subdivide(m *mesh.Mesh, times int) (*mesh.Mesh, error) {
	if times < 0 {
		return nil, fmt.Errorf("generate: subdivided %d times, want 0 or more", times)
	}
	if float64(len(m.Faces))*math.Pow(4, float64(times)) > mesh.MaxFaces {
		return nil, fmt.Errorf("generate: %d faces are too many to subdivide %d times", len(m.Faces), times)
	}
	for range times {
		positions := append([]Vec(nil), m.Positions...)
		faces := make([][3]int32, 0, 4*len(m.Faces))
		middles := make(map[[2]int32]int32, 3*len(m.Faces)/2)
		middle := func(u, v int32) int32 {
			e := [2]int32{min(u, v), max(u, v)}
			w, ok := middles[e]
			if !ok {
				w = int32(len(positions))
				middles[e] = w
				positions = append(positions, lerp(m.Positions[u], m.Positions[v], 0.5))
			}
			return w
		}
		for _, t := range m.Faces {
			a, b, c := middle(t[0], t[1]), middle(t[1], t[2]), middle(t[2], t[0])
			faces = append(faces, [3]int32{t[0], a, c}, [3]int32{a, t[1], b}, [3]int32{c, b, t[2]}, [3]int32{a, b, c})
		}
		var err error
		if m, err = mesh.New(positions, faces); err != nil {
			return nil, err
		}
	}
	return m, nil
}
