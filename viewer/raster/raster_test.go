package raster

import (
	"flag"
	"image"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"genussink/internal/golden"
	"genussink/viewer/camera"
	"genussink/viewer/colormap"
)

var update = flag.Bool("update", false, "write the golden images anew")

// ball is a sphere of rows by 2*rows quads, closed and oriented outwards.
func ball(rows int, center [3]float32, radius float64) (points, normals []float32, faces []int32) {
	columns := 2 * rows
	put := func(a, b float64) {
		n := [3]float64{math.Sin(a) * math.Cos(b), math.Cos(a), math.Sin(a) * math.Sin(b)}
		for k := range n {
			points = append(points, center[k]+float32(radius*n[k]))
			normals = append(normals, float32(n[k]))
		}
	}
	at := func(i, j int) int32 {
		switch i {
		case 0:
			return 0
		case rows:
			return int32(1 + (rows-1)*columns)
		}
		return int32(1 + (i-1)*columns + j%columns)
	}
	put(0, 0)
	for i := 1; i < rows; i++ {
		for j := range columns {
			put(math.Pi*float64(i)/float64(rows), 2*math.Pi*float64(j)/float64(columns))
		}
	}
	put(math.Pi, 0)
	for i := range rows {
		for j := range columns {
			p, q, r, s := at(i, j), at(i, j+1), at(i+1, j), at(i+1, j+1)
			if i > 0 {
				faces = append(faces, p, q, r)
			}
			if i < rows-1 {
				faces = append(faces, q, s, r)
			}
		}
	}
	return points, normals, faces
}

// halves colours a surface blue and orange.
func halves(s *Surface) {
	colors := make([]colormap.RGB, len(s.vertices))
	for v := range colors {
		colors[v] = colormap.Left().RGB()
		if s.points[3*v] > 0.05 {
			colors[v] = colormap.Right().RGB()
		}
	}
	s.SetColors(colors)
}

// crossing are two long triangles that cross, where no order of painting is
// right.
func crossing() *Surface {
	s := grownSurface([]float32{
		-0.6, -0.5, -0.4, 0.6, -0.3, 0.4, 0.5, -0.1, 0.4,
		0.6, -0.5, -0.4, -0.6, -0.3, 0.4, -0.5, 0.3, 0.4,
	}, slices.Repeat([]float32{0, 0, 1}, 6), []int32{0, 1, 2, 3, 4, 5}, false)
	s.SetColors([]colormap.RGB{colormap.Source(), colormap.Source(), colormap.Source(), colormap.Target(), colormap.Target(), colormap.Target()})
	return s
}

func lens(w, h float64, p camera.Pose) camera.Lens {
	c := camera.New()
	c.Set(p)
	return c.Lens(w, h)
}

func render(s *Surface, l camera.Lens, style Style, sprites func(b *Batch)) *image.RGBA {
	p := NewPicture(&l, style)
	var b Batch
	b.Surface(s, &l, style.Wire)
	p.Surface(&b)
	if sprites != nil {
		b.Reset()
		sprites(&b)
		p.Sprites(&b)
	}
	return p.Image
}

// grownSurface is a surface that is ready to be drawn.
func grownSurface(points, normals []float32, faces []int32, closed bool) *Surface {
	s := NewSurface(points, normals, faces, closed)
	s.Grow(math.MaxInt)
	return s
}

// Golden images hold to within three steps of a channel, for pixels in the
// inside; on edges floating point may put a pixel on either side.
func TestGolden(t *testing.T) {
	points, normals, faces := ball(24, [3]float32{}, 0.8)
	whole := grownSurface(points, normals, faces, true)
	halves(whole)
	home := camera.Home()
	ortho := home
	ortho.Orthographic, ortho.Up = true, camera.Z
	dots := func(b *Batch) {
		l := lens(200, 150, home)
		for v := 0; v < len(whole.vertices); v += 7 {
			p := [3]float32{points[3*v], points[3*v+1], points[3*v+2]}
			n := [3]float32{normals[3*v], normals[3*v+1], normals[3*v+2]}
			if v/7%2 == 0 {
				b.Point(&l, p, n, 4, colormap.Separator(colormap.Dark), 1)
			} else {
				b.Bead(&l, p, n, 4, colormap.Separator(colormap.Dark))
			}
		}
		b.Segment(&l, [3]float32{-0.4, 0.2, 0.75}, [3]float32{0.6, 0.3, 0.75}, 3, colormap.Accent(), 1)
		b.Segment(&l, [3]float32{-0.9, 0, 0}, [3]float32{0.9, 0, 0}, 3, colormap.Moving(), 1)
	}
	for _, c := range []struct {
		name    string
		surface *Surface
		pose    camera.Pose
		style   Style
		sprites func(b *Batch)
	}{
		{"smooth", whole, home, Style{}, nil},
		{"flat-light", whole, ortho, Style{Flat: true, Theme: colormap.Light}, nil},
		{"wire", whole, home, Style{Wire: true}, nil},
		{"sprites", whole, home, Style{}, dots},
		{"crossing", crossing(), home, Style{Flat: true}, nil},
	} {
		got := render(c.surface, lens(200, 150, c.pose), c.style, c.sprites)
		path := filepath.Join("testdata", c.name+".png")
		if *update {
			golden.Write(t, path, got)
			continue
		}
		want := golden.Read(t, path)
		if !want.Bounds().Eq(got.Bounds()) {
			t.Errorf("%s: %v, the golden image is %v", c.name, got.Bounds(), want.Bounds())
			continue
		}
		if n := golden.Unlike(got, want, 3); n > 30 { // of 30000
			t.Errorf("%s: %d pixels differ from %s (to accept them: go test ./viewer/raster -update)", c.name, n, path)
		}
	}
}

