package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"genussink/viewer/colormap"
	"genussink/viewer/pick"
)

// PickState is what was clicked.
type PickState struct {
	Vertex     int32      `json:"vertex"`   // the one nearest to the place, -1 none
	Position   [3]float64 `json:"position"` // of it, mesh units
	Edge       [2]int32   `json:"edge"`     // the ends of the nearest edge, the smaller first; -1 none
	EdgeLength Number     `json:"edgeLength"`
	Face       int32      `json:"face"`    // -1 none
	Corners    [3]int32   `json:"corners"` // of the face
	Area       float64    `json:"area"`    // mesh units squared
	Angles     [3]float64 `json:"angles"`  // at the corners, degrees
}

// The colours of what was clicked.
var (
	PickedVertex = colormap.Source
	PickedEdge   = colormap.Moving
	PickedFace   = colormap.Accent
)

// pick says what was clicked, nil where that is nothing.
func (m *Mesh) pick(hit pick.Hit) *PickState {
	if hit.Vertex < 0 && hit.Edge[0] < 0 {
		return nil
	}
	st := &PickState{Vertex: hit.Vertex, Edge: hit.Edge, Face: hit.Face, EdgeLength: Number(math.NaN())}
	if st.Vertex >= 0 {
		st.Position = m.Position(st.Vertex)
	}
	if e := st.Edge; e[0] >= 0 && !m.Graph() {
		st.EdgeLength = Number(distance(m.Position(e[0]), m.Position(e[1])))
	} else {
		for i, length := range m.lengths {
			if a, b := m.edges[2*i], m.edges[2*i+1]; e == [2]int32{min(a, b), max(a, b)} {
				st.EdgeLength = Number(length)
			}
		}
	}
	if st.Face < 0 {
		return st
	}
	st.Corners = [3]int32(m.Faces[3*st.Face:])
	for k := range 3 {
		p := mgl64.Vec3(m.Position(st.Corners[k]))
		a, b := mgl64.Vec3(m.Position(st.Corners[(k+1)%3])).Sub(p), mgl64.Vec3(m.Position(st.Corners[(k+2)%3])).Sub(p)
		across := a.Cross(b).Len()
		st.Area, st.Angles[k] = finite(across/2), math.Atan2(across, a.Dot(b))*180/math.Pi
	}
	return st
}

// outline appends the lines around what was clicked.
func (p *PickState) outline(dst []Line) []Line {
	if p == nil {
		return dst
	}
	if c := p.Corners; p.Face >= 0 {
		dst = append(dst, Line{[]int32{c[0], c[1], c[2], c[0]}, PickedFace(), false})
	}
	if p.Edge[0] >= 0 {
		dst = append(dst, Line{p.Edge[:], PickedEdge(), false})
	}
	return dst
}

// legend is what of it is marked.
func (p *PickState) legend() (parts []LegendPart) {
	if p.Vertex >= 0 {
		parts = append(parts, LegendPart{"vertex", PickedVertex(), MarkDot})
	}
	if p.Edge[0] >= 0 {
		parts = append(parts, LegendPart{"edge", PickedEdge(), MarkLine})
	}
	if p.Face >= 0 {
		parts = append(parts, LegendPart{"face", PickedFace(), MarkLine})
	}
	return parts
}

// pick looks at what was clicked, and says where distances are measured from.
func (s *Scene) pick(hit pick.Hit) {
	s.Inspection.picked = s.Mesh.pick(hit)
	s.redrawLines()
	s.changed()
	s.MeasureFrom(hit.Vertex)
}

// LetGo looks at nothing that was clicked.
func (s *Scene) LetGo() { s.pick(pick.Nothing()) }
