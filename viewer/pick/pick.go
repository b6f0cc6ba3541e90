// Package pick finds what a ray hits on a mesh, by a bounding volume
// hierarchy over its faces.
package pick

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"genussink/viewer/camera"
)

// leafFaces is where splitting stops: below about this many, testing the
// faces is as cheap as another box.
const leafFaces = 8

// Tree is a bounding volume hierarchy. It keeps the mesh's slices. A node is split when a ray first comes to it,
// so that the first ray takes time linear in the faces, and nothing is done for parts that no ray meets.
type Tree struct {
	points  []float32
	faces   []int32
	middles []float32 // 3 for each face, times three
	order   []int32   // faces, every node's in one run
	all     box       // around the faces whose middles are there
	nodes   []node    // none until that is all of them
	grown   int       // nodes before this one are small or have children
}

// node holds the box of the faces order[first:first+count]. Its left child is at left, the right one follows.
type node struct {
	box
	first, count, left int32
}

// What left is where there is no child.
const (
	unsplit = 0  // no ray has come here
	leaf    = -1 // there will be none
)

// Hit is where a ray meets a mesh first.
type Hit struct {
	Face        int32
	Distance    float64    // in lengths of the ray's direction
	Barycentric [3]float64 // of the point, by the face's corners
	Vertex      int32      // the face's corner nearest to the point
	Edge        [2]int32   // the face's edge nearest to the point: its ends, the smaller first
}

// Nothing is what is hit where there is nothing.
func Nothing() Hit { return Hit{Face: -1, Vertex: -1, Edge: [2]int32{-1, -1}} }

// New begins the tree over points (3 numbers per vertex) and faces (3
// vertices each, all in range). Degenerate faces are kept and never hit.
func New(points []float32, faces []int32) *Tree {
	n := len(faces) / 3
	return &Tree{points: points, faces: faces, order: make([]int32, 0, n), middles: make([]float32, 3*n), all: emptyBox()}
}

// gather takes in so many faces more, and makes the first node when it has all.
func (t *Tree) gather(faces int) {
	all := len(t.faces) / 3
	for f := len(t.order); f < all && faces > 0; f++ {
		faces--
		t.order = append(t.order, int32(f))
		a, b, c := t.corners(int32(f))
		t.all.add(a)
		t.all.add(b)
		t.all.add(c)
		m := (*[3]float32)(t.middles[3*f:])
		m[0], m[1], m[2] = a[0]+b[0]+c[0], a[1]+b[1]+c[1], a[2]+b[2]+c[2]
	}
	if len(t.order) == all && all > 0 {
		t.nodes = append(make([]node, 0, 64), node{t.all, 0, int32(all), unsplit})
	}
}

// coarse is the number of faces below which a ray splits nodes in no time.
const coarse = 4096

// Grow takes in faces, then splits nodes before rays come to them, until it has looked at so many faces, and says whether more is
// left, of nodes large ones. The first ray then need not stop for them.
func (t *Tree) Grow(faces int) bool {
	if len(t.nodes) == 0 && len(t.faces) >= 3 {
		t.gather(faces)
		return true
	}
	for ; t.grown < len(t.nodes); t.grown++ {
		n := &t.nodes[t.grown]
		if n.left != unsplit || n.count <= coarse {
			continue
		}
		if faces <= 0 {
			return true
		}
		faces -= int(n.count)
		t.split(int32(t.grown))
	}
	return false
}

// corners are the places of a face's.
func (t *Tree) corners(f int32) (a, b, c *[3]float32) {
	v := (*[3]int32)(t.faces[3*f:])
	return (*[3]float32)(t.points[3*v[0]:]), (*[3]float32)(t.points[3*v[1]:]), (*[3]float32)(t.points[3*v[2]:])
}

// box is the least one around some points.
type box struct{ lo, hi [3]float32 }

func emptyBox() box {
	inf := float32(math.Inf(1))
	return box{[3]float32{inf, inf, inf}, [3]float32{-inf, -inf, -inf}}
}

// add makes room for a point. Comparisons: the built-in min and max are calls in WebAssembly.
func (b *box) add(p *[3]float32) {
	x, y, z := p[0], p[1], p[2]
	if x < b.lo[0] {
		b.lo[0] = x
	}
	if y < b.lo[1] {
		b.lo[1] = y
	}
	if z < b.lo[2] {
		b.lo[2] = z
	}
	if x > b.hi[0] {
		b.hi[0] = x
	}
	if y > b.hi[1] {
		b.hi[1] = y
	}
	if z > b.hi[2] {
		b.hi[2] = z
	}
}

