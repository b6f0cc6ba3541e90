package separator

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"genussink/core/graph"
	"genussink/core/planar"
)

// ErrNotPlanar is returned by the finders that need a planar graph; the error
// is a *NotPlanarError.
var ErrNotPlanar = errors.New("separator: the graph is not planar")

// NotPlanarError is ErrNotPlanar with its proof, in the vertices of the graph
// that the finder was given.
type NotPlanarError struct {
	Witness planar.Witness
}

func (e *NotPlanarError) Error() string {
	return fmt.Sprintf("%v: it holds a subdivision of %s with the branch vertices %v", ErrNotPlanar, e.Witness.Name(), e.Witness.Branch)
}

// Is makes errors.Is(err, ErrNotPlanar) hold.
func (e *NotPlanarError) Is(target error) bool { return target == ErrNotPlanar }

// ErrNotSurface is returned where faces do not make the graph a surface: an
// edge has three, or those around a vertex close up without all its edges.
var ErrNotSurface = errors.New("separator: the faces do not form a surface")

// surfaceError is ErrNotSurface with the place.
type surfaceError struct {
	why string
	at  []int32 // a vertex, an edge or a face
}

func (e *surfaceError) Error() string {
	return fmt.Sprintf("%v: %s, at %v", ErrNotSurface, e.why, e.at)
}
func (e *surfaceError) Is(target error) bool { return target == ErrNotSurface }

// renamed is an error about a part of a graph, told in the vertices of the
// graph: vertex i of the part is names[i].
func renamed(err error, names []int32) error {
	rename := func(vertices []int32) []int32 {
		out := make([]int32, len(vertices))
		for i, v := range vertices {
			out[i] = names[v]
		}
		return out
	}
	var crossing *NotPlanarError
	var torn *surfaceError
	switch {
	case errors.As(err, &crossing):
		w := planar.Witness{Branch: rename(crossing.Witness.Branch)}
		for _, p := range crossing.Witness.Paths {
			w.Paths = append(w.Paths, rename(p))
		}
		return &NotPlanarError{w}
	case errors.As(err, &torn):
		return &surfaceError{torn.why, rename(torn.at)}
	}
	return err
}

// An embedding of a connected graph of at least three vertices in a closed
// surface, orientable or not, all of whose faces are triangles: larger ones are
// cut by diagonals. An edge has two slots, one for each face beside it, which
// are twins. Those of the graph's edges are its arcs, by their place in
// g.Targets, in either order; those of diagonals follow. The slots of a face
// form a cycle around it.
type embedding struct {
	g     *graph.Graph
	slots []slot
}

type slot struct {
	twin  int32 // the slot on the other side of the edge
	next  int32 // the slot that follows in the face
	start int32 // the vertex where the face's walk enters; it leaves where the next one starts
	role  role
}

// role is what an edge is to a tree.
type role uint8

const (
	barrier role = 1 << iota // the edge is the tree's, or was cut: no triangles are joined across it
	home                     // the slot's triangle is where a vertex weighs
)

const none int32 = -1

// ends are the vertices where the walk enters and leaves a slot.
func (e *embedding) ends(s int32) (u, v int32) {
	return e.slots[s].start, e.slots[e.slots[s].next].start
}

// genus is the Euler genus, 2 - vertices + edges - faces: twice the number of
// handles, or the number of crosscaps. In the sphere it is 0.
func (e *embedding) genus() int { return 2 - e.g.Len() + len(e.slots)/6 }

// bare is an embedding whose slots have twins and no faces yet.
func bare(g *graph.Graph) *embedding {
	e := &embedding{g: g, slots: make([]slot, len(g.Targets))}
	for s, t := range planar.Twins(g) {
		e.slots[s] = slot{twin: t, next: none, start: none}
	}
	return e
}

// embedPlanar embeds the graph in the sphere.
func embedPlanar(ctx context.Context, g *graph.Graph, faces [][3]int32) (*embedding, error) {
	e, err := embedSurface(ctx, g, faces)
	if err == nil && e.genus() > 0 || errors.Is(err, ErrNotSurface) {
		return nil, notPlanar(ctx, g)
	}
	return e, err
}

// notPlanar is the error for a graph that is not planar.
func notPlanar(ctx context.Context, g *graph.Graph) error {
	w, err := planar.Kuratowski(ctx, g)
	if err != nil {
		return err
	}
	return &NotPlanarError{*w}
}

// embedSurface embeds the graph in the sphere if it is planar, whatever the
// faces are, and in the surface that they make if not.
func embedSurface(ctx context.Context, g *graph.Graph, faces [][3]int32) (*embedding, error) {
	var e *embedding
	var err error
	if len(faces) > 0 {
		e, err = embedFaces(ctx, g, faces)
		if err == nil && e.genus() == 0 || err != nil && !errors.Is(err, ErrNotSurface) {
			return e, err
		}
	}
	p, refused := planar.Embed(ctx, g)
	switch {
	case refused == nil:
		sphere := &embedding{g: g, slots: make([]slot, len(g.Targets))}
		for s, t := range p.Twin {
			sphere.slots[s] = slot{twin: t, next: p.Next[s], start: g.Targets[t]}
		}
		sphere.triangulate()
		return sphere, nil
	case !errors.Is(refused, planar.ErrNotPlanar):
		return nil, refused
	case len(faces) == 0:
		return nil, notPlanar(ctx, g)
	}
	return e, err
}

