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
		p.id("intro").Show(false)
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
