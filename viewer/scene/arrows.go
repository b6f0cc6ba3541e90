package scene

import (
	"cmp"
	"math"
	"slices"
)

// Arrow is the net flow of mass through a patch of the mesh.
type Arrow struct {
	At, Normal, Direction [3]float32 // a place on the mesh, view units; unit vectors, the normal 0 on a graph without faces
	Share                 float64    // of all mass, that crosses the patch in the direction and does not cross it back, 0 to 1
	Length                float32    // of the arrow, view units: it grows with the share's root
}

// netFlow sums particles' paths by patch of the mesh.
type netFlow struct {
	mesh    *Mesh
	patch   []int32 // by vertex, -1 none
	spacing float32 // how far apart patches' middles are, view units
	sized   bool    // spacing is known
	division

	flow    *paths
	summed  int // particles
	patches []patchFlow
	arrows  []Arrow
}

// patchFlow is what the particles do in a patch.
type patchFlow struct {
	net, at  [3]float64 // sums over ways through it: as vectors, and of their middles, weighted with their lengths
	length   float64    // sum of the ways'
	squares  float64    // sum of the squares of their lengths
	crossing int        // particles
	last     int        // the last of them, from 1
}

const (
	arrowPatches = 200          // so many patches are aimed at,
	mostPatches  = 300          // and so many are there at most
	leastShare   = 1.0 / 50     // of the largest share: less has no arrow
	leastArrow   = 0.45         // length of the shortest arrow, in spacings
	mostArrow    = 1.1          // and of the longest
	leastRoom    = 0.55         // least distance of two arrows on one side of the surface, in spacings: of two that are nearer the one with less mass is left out
	packing      = 0.7          // of a plane, how many patches there are per square whose side is the least distance of their middles
	arrowWork    = 100_000      // vertices of paths that a frame looks at: some milliseconds;
	visit        = 4            // the mesh's own take so many times longer
	sheet        = float32(0.2) // cosine between normals below which a vertex lies on another side of the surface
)

// Arrows are the net flow of the plan's mass, at most one arrow in each patch of the mesh. They must not be changed. OverlayRevision says when to
// look again. Where time passes they come after some frames: none is to be a long one.
func (s *Scene) Arrows() []Arrow {
	if !s.Showing().Arrows {
		return nil
	}
	p := &s.Playback
	for !p.net.follow(s.Mesh.Mesh, p.flow, arrowWork) {
		if s.clock > 0 {
			s.overlay++
			break
		}
	}
	return p.net.arrows
}

// follow sums what has come since the last time, with so much work at most, and says whether that was all. Until then the arrows are as
// they were.
func (n *netFlow) follow(m *Mesh, flow *paths, work int) (done bool) {
	if n.mesh != m {
		*n = netFlow{mesh: m}
	}
	if n.patches == nil && !n.divide(&work) {
		return false
	}
	if n.flow != flow {
		n.flow, n.summed = flow, 0
		clear(n.patches)
	}
	if n.summed == flow.count() {
		return true
	}
	for ; n.summed < flow.count(); n.summed++ {
		path := flow.particles[n.summed].vertices
		if work -= len(path); work < 0 && len(path) <= arrowWork {
			return false
		}
		n.add(path)
	}
	n.point()
	return true
}

// division is a mesh on its way to be divided into patches.
type division struct {
	next    int32   // the vertex that may be the next middle
	covered []int32 // by vertex, the last middle that has it nearby, from 1
	middles []int32
	queue   []int32
	spread  int // so many of the queue have handed their patch on
}

