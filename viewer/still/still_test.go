package still

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"math"
	"testing"

	"genussink/core/job"
	"genussink/viewer/colormap"
	"genussink/viewer/scene"
)

// shown is a scene with a mesh.
func shown(t testing.TB, points []float64, faces []int32) *scene.Scene {
	t.Helper()
	s := scene.New()
	s.View.ReducedMotion(true)
	s.OpenFile("m", nil, nil, "")
	for _, r := range s.Outbox() {
		s.Handle(job.Event{ID: r.ID, Body: &job.Loaded{Positions: points, Faces: faces, Report: job.Report{Watertight: true, Oriented: true, Components: 1}}})
	}
	return s
}

// ring is a torus of n by m quads.
func ring(n, m int) (points []float64, faces []int32) {
	for i := range n {
		for j := range m {
			a, b := 2*math.Pi*float64(i)/float64(n), 2*math.Pi*float64(j)/float64(m)
			r := 1 + 0.35*math.Cos(b)
			points = append(points, r*math.Cos(a), 0.35*math.Sin(b), -r*math.Sin(a))
		}
	}
	at := func(i, j int) int32 { return int32(i%n*m + j%m) }
	for i := range n {
		for j := range m {
			p, q, r, s := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			faces = append(faces, p, q, r, p, r, s)
		}
	}
	return points, faces
}

func BenchmarkDraw(b *testing.B) {
	s := shown(b, first(ring(500, 100)), second(ring(500, 100)))
	for _, samples := range []int{1, 2, 3} {
		p := New(s)
		b.Run([]string{"", "1", "2", "3"}[samples], func(b *testing.B) {
			for b.Loop() {
				p.Draw(Options{Width: 1200, Height: 900, Pixel: 1, Samples: samples})
			}
		})
	}
	b.Run("first", func(b *testing.B) { // which makes the surface
		for b.Loop() {
			New(s).Draw(Options{Width: 1200, Height: 900, Pixel: 1, Samples: 1})
		}
	})
}

func first[A, B any](a A, _ B) A  { return a }
func second[A, B any](_ A, b B) B { return b }

// The mean of a square is taken in linear light: half black and half white is
// brighter than 128.
func TestShrink(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 4, 2))
	for y := range 2 {
		for x := range 4 {
			c := color.RGBA{A: 255}
			if x%2 == 0 {
				c = color.RGBA{255, 255, 255, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	got := shrink(m, 2)
	if got.Bounds().Dx() != 2 || got.Bounds().Dy() != 1 {
		t.Fatal(got.Bounds())
	}
	if c := got.RGBAAt(1, 0); max(c.R, 188)-min(c.R, 188) > 1 || c.A != 255 {
		t.Errorf("%v, want 188", c)
	}
}

// Pixels of an outline are neither the mesh's nor the ground's colour alone.
func TestOutlinesAreSmooth(t *testing.T) {
	s := shown(t, first(ring(60, 30)), second(ring(60, 30)))
	Frame(s, 120, 90, 1)
	p := New(s)
	kinds := func(samples int) int {
		m := p.Draw(Options{Width: 120, Height: 90, Pixel: 1, Samples: samples})
		seen := map[color.RGBA]bool{}
		for y := range 90 {
			for x := range 120 {
				if c := m.RGBAAt(x, y); c.R < 100 && c.R > 45 { // between the ground and the clay
					seen[c] = true
				}
			}
		}
		return len(seen)
	}
	if rough, smooth := kinds(1), kinds(3); smooth < 2*rough {
		t.Errorf("%d colours between ground and mesh with 9 samples, %d with one", smooth, rough)
	}
}

// A framed mesh fills its picture, and stays in it, from every side.
func TestFrame(t *testing.T) {
	s := shown(t, first(ring(60, 30)), second(ring(60, 30)))
	for _, size := range [][2]int{{400, 300}, {200, 600}, {700, 400}, {900, 100}} {
		for k := range 7 {
			pose := s.View.Camera().Pose()
			pose.Yaw, pose.Pitch = float64(k), 0.2*float64(k)
			s.View.Camera().Set(pose)
			Frame(s, size[0], size[1], 1)
			lens := s.View.Camera().Lens(float64(size[0]), float64(size[1]))
			m := s.Mesh.Mesh
			lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
			for v := range m.Vertices() {
				p := m.Points[3*v : 3*v+3]
				x, y, _ := lens.Project([3]float64{float64(p[0]), float64(p[1]), float64(p[2])})
				for c, z := range [2]float64{x / lens.Width, y / lens.Height} {
					lo[c], hi[c] = min(lo[c], z), max(hi[c], z)
				}
			}
			fills := max(hi[0]-lo[0], hi[1]-lo[1])
			if lo[0] < 0.02 || lo[1] < 0.02 || hi[0] > 0.98 || hi[1] > 0.98 || fills < 0.86 && size[1] > 100 {
				t.Errorf("%v, turned by %d: the mesh reaches from %.3f to %.3f", size, k, lo, hi)
			}
		}
	}
}

// What a GIF shows is what was drawn, but for the palette; what stays is not written again.
func TestEncodeGIF(t *testing.T) {
	s := shown(t, first(ring(40, 20)), second(ring(40, 20)))
	p := New(s)
	var frames []*image.RGBA
	for k := range 4 {
		pose := s.View.Camera().Pose()
		pose.Yaw = 0.3 * float64(min(k, 2)) // the last two are alike
		s.View.Camera().Set(pose)
		frames = append(frames, p.Draw(Options{Width: 100, Height: 80, Pixel: 1, Samples: 2}))
	}
	var file bytes.Buffer
	if err := EncodeGIF(&file, frames, 7); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&file)
	if err != nil {
		t.Fatal(err)
	}
	shown := image.NewRGBA(frames[0].Bounds())
	for k, m := range g.Image {
		draw.Draw(shown, m.Bounds(), m, m.Bounds().Min, draw.Over)
		sum := 0
		for i, x := range shown.Pix {
			sum += max(int(x)-int(frames[k].Pix[i]), int(frames[k].Pix[i])-int(x))
		}
		if mean := float64(sum) / float64(len(shown.Pix)); mean > 4 {
			t.Errorf("frame %d: channels are off by %.1f in the mean", k, mean)
		}
		if g.Delay[k] != 7 {
			t.Errorf("frame %d: %d hundredths", k, g.Delay[k])
		}
	}
	if b := g.Image[3].Bounds(); b.Dx() != 1 || b.Dy() != 1 {
		t.Errorf("a frame that does not differ is written as %v", b)
	}
	if err := EncodeGIF(&file, nil, 7); err == nil {
		t.Error("no frames, no error")
	}
}

// A line that is too wide ends in an ellipsis within its room.
func TestWords(t *testing.T) {
	w, err := NewWriter(14, colormap.Dark)
	if err != nil {
		t.Fatal(err)
	}
	m := image.NewRGBA(image.Rect(0, 0, 200, 30))
	w.Center(m, 100, 20, 60, "a name that is far too long for its room")
	lo, hi := 200, 0
	for y := range 30 {
		for x := range 200 {
			if m.RGBAAt(x, y).A > 0 {
				lo, hi = min(lo, x), max(hi, x)
			}
		}
	}
	if lo < 68 || hi > 132 || hi-lo < 30 {
		t.Errorf("the words reach from %d to %d", lo, hi)
	}
}
