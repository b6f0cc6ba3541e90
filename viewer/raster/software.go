package raster

import (
	"image"
	"math"
	"runtime"
	"sync"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"genussink/viewer/camera"
	"genussink/viewer/colormap"
)

// Style is how a picture is drawn.
type Style struct {
	Theme colormap.Theme
	Flat  bool    // one normal per face
	Wire  bool    // with the triangles' edges; the batch must have corners
	Pixel float32 // device pixels in a page's pixel, 0 for 1: widths are in the latter
}

// The light, in the eye's frame (x right, y up, z away): a soft key from the
// upper left, a little more from above than from below, a glint, and edges
// that darken. Multiplying encoded colours by the root of linear light is, for
// a power law, the same as multiplying in linear light. They are exported for
// the shader that does the same.
const (
	KeyX       = -0.46 // towards the light, a unit vector
	KeyY       = 0.58
	KeyZ       = -0.672
	Ambient    = 0.20
	KeyShare   = 0.66
	SkyShare   = 0.20
	Wrap       = 0.30 // how far the key reaches around
	Glint      = 0.10
	GlintPower = 28
	EdgeShade  = 0.66 // brightness of a face seen edge-on
	EdgeWidth  = 0.42 // up to which cosine that shows
	HaloWidth  = 0.36 // share of a disc's radius
	RimShade   = 0.35 // what a bead's rim loses of its light, so that beads before beads of one colour are told apart
	WireShade  = 0.55 // opacity of a wire
	WireWidth  = 0.9  // pixels at a device pixel ratio of 1
)

// Shade lights a colour: normal in the eye's frame, of any length but zero;
// cavity as in a surface's ColorA. The shader in viewer/app computes the same.
func Shade(color colormap.RGB, normal mgl32.Vec3, cavity float32) colormap.RGB {
	length := float32(math.Sqrt(float64(normal.LenSqr())))
	if length == 0 {
		normal, length = mgl32.Vec3{0, 0, -1}, 1
	}
	for k := range normal {
		normal[k] /= length
	}
	facing := -normal[2]
	if facing < 0 {
		for k := range normal {
			normal[k] = -normal[k]
		}
		facing = -facing
	}
	key := mgl32.Vec3{KeyX, KeyY, KeyZ}
	diffuse := max((normal.Dot(key)+Wrap)/(1+Wrap), 0)
	sky := 0.5 + 0.5*normal[1]
	light := float32(math.Sqrt(float64(Ambient + KeyShare*diffuse + SkyShare*sky)))
	t := min(facing/EdgeWidth, 1)
	t = t * t * (3 - 2*t)
	light *= (EdgeShade + (1-EdgeShade)*t) * cavity
	half := mgl32.Vec3{key[0], key[1], key[2] - 1}
	h := half.Len()
	shine := Glint * float32(math.Pow(float64(max(normal.Dot(half)/h, 0)), GlintPower))
	for k := range color {
		color[k] = min(color[k]*light+shine, 1)
	}
	return color
}

// Picture is what the software twin draws into.
type Picture struct {
	Image   *image.RGBA
	depth   []float32
	nearest []int32 // by pixel, where the triangle that is seen begins in the batch, plus 1
	lens    *camera.Lens
	style   Style

	right, up, forward mgl32.Vec3 // the lens's
}

// NewPicture starts a picture of the lens's size with the theme's ground.
func NewPicture(lens *camera.Lens, style Style) *Picture {
	w, h := int(lens.Width), int(lens.Height)
	p := &Picture{
		Image: image.NewRGBA(image.Rect(0, 0, w, h)), depth: make([]float32, w*h), lens: lens, style: style,
		right: vec(lens.Right), up: vec(lens.Up), forward: vec(lens.Forward),
	}
	top, bottom := colormap.Ground(style.Theme)
	for y := range h {
		t := (float32(y) + 0.5) / float32(h)
		for x := range w {
			var c colormap.RGB
			for k := range c {
				c[k] = top[k] + (bottom[k]-top[k])*t
			}
			p.set(x, y, c)
		}
	}
	return p
}

func (p *Picture) set(x, y int, c colormap.RGB) {
	at := p.Image.Pix[p.Image.PixOffset(x, y):]
	for k := range c {
		at[k] = uint8(min(max(c[k], 0), 1)*255 + 0.5)
	}
	at[3] = 255
}

