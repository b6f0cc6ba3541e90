package figure

import (
	"fmt"
	"math"
)

// Graph is a node-link drawing.
type Graph struct {
	Title, Desc string
	N           int
	Edges       [][2]int
	Places      [][2]float64       // y downwards, any unit; nil: Layout's
	Labels      []string           // of the vertices; nil: they have none
	Roles       []Role             // of the vertices; missing ones are Plain
	Lines       []Role             // of the edges, likewise
	Added       [][2]int           // edges that the graph has not, such as fill edges
	AddedRoles  []Role             // Fill where missing
	Pick        bool               // edges are targets too
	Moved       map[int][2]float64 // vertices that stand where a person has dragged them, in shares of the drawing's width and height
	Stubs       float64            // edges longer than that, in the places' unit, are drawn as a stub at either end: those around a torus; 0: none
}

// placed is a graph's places in the drawing, those that a person has moved too, and the radius of a vertex.
func (g *Graph) placed(l Look) (at [][2]float64, radius float64) {
	at, radius = g.fitted(l)
	for v, to := range g.Moved {
		if v < g.N {
			at[v] = [2]float64{l.Width * to[0], l.Height * to[1]}
		}
	}
	return at, radius
}

// Move places a vertex at a point of the drawing, or as near to it as the frame has room.
func (g *Graph) Move(l Look, v int, x, y float64) {
	_, r := g.fitted(l)
	if g.Moved == nil {
		g.Moved = map[int][2]float64{}
	}
	inside := func(x, size float64) float64 { return min(max(x, r), size-r) / size }
	g.Moved[v] = [2]float64{inside(x, l.Width), inside(y, l.Height)}
}

