package app

import (
	"cmp"
	"image"
	"math"
	"slices"
	"unsafe"

	"github.com/hajimehoshi/ebiten/v2"

	"genussink/viewer/camera"
	"genussink/viewer/colormap"
	"genussink/viewer/raster"
	"genussink/viewer/scene"
)

// picture draws the mesh into an image that is kept until something changes,
// and what moves on top of it.
type picture struct {
	shaders *shaders
	surface *raster.Surface
	edge    float32 // mean length of an edge, view units
	closed  bool
	batch   raster.Batch // the mesh's visible triangles
	sprites raster.Batch
	dots    []scene.Dot
	spots   []float32
	far     []int32 // a graph's vertices, the farthest first
	fill    []int32 // fill edges
	hazy    []colormap.RGB

	high, low, mesh *ebiten.Image // of the frame's size times finer
	have            key
	meshRevision    uint64
	colorRevision   uint64
}

// key is all that the mesh's image depends on.
type key struct {
	mesh, color   uint64
	pose          camera.Pose
	width, height int
	finer         int
	painter       bool
	wire, smooth  bool
	split, closed bool
	theme         colormap.Theme
}

// blendMax keeps the larger of what is there and what comes.
func blendMax() ebiten.Blend {
	return ebiten.Blend{
		BlendFactorSourceRGB: ebiten.BlendFactorOne, BlendFactorSourceAlpha: ebiten.BlendFactorOne,
		BlendFactorDestinationRGB: ebiten.BlendFactorOne, BlendFactorDestinationAlpha: ebiten.BlendFactorOne,
		BlendOperationRGB: ebiten.BlendOperationMax, BlendOperationAlpha: ebiten.BlendOperationMax,
	}
}

// raster.Vertex is ebiten.Vertex under another name, so that raster need not
// know ebiten; a difference in size does not compile.
var _ [unsafe.Sizeof(ebiten.Vertex{})]byte = [unsafe.Sizeof(raster.Vertex{})]byte{}