// around is a node of the faces order[from:to].
func (t *Tree) around(from, to int) node {
	all := emptyBox()
	for _, f := range t.order[from:to] {
		a, b, c := t.corners(f)
		all.add(a)
		all.add(b)
		all.add(c)
	}
	return node{all, int32(from), int32(to - from), unsplit}
}

// split makes the children of a node, or a leaf of it.
func (t *Tree) split(i int32) {
	first, count := int(t.nodes[i].first), int(t.nodes[i].count)
	faces := t.order[first : first+count]
	all := emptyBox()
	for _, f := range faces {
		all.add((*[3]float32)(t.middles[3*f:]))
	}
	lo, hi := all.lo, all.hi
	axis := 0
	for k := 1; k < 3; k++ {
		if hi[k]-lo[k] > hi[axis]-lo[axis] {
			axis = k
		}
	}
	if count <= leafFaces || hi[axis] <= lo[axis] && count <= 64 {
		t.nodes[i].left = leaf
		return
	}
	selectMiddle(faces, count/2, t.middles[axis:])
	t.nodes[i].left = int32(len(t.nodes))
	t.nodes = append(t.nodes, t.around(first, first+count/2), t.around(first+count/2, first+count))
}

// selectMiddle reorders faces so that those before k have keys no larger, and
// those after it no smaller, than the one at k. Hoare's selection with the
// median of three; equal keys are split evenly, so ties cost no more.
func selectMiddle(order []int32, k int, keys []float32) {
	lo, hi := 0, len(order)-1
	for lo < hi {
		a, b, c := keys[3*order[lo]], keys[3*order[(lo+hi)/2]], keys[3*order[hi]]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for keys[3*order[i]] < pivot {
				i++
			}
			for keys[3*order[j]] > pivot {
				j--
			}
			if i <= j {
				order[i], order[j] = order[j], order[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return
		}
	}
}

// Ray returns the nearest hit in front of the origin, on either side of a
// face. A direction that is zero or not finite hits nothing.
func (t *Tree) Ray(origin, direction [3]float64) (Hit, bool) {
	best := Nothing()
	best.Distance = math.Inf(1)
	if len(t.nodes) == 0 {
		t.gather(len(t.faces))
	}
	length := mgl64.Vec3(direction).LenSqr()
	if len(t.nodes) == 0 || !(length > 0) || math.IsInf(length, 0) {
		return best, false
	}
	var inverse [3]float64
	for k := range inverse {
		inverse[k] = 1 / direction[k]
	}
	var stack [64]int32 // the tree halves its faces at each level: 32 levels hold any int32 count
	top := 1
	for top > 0 {
		top--
		i := stack[top]
		if !t.nodes[i].meets(origin, inverse, best.Distance) {
			continue
		}
		if t.nodes[i].left == unsplit {
			t.split(i)
		}
		n := &t.nodes[i]
		if n.left != leaf {
			// The nearer child last, so that it is looked at first.
			left, right := n.left, n.left+1
			if t.nodes[left].along(direction) > t.nodes[right].along(direction) {
				left, right = right, left
			}
			stack[top], stack[top+1] = right, left
			top += 2
			continue
		}
		for _, f := range t.order[n.first : n.first+n.count] {
			t.face(f, origin, direction, &best)
		}
	}
	if best.Face < 0 {
		return best, false
	}
	best.Vertex, best.Edge = t.nearest(&best, camera.Plane{}), t.side(&best, camera.Plane{})
	return best, true
}

// Behind is Ray where what is in front of a plane is not there: neither are the vertex and the edge that are meant.
func (t *Tree) Behind(plane camera.Plane, origin, direction [3]float64) (Hit, bool) {
	from := 0.0
	if at, toward := plane.Behind(origin), mgl64.Vec3(plane.Normal).Dot(direction); at < 0 {
		if !(toward > 0) {
			return Nothing(), false
		}
		from = -at / toward
	}
	along := func(x float64) (p [3]float64) {
		for k := range p {
			p[k] = origin[k] + x*direction[k]
		}
		return p
	}
	hit, ok := t.Ray(along(from), direction)
	if !ok {
		return hit, false
	}
	hit.Distance += from
	const slack = -1e-9 // of what lies in the plane
	if plane.Behind(along(hit.Distance)) < slack {
		return Nothing(), false
	}
	hit.Vertex, hit.Edge = t.nearest(&hit, plane), t.side(&hit, plane)
	return hit, true
}

// seen says whether a vertex is not in front of a plane.
func (t *Tree) seen(v int32, plane camera.Plane) bool {
	p := t.points[3*v : 3*v+3 : 3*v+3]
	return plane.Behind([3]float64{float64(p[0]), float64(p[1]), float64(p[2])}) >= 0
}

// along is where a box's centre lies along a direction, times two.
func (n *node) along(d [3]float64) float64 {
	s := 0.0
	for k := range d {
		s += d[k] * float64(n.lo[k]+n.hi[k])
	}
	return s
}

// meets says whether a ray passes through the box before a distance.
func (n *node) meets(origin, inverse [3]float64, before float64) bool {
	near, far := 0.0, before
	for k := range origin {
		a, b := (float64(n.lo[k])-origin[k])*inverse[k], (float64(n.hi[k])-origin[k])*inverse[k]
		if a > b {
			a, b = b, a
		}
		// A ray within the plane of a side gives NaN, which must not narrow the
		// interval: comparisons with NaN are false.
		if a > near {
			near = a
		}
		if b < far {
			far = b
		}
	}
	// The slack covers rounding, so that a ray along a box's edge is not lost.
	return near <= far*(1+1e-12)+1e-12
}

// face tests one face after Möller and Trumbore and keeps the nearer hit; at
// the same distance the lower face, so that the answer does not depend on the
// tree.
func (t *Tree) face(f int32, o, d mgl64.Vec3, best *Hit) {
	p := t.points
	ia, ib, ic := 3*t.faces[3*f], 3*t.faces[3*f+1], 3*t.faces[3*f+2]
	var a, e, g, s mgl64.Vec3
	for k := int32(0); k < 3; k++ {
		a[k] = float64(p[ia+k])
		e[k] = float64(p[ib+k]) - a[k]
		g[k] = float64(p[ic+k]) - a[k]
		s[k] = o[k] - a[k]
	}
	q := d.Cross(g)
	det := e.Dot(q)
	if det == 0 || math.IsNaN(det) {
		return
	}
	v := s.Dot(q) / det
	r := s.Cross(e)
	w := d.Dot(r) / det
	u := 1 - v - w
	// A ray through a shared edge must not slip between its two faces.
	const slack = -1e-12
	if !(u >= slack && v >= slack && w >= slack) {
		return
	}
	x := g.Dot(r) / det
	if x < 0 || x > best.Distance || x == best.Distance && f > best.Face && best.Face >= 0 || math.IsInf(x, 0) {
		return
	}
	best.Face, best.Distance, best.Barycentric = f, x, [3]float64{u, v, w}
}

// nearest is the corner, behind a plane, that is nearest to the point.
func (t *Tree) nearest(h *Hit, plane camera.Plane) int32 {
	var at [3]float64
	corners := t.faces[3*h.Face : 3*h.Face+3]
	for i, v := range corners {
		for k := range at {
			at[k] += h.Barycentric[i] * float64(t.points[3*v+int32(k)])
		}
	}
	best, vertex := math.Inf(1), int32(-1)
	for _, v := range corners {
		s := 0.0
		for k := range at {
			x := float64(t.points[3*v+int32(k)]) - at[k]
			s += x * x
		}
		if (s < best || vertex < 0) && t.seen(v, plane) {
			best, vertex = s, v
		}
	}
	return vertex
}

// side is the edge of the face that is nearest to the point: the point's distance from an edge is the face's height over it, times the
// barycentric coordinate of the corner opposite. One end at least lies behind the plane.
func (t *Tree) side(h *Hit, plane camera.Plane) [2]int32 {
	best, edge := math.Inf(1), [2]int32{-1, -1}
	corners := t.faces[3*h.Face : 3*h.Face+3]
	for i := range corners {
		v, w := corners[(i+1)%3], corners[(i+2)%3]
		length := 0.0
		for k := range int32(3) {
			length = math.Hypot(length, float64(t.points[3*v+k]-t.points[3*w+k]))
		}
		if d := h.Barycentric[i] / length; d < best && (t.seen(v, plane) || t.seen(w, plane)) {
			best, edge = d, [2]int32{min(v, w), max(v, w)}
		}
	}
	return edge
}