// fitted is a graph's own places, so that they fill the drawing, and the radius of a vertex.
func (g *Graph) fitted(l Look) (at [][2]float64, radius float64) {
	places := g.Places
	if places == nil {
		places = Layout(g.N, g.Edges)
		g.Places = places
	}
	margin := l.text() * 1.6
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, p := range places {
		for k := range p {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	}
	scale := math.Inf(1)
	size := [2]float64{l.Width - 2*margin, l.Height - 2*margin}
	for k := range size {
		if hi[k] > lo[k] {
			scale = min(scale, max(size[k], 1)/(hi[k]-lo[k]))
		}
	}
	if math.IsInf(scale, 1) {
		scale = 1
	}
	at = make([][2]float64, g.N)
	for v, p := range places {
		for k := range p {
			at[v][k] = margin + size[k]/2 + scale*(p[k]-(lo[k]+hi[k])/2)
		}
	}
	near := math.Inf(1)
	for v := range at {
		for u := range v {
			near = min(near, math.Hypot(at[v][0]-at[u][0], at[v][1]-at[u][1]))
		}
	}
	return at, min(max(0.36*near, 2.5), l.text()*1.15)
}

// Room is how high a drawing as wide as that has to be.
func (g *Graph) Room(l Look) float64 {
	l.Height = 1e6 // the width decides
	at, _ := g.fitted(l)
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range at {
		lo, hi = min(lo, p[1]), max(hi, p[1])
	}
	return max(hi-lo, 0) + 2*1.6*l.text()
}

func (g *Graph) name(v int) string {
	if words := at(g.Labels, v); words != "" {
		return words
	}
	return fmt.Sprint(v + 1)
}

// Targets are the vertices, and the edges where these can be picked.
func (g *Graph) Targets(l Look) []Target {
	places, r := g.placed(l)
	var out []Target
	for v, p := range places {
		// A finger is larger than a vertex may be; the page takes the nearest.
		out = append(out, Target{Ref{Vertex, v}, p[0], p[1], 2 * r, 2 * r, "Vertex " + g.name(v) + state(at(g.Roles, v))})
	}
	for i, e := range g.Edges {
		if g.Pick {
			a, b := places[e[0]], places[e[1]]
			out = append(out, Target{Ref{Edge, i}, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, math.Abs(a[0]-b[0]) + 4, math.Abs(a[1]-b[1]) + 4, "Edge " + g.name(e[0]) + " " + g.name(e[1])})
		}
	}
	return out
}

// state is a role in words, for a screen reader.
func state(r Role) string {
	words := map[Role]string{SideA: "on side A", Separator: "in the separator", SideB: "on side B", Gone: "eliminated", Current: "now", Near: "a neighbour",
		Path: "on the path", Guess: "your guess", Truth: "the answer", Hint: "look here"}[r]
	if words == "" {
		return ""
	}
	return ", " + words
}

// Links adds the ends of an edge.
func (g *Graph) Links(r Ref) Lit {
	if r.Kind == Edge && r.ID >= 0 && r.ID < len(g.Edges) {
		return Lit{Vertices: []int{g.Edges[r.ID][0], g.Edges[r.ID][1]}}
	}
	return Lit{}
}

// SVG draws the graph.
func (g *Graph) SVG(prefix string, l Look) string {
	places, r := g.placed(l)
	s := begin(prefix, l, g.Title, g.Desc)
	p := l.palette()
	stroke := func(e [2]int, role Role) {
		h := l.shade(role)
		if role == Plain {
			h.stroke = p.line
		}
		if role == Gone {
			return
		}
		a, b := places[e[0]], places[e[1]]
		if p, q := g.Places[e[0]], g.Places[e[1]]; g.Stubs > 0 && math.Hypot(p[0]-q[0], p[1]-q[1]) > g.Stubs {
			long := math.Hypot(a[0]-b[0], a[1]-b[1]) / (r + l.text()*0.8)
			x, y := (a[0]-b[0])/long, (a[1]-b[1])/long
			s.line(a[0], a[1], a[0]+x, a[1]+y, h.stroke, h.width, "2 2")
			s.line(b[0], b[1], b[0]-x, b[1]-y, h.stroke, h.width, "2 2")
			return
		}
		s.line(a[0], a[1], b[0], b[1], h.stroke, h.width, h.dash)
	}
	targets := g.Targets(l)
	for i, e := range g.Edges {
		if g.Pick {
			t := targets[g.N+i]
			s.open(t, false, []int{e[0], e[1]})
			a, b := places[e[0]], places[e[1]]
			s.line(a[0], a[1], b[0], b[1], "transparent", 14, "")
		}
		stroke(e, at(g.Lines, i))
		if g.Pick {
			s.shut()
		}
	}
	for i, e := range g.Added {
		role := Fill
		if i < len(g.AddedRoles) {
			role = g.AddedRoles[i]
		}
		stroke(e, role)
	}
	size := min(l.text(), 2*r/0.9) // of letters inside the vertices
	for _, name := range g.Labels {
		size = min(size, 2*r/max(letters(name), 1e-9))
	}
	inside := size >= 0.75*l.text() // smaller ones stand beside
	if inside {
		fmt.Fprintf(s, `<g font-size="%s">`, number(size))
	}
	words := labels{size: l.text(), frame: box{0, 0, l.Width, l.Height}}
	for _, q := range places {
		words.block(q[0], q[1], r)
	}
	for v, q := range places {
		role, lit := at(g.Roles, v), l.Lit.vertex(v)
		h := l.shade(role)
		s.open(targets[v], lit, nil)
		if lit {
			s.ring(q[0], q[1], r, l)
		}
		s.circle(q[0], q[1], r, h)
		if name := at(g.Labels, v); name != "" {
			if inside {
				s.text(name, q[0], q[1]+0.36*size, "middle", h.letter, true)
			} else if words.place(name, q[0], q[1], r+2) {
				last := words.placed[len(words.placed)-1]
				s.text(name, last.x, last.y, last.anchor, p.ink, false)
			}
		}
		s.shut()
	}
	if inside {
		s.shut()
	}
	return s.end()
}
