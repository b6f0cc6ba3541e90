//go:build js

package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"syscall/js"

	"genussink/core/job"
	"genussink/viewer/colormap"
	"genussink/viewer/lesson"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

func (p *page) text(id, s string) { p.id(id).Text(s) }

// show fills the panel from the scene's state.
func (p *page) show(st scene.State) {
	p.id("loading").Show(st.Mesh.Vertices == 0 && st.Error == "" && !st.Ready)
	p.showLegend(st)
	p.id("actions").Show(st.Ready)
	if on := st.Ready && p.newcomer; on != p.spared {
		p.showIntroduction(on)
	}
	p.showStatus(st)
	p.showMesh(st)
	p.showTasks(st.Task)
	p.showFindings(st)
	p.showField(st.Field)
	p.showPick(st.Pick)
	p.showPaths(st)
	p.showRepairs(st)
	p.label(st)
	p.showSeparators(st)
	p.showTreewidth(st)
	p.showDensities(st)
	p.showQuery(st)
	p.showTransport(st)
	p.showBarycentre(st)
	p.showTimings(st)
	p.showPlayback(st)
	p.showSaving(st)
}

func (p *page) showStatus(st scene.State) {
	busy := st.Phase == scene.PhaseLoading || st.Phase == scene.PhaseComputing
	if p.notice == "" || busy {
		p.text("status", st.Status)
	}
	if busy && st.Mesh.Vertices == 0 {
		p.text("loading-text", st.Status)
		p.id("loading-bar").Number("value", 0.9+0.1*st.Fraction)
	}
	p.id("progress").Class("idle", !busy || st.Mesh.Vertices == 0)
	p.text("progress-stage", stageName(st.Stage))
	p.id("progress-bar").Number("value", math.Round(100*st.Fraction)/100)
	p.id("cancel").Enable(busy)
	p.showError(st.Error)
	p.id("replaced").Show(st.Replaced != "" && st.Ready)
	p.text("replaced-text", "What you painted on "+st.Replaced+" is kept until you leave the page.")
	p.showForecast(st)

	// Where the pointer is, in words.
	line := ""
	if h := st.Hover; h != nil {
		line = "Vertex " + p.number(h.Vertex)
		if values := p.scene.Inspection.Values(); int(h.Vertex) < len(values) {
			f := st.Field.Name
			line += strings.TrimSuffix(fmt.Sprintf(" · %s %s %s", f.Name(), fieldNumber(f, values[h.Vertex]), p.fieldUnit(f)), " ")
		}
		if h.Node >= 0 {
			line += fmt.Sprintf(" · %s of a split %s | %s | %s at level %d", h.Side, quantity.Count(h.A), quantity.Count(h.S), quantity.Count(h.B), h.Depth)
			if h.Side == "leaf" {
				line = fmt.Sprintf("Vertex %s · in a leaf of %s at level %d", p.number(h.Vertex), plural(h.A, "vertex"), h.Depth)
			}
		}
		if h.Source > 0 {
			line += " · source " + quantity.Percent(h.Source)
		}
		if h.Target > 0 {
			line += " · target " + quantity.Percent(h.Target)
		}
	}
	said := ""
	if h := st.Hover; h != nil && p.walking && st.Densities.Tool.Brush() {
		said = fmt.Sprintf("Vertex %s, source %s, target %s", quantity.Count(int(h.Vertex)), quantity.Percent(h.Source), quantity.Percent(h.Target))
	}
	p.text("cursor", said)
	if told := st.Told(&p.told); told != "" {
		p.text("told", told)
	}
	if !st.Densities.Stroke {
		p.told = st
	}
	p.text("readout", line)
	p.id("readout").Show(line != "")
}

