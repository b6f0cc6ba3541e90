//go:build js

package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"syscall/js"

	"genussink/viewer/figure"
	"genussink/viewer/lesson"
	"genussink/wasm/internal/dom"
)

// figures are the drawings of a step: what a person points at, and with what
// in hand.
type figures struct {
	hosts []*dom.Element
	drawn []string
	looks []figure.Look
	at    *figure.Ref // what is pointed at or has the focus: it is lit everywhere
	focus lesson.Spot // what the Tab key reaches in a figure
	held  int         // the vertex that is to go into a bag, -1: none
	from  [2]float64  // where the pointer went down, in the window
	press bool        // it went down on a vertex that can be dragged
	drag  bool        // it has moved since
	calm  bool        // the document is being changed: focus that moves is not a person's
}

// near is how far from a thing, in pixels, a person may point.
const near = 22

// slack is how far a pointer moves, in pixels, before that is dragging.
const slack = 6

func (p *page) figureControls() {
	box := p.id("lesson-figures")
	f := &p.lessons.figures
	f.held = -1
	box.On("click", func(e js.Value) {
		if f.drag { // its end
			f.drag = false
			return
		}
		if i, r, ok := p.pointed(e); ok {
			p.activate(i, r)
		}
	})
	box.On("keydown", p.figureKey)
	box.On("focusin", func(e js.Value) {
		if i, r, ok := named(e.Get("target")); ok && !f.calm && e.Get("target").Call("matches", ":focus-visible").Bool() {
			f.focus = lesson.Spot{Figure: i, Ref: r}
			p.light(&r)
		}
	})
	box.On("pointerdown", func(e js.Value) {
		f.drag, f.press = false, false
		if i, r, ok := p.pointed(e); ok && r.Kind == figure.Vertex && p.takes(lesson.Drop) && i < len(p.lessons.view.Figures) {
			f.press, f.held = true, r.ID
			f.from = [2]float64{e.Get("clientX").Float(), e.Get("clientY").Float()}
			e.Get("target").Call("releasePointerCapture", e.Get("pointerId")) // a finger's moves go to what is below it
		}
	})
	box.On("pointermove", func(e js.Value) {
		if f.press {
			return
		}
		if _, r, ok := p.pointed(e); ok {
			p.light(&r)
		} else if e.Get("pointerType").String() == "mouse" {
			p.light(nil)
		}
	})
	box.On("pointerleave", func(js.Value) {
		if !f.press {
			p.light(nil)
		}
	})
	ghost := p.id("lesson-ghost")
	dom.Listen(dom.Window(), "pointermove", func(e js.Value) {
		if !f.press {
			return
		}
		x, y := e.Get("clientX").Float(), e.Get("clientY").Float()
		if !f.drag && math.Hypot(x-f.from[0], y-f.from[1]) < slack {
			return
		}
		f.drag = true
		ghost.Show(true).Text(p.vertexName(f.held)).Style("transform", fmt.Sprintf("translate(%.0fpx, %.0fpx) translate(-50%%, -120%%)", x, y))
		if _, r, ok := p.pointed(e); ok && r.Kind == figure.Bag {
			p.light(&r)
		}
	})
	end := func(e js.Value) {
		if !f.press {
			return
		}
		f.press = false
		ghost.Show(false)
		if !f.drag {
			return // the click that follows takes it in hand
		}
		vertex := f.held
		f.held = -1
		// A click may follow, but need not: none does where the pointer went up elsewhere.
		dom.After(0, func() { f.drag = false })
		if _, r, ok := p.pointed(e); ok && r.Kind == figure.Bag && e.Get("type").String() == "pointerup" {
			p.act(lesson.Act{Verb: lesson.Drop, A: vertex, B: r.ID})
		} else {
			p.light(nil)
		}
	}
	dom.Listen(dom.Window(), "pointerup", end)
	dom.Listen(dom.Window(), "pointercancel", end)
}

func (p *page) vertexName(v int) string {
	for _, x := range p.lessons.view.Figures {
		if g, ok := x.(*figure.Graph); ok && v >= 0 && v < len(g.Labels) {
			return g.Labels[v]
		}
	}
	return strconv.Itoa(v + 1)
}

func (p *page) takes(v lesson.Verb) bool {
	s := p.lessons.m.Step()
	return s != nil && slices.Contains(s.Takes, v)
}

// named is what an element stands for, and in which figure.
func named(e js.Value) (at int, r figure.Ref, ok bool) {
	if !e.Get("closest").Truthy() {
		return 0, r, false
	}
	target, host := e.Call("closest", ".target"), e.Call("closest", ".figure-host")
	if !target.Truthy() || !host.Truthy() {
		return 0, r, false
	}
	data := target.Get("dataset")
	id, err := strconv.Atoi(data.Get("id").String())
	at, errAt := strconv.Atoi(host.Get("dataset").Get("figure").String())
	return at, figure.Ref{Kind: figure.Kind(data.Get("kind").String()), ID: id}, err == nil && errAt == nil
}

