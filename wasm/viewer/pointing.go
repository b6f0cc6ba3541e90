//go:build js

package main

import (
	"math"
	"strconv"
	"syscall/js"

	"genussink/viewer/figure"
)

// near is how far from a thing, in pixels, a person may point.
const near = 22

// slack is how far a pointer moves, in pixels, before that is dragging.
const slack = 6

// walked is the thing to which a key walks from another, of those listed; ok is false for keys that walk nowhere.
func walked(all []figure.Target, here int, key string) (to int, ok bool) {
	switch key {
	case "Home":
		return 0, true
	case "End":
		return len(all) - 1, true
	case "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown":
		return figure.Next(all, here, key), true
	}
	return here, false
}

// enclosing is the nearest element with a selector that an event's target is or lies in, null where none is.
func enclosing(target js.Value, selector string) js.Value {
	if !target.Get("closest").Truthy() { // such as the document
		return js.Null()
	}
	return target.Call("closest", selector)
}

// clickedOn is the number that the element clicked on has as its data of a name.
func clickedOn(e js.Value, name string) (number int, ok bool) {
	on := enclosing(e.Get("target"), "[data-"+name+"]")
	if !on.Truthy() {
		return 0, false
	}
	number, err := strconv.Atoi(on.Get("dataset").Get(name).String())
	return number, err == nil
}

// target is the thing in a figure that an element belongs to.
func target(e js.Value) (r figure.Ref, ok bool) {
	t := enclosing(e, ".target")
	if !t.Truthy() {
		return r, false
	}
	data := t.Get("dataset")
	id, err := strconv.Atoi(data.Get("id").String())
	return figure.Ref{Kind: figure.Kind(data.Get("kind").String()), ID: id}, err == nil
}

// over is the thing of a figure that is nearest to where a pointer's event is in its drawing, and no farther than near.
func over(drawing, e js.Value, f figure.Figure, l figure.Look) (r figure.Ref, ok bool) {
	b := drawing.Call("getBoundingClientRect")
	x, y := e.Get("clientX").Float()-b.Get("left").Float(), e.Get("clientY").Float()-b.Get("top").Float()
	width, height := b.Get("width").Float(), b.Get("height").Float()
	if x < 0 || y < 0 || x > width || y > height || width == 0 {
		return r, false
	}
	scale := l.Width / width
	return closest(f.Targets(l), x*scale, y*scale, near*scale)
}

// rove makes a thing of a drawing the one that the Tab key reaches.
func rove(drawing, to js.Value) {
	if was := drawing.Call("querySelector", `[tabindex="0"]`); was.Truthy() {
		was.Call("setAttribute", "tabindex", "-1")
	}
	to.Call("setAttribute", "tabindex", "0")
}

// closest is the thing nearest to a place in a figure, of those that are no farther than best, in the figure's units.
func closest(targets []figure.Target, x, y, best float64) (r figure.Ref, ok bool) {
	for _, t := range targets {
		// From the box, and a little from its middle too, so that of two that overlap the nearer one is meant.
		dx, dy := math.Abs(x-t.X), math.Abs(y-t.Y)
		if d := math.Hypot(max(0, dx-t.W/2), max(0, dy-t.H/2)) + math.Hypot(dx, dy)/50; d < best {
			best, r, ok = d, t.Ref, true
		}
	}
	return r, ok
}