// showForecast says what would take long, and lets a person choose.
func (p *page) showForecast(st scene.State) {
	f := st.Transport.Forecast
	box := p.id("forecast").Show(f != nil && !f.PutOff)
	key := ""
	if f != nil {
		key = fmt.Sprint(*f)
	}
	if box.Get("dataset").Get("key").Equal(js.ValueOf(key)) {
		return
	}
	box.Get("dataset").Set("key", key)
	choices := p.id("forecast-choices").Clear()
	if f == nil {
		return
	}
	about := func(o scene.OutlookState) string {
		return fmt.Sprintf("some %s, %s", quantity.Seconds(o.Seconds), quantity.Bytes(o.Bytes))
	}
	name := func(o scene.OutlookState) string {
		if o.Delta > 0 {
			return o.Method + ", delta " + quantity.Percent(o.Delta)
		}
		return o.Method
	}
	choose := func(text string, other int) {
		button := dom.New("button", "").Attr("type", "button").Text(text)
		button.On("click", func(js.Value) { p.scene.Proceed(other) })
		choices.Append(button)
	}
	vertices := quantity.Count(st.Mesh.Vertices)
	switch {
	case f.Tree:
		p.text("forecast-text", fmt.Sprintf("To separate %s vertices would take some %s here.", vertices, quantity.Seconds(f.Asked.Seconds)))
		choose("Separate", -1)
	case f.Asked.Bytes > f.Limit:
		p.text("forecast-text", fmt.Sprintf("%s vertices by %s would take %s; there is room for %s.", vertices, name(f.Asked), about(f.Asked), quantity.Bytes(f.Limit)))
	default:
		p.text("forecast-text", fmt.Sprintf("%s vertices by %s would take %s here.", vertices, name(f.Asked), about(f.Asked)))
		choose("Solve by "+name(f.Asked), -1)
	}
	for i, o := range f.Others {
		choose(fmt.Sprintf("%s: %s", name(o), about(o)), i)
	}
	later := dom.New("button", "").Attr("type", "button").Text("Not now")
	later.On("click", func(js.Value) { p.scene.PutOff() })
	choices.Append(later)
}

// showError fills or empties the alert, which is announced when it fills.
func (p *page) showError(message string) {
	box := p.id("alert")
	if box.Get("dataset").Get("message").Equal(js.ValueOf(message)) {
		return
	}
	box.Clear()
	box.Get("dataset").Set("message", message)
	if message != "" {
		dismiss := dom.New("button", "").Attr("type", "button").Text("Dismiss")
		dismiss.On("click", func(js.Value) { p.scene.Dismiss() })
		box.Append(dom.New("span", "").Text(message), dismiss)
	}
}

