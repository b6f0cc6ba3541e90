package drawing

import (
	"cmp"
	"slices"

	"genussink/viewer/camera"
	"genussink/viewer/colormap"
	"genussink/viewer/raster"
	"genussink/viewer/scene"
)

// Lying adds the sprites that lie on the mesh, and change with its colours and the camera alone: isolines, separators, a bag, and a graph
// without faces altogether. Pixel is the number of device pixels in one of the page's.
func (d *Drawing) Lying(b *raster.Batch, lens *camera.Lens, pixel float64) {
	if d.scene.Mesh.Mesh == nil {
		return
	}
	d.cutEdge(b, *lens, pixel)
	d.contours(b, lens, pixel)
	d.marks(b, lens, pixel)
}

// cutEdge draws the line along which a section cuts the mesh. It takes a lens without the section, which the line itself lies in.
func (d *Drawing) cutEdge(b *raster.Batch, lens camera.Lens, pixel float64) {
	plane := lens.Section
	if plane == (camera.Plane{}) {
		return
	}
	lens.Section = camera.Plane{}
	m := d.scene.Mesh.Mesh
	d.behind = d.behind[:0]
	for v := range int32(m.Vertices()) {
		q := point(m.Points, v)
		d.behind = append(d.behind, plane.Behind([3]float64{float64(q[0]), float64(q[1]), float64(q[2])}))
	}
	d.rim = raster.Contours(d.rim[:0], m.Points, m.Faces, d.behind, []float64{0})
	color := colormap.Accent()
	for _, line := range d.rim {
		b.Segment(&lens, line.P, line.Q, float32(1.6*pixel), color, 1)
	}
}

// levels are the isolines' shares of a density's peak.
var levels = [...]float64{0.08, 0.3, 0.65}

// contours draws the densities' isolines. Filled densities have none while mass is on the move. Where beads stand at the source or at the
// target, that density alone has some.
func (d *Drawing) contours(b *raster.Batch, lens *camera.Lens, pixel float64) {
	s := d.scene
	on := s.Showing()
	shown := [2]bool{on.Mass == scene.AtRest || on.Mass == scene.AtSource, on.Mass == scene.AtRest || on.Mass == scene.AtTarget}
	if dense := on.Mass != scene.AtRest && on.Moving == scene.MassDensity; on.Outlines {
		shown = [2]bool{true, true}
	} else if dense || !on.Densities {
		shown = [2]bool{}
	}
	if s.Mesh.Graph() || shown == [2]bool{} {
		return
	}
	if now := s.Densities.Version(); now != d.lined {
		d.lined = now
		source, target := s.Densities.Values()
		for k, values := range [][]float64{source, target} {
			d.lines[k] = d.lines[k][:0]
			if top := slices.Max(values); top > 0 {
				at := levels
				for i := range at {
					at[i] *= top
				}
				d.lines[k] = raster.Contours(d.lines[k], s.Mesh.Points, s.Mesh.Faces, values, at[:])
			}
		}
	}
	closed := d.closed()
	for k, color := range []colormap.RGB{colormap.Source(), colormap.Target()} {
		if !shown[k] {
			continue
		}
		d.hidden(b, func() {
			for _, line := range d.lines[k] {
				dash(b, lens, line.P, line.Q, pixel, color)
			}
		})
		width, alpha := 1.6*pixel, float32(1)
		if !on.Outlines { // on its own colour
			l := color.LCh()
			l.L -= 0.26
			if s.View.Theme() == colormap.Dark {
				l.L -= 0.06
			}
			color, width, alpha = l.RGB(), 1.1*pixel, 0.75
		}
		for _, line := range d.lines[k] {
			if !closed || lens.Facing(line.P, d.faceNormal(line.Face)) >= 0 {
				b.Segment(lens, line.P, line.Q, float32(width), color, alpha)
			}
		}
	}
}

// network draws a graph without faces: its edges as lines in their ends'
// colours, and on top of them its vertices as discs, the farthest first. What is
// out of focus comes first of all.
func (d *Drawing) network(b *raster.Batch, lens *camera.Lens, radius float32, pixel float64) {
	s := d.scene
	m, colors, faded := s.Mesh.Mesh, s.Colors(), s.Faded()
	_, ground := colormap.Ground(s.View.Theme())
	line := colormap.Wire(s.View.Theme())
	if !s.Mesh.Flat() {
		colors = d.haze(colors, lens, ground)
	}
	width := float32(min(max(0.28*float64(radius), 0.9*pixel), 2.4*pixel))
	edges := m.Edges()
	for _, dim := range []bool{true, false} {
		for e := 0; e+1 < len(edges); e += 2 {
			u, v := edges[e], edges[e+1]
			out := faded != nil && (faded[u] || faded[v])
			if out != dim {
				continue
			}
			color := colormap.RGB{}
			for c := range color {
				color[c] = 0.3*(colors[u][c]+colors[v][c]) + 0.4*line[c]
			}
			if out {
				for c := range color {
					color[c] = 0.08*(colors[u][c]+colors[v][c]) + 0.84*ground[c]
				}
			}
			b.Segment(lens, point(m.Points, u), point(m.Points, v), width, color, 1)
		}
	}
	d.far = d.far[:0]
	for v := range int32(m.Vertices()) {
		d.far = append(d.far, v)
	}
	if !s.Mesh.Flat() {
		depth := func(v int32) float64 { return along(lens.Forward, point(m.Points, v)) }
		slices.SortFunc(d.far, func(a, b int32) int { return cmp.Or(cmp.Compare(depth(b), depth(a)), cmp.Compare(a, b)) })
	}
	for _, v := range d.far {
		if faded != nil && faded[v] {
			d.dot(b, lens, scene.Dot{Vertex: v, Size: 0.6, Color: colors[v]}, radius)
		}
	}
	for _, v := range d.far {
		if faded == nil || !faded[v] {
			d.dot(b, lens, scene.Dot{Vertex: v, Size: 0.85, Color: colors[v]}, radius)
		}
	}
}