func vertices(v []raster.Vertex) []ebiten.Vertex {
	return unsafe.Slice((*ebiten.Vertex)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}

// wanted is the key of the picture that the scene asks for.
func wanted(s *scene.Scene, width, height, finer int, painter bool) key {
	v := s.View.Looks()
	return key{
		mesh: s.Mesh.Revision(), color: s.ColorRevision(), pose: s.View.Camera().Pose(),
		width: width, height: height, finer: finer, painter: painter,
		wire: v.Wireframe, smooth: v.Smooth, split: v.Split, closed: s.Mesh.Closed(), theme: s.View.Theme(),
	}
}

// size makes the images fit.
func (p *picture) size(width, height int) {
	if p.mesh != nil && p.mesh.Bounds().Dx() == width && p.mesh.Bounds().Dy() == height {
		return
	}
	for _, at := range []**ebiten.Image{&p.high, &p.low, &p.mesh} {
		if *at != nil {
			(*at).Deallocate()
		}
		*at = ebiten.NewImageWithOptions(image.Rect(0, 0, width, height), &ebiten.NewImageOptions{Unmanaged: true})
	}
}

// lens is the camera's view onto the kept image, scale times finer than the
// screen.
func (k key) lens(s *scene.Scene, scale int) camera.Lens {
	return s.View.Camera().Lens(float64(k.width*scale), float64(k.height*scale))
}

// draw makes the kept image anew: the ground, the mesh in three passes (or one
// in painter's order), the separator's dots. Pixel is the number of device
// pixels in one of the page's.
func (p *picture) draw(s *scene.Scene, k key, pixel float64) {
	p.have = k
	p.size(k.width*k.finer, k.height*k.finer)
	p.ground(k)
	m := s.Mesh.Mesh
	if m == nil {
		return
	}
	p.prepare(m, k.mesh)
	p.closed = k.closed
	p.surface.Close(k.closed)
	if p.colorRevision != k.color {
		p.surface.SetColors(s.Colors())
		p.colorRevision = k.color
	}
	lens := k.lens(s, k.finer)
	p.batch.Surface(p.surface, &lens, k.wire)
	if len(p.batch.Indices) > 0 {
		p.drawSurface(k, &lens, pixel*float64(k.finer))
	} else {
		p.high.Clear()
		p.low.Clear()
	}
	p.sprites.Reset()
	radius := p.dotRadius(s, &lens, pixel*float64(k.finer))
	if m.Graph() {
		p.network(s, m, &lens, radius, pixel*float64(k.finer))
		radius = max(radius, float32(3.4*pixel*float64(k.finer))) // to stand out among discs
	}
	p.dots = s.Dots(p.dots[:0])
	// The root's dots lie on top.
	for i := len(p.dots) - 1; i >= 0; i-- {
		p.dot(m, &lens, p.dots[i], radius)
	}
	p.drawSprites(p.mesh, k, 1)
}

// prepare makes the surface of a mesh, and says whether there was anything to do.
func (p *picture) prepare(m *scene.Mesh, revision uint64) bool {
	if m == nil || p.surface != nil && p.meshRevision == revision {
		return false
	}
	p.surface = raster.NewSurface(m.Points, m.Normals, m.Faces, false)
	p.edge = p.surface.Edge()
	if m.Graph() {
		p.edge = meanEdge(m)
	}
	p.meshRevision, p.colorRevision = revision, 0
	return true
}

// network draws a graph without faces: its edges as lines in their ends'
// colours, and on top of them its vertices as discs, the farthest first. What is
// out of focus comes first of all.
func (p *picture) network(s *scene.Scene, m *scene.Mesh, lens *camera.Lens, radius float32, pixel float64) {
	colors, faded := s.Colors(), s.Faded()
	_, ground := colormap.Ground(s.View.Theme())
	if !s.Mesh.Flat() {
		colors = p.haze(colors, m, lens, ground)
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
				color[c] = 0.3*(colors[u][c]+colors[v][c]) + 0.4*ground[c]
			}
			if out {
				for c := range color {
					color[c] = 0.08*(colors[u][c]+colors[v][c]) + 0.84*ground[c]
				}
			}
			p.sprites.Segment(lens, point(m.Points, u), point(m.Points, v), width, color, 1)
		}
	}
	p.far = p.far[:0]
	for v := range int32(m.Vertices()) {
		p.far = append(p.far, v)
	}
	if !s.Mesh.Flat() {
		depth := func(v int32) float64 {
			q := point(m.Points, v)
			return float64(q[0])*lens.Forward[0] + float64(q[1])*lens.Forward[1] + float64(q[2])*lens.Forward[2]
		}
		slices.SortFunc(p.far, func(a, b int32) int { return cmp.Or(cmp.Compare(depth(b), depth(a)), cmp.Compare(a, b)) })
	}
	for _, v := range p.far {
		if faded != nil && faded[v] {
			p.dot(m, lens, scene.Dot{Vertex: v, Size: 0.6, Color: colors[v]}, radius)
		}
	}
	for _, v := range p.far {
		if faded == nil || !faded[v] {
			p.dot(m, lens, scene.Dot{Vertex: v, Size: 0.85, Color: colors[v]}, radius)
		}
	}
}

// haze is the colours with more of the ground in them the farther a vertex is
// behind the middle: what tells depth where there are no surfaces.
func (p *picture) haze(colors []colormap.RGB, m *scene.Mesh, lens *camera.Lens, ground colormap.RGB) []colormap.RGB {
	const thickest = 0.55 // at the far end of the bounding sphere
	p.hazy = append(p.hazy[:0], colors...)
	for v := range p.hazy {
		q := point(m.Points, int32(v))
		behind := float64(q[0])*lens.Forward[0] + float64(q[1])*lens.Forward[1] + float64(q[2])*lens.Forward[2]
		t := float32(thickest * min(max(0.5+0.5*behind/m.Radius, 0), 1))
		for k := range p.hazy[v] {
			p.hazy[v][k] += (ground[k] - p.hazy[v][k]) * t
		}
	}
	return p.hazy
}

