//go:build js

package main

import (
	"fmt"
	"strings"
	"syscall/js"

	"genussink/viewer/colormap"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// showLegend lists the layers. Each is a button. It takes its layer off the screen, or puts it back.
func (p *page) showLegend(st scene.State) {
	box := p.id("legend").Show(st.Ready)
	made := fmt.Sprint(st.Legend, st.Field.From, st.Field.To, st.Treewidth.Elimination.Shown)
	if made == p.legend {
		return
	}
	p.legend = made
	focused := dom.Document().Get("activeElement").Get("id").String()
	box.Clear()
	for _, e := range st.Legend {
		name := e.Layer.Name()
		if e.Layer == scene.LayerBag && st.Treewidth.Elimination.Shown {
			name = "Elimination"
		}
		b := dom.New("button", "").Attr("type", "button").Attr("id", "legend-"+string(e.Layer)).Attr("aria-label", name).Press(e.On)
		b.Append(dom.New("b", "").Text(name))
		var words []string
		for _, part := range e.Parts {
			what := part.Name
			if part.Mark == scene.MarkScale {
				field, unit := p.fieldName(scene.Field(part.Name))
				what = fmt.Sprintf("%s, %s to %s %s", field, quantity.Number(st.Field.From), quantity.Number(st.Field.To), unit)
			}
			words = append(words, what)
			b.Append(dom.New("span", "").Append(swatch(part), dom.New("i", "").Text(what)))
		}
		b.Attr("title", strings.Join(words, ", "))
		b.On("click", func(js.Value) { p.scene.Toggle(e.Layer) })
		box.Append(b)
		if focused == "legend-"+string(e.Layer) {
			b.Call("focus")
		}
	}
}

// swatch shows a colour as it is drawn.
func swatch(part scene.LegendPart) *dom.Element {
	e := dom.New("i", "swatch "+string(part.Mark))
	if part.Mark == scene.MarkScale {
		return e.Style("background", viridis())
	}
	if part.Mark == scene.MarkRamp {
		return e.Style("background", "linear-gradient(to right, transparent, "+css(part.Color)+")")
	}
	return e.Style("background", css(part.Color))
}

// viridis is the colours of a field, the lowest at the left.
func viridis() string {
	var stops []string
	for i := range 10 {
		stops = append(stops, css(colormap.Viridis(float64(i)/9)))
	}
	return "linear-gradient(to right, " + strings.Join(stops, ", ") + ")"
}
