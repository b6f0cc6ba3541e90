package app

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"genussink/core/job"
	"genussink/internal/golden"
	"genussink/viewer/colormap"
	"genussink/viewer/drawing"
	"genussink/viewer/raster"
	"genussink/viewer/scene"
)

// bumpy is a sphere with ridges, closed and oriented.
func bumpy(rows int) *job.Loaded {
	columns := 2 * rows
	e := &job.Loaded{Name: "bumpy", Format: "test"}
	at := func(i, j int) int32 {
		switch i {
		case 0:
			return 0
		case rows:
			return int32(1 + (rows-1)*columns)
		}
		return int32(1 + (i-1)*columns + (j+columns)%columns)
	}
	put := func(a, b float64) {
		r := 1 + 0.13*math.Sin(5*b+2*math.Cos(a))*math.Pow(math.Sin(a), 2) + 0.06*math.Cos(6*a)
		e.Positions = append(e.Positions, 1.3*r*math.Sin(a)*math.Cos(b), r*math.Cos(a), r*math.Sin(a)*math.Sin(b))
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
				e.Faces = append(e.Faces, p, q, r)
			}
			if i < rows-1 {
				e.Faces = append(e.Faces, q, s, r)
			}
		}
	}
	n := len(e.Positions) / 3
	e.Report = job.Report{
		Vertices: n, Faces: len(e.Faces) / 3, Edges: len(e.Faces) / 2, Components: 1, Euler: 2,
		EdgeMean: math.Pi / float64(rows), Diagonal: 4, Watertight: true, Oriented: true,
	}
	return e
}

// answer plays the engine to a scene: planes as separators, spots as
// densities, straight ways along the sphere's rows.
func answer(s *scene.Scene, mesh *job.Loaded, rows int) {
	for range 10 {
		for _, r := range s.Outbox() {
			switch b := r.Body.(type) {
			case *job.Generate:
				s.Handle(job.Event{ID: r.ID, Body: mesh})
			case *job.Separate:
				s.Handle(job.Event{ID: r.ID, Body: planes(mesh)})
			case *job.Measure:
				s.Handle(job.Event{ID: r.ID, Body: spots(mesh)})
			case *job.Solve:
				s.Handle(job.Event{ID: r.ID, Body: &job.Solved{Kernel: job.Kernel{Method: "exact"}, Solution: job.Solution{Status: job.Converged, Iterations: 12, Cost: 0.5}, Vertices: len(b.Source)}})
			case *job.Flow:
				s.Handle(job.Event{ID: r.ID, Body: ways(mesh, rows, b.Particles)})
				s.Handle(job.Event{ID: r.ID, Body: &job.Flowed{Particles: b.Particles}})
			case *job.Brush:
				s.Handle(job.Event{ID: r.ID, Body: ball(mesh, b)})
			case *job.Distance:
				s.Handle(job.Event{ID: r.ID, Body: &job.Path{Vertices: []int32{b.From, b.To}, Length: 1}})
			case *job.Partners:
				s.Handle(job.Event{ID: r.ID, Body: &job.Partnered{Vertex: b.Vertex, Vertices: []int32{10, 11, 12}, Mass: []float64{3, 2, 1}, Total: 6}})
			}
		}
	}
}

// planes cuts by coordinate planes, three levels deep.
func planes(mesh *job.Loaded) *job.Separated {
	e := &job.Separated{Finder: "planes", Cells: make([]int32, len(mesh.Positions)/3)}
	var grow func(parent int32, depth int32, part []int32) int32
	grow = func(parent int32, depth int32, part []int32) int32 {
		i := int32(len(e.Nodes))
		e.Nodes = append(e.Nodes, job.Node{Parent: parent, Left: -1, Right: -1, Depth: depth})
		if depth == 4 {
			for _, v := range part {
				e.Cells[v] = i
			}
			e.Nodes[i].A = int32(len(part))
			return i
		}
		axis := depth % 3
		var a, b []int32
		middle := 0.0
		for _, v := range part {
			middle += mesh.Positions[3*v+axis] / float64(len(part))
		}
		for _, v := range part {
			x := mesh.Positions[3*v+axis] - middle
			switch {
			case math.Abs(x) < 0.03:
				e.Cells[v] = i
				e.Nodes[i].S++
			case x < 0:
				a = append(a, v)
			default:
				b = append(b, v)
			}
		}
		e.Nodes[i].A, e.Nodes[i].B = int32(len(a)), int32(len(b))
		left := grow(i, depth+1, a)
		right := grow(i, depth+1, b)
		e.Nodes[i].Left, e.Nodes[i].Right = left, right
		return i
	}
	all := make([]int32, len(e.Cells))
	for v := range all {
		all[v] = int32(v)
	}
	grow(-1, 0, all)
	return e
}

