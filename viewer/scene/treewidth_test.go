package scene

import (
	"math"
	"slices"
	"testing"

	"genussink/core/job"
	"genussink/viewer/timeline"
)

// graphScene is a scene that shows a graph without faces: a w x h grid.
func graphScene(t *testing.T, w, h int) (*Scene, *job.Loaded) {
	t.Helper()
	l := &job.Loaded{Name: "grid.gr", Format: "PACE", Flat: true, Timings: []job.Timing{{Stage: "layout", Seconds: 0.1}}}
	for y := range h {
		for x := range w {
			v := int32(y*w + x)
			l.Positions = append(l.Positions, float64(x), float64(y), 0)
			if x+1 < w {
				l.Edges = append(l.Edges, v, v+1)
			}
			if y+1 < h {
				l.Edges = append(l.Edges, v, v+int32(w))
			}
		}
	}
	n := w * h
	l.Report = job.Report{Vertices: n, Edges: len(l.Edges) / 2, Components: 1, Diagonal: math.Hypot(float64(w-1), float64(h-1)), EdgeMean: 1}
	s := New()
	s.OpenFile("grid.gr", []byte("x"), nil, "")
	s.Handle(job.Event{ID: s.flight.asked[toOpen].id, Body: l})
	if !s.Mesh.ready() || s.Phase() == PhaseError {
		t.Fatalf("the graph is not shown: %q", s.failure)
	}
	return s, l
}

// column is a decomposition of a 3 x 3 grid by columns, as the engine sends it.
func column() job.Decomposition { return window(9, 4) }

// window is a path of bags, a window of some vertices that slides along n, rooted a third of the way.
func window(n, width int) job.Decomposition {
	var bags [][]int32
	var parents, order []int32
	root := int32(n-width+1) / 3
	for b := range int32(n - width + 1) {
		var bag []int32
		for k := range int32(width) {
			bag = append(bag, b+k)
		}
		bags = append(bags, bag)
		switch {
		case b < root:
			parents = append(parents, b+1)
		case b == root:
			parents = append(parents, -1)
		default:
			parents = append(parents, b-1)
		}
	}
	for v := range int32(n) {
		order = append(order, v)
	}
	return job.NewDecomposition(bags, parents, order)
}

func (s *Scene) answer(t *testing.T, id uint32, body job.Body) {
	t.Helper()
	s.Handle(job.Event{ID: id, Body: body})
	if s.Phase() == PhaseError {
		t.Fatalf("%T: %s", body, s.failure)
	}
}

func studied(t *testing.T) *Scene {
	t.Helper()
	s, _ := graphScene(t, 3, 3)
	s.FindTreewidth()
	d := column()
	s.answer(t, s.flight.asked[toDecompose].id, &job.Decomposed{Lower: 3, Upper: 3, Exact: true, Status: "exact", Decomposition: d})
	return s
}

func TestGraphIsShown(t *testing.T) {
	s, l := graphScene(t, 4, 3)
	st := s.State()
	if !st.Mesh.Graph || !st.Mesh.Flat || !st.Mesh.Laid || len(s.Mesh.Edges()) != len(l.Edges) || s.Mesh.Closed() {
		t.Errorf("shown as %+v", st.Mesh)
	}
	if p := s.View.camera.Pose(); p.Yaw != 0 || p.Pitch != 0 {
		t.Errorf("a flat graph is looked at from %+v", p)
	}
	offsets, targets := s.Mesh.Neighbours()
	if got := slices.Sorted(slices.Values(targets[offsets[5]:offsets[6]])); !slices.Equal(got, []int32{1, 4, 6, 9}) {
		t.Errorf("the neighbours of 5 are %v", got)
	}
	// The brush's reach: all edges within, cut where it ends.
	ring := s.Mesh.isoline(nil, &job.Brushed{Center: 0, Vertices: []int32{0, 1, 4}, Distances: []float64{0, 1, 1}}, 1.5)
	length := 0.0
	for i := 0; i < len(ring); i += 6 {
		length += math.Hypot(float64(ring[i+3]-ring[i]), float64(ring[i+4]-ring[i+1])) * s.Mesh.HalfDiag
	}
	if math.Abs(length-4) > 1e-5 { // 2 whole edges, 4 halves
		t.Errorf("%d segments of length %g, want 4", len(ring)/6, length)
	}
	// Another mesh, in space again, is looked at from the home side.
	s.Space(true)
	out := s.Outbox()
	load, ok := out[len(out)-1].Body.(*job.Load)
	if !ok || !load.Space || string(load.Data) != "x" {
		t.Fatalf("laid out anew by %+v", out[len(out)-1].Body)
	}
	again := *l
	again.Flat = false
	s.answer(t, s.flight.asked[toOpen].id, &again)
	if p := s.View.camera.Pose(); p.Yaw == 0 {
		t.Errorf("in space it is looked at from %+v", p)
	}
}