func (p *page) showMesh(st scene.State) {
	m, looks := st.Mesh, st.View
	if m.Vertices > 0 || m.Name != "" {
		p.text("mesh-name", m.Name)
		p.text("brief-name", m.Name)
		p.text("brief-count", "\u00a0· "+quantity.Count(m.Vertices))
		p.text("title", m.Name+" · GenusSink")
		for id, n := range map[string]int{
			"mesh-v": m.Vertices, "mesh-e": m.Edges, "mesh-f": m.Faces,
			"mesh-genus": m.Genus, "mesh-components": m.Components, "mesh-loops": m.BoundaryLoops,
			"mesh-bad-edges": m.NonmanifoldEdges, "mesh-bad-vertices": m.NonmanifoldVertices, "mesh-bad-faces": m.DegenerateFaces, "mesh-isolated": m.IsolatedVertices,
		} {
			p.text(id, quantity.Count(n))
		}
		for _, id := range []string{"mesh-bad-edges", "mesh-bad-vertices", "mesh-bad-faces", "mesh-isolated"} {
			p.id(id).Class("off", p.id(id).Get("textContent").String() != "0")
		}
		for id, x := range map[string]float64{"mesh-diagonal": m.Diagonal, "mesh-edge-min": m.EdgeMin, "mesh-edge-mean": m.EdgeMean, "mesh-edge-max": m.EdgeMax} {
			p.text(id, p.length(x))
		}
		if !m.Examined {
			for _, id := range []string{
				"mesh-genus", "mesh-components", "mesh-loops", "mesh-bad-edges", "mesh-bad-vertices", "mesh-bad-faces", "mesh-isolated",
				"mesh-edge-min", "mesh-edge-mean", "mesh-edge-max",
			} {
				p.text(id, "…")
			}
			if !m.Graph {
				p.text("mesh-e", "…")
			}
		}
		if m.Graph {
			for _, id := range []string{"mesh-f", "mesh-genus", "mesh-loops"} {
				p.text(id, "–")
			}
		}
		surface := "with boundary"
		if m.Watertight {
			surface = "watertight"
		}
		if !m.Oriented {
			surface += ", not oriented"
		}
		if m.Graph {
			surface = "none, a graph without faces"
		}
		if !m.Examined {
			surface = "being examined…"
		}
		p.text("mesh-surface", surface)
	}
	list := p.id("mesh-warnings").Show(len(m.Warnings) > 0)
	if key := fmt.Sprint(m.Warnings); list.Attr("data-of", "").Get("dataset").Get("key").String() != key {
		list.Get("dataset").Set("key", key)
		list.Clear()
		for _, w := range m.Warnings {
			list.Append(dom.New("li", "").Text(w))
		}
	}
	p.id("hidden").Press(looks.Hidden)
	p.id("wireframe").Press(looks.Wireframe)
	p.id("smooth").Press(looks.Smooth)
	p.id("ortho").Press(looks.Orthographic)
	p.id("up").SetInput(looks.Up)
	p.id("section").Show(!m.Graph)
	p.id("section-axis").SetInput(looks.Section.Axis)
	p.id("section-position").Enable(looks.Section.Axis != "").SetInput(strconv.FormatFloat(looks.Section.Position, 'g', -1, 64))
	p.text("section-out", quantity.Percent(looks.Section.Position))
	p.id("unit").SetInput(m.Unit)
	p.id("layout-field").Show(m.Laid)
	p.id("layout").SetInput(map[bool]string{true: "plane", false: "space"}[m.Flat])
	p.id("tool-measure").Press(st.Densities.Tool == scene.ToolMeasure)
}

// unit is what one mesh unit is called.
func (p *page) unit() string {
	if unit := p.scene.Mesh.Unit(); unit != "" {
		return unit
	}
	return "mesh units"
}

// per is a quantity's unit, over a power of the mesh unit: "" or "²".
func (p *page) per(power string) string {
	if p.scene.Mesh.Unit() == "" {
		return "per mesh unit" + power
	}
	return "per " + p.unit() + power
}

// length is a length with its unit.
func (p *page) length(x float64) string {
	return quantity.Number(x) + " " + p.unit()
}

func (p *page) showSeparators(st scene.State) {
	if st.Task != scene.TaskSeparators {
		return // nobody sees it, and others compute
	}
	sep := st.Separation
	levels := len(sep.Levels)
	p.showTimeline("level", "levels", p.scene.Separation.Timeline(), max(levels-1, 0))
	if levels == 0 {
		p.text("level-out", "–")
	}
	p.id("finder").SetInput(sep.Finder)
	if sep.Balance == 0 { // the engine's default, wherever the slider stands
		p.text("balance-out", "no side over 2/3")
	} else {
		p.id("balance").SetInput(strconv.FormatFloat(math.Round(balanceSteps*sep.Balance), 'f', 0, 64))
		p.text("balance-out", fmt.Sprintf("no side over %s", quantity.Percent(1-sep.Balance)))
	}
	p.showTree(st)
	p.showCell(st)
	p.showPareto(st)
}

// ratio is the mean separator of a level over the square root of the mean
// piece it splits.
func ratio(l scene.LevelState) float64 {
	if l.Nodes == 0 || l.A+l.S+l.B == 0 {
		return 0
	}
	return float64(l.S) / math.Sqrt(float64(l.A+l.S+l.B)*float64(l.Nodes))
}

