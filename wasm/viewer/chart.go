//go:build js

package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"syscall/js"

	"genussink/core/job"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// treeDrawing is the separator tree as it is drawn: a node stands over the
// share of the vertices that lie below it.
type treeDrawing struct {
	of    *job.Separated
	nodes []*dom.Element // by node, nil where not drawn
	level int
	focus int // the node under the pointer
	cell  int // the node in focus on the mesh
	rows  []*dom.Element

	current int // the node that Tab reaches
}

const (
	treeWidth  = 272.0 // as the viewBox in index.html
	treeHeight = 120.0
	treeLevels = 7 // drawn at most: deeper nodes would be specks
)

func (p *page) showTree(st scene.State) {
	t := &p.tree
	if t.of != p.scene.Separation.Tree() {
		t.of = p.scene.Separation.Tree()
		t.level, t.focus, t.cell, t.current = -1, -1, -1, 0
		p.drawTree()
		p.fillLevels(st.Separation.Levels)
	}
	if t.of == nil {
		return
	}
	if t.level != st.Separation.Level {
		t.level = st.Separation.Level
		for i, e := range t.nodes {
			if e != nil {
				e.Class("deep", int(t.of.Nodes[i].Depth) > t.level)
			}
		}
		for i, r := range t.rows {
			r.Attr("aria-current", fmt.Sprint(i == t.level))
		}
	}
	if cell := st.Separation.Cell; t.cell != cell {
		if t.cell >= 0 && t.nodes[t.cell] != nil {
			t.nodes[t.cell].Attr("aria-selected", "false")
		}
		if t.cell = cell; cell >= 0 && t.nodes[cell] != nil {
			t.nodes[cell].Attr("aria-selected", "true")
			if !p.id("tree").Call("contains", dom.Document().Get("activeElement")).Bool() {
				t.rove(cell) // else the keys are on their way through the tree
			}
		}
	}
	focus := -1
	if st.Hover != nil {
		focus = st.Hover.Node
	}
	for focus >= 0 && focus < len(t.nodes) && t.nodes[focus] == nil {
		focus = int(t.of.Nodes[focus].Parent) // too deep to be drawn
	}
	if t.focus != focus {
		if t.focus >= 0 {
			t.nodes[t.focus].Class("focus", false)
		}
		if focus >= 0 && focus < len(t.nodes) {
			t.nodes[focus].Class("focus", true)
		} else {
			focus = -1
		}
		t.focus = focus
	}
}

// treeClick shows the cell of the node that was clicked on.
func (p *page) treeClick(e js.Value) {
	if i, ok := clickedOn(e, "node"); ok {
		p.focusCell(int32(i))
	}
}