// A PACE graph that a person opens is there for its treewidth; the same graph laid out anew, another graph and a session's are shown in the task at hand.
func TestPACEGraphsOpenInTreewidth(t *testing.T) {
	s, l := graphScene(t, 3, 3)
	again := func() Task {
		s.answer(t, s.flight.asked[toOpen].id, l)
		return s.State().Task
	}
	if st := s.State(); st.Task != TaskTreewidth || st.View.Densities {
		t.Errorf("opened in %s", st.Task)
	}
	s.Task(TaskSeparators)
	s.Space(true)
	if task := again(); task != TaskSeparators {
		t.Errorf("laid out anew in %s", task)
	}
	sn, _ := s.Session()
	if err := s.OpenSession(sn); err != nil {
		t.Fatal(err)
	}
	if task := again(); task != TaskSeparators {
		t.Errorf("the session is shown in %s", task)
	}
	s.OpenFile("grid.gr", []byte("x"), nil, "")
	if l.Format = "DIMACS"; again() != TaskSeparators {
		t.Errorf("a road network turns to %s", s.State().Task)
	}
}

func TestMalformedGraphs(t *testing.T) {
	for name, change := range map[string]func(*job.Loaded){
		"an edge out of range":     func(l *job.Loaded) { l.Edges[0] = 9 },
		"a negative end":           func(l *job.Loaded) { l.Edges[0] = -1 },
		"half an edge":             func(l *job.Loaded) { l.Edges = l.Edges[:3] },
		"both faces and edges":     func(l *job.Loaded) { l.Faces = []int32{0, 1, 2} },
		"a place that is no place": func(l *job.Loaded) { l.Positions[0] = math.NaN() },
	} {
		_, l := graphScene(t, 3, 3)
		change(l)
		s := New()
		s.OpenFile("grid.gr", nil, nil, "")
		s.Handle(job.Event{ID: s.flight.asked[toOpen].id, Body: l})
		if s.Phase() != PhaseError {
			t.Errorf("%s is shown", name)
		}
	}
}

func TestTreewidthSearch(t *testing.T) {
	s, _ := graphScene(t, 3, 3)
	s.FindTreewidth()
	id := s.flight.asked[toDecompose].id
	if st := s.State().Treewidth; !st.Running || st.Known {
		t.Fatalf("%+v", st)
	}
	s.answer(t, id, &job.Narrowed{Lower: 2, Upper: 3, Decomposition: column()})
	s.answer(t, id, &job.Narrowed{Lower: 3, Upper: 3})
	s.Tick(3.25) // between two frames, on a slow machine
	st := s.State().Treewidth
	if !st.Running || !st.Exact || st.Lower != 3 || st.Upper != 3 || st.Bags != 6 || st.Centroid != 2 || st.Widest != 0 || st.Seconds != 3.25 {
		t.Errorf("%+v", st)
	}
	s.StopTreewidth()
	out := s.Outbox()
	if c, ok := out[len(out)-1].Body.(*job.Cancel); !ok || c.Request != id {
		t.Errorf("stopped by %+v", out[len(out)-1].Body)
	}
	if st := s.State().Treewidth; st.Running || st.Status != "cancelled" || st.Bags != 6 {
		t.Errorf("%+v", st)
	}
	// What comes after is not awaited.
	s.Handle(job.Event{ID: id, Body: &job.Narrowed{Lower: 7, Upper: 8, Decomposition: column()}})
	if st := s.State().Treewidth; st.Lower != 3 {
		t.Errorf("a stopped search still speaks: %+v", st)
	}
}

