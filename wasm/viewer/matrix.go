//go:build js

package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"syscall/js"

	"genussink/viewer/figure"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// matrixDrawing is the plan as a matrix of cells, linked with the mesh.
type matrixDrawing struct {
	of    *float64 // the first value of what is drawn
	heat  figure.Heat
	look  figure.Look
	drawn string
	focus figure.Ref // what the Tab key reaches
	calm  bool       // the document is being changed: focus that moves is not a person's
}

// matrixPrefix begins the ids in the drawing.
const matrixPrefix = "plan-matrix"

// matrixControls connects what shows the plan as a matrix.
func (p *page) matrixControls() {
	d, box := &p.matrix, p.id("matrix")
	state := func() scene.MatrixState { return p.scene.State().Transport.Matrix }
	p.click("matrix-show", func() {
		p.scene.ShowMatrix(!state().Wanted)
		p.send() // not at the next frame: now
	})
	p.click("matrix-back", func() { p.scene.Separation.Level(state().Level - 1) })
	p.click("matrix-on", func() { p.scene.Separation.Level(state().Level + 1) })
	at := func(e js.Value) (x, y float64, ok bool) {
		b := box.Get("firstElementChild")
		if !b.Truthy() {
			return 0, 0, false
		}
		r := b.Call("getBoundingClientRect")
		scale := d.look.Width / r.Get("width").Float()
		return (e.Get("clientX").Float() - r.Get("left").Float()) * scale, (e.Get("clientY").Float() - r.Get("top").Float()) * scale, true
	}
	point := func(e js.Value) {
		x, y, ok := at(e)
		if !ok {
			return
		}
		targets, row, column := d.heat.Targets(d.look), -1, -1
		switch r, hit := closest(targets, x, y, near); {
		case !hit:
		case r.Kind == figure.Column:
			column = r.ID
		default:
			row = r.ID
			for _, t := range targets {
				if t.Kind == figure.Column && 2*math.Abs(x-t.X) <= t.W {
					column = t.ID
				}
			}
		}
		p.scene.PointMatrix(row, column)
	}
	box.On("pointermove", point)
	box.On("click", func(e js.Value) {
		if e.Get("detail").Int() > 0 { // a press of the keyboard or of a screen reader has no place, and the focus has said it
			point(e)
		}
	})
	box.On("pointerleave", func(e js.Value) {
		if e.Get("pointerType").String() == "mouse" {
			p.scene.PointMatrix(-1, -1)
		}
	})
	box.On("focusin", func(e js.Value) {
		if d.calm {
			return
		}
		for _, t := range d.heat.Targets(d.look) {
			if e.Get("target").Get("id").String() != matrixTarget(t.Ref) {
				continue
			}
			if d.focus = t.Ref; e.Get("target").Call("matches", ":focus-visible").Bool() {
				p.pointMatrix(t.Ref)
			}
		}
	})
	box.On("focusout", func(js.Value) {
		if !d.calm {
			p.scene.PointMatrix(-1, -1)
		}
	})
	box.On("keydown", p.matrixKey)
}

// matrixTarget is the id of a row's or a column's element.
func matrixTarget(r figure.Ref) string {
	return fmt.Sprintf("%s-%s-%d", matrixPrefix, r.Kind, r.ID)
}

// matrixKey walks through rows and columns.
func (p *page) matrixKey(e js.Value) {
	d := &p.matrix
	all := d.heat.Targets(d.look)
	here := slices.IndexFunc(all, func(t figure.Target) bool { return t.Ref == d.focus })
	if here < 0 {
		return
	}
	key := e.Get("key").String()
	to, walks := walked(all, here, key)
	if !walks && key != "Enter" && key != " " { // those two are not for the page's own keys
		return
	}
	e.Call("preventDefault")
	e.Call("stopPropagation")
	d.focus = all[to].Ref
	p.pointMatrix(d.focus)
	p.drawMatrix(true)
}

// pointMatrix lights a row or a column.
func (p *page) pointMatrix(r figure.Ref) {
	if r.Kind == figure.Row {
		p.scene.PointMatrix(r.ID, -1)
	} else {
		p.scene.PointMatrix(-1, r.ID)
	}
}

// matrixAt says what is pointed at.
func (p *page) matrixAt(row, column int) string {
	h := &p.matrix.heat
	switch groups := p.scene.Matrix.Groups(); {
	case row >= 0 && column >= 0:
		return fmt.Sprintf("From %s to %s: %s of the mass.", groupName(groups[row]), groupName(groups[column]), quantity.Percent(h.Values[row*h.Columns+column]))
	case row >= 0:
		return sentence(h.RowNames[row])
	case column >= 0:
		return sentence(h.ColName[column])
	}
	return "Point at an entry or a bar: the mesh shows the cells."
}

func groupName(g scene.Group) string {
	if g.Path == "" {
		return "separators"
	}
	return "cell " + g.Path
}

