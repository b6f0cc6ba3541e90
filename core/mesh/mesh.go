// Package mesh holds the indexed triangle mesh that every other package
// starts from, and what can be said about one: its edges, its topology and
// its size. Generators live in the sub-package generate, file formats in
// core/meshio.
package mesh

import (
	"fmt"
	"math"
)

// MaxVertices and MaxFaces bound what New accepts: indices are int32, and a
// corner index 3f+c must fit one too.
const (
	MaxVertices = math.MaxInt32
	MaxFaces    = math.MaxInt32 / 3
)

// Mesh is an indexed triangle mesh. Positions are in mesh units, whatever the
// file's unit was. Degenerate faces, isolated vertices, non-manifold edges and
// several components are all legal; Topology counts them.
type Mesh struct {
	Positions [][3]float64 // vertex -> position, finite
	Faces     [][3]int32   // face -> its three vertices, each in [0, len(Positions))
}

// New checks that every position is finite and every index in range. The mesh keeps the slices; they are not copied.
func New(positions [][3]float64, faces [][3]int32) (*Mesh, error) {
	if len(positions) > MaxVertices {
		return nil, fmt.Errorf("mesh: %d vertices, at most %d", len(positions), MaxVertices)
	}
	if len(faces) > MaxFaces {
		return nil, fmt.Errorf("mesh: %d faces, at most %d", len(faces), MaxFaces)
	}
	for v, p := range positions {
		for c, x := range p {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, fmt.Errorf("mesh: vertex %d: coordinate %c is %g", v, "xyz"[c], x)
			}
		}
	}
	for f, t := range faces {
		for c, v := range t {
			if v < 0 || int(v) >= len(positions) {
				return nil, fmt.Errorf("mesh: face %d: corner %d is vertex %d of %d", f, c, v, len(positions))
			}
		}
	}
	return &Mesh{Positions: positions, Faces: faces}, nil
}

// Bounds returns the corners of the axis-aligned bounding box over all
// vertices, used by a face or not; both are zero for a mesh without vertices.
func (m *Mesh) Bounds() (lo, hi [3]float64) {
	for i, p := range m.Positions {
		for c, x := range p {
			if i == 0 || x < lo[c] {
				lo[c] = x
			}
			if i == 0 || x > hi[c] {
				hi[c] = x
			}
		}
	}
	return lo, hi
}

// Diagonal is the length of the bounding box's diagonal in mesh units, the
// scale that epsilon and delta are fractions of.
func (m *Mesh) Diagonal() float64 {
	lo, hi := m.Bounds()
	return Distance(lo, hi)
}

// Exponent is the power of two by which lengths of the mesh are divided before anything is computed with them. The longest side is 1
// to 2 then. A mesh so far from the origin that its coordinates would leave float64 is divided by more. A mesh without extent is
// divided by 1.
func (m *Mesh) Exponent() int {
	lo, hi := m.Bounds()
	side, far := 0.0, 0.0 // halves: the whole may leave float64
	for c := range 3 {
		side = max(side, hi[c]/2-lo[c]/2)
		far = max(far, math.Abs(lo[c]), math.Abs(hi[c]))
	}
	if side == 0 {
		return 0
	}
	_, exponent := math.Frexp(side)
	_, most := math.Frexp(far)
	return max(exponent, most-1000)
}

// Scaled is the mesh with all coordinates times 2^exponent. That changes no digit, unless a coordinate leaves float64. The faces are
// shared.
func (m *Mesh) Scaled(exponent int) *Mesh {
	s := &Mesh{Positions: make([][3]float64, len(m.Positions)), Faces: m.Faces}
	for v, p := range m.Positions {
		for c, x := range p {
			s.Positions[v][c] = math.Ldexp(x, exponent)
		}
	}
	return s
}

// Distance is the Euclidean distance of two points.
func Distance(p, q [3]float64) float64 {
	return math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])
}
