package separator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	return fmt.Sprintf("%v: it holds a subdivision of %s with the branch vertices %v, numbered from 0", ErrNotPlanar, e.Witness.Name(), e.Witness.Branch)
}

// Named tells a *NotPlanarError with the names that a file gives the branch vertices. Other errors stay as they are, and all errors if
// name is nil.
func Named(err error, name func(v int32) string) error {
	var crossing *NotPlanarError
	if name == nil || !errors.As(err, &crossing) {
		return err
	}
	names := make([]string, len(crossing.Witness.Branch))
	for i, v := range crossing.Witness.Branch {
		names[i] = name(v)
	}
	return fmt.Errorf("%w: it holds a subdivision of %s with the branch vertices %s of the file", ErrNotPlanar, crossing.Witness.Name(), strings.Join(names, ", "))
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

// Renamed tells an error about a part of a graph in the vertices of the graph. Vertex i of the part is names[i].
func Renamed(err error, names []int32) error {
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
// cut by diagonals. Side c of triangle t is slot 3t+c and leads from corner c
// to the next; an edge or diagonal has two slots, which are twins. Flat arrays
// keep what a walk over the triangles needs close together.
type embedding struct {
	g         *graph.Graph
	triangles [][3]int32 // corners
	twin      []int32    // of a slot: the one on the other side
	first     []int32    // of a vertex: its first edge; edges are numbered by their smaller end, then by their larger one
	beside    []int32    // of an edge: one of its slots
}

// While an embedding is built, the twin of a slot that has none yet is none, or
// -2-i where border i of a hole awaits it.
const none int32 = -1

// ends are the vertices where a slot starts and ends.
func (e *embedding) ends(s int32) (u, v int32) {
	t := &e.triangles[s/3]
	return t[s%3], t[(s+1)%3]
}

// following is the next slot of the triangle.
func following(s int32) int32 { return s - s%3 + (s+1)%3 }

// genus is the Euler genus, 2 - vertices + edges - faces: twice the number of
// handles, or the number of crosscaps. In the sphere it is 0.
func (e *embedding) genus() int { return 2 - e.g.Len() + len(e.triangles)/2 }

// bare is the embedding of nothing but vertices and edges.
func bare(g *graph.Graph) *embedding {
	n := int32(g.Len())
	e := &embedding{g: g, first: make([]int32, n+1), beside: make([]int32, g.Edges())}
	for i := range e.beside {
		e.beside[i] = none
	}
	x := int32(0)
	for v := range n {
		e.first[v] = x
		for a := g.Offsets[v+1]; a > g.Offsets[v] && g.Targets[a-1] > v; a-- {
			x++
		}
	}
	e.first[n] = x
	return e
}

// larger are the neighbours of v with larger numbers; the i-th is the end of
// edge first[v]+i.
func (e *embedding) larger(v int32) []int32 {
	end := e.g.Offsets[v+1]
	return e.g.Targets[end-(e.first[v+1]-e.first[v]) : end]
}

// edge is the number of the edge between two vertices, none if there is none.
func (e *embedding) edge(u, v int32) int32 {
	if u > v {
		u, v = v, u
	}
	if k, ok := slices.BinarySearch(e.larger(u), v); ok {
		return e.first[u] + int32(k)
	}
	return none
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
		return embedRotation(g, p), nil
	case !errors.Is(refused, planar.ErrNotPlanar):
		return nil, refused
	case len(faces) == 0:
		return nil, notPlanar(ctx, g)
	}
	return e, err
}

// embedRotation is the surface of a rotation system.
func embedRotation(g *graph.Graph, p *planar.Embedding) *embedding {
	e := bare(g)
	borders := make([]border, len(g.Targets))
	for v := range int32(g.Len()) {
		x := e.first[v]
		for a := g.Offsets[v]; a < g.Offsets[v+1]; a++ {
			b := p.Twin[a]
			borders[a].from, borders[a].next, borders[a].twin = v, p.Next[a], -2-b
			if g.Targets[a] > v {
				borders[a].edge, borders[b].edge = x, x
				x++
			}
		}
	}
	e.fill(borders)
	return e
}

// embedFaces builds the surface of the faces. Where an edge lacks a face, the
// surface has a hole there, which becomes a face; where the faces around a
// vertex leave its edges in several fans, these are put together in any order,
// which may add to the genus but never makes an embedding wrong.
func embedFaces(ctx context.Context, g *graph.Graph, faces [][3]int32) (*embedding, error) {
	e := bare(g)
	e.triangles = append(make([][3]int32, 0, max(2*g.Len(), len(faces))), faces...)
	e.twin = make([]int32, 3*len(faces), 3*cap(e.triangles))
	for i := range e.twin {
		e.twin[i] = none
	}
	for f, t := range e.triangles {
		if f&(1<<13-1) == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		for c := range 3 {
			u, v := t[c], t[(c+1)%3]
			x := e.edge(u, v)
			if x == none {
				return nil, &surfaceError{"the graph lacks an edge of a face", t[:]}
			}
			s, other := int32(3*f+c), e.beside[x]
			switch {
			case other == none:
				e.beside[x] = s
			case e.twin[other] == none:
				e.twin[s], e.twin[other] = other, s
			default:
				return nil, &surfaceError{"an edge has a third face", []int32{u, v}}
			}
		}
	}
	borders, err := e.holes(ctx)
	if err != nil {
		return nil, err
	}
	e.fill(borders)
	return e, nil
}

// border is a side of an edge without a triangle. Around a hole, each leads to
// the next.
type border struct {
	edge int32
	from int32 // the vertex where the walk around the hole enters
	next int32
	twin int32 // the slot on the other side of the edge, or -2-i if that is border i
}

// holes links the borders into walks around the holes. The triangles around a
// vertex form fans; a walk that comes in along the first edge of a fan goes out
// along the last of the next one.
func (e *embedding) holes(ctx context.Context) ([]border, error) {
	n := int32(e.g.Len())
	// Borders run against the slot on the other side; of the two of a bare edge
	// one runs either way.
	type link struct {
		from, to     int32
		atFrom, atTo int32 // the borders that follow there
	}
	var borders []border
	var links []link
	add := func(x, from, to, twin int32) {
		borders = append(borders, border{edge: x, twin: twin})
		links = append(links, link{from, to, none, none})
	}
	for v := range n {
		for i, w := range e.larger(v) {
			x := e.first[v] + int32(i)
			b := int32(len(borders))
			if s := e.beside[x]; s == none {
				add(x, v, w, -2-(b+1))
				add(x, w, v, -2-b)
			} else if e.twin[s] == none {
				from, to := e.ends(s)
				add(x, to, from, s)
				e.twin[s] = -2 - b
			}
		}
	}
	// Borders by the vertices that they touch.
	start := make([]int32, n+1)
	for _, l := range links {
		start[l.from]++
		start[l.to]++
	}
	total := int32(0)
	for v, count := range start {
		total, start[v] = total+count, total
	}
	touching := make([]int32, total)
	position := slices.Clone(start)
	for b, l := range links {
		for _, v := range [2]int32{l.from, l.to} {
			touching[position[v]] = int32(b)
			position[v]++
		}
	}
	corner := make([]int32, n) // of a vertex: a slot that starts there
	for t, vertices := range e.triangles {
		for c, v := range vertices {
			corner[v] = int32(3*t + c)
		}
	}
	at := func(b, v int32) *int32 {
		if links[b].to == v {
			return &links[b].atTo
		}
		return &links[b].atFrom
	}
	for v := range n {
		if v&(1<<13-1) == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		edges := int32(0)
		lastIn, firstOut := none, none
		fan := func(in int32) {
			out := borders[in].twin
			for edges++; out >= 0; edges++ {
				out = e.onward(out, v)
			}
			out = -2 - out
			if lastIn == none {
				lastIn, firstOut = in, out
			}
			*at(lastIn, v), *at(out, v) = out, lastIn
			*at(in, v), *at(firstOut, v) = firstOut, in
			lastIn = in
		}
		here := touching[start[v]:start[v+1]]
		for _, b := range here {
			if links[b].to == v && links[b].atTo == none {
				fan(b)
			}
		}
		for _, b := range here { // met already if the faces are oriented alike
			if links[b].from == v && links[b].atFrom == none {
				fan(b)
			}
		}
		if len(here) == 0 { // one cycle of triangles
			s := corner[v]
			for edges++; ; edges++ {
				if s = e.onward(s, v); s == corner[v] {
					break
				}
			}
		}
		if degree := e.g.Offsets[v+1] - e.g.Offsets[v]; edges != degree {
			return nil, &surfaceError{"they close up around a vertex without all its edges", []int32{v}}
		}
	}
	walked := make([]bool, len(borders))
	for b := range int32(len(borders)) {
		for v := links[b].from; !walked[b]; b = borders[b].next {
			walked[b] = true
			borders[b].from = v
			if l := links[b]; l.from == v {
				borders[b].next, v = l.atTo, l.to
			} else {
				borders[b].next, v = l.atFrom, l.from
			}
		}
	}
	return borders, nil
}

// onward crosses the triangle of slot s, which touches v, to the other side of
// the triangle's other edge at v.
func (e *embedding) onward(s, v int32) int32 {
	s = following(s)
	if from, _ := e.ends(s); from != v { // s started there: its other edge is the one before
		s = following(s)
	}
	return e.twin[s]
}

// fill cuts the faces that the borders walk around into triangles: by loops
// where the walk comes back to a vertex, so that a cut vertex alone is a cycle,
// and what is left from its first vertex. Topology does not mind loops and
// parallel edges.
func (e *embedding) fill(borders []border) {
	position := make([]int32, e.g.Len()) // of a vertex on the walk: 1 + the last side of walk that starts there
	filled := make([]bool, len(borders))
	var walk []polygonSide
	for first := range borders {
		if filled[first] {
			continue
		}
		walk = walk[:0]
		for b := int32(first); !filled[b]; b = borders[b].next {
			filled[b] = true
			v := borders[b].from
			if at := int(position[v]) - 1; at >= 0 && at < len(walk)-1 {
				for _, done := range walk[at:] {
					position[done.from] = 0
				}
				loop := polygonSide{v, none, none}
				loop.twin = e.cut(append(walk[at:], loop), borders)
				walk = append(walk[:at], loop)
			}
			walk = append(walk, polygonSide{v, b, none})
			position[v] = int32(len(walk))
		}
		for _, side := range walk {
			position[side.from] = 0
		}
		e.cut(walk, borders)
	}
}

// polygonSide is a border or a diagonal.
type polygonSide struct {
	from   int32
	border int32 // none for a diagonal
	twin   int32 // of a diagonal: its slot on the other side, none if that is to come
}

// cut makes triangles of a closed walk of at least three sides by diagonals
// from where it starts, and returns the slot of the last side.
func (e *embedding) cut(walk []polygonSide, borders []border) int32 {
	base, last := walk[0], len(walk)-1
	for i := 1; i < last-1; i++ {
		base = polygonSide{base.from, none, e.triangle([3]polygonSide{base, walk[i], {walk[i+1].from, none, none}}, borders)}
	}
	return e.triangle([3]polygonSide{base, walk[last-1], walk[last]}, borders)
}

// triangle adds a triangle and returns its last slot.
func (e *embedding) triangle(sides [3]polygonSide, borders []border) int32 {
	s := int32(len(e.twin))
	e.triangles = append(e.triangles, [3]int32{sides[0].from, sides[1].from, sides[2].from})
	for c, side := range sides {
		s := s + int32(c)
		twin := side.twin
		if b := side.border; b != none {
			twin = borders[b].twin
			e.beside[borders[b].edge] = s
			if twin < none {
				borders[-2-twin].twin = s
			}
		}
		e.twin = append(e.twin, twin)
		if twin >= 0 {
			e.twin[twin] = s
		}
	}
	return s + 2
}