func (p *page) showDensities(st scene.State) {
	d := st.Densities
	p.id("hand").Show(d.Tool.Brush())
	p.id("hand-source").Press(d.Tool == scene.ToolSource)
	p.id("hand-target").Press(d.Tool == scene.ToolTarget)
	p.id("hand-undo").Enable(d.Undo > 0)
	p.id("tool-source").Press(d.Tool == scene.ToolSource)
	p.id("tool-target").Press(d.Tool == scene.ToolTarget)
	p.id("tool-erase").Press(d.Tool == scene.ToolErase)
	p.id("tool-smooth").Press(d.Tool == scene.ToolSmooth)
	p.id("mirror").Show(d.Symmetry != "").Press(d.Mirrored).Text("Mirror strokes across " + d.Symmetry)
	p.id("shape").SetInput(string(d.Shape))
	p.id("radius").Enable(d.Shape == scene.ShapeDisc).SetInput(strconv.FormatFloat(d.Radius, 'g', -1, 64))
	p.text("radius-out", quantity.Percent(d.Radius))
	p.id("strength").SetInput(strconv.FormatFloat(d.Strength, 'g', -1, 64))
	p.text("strength-out", quantity.Percent(d.Strength))
	p.id("undo").Enable(d.Undo > 0)
	p.id("redo").Enable(d.Redo > 0)
	p.id("preset").SetInput(d.Preset)
	p.id("components-field").Show(d.Count > 1)
	p.id("components").SetInput(d.Components)
	p.text("components-note", d.Note)
	p.id("components-note").Show(d.Note != "")
	p.id("unequal").Show(d.Unequal != nil)
	if u := d.Unequal; u != nil {
		p.text("unequal-note", u.Sentence())
		p.id("balance-masses").Enable(u.Mendable)
	}
	p.colorbar("source", d.Source, d.SourceMax, d.SourceN, colormap.Source())
	p.colorbar("target", d.Target, d.TargetMax, d.TargetN, colormap.Target())
	note := ""
	if d.Source > 0 && d.Target > 0 && math.Abs(d.Source-d.Target) > 5e-4*d.Source {
		note = "Each is scaled to a mass of 1, then moved."
		if st.Transport.Reach > 0 {
			note = "Their masses differ: with a reach, mass is created or destroyed."
		}
	}
	if m := p.scene.Mesh.Mesh; m != nil && !(m.Radius > 0) {
		note = "All vertices are in one place: nothing moves."
	}
	p.text("mass-note", note)
}

// showQuery says where the mass of the selected vertices goes, or comes from.
func (p *page) showQuery(st scene.State) {
	tool := st.Densities.Tool
	for id, own := range map[string]scene.Tool{"tool-goes": scene.ToolGoes, "tool-comes": scene.ToolComes} {
		p.id(id).Press(tool == own).Enable(tool == own || st.Transport.Result != nil)
	}
	note := ""
	if tool == scene.ToolGoes || tool == scene.ToolComes {
		note = querySentence(tool, st.Query)
	}
	p.text("query-note", note)
}

// querySentence is the question and its answer in words.
func querySentence(tool scene.Tool, q *scene.QueryState) string {
	density, way := "source", "goes to"
	if tool == scene.ToolComes {
		density, way = "target", "comes from"
	}
	if q == nil {
		return fmt.Sprintf("Brush over the %s. Esc ends.", density)
	}
	selected := fmt.Sprintf("%s of the %s is selected", quantity.Percent(q.Share), density)
	switch {
	case q.Share == 0:
		return fmt.Sprintf("There is no %s on the selection, which has %s.", density, plural(q.Vertices, "vertex"))
	case !q.Known:
		return selected + "…"
	}
	return fmt.Sprintf("%s; nine tenths of it %s %s.", selected, way, plural(q.Most, "vertex"))
}

// colorbar shows a density's scale: the share of all mass on one vertex, from
// none to the largest.
func (p *page) colorbar(which string, mass, top float64, count int, color colormap.RGB) {
	if mass <= 0 {
		p.text(which+"-mass", "no mass")
		p.text(which+"-mid", "")
		p.text(which+"-max", "")
	} else {
		p.text(which+"-mass", fmt.Sprintf("mass %s on %s", quantity.Number(mass), plural(count, "vertex")))
		p.text(which+"-mid", quantity.Percent(top/mass/2))
		p.text(which+"-max", quantity.Percent(top/mass)+" per vertex")
	}
	p.id(which+"-bar").Style("background", gradient(9, func(share float64) string {
		return css(scene.DensityColor(color, p.scene.View.Theme(), share))
	}))
}