// A golden test that cannot fail is none.
func TestGoldenCanFail(t *testing.T) {
	points, normals, faces := ball(24, [3]float32{}, 0.8)
	s := grownSurface(points, normals, faces, true)
	halves(s)
	moved := camera.Home()
	moved.Yaw += 0.05
	a := render(s, lens(200, 150, camera.Home()), Style{}, nil)
	if n := golden.Unlike(a, render(s, lens(200, 150, moved), Style{}, nil), 3); n < 300 {
		t.Errorf("turned by 3 degrees, only %d pixels differ", n)
	}
}

// Culling leaves the picture of a closed surface as it is, and halves the work.
func TestCullingChangesNothing(t *testing.T) {
	points, normals, faces := ball(20, [3]float32{}, 0.8)
	inside := slices.Clone(faces)
	for f := 0; f < len(inside); f += 3 {
		inside[f], inside[f+1] = inside[f+1], inside[f]
	}
	inward := make([]float32, len(normals))
	for i, x := range normals {
		inward[i] = -x
	}
	l := lens(160, 120, camera.Home())
	var want *image.RGBA
	for _, c := range []struct {
		name    string
		faces   []int32
		normals []float32
		closed  bool
	}{
		{"open", faces, normals, false}, {"closed", faces, normals, true}, {"closed, inside out", inside, inward, true},
	} {
		s := grownSurface(points, c.normals, c.faces, c.closed)
		halves(s)
		got := render(s, l, Style{}, nil)
		if want == nil {
			want = got
		}
		if n := golden.Unlike(got, want, 0); n != 0 {
			t.Errorf("%s: %d pixels differ", c.name, n)
		}
		var b Batch
		b.Surface(s, &l, false)
		if shown := len(b.Indices); c.closed && shown > len(faces)*6/10 || !c.closed && shown != len(faces) {
			t.Errorf("%s: %d of %d corners are drawn", c.name, shown, len(faces))
		}
		if len(b.Vertices) > len(points)/3 {
			t.Errorf("%s: %d vertices of %d", c.name, len(b.Vertices), len(points)/3)
		}
	}
}

// What lies outside of the picture or before the near plane is left out.
func TestOutsideIsLeftOut(t *testing.T) {
	points, normals, faces := ball(20, [3]float32{}, 0.8)
	s := grownSurface(points, normals, faces, false)
	pose := camera.Home()
	pose.Target = [3]float64{9, 9, 9}
	l := lens(160, 120, pose)
	var b Batch
	b.Surface(s, &l, false)
	if len(b.Indices) != 0 || len(b.Vertices) != 0 {
		t.Errorf("%d corners beside the picture are drawn", len(b.Indices))
	}
	pose = camera.Home()
	pose.Size, pose.Target = 0.001, [3]float64{0, 0, 0.1}
	l = lens(160, 120, pose)
	b.Surface(s, &l, true)
	for _, v := range b.Vertices {
		if !(v.Custom0 <= 1) || math.IsNaN(float64(v.DstX)) || math.IsInf(float64(v.DstX), 0) {
			t.Fatalf("from inside: %+v", v)
		}
	}
	empty := grownSurface(nil, nil, nil, false)
	b.Surface(empty, &l, false)
	b.Sort()
	if len(b.Indices) != 0 {
		t.Error("an empty surface draws something")
	}
}

