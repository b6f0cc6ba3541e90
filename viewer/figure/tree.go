package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"genussink/viewer/colormap"
)

// Tree is a tree of bags, drawn from its root down; a separator tree is one too, whose bags are separators.
type Tree struct {
	Title, Desc string
	Parent      []int    // of every bag; -1 for roots; any order
	Members     [][]int  // vertices of every bag, ascending
	Labels      []string // of the bags, drawn where there is room; nil: the members' names
	Names       []string // of the vertices; nil: numbers
	Roles       []Role   // of the bags
	First       int      // the number of the first bag, where another tree of the step has those below

	plan *tidy
}

// Room within and between bags, in units of the text's size.
const (
	bagHeight = 1.7
	bagPad    = 1.0
	bagGap    = 0.8
	levelGap  = 1.4
)

// label is what stands in a bag.
func (t *Tree) label(b int) string {
	if t.Labels != nil {
		return at(t.Labels, b)
	}
	if len(t.Members[b]) == 0 {
		return "empty"
	}
	words := make([]string, len(t.Members[b]))
	for i, v := range t.Members[b] {
		if words[i] = at(t.Names, v); words[i] == "" {
			words[i] = fmt.Sprint(v)
		}
	}
	return strings.Join(words, " ")
}

// placed is a tree laid out: middles of bags, their width and height, and whether letters fit.
type placedTree struct {
	x, y, w []float64
	h       float64
	letters bool
	size    float64 // of the letters
}

// layout places the bags: with letters, up to half as large again as other text, where the whole tree fits the drawing,
// else as dots.
func (t *Tree) layout(l Look) placedTree {
	var p placedTree
	for _, larger := range []float64{1.5, 1.25, 1} {
		p = t.layoutAt(l, larger*l.text())
		if p.letters {
			break
		}
	}
	return p
}

// Room is the least height of a drawing so wide in which letters fit the tree; +Inf where it is too wide for them.
func (t *Tree) Room(l Look) float64 {
	_, across := t.fit(t.widths(l.text()), l.text()*bagGap)
	if len(t.Parent) > mostLetters || across > l.Width-2*l.margin() {
		return math.Inf(1)
	}
	return float64(t.levels())*l.text()*(bagHeight+0.5) + 2*l.margin()
}

// mostLetters is how many bags a tree with letters has at most.
const mostLetters = 400

func (l Look) margin() float64 { return l.text() * 0.5 }

// widths are the bags' with letters of a size.
func (t *Tree) widths(size float64) []float64 {
	width := make([]float64, len(t.Parent))
	for b := range width {
		width[b] = size * (letters(t.label(b)) + bagPad)
	}
	return width
}

// fit places bags of given widths, and says how wide the tree is then.
func (t *Tree) fit(widths []float64, gap float64) (x []float64, across float64) {
	if t.plan == nil {
		t.plan = newTidy(t.Parent)
	}
	x = t.plan.place(widths, gap)
	for b := range x {
		across = max(across, x[b]+widths[b]/2)
	}
	return x, across
}

func (t *Tree) levels() int { return 1 + slices.Max(append(slices.Clone(t.plan.depth), 0)) }

func (t *Tree) layoutAt(l Look, size float64) placedTree {
	n := len(t.Parent)
	width := make([]float64, n)
	margin := l.margin()
	out := placedTree{y: make([]float64, n), w: width}
	if n <= mostLetters {
		letterWidth := t.widths(size)
		x, across := t.fit(letterWidth, size*bagGap)
		levels := t.levels()
		if across <= l.Width-2*margin && float64(levels)*size*(bagHeight+0.5) <= l.Height-2*margin {
			step := min(size*(bagHeight+levelGap), (l.Height-2*margin-size*bagHeight)/float64(max(levels-1, 1)))
			top := (l.Height - step*float64(levels-1)) / 2
			for b := range x {
				x[b] += (l.Width - across) / 2
				out.y[b] = top + step*float64(t.plan.depth[b])
			}
			out.x, out.w, out.h, out.letters, out.size = x, letterWidth, size*bagHeight, true, size
			return out
		}
	}
	for b := range width {
		width[b] = 1
	}
	x, across := t.fit(width, 0.6)
	levels := t.levels()
	scale := (l.Width - 2*margin) / max(across, 1)
	step := (l.Height - 2*margin) / float64(levels)
	dot := min(max(min(scale, step*0.6), 1.2), l.text())
	if scale > 3*dot { // a path is not stretched across
		scale = 3 * dot
	}
	for b := range x {
		x[b] = (l.Width-across*scale)/2 + x[b]*scale
		out.y[b] = margin + step*(float64(t.plan.depth[b])+0.5)
		width[b] = dot
	}
	out.x, out.h = x, dot
	return out
}