func square(list ...float64) (sum float64) {
	for _, x := range list {
		sum += x * x
	}
	return sum
}

func spots(mesh *job.Loaded) *job.Measured {
	n := len(mesh.Positions) / 3
	e := &job.Measured{Preset: "two-spots", Source: make([]float64, n), Target: make([]float64, n)}
	for v := range n {
		p := mesh.Positions[3*v : 3*v+3]
		gauss := func(x, y, z float64) float64 {
			return math.Exp(-square(p[0]-x, p[1]-y, p[2]-z) / 0.12)
		}
		e.Source[v], e.Target[v] = gauss(-0.9, 0.3, 0.7), gauss(0.95, -0.2, 0.7)
	}
	return e
}

// ways lead around the sphere along its rows.
func ways(mesh *job.Loaded, rows, particles int) *job.Flowing {
	e := &job.Flowing{Offsets: []int32{0}}
	columns := 2 * rows
	for i := range particles {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		normal := func() float64 { return min(max(r.NormFloat64(), -2.5), 2.5) }
		row := rows*9/20 + int(normal()*float64(rows)/18)
		from, length := columns*7/20+int(normal()*float64(columns)/40), columns/4+int(normal()*float64(columns)/40)
		along := 0.0
		for k := range length {
			v := int32(1 + (row-1)*columns + (from+columns-k+columns)%columns)
			if k > 0 {
				w := e.Vertices[len(e.Vertices)-1]
				d := 0.0
				for c := range int32(3) {
					d += square(mesh.Positions[3*v+c] - mesh.Positions[3*w+c])
				}
				along += math.Sqrt(d)
			}
			e.Vertices, e.Along = append(e.Vertices, v), append(e.Along, along)
		}
		e.Offsets = append(e.Offsets, int32(len(e.Vertices)))
	}
	return e
}

func ball(mesh *job.Loaded, b *job.Brush) *job.Brushed {
	e := &job.Brushed{Center: b.Center}
	for v := int32(0); int(v) < len(mesh.Positions)/3; v++ {
		d := 0.0
		for c := range int32(3) {
			d += square(mesh.Positions[3*v+c] - mesh.Positions[3*b.Center+c])
		}
		if d = math.Sqrt(d); d <= b.Radius {
			e.Vertices, e.Distances = append(e.Vertices, v), append(e.Distances, d)
		}
	}
	return e
}

// begun is a scene with a bumpy sphere, split, with densities, mid-way.
func begun(t *testing.T, rows int) *scene.Scene {
	t.Helper()
	mesh := bumpy(rows)
	s := scene.New()
	s.OpenGenerated("bumpy", nil)
	answer(s, mesh, rows)
	s.Drawn() // the tree waits for the picture
	answer(s, mesh, rows)
	if s.State().Error != "" {
		t.Fatalf("scene: %s", s.State().Error)
	}
	return s
}

// shot draws one frame of a scene and keeps it when GENUSSINK_SHOTS names a
// folder.
func shot(t *testing.T, s *scene.Scene, name string, finer int, painter bool) *image.RGBA {
	t.Helper()
	const w, h = 960, 720
	g := New(s, Hooks{})
	to := ebiten.NewImageWithOptions(image.Rect(0, 0, w, h), &ebiten.NewImageOptions{Unmanaged: true})
	defer to.Deallocate()
	sh, err := newShaders()
	if err != nil {
		t.Fatal(err)
	}
	g.picture.shaders = sh
	g.width, g.height = w, h
	g.picture.draw(s, g.picture.wanted(s, w, h, finer, painter), 1)
	g.picture.show(to)
	g.picture.over(to, s, 1)
	out := image.NewRGBA(to.Bounds())
	to.ReadPixels(out.Pix)
	if dir := os.Getenv("GENUSSINK_SHOTS"); dir != "" {
		golden.Write(t, filepath.Join(dir, name+".png"), out)
	}
	return out
}

