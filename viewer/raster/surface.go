// Package raster turns a mesh and a camera into flat arrays of screen
// triangles: project, cull, compact, order. It knows no graphics library; its
// software twin draws the same picture with a depth buffer of its own, for
// golden images and to check the other one against.
package raster

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"genussink/viewer/camera"
	"genussink/viewer/colormap"
)

// Vertex is laid out as graphics libraries that draw triangles in two
// dimensions want it: a place on the screen, a place in an image, a colour,
// and four numbers for the shader.
//
// A surface's vertex has its shade of cavity in ColorA, its depth (1 nearest,
// linear on the screen) in Custom0, its normal in Custom1 to 3, and, for a
// wireframe, two barycentric coordinates in SrcX and SrcY. See Sprites for the
// other kind.
type Vertex struct {
	DstX, DstY                         float32
	SrcX, SrcY                         float32
	ColorR, ColorG, ColorB, ColorA     float32
	Custom0, Custom1, Custom2, Custom3 float32
}

// Surface is a mesh made ready to be drawn again and again: all that does not
// depend on the camera is computed once.
type Surface struct {
	points   []float32
	faces    []int32
	closed   bool
	outward  float32 // 1 if faces are counter-clockwise from outside, else -1
	vertices []Vertex
	cavity   []float32
	edge     float32 // mean length of an edge, view units
	growth   *growth // nil: it is ready
}

// Close sets what NewSurface was told of closed.
func (s *Surface) Close(closed bool) { s.closed = closed }

// Edge is the mean length of an edge in view units.
func (s *Surface) Edge() float32 { return s.edge }

// SetColors gives every vertex its colour.
func (s *Surface) SetColors(colors []colormap.RGB) {
	for v := range min(len(colors), len(s.vertices)) {
		x := &s.vertices[v]
		x.ColorR, x.ColorG, x.ColorB = colors[v][0], colors[v][1], colors[v][2]
	}
}

// SetOpenness darkens hollows (ambient occlusion). Open says of every vertex how much of the sky it sees, 0 to 1. Share is how much of the
// darkness is shown, 0 to 1. The shade of cavities that NewSurface has found stays.
func (s *Surface) SetOpenness(open []float32, share float32) {
	for v := range min(len(open), len(s.vertices)) {
		s.vertices[v].ColorA = s.cavity[v] * (1 + share*(openShade(open[v])-1))
	}
}

// openShade is what a share of open sky leaves of the light. Encoded colours are
// multiplied by the root of linear light, as in Shade. What is half covered is
// not dark yet: light also comes back from the surface itself.
func openShade(open float32) float32 {
	return float32(math.Sqrt(float64(0.16 + 0.84*clamp(1.08*open))))
}

// Batch is a list of triangles on the screen. It keeps its memory from one
// picture to the next.
type Batch struct {
	Vertices []Vertex
	Indices  []uint32

	screen   []projected // the surface's vertices
	crossing []int32     // triangles that the section cuts
	depths   []float32   // by triangle
	steps    []uint32    // how many triangles lie before a step of depth, times 3
	sorted   []uint32
}

// projected is where a vertex of the surface appears.
type projected struct {
	x, y, depth float32
	number      int32 // among the batch's vertices, -1: not there
	outside     uint8 // where it lies outside of the picture
}

// Reset empties the batch.
func (b *Batch) Reset() {
	b.Vertices, b.Indices = b.Vertices[:0], b.Indices[:0]
}

// Surface fills the batch with the triangles that can be seen: those within
// the picture, in front of the near plane, behind the lens's section, and, of a closed surface, facing
// the eye. With corners, every triangle gets corners of its own that carry
// barycentric coordinates, for a wireframe.
func (b *Batch) Surface(s *Surface, lens *camera.Lens, corners bool) {
	b.project(s, lens)
	b.crossing = b.crossing[:0]
	if corners {
		b.corners(s)
	} else {
		b.shared(s)
	}
	b.cut(s, lens)
}

