package figure

import (
	"fmt"
	"slices"
	"strconv"

	"genussink/viewer/colormap"
)

// Cover is a block of the kernel between two sides of a graph: which hub, a vertex on their way, each pair of a row and a column takes. A box is a
// run of columns that some rows reach through one hub. Bars at the edges tell how many vertices a row or a column stands for, where that is more
// than one of any.
type Cover struct {
	Title, Desc   string
	Rows, Columns [][]int // the vertices that each stands for
	Runs          []BlockRun
	Hubs          []int // the vertex of every hub
	HubNames      []string
	Roles         []Role  // of the runs
	Mark          *[2]int // a row and a column to mark; nil: none
}

// BlockRuns are the runs of a stored block, five numbers each: rows from and to, columns from and to, and the hub, one of those listed.
func BlockRuns(runs, hubs []int32) (out []BlockRun) {
	for r := range slices.Chunk(runs, 5) {
		out = append(out, BlockRun{int(r[0]), int(r[1]), int(r[2]), int(r[3]), slices.Index(hubs, r[4])})
	}
	return out
}

// most is how many vertices a row or a column stands for at most.
func (c *Cover) most() (n int) {
	for _, side := range [][][]int{c.Rows, c.Columns} {
		for _, list := range side {
			n = max(n, len(list))
		}
	}
	return n
}

// cell is the corner of the first pair's box, its size, and the length of the longest bar.
func (c *Cover) cell(l Look) (x, y, w, h, bar float64) {
	size := l.text()
	if c.most() > 1 {
		bar = size * 1.5
	}
	x, y = size*2+bar, size*4.3+bar // beside the numbers
	w = (l.Width - x - size*0.5) / float64(max(len(c.Columns), 1))
	h = (l.Height - y - size*0.5) / float64(max(len(c.Rows), 1))
	if w > h {
		w = min(w, 3*h)
	} else {
		h = min(h, 2*w)
	}
	return x, y, w, h, bar
}

// span names some of a side's rows or columns, from one to before another.
func span(word string, from, to int) string {
	if to-from == 1 {
		return fmt.Sprintf("%s %d", word, to)
	}
	return fmt.Sprintf("%ss %d to %d", word, from+1, to)
}

// numbered says whether row or column n, counted from 1, shows its number. The first does. Of the others every one does, or every fifth, or every
// tenth and so on, as there is room. Where there is none only the first does.
func numbered(n int, wide, room float64) bool {
	step := 1
	for k := 0; step < 1e6 && wide*float64(step) < room; k++ {
		step *= []int{5, 2}[k%2]
	}
	return n == 1 || n%step == 0
}

// Targets are the runs.
func (c *Cover) Targets(l Look) []Target {
	x, y, w, h, _ := c.cell(l)
	var out []Target
	for id, r := range c.Runs {
		out = append(out, Target{Ref{Run, id}, x + w*float64(r.From+r.To)/2, y + h*float64(r.FirstRow+r.LastRow)/2, w * float64(r.To-r.From), h * float64(r.LastRow-r.FirstRow),
			fmt.Sprintf("%s, %s through %s", span("Row", r.FirstRow, r.LastRow), span("column", r.From, r.To), at(c.HubNames, r.Hub)) + state(at(c.Roles, id))})
	}
	return out
}

// Links adds the vertices of a run: its rows', its columns' and its hub.
func (c *Cover) Links(r Ref) (lit Lit) {
	if r.Kind != Run || r.ID >= len(c.Runs) {
		return lit
	}
	run := c.Runs[r.ID]
	for _, list := range append(slices.Clone(c.Rows[run.FirstRow:run.LastRow]), c.Columns[run.From:run.To]...) {
		lit.Vertices = append(lit.Vertices, list...)
	}
	lit.Vertices = append(lit.Vertices, c.Hubs[run.Hub])
	return lit
}

