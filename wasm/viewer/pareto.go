//go:build js

package main

import (
	"fmt"
	"slices"
	"strings"
	"syscall/js"

	"genussink/viewer/colormap"
	"genussink/viewer/figure"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// paretoDrawing is the list of separators by size and balance, as the lessons'
// chart and as buttons.
type paretoDrawing struct {
	cuts    []scene.CutState
	many    bool // the graph has several components, so that none of the cuts can be taken
	taken   int
	stale   bool // the chart must be drawn anew
	chart   *figure.Chart
	look    figure.Look
	at      figure.Ref // the dot that the Tab key reaches
	buttons []*dom.Element
}

// The chart's size in pixels; its width is that of the panel, if it is shown.
const (
	paretoWidth  = 272.0
	paretoHeight = 190.0
)

func (p *page) paretoControls() {
	d, box := &p.pareto, p.id("pareto-chart")
	d.at.Kind = figure.Point
	box.On("click", func(e js.Value) {
		drawing := box.Get("firstElementChild")
		if !drawing.Truthy() {
			return
		}
		r, ok := over(drawing, e, d.chart, d.look)
		if !ok { // a click without a place
			r, ok = target(e.Get("target"))
		}
		if ok {
			d.at = r
			p.scene.Take(r.ID)
		}
	})
	box.On("keydown", func(e js.Value) {
		r, ok := target(e.Get("target"))
		if !ok {
			return
		}
		all := d.chart.Targets(d.look)
		here := slices.IndexFunc(all, func(t figure.Target) bool { return t.Ref == r })
		key := e.Get("key").String()
		to, walks := walked(all, here, key)
		switch {
		case walks:
			d.at = all[to].Ref
			p.reachDot(true)
		case key == "Enter" || key == " ":
			d.at = r
			p.scene.Take(r.ID)
		default:
			return
		}
		e.Call("preventDefault")
	})
	p.id("pareto-list").On("click", func(e js.Value) {
		if i, ok := clickedOn(e, "cut"); ok {
			p.scene.Take(i)
		}
	})
	dom.Listen(dom.Window(), "resize", func(js.Value) { d.stale = true })
}

// share is the smaller side's share of all vertices.
func share(c scene.CutState) float64 {
	return float64(min(c.A, c.B)) / float64(max(c.A+c.S+c.B, 1))
}

func (p *page) showPareto(st scene.State) {
	sep := st.Separation
	p.id("sweep").Enable(st.Ready)
	p.id("pareto").Show(sep.Swept)
	p.id("take-none").Show(sep.Taken >= 0)
	d, many, theme := &p.pareto, st.Mesh.Components > 1, p.scene.View.Theme()
	if many != d.many || !slices.Equal(sep.Cuts, d.cuts) {
		d.cuts, d.many, d.stale = slices.Clone(sep.Cuts), many, true
		p.listPareto()
	}
	p.id("pareto-note").Show(many)
	for i := range d.buttons {
		d.buttons[i].Press(i == sep.Taken)
	}
	if d.stale || sep.Taken != d.taken || theme != d.look.Theme {
		d.taken, d.stale = sep.Taken, false
		p.drawPareto(theme)
	}
}

// listPareto makes a button for each separation; a person may take one where the graph is connected. It is one text: to make hundreds of
// elements takes long.
func (p *page) listPareto() {
	d := &p.pareto
	var rows strings.Builder
	disabled := ""
	if d.many {
		disabled = ` disabled="disabled"`
	}
	for i, c := range d.cuts {
		size, part := quantity.Count(c.S), quantity.Percent(share(c))
		fmt.Fprintf(&rows, `<button type="button" data-cut="%d" aria-pressed="false" aria-label="|S| %s, smaller side %s"%s><span>|S| %[2]s</span><span>%[5]s | %[6]s</span><span>%[3]s</span></button>`,
			i, size, part, disabled, quantity.Count(c.A), quantity.Count(c.B))
	}
	list := dom.Markup(`<div xmlns="http://www.w3.org/1999/xhtml">` + rows.String() + `</div>`)
	p.id("pareto-list").Call("replaceChildren", list)
	d.buttons, d.at.ID = nil, 0
	for i := range d.cuts {
		d.buttons = append(d.buttons, &dom.Element{Value: list.Get("children").Index(i)})
	}
}

// drawPareto draws the front; the separation taken is marked.
func (p *page) drawPareto(theme colormap.Theme) {
	d, box := &p.pareto, p.id("pareto-chart")
	if len(d.cuts) == 0 {
		box.Clear()
		d.look.Theme = theme
		return
	}
	cuts := make([]figure.Cut, len(d.cuts))
	for i, c := range d.cuts {
		cuts[i] = figure.Cut{Size: c.S, Balance: share(c)}
	}
	d.chart = figure.Front("Size against balance", "Every dot is a separator; none beats another in both.", cuts, nil)
	if d.taken >= 0 {
		d.chart.Dots[d.taken].Role, d.chart.Dots[d.taken].Label = figure.Current, "taken"
	}
	width := box.Get("clientWidth").Float()
	if width == 0 {
		width = paretoWidth
	}
	d.look = figure.Look{Width: width, Height: paretoHeight, Theme: theme}
	focused := box.Call("contains", dom.Document().Get("activeElement")).Bool()
	box.Call("replaceChildren", dom.Markup(d.chart.SVG("pareto-figure", d.look)))
	if d.many {
		dots := box.Call("querySelectorAll", ".target")
		for i := range dots.Length() {
			dots.Index(i).Call("setAttribute", "aria-disabled", "true")
		}
	}
	p.reachDot(focused)
}

// reachDot lets the Tab key reach a dot, and gives it the focus if it is to have it.
func (p *page) reachDot(focus bool) {
	box := p.id("pareto-chart").Value
	dot := box.Call("querySelector", fmt.Sprintf("#pareto-figure-%s-%d", p.pareto.at.Kind, p.pareto.at.ID))
	rove(box, dot)
	if focus {
		dot.Call("focus")
	}
}

// svgText is a text in a drawing; anchor is start, middle or end.
func svgText(text string, x, y float64, anchor string) *dom.Element {
	return dom.NewSVG("text", "").Number("x", x).Number("y", y).Attr("text-anchor", anchor).Text(text)
}

// showCell tells the sizes of the cell in focus, of the root without one.
func (p *page) showCell(st scene.State) {
	t := p.scene.Separation.Tree()
	if t == nil || len(t.Nodes) == 0 {
		for _, id := range []string{"cell-a", "cell-s", "cell-b", "cell-ratio", "cell-time"} {
			p.text(id, "–")
		}
		p.text("cell-note", "")
		return
	}
	node := t.Nodes[max(st.Separation.Cell, 0)]
	l := scene.LevelState{Nodes: 1, A: int(node.A), S: int(node.S), B: int(node.B)}
	p.text("cell-a", quantity.Count(l.A))
	p.text("cell-s", quantity.Count(l.S))
	p.text("cell-b", quantity.Count(l.B))
	p.text("cell-ratio", fmt.Sprintf("%.2f", ratio(l)))
	p.text("cell-time", milliseconds(1000*st.Separation.Seconds))
	words := "The root’s separation"
	switch {
	case st.Separation.Taken >= 0 && st.Separation.Cell <= 0:
		words = "The root’s separation, taken from the list whatever the balance"
	case st.Separation.Cell > 0 && node.Left < 0 && node.Right < 0:
		words = fmt.Sprintf("A leaf at level %d", node.Depth)
	case st.Separation.Cell > 0:
		words = fmt.Sprintf("A cell at level %d", node.Depth)
	}
	if st.Separation.Cell >= 0 {
		words += ", in focus: Esc lets go"
	}
	words += "."
	if l.S == 0 && l.A > 0 && l.B > 0 {
		words += " Components are split off first, without a separator. The balance is that of cuts within a component."
	}
	p.text("cell-note", words+" Click a node of the tree, or a cell.")
}