func TestMalformedDecompositions(t *testing.T) {
	for name, change := range map[string]func(*job.Decomposition){
		"no offsets":             func(d *job.Decomposition) { d.Offsets = nil },
		"offsets from 1":         func(d *job.Decomposition) { d.Offsets[0] = 1 },
		"offsets that fall":      func(d *job.Decomposition) { d.Offsets[2] = 7 },
		"ends left over":         func(d *job.Decomposition) { d.Ends = append(d.Ends, 1) },
		"an end out of range":    func(d *job.Decomposition) { d.Ends[3] = 6 },
		"a top out of range":     func(d *job.Decomposition) { d.Tops[3] = -1 },
		"too few tops":           func(d *job.Decomposition) { d.Tops = d.Tops[1:] },
		"a size of too many":     func(d *job.Decomposition) { d.Sizes[2] = 10 },
		"too few sizes":          func(d *job.Decomposition) { d.Sizes = d.Sizes[1:] },
		"an order too short":     func(d *job.Decomposition) { d.Order = d.Order[1:] },
		"an order with a repeat": func(d *job.Decomposition) { d.Order[1] = 0 },
		"a parent out of range":  func(d *job.Decomposition) { d.Parents[1] = 6 },
		"no root":                func(d *job.Decomposition) { d.Parents[2] = 1 },
		"two roots":              func(d *job.Decomposition) { d.Parents[1] = -1 },
		"a circle":               func(d *job.Decomposition) { d.Parents[1] = 0 },
	} {
		s, _ := graphScene(t, 3, 3)
		s.FindTreewidth()
		d := column()
		change(&d)
		s.Handle(job.Event{ID: s.flight.asked[toDecompose].id, Body: &job.Decomposed{Decomposition: d}})
		if s.Phase() != PhaseError {
			t.Errorf("%s is taken", name)
		}
	}
}

// A bag is shown with the components that it leaves.
func TestShowBag(t *testing.T) {
	s := studied(t)
	s.ShowBag(2) // 2, 3, 4, 5: the middle row and one above
	st := s.State().Treewidth
	if st.Shown != 2 || !slices.Equal(st.Bag, []int32{2, 3, 4, 5}) || !slices.Equal(st.Parts, []int{3, 2}) {
		t.Errorf("%+v", st)
	}
	if want := []int32{1, 1, -1, -1, -1, -1, 0, 0, 0}; !slices.Equal(s.Treewidth.part, want) {
		t.Errorf("parts %v, want %v", s.Treewidth.part, want)
	}
	if dots := s.Dots(nil); len(dots) != 4 || dots[0].Vertex != 2 {
		t.Errorf("dots %+v", dots)
	}
	c := s.Colors()
	if c[0] != c[1] || c[6] != c[8] || c[0] == c[6] || c[0] == c[3] {
		t.Errorf("colours %v", c)
	}
	if got := lines(s)[LayerBag]; !slices.Equal(got, []string{"bag", "3 vertices", "2 vertices"}) {
		t.Errorf("legend %v", got)
	}
	s.Treewidth.parts = []int{9, 8, 7, 6, 5, 4, 1}
	if got := lines(s)[LayerBag]; !slices.Equal(got[5:], []string{"5 vertices", "2 smaller"}) {
		t.Errorf("legend %v", got)
	}
	for _, bad := range []int{-2, 6, 100} {
		if s.ShowBag(bad); s.Treewidth.bag != 2 {
			t.Errorf("bag %d is shown", s.Treewidth.bag)
		}
	}
	// A narrower decomposition keeps showing its centroid.
	s.send(toDecompose, &job.Decompose{})
	d := column()
	d.Parents[2], d.Parents[3], d.Order[0], d.Order[1] = 3, -1, 1, 0
	s.answer(t, s.flight.asked[toDecompose].id, &job.Decomposed{Lower: 3, Upper: 3, Exact: true, Decomposition: d})
	if s.Treewidth.bag != 3 {
		t.Errorf("bag %d is shown, the centroid is 3", s.Treewidth.bag)
	}
	s.ShowBag(-1)
	if st := s.State().Treewidth; st.Shown != -1 || len(st.Bag) != 0 || len(st.Parts) != 0 {
		t.Errorf("%+v", st)
	}
}

