package scene

import (
	"genussink/core/job"
	"genussink/viewer/camera"
	"genussink/viewer/colormap"
)

// Camera is the scene's camera; whoever moves it need tell nobody.
func (s *Scene) Camera() *camera.Camera { return s.view.camera }

// Mesh is the mesh to draw, nil before the first. It must not be changed.
func (s *Scene) Mesh() *Mesh { return s.mesh.Mesh }

// MeshRevision changes with the mesh.
func (s *Scene) MeshRevision() uint64 { return s.mesh.revision }

// Closed promises that whatever of the mesh faces away is hidden: one closed
// and oriented component. Before the mesh is examined it promises nothing.
func (s *Scene) Closed() bool { return s.mesh.closed() }

// Flat says whether the mesh lies in a plane.
func (s *Scene) Flat() bool { return s.mesh.flat }

// ColorTheme is the theme that the picture is drawn in.
func (s *Scene) ColorTheme() colormap.Theme { return s.view.theme() }

// Looks is how the mesh is to be shown.
func (s *Scene) Looks() ViewState { return s.view.ViewState }

// Tool is the tool in hand.
func (s *Scene) Tool() Tool { return s.brush.tool }

// BrushSize is the brush's radius in view units.
func (s *Scene) BrushSize() float64 { return 2 * s.brush.radius }

// Densities are the source and the target, one value per vertex, not
// normalised. They must not be changed.
func (s *Scene) Densities() (source, target []float64) {
	return s.densities.values[sourceSide], s.densities.values[targetSide]
}

// Separated is the separator tree, nil before the first. It must not be changed.
func (s *Scene) Separated() *job.Separated { return s.separation.tree }

// Decomposition is the narrowest tree decomposition found, nil before the
// first. It must not be changed.
func (s *Scene) Decomposition() *job.Decomposition { return s.treewidth.found }

// Solved is the last answer, nil before the first. It must not be changed.
func (s *Scene) Solved() *job.Solved { return s.transport.solved }

// Showing is what is on the screen.
func (s *Scene) Showing() Showing {
	return s.view.showing(&s.separation, &s.treewidth, &s.playback, s.brush.paints())
}

// Stance says what the picture shows of the mass.
func (s *Scene) Stance() Stance { return s.Showing().Mass }

// Moving says whether mass on the move is to be drawn.
func (s *Scene) Moving() bool { return s.Stance() != AtRest }

// MassColor is the colour of the particles.
func (s *Scene) MassColor() colormap.RGB { return s.Stance().color() }

// Position is the playback position, 0 at the source, 1 at the target: the
// one part of State that changes without a new revision.
func (s *Scene) Position() float64 { return s.playback.position }

// ParticlePositions appends 6 numbers per particle to dst: its place in view
// units, a little above the surface, and the surface's normal; nothing when no
// mass is on the move or it is shown as a density.
func (s *Scene) ParticlePositions(dst []float32) []float32 {
	if on := s.Showing(); on.Mass == AtRest || on.Moving != MassParticles {
		return dst
	}
	return s.playback.positions(dst, s.mesh.Mesh)
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
		s.colors.freshen(s.mesh.Vertices(), !s.view.ReducedMotion, s.paint)
	}
}

// paint computes every vertex's colour.
func (s *Scene) paint(dst []colormap.RGB) {
	on, theme := s.Showing(), s.view.theme()
	key := baseKey{on.Fill, s.separation.tree, s.mesh.Mesh, s.separation.level, theme, s.separation.cell, s.treewidth.revision}
	s.colors.fill(key, len(dst), func(base []colormap.RGB) []colormap.RGB {
		switch on.Fill {
		case FillSeparation:
			base = s.separation.fill(base, theme)
		case FillBag:
			base = s.treewidth.fill(base, theme)
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
		over.mass, top = s.playback.density(s.mesh.Mesh, &s.densities)
		over.perMass = inverse(top, 0)
	}
	s.colors.lay(dst, over, on.Mass, theme)
}

// Faded says of each vertex whether it is out of focus: eliminated, or outside
// the cell looked at. Nil where none is.
func (s *Scene) Faded() []bool {
	switch s.Showing().Fill {
	case FillElimination:
		return s.treewidth.elimination.gone
	case FillSeparation:
		return s.separation.faded()
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
		return s.separation.dots(dst, s.view.theme())
	}
	return s.treewidth.dots(dst, s.view.theme())
}

// FillEdges appends the fill edges of an elimination between vertices that are still there, 2
// vertices each, and says how many of the last belong to the last step. Their
// order does not matter.
func (s *Scene) FillEdges(dst []int32) (edges []int32, last int) { return s.treewidth.fillEdges(dst) }

// Markers appends the discs of what is pointed at: the focused or hovered
// vertex, the partners of its mass by their share, the ends of a measured
// path.
func (s *Scene) Markers(dst []Dot) []Dot {
	i := &s.inspection
	return i.markers(dst, s.transport.partnersOf(i.vertex()), s.brush.paints(), &s.mesh)
}

// PathLine is the measured path's vertices.
func (s *Scene) PathLine() []int32 { return s.inspection.line() }

// Ring is the brush's outline, 6 numbers per segment in view units: where
// distance along the edges reaches the radius.
func (s *Scene) Ring() []float32 { return s.brush.outline() }

// OverlayRevision changes with dots, markers, the ring and the path.
func (s *Scene) OverlayRevision() uint64 { return s.overlay }
