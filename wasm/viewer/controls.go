//go:build js

package main

import (
	"math"
	"strconv"
	"syscall/js"

	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
)

// click does f when the button with the given id is pressed.
func (p *page) click(id string, f func()) {
	p.id(id).On("click", func(js.Value) { f() })
}

// slide hands on a slider's value while it moves.
func (p *page) slide(id string, f func(x float64)) {
	e := p.id(id)
	e.On("input", func(js.Value) { f(e.InputNumber()) })
}

// choose hands on a select box's value.
func (p *page) choose(id string, f func(value string)) {
	e := p.id(id)
	e.On("change", func(js.Value) {
		e.Chosen()
		f(e.Input())
	})
}

// balanceSteps is how many steps of the slider a balance of 1 would be: with sixty it has the thirds and the twentieths.
const balanceSteps = 60

// controls connects the panel and the bar to the scene.
func (p *page) controls() {
	s := p.scene
	looks := s.View.Looks

	p.click("fit", s.View.Fit)
	p.click("hidden", func() { s.View.Hidden(!looks().Hidden) })
	p.click("wireframe", func() { s.View.Wireframe(!looks().Wireframe) })
	p.click("smooth", func() { s.View.Smooth(!looks().Smooth) })
	p.click("ortho", func() { s.View.Orthographic(!looks().Orthographic) })
	p.choose("up", s.View.Up)
	p.choose("section-axis", func(axis string) { s.View.Section(axis, looks().Section.Position) })
	p.slide("section-position", func(x float64) { s.View.Section(looks().Section.Axis, x) })
	p.choose("unit", s.Unit)
	p.choose("layout", func(value string) { s.Space(value == "space") })
	for _, r := range repairs {
		p.click("repair-"+r.step, func() { s.Repair(r.step) })
	}
	p.click("undo-repair", s.UndoRepair)
	p.click("remove-paths", func() { s.RemovePath(0) })
	p.click("return-paths", s.ReturnPaths)
	p.click("tool-measure", func() { p.tool(scene.ToolMeasure) })

	p.timelineControls("level", s.Separation.Move)
	p.timelineControls("iterate", s.Iterate)
	p.click("iterate-end", s.HideIterations)
	p.blockControls()
	p.matrixControls()
	p.timelineControls("spread", s.Spread)
	p.click("spread-end", s.HideFront)
	p.choose("finder", s.Finder)
	p.slide("balance", func(x float64) { s.Balance(x / balanceSteps) })

	p.click("sweep", s.Sweep)
	p.paretoControls()
	p.click("take-none", func() { s.Take(-1) })
	p.id("tree").On("keydown", p.treeKey)
	p.id("tree").On("click", p.treeClick)
	p.treewidthControls()

	p.click("tool-source", func() { p.tool(scene.ToolSource) })
	p.click("tool-target", func() { p.tool(scene.ToolTarget) })
	p.click("hand-source", func() { s.BrushTool(scene.ToolSource) })
	p.click("hand-target", func() { s.BrushTool(scene.ToolTarget) })
	p.click("hand-undo", s.Undo)
	p.click("hand-done", func() { s.BrushTool(scene.ToolNone) })
	p.click("tool-erase", func() { p.tool(scene.ToolErase) })
	p.click("tool-goes", func() { p.tool(scene.ToolGoes) })
	p.click("tool-comes", func() { p.tool(scene.ToolComes) })
	p.click("tool-smooth", func() { p.tool(scene.ToolSmooth) })
	p.click("mirror", func() { s.MirrorStrokes(!s.State().Densities.Mirrored) })
	p.choose("shape", func(name string) { s.BrushShape(scene.Shape(name)) })
	p.slide("radius", s.BrushRadius)
	p.slide("strength", s.Brush.Strength)
	p.click("undo", s.Undo)
	p.click("redo", s.Redo)
	p.click("swap", s.Swap)
	p.click("clear", s.Clear)
	p.choose("preset", func(name string) {
		if name != "" {
			s.Preset(name)
		}
	})

	p.choose("components", s.Components)
	p.click("balance-masses", s.BalanceMasses)

	p.click("inspect", s.Inspect)
	p.click("show-defects", func() { s.ShowDefects(!s.State().Findings.Shown) })
	p.choose("field", func(name string) { s.ShowField(scene.Field(name)) })
	p.choose("quantity", func(string) { p.showHistogram() })

	p.choose("method", s.Method)
	p.slide("epsilon", func(x float64) { s.Epsilon(math.Pow(10, x)) })
	p.slide("delta", func(x float64) { s.Delta(math.Pow(10, x)) })
	p.kernelControls()
	p.reachControls()
	p.id("debias").On("change", func(e js.Value) { s.Debias(e.Get("target").Get("checked").Bool()) })
	p.slide("depth", func(x float64) { s.Levels(int(x)) })
	p.barycentreControls()
	p.click("solve", s.Solve)
	p.click("exact", s.Exact)
	p.click("cancel", func() {
		s.Cancel()
		p.send() // not at the next frame: now
	})
	p.click("go-back", s.GoBack)
	p.click("forget-replaced", s.ForgetReplaced)
	p.click("copy-timings", p.copyTimings)
	p.click("reset-timings", p.scene.ResetTimings)

	p.click("play", p.playOrPause)
	p.slide("position", func(x float64) {
		s.HideIterations()
		s.ShowBarycentre(false)
		s.ShowBlock(-1)
		s.Playback.Seek(x)
	})
	p.choose("speed", func(value string) {
		if x, err := strconv.ParseFloat(value, 64); err == nil {
			s.Playback.Speed(x)
		}
	})
	p.click("loop", func() { s.Playback.Loop(!s.State().Playback.Loop) })
	p.click("arrows", func() { s.Toggle(scene.LayerArrows) })
	p.choose("mass", func(value string) { s.Playback.Show(scene.Mass(value)) })

	p.click("share", p.share)
	p.click("share-link", p.copyPart)
	p.savings()
	p.benchmarkControls()
	p.multiplesControls()
	p.click("copy-embed", p.copyEmbed)
	p.click("show-keys", func() { p.dialog("keys") })
	p.click("show-about", func() { p.dialog("about") })
	p.introduction()
	p.click("sheet", p.toggleSheet)
	p.themes()
	p.motion()
}

