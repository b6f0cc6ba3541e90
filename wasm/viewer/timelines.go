//go:build js

package main

import (
	"fmt"
	"strconv"

	"genussink/viewer/timeline"
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
