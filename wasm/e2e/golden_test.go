//go:build e2e && !js

package e2e

import (
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "accept the canvas's pictures as golden ones")

// canvas is what the canvas shows, without what lies over it.
func (p *tab) canvas() image.Image {
	p.t.Helper()
	const others = "[...document.querySelectorAll('body > :not(main), main > :not(canvas)')]"
	eval[bool](p, "("+others+".forEach((e) => e.style.visibility = 'hidden'), true)")
	m := p.screenshot()
	eval[bool](p, "("+others+".forEach((e) => e.style.visibility = ''), true)")
	size := eval[struct{ X, Y int }](p, "(() => { const r = document.querySelector('canvas').getBoundingClientRect(); return { X: r.width, Y: r.height }; })()")
	return m.(interface {
		SubImage(r image.Rectangle) image.Image
	}).SubImage(image.Rect(0, 0, size.X, size.Y))
}

// Every task in both themes looks as its golden picture does. Where rounding puts an edge on the other side a pixel may differ; one in
// a hundred may.
func TestTaskPictures(t *testing.T) {
	t.Parallel()
	for _, theme := range []string{"light", "dark"} {
		p := open(t, "?make=torus&p.segments=32&p.sides=5&eps=0.05", size{800, 400, 1, false}, emulate(theme))
		p.settled()
		p.wait("s.mesh.shaded")
		p.press("Pause")
		p.set("Playback position", "0.4", "input")
		for _, c := range []struct {
			task string
			do   func()
		}{
			{"transport", func() {}},
			{"separators", func() {
				p.press("Separators")
				p.set("Separator level", "1", "input")
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
				p.set("Colour by", "gaussian", "change")
			}},
		} {
			c.do()
			p.frames(40)
			got := p.canvas()
			name := c.task + "-" + theme + ".png"
			golden := filepath.Join("testdata", "tasks", name)
			if *update {
				keep(t, golden, got)
				continue
			}
			keep(t, filepath.Join(root, "build/e2e", name), got)
			want := decode(t, golden)
			if n := unlike(got, want); n > got.Bounds().Dx()*got.Bounds().Dy()/100 {
				t.Errorf("%s: %d pixels differ from %s (to accept them: go test -tags e2e -run TaskPictures ./wasm/e2e -update)", c.task, n, golden)
			}
		}
	}
}

// The golden pictures are of different tasks and themes: the test can fail.
func TestTaskPicturesDiffer(t *testing.T) {
	t.Parallel()
	var before image.Image
	for _, task := range []string{"transport", "separators", "treewidth", "inspect"} {
		light, dark := decode(t, filepath.Join("testdata", "tasks", task+"-light.png")), decode(t, filepath.Join("testdata", "tasks", task+"-dark.png"))
		all := light.Bounds().Dx() * light.Bounds().Dy()
		if n := unlike(light, dark); n < all/2 {
			t.Errorf("%s: the themes differ in %d of %d pixels", task, n, all)
		}
		if before != nil {
			if n := unlike(light, before); n < all/50 {
				t.Errorf("%s differs from the task before in %d of %d pixels", task, n, all)
			}
		}
		before = light
	}
}

// unlike is how many pixels of two pictures differ by more than a step that an eye sees.
func unlike(a, b image.Image) (n int) {
	const step = 24 << 8
	r := a.Bounds()
	if r.Size() != b.Bounds().Size() {
		return r.Dx() * r.Dy()
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			ar, ag, ab, _ := a.At(x, y).RGBA()
			br, bg, bb, _ := b.At(x-r.Min.X+b.Bounds().Min.X, y-r.Min.Y+b.Bounds().Min.Y).RGBA()
			for _, d := range [3]int{int(ar) - int(br), int(ag) - int(bg), int(ab) - int(bb)} {
				if d > step || d < -step {
					n++
					break
				}
			}
		}
	}
	return n
}

func keep(t *testing.T, path string, m image.Image) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func decode(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
