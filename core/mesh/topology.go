package mesh

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Topology says what kind of surface a mesh is and how large its edges are.
//
// Counting is combinatorial: vertices are the same when they have the same
// index. A face that names a vertex twice has edges but is no part of the
// surface, so it is left out of Euler, Genus, BoundaryLoops, Watertight,
// Oriented and the non-manifold counts.
type Topology struct {
	Vertices, Faces int
	Edges           int // distinct edges, those of the mesh's graph
	Components      int // pieces that hang together through faces; isolated vertices are not counted
	BoundaryLoops   int // closed curves of edges with one face
	Euler           int // vertices - edges + faces of the surface
	// Genus is the sum over the orientable pieces; a non-orientable piece, or
	// one with a non-manifold edge, has no part in it. A surface that touches
	// itself in a vertex only is cut there first.
	Genus               int
	NonmanifoldEdges    int // edges of more than two faces
	NonmanifoldVertices int // vertices whose faces are not one fan
	DegenerateFaces     int // faces with a repeated vertex or without area
	IsolatedVertices    int // vertices that no face names
	// EdgeMin, EdgeMean and EdgeMax are over the distinct edges, Diagonal is
	// that of the bounding box of all vertices; mesh units, 0 without edges.
	EdgeMin, EdgeMean, EdgeMax, Diagonal float64
	Watertight                           bool // has faces, and every edge has two
	Oriented                             bool // no two neighbouring faces disagree about the outside
	Warnings                             []string
}

// flatness is the doubled area, in units of the squared longest edge, up to
// which a face counts as degenerate.
const flatness = 1e-12

// Topology examines the mesh in time linear in its size, but for sorting the
// edges around each vertex. Defects lists what it counts.
func (m *Mesh) Topology() *Topology {
	t, _ := m.examine()
	return t
}

