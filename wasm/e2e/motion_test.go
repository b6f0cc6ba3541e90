//go:build e2e && !js

package e2e

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"genussink/viewer/colormap"
)

// Mass moves as soon as there is a plan, on the first mesh and on the gallery's
// largest but one: paths take a small part of what the solve itself takes, and
// the page says how long they took. The first particles are there 300 ms after the solve's end, all of them after a second. The default
// mesh moves 5 s after navigation. All three limits are multiplied by slowness, the larger of before and after. There are three
// tries.
func TestMovesAtOnce(t *testing.T) {
	quick(t)
	for _, c := range []struct {
		query            string
		firstBar, allBar float64 // of the solve's seconds, set-up included
		movesBar         float64 // ms from navigation
	}{{"?method=exact", 0.6, 0.8, 5000}, {"?mesh=gear", 0.15, 0.3, math.Inf(1)}} {
		t.Run(c.query, func(t *testing.T) {
			threeTries(t, func() []string { return arrives(t, c.query, c.firstBar, c.allBar, c.movesBar) })
		})
	}
}

// arrives opens a page, and says which bars of TestMovesAtOnce it misses.
func arrives(t *testing.T, query string, firstBar, allBar, movesBar float64) (missed []string) {
	t.Helper()
	slow := slowness(2)
	p := open(t, query, moving)
	p.until("performance.getEntriesByName('solved').length > 0 && genussink.state().playback.allParticlesMs != null")
	s := p.state()
	slow = max(slow, slowness(2))
	b := s.Playback
	first, all := *b.FirstParticlesMs, *b.AllParticlesMs
	solve := milliseconds(s.Transport.Result.Timings, "labels", "tiles", "kernel", "solve")
	t.Logf("%s: %d vertices solved in %.0f ms; first particles %.0f ms after its end (%.2f), all %d after %.0f (%.2f)",
		s.Mesh.Name, s.Mesh.Vertices, solve, first, first/solve, b.Particles, all, all/solve)
	t.Log(eval[string](p, "performance.getEntriesByType('mark').map((m) => `${m.name} ${m.startTime.toFixed(0)}`).join(', ')"))
	t.Log(s.Timings)
	if !b.Playing || b.Particles != 3000 {
		t.Errorf("%d particles, playing: %v", b.Particles, b.Playing)
	}
	if !(first <= firstBar*solve) || !(all <= allBar*solve) {
		missed = append(missed, fmt.Sprintf("the first particles come after %.0f ms and all after %.0f, at most %.2f and %.2f of the %.0f of the solve",
			first, all, firstBar, allBar, solve))
	}
	const soon, whole = 300, 1000
	moves := eval[float64](p, "performance.getEntriesByName('paths')[0].startTime")
	t.Logf("the machine is %.2f times as slow as the reference: first particles after %.0f ms, all after %.0f, %.0f from navigation", slow, first/slow, all/slow, moves/slow)
	if !(first <= soon*slow && all <= whole*slow && moves <= movesBar*slow) {
		missed = append(missed, fmt.Sprintf("first particles %.0f ms after the solve's end, all after %.0f, %.0f from navigation, a machine %.2f times as slow as the reference: at most %d, %d and %.0f",
			first, all, moves, slow, soon, whole, movesBar))
	}
	// The browser's own clock agrees: frames show paths after they have come.
	type times struct{ First, Last float64 }
	clock := eval[times](p, `(() => {
		const at = (name) => performance.getEntriesByName(name).map((m) => m.startTime), end = at('solved')[0], paths = at('paths');
		return { First: paths[0] - end, Last: paths.at(-1) - end };
	})()`)
	if first < clock.First-1 || all < clock.Last-1 {
		t.Errorf("paths came %.0f to %.0f ms after the solve, and the page says %.0f to %.0f", clock.First, clock.Last, first, all)
	}
	p.close()
	return missed
}

// After its first solve every mesh plays by itself, a person's own and the gallery's
// alike, unless that person has asked for less motion.
func TestEveryMeshPlays(t *testing.T) {
	t.Parallel()
	p := open(t, "", moving)
	p.settled()
	p.press("Pause")
	p.wait("!s.playback.playing")
	p.file(gallery("swan.glb"))
	p.wait("s.mesh.name == 'swan.glb' && s.playback.playing")
	p.press("Pause")
	p.wait("!s.playback.playing")
	p.press("Gallery")
	at := eval[spot](p, `(async () => {
		const card = [...document.querySelectorAll('#cards button')].find((b) => b.querySelector('b').textContent.match(/pretzel/i));
		card.scrollIntoView({ block: 'center' });
		for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
		const r = card.getBoundingClientRect();
		return { X: r.x + r.width / 2, Y: r.y + r.height / 2 };
	})()`)
	p.do(chromedp.MouseClickXY(at.X, at.Y))
	p.wait("s.mesh.name == 'pretzel.glb' && s.playback.playing")

	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{still},
	})
	p.wait("s.view.reducedMotion")
	p.file(gallery("cat.glb"))
	p.wait("s.mesh.name == 'cat.glb'")
	if s := p.settled(); s.Playback.Playing || s.Playback.Position != 0 {
		t.Errorf("plays against a person's wish: %+v", s.Playback)
	}
}

