//go:build js

package main

import (
	"fmt"
	"strconv"
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
	theme := p.scene.View.Theme()
	made := fmt.Sprint(st.Legend, st.Field.From, st.Field.To, st.Mesh.Unit, st.Treewidth.Elimination.Shown, theme)
	if made == p.legend {
		return
	}
	p.legend = made
	focused := dom.Document().Get("activeElement").Get("id").String()
	box.Clear()
	p.massTicks = nil
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
				f := scene.Field(part.Name)
				what = fmt.Sprintf("%s, %s to %s %s", f.Name(), fieldNumber(f, st.Field.From), fieldNumber(f, st.Field.To), p.fieldUnit(f))
			}
			words = append(words, what)
			if e.Layer == scene.LayerMass && part.Mark == scene.MarkRamp {
				p.massTicks = dom.New("span", "ticks marked")
				scale := dom.New("span", "scale").Append(dom.New("span", "ramp").Style("background", ramp(part.Color, theme)), p.massTicks)
				b.Append(scale, dom.New("span", "").Text(what))
				continue
			}
			b.Append(dom.New("span", "").Append(swatch(part, theme), dom.New("i", "").Text(what)))
		}
		b.Attr("title", strings.Join(words, ", "))
		b.On("click", func(js.Value) { p.scene.Toggle(e.Layer) })
		box.Append(b)
		if focused == "legend-"+string(e.Layer) {
			b.Call("focus")
		}
	}
}

// showMassScale marks round shares on the scale of mass that is shown as a density. The scale changes as the mass moves: it is read to two
// digits, so that it does not flicker.
func (p *page) showMassScale() {
	if p.massTicks == nil {
		return
	}
	if _, most := p.scene.MassScale(); most > 0 {
		digits, _ := strconv.ParseFloat(strconv.FormatFloat(most, 'e', 1, 64), 64)
		markScale(p.massTicks, 26, 0, digits, quantity.Percent)
	}
}

// swatch shows a colour as it is drawn.
func swatch(part scene.LegendPart, theme colormap.Theme) *dom.Element {
	e := dom.New("i", "swatch "+string(part.Mark))
	if part.Mark == scene.MarkScale {
		return e.Style("background", viridis())
	}
	if part.Mark == scene.MarkRamp {
		return e.Style("background", ramp(part.Color, theme))
	}
	return e.Style("background", css(part.Color))
}

// ramp is the colours of an amount, none at the left.
func ramp(color colormap.RGB, theme colormap.Theme) string {
	return gradient(17, func(share float64) string {
		tone, opacity := colormap.Amount(color, theme, share)
		return fmt.Sprintf("rgb(%s / %.2f)", channels(tone), opacity)
	})
}

// viridis is the colours of a field, the lowest at the left.
func viridis() string {
	return gradient(10, func(share float64) string { return css(colormap.Viridis(share)) })
}

// gradient is a background from left to right, of a colour at each of so many shares from 0 to 1.
func gradient(stops int, at func(share float64) string) string {
	colors := make([]string, stops)
	for i := range colors {
		colors[i] = at(float64(i) / float64(stops-1))
	}
	return "linear-gradient(to right, " + strings.Join(colors, ", ") + ")"
}
