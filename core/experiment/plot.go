package experiment

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"genussink/core/internal/growth"
	"genussink/core/job"
)

// A panel is a chart with logarithmic axes.
type panel struct {
	title, x, y string
	curves      []curve
	notes       []note // beside it
}

type note struct {
	text   string
	colour color.Color
}

// A curve is one method's points, joined.
type curve struct {
	label  string
	colour color.Color
	points []point
}

type point struct {
	x, y   float64
	hollow bool // predicted, or raw where the other is polished
}

// Sizes in points, of which a browser shows four thirds of a pixel each.
const (
	panelWidth, panelHeight = 330, 248
	entryWidth              = 120 // of the legend
	lineHeight, noteHeight  = 15, 10
	characterWidth          = 6.5 // of the heading, about
	small, ordinary, large  = 8, 9, 11
)

// svg draws panels side by side, three in a row, with one legend for all.
func svg(w io.Writer, title string, panels []panel) error {
	inRow := max(1, min(3, len(panels)))
	rows := (len(panels) + inRow - 1) / inRow
	plots := make([][]*plot.Plot, rows)
	legend := make([]plot.Legend, inRow*panelWidth/entryWidth) // one for each column
	for i := range legend {
		legend[i] = plot.NewLegend()
		legend[i].Top, legend[i].Left, legend[i].ThumbnailWidth, legend[i].Padding = true, true, 10, 5
		legend[i].TextStyle.Font = typeface(ordinary)
	}
	var known []string
	for i := range panels {
		p, err := panels[i].plot()
		if err != nil {
			return err
		}
		plots[i/inRow] = append(plots[i/inRow], p)
		for _, c := range panels[i].curves {
			if slices.Contains(known, c.label) {
				continue
			}
			column := &legend[len(known)%len(legend)]
			column.Add(c.label, &plotter.Scatter{GlyphStyle: point{}.glyph(c.colour)})
			known = append(known, c.label)
		}
	}
	lines := wrapped(title, int(float64(inRow*panelWidth)/characterWidth))
	head := vg.Length(lineHeight * (len(lines) + (len(known)+len(legend)-1)/len(legend)))
	width, height := vg.Length(inRow*panelWidth), 2*lineHeight+head+vg.Length(rows*panelHeight)
	to := vgsvg.New(width, height)
	canvas := draw.New(to)
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Path())
	inner := draw.Crop(canvas, 10, -10, 10, -10)
	heading := text.Style{Color: color.Black, Font: typeface(large), YAlign: draw.YTop, Handler: plot.DefaultTextHandler}
	heading.Font.Weight = xfont.WeightBold
	for i, line := range lines {
		inner.FillText(heading, vg.Point{X: inner.Min.X, Y: inner.Max.Y - vg.Length(lineHeight*i)}, line)
	}
	for i := range legend {
		legend[i].Draw(draw.Crop(inner, vg.Length(entryWidth*i), 0, 0, -vg.Length(lineHeight*len(lines))))
	}
	if len(panels) > 0 {
		tiles := draw.Tiles{Rows: rows, Cols: inRow, PadX: 14, PadY: 14, PadTop: head + 10}
		for i, row := range plots {
			for j, p := range row {
				p.Draw(panels[i*inRow+j].annotate(tiles.At(inner, j, i)))
			}
		}
	}
	_, err := to.WriteTo(w)
	return err
}

func typeface(size vg.Length) font.Font {
	return font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size)
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

func (p *panel) plot() (*plot.Plot, error) {
	chart := plot.New()
	chart.Title.Text, chart.X.Label.Text, chart.Y.Label.Text = p.title, p.x, p.y
	chart.Title.TextStyle.Font = typeface(ordinary)
	chart.Title.TextStyle.Font.Weight = xfont.WeightBold
	chart.Title.Padding = 6
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Vertical.Width = color.Gray{0xe4}, 0.75
	grid.Horizontal = grid.Vertical
	chart.Add(grid)
	for _, c := range p.curves {
		if len(c.points) == 0 {
			continue
		}
		at := make(plotter.XYs, len(c.points))
		for i, q := range c.points {
			at[i] = plotter.XY{X: math.Log10(q.x), Y: math.Log10(q.y)}
		}
		line, points, err := plotter.NewLinePoints(at)
		if err != nil {
			return nil, err
		}
		line.LineStyle = draw.LineStyle{Color: c.colour, Width: 1.2}
		points.GlyphStyleFunc = func(i int) draw.GlyphStyle { return c.points[i].glyph(c.colour) }
		chart.Add(line, points)
	}
	// The axes are of logarithms: those of plot's LogScale leave room above for a label that is in their middle.
	for _, a := range []*plot.Axis{&chart.X, &chart.Y} {
		if a.Min > a.Max { // no points
			a.Min, a.Max = 0, 1
		}
		margin := max(0.06*(a.Max-a.Min), 0.1)
		a.Min, a.Max, a.Padding = a.Min-margin, a.Max+margin, 0
		a.Label.TextStyle.Font, a.Tick.Label.Font = typeface(ordinary), typeface(ordinary)
		a.Tick.Marker, a.Tick.Length = plot.TickerFunc(ticks), 3
	}
	return chart, nil
}