// ease lets every transition end.
func ease(s *scene.Scene) {
	for range 40 {
		s.Tick(0.05)
	}
	s.Playback.Pause()
}

// twin draws the same with the software rasteriser, without what moves.
func twin(s *scene.Scene, w, h int) *raster.Picture {
	lens := s.Lens(float64(w), float64(h))
	looks := s.View.Looks()
	p := raster.NewPicture(&lens, raster.Style{Theme: s.View.Theme(), Flat: !looks.Smooth, Wire: looks.Wireframe})
	d := drawing.New(s)
	d.Prepare()
	var b, on raster.Batch
	d.Surface(&b, &lens)
	p.Surface(&b)
	d.Lying(&on, &lens, 1)
	p.Sprites(&on)
	return p
}

// differing is the share of pixels that differ by more than a few steps.
func differing(a, b *image.RGBA, steps int) float64 {
	return float64(golden.Unlike(a, b, steps)) / float64(len(a.Pix)/4)
}

func TestPictureAgreesWithSoftware(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(s *scene.Scene)
	}{
		{"smooth", func(s *scene.Scene) {}},
		{"flat", func(s *scene.Scene) { s.View.Smooth(false) }},
		{"wire", func(s *scene.Scene) { s.View.Wireframe(true) }},
		{"orthographic", func(s *scene.Scene) { s.View.Orthographic(true); s.View.Smooth(false) }},
		{"light", func(s *scene.Scene) { s.View.Light(true) }},
		{"clay", func(s *scene.Scene) { s.View.Densities(false) }},
		{"section", func(s *scene.Scene) { s.View.Section("x", 0.6) }},
		{"section-wire", func(s *scene.Scene) { s.View.Section("z", 0.7); s.View.Wireframe(true); s.View.Light(true) }},
		{"section-view", func(s *scene.Scene) { s.View.Section("view", 0.3); s.View.Smooth(false); s.View.Orthographic(true) }},
	} {
		s := begun(t, 60)
		s.View.Split(false)
		c.set(s)
		s.View.Flow(false)
		ease(s)
		got := shot(t, s, "twin-"+c.name, 1, false)
		want := twin(s, got.Rect.Dx(), got.Rect.Dy()).Image
		if d := differing(got, want, 6); d > 0.002 {
			t.Errorf("%s: %.3f %% of pixels differ from the software twin", c.name, 100*d)
		} else {
			t.Logf("%s: %.3f %% of pixels differ", c.name, 100*d)
		}
	}
}

// drawn is a game that has drawn one frame of a scene at 480 by 360.
func drawn(t *testing.T, s *scene.Scene, painter bool) (*Game, *ebiten.Image) {
	t.Helper()
	g := New(s, Hooks{})
	to := ebiten.NewImageWithOptions(image.Rect(0, 0, 480, 360), &ebiten.NewImageOptions{Unmanaged: true})
	t.Cleanup(to.Deallocate)
	var err error
	if g.picture.shaders, err = newShaders(); err != nil {
		t.Fatal(err)
	}
	g.width, g.height = 480, 360
	g.picture.draw(s, g.picture.wanted(s, 480, 360, 1, painter), 1)
	return g, to
}

func pixels(m *ebiten.Image) *image.RGBA {
	out := image.NewRGBA(m.Bounds())
	m.ReadPixels(out.Pix)
	return out
}

