// Package figure draws what lessons and instrument show of small graphs, trees
// of bags, curves and plans: each figure is plain data that renders to SVG
// text and says where its targets lie. Vertices are the common currency:
// what is pointed at in one figure is lit in the others by its vertices.
package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"genussink/viewer/colormap"
)

// Kind is that of a thing in a figure.
type Kind string

// The kinds of things that a person can point at.
const (
	Vertex Kind = "vertex"
	Edge   Kind = "edge"
	Bag    Kind = "bag"
	Point  Kind = "point" // of a chart
	Run    Kind = "run"
	Row    Kind = "row"
	Column Kind = "column"
)

// Ref names a thing in a figure. Vertices, bags and points have the same numbers in all figures of a step.
type Ref struct {
	Kind Kind
	ID   int
}

// Target is where a thing can be pointed at, in the figure's own units: a box with its middle at (X, Y).
type Target struct {
	Ref
	X, Y, W, H float64
	Name       string // for a screen reader
}

// Look is how a figure is to be drawn.
type Look struct {
	Width, Height float64 // of the drawing, in CSS pixels
	Theme         colormap.Theme
	Lit           Lit
	Large         bool // for a projector: larger type
}

// text is the size of letters in pixels.
func (l Look) text() float64 {
	if l.Large {
		return 20
	}
	return 13
}

// Lit is what is selected: vertices, and bags and points as such.
type Lit struct {
	Vertices, Bags, Points []int // each ascending
}

func (l Lit) vertex(v int) bool { _, ok := slices.BinarySearch(l.Vertices, v); return ok }
func (l Lit) bag(b int) bool    { _, ok := slices.BinarySearch(l.Bags, b); return ok }
func (l Lit) point(p int) bool  { _, ok := slices.BinarySearch(l.Points, p); return ok }

// Figure is a drawing.
type Figure interface {
	// SVG draws the figure. The prefix makes its ids unique in the document.
	SVG(prefix string, l Look) string
	// Targets are the things to point at, in the order in which the keyboard visits them.
	Targets(l Look) []Target
	// Links is what the figure adds to a selection that begins at a thing: a bag's vertices, a vertex's bags and points.
	Links(r Ref) Lit
}

// Select is what is lit in all figures when a person points at a thing of one.
func Select(r Ref, figures ...Figure) Lit {
	var lit Lit
	switch r.Kind {
	case Vertex, Row, Column:
		lit.Vertices = []int{r.ID}
	case Bag:
		lit.Bags = []int{r.ID}
	case Point:
		lit.Points = []int{r.ID}
	}
	for _, f := range figures {
		more := f.Links(r)
		lit.Vertices, lit.Bags, lit.Points = append(lit.Vertices, more.Vertices...), append(lit.Bags, more.Bags...), append(lit.Points, more.Points...)
	}
	for _, list := range []*[]int{&lit.Vertices, &lit.Bags, &lit.Points} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return lit
}

// Role is what a vertex, edge, bag or point is in the step, and decides its colour and form.
type Role uint8

// The roles. Form or stroke differs too, so that no colour is needed to tell them apart.
const (
	Plain     Role = iota
	SideA          // left of the separator
	Separator      // in the separator, or removed
	SideB          // right of the separator
	Gone           // eliminated
	Current        // what the present step is about
	Near           // a neighbour of it
	Fill           // a fill edge, or shortcut
	Path           // on a shortest path
	Guess          // the reader's own
	Truth          // what was found
	Hint           // where the reader should look
)

// palette is the colours of a theme.
type palette struct{ ink, muted, line, ground, node string }

func (l Look) palette() palette {
	top, _ := colormap.Ground(l.Theme)
	if l.Theme == colormap.Light {
		return palette{"#1b222b", "#586472", "#8a95a3", hex(top), "#ffffff"}
	}
	return palette{"#e6eaef", "#98a3b0", "#77828f", hex(top), "#2c323b"}
}

