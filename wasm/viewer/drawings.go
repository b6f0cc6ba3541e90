//go:build js

package main

import (
	"fmt"
	"strings"
	"syscall/js"

	"genussink/viewer/colormap"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
)

// drawing is a figure of the panel that can be saved.
type drawing struct {
	id, name string                        // of the element; of its button, which is the figure's caption too
	missing  func(st scene.State) string   // why there is none, "": there is one
	draw     func(p *page, st scene.State) // as its task does, which may not be shown
	caption  func(p *page) string          // what stands beside it in the panel; nil: nothing
}

var drawings = []drawing{
	{"tree", "Separator tree", func(st scene.State) string {
		return unless(st.Separation.Nodes > 0, "Separator tree: there is none yet.")
	}, (*page).showTree, nil},
	{"pareto-chart", "Size against balance", func(st scene.State) string {
		return unless(len(st.Separation.Cuts) > 0, "Size against balance: ask for it in Separators.")
	}, func(p *page, st scene.State) {
		p.showPareto(st)
		p.drawPareto(colormap.Light)
		dom.After(0, func() { p.showPareto(p.scene.State()) }) // the page's own theme comes back
	}, nil},
	{"trace", "Marginal error", func(st scene.State) string {
		return unless(st.Transport.Result != nil && len(st.Transport.Result.Trace) > 1, "Marginal error: nothing is solved yet.")
	}, (*page).showTransport, func(p *page) string {
		return "iteration " + p.id("trace-first").Get("textContent").String() + " to " + p.id("trace-last").Get("textContent").String()
	}},
	{"bounds", "Treewidth bounds", func(st scene.State) string {
		return unless(st.Treewidth.Known, "Treewidth bounds: find the treewidth first.")
	}, func(p *page, st scene.State) { p.drawBounds(st.Treewidth) }, func(p *page) string {
		t := p.scene.State().Treewidth
		return fmt.Sprintf("%d to %d", t.Lower, t.Upper)
	}},
	{"benchmark-chart", "Error against time", func(st scene.State) string {
		return unless(len(benchmarkDots(st.Transport.Benchmark)) > 0, "Error against time: compare methods first.")
	}, func(p *page, st scene.State) {
		p.drawBenchmark(st, colormap.Light)
		dom.After(0, func() { p.drawBenchmark(p.scene.State(), p.scene.View.Theme()) }) // the page's own theme comes back
	}, nil},
	{"bags", "Tree of bags", func(st scene.State) string {
		return unless(st.Treewidth.Bags > 0, "Tree of bags: find the treewidth first.")
	}, func(p *page, st scene.State) {
		p.showBags(st)
		p.drawBags(colormap.Light)
		p.bags.stale = true // the page's own theme comes back
	}, func(p *page) string { return plural(p.scene.State().Treewidth.Bags, "bag") }},
	{"histogram", "Histogram", func(st scene.State) string {
		return unless(st.Findings.Known, "Histogram: inspect the mesh first.")
	}, func(*page, scene.State) {}, func(p *page) string {
		return p.id("quantity").Get("selectedOptions").Index(0).Get("textContent").String()
	}},
}

// button is the id of the drawing's button.
func (d *drawing) button() string { return "save-figure-" + d.id }

// unless is a reason, unless there is none.
func unless(fine bool, why string) string {
	if fine {
		return ""
	}
	return why
}

// fillDrawings makes a button for every drawing.
func (p *page) fillDrawings() {
	for i := range drawings {
		d := &drawings[i]
		button := dom.New("button", "").Attr("type", "button").Attr("id", d.button()).Attr("title", "The drawing as an SVG, in light colours, with its caption").Text(d.name + " (SVG)")
		button.On("click", func(js.Value) { p.saveDrawing(d) })
		p.id("figure-buttons").Append(button)
	}
}

// showDrawings says which can be had.
func (p *page) showDrawings(st scene.State) {
	var all []choice
	for _, d := range drawings {
		all = append(all, choice{d.button(), d.missing(st)})
	}
	p.allow("figure-note", all...)
}

// room is the space around a saved drawing, below it for a line of words too.
const room = 8.0

// saveDrawing saves a figure of the panel as a file that stands alone: with its own colours, those of the light theme, on their ground.
func (p *page) saveDrawing(d *drawing) {
	d.draw(p, p.scene.State())
	from := p.id(d.id).Value
	if inner := from.Call("querySelector", "svg"); inner.Truthy() {
		from = inner
	}
	alone := js.Global().Call("genussinkAlone", from)
	to, ground, ink, font := alone.Get("copy"), alone.Get("ground").String(), alone.Get("ink").String(), alone.Get("font").String()

	box := from.Get("viewBox").Get("baseVal")
	width, height := box.Get("width").Float()+2*room, box.Get("height").Float()+2*room+14
	svg := dom.NewSVG("svg", "").Attr("viewBox", fmt.Sprintf("%g %g %g %g", -room, -room, width, height)).Number("width", 2*width).Number("height", 2*height)
	words := d.name
	if d.caption != nil {
		words += ": " + d.caption(p)
	}
	svg.Append(dom.NewSVG("title", "").Text(p.base()+", "+words),
		dom.NewSVG("rect", "").Number("x", -room).Number("y", -room).Number("width", width).Number("height", height).Attr("fill", ground))
	for to.Get("firstChild").Truthy() {
		svg.Call("appendChild", to.Get("firstChild"))
	}
	svg.Append(svgText(words, 0, box.Get("height").Float()+room+8, "start").Attr("font-size", "9").Attr("font-family", font).Attr("fill", ink))
	text := js.Global().Get("XMLSerializer").New().Call("serializeToString", svg.Value).String()
	name := p.base() + "-" + strings.ToLower(strings.ReplaceAll(d.name, " ", "-")) + ".svg"
	p.download(name, "image/svg+xml", []byte(text))
	p.say(name + " is saved.")
}
