package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"genussink/viewer/colormap"
)

// Chart shows curves, bars and dots over two axes: cost curves, errors of iterations, densities on a path, and the Pareto
// front of size against balance.
type Chart struct {
	Title, Desc string
	X, Y        Axis
	Curves      []Curve
	Dots        []Dot
}

// Dot adds a dot.
func (c *Chart) Dot(d Dot) { c.Dots = append(c.Dots, d) }

// Axis is an axis with its label. On a logarithmic one only positive values are shown.
type Axis struct {
	Label    string
	Log      bool
	Lo, Hi   float64 // what it covers at least; equal: what the values take
	Fixed    bool    // it covers Lo to Hi and nothing else
	Percents bool    // ticks are shares, written as per cent
	Bare     bool    // it has no ticks: places mean nothing
	Whole    bool    // it counts: ticks are whole numbers
	tight    bool    // it ends where the values do, not at a tick
}

// Curve is a line through points, in ascending order of x, or bars that stand on 0.
type Curve struct {
	Name   string
	Points [][2]float64
	Form   Form
	Color  int // of Palette
}

// Form is how a curve is drawn.
type Form uint8

// The forms of a curve.
const (
	Line Form = iota
	Dashed
	Steps
	Bars
)

// Dot is a point that can be picked.
type Dot struct {
	X, Y           float64
	Label          string // beside it, where there is room
	Name           string // for a screen reader; "": the label
	Role           Role
	Weight         float64 // from 0 to 1: its area grows with it
	Vertices, Bags []int   // what it is about: they light each other
}

// radius is the dot's in pixels.
func (d Dot) radius() float64 {
	least := 5.0
	if d.Role != Plain {
		least = 7
	}
	return max(least, math.Sqrt(25+144*d.Weight))
}

// Words is the dot's name, or its label where it has none.
func (d Dot) Words() string {
	if d.Name != "" {
		return d.Name
	}
	return d.Label
}

// curveColor is a colour for line i that stands out from the ground: those of Okabe and Ito's palette, which people with
// any colour vision tell apart.
func (l Look) curveColor(i int) string {
	list := []uint32{0x56B4E9, 0xE69F00, 0x009E73, 0xCC79A7, 0xD55E00, 0x0072B2}
	c := colormap.Hex(list[i%len(list)])
	if l.Theme == colormap.Light {
		return hex(colormap.Mix(c, colormap.Hex(0), 0.35))
	}
	if i%len(list) == 5 {
		c = colormap.Mix(c, colormap.Hex(0xffffff), 0.35)
	}
	return hex(c)
}

// scale is an axis on paper: where a value lies, and its ticks.
type scale struct {
	Axis
	lo, hi   float64 // of the values, logarithms on a logarithmic axis
	from, to float64 // on paper
	ticks    []float64
}

func (a Axis) scale(values []float64, from, to float64, room int) scale {
	s := scale{Axis: a, lo: math.Inf(1), hi: math.Inf(-1), from: from, to: to}
	take := func(x float64) {
		if a.Log {
			x = math.Log10(x)
		}
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			s.lo, s.hi = min(s.lo, x), max(s.hi, x)
		}
	}
	if a.Lo != a.Hi {
		take(a.Lo)
		take(a.Hi)
	}
	if !a.Fixed {
		for _, x := range values {
			take(x)
		}
	}
	if s.lo > s.hi {
		s.lo, s.hi = 0, 1
	}
	if s.lo == s.hi {
		s.lo, s.hi = s.lo-0.5, s.hi+0.5
	}
	if a.Log {
		every := max(1, math.Ceil((s.hi-s.lo)/float64(room)))
		if !a.Fixed && s.hi-s.lo < 1 {
			s.lo, s.hi = math.Floor(s.lo), math.Ceil(s.hi)
		}
		between := []float64{1}
		if 3*(s.hi-s.lo) <= float64(room) {
			between = []float64{1, 2, 5}
		}
		for x := math.Floor(s.lo/every) * every; x <= s.hi+1e-9; x += every {
			for _, f := range between {
				if l := x + math.Log10(f); l >= s.lo-1e-9 && l <= s.hi+1e-9 {
					s.ticks = append(s.ticks, f*math.Pow(10, x))
				}
			}
		}
		return s
	}
	// A step of 1, 2 or 5 times a power of ten.
	rough := (s.hi - s.lo) / float64(room)
	step := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, f := range []float64{1, 2, 5, 10} {
		if step*f >= rough {
			step *= f
			break
		}
	}
	if a.Whole {
		step = max(step, 1)
	}
	if !a.Fixed && !a.tight {
		s.lo, s.hi = math.Floor(s.lo/step+1e-9)*step, math.Ceil(s.hi/step-1e-9)*step
	}
	for k := math.Ceil(s.lo/step - 1e-9); k*step <= s.hi+1e-9*step; k++ {
		s.ticks = append(s.ticks, k*step+0) // not -0
	}
	return s
}

