package separator

import (
	"errors"
	"fmt"
	"slices"

	"genussink/core/graph"
)

// ErrNotPlanar is returned by the finders that need an embedding where the
// faces given do not embed the graph in the sphere.
var ErrNotPlanar = errors.New("separator: the faces do not embed the graph in the sphere")

// An embedding of a connected graph in the sphere. Its half-edges are the arcs
// of the graph, by their place in g.Targets; the face of an arc lies on its
// left and next leads around it. Faces that are not triangles are thought
// triangulated by an apex inside, so that the dual has triangles only:
// triangle t of a triangular face is that of its smallest arc, and in any
// other face every arc is the base of its own triangle.
type embedding struct {
	g        *graph.Graph
	origin   []int32 // of an arc
	twin     []int32 // the arc back
	next     []int32
	triangle []int32    // of an arc
	sides    [][3]int32 // of a triangle: across side i lies the triangle, or -1 over an apex edge of the tree
	crossing [][3]int32 // of a triangle: the arc of side i, or -1-v for the edge from the apex to v
	attached []int32    // of a triangle with an apex: the vertex by which the apex hangs on the tree, else -1
}

const none int32 = -1

// embed builds the embedding that the faces give; where an edge lacks a face
// on a side, the faces' surface has a hole there, which becomes a face.
func embed(g *graph.Graph, faces [][3]int32) (*embedding, error) {
	n, arcs := g.Len(), len(g.Targets)
	e := &embedding{g: g, origin: make([]int32, arcs), twin: make([]int32, arcs), next: make([]int32, arcs)}
	for v := range int32(n) {
		for a := g.Offsets[v]; a < g.Offsets[v+1]; a++ {
			e.origin[a] = v
			e.next[a] = none
		}
	}
	// Rows are ascending, so the arcs into v come in the order of its row.
	place := slices.Clone(g.Offsets[:n])
	for a, to := range g.Targets {
		e.twin[a] = place[to]
		place[to]++
	}
	for f, face := range faces {
		var arc [3]int32
		for c := range 3 {
			u, v := face[c], face[(c+1)%3]
			to, _ := g.Neighbours(u)
			k, ok := slices.BinarySearch(to, v)
			if !ok {
				return nil, fmt.Errorf("%w: face %d has the edge %d-%d, which the graph lacks", ErrNotPlanar, f, u, v)
			}
			arc[c] = g.Offsets[u] + int32(k)
		}
		for c := range 3 {
			if e.next[arc[c]] != none {
				return nil, fmt.Errorf("%w: face %d is not the only one to the left of its edge %d-%d", ErrNotPlanar, f, face[c], face[(c+1)%3])
			}
			e.next[arc[c]] = arc[(c+1)%3]
		}
	}
	e.closeHoles()
	return e, e.check()
}

// closeHoles links the arcs without a face into walks around the holes. The
// faces around a vertex form fans; a walk that comes in along a fan's edge
// goes out along the next fan's.
func (e *embedding) closeHoles() {
	type fan struct{ in, out int32 }
	var fans []fan
	hole := make([]bool, len(e.next))
	for a, next := range e.next {
		hole[a] = next == none
	}
	for v := range int32(e.g.Len()) {
		fans = fans[:0]
		for a := e.g.Offsets[v]; a < e.g.Offsets[v+1]; a++ {
			if !hole[e.twin[a]] {
				continue
			}
			out := a
			for !hole[out] {
				out = e.twin[e.next[e.next[out]]] // the faces are triangles
			}
			fans = append(fans, fan{e.twin[a], out})
		}
		for i, f := range fans {
			e.next[f.in] = fans[(i+1)%len(fans)].out
		}
	}
}

// check counts vertices, edges and faces of the embedded surface, where a
// vertex whose faces do not form one cycle counts as several.
func (e *embedding) check() error {
	n, arcs := e.g.Len(), len(e.next)
	cycles := func(step func(a int32) int32) (count int) {
		seen := make([]bool, arcs)
		for a := range int32(arcs) {
			if !seen[a] {
				count++
				for b := a; !seen[b]; b = step(b) {
					seen[b] = true
				}
			}
		}
		return count
	}
	vertices := cycles(func(a int32) int32 { return e.next[e.twin[a]] })
	faces := cycles(func(a int32) int32 { return e.next[a] })
	if euler := vertices - arcs/2 + faces; vertices != n || euler != 2 {
		return fmt.Errorf("%w: %d vertices of %d in one cycle of faces, Euler characteristic %d", ErrNotPlanar, vertices, n, euler)
	}
	return nil
}

// triangulate numbers the triangles and finds what lies across their sides.
func (e *embedding) triangulate() {
	e.triangle = make([]int32, len(e.next))
	for a := range e.triangle {
		e.triangle[a] = none
	}
	isTriangle := func(a int32) bool { return e.next[e.next[e.next[a]]] == a }
	for a := range int32(len(e.next)) {
		if e.triangle[a] != none {
			continue
		}
		first := int32(len(e.attached))
		if isTriangle(a) {
			for b, i := a, 0; i < 3; b, i = e.next[b], i+1 {
				e.triangle[b] = first
			}
			e.attached = append(e.attached, none)
			continue
		}
		for b := a; e.triangle[b] == none; b = e.next[b] {
			e.triangle[b] = int32(len(e.attached))
			e.attached = append(e.attached, e.origin[a])
		}
	}
	e.sides = make([][3]int32, len(e.attached))
	e.crossing = make([][3]int32, len(e.attached))
	done := make([]bool, len(e.next))
	for a := range int32(len(e.next)) {
		t := e.triangle[a]
		if e.attached[t] == none {
			if !done[a] {
				for b, i := a, 0; i < 3; b, i = e.next[b], i+1 {
					done[b] = true
					e.sides[t][i], e.crossing[t][i] = e.triangle[e.twin[b]], b
				}
			}
			continue
		}
		// Base, the edge from its end to the apex, the edge from the apex to its
		// start. The first edge of the ring around the apex is the tree's.
		after := e.triangle[e.next[a]]
		e.sides[t][0], e.crossing[t][0] = e.triangle[e.twin[a]], a
		e.crossing[t][1] = -1 - e.g.Targets[a]
		e.crossing[after][2] = -1 - e.g.Targets[a]
		if after < t { // the ring closes
			e.sides[t][1], e.sides[after][2] = none, none
		} else {
			e.sides[t][1], e.sides[after][2] = after, t
		}
	}
}

// cycleEnds are the two vertices that the tree path of a fundamental cycle
// joins. A cycle through an apex has it between them.
func (e *embedding) cycleEnds(t int32, side int) (u, v int32) {
	if a := e.crossing[t][side]; a >= 0 {
		return e.origin[a], e.g.Targets[a]
	}
	return e.attached[t], -1 - e.crossing[t][side]
}