func TestElimination(t *testing.T) {
	s := studied(t)
	s.Eliminate((*timeline.Timeline).Forward)
	e := s.State().Treewidth.Elimination
	if !e.Shown || e.Step != 1 || e.Steps != 9 || e.Vertex != 0 || e.Degree != 2 || e.Added != 1 || e.Fill != 1 || e.Width != 2 {
		t.Errorf("%+v", e)
	}
	if edges, last := s.Treewidth.FillEdges(nil); !slices.Equal(edges, []int32{1, 3}) || last != 1 {
		t.Errorf("fill edges %v, %d of the last step", edges, last)
	}
	if f := s.Faded(); !f[0] || f[1] {
		t.Errorf("faded %v", f)
	}
	if dots := s.Dots(nil); len(dots) != 3 || dots[2].Vertex != 0 {
		t.Errorf("dots %+v", dots)
	}
	if b := s.State().Treewidth.Elimination.Bag; b < 0 || !slices.Contains(s.Treewidth.found.Bag(int32(b)), 0) {
		t.Errorf("vertex 0 left in bag %d", b)
	}
	s.PointBag(1)
	if m := s.Markers(nil); s.State().Treewidth.Pointed != 1 || len(m) != len(s.Treewidth.found.Bag(1)) {
		t.Errorf("%d markers for the bag pointed at", len(m))
	}
	s.PointBag(1 << 20)
	s.PointBag(-1)
	if m := s.Markers(nil); len(m) != 0 {
		t.Errorf("%d markers for none", len(m))
	}
	s.Eliminate(timeline.To(100))
	// The order goes row by row: the width is that of a window of a row.
	if e := s.State().Treewidth.Elimination; e.Step != 9 || e.Width != 3 {
		t.Errorf("%+v", e)
	}
	if edges, _ := s.Treewidth.FillEdges(nil); len(edges) != 0 {
		t.Errorf("fill edges %v at the end", edges)
	}
	s.Eliminate(timeline.To(2))
	s.Eliminate((*timeline.Timeline).Back)
	if e := s.State().Treewidth.Elimination; e.Step != 1 || e.Width != 2 || e.Fill != 1 {
		t.Errorf("back at %+v", e)
	}
	s.Eliminate((*timeline.Timeline).Toggle)
	for range 100 {
		s.Tick(0.2)
	}
	if e := s.State().Treewidth.Elimination; e.Step != 9 || e.Playing {
		t.Errorf("played to %+v", e)
	}
	s.Eliminate((*timeline.Timeline).Toggle) // again, from the start
	if e := s.State().Treewidth.Elimination; e.Step != 0 || !e.Playing {
		t.Errorf("played again from %+v", e)
	}
	s.ShowBag(1)
	if st := s.State().Treewidth; st.Elimination.Shown || st.Shown != 1 {
		t.Errorf("both are shown: %+v", st)
	}
	s.Eliminate(timeline.To(3))
	s.HideElimination()
	if s.Treewidth.shown() {
		t.Error("still shown")
	}
}

