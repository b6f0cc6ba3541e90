//go:build js

package main

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"genussink/viewer/colormap"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// showField shows the scale of the field that colours the mesh, or says why there is none.
func (p *page) showField(f scene.FieldState) {
	p.id("field").SetInput(string(f.Name))
	p.id("field-scale").Show(f.Shown)
	p.showFront(f)
	p.text("field-note", f.Missing)
	if !f.Shown {
		return
	}
	name := f.Name.Name()
	p.text("field-name", strings.ToUpper(name[:1])+name[1:])
	p.text("field-unit", p.fieldUnit(f.Name))
	p.id("field-bar").Style("background", viridis())
	markScale(p.id("field-ticks"), 40, f.From, f.To, func(x float64) string {
		if whole := f.Name == scene.FieldDegree || f.Name == scene.FieldLevel; whole && x != math.Round(x) {
			return ""
		}
		return fieldNumber(f.Name, x)
	})

	var notes []string
	if f.Least < f.From || f.Most > f.To {
		notes = append(notes, fmt.Sprintf("All values: %s to %s.", fieldNumber(f.Name, f.Least), fieldNumber(f.Name, f.Most)))
	}
	switch f.Name {
	case scene.FieldLevel:
		notes = append(notes, "A vertex that is in no separator has the level of its leaf.")
	case scene.FieldDisplacement:
		notes = append(notes, "The straight line from a vertex to the mean place of what it sends. It is never longer than its mass moves on average.")
	case scene.FieldDistance:
		notes = append(notes, fmt.Sprintf("From vertex %s, along edges. Click another vertex.", p.number(f.Vertex)))
	}
	if f.Without > 0 {
		notes = append(notes, fmt.Sprintf("Grey: %s without a value.", plural(f.Without, "vertex")))
	}
	p.text("field-note", strings.Join(notes, " "))
}

// markScale marks round values on a scale that has room for so many characters. write makes a value's words; where it makes none there is no tick. Of
// values whose words would run into each other every second has a tick, or fewer.
func markScale(box *dom.Element, room int, from, to float64, write func(float64) string) {
	key := fmt.Sprint(from, to, write(from), write(to))
	if box.Get("dataset").Get("key").String() == key {
		return
	}
	box.Get("dataset").Set("key", key)
	box.Clear()
	values := colormap.Ticks(from, to)
	longest := 0
	for _, x := range values {
		longest = max(longest, utf8.RuneCountInString(write(x)))
	}
	each := 1
	if len(values) > 1 {
		apart := (values[1] - values[0]) / (to - from) * float64(room)
		each = int(math.Ceil(float64(longest+1) / apart))
	}
	for i := 0; i < len(values); i += each {
		at := 0.5
		if to > from {
			at = (values[i] - from) / (to - from)
		}
		if text := write(values[i]); text != "" {
			box.Append(dom.New("span", "").Style("left", fmt.Sprintf("%.2f%%", 100*at)).Text(text))
		}
	}
}

// fieldUnit is what a field's values are in.
func (p *page) fieldUnit(f scene.Field) string {
	switch f {
	case scene.FieldMean:
		return p.per("")
	case scene.FieldGaussian:
		return p.per("²")
	case scene.FieldDegree:
		return "edges"
	case scene.FieldDistance, scene.FieldDisplacement:
		return p.unit()
	case scene.FieldLevel:
		return "levels below the root"
	case scene.FieldSource, scene.FieldTarget:
		return "of the mass"
	case scene.FieldOcclusion:
		return "of the sky, hidden"
	}
	return ""
}

// fieldNumber is a value of a field, without its unit: a share as a percentage.
func fieldNumber(f scene.Field, x float64) string {
	if f == scene.FieldSource || f == scene.FieldTarget || f == scene.FieldOcclusion {
		return quantity.Percent(x)
	}
	return quantity.Number(x)
}
