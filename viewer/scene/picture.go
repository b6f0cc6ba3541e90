package scene

import (
	"genussink/viewer/colormap"
)

// Mesh is the mesh to draw, nil before the first. It must not be changed.
func (s *Scene) Mesh() *Mesh { return s.mesh.Mesh }

// MeshRevision changes with the mesh.
func (s *Scene) MeshRevision() uint64 { return s.mesh.revision }

// Closed promises that whatever of the mesh faces away is hidden: one closed
// and oriented component. Before the mesh is examined it promises nothing.
func (s *Scene) Closed() bool { return s.mesh.closed() }

// Flat says whether the mesh lies in a plane.
func (s *Scene) Flat() bool { return s.mesh.flat }

// Densities are the source and the target, one value per vertex, not
// normalised. They must not be changed.
func (s *Scene) Densities() (source, target []float64) {
	return s.densities.values[sourceSide], s.densities.values[targetSide]
}

// Showing is what is on the screen.
func (s *Scene) Showing() Showing {
	return s.View.showing(&s.Separation, &s.Treewidth, &s.Playback, s.Brush.paints())
}

// ParticlePositions appends 6 numbers per particle to dst: its place in view
// units, a little above the surface, and the surface's normal; nothing when no
// mass is on the move or it is shown as a density.
func (s *Scene) ParticlePositions(dst []float32) []float32 {
	if on := s.Showing(); on.Mass == AtRest || on.Moving != MassParticles {
		return dst
	}
	return s.Playback.positions(dst, s.mesh.Mesh)
}

// Colors are the vertices' colours at this moment, one per vertex; they must
// not be changed. ColorRevision says when to look again.
func (s *Scene) Colors() []colormap.RGB {
	s.freshen()
	return s.colors.shown
}

// ColorRevision changes with Colors.
func (s *Scene) ColorRevision() uint64 {
	s.freshen()
	return s.colors.revision
}

func (s *Scene) freshen() {
	if s.mesh.ready() {
		s.colors.freshen(s.mesh.Vertices(), !s.View.looks.ReducedMotion, s.paint)
	}
}

// paint computes every vertex's colour.
func (s *Scene) paint(dst []colormap.RGB) {
	on, theme := s.Showing(), s.View.Theme()
	key := baseKey{on.Fill, s.Separation.tree, s.mesh.Mesh, s.Separation.level, theme, s.Separation.cell, s.Treewidth.revision}
	s.colors.fill(key, len(dst), func(base []colormap.RGB) []colormap.RGB {
		switch on.Fill {
		case FillSeparation:
			base = s.Separation.fill(base, theme)
		case FillBag:
			base = s.Treewidth.fill(base, theme)
		default:
			clay := colormap.Clay(theme)
			for range dst {
				base = append(base, clay)
			}
		}
		return fadeOut(base, s.Faded(), theme)
	})
	over := cover{densities: s.densities.values}
	if on.Densities {
		over.per = [2]float64{inverse(s.densities.peak(sourceSide)), inverse(s.densities.peak(targetSide))}
	}
	if on.Mass != AtRest && on.Moving == MassDensity {
		var top float64
		over.mass, top = s.Playback.density(s.mesh.Mesh, &s.densities)
		over.perMass = inverse(top, 0)
	}
	s.colors.lay(dst, over, on.Mass, theme)
}

// Faded says of each vertex whether it is out of focus: eliminated, or outside
// the cell looked at. Nil where none is.
func (s *Scene) Faded() []bool {
	switch s.Showing().Fill {
	case FillElimination:
		return s.Treewidth.elimination.gone
	case FillSeparation:
		return s.Separation.faded()
	}
	return nil
}

// Dots appends the vertices that are drawn as discs: see Showing. OverlayRevision or ColorRevision says when
// to look again.
func (s *Scene) Dots(dst []Dot) []Dot {
	switch on := s.Showing(); {
	case !on.Dots:
		return dst
	case on.Fill == FillSeparation:
		return s.Separation.dots(dst, s.View.Theme())
	}
	return s.Treewidth.dots(dst, s.View.Theme())
}

// Markers appends the discs of what is pointed at: the focused or hovered
// vertex, the partners of its mass by their share, the ends of a measured
// path.
func (s *Scene) Markers(dst []Dot) []Dot {
	i := &s.inspection
	return i.markers(dst, s.Transport.partnersOf(i.vertex()), s.Brush.paints(), &s.mesh)
}

// PathLine is the measured path's vertices.
func (s *Scene) PathLine() []int32 { return s.inspection.line() }
