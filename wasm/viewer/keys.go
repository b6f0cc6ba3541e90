//go:build js

package main

import (
	"math"
	"slices"
	"strings"
	"syscall/js"

	"genussink/viewer/app"
	"genussink/viewer/scene"
	"genussink/viewer/timeline"
	"genussink/wasm/internal/dom"
)

// key is what one key does, wherever the focus is outside text.
type key struct {
	name  string // as KeyboardEvent.key, lower case; "ctrl+" before it
	shown string
	does  string
	f     func()
}

func (p *page) keyList() []key {
	const step = 0.04
	s := p.scene
	press := func(id string) func() { return func() { p.id(id).Call("click") } }
	turn := func(x, y float64) func() { // right and up; with a brush in hand that walks instead
		return func() {
			if s.Brush.Tool().Brush() {
				p.walking = true
				s.Walk(x, y)
			} else {
				s.View.Camera().Orbit(step*x, -step*y, 1)
			}
		}
	}
	dab := func(otherwise func()) func() {
		return func() {
			if s.Brush.Tool().Brush() && dom.Document().Get("activeElement").Get("tagName").String() == "CANVAS" {
				s.Dab()
			} else {
				otherwise()
			}
		}
	}
	zoom := func(by float64) func() { return func() { s.View.Camera().Zoom(by, 0.5, 0.5, 1, 1) } }
	return []key{
		{"l", "L", "Learn", press("learn")},
		{"o", "O", "Open mesh", press("open")},
		{"g", "G", "Gallery", press("show-gallery")},
		{"f", "F", "Fit view", press("fit")},
		{"w", "W", "Wireframe", press("wireframe")},
		{"m", "M", "Measure distance", press("tool-measure")},
		{"[", "[", "One separator level up", func() { s.Separation.Move((*timeline.Timeline).Back) }},
		{"]", "]", "One separator level down", func() { s.Separation.Move((*timeline.Timeline).Forward) }},
		{"s", "S", "Paint source", press("tool-source")},
		{"t", "T", "Paint target", press("tool-target")},
		{"e", "E", "Erase", press("tool-erase")},
		{"v", "V", "Smooth", press("tool-smooth")},
		{"q", "Q", "Ask where mass goes", press("tool-goes")},
		{"b", "B", "Ask where mass comes from", press("tool-comes")},
		{"-", "−", "Smaller brush", func() { s.BrushRadius(s.State().Densities.Radius / 1.25) }},
		{"+", "+", "Larger brush", func() { s.BrushRadius(s.State().Densities.Radius * 1.25) }},
		{"ctrl+z", "Ctrl Z", "Undo", press("undo")},
		{"ctrl+y", "Ctrl Y", "Redo", press("redo")},
		{"r", "R", "Solve", press("solve")},
		{"c", "C", "Clear densities", press("clear")},
		{"x", "X", "Swap source and target", press("swap")},
		{"n", "N", "Find treewidth, or stop the search", press("treewidth")},
		{"i", "I", "Inspect mesh", press("inspect")},
		{"h", "H", "Share", press("share")},
		{"ctrl+s", "Ctrl S", "Save", press("save")},
		{"escape", "Esc", "Put the tool down, cancel, let go of a vertex", p.escape},
		{" ", "Space", "Play or pause; with a brush on the mesh: dab", dab(press("play"))},
		{"enter", "Enter", "Dab (a brush in hand, focus on the mesh)", dab(func() {})},
		{"1", "1", "Transport", func() { s.Task(scene.TaskTransport) }},
		{"2", "2", "Separators", func() { s.Task(scene.TaskSeparators) }},
		{"3", "3", "Treewidth", func() { s.Task(scene.TaskTreewidth) }},
		{"4", "4", "Inspect", func() { s.Task(scene.TaskInspect) }},
		{"arrowleft", "←", "Turn the mesh, or walk with the brush (focus on the mesh)", turn(-1, 0)},
		{"arrowright", "→", "", turn(1, 0)},
		{"arrowup", "↑", "", turn(0, 1)},
		{"arrowdown", "↓", "", turn(0, -1)},
		{"pageup", "Page ↑", "Closer (focus on the mesh)", zoom(1 / 1.15)},
		{"pagedown", "Page ↓", "Farther (focus on the mesh)", zoom(1.15)},
		{"?", "?", "This list", func() { p.dialog("keys") }},
	}
}

// escape does the first of these that applies: it takes the error away, puts the tool down, cancels what is under way, or stops the search
// for the treewidth. Whoever paints did not ask for the solve that follows the brush. Otherwise it lets go of the vertex, the cell, the bag, the
// elimination and what was clicked.
func (p *page) escape() {
	st := p.scene.State()
	switch {
	case st.Error != "":
		p.scene.Dismiss()
	case st.Densities.Tool != scene.ToolNone:
		p.scene.BrushTool(scene.ToolNone)
	case st.Phase == scene.PhaseComputing || st.Phase == scene.PhaseLoading:
		p.scene.Cancel()
		p.send()
	case st.Treewidth.Running:
		p.scene.StopTreewidth()
		p.send()
	default:
		p.scene.FocusVertex(-1)
		p.scene.FocusCell(-1)
		p.scene.ShowBag(-1)
		p.scene.HideElimination()
		p.scene.LookAt(0, -1)
		p.scene.LetGo()
	}
}