// examine counts what Topology has, and lists what Defects has.
func (m *Mesh) examine() (*Topology, *Defects) {
	d := &Defects{}
	t := &Topology{Vertices: len(m.Positions), Faces: len(m.Faces), Diagonal: m.Diagonal(), Oriented: true}
	sides := m.sides()
	zeroEdges := t.measureEdges(m, sides)

	inSurface := make([]bool, len(m.Faces))
	used := make([]bool, len(m.Positions))
	pieces := newUnionFind(len(m.Positions))
	surfaceFaces := 0
	for f, v := range m.Faces {
		used[v[0]], used[v[1]], used[v[2]] = true, true, true
		pieces.union(v[0], v[1])
		pieces.union(v[0], v[2])
		inSurface[f] = v[0] != v[1] && v[1] != v[2] && v[2] != v[0]
		if inSurface[f] {
			surfaceFaces++
		}
		if !inSurface[f] || m.flat(f) {
			d.DegenerateFaces = append(d.DegenerateFaces, int32(f))
		}
	}
	for v, u := range used {
		if !u {
			d.IsolatedVertices = append(d.IsolatedVertices, int32(v))
		} else if pieces.find(int32(v)) == int32(v) {
			t.Components++
		}
	}

	// A sheet is a set of faces connected across edges of two faces, a fan the
	// part of one sheet around one vertex: its corners.
	fans := newUnionFind(3 * len(m.Faces))
	sheets := newUnionFind(len(m.Faces))
	var (
		nonmanifold   = make([]bool, len(m.Positions)) // vertex has a non-manifold edge
		torn          []int32                          // a face of each sheet with a non-manifold edge
		boundary      []int32                          // sides without a partner
		surfaceEdges  int
		edgesOf       = make([]int32, len(m.Faces)) // by root of the sheet, filled below
		edgeFaces     []int32                       // a face of every surface edge
		group         []int32
		nonOrientable = make([]bool, len(m.Faces))
		twisted       []int32 // a face of each sheet that has no two sides
	)
	for i := 0; i < len(sides); {
		group = group[:0]
		e := sides[i]
		for ; i < len(sides) && sides[i].lo == e.lo && sides[i].hi == e.hi; i++ {
			if inSurface[sides[i].corner/3] {
				group = append(group, sides[i].corner)
			}
		}
		if len(group) == 0 {
			continue
		}
		surfaceEdges++
		edgeFaces = append(edgeFaces, group[0]/3)
		switch len(group) {
		case 1:
			boundary = append(boundary, group[0])
		case 2:
			a, b := group[0], group[1]
			same := m.corner(a) == m.corner(b) // both run the same way
			if same {
				t.Oriented = false
				fans.union(a, b)
				fans.union(next(a), next(b))
			} else {
				fans.union(a, next(b))
				fans.union(next(a), b)
			}
			if !sheets.unionParity(a/3, b/3, same) {
				twisted = append(twisted, a/3)
			}
		default:
			d.NonmanifoldEdges = append(d.NonmanifoldEdges, [2]int32{e.lo, e.hi})
			nonmanifold[e.lo], nonmanifold[e.hi] = true, true
			for _, c := range group {
				torn = append(torn, c/3)
			}
		}
	}
	t.Watertight = surfaceFaces > 0 && len(boundary) == 0 && len(d.NonmanifoldEdges) == 0

	// Vertices of the surface, cut apart into fans, and per sheet.
	fanOf := make([]int32, len(m.Positions)) // a fan of the vertex, plus one
	fansOf := make([]int32, len(m.Faces))    // by root of the sheet
	facesOf := make([]int32, len(m.Faces))
	surfaceVertices := 0
	for f := range m.Faces {
		if !inSurface[f] {
			continue
		}
		sheet := sheets.find(int32(f))
		facesOf[sheet]++
		for c := int32(3 * f); c < int32(3*f+3); c++ {
			v := m.corner(c)
			fan := fans.find(c)
			if fan == c {
				fansOf[sheet]++
			}
			switch fanOf[v] {
			case 0:
				fanOf[v] = fan + 1
				surfaceVertices++
			case fan + 1:
			default:
				nonmanifold[v] = true
			}
		}
	}
	for v, bad := range nonmanifold {
		if bad {
			d.NonmanifoldVertices = append(d.NonmanifoldVertices, int32(v))
		}
	}
	t.Euler = surfaceVertices - surfaceEdges + surfaceFaces
	for _, f := range edgeFaces {
		edgesOf[sheets.find(f)]++
	}

	loopsOf := make([]int32, len(m.Faces))
	for _, chain := range chains(boundary, fans) {
		loopsOf[sheets.find(chain[0].corner/3)]++
		loop := []int32{m.corner(chain[0].from())}
		for _, side := range chain {
			loop = append(loop, m.corner(side.to()))
		}
		d.BoundaryLoops = append(d.BoundaryLoops, loop)
	}

	isTorn := make([]bool, len(m.Faces))
	for _, f := range torn {
		isTorn[sheets.find(f)] = true
	}
	twistedSheets := 0
	for _, f := range twisted {
		nonOrientable[sheets.find(f)] = true
	}
	for f, n := range facesOf {
		switch {
		case n == 0, isTorn[f]:
		case nonOrientable[f]:
			twistedSheets++
		default:
			euler := int(fansOf[f]) - int(edgesOf[f]) + int(n)
			t.Genus += (2 - euler - int(loopsOf[f])) / 2
		}
	}
	d.FlippedFaces = flipped(sheets, facesOf, func(sheet int32) bool { return nonOrientable[sheet] })
	t.BoundaryLoops, t.NonmanifoldEdges, t.NonmanifoldVertices = len(d.BoundaryLoops), len(d.NonmanifoldEdges), len(d.NonmanifoldVertices)
	t.DegenerateFaces, t.IsolatedVertices = len(d.DegenerateFaces), len(d.IsolatedVertices)
	t.warn(zeroEdges, twistedSheets)
	return t, d
}

// measureEdges fills in the number and lengths of the edges and returns how
// many have length 0.
func (t *Topology) measureEdges(m *Mesh, sides []side) (zero int) {
	t.EdgeMin = math.Inf(1)
	for i, e := range sides {
		if i > 0 && e.lo == sides[i-1].lo && e.hi == sides[i-1].hi {
			continue
		}
		d := Distance(m.Positions[e.lo], m.Positions[e.hi])
		t.Edges++
		t.EdgeMin = min(t.EdgeMin, d)
		t.EdgeMax = max(t.EdgeMax, d)
		t.EdgeMean += (d - t.EdgeMean) / float64(t.Edges)
		if d == 0 {
			zero++
		}
	}
	if t.Edges == 0 {
		t.EdgeMin = 0
	}
	return zero
}

