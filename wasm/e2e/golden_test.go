//go:build e2e && !js

package e2e

import (
	"flag"
	"image"
	"path/filepath"
	"testing"
	"time"

	"genussink/internal/golden"
)

// step is the most that red, green and blue of a pixel may differ by, of 255, before an eye sees it.
const step = 23

var update = flag.Bool("update", false, "accept the canvas's pictures as golden ones")

// canvas is what the canvas shows, without what lies over it.
func (p *tab) canvas() image.Image {
	p.t.Helper()
	const others = "[...document.querySelectorAll('body > :not(main), main > :not(canvas)')]"
	eval[bool](p, "("+others+".forEach((e) => e.style.visibility = 'hidden'), true)")
	m := p.screenshot()
	eval[bool](p, "("+others+".forEach((e) => e.style.visibility = ''), true)")
	size := eval[struct{ X, Y int }](p, "(() => { const c = document.querySelector('canvas'); return { X: c.width, Y: c.height }; })()")
	return m.(interface {
		SubImage(r image.Rectangle) image.Image
	}).SubImage(image.Rect(0, 0, size.X, size.Y))
}

// changes has something done that the canvas must show, in so many pixels at least.
func (p *tab) changes(what string, least int, do func()) {
	p.t.Helper()
	p.frames(20)
	before := p.canvas()
	do()
	p.frames(20)
	if n := golden.Unlike(before, p.canvas(), step); n < least {
		p.t.Errorf("%s: %d pixels change, at least %d should", what, n, least)
	}
}

// refined is when a picture at rest is as fine as it will be.
const refined = 30 * time.Second

// most is how many pixels of a picture may differ: one in a hundred.
func most(m image.Image) int { return m.Bounds().Dx() * m.Bounds().Dy() / 100 }

// Every task in both themes looks as its golden picture does. Where rounding puts an edge on the other side a pixel may differ; one in
// a hundred may.
func TestTaskPictures(t *testing.T) {
	t.Parallel()
	for _, theme := range []string{"light", "dark"} {
		p := open(t, "?make=torus&p.segments=32&p.sides=5&eps=0.05", size{800, 400, 1, false, false}, emulate(theme))
		p.settled()
		p.wait("s.mesh.shaded")
		p.press("Pause")
		p.set("Playback position", "0.4")
		for _, c := range []struct {
			task string
			do   func()
		}{
			{"transport", func() {}},
			{"separators", func() {
				p.press("Separators")
				p.set("Separator level", "1")
			}},
			{"treewidth", func() {
				p.press("Treewidth")
				p.press("Find treewidth")
				p.wait("s.treewidth.known && !s.treewidth.running")
				p.press("Centroid bag")
			}},
			{"inspect", func() {
				p.press("Inspect mesh")
				p.wait("s.findings.known")
				p.set("Colour by", "gaussian")
			}},
		} {
			c.do()
			p.frames(4)
			got := p.canvas()
			name := c.task + "-" + theme + ".png"
			accepted := filepath.Join("testdata", "tasks", name)
			if *update {
				time.Sleep(refined / 10)
				got = p.canvas()
				golden.Write(t, accepted, got)
				continue
			}
			want := golden.Read(t, accepted)
			n := golden.Unlike(got, want, step)
			for end := time.Now().Add(refined); n > most(got) && time.Now().Before(end); n = golden.Unlike(got, want, step) {
				p.frames(4) // what is at rest is refined, by a busy machine later
				got = p.canvas()
			}
			golden.Write(t, filepath.Join(root, "build/e2e", name), got)
			if n > most(got) {
				t.Errorf("%s: %d pixels differ from %s (to accept them: go test -tags e2e -run TaskPictures ./wasm/e2e -update)", c.task, n, accepted)
			}
		}
	}
}

// The golden pictures are of different tasks and themes: the test can fail.
func TestTaskPicturesDiffer(t *testing.T) {
	t.Parallel()
	var before image.Image
	for _, task := range []string{"transport", "separators", "treewidth", "inspect"} {
		light, dark := golden.Read(t, filepath.Join("testdata", "tasks", task+"-light.png")), golden.Read(t, filepath.Join("testdata", "tasks", task+"-dark.png"))
		all := light.Bounds().Dx() * light.Bounds().Dy()
		if n := golden.Unlike(light, dark, step); n < all/2 {
			t.Errorf("%s: the themes differ in %d of %d pixels", task, n, all)
		}
		if before != nil {
			if n := golden.Unlike(light, before, step); n < all/50 {
				t.Errorf("%s differs from the task before in %d of %d pixels", task, n, all)
			}
		}
		before = light
	}
}
