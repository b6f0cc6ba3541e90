//go:build js

package main

import (
	"fmt"
	"strconv"
	"syscall/js"

	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
)

// showPaths lists the measured paths, each with a button that removes it.
func (p *page) showPaths(st scene.State) {
	note := ""
	if measuring := st.Densities.Tool == scene.ToolMeasure; measuring {
		note = "Click two vertices."
		if n := len(st.Paths); n > 0 && st.Paths[n-1].To < 0 {
			note = "From vertex " + p.number(st.Paths[n-1].From) + ": click the second."
		}
	}
	p.text("path", note)
	p.id("remove-paths").Show(len(st.Paths) > 0)
	p.id("return-paths").Show(st.Removed > 0)
	list := p.id("paths").Show(len(st.Paths) > 0)
	key := fmt.Sprint(st.Mesh.Name, st.Mesh.Unit, st.Paths)
	if list.Get("dataset").Get("key").Equal(js.ValueOf(key)) {
		return
	}
	list.Get("dataset").Set("key", key)
	list.Clear()
	for _, path := range st.Paths {
		remove := dom.New("button", "").Attr("type", "button").Attr("aria-label", "Remove path "+strconv.Itoa(path.Number)).Text("×")
		remove.On("click", func(js.Value) { p.scene.RemovePath(path.Number) })
		list.Append(dom.New("li", "").Append(
			dom.New("i", "swatch").Style("background", css(path.Color())),
			dom.New("span", "").Text(p.pathText(path)), remove))
	}
}

// pathText is a path's length, and the straight one.
func (p *page) pathText(path scene.PathState) string {
	text := fmt.Sprintf("%d: vertex %s", path.Number, p.number(path.From))
	if path.To >= 0 {
		text += " to " + p.number(path.To)
	}
	switch {
	case path.To < 0:
	case !path.Known:
		text += ", measuring…"
	case !path.Connected:
		text += ": no path, they lie in different components"
	default:
		text += fmt.Sprintf(": %s over %s; straight %s", p.length(path.Length), plural(path.Edges, "edge"), p.length(path.Straight))
	}
	return text
}
