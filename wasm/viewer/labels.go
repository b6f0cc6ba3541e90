//go:build js

package main

import (
	"fmt"
	"strconv"
	"syscall/js"

	"genussink/viewer/camera"
	"genussink/viewer/label"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
)

// labels are the words over the picture, each beside a vertex.
type labels struct {
	key  string // what they were made for
	list []labelled
	at   struct { // where they stand
		pose          camera.Pose
		section       scene.SectionState
		width, height float64
	}
}

type labelled struct {
	*dom.Element
	vertex        int32 // of a number
	path          int   // whose length it says, 0: it is a number
	width, height float64
	keep          bool       // shown even where it must cover something
	spot          label.Spot // where it stands
}

const (
	mostNumbered = 64   // vertices of a graph that has their numbers beside them
	labelDisc    = 11.0 // pixels around a vertex that labels leave free
)

// label makes the labels: the lengths of measured paths, and the numbers of a small graph's vertices.
func (p *page) label(st scene.State) {
	numbered := st.Ready && st.Mesh.Graph && st.Mesh.Vertices <= mostNumbered
	key := fmt.Sprint(st.Paths, numbered, st.Mesh.Unit, p.scene.Mesh.Revision())
	if key == p.labels.key {
		return
	}
	box := p.id("labels").Clear()
	p.labels = labels{key: key}
	add := func(text string, l labelled) *dom.Element {
		l.Element = dom.New("span", "").Text(text)
		box.Append(l.Element)
		p.labels.list = append(p.labels.list, l)
		return l.Element
	}
	for _, path := range st.Paths {
		if path.Middle >= 0 {
			add(strconv.Itoa(path.Number)+": "+p.length(path.Length), labelled{path: path.Number, keep: true}).Class("path", true).Style("border-color", css(path.Color()))
		}
	}
	for v := range int32(st.Mesh.Vertices) {
		if !numbered {
			break
		}
		add(p.number(v), labelled{vertex: v})
	}
	for i := range p.labels.list {
		l := &p.labels.list[i]
		l.width, l.height = l.Get("offsetWidth").Float(), l.Get("offsetHeight").Float()
	}
}

// placeLabels moves the labels with their vertices.
func (p *page) placeLabels() {
	l := &p.labels
	if len(l.list) == 0 {
		return
	}
	box, now := p.id("labels"), l.at
	now.section = p.scene.View.Looks().Section
	now.pose, now.width, now.height = p.scene.View.Camera().Pose(), box.Get("clientWidth").Float(), box.Get("clientHeight").Float()
	if now == l.at {
		return
	}
	l.at = now
	lens := p.scene.Lens(now.width, now.height)
	wanted := make([]label.Label, len(l.list))
	for i, e := range l.list {
		v := e.vertex
		if e.path > 0 {
			v = max(p.scene.Halfway(e.path, &lens), 0)
		}
		at := p.scene.Mesh.Points[3*v:]
		place := [3]float64{float64(at[0]), float64(at[1]), float64(at[2])}
		x, y, z := lens.Project(place)
		if z < lens.Near || lens.Section.Behind(place) < 0 {
			x = -1
		}
		wanted[i] = label.Label{X: x, Y: y, Width: e.width, Height: e.height, Keep: e.keep}
	}
	for i, s := range label.Place(wanted, labelDisc, now.width, now.height) {
		e := &l.list[i]
		e.spot = s
		if e.Class("out", !s.Shown); s.Shown {
			e.Style("transform", fmt.Sprintf("translate(%.1fpx, %.1fpx)", s.X, s.Y))
		}
	}
}

// drawLabels draws the labels into a picture that has so many pixels for each of the page's.
func (p *page) drawLabels(context js.Value, scale float64) {
	style := func(e js.Value, property string) js.Value {
		return js.Global().Call("getComputedStyle", e).Call("getPropertyValue", property)
	}
	context.Call("scale", scale, scale)
	context.Set("textBaseline", "middle")
	context.Set("lineJoin", "round")
	context.Set("lineWidth", 3)
	context.Set("strokeStyle", style(p.id("labels").Value, "--ground"))
	for _, l := range p.labels.list {
		if !l.spot.Shown {
			continue
		}
		border, inset := l.Get("clientLeft").Float(), style(l.Value, "padding-left")
		context.Set("fillStyle", style(l.Value, "border-left-color"))
		context.Call("fillRect", l.spot.X, l.spot.Y, border, l.height)
		context.Set("font", style(l.Value, "font"))
		context.Set("fillStyle", style(l.Value, "color"))
		text, x, y := l.Get("textContent"), l.spot.X+border+js.Global().Call("parseFloat", inset).Float(), l.spot.Y+l.height/2
		context.Call("strokeText", text, x, y)
		context.Call("fillText", text, x, y)
	}
}
