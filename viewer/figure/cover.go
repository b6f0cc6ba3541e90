package figure

import (
	"fmt"

	"genussink/viewer/colormap"
)

// Cover is the block between the two sides of a separator: which separator vertex, or hub, the shortest path of every
// pair takes. A run of one hub along a row is drawn as one.
type Cover struct {
	Title, Desc string
	Hubs        [][]int // of every row, the hub of every column, from 0
	HubNames    []string
	RowOf       []int // vertex of every row; nil: the row's number
	Roles       []Role
	Mark        *[2]int // a row and a column to mark; nil: none
}

// Runs is how many runs the rows have.
func (c *Cover) Runs() (runs int) {
	for _, row := range c.Hubs {
		for j := range row {
			if j == 0 || row[j] != row[j-1] {
				runs++
			}
		}
	}
	return runs
}

func (c *Cover) cell(l Look) (x, y, w, h float64) {
	size := l.text()
	x, y = size*1.5, size*3.4
	columns := 1
	if len(c.Hubs) > 0 {
		columns = max(len(c.Hubs[0]), 1)
	}
	w = (l.Width - x - size*0.5) / float64(columns)
	h = (l.Height - y - size*0.5) / float64(max(len(c.Hubs), 1))
	if w > h {
		w = min(w, 2*h)
	} else {
		h = min(h, 2*w)
	}
	return x, y, w, h
}

func (c *Cover) vertex(i int) int {
	if c.RowOf != nil {
		return c.RowOf[i]
	}
	return i
}

// Targets are the places where a run begins, row by row.
func (c *Cover) Targets(l Look) []Target {
	x, y, w, h := c.cell(l)
	var out []Target
	id := 0
	for i, row := range c.Hubs {
		for j := 0; j < len(row); {
			k := j
			for k < len(row) && row[k] == row[j] {
				k++
			}
			out = append(out, Target{Ref{Run, id}, x + w*float64(j+k)/2, y + h*(float64(i)+0.5), w * float64(k-j), h,
				fmt.Sprintf("Row %d, columns %d to %d through %s", i+1, j+1, k, c.hubName(row[j])) + state(at(c.Roles, id))})
			id++
			j = k
		}
	}
	return out
}

func (c *Cover) hubName(k int) string {
	if words := at(c.HubNames, k); words != "" {
		return words
	}
	return fmt.Sprintf("s%d", k+1)
}

// Links adds nothing.
func (c *Cover) Links(Ref) Lit { return Lit{} }

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
	x, y, w, h := c.cell(l)
	at0 := size * 0.3
	used := map[int]bool{}
	for _, row := range c.Hubs {
		for _, k := range row {
			used[k] = true
		}
	}
	for k := range len(used) + 64 {
		if !used[k] {
			continue
		}
		name := c.hubName(k)
		wide := size * (letters(name) + 1.9)
		if at0+wide > l.Width {
			break // the others are named by their runs
		}
		s.rect(at0, size*0.5, size, size, 2, shade{fill: hubColor(k)})
		s.text(name, at0+1.3*size, size*1.4, "start", p.ink, false)
		at0 += wide
	}
	s.text("columns: B →    rows: A ↓", x, y-size*0.5, "start", p.muted, false)
	targets := c.Targets(l)
	id := 0
	for i, row := range c.Hubs {
		for j := 0; j < len(row); {
			k := j
			for k < len(row) && row[k] == row[j] {
				k++
			}
			t := targets[id]
			s.open(t, l.Lit.vertex(c.vertex(i)), nil)
			gap := min(0.08*h, 1)
			s.rect(t.X-t.W/2+gap/2, t.Y-t.H/2+gap/2, t.W-gap, t.H-gap, 0, shade{fill: hubColor(row[j])})
			if r := at(c.Roles, id); r != Plain {
				d := l.shade(r)
				d.fill = "none"
				s.rect(t.X-t.W/2+1, t.Y-t.H/2+1, t.W-2, t.H-2, 0, d)
			}
			s.shut()
			id++
			j = k
		}
	}
	if c.Mark != nil {
		s.rect(x+w*float64(c.Mark[1]), y+h*float64(c.Mark[0]), w, h, 0, shade{fill: "none", stroke: p.ink, width: 3})
	}
	return s.end()
}