// shade is the fill, the stroke, its width, its dashes and the colour of the letters of a role.
type shade struct {
	fill, stroke string
	width        float64
	dash, letter string
}

func (l Look) shade(r Role) shade {
	p := l.palette()
	s := shade{fill: p.node, stroke: p.muted, width: 1.5, letter: p.ink}
	switch r {
	case SideA:
		s.fill, s.stroke, s.letter = hex(colormap.Left().RGB()), p.ink, "#ffffff"
	case SideB:
		s.fill, s.stroke, s.letter = hex(colormap.Right().RGB()), p.ink, "#14171c"
	case Separator:
		s.fill, s.stroke, s.width = hex(colormap.Separator(l.Theme)), p.muted, 3
		s.letter = hex(colormap.Halo(l.Theme))
	case Gone:
		s.fill, s.stroke, s.width, s.dash, s.letter = "none", p.muted, 1, "2 3", p.muted
	case Current:
		s.fill, s.stroke, s.width, s.letter = hex(colormap.Moving()), p.ink, 3, "#14171c"
	case Near:
		s.stroke, s.width = strong(colormap.Moving(), l.Theme), 3
	case Fill, Path:
		s.stroke, s.width = strong(colormap.Moving(), l.Theme), 3
	case Guess:
		s.fill, s.stroke, s.width, s.letter = hex(colormap.Target()), p.ink, 2, "#14171c"
	case Truth:
		s.fill, s.stroke, s.width, s.letter = hex(colormap.Source()), p.ink, 2, "#14171c"
	case Hint:
		s.stroke, s.width, s.dash = strong(colormap.Hex(0xE8740C), l.Theme), 4, "5 3"
	}
	return s
}

// strong is a bright colour as a line that stands out from the theme's ground.
func strong(c colormap.RGB, t colormap.Theme) string {
	if t == colormap.Light {
		c = colormap.Mix(c, colormap.Hex(0), 0.45)
	}
	return hex(c)
}

func hex(c colormap.RGB) string {
	b := func(x float32) int { return int(math.Round(255 * float64(min(max(x, 0), 1)))) }
	return fmt.Sprintf("#%02x%02x%02x", b(c[0]), b(c[1]), b(c[2]))
}

// svg is a drawing under way.
type svg struct {
	strings.Builder
	prefix string
	first  bool // the next target is the first, which the Tab key reaches
}

// begin opens a drawing with its title and description.
func begin(prefix string, l Look, title, desc string) *svg {
	s := &svg{prefix: prefix, first: true}
	fmt.Fprintf(s, `<svg xmlns="http://www.w3.org/2000/svg" id="%s" class="figure" role="group" aria-labelledby="%[1]s-title" aria-describedby="%[1]s-desc" viewBox="0 0 %s %s" width="%[2]s" height="%[3]s" font-family="system-ui, sans-serif" font-size="%s">`,
		prefix, number(l.Width), number(l.Height), number(l.text()))
	fmt.Fprintf(s, `<title id="%s-title">%s</title><desc id="%[1]s-desc">%[3]s</desc>`, prefix, escape(title), escape(desc))
	return s
}

func (s *svg) end() string {
	s.WriteString("</svg>")
	return s.String()
}

// open begins the group of a target.
func (s *svg) open(t Target, lit bool, vertices []int) {
	tab := "-1"
	if s.first {
		tab, s.first = "0", false
	}
	fmt.Fprintf(s, `<g id="%s-%s-%d" class="target" role="button" tabindex="%s" data-kind="%[2]s" data-id="%[3]d" aria-label="%[5]s"`, s.prefix, t.Kind, t.ID, tab, escape(t.Name))
	if lit {
		s.WriteString(` data-lit="true"`)
	}
	if vertices != nil {
		s.WriteString(` data-vertices="`)
		for i, v := range vertices {
			if i > 0 {
				s.WriteByte(' ')
			}
			s.WriteString(strconv.Itoa(v))
		}
		s.WriteByte('"')
	}
	s.WriteByte('>')
}

func (s *svg) shut() { s.WriteString("</g>") }