func TestDotsAndParticlesAgreeWithSoftware(t *testing.T) {
	s := begun(t, 50)
	s.View.Split(true)
	s.Separation.Level(1)
	ease(s)
	s.Playback.Seek(0.4)
	ease(s)
	g, to := drawn(t, s, false)
	dots := len(g.picture.sprites.Indices)
	g.picture.show(to)
	g.picture.over(to, s, 1)
	if dots == 0 || len(g.picture.sprites.Indices) == 0 {
		t.Fatalf("%d corners of dots, %d of particles", dots, len(g.picture.sprites.Indices))
	}
	want := twin(s, 480, 360)
	want.Sprites(&g.picture.sprites)
	if d := differing(pixels(to), want.Image, 8); d > 0.004 {
		t.Errorf("%.3f %% of pixels differ from the software twin", 100*d)
	} else {
		t.Logf("%.3f %% of pixels differ", 100*d)
	}
}

// Faces that cross have no right order; the depth buffer needs none. On a
// finely divided closed mesh painter's order is as good.
func TestDepthAndPainter(t *testing.T) {
	crossing := &job.Loaded{Name: "crossing", Report: job.Report{EdgeMean: 1}, Positions: []float64{
		-0.6, -0.5, -0.4, 0.6, -0.3, 0.4, 0.5, -0.1, 0.4,
		0.6, -0.5, -0.4, -0.6, -0.3, 0.4, -0.5, 0.3, 0.4,
	}, Faces: []int32{0, 1, 2, 3, 4, 5}}
	for _, c := range []struct {
		name    string
		mesh    *job.Loaded
		painter bool
		most    float64
	}{
		{"crossing, depth", crossing, false, 0.0005}, {"bumpy, depth", bumpy(50), false, 0.0005}, {"bumpy, painter", bumpy(50), true, 0.002},
	} {
		s := scene.New()
		s.OpenGenerated(c.name, nil)
		for _, r := range s.Outbox() {
			s.Handle(job.Event{ID: r.ID, Body: c.mesh})
		}
		s.Outbox()
		s.View.Split(false)
		s.View.Smooth(false)
		ease(s)
		g, to := drawn(t, s, c.painter)
		g.picture.show(to)
		if d := differing(pixels(to), twin(s, 480, 360).Image, 8); d > c.most {
			t.Errorf("%s: %.3f %% of pixels differ from the software twin", c.name, 100*d)
		} else {
			t.Logf("%s: %.3f %% of pixels differ", c.name, 100*d)
		}
	}
}

// Where a section is on, the inside is hit; in front of it nothing is.
func TestPointerMeetsTheInside(t *testing.T) {
	s := begun(t, 30)
	g, _ := drawn(t, s, false)
	outside := g.at(240, 180)
	s.View.Section("view", 0.5)
	inside := g.at(240, 180)
	lens := s.Lens(480, 360)
	behind := func(v int32) float64 {
		p := s.Mesh.Points[3*v:]
		return lens.Section.Behind([3]float64{float64(p[0]), float64(p[1]), float64(p[2])})
	}
	if outside < 0 || inside < 0 || behind(outside) >= 0 || behind(inside) < 0.3 {
		t.Errorf("vertex %d of the outside, %d of the inside", outside, inside)
	}
	s.View.Section("view", 1)
	if v := g.at(240, 180); v >= 0 {
		t.Errorf("vertex %d where all is cut away", v)
	}
}

