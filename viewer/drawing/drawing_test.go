package drawing

import (
	"math"
	"slices"
	"testing"

	"genussink/core/job"
	"genussink/viewer/camera"
	"genussink/viewer/colormap"
	"genussink/viewer/raster"
	"genussink/viewer/scene"
)

const side = 11 // vertices on a side of the square

// square is a flat mesh of side x side vertices; its middle column separates it.
func square() (*job.Loaded, *job.Separated) {
	m := &job.Loaded{Name: "square", Report: job.Report{Components: 1, EdgeMean: 0.1, Vertices: side * side}}
	t := &job.Separated{Nodes: []job.Node{{Parent: -1, Left: 1, Right: 2, A: 55, S: 11, B: 55}, {Parent: 0, Left: -1, Right: -1, Depth: 1}, {Parent: 0, Left: -1, Right: -1, Depth: 1}}}
	for v := range side * side {
		x, y := v%side, v/side
		m.Positions = append(m.Positions, float64(x), float64(y), 0)
		switch {
		case x < side/2:
			t.Cells = append(t.Cells, 1)
		case x > side/2:
			t.Cells = append(t.Cells, 2)
		default:
			t.Cells = append(t.Cells, 0)
		}
		if x+1 < side && y+1 < side {
			a := int32(v)
			m.Faces = append(m.Faces, a, a+1, a+side+1, a, a+side+1, a+side)
		}
	}
	return m, t
}

// begun is a scene that shows the square, with mass in two corners that moves along the square's sides.
func begun(t testing.TB) *scene.Scene {
	t.Helper()
	m, tree := square()
	return begunOn(t, m, tree)
}

// begunOn is begun on another mesh.
func begunOn(t testing.TB, m *job.Loaded, tree *job.Separated) *scene.Scene {
	t.Helper()
	s := scene.New()
	s.View.ReducedMotion(true)
	s.OpenFile(m.Name, nil, nil, "")
	for out := s.Outbox(); len(out) > 0; out = s.Outbox() {
		for _, q := range out {
			var answer job.Body = &job.Cancelled{}
			switch q.Body.(type) {
			case *job.Load:
				answer = m
			case *job.Separate:
				answer = tree
			case *job.Measure:
				e := &job.Measured{Source: make([]float64, m.Report.Vertices), Target: make([]float64, m.Report.Vertices)}
				for v := range m.Report.Vertices {
					x, y := m.Positions[3*v], m.Positions[3*v+1]
					e.Source[v], e.Target[v] = math.Exp(-x-y), math.Exp(x+y-2*side)
				}
				answer = e
			case *job.Solve:
				answer = &job.Solved{}
			case *job.Flow:
				e := &job.Flowing{Offsets: []int32{0}}
				for range 20 {
					for x := range int32(side) {
						e.Vertices, e.Along = append(e.Vertices, x), append(e.Along, float64(x))
					}
					e.Offsets = append(e.Offsets, int32(len(e.Vertices)))
				}
				s.Handle(job.Event{ID: q.ID, Body: e})
				answer = &job.Flowed{Particles: 20}
			}
			s.Handle(job.Event{ID: q.ID, Body: answer})
		}
		s.Drawn()
		s.Tick(0.5)
	}
	if s.Separation.Tree() == nil || s.State().Error != "" {
		t.Fatalf("%+v", s.State())
	}
	return s
}

func lens(s *scene.Scene) *camera.Lens {
	l := s.View.Camera().Lens(400, 300)
	return &l
}

// Where cells are shown, a face has one colour: that of its cell. Only the separator's vertices are doubled.
func TestCellsEndAtTheSeparator(t *testing.T) {
	s := begun(t)
	d := New(s)
	steps := 0
	for ; d.Grow(100); steps++ {
	}
	if whole := 3 * len(s.Mesh.Faces) / 3 / 100; steps+1 < whole || d.Grow(100) {
		t.Errorf("%d steps of 100 faces, want %d, and no more", steps, whole)
	}
	plain := d.Revision()
	s.Task(scene.TaskSeparators)
	if d.Prepare(); d.Revision() == plain {
		t.Error("the cells change nothing")
	}
	if n := len(d.like); n != side*side+side {
		t.Errorf("%d vertices of %d and %d of the separator", n, side*side, side)
	}
	var b raster.Batch
	d.Surface(&b, lens(s))
	if len(b.Indices) != 3*2*(side-1)*(side-1) {
		t.Fatalf("%d corners", len(b.Indices))
	}
	kinds := map[[3]float32]int{}
	for k := 0; k < len(b.Indices); k += 3 {
		color := func(i int) [3]float32 {
			v := b.Vertices[b.Indices[k+i]]
			return [3]float32{v.ColorR, v.ColorG, v.ColorB}
		}
		if color(0) != color(1) || color(0) != color(2) {
			t.Fatalf("face %d has the colours %v, %v and %v", k/3, color(0), color(1), color(2))
		}
		kinds[color(0)]++
	}
	if len(kinds) != 2 {
		t.Errorf("colours %v", kinds)
	}
	if len(d.ribbon) != side-1 {
		t.Errorf("the separator has %d edges, not %d", len(d.ribbon), side-1)
	}
	var on raster.Batch
	d.Lying(&on, lens(s), 1)
	if n := len(on.Indices) / 6; n < 2*(side-1) {
		t.Errorf("%d sprites", n)
	}
	s.Task(scene.TaskTransport)
	if d.Prepare(); len(d.ribbon) != 0 || d.like != nil {
		t.Error("the separator stays")
	}
}