// tool takes a tool in hand, or puts it down.
func (p *page) tool(t scene.Tool) {
	if p.scene.Brush.Tool() == t {
		t = scene.ToolNone
	}
	p.scene.BrushTool(t)
}

func (p *page) playOrPause() {
	if p.scene.State().Playback.Playing {
		p.scene.Playback.Pause()
	} else {
		p.scene.Play()
	}
}

func (p *page) dialog(id string) {
	if d := p.id(id); !d.Get("open").Bool() {
		d.Call("showModal")
		d.Set("scrollTop", 0) // the browser keeps where it was scrolled to
	}
}

// toggleSheet opens or closes the panel on a narrow screen.
func (p *page) toggleSheet() {
	root := dom.Document().Get("documentElement")
	open := root.Get("dataset").Get("sheet").Type() == js.TypeString
	if open {
		root.Get("dataset").Delete("sheet")
	} else {
		root.Get("dataset").Set("sheet", "open")
	}
	p.id("sheet").Attr("aria-expanded", strconv.FormatBool(!open))
	dom.Window().Call("dispatchEvent", js.Global().Get("Event").New("resize"))
}

// themes follows the system's theme until a person chooses one.
func (p *page) themes() {
	root := dom.Document().Get("documentElement").Get("dataset")
	system := dom.Window().Call("matchMedia", "(prefers-color-scheme: light)")
	light := func() bool {
		if t := root.Get("theme"); t.Type() == js.TypeString {
			return t.String() == "light"
		}
		return system.Get("matches").Bool()
	}
	follow := func() {
		p.scene.View.Light(light())
		p.block = nil // what is drawn as text has the theme's colours in it: it is drawn anew
		if p.lessonState() != nil {
			p.drawFigures()
		}
	}
	follow()
	dom.Listen(system, "change", func(js.Value) { follow() })
	p.click("theme", func() {
		name := "light"
		if light() {
			name = "dark"
		}
		root.Set("theme", name)
		follow()
		dom.Remember("genussink.theme", name)
	})
}

// motion follows the system's wish for less of it.
func (p *page) motion() {
	reduce := dom.Window().Call("matchMedia", "(prefers-reduced-motion: reduce)")
	p.scene.View.ReducedMotion(reduce.Get("matches").Bool())
	dom.Listen(reduce, "change", func(js.Value) { p.scene.View.ReducedMotion(reduce.Get("matches").Bool()) })
}
