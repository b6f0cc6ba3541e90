package scene

import (
	"math"
	"slices"

	"genussink/core/job"
)

// Mesh is the mesh that is shown, in view units: the bounding box is centred
// at the origin and has a half diagonal of 1.
type Mesh struct {
	Points    []float32 // 3 per vertex
	Faces     []int32   // 3 per face
	Normals   []float32 // 3 per vertex, unit, 0 for an isolated vertex
	Center    [3]float64
	HalfDiag  float64   // mesh units in one view unit
	Radius    float64   // of the farthest vertex from the origin, view units
	positions []float64 // 3 per vertex, mesh units, as they came
	lengths   []float64 // of a graph without faces, 1 per edge, mesh units; empty where they are not known
	edges     []int32   // see Edges
	faceAt    []int32   // vertex v lies in the faces incident[faceAt[v]:faceAt[v+1]]; see incidence
	incident  []int32
	offsets   []int32 // see Neighbours; nil before they are asked for
	targets   []int32
}

// Vertices is the number of vertices.
func (m *Mesh) Vertices() int { return len(m.Points) / 3 }

// Position is where a vertex lies, mesh units.
func (m *Mesh) Position(v int32) [3]float64 { return [3]float64(m.positions[3*v : 3*v+3]) }

// newMesh turns a mesh, or a graph without faces whose edges are given, into
// view units. It says false if the arrays make neither.
func newMesh(positions []float64, faces, edges []int32) (*Mesh, bool) {
	n := len(positions) / 3
	if len(positions)%3 != 0 || len(faces)%3 != 0 || len(edges)%2 != 0 || n > math.MaxInt32/3 || len(faces) > 0 && len(edges) > 0 {
		return nil, false
	}
	var lo, hi [3]float64
	for i := 0; i+2 < len(positions); i += 3 {
		p := (*[3]float64)(positions[i:])
		if i == 0 {
			lo, hi = *p, *p
		}
		for k, x := range p {
			if x-x != 0 { // not finite
				return nil, false
			}
			if x < lo[k] {
				lo[k] = x
			}
			if x > hi[k] {
				hi[k] = x
			}
		}
	}
	for _, list := range [][]int32{faces, edges} {
		for _, v := range list {
			if v < 0 || int(v) >= n {
				return nil, false
			}
		}
	}
	m := &Mesh{positions: positions, Faces: faces, Points: make([]float32, 3*n)}
	for k := range lo {
		m.Center[k] = lo[k]/2 + hi[k]/2
	}
	m.HalfDiag = math.Hypot(math.Hypot(hi[0]/2-lo[0]/2, hi[1]/2-lo[1]/2), hi[2]/2-lo[2]/2)
	if !(m.HalfDiag > 0) || math.IsInf(m.HalfDiag, 0) {
		m.HalfDiag = 1
	}
	farthest := 0.0
	for i := 0; i+2 < len(positions); i += 3 {
		p, q := (*[3]float64)(positions[i:]), (*[3]float32)(m.Points[i:])
		q[0], q[1], q[2] = float32((p[0]-m.Center[0])/m.HalfDiag), float32((p[1]-m.Center[1])/m.HalfDiag), float32((p[2]-m.Center[2])/m.HalfDiag)
		x, y, z := float64(q[0]), float64(q[1]), float64(q[2])
		if r := x*x + y*y + z*z; r > farthest {
			farthest = r
		}
	}
	m.Radius = math.Sqrt(farthest)
	m.normals()
	m.edges = edges
	return m, true
}

// normals averages the faces' normals by area.
func (m *Mesh) normals() {
	m.Normals = make([]float32, len(m.Points))
	for f := 0; f+2 < len(m.Faces); f += 3 {
		a, b, c := m.Faces[f]*3, m.Faces[f+1]*3, m.Faces[f+2]*3
		p := m.Points
		ux, uy, uz := p[b]-p[a], p[b+1]-p[a+1], p[b+2]-p[a+2]
		vx, vy, vz := p[c]-p[a], p[c+1]-p[a+1], p[c+2]-p[a+2]
		x, y, z := uy*vz-uz*vy, uz*vx-ux*vz, ux*vy-uy*vx
		for _, v := range [3]int32{a, b, c} {
			m.Normals[v] += x
			m.Normals[v+1] += y
			m.Normals[v+2] += z
		}
	}
	for v := 0; v+2 < len(m.Normals); v += 3 {
		n := m.Normals[v : v+3]
		length := math.Sqrt(float64(n[0])*float64(n[0]) + float64(n[1])*float64(n[1]) + float64(n[2])*float64(n[2]))
		if length > 0 {
			for k := range n {
				n[k] = float32(float64(n[k]) / length)
			}
		}
	}
}

