package raster

import (
	"math"

	"genussink/viewer/camera"
	"genussink/viewer/colormap"
)

// Kind is what a sprite looks like.
type Kind uint8

// The kinds of sprites.
const (
	Disc Kind = iota // a sharp disc with a halo around it
	Bead             // a lit ball: a particle
	Line             // a piece of a line
)

// A sprite's vertex has its place within the sprite in SrcX and SrcY (-1 to
// 1), its depth in Custom0, the pixel where its depth is tested in Custom1 and
// Custom2 (that of its middle, so that a disc is seen whole or not at all; a
// negative Custom1 means each pixel for itself), and its kind in Custom3.

// lift is how far in front of the surface, in view units, a sprite's depth is
// taken, and liftPixels in pixels: the surface at the pixel's middle may lie
// nearer than the vertex that the sprite is on.
const (
	lift       = 0.004
	liftPixels = 2.5
)

// place projects a sprite's middle. It says false if that lies outside of the
// picture, in front of the section, or on a side that faces away (a zero normal faces nowhere).
func place(lens *camera.Lens, p, normal [3]float32) (x, y, depth float32, ok bool) {
	at := [3]float64{float64(p[0]), float64(p[1]), float64(p[2])}
	px, py, z := lens.Project(at)
	if z < lens.Near || lens.Section.Behind(at) < 0 || px < 0 || py < 0 || px >= lens.Width || py >= lens.Height {
		return 0, 0, 0, false
	}
	if lens.Facing(p, normal) < 0 {
		return 0, 0, 0, false
	}
	pixel := z / lens.Focal
	if lens.Orthographic {
		pixel = 1 / lens.Focal
	}
	z = max(z-lift-liftPixels*pixel, lens.Near)
	return float32(px), float32(py), float32(lens.Depth(z)), true
}

// Point adds a disc of a radius in pixels at a point; a normal
// other than zero hides it where it faces away.
func (b *Batch) Point(lens *camera.Lens, p, normal [3]float32, radius float32, color colormap.RGB, alpha float32) {
	if x, y, depth, ok := place(lens, p, normal); ok {
		b.sprite(x, y, depth, Disc, [2][2]float32{{radius, 0}, {0, radius}}, color, alpha)
	}
}

// Pressed is how wide something flat on a surface looks, as a share of its width. Where the surface faces the eye that is 1. It falls to 0 at
// an outline, from where the cosine to the line of sight is 0.6.
func Pressed(lens *camera.Lens, p, normal [3]float32) float64 {
	return min(math.Abs(lens.Slant(p, normal))/0.6, 1)
}

// Bead adds a lit ball of a radius in pixels on a surface. The surface's normal has length 1; a zero normal means that there is none. Near an
// outline the ball is drawn flat: it stays on the surface.
func (b *Batch) Bead(lens *camera.Lens, p, normal [3]float32, radius float32, color colormap.RGB) {
	x, y, depth, ok := place(lens, p, [3]float32{})
	if !ok {
		return
	}
	axes, thickness := [2][2]float32{{radius, 0}, {0, radius}}, Pressed(lens, p, normal)
	across, up := 0.0, 0.0 // the normal's in the picture
	for k, n := range normal {
		across += float64(n) * lens.Right[k]
		up -= float64(n) * lens.Up[k]
	}
	if length := math.Hypot(across, up); length > 0 && thickness < 1 {
		press := (1 - thickness) * float64(radius) / (length * length)
		axes[0][0] -= float32(press * across * across)
		axes[0][1] -= float32(press * across * up)
		axes[1][0], axes[1][1] = axes[0][1], axes[1][1]-float32(press*up*up)
	}
	b.sprite(x, y, depth, Bead, axes, color, 1)
}

// sprite adds one around a place in the picture. The axes go from there to the right and down, in pixels.
func (b *Batch) sprite(x, y, depth float32, kind Kind, axes [2][2]float32, color colormap.RGB, alpha float32) {
	v := Vertex{
		ColorR: color[0], ColorG: color[1], ColorB: color[2], ColorA: alpha,
		Custom0: depth, Custom1: x, Custom2: y, Custom3: float32(kind),
	}
	at := uint32(len(b.Vertices))
	for _, c := range [4][2]float32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		v.DstX, v.DstY, v.SrcX, v.SrcY = x+c[0]*axes[0][0]+c[1]*axes[1][0], y+c[0]*axes[0][1]+c[1]*axes[1][1], c[0], c[1]
		b.Vertices = append(b.Vertices, v)
	}
	b.Indices = append(b.Indices, at, at+1, at+2, at, at+2, at+3)
}

// Front brings the sprites whose vertices were added from a place on in front
// of everything.
func (b *Batch) Front(from int) {
	for i := range b.Vertices[from:] {
		b.Vertices[from+i].Custom0 = 1
	}
}

// behind shortens a line to what lies behind a plane, and says whether that is something.
func behind(plane camera.Plane, ends *[2][3]float64) bool {
	a, b := plane.Behind(ends[0]), plane.Behind(ends[1])
	if a < 0 && b < 0 {
		return false
	}
	if (a < 0) != (b < 0) {
		cut := &ends[0]
		if b < 0 {
			cut = &ends[1]
		}
		p, q := ends[0], ends[1]
		for k := range cut {
			cut[k] = p[k] + (q[k]-p[k])*a/(a-b)
		}
	}
	return true
}

// Segment adds a line from p to q, width pixels wide, tested pixel by pixel.
func (b *Batch) Segment(lens *camera.Lens, p, q [3]float32, width float32, color colormap.RGB, alpha float32) {
	var at [2][3]float64
	for k := range p {
		at[0][k], at[1][k] = float64(p[k]), float64(q[k])
	}
	if !behind(lens.Section, &at) {
		return
	}
	x0, y0, z0 := lens.Project(at[0])
	x1, y1, z1 := lens.Project(at[1])
	if z0 < lens.Near || z1 < lens.Near {
		return
	}
	if x0 < 0 && x1 < 0 || y0 < 0 && y1 < 0 || x0 > lens.Width && x1 > lens.Width || y0 > lens.Height && y1 > lens.Height {
		return
	}
	dx, dy := x1-x0, y1-y0
	length := math.Sqrt(dx*dx + dy*dy)
	if length == 0 {
		return
	}
	// A pixel more on each side for the soft edge, and round enough at the joints
	// that consecutive pieces leave no gap.
	half := float64(width)/2 + 1
	dx, dy = dx/length*half, dy/length*half
	depth := func(z float64) float32 {
		pixel := z / lens.Focal
		if lens.Orthographic {
			pixel = 1 / lens.Focal
		}
		return float32(lens.Depth(max(z-lift-liftPixels*pixel, lens.Near)))
	}
	v := Vertex{
		ColorR: color[0], ColorG: color[1], ColorB: color[2], ColorA: alpha,
		Custom1: -1, Custom2: float32(half), Custom3: float32(Line),
	}
	first := uint32(len(b.Vertices))
	for i, e := range [2][3]float64{{x0 - dx/2, y0 - dy/2, z0}, {x1 + dx/2, y1 + dy/2, z1}} {
		v.Custom0 = depth(e[2])
		v.SrcX = float32(2*i - 1)
		for _, side := range [2]float64{-1, 1} {
			v.DstX, v.DstY, v.SrcY = float32(e[0]-dy*side), float32(e[1]+dx*side), float32(side)
			b.Vertices = append(b.Vertices, v)
		}
	}
	b.Indices = append(b.Indices, first, first+1, first+2, first+1, first+3, first+2)
}