func (p *page) showTransport(st scene.State) {
	t := st.Transport
	method := t.Method
	if method == "" {
		method = job.Exact
	}
	p.id("method").SetInput(method)
	p.id("epsilon").SetInput(strconv.FormatFloat(math.Round(100*math.Log10(t.Epsilon))/100, 'f', -1, 64))
	p.text("epsilon-out", quantity.Percent(t.Epsilon)+" of diagonal")
	p.id("epsilon").Attr("aria-valuetext", quantity.Percent(t.Epsilon)+" of the diagonal")
	p.id("delta").SetInput(strconv.FormatFloat(math.Round(100*math.Log10(t.Delta))/100, 'f', -1, 64))
	p.id("delta").Enable(job.Bounded(method))
	allowed := "not used, exact"
	switch {
	case job.Bounded(method):
		allowed = quantity.Percent(t.Delta) + " of diagonal"
	case method == job.Sampled || method == job.Quantized:
		allowed = "not used, no bound"
	case method == scene.Automatic:
		allowed = "not used"
	}
	p.text("delta-out", allowed)
	p.id("delta").Attr("aria-valuetext", allowed)
	p.showKernel(t)
	p.showReach(t)
	p.showDebias(t)
	p.id("depth-field").Show(job.Layered(method))
	p.id("depth").SetInput(strconv.Itoa(t.Levels))
	depth := "until pieces are small"
	if t.Levels > 0 {
		depth = "at most " + plural(t.Levels, "level")
	}
	p.text("depth-out", depth)
	p.id("depth").Attr("aria-valuetext", depth)
	p.id("solve").Enable(st.Ready && st.Densities.Source > 0 && st.Densities.Target > 0)

	r := t.Result
	p.id("result").Show(r != nil)
	p.id("result").Class("stale", t.Stale)
	p.id("result-stale").Show(r != nil && t.Stale && !t.Solving && !p.scene.Preparing())
	p.id("trace-figure").Show(r != nil && len(r.Trace) > 1)
	p.compare(st)
	p.showBenchmark(st)
	p.partners(st)
	if r == nil {
		return
	}
	p.text("result-cost", p.length(r.Cost))
	p.id("result-square-line").Show(r.RootMeanSquare.Known())
	if r.RootMeanSquare.Known() {
		p.text("result-square", p.length(float64(r.RootMeanSquare)))
	}
	p.id("result-estimate-line").Show(r.Estimate != nil)
	if c := r.Estimate; c != nil {
		p.text("result-cost", "≈ "+p.length(r.Cost))
		p.text("result-estimate", p.estimate(c))
	}
	p.id("exact").Show(p.scene.Estimated() && !t.Refining)
	lower := "none"
	if r.LowerBound.Known() {
		lower = "≥ " + p.length(float64(r.LowerBound))
	}
	p.text("result-lower", lower)
	p.text("result-primal", p.length(r.Primal))
	p.text("result-dual", p.length(r.Dual))
	p.text("result-gap", p.length(r.Gap))
	iterations := quantity.Count(r.Iterations)
	if r.Status != job.Converged {
		iterations += ", not converged"
	}
	p.text("result-iterations", iterations)
	p.id("result-depth-line").Show(r.Depth >= 0)
	p.text("result-depth", plural(r.Depth, "level")+" of separators")
	p.text("result-error", quantity.Number(r.MarginalError)+" in L¹")
	switch {
	case !r.Bound.Known():
		p.text("result-bound", "none proved")
	case r.Bound > 0 && !r.Delta.Known():
		p.text("result-bound", "≤ "+p.length(float64(r.Bound))+", rounding")
	case r.Bound > 0:
		p.text("result-bound", "≤ "+p.length(float64(r.Bound)))
	default:
		p.text("result-bound", "0, exact distances")
	}
	p.text("why-bound", boundSentence(r))
	p.id("result-accuracy-line").Show(r.Accuracy.Rows > 0)
	if a := r.Accuracy; a.Rows > 0 {
		verdict := ""
		if r.Bound.Known() && !a.Holds {
			verdict = "; beyond the bound"
		}
		p.text("result-accuracy", fmt.Sprintf("largest seen in %d rows %s, mean %s%s", a.Rows, quantity.Percent(a.MostRelative), quantity.Percent(a.MeanRelative), verdict))
	}
	p.id("result-polished-line").Show(r.Polished != nil)
	if r.Polished != nil {
		p.text("result-polished", p.polished(r.Polished))
	}
	method, form := fmt.Sprintf("%s, %s form", r.Method, r.Form), "Scaling form: products of the kernel and the scalings. Log form: of logarithms, where numbers would be too small."
	switch {
	case r.Requested == job.Auto && r.Note != "": // an explanation
		form = r.Note + " " + form
	case r.Note != "": // what a person asked for could not be had
		method += ". " + r.Note
	case t.Yielded:
		method += ", in place of automatic"
		form = "Automatic has no other kernel, no reach and no divergence: it is back without them. " + form
	}
	p.text("result-method", method)
	p.text("why-method", form)
	other := r.Kernel != "" && r.Kernel != job.Exp
	p.id("result-kernel-line").Show(other)
	if other {
		p.text("result-kernel", fmt.Sprintf("%s, within %s of itself", formula(r.Kernel), quantity.Number(r.KernelError)))
	}
	p.text("why-primal", primalSentence(r))
	p.text("why-dual", dualSentence(other || r.Reach > 0))
	p.drawTrace(r.Trace)
	p.showIterations(t.Iterations)
	p.showBlock(t.Block)
	p.showMatrix(st)
}

