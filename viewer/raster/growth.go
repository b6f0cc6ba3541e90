package raster

import "math"

// growth is what a surface is made with, step by step: a large one takes longer than a frame.
type growth struct {
	normals []float32
	stage   int
	face    int // the next one, times 3

	volume, length float64
	curve, count   []float64 // by vertex: how far its neighbours stand above its tangent plane, summed, and how many they are
	sum            []float64 // by vertex: of itself and its neighbours
}

// The stages of a surface's growth, each over all faces.
const (
	measuring      = iota
	averaging      // of the neighbours' normals
	averagingAgain // once more
	grown
)

// NewSurface takes points and unit normals (3 numbers per vertex) and faces (3
// vertices each). Closed promises that the faces seen from behind are hidden
// by others: one closed and oriented component. The surface may be drawn once Grow has done its work.
func NewSurface(points, normals []float32, faces []int32, closed bool) *Surface {
	n := len(points) / 3
	return &Surface{
		points: points, faces: faces, closed: closed, outward: 1, vertices: make([]Vertex, n),
		growth: &growth{normals: normals, curve: make([]float64, n), count: make([]float64, n), sum: make([]float64, n)},
	}
}

// Grow looks at so many faces, each of them three times in all, and says whether there are more.
func (s *Surface) Grow(faces int) (more bool) {
	g := s.growth
	for g != nil && faces > 0 {
		from := g.face
		to := len(s.faces) / 3 * 3
		if faces < (to-from)/3 {
			to = from + 3*faces
		}
		faces -= (to - from) / 3
		if g.stage == measuring {
			g.measure(s, from, to)
		} else {
			g.add(s.faces[from:to])
		}
		if g.face = to; to+2 < len(s.faces) {
			continue
		}
		g.face = 0
		switch g.stage {
		case measuring:
			g.measured(s)
		default:
			g.averaged()
		}
		if g.stage++; g.stage == grown {
			g.finish(s)
			s.growth, g = nil, nil
		}
	}
	return g != nil
}

// measure sums what is known of some faces' edges and of the volume below them.
func (g *growth) measure(s *Surface, from, to int) {
	points, normals := s.points, g.normals
	for f := from; f < to; f += 3 {
		face := s.faces[f : f+3 : f+3]
		for c, v := range face {
			w := face[(c+1)%3]
			p, q := (*[3]float32)(points[3*v:]), (*[3]float32)(points[3*w:])
			x, y, z := float64(q[0]-p[0]), float64(q[1]-p[1]), float64(q[2]-p[2])
			l := math.Sqrt(x*x + y*y + z*z)
			g.length += l
			g.count[v]++
			g.count[w]++
			if l == 0 {
				continue
			}
			x, y, z = x/l, y/l, z/l
			p, q = (*[3]float32)(normals[3*v:]), (*[3]float32)(normals[3*w:])
			g.curve[v] += x*float64(p[0]) + y*float64(p[1]) + z*float64(p[2])
			g.curve[w] -= x*float64(q[0]) + y*float64(q[1]) + z*float64(q[2])
		}
		a, b, c := (*[3]float32)(points[3*face[0]:]), (*[3]float32)(points[3*face[1]:]), (*[3]float32)(points[3*face[2]:])
		ax, ay, az := float64(a[0]), float64(a[1]), float64(a[2])
		bx, by, bz := float64(b[0]), float64(b[1]), float64(b[2])
		cx, cy, cz := float64(c[0]), float64(c[1]), float64(c[2])
		g.volume += ax*(by*cz-bz*cy) + ay*(bz*cx-bx*cz) + az*(bx*cy-by*cx)
	}
}

// measured goes on to averages. Both ends of an edge count each other once for each face at it.
func (g *growth) measured(s *Surface) {
	if g.volume < 0 {
		s.outward = -1
	}
	if len(s.faces) > 0 {
		s.edge = float32(g.length / float64(len(s.faces)))
	}
	for v, count := range g.count {
		if count > 0 {
			g.curve[v] *= float64(s.outward) / count
		}
	}
	copy(g.sum, g.curve)
}

// add adds to every vertex of some faces what its neighbours have.
func (g *growth) add(faces []int32) {
	for f := 0; f+2 < len(faces); f += 3 {
		u, v, w := faces[f], faces[f+1], faces[f+2]
		x, y, z := g.curve[u], g.curve[v], g.curve[w]
		g.sum[u] += y + z
		g.sum[v] += x + z
		g.sum[w] += x + y
	}
}

// averaged takes the averages: a vertex has as many neighbours in its faces as its edges were counted.
func (g *growth) averaged() {
	for v, sum := range g.sum {
		g.curve[v] = sum / (1 + g.count[v])
	}
	copy(g.sum, g.curve)
}

// finish darkens where the surface is hollow and brightens ridges, by how far neighbours stand above or below the tangent plane,
// averaged twice over the neighbours: it draws out a shape's features at no cost per frame.
func (g *growth) finish(s *Surface) {
	s.cavity = make([]float32, len(s.vertices))
	for v := range s.vertices {
		x := &s.vertices[v]
		s.cavity[v] = float32(1 - min(max(1.1*g.curve[v], -0.08), 0.22))
		x.ColorA = s.cavity[v]
		x.Custom1, x.Custom2, x.Custom3 = g.normals[3*v]*s.outward, g.normals[3*v+1]*s.outward, g.normals[3*v+2]*s.outward
	}
}
