package experiment

import (
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"

	"genussink/core/internal/growth"
)

// A panel is a chart with logarithmic axes.
type panel struct {
	title, x, y string
	curves      []curve
	notes       []note // in the corner below on the right, which curves that rise leave free
}

type note struct{ text, colour string }

// A curve is one method's points, joined or not.
type curve struct {
	label, colour string
	joined        bool
	points        []point
}

type point struct {
	x, y   float64
	hollow bool // predicted, or raw where the other is polished
}

// The size of a panel in pixels, and what it leaves for its axes.
const (
	panelWidth, panelHeight = 440, 330
	leftRoom, rightRoom     = 62, 14
	topRoom, bottomRoom     = 30, 42
)

// svg draws panels side by side, so many in a row, with one legend for all.
func svg(w io.Writer, title string, panels []panel, inRow int) error {
	var b strings.Builder
	type entry struct{ label, colour string }
	var legend []entry
	for _, p := range panels {
		for _, c := range p.curves {
			if e := (entry{c.label, c.colour}); !slices.Contains(legend, e) {
				legend = append(legend, e)
			}
		}
	}
	inRow = max(1, min(inRow, len(panels)))
	rows := (len(panels) + inRow - 1) / inRow
	perLine := max(1, inRow*panelWidth/160)
	lines := wrapped(title, inRow*panelWidth/9)
	head := 20 * len(lines)
	top := 14 + head + 20*((len(legend)+perLine-1)/perLine)
	width, height := inRow*panelWidth, top+rows*panelHeight
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="system-ui, sans-serif" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	for i, line := range lines {
		fmt.Fprintf(&b, `<text x="14" y="%d" font-size="15" font-weight="600">%s</text>`+"\n", 22+20*i, html.EscapeString(line))
	}
	for i, e := range legend {
		x, y := 14+160*(i%perLine), 22+head+20*(i/perLine)
		fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="4.5" fill="%s"/><text x="%d" y="%d">%s</text>`+"\n", x+5, y, e.colour, x+15, y+4, html.EscapeString(e.label))
	}
	for i := range panels {
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", i%inRow*panelWidth, top+i/inRow*panelHeight)
		panels[i].draw(&b)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// wrapped is a text in lines of at most so many bytes, but for longer words.
func wrapped(text string, most int) (lines []string) {
	for _, word := range strings.Fields(text) {
		if last := len(lines) - 1; last >= 0 && len(lines[last])+1+len(word) <= most {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

func (p *panel) draw(b *strings.Builder) {
	var xs, ys []float64
	for _, c := range p.curves {
		for _, q := range c.points {
			xs, ys = append(xs, q.x), append(ys, q.y)
		}
	}
	across, up := newAxis(xs, leftRoom, panelWidth-rightRoom), newAxis(ys, panelHeight-bottomRoom, topRoom)
	fmt.Fprintf(b, `<text x="%d" y="18" font-weight="600">%s</text>`+"\n", leftRoom, html.EscapeString(p.title))
	for _, t := range across.ticks {
		x := across.at(t)
		fmt.Fprintf(b, `<path d="M%.1f %d V%d" stroke="#e4e4e4"/><text x="%.1f" y="%d" text-anchor="middle" fill="#444">%s</text>`+"\n",
			x, topRoom, panelHeight-bottomRoom, x, panelHeight-bottomRoom+16, tick(t))
	}
	for _, t := range up.ticks {
		y := up.at(t)
		fmt.Fprintf(b, `<path d="M%d %.1f H%d" stroke="#e4e4e4"/><text x="%d" y="%.1f" text-anchor="end" fill="#444">%s</text>`+"\n",
			leftRoom, y, panelWidth-rightRoom, leftRoom-6, y+4, tick(t))
	}
	fmt.Fprintf(b, `<path d="M%d %d V%d H%d" stroke="#444" fill="none"/>`+"\n", leftRoom, topRoom, panelHeight-bottomRoom, panelWidth-rightRoom)
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", (leftRoom+panelWidth-rightRoom)/2, panelHeight-8, html.EscapeString(p.x))
	fmt.Fprintf(b, `<text transform="translate(14 %d) rotate(-90)" text-anchor="middle">%s</text>`+"\n", (topRoom+panelHeight-bottomRoom)/2, html.EscapeString(p.y))
	for _, c := range p.curves {
		if c.joined && len(c.points) > 1 {
			b.WriteString(`<path fill="none" stroke="` + c.colour + `" stroke-width="1.5" d="`)
			for i, q := range c.points {
				fmt.Fprintf(b, "%c%.1f %.1f", "ML"[min(i, 1)], across.at(q.x), up.at(q.y))
			}
			b.WriteString("\"/>\n")
		}
		for _, q := range c.points {
			fill := c.colour
			if q.hollow {
				fill = "white"
			}
			x, y := across.at(q.x), up.at(q.y)
			fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="4" fill="%s" stroke="%s" stroke-width="1.5"/>`+"\n", x, y, fill, c.colour)
		}
	}
	for i, n := range p.notes {
		fmt.Fprintf(b, `<text x="%d" y="%d" font-size="11" text-anchor="end" fill="%s" stroke="white" stroke-width="3" paint-order="stroke">%s</text>`+"\n",
			panelWidth-rightRoom-6, panelHeight-bottomRoom-8-14*(len(p.notes)-1-i), n.colour, html.EscapeString(n.text))
	}
}

// axis maps logarithms to pixels.
type axis struct {
	low, high float64 // log10
	from, to  float64
	ticks     []float64
}

func newAxis(values []float64, from, to float64) axis {
	a := axis{low: math.Inf(1), high: math.Inf(-1), from: from, to: to}
	for _, v := range values {
		a.low, a.high = min(a.low, math.Log10(v)), max(a.high, math.Log10(v))
	}
	if a.low > a.high { // no points
		a.low, a.high = 0, 1
	}
	margin := max(0.06*(a.high-a.low), 0.1)
	a.low, a.high = a.low-margin, a.high+margin
	steps := []float64{1}
	switch span := a.high - a.low; {
	case span < 1.4:
		steps = []float64{1, 2, 3, 5, 7}
	case span < 3:
		steps = []float64{1, 2, 5}
	}
	every := max(1, math.Ceil((a.high-a.low)/9))
	for e := math.Floor(a.low); e <= a.high; e++ {
		for _, s := range steps {
			if t := e + math.Log10(s); t >= a.low && t <= a.high && math.Mod(e, every) == 0 {
				a.ticks = append(a.ticks, s*math.Pow(10, e))
			}
		}
	}
	return a
}

func (a *axis) at(v float64) float64 {
	return a.from + (math.Log10(v)-a.low)/(a.high-a.low)*(a.to-a.from)
}

// tick is 300, 20k, 0.05 or 1e-6.
func tick(v float64) string {
	switch {
	case v >= 1e6 || v < 0.999e-3:
		e := math.Floor(math.Log10(v) + 1e-9)
		if m := math.Round(v / math.Pow(10, e)); m != 1 {
			return fmt.Sprintf("%ge%g", m, e)
		}
		return fmt.Sprintf("1e%g", e)
	case v >= 1000:
		return fmt.Sprintf("%gk", math.Round(v/100)/10)
	}
	return fmt.Sprintf("%.3g", v)
}

// shades are the deltas and the numbers of cells among rows, ascending: each has its shade of the method's colour.
type shades struct {
	deltas []float64
	cells  []int
}

func shadesOf(rows []Row) (s shades) {
	for i := range rows {
		if r := &rows[i]; r.name() == "certified" && !slices.Contains(s.deltas, r.Delta) {
			s.deltas = append(s.deltas, r.Delta)
		} else if r.Cells > 0 && !slices.Contains(s.cells, r.Cells) {
			s.cells = append(s.cells, r.Cells)
		}
	}
	slices.Sort(s.deltas)
	slices.Sort(s.cells)
	return s
}

// colours of the methods, apart in brightness too.
func colour(r *Row, s shades) string {
	if r.Spots {
		return map[string]string{"exact float64": "#17becf", "support": "#7b2d8b"}[r.name()]
	}
	switch r.name() {
	case "dense":
		return "#222222"
	case "dense float32":
		return "#999999"
	case "exact float64":
		return "#1f5fbf"
	case "exact float32":
		return "#86aee6"
	case "certified":
		return []string{"#0b7a4b", "#58b368", "#a8d08d", "#d0e6a5"}[min(3, slices.Index(s.deltas, r.Delta))]
	case "quantized":
		return []string{"#f2a0bd", "#dc5a8c", "#b3124f", "#6b0a2f"}[min(3, slices.Index(s.cells, r.Cells))]
	}
	return map[string]string{"sampled": "#edae49", "embedded": "#8c564b"}[r.name()]
}

// least is where an error is drawn that is smaller.
const least = 1e-8

// ErrorPlot draws the cost's error against the seconds it took, a panel for
// every mesh.
func ErrorPlot(w io.Writer, rows []Row) error {
	var panels []panel
	known := shadesOf(rows)
	for i := range rows {
		r := &rows[i]
		at := slices.IndexFunc(panels, func(p panel) bool { return strings.HasPrefix(p.title, r.Mesh+", ") })
		if at < 0 {
			at = len(panels)
			panels = append(panels, panel{title: r.Mesh + ", " + thousands(r.Vertices) + " vertices", x: "seconds, set-up and solve", y: "relative error of the cost"})
		}
		c := curve{label: r.label(), colour: colour(r, known), joined: true}
		_, missed, seconds := r.better()
		if !math.IsNaN(r.Error) && r.Total() > 0 {
			c.points = append(c.points, point{x: r.Total(), y: max(least, r.Error), hollow: !math.IsNaN(missed)})
		}
		if !math.IsNaN(missed) {
			c.points = append(c.points, point{x: r.Total() + seconds, y: max(least, missed)})
		}
		if r.Predicted && r.Total() > 0 {
			c.points = append(c.points, point{x: r.Total(), y: least, hollow: true})
		}
		panels[at].curves = append(panels[at].curves, c)
	}
	return svg(w, fmt.Sprintf("Error against time. Below: %g or less. Hollow and joined to a full point: before polishing, or of quantized its estimate; hollow alone: predicted.", least), panels, 3)
}

// quantity is something that grows with the mesh.
type quantity struct {
	name  string
	value func(r *Row) float64
}

var quantities = []quantity{
	{"set-up", (*Row).Setup},
	{"solve", func(r *Row) float64 { return r.Solve }},
	{"re-solve after a repaint", func(r *Row) float64 { return r.Resolve }},
	{"product", func(r *Row) float64 { return r.Product }},
	{"set-up and solve", (*Row).Total},
	{"peak memory", func(r *Row) float64 { return float64(r.Peak) }},
}

// Exponent is how a quantity of one method grows with the vertices of one
// series: about n to that power.
type Exponent struct {
	Series, Method, Quantity string
	Power                    float64
	Meshes                   int
}

// Exponents fits every quantity of every method over the series of three
// meshes or more, by least squares of the logarithms.
func Exponents(rows []Row) (fits []Exponent) {
	type key struct{ series, method string }
	var keys []key
	for i := range rows {
		if k := (key{rows[i].Series, rows[i].label()}); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, k := range keys {
		for _, q := range quantities {
			var x, y []float64
			for i := range rows {
				if r := &rows[i]; r.Series == k.series && r.label() == k.method && q.value(r) > 0 {
					x, y = append(x, float64(r.Vertices)), append(y, q.value(r))
				}
			}
			if len(x) > 2 {
				fits = append(fits, Exponent{k.series, k.method, q.name, growth.Power(x, y), len(x)})
			}
		}
	}
	return fits
}

// GrowthPlot draws seconds and bytes against vertices, a curve for every method
// and series, and the exponents of the series that have three meshes.
func GrowthPlot(w io.Writer, rows []Row) error {
	known, fits := shadesOf(rows), Exponents(rows)
	var panels []panel
	for _, q := range quantities {
		p := panel{title: q.name, x: "vertices", y: "seconds"}
		if q.name == "peak memory" {
			p.y = "bytes"
		}
		for i := range rows {
			r := &rows[i]
			if !(q.value(r) > 0) {
				continue
			}
			own := func(o *Row) bool { return o.Series == r.Series && o.label() == r.label() }
			if slices.IndexFunc(rows[:i], func(o Row) bool { return own(&o) && q.value(&o) > 0 }) >= 0 {
				continue // drawn with the first of its series
			}
			c := curve{label: r.label(), colour: colour(r, known), joined: true}
			for j := range rows {
				if o := &rows[j]; own(o) && q.value(o) > 0 {
					c.points = append(c.points, point{x: float64(o.Vertices), y: q.value(o), hollow: o.Predicted})
				}
			}
			for _, f := range fits {
				if f.Series == r.Series && f.Method == r.label() && f.Quantity == q.name {
					text := fmt.Sprintf("n^%.2f", f.Power)
					if f.Series != fits[0].Series || f.Series != fits[len(fits)-1].Series { // there are several
						text = f.Series + " " + text
					}
					p.notes = append(p.notes, note{text, c.colour})
				}
			}
			p.curves = append(p.curves, c)
		}
		panels = append(panels, p)
	}
	return svg(w, "Growth with the mesh. Hollow: predicted from some rows.", panels, 3)
}