// warn says in words what may surprise a person about the mesh.
func (t *Topology) warn(zeroEdges, twistedSheets int) {
	say := func(n int, one, many string) {
		if n == 1 {
			t.Warnings = append(t.Warnings, one)
		} else if n > 1 {
			t.Warnings = append(t.Warnings, fmt.Sprintf(many, n))
		}
	}
	switch {
	case t.Vertices == 0:
		t.Warnings = append(t.Warnings, "The mesh is empty.")
	case t.Faces == 0:
		t.Warnings = append(t.Warnings, "The mesh has no faces, so nothing connects its vertices.")
	}
	if t.Components > 1 {
		say(t.Components, "", "The mesh has %d separate pieces; no mass can move between them.")
	}
	if t.Faces > 0 {
		say(t.IsolatedVertices, "One vertex belongs to no face; no mass can reach it.",
			"%d vertices belong to no face; no mass can reach them.")
	}
	say(t.BoundaryLoops, "The surface is open: it has one boundary loop.", "The surface is open: it has %d boundary loops.")
	say(t.NonmanifoldEdges, "One edge is shared by more than two faces; the genus leaves its pieces out.",
		"%d edges are shared by more than two faces; the genus leaves their pieces out.")
	say(t.NonmanifoldVertices, "At one vertex the surface touches itself or branches.",
		"At %d vertices the surface touches itself or branches.")
	say(t.DegenerateFaces, "One face has no area.", "%d faces have no area.")
	say(zeroEdges, "One edge has length 0: its ends lie in the same place.",
		"%d edges have length 0: their ends lie in the same place.")
	say(twistedSheets, "One piece has only one side, like a Moebius strip; the genus leaves it out.",
		"%d pieces have only one side, like a Moebius strip; the genus leaves them out.")
	if !t.Oriented && twistedSheets == 0 {
		t.Warnings = append(t.Warnings, "Some neighbouring faces disagree about which side is outside.")
	}
}

// Edges lists the distinct edges, each as its smaller and its larger vertex,
// in ascending order.
func (m *Mesh) Edges() [][2]int32 {
	sides := m.sides()
	edges := make([][2]int32, 0, len(sides)/2+1)
	for i, e := range sides {
		if i == 0 || e.lo != sides[i-1].lo || e.hi != sides[i-1].hi {
			edges = append(edges, [2]int32{e.lo, e.hi})
		}
	}
	return edges
}

// VertexAreas returns for every vertex a third of the area of its faces, in
// squared mesh units; they add up to the area of the surface.
func (m *Mesh) VertexAreas() []float64 {
	areas := make([]float64, len(m.Positions))
	for f, v := range m.Faces {
		third := m.FaceArea(f) / 3
		areas[v[0]] += third
		areas[v[1]] += third
		areas[v[2]] += third
	}
	return areas
}

// FaceArea is the area of a face in squared mesh units.
func (m *Mesh) FaceArea(f int) float64 {
	longest, doubled := m.faceShape(f)
	return doubled / 2 * longest * longest
}

// flat reports whether a face has no area worth the name.
func (m *Mesh) flat(f int) bool {
	longest, doubled := m.faceShape(f)
	return longest == 0 || doubled <= flatness
}

// faceShape returns a face's longest edge and its doubled area in units of
// that edge squared, which neither overflows nor underflows.
func (m *Mesh) faceShape(f int) (longest, doubled float64) {
	v := m.Faces[f]
	p, q, r := m.Positions[v[0]], m.Positions[v[1]], m.Positions[v[2]]
	longest = max(Distance(p, q), Distance(q, r), Distance(r, p))
	if longest == 0 {
		return 0, 0
	}
	var a, b [3]float64
	for c := range 3 {
		a[c] = (q[c] - p[c]) / longest
		b[c] = (r[c] - p[c]) / longest
	}
	return longest, math.Hypot(math.Hypot(a[1]*b[2]-a[2]*b[1], a[2]*b[0]-a[0]*b[2]), a[0]*b[1]-a[1]*b[0])
}

// corner is the vertex at corner 3f+c, the c-th of face f.
func (m *Mesh) corner(c int32) int32 { return m.Faces[c/3][c%3] }

// next is the corner after c in its face.
func next(c int32) int32 {
	if c%3 == 2 {
		return c - 2
	}
	return c + 1
}

// side is one side of a face, from its corner to the next one.
type side struct{ lo, hi, corner int32 }

// sides lists the sides of all faces but those from a vertex to itself, sorted
// by the edge they lie on, then by corner.
func (m *Mesh) sides() []side {
	at := make([]int, len(m.Positions)+1)
	each := func(visit func(s side)) {
		for f, v := range m.Faces {
			for c := range 3 {
				lo, hi := v[c], v[(c+1)%3]
				if lo > hi {
					lo, hi = hi, lo
				}
				if lo != hi {
					visit(side{lo, hi, int32(3*f + c)})
				}
			}
		}
	}
	each(func(s side) { at[s.lo+1]++ })
	for v := range m.Positions {
		at[v+1] += at[v]
	}
	sides := make([]side, at[len(m.Positions)])
	fill := make([]int, len(m.Positions))
	copy(fill, at)
	each(func(s side) {
		sides[fill[s.lo]] = s
		fill[s.lo]++
	})
	for v := range m.Positions {
		sortSides(sides[at[v]:at[v+1]])
	}
	return sides
}

// sortSides sorts the sides around one vertex; there are rarely more than a
// handful.
func sortSides(s []side) {
	slices.SortFunc(s, func(a, b side) int { return cmp.Or(cmp.Compare(a.hi, b.hi), cmp.Compare(a.corner, b.corner)) })
}
