//go:build js

package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"syscall/js"

	"genussink/core/session"
	"genussink/viewer/colormap"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// The drawing of the weights, in the units of its viewBox in index.html: a shape so wide, in the middle, with room for a corner's number.
const (
	weightsWidth  = 272.0
	weightsHeight = 160.0
	weightsSide   = 120.0
	weightsStep   = 0.02 // of the side, for an arrow key
)

// weightsPlace is where a place of the weights is in the drawing, of so many paintings.
func weightsPlace(x, y float64, of int) (px, py float64) {
	wide, tall := weightsSize(of)
	return (weightsWidth-wide)/2 + x*wide, (weightsHeight+tall)/2 - y*tall
}

func weightsSize(of int) (wide, tall float64) {
	switch of {
	case 2:
		return 2 * weightsSide, 0
	case 3:
		return weightsSide * 2 / math.Sqrt(3), weightsSide
	}
	return weightsSide, weightsSide
}

// barycentreControls hands on which paintings are kept, and their weights.
func (p *page) barycentreControls() {
	s := p.scene
	p.click("keep-source", func() { s.KeepPainting(false) })
	p.click("keep-target", func() { s.KeepPainting(true) })
	p.click("find-barycentre", s.FindBarycentre)
	p.click("return-painting", s.ReturnPainting)
	list := p.id("paintings")
	for i := range scene.MostPaintings {
		id := fmt.Sprintf("painting-%d-", i)
		weight := dom.New("input", "").Attr("type", "number").Attr("id", id+"weight").Attr("aria-label", "Weight, per cent").Attr("min", "0").Attr("max", "100").Attr("step", "1")
		weight.On("change", func(js.Value) { s.Weigh(i, weight.InputNumber()/100) })
		remove := dom.New("button", "").Attr("type", "button").Attr("id", id+"remove").Attr("aria-label", "Remove").Text("×")
		remove.On("click", func(js.Value) {
			s.DropPainting(i)
			p.id("keep-source").Call("focus")
		})
		list.Append(dom.New("li", "").Attr("id", id+"row").Append(
			dom.New("i", "swatch dot").Attr("id", id+"swatch"), dom.New("label", "").Attr("id", id+"name").Attr("for", id+"weight"), weight, dom.New("span", "").Text("%"),
			dom.New("span", "cost").Attr("id", id+"cost"), remove))
	}
	pad := p.id("weights")
	place := func(e js.Value) {
		box := pad.Call("getBoundingClientRect")
		_, of := s.Barycentre.Place()
		scale := weightsWidth / box.Get("width").Float()
		x, y := (e.Get("clientX").Float()-box.Get("left").Float())*scale, (e.Get("clientY").Float()-box.Get("top").Float())*scale
		left, bottom := weightsPlace(0, 0, of)
		wide, tall := weightsSize(of)
		s.PlaceWeights((x-left)/wide, (bottom-y)/max(tall, 1))
	}
	pad.On("pointerdown", func(e js.Value) {
		e.Call("preventDefault")
		pad.Call("setPointerCapture", e.Get("pointerId"))
		p.id("weights-point").Call("focus")
		place(e)
	})
	pad.On("pointermove", func(e js.Value) {
		if pad.Call("hasPointerCapture", e.Get("pointerId")).Bool() {
			place(e)
		}
	})
	p.id("weights-point").On("keydown", func(e js.Value) {
		at, _ := s.Barycentre.Place()
		step := weightsStep
		if e.Get("shiftKey").Bool() {
			step *= 5
		}
		x, y := at[0], at[1]
		switch e.Get("key").String() {
		case "ArrowLeft":
			x -= step
		case "ArrowRight":
			x += step
		case "ArrowUp":
			y += step
		case "ArrowDown":
			y -= step
		default:
			return
		}
		e.Call("preventDefault")
		e.Call("stopPropagation") // arrows turn the mesh elsewhere
		s.PlaceWeights(x, y)
	})
}