func (s *svg) line(x1, y1, x2, y2 float64, stroke string, width float64, dash string) {
	fmt.Fprintf(s, `<line x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s" stroke-width="%s"%s/>`, number(x1), number(y1), number(x2), number(y2), stroke, number(width), dashes(dash))
}

func (s *svg) circle(x, y, r float64, h shade) {
	fmt.Fprintf(s, `<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s" stroke-width="%s"%s/>`, number(x), number(y), number(r), h.fill, h.stroke, number(h.width), dashes(h.dash))
}

// ring goes around a lit vertex or point: its form tells, not its colour alone.
func (s *svg) ring(x, y, r float64, l Look) {
	s.circle(x, y, r+4, shade{fill: "none", stroke: strong(l.accent(), l.Theme), width: 3})
}

func (s *svg) rect(x, y, w, h, round float64, d shade) {
	fmt.Fprintf(s, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s"`, number(x), number(y), number(w), number(h), d.fill)
	if round > 0 {
		fmt.Fprintf(s, ` rx="%s"`, number(round))
	}
	if d.stroke != "" {
		fmt.Fprintf(s, ` stroke="%s" stroke-width="%s"%s`, d.stroke, number(d.width), dashes(d.dash))
	}
	s.WriteString("/>")
}

// text writes letters; anchor is "start", "middle" or "end".
func (s *svg) text(words string, x, y float64, anchor, fill string, bold bool) {
	weight := ""
	if bold {
		weight = ` font-weight="650"`
	}
	fmt.Fprintf(s, `<text x="%s" y="%s" text-anchor="%s" fill="%s"%s>%s</text>`, number(x), number(y), anchor, fill, weight, escape(words))
}

// escape makes text safe inside elements and attributes.
var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;").Replace

func dashes(dash string) string {
	if dash == "" {
		return ""
	}
	return ` stroke-dasharray="` + dash + `"`
}

// number is a coordinate to a tenth of a pixel.
func number(x float64) string {
	x = math.Round(10*x) / 10
	if x == 0 {
		return "0"
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// letters is about how wide words are, in units of the text's size: a mean over a sans-serif's letters, from above.
func letters(words string) float64 {
	w := 0.0
	for _, r := range words {
		switch {
		case strings.ContainsRune("iljtf.,:;|!' ", r):
			w += 0.36
		case r >= 'A' && r <= 'Z', r == 'm', r == 'w':
			w += 0.76
		default:
			w += 0.6
		}
	}
	return w
}

// box is a rectangle that something takes.
type box struct{ x0, y0, x1, y1 float64 }

func (a box) meets(b box) bool { return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1 }

// label is text that has found a place.
type label struct {
	words  string
	x, y   float64 // of the baseline
	anchor string
	box
}

// labels places texts beside points so that none overlaps another, a point's disc or the frame: in the first of eight
// directions that is free, in the order given. One that finds no place is left out.
type labels struct {
	size   float64
	frame  box
	taken  []box
	placed []label
}

func (p *labels) block(x, y, r float64) { p.taken = append(p.taken, box{x - r, y - r, x + r, y + r}) }

func (p *labels) place(words string, x, y, gap float64) bool {
	w, h := letters(words)*p.size, p.size
	for _, d := range [][2]float64{{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}} {
		cx, cy := x+d[0]*(gap+w/2), y+d[1]*(gap+h/2)
		b := box{cx - w/2, cy - h/2, cx + w/2, cy + h/2}
		if b.x0 < p.frame.x0 || b.y0 < p.frame.y0 || b.x1 > p.frame.x1 || b.y1 > p.frame.y1 || slices.ContainsFunc(p.taken, b.meets) {
			continue
		}
		p.taken = append(p.taken, b)
		p.placed = append(p.placed, label{words, cx, cy + 0.36*h, "middle", b})
		return true
	}
	return false
}

// at is an entry of a list that may be shorter.
func at[T any](list []T, i int) (x T) {
	if i < len(list) {
		x = list[i]
	}
	return x
}