// A face whose corners all lie in separators has the separator's colour.
func TestFaceWithinASeparator(t *testing.T) {
	s := begun(t)
	d := New(s)
	s.Task(scene.TaskSeparators)
	d.Prepare()
	d.made.tree = &job.Separated{Nodes: d.made.tree.Nodes, Cells: append([]int32(nil), d.made.tree.Cells...)}
	d.made.tree.Cells[side+side/2+1] = 0 // (6, 1): a face joins it to (5, 0) and (5, 1)
	d.base = split(s.Mesh.Mesh, nil)
	b := d.cut(d.base, d.cells())
	within := 0
	for f := 0; f < len(b.faces); f += 3 {
		own := 0
		for k, v := range b.faces[f : f+3] {
			if d.like[v] == d.base.faces[f+k] && d.made.tree.Cells[d.like[v]] == 0 {
				own++
			}
		}
		if own == 3 {
			within++
		} else if own != 0 {
			t.Errorf("face %d: %d corners have the separator's colour", f/3, own)
		}
	}
	if within != 1 {
		t.Errorf("%d faces lie within the separator", within)
	}
}

// lying is what lies on the mesh of a scene, and the surface's colours.
func lying(s *scene.Scene) (colors []raster.Vertex, sprites map[[3]float32]int) {
	d := New(s)
	d.Prepare()
	var b, over raster.Batch
	d.Surface(&b, lens(s))
	d.Lying(&over, lens(s), 1)
	sprites = map[[3]float32]int{}
	for _, v := range over.Vertices {
		sprites[[3]float32{v.ColorR, v.ColorG, v.ColorB}]++
	}
	return b.Vertices, sprites
}

// Under transport the separator is a line over densities that keep their colours. Over the cells, which keep theirs, densities are isolines.
func TestOneFillAtATime(t *testing.T) {
	s := begun(t)
	s.View.Flow(false)
	densities, without := lying(s)
	s.View.Split(true)
	colors, with := lying(s)
	if !slices.Equal(colors, densities) {
		t.Error("the separator changes the densities' colours")
	}
	separator := colormap.Separator(s.View.Theme())
	if n := with[separator]; n < 4*(side-1) || without[separator] > 0 {
		t.Errorf("%d corners of the separator's line, %d without", n, without[separator])
	}
	if halo := colormap.Halo(s.View.Theme()); with[halo] > 0 {
		t.Errorf("a hairline has %d corners of a halo", with[halo])
	}
	s.Task(scene.TaskSeparators)
	cells, ribbons := lying(s)
	s.View.Densities(true)
	colors, lines := lying(s)
	if !slices.Equal(colors, cells) {
		t.Error("densities change the cells' colours")
	}
	if len(lines) != len(ribbons)+2 {
		t.Errorf("sprites over the cells are of %d colours with isolines, and %d without", len(lines), len(ribbons))
	}
	s.View.Flow(true)
	s.Playback.Seek(0.5)
	if colors, _ = lying(s); !slices.Equal(colors, cells) {
		t.Error("mass on the move changes the cells' colours")
	}
	before := s.ColorRevision()
	if s.Undo(); s.ColorRevision() != before {
		t.Error("nothing was undone")
	}
	if s.Swap(); s.ColorRevision() == before {
		t.Error("isolines change, and no revision says so")
	}
}