// cut adds what lies behind the lens's section of the triangles that cross it. These share no vertices. New vertices lie in the plane.
func (b *Batch) cut(s *Surface, lens *camera.Lens) {
	for i := 0; i+2 < len(b.crossing); i += 3 {
		t := b.crossing[i : i+3 : i+3]
		first := uint32(len(b.Vertices))
		for k, v := range t {
			w := t[(k+1)%3]
			if b.screen[v].outside&inFront == 0 {
				b.Vertices = append(b.Vertices, b.corner(s, v, k))
			}
			if (b.screen[v].outside^b.screen[w].outside)&inFront == 0 {
				continue
			}
			from, to := b.corner(s, v, k), b.corner(s, w, (k+1)%3)
			if v > w { // the same point from either face
				v, w, from, to = w, v, to, from
			}
			p, q := s.point(v), s.point(w)
			x := lens.Section.Behind(p)
			x /= x - lens.Section.Behind(q)
			for k := range p {
				p[k] += (q[k] - p[k]) * x
			}
			between := from.toward(&to, float32(x))
			px, py, z := lens.Project(p)
			between.DstX, between.DstY, between.Custom0 = float32(px), float32(py), float32(lens.Depth(z))
			b.Vertices = append(b.Vertices, between)
		}
		for last := first + 2; last < uint32(len(b.Vertices)); last++ {
			b.Indices = append(b.Indices, first, last-1, last)
		}
	}
}

// corner is a vertex on the screen as a triangle's corner k, with barycentric coordinates.
func (b *Batch) corner(s *Surface, v int32, k int) Vertex {
	x := s.vertices[v]
	p := &b.screen[v]
	x.DstX, x.DstY, x.Custom0 = p.x, p.y, p.depth
	switch k {
	case 0:
		x.SrcX = 1
	case 1:
		x.SrcY = 1
	}
	return x
}

// point is a vertex's place, view units.
func (s *Surface) point(v int32) [3]float64 {
	p := s.points[3*v : 3*v+3 : 3*v+3]
	return [3]float64{float64(p[0]), float64(p[1]), float64(p[2])}
}

// toward is what lies between two vertices, at a share of the way, in all but its place on the screen.
func (v *Vertex) toward(w *Vertex, share float32) Vertex {
	mix := func(a, b float32) float32 { return a + (b-a)*share }
	return Vertex{
		SrcX: mix(v.SrcX, w.SrcX), SrcY: mix(v.SrcY, w.SrcY),
		ColorR: mix(v.ColorR, w.ColorR), ColorG: mix(v.ColorG, w.ColorG), ColorB: mix(v.ColorB, w.ColorB), ColorA: mix(v.ColorA, w.ColorA),
		Custom1: mix(v.Custom1, w.Custom1), Custom2: mix(v.Custom2, w.Custom2), Custom3: mix(v.Custom3, w.Custom3),
	}
}

// shared fills the batch with triangles that share their vertices: only those
// that are used are copied.
func (b *Batch) shared(s *Surface) {
	b.Vertices, b.Indices = grow(b.Vertices, len(s.vertices)), grow(b.Indices, len(s.faces))
	vertices, indices, screen := b.Vertices, b.Indices, b.screen
	n, at := 0, 0
	for f := 0; f+2 < len(s.faces); f += 3 {
		t := s.faces[f : f+3 : f+3]
		p, q, r := &screen[t[0]], &screen[t[1]], &screen[t[2]]
		if p.outside|q.outside|r.outside != 0 && b.clips(t) || s.hides(p, q, r) {
			continue
		}
		for k, p := range [3]*projected{p, q, r} {
			if p.number < 0 {
				p.number = int32(n)
				x := &vertices[n]
				*x = s.vertices[t[k]]
				x.DstX, x.DstY, x.Custom0 = p.x, p.y, p.depth
				n++
			}
			indices[at+k] = uint32(p.number)
		}
		at += 3
	}
	b.Vertices, b.Indices = vertices[:n], indices[:at]
}

// corners fills the batch with triangles that share nothing.
func (b *Batch) corners(s *Surface) {
	b.Reset()
	for f := 0; f+2 < len(s.faces); f += 3 {
		t := s.faces[f : f+3 : f+3]
		p, q, r := &b.screen[t[0]], &b.screen[t[1]], &b.screen[t[2]]
		if p.outside|q.outside|r.outside != 0 && b.clips(t) || s.hides(p, q, r) {
			continue
		}
		at := uint32(len(b.Vertices))
		for c, v := range t {
			b.Vertices = append(b.Vertices, b.corner(s, v, c))
		}
		b.Indices = append(b.Indices, at, at+1, at+2)
	}
}

// Where a projected vertex lies outside of the picture.
const (
	beyondLeft = 1 << iota
	beyondRight
	beyondTop
	beyondBottom
	tooNear // its place on the screen means nothing
	inFront // of the section
)

// hides says whether a triangle is the back of a closed surface.
func (s *Surface) hides(p, q, r *projected) bool {
	return s.closed && ((q.x-p.x)*(r.y-p.y)-(q.y-p.y)*(r.x-p.x))*s.outward >= 0
}

