package scene

import (
	"genussink/core/job"
	"genussink/viewer/colormap"
)

// Showing is what is on the screen.
func (s *Scene) Showing() Showing {
	s.refreshField()
	if s.Barycentre.visible() && s.Inspection.values == nil {
		return Showing{Between: true, Moving: s.Playback.mass}
	}
	on := s.View.showing(s.task, &s.Separation, &s.Treewidth, &s.Playback, &s.Inspection, &s.Query, &s.Transport, s.Brush.tool.Brush())
	if s.Iterations.shown || s.Blocks.found != nil {
		on.Mass, on.Arrows = AtRest, false
	}
	return on
}

// ParticlePositions appends 6 numbers per particle to dst: its place in view
// units, a little above the surface, and the surface's normal; nothing when no
// mass is on the move or it is shown as a density.
func (s *Scene) ParticlePositions(dst []float32) []float32 {
	if on := s.Showing(); on.Mass == AtRest || on.Moving != MassParticles {
		return dst
	}
	for i := range s.Playback.flow.particles {
		dst = s.Playback.place(dst, s.Mesh.Mesh, i, s.Playback.progress())
	}
	return dst
}

// ParticlesBefore appends the same of some particles, as they were when the playback's position was less by so much.
func (s *Scene) ParticlesBefore(dst []float32, particles []int, less float64) []float32 {
	progress := progressAt(max(s.Playback.Position()-less, 0))
	for _, i := range particles {
		dst = s.Playback.place(dst, s.Mesh.Mesh, i, progress)
	}
	return dst
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
	if s.Mesh.ready() {
		s.colors.freshen(s.Mesh.Vertices(), s.eases(), s.paint)
	}
}

// MassScale is the scale of mass on its way, shown as a density. It has the brightest colour, and the share of all mass at one vertex that
// has it now. A larger share has the same colour. Where no such mass is shown the share is 0.
func (s *Scene) MassScale() (color colormap.RGB, most float64) {
	on := s.Showing()
	if on.Mass == AtRest || on.Moving != MassDensity {
		return color, 0
	}
	s.freshen()
	return on.Mass.Color(), s.Playback.most
}

// eases says whether changes of the picture ease.
func (s *Scene) eases() bool { return !s.View.looks.ReducedMotion && !s.View.looks.Software }

// paint computes every vertex's colour, and says whether lines may have changed that no colour tells of.
func (s *Scene) paint(dst []colormap.RGB) (lines bool) {
	on, theme := s.Showing(), s.View.Theme()
	key := baseKey{on.Fill, s.Separation.tree, s.Mesh.Mesh, s.Separation.Shown(), theme, s.Separation.cell, s.Treewidth.revision, s.Inspection.made, s.Inspection.faded(), s.Query.revision}
	s.colors.fill(key, len(dst), func(base []colormap.RGB) []colormap.RGB {
		switch on.Fill {
		case FillSeparation:
			base = s.Separation.fill(base, theme)
		case FillBag:
			base = s.Treewidth.fill(base, theme)
		case FillQuery:
			base = s.Query.fill(base, theme)
		case FillField:
			base = s.Inspection.fill(base, theme)
		default:
			clay := colormap.Clay(theme)
			for range dst {
				base = append(base, clay)
			}
		}
		return fadeOut(base, s.Faded(), theme)
	})
	over := s.cover(on)
	if on.Mass != AtRest && on.Moving == MassDensity {
		over.mass, s.Playback.most = s.Playback.density(s.Mesh.Mesh, &s.Densities)
		over.perMass = inverse(s.Playback.most, 0)
	}
	at := on.Mass
	if on.Fill == FillSeparation && !s.View.taught {
		at = AtRest // beads move over cells that stay as the legend has them
	}
	s.colors.lay(dst, over, at, theme)
	s.Matrix.light(dst, theme)
	return on.Outlines
}

// cover is what lies over the fill, but for mass on the move.
func (s *Scene) cover(on Showing) cover {
	over := cover{densities: s.Densities.values}
	if on.Densities {
		over.per = [2]float64{inverse(s.Densities.peak(sourceSide)), inverse(s.Densities.peak(targetSide))}
		s.Iterations.lay(&over, &s.Densities)
	}
	if on.Change {
		over = s.Transport.margins.cover()
	}
	if on.Between {
		over = s.Barycentre.cover(over.densities)
	}
	if on.Fill == FillQuery {
		over = s.Query.cover(&s.Densities)
	}
	return over
}

// Faded says of each vertex whether it is out of focus: eliminated, or outside
// the cell or the small component looked at. Nil where none is.
func (s *Scene) Faded() []bool {
	if aside := s.Inspection.aside; aside != nil {
		return aside
	}
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
		if on.Outlines && s.Mesh.Graph() { // which has no isolines
			dst = s.Densities.dots(dst)
		}
		return s.Separation.dots(dst, s.View.Theme())
	case on.Hairline:
		from := len(dst)
		dst = s.Separation.dots(dst, s.View.Theme())
		for i := range dst[from:] {
			dst[from+i].Size *= hairline
		}
		return dst
	}
	return s.Treewidth.dots(dst, s.View.Theme())
}

// hairline is how large a separator's dots are over densities, as a share of their size over cells.
const hairline = 0.5

// Markers appends the discs of what is pointed at: the focused or hovered
// vertex, the partners of its mass by their share, the ends of a measured
// path.
func (s *Scene) Markers(dst []Dot) []Dot {
	i := &s.Inspection
	var partners *job.Partnered
	if s.task == TaskTransport { // elsewhere they would lie on colours that mean something else
		partners = s.Transport.partnersOf(i.vertex())
	}
	if twin := s.twin(s.Brush.preview); twin >= 0 && s.Brush.tool.Brush() {
		dst = append(dst, Dot{twin, 1.6, colormap.Accent()})
	}
	return i.markers(s.Blocks.markers(i.front.markers(s.Treewidth.markers(dst)), s.View.Theme()), partners, s.Brush.tool.Brush(), &s.Mesh)
}
