package app

import (
	"image"
	"unsafe"

	"github.com/hajimehoshi/ebiten/v2"

	"genussink/viewer/camera"
	"genussink/viewer/colormap"
	"genussink/viewer/drawing"
	"genussink/viewer/raster"
	"genussink/viewer/scene"
)

// picture draws the mesh into an image that is kept until something changes,
// and what moves on top of it.
type picture struct {
	shaders *shaders
	drawing *drawing.Drawing
	batch   raster.Batch // the mesh's visible triangles
	sprites raster.Batch

	high, low, mesh *ebiten.Image // of the frame's size times finer
	have            key
}

// key is all that the mesh's image depends on.
type key struct {
	mesh, color   uint64
	form          uint64  // of the drawing
	shade         float32 // of hollows
	pose          camera.Pose
	width, height int
	finer         int
	painter       bool
	clear         bool // no ground
	wire, smooth  bool
	hidden        bool
	sprites       bool // what lies on the mesh is drawn too
	closed        bool
	on            scene.Showing // whose lines no colour tells of
	theme         colormap.Theme
	section       scene.SectionState
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
func (p *picture) wanted(s *scene.Scene, width, height, finer int, painter bool) key {
	v := s.View.Looks()
	return key{
		mesh: s.Mesh.Revision(), color: s.ColorRevision(), form: p.drawing.Revision(), shade: s.Mesh.Shade(), pose: s.View.Camera().Pose(),
		width: width, height: height, finer: finer, painter: painter,
		wire: v.Wireframe, hidden: v.Hidden, sprites: p.draws(s), smooth: v.Smooth, on: s.Showing(), closed: s.Mesh.Closed(), theme: s.View.Theme(), section: v.Section,
	}
}

// draws says whether what lies on the mesh is drawn. Its program takes the browser long to make, which waits until nobody waits for a
// solve; a graph is nothing else.
func (p *picture) draws(s *scene.Scene) bool {
	return s.Mesh.Mesh != nil && (s.Mesh.Graph() || !s.Preparing() || p.shaders != nil && p.shaders.sprites != nil)
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
	return s.Lens(float64(k.width*scale), float64(k.height*scale))
}

// draw makes the kept image anew: the ground, the mesh in three passes (or one
// in painter's order), and what lies on it. Pixel is the number of device
// pixels in one of the page's.
func (p *picture) draw(s *scene.Scene, k key, pixel float64) {
	p.have = k
	p.size(k.width*k.finer, k.height*k.finer)
	if k.clear {
		p.mesh.Clear()
	} else {
		p.ground(k)
	}
	p.drawing.Prepare()
	lens := k.lens(s, k.finer)
	p.drawing.Surface(&p.batch, &lens)
	if len(p.batch.Indices) == 0 {
		// A triangle of no size: the browser makes the programs while nothing is there to draw, and a first mesh need not wait for them.
		p.batch.Vertices, p.batch.Indices = append(p.batch.Vertices, make([]raster.Vertex, 3)...), append(p.batch.Indices, 0, 1, 2)
	}
	p.drawSurface(k, &lens, pixel*float64(k.finer))
	p.sprites.Reset()
	if k.sprites {
		p.drawing.Lying(&p.sprites, &lens, pixel*float64(k.finer))
		p.drawSprites(p.mesh, k, 1)
	}
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
	k := p.have
	lens := k.lens(s, 1)
	p.sprites.Reset()
	p.drawing.Passing(&p.sprites, &lens, pixel)
	p.drawSprites(to, k, float32(k.finer))
}

func (p *picture) drawSprites(to *ebiten.Image, k key, scale float32) {
	if len(p.sprites.Indices) == 0 {
		return
	}
	halo := colormap.Halo(k.theme)
	options := &ebiten.DrawTrianglesShaderOptions{Uniforms: map[string]any{
		"Exact": flag(!k.painter), "Scale": scale, "Halo": halo[:],
	}}
	options.Images[1], options.Images[2] = p.high, p.low
	to.DrawTrianglesShader32(vertices(p.sprites.Vertices), p.sprites.Indices, p.shaders.sprite(), options)
}

// warm draws a triangle of no size with the program of sprites, once. The browser makes a program when it first draws with it, and that takes up to a
// tenth of a second.
func (p *picture) warm() {
	if p.shaders.sprites == nil {
		p.sprites.Vertices, p.sprites.Indices = make([]raster.Vertex, 3), []uint32{0, 1, 2}
		p.drawSprites(p.mesh, p.have, 1)
	}
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

func flag(on bool) float32 {
	if on {
		return 1
	}
	return 0
}

func floats(v [3]float64) []float32 {
	return []float32{float32(v[0]), float32(v[1]), float32(v[2])}
}
