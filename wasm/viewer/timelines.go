//go:build js

package main

import (
	"fmt"
	"strconv"

	"genussink/viewer/scene"
	"genussink/viewer/timeline"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// timelineControls connects the control of a timeline with move, which changes the timeline. The slider has the id. The buttons and the
// speed have the id with a word behind it: -back, -on, -play, -speed.
func (p *page) timelineControls(id string, move func(change func(t *timeline.Timeline))) {
	p.click(id+"-back", func() { move((*timeline.Timeline).Back) })
	p.click(id+"-on", func() { move((*timeline.Timeline).Forward) })
	p.click(id+"-play", func() { move((*timeline.Timeline).Toggle) })
	p.slide(id, func(x float64) { move(timeline.To(x)) })
	p.choose(id+"-speed", func(value string) {
		if x, err := strconv.ParseFloat(value, 64); err == nil {
			move(func(t *timeline.Timeline) { t.SetSpeed(x) })
		}
	})
}

// showTimeline shows where a timeline of so many steps stands; what names the thing that it plays.
func (p *page) showTimeline(id, what string, t *timeline.Timeline, steps int) {
	p.id(id).Number("max", float64(steps)).Enable(steps > 0).Set("value", t.At())
	p.text(id+"-out", fmt.Sprintf("%s of %s", quantity.Count(t.Step()), quantity.Count(steps)))
	word := "Play"
	if t.Playing() {
		word = "Pause"
	}
	p.id(id+"-play").Text(word).Attr("aria-label", word+" "+what).Enable(steps > 0)
	p.id(id + "-back").Enable(steps > 0) // at the ends too: who comes by keys would lose the place
	p.id(id + "-on").Enable(steps > 0)
	p.id(id + "-speed").SetInput(strconv.FormatFloat(t.Speed(), 'g', -1, 64))
}

// stands says where a timeline stands: below it, and to whoever hears the slider. While it plays nothing is announced.
func (p *page) stands(id, where, words string, t *timeline.Timeline) {
	p.text(id+"-out", where)
	p.id(id).Attr("aria-valuetext", where)
	live := "polite"
	if t.Playing() {
		live = "off"
	}
	p.id(id+"-note").Attr("aria-live", live)
	p.text(id+"-note", words)
}

// showIterations shows the iterations of the last solve, and marks the one that the mesh shows on the chart of its error.
func (p *page) showIterations(i scene.IterationsState) {
	p.id("iterations").Show(i.Available)
	t := p.scene.Iterations.Timeline()
	p.showTimeline("iterate", "iterations", t, i.Steps)
	p.id("iterate-end").Enable(i.Shown)
	p.stands("iterate", fmt.Sprintf("%s of %s", quantity.Count(i.Iteration), quantity.Count(i.Count)), iterationText(i), t)
	svg := p.id("trace")
	if old := svg.Call("querySelector", ".mark"); old.Truthy() {
		old.Call("remove")
	}
	if i.Iteration > 0 {
		x := traceX(i.Iteration-1, i.Count)
		svg.Append(dom.NewSVG("line", "mark").Number("x1", x).Number("x2", x).Number("y1", 0).Number("y2", 64))
	}
}

// traceX is where an iteration, from 0, lies on the chart of so many.
func traceX(at, count int) float64 { return treeWidth * float64(at) / float64(max(count-1, 1)) }

// iterationText says what the mesh shows.
func iterationText(i scene.IterationsState) string {
	off := fmt.Sprintf("%s of the mass, in L¹.", quantity.Number(i.Error))
	switch {
	case i.Waiting:
		return "Solving once more, to watch it…"
	case !i.Shown:
		return "Watch the solve on the mesh: what the plan’s rows and columns sum to after each iteration."
	case i.Iteration == 0:
		return "Before the first iteration. Green and purple are what rows and columns must sum to."
	case i.Rows && !i.Columns:
		return "The rows fit the source. The columns miss the target by " + off
	case i.Columns && !i.Rows:
		return "The columns fit the target. The rows miss the source by " + off
	}
	return "Rows and columns miss source and target by at most " + off
}

// showFront shows Dijkstra's algorithm from the vertex that distances are measured from.
func (p *page) showFront(f scene.FieldState) {
	front := f.Front
	shown := f.Name == scene.FieldDistance && f.Shown && front.Available
	p.id("front").Show(shown)
	if !shown {
		return
	}
	t := p.scene.Inspection.Front()
	p.showTimeline("spread", "shortest paths", t, front.Steps)
	p.id("spread-end").Enable(front.Shown)
	where, words := "all "+quantity.Count(front.Reached), "Watch Dijkstra’s algorithm settle one vertex after the other, the nearest first."
	if front.Shown {
		where = fmt.Sprintf("%s of %s", quantity.Count(front.Settled), quantity.Count(front.Reached))
		words = fmt.Sprintf("All vertices nearer than %s are settled. %s reached and wait: the front.", p.length(front.Distance), more(front.Open))
		switch {
		case front.Settled == 0:
			words = fmt.Sprintf("Vertex %s is reached, at distance 0. Nothing is settled.", p.number(f.Vertex))
		case front.Open == 0:
			words = fmt.Sprintf("All is settled. The farthest vertex is %s away.", p.length(front.Distance))
		}
		if !front.Tree {
			words += " The tree of shortest paths is too dense to be drawn here."
		}
	}
	p.stands("spread", where, words, t)
}

func more(n int) string {
	if n == 1 {
		return "1 more is"
	}
	return quantity.Count(n) + " more are"
}
