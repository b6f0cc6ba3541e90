//go:build js

package main

import (
	"strings"

	"genussink/viewer/scene"
	"genussink/wasm/internal/quantity"
)

// number is what a person calls a vertex.
func (p *page) number(v int32) string { return quantity.Count(p.scene.Mesh.Number(v)) }

// numbers are those of several vertices.
func (p *page) numbers(list ...int32) string {
	var out []string
	for _, v := range list {
		out = append(out, p.number(v))
	}
	return strings.Join(out, ", ")
}

// showPick says what was clicked.
func (p *page) showPick(k *scene.PickState) {
	p.id("pick").Show(k != nil)
	p.id("pick-note").Show(k == nil)
	if k == nil {
		return
	}
	p.id("pick-vertex-row").Show(k.Vertex >= 0)
	if k.Vertex >= 0 {
		p.text("pick-vertex", p.number(k.Vertex))
		var at []string
		for _, x := range k.Position {
			at = append(at, quantity.Number(x))
		}
		p.text("pick-position", strings.Join(at, ", "))
	}
	p.id("pick-edge-row").Show(k.Edge[0] >= 0)
	if k.Edge[0] >= 0 {
		p.text("pick-edge", p.numbers(k.Edge[:]...))
		p.text("pick-length", "")
		if k.EdgeLength.Known() {
			p.text("pick-length", p.length(float64(k.EdgeLength)))
		}
	}
	p.id("pick-face-row").Show(k.Face >= 0)
	if k.Face >= 0 {
		var angles []string
		for _, a := range k.Angles {
			angles = append(angles, quantity.Number(a)+"°")
		}
		p.text("pick-face", quantity.Count(int(k.Face)))
		p.text("pick-area", p.length(k.Area)+"²")
		p.text("pick-corners", "Corners "+p.numbers(k.Corners[:]...)+"; angles "+strings.Join(angles, ", ")+".")
	}
	for id, color := range map[string]string{"vertex": css(scene.PickedVertex()), "edge": css(scene.PickedEdge()), "face": css(scene.PickedFace())} {
		p.id("pick-"+id+"-swatch").Style("background", color)
	}
}
