//go:build js

package main

import (
	"syscall/js"

	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
)

// introduction offers a newcomer three things to do. It goes when any is chosen, or when something else is done with the mesh or the panel.
func (p *page) introduction() {
	done := func() {
		p.newcomer = false
		p.showIntroduction(false)
	}
	p.click("intro-paint", func() {
		done()
		p.scene.Task(scene.TaskTransport)
		p.scene.BrushTool(scene.ToolSource)
		p.say("Drag on the mesh to paint the source, then paint the target.")
	})
	p.click("intro-learn", func() {
		done()
		p.id("learn").Call("click")
	})
	p.click("intro-open", func() {
		done()
		p.id("open").Call("click")
	})
	p.click("intro-close", done)
	for _, event := range []string{"pointerdown", "keydown", "drop", "change"} {
		dom.Capture(dom.Window(), event, func(e js.Value) {
			if !p.newcomer || e.Get("key").Equal(js.ValueOf("Tab")) {
				return
			}
			if at := e.Get("target"); at.Get("closest").Type() != js.TypeFunction || at.Call("closest", "#intro").IsNull() {
				done()
			}
		})
	}
}

// showIntroduction shows the card, and the mesh above it where the card would cover it.
func (p *page) showIntroduction(on bool) {
	card := p.id("intro").Show(on)
	canvas := dom.Document().Call("querySelector", "canvas")
	if !p.spared && !on || canvas.IsNull() {
		return
	}
	box := canvas.Call("getBoundingClientRect")
	width, height, covered := box.Get("width").Float(), box.Get("height").Float(), 0.0
	if on {
		over := card.Call("getBoundingClientRect")
		if beside := width/2 - min(width, height)/3; over.Get("right").Float()-box.Get("left").Float() > beside {
			covered = box.Get("bottom").Float() - over.Get("top").Float()
		}
	}
	p.spared = on
	p.scene.View.Spare(width, height, covered)
}
