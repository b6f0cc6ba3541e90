//go:build js

package main

import (
	"syscall/js"

	"genussink/viewer/scene"
)

var tasks = []scene.Task{scene.TaskTransport, scene.TaskSeparators, scene.TaskTreewidth, scene.TaskInspect}

// taskControls makes the tabs: a click or a number turns to a task, arrows go along them.
func (p *page) taskControls() {
	for i, t := range tasks {
		p.click("task-"+string(t), func() { p.scene.Task(t) })
		p.id("task-"+string(t)).On("keydown", func(e js.Value) {
			var to int
			switch e.Get("key").String() {
			case "ArrowLeft":
				to = (i + len(tasks) - 1) % len(tasks)
			case "ArrowRight":
				to = (i + 1) % len(tasks)
			case "Home":
				to = 0
			case "End":
				to = len(tasks) - 1
			default:
				return
			}
			e.Call("preventDefault")
			e.Call("stopPropagation") // arrows turn the mesh elsewhere
			p.scene.Task(tasks[to])
			p.showTasks(tasks[to])
			p.id("task-" + string(tasks[to])).Call("focus")
		})
	}
}

func (p *page) showTasks(now scene.Task) {
	for _, t := range tasks {
		tab, at := p.id("task-"+string(t)), "-1"
		if t == now {
			at = "0"
		}
		tab.Attr("aria-selected", map[bool]string{true: "true", false: "false"}[t == now]).Attr("tabindex", at)
		p.id("panel-" + string(t)).Show(t == now)
	}
}