// Targets are the bags, as the tree is read: parents first, left to right.
func (t *Tree) Targets(l Look) []Target {
	p := t.layout(l)
	out := make([]Target, 0, len(t.Parent))
	for _, b := range t.plan.order {
		name := fmt.Sprintf("Bag %d: %s%s", b+1, t.label(b), state(at(t.Roles, b)))
		out = append(out, Target{Ref{Bag, t.First + b}, p.x[b], p.y[b], p.w[b], p.h, name})
	}
	return out
}

// Links adds a bag's vertices, and the bags of a vertex.
func (t *Tree) Links(r Ref) (lit Lit) {
	switch {
	case r.Kind == Bag && r.ID >= t.First && r.ID < t.First+len(t.Members):
		lit.Vertices = t.Members[r.ID-t.First]
	case r.Kind == Vertex || r.Kind == Row || r.Kind == Column:
		for _, b := range t.Holding(r.ID) {
			lit.Bags = append(lit.Bags, t.First+b)
		}
	}
	return lit
}

// Holding lists the bags that hold all of the vertices: a search.
func (t *Tree) Holding(vertices ...int) (bags []int) {
	for b, members := range t.Members {
		if holds(members, vertices) {
			bags = append(bags, b)
		}
	}
	return bags
}

// holds says whether a bag has all of the vertices.
func holds[V int | int32](bag, vertices []V) bool {
	return !slices.ContainsFunc(vertices, func(v V) bool { return !slices.Contains(bag, v) })
}

func (l Look) accent() colormap.RGB { return colormap.Accent() }

// SVG draws the tree.
func (t *Tree) SVG(prefix string, l Look) string {
	targets := t.Targets(l)
	p := t.layout(l)
	s := begin(prefix, l, t.Title, t.Desc)
	colors := l.palette()
	if len(targets) == 0 {
		s.text("no bags yet", l.Width/2, l.Height/2, "middle", colors.muted, false)
	}
	// One path for all edges: thousands of lines are slow to lay out.
	s.WriteString(`<path fill="none" stroke="` + colors.line + `" d="`)
	for b, up := range t.Parent {
		if up >= 0 {
			s.WriteString("M" + number(p.x[up]) + " " + number(p.y[up]+p.h/2) + "L" + number(p.x[b]) + " " + number(p.y[b]-p.h/2))
		}
	}
	s.WriteString(`"/>`)
	accent := strong(l.accent(), l.Theme)
	for _, target := range targets {
		b := target.ID - t.First
		role, lit := at(t.Roles, b), l.Lit.bag(target.ID)
		h := l.shade(role)
		if role == Plain && !p.letters {
			h.fill, h.stroke = colors.muted, ""
		}
		if lit {
			h.stroke, h.width = accent, 4
		} else if len(l.Lit.Vertices) == 1 && slices.Contains(t.Members[b], l.Lit.Vertices[0]) {
			h.stroke, h.width = accent, 3
		}
		s.open(target, lit, t.Members[b])
		s.rect(p.x[b]-p.w[b]/2, p.y[b]-p.h/2, p.w[b], p.h, min(p.h/3, 6), h)
		if p.letters {
			fmt.Fprintf(s, `<text x="%s" y="%s" text-anchor="middle" fill="%s" font-size="%s">%s</text>`, number(p.x[b]), number(p.y[b]+0.36*p.size), h.letter, number(p.size), escape(t.label(b)))
		}
		s.shut()
	}
	return s.end()
}