// divide makes the patches: each vertex is in that of the middle that it is the fewest edges away from. It goes on where it was, and
// says whether the patches are there.
func (n *netFlow) divide(work *int) (done bool) {
	m, d := n.mesh, &n.division
	if !n.sized { // a step of its own, like the neighbours
		n.sized, n.spacing = true, float32(math.Sqrt(packing*m.extent()/arrowPatches))
		return false
	}
	if m.offsets == nil {
		m.Neighbours()
		return false
	}
	offsets, targets := m.Neighbours()
	if n.patch == nil {
		if !n.choose(work) {
			return false
		}
		if m.Graph() && len(d.middles) == mostPatches && n.spacing < 2 { // a graph need not be like a surface
			n.spacing *= 1.5
			*d = division{}
			return false
		}
		n.patch = make([]int32, m.Vertices())
		for v := range n.patch {
			n.patch[v] = -1
		}
		for i, v := range d.middles {
			n.patch[v] = int32(i)
		}
		d.queue = slices.Clone(d.middles)
	}
	for ; d.spread < len(d.queue); d.spread++ {
		if *work -= visit; *work < 0 {
			return false
		}
		u := d.queue[d.spread]
		for _, w := range targets[offsets[u]:offsets[u+1]] {
			if n.patch[w] < 0 {
				n.patch[w] = n.patch[u]
				d.queue = append(d.queue, w)
			}
		}
	}
	n.patches = make([]patchFlow, len(d.middles))
	*d = division{}
	return true
}

// choose chooses middles that keep their distance: each has all vertices nearby that can be reached without going farther, on its side of
// the surface. It says whether all are chosen.
func (n *netFlow) choose(work *int) (done bool) {
	m, d := n.mesh, &n.division
	offsets, targets := m.Neighbours()
	square := n.spacing * n.spacing
	if d.covered == nil {
		d.covered = make([]int32, m.Vertices())
	}
	for v := d.next; int(v) < m.Vertices() && len(d.middles) < mostPatches; v++ {
		if d.covered[v] != 0 || offsets[v] == offsets[v+1] {
			continue
		}
		if d.next = v; *work < 0 {
			return false
		}
		d.middles = append(d.middles, v)
		by, at, up := int32(len(d.middles)), point3(m.Points, v), point3(m.Normals, v)
		d.covered[v] = by
		d.queue = append(d.queue[:0], v)
		for i := 0; i < len(d.queue); i++ {
			*work -= visit
			u := d.queue[i]
			for _, w := range targets[offsets[u]:offsets[u+1]] {
				if d.covered[w] != by && square3(point3(m.Points, w), at) < square && (m.Graph() || dot3(point3(m.Normals, w), up) > sheet) {
					d.covered[w] = by
					d.queue = append(d.queue, w)
				}
			}
		}
	}
	return true
}

// extent is the surface's area, squared view units; of a graph without faces, that of a square with sides of its edges' mean length at every vertex.
func (m *Mesh) extent() (area float64) {
	if m.Graph() {
		sum, edges := 0.0, m.Edges()
		for e := 0; e+1 < len(edges); e += 2 {
			sum += float64(distance3(point3(m.Points, edges[e]), point3(m.Points, edges[e+1])))
		}
		mean := 2 * sum / float64(max(len(edges), 1))
		return float64(m.Vertices()) * mean * mean
	}
	for f := 0; f+2 < len(m.Faces); f += 3 {
		a, b, c := 3*m.Faces[f], 3*m.Faces[f+1], 3*m.Faces[f+2]
		ux, uy, uz := m.Points[b]-m.Points[a], m.Points[b+1]-m.Points[a+1], m.Points[b+2]-m.Points[a+2]
		vx, vy, vz := m.Points[c]-m.Points[a], m.Points[c+1]-m.Points[a+1], m.Points[c+2]-m.Points[a+2]
		x, y, z := uy*vz-uz*vy, uz*vx-ux*vz, ux*vy-uy*vx
		area += math.Sqrt(float64(x*x+y*y+z*z)) / 2
	}
	return area
}

// add sums a particle's path, patch by patch. A step between two patches is half in each.
func (n *netFlow) add(path []int32) {
	points := n.mesh.Points
	in, from := n.patch[path[0]], point3(points, path[0])
	last, length := from, float32(0)
	for _, v := range path[1:] {
		p := point3(points, v)
		long := distance3(last, p)
		if next := n.patch[v]; next != in {
			middle := [3]float32{(last[0] + p[0]) / 2, (last[1] + p[1]) / 2, (last[2] + p[2]) / 2}
			n.pass(in, from, middle, length+long/2)
			in, from, length = next, middle, -long/2
		}
		last = p
		length += long
	}
	n.pass(in, from, last, length)
}

