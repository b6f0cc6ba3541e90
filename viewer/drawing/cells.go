package drawing

import (
	"math"
	"slices"

	"genussink/viewer/camera"
	"genussink/viewer/colormap"
	"genussink/viewer/raster"
	"genussink/viewer/scene"
)

// ribbon is an edge of a separator.
type ribbon struct {
	v, w  int32
	depth int32 // of the separator's node in the tree
}

// corner is a vertex of the surface as one cell sees it.
type corner struct{ vertex, cell int32 }

// cells are the numbers of the vertices' cells, or of the components that a bag leaves; -1 in a separator or in the bag.
func (d *Drawing) cells() []int32 {
	if d.made.bag > 0 {
		return d.scene.Treewidth.Part()
	}
	return scene.Cells(d.made.tree, d.made.level)
}

// cut doubles the vertices of separators, or of a bag, so that every cell has a colour up to its edge: no edge leads from one cell to another, so a
// face lies in one cell, or all its corners are in separators.
func (d *Drawing) cut(b base, cell []int32) base {
	n := len(b.points) / 3
	of := func(v int32) int32 {
		if b.of == nil {
			return v
		}
		return b.of[v]
	}
	// The base stays as it is: what is appended to goes elsewhere, once.
	to := base{points: slices.Clip(b.points), normals: slices.Clip(b.normals), open: slices.Clip(b.open), faces: slices.Clone(b.faces)}
	d.like = make([]int32, n)
	for v := range d.like {
		d.like[v] = of(int32(v))
	}
	own := map[int32]int32{}     // the cell that has a vertex of a separator for its own
	double := map[corner]int32{} // the others' doubles
	for f := 0; f+2 < len(b.faces); f += 3 {
		face := b.faces[f : f+3 : f+3]
		mesh := [3]int32{of(face[0]), of(face[1]), of(face[2])}
		at, in := int32(-1), int32(-1) // the face's cell, and a vertex of the face in it
		for _, v := range mesh {
			if cell[v] >= 0 {
				at, in = cell[v], v
			}
		}
		for k, v := range face {
			if cell[mesh[k]] >= 0 {
				continue
			}
			like := in
			if in < 0 {
				like = mesh[k]
			}
			if first, ok := own[v]; !ok {
				own[v], d.like[v] = at, like
			} else if first != at {
				w, ok := double[corner{v, at}]
				if !ok {
					w = int32(len(d.like))
					double[corner{v, at}] = w
					d.like = append(d.like, like)
					to.points = append(to.points, b.points[3*v:3*v+3]...)
					to.normals = append(to.normals, b.normals[3*v:3*v+3]...)
					if b.open != nil {
						to.open = append(to.open, b.open[v])
					}
				}
				to.faces[f+k] = w
			}
		}
	}
	return to
}

// trace notes the separators' edges.
func (d *Drawing) trace(cell []int32) {
	faces := d.made.mesh.Faces
	d.joined = make([]bool, len(cell))
	seen := map[[2]int32]bool{}
	for f := 0; f+2 < len(faces); f += 3 {
		for k := range 3 {
			if v := faces[f+k]; cell[v] < 0 {
				d.note(v, faces[f+(k+1)%3], cell, seen)
			}
		}
	}
}

// note notes an edge between two vertices of separators, once.
func (d *Drawing) note(v, w int32, cell []int32, seen map[[2]int32]bool) {
	if cell[w] >= 0 || v == w || seen[[2]int32{min(v, w), max(v, w)}] {
		return
	}
	seen[[2]int32{min(v, w), max(v, w)}] = true
	t := d.made.tree
	d.joined[v], d.joined[w] = true, true
	d.ribbon = append(d.ribbon, ribbon{v, w, max(t.Nodes[t.Cells[v]].Depth, t.Nodes[t.Cells[w]].Depth)})
}

// faint is how opaque a line is that the mesh hides.
const faint = 0.4

// dash adds the middle half of a line from p to q, thin.
func dash(b *raster.Batch, lens *camera.Lens, p, q [3]float32, pixel float64, color colormap.RGB) {
	var from, to [3]float32
	for k := range p {
		from[k], to[k] = p[k]+0.25*(q[k]-p[k]), p[k]+0.75*(q[k]-p[k])
	}
	b.Segment(lens, from, to, float32(1.2*pixel), color, faint)
}

// hidden draws lines in front of everything, if those that the mesh hides are to be seen. What is seen anyway is drawn over them.
func (d *Drawing) hidden(b *raster.Batch, draw func()) {
	if d.scene.View.Looks().Hidden {
		from := len(b.Vertices)
		draw()
		b.Front(from)
	}
}

// separators draws the edges of separators as ribbons with a halo, and their
// vertices as dots where these do not touch each other. The root's are widest and
// lie on top.
func (d *Drawing) separators(b *raster.Batch, lens *camera.Lens, pixel float64) {
	theme, points := d.scene.View.Theme(), d.scene.Mesh.Points
	faded := d.scene.Faded()
	edge := d.onScreen(lens, float64(d.edge))
	wide := math.Max(math.Min(3.2*pixel, 0.34*edge), 1.4*pixel)
	if !d.made.filled {
		wide = 1.3 * pixel // a hairline
	}
	seen := func(e ribbon) bool { return faded == nil || !faded[e.v] && !faded[e.w] }
	d.hidden(b, func() {
		for _, e := range d.ribbon {
			if e.depth <= int32(d.made.level) && seen(e) {
				dash(b, lens, point(points, e.v), point(points, e.w), pixel, colormap.Separator(theme))
			}
		}
	})
	draw := func(level int32, width float64, color colormap.RGB) {
		for _, e := range d.ribbon {
			if e.depth == level && seen(e) && !d.away(lens, e.v, e.w) {
				b.Segment(lens, point(points, e.v), point(points, e.w), float32(width), color, 1)
			}
		}
	}
	for level := int32(d.made.level); level >= 0; level-- {
		width := wide * math.Pow(0.78, float64(level))
		if d.made.filled {
			draw(level, width+2*math.Max(0.35*width, 0.6*pixel), colormap.Halo(theme))
		}
		draw(level, width, colormap.Separator(theme))
	}
	radius := 1.15 * wide
	apart := d.made.filled && edge > 4*radius
	d.dots = d.scene.Dots(d.dots[:0])
	for i := len(d.dots) - 1; i >= 0; i-- {
		if dot := d.dots[i]; apart || !d.joined[dot.Vertex] {
			d.dot(b, lens, dot, float32(radius))
		}
	}
}

// marks draws a graph, the separators or a bag.
func (d *Drawing) marks(b *raster.Batch, lens *camera.Lens, pixel float64) {
	radius := d.dotRadius(lens, pixel)
	if m := d.scene.Mesh.Mesh; m.Graph() {
		d.network(b, lens, radius, pixel)
		radius = max(radius, float32(3.4*pixel)) // to stand out among discs
	} else if d.made.tree != nil {
		d.separators(b, lens, pixel)
		return
	}
	d.dots = d.scene.Dots(d.dots[:0])
	for i := len(d.dots) - 1; i >= 0; i-- { // the root's dots lie on top
		d.dot(b, lens, d.dots[i], radius)
	}
}
