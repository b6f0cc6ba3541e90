package shade

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
)

// CreaseAngle is the angle between two faces, in degrees, above which each is
// shaded by itself.
const CreaseAngle = 40

// patience is the number of vertices between two looks at the context.
const patience = 1024

// Split is a surface whose vertices are doubled at creases.
type Split struct {
	Faces   []int32   // 3 vertices per face
	Of      []int32   // of each vertex, which it is in the mesh; the mesh's own come first
	Normals []float32 // 3 per vertex, unit vectors; 0 without faces
}

// Crease splits the vertices of a mesh (points 3 numbers each, faces 3 vertices
// each) where faces meet at more than an angle in degrees. A vertex's normal is the
// mean over its faces this side of the creases, by their angles there, turned as
// its own faces are. An ended context is the only error.
func Crease(ctx context.Context, points []float32, faces []int32, degrees float64) (*Split, error) {
	n := len(points) / 3
	s := &Split{Faces: make([]int32, len(faces)), Of: make([]int32, n), Normals: make([]float32, len(points))}
	for v := range s.Of {
		s.Of[v] = int32(v)
	}
	c := creaser{faces: faces, normals: faceNormals(points, faces), least: float32(math.Cos(degrees * math.Pi / 180))}
	angles := cornerAngles(points, faces)
	start, corners := c.incidence(n)
	for v := range n {
		if v%patience == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		at := corners[start[v]:start[v+1]]
		used := false // the vertex's own place
		for group := range c.groups(int32(v), at) {
			var normal [3]float32
			for _, k := range group {
				f, w := at[k.corner]/3, k.sign*angles[at[k.corner]]
				for i := range normal {
					normal[i] += w * c.normals[3*f+int32(i)]
				}
			}
			normal = unit(normal)
			to := [2]int32{-1, -1} // for faces turned as the group's first, and the other way
			for _, k := range group {
				side := 0
				if k.sign < 0 {
					side = 1
				}
				if to[side] < 0 {
					to[side] = s.place(int32(v), used, [3]float32{k.sign * normal[0], k.sign * normal[1], k.sign * normal[2]})
					used = true
				}
				s.Faces[at[k.corner]] = to[side]
			}
		}
	}
	return s, nil
}

// place makes a vertex: the mesh's own first, then doubles of it.
func (s *Split) place(v int32, used bool, normal [3]float32) int32 {
	if !used {
		copy(s.Normals[3*v:], normal[:])
		return v
	}
	s.Normals = append(s.Normals, normal[:]...)
	s.Of = append(s.Of, v)
	return int32(len(s.Of) - 1)
}

// creaser groups the faces at a vertex.
type creaser struct {
	faces   []int32
	normals []float32
	least   float32 // cosine of the angle
	ends    []end
	next    [][2]link
	queue   []member
	done    []bool
}

// member is a corner of a group, as its place among the vertex's, and whether
// its face is turned as the group's first is (1) or the other way (-1).
type member struct {
	corner int32
	sign   float32
}

// end is an edge at the vertex: the vertex at its other end, and a corner.
type end struct {
	to, corner int32
	out        bool // the face runs along the edge away from the vertex
}

// link is a neighbour over an edge that is no crease; its sign is 0 where there
// is none.
type link struct {
	to   int32
	sign float32
}

// incidence lists the corners at each vertex, in the order of the faces.
func (c *creaser) incidence(n int) (start, corners []int32) {
	start, corners = make([]int32, n+1), make([]int32, len(c.faces))
	for _, v := range c.faces {
		start[v+1]++
	}
	for v := range n {
		start[v+1] += start[v]
	}
	next := slices.Clone(start[:n])
	for k, v := range c.faces {
		corners[next[v]] = int32(k)
		next[v]++
	}
	return start, corners
}