// at is where a value lies on paper; ok is false where it cannot be shown.
func (s scale) at(x float64) (float64, bool) {
	if s.Log {
		x = math.Log10(x)
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, false
	}
	return s.from + (s.to-s.from)*(x-s.lo)/(s.hi-s.lo), true
}

func (s scale) words(x float64) string {
	if s.Percents {
		return strconv.FormatFloat(math.Round(1000*x)/10, 'f', -1, 64) + " %"
	}
	if a := math.Abs(x); a != 0 && (a >= 1e5 || a < 1e-3) {
		e := int(math.Floor(math.Log10(a) + 1e-9))
		m := x / math.Pow(10, float64(e))
		if math.Abs(m-1) < 1e-9 {
			return "10" + raised(e)
		}
		return strconv.FormatFloat(math.Round(100*m)/100, 'f', -1, 64) + "·10" + raised(e)
	}
	return strconv.FormatFloat(math.Round(x*1e4)/1e4, 'f', -1, 64)
}

func raised(e int) string {
	out := ""
	for _, r := range strconv.Itoa(e) {
		if r == '-' {
			out += "⁻"
		} else {
			out += string([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[r-'0'])
		}
	}
	return out
}

// scales are the chart's axes in the drawing.
func (c *Chart) scales(l Look) (x, y scale) {
	var xs, ys []float64
	for _, k := range c.Curves {
		for _, p := range k.Points {
			xs, ys = append(xs, p[0]), append(ys, p[1])
			if k.Form == Bars { // a bar is as wide as a step, and stands on 0
				xs, ys = append(xs, p[0]-0.5, p[0]+0.5), append(ys, 0)
			}
		}
	}
	for _, d := range c.Dots {
		xs, ys = append(xs, d.X), append(ys, d.Y)
	}
	size := l.text()
	top := size * 2.2
	if rows := c.legendRows(l); rows > 0 {
		top += size * 1.5 * float64(rows)
	}
	bottom := l.Height - size*3.1
	y = c.Y.scale(ys, bottom, top, max(2, int((bottom-top)/(2.6*size))))
	left := size * 1.2
	for _, t := range y.ticks {
		left = max(left, size*(letters(y.words(t))+1))
	}
	across := c.X
	for _, k := range c.Curves {
		across.tight = across.tight || k.Form == Bars
	}
	x = across.scale(xs, left, l.Width-size*1.4, max(2, int((l.Width-left)/(5*size))))
	return x, y
}

// legendRows is how many lines of the legend there are: none for one curve without a name.
func (c *Chart) legendRows(l Look) int {
	x, rows := math.Inf(1), 0
	for _, k := range c.Curves {
		if k.Name == "" {
			continue
		}
		w := l.text() * (letters(k.Name) + 3)
		if x+w > l.Width {
			x = l.text()
			rows++
		}
		x += w
	}
	return rows
}

// Targets are the dots.
func (c *Chart) Targets(l Look) []Target {
	x, y := c.scales(l)
	var out []Target
	for i, d := range c.Dots {
		px, okx := x.at(d.X)
		py, oky := y.at(d.Y)
		if okx && oky {
			name := d.Words()
			if name == "" {
				name = fmt.Sprintf("%s %s, %s %s", c.X.Label, x.words(d.X), c.Y.Label, y.words(d.Y))
			}
			out = append(out, Target{Ref{Point, i}, px, py, 2*d.radius() + 2, 2*d.radius() + 2, name + state(d.Role)})
		}
	}
	return out
}

// Links adds what a dot is about, and the dots that are about a vertex or a bag.
func (c *Chart) Links(r Ref) (lit Lit) {
	if r.Kind == Point && r.ID >= 0 {
		d := at(c.Dots, r.ID)
		return Lit{Vertices: d.Vertices, Bags: d.Bags}
	}
	for i, d := range c.Dots {
		about := d.Vertices // of rows and columns too: they are vertices
		if r.Kind == Bag {
			about = d.Bags
		}
		if r.Kind != Edge && r.Kind != Run && slices.Contains(about, r.ID) {
			lit.Points = append(lit.Points, i)
		}
	}
	return lit
}

// SVG draws the chart.
func (c *Chart) SVG(prefix string, l Look) string {
	s := begin(prefix, l, c.Title, c.Desc)
	p := l.palette()
	x, y := c.scales(l)
	size := l.text()
	for _, t := range y.ticks {
		v, _ := y.at(t)
		s.line(x.from, v, x.to, v, p.line, 0.4, "")
		s.text(y.words(t), x.from-size*0.4, v+0.36*size, "end", p.muted, false)
	}
	s.line(x.from, y.from, x.to, y.from, p.muted, 1, "")
	for _, t := range x.ticks {
		if x.Bare {
			break
		}
		v, _ := x.at(t)
		s.line(v, y.from, v, y.from+4, p.muted, 1, "")
		half := size * letters(x.words(t)) / 2
		s.text(x.words(t), min(v, l.Width-half), y.from+size*1.3, "middle", p.muted, false)
	}
	s.text(c.X.Label, (x.from+x.to)/2, l.Height-size*0.4, "middle", p.ink, false)
	s.text(c.Y.Label, size*0.3, size*1.1, "start", p.ink, false)
	lx, ly := math.Inf(1), size*1.1
	words := labels{size: size, frame: box{x.from, y.to - size, l.Width, y.from}}
	for _, k := range c.Curves {
		color := l.curveColor(k.Color)
		if k.Name != "" {
			w := size * (letters(k.Name) + 3)
			if lx+w > l.Width {
				lx, ly = size, ly+1.5*size
			}
			dash := ""
			if k.Form == Dashed {
				dash = "5 4"
			}
			s.line(lx, ly-0.3*size, lx+1.6*size, ly-0.3*size, color, 3, dash)
			s.text(k.Name, lx+2*size, ly, "start", p.ink, false)
			lx += w
		}
		c.curve(s, k, x, y, color, &words)
	}
	targets := c.Targets(l)
	for _, t := range targets {
		words.block(t.X, t.Y, t.W/2)
	}
	for _, t := range targets {
		d := c.Dots[t.ID]
		h := l.shade(d.Role)
		s.open(t, l.Lit.point(t.ID), d.Vertices)
		fmt.Fprintf(s, "<title>%s</title>", escape(t.Name))
		s.circle(t.X, t.Y, d.radius(), h)
		if d.Label != "" && words.place(d.Label, t.X, t.Y, d.radius()+3) {
			last := words.placed[len(words.placed)-1]
			s.text(last.words, last.x, last.y, last.anchor, p.ink, false)
		}
		s.shut()
	}
	for _, t := range targets { // on top of dots that lie close by
		if l.Lit.point(t.ID) {
			s.ring(t.X, t.Y, c.Dots[t.ID].radius(), l)
		}
	}
	return s.end()
}

func (c *Chart) curve(s *svg, k Curve, x, y scale, color string, words *labels) {
	if k.Form == Bars {
		base, _ := y.at(max(y.Lo, 0))
		if y.Log {
			base = y.from
		}
		wide := 0.72 * (x.to - x.from) / (x.hi - x.lo)
		for _, q := range k.Points {
			px, okx := x.at(q[0])
			py, oky := y.at(q[1])
			if okx && oky && base > py {
				s.rect(px-wide/2, py, wide, base-py, 0, shade{fill: color})
			}
		}
		return
	}
	s.WriteString(`<path fill="none" stroke="` + color + `" stroke-width="2.5"`)
	if k.Form == Dashed {
		s.WriteString(` stroke-dasharray="5 4"`)
	}
	s.WriteString(` d="`)
	down, last := false, 0.0
	for _, q := range k.Points {
		px, okx := x.at(q[0])
		py, oky := y.at(q[1])
		if !okx || !oky {
			down = false
			continue
		}
		// Labels stay off the line.
		words.taken = append(words.taken, box{px - 2, py - 2, px + 2, py + 2})
		switch {
		case !down:
			s.WriteString("M" + number(px) + " " + number(py))
		case k.Form == Steps:
			s.WriteString("L" + number(px) + " " + number(last) + "L" + number(px) + " " + number(py))
		default:
			s.WriteString("L" + number(px) + " " + number(py))
		}
		down, last = true, py
	}
	s.WriteString(`"/>`)
}

// Cut is a separation as a point: its size and the smaller side's share.
type Cut struct {
	Size     int
	Balance  float64
	Vertices []int // of the separator, where a figure beside the chart shows them
}

// Front is the chart of separators by size and balance: the front's dots have the numbers of the cuts. Own is the reader's
// cut, nil for none; it is the last dot.
func Front(title, desc string, cuts []Cut, own *Cut) *Chart {
	c := &Chart{Title: title, Desc: desc, X: Axis{Label: "smaller side", Lo: 0, Hi: 0.5, Fixed: true, Percents: true}, Y: Axis{Label: "|S|", Lo: 0, Hi: 1}}
	name := func(x Cut) string {
		noun := "vertices"
		if x.Size == 1 {
			noun = "vertex"
		}
		return fmt.Sprintf("%d %s, smaller side %.0f %%", x.Size, noun, 100*x.Balance)
	}
	order := make([]int, len(cuts))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if cuts[a].Balance < cuts[b].Balance {
			return -1
		}
		return 1
	})
	var front Curve
	for _, i := range order {
		front.Points = append(front.Points, [2]float64{cuts[i].Balance, float64(cuts[i].Size)})
	}
	front.Name = "found"
	c.Curves = append(c.Curves, front)
	for _, x := range cuts {
		c.Dot(Dot{X: x.Balance, Y: float64(x.Size), Name: name(x), Vertices: x.Vertices})
	}
	if own != nil {
		c.Dot(Dot{X: own.Balance, Y: float64(own.Size), Label: "yours", Name: "Yours: " + name(*own), Role: Guess, Vertices: own.Vertices})
	}
	return c
}
