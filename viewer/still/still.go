// Package still draws what a scene shows as a picture of any size, without a
// window: the mesh with creases and ambient occlusion, separators as ribbons,
// isolines of densities, and mass on the move as beads with trails. It holds no
// state of its own but what makes one mesh ready to be drawn from many sides.
package still

import (
	"context"
	"image"
	"math"

	"genussink/core/job"
	"genussink/viewer/camera"
	"genussink/viewer/colormap"
	"genussink/viewer/occlusion"
	"genussink/viewer/raster"
	"genussink/viewer/scene"
)

// Layers is what the picture shows besides the scene's own colours.
type Layers struct {
	Cells    *job.Separated // fill every cell of the level evenly, with the separators as ribbons; nil: no cells
	Level    int
	Contours bool      // isolines of both densities
	Field    []float64 // a value per vertex in place of the scene's colours; what is not finite has none
	Low      float64   // the field's value at the start of the colour scale
	High     float64   // and at its end
	Wire     bool      // the edges of the faces
}

// Options is the size of a picture. The zero value has none.
type Options struct {
	Width, Height int     // pixels
	Pixel         float64 // pixels in one of the page's, in which lines and dots are measured
	Samples       int     // per pixel and axis
}

// Picture is a scene's mesh made ready to be drawn.
type Picture struct {
	scene   *scene.Scene
	layers  Layers
	split   *raster.Split
	surface *raster.Surface
	parts   []colormap.RGB // by node of the tree, the colour of its cell
	ribbon  []ribbon
	joined  []bool       // by vertex, whether a ribbon comes to it
	lines   [2][]float32 // isolines of the source and of the target
	colors  []colormap.RGB
	field   []colormap.RGB
	batch   raster.Batch
	sprites raster.Batch
	dots    []scene.Dot
	beads   []float32
	trails  [trail][]float32
}

// ribbon is an edge of a separator.
type ribbon struct {
	p, q  [3]float32
	depth int32 // of the separator's node in the tree
}

// New makes the mesh of a scene ready. What the scene shows may change between
// two pictures, its mesh and the layers may not. An ended context is the only error.
func New(ctx context.Context, s *scene.Scene, l Layers) (*Picture, error) {
	m := s.Mesh.Mesh
	p := &Picture{scene: s, layers: l}
	var parts []int32
	if l.Cells != nil {
		cell := cells(l.Cells, l.Level)
		parts = p.fill(m, cell)
		p.edges(m, cell)
	}
	p.split = raster.Crease(m.Points, m.Faces, raster.CreaseAngle, parts)
	p.surface = raster.NewSurface(p.split.Points, p.split.Normals, p.split.Faces, s.Mesh.Closed())
	if l.Field == nil { // whose colours are read off a scale
		open, err := occlusion.Open(ctx, p.split.Points, p.split.Normals, p.split.Faces, 0)
		if err != nil {
			return nil, err
		}
		p.surface.SetOpenness(open)
	}
	p.colors = make([]colormap.RGB, len(p.split.Of))
	if l.Contours {
		source, target := s.Densities.Values()
		for k, values := range [][]float64{source, target} {
			top := 0.0
			for _, x := range values {
				top = max(top, x)
			}
			if top > 0 {
				p.lines[k] = raster.Contours(nil, m.Points, m.Faces, values, []float64{0.08 * top, 0.3 * top, 0.65 * top})
			}
		}
	}
	if l.Field != nil {
		p.field = make([]colormap.RGB, len(l.Field))
		for v, x := range l.Field {
			switch {
			case math.IsNaN(x) || math.IsInf(x, 0):
				p.field[v] = colormap.Clay(s.View.Theme())
			case l.High > l.Low:
				p.field[v] = colormap.Viridis((x - l.Low) / (l.High - l.Low))
			default:
				p.field[v] = colormap.Viridis(0)
			}
		}
	}
	return p, nil
}

// cells is the node of the tree that each vertex is in at a level, -1 in a separator.
func cells(t *job.Separated, level int) []int32 {
	cell := make([]int32, len(t.Cells))
	for v, c := range t.Cells {
		n := t.Nodes[c]
		if int(n.Depth) <= level && (n.Left >= 0 || n.Right >= 0) {
			cell[v] = -1
			continue
		}
		for int(t.Nodes[c].Depth) > level+1 {
			c = t.Nodes[c].Parent
		}
		cell[v] = c
	}
	return cell
}

// fill gives every face its cell. No edge leads from one cell to another, so a
// face lies in one cell, or all its corners are in separators.
func (p *Picture) fill(m *scene.Mesh, cell []int32) []int32 {
	p.parts = make([]colormap.RGB, len(p.layers.Cells.Nodes))
	colors := p.scene.Colors()
	for v, c := range cell {
		if c >= 0 {
			p.parts[c] = colors[v]
		}
	}
	parts := make([]int32, len(m.Faces)/3)
	for f := range parts {
		t := m.Faces[3*f : 3*f+3]
		parts[f] = max(cell[t[0]], cell[t[1]], cell[t[2]])
	}
	return parts
}