// clips says whether a triangle that is not wholly within the picture is not drawn as it is: a corner is too near, all
// lie beyond the same side, or it crosses the section, which is noted.
func (b *Batch) clips(t []int32) bool {
	u, v, w := b.screen[t[0]].outside, b.screen[t[1]].outside, b.screen[t[2]].outside
	if u&v&w != 0 || (u|v|w)&tooNear != 0 {
		return true
	}
	if (u|v|w)&inFront != 0 {
		b.crossing = append(b.crossing, t...)
		return true
	}
	return false
}

// project finds where every vertex appears on the screen.
func (b *Batch) project(s *Surface, lens *camera.Lens) {
	b.screen = grow(b.screen, len(s.vertices))
	e, r, u, f := vec(lens.Eye), vec(lens.Right), vec(lens.Up), vec(lens.Forward)
	er, eu, ef := -e.Dot(r), -e.Dot(u), -e.Dot(f)
	focal, cx, cy := float32(lens.Focal), float32(lens.Width/2), float32(lens.Height/2)
	near, far := float32(lens.Near), float32(lens.Far)
	width, height := float32(lens.Width), float32(lens.Height)
	// Depth is (w - behind) scale, with w = 1/z, or -z without perspective.
	behind, scale := 1/far, 1/(1/near-1/far)
	if lens.Orthographic {
		behind, scale = -far, 1/(far-near)
	}
	for v := range b.screen {
		p := s.points[3*v : 3*v+3 : 3*v+3]
		out := &b.screen[v]
		z := p[0]*f[0] + p[1]*f[1] + p[2]*f[2] + ef
		if z < near {
			*out = projected{number: -1, outside: tooNear}
			continue
		}
		w, zoom := -z, focal
		if !lens.Orthographic {
			w = 1 / z
			zoom *= w
		}
		x := cx + zoom*(p[0]*r[0]+p[1]*r[1]+p[2]*r[2]+er)
		y := cy - zoom*(p[0]*u[0]+p[1]*u[1]+p[2]*u[2]+eu)
		code := uint8(0)
		if x < 0 {
			code = beyondLeft
		} else if x > width {
			code = beyondRight
		}
		if y < 0 {
			code |= beyondTop
		} else if y > height {
			code |= beyondBottom
		}
		*out = projected{x: x, y: y, depth: (w - behind) * scale, number: -1, outside: code}
	}
	if lens.Section == (camera.Plane{}) {
		return
	}
	for v := range b.screen {
		if lens.Section.Behind(s.point(int32(v))) < 0 {
			b.screen[v].outside |= inFront
		}
	}
}

// sortSteps is a power of two.
const sortSteps = 1 << 15

// Sort orders the triangles by their mean depth, farthest first (painter's
// order). It counts how many lie in each of sortSteps steps of equal depth.
func (b *Batch) Sort() {
	b.depths, b.sorted = grow(b.depths, len(b.Indices)/3), grow(b.sorted, len(b.Indices))
	low, high := float32(math.Inf(1)), float32(math.Inf(-1))
	for t := range b.depths {
		i := b.Indices[3*t : 3*t+3 : 3*t+3]
		d := b.Vertices[i[0]].Custom0 + b.Vertices[i[1]].Custom0 + b.Vertices[i[2]].Custom0
		b.depths[t] = d
		if d < low {
			low = d
		}
		if d > high {
			high = d
		}
	}
	if !(high > low) {
		return
	}
	b.steps = grow(b.steps, sortSteps)
	start := (*[sortSteps]uint32)(b.steps)
	clear(start[:])
	scale := (sortSteps - 1) / (high - low)
	for _, d := range b.depths {
		start[int32((d-low)*scale)&(sortSteps-1)]++
	}
	sum := uint32(0)
	for i, n := range start {
		start[i] = sum
		sum += 3 * n
	}
	for t, d := range b.depths {
		step := &start[int32((d-low)*scale)&(sortSteps-1)]
		from, to := b.Indices[3*t:3*t+3:3*t+3], b.sorted[*step:*step+3:*step+3]
		to[0], to[1], to[2] = from[0], from[1], from[2]
		*step += 3
	}
	b.Indices, b.sorted = b.sorted, b.Indices
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

func vec(v [3]float64) mgl32.Vec3 {
	return mgl32.Vec3{float32(v[0]), float32(v[1]), float32(v[2])}
}
