//go:build js

package main

import (
	"fmt"
	"image"
	"math"
	"syscall/js"

	"genussink/viewer/app"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// multiples is the dialog of the methods' plans as small multiples: one mesh, one camera, one moment, a picture for each method.
type multiples struct {
	moment  float64    // the playback's position in all of them
	rows    []int      // of the comparison, those whose mass can be seen
	canvas  []js.Value // by picture, its pen
	drawing bool       // a picture is on its way
	again   bool       // the moment has changed since the first one
	shot    app.Shot
}

// multipleWidth is the width of a picture in pixels of the page. It has the proportions of the canvas.
const multipleWidth = 320

// multiplesControls connects the dialog.
func (p *page) multiplesControls() {
	m := &p.multiples
	p.click("side-by-side", func() {
		m.moment = p.scene.Playback.Position()
		if m.moment == 0 || m.moment == 1 {
			m.moment = 0.5 // at the ends all plans look the same
		}
		p.id("moment").Set("valueAsNumber", m.moment)
		p.dialog("multiples")
		p.layMultiples(p.scene.State().Transport.Comparison)
	})
	p.slide("moment", func(x float64) {
		m.moment = x
		p.drawMultiples()
	})
}

// layMultiples makes a figure for each method.
func (p *page) layMultiples(c scene.ComparisonState) {
	m := &p.multiples
	m.rows, m.canvas = m.rows[:0], m.canvas[:0]
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
	note := ""
	for i, row := range c.Rows {
		if !row.Moves {
			note = "Methods without a picture were not solved for these densities: solve them again."
			continue
		}
		canvas := dom.New("canvas", "").Attr("role", "img").Attr("aria-label", "The mass on the move by the plan of "+row.Method)
		canvas.Set("width", m.shot.Width)
		canvas.Set("height", m.shot.Height)
		m.rows, m.canvas = append(m.rows, i), append(m.canvas, canvas.Call("getContext", "2d"))
		grid.Append(dom.New("figure", "").Append(canvas, dom.New("figcaption", "").Text(multipleCaption(row))))
	}
	p.text("multiples-note", note)
	p.drawMultiples()
}

// multipleCaption is what a method's picture is told apart by.
func multipleCaption(row scene.MethodState) string {
	solve := row.Cold
	if !solve.Known() {
		solve = row.Warm
	}
	return fmt.Sprintf("%s: cost %s, set-up %s, solve %s", row.Method, quantity.Number(float64(row.Cost)), quantity.Seconds(row.Setup), seconds(solve))
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
	m.drawing = k < len(m.rows) && p.id("multiples").Get("open").Bool()
	if !m.drawing {
		if m.again && k >= len(m.rows) {
			m.again = false
			p.drawMultiples()
		}
		return
	}
	pen, row := m.canvas[k], m.rows[k]
	shot := m.shot
	shot.Within = func(draw func()) {
		if !p.scene.WithPlanOf(row, moment, draw) {
			p.drawMultiple(len(m.rows), moment)
		}
	}
	p.game.Picture(shot, func(i *image.RGBA) {
		pen.Call("putImageData", imageData(i), 0, 0)
		p.drawMultiple(k+1, moment)
	})
}
