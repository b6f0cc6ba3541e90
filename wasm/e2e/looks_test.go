//go:build e2e && !js

package e2e

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

func TestNarrow(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", phone)
	p.settled()
	p.frames(3)
	p.picture("narrow")
	before := eval[float64](p, "document.querySelector('canvas').getBoundingClientRect().height")
	p.press("Panel")
	p.frames(3)
	after := eval[float64](p, "document.querySelector('canvas').getBoundingClientRect().height")
	if after >= before {
		t.Errorf("the sheet opened and the canvas is still %g high", after)
	}
	// With the panel open, all that says how mass is played and shown is within reach.
	p.set("Mass shown as", "density")
	p.wait("s.playback.mass == 'density'")
	loop := p.state().Playback.Loop
	p.press("Loop")
	p.wait(fmt.Sprintf("s.playback.loop == %t", !loop))
	p.set("Speed", "2")
	p.wait("s.playback.speed == 2")
	for _, id := range []string{"mass", "loop", "speed", "play"} {
		if low := eval[float64](p, fmt.Sprintf("(({bottom, right}) => right > innerWidth ? 1e9 : bottom)(document.getElementById(%q).getBoundingClientRect())", id)); !(low > after) || low > eval[float64](p, "document.getElementById('panel').getBoundingClientRect().top") {
			t.Errorf("%s ends at %g, in the canvas or under the panel", id, low)
		}
	}
	p.set("Mass shown as", "particles")
	p.press("Gallery")
	p.press("Close")
	p.picture("narrow-panel")
	if wide := eval[float64](p, "document.documentElement.scrollWidth"); wide > float64(phone.width) {
		t.Errorf("the page is %g wide on a screen of %d", wide, phone.width)
	}

	// Timelines by touch.
	tap := func(id string) {
		t.Helper()
		p.until(fmt.Sprintf("!document.getElementById(%q).disabled", id))
		p.tap(p.place("#" + id))
		p.frames(2)
	}
	p.unfold("Iterations")
	tap("iterate-on")
	p.wait("s.transport.iterations.shown && s.transport.iterations.iteration == 1")
	p.frames(20)
	p.picture("narrow-iterations")
	p.press("Inspect")
	p.set("Colour by", "distance")
	p.tap(p.find(0.5, 0.5))
	p.wait("s.field.front.available")
	tap("spread-play")
	if p.wait("s.field.front.step > 30").Field.Front.Playing { // where pages are slow it is over by then
		tap("spread-play")
	}
	p.wait("!s.field.front.playing")
	p.frames(20)
	p.picture("narrow-front")
	if gap := eval[float64](p, "document.getElementById('actions').getBoundingClientRect().left - document.getElementById('legend').getBoundingClientRect().right"); gap < 4 {
		t.Errorf("the legend ends %g pixels before Share and Save", gap)
	}
}

// Either theme shows mass on the move in its colour, on a picture that is as light or dark as it should be. The pictures are kept for people
// to look at.
func TestPictures(t *testing.T) {
	t.Parallel()
	for theme, light := range map[string]bool{"light": true, "dark": false} {
		p := open(t, "?mesh=octopus", wide, emulate(theme))
		p.settled()
		p.press("Pause")
		p.set("Playback position", "0.4")
		p.frames(12)
		p.picture(theme + "-mass")
		if seen := p.tints(); seen.moving < 300 {
			t.Errorf("%s: %d pixels of mass on the move", theme, seen.moving)
		}
		if mean := lightness(p.screenshot()); (mean > 0.5) != light {
			t.Errorf("%s: the picture's mean lightness is %.2f", theme, mean)
		}
		p.press("Mass")
		p.set("Separator level", "0")
		p.frames(20)
		p.picture(theme + "-split")
		p.set("Separator level", "3")
		p.frames(20)
		p.picture(theme + "-level3")
	}
}

func emulate(theme string, also ...*emulation.MediaFeature) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: append([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}, also...),
		})
		return err
	})
}