// The order of a graph that is too large is not watched.
func TestEliminationOfALargeGraph(t *testing.T) {
	s, _ := graphScene(t, 50, 40)
	n := s.Mesh.Vertices()
	var all []int32
	for v := range int32(n) {
		all = append(all, v)
	}
	d := job.NewDecomposition([][]int32{all}, []int32{-1}, all)
	s.FindTreewidth()
	s.answer(t, s.flight.asked[toDecompose].id, &job.Decomposed{Lower: 1, Upper: n - 1, Status: "bounds", Decomposition: d})
	s.Eliminate((*timeline.Timeline).Toggle)
	s.Eliminate((*timeline.Timeline).Forward)
	if e := s.State().Treewidth.Elimination; e.Available || e.Shown || e.Step != 0 {
		t.Errorf("%+v", e)
	}
}

// A file's decomposition is checked by the engine and shown; one that is not the graph's is an alert, and what is there stays.
func TestDecompositionFile(t *testing.T) {
	s := New()
	s.OpenFile("grid.td", []byte("s td"), nil, "")
	if s.failure == "" || s.flight.has(toOpen, toDecompose) {
		t.Error("a decomposition of nothing is taken")
	}
	s = studied(t)
	s.Task(TaskTransport)
	s.OpenFile("Grid.TD", []byte("s td"), nil, "")
	if s.flight.has(toOpen) || s.State().Task != TaskTreewidth {
		t.Fatal("it is opened as a graph")
	}
	if b := s.flight.asked[toDecompose].body.(*job.Check); b.Name != "Grid.TD" || string(b.Data) != "s td" {
		t.Errorf("asked: %+v", b)
	}
	order := column().Order
	wide := job.NewDecomposition([][]int32{order}, []int32{-1}, order)
	s.answer(t, s.flight.asked[toDecompose].id, &job.Decomposed{Lower: 2, Upper: 8, Status: "file", Decomposition: wide})
	if st := s.State().Treewidth; st.Bags != 1 || st.Upper != 8 || st.Lower != 3 || st.Exact || st.Status != "file" {
		t.Errorf("%+v", st) // a search had proved 3
	}
	s.OpenFile("other.td", []byte("s td"), nil, "")
	s.Handle(job.Event{ID: s.flight.asked[toDecompose].id, Body: &job.Failed{Kind: "input", Message: "other.td: line 1: no"}})
	if st := s.State(); st.Error != "The decomposition cannot be taken: other.td: line 1: no" || st.Treewidth.Bags != 1 || st.Treewidth.Status != "file" {
		t.Errorf("%q, %+v", st.Error, st.Treewidth)
	}
	// A search that was under way begins again.
	s.FindTreewidth()
	s.OpenFile("other.td", []byte("s td"), nil, "")
	s.Handle(job.Event{ID: s.flight.asked[toDecompose].id, Body: &job.Failed{Kind: "input", Message: "other.td: line 1: no"}})
	if _, ok := s.flight.asked[toDecompose].body.(*job.Decompose); !ok || !s.State().Treewidth.Running {
		t.Errorf("asked: %+v", s.flight.asked[toDecompose].body)
	}

	// With its graph it waits for it, and the graph's other files stay.
	s = New()
	s.OpenFile("grid.gr", []byte("p"), []job.File{{Name: "grid.td", Data: []byte("s")}, {Name: "grid.co"}}, "")
	if l := s.flight.asked[toOpen].body.(*job.Load); len(l.Files) != 1 || l.Files[0].Name != "grid.co" {
		t.Errorf("opened with %+v", l.Files)
	}
	_, l := graphScene(t, 3, 3)
	s.answer(t, s.flight.asked[toOpen].id, l)
	if b, ok := s.flight.asked[toDecompose].body.(*job.Check); !ok || b.Name != "grid.td" || s.State().Task != TaskTreewidth {
		t.Errorf("asked: %+v", s.flight.asked[toDecompose].body)
	}
}