// drawTree draws it anew. Clicks are treeClick's: a listener for each node would take longer than all the rest.
func (p *page) drawTree() {
	svg := p.id("tree").Clear()
	t := &p.tree
	t.nodes = nil
	if t.of == nil || len(t.of.Nodes) == 0 {
		return
	}
	nodes := t.of.Nodes
	t.nodes = make([]*dom.Element, len(nodes))
	depth, largest := int32(0), int32(1)
	for _, n := range nodes {
		if n.Depth < treeLevels {
			depth = max(depth, n.Depth)
		}
		largest = max(largest, n.S)
	}
	smallest := 1.5
	if len(nodes) < 64 { // there is room to see its leaves
		smallest = 3
	}
	type place struct{ left, right float64 }
	places := make([]place, len(nodes))
	places[0] = place{8, treeWidth - 8}
	at := func(i int) (x, y float64) {
		return (places[i].left + places[i].right) / 2, 10 + (treeHeight-20)*float64(nodes[i].Depth)/float64(max(depth, 1))
	}
	var lines, dots strings.Builder
	var drawn []int
	for i, n := range nodes {
		if n.Depth >= treeLevels {
			continue
		}
		pl := places[i]
		if n.Left >= 0 && n.Right >= 0 {
			mid := pl.left + (pl.right-pl.left)*float64(n.A)/float64(max(n.A+n.B, 1))
			places[n.Left], places[n.Right] = place{pl.left, mid}, place{mid, pl.right}
		} else if n.Left >= 0 {
			places[n.Left] = pl
		} else if n.Right >= 0 {
			places[n.Right] = pl
		}
		x, y := at(i)
		class := "root"
		if n.Parent >= 0 {
			class = "b"
			if nodes[n.Parent].Left == int32(i) {
				class = "a"
			}
			px, py := at(int(n.Parent))
			fmt.Fprintf(&lines, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, px, py, x, y)
		}
		radius := smallest + (6-smallest)*math.Sqrt(float64(n.S)/float64(largest))
		what := fmt.Sprintf("Level %d: |A| %s, |S| %s, |B| %s", n.Depth, quantity.Count(int(n.A)), quantity.Count(int(n.S)), quantity.Count(int(n.B)))
		if n.Left < 0 && n.Right < 0 {
			what = fmt.Sprintf("Level %d: a leaf of %s", n.Depth, plural(int(n.A), "vertex"))
		}
		fmt.Fprintf(&dots, `<circle class="%s" cx="%.1f" cy="%.1f" r="%.1f" data-node="%d" role="treeitem" aria-label="%s" aria-level="%d" aria-selected="false" tabindex="-1"><title>%[6]s</title></circle>`,
			class, x, y, radius, i, what, n.Depth+1) // those too deep to be drawn are left out
		drawn = append(drawn, i)
	}
	// As one text: to make hundreds of elements takes longer than all the rest.
	svg.Call("append", dom.Markup(`<g xmlns="http://www.w3.org/2000/svg"><g>`+lines.String()+`</g><g>`+dots.String()+`</g></g>`))
	circles := svg.Call("querySelectorAll", "circle")
	for k, i := range drawn {
		t.nodes[i] = &dom.Element{Value: circles.Index(k)}
	}
	t.rove(0)
}

// treeKey moves through the tree by arrows, as through any tree: up to the
// parent, down to the first child, left and right among siblings. Enter and
// Space put a node in focus on the mesh.
func (p *page) treeKey(e js.Value) {
	t := &p.tree
	if t.of == nil || t.current >= len(t.nodes) {
		return
	}
	n := t.of.Nodes[t.current]
	to := int32(-1)
	switch e.Get("key").String() {
	case "ArrowUp":
		to = n.Parent
	case "ArrowDown":
		if to = n.Left; to < 0 {
			to = n.Right
		}
	case "ArrowLeft", "ArrowRight":
		if n.Parent >= 0 {
			above := t.of.Nodes[n.Parent]
			if to = above.Right; e.Get("key").String() == "ArrowLeft" {
				to = above.Left
			}
		}
	case "Enter", " ":
		e.Call("preventDefault")
		e.Call("stopPropagation")
		p.focusCell(int32(t.current))
		return
	default:
		return
	}
	e.Call("preventDefault")
	e.Call("stopPropagation")
	if to >= 0 && t.nodes[to] != nil {
		t.rove(int(to))
		t.nodes[to].Call("focus")
	}
}

// rove makes a node the one that Tab reaches.
func (t *treeDrawing) rove(to int) {
	if t.nodes[t.current] != nil {
		t.nodes[t.current].Attr("tabindex", "-1")
	}
	t.current = to
	t.nodes[to].Attr("tabindex", "0")
}

// focusCell shows a node of the tree on the mesh, or lets go of it.
func (p *page) focusCell(node int32) {
	if p.scene.State().Separation.Cell == int(node) {
		node = -1
	}
	p.scene.FocusCell(node)
	p.scene.FocusVertex(-1)
}

func (p *page) fillLevels(levels []scene.LevelState) {
	body := p.id("levels-body").Clear()
	p.tree.rows = nil
	for _, l := range levels {
		r := row(fmt.Sprint(l.Level), quantity.Count(l.Nodes), quantity.Count(l.A), quantity.Count(l.S), quantity.Count(l.B), fmt.Sprintf("%.2f", ratio(l)))
		r.On("click", func(js.Value) { p.scene.Separation.Level(l.Level) })
		body.Append(r)
		p.tree.rows = append(p.tree.rows, r)
	}
}

