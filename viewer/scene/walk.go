package scene

import (
	"math"

	"genussink/viewer/camera"
)

// The brush without a pointer: the vertex under it is a cursor that keys move.

// grazing is the cosine to the line of sight below which the cursor is about to leave the side that is seen.
const grazing = 0.1

// Walk moves the cursor along an edge, to the neighbour that lies most in a direction on the screen, x to the right and y up. Where no vertex
// is pointed at it begins in the middle of the picture. The camera turns after a cursor that leaves the side that is seen.
func (s *Scene) Walk(x, y float64) {
	if !s.ready() || s.Mesh.Vertices() == 0 {
		return
	}
	lens := s.View.camera.Lens(1, 1)
	from := s.Inspection.hover
	if from < 0 {
		s.Hover(s.Mesh.middle(&lens))
		return
	}
	ax, ay, _ := lens.Project(s.Mesh.point(from))
	best, to := 0.0, from // the cosine of the angle to the direction
	offsets, targets := s.Mesh.Neighbours()
	for _, w := range targets[offsets[from]:offsets[from+1]] {
		bx, by, _ := lens.Project(s.Mesh.point(w))
		dx, dy := bx-ax, ay-by // the screen's y goes down
		if length := math.Hypot(dx, dy); length > 0 {
			if along := (dx*x + dy*y) / length; along > best {
				best, to = along, w
			}
		}
	}
	s.Hover(to)
	if at := [3]float32(s.Mesh.Points[3*to:]); !s.Mesh.Graph() {
		normal := [3]float32(s.Mesh.Normals[3*to:])
		if lens.Slant(at, normal) < grazing {
			s.View.camera.Ease(s.View.camera.Goal().Towards([3]float64{float64(normal[0]), float64(normal[1]), float64(normal[2])}))
		}
	}
}

// Dab puts the brush down at the cursor and lifts it.
func (s *Scene) Dab() {
	s.Brush.Press(1)
	s.StrokeBegin(s.Inspection.hover)
	s.StrokeEnd()
}

func (m *Mesh) point(v int32) (p [3]float64) {
	for k := range p {
		p[k] = float64(m.Points[3*int(v)+k])
	}
	return p
}

// middle is the vertex nearest to the middle of a picture of size 1, among those that face the eye if there are such.
func (m *Mesh) middle(lens *camera.Lens) int32 {
	at, best := int32(0), math.Inf(1)
	for v := range int32(m.Vertices()) {
		p := m.point(v)
		x, y, z := lens.Project(p)
		away := 0.0
		for k, n := range m.Normals[3*v : 3*v+3] {
			away += float64(n) * (p[k] - lens.Eye[k])
		}
		off := math.Hypot(x-0.5, y-0.5) + 0.1*z // of two in line the nearer one
		if away > 0 || z <= 0 {
			off += 1e3
		}
		if off < best {
			at, best = v, off
		}
	}
	return at
}