func TestPointerOrbitsPaintsAndClicks(t *testing.T) {
	s := begun(t, 30)
	s.Playback.Pause()
	g, _ := drawn(t, s, false)
	p := &g.pointer
	middle := g.at(240, 180)
	if middle < 0 || g.at(2, 2) >= 0 {
		t.Fatalf("vertex %d in the middle, %d in the corner", middle, g.at(2, 2))
	}
	pose := s.View.Camera().Pose()
	press := func(other bool, through ...[2]float64) {
		p.begin(g, through[0][0], through[0][1], other)
		for _, q := range through[1:] {
			p.move(g, q[0], q[1])
		}
		p.end(g)
	}
	press(false, [2]float64{240, 180}, [2]float64{242, 180})
	if h := s.State().Hover; h == nil || !h.Focused || h.Vertex != middle || s.View.Camera().Pose() != pose {
		t.Errorf("a click: hover %+v, the camera moved: %t", h, s.View.Camera().Pose() != pose)
	}
	press(false, [2]float64{240, 180}, [2]float64{260, 180}, [2]float64{300, 200})
	if now := s.View.Camera().Pose(); now.Yaw == pose.Yaw || now.Pitch == pose.Pitch || now.Target != pose.Target {
		t.Errorf("a drag leads from %+v to %+v", pose, now)
	}
	s.View.Camera().Set(pose)
	press(true, [2]float64{240, 180}, [2]float64{270, 180})
	if now := s.View.Camera().Pose(); now.Target == pose.Target || now.Yaw != pose.Yaw {
		t.Errorf("a drag with the other button leads from %+v to %+v", pose, now)
	}
	s.View.Camera().Set(pose)
	s.BrushTool(scene.ToolSource)
	before, _ := s.Densities.Values()
	press(false, [2]float64{240, 180}, [2]float64{280, 200})
	answer(s, bumpy(30), 30)
	if after, _ := s.Densities.Values(); slices.Equal(before, after) || s.View.Camera().Pose() != pose || s.State().Densities.Undo != 1 {
		t.Errorf("the brush does not paint, or the camera moved, or there is no undo: %+v", s.State().Densities)
	}
	press(false, [2]float64{3, 3}, [2]float64{40, 3})
	if s.View.Camera().Pose() == pose {
		t.Error("with a brush in hand the ground does not orbit")
	}
}

func TestAPanicIsSaidOnce(t *testing.T) {
	s := begun(t, 10)
	reports := 0
	g := New(s, Hooks{Frame: func() { panic("boom") }, Fault: func(report string) {
		reports++
		if !strings.HasPrefix(report, "boom\n") {
			t.Errorf("report %.40q", report)
		}
	}})
	for range 5 {
		if err := g.Update(); err != nil {
			t.Fatal(err)
		}
	}
	if reports != 1 {
		t.Errorf("%d reports of one fault", reports)
	}
	g.hooks.Fault = nil
	g.faulty = 0
	if err := g.Update(); err != nil || !strings.Contains(s.State().Error, "boom") {
		t.Errorf("%v, %q", err, s.State().Error)
	}
	for range maxFaults + 1 {
		if err := g.Update(); err != nil {
			return
		}
	}
	t.Error("a game that only fails goes on for ever")
}

// A picture of a large mesh takes three frames at least: of its mesh, of what moves on it, and of reading it. One whose mesh is drawn
// already takes two. It is the frame's picture.
func TestPicturesOfALargeMesh(t *testing.T) {
	s := begun(t, 140)
	s.Playback.Seek(0.4)
	ease(s)
	g := New(s, Hooks{})
	if !g.large() {
		t.Fatal("the mesh is not large")
	}
	screen := ebiten.NewImageWithOptions(image.Rect(0, 0, 480, 360), &ebiten.NewImageOptions{Unmanaged: true})
	defer screen.Deallocate()
	tick := func() {
		if err := g.Update(); err != nil {
			t.Fatal(err)
		}
		g.Draw(screen)
	}
	tick()
	var took []int
	var pictures []*image.RGBA
	for _, at := range []float64{0.4, 0.4, 0.9} {
		frames, there := 0, false
		within := func(draw func()) {
			was := s.Playback.Position()
			s.Playback.Seek(at)
			draw()
			s.Playback.Seek(was)
		}
		g.Picture(Shot{Width: 480, Height: 360, Finer: 1, Within: within}, func(p *image.RGBA) { pictures, there = append(pictures, p), true })
		for !there && frames < 20 {
			tick()
			frames++
		}
		took = append(took, frames)
	}
	if !slices.Equal(took, []int{3, 2, 2}) {
		t.Fatalf("pictures took %d frames", took)
	}
	if d := differing(pictures[0], pictures[1], 0); d > 0 {
		t.Errorf("the same picture twice differs in %.3f %% of pixels", 100*d)
	}
	if d := differing(pictures[0], pictures[2], 8); d < 0.001 {
		t.Errorf("mass at two moments differs in %.3f %% of pixels", 100*d)
	}
	s.Playback.Pause()
	s.Playback.Seek(0.4)
	ease(s)
	want, to := drawn(t, s, false)
	want.picture.show(to)
	want.picture.over(to, s, 1)
	if d := differing(pixels(to), pictures[0], 0); d > 0 {
		t.Errorf("the picture differs from a frame in %.3f %% of pixels", 100*d)
	}
}

