//go:build e2e && !js

package e2e

import (
	"fmt"
	"image"
	"testing"

	"github.com/chromedp/chromedp"
)

// A section takes away what is in front of its plane, as far as the slider says. A click there meets the inside. Another task shows the whole
// mesh.
func TestSection(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	p.press("Inspect")
	p.unfold("Section")
	look := func(name string) image.Image {
		t.Helper()
		p.frames(20)
		p.picture("section-" + name)
		return p.screenshot()
	}
	canvas := eval[float64](p, "document.querySelector('canvas').getBoundingClientRect().width / innerWidth")
	whole := look("whole")
	p.set("Section axis", "view")
	p.wait("s.view.section.axis == 'view' && s.view.section.position == 0.5")
	p.set("Section position", "1")
	p.wait("s.view.section.position == 1")
	none := look("none")
	covered := func(m image.Image) (n int) { // pixels in the middle of the canvas where something is seen
		b := m.Bounds()
		w, h := int(canvas*float64(b.Dx())), b.Dy()
		for y := h / 8; y < h*7/8; y++ {
			for x := w / 8; x < w*7/8; x++ {
				r, g, b, _ := m.At(x, y).RGBA()
				u, v, w, _ := none.At(x, y).RGBA()
				if max(r, u)-min(r, u) > 0x600 || max(g, v)-min(g, v) > 0x600 || max(b, w)-min(b, w) > 0x600 {
					n++
				}
			}
		}
		return n
	}
	p.set("Section axis", "z")
	p.set("Section position", "0.8")
	p.wait("s.view.section.axis == 'z' && s.view.section.position == 0.8")
	most := look("most")
	p.set("Section position", "0.5")
	p.wait("s.view.section.position == 0.5")
	half := look("half")
	if a, b, c := covered(whole), covered(most), covered(half); a <= b || b <= c || c <= a/10 || c >= a*9/10 {
		t.Errorf("the mesh covers %d pixels, cut at 0.8 %d, cut at 0.5 %d", a, b, c)
	}

	at := p.find(0.5, 0.6)
	p.do(chromedp.MouseClickXY(at.X, at.Y))
	inside := p.wait("s.pick && s.pick.face >= 0")
	p.frames(20)
	p.picture("section-picked")
	p.set("Section axis", "")
	p.wait("s.view.section.axis == ''")
	p.do(chromedp.MouseClickXY(at.X, at.Y))
	outside := p.wait(fmt.Sprintf("s.pick && s.pick.face != %d", inside.Pick.Face))
	if d := outside.Pick.Position[2] - inside.Pick.Position[2]; !(d > 0.1*outside.Mesh.Diagonal) {
		t.Errorf("with the section the click meets %v, without it %v", inside.Pick.Position, outside.Pick.Position)
	}

	p.set("Section axis", "x")
	p.wait("s.view.section.axis == 'x'")
	p.press("Separators")
	p.wait("s.view.section.axis == ''")
	if message := p.alert(); message != "" {
		t.Error(message)
	}

	// A link leads to the same task and section.
	p = open(t, "?mesh=cat&task=inspect&section=y,0.25", small)
	p.wait("s.task == 'inspect' && s.view.section.axis == 'y' && s.view.section.position == 0.25")
	p.until("document.querySelector('[role=tab][aria-selected=true]').textContent == 'Inspect' && document.getElementById('section-position').valueAsNumber == 0.25")
}