// Sort keeps every triangle. None is farther than the one before by more than a
// step, and triangles of one depth keep their order.
func TestSortIsPaintersOrder(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var b Batch
		n := rapid.IntRange(0, 200).Draw(r, "triangles")
		depth := rapid.OneOf(rapid.Float32Range(-0.1, 1.1), rapid.SampledFrom([]float32{0, 0.25, 0.5}))
		mean := make([]float64, n)
		for i := range n {
			for range 3 {
				d := depth.Draw(r, "depth")
				b.Indices = append(b.Indices, uint32(len(b.Vertices)))
				b.Vertices = append(b.Vertices, Vertex{Custom0: d})
				mean[i] += float64(d) / 3
			}
		}
		b.Sort()
		step := 0.0
		if n > 0 {
			step = (slices.Max(mean) - slices.Min(mean)) / (sortSteps - 1)
		}
		seen := make([]bool, n)
		before := -1
		for i := range n {
			t := int(b.Indices[3*i] / 3)
			if got, want := [3]uint32(b.Indices[3*i:3*i+3]), uint32(3*t); got != [3]uint32{want, want + 1, want + 2} || seen[t] {
				r.Fatalf("place %d holds %v", i, got)
			}
			seen[t] = true
			if before >= 0 && (mean[t] < mean[before]-1.001*step-1e-7 || b.same(t, before) && t < before) {
				r.Fatalf("triangle %d at depth %g comes after %d at depth %g; a step is %g", t, mean[t], before, mean[before], step)
			}
			before = t
		}
	})
}

// same says whether two triangles have their corners at the same depths.
func (b *Batch) same(t, u int) bool {
	for k := range 3 {
		if b.Vertices[3*t+k].Custom0 != b.Vertices[3*u+k].Custom0 {
			return false
		}
	}
	return true
}

// Projecting in float32 stays within a hundredth of a pixel of the camera's.
func TestProjectionAgreesWithTheCamera(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	points, normals, faces := ball(12, [3]float32{0.1, 0, 0}, 0.7)
	s := grownSurface(points, normals, faces, false)
	for range 50 {
		pose := camera.Pose{Yaw: rng.Float64() * 6, Pitch: rng.Float64()*2 - 1, Size: 0.3 + rng.Float64(), Orthographic: rng.IntN(2) == 0, Up: camera.Axis(rng.IntN(3))}
		l := lens(1280, 800, pose)
		var b Batch
		b.project(s, &l)
		for v := 0; v+2 < len(points); v += 3 {
			x, y, z := l.Project([3]float64{float64(points[v]), float64(points[v+1]), float64(points[v+2])})
			if z < l.Near*1.0001 {
				continue
			}
			d := l.Depth(z)
			at := b.screen[v/3]
			if math.Abs(float64(at.x)-x) > 0.01 || math.Abs(float64(at.y)-y) > 0.01 || math.Abs(float64(at.depth)-d) > 2e-5 {
				t.Fatalf("%v, want %g %g %g", at, x, y, d)
			}
		}
	}
}

func TestNothingIsAllocatedAgain(t *testing.T) {
	points, normals, faces := ball(40, [3]float32{}, 0.8)
	s := grownSurface(points, normals, faces, true)
	l := lens(640, 480, camera.Home())
	var b Batch
	draw := func() {
		b.Surface(s, &l, false)
		b.Sort()
	}
	draw()
	draw()
	if n := testing.AllocsPerRun(10, draw); n != 0 {
		t.Errorf("%g allocations per frame", n)
	}
}

func BenchmarkSurface(b *testing.B) {
	points, normals, faces := ball(80, [3]float32{}, 0.8)
	for _, closed := range []bool{true, false} {
		s := grownSurface(points, normals, faces, closed)
		l := lens(1280, 800, camera.Home())
		name := "open"
		if closed {
			name = "closed"
		}
		b.Run(name, func(b *testing.B) {
			var batch Batch
			for b.Loop() {
				batch.Surface(s, &l, false)
			}
		})
		b.Run(name+"/sorted", func(b *testing.B) {
			var batch Batch
			for b.Loop() {
				batch.Surface(s, &l, false)
				batch.Sort()
			}
		})
	}
}

// A surface that grows step by step is the one that grows at once.
func TestGrowth(t *testing.T) {
	points, normals, faces := ball(12, [3]float32{}, 0.8)
	whole, part := grownSurface(points, normals, faces, true), NewSurface(points, normals, faces, true)
	steps := 1
	for ; part.Grow(100); steps++ {
	}
	if want := len(faces) / 100; steps < want || steps > want+3 {
		t.Errorf("%d steps of 100 faces for three rounds of %d", steps, len(faces)/3)
	}
	if !slices.Equal(whole.vertices, part.vertices) || whole.Edge() != part.Edge() || whole.outward != part.outward {
		t.Error("a surface that grows step by step is another one")
	}
	if part.Grow(1) {
		t.Error("a surface that has grown goes on")
	}
}
