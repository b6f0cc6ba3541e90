//go:build js

package main

import (
	"fmt"
	"math"
	"syscall/js"

	"genussink/core/job"
	"genussink/viewer/colormap"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// findingsDrawing is the list of defects as buttons.
type findingsDrawing struct {
	of      *job.Inspected
	unit    string
	buttons map[[2]int]*dom.Element // by kind and number
}

// defectNames are scene.Defect's: several, and one.
var defectNames = [][2]string{
	{"Boundary loops", "Loop"}, {"Non-manifold edges", "Edge"}, {"Non-manifold vertices", "Vertex"},
	{"Degenerate faces", "Face"}, {"Flipped faces", "Face"}, {"Isolated vertices", "Vertex"},
	{"Small components", "Component"},
}

// listed is how many defects of a kind get a button at once.
const listed = 200

func (p *page) showFindings(st scene.State) {
	f := st.Findings
	p.id("inspect").Show(!f.Known).Enable(st.Ready && st.Mesh.Examined && !f.Running)
	p.id("show-defects").Show(sum(f.Counts) > 0).Press(f.Shown)
	p.id("defects").Show(f.Known)
	p.id("histograms").Show(f.Known)
	switch total := sum(f.Counts); {
	case f.Running:
		p.text("inspect-note", "Inspecting…")
	case !f.Known:
		p.text("inspect-note", "Lists what is wrong with the mesh, and measures its edges, faces and curvature.")
	case total == 0:
		p.text("inspect-note", "Nothing is wrong with this mesh.")
	default:
		p.text("inspect-note", plural(total, "finding")+". Choose one to fly there.")
	}
	d := &p.findings
	if found := p.scene.Inspection.Found(); found != d.of || st.Mesh.Unit != d.unit {
		if d.of, d.unit = found, st.Mesh.Unit; found != nil {
			p.listDefects(f)
			p.showHistogram()
		}
	}
	if !f.Known {
		return
	}
	for at, b := range d.buttons {
		b.Press(f.Item == at[1] && int(f.Kind) == at[0])
	}
}

// css is a colour in a style sheet, channels what stands in its brackets.
func css(c colormap.RGB) string { return "rgb(" + channels(c) + ")" }

func channels(c colormap.RGB) string {
	return fmt.Sprintf("%d %d %d", int(255*c[0]+0.5), int(255*c[1]+0.5), int(255*c[2]+0.5))
}

func sum(counts []int) (total int) {
	for _, n := range counts {
		total += n
	}
	return total
}

// listDefects makes the list, a button for each defect.
func (p *page) listDefects(f scene.FindingsState) {
	list := p.id("defects").Clear()
	p.findings.buttons = map[[2]int]*dom.Element{}
	for k, count := range f.Counts {
		swatch := dom.New("i", "swatch").Style("background", css(colormap.Defect(k)))
		name, number := dom.New("span", "").Text(defectNames[k][0]+" "), dom.New("span", "").Text(quantity.Count(count))
		if count == 0 {
			list.Append(dom.New("div", "none").Append(swatch, name, number))
			continue
		}
		items, more := dom.New("div", ""), dom.New("button", "").Attr("type", "button").Attr("title", "Lists the next ones")
		from := 0
		fill := func() {
			to := min(from+listed, count)
			for n := from; n < to; n++ {
				b := dom.New("button", "").Attr("type", "button").Attr("aria-pressed", "false").Text(p.defectText(scene.Defect(k), n))
				b.On("click", func(js.Value) { p.scene.LookAt(scene.Defect(k), n) })
				p.findings.buttons[[2]int{k, n}] = b
				items.Append(b)
			}
			from = to
			more.Text(fmt.Sprintf("%s more", quantity.Count(count-from))).Show(from < count)
			items.Append(more) // the last
		}
		more.On("click", func(js.Value) { fill() })
		fill()
		list.Append(dom.New("details", "").Append(dom.New("summary", "").Append(swatch, name, number), items))
	}
}

// defectText says which defect it is, by the mesh's own numbers.
func (p *page) defectText(k scene.Defect, n int) string {
	i := &p.scene.Inspection
	at := i.Defect(k, n, p.scene.Mesh.Mesh)
	one := defectNames[k][1]
	switch k {
	case scene.BoundaryLoop:
		return fmt.Sprintf("%s of %s, from vertex %s", one, plural(max(len(at)-1, 1), "edge"), p.number(at[0]))
	case scene.NonmanifoldEdge:
		return fmt.Sprintf("%s %s – %s", one, p.number(at[0]), p.number(at[1]))
	case scene.SmallComponent:
		return fmt.Sprintf("%s of %s, from vertex %s", one, plural(len(at), "vertex"), p.number(at[0]))
	case scene.DegenerateFace:
		return one + " " + quantity.Count(int(i.Found().DegenerateFaces[n]))
	case scene.FlippedFace:
		return one + " " + quantity.Count(int(i.Found().FlippedFaces[n]))
	}
	return one + " " + p.number(at[0])
}

// The histogram's drawing, as the viewBox in index.html.
const (
	histogramWidth  = 272.0
	histogramHeight = 84.0
	histogramBase   = 68.0
	histogramBins   = 34
)

func (p *page) showHistogram() {
	q := scene.Quantity(p.id("quantity").Input())
	h := p.scene.Inspection.Histogram(q, histogramBins)
	svg := p.id("histogram").Clear()
	if len(h.Bins) == 0 {
		p.text("histogram-note", "There is nothing of that kind here.")
		return
	}
	top := 0
	for _, n := range h.Bins {
		top = max(top, n)
	}
	wide := histogramWidth / float64(len(h.Bins))
	for i, n := range h.Bins {
		tall := (histogramBase - 12) * float64(n) / float64(top)
		if n > 0 {
			tall = math.Max(tall, 1)
		}
		svg.Append(dom.NewSVG("rect", "").Number("x", float64(i)*wide+0.5).Number("y", histogramBase-tall).Number("width", math.Max(wide-1, 0.5)).Number("height", tall))
	}
	from, to := h.From, h.To
	if q == scene.Degree && math.Mod(from, 1) != 0 {
		from, to = from+0.5, to-0.5
	}
	svg.Append(dom.NewSVG("line", "").Number("x1", 0).Number("x2", histogramWidth).Number("y1", histogramBase).Number("y2", histogramBase),
		svgText(quantity.Number(from), 0, histogramHeight-3, "start"), svgText(quantity.Number(to), histogramWidth, histogramHeight-3, "end"),
		svgText("most: "+quantity.Count(top), histogramWidth, 9, "end"))
	unit := map[scene.Quantity]string{scene.EdgeLength: " " + p.unit(), scene.Angle: "°"}[q]
	words := fmt.Sprintf("From %s to %s%s, half of them up to %s.", quantity.Number(from), quantity.Number(to), unit, quantity.Number(h.Median))
	if h.Infinite > 0 {
		words += fmt.Sprintf(" %s without area left out.", plural(h.Infinite, "face"))
	}
	p.text("histogram-note", words)
	svg.Attr("aria-label", "Histogram. "+words)
}