// At 0 % the picture shows the source and at 100 % the target, as particles and
// as a density: its colour, not the other's, nor that of mass on the move.
func TestEndsOfPlayback(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=swan", size{1440, 900, 1, false, false})
	p.settled()
	p.press("Pause")
	for _, mass := range []string{"particles", "density"} {
		p.set("Mass shown as", mass)
		for k, position := range []string{"0", "0.5", "1"} {
			p.set("Playback position", position)
			p.wait("s.playback.position == " + position)
			p.frames(20) // longer than colours ease
			seen := p.tints()
			t.Logf("%s at %s: %+v", mass, position, seen)
			own := []int{seen.source, seen.moving, seen.target}
			switch {
			case own[k] < 300:
				t.Errorf("%s at %s: %d pixels of its colour", mass, position, own[k])
			case k == 0 && seen.target+seen.moving > 0, k == 2 && seen.source+seen.moving > 0:
				t.Errorf("%s at %s: something else is shown: %+v", mass, position, seen)
			}
			if mass == "density" { // its scale has ticks, the last of them a share of the mass
				ticks := eval[[]string](p, "[...document.querySelectorAll('#legend-mass .ticks span')].map((e) => e.textContent)")
				if len(ticks) < 3 || ticks[0] != "0\u202f%" || !strings.HasSuffix(ticks[len(ticks)-1], "%") {
					t.Errorf("at %s the scale's ticks are %q", position, ticks)
				}
			}
			p.picture("ends-" + mass + "-" + position)
		}
	}
}

// tints counts the canvas's pixels with the hue of the source, of mass on the
// move and of the target.
type tints struct{ source, moving, target int }

func (p *tab) tints() (n tints) {
	p.t.Helper()
	picture := p.screenshot()
	// The middle of the canvas: its edges have buttons and the legend.
	canvas := eval[spot](p, "(({width, height}) => ({X: width, Y: height}))(document.querySelector('canvas').getBoundingClientRect())")
	w, h := int(canvas.X), int(canvas.Y)
	for y := h / 8; y < h*7/8; y++ {
		for x := w / 8; x < w*7/8; x++ {
			switch hue(picture, x, y) {
			case 0:
				n.source++
			case 1:
				n.moving++
			case 2:
				n.target++
			}
		}
	}
	return n
}

// screenshot is what the window shows.
func (p *tab) screenshot() image.Image {
	p.t.Helper()
	file, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		p.t.Fatal(err)
	}
	return picture
}

// A page at rest keeps showing its mesh when its canvas takes another size. That clears the canvas, so the picture has to be copied again.
func TestRestingPageIsDrawnInEverySize(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=octopus", size{360, 740, 2, true, false}, emulate("light", still))
	p.settled()
	for i := range 4 {
		for _, press := range []string{"Learn", "Close lessons"} {
			p.press(press)
			p.frames(8)
			if bright := lightness(p.canvas()); bright < 0.5 { // the ground is light
				t.Errorf("%s, time %d: the canvas has a lightness of %.2f", press, i+1, bright)
			}
		}
	}
}

// lightness is a picture's mean brightness: 0 is black, 1 is white.
func lightness(picture image.Image) float64 {
	sum, count := 0.0, 0.0
	for y := picture.Bounds().Min.Y; y < picture.Bounds().Max.Y; y += 4 {
		for x := picture.Bounds().Min.X; x < picture.Bounds().Max.X; x += 4 {
			r, g, b, _ := picture.At(x, y).RGBA()
			sum += float64(r+g+b) / (3 * 0xffff)
			count++
		}
	}
	return sum / count
}

// hue is which of source, moving and target a pixel has the hue of, -1 none:
// within 20 degrees, and not grey.
func hue(m image.Image, x, y int) int {
	r, g, b, _ := m.At(x, y).RGBA()
	c := colormap.RGB{float32(r) / 0xffff, float32(g) / 0xffff, float32(b) / 0xffff}.LCh()
	if c.C < 0.06 {
		return -1
	}
	for k, of := range []colormap.RGB{colormap.Source(), colormap.Moving(), colormap.Target()} {
		d := c.H - of.LCh().H
		if d = min(abs(d), abs(abs(d)-2*3.14159265)); d < 0.35 {
			return k
		}
	}
	return -1
}

func abs(x float64) float64 { return max(x, -x) }