// incidence lists the faces at each vertex, when that is first asked for.
func (m *Mesh) incidence() {
	if m.faceAt != nil {
		return
	}
	n := m.Vertices()
	m.faceAt = make([]int32, n+1)
	for _, v := range m.Faces {
		m.faceAt[v+1]++
	}
	for v := 0; v < n; v++ {
		m.faceAt[v+1] += m.faceAt[v]
	}
	m.incident = make([]int32, len(m.Faces))
	next := slices.Clone(m.faceAt[:n])
	for i, v := range m.Faces {
		m.incident[next[v]] = int32(i / 3)
		next[v]++
	}
}

// Edges lists the undirected edges, 2 numbers each. Those of faces are found when they are first asked for:
// no picture of a mesh needs them.
func (m *Mesh) Edges() []int32 {
	if m.edges != nil || m.Graph() {
		return m.edges
	}
	m.incidence()
	m.edges = make([]int32, 0, len(m.Faces)+m.Vertices())
	last := make([]int32, m.Vertices()) // by vertex: the smaller end of its last edge, plus one
	for v := int32(0); int(v) < m.Vertices(); v++ {
		for _, f := range m.incident[m.faceAt[v]:m.faceAt[v+1]] {
			for _, w := range m.Faces[3*f : 3*f+3] {
				if w > v && last[w] != v+1 {
					last[w] = v + 1
					m.edges = append(m.edges, v, w)
				}
			}
		}
	}
	return m.edges
}

// Graph says whether the mesh is a graph without faces, to be drawn as a
// node-link picture.
func (m *Mesh) Graph() bool { return len(m.Faces) == 0 }

// Neighbours lists the vertices next to each, in CSR form: those of v are
// targets[offsets[v]:offsets[v+1]]. They must not be changed.
func (m *Mesh) Neighbours() (offsets, targets []int32) {
	if m.offsets != nil {
		return m.offsets, m.targets
	}
	n, edges := m.Vertices(), m.Edges()
	offsets = make([]int32, n+1)
	for _, v := range edges {
		offsets[v+1]++
	}
	for v := range n {
		offsets[v+1] += offsets[v]
	}
	targets = make([]int32, len(edges))
	next := slices.Clone(offsets[:n])
	for e := 0; e+1 < len(edges); e += 2 {
		u, v := edges[e], edges[e+1]
		targets[next[u]], targets[next[v]] = v, u
		next[u]++
		next[v]++
	}
	m.offsets, m.targets = offsets, targets
	return offsets, targets
}

// reach appends the parts of a graph's edges, 6 numbers each, that lie within
// radius (mesh units) of the middle of a ball.
func (m *Mesh) reach(dst []float32, distance map[int32]float64, radius float64) []float32 {
	for e := 0; e+1 < len(m.edges); e += 2 {
		u, v := m.edges[e], m.edges[e+1]
		du, ok := distance[u]
		dv, also := distance[v]
		if !ok && !also {
			continue
		}
		if !ok {
			u, v, du, also = v, u, dv, false
		}
		p, q := m.Points[3*u:3*u+3], m.Points[3*v:3*v+3]
		t := float32(1)
		if length := math.Hypot(math.Hypot(float64(q[0]-p[0]), float64(q[1]-p[1])), float64(q[2]-p[2])); !also && length > 0 {
			t = float32(min((radius-du)/m.HalfDiag/length, 1))
		}
		dst = append(dst, p...)
		for k := range 3 {
			dst = append(dst, p[k]+(q[k]-p[k])*t)
		}
	}
	return dst
}

// isoline appends the segments, 6 numbers each, on which distance along the
// edges from a ball's vertices reaches radius (mesh units); of a graph without
// faces, the edges within it.
func (m *Mesh) isoline(dst []float32, ball *job.Brushed, radius float64) []float32 {
	distance := make(map[int32]float64, len(ball.Vertices))
	for i, v := range ball.Vertices {
		if ball.Distances[i] <= radius {
			distance[v] = ball.Distances[i]
		}
	}
	if m.Graph() {
		return m.reach(dst, distance, radius)
	}
	m.incidence()
	seen := make(map[int32]bool, len(ball.Vertices))
	for _, v := range ball.Vertices {
		for _, f := range m.incident[m.faceAt[v]:m.faceAt[v+1]] {
			if seen[f] {
				continue
			}
			seen[f] = true
			var ends [6]float32
			count := 0
			for c := int32(0); c < 3; c++ {
				in, out := m.Faces[3*f+c], m.Faces[3*f+(c+1)%3]
				d, ok := distance[in]
				if _, other := distance[out]; ok == other {
					continue
				}
				if !ok {
					in, out = out, in
					d = distance[in]
				}
				p, q := m.Points[3*in:3*in+3], m.Points[3*out:3*out+3]
				length := math.Hypot(math.Hypot(float64(q[0]-p[0]), float64(q[1]-p[1])), float64(q[2]-p[2]))
				t := float32(1)
				if length > 0 {
					t = float32(min((radius-d)/m.HalfDiag/length, 1))
				}
				if count < 2 {
					for k := 0; k < 3; k++ {
						ends[3*count+k] = p[k] + (q[k]-p[k])*t
					}
				}
				count++
			}
			if count == 2 {
				dst = append(dst, ends[:]...)
			}
		}
	}
	return dst
}