// pass adds a way of a length through a patch.
func (n *netFlow) pass(patch int32, from, to [3]float32, length float32) {
	if patch < 0 {
		return
	}
	p := &n.patches[patch]
	for c := range from {
		p.net[c] += float64(to[c] - from[c])
		p.at[c] += float64(length * (from[c] + to[c]) / 2)
	}
	p.length += float64(length)
	p.squares += float64(length) * float64(length)
	if length > 0 && p.last != n.summed+1 {
		p.last = n.summed + 1
		p.crossing++
	}
}

// point makes the arrows of the sums.
func (n *netFlow) point() {
	m := n.mesh
	n.arrows = n.arrows[:0]
	at := make([][3]float32, len(n.patches))
	for i := range n.patches {
		if p := &n.patches[i]; p.length > 0 {
			at[i] = [3]float32{float32(p.at[0] / p.length), float32(p.at[1] / p.length), float32(p.at[2] / p.length)}
		}
	}
	near := make([]int32, len(n.patches)) // the vertex that is the nearest to where the flow is
	if !m.Graph() {
		least := make([]float32, len(n.patches))
		for i := range least {
			least[i] = math.MaxFloat32
		}
		for v, i := range n.patch {
			if i >= 0 && n.patches[i].length > 0 {
				if d := square3(point3(m.Points, int32(v)), at[i]); d < least[i] {
					least[i], near[i] = d, int32(v)
				}
			}
		}
	}
	top := 0.0
	for i := range n.patches {
		p := &n.patches[i]
		if p.length == 0 {
			continue
		}
		a := Arrow{At: at[i]}
		if !m.Graph() {
			a.At, a.Normal = point3(m.Points, near[i]), point3(m.Normals, near[i])
		}
		// Over the mean length of a way through the patch, in which short ones, along its border, count for little.
		crossing := math.Sqrt(p.net[0]*p.net[0]+p.net[1]*p.net[1]+p.net[2]*p.net[2]) * p.length / p.squares
		a.Share = min(crossing, float64(p.crossing)) / float64(n.summed)
		up := p.net[0]*float64(a.Normal[0]) + p.net[1]*float64(a.Normal[1]) + p.net[2]*float64(a.Normal[2])
		for c := range p.net { // into the tangent plane
			a.Direction[c] = float32(p.net[c] - up*float64(a.Normal[c]))
		}
		length := float32(math.Sqrt(float64(dot3(a.Direction, a.Direction))))
		if !(length > 0) {
			continue
		}
		for c := range a.Direction {
			a.Direction[c] /= length
		}
		top = max(top, a.Share)
		n.arrows = append(n.arrows, a)
	}
	slices.SortStableFunc(n.arrows, func(a, b Arrow) int { return cmp.Compare(b.Share, a.Share) })
	kept := n.arrows[:0]
	room := leastRoom * leastRoom * n.spacing * n.spacing
	for _, a := range n.arrows {
		near := func(b Arrow) bool {
			return square3(a.At, b.At) < room && (m.Graph() || dot3(a.Normal, b.Normal) > sheet)
		}
		if a.Share > leastShare*top && !slices.ContainsFunc(kept, near) {
			a.Length = n.spacing * float32(leastArrow+(mostArrow-leastArrow)*math.Sqrt(a.Share/top))
			kept = append(kept, a)
		}
	}
	n.arrows = kept
}

func point3(points []float32, v int32) [3]float32 { return [3]float32(points[3*v : 3*v+3]) }

func dot3(u, v [3]float32) float32 { return u[0]*v[0] + u[1]*v[1] + u[2]*v[2] }

func distance3(p, q [3]float32) float32 { return float32(math.Sqrt(float64(square3(p, q)))) }

// square3 is the square of a distance.
func square3(p, q [3]float32) float32 {
	x, y, z := q[0]-p[0], q[1]-p[1], q[2]-p[2]
	return x*x + y*y + z*z
}
