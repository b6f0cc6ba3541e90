//go:build js

package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"syscall/js"

	"genussink/core/job"
	"genussink/viewer/colormap"
	"genussink/viewer/figure"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
)

// bagsDrawing is the tree of bags of the treewidth's panel, linked with the mesh.
type bagsDrawing struct {
	of     *job.Decomposition
	tree   *figure.Overview
	look   figure.Look
	marks  figure.Marks
	stale  bool  // something has changed since it was drawn
	vertex int32 // whose bags are lit, -1: what was searched for is
	found  []int // what was searched for
	next   int   // of these, the one that Enter shows

	down    map[int][2]float64 // pointers that are pressed, where they are
	dragged bool               // since the first went down
}

// zoomStep is what a button or a key zooms by.
const zoomStep = 1.5

func (p *page) bagsControls() {
	d := &p.bags
	d.vertex, d.down = -1, map[int][2]float64{}
	box := p.id("bags")
	at := func(e js.Value) (x, y float64) {
		r := box.Call("getBoundingClientRect")
		return e.Get("clientX").Float() - r.Get("left").Float(), e.Get("clientY").Float() - r.Get("top").Float()
	}
	box.On("pointerdown", func(e js.Value) {
		if d.tree == nil {
			return
		}
		x, y := at(e)
		d.dragged = len(d.down) > 0
		d.down[e.Get("pointerId").Int()] = [2]float64{x, y}
		box.Call("setPointerCapture", e.Get("pointerId"))
	})
	box.On("pointermove", func(e js.Value) {
		x, y := at(e)
		id := e.Get("pointerId").Int()
		from, pressed := d.down[id]
		switch {
		case d.tree == nil:
		case !pressed:
			p.scene.PointBag(d.tree.Nearest(x, y, near, d.look))
		case !d.dragged && math.Hypot(x-from[0], y-from[1]) < slack:
		default:
			d.dragged = true
			d.down[id] = [2]float64{x, y}
			dx, dy := x-from[0], y-from[1]
			for other, still := range d.down {
				if other != id { // it is the middle between two fingers that moves
					dx, dy = dx/2, dy/2
					before := math.Hypot(from[0]-still[0], from[1]-still[1])
					d.tree.Zoom(math.Hypot(x-still[0], y-still[1])/max(before, 1), (x+still[0])/2, (y+still[1])/2, d.look)
					break
				}
			}
			d.tree.Pan(dx, dy, d.look)
			d.stale = true
		}
	})
	box.On("pointerup", func(e js.Value) {
		_, pressed := d.down[e.Get("pointerId").Int()]
		delete(d.down, e.Get("pointerId").Int())
		if d.tree == nil || d.dragged || !pressed {
			return
		}
		x, y := at(e)
		b := d.tree.Nearest(x, y, near, d.look)
		if b == p.scene.State().Treewidth.Shown {
			b = -1
		}
		p.scene.ShowBag(b)
	})
	box.On("pointercancel", func(e js.Value) { delete(d.down, e.Get("pointerId").Int()) })
	box.On("pointerleave", func(js.Value) { p.scene.PointBag(-1) })
	dom.Capture(box.Value, "wheel", func(e js.Value) {
		by := e.Get("deltaY").Float()
		if e.Get("deltaMode").Int() != 0 { // lines
			by *= 16
		}
		if d.tree == nil || by > 0 && d.tree.Fits() { // the panel scrolls
			return
		}
		e.Call("preventDefault")
		x, y := at(e)
		d.tree.Zoom(math.Exp(-by/400), x, y, d.look)
		d.stale = true
	})
	p.click("bags-in", func() { p.zoomBags(zoomStep) })
	p.click("bags-out", func() { p.zoomBags(1 / zoomStep) })
	p.click("bags-fit", func() { p.zoomBags(0) })
	find := p.id("bags-find")
	find.On("input", func(js.Value) { p.findBags(find.Input()) })
	find.On("keydown", func(e js.Value) {
		if e.Get("key").String() == "Enter" && len(d.found) > 0 {
			p.scene.ShowBag(d.found[d.next%len(d.found)])
			d.next++
		}
	})
	dom.Listen(dom.Window(), "resize", func(js.Value) { d.stale = true })
}

// zoomBags zooms at the bag shown, or at the middle; by 0 it shows the whole tree.
func (p *page) zoomBags(by float64) {
	d := &p.bags
	if d.tree == nil {
		return
	}
	x, y := d.look.Width/2, d.look.Height/2
	if d.marks.Chosen >= 0 {
		x, y = d.tree.Place(d.marks.Chosen, d.look)
	}
	if d.stale = true; by == 0 {
		d.tree.Fit()
	} else {
		d.tree.Zoom(by, x, y, d.look)
	}
}