func (p *Picture) get(x, y int) colormap.RGB {
	at := p.Image.Pix[p.Image.PixOffset(x, y):]
	return colormap.RGB{float32(at[0]) / 255, float32(at[1]) / 255, float32(at[2]) / 255}
}

// span is a triangle made ready to be asked which pixels' middles it covers.
type span struct {
	ax, ay, bx, by, cx, cy float64
	area                   float64
	x0, x1, y0, y1         int
}

// over prepares a triangle, not ok where it covers nothing of a picture.
func over(a, b, c *Vertex, width, height int) (s span, ok bool) {
	s = span{ax: float64(a.DstX), ay: float64(a.DstY), bx: float64(b.DstX), by: float64(b.DstY), cx: float64(c.DstX), cy: float64(c.DstY)}
	s.area = float64(b.DstX-a.DstX)*float64(c.DstY-a.DstY) - float64(b.DstY-a.DstY)*float64(c.DstX-a.DstX)
	s.x0 = max(int(math.Floor(min(s.ax, s.bx, s.cx))), 0)
	s.x1 = min(int(math.Ceil(max(s.ax, s.bx, s.cx))), width-1)
	s.y0 = max(int(math.Floor(min(s.ay, s.by, s.cy))), 0)
	s.y1 = min(int(math.Ceil(max(s.ay, s.by, s.cy))), height-1)
	return s, s.area != 0
}

// shares are the barycentric coordinates of a pixel's middle; the third is what
// is left of 1.
func (s *span) shares(x, y int) (u, v float64) {
	px, py := float64(x)+0.5, float64(y)+0.5
	u = ((s.cx-s.bx)*(py-s.by) - (s.cy-s.by)*(px-s.bx)) / s.area
	v = ((s.ax-s.cx)*(py-s.cy) - (s.ay-s.cy)*(px-s.cx)) / s.area
	return u, v
}

// each visits the pixels of some rows whose middles a triangle covers, with
// their barycentric coordinates.
func (p *Picture) each(a, b, c *Vertex, y0, y1 int, visit func(x, y int, u, v, w float32)) {
	s, ok := over(a, b, c, p.Image.Bounds().Dx(), y1)
	if !ok {
		return
	}
	for y := max(s.y0, y0); y <= s.y1; y++ {
		for x := s.x0; x <= s.x1; x++ {
			u, v := s.shares(x, y)
			if w := 1 - u - v; u >= 0 && v >= 0 && w >= 0 {
				visit(x, y, float32(u), float32(v), float32(w))
			}
		}
	}
}

// bands calls draw for runs of rows that make up the picture, one for each
// processor, at the same time.
func (p *Picture) bands(draw func(y0, y1 int)) {
	height := p.Image.Bounds().Dy()
	n := max(min(runtime.GOMAXPROCS(0), height/64), 1)
	var wait sync.WaitGroup
	for k := range n {
		wait.Add(1)
		go func() {
			defer wait.Done()
			draw(height*k/n, height*(k+1)/n)
		}()
	}
	wait.Wait()
}

// Surface draws a batch that Batch.Surface filled: first which triangle is the
// nearest at each pixel, then the colour of what is seen.
func (p *Picture) Surface(batch *Batch) {
	if p.nearest == nil {
		p.nearest = make([]int32, len(p.depth))
	}
	clear(p.nearest)
	p.bands(func(y0, y1 int) {
		p.cover(batch, y0, y1)
		p.shade(batch, y0, y1)
	})
}

// cover finds the nearest triangle at the pixels of some rows.
func (p *Picture) cover(batch *Batch, y0, y1 int) {
	width := p.Image.Bounds().Dx()
	for t := 0; t+2 < len(batch.Indices); t += 3 {
		i := batch.Indices[t : t+3 : t+3]
		a, b, c := &batch.Vertices[i[0]], &batch.Vertices[i[1]], &batch.Vertices[i[2]]
		if max(a.DstY, b.DstY, c.DstY) < float32(y0) || min(a.DstY, b.DstY, c.DstY) > float32(y1) {
			continue
		}
		s, ok := over(a, b, c, width, y1)
		if !ok {
			continue
		}
		for y := max(s.y0, y0); y <= s.y1; y++ {
			for x := s.x0; x <= s.x1; x++ {
				u, v := s.shares(x, y)
				w := 1 - u - v
				if !(u >= 0 && v >= 0 && w >= 0) {
					continue
				}
				depth := float32(u)*a.Custom0 + float32(v)*b.Custom0 + float32(w)*c.Custom0
				if at := y*width + x; depth > p.depth[at] {
					p.depth[at], p.nearest[at] = depth, int32(t)+1
				}
			}
		}
	}
}

