//go:build js

package main

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"syscall/js"

	"genussink/core/session"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// A page of somebody else's may hold this one in a frame: with embed=1 in the address it is the canvas and the bar alone. It
// keeps no session. What it shows is in its link to the whole page, not in its own address.

// framedKeys are the keys of an embedded page: those that need no panel.
var framedKeys = []string{" ", "f", "escape", "arrowleft", "arrowright", "arrowup", "arrowdown", "pageup", "pagedown"}

// unframed is an embedded page's query without what makes it one.
func unframed(search string) string {
	pairs := strings.Split(strings.TrimPrefix(search, "?"), "&")
	return strings.Join(slices.DeleteFunc(pairs, func(pair string) bool { return pair == "embed=1" }), "&")
}

// shareScrolling leaves the wheel and one finger to the page that holds this one: the canvas does not hear of them. Two
// fingers turn the mesh.
func (p *page) shareScrolling() {
	p.game.TwoFingersTurn()
	p.id("whole").Attr("href", "./?"+unframed(dom.Window().Get("location").Get("search").String()))
	dom.Capture(dom.Window(), "wheel", func(e js.Value) { e.Call("stopPropagation") })
	two := false // fingers, or there were since the first
	for _, event := range []string{"touchstart", "touchmove", "touchend", "touchcancel"} {
		dom.Capture(dom.Window(), event, func(e js.Value) {
			fingers := e.Get("touches").Length()
			two = two || fingers > 1
			if !two {
				e.Call("stopPropagation")
			}
			two = two && fingers > 0
		})
	}
}

// copyEmbed copies HTML that shows in another page what this one shows.
func (p *page) copyEmbed() {
	sn, complete := p.scene.Session()
	if !complete {
		p.say("Not ready yet: copy in a moment.")
		return
	}
	if sn.Own() {
		p.say("The mesh is a file of your own, which no address carries.")
		return
	}
	link, whole := sn.Link()
	said := "Embed code copied, painting included."
	if !whole {
		said = fmt.Sprintf("Embed code copied, without the painting: a link has at most %s characters.", quantity.Count(session.MaxLink))
	}
	p.copy(fmt.Sprintf(`<iframe src="%s" title="%s" width="100%%" height="480" loading="lazy" style="border: 0"></iframe>`,
		html.EscapeString(p.linked("embed=1&"+link)), html.EscapeString("GenusSink: "+p.base())), said)
}
