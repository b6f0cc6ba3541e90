// Package drawing says what is drawn of a scene: the triangles of its mesh, and the sprites that lie on it or move over it. Whoever has a
// window (viewer/app) draws them with a graphics library, whoever has none (viewer/still) in software: both show the same picture.
package drawing

import (
	"math"

	"genussink/core/job"
	"genussink/viewer/camera"
	"genussink/viewer/colormap"
	"genussink/viewer/raster"
	"genussink/viewer/scene"
)

// Drawing is a scene's mesh made ready to be drawn again and again.
type Drawing struct {
	scene   *scene.Scene
	made    form
	base    base
	surface *raster.Surface
	growing bool    // the surface is not ready yet
	edge    float32 // mean length of an edge, view units

	revision uint64
	tinted   uint64    // the colours' revision that the surface has
	open     []float32 // by vertex of the surface, nil: not known
	opened   float32   // the share of that shade that it has
	colors   []colormap.RGB

	like   []int32 // by vertex of the surface, the mesh's whose colour it has
	ribbon []ribbon
	joined []bool // by vertex of the mesh, whether a ribbon comes to it

	behind []float64      // by vertex of the mesh, how far behind the section it lies
	rim    []raster.Piece // along which the section cuts the mesh
	lined  scene.Version  // of the densities that the isolines are of
	lines  [2][]raster.Piece
	dots   []scene.Dot
	far    []int32 // a graph's vertices, the farthest first
	hazy   []colormap.RGB
	fill   []int32 // fill edges, or the branches of a tree
	beads  []float32
	shown  []int
	places [][2]float64 // in the picture, of the beads shown
	taken  []int32      // squares of the picture: 1 more than the bead there, 0 none
	trails [trail][]float32
}

// form is what the surface is made of.
type form struct {
	mesh    *scene.Mesh
	shading *job.Shaded
	tree    *job.Separated // whose cells or separators are seen, nil: neither
	filled  bool           // the cells are
	level   int
	bag     int // what is shown of a treewidth, if that is the components that a bag leaves; else 0
}

// base is the surface before it is cut into cells.
type base struct {
	points, normals []float32
	faces           []int32
	of              []int32   // by vertex, the mesh's vertex; nil: the same
	open            []float32 // by vertex, nil: not known
}

// New is a drawing of a scene.
func New(s *scene.Scene) *Drawing { return &Drawing{scene: s} }

// Scene is what is drawn.
func (d *Drawing) Scene() *scene.Scene { return d.scene }

// wanted is the form that the scene asks for.
func (d *Drawing) wanted() form {
	f := form{mesh: d.scene.Mesh.Mesh, shading: d.scene.Mesh.Shading()}
	if f.mesh == nil || f.mesh.Graph() {
		return f
	}
	on, p := d.scene.Showing(), &d.scene.Separation
	if f.filled = on.Fill == scene.FillSeparation; f.filled || on.Hairline {
		f.tree, f.level = p.Tree(), p.Shown()
	}
	if on.Fill == scene.FillBag {
		f.filled, f.bag = true, d.scene.Treewidth.Revision()
	}
	return f
}

// Prepare makes the surface anew where the scene asks for another one. It must be called before what follows.
func (d *Drawing) Prepare() {
	for d.Grow(math.MaxInt) {
	}
}

// Grow is a part of Prepare, and looks at about so many faces. It says whether there is more to do, or whether the mesh or its shading is
// another: then it has taken as long as a picture does.
func (d *Drawing) Grow(faces int) bool {
	another := false
	if f := d.wanted(); f != d.made {
		another = d.begin(f)
	} else if !d.growing {
		return false
	}
	if d.growing = d.surface.Grow(faces); d.growing {
		return true
	}
	d.edge = d.surface.Edge()
	if m := d.made.mesh; m != nil && m.Graph() {
		d.edge = meanEdge(m)
	}
	return another
}

// begin takes up another form, and says whether its mesh or shading is another one.
func (d *Drawing) begin(f form) (another bool) {
	was := d.made
	d.made = f
	d.revision++
	d.tinted, d.opened = 0, 0
	another = f.mesh != was.mesh || f.shading != was.shading
	switch {
	case f.mesh == nil:
		d.base = base{}
	case another:
		d.base = split(f.mesh, f.shading)
	}
	b := d.base
	d.like, d.ribbon, d.joined = b.of, nil, nil
	if f.filled || f.tree != nil {
		cell := d.cells()
		if f.filled {
			b = d.cut(b, cell)
		}
		if f.tree != nil {
			d.trace(cell)
		}
	}
	d.surface = raster.NewSurface(b.points, b.normals, b.faces, false)
	d.open = b.open
	return another
}