// showMatrix follows the scene.
func (p *page) showMatrix(st scene.State) {
	d, m, t := &p.matrix, &p.scene.Matrix, st.Transport.Matrix
	button := "Show the plan as a matrix"
	if t.Wanted {
		button = "Hide matrix"
	}
	p.id("matrix-show").Text(button).Enable(t.Available || t.Wanted)
	p.id("matrix-back").Show(t.Wanted).Enable(t.Shown && t.Level > 0)
	p.id("matrix-on").Show(t.Wanted).Enable(t.Shown && t.Level < len(st.Separation.Levels)-1 && t.Level == st.Separation.Level)
	p.text("matrix-note", matrixNote(t, st.Separation.Level))
	if !t.Shown {
		if d.of != nil {
			d.of, d.drawn = nil, ""
			d.calm = true
			p.id("matrix").Clear()
			d.calm = false
			p.text("matrix-at", "")
		}
		return
	}
	if values := m.Values(); d.of != &values[0] {
		d.of = &values[0]
		d.heat = matrixHeat(m)
		d.focus = figure.Ref{Kind: figure.Row}
	}
	d.look = figure.Look{Width: treeWidth, Height: treeWidth, Theme: p.scene.View.Theme()}
	d.heat.At = &[2]int{t.Row, t.Column}
	p.text("matrix-at", p.matrixAt(t.Row, t.Column))
	p.drawMatrix(p.id("matrix").Call("contains", dom.Document().Get("activeElement")).Bool())
}

// matrixHeat is the matrix as it is drawn.
func matrixHeat(m *scene.Matrix) figure.Heat {
	groups := m.Groups()
	n := len(groups)
	h := figure.Heat{
		Title: "The plan between cells", Desc: "A row is a cell that sends mass, a column is a cell that receives it. Bars are the sums of rows and columns. Outlines are what these sums should be.",
		Rows: n, Columns: n, Values: m.Values(),
	}
	h.RowHave, h.ColHave = m.Sums()
	for i, g := range groups {
		h.RowWant, h.ColWant = append(h.RowWant, g.Want[0]), append(h.ColWant, g.Want[1])
		to, from := 0, 0 // with the most
		for k := range n {
			if h.Values[i*n+k] > h.Values[i*n+to] {
				to = k
			}
			if h.Values[k*n+i] > h.Values[from*n+i] {
				from = k
			}
		}
		name := groupName(g) + ", " + plural(g.Vertices, "vertex")
		h.RowNames = append(h.RowNames, fmt.Sprintf("%s: sends %s, most to %s", name, quantity.Percent(h.RowHave[i]), groupName(groups[to])))
		h.ColName = append(h.ColName, fmt.Sprintf("%s: receives %s, most from %s", name, quantity.Percent(h.ColHave[i]), groupName(groups[from])))
	}
	return h
}

// matrixNote says what is to be seen, or how far it is.
func matrixNote(t scene.MatrixState, level int) string {
	switch {
	case !t.Wanted:
		return "How much mass each cell of the separators sends to each other one."
	case !t.Available:
		return "The matrix follows the next plan."
	case !t.Shown:
		quarter := max(1, (t.Groups+3)/4) // a screen reader need not say each
		return fmt.Sprintf("Summing up: %d of %s…", t.Done/quarter*quarter, plural(t.Groups, "column"))
	}
	words := fmt.Sprintf("%s at level %d, in the order of the tree, and the separators last. A row is where a cell’s mass goes, a column where it comes from. Bars are their sums, outlines what the densities want.", plural(t.Groups-1, "cell"), t.Level)
	if t.Level < level {
		words += fmt.Sprintf(" The mesh’s level %d has more cells than can be told apart here.", level)
	}
	return words
}

// drawMatrix draws what has changed, and gives the focus to what the Tab key reaches if so wanted.
func (p *page) drawMatrix(focused bool) {
	d, box := &p.matrix, p.id("matrix")
	d.calm = true
	if text := d.heat.SVG(matrixPrefix, d.look); text != d.drawn {
		d.drawn = text
		box.Call("replaceChildren", dom.Markup(text))
	}
	if t := dom.Document().Call("getElementById", matrixTarget(d.focus)); t.Truthy() {
		if first := box.Call("querySelector", `[tabindex="0"]`); first.Truthy() {
			first.Call("setAttribute", "tabindex", "-1")
		}
		t.Call("setAttribute", "tabindex", "0")
		if focused {
			t.Call("focus", map[string]any{"preventScroll": true})
		}
	}
	d.calm = false
}

// plainMatrix is the matrix for scripts, nil where none is shown.
func (p *page) plainMatrix() any {
	m := &p.scene.Matrix
	if !p.scene.State().Transport.Matrix.Shown {
		return nil
	}
	var names []string
	for _, g := range m.Groups() {
		names = append(names, strings.TrimPrefix(groupName(g), "cell "))
	}
	return map[string]any{"names": names, "groups": m.Of(), "values": m.Values()}
}
