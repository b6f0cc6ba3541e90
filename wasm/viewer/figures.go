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
	at    *figure.Ref                     // what is pointed at or has the focus: it is lit everywhere
	focus lesson.Spot                     // what the Tab key reaches in a figure
	held  int                             // the vertex that is to go into a bag, -1: none
	from  [2]float64                      // where the pointer went down, in the window
	press bool                            // it went down on a vertex that can be dragged
	move  int                             // in which figure that vertex is to stand elsewhere, -1: it is to go into a bag
	moved map[graphKey]map[int][2]float64 // where a person has moved vertices
	drag  bool                            // it has moved since
	calm  bool                            // the document is being changed: focus that moves is not a person's
}

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
		f.from = [2]float64{e.Get("clientX").Float(), e.Get("clientY").Float()}
		i, r, ok := p.pointed(e)
		switch {
		case !ok || r.Kind != figure.Vertex || i >= len(p.lessons.view.Figures):
		case p.takes(lesson.Drop):
			f.press, f.held, f.move = true, r.ID, -1
			e.Get("target").Call("releasePointerCapture", e.Get("pointerId")) // a finger's moves go to what is below it
		default:
			_, is := p.lessons.view.Figures[i].(*figure.Graph)
			if at, on, hit := named(e.Get("target")); is && hit && at == i && on == r { // on the vertex itself: beside it a finger scrolls
				f.press, f.held, f.move = true, r.ID, i
			}
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
		if f.move >= 0 {
			p.moveVertex(x, y)
			return
		}
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
		if !f.drag && f.move < 0 {
			return // the click that follows takes it in hand
		}
		vertex := f.held
		f.held = -1
		// A click may follow, but need not: none does where the pointer went up elsewhere.
		dom.After(0, func() { f.drag = false })
		if f.move >= 0 {
			return
		}
		if _, r, ok := p.pointed(e); ok && r.Kind == figure.Bag && e.Get("type").String() == "pointerup" {
			p.act(lesson.Act{Verb: lesson.Drop, A: vertex, B: r.ID})
		} else {
			p.light(nil)
		}
	}
	dom.Listen(dom.Window(), "pointerup", end)
	dom.Listen(dom.Window(), "pointercancel", end)
}

// moveVertex lets the vertex under the pointer stand at a place of the window.
func (p *page) moveVertex(x, y float64) {
	f, v := &p.lessons.figures, p.lessons.view
	if f.move >= len(v.Figures) { // another step
		return
	}
	g, ok := v.Figures[f.move].(*figure.Graph)
	if !ok || f.held >= g.N {
		return
	}
	b := f.hosts[f.move].Get("firstElementChild").Call("getBoundingClientRect")
	l := f.looks[f.move]
	scale := l.Width / b.Get("width").Float()
	g.Move(l, f.held, (x-b.Get("left").Float())*scale, (y-b.Get("top").Float())*scale)
	if f.moved == nil {
		f.moved = map[graphKey]map[int][2]float64{}
	}
	f.moved[p.graphKey(f.move, g.N)] = g.Moved
	p.id("lesson-again").Enable(true)
	p.drawFigures()
}

// graphKey tells a figure of a step from all others.
type graphKey struct {
	lesson, step int
	own          string // the reader's graph; "": the lesson's
	figure, n    int
}

func (p *page) graphKey(figure, n int) graphKey {
	m := p.lessons.m
	state, own := m.State(), m.Own()
	k := graphKey{lesson: state.Number, step: state.Step, figure: figure, n: n}
	if own != nil {
		k.own = own.Name
	}
	return k
}

// here says whether a figure is one of the open step.
func (p *page) here(k graphKey) bool { return k == p.graphKey(k.figure, k.n) }

// moved says whether a vertex of the open step stands elsewhere.
func (p *page) moved() bool {
	for k := range p.lessons.figures.moved {
		if p.here(k) {
			return true
		}
	}
	return false
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
	if r, ok = target(e); !ok {
		return 0, r, false
	}
	host := e.Call("closest", ".figure-host")
	if !host.Truthy() {
		return 0, r, false
	}
	at, err := strconv.Atoi(host.Get("dataset").Get("figure").String())
	return at, r, err == nil
}

// pointed is what a pointer's event is about: the thing nearest to it in the
// figure below it, or, of a click without a place, what it was sent to.
func (p *page) pointed(e js.Value) (at int, r figure.Ref, ok bool) {
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
		if r, ok := over(drawing, e, p.lessons.view.Figures[i], f.looks[i]); ok {
			return i, r, true
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
	key := e.Get("key").String()
	if key == "Enter" || key == " " {
		e.Call("preventDefault")
		p.activate(i, r)
		return
	}
	to, walks := walked(all, here, key)
	if !walks {
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
	isFlat := func(g *figure.Graph) bool { return g.Room(figure.Look{Width: width, Large: large}) < 0.45*width }
	graphs, flat := 0, 0 // flat ones are as wide as the column, and no higher than they have to be
	drawings := 0        // all but tables, which take the rows that they need below them
	for _, x := range v.Figures {
		if _, ok := x.(*figure.Table); !ok {
			drawings++
		}
		if g, ok := x.(*figure.Graph); ok {
			graphs++
			if isFlat(g) {
				flat++
			}
		}
	}
	above := drawings > 2 // flat graphs stand above the others, which share the rest
	if above {
		drawings -= flat
	}
	for i, x := range v.Figures {
		l := figure.Look{Width: width, Height: min(0.68*width, 330) * scale, Large: large}
		if t, ok := x.(*figure.Table); ok {
			l.Height = t.Room(l)
			out = append(out, l)
			continue
		}
		g, isGraph := x.(*figure.Graph)
		switch n := drawings; {
		case above && isGraph && isFlat(g):
		case n > 2:
			l.Width = (width - 8) / 2
			l.Height = max(0.72*l.Width, 150)
			if n%2 == 1 && i == n-1 {
				l.Width, l.Height = width, 0.45*width
			}
		case n == 2 && flat == 2:
		case n == 2 && graphs == 2:
			l.Width = (width - 8) / 2
			l.Height = min(1.1*l.Width, 300)
		case n == 2:
			l.Height = min(0.52*width, 240) * scale
			if _, ok := x.(*figure.Tree); ok {
				l.Height = min(0.46*width, 220) * scale
			}
		}
		if isGraph {
			l.Height = min(l.Height, g.Room(l))
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
			if f.drawn[i] != "" { // of a step before
				f.drawn[i] = ""
				host.Clear()
			}
			continue
		}
		host.Class("drags", p.takes(lesson.Drop))
		f.looks[i].Lit, f.looks[i].Theme = lit, theme
		if g, ok := v.Figures[i].(*figure.Graph); ok {
			g.Moved = f.moved[p.graphKey(i, g.N)]
		}
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
			rove(host.Value, t)
		}
	}
	f.calm = false
	if focused {
		p.focusFigure()
	}
}

// figured says whether an element is a thing in a figure, where arrow keys walk.
func figured(e js.Value) bool {
	_, _, ok := named(e)
	return ok
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
	case p.lessons.m.Key(name) != 0 && tag != "INPUT" && tag != "SELECT" && !figured(e.Get("target")):
		p.turn(p.lessons.m.Key(name))
	default:
		return inside && strings.ToLower(name) != "l"
	}
	e.Call("preventDefault")
	e.Call("stopPropagation")
	return true
}
