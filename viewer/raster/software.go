package raster

import (
	"image"
	"math"

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
	Glow       = 0.8  // on a dark ground a soft spot hides this share of what it adds
	WireShade  = 0.55 // opacity of a wire
	WireWidth  = 0.9  // pixels at a device pixel ratio of 1
)

// Shade lights a colour: normal in the eye's frame, of any length but zero;
// cavity as in a surface's ColorA. The shader in viewer/app computes the same.
func Shade(color colormap.RGB, normal [3]float32, cavity float32) colormap.RGB {
	length := float32(math.Sqrt(float64(dot(normal, normal))))
	if length == 0 {
		normal, length = [3]float32{0, 0, -1}, 1
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
	key := [3]float32{KeyX, KeyY, KeyZ}
	diffuse := max((dot(normal, key)+Wrap)/(1+Wrap), 0)
	sky := 0.5 + 0.5*normal[1]
	light := float32(math.Sqrt(float64(Ambient + KeyShare*diffuse + SkyShare*sky)))
	t := min(facing/EdgeWidth, 1)
	t = t * t * (3 - 2*t)
	light *= (EdgeShade + (1-EdgeShade)*t) * cavity
	half := [3]float32{key[0], key[1], key[2] - 1}
	h := float32(math.Sqrt(float64(dot(half, half))))
	shine := Glint * float32(math.Pow(float64(max(dot(normal, half)/h, 0)), GlintPower))
	for k := range color {
		color[k] = min(color[k]*light+shine, 1)
	}
	return color
}

// Picture is what the software twin draws into.
type Picture struct {
	Image *image.RGBA
	depth []float32
	lens  *camera.Lens
	style Style
}

// NewPicture starts a picture of the lens's size with the theme's ground.
func NewPicture(lens *camera.Lens, style Style) *Picture {
	w, h := int(lens.Width), int(lens.Height)
	p := &Picture{Image: image.NewRGBA(image.Rect(0, 0, w, h)), depth: make([]float32, w*h), lens: lens, style: style}
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

// each visits the pixels whose middles a triangle covers, with their
// barycentric coordinates.
func (p *Picture) each(a, b, c *Vertex, visit func(x, y int, u, v, w float32)) {
	area := float64(b.DstX-a.DstX)*float64(c.DstY-a.DstY) - float64(b.DstY-a.DstY)*float64(c.DstX-a.DstX)
	if area == 0 {
		return
	}
	bounds := p.Image.Bounds()
	x0 := max(int(math.Floor(float64(min(a.DstX, b.DstX, c.DstX)))), 0)
	x1 := min(int(math.Ceil(float64(max(a.DstX, b.DstX, c.DstX)))), bounds.Dx()-1)
	y0 := max(int(math.Floor(float64(min(a.DstY, b.DstY, c.DstY)))), 0)
	y1 := min(int(math.Ceil(float64(max(a.DstY, b.DstY, c.DstY)))), bounds.Dy()-1)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			px, py := float64(x)+0.5, float64(y)+0.5
			side := func(s, t *Vertex) float64 {
				return (float64(t.DstX)-float64(s.DstX))*(py-float64(s.DstY)) - (float64(t.DstY)-float64(s.DstY))*(px-float64(s.DstX))
			}
			u, v := side(b, c)/area, side(c, a)/area
			w := 1 - u - v
			if u >= 0 && v >= 0 && w >= 0 {
				visit(x, y, float32(u), float32(v), float32(w))
			}
		}
	}
}