func TestFramesAndTheSavedPicture(t *testing.T) {
	s := begun(t, 40)
	s.Playback.Pause()
	s.View.Flow(false) // of which a small picture shows other particles
	ease(s)            // to the colours without it
	g := New(s, Hooks{})
	screen := ebiten.NewImageWithOptions(image.Rect(0, 0, 480, 360), &ebiten.NewImageOptions{Unmanaged: true})
	defer screen.Deallocate()
	var m, bare *image.RGBA
	g.Picture(Shot{Width: 240, Height: 180, Finer: 2, Clear: true}, func(p *image.RGBA) { bare = p })
	g.Picture(Shot{Width: 960, Height: 720, Finer: 1}, func(p *image.RGBA) { m = p })
	for range 30 {
		if err := g.Update(); err != nil {
			t.Fatal(err)
		}
		g.Draw(screen)
	}
	if m.Bounds().Max != image.Pt(960, 720) || bare.Bounds().Max != image.Pt(240, 180) {
		t.Fatalf("pictures of %v and %v", m.Bounds(), bare.Bounds())
	}
	// The mesh is in both, at the same place; beside it one has the ground and the other nothing.
	if corner := bare.RGBAAt(2, 2); m.RGBAAt(8, 8).A != 255 || corner != (color.RGBA{}) {
		t.Errorf("the corner is %v with a ground and %v without", m.RGBAAt(8, 8), corner)
	}
	if a, b := m.RGBAAt(480, 360), bare.RGBAAt(120, 90); b.A != 255 || max(a.R, b.R)-min(a.R, b.R) > 16 {
		t.Errorf("the middle is %v in one picture and %v in the other", a, b)
	}
	f := g.Stats()
	if f.Frames != 30 || f.Median <= 0 || f.Idle <= 0 || f.Mode != "depth" {
		t.Errorf("%+v", f)
	}
	redraws := len(g.stats.redraws.values)
	s.View.Camera().Orbit(30, 0, 360)
	if err := g.Update(); err != nil {
		t.Fatal(err)
	}
	g.Draw(screen)
	if len(g.stats.redraws.values) != redraws+1 || redraws > 2 {
		t.Errorf("%d redraws at rest, %d after turning", redraws, len(g.stats.redraws.values))
	}
	s.View.Flow(true)
	ease(s)
	// What has not changed is not drawn: the frame stays as it was left.
	tick := func() (drew bool) {
		shown := g.Stats().Shown
		if err := g.Update(); err != nil {
			t.Fatal(err)
		}
		g.Draw(screen)
		return g.Stats().Shown > shown
	}
	for tick() {
	}
	mark := color.RGBA{1, 2, 3, 255}
	screen.Fill(mark)
	if tick() || screen.At(5, 5) != mark {
		t.Errorf("a frame in which nothing changed was drawn: %v", screen.At(5, 5))
	}
	for _, c := range []struct {
		what   string
		change func()
	}{ // one after the other
		{"a vertex under the pointer", func() { s.Hover(7) }},
		{"the end of that", func() { s.Hover(-1) }},
		{"the camera", func() { s.View.Camera().Orbit(30, 0, 360) }},
		{"colours", func() { s.View.Split(!s.View.Looks().Split) }},
		{"the playback's position", func() { s.Playback.Seek(s.Playback.Position() + 0.1) }},
	} {
		for started := time.Now(); tick() || !g.Resting() || g.still < slowSeconds; {
			if time.Since(started) > 20*time.Second {
				t.Fatalf("before %s changes: a game that shows nothing new does not rest", c.what)
			}
			time.Sleep(50 * time.Millisecond) // less often than what is counted below is kept
		}
		g.stats.intervals = ring{} // a full one counts no further
		if c.change(); !tick() || screen.At(5, 5) == mark {
			t.Errorf("%s changed and nothing was drawn", c.what)
		}
		if tick(); g.Resting() {
			t.Errorf("%s changed and the game rests", c.what)
		}
		if more := len(g.stats.intervals.values); more != 1 {
			t.Errorf("%s: of the last rest and the frame after it %d intervals count, want that of the frame", c.what, more)
		}
		for tick() {
		}
		screen.Fill(mark)
	}
	// What is played goes on at every frame, be there long pauses between its steps.
	for started := time.Now(); tick() || !g.Resting() || g.still < slowSeconds; time.Sleep(50 * time.Millisecond) {
		if time.Since(started) > 20*time.Second {
			t.Fatal("a game that shows nothing new does not rest")
		}
	}
	s.Play()
	if g.Resting() {
		t.Error("a game rests while mass is played")
	}
	s.Playback.Pause()
	// Where the processor draws, mass that moves waits a little; nothing else does.
	s.View.Software(true)
	g.waited = 0
	if s.Playback.Seek(0.3); tick() {
		t.Error("mass that the processor draws is drawn at every frame")
	}
	if s.Hover(7); !tick() {
		t.Error("a vertex under the pointer waits for the mass")
	}
	if s.Playback.Seek(0.4); tick() {
		t.Error("mass that the processor draws is drawn at every frame")
	}
	if g.waited = sparing; !tick() {
		t.Error("mass that has moved is not drawn in the end")
	}
}