// Isolines are there while both densities are shown at rest, beads with trails while mass moves.
func TestIsolinesAndBeads(t *testing.T) {
	s := begun(t)
	d := New(s)
	d.Prepare()
	var b raster.Batch
	sprites := func(add func(b *raster.Batch, lens *camera.Lens, pixel float64)) int {
		b.Reset()
		add(&b, lens(s), 1)
		return len(b.Indices) / 6
	}
	s.View.Flow(false)
	if n := sprites(d.Lying); n < 10 {
		t.Errorf("%d pieces of isolines", n)
	}
	s.View.Densities(false)
	if n := sprites(d.Lying); n != 0 {
		t.Errorf("%d pieces without densities", n)
	}
	s.View.Densities(true)
	s.View.Flow(true)
	s.Playback.Seek(0.5)
	if n := sprites(d.Lying); n != 0 {
		t.Errorf("%d pieces of isolines under moving mass", n)
	}
	n := sprites(d.Passing)
	if shown := len(d.shown); shown == 0 || n != shown*(1+trail) {
		t.Errorf("%d sprites of %d beads", n, shown)
	}
	for i, p := range d.places {
		for _, q := range d.places[:i] {
			if math.Hypot(p[0]-q[0], p[1]-q[1]) < apart*2.6 { // the least radius of a bead of this mesh
				t.Errorf("two beads touch at %v and %v", p, q)
			}
		}
	}
	ahead := d.beads[6*d.shown[0]]
	for k, trail := range d.trails {
		if trail[0] >= ahead {
			t.Errorf("piece %d of a trail ends at %g, not behind %g", k, trail[0], ahead)
		}
		ahead = trail[0]
	}
	if at := s.Playback.Position(); at != 0.5 {
		t.Errorf("drawing moved the playback to %g", at)
	}
	s.Playback.Show(scene.MassDensity)
	if n := sprites(d.Passing); n != 0 {
		t.Errorf("%d sprites of mass that is a density", n)
	}
}

// The shade of hollows comes in with the share that the scene says, and not under a field's colours.
func TestShade(t *testing.T) {
	s := begun(t)
	d := New(s)
	d.Prepare()
	var b raster.Batch
	light := func() (sum float32) {
		d.Prepare()
		d.Surface(&b, lens(s))
		for _, v := range b.Vertices {
			sum += v.ColorA
		}
		return sum / float32(len(b.Vertices))
	}
	before := light()
	m := s.Mesh.Mesh
	s.View.ReducedMotion(false)
	s.Shade()
	for _, q := range s.Outbox() {
		e := &job.Shaded{Faces: m.Faces, Normals: m.Normals, Open: make([]float32, m.Vertices())}
		s.Handle(job.Event{ID: q.ID, Body: e})
	}
	if d.Surface(&b, lens(s)); s.Mesh.Shading() == nil {
		t.Fatal("not shaded")
	}
	if now := light(); now != before {
		t.Errorf("the shade is there at once: %g, was %g", now, before)
	}
	s.Tick(1)
	if now := light(); now > 0.5*before {
		t.Errorf("dark hollows are as light as %g, were %g", now, before)
	}
	s.ShowValues(make([]float64, m.Vertices()), 0, 1)
	if now := light(); now != before {
		t.Errorf("a field is shaded: %g", now)
	}
}

// Isolines and separators on the far side of a closed mesh are not drawn; through a section they are.
func TestFarSideIsHidden(t *testing.T) {
	m, tree := square()
	m.Report.Watertight, m.Report.Oriented = true, true
	m.Faces = m.Faces[:0]
	for v := range int32(side * side) { // a torus: the square's sides are sewn together
		x, y := v%side, v/side
		a, b := 2*math.Pi*float64(x)/side, 2*math.Pi*float64(y)/side
		copy(m.Positions[3*v:], []float64{(4 + 2*math.Cos(b)) * math.Cos(a), (4 + 2*math.Cos(b)) * math.Sin(a), 2 * math.Sin(b)})
		right, up := (x+1)%side+side*y, x+side*((y+1)%side)
		over := (x+1)%side + side*((y+1)%side)
		m.Faces = append(m.Faces, v, right, over, v, over, up)
	}
	s := begunOn(t, m, tree)
	if !s.Mesh.Closed() {
		t.Fatal("the torus is not closed")
	}
	d := New(s)
	sprites := func() int {
		d.Prepare()
		var b raster.Batch
		d.Lying(&b, lens(s), 1)
		return len(b.Indices) / 6
	}
	compare := func(what string) {
		t.Helper()
		s.View.Section("", 0)
		near := sprites()
		s.View.Section("x", 1)
		if all := sprites(); near == 0 || 4*near > 3*all || 4*near < all {
			t.Errorf("%s: %d of %d are drawn", what, near, all)
		}
	}
	s.Playback.Seek(0)
	s.View.Flow(false)
	compare("isolines")
	s.Task(scene.TaskSeparators)
	compare("separators")
}

func BenchmarkDrawing(b *testing.B) {
	s := begun(b)
	s.Playback.Seek(0.5)
	d := New(s)
	var batch raster.Batch
	b.Run("prepare", func(b *testing.B) {
		for b.Loop() {
			d.made = form{}
			d.Prepare()
		}
	})
	b.Run("passing", func(b *testing.B) {
		for b.Loop() {
			batch.Reset()
			d.Passing(&batch, lens(s), 1)
		}
	})
}

