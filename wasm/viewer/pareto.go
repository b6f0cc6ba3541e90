//go:build js

package main

import (
	"fmt"
	"syscall/js"

	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// paretoDrawing is the list of separators by size and balance, as a chart and
// as buttons.
type paretoDrawing struct {
	key     string
	dots    []*dom.Element
	buttons []*dom.Element
}

const (
	paretoWidth  = 272.0 // as the viewBox in index.html
	paretoHeight = 96.0
	paretoLeft   = 28.0
	paretoBottom = 14.0
)

// share is the smaller side's share of all vertices.
func share(c scene.CutState) float64 {
	return float64(min(c.A, c.B)) / float64(max(c.A+c.S+c.B, 1))
}

func (p *page) showPareto(st scene.State) {
	sep := st.Separation
	p.id("sweep").Enable(st.Ready)
	p.id("pareto").Show(sep.Swept)
	p.id("take-none").Show(sep.Taken >= 0)
	d := &p.pareto
	if key := fmt.Sprint(sep.Cuts, st.Mesh.Components); key != d.key {
		d.key = key
		p.drawPareto(sep.Cuts, st.Mesh.Components == 1)
	}
	for i := range d.buttons {
		d.buttons[i].Press(i == sep.Taken)
		d.dots[i].Class("taken", i == sep.Taken)
	}
}

// svgText is a text in a drawing; anchor is start, middle or end.
func svgText(text string, x, y float64, anchor string) *dom.Element {
	return dom.NewSVG("text", "").Number("x", x).Number("y", y).Attr("text-anchor", anchor).Text(text)
}

// drawPareto draws the list; a person may take a separation of it where the
// graph is connected.
func (p *page) drawPareto(cuts []scene.CutState, mayTake bool) {
	d := &p.pareto
	d.dots, d.buttons = nil, nil
	svg, list := p.id("pareto-chart").Clear(), p.id("pareto-list").Clear()
	if len(cuts) == 0 {
		return
	}
	top := 1
	for _, c := range cuts {
		top = max(top, c.S)
	}
	x := func(c scene.CutState) float64 { return paretoLeft + (paretoWidth-paretoLeft-8)*2*share(c) }
	y := func(c scene.CutState) float64 { return 8 + (paretoHeight-paretoBottom-8)*(1-float64(c.S)/float64(top)) }
	base := paretoHeight - paretoBottom
	svg.Append(
		dom.NewSVG("line", "axis").Number("x1", paretoLeft).Number("y1", base).Number("x2", paretoWidth).Number("y2", base),
		dom.NewSVG("line", "axis").Number("x1", paretoLeft).Number("y1", 4).Number("x2", paretoLeft).Number("y2", base),
		svgText("|S|", paretoLeft-6, 20, "end"), svgText(quantity.Count(top), paretoLeft-6, 10, "end"), svgText("0", paretoLeft-6, base, "end"),
		svgText("smaller side 0 %", paretoLeft, paretoHeight-2, "start"), svgText("50 %", paretoWidth-8, paretoHeight-2, "middle"))
	points := ""
	for _, c := range cuts {
		points += fmt.Sprintf("%.1f,%.1f ", x(c), y(c))
	}
	svg.Append(dom.NewSVG("polyline", "").Attr("points", points))
	for i, c := range cuts {
		take := func(js.Value) { p.scene.Take(i) }
		words := fmt.Sprintf("|S| %s, smaller side %s", quantity.Count(c.S), quantity.Percent(share(c)))
		dot := dom.NewSVG("circle", "").Number("cx", round(x(c))).Number("cy", round(y(c))).Number("r", 4)
		dot.Append(dom.NewSVG("title", "").Text(words))
		button := dom.New("button", "").Attr("type", "button").Append(
			dom.New("span", "").Text(fmt.Sprintf("|S| %s", quantity.Count(c.S))),
			dom.New("span", "").Text(fmt.Sprintf("%s | %s", quantity.Count(c.A), quantity.Count(c.B))),
			dom.New("span", "").Text(quantity.Percent(share(c))))
		button.Attr("aria-label", words).Enable(mayTake)
		if mayTake {
			dot.On("click", take)
			button.On("click", take)
		}
		svg.Append(dot)
		list.Append(button)
		d.dots, d.buttons = append(d.dots, dot), append(d.buttons, button)
	}
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
	words := "The root's separation"
	switch {
	case st.Separation.Taken >= 0 && st.Separation.Cell <= 0:
		words = "The root's separation, taken from the list"
	case st.Separation.Cell > 0 && node.Left < 0 && node.Right < 0:
		words = fmt.Sprintf("A leaf at level %d", node.Depth)
	case st.Separation.Cell > 0:
		words = fmt.Sprintf("A cell at level %d", node.Depth)
	}
	if st.Separation.Cell >= 0 {
		words += ", in focus: Esc lets go"
	}
	p.text("cell-note", words+". Click a node of the tree, or a cell on the mesh.")
}