// split is the surface of a mesh with its vertices doubled at creases, once it is known where these are.
func split(m *scene.Mesh, s *job.Shaded) base {
	if s == nil || len(s.Faces) == 0 {
		return base{points: m.Points, normals: m.Normals, faces: m.Faces}
	}
	n := m.Vertices()
	b := base{points: append(make([]float32, 0, len(s.Normals)), m.Points...), normals: s.Normals, faces: s.Faces, of: make([]int32, n, len(s.Open)), open: s.Open}
	for v := range b.of {
		b.of[v] = int32(v)
	}
	b.of = append(b.of, s.Doubles...)
	for _, v := range s.Doubles {
		b.points = append(b.points, m.Points[3*v:3*v+3]...)
	}
	return b
}

// Revision changes with what Surface draws, but for its colours and its shade.
func (d *Drawing) Revision() uint64 { return d.revision }

// Edge is the mean length of an edge in view units.
func (d *Drawing) Edge() float32 { return d.edge }

// Surface fills a batch with the triangles that are seen through a lens.
func (d *Drawing) Surface(b *raster.Batch, lens *camera.Lens) {
	if d.surface == nil {
		b.Reset()
		return
	}
	if share := d.shade(); share != d.opened {
		d.surface.SetOpenness(d.open, share)
		d.opened = share
	}
	if now := d.scene.ColorRevision(); now != d.tinted {
		d.color()
		d.tinted = now
	}
	d.surface.Close(d.closed())
	b.Surface(d.surface, lens, d.scene.View.Looks().Wireframe)
}

// shade is the share of the shade of hollows that is shown: colours that are read off a scale have none.
func (d *Drawing) shade() float32 {
	if d.scene.Showing().Fill == scene.FillField {
		return 0
	}
	return d.scene.Mesh.Shade()
}

// color gives the surface the scene's colours.
func (d *Drawing) color() {
	colors := d.scene.Colors()
	if d.like != nil {
		d.colors = d.colors[:0]
		for _, v := range d.like {
			d.colors = append(d.colors, colors[v])
		}
		colors = d.colors
	}
	d.surface.SetColors(colors)
}

// onScreen is a length at the camera's target in pixels.
func (d *Drawing) onScreen(lens *camera.Lens, length float64) float64 {
	return length * math.Min(lens.Width, lens.Height) / 2 / d.scene.View.Camera().Pose().Size
}

// closed promises that whatever faces away is hidden.
func (d *Drawing) closed() bool {
	return d.scene.Mesh.Closed() && d.scene.View.Looks().Section.Axis == ""
}

// away says whether a closed mesh hides an edge. It does where both ends face away from the eye.
func (d *Drawing) away(lens *camera.Lens, v, w int32) bool {
	away := func(v int32) bool {
		return lens.Facing(point(d.scene.Mesh.Points, v), point(d.scene.Mesh.Normals, v)) < 0
	}
	return d.closed() && away(v) && away(w)
}

// faceNormal is the sum of the normals at a face's corners.
func (d *Drawing) faceNormal(face int32) [3]float32 {
	t, normals := d.scene.Mesh.Faces[3*face:3*face+3], d.scene.Mesh.Normals
	u, v, w := point(normals, t[0]), point(normals, t[1]), point(normals, t[2])
	return [3]float32{u[0] + v[0] + w[0], u[1] + v[1] + w[1], u[2] + v[2] + w[2]}
}

// normal hides what is on the far side of a closed surface.
func (d *Drawing) normal(v int32) [3]float32 {
	if !d.closed() {
		return [3]float32{}
	}
	return point(d.scene.Mesh.Normals, v)
}

func (d *Drawing) dot(b *raster.Batch, lens *camera.Lens, dot scene.Dot, radius float32) {
	b.Point(lens, point(d.scene.Mesh.Points, dot.Vertex), d.normal(dot.Vertex), radius*dot.Size, dot.Color, 1)
}

// dotRadius follows the size of an edge on the screen, between limits at which
// dots are seen and do not hide the mesh. Of a graph whose edges are long they are
// large enough to be seen under the mass that waits at them.
func (d *Drawing) dotRadius(lens *camera.Lens, pixel float64) float32 {
	if d.surface == nil {
		return float32(2.5 * pixel)
	}
	edge := d.onScreen(lens, float64(d.edge))
	most := 6.5 * pixel
	if d.scene.Mesh.Graph() {
		most = min(max(most, 0.08*edge), 12*pixel)
	}
	return float32(min(max(0.42*edge, 2.4*pixel), most))
}

func point(points []float32, v int32) [3]float32 { return [3]float32(points[3*v : 3*v+3]) }

// meanEdge is the mean length of a graph's edges in the picture.
func meanEdge(m *scene.Mesh) float32 {
	sum := 0.0
	edges := m.Edges()
	for e := 0; e+1 < len(edges); e += 2 {
		p, q := point(m.Points, edges[e]), point(m.Points, edges[e+1])
		sum += math.Hypot(math.Hypot(float64(q[0]-p[0]), float64(q[1]-p[1])), float64(q[2]-p[2]))
	}
	if len(edges) == 0 {
		return 0.1
	}
	return float32(2 * sum / float64(len(edges)))
}
