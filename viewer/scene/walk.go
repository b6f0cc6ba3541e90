package scene

import (
	"math"

	"genussink/viewer/camera"
)

// The brush without a pointer: the vertex under it is a cursor that keys move.

// grazing is a slant: with less, the cursor is about to leave the visible side.
const grazing = 0.1

// Walk moves the cursor to a neighbour: the one that lies most nearly in a direction on the screen. There x points right and y points up.
// Where there is no cursor yet, one begins in the middle of the picture. The camera turns before the cursor leaves the visible side.
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
	if !s.Mesh.Graph() && s.Mesh.slant(&lens, to) < grazing {
		n := s.Mesh.Normals[3*to : 3*to+3]
		s.View.camera.Ease(s.View.camera.Goal().Towards([3]float64{float64(n[0]), float64(n[1]), float64(n[2])}))
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

// slant is the cosine between a vertex's normal and the line of sight: see camera.Lens.
func (m *Mesh) slant(lens *camera.Lens, v int32) float64 {
	return lens.Slant([3]float32(m.Points[3*v:]), [3]float32(m.Normals[3*v:]))
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