// keys listens for keys before the canvas does, which would swallow all of
// them, Tab included.
func (p *page) keys() {
	list := p.keyList()
	if p.embedded {
		list = slices.DeleteFunc(list, func(k key) bool { return !slices.Contains(framedKeys, k.name) })
	}
	byName := map[string]key{}
	out := p.id("keys-list")
	for _, k := range list {
		byName[k.name] = k
		if k.does != "" {
			shown := k.shown
			if k.name == "arrowleft" {
				shown = "← → ↑ ↓"
			}
			out.Append(dom.New("div", "").Append(
				dom.New("dt", "").Text(k.does),
				dom.New("dd", "").Append(dom.New("kbd", "").Text(shown))))
		}
	}
	for also, name := range map[string]string{"ctrl+shift+z": "ctrl+y", "=": "+"} {
		if k, ok := byName[name]; ok {
			byName[also] = k
		}
	}

	dom.Capture(dom.Window(), "keydown", func(e js.Value) {
		target := e.Get("target")
		tag := target.Get("tagName").String()
		onCanvas := tag == "CANVAS"
		name := e.Get("key").String()
		if onCanvas && name != "Shift" { // which the pointer asks about
			e.Call("stopPropagation")
		}
		if len(name) > 1 || e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() {
			name = strings.ToLower(name)
		}
		if e.Get("altKey").Bool() || dom.Document().Call("querySelector", "dialog[open]").Truthy() {
			return
		}
		if inside := target.Get("closest").Truthy() && target.Call("closest", "#lesson").Truthy(); p.lessonKeys(e, inside) {
			return
		}
		if target.Get("id").Equal(js.ValueOf("bags")) && p.bagsKey(e) {
			return
		}
		ctrl := e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool()
		if ctrl {
			if e.Get("shiftKey").Bool() {
				name = "shift+" + name
			}
			name = "ctrl+" + name
		}
		k, ok := byName[name]
		if !ok {
			k, ok = byName[strings.ToLower(name)]
		}
		if !ok {
			return
		}
		if !onCanvas && !ctrl && name != "escape" {
			// Keys that move a control or the page stay with it.
			own := tag == "INPUT" || tag == "SELECT" || tag == "TEXTAREA"
			moving := strings.HasPrefix(name, "arrow") || strings.HasPrefix(name, "page") ||
				name == " " && tag != "BODY" || name == "enter"
			if own || moving {
				return
			}
		}
		e.Call("preventDefault")
		k.f()
	})
	dom.Capture(dom.Window(), "keyup", func(e js.Value) {
		if e.Get("target").Get("tagName").String() == "CANVAS" && e.Get("key").String() != "Shift" {
			e.Call("stopPropagation")
		}
	})
}

// canvas fits ebiten's canvas into the page: it comes first in the page and in
// reading order, has a name, and still gets the events of a drag that leaves it.
func (p *page) canvas() {
	c := dom.Document().Call("querySelector", "canvas")
	p.id("view").Call("prepend", c)
	c.Call("setAttribute", "tabindex", "0")
	c.Call("setAttribute", "role", "application")
	c.Call("setAttribute", "aria-label", "Mesh view")

	// ebiten does not tell how hard a pen is pressed.
	for _, name := range []string{"pointerdown", "pointermove"} {
		dom.Capture(c, name, func(e js.Value) {
			pressure := 1.0
			if e.Get("pointerType").String() == "pen" {
				pressure = e.Get("pressure").Float()
			}
			p.scene.Brush.Press(pressure)
			p.walking = false
		})
	}

	// ebiten looks at fingers once a frame: it misses a tap that is over before.
	var x, y float64 // of the press
	looks := -1      // at it
	dom.Capture(c, "pointerdown", func(e js.Value) {
		if looks = -1; e.Get("isPrimary").Bool() && e.Get("pointerType").String() == "touch" {
			x, y, looks = e.Get("offsetX").Float(), e.Get("offsetY").Float(), p.game.Looks()
		}
	})
	dom.Capture(c, "pointerup", func(e js.Value) {
		if looks == p.game.Looks() && math.Hypot(e.Get("offsetX").Float()-x, e.Get("offsetY").Float()-y) <= app.DragPixels {
			p.game.Tap(x, y)
		}
		looks = -1
	})

	dom.Listen(c, "mouseleave", func(js.Value) { p.game.Away(true) })
	dom.Listen(c, "mouseenter", func(js.Value) { p.game.Away(false) })

	// ebiten listens at the canvas only: a drag released over the panel would
	// never end.
	held := false
	dom.Capture(c, "mousedown", func(js.Value) { held = true })
	relay := func(e js.Value) {
		if !held || e.Get("target").Equal(c) {
			return
		}
		c.Call("dispatchEvent", js.Global().Get("MouseEvent").New(e.Get("type"), map[string]any{
			"clientX": e.Get("clientX"), "clientY": e.Get("clientY"),
			"movementX": e.Get("movementX"), "movementY": e.Get("movementY"),
			"button": e.Get("button"), "buttons": e.Get("buttons"),
		}))
	}
	for _, name := range []string{"mousemove", "mouseup"} {
		dom.Capture(dom.Window(), name, func(e js.Value) {
			relay(e)
			if name == "mouseup" && e.Get("buttons").Int() == 0 {
				held = false
			}
		})
	}
}