// primalSentence says what is minimised.
func primalSentence(r *scene.ResultState) string {
	switch {
	case r.Reach > 0:
		return "The cost that was minimised: transport plus ε KL(P | a bᵀ) plus ρ (KL(r | a) + KL(c | b)), with the reach ρ. What is sent, r, and what arrives, c, may differ from source and target."
	case r.Kernel != "" && r.Kernel != job.Exp:
		return "The cost that was minimised: −ε log f(d/ε)/f(0) of the distance d takes the place of d in it, plus ε times the relative entropy KL(P | a bᵀ) of the plan to the product of source and target."
	}
	return "The cost that was minimised: transport plus ε times the relative entropy KL(P | a bᵀ) of the plan to the product of source and target. That entropy is never negative, so this is never below the cost."
}

// dualSentence says what the dual proves.
func dualSentence(other bool) string {
	if other {
		return "What the potentials prove of the same sum: no plan brings it below this."
	}
	return "What the potentials prove of the same sum: no plan brings transport plus ε KL(P | a bᵀ) below it."
}

// estimate is a cost and how far off it may be.
func (p *page) estimate(c *job.Estimated) string {
	return fmt.Sprintf("≈ %s ± %s", quantity.Number(c.Cost), p.length((c.High-c.Low)/2))
}

// polished is a cost and how far off it is at most.
func (p *page) polished(c *scene.Polished) string {
	if c.Why != "" {
		return c.Why
	}
	return fmt.Sprintf("%s ± %s at most", quantity.Number(c.Cost), p.length(max(c.High-c.Cost, c.Cost-c.Low)))
}

// boundSentence says what the error bound is of.
func boundSentence(r *scene.ResultState) string {
	optimum := "."
	if r.Kernel == job.Exp {
		optimum = ", and the entropic optimum by no more either."
	}
	switch {
	case !r.Bound.Known():
		return "Nothing is proved of this method’s distances: what was seen of their error is below."
	case r.Delta.Known():
		return "Proved: no distance is wrong by more than this, which delta allows" + optimum
	case r.Bound > 0:
		return "Proved: paths are exact, but their lengths are stored as " + r.Precision + ". No distance is longer by more than this rounding" + optimum
	}
	return "Distances are exact, in float64."
}