// shade colours what is seen in some rows.
func (p *Picture) shade(batch *Batch, y0, y1 int) {
	width := p.Image.Bounds().Dx()
	at := shader{picture: p, triangle: -1}
	for y := y0; y < y1; y++ {
		for x := range width {
			t := p.nearest[y*width+x] - 1
			if t < 0 {
				continue
			}
			if t != at.triangle {
				i := batch.Indices[t : t+3 : t+3]
				at.begin(t, &batch.Vertices[i[0]], &batch.Vertices[i[1]], &batch.Vertices[i[2]])
			}
			p.set(x, y, at.color(x, y))
		}
	}
}

// shader colours the pixels of one triangle after another.
type shader struct {
	picture  *Picture
	triangle int32
	a, b, c  *Vertex
	span     span
	flat     mgl32.Vec3
	heights  [3]float32
}

func (s *shader) begin(t int32, a, b, c *Vertex) {
	p := s.picture
	s.triangle, s.a, s.b, s.c = t, a, b, c
	s.span, _ = over(a, b, c, p.Image.Bounds().Dx(), p.Image.Bounds().Dy())
	if p.style.Flat {
		s.flat = p.faceNormal(a, b, c)
	}
	if p.style.Wire {
		s.heights = heights(a, b, c)
	}
}

func (s *shader) color(x, y int) colormap.RGB {
	p, a, b, c := s.picture, s.a, s.b, s.c
	du, dv := s.span.shares(x, y)
	u, v, w := float32(du), float32(dv), float32(1-du-dv)
	normal := s.flat
	if !p.style.Flat {
		n := mgl32.Vec3{u*a.Custom1 + v*b.Custom1 + w*c.Custom1, u*a.Custom2 + v*b.Custom2 + w*c.Custom2, u*a.Custom3 + v*b.Custom3 + w*c.Custom3}
		normal = mgl32.Vec3{n.Dot(p.right), n.Dot(p.up), n.Dot(p.forward)}
	}
	color := colormap.RGB{u*a.ColorR + v*b.ColorR + w*c.ColorR, u*a.ColorG + v*b.ColorG + w*c.ColorG, u*a.ColorB + v*b.ColorB + w*c.ColorB}
	color = Shade(color, normal, u*a.ColorA+v*b.ColorA+w*c.ColorA)
	if p.style.Wire {
		pixel := max(p.style.Pixel, 1)
		srcX, srcY := u*a.SrcX+v*b.SrcX+w*c.SrcX, u*a.SrcY+v*b.SrcY+w*c.SrcY
		color = WireColor(color, min(srcX*s.heights[0], srcY*s.heights[1], (1-srcX-srcY)*s.heights[2])/pixel, min(s.heights[0], s.heights[1], s.heights[2])/pixel, p.style.Theme)
	}
	return color
}

// heights are the three heights on the screen, in pixels, of the triangle in which the barycentric coordinates of these vertices are.
func heights(a, b, c *Vertex) [3]float32 {
	ux, uy, vx, vy := b.DstX-a.DstX, b.DstY-a.DstY, c.DstX-a.DstX, c.DstY-a.DstY
	area := ux*vy - uy*vx
	height := func(x, y, z float32) float32 { // of a coordinate: 1 over its slope
		y, z = y-x, z-x
		return abs(area) / max(float32(math.Hypot(float64(y*vy-z*uy), float64(z*ux-y*vx))), 1e-6)
	}
	return [3]float32{height(a.SrcX, b.SrcX, c.SrcX), height(a.SrcY, b.SrcY, c.SrcY), height(1-a.SrcX-a.SrcY, 1-b.SrcX-b.SrcY, 1-c.SrcX-c.SrcY)}
}

// WireColor draws a triangle's edges over its colour: distance is that to the
// nearest edge, in pixels of the page. Where the triangle's smallest height is
// no more than a few wires, the wires fade, or they would cover everything.
func WireColor(color colormap.RGB, distance, height float32, theme colormap.Theme) colormap.RGB {
	cover := clamp(WireWidth/2+0.5-distance) * WireShade * clamp((height-2)/6)
	wire := colormap.Wire(theme)
	for k := range color {
		color[k] += (wire[k] - color[k]) * cover
	}
	return color
}

