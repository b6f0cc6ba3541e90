package figure

import (
	"fmt"
	"math"

	"genussink/viewer/colormap"
)

// Heat is a plan, or another matrix of values from 0, as a heat map, with a bar of what every row and column should hold
// and what it does.
type Heat struct {
	Title, Desc       string
	Rows, Columns     int
	Values            []float64 // row by row
	RowWant, RowHave  []float64 // nil: no bars
	ColWant, ColHave  []float64
	RowNames, ColName []string // nil: numbers
	At                *[2]int  // a row and a column that are outlined, -1 none; Look lights both of a vertex
}

// maxCells is the most rows or columns that are drawn one by one; of more, neighbours are added up.
const maxCells = 48

// heatPlan is where the cells lie.
type heatPlan struct {
	x, y, cell, bar float64 // of the corner of the first cell, its side, the longest bar
	rows, columns   int     // drawn
	byRow, byColumn int     // matrix rows in a drawn one
}

func (h *Heat) plan(l Look) heatPlan {
	p := heatPlan{byRow: max(1, (h.Rows+maxCells-1)/maxCells), byColumn: max(1, (h.Columns+maxCells-1)/maxCells)}
	p.rows, p.columns = (h.Rows+p.byRow-1)/p.byRow, (h.Columns+p.byColumn-1)/p.byColumn
	size := l.text()
	if h.RowWant != nil {
		p.bar = 3.5 * size
	}
	p.x, p.y = size*1.6+p.bar, size*1.8+p.bar
	p.cell = min((l.Width-p.x-size*0.6)/float64(max(p.columns, 1)), (l.Height-p.y-size*0.6)/float64(max(p.rows, 1)))
	p.x += max(0, (l.Width-p.x-size*0.6-p.cell*float64(p.columns))/2)
	return p
}

// gathered adds up neighbours.
func gathered(list []float64, by int) []float64 {
	out := make([]float64, (len(list)+by-1)/by)
	for i, x := range list {
		out[i/by] += x
	}
	return out
}

// Targets are the rows, then the columns.
func (h *Heat) Targets(l Look) []Target {
	p := h.plan(l)
	var out []Target
	for i := range p.rows {
		out = append(out, Target{Ref{Row, i * p.byRow}, p.x + p.cell*float64(p.columns)/2, p.y + p.cell*(float64(i)+0.5), p.cell * float64(p.columns), p.cell, "Row " + h.name(h.RowNames, i*p.byRow)})
	}
	for j := range p.columns {
		out = append(out, Target{Ref{Column, j * p.byColumn}, p.x + p.cell*(float64(j)+0.5), p.y - p.bar/2, p.cell, p.bar + l.text(), "Column " + h.name(h.ColName, j*p.byColumn)})
	}
	return out
}

func (h *Heat) name(names []string, i int) string {
	if words := at(names, i); words != "" {
		return words
	}
	return fmt.Sprint(i + 1)
}

// Links adds nothing: rows and columns are vertices themselves.
func (h *Heat) Links(Ref) Lit { return Lit{} }

// SVG draws the matrix.
func (h *Heat) SVG(prefix string, l Look) string {
	s := begin(prefix, l, h.Title, h.Desc)
	p, colors := h.plan(l), l.palette()
	size := l.text()
	sums := make([]float64, p.rows*p.columns)
	most := 0.0
	for i := range h.Rows {
		for j := range h.Columns {
			sums[i/p.byRow*p.columns+j/p.byColumn] += h.Values[i*h.Columns+j]
		}
	}
	for _, x := range sums {
		most = max(most, x)
	}
	s.rect(p.x, p.y, p.cell*float64(p.columns), p.cell*float64(p.rows), 0, shade{fill: hex(colormap.Viridis(0)), stroke: colors.muted, width: 1})
	targets := h.Targets(l)
	for i := range p.rows {
		s.open(targets[i], l.Lit.vertex(i*p.byRow), nil)
		s.rect(p.x, p.y+p.cell*float64(i), p.cell*float64(p.columns), p.cell, 0, shade{fill: "transparent"})
		for j := range p.columns {
			// The root spreads small values, which are most of a plan's.
			if v := math.Sqrt(sums[i*p.columns+j] / max(most, 1e-300)); v > 0.02 {
				s.rect(p.x+p.cell*float64(j), p.y+p.cell*float64(i), p.cell+0.15, p.cell+0.15, 0, shade{fill: hex(colormap.Viridis(v))})
			}
		}
		s.shut()
	}
	if h.RowWant != nil {
		h.bars(s, l, p, targets, gathered(h.RowWant, p.byRow), gathered(h.RowHave, p.byRow), true)
		h.bars(s, l, p, targets, gathered(h.ColWant, p.byColumn), gathered(h.ColHave, p.byColumn), false)
	}
	accent := strong(l.accent(), l.Theme)
	outline := func(row, column int) {
		if i := row / p.byRow; row >= 0 && row < h.Rows {
			s.rect(p.x, p.y+p.cell*float64(i), p.cell*float64(p.columns), p.cell, 0, shade{fill: "none", stroke: accent, width: 2})
		}
		if j := column / p.byColumn; column >= 0 && column < h.Columns {
			s.rect(p.x+p.cell*float64(j), p.y, p.cell, p.cell*float64(p.rows), 0, shade{fill: "none", stroke: accent, width: 2})
		}
	}
	for _, v := range l.Lit.Vertices {
		outline(v, v)
	}
	if h.At != nil {
		outline(h.At[0], h.At[1])
	}
	s.text("to →", p.x, p.y-p.bar-size*0.5, "start", colors.muted, false)
	s.text("from ↓", max(p.x-p.bar-size*0.4, 0), p.y-size*0.5, "start", colors.muted, false)
	return s.end()
}

// bars draws what rows or columns should hold, as outlines, and what they hold.
func (h *Heat) bars(s *svg, l Look, p heatPlan, targets []Target, want, have []float64, rows bool) {
	most := 0.0
	for i := range want {
		most = max(most, want[i], at(have, i))
	}
	color := shade{fill: strong(colormap.Target(), l.Theme)}
	if rows {
		color.fill = strong(colormap.Source(), l.Theme)
	}
	outline := shade{fill: "none", stroke: l.palette().ink, width: 1}
	for i := range want {
		for k, x := range []float64{at(have, i), want[i]} {
			long := p.bar * 0.9 * x / max(most, 1e-300)
			d := color
			if k == 1 {
				d = outline
			}
			if rows {
				s.rect(p.x-2-long, p.y+p.cell*(float64(i)+0.1), long, p.cell*0.8, 0, d)
				continue
			}
			if k == 0 {
				s.open(targets[p.rows+i], l.Lit.vertex(i*p.byColumn), nil)
			}
			s.rect(p.x+p.cell*(float64(i)+0.1), p.y-2-long, p.cell*0.8, long, 0, d)
			if k == 1 {
				s.shut()
			}
		}
	}
}