// edges lists the edges between vertices of separators.
func (p *Picture) edges(m *scene.Mesh, cell []int32) {
	t := p.layers.Cells
	p.joined = make([]bool, m.Vertices())
	edges := m.Edges()
	for e := 0; e+1 < len(edges); e += 2 {
		v, w := edges[e], edges[e+1]
		if cell[v] < 0 && cell[w] < 0 {
			depth := max(t.Nodes[t.Cells[v]].Depth, t.Nodes[t.Cells[w]].Depth)
			p.joined[v], p.joined[w] = true, true
			p.ribbon = append(p.ribbon, ribbon{point(m.Points, v), point(m.Points, w), depth})
		}
	}
}

// Draw makes the picture from where the scene's camera stands.
func (p *Picture) Draw(o Options) *image.RGBA {
	samples := max(o.Samples, 1)
	pixel := max(o.Pixel, 1) * float64(samples)
	lens := p.scene.View.Camera().Lens(float64(o.Width*samples), float64(o.Height*samples))
	p.color()
	p.surface.Close(p.scene.Mesh.Closed())
	p.batch.Surface(p.surface, &lens, p.layers.Wire)
	on := raster.NewPicture(&lens, raster.Style{Theme: p.scene.View.Theme(), Wire: p.layers.Wire, Pixel: float32(pixel)})
	on.Surface(&p.batch)
	p.sprites.Reset()
	p.contours(&lens, pixel)
	p.separators(&lens, pixel)
	p.mass(&lens, pixel)
	on.Sprites(&p.sprites)
	return shrink(on.Image, samples)
}

// color gives the surface its colours.
func (p *Picture) color() {
	from := p.field
	if from == nil {
		from = p.scene.Colors()
	}
	for d, v := range p.split.Of {
		p.colors[d] = from[v]
		if p.split.Part != nil && p.split.Part[d] >= 0 {
			p.colors[d] = p.parts[p.split.Part[d]]
		}
	}
	p.surface.SetColors(p.colors)
}

// separators draws the edges of separators as ribbons with a halo, and their
// vertices as dots where these do not touch each other. The root's are widest and
// lie on top.
func (p *Picture) separators(lens *camera.Lens, pixel float64) {
	if p.layers.Cells == nil {
		return
	}
	theme := p.scene.View.Theme()
	wide := math.Min(3.2*pixel, 0.34*p.onScreen(lens, float64(p.surface.Edge())))
	wide = math.Max(wide, 1.4*pixel)
	for level := int32(p.layers.Level); level >= 0; level-- {
		width := wide * math.Pow(0.78, float64(level))
		halo := width + 2*math.Max(0.35*width, 0.6*pixel)
		for _, pass := range []struct {
			width float64
			color colormap.RGB
		}{{halo, colormap.Halo(theme)}, {width, colormap.Separator(theme)}} {
			for _, e := range p.ribbon {
				if e.depth == level {
					p.sprites.Segment(lens, e.p, e.q, float32(pass.width), pass.color, 1)
				}
			}
		}
	}
	radius := 1.15 * wide
	apart := p.onScreen(lens, float64(p.surface.Edge())) > 4*radius
	p.dots = p.scene.Dots(p.dots[:0])
	for i := len(p.dots) - 1; i >= 0; i-- {
		if d := p.dots[i]; apart || !p.joined[d.Vertex] {
			p.sprites.Point(lens, point(p.scene.Mesh.Points, d.Vertex), p.normal(d.Vertex), raster.Disc, float32(radius)*d.Size, d.Color, 1)
		}
	}
}

// onScreen is a length at the camera's target in pixels.
func (p *Picture) onScreen(lens *camera.Lens, length float64) float64 {
	return length * math.Min(lens.Width, lens.Height) / 2 / p.scene.View.Camera().Pose().Size
}

// normal hides what is on the far side of a closed surface.
func (p *Picture) normal(v int32) [3]float32 {
	if !p.scene.Mesh.Closed() {
		return [3]float32{}
	}
	return point(p.scene.Mesh.Normals, v)
}

// contours draws the densities' isolines, unless mass is on the move.
func (p *Picture) contours(lens *camera.Lens, pixel float64) {
	if p.scene.Showing().Mass != scene.AtRest {
		return
	}
	for k, line := range p.lines {
		color := colormap.Source()
		if k == 1 {
			color = colormap.Target()
		}
		l := color.LCh()
		l.L -= 0.26
		if p.scene.View.Theme() == colormap.Dark {
			l.L -= 0.06
		}
		for i := 0; i+5 < len(line); i += 6 {
			p.sprites.Segment(lens, [3]float32(line[i:i+3]), [3]float32(line[i+3:i+6]), float32(1.1*pixel), l.RGB(), 0.75)
		}
	}
}