// haze is the colours with more of the ground in them the farther a vertex is
// behind the middle: what tells depth where there are no surfaces.
func (d *Drawing) haze(colors []colormap.RGB, lens *camera.Lens, ground colormap.RGB) []colormap.RGB {
	const thickest = 0.55 // at the far end of the bounding sphere
	m := d.scene.Mesh.Mesh
	d.hazy = append(d.hazy[:0], colors...)
	for v := range d.hazy {
		behind := along(lens.Forward, point(m.Points, int32(v)))
		t := float32(thickest * min(max(0.5+0.5*behind/m.Radius, 0), 1))
		for k := range d.hazy[v] {
			d.hazy[v][k] += (ground[k] - d.hazy[v][k]) * t
		}
	}
	return d.hazy
}

// along is how far a point lies in a direction.
func along(direction [3]float64, q [3]float32) float64 {
	return float64(q[0])*direction[0] + float64(q[1])*direction[1] + float64(q[2])*direction[2]
}

// Passing adds the sprites of what moves or follows the pointer: mass, its net flow, the brush's ring, defects, measured paths, fill edges and
// what is pointed at.
func (d *Drawing) Passing(b *raster.Batch, lens *camera.Lens, pixel float64) {
	s := d.scene
	m := s.Mesh.Mesh
	if m == nil {
		return
	}
	d.mass(b, lens, pixel)
	d.arrows(b, lens, pixel)
	radius, line, accent := d.dotRadius(lens, pixel), float32(2.2*pixel), colormap.Accent()
	ring := s.Brush.Ring()
	for i := 0; i+5 < len(ring); i += 6 {
		b.Segment(lens, [3]float32(ring[i:i+3]), [3]float32(ring[i+3:i+6]), line, accent, 0.95)
	}
	lines := s.Inspection.Lines()
	d.hidden(b, func() {
		for _, l := range lines {
			for i := 1; i < len(l.Vertices); i++ {
				dash(b, lens, point(d.scene.Mesh.Points, l.Vertices[i-1]), point(d.scene.Mesh.Points, l.Vertices[i]), pixel, l.Color)
			}
		}
	})
	for _, l := range lines {
		width, from := line*1.2, len(b.Vertices)
		if l.Strong {
			width = line * 2
		}
		for i := 1; i < len(l.Vertices); i++ {
			b.Segment(lens, point(m.Points, l.Vertices[i-1]), point(m.Points, l.Vertices[i]), width, l.Color, 1)
		}
		if len(l.Vertices) == 1 || l.Strong {
			d.dot(b, lens, scene.Dot{Vertex: l.Vertices[0], Size: 1.2, Color: l.Color}, max(radius, float32(4*pixel)))
		}
		if l.Strong { // also where it is behind the surface
			b.Front(from)
		}
	}
	d.fillEdges(b, lens, line, radius)
	d.branches(b, lens, line)
	d.dots = s.Markers(d.dots[:0])
	for _, dot := range d.dots {
		d.dot(b, lens, dot, max(radius, float32(3*pixel)))
	}
}

// fillEdges draws what an elimination adds, in front of everything, its last
// step's brighter.
func (d *Drawing) fillEdges(b *raster.Batch, lens *camera.Lens, width, radius float32) {
	m := d.scene.Mesh.Mesh
	var last int
	d.fill, last = d.scene.Treewidth.FillEdges(d.fill[:0])
	from := len(b.Vertices)
	for e := 0; e+1 < len(d.fill); e += 2 {
		alpha := float32(0.35)
		if e >= len(d.fill)-2*last {
			alpha = 1
		}
		b.Segment(lens, point(m.Points, d.fill[e]), point(m.Points, d.fill[e+1]), width*0.8, colormap.Moving(), alpha)
	}
	if len(d.fill) > 0 { // which would cross out who they join
		d.dots = d.scene.Dots(d.dots[:0])
		for _, dot := range d.dots {
			d.dot(b, lens, dot, radius)
		}
	}
	b.Front(from)
}

// branches draws the tree of shortest paths, as far as they are found.
func (d *Drawing) branches(b *raster.Batch, lens *camera.Lens, width float32) {
	m, color := d.scene.Mesh.Mesh, colormap.Separator(d.scene.View.Theme())
	d.fill = d.scene.Inspection.Branches(d.fill[:0])
	for e := 0; e+1 < len(d.fill); e += 2 {
		b.Segment(lens, point(m.Points, d.fill[e]), point(m.Points, d.fill[e+1]), width*0.45, color, 0.6)
	}
}
