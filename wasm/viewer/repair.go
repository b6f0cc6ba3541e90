//go:build js

package main

import (
	"fmt"

	"genussink/core/job"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
)

// repairs are the buttons: what each would do to so many vertices or faces, and what it has done.
var repairs = []struct{ step, what, would, has string }{
	{job.RepairWeld, "vertex", "Weld equal vertices: %s would go", "Welded equal vertices: %s gone."},
	{job.RepairDegenerate, "face", "Drop degenerate faces: %s would go", "Dropped degenerate faces: %s gone."},
	{job.RepairIsolated, "vertex", "Drop isolated vertices: %s would go", "Dropped isolated vertices: %s gone."},
	{job.RepairOrient, "face", "Orient faces: %s would turn over", "Oriented faces: %s turned over."},
}

func counted(n int, what string) string {
	if what == "vertex" {
		return plural(n, "vertex")
	}
	return plural(n, what)
}

// showRepairs says what each repair would change, and what those have changed that were made.
func (p *page) showRepairs(st scene.State) {
	p.id("repair").Show(p.scene.Mesh.Mends() && (st.Findings.Known || len(st.Repairs) > 0))
	for _, r := range repairs {
		n := p.scene.Inspection.Repairable(r.step)
		p.id("repair-" + r.step).Enable(n > 0 && st.Ready).Text(fmt.Sprintf(r.would, counted(n, r.what)))
	}
	p.id("undo-repair").Enable(len(st.Repairs) > 0 && st.Ready)
	list := p.id("repaired")
	key := fmt.Sprint(st.Repairs)
	if list.Attr("data-of", "").Get("dataset").Get("key").String() == key {
		return
	}
	list.Get("dataset").Set("key", key)
	list.Clear()
	for _, done := range st.Repairs {
		for _, r := range repairs {
			if r.step == done.Step {
				list.Append(dom.New("li", "").Text(fmt.Sprintf(r.has, counted(done.Count, r.what))))
			}
		}
	}
}