// Every arrow has a dark outline under its gold, with or without mass on the move.
func TestArrows(t *testing.T) {
	s := begun(t)
	d := New(s)
	d.Prepare()
	s.View.Flow(false)
	var b raster.Batch
	sprites := func() int {
		b.Reset()
		d.Passing(&b, lens(s), 1)
		return len(b.Indices) / 6
	}
	if n := sprites(); n != 0 {
		t.Errorf("%d sprites without a request", n)
	}
	s.View.Arrows(true)
	for was := uint64(0); was != s.OverlayRevision(); { // until none are on their way
		was = s.OverlayRevision()
		s.Arrows()
	}
	arrows := len(s.Arrows())
	if n := sprites(); arrows == 0 || n != 2*5*arrows {
		t.Errorf("%d sprites of %d arrows", n, arrows)
	}
	for i, v := range b.Vertices {
		if v.ColorR < 0.5 != (i/4%10 < 5) {
			t.Fatalf("sprite %d has the red %g", i/4, v.ColorR)
		}
	}
}

// A bag leaves components. Each has one colour, up to the vertices of the bag. These are dots.
func TestBagEndsAtItsVertices(t *testing.T) {
	s := begun(t)
	s.Task(scene.TaskTreewidth)
	s.FindTreewidth()
	var order, left, middle, right []int32
	for v := range int32(side * side) {
		order = append(order, v)
		if x := v % side; x < side/2 {
			left = append(left, v)
		} else if x > side/2 {
			right = append(right, v)
		} else {
			middle = append(middle, v)
		}
	}
	d := job.NewDecomposition([][]int32{slices.Concat(left, middle), middle, slices.Concat(middle, right)}, []int32{1, -1, 1}, order)
	for _, q := range s.Outbox() {
		s.Handle(job.Event{ID: q.ID, Body: &job.Decomposed{Lower: 11, Upper: 65, Decomposition: d}})
	}
	s.ShowBag(1)
	colors, sprites := lying(s)
	if st := s.State(); st.Error != "" || st.Treewidth.Shown != 1 || len(colors) != 3*2*(side-1)*(side-1) && len(colors) != side*side+side {
		t.Fatalf("%s, bag %d, %d vertices", st.Error, st.Treewidth.Shown, len(colors))
	}
	found := map[[3]float32]int{}
	for _, v := range colors {
		found[[3]float32{v.ColorR, v.ColorG, v.ColorB}]++
	}
	if len(found) != 2 {
		t.Errorf("the components have the colours %v", found)
	}
	if n := sprites[colormap.Separator(s.View.Theme())]; n != 4*side {
		t.Errorf("%d corners of the bag's dots, want %d", n, 4*side)
	}
}

// Lines that the mesh hides are drawn, fainter and in front of everything, if they are asked for; defects are lines in their kind's colour.
func TestHiddenLinesAndDefects(t *testing.T) {
	s := begun(t)
	s.Task(scene.TaskSeparators)
	d := New(s)
	front := func() (strong, fainter int) {
		d.Prepare()
		var lying, passing raster.Batch
		d.Lying(&lying, lens(s), 1)
		d.Passing(&passing, lens(s), 1)
		for _, v := range slices.Concat(lying.Vertices, passing.Vertices) {
			switch {
			case v.Custom0 != 1:
			case v.ColorA == 1:
				strong++
			default:
				fainter++
			}
		}
		return strong, fainter
	}
	if strong, fainter := front(); strong != 0 || fainter != 0 {
		t.Errorf("%d and %d corners in front, and nothing is asked for", strong, fainter)
	}
	s.View.Hidden(true)
	if strong, fainter := front(); strong != 0 || fainter < 4*(side-1) {
		t.Errorf("%d and %d corners in front, of a separator of %d edges, each with a dash", strong, fainter, side-1)
	}

	s.Task(scene.TaskInspect)
	s.Inspect()
	for _, q := range s.Outbox() {
		n := s.Mesh.Vertices()
		s.Handle(job.Event{ID: q.ID, Body: &job.Inspected{Degrees: make([]float64, n), BoundaryLoops: []job.Loop{{Vertices: []int32{0, 1, 2, 0}}}}})
	}
	corners := func() (n int) {
		var b raster.Batch
		d.Prepare()
		d.Passing(&b, lens(s), 1)
		for _, v := range b.Vertices {
			if [3]float32{v.ColorR, v.ColorG, v.ColorB} == colormap.Defect(int(scene.BoundaryLoop)) && v.ColorA == 1 {
				n++
			}
		}
		return n
	}
	if n := corners(); n < 3*4 {
		t.Errorf("%d corners of a boundary of three edges", n)
	}
	s.ShowDefects(false)
	if n := corners(); n != 0 {
		t.Errorf("%d corners of a boundary that is not shown", n)
	}
}