// A window as wide as 2,240 pixels is refined where the graphics draw pictures twice as wide.
func TestWideWindowsAreRefined(t *testing.T) {
	s := begun(t, 8)
	s.Playback.Pause()
	ease(s)
	screen := ebiten.NewImageWithOptions(image.Rect(0, 0, 2240, 160), &ebiten.NewImageOptions{Unmanaged: true})
	defer screen.Deallocate()
	for _, c := range []struct{ largest, finer int }{{0, 1}, {4096, 1}, {16384, 2}} {
		g := New(s, Hooks{})
		if c.largest > 0 {
			g.Largest(c.largest)
		}
		for range 30 {
			if err := g.Update(); err != nil {
				t.Fatal(err)
			}
			g.Draw(screen)
			time.Sleep(10 * time.Millisecond) // until the picture is still for long enough
		}
		if got := g.picture.have.keep(); got != c.finer {
			t.Errorf("graphics that draw %d pixels: drawn %d times finer, want %d", c.largest, got, c.finer)
		}
	}
}

// Where frames come slowly a picture is refined, too, but later and not while something is played.
func TestSlowFramesAreRefined(t *testing.T) {
	s := begun(t, 8)
	screen := ebiten.NewImageWithOptions(image.Rect(0, 0, 240, 160), &ebiten.NewImageOptions{Unmanaged: true})
	defer screen.Deallocate()
	g := New(s, Hooks{})
	frames := func(until func() bool) bool {
		for end := time.Now().Add(4 * slowSeconds * time.Second); !until(); time.Sleep(time.Duration(2*slowFrame*1000) * time.Millisecond) {
			if err := g.Update(); err != nil {
				t.Fatal(err)
			}
			g.Draw(screen)
			if time.Now().After(end) {
				return false
			}
		}
		return true
	}
	refined := func() bool { return g.picture.have.keep() == finest }
	s.Playback.Pause()
	ease(s)
	if !frames(func() bool { return g.still > (restSeconds+slowSeconds)/2 }) || refined() {
		t.Errorf("refined %g seconds after a change, where frames come slowly", g.still)
	}
	if s.Play(); frames(refined) {
		t.Error("refined while mass is played, where frames come slowly")
	}
	if s.Playback.Pause(); !frames(refined) {
		t.Error("never refined, where frames come slowly")
	}
}

func TestRing(t *testing.T) {
	var r ring
	if x, n := r.last(5); x != 0 || n != 0 {
		t.Errorf("an empty ring says %g of %d", x, n)
	}
	for i := range 2*window + 7 {
		r.add(float64(i))
	}
	last := float64(2*window + 6)
	if x, n := r.last(1); x != last || n != 1 {
		t.Errorf("the last of all is %g", x)
	}
	if x, n := r.last(5); x != last-2 || n != 5 {
		t.Errorf("the median of the last five is %g", x)
	}
	if x, n := r.last(window * 9); n != window || x != last-window/2+1 {
		t.Errorf("the median of all kept is %g of %d", x, n)
	}
}