// Surface draws a batch that Batch.Surface filled.
func (p *Picture) Surface(batch *Batch) {
	width := p.Image.Bounds().Dx()
	r, up, fw := vec(p.lens.Right), vec(p.lens.Up), vec(p.lens.Forward)
	for t := 0; t+2 < len(batch.Indices); t += 3 {
		a, b, c := &batch.Vertices[batch.Indices[t]], &batch.Vertices[batch.Indices[t+1]], &batch.Vertices[batch.Indices[t+2]]
		var flat [3]float32
		if p.style.Flat {
			flat = p.faceNormal(a, b, c)
		}
		heights := heights(a, b, c)
		p.each(a, b, c, func(x, y int, u, v, w float32) {
			mix := func(i, j, k float32) float32 { return u*i + v*j + w*k }
			depth := mix(a.Custom0, b.Custom0, c.Custom0)
			at := &p.depth[y*width+x]
			if depth <= *at {
				return
			}
			*at = depth
			normal := flat
			if !p.style.Flat {
				n := [3]float32{mix(a.Custom1, b.Custom1, c.Custom1), mix(a.Custom2, b.Custom2, c.Custom2), mix(a.Custom3, b.Custom3, c.Custom3)}
				normal = [3]float32{dot(n, r), dot(n, up), dot(n, fw)}
			}
			color := colormap.RGB{mix(a.ColorR, b.ColorR, c.ColorR), mix(a.ColorG, b.ColorG, c.ColorG), mix(a.ColorB, b.ColorB, c.ColorB)}
			color = Shade(color, normal, mix(a.ColorA, b.ColorA, c.ColorA))
			if p.style.Wire {
				color = WireColor(color, min(u*heights[0], v*heights[1], w*heights[2])/max(p.style.Pixel, 1), min(heights[0], heights[1], heights[2])/max(p.style.Pixel, 1), p.style.Theme)
			}
			p.set(x, y, color)
		})
	}
}

// heights are a triangle's three heights on the screen, in pixels.
func heights(a, b, c *Vertex) [3]float32 {
	area := abs((b.DstX-a.DstX)*(c.DstY-a.DstY) - (b.DstY-a.DstY)*(c.DstX-a.DstX))
	height := func(p, q *Vertex) float32 {
		return area / max(float32(math.Hypot(float64(q.DstX-p.DstX), float64(q.DstY-p.DstY))), 1e-6)
	}
	return [3]float32{height(b, c), height(c, a), height(a, b)}
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
func (p *Picture) faceNormal(a, b, c *Vertex) [3]float32 {
	point := func(v *Vertex) [3]float64 {
		l := p.lens
		z := l.Far - float64(v.Custom0)*(l.Far-l.Near)
		f := 1.0
		if !l.Orthographic {
			z = 1 / (1/l.Far + float64(v.Custom0)*(1/l.Near-1/l.Far))
			f = z
		}
		return [3]float64{(float64(v.DstX) - l.Width/2) / l.Focal * f, (l.Height/2 - float64(v.DstY)) / l.Focal * f, z}
	}
	o, q, r := point(a), point(b), point(c)
	for k := range o {
		q[k] -= o[k]
		r[k] -= o[k]
	}
	n := [3]float64{q[1]*r[2] - q[2]*r[1], q[2]*r[0] - q[0]*r[2], q[0]*r[1] - q[1]*r[0]}
	s := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
	if s == 0 {
		s = 1
	}
	return [3]float32{float32(n[0] / s), float32(n[1] / s), float32(n[2] / s)}
}

// Sprites draws a batch of points and segments over the surface.
func (p *Picture) Sprites(batch *Batch) {
	w, h := p.Image.Bounds().Dx(), p.Image.Bounds().Dy()
	for t := 0; t+2 < len(batch.Indices); t += 3 {
		a, b, c := &batch.Vertices[batch.Indices[t]], &batch.Vertices[batch.Indices[t+1]], &batch.Vertices[batch.Indices[t+2]]
		p.each(a, b, c, func(x, y int, u, v, k float32) {
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
	case Soft:
		d := x*x + y*y
		if d >= 1 {
			return colormap.RGB{}, 0
		}
		a := (1 - d) * (1 - d) * alpha
		// On a dark ground the spot glows: it hides less than it adds.
		cover := a
		if theme == colormap.Dark {
			cover *= Glow
		}
		return scale(color, a), cover
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