// showBarycentre shows the paintings that are kept, their weights, and what was found.
func (p *page) showBarycentre(st scene.State) {
	b := st.Barycentre
	room := st.Ready && len(b.Paintings) < scene.MostPaintings
	p.id("keep-source").Enable(room && st.Densities.Source > 0)
	p.id("keep-target").Enable(room && st.Densities.Target > 0)
	p.id("paintings").Show(len(b.Paintings) > 0)
	for i := range scene.MostPaintings {
		id, there := fmt.Sprintf("painting-%d-", i), i < len(b.Paintings)
		p.id(id + "row").Show(there)
		if !there {
			continue
		}
		w := b.Paintings[i]
		name := fmt.Sprintf("painting %d", w.Number)
		p.id(id+"swatch").Style("background", css(w.Color))
		p.text(id+"name", "P"+name[1:])
		p.id(id+"weight").Attr("aria-label", "Weight of "+name+", per cent").Enable(len(b.Paintings) > 1).SetInput(strconv.FormatFloat(math.Round(1000*w.Weight)/10, 'f', -1, 64))
		cost := ""
		if w.Cost.Known() {
			cost = quantity.Number(float64(w.Cost))
		}
		p.id(id+"cost").Attr("title", "Cost ⟨P, D⟩ of moving it to the barycentre, in "+p.unit()).Text(cost)
		p.id(id+"remove").Attr("aria-label", "Remove "+name).Attr("title", "Remove "+name)
	}
	p.showWeights(b)
	p.id("return-painting").Show(b.Removed > 0).Enable(room)
	p.id("find-barycentre").Enable(st.Ready && len(b.Paintings) > 1 && !b.Computing)
	note := ""
	switch {
	case len(b.Paintings) == 0:
		note = "Keep a painting, paint the next and keep that too."
	case len(b.Paintings) == 1:
		note = "Paint another, and keep it."
	case b.Computing && !b.Known:
		note = "Finding it…"
	case b.Computing:
		note = "Finding it for these weights…"
	case b.Known && b.Stale:
		note = "What is shown is of other weights or settings."
	}
	p.text("barycentre-note", note)
	p.id("barycentre-result").Show(b.Known).Class("stale", b.Stale)
	if !b.Known {
		return
	}
	p.text("barycentre-mid", quantity.Percent(b.Most/2))
	p.text("barycentre-max", quantity.Percent(b.Most)+" per vertex")
	p.id("barycentre-bar").Style("background", ramp(colormap.Between(), p.scene.View.Theme()))
	iterations := quantity.Count(b.Iterations)
	if b.Status != "converged" {
		iterations += ", not converged"
	}
	p.text("barycentre-iterations", iterations)
	p.text("barycentre-error", quantity.Number(b.Error)+" in L¹")
	p.text("barycentre-method", b.Method)
	p.text("barycentre-kernel", formula(b.Kernel))
	least := ""
	if st.Transport.Epsilon < session.LeastBetween {
		least = ", " + quantity.Percent(session.LeastBetween) + " of diagonal, the least here"
	}
	p.text("barycentre-epsilon", p.length(b.Epsilon)+least)
	p.text("barycentre-time", quantity.Seconds(b.Seconds))
}

// showWeights draws the segment, triangle or square of weights, and the point in it.
func (p *page) showWeights(b scene.BarycentreState) {
	of := len(b.Paintings)
	pad := p.id("weights").Show(of > 1)
	if of < 2 {
		return
	}
	var key, words []string
	for _, w := range b.Paintings {
		key = append(key, strconv.Itoa(w.Number))
		words = append(words, fmt.Sprintf("painting %d %s", w.Number, quantity.Percent(math.Round(1000*w.Weight)/1000)))
	}
	if shape := p.id("weights-shape"); !pad.Get("dataset").Get("key").Equal(js.ValueOf(strings.Join(key, " "))) {
		pad.Get("dataset").Set("key", strings.Join(key, " "))
		shape.Clear()
		from, tall := 0.0, weightsHeight
		if of == 2 {
			from, tall = weightsHeight/2-28, 44
		}
		p.id("weights-drawing").Attr("viewBox", fmt.Sprintf("0 %g %g %g", from, weightsWidth, tall))
		var points []string
		for _, i := range [][]int{{0, 1}, {0, 1, 2}, {0, 1, 3, 2}}[of-2] { // around it
			x, y := weightsCorner(i, of)
			points = append(points, fmt.Sprintf("%.1f,%.1f", x, y))
		}
		shape.Append(dom.NewSVG("polygon", "").Attr("points", strings.Join(points, " ")))
		for i, w := range b.Paintings {
			x, y := weightsCorner(i, of)
			shape.Append(dom.NewSVG("circle", "").Number("cx", x).Number("cy", y).Number("r", 7).Attr("fill", css(w.Color)))
			side, anchor := -14.0, "end"
			if x > weightsWidth/2 {
				side, anchor = 14, "start"
			}
			if of == 3 && i == 2 {
				side, anchor = 14, "start"
			}
			if of == 2 {
				side, anchor, y = 0, "middle", y-16
			}
			shape.Append(svgText(strconv.Itoa(w.Number), x+side, y+4, anchor))
		}
	}
	x, y := weightsPlace(b.At[0], b.At[1], of)
	p.id("weights-point").Number("cx", math.Round(10*x)/10).Number("cy", math.Round(10*y)/10).
		Attr("aria-valuenow", strconv.Itoa(int(math.Round(100*b.At[0])))).Attr("aria-valuetext", strings.Join(words, ", "))
}

// weightsCorner is where the corner of painting i is in the drawing.
func weightsCorner(i, of int) (px, py float64) {
	x, y := scene.Corner(i, of)
	return weightsPlace(x, y, of)
}
