//go:build js

package main

import (
	"math"
	"strconv"

	"genussink/core/job"
	"genussink/viewer/scene"
	"genussink/wasm/internal/quantity"
)

// reachOff is where the slider stands without a reach: one step below the least.
const reachOff = -2.02

// reachControls hands on how far the reach is.
func (p *page) reachControls() {
	p.slide("reach", func(x float64) {
		if x < (reachOff+math.Log10(scene.MinReach))/2 {
			p.scene.Reach(0)
		} else {
			p.scene.Reach(math.Pow(10, x))
		}
	})
}

// showReach shows the reach, and what it destroys and creates.
func (p *page) showReach(t scene.TransportState) {
	exp := t.Kernel == job.Exp
	at, far, note := reachOff, "off, masses are equal", ""
	switch {
	case !exp:
		far, note = "off", "A reach works only with the kernel exp."
	case t.Reach > 0:
		at, far = math.Log10(t.Reach), quantity.Percent(t.Reach)+" of diagonal"
		note = "Mass moves about this far rather than be destroyed here and created there. Change, in the legend, shows where."
	}
	p.id("reach").Enable(exp).SetInput(strconv.FormatFloat(math.Round(50*at)/50, 'f', -1, 64))
	p.text("reach-out", far)
	p.id("reach").Attr("aria-valuetext", far)
	p.text("reach-note", note)
	r := t.Result
	changed := r != nil && r.Reach > 0
	p.id("result-destroyed-line").Show(changed)
	p.id("result-created-line").Show(changed)
	if changed {
		p.text("result-destroyed", quantity.Percent(r.Destroyed))
		p.text("result-created", quantity.Percent(r.Created))
	}
}

// showDebias shows whether the divergence is found, and what it is.
func (p *page) showDebias(t scene.TransportState) {
	note := ""
	switch {
	case t.Reach > 0:
		note = "The divergence works only between equal masses, without a reach."
	case t.Debias:
		note = "The result has the Sinkhorn divergence too: Primal, less half of what it is from the source to itself and from the target to itself. It takes two more solves."
	}
	p.id("debias").Enable(t.Reach == 0).Check(t.Debias)
	p.text("debias-note", note)
	r := t.Result
	known := r != nil && r.Divergence.Known()
	p.id("result-divergence-line").Show(known)
	if known {
		words := p.length(float64(r.Divergence))
		if r.DivergenceWithin.Known() {
			words += " ± " + quantity.Number(float64(r.DivergenceWithin))
		}
		p.text("result-divergence", words)
	}
}