// glyph is a disc, or a ring with a white middle.
func (p point) glyph(c color.Color) draw.GlyphStyle {
	g := draw.GlyphStyle{Color: c, Radius: 3, Shape: draw.CircleGlyph{}}
	if p.hollow {
		g.Shape = hollow{}
	}
	return g
}

// hollow hides the line beneath a ring.
type hollow struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (hollow) DrawGlyph(c *draw.Canvas, g draw.GlyphStyle, at vg.Point) {
	c.SetColor(color.White)
	draw.CircleGlyph{}.DrawGlyph(c, g, at)
	c.SetLineStyle(draw.LineStyle{Color: g.Color, Width: 1.2})
	var circle vg.Path
	circle.Move(vg.Point{X: at.X + g.Radius, Y: at.Y})
	circle.Arc(at, g.Radius, 0, 2*math.Pi)
	c.Stroke(circle)
}

// annotate writes the notes below one another at the right and returns what they leave.
func (p *panel) annotate(c draw.Canvas) draw.Canvas {
	style := text.Style{Font: typeface(small), XAlign: draw.XRight, YAlign: draw.YTop, Handler: plot.DefaultTextHandler}
	var room vg.Length
	for i, n := range p.notes {
		style.Color = n.colour
		c.FillText(style, vg.Point{X: c.Max.X, Y: c.Max.Y - vg.Length(noteHeight*(i+2))}, n.text)
		room = max(room, style.Width(n.text)+4)
	}
	return draw.Crop(c, 0, -room, 0, 0)
}

// ticks are of logarithms, some ten at most: powers of ten or, of less than three of those, round numbers between too.
func ticks(low, high float64) (all []plot.Tick) {
	steps := []float64{1}
	switch span := high - low; {
	case span < 1.4:
		steps = []float64{1, 2, 3, 5, 7}
	case span < 3:
		steps = []float64{1, 2, 5}
	}
	every := max(1, math.Ceil((high-low)/9))
	for e := math.Floor(low); e <= high; e++ {
		for _, s := range steps {
			if t := e + math.Log10(s); t >= low && t <= high && math.Mod(e, every) == 0 {
				all = append(all, plot.Tick{Value: t, Label: tick(s * math.Pow(10, e))})
			}
		}
	}
	return all
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
		if r := &rows[i]; r.name() == job.Certified && !slices.Contains(s.deltas, r.Delta) {
			s.deltas = append(s.deltas, r.Delta)
		} else if r.Cells > 0 && !slices.Contains(s.cells, r.Cells) {
			s.cells = append(s.cells, r.Cells)
		}
	}
	slices.Sort(s.deltas)
	slices.Sort(s.cells)
	return s
}

// colour is the colour of a row's method. The colours differ in brightness too.
func colour(r *Row, s shades) color.Color {
	switch r.name() {
	case job.Dense:
		return rgb(0x222222)
	case job.Dense + " " + job.Float32:
		return rgb(0x999999)
	case job.Exact + " " + job.Float64:
		if r.Spots {
			return rgb(0x17becf)
		}
		return rgb(0x1f5fbf)
	case job.Exact + " " + job.Float32:
		return rgb(0x86aee6)
	case job.Certified:
		return []color.Color{rgb(0x0b7a4b), rgb(0x58b368), rgb(0xa8d08d), rgb(0xd0e6a5)}[min(3, slices.Index(s.deltas, r.Delta))]
	case job.Quantized:
		return []color.Color{rgb(0xf2a0bd), rgb(0xdc5a8c), rgb(0xb3124f), rgb(0x6b0a2f)}[min(3, slices.Index(s.cells, r.Cells))]
	case job.Support:
		return rgb(0x7b2d8b)
	case job.Sampled:
		return rgb(0xedae49)
	case job.Embedded:
		return rgb(0x8c564b)
	}
	return color.Black
}

func rgb(x uint32) color.Color { return color.NRGBA{uint8(x >> 16), uint8(x >> 8), uint8(x), 0xff} }

// least is the smallest error on the axis: smaller errors are drawn there.
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
		c := curve{label: r.label(), colour: colour(r, known)}
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
	return svg(w, fmt.Sprintf("Error against time. Below: %g or less. Hollow and joined to a full point: before polishing, or of quantized its estimate; hollow alone: predicted.", least), panels)
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
			c := curve{label: r.label(), colour: colour(r, known)}
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
	return svg(w, "Growth with the mesh. Hollow: predicted from some rows.", panels)
}
