// Package shade makes a surface ready to be drawn: it doubles vertices at creases, and finds out how open to the sky each one is.
// It draws nothing.
package shade

import (
	"context"
	"math"

	"genussink/core/mesh"
)

// Shading is a surface that is ready to be drawn.
type Shading struct {
	Split
	Open []float32 // by vertex of the split, how open it is: 1 on a convex body, 0 deep in a crevice
}

// Shade splits a mesh at creases of more than CreaseAngle and looks at it from all sides. Where the mesh is, and how large, does not matter.
// An ended context is the only error.
func Shade(ctx context.Context, m *mesh.Mesh) (*Shading, error) {
	lo, hi := m.Bounds()
	half := mesh.Distance([3]float64{}, [3]float64{hi[0]/2 - lo[0]/2, hi[1]/2 - lo[1]/2, hi[2]/2 - lo[2]/2})
	if !(half > 0) || math.IsInf(half, 0) {
		half = 1
	}
	points := make([]float32, 0, 3*len(m.Positions))
	for _, p := range m.Positions {
		for k, x := range p {
			points = append(points, float32((x-lo[k]/2-hi[k]/2)/half))
		}
	}
	faces := make([]int32, 0, 3*len(m.Faces))
	for _, f := range m.Faces {
		faces = append(faces, f[:]...)
	}
	split, err := Crease(ctx, points, faces, CreaseAngle)
	if err != nil {
		return nil, err
	}
	s := &Shading{Split: *split}
	for _, v := range s.Of[len(m.Positions):] {
		points = append(points, points[3*v:3*v+3]...)
	}
	s.Open, err = Open(ctx, points, s.Normals, s.Faces, Views)
	return s, err
}
