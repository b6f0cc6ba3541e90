//go:build js

package main

import (
	"fmt"

	"genussink/viewer/figure"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// blockControls connects what shows how the kernel is stored.
func (p *page) blockControls() {
	at := func() int { return p.scene.State().Transport.Block.Number }
	p.click("block-show", func() { p.scene.ShowBlock(at()) })
	p.click("block-back", func() { p.scene.ShowBlock(max(at()-1, 0)) })
	p.click("block-on", func() { p.scene.ShowBlock(at() + 1) })
	p.click("block-end", func() { p.scene.ShowBlock(-1) })
}

// showBlock shows a block of the kernel.
func (p *page) showBlock(b scene.BlockState) {
	p.id("blocks").Show(b.Available)
	p.id("block-show").Show(!b.Shown).Enable(!b.Waiting)
	for _, id := range []string{"block-back", "block-on", "block-end"} {
		p.id(id).Show(b.Shown)
	}
	words := "A block as it is stored: pairs of two patches, whose shortest paths run through a few hubs."
	if b.Shown {
		words = fmt.Sprintf("Block %s of %s: %s by %s, in %s of %s.", quantity.Count(b.Number+1), quantity.Count(b.Count),
			plural(b.Rows, "row"), plural(b.Columns, "column"), plural(b.Runs, "run"), plural(b.Hubs, "hub"))
		if b.Gathered > 0 {
			words += fmt.Sprintf(" %s of these rows and columns stand for several vertices each, which are multiplied as one.", quantity.Count(b.Gathered))
		}
		words += " Each box is a run, coloured by its hub; rows that share it are in one box. Rows, columns and hubs are marked on the mesh."
	}
	p.text("block-note", words)
	if of := p.scene.Blocks.Block(); of != p.block {
		if p.block = of; of == nil {
			p.id("block").Clear()
			return
		}
		f := figure.Block{Rows: b.Rows, Columns: b.Columns, Runs: figure.BlockRuns(of.Runs, of.Hubs())}
		tall := min(treeWidth, max(40, treeWidth*float64(b.Rows)/float64(max(b.Columns, 1))))
		p.id("block").Call("replaceChildren", dom.Markup(f.SVG("kernel-block", figure.Look{Width: treeWidth, Height: tall, Theme: p.scene.View.Theme()})))
	}
}