// lit says of every run whether it is selected: it has a selected vertex among its rows and one among its columns, as far as any row or any
// column of the block has one. Where none has, runs through a selected hub are.
func (c *Cover) lit(l Lit) []bool {
	out := make([]bool, len(c.Runs))
	has := func(lists [][]int) bool {
		return slices.ContainsFunc(lists, func(list []int) bool { return slices.ContainsFunc(list, l.vertex) })
	}
	rows, columns := has(c.Rows), has(c.Columns)
	for id, r := range c.Runs {
		if !rows && !columns {
			out[id] = l.vertex(c.Hubs[r.Hub])
			continue
		}
		out[id] = (!rows || has(c.Rows[r.FirstRow:r.LastRow])) && (!columns || has(c.Columns[r.From:r.To]))
	}
	return out
}

// hubColor is that of hub k: hues around the circle, lighter and darker by turns.
func hubColor(k int) string {
	base := colormap.Left()
	light := []float64{0.6, 0.82, 0.45}[k%3]
	return hex(colormap.LCh{L: light, C: 0.09, H: base.H + 2.39996*float64(k)}.RGB())
}

// SVG draws the block.
func (c *Cover) SVG(prefix string, l Look) string {
	s := begin(prefix, l, c.Title, c.Desc)
	p := l.palette()
	size := l.text()
	x, y, w, h, bar := c.cell(l)
	at0 := size * 0.3
	for k, name := range c.HubNames {
		if !slices.ContainsFunc(c.Runs, func(r BlockRun) bool { return r.Hub == k }) {
			continue
		}
		wide := size * (letters(name) + 1.9)
		if at0+wide > l.Width {
			break // the others are named by their runs
		}
		s.rect(at0, size*0.5, size, size, 2, shade{fill: hubColor(k)})
		s.text(name, at0+1.3*size, size*1.4, "start", p.ink, false)
		at0 += wide
	}
	s.text("columns: B →    rows: A ↓", x, y-bar-size*1.5, "start", p.muted, false)
	for j := range len(c.Columns) {
		if numbered(j+1, w, 2*size) {
			s.text(strconv.Itoa(j+1), x+w*(float64(j)+0.5), y-bar-size*0.3, "middle", p.muted, false)
		}
	}
	for i := range len(c.Rows) {
		if numbered(i+1, h, 1.2*size) {
			s.text(strconv.Itoa(i+1), x-bar-size*0.3, y+h*(float64(i)+0.5)+size*0.35, "end", p.muted, false)
		}
	}
	if bar > 0 {
		long := (bar - 2) / float64(c.most())
		for i, list := range c.Rows {
			n := long * float64(len(list))
			s.rect(x-2-n, y+h*(float64(i)+0.1), n, 0.8*h, 0, shade{fill: p.muted})
		}
		for j, list := range c.Columns {
			n := long * float64(len(list))
			s.rect(x+w*(float64(j)+0.1), y-2-n, 0.8*w, n, 0, shade{fill: p.muted})
		}
	}
	lit := c.lit(l.Lit)
	gap := min(0.08*h, 1)
	for id, t := range c.Targets(l) {
		s.open(t, lit[id], nil)
		s.rect(t.X-t.W/2+gap/2, t.Y-t.H/2+gap/2, t.W-gap, t.H-gap, 0, shade{fill: hubColor(c.Runs[id].Hub)})
		d := shade{fill: "none", stroke: strong(l.accent(), l.Theme), width: 2}
		if r := at(c.Roles, id); r != Plain {
			d = l.shade(r)
			d.fill = "none"
		}
		if lit[id] || at(c.Roles, id) != Plain {
			s.rect(t.X-t.W/2+1, t.Y-t.H/2+1, max(t.W-2, 1), max(t.H-2, 1), 0, d)
		}
		s.shut()
	}
	if c.Mark != nil {
		s.rect(x+w*float64(c.Mark[1]), y+h*float64(c.Mark[0]), w, h, 0, shade{fill: "none", stroke: p.ink, width: 3})
	}
	return s.end()
}