// groups yields the corners at v that hang together over edges without creases.
// Over an edge of more than two faces nothing hangs together.
func (c *creaser) groups(v int32, at []int32) func(yield func([]member) bool) {
	return func(yield func([]member) bool) {
		c.ends = c.ends[:0]
		c.next, c.done = slices.Grow(c.next[:0], len(at))[:len(at)], slices.Grow(c.done[:0], len(at))[:len(at)]
		clear(c.next)
		clear(c.done)
		for i, corner := range at {
			f := corner - corner%3
			c.ends = append(c.ends, end{c.faces[f+(corner+1)%3], int32(i), true}, end{c.faces[f+(corner+2)%3], int32(i), false})
		}
		slices.SortFunc(c.ends, func(a, b end) int { return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.corner, b.corner)) })
		for i := 0; i < len(c.ends); {
			j := i + 1
			for j < len(c.ends) && c.ends[j].to == c.ends[i].to {
				j++
			}
			if j == i+2 && c.ends[i].to != v {
				c.join(at, c.ends[i], c.ends[i+1])
			}
			i = j
		}
		for i := range at {
			if c.done[i] {
				continue
			}
			c.done[i] = true
			c.queue = append(c.queue[:0], member{int32(i), 1})
			for k := 0; k < len(c.queue); k++ {
				m := c.queue[k]
				for _, l := range c.next[m.corner] {
					if l.sign != 0 && !c.done[l.to] {
						c.done[l.to] = true
						c.queue = append(c.queue, member{l.to, m.sign * l.sign})
					}
				}
			}
			if !yield(c.queue) {
				return
			}
		}
	}
}

// join links two corners over an edge unless it is a crease.
func (c *creaser) join(at []int32, a, b end) {
	if a.corner == b.corner {
		return
	}
	sign := float32(1)
	if a.out == b.out {
		sign = -1 // the faces are turned against each other
	}
	p, q := c.normal(at[a.corner]/3), c.normal(at[b.corner]/3)
	flat := p == mgl32.Vec3{} || q == mgl32.Vec3{} // a face without an area has no direction
	if !flat && sign*p.Dot(q) < c.least {
		return
	}
	for _, l := range [2][2]int32{{a.corner, b.corner}, {b.corner, a.corner}} {
		at := &c.next[l[0]]
		if at[0].sign != 0 {
			at[1] = link{l[1], sign}
		} else {
			at[0] = link{l[1], sign}
		}
	}
}

func (c *creaser) normal(f int32) mgl32.Vec3 { return corner(c.normals, f) }

// faceNormals are the unit normals of the faces, 0 for one without an area.
func faceNormals(points []float32, faces []int32) []float32 {
	normals := make([]float32, 0, len(faces))
	for f := 0; f+2 < len(faces); f += 3 {
		p, q, r := corner(points, faces[f]), corner(points, faces[f+1]), corner(points, faces[f+2])
		n := unit(q.Sub(p).Cross(r.Sub(p)))
		normals = append(normals, n[:]...)
	}
	return normals
}

// cornerAngles are the angles of the faces' corners, in radians.
func cornerAngles(points []float32, faces []int32) []float32 {
	angles := make([]float32, len(faces))
	for f := 0; f+2 < len(faces); f += 3 {
		for k := range 3 {
			p, q, r := corner(points, faces[f+k]), corner(points, faces[f+(k+1)%3]), corner(points, faces[f+(k+2)%3])
			a, b := unit(q.Sub(p)), unit(r.Sub(p))
			angles[f+k] = float32(math.Acos(float64(min(max(a.Dot(b), -1), 1))))
		}
	}
	return angles
}

func corner(points []float32, v int32) mgl32.Vec3 { return mgl32.Vec3(points[3*v : 3*v+3]) }

// unit scales a vector to length 1, and leaves 0 as it is. It computes in float64: in mathgl's float32 the square of a small length underflows.
func unit(a mgl32.Vec3) mgl32.Vec3 {
	l := math.Sqrt(float64(a[0])*float64(a[0]) + float64(a[1])*float64(a[1]) + float64(a[2])*float64(a[2]))
	if l == 0 {
		return a
	}
	return mgl32.Vec3{float32(float64(a[0]) / l), float32(float64(a[1]) / l), float32(float64(a[2]) / l)}
}