// bagsKey does what a key does in the tree of bags; it says whether it was for it.
func (p *page) bagsKey(e js.Value) bool {
	d := &p.bags
	if d.tree == nil || e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() {
		return false
	}
	switch key := e.Get("key").String(); key {
	case "+", "=":
		p.zoomBags(zoomStep)
	case "-":
		p.zoomBags(1 / zoomStep)
	case "0":
		p.zoomBags(0)
	case "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End":
		p.scene.ShowBag(d.tree.Walk(p.scene.State().Treewidth.Shown, key))
	default:
		return false
	}
	e.Call("preventDefault")
	return true
}

// findBags lights the bags that words ask for.
func (p *page) findBags(words string) {
	d := &p.bags
	d.found, d.next, d.vertex, d.stale = nil, 0, -1, true
	d.marks.Lit = nil
	if d.tree == nil || strings.TrimSpace(words) == "" {
		p.bagsNote("")
		return
	}
	found, err := d.tree.Search(words, p.scene.Mesh.Numbered)
	if err != nil {
		p.bagsNote(sentence(err.Error()))
		return
	}
	d.found, d.marks.Lit = found, found
	if len(found) > 0 {
		d.tree.Reveal(found[0], d.look)
	}
	p.bagsNote(plural(len(found), "bag") + " found. Enter shows one after another.")
}

// bagsNote says something below the tree; "": how it is read.
func (p *page) bagsNote(words string) {
	if words == "" {
		words = "Golden in the tree: the bag shown. Blue: the bags that hold the vertex pointed at."
		if d := &p.bags; d.tree != nil && d.tree.Hidden() > 0 {
			words += fmt.Sprintf(" %s in small subtrees are part of the dot above them.", plural(d.tree.Hidden(), "bag"))
		}
	}
	p.text("bags-note", words)
}

// showBags follows the scene.
func (p *page) showBags(st scene.State) {
	d, t := &p.bags, st.Treewidth
	if found := p.scene.Treewidth.Found(); d.of != found {
		d.of, d.tree, d.found, d.vertex, d.stale = found, nil, nil, -1, true
		d.marks = figure.Marks{Chosen: -1, Pointed: -1, Step: -1}
		if found != nil {
			d.tree = figure.NewOverview(found, found.Parents, found.Sizes, found.Order, p.number)
			p.findBags(p.id("bags-find").Input())
		}
	}
	if d.tree == nil {
		return
	}
	vertex := int32(-1)
	if st.Hover != nil {
		vertex = st.Hover.Vertex
	}
	if vertex != d.vertex {
		if d.vertex, d.stale = vertex, true; vertex >= 0 {
			d.marks.Lit = d.tree.Holding(vertex)
		} else {
			d.marks.Lit = d.found
		}
		if len(d.marks.Lit) > 0 && st.Hover != nil && st.Hover.Focused {
			d.tree.Reveal(d.marks.Lit[0], d.look)
		}
	}
	chosen, step := t.Shown, -1
	if e := t.Elimination; e.Shown {
		chosen, step = e.Bag, e.Step
	}
	if chosen != d.marks.Chosen && chosen >= 0 {
		d.tree.Reveal(chosen, d.look)
	}
	d.stale = d.stale || chosen != d.marks.Chosen || t.Pointed != d.marks.Pointed || step != d.marks.Step || d.look.Theme != p.scene.View.Theme()
	d.marks.Chosen, d.marks.Pointed, d.marks.Step = chosen, t.Pointed, step
}

// bagsFrame draws what has changed since the last frame.
func (p *page) bagsFrame() {
	if d := &p.bags; d.stale && d.tree != nil && p.id("bags").Get("clientWidth").Int() > 0 {
		d.stale = false
		p.drawBags(p.scene.View.Theme())
	}
}

func (p *page) drawBags(theme colormap.Theme) {
	d, box := &p.bags, p.id("bags")
	width, height := box.Get("clientWidth").Float(), box.Get("clientHeight").Float()
	if width == 0 { // another task is shown
		width, height = treeWidth, treeWidth
	}
	d.look = figure.Look{Width: width, Height: height, Theme: theme}
	d.tree.Pan(0, 0, d.look)
	box.Class("zoomed", !d.tree.Fits())
	p.id("bags-out").Enable(!d.tree.Fits())
	p.id("bags-fit").Enable(!d.tree.Fits())
	desc := fmt.Sprintf("%s, the centroid at the root.", plural(len(d.of.Parents), "bag"))
	box.Call("replaceChildren", dom.Markup(d.tree.SVG("bag-tree", "Tree of bags", desc, d.marks, d.look)))
}

// bagMembers lists the vertices of a small bag.
func (p *page) bagMembers(bag []int32) string {
	if len(bag) > 8 {
		return ""
	}
	return " (" + p.numbers(slices.Sorted(slices.Values(bag))...) + ")"
}