func (p *picture) ground(k key) {
	top, bottom := colormap.Ground(k.theme)
	w, h := float32(k.width*k.finer), float32(k.height*k.finer)
	v := []ebiten.Vertex{{DstX: 0, DstY: 0}, {DstX: w, DstY: 0}, {DstX: w, DstY: h}, {DstX: 0, DstY: h}}
	p.mesh.DrawTrianglesShader32(v, []uint32{0, 1, 2, 0, 2, 3}, p.shaders.ground, &ebiten.DrawTrianglesShaderOptions{
		Blend:    ebiten.BlendCopy,
		Uniforms: map[string]any{"Top": top[:], "Bottom": bottom[:], "Height": h},
	})
}

func (p *picture) drawSurface(k key, lens *camera.Lens, pixel float64) {
	if k.painter {
		p.batch.Sort()
	}
	v, i := vertices(p.batch.Vertices), p.batch.Indices
	if !k.painter {
		p.high.Clear()
		p.low.Clear()
		p.high.DrawTrianglesShader32(v, i, p.shaders.high, &ebiten.DrawTrianglesShaderOptions{Blend: blendMax()})
		low := &ebiten.DrawTrianglesShaderOptions{Blend: blendMax()}
		low.Images[1] = p.high
		p.low.DrawTrianglesShader32(v, i, p.shaders.low, low)
	}
	nearness := []float32{float32(1 / lens.Far), float32(1/lens.Near - 1/lens.Far)}
	if lens.Orthographic {
		nearness = []float32{float32(lens.Far), float32(lens.Far - lens.Near)}
	}
	wire := colormap.Wire(k.theme)
	options := &ebiten.DrawTrianglesShaderOptions{Uniforms: map[string]any{
		"Exact": flag(!k.painter), "Flat": flag(!k.smooth), "Wires": flag(k.wire), "Pixel": float32(pixel),
		"Right": floats(lens.Right), "Up": floats(lens.Up), "Forward": floats(lens.Forward),
		"Middle": []float32{float32(lens.Width / 2), float32(lens.Height / 2)}, "Focal": float32(lens.Focal),
		"Nearness": nearness, "Orthographic": flag(lens.Orthographic), "WireColor": wire[:],
	}}
	options.Images[1], options.Images[2] = p.high, p.low
	p.mesh.DrawTrianglesShader32(v, i, p.shaders.surface, options)
}

// over draws what moves or follows the pointer onto the frame.
func (p *picture) over(to *ebiten.Image, s *scene.Scene, pixel float64) {
	m := s.Mesh.Mesh
	if m == nil {
		return
	}
	k := p.have
	lens := k.lens(s, 1)
	b := &p.sprites
	b.Reset()
	p.spots = s.ParticlePositions(p.spots[:0])
	radius := p.dotRadius(s, &lens, pixel)
	size := max(0.9*min(radius, float32(6.5*pixel)), float32(2.6*pixel)) // the large dots of a small graph show around it
	alpha := float32(0.55)
	if k.theme == colormap.Light {
		alpha = 0.8
	}
	gold := s.Showing().Mass.Color()
	for i := 0; i+5 < len(p.spots); i += 6 {
		q := p.spots[i : i+6 : i+6]
		normal := [3]float32{}
		if p.closed {
			normal = [3]float32{q[3], q[4], q[5]}
		}
		b.Point(&lens, [3]float32{q[0], q[1], q[2]}, normal, raster.Soft, size, gold, alpha)
	}
	line := float32(2.2 * pixel)
	ring := s.Brush.Ring()
	accent := colormap.Accent()
	for i := 0; i+5 < len(ring); i += 6 {
		q := ring[i : i+6 : i+6]
		b.Segment(&lens, [3]float32{q[0], q[1], q[2]}, [3]float32{q[3], q[4], q[5]}, line, accent, 0.95)
	}
	for _, l := range s.Inspection.Lines() {
		width, from := line*1.2, len(b.Vertices)
		if l.Strong {
			width = line * 2
		}
		for i := 1; i < len(l.Vertices); i++ {
			b.Segment(&lens, point(m.Points, l.Vertices[i-1]), point(m.Points, l.Vertices[i]), width, l.Color, 1)
		}
		if len(l.Vertices) == 1 || l.Strong {
			p.dot(m, &lens, scene.Dot{Vertex: l.Vertices[0], Size: 1.2, Color: l.Color}, max(radius, float32(4*pixel)))
		}
		if l.Strong { // also where it is behind the surface
			b.Front(from)
		}
	}
	p.fillEdges(s, m, &lens, line, radius)
	p.dots = s.Markers(p.dots[:0])
	for _, d := range p.dots {
		p.dot(m, &lens, d, max(radius, float32(3*pixel)))
	}
	p.drawSprites(to, k, float32(k.finer))
}