// pointed is what a pointer's event is about: the thing nearest to it in the
// figure below it, or, of a click without a place, what it was sent to.
func (p *page) pointed(e js.Value) (at int, r figure.Ref, ok bool) {
	x, y := e.Get("clientX").Float(), e.Get("clientY").Float()
	if e.Get("type").String() == "click" && e.Get("detail").Int() == 0 {
		return named(e.Get("target"))
	}
	f := &p.lessons.figures
	for i, host := range f.hosts {
		if i >= len(p.lessons.view.Figures) || i >= len(f.looks) {
			break
		}
		drawing := host.Get("firstElementChild")
		if !drawing.Truthy() {
			continue
		}
		b := drawing.Call("getBoundingClientRect")
		left, top, width, height := b.Get("left").Float(), b.Get("top").Float(), b.Get("width").Float(), b.Get("height").Float()
		if x < left || y < top || x > left+width || y > top+height || width == 0 {
			continue
		}
		scale := f.looks[i].Width / width
		best := near * scale
		for _, t := range p.lessons.view.Figures[i].Targets(f.looks[i]) {
			// From the box, and a little from its middle too, so that of two that overlap the nearer one is meant.
			dx, dy := math.Abs((x-left)*scale-t.X), math.Abs((y-top)*scale-t.Y)
			d := math.Hypot(max(0, dx-t.W/2), max(0, dy-t.H/2)) + math.Hypot(dx, dy)/50
			if d < best {
				best, at, r, ok = d, i, t.Ref, true
			}
		}
		if ok {
			return at, r, ok
		}
	}
	return named(e.Get("target")) // such as words beside a dot
}

// light lights a thing in all figures; nil lights nothing but what is in hand.
func (p *page) light(r *figure.Ref) {
	f := &p.lessons.figures
	if r == nil && f.held >= 0 {
		r = &figure.Ref{Kind: figure.Vertex, ID: f.held}
	}
	if r == nil && f.at == nil || r != nil && f.at != nil && *r == *f.at {
		return
	}
	f.at = r
	p.lightMesh(r)
	p.drawFigures()
}

// lightMesh shows on the mesh which of its vertices is pointed at in a figure of a part of it.
func (p *page) lightMesh(r *figure.Ref) {
	own := p.lessons.m.Own()
	if own == nil {
		return
	}
	on := int32(-1)
	if r != nil && r.Kind == figure.Vertex && r.ID < own.N && !p.lessons.m.Step().Alone && p.lessons.view.Instead == "" {
		on = own.Of[r.ID]
	}
	p.scene.Hover(on)
}

// activate does what a step takes of a thing.
func (p *page) activate(at int, r figure.Ref) {
	f, v := &p.lessons.figures, p.lessons.view
	f.focus = lesson.Spot{Figure: at, Ref: r}
	f.at = &r
	switch {
	case r.Kind == figure.Vertex && p.takes(lesson.Toggle):
		p.act(lesson.Act{Verb: lesson.Toggle, A: r.ID})
	case r.Kind == figure.Vertex && p.takes(lesson.Drop):
		f.held = r.ID
		p.drawFigures()
	case r.Kind == figure.Bag && p.takes(lesson.Drop) && f.held >= 0:
		vertex := f.held
		f.held = -1
		p.act(lesson.Act{Verb: lesson.Drop, A: vertex, B: r.ID})
	case r.Kind == figure.Bag && p.takes(lesson.Pick):
		p.act(lesson.Act{Verb: lesson.Pick, A: r.ID})
	case r.Kind == figure.Point && p.takes(lesson.Choose):
		p.act(lesson.Act{Verb: lesson.Choose, A: r.ID})
	case r.Kind == figure.Point && p.takes(lesson.Move):
		p.act(lesson.Act{Verb: lesson.Move, A: r.ID})
	case r.Kind == figure.Vertex && p.takes(lesson.Move):
		if i := slices.IndexFunc(v.Pieces, func(piece []int) bool { return slices.Contains(piece, r.ID) }); i >= 0 {
			p.act(lesson.Act{Verb: lesson.Move, A: i})
		}
	default:
		p.drawFigures()
	}
}

// figureKey walks through a figure, and does what a click does.
func (p *page) figureKey(e js.Value) {
	i, r, ok := named(e.Get("target"))
	if !ok || i >= len(p.lessons.view.Figures) || e.Get("ctrlKey").Bool() || e.Get("altKey").Bool() || e.Get("metaKey").Bool() {
		return
	}
	f := &p.lessons.figures
	all := p.lessons.view.Figures[i].Targets(f.looks[i])
	here := slices.IndexFunc(all, func(t figure.Target) bool { return t.Ref == r })
	if here < 0 {
		return
	}
	var to int
	switch key := e.Get("key").String(); key {
	case "Enter", " ":
		e.Call("preventDefault")
		p.activate(i, r)
		return
	case "Home":
		to = 0
	case "End":
		to = len(all) - 1
	case "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown":
		to = figure.Next(all, here, key)
	default:
		return
	}
	e.Call("preventDefault")
	f.focus = lesson.Spot{Figure: i, Ref: all[to].Ref}
	f.at = &all[to].Ref
	p.drawFigures()
	p.focusFigure()
}

