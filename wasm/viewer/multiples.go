//go:build js

package main

import (
	"fmt"
	"image"
	"math"
	"syscall/js"

	"genussink/core/job"
	"genussink/viewer/app"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// multiples are the methods' plans as small multiples: one mesh, one camera, one moment, a picture for each method.
type multiples struct {
	moment  float64      // the playback's position in all of them
	plans   []scene.Plan // those whose mass can be seen
	key     string       // what the pictures were made of
	canvas  []js.Value   // by picture, its pen
	drawing bool         // a picture is on its way
	again   bool         // the moment has changed since the first one
	shot    app.Shot
}

// multipleWidth is the width of a picture in pixels of the page. It has the proportions of the canvas.
const multipleWidth = 320

// multiplesControls connects the dialog.
func (p *page) multiplesControls() {
	m := &p.multiples
	p.click("compare-methods", func() {
		m.moment = p.scene.Playback.Position()
		if m.moment == 0 || m.moment == 1 {
			m.moment = 0.5 // at the ends all plans look the same
		}
		p.id("moment").Set("valueAsNumber", m.moment)
		p.dialog("comparing")
		m.key = "" // the camera may have moved
		p.showBenchmark(p.scene.State())
	})
	p.slide("moment", func(x float64) {
		m.moment = x
		p.drawMultiples()
	})
}

// layMultiples makes a figure for each plan of a comparison, and for what the page has solved by other methods.
func (p *page) layMultiples(t scene.TransportState) {
	m := &p.multiples
	type picture struct {
		scene.Plan
		method, words string
	}
	var all []picture
	compared := map[string]bool{}
	for i, row := range t.Benchmark.Rows {
		if row.Moves && !t.Benchmark.Stale { // else its mass is of other densities than those on the mesh
			compared[row.Method] = true
			all = append(all, picture{scene.Plan{Compared: true, Row: i}, row.Method, multipleCaption(row.Method, row.Cost, row.Setup, row.Solve)})
		}
	}
	usual := t.Comparison.Kernel == job.Exp && t.Comparison.Reach == 0 // as all others are
	for i, row := range t.Comparison.Rows {
		if row.Moves && usual && !t.Stale && !compared[row.Method] {
			solve := row.Cold
			if !solve.Known() {
				solve = row.Warm
			}
			all = append(all, picture{scene.Plan{Row: i}, row.Method, multipleCaption(withDelta(row.Method, row.Delta), row.Cost, scene.Number(row.Setup), solve)})
		}
	}
	key := fmt.Sprint(all, p.scene.View.Theme())
	if key == m.key {
		return
	}
	m.key, m.plans, m.canvas = key, m.plans[:0], m.canvas[:0]
	grid := p.id("multiples-grid").Clear()
	w, h := p.game.Size()
	if w == 0 {
		p.text("multiples-note", "There is no picture: this browser has no graphics.")
		return
	}
	ratio := max(dom.Window().Get("devicePixelRatio").Float(), 1)
	m.shot = app.Shot{Width: int(multipleWidth * ratio), Height: max(int(multipleWidth*ratio*float64(h)/float64(w)), 1), Finer: 1}
	if !p.scene.View.Looks().Software {
		m.shot.Finer = 2
	}
	for _, x := range all {
		canvas := dom.New("canvas", "").Attr("role", "img").Attr("aria-label", "The mass on the move by the plan of "+x.method)
		canvas.Set("width", m.shot.Width)
		canvas.Set("height", m.shot.Height)
		m.plans, m.canvas = append(m.plans, x.Plan), append(m.canvas, canvas.Call("getContext", "2d"))
		grid.Append(dom.New("figure", "").Append(canvas, dom.New("figcaption", "").Text(x.words)))
	}
	p.text("multiples-note", unless(len(all) > 0, "No plan is there to be seen yet: choose methods, then press Run methods."))
	p.drawMultiples()
}

// multipleCaption is what a method's picture is told apart by.
func multipleCaption(method string, cost, setup, solve scene.Number) string {
	return fmt.Sprintf("%s: cost %s, set-up %s, solve %s", method, known(cost, quantity.Number), seconds(setup), seconds(solve))
}

// drawMultiples draws all pictures at the moment, one a frame. A moment that changes meanwhile has them drawn again.
func (p *page) drawMultiples() {
	m := &p.multiples
	if m.again = m.drawing; !m.drawing {
		p.text("moment-share", quantity.Percent(math.Round(100*m.moment)/100))
		p.drawMultiple(0, m.moment)
	}
}

func (p *page) drawMultiple(k int, moment float64) {
	m := &p.multiples
	m.drawing = k < len(m.plans) && p.id("comparing").Get("open").Bool()
	if !m.drawing {
		if m.again && k >= len(m.plans) {
			m.again = false
			p.drawMultiples()
		}
		return
	}
	pen, plan := m.canvas[k], m.plans[k]
	shot := m.shot
	shot.Within = func(draw func()) {
		if !p.scene.WithPlanOf(plan, moment, draw) {
			p.drawMultiple(len(m.plans), moment)
		}
	}
	p.game.Picture(shot, func(i *image.RGBA) {
		pen.Call("putImageData", imageData(i), 0, 0)
		p.drawMultiple(k+1, moment)
	})
}