// fillEdges draws what an elimination adds, in front of everything, its last
// step's brighter.
func (p *picture) fillEdges(s *scene.Scene, m *scene.Mesh, lens *camera.Lens, width, radius float32) {
	var last int
	p.fill, last = s.Treewidth.FillEdges(p.fill[:0])
	from := len(p.sprites.Vertices)
	for e := 0; e+1 < len(p.fill); e += 2 {
		alpha := float32(0.35)
		if e >= len(p.fill)-2*last {
			alpha = 1
		}
		p.sprites.Segment(lens, point(m.Points, p.fill[e]), point(m.Points, p.fill[e+1]), width*0.8, colormap.Moving(), alpha)
	}
	if len(p.fill) > 0 { // which would cross out who they join
		p.dots = s.Dots(p.dots[:0])
		for _, d := range p.dots {
			p.dot(m, lens, d, radius)
		}
	}
	p.sprites.Front(from)
}

func (p *picture) dot(m *scene.Mesh, lens *camera.Lens, d scene.Dot, radius float32) {
	normal := [3]float32{}
	if p.closed {
		normal = point(m.Normals, d.Vertex)
	}
	p.sprites.Point(lens, point(m.Points, d.Vertex), normal, raster.Disc, radius*d.Size, d.Color, 1)
}

// dotRadius follows the size of an edge on the screen, between limits at which
// dots are seen and do not hide the mesh. Of a graph whose edges are long they are
// large enough to be seen under the mass that waits at them.
func (p *picture) dotRadius(s *scene.Scene, lens *camera.Lens, pixel float64) float32 {
	if p.surface == nil {
		return float32(2.5 * pixel)
	}
	edge := float64(p.edge) * math.Min(lens.Width, lens.Height) / 2 / s.View.Camera().Pose().Size
	most := 6.5 * pixel
	if s.Mesh.Graph() {
		most = min(max(most, 0.08*edge), 12*pixel)
	}
	return float32(min(max(0.42*edge, 2.4*pixel), most))
}

func (p *picture) drawSprites(to *ebiten.Image, k key, scale float32) {
	if len(p.sprites.Indices) == 0 {
		return
	}
	halo := colormap.Halo(k.theme)
	options := &ebiten.DrawTrianglesShaderOptions{Uniforms: map[string]any{
		"Exact": flag(!k.painter), "Scale": scale, "Dark": flag(k.theme == colormap.Dark), "Halo": halo[:],
	}}
	options.Images[1], options.Images[2] = p.high, p.low
	to.DrawTrianglesShader32(vertices(p.sprites.Vertices), p.sprites.Indices, p.shaders.sprite(), options)
}

// show puts the kept image on the frame.
func (p *picture) show(to *ebiten.Image) {
	options := &ebiten.DrawImageOptions{Blend: ebiten.BlendCopy}
	if p.have.finer > 1 {
		options.GeoM.Scale(1/float64(p.have.finer), 1/float64(p.have.finer))
		// At one half, a linear sample is the mean of the four pixels.
		options.Filter, options.DisableMipmaps = ebiten.FilterLinear, true
	}
	to.DrawImage(p.mesh, options)
}

func point(points []float32, v int32) [3]float32 {
	return [3]float32{points[3*v], points[3*v+1], points[3*v+2]}
}

func flag(on bool) float32 {
	if on {
		return 1
	}
	return 0
}

func floats(v [3]float64) []float32 {
	return []float32{float32(v[0]), float32(v[1]), float32(v[2])}
}

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