// drawTrace draws the marginal error over the iterations, in decades.
func (p *page) drawTrace(trace []float64) {
	svg := p.id("trace")
	key := fmt.Sprint(len(trace), trace[max(0, len(trace)-2):])
	if svg.Get("dataset").Get("key").Equal(js.ValueOf(key)) {
		return
	}
	svg.Get("dataset").Set("key", key)
	svg.Clear()
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range trace {
		if x > 0 {
			lo, hi = min(lo, math.Log10(x)), max(hi, math.Log10(x))
		}
	}
	if !(hi > lo) {
		return
	}
	var points strings.Builder
	step := max(1, len(trace)/500)
	for i := 0; i < len(trace); i += step {
		if x := trace[i]; x > 0 {
			fmt.Fprintf(&points, "%.1f,%.1f ", traceX(i, len(trace)), 2+60*(hi-math.Log10(x))/(hi-lo))
		}
	}
	svg.Append(dom.NewSVG("polyline", "").Attr("points", points.String()))
	p.text("trace-first", "1: "+quantity.Number(trace[0]))
	p.text("trace-last", quantity.Count(len(trace))+": "+quantity.Number(trace[len(trace)-1]))
}

// stageNames says in words what the engine is at.
func stageName(stage string) string {
	switch stage {
	case "":
		return ""
	case "open", "read", "decode":
		return "Opening"
	case "tree":
		return "Separator tree"
	case "labels":
		return "Distance labels"
	case "kernel":
		return "Kernel"
	case "solve", "sinkhorn":
		return "Sinkhorn"
	case "coarse":
		return "Coarse graph"
	case "tiles":
		return "Tiles between hubs"
	case "examine":
		return "Check of distances"
	case "paths":
		return "Paths"
	}
	return strings.ToUpper(stage[:1]) + stage[1:]
}

// requestName says in words what stages were for.
func requestName(request string) string {
	switch request {
	case "open":
		return "Opening the mesh"
	case "separate":
		return "Separators"
	case "sweep":
		return "Separators by size and balance"
	case "treewidth":
		return "Treewidth"
	case "flow":
		return "Mass on the move"
	}
	return strings.ToUpper(request[:1]) + request[1:]
}

func (p *page) showTimings(st scene.State) {
	p.text("frame", milliseconds(st.Frame.Median))
	p.text("frame-idle", milliseconds(st.Frame.Idle))
	r := st.Transport.Result
	if r != nil {
		p.text("memory", quantity.Bytes(r.MemoryBytes))
		p.text("memory-dense", quantity.Bytes(r.DenseBytes))
	}
	p.compareTimes(st)
	if slices.Equal(st.Timings, p.stages) {
		return
	}
	p.stages = st.Timings
	box := p.id("timings").Clear()
	longest := 0.0
	for _, t := range st.Timings {
		longest = max(longest, t.Seconds)
	}
	request := ""
	for _, t := range st.Timings {
		if t.Request != request {
			request = t.Request
			box.Append(dom.New("h3", "").Text(requestName(request)))
		}
		name := stageName(t.Stage)
		if t.Runs > 1 {
			name += fmt.Sprintf(", %s times, first %s", quantity.Count(t.Runs), quantity.Seconds(t.First))
		}
		box.Append(bar(name, t.Seconds, longest, "stage"))
	}
}

func milliseconds(x float64) string {
	if x <= 0 {
		return "–"
	}
	return quantity.Seconds(x / 1000)
}

// bar is one stage's time beside the longest.
func bar(name string, seconds, longest float64, class string) *dom.Element {
	share := 0.0
	if longest > 0 {
		share = 100 * seconds / longest
	}
	fill := dom.New("div", "fill").Style("width", fmt.Sprintf("%.1f%%", share))
	return dom.New("div", class).Append(
		dom.New("span", "").Text(name),
		dom.New("div", "track").Append(fill),
		dom.New("span", "").Text(quantity.Seconds(seconds)))
}