// focusFigure gives the focus to what the Tab key reaches.
func (p *page) focusFigure() {
	f := &p.lessons.figures
	if f.focus.Figure < len(f.hosts) {
		if t := f.element(f.focus); t.Truthy() {
			f.calm = true
			t.Call("focus", map[string]any{"preventScroll": true})
			f.calm = false
		}
	}
}

func (f *figures) element(s lesson.Spot) js.Value {
	return dom.Document().Call("getElementById", fmt.Sprintf("figure-%d-%s-%d", s.Figure, s.Kind, s.ID))
}

// tallest is how high a tree may be for its letters' sake: some ten levels.
const tallest = 320

// sizes are the drawings' sizes in a column of a width: one large, two above each other, two graphs or more drawings in two columns.
func sizes(v lesson.View, width float64, large bool) (out []figure.Look) {
	scale := 1.0
	if large {
		scale = 1.15
	}
	graphs := 0
	for _, x := range v.Figures {
		if _, ok := x.(*figure.Graph); ok {
			graphs++
		}
	}
	for i, x := range v.Figures {
		l := figure.Look{Width: width, Height: min(0.68*width, 330) * scale, Large: large}
		switch n := len(v.Figures); {
		case n > 2:
			l.Width = (width - 8) / 2
			l.Height = max(0.72*l.Width, 150)
			if n%2 == 1 && i == n-1 {
				l.Width, l.Height = width, 0.45*width
			}
		case n == 2 && graphs == 2:
			l.Width = (width - 8) / 2
			l.Height = min(1.1*l.Width, 300)
		case n == 2:
			l.Height = min(0.52*width, 240) * scale
			if _, ok := x.(*figure.Tree); ok {
				l.Height = min(0.46*width, 220) * scale
			}
		}
		if t, ok := x.(*figure.Tree); ok { // as tall as its letters need, if they can be had so
			if tall := t.Room(l); tall <= tallest*scale {
				l.Height = max(l.Height, tall)
			}
		}
		out = append(out, l)
	}
	return out
}

// drawFigures draws what has changed.
func (p *page) drawFigures() {
	l := &p.lessons
	f, v := &l.figures, l.view
	box := p.id("lesson-figures")
	if l.closing || l.m.Lesson() == nil {
		return
	}
	width := box.Get("clientWidth").Float()
	if width < 50 {
		return
	}
	lit := figure.Lit{}
	if f.held >= 0 && f.at == nil {
		f.at = &figure.Ref{Kind: figure.Vertex, ID: f.held}
	}
	if f.at != nil {
		lit = figure.Select(*f.at, v.Figures...)
	}
	for _, s := range v.Marked {
		if s.Kind == figure.Row || s.Kind == figure.Column {
			lit.Vertices = append(lit.Vertices, s.ID)
		}
	}
	slices.Sort(lit.Vertices)
	theme := p.scene.View.Theme()
	for len(f.hosts) < len(v.Figures) {
		host := dom.New("div", "figure-host").Attr("data-figure", strconv.Itoa(len(f.hosts)))
		box.Append(host)
		f.hosts, f.drawn = append(f.hosts, host), append(f.drawn, "")
	}
	f.looks = sizes(v, width, l.m.Teaching())
	had := dom.Document().Get("activeElement")
	_, _, focused := named(had)
	f.calm = true
	for i, host := range f.hosts {
		host.Show(i < len(v.Figures))
		if i >= len(v.Figures) {
			continue
		}
		host.Class("drags", p.takes(lesson.Drop))
		f.looks[i].Lit, f.looks[i].Theme = lit, theme
		text := v.Figures[i].SVG("figure-"+strconv.Itoa(i), f.looks[i])
		if text == f.drawn[i] {
			continue
		}
		f.drawn[i] = text
		host.Call("replaceChildren", dom.Markup(text))
		if f.focus.Figure != i {
			continue
		}
		if t := f.element(f.focus); t.Truthy() { // it stays what the Tab key reaches
			if first := host.Call("querySelector", `[tabindex="0"]`); first.Truthy() {
				first.Call("setAttribute", "tabindex", "-1")
			}
			t.Call("setAttribute", "tabindex", "0")
		}
	}
	f.calm = false
	if focused {
		p.focusFigure()
	}
}

// lessonKeys does what a key does while a lesson is open; it says whether it was the lesson's.
func (p *page) lessonKeys(e js.Value, inside bool) bool {
	if p.lessonState() == nil {
		return false
	}
	name := e.Get("key").String()
	tag := e.Get("target").Get("tagName").String()
	switch {
	case name == "Escape" && p.lessons.figures.held >= 0:
		p.lessons.figures.held = -1
		p.light(nil)
	case name == "Escape":
		p.closeLesson()
	case p.lessons.m.Key(name) != 0 && tag != "INPUT" && tag != "SELECT":
		p.turn(p.lessons.m.Key(name))
	default:
		return inside && strings.ToLower(name) != "l"
	}
	e.Call("preventDefault")
	e.Call("stopPropagation")
	return true
}