// faceNormal is a triangle's normal in the eye's frame.
func (p *Picture) faceNormal(a, b, c *Vertex) mgl32.Vec3 {
	point := func(v *Vertex) mgl64.Vec3 {
		l := p.lens
		z := l.Far - float64(v.Custom0)*(l.Far-l.Near)
		f := 1.0
		if !l.Orthographic {
			z = 1 / (1/l.Far + float64(v.Custom0)*(1/l.Near-1/l.Far))
			f = z
		}
		return mgl64.Vec3{(float64(v.DstX) - l.Width/2) / l.Focal * f, (l.Height/2 - float64(v.DstY)) / l.Focal * f, z}
	}
	o, q, r := point(a), point(b), point(c)
	n := q.Sub(o).Cross(r.Sub(o))
	s := math.Sqrt(n.LenSqr())
	if s == 0 {
		s = 1
	}
	return mgl32.Vec3{float32(n[0] / s), float32(n[1] / s), float32(n[2] / s)}
}

// Sprites draws a batch of points and segments over the surface.
func (p *Picture) Sprites(batch *Batch) {
	p.bands(func(y0, y1 int) { p.sprites(batch, y0, y1) })
}

func (p *Picture) sprites(batch *Batch, y0, y1 int) {
	w, h := p.Image.Bounds().Dx(), p.Image.Bounds().Dy()
	for t := 0; t+2 < len(batch.Indices); t += 3 {
		a, b, c := &batch.Vertices[batch.Indices[t]], &batch.Vertices[batch.Indices[t+1]], &batch.Vertices[batch.Indices[t+2]]
		p.each(a, b, c, y0, y1, func(x, y int, u, v, k float32) {
			mix := func(i, j, l float32) float32 { return u*i + v*j + k*l }
			tx, ty := x, y
			if a.Custom1 >= 0 {
				tx, ty = min(int(a.Custom1), w-1), min(int(a.Custom2), h-1)
			}
			if mix(a.Custom0, b.Custom0, c.Custom0) < p.depth[ty*w+tx] {
				return
			}
			// How many pixels one unit of SrcX and SrcY is.
			radius := a.Custom2
			if a.Custom1 >= 0 {
				radius = max(abs(b.DstX-a.DstX), abs(c.DstX-a.DstX)) / 2
			}
			color := colormap.RGB{a.ColorR, a.ColorG, a.ColorB}
			rgb, alpha := SpriteColor(Kind(a.Custom3), mix(a.SrcX, b.SrcX, c.SrcX), mix(a.SrcY, b.SrcY, c.SrcY), radius, color, a.ColorA, p.style.Theme)
			under := p.get(x, y)
			for i := range under {
				under[i] = rgb[i] + under[i]*(1-alpha)
			}
			p.set(x, y, under)
		})
	}
}

func abs(x float32) float32 { return max(x, -x) }

// SpriteColor is the premultiplied colour and the opacity of a sprite at a
// place within it (-1 to 1 each way); radius is that of the sprite in pixels.
// The shader in viewer/app computes the same.
func SpriteColor(kind Kind, x, y, radius float32, color colormap.RGB, alpha float32, theme colormap.Theme) (colormap.RGB, float32) {
	switch kind {
	case Line:
		cover := clamp((1-abs(y))*radius) * alpha
		return scale(color, cover), cover
	case Bead:
		d := float32(math.Sqrt(float64(x*x + y*y)))
		cover := clamp((1-d)*radius) * alpha
		if cover == 0 {
			return colormap.RGB{}, 0
		}
		d = min(d, 0.98)
		color = Shade(color, [3]float32{x, -y, -float32(math.Sqrt(float64(1 - d*d)))}, 1-RimShade*d*d*d*d)
		return scale(color, cover), cover
	}
	d := float32(math.Sqrt(float64(x*x + y*y)))
	outer := clamp((1 - d) * radius)
	inner := clamp((1-HaloWidth-d)*radius + 0.5)
	halo := colormap.Halo(theme)
	opacity := outer * (0.75 + 0.25*inner) * alpha
	for k := range color {
		color[k] = halo[k] + (color[k]-halo[k])*inner
	}
	return scale(color, opacity), opacity
}

func clamp(x float32) float32 { return min(max(x, 0), 1) }

func scale(c colormap.RGB, a float32) colormap.RGB {
	return colormap.RGB{c[0] * a, c[1] * a, c[2] * a}
}