// explain has controls say what they are for: their titles do when a mouse rests on them or on their labels, and in a box of their own
// when a finger does, which does nothing else then. A slider follows the finger: its label says it.
func (p *page) explain() {
	labels := dom.Document().Call("querySelectorAll", "label[for]")
	for i := range labels.Length() {
		label := labels.Index(i)
		if of := label.Get("control"); of.Truthy() && label.Get("title").String() == "" {
			label.Set("title", of.Get("title"))
		}
	}
	const patience = 600 // ms
	box := p.id("explained")
	if !box.Get("showPopover").Truthy() { // an older browser: the mouse alone
		return
	}
	touch, told, open := 0, false, false
	end := func(js.Value) { touch++ }
	dom.Capture(dom.Document(), "pointerdown", func(e js.Value) {
		touch++
		told = false
		if open {
			open = false
			box.Call("hidePopover")
		}
		on, this := enclosing(e.Get("target"), "[title]"), touch
		if e.Get("pointerType").String() != "touch" || !on.Truthy() || on.Call("matches", "[type=range], [title='']").Bool() {
			return
		}
		dom.After(patience, func() {
			if told = this == touch; told {
				open = true
				box.Text(sentence(on.Get("title").String())).Call("showPopover") // above a dialog too
			}
		})
	})
	dom.Capture(dom.Document(), "pointerup", end)
	dom.Capture(dom.Document(), "pointercancel", end)
	dom.Capture(dom.Document(), "click", func(e js.Value) {
		if told {
			told = false
			e.Call("preventDefault")
			e.Call("stopPropagation")
		}
	})
}

// terms has words explain themselves. Those of the result do by their title on hover, and below on a press. Those that lessons
// explain have the same line as there for a title; a place without a word is filled with it.
func (p *page) terms() {
	marked := dom.Document().Call("querySelectorAll", "[data-term]")
	for i := range marked.Length() {
		e := marked.Index(i)
		says, at := lesson.Glossary[e.Get("dataset").Get("term").String()], "title"
		if e.Get("textContent").String() == "" {
			at = "textContent"
		}
		e.Set(at, says)
	}
	terms := dom.Document().Call("querySelectorAll", ".term[id]")
	for i := range terms.Length() {
		e := terms.Index(i)
		term, why, open := p.id(e.Get("id").String()), p.id(e.Call("getAttribute", "aria-describedby").String()), false
		term.On("pointerenter", func(js.Value) { term.Attr("title", why.Get("textContent").String()) })
		term.On("click", func(js.Value) {
			open = !open
			why.Show(open)
			term.Attr("aria-expanded", strconv.FormatBool(open))
		})
	}
}

// compare shows what the methods answer side by side once two have solved at one epsilon.
func (p *page) compare(st scene.State) {
	rows := st.Transport.Comparison.Rows
	box := p.id("compare").Show(len(rows) > 1)
	key := fmt.Sprint(rows)
	if box.Get("dataset").Get("key").Equal(js.ValueOf(key)) {
		return
	}
	box.Get("dataset").Set("key", key)
	body := p.id("compare-body").Clear()
	for _, m := range rows {
		cost := "–"
		if m.Cost.Known() {
			cost = quantity.Number(float64(m.Cost))
		}
		body.Append(row(withDelta(m.Method, m.Delta), cost, quantity.Bytes(m.Bytes)))
	}
}

