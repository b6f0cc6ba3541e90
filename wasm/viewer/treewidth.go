//go:build js

package main

import (
	"fmt"
	"slices"
	"strconv"

	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// treewidthControls connects the panel of the treewidth to the scene.
func (p *page) treewidthControls() {
	s := p.scene
	state := func() scene.TreewidthState { return s.State().Treewidth }
	p.click("treewidth", func() {
		if state().Running {
			s.StopTreewidth()
			p.send() // not at the next frame: now
		} else {
			s.FindTreewidth()
		}
	})
	p.click("bag-widest", func() { s.ShowBag(state().Widest) })
	p.click("bag-centroid", func() { s.ShowBag(state().Centroid) })
	p.click("bag-hide", func() { s.ShowBag(-1) })
	p.slide("bag", func(x float64) { s.ShowBag(int(x) - 1) })
	p.timelineControls("eliminate", s.Eliminate)
	p.click("eliminate-end", s.HideElimination)
	p.click("save-td", p.saveDecomposition)
	p.bagsControls()
}

func (p *page) showTreewidth(st scene.State) {
	if st.Task != scene.TaskTreewidth {
		return
	}
	t := st.Treewidth
	button := p.id("treewidth").Enable(st.Ready)
	if t.Running {
		button.Text("Stop search")
	} else {
		button.Text("Find treewidth")
	}
	p.id("save-td").Enable(t.Bags > 0)
	p.text("treewidth-note", treewidthText(t))
	p.id("treewidth-results").Show(t.Known)
	if !t.Known {
		return
	}
	p.showBags(st)
	p.text("tw-lower", quantity.Count(t.Lower))
	p.text("tw-upper", quantity.Count(t.Upper))
	p.text("tw-bags", quantity.Count(t.Bags))
	p.drawBounds(t)
	p.id("bag-widest").Press(t.Shown >= 0 && t.Shown == t.Widest)
	p.id("bag-centroid").Press(t.Shown >= 0 && t.Shown == t.Centroid)
	p.id("bag-hide").Enable(t.Shown >= 0)
	p.id("bag").Number("max", float64(t.Bags))
	p.id("bag").SetInput(strconv.Itoa(t.Shown + 1))
	out, note := "none shown", "Click a bag in the tree to see it on the mesh."
	if t.Shown >= 0 {
		out, note = fmt.Sprintf("%s of %s", quantity.Count(t.Shown+1), quantity.Count(t.Bags)), p.bagText(t, st.Mesh.Vertices)
	}
	p.text("bag-out", out)
	p.text("bag-note", note)
	e := t.Elimination
	p.id("elimination").Show(e.Available)
	p.id("elimination-none").Show(!e.Available)
	p.showTimeline("eliminate", "elimination", p.scene.Treewidth.Timeline(), e.Steps)
	p.id("eliminate-end").Enable(e.Shown)
	p.id("width-meter").Number("max", float64(max(t.Upper, 1)))
	p.id("width-meter").Number("value", float64(e.Width))
	p.text("width-out", fmt.Sprintf("%s of %s", quantity.Count(e.Width), quantity.Count(t.Upper)))
	words := "Every vertex leaves in turn, and its neighbours are joined. The most neighbours that one leaves with is the order’s width."
	if e.Vertex >= 0 {
		words = fmt.Sprintf("Vertex %s left with %s and %s; %s in all.", p.number(e.Vertex),
			plural(e.Degree, "neighbour"), plural(e.Added, "new edge"), plural(e.Fill, "fill edge"))
	}
	p.text("eliminate-note", words)
}

func plural(n int, what string) string {
	switch {
	case n != 1 && what == "vertex":
		what = "vertices"
	case n != 1:
		what += "s"
	}
	return quantity.Count(n) + " " + what
}

// treewidthText says what is known, in words.
func treewidthText(t scene.TreewidthState) string {
	known := fmt.Sprintf("The treewidth lies between %s and %s", quantity.Count(t.Lower), quantity.Count(t.Upper))
	if t.Exact {
		known = fmt.Sprintf("The treewidth is %s: proved", quantity.Count(t.Upper))
	}
	switch {
	case t.Running && t.Known:
		return fmt.Sprintf("%s. Searching, %.0f s so far…", known, t.Seconds)
	case t.Running:
		return "Searching…"
	case !t.Known && t.Status == "cancelled":
		return "Stopped before there was anything to tell."
	case !t.Known:
		return "How far the graph is from a tree: the size of the largest bag of its best tree decomposition, minus one."
	case t.Status == "file":
		return known + ". The decomposition is the file’s: it was checked."
	case t.Exact:
		return known + "."
	}
	switch t.Status {
	case "time":
		return known + ". The time was over before more could be proved."
	case "cancelled":
		return known + ". Stopped; the best decomposition so far stays."
	}
	return known + ". No search for more is within reach on a graph of this size."
}

// bagText says what a bag is and what it leaves.
func (p *page) bagText(t scene.TreewidthState, n int) string {
	words := fmt.Sprintf("Bag %s: %s%s. Without them ", quantity.Count(t.Shown+1), plural(t.BagSize, "vertex"), p.bagMembers(t.Bag))
	if len(t.Parts) == 0 {
		return words + "nothing is left."
	}
	words += fmt.Sprintf("%s of %s", plural(len(t.Parts), "component"), quantity.Count(t.Parts[0]))
	for _, size := range t.Parts[1:min(len(t.Parts), 4)] {
		words += ", " + quantity.Count(size)
	}
	if len(t.Parts) > 4 {
		words += ", …"
	}
	words += fmt.Sprintf(": the largest holds %s.", quantity.Percent(float64(t.Parts[0])/float64(max(n, 1))))
	if t.Shown == t.Centroid {
		words += " The centroid leaves none with more than half."
	}
	return words
}

// drawBounds draws the interval that the treewidth lies in.
func (p *page) drawBounds(t scene.TreewidthState) {
	key := fmt.Sprint(t.Lower, t.Upper)
	if key == p.bounds {
		return
	}
	p.bounds = key
	const width, base = 272.0, 16.0
	svg := p.id("bounds").Clear()
	top := max(float64(t.Upper)*1.15, 1)
	x := func(w int) float64 { return 6 + (width-24)*float64(w)/top }
	svg.Append(dom.NewSVG("line", "axis").Number("x1", 0).Number("y1", base).Number("x2", width).Number("y2", base))
	if t.Lower == t.Upper {
		svg.Append(dom.NewSVG("circle", "proved").Number("cx", x(t.Upper)).Number("cy", base).Number("r", 5))
	} else {
		svg.Append(dom.NewSVG("rect", "").Number("x", x(t.Lower)).Number("y", base-5).Number("width", x(t.Upper)-x(t.Lower)).Number("height", 10))
		for _, w := range []int{t.Lower, t.Upper} {
			svg.Append(dom.NewSVG("line", "bound").Number("x1", x(w)).Number("y1", base-6).Number("x2", x(w)).Number("y2", base+6))
		}
	}
	svg.Append(dom.NewSVG("text", "").Number("x", 0).Number("y", 28).Text("0"))
}

// saveDecomposition writes the decomposition as a PACE .td file, which numbers
// from 1. Its bags may hold millions of vertices.
func (p *page) saveDecomposition() {
	d, name := p.scene.Treewidth.Found(), p.base()+".td"
	if d == nil {
		return
	}
	go dom.Guard(func() {
		var rest dom.Pauses
		bags := d.Bags(rest.Pause)
		file := []any{}
		out := fmt.Appendf(nil, "s td %d %d %d\n", len(bags), slices.Max(d.Sizes), len(d.Order))
		for b, bag := range bags {
			out = fmt.Appendf(out, "b %d", b+1)
			for _, v := range bag {
				out = strconv.AppendInt(append(out, ' '), int64(v)+1, 10)
			}
			if out = append(out, '\n'); len(out) > 1<<18 {
				file, out = append(file, blob("", dom.Array(out))), out[:0] // so that the whole file is not copied at once
			}
			rest.Pause()
		}
		for b, up := range d.Parents {
			if up >= 0 {
				out = fmt.Appendf(out, "%d %d\n", up+1, b+1)
			}
			rest.Pause()
		}
		p.downloadBlob(name, blob("text/plain", append(file, dom.Array(out))...))
		p.say(name + " is saved.")
	})
}
