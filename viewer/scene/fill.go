package scene

import (
	"genussink/core/job"
	"genussink/core/paint"
)

// What a brush covers that is no disc: it needs no engine.

// BrushShape chooses what the brush covers; another name is ignored.
func (s *Scene) BrushShape(shape Shape) {
	switch shape {
	case ShapeDisc, ShapeComponent, ShapeCell:
	default:
		return
	}
	if shape != s.Brush.shape {
		s.endStroke()
		s.Brush.shape, s.Brush.ring, s.Brush.ball = shape, nil, nil
		s.overlay++
		s.changed()
		s.pumpBrush()
	}
}

// MirrorStrokes has whatever a brush does done at the mirrored vertex too, where the mesh mirrors onto itself.
func (s *Scene) MirrorStrokes(on bool) {
	s.endStroke()
	s.toggle(&s.Brush.mirrored, on)
	s.overlay++
}

// covered says of each vertex whether the brush on one covers it. Nil where it is a disc, or where there are no cells yet.
func (s *Scene) covered(vertex int32) []bool {
	switch {
	case s.Brush.shape == ShapeComponent:
		inside, of := make([]bool, s.Mesh.Vertices()), s.Mesh.components.of
		for v := range inside {
			inside[v] = of == nil || of[v] == of[vertex]
		}
		return inside
	case s.Brush.shape == ShapeCell && s.Separation.tree != nil:
		return s.Separation.piece(vertex)
	}
	return nil
}

// piece says of each vertex whether the level shown has it in one piece with another: in a side, or in a separator.
func (p *Separation) piece(of int32) []bool {
	inside := make([]bool, len(p.tree.Cells))
	node, from := p.at(of)
	for v := range inside {
		n, f := p.at(int32(v))
		inside[v] = n == node && f == from
	}
	return inside
}

// fill covers a component or a cell with one press: one step of undo, or a question.
func (s *Scene) fill(vertex int32) {
	inside := s.covered(vertex)
	if inside == nil {
		s.Say("There are no cells yet: the separator tree comes first.")
		return
	}
	var other []bool
	if twin := s.twin(vertex); twin >= 0 {
		other = s.covered(twin)
	}
	var vertices []int32
	for v, in := range inside {
		if in || other != nil && other[v] {
			vertices = append(vertices, int32(v))
		}
	}
	if s.Query.shown() {
		s.selected(vertices)
		return
	}
	kind := strokes[s.Brush.tool]
	step := job.Step{Kind: kind, Strength: s.Brush.strength, Fill: true, Centres: vertices, Anew: s.Densities.replaced(kind)}
	s.Densities.become(pair{values: paint.Fill(s.Densities.values, &step)}, step)
	s.repainted()
}

// outline makes the brush's ring that of what it would cover at the pointer.
func (s *Scene) outline() {
	b := &s.Brush
	b.ring = b.ring[:0]
	if v := s.Mesh.vertex(b.preview); v >= 0 && b.tool.Brush() {
		if inside := s.covered(v); inside != nil {
			b.ring = s.Mesh.outline(b.ring, inside)
		}
	}
	s.overlay++
}

// outline appends the segments, 6 numbers each, half way along the edges out of a set of vertices; of a graph without faces, the edges in it.
func (m *Mesh) outline(dst []float32, inside []bool) []float32 {
	if m.Graph() {
		for e := 0; e+1 < len(m.edges); e += 2 {
			if u, v := m.edges[e], m.edges[e+1]; inside[u] && inside[v] {
				dst = append(append(dst, m.Points[3*u:3*u+3]...), m.Points[3*v:3*v+3]...)
			}
		}
		return dst
	}
	for f := 0; f+2 < len(m.Faces); f += 3 {
		for c := range 3 { // the corner that is alone on its side
			u, v, w := m.Faces[f+c], m.Faces[f+(c+1)%3], m.Faces[f+(c+2)%3]
			if inside[u] == inside[v] || inside[u] == inside[w] {
				continue
			}
			for _, other := range [2]int32{v, w} {
				for k := range int32(3) {
					dst = append(dst, (m.Points[3*u+k]+m.Points[3*other+k])/2)
				}
			}
		}
	}
	return dst
}