// compareTimes shows what the methods took, beside what dense would.
func (p *page) compareTimes(st scene.State) {
	c, r := st.Transport.Comparison, st.Transport.Result
	p.id("times").Show(len(c.Rows) > 0)
	key := fmt.Sprint(c)
	if r != nil {
		key += fmt.Sprint(r.Method, r.Delta)
	}
	if key == p.times {
		return
	}
	p.times = key
	body, note := p.id("times-body").Clear(), ""
	for _, m := range c.Rows {
		what := withDelta(m.Method, m.Delta)
		if m.Method == job.Dense {
			what = "dense, measured"
		}
		body.Append(row(what, fmt.Sprint(m.Threads), seconds(scene.Number(m.Setup)), seconds(m.Cold), seconds(m.Warm), seconds(m.Polish)).
			Attr("title", "Measured. Set-up: "+strings.Join(stageNames(m.Contains), ", ")+"."))
		if m.Method == job.Dense && m.Off.Known() {
			note = fmt.Sprintf("Dense was predicted to take %s and took %s from nothing: the prediction is off by %+.0f\u202f%%.",
				quantity.Seconds(float64(m.Dense.Setup+m.Dense.Cold)), quantity.Seconds(m.Setup+float64(m.Cold)), 100*float64(m.Off))
		}
	}
	for _, m := range c.Rows {
		if r != nil && m.Method == r.Method && (m.Delta == r.Delta || !m.Delta.Known()) {
			body.Append(row("dense, predicted", fmt.Sprint(m.Threads), seconds(m.Dense.Setup), seconds(m.Dense.Cold), seconds(m.Dense.Warm), "–").
				Attr("title", "Predicted from rows of it, for as many iterations as "+m.Method+" took and on as many threads. Set-up: all pairs’ distances, kernel, coarse graph."))
		}
	}
	p.text("times-note", note)
}

// withDelta is a method with the error that it was allowed, in mesh units.
func withDelta(method string, delta scene.Number) string {
	if delta.Known() {
		method += ", delta " + quantity.Number(float64(delta))
	}
	return method
}

// seconds is a time that may have no value.
func seconds(x scene.Number) string {
	if !x.Known() {
		return "–"
	}
	return quantity.Seconds(float64(x))
}

func stageNames(stages []string) []string {
	names := make([]string, len(stages))
	for i, s := range stages {
		names[i] = strings.ToLower(stageName(s))
	}
	return names
}

func row(cells ...string) *dom.Element {
	tr := dom.New("tr", "")
	for _, c := range cells {
		tr.Append(dom.New("td", "").Text(c))
	}
	return tr
}

// maxPartners is how many partners of a vertex are listed.
const maxPartners = 8

// partners lists where the mass of the vertex in question goes.
func (p *page) partners(st scene.State) {
	h := st.Hover
	box := p.id("partners").Show(h != nil && len(h.Partners) > 0)
	if h == nil || len(h.Partners) == 0 {
		return
	}
	key := fmt.Sprint(h.Vertex, h.Total, h.Partners[0])
	if box.Get("dataset").Get("key").Equal(js.ValueOf(key)) {
		return
	}
	box.Get("dataset").Set("key", key)
	p.text("partners-note", fmt.Sprintf("Where the mass of vertex %s goes: %s in all, most to",
		p.number(h.Vertex), quantity.Percent(h.Total)))
	list := p.id("partners-list").Clear()
	for _, to := range h.Partners[:min(maxPartners, len(h.Partners))] {
		list.Append(dom.New("li", "").Append(
			dom.New("span", "").Text(p.number(to.Vertex)),
			dom.New("span", "").Text(quantity.Percent(to.Mass))))
	}
}

func (p *page) showPlayback(st scene.State) {
	b := st.Playback
	play := p.id("play").Enable(b.Available || st.Ready && st.Densities.Source > 0 && st.Densities.Target > 0)
	if b.Playing {
		play.Text("Pause")
	} else {
		play.Text("Play")
	}
	p.id("position").Enable(b.Available)
	p.id("loop").Press(b.Loop)
	p.id("arrows").Enable(b.Available).Press(st.View.Arrows)
	p.id("speed").SetInput(strconv.FormatFloat(b.Speed, 'g', -1, 64))
	p.id("mass").SetInput(string(b.Mass))
}

// showPosition follows the playback, which moves without a new revision.
func (p *page) showPosition() {
	x := p.scene.Playback.Position()
	p.text("position-out", strconv.Itoa(int(100*x+0.5))+"\u202f%")
	if v := strconv.FormatFloat(x, 'f', 3, 64); v != p.positionText { // the slider's own steps: else a key's step is undone
		p.positionText = v
		p.id("position").Set("value", v)
	}
}

// sentence makes one of what an error or a note says.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".") + "."
}