// embedFaces builds the surface of the faces. Where an edge lacks a face, the
// surface has a hole there, which becomes a face; where the faces around a
// vertex leave its edges in several fans, these are put together in any order,
// which may add to the genus but never makes an embedding wrong.
func embedFaces(ctx context.Context, g *graph.Graph, faces [][3]int32) (*embedding, error) {
	e := bare(g)
	for f, face := range faces {
		if f&(1<<13-1) == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		var side [3]int32
		for c := range 3 {
			u, v := face[c], face[(c+1)%3]
			k, ok := slices.BinarySearch(g.Targets[g.Offsets[u]:g.Offsets[u+1]], v)
			if !ok {
				return nil, &surfaceError{"the graph lacks an edge of a face", face[:]}
			}
			// Of faces that are oriented alike each has the slot of its own
			// direction; another one takes what is left.
			s := g.Offsets[u] + int32(k)
			if e.slots[s].next != none {
				s = e.slots[s].twin
			}
			if e.slots[s].next != none {
				return nil, &surfaceError{"an edge has a third face", []int32{u, v}}
			}
			e.slots[s].start = u
			side[c] = s
		}
		for c := range 3 {
			e.slots[side[c]].next = side[(c+1)%3]
		}
	}
	if err := e.closeHoles(ctx); err != nil {
		return nil, err
	}
	e.triangulate()
	return e, nil
}

// onward crosses the triangle at slot s, which touches v, to the other side of
// the triangle's other edge at v.
func (e *embedding) onward(s, v int32) int32 {
	at := e.slots[s]
	if at.start == v {
		at = e.slots[at.next]
	}
	return e.slots[at.next].twin
}

// closeHoles links the slots without a face into walks around the holes. The
// faces around a vertex form fans; a walk that comes in along the first edge of
// a fan goes out along the last of the next one.
func (e *embedding) closeHoles(ctx context.Context) error {
	g := e.g
	free := make([]bool, len(e.slots))
	onHole := make([]bool, g.Len()) // of a vertex
	for s := range e.slots {
		if e.slots[s].next == none {
			free[s] = true
			onHole[g.Targets[s]], onHole[g.Targets[e.slots[s].twin]] = true, true
		}
	}
	// A walk links a free slot to another one at either vertex of its arc; for
	// the time being the slot keeps both.
	at := func(s, v int32) *int32 {
		if g.Targets[s] == v {
			return &e.slots[s].next
		}
		return &e.slots[s].start
	}
	for v := range int32(g.Len()) {
		if v&(1<<13-1) == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		lo, hi := g.Offsets[v], g.Offsets[v+1]
		edges := int32(0)
		if onHole[v] {
			lastIn, firstOut := none, none
			fan := func(in int32) {
				if !free[in] || *at(in, v) != none { // no hole, or met from its other end
					return
				}
				out := e.slots[in].twin
				for edges++; !free[out]; edges++ {
					out = e.onward(out, v)
				}
				if lastIn == none {
					lastIn, firstOut = in, out
				}
				*at(lastIn, v), *at(out, v) = out, lastIn
				*at(in, v), *at(firstOut, v) = firstOut, in
				lastIn = in
			}
			for a := lo; a < hi; a++ {
				fan(e.slots[a].twin)
			}
			for a := lo; a < hi; a++ {
				fan(a) // met already if the faces are oriented alike
			}
		} else { // one cycle of faces
			s := lo
			for edges++; ; edges++ {
				if s = e.onward(s, v); s == lo {
					break
				}
			}
		}
		if edges != hi-lo {
			return &surfaceError{"they close up around a vertex without all its edges", []int32{v}}
		}
	}
	for s := range e.slots {
		v := g.Targets[e.slots[s].twin] // where a walk enters
		for at := int32(s); free[at]; {
			free[at] = false
			one := &e.slots[at]
			if g.Targets[at] != v {
				one.start, v = v, g.Targets[at]
			} else {
				one.next, one.start, v = one.start, v, g.Targets[one.twin]
			}
			at = one.next
		}
	}
	return nil
}

// triangulate cuts the faces that are not triangles by diagonals: by loops
// where the walk around a face comes back to a vertex, so that a cut vertex
// alone is a cycle, and what is left from its first vertex. Topology does not
// mind loops and parallel edges.
func (e *embedding) triangulate() {
	var place []int32 // of a vertex on the walk: 1 + the last slot of walk that starts there
	var walk []int32
	for first := range int32(len(e.g.Targets)) {
		if s := e.slots[first].next; e.slots[e.slots[s].next].next == first {
			continue
		}
		if place == nil {
			place = make([]int32, e.g.Len())
		}
		walk = walk[:0]
		for s := first; ; {
			v := e.slots[s].start
			if from := int(place[v]) - 1; from >= 0 && from < len(walk)-1 {
				for _, done := range walk[from:] {
					place[e.slots[done].start] = 0
				}
				x := int32(len(e.slots))
				e.slots = append(e.slots, slot{twin: x + 1, start: v}, slot{twin: x, start: v})
				e.cut(append(walk[from:], x))
				walk = append(walk[:from], x+1)
			}
			walk = append(walk, s)
			place[v] = int32(len(walk))
			if s = e.slots[s].next; s == first {
				break
			}
		}
		for _, s := range walk {
			place[e.slots[s].start] = 0
		}
		e.cut(walk)
	}
}

// cut makes triangles of three slots or more that form a closed walk, by
// diagonals from where that starts.
func (e *embedding) cut(walk []int32) {
	base, last := walk[0], walk[len(walk)-1]
	apex := e.slots[base].start
	for i, s := range walk[1 : len(walk)-2] {
		x := int32(len(e.slots))
		e.slots = append(e.slots, slot{twin: x + 1, next: base, start: e.slots[walk[i+2]].start}, slot{twin: x, start: apex})
		e.slots[base].next, e.slots[s].next = s, x
		base = x + 1
	}
	s := walk[len(walk)-2]
	e.slots[base].next, e.slots[s].next, e.slots[last].next = s, last, base
}