// trail is the number of pieces of a bead's trail, stride how far apart their
// ends are in the playback's position.
const (
	trail  = 4
	stride = 0.012
)

// mass draws the particles as beads, each with a trail behind it. Where beads
// would cover each other fewer are drawn.
func (p *Picture) mass(lens *camera.Lens, pixel float64) {
	s := p.scene
	p.beads = s.ParticlePositions(p.beads[:0])
	if len(p.beads) == 0 {
		return
	}
	at := s.Playback.Position()
	for k := range p.trails {
		s.Playback.Seek(math.Max(at-stride*float64(k+1), 1e-6))
		p.trails[k] = s.ParticlePositions(p.trails[k][:0])
	}
	s.Playback.Seek(at)
	color := s.Showing().Mass.Color()
	radius := math.Min(math.Max(0.009*math.Min(lens.Width, lens.Height), 1.2*pixel), 4.6*pixel)
	shown := p.thin(lens, radius)
	faint := color.LCh()
	faint.L -= 0.06
	above := float32(0.6 * radius / p.onScreen(lens, 1)) // of a trail, so that it does not run into the surface
	for k := trail - 1; k >= 0; k-- {
		alpha := 0.75 * float32(trail-k) / trail
		for _, i := range shown {
			from, to, normal := p.trails[k][i:i+6], p.beads[i:i+3], p.beads[i+3:i+6]
			if k > 0 {
				to = p.trails[k-1][i : i+3]
			}
			var ends [2][3]float32
			for c := range 3 {
				ends[0][c] = from[c] + above*from[3+c]
				ends[1][c] = to[c] + above*normal[c]
			}
			p.sprites.Segment(lens, ends[0], ends[1], float32(radius*(0.95-0.16*float64(k))), faint.RGB(), alpha)
		}
	}
	for _, i := range shown {
		p.sprites.Point(lens, [3]float32(p.beads[i:i+3]), [3]float32{}, raster.Bead, float32(radius), color, 1)
	}
}

// grazing is the cosine to the line of sight below which a bead is left out: it
// is spread along the surface's tangent, and beyond an outline it would hover.
const grazing = 0.22

// thin chooses beads, as places in p.beads: those on the near side, and of those
// whose middles fall into one square of the picture's the first.
func (p *Picture) thin(lens *camera.Lens, radius float64) (shown []int) {
	side := 1.6 * radius
	taken := map[[2]int32]bool{}
	closed := p.scene.Mesh.Closed()
	for i := 0; i+5 < len(p.beads); i += 6 {
		q := [3]float64{float64(p.beads[i]), float64(p.beads[i+1]), float64(p.beads[i+2])}
		x, y, z := lens.Project(q)
		if z < lens.Near {
			continue
		}
		facing, length := 0.0, 0.0
		for k := range q {
			toward := lens.Eye[k] - q[k]
			if lens.Orthographic {
				toward = -lens.Forward[k]
			}
			facing += toward * float64(p.beads[i+3+k])
			length += toward * toward
		}
		facing /= math.Sqrt(length)
		if closed && facing < grazing || math.Abs(facing) < grazing {
			continue
		}
		at := [2]int32{int32(math.Floor(x / side)), int32(math.Floor(y / side))}
		if !taken[at] {
			taken[at] = true
			shown = append(shown, i)
		}
	}
	return shown
}

func point(points []float32, v int32) [3]float32 { return [3]float32(points[3*v : 3*v+3]) }

// shrink makes a pixel of every square of samples by samples: their mean in
// linear light.
func shrink(m *image.RGBA, samples int) *image.RGBA {
	if samples == 1 {
		return m
	}
	var linear [256]float32
	for i := range linear {
		linear[i] = float32(colormap.RGB{float32(i) / 255, 0, 0}.Linear()[0])
	}
	encode := colormap.NewEncoder()
	w, h := m.Bounds().Dx()/samples, m.Bounds().Dy()/samples
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	per := 1 / float32(samples*samples)
	for y := range h {
		for x := range w {
			var sum [3]float32
			for j := range samples {
				row := m.Pix[m.PixOffset(x*samples, y*samples+j):]
				for i := range samples {
					for k := range sum {
						sum[k] += linear[row[4*i+k]]
					}
				}
			}
			for k := range sum {
				sum[k] *= per
			}
			c := encode.RGB(sum)
			at := to.Pix[to.PixOffset(x, y):]
			for k := range c {
				at[k] = uint8(c[k]*255 + 0.5)
			}
			at[3] = 255
		}
	}
	return to
}