func BenchmarkFrame(b *testing.B) {
	for _, rows := range []int{80, 160, 225} {
		mesh := bumpy(rows)
		s := scene.New()
		s.OpenGenerated("bumpy", nil)
		answer(s, mesh, rows)
		s.Playback.Pause()
		g := New(s, Hooks{})
		screen := ebiten.NewImageWithOptions(image.Rect(0, 0, 640, 480), &ebiten.NewImageOptions{Unmanaged: true})
		one := make([]byte, 4*640*480)
		b.Run(fmt.Sprintf("%dv", mesh.Report.Vertices), func(b *testing.B) {
			for b.Loop() {
				s.View.Camera().Orbit(3, 0, 480)
				if err := g.Update(); err != nil {
					b.Fatal(err)
				}
				g.Draw(screen)
				screen.ReadPixels(one) // let the graphics library catch up
			}
			b.ReportMetric(g.Stats().Median, "ms/frame")
		})
		screen.Deallocate()
	}
}

// circle is a graph without faces: n vertices in a circle.
func circle(n int) *job.Loaded {
	e := &job.Loaded{Name: "circle", Format: "PACE", Flat: true}
	for v := range n {
		a := 2 * math.Pi * float64(v) / float64(n)
		e.Positions = append(e.Positions, math.Cos(a), math.Sin(a), 0)
		e.Edges = append(e.Edges, int32(v), int32((v+1)%n))
	}
	e.Report = job.Report{Vertices: n, Edges: n, Components: 1, EdgeMean: 2 * math.Pi / float64(n), Diagonal: math.Sqrt(8)}
	return e
}

// A graph without faces is drawn as discs in their colours, with lines between
// them, and its vertices are found under the pointer.
func TestGraph(t *testing.T) {
	const n = 24
	s := scene.New()
	s.OpenGenerated("circle", nil)
	mesh := circle(n)
	for range 10 {
		for _, r := range s.Outbox() {
			switch r.Body.(type) {
			case *job.Generate:
				s.Handle(job.Event{ID: r.ID, Body: mesh})
			case *job.Separate:
				s.Handle(job.Event{ID: r.ID, Body: planes(mesh)})
			}
		}
	}
	s.Separation.Level(0)
	ease(s)
	g, to := drawn(t, s, false)
	g.picture.show(to)
	picture := pixels(to)
	lens := s.View.Camera().Lens(480, 360)
	near := func(x, y float64, want [3]float32, steps int) bool {
		at := picture.RGBAAt(int(x), int(y))
		for k, c := range []uint8{at.R, at.G, at.B} {
			if d := int(c) - int(255*want[k]+0.5); d > steps || d < -steps {
				return false
			}
		}
		return true
	}
	m, colors := s.Mesh.Mesh, s.Colors()
	dots := map[int32]bool{}
	for _, d := range s.Dots(nil) {
		dots[d.Vertex] = true
	}
	plain := 0
	_, ground := colormap.Ground(s.View.Theme())
	for v := range int32(n) {
		x, y, _ := lens.Project([3]float64{float64(m.Points[3*v]), float64(m.Points[3*v+1]), 0})
		if got := g.at(x+2, y-2); got != v {
			t.Errorf("under the pointer at vertex %d: %d", v, got)
		}
		if dots[v] {
			continue
		}
		plain++
		if !near(x, y, colors[v], 3) {
			t.Errorf("vertex %d is %v, want %v", v, picture.RGBAAt(int(x), int(y)), colors[v])
		}
		w := (v + 1) % n
		q, r, _ := lens.Project([3]float64{float64(m.Points[3*w]), float64(m.Points[3*w+1]), 0})
		if near((x+q)/2, (y+r)/2, ground, 12) {
			t.Errorf("there is no line between %d and %d", v, w)
		}
	}
	if plain == 0 {
		t.Error("every vertex is a separator's")
	}
	if got := g.at(240, 180); got != -1 {
		t.Errorf("in the ring's middle: %d", got)
	}
}
