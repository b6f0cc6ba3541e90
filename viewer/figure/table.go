package figure

import (
	"fmt"
	"strings"
)

// Table lists things, a row each. The row of a bag or of a point is lit with it.
type Table struct {
	Title, Desc string
	Head        []string
	Entries     []Entry
}

// Entry is a row of a table.
type Entry struct {
	Ref   // what it is about
	Role  Role
	Cells []string
}

// rowHeight is that of a row, in units of the text's size.
const rowHeight = 1.9

// Room is how high a drawing has to be.
func (t *Table) Room(l Look) float64 { return l.text() * rowHeight * float64(len(t.Entries)+1) }

// columns are the left edges of the columns, and the size of letters with which they fit the width.
func (t *Table) columns(l Look) (x []float64, size float64) {
	const pad, gap = 0.6, 1.4
	across := pad
	for c := range t.Head {
		widest := letters(t.Head[c])
		for _, entry := range t.Entries {
			widest = max(widest, letters(at(entry.Cells, c)))
		}
		x = append(x, across)
		across += widest + gap
	}
	size = min(l.text(), l.Width/max(across-gap+pad, 1))
	for c := range x {
		x[c] *= size
	}
	return x, size
}

// Targets are the rows.
func (t *Table) Targets(l Look) (out []Target) {
	high := l.Height / float64(len(t.Entries)+1)
	for i, entry := range t.Entries {
		var words []string
		for c, cell := range entry.Cells {
			words = append(words, at(t.Head, c)+" "+cell)
		}
		out = append(out, Target{entry.Ref, l.Width / 2, high * (float64(i) + 1.5), l.Width, high, strings.Join(words, ", ") + state(entry.Role)})
	}
	return out
}

// Links adds nothing: what a row is about is drawn in another figure.
func (t *Table) Links(Ref) (lit Lit) { return lit }

// SVG draws the rows below their head.
func (t *Table) SVG(prefix string, l Look) string {
	p := l.palette()
	s := begin(prefix, l, t.Title, t.Desc)
	x, size := t.columns(l)
	fmt.Fprintf(s, `<g font-size="%s">`, number(size))
	high := l.Height / float64(len(t.Entries)+1)
	below := 0.36 * size // from the middle of a row to its letters' baseline
	accent := strong(l.accent(), l.Theme)
	for c, word := range t.Head {
		s.text(word, x[c], high/2+below, "start", p.muted, false)
	}
	for i, target := range t.Targets(l) {
		entry := t.Entries[i]
		lit := entry.Kind == Bag && l.Lit.bag(entry.ID) || entry.Kind == Point && l.Lit.point(entry.ID)
		s.open(target, lit, nil)
		s.line(0, target.Y-high/2, l.Width, target.Y-high/2, p.line, 0.5, "")
		frame := shade{fill: "transparent"}
		if lit {
			frame.stroke, frame.width = accent, 2
		}
		s.rect(1, target.Y-high/2+1, l.Width-2, high-2, 4, frame)
		for c, cell := range entry.Cells {
			s.text(cell, x[c], target.Y+below, "start", p.ink, entry.Role != Plain)
		}
		s.shut()
	}
	s.shut()
	return s.end()
}
