package scene

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
	"genussink/core/session"
	"genussink/viewer/camera"
	"genussink/viewer/timeline"
)

// link is the scene's session as a link.
func link(s *Scene) string {
	sn, _ := s.Session()
	text, _ := sn.Link()
	return text
}

func parse(t *testing.T, text string) *session.Session {
	t.Helper()
	sn, err := session.ParseLink(text)
	if err != nil {
		t.Fatal(err)
	}
	return sn
}

// opened is another page that a session was opened in, its requests not answered yet.
func opened(t *testing.T, sn *session.Session, mesh *job.Loaded) *rig {
	t.Helper()
	r := &rig{t: t, s: New(), mesh: mesh}
	with := *sn
	if with.File == nil && with.Kind == "" {
		with.File = &job.Load{Name: "spot.obj"}
	}
	if err := r.s.OpenSession(&with); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLinkLeadsBack(t *testing.T) {
	r := ready(t)
	r.s.OpenFile("spot.obj", nil, nil, "meshes/a b&c=d.glb")
	r.run()
	r.s.Separation.Level(2)
	r.s.Epsilon(0.0375)
	r.s.Method("dense")
	pose := camera.Pose{Yaw: 1.25, Pitch: -0.5, Size: 0.5, Target: [3]float64{0.125, 0, -0.25}, Orthographic: true, Up: camera.Z}
	r.s.View.Camera().Set(pose)
	text := link(r.s)
	sh := parse(t, "?"+text)
	if sh.Mesh != "meshes/a b&c=d.glb" || sh.Level != 2 || sh.Epsilon != 0.0375 || sh.Method != "dense" || poseOf(sh.Camera) != pose {
		t.Errorf("%s gives %+v, camera %+v", text, sh, sh.Camera)
	}
	// Another page shows the same thing.
	other := opened(t, sh, grid(9, 7))
	other.run()
	if got := link(other.s); got != text {
		t.Errorf("restored link %s, want %s", got, text)
	}
	if st := other.s.State(); st.View.Up != "z" || !st.View.Orthographic || st.Separation.Level != 2 {
		t.Errorf("restored %+v", st.View)
	}
}

// studiedBag finds a tree decomposition, and shows the bag that which chooses.
func studiedBag(s *Scene, which func(d TreewidthState) int) {
	s.Task(TaskTreewidth)
	s.FindTreewidth()
	id := s.flight.asked[toDecompose].id
	s.Handle(job.Event{ID: id, Body: &job.Decomposed{Lower: 9, Upper: 9, Exact: true, Status: "exact", Decomposition: window(s.Mesh.Vertices(), 10)}})
	s.ShowBag(which(s.State().Treewidth))
}

// What a person looks at is in the link: where mass stands still, a cell in focus, a field with the vertex it is measured from, and hidden lines.
func TestLinkCarriesWhatIsLookedAt(t *testing.T) {
	for name, c := range map[string]struct {
		look func(s *Scene)
		says string
		same func(a, b State) bool
	}{
		"a moment": {func(s *Scene) { s.Playback.Pause(); s.Playback.Seek(0.25) }, "&at=0.25", func(a, b State) bool {
			return a.Playback.Position == b.Playback.Position && !b.Playback.Playing
		}},
		"mass that plays": {func(s *Scene) { s.Play() }, "&task=", func(a, b State) bool { return b.Playback.Playing }},
		"mass that stands while another task is shown": {func(s *Scene) { s.Play(); s.Tick(0.3); s.Task(TaskInspect) }, "&task=", func(a, b State) bool {
			return a.Task == TaskInspect && !a.Playback.Playing && b.Playback.Position == 0
		}},
		"a cell": {func(s *Scene) { s.Task(TaskSeparators); s.FocusCell(2) }, "&cell=2", func(a, b State) bool { return a.Separation.Cell == 2 && b.Separation.Cell == 2 }},
		"a field": {func(s *Scene) { s.Task(TaskInspect); s.ShowField(FieldDistance); s.MeasureFrom(5) }, "&field=distance,5", func(a, b State) bool {
			return a.Field.Shown && b.Field.Shown && a.Field.Vertex == b.Field.Vertex && a.Field.Most == b.Field.Most
		}},
		"the centroid": {func(s *Scene) { studiedBag(s, func(d TreewidthState) int { return d.Centroid }) }, "&bag=centroid", func(a, b State) bool {
			return a.Treewidth.Shown >= 0 && b.Treewidth.Shown == a.Treewidth.Shown && b.Task == TaskTreewidth
		}},
		"the widest bag": {func(s *Scene) { studiedBag(s, func(d TreewidthState) int { return d.Widest }) }, "&bag=widest", func(a, b State) bool {
			return a.Treewidth.Shown >= 0 && b.Treewidth.Shown == a.Treewidth.Shown && a.Treewidth.Shown != a.Treewidth.Centroid
		}},
		"an elimination": {func(s *Scene) {
			studiedBag(s, func(TreewidthState) int { return -1 })
			s.Eliminate(timeline.To(20))
		}, "&gone=20", func(a, b State) bool {
			return a.Treewidth.Elimination.Step == 20 && b.Treewidth.Elimination.Step == 20
		}},
		"hidden lines": {func(s *Scene) { s.View.Hidden(true) }, "&on=hidden", func(a, b State) bool { return b.View.Hidden }},
	} {
		r := ready(t)
		r.s.OpenFile("spot.obj", nil, nil, "spot")
		r.run()
		r.s.Separation.Level(0)
		c.look(r.s)
		r.run()
		text := link(r.s)
		other := opened(t, parse(t, text), grid(9, 7))
		other.run()
		if a, b := r.s.State(), other.s.State(); !strings.Contains(text+"&task=", c.says) || link(other.s) != text || !c.same(a, b) {
			t.Errorf("%s: %s leads to %s", name, text, link(other.s))
		}
	}
}

// What a link names and this mesh has not is said, and the rest is shown. A field alone opens the task that shows it.
func TestLinkNamesWhatIsNotThere(t *testing.T) {
	for text, want := range map[string]string{
		"field=curl":                       `The link colours the mesh by "curl", which this page does not know.`,
		"field=given":                      `The link colours the mesh by "given", which this page does not know.`,
		"field=distance,63":                "The link measures distances from vertex 63, the mesh has 63.",
		"task=separators&cell=99":          "The link's cell is 99, the separator tree has 15.",
		"field=degree":                     "",
		"field=distance,62&task=inspect":   "",
		"task=separators&cell=14&at=0.125": "",
	} {
		r := opened(t, parse(t, text), grid(9, 7))
		r.run()
		st := r.s.State()
		if got := strings.Join(st.Mesh.Warnings, " "); want == "" && strings.Contains(got, "The link") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
		if strings.HasPrefix(text, "field=") && st.Task != TaskInspect {
			t.Errorf("%s opens the task %s", text, st.Task)
		}
	}
}

// A link carries the balance, and the separation taken from the list: the list is
// made before the tree, which then is asked for once.
func TestLinkCarriesTheSeparation(t *testing.T) {
	r := ready(t)
	r.s.OpenFile("spot.obj", nil, nil, "spot")
	r.run()
	r.s.Balance(0.25)
	r.s.Sweep()
	r.run()
	r.s.Take(1)
	r.run()
	text := link(r.s)
	if !strings.Contains(text, "balance=0.25&cut=2.10&") || !strings.HasPrefix(text, "v=3&") {
		t.Errorf("link %s", text)
	}
	sh := parse(t, text)
	other := opened(t, sh, grid(9, 7))
	id, _ := one[*job.Load](other)
	other.answer(id, other.mesh)
	if got := link(other.s); !strings.Contains(got, "cut=2.10") {
		t.Errorf("while the list is made the link is %s", got)
	}
	for _, q := range other.take() {
		if _, sweep := q.Body.(*job.Sweep); !sweep {
			if _, measure := q.Body.(*job.Measure); !measure {
				t.Errorf("asks for %T before the list is there", q.Body)
			}
		}
	}
	other = opened(t, sh, grid(9, 7))
	other.run()
	trees := 0
	for _, q := range other.seen {
		if b, ok := q.Body.(*job.Separate); ok {
			trees++
			if b.Balance != 0.25 || len(b.Root) != 63 || b.Root[0] != 2 {
				t.Errorf("asked for %+v", b)
			}
		}
	}
	if st := other.s.State(); trees != 1 || st.Separation.Taken != 1 || st.Separation.Balance != 0.25 || !st.Separation.Swept || st.Transport.Result == nil || len(st.Mesh.Warnings) != 0 {
		t.Errorf("%d trees, %+v, warnings %v", trees, st.Separation, st.Mesh.Warnings)
	}
	if got := link(other.s); got != text {
		t.Errorf("restored link %s, want %s", got, text)
	}

	// A cut that the mesh has not: the finder's own, with a word about it.
	gone := parse(t, text)
	gone.Cut.Smaller++
	other = opened(t, gone, grid(9, 7))
	other.run()
	if st := other.s.State(); st.Separation.Taken != -1 || st.Transport.Result == nil || len(st.Mesh.Warnings) != 1 {
		t.Errorf("without the cut: %+v, warnings %v", st.Separation, st.Mesh.Warnings)
	}
	// Several components have no one root.
	parts := grid(9, 7)
	parts.Report.Components = 2
	other = opened(t, sh, parts)
	other.run()
	if st := other.s.State(); st.Separation.Swept || st.Transport.Result == nil {
		t.Errorf("of two components: %+v", st.Separation)
	}
	// No list: a tree none the less. Another finder meanwhile: no cut.
	for name, act := range map[string]func(r *rig, sweep uint32){
		"failed":    func(r *rig, sweep uint32) { r.answer(sweep, &job.Failed{Kind: "input", Message: "none"}) },
		"cancelled": func(r *rig, sweep uint32) { r.answer(sweep, &job.Cancelled{}) },
		"overruled": func(r *rig, sweep uint32) { r.s.Finder("level-set") },
	} {
		other = opened(t, sh, grid(9, 7))
		id, _ := one[*job.Load](other)
		other.answer(id, other.mesh)
		out := other.take()
		act(other, out[slices.IndexFunc(out, func(q job.Request) bool { _, is := q.Body.(*job.Sweep); return is })].ID)
		out = other.take()
		if len(out) != 1 {
			t.Fatalf("%s: %v", name, kinds(out))
		}
		if b, ok := out[0].Body.(*job.Separate); !ok || b.Root != nil {
			t.Errorf("%s: %v", name, kinds(out))
		}
		if got := link(other.s); strings.Contains(got, "cut=") {
			t.Errorf("%s: the link keeps the cut: %s", name, got)
		}
	}
}

// What a link says and the page does not show is said among the mesh's warnings, before and after the mesh is examined.
func TestOddLinks(t *testing.T) {
	for text, want := range map[string]string{
		"epsilon=0.1":      `"epsilon", which this page does not know`,
		"eps=0.1&eps=0.2":  `"eps" twice`,
		"brush=9,0.5":      "brush radius is 9, not between",
		"brush=1e-9,0.5":   "brush radius is 1e-09, not between",
		"speed=1000":       "playback speed is 1000, not between",
		"kernel=bar":       `The link's kernel is "bar", which this page does not know: exp is taken.`,
		"method=smoke":     `The link's method is "smoke", which this page does not know: auto is taken.`,
		"mass=smoke":       `"smoke", which this page does not know: particles is taken`,
		"level=999":        "separator level is 999, the deepest here is",
		"cut=3.5":          "The link's separation is not in this mesh's list",
		"level=1&eps=0.05": "",
	} {
		r := opened(t, parse(t, text), grid(9, 7))
		r.run()
		said := strings.Join(r.s.State().Mesh.Warnings, " ")
		if want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("%s: the page says %q, want %q", text, said, want)
		}
		r.s.OpenFile("spot.obj", nil, nil, "")
		r.run()
		if said := r.s.State().Mesh.Warnings; len(said) > 0 {
			t.Errorf("%s: of the next mesh the page says %q", text, said)
		}
	}
	if sn := parse(t, strings.Repeat("x=1&", 100)); len(sn.Odd) > 10 {
		t.Errorf("%d sentences about one link", len(sn.Odd))
	}
}

func TestLinkToAGenerator(t *testing.T) {
	s := New()
	s.OpenGenerated("torus", []job.Param{{Name: "major radius", Value: 1.5}, {Name: "n", Value: 40}})
	for _, q := range s.Outbox() {
		s.Handle(job.Event{ID: q.ID, Body: grid(3, 3)})
	}
	sh := parse(t, "#"+link(s))
	if sh.Kind != "torus" || !reflect.DeepEqual(sh.Params, []job.Param{{Name: "major radius", Value: 1.5}, {Name: "n", Value: 40}}) {
		t.Errorf("%+v", sh)
	}
}

// What the page cannot show is among the warnings, and the nearest that it can show stands in its place. A session without a mesh is refused.
func TestSessionsOutOfRange(t *testing.T) {
	for text, says := range map[string]string{
		"eps=1e-9": "epsilon is 1e-09, not between", "eps=7": "epsilon is 7, not between", "delta=1": "delta is 1, not between",
		"cam=py,0,0,0,0,0,0": "camera is out of range", "cam=py,0,9,1,0,0,0": "camera is out of range", "cam=py,2e3,0,1,0,0,0": "camera is out of range",
	} {
		other := opened(t, parse(t, text), grid(9, 7))
		other.run()
		st := other.s.State()
		if e := st.Transport.Epsilon; !strings.Contains(strings.Join(st.Mesh.Warnings, "\n"), says) || !(e >= MinEpsilon && e <= MaxEpsilon) || !(st.Transport.Delta <= MaxDelta) || !other.s.View.Camera().Pose().Valid() {
			t.Errorf("%q: warnings %q, %+v", text, st.Mesh.Warnings, st.Transport)
		}
	}
	r := ready(t)
	before, _ := json.Marshal(r.s.State())
	err := r.s.OpenSession(parse(t, ""))
	if after, _ := json.Marshal(r.s.State()); err == nil || len(r.take()) > 0 || !bytes.Equal(after, before) {
		t.Errorf("a session without a mesh: %v, or it changes the page", err)
	}
}

// serve answers whatever the scene asks with a real engine, but for what a
// painting has no use for.
func serve(s *Scene, e *engine.Engine) {
	for out := s.Outbox(); len(out) > 0; out = s.Outbox() {
		for _, q := range out {
			switch q.Body.(type) {
			case *job.Separate, *job.Solve, *job.Flow, *job.Partners:
				continue
			}
			e.Run(context.Background(), q, s.Handle)
		}
	}
}

// kept is the session of a page as another page reads it from a file.
func kept(t *testing.T, s *Scene) *session.Session {
	t.Helper()
	sn, complete := s.Session()
	if !complete {
		t.Fatal("the session is incomplete")
	}
	back, err := session.Decode(session.Encode(sn))
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// A painting is the same on another page, bit for bit, and so is every state
// that undo and redo lead to; by link the same without those.
func TestPaintingComesBack(t *testing.T) {
	s, e := New(), engine.New(engine.Options{})
	s.OpenGenerated("sphere", []job.Param{{Name: "frequency", Value: 8}})
	serve(s, e)
	stroke := func(tool Tool, radius, strength float64, through ...int32) {
		s.BrushTool(tool)
		s.BrushRadius(radius)
		s.Brush.Strength(strength)
		s.StrokeBegin(through[0])
		for _, v := range through[1:] {
			s.StrokeMove(v)
			serve(s, e)
		}
		s.BrushRadius(0.4) // the stroke keeps its own
		s.StrokeEnd()
		serve(s, e)
	}
	check := func(what string) {
		t.Helper()
		other, engine := New(), engine.New(engine.Options{})
		if err := other.OpenSession(kept(t, s)); err != nil {
			t.Fatal(err)
		}
		if _, complete := other.Session(); complete {
			t.Errorf("%s: a session that is being opened may be kept", what)
		}
		serve(other, engine)
		if !same(snapshot(other), snapshot(s)) {
			t.Fatalf("%s: the densities are others", what)
		}
		a, b := s.State(), other.State()
		a.Densities.Tool = ToolNone // in nobody's hand yet
		if a.Densities != b.Densities || a.View != b.View || a.Transport.Method != b.Transport.Method || a.Transport.Epsilon != b.Transport.Epsilon || a.Transport.Delta != b.Transport.Delta || a.Transport.Levels != b.Transport.Levels {
			t.Errorf("%s: %+v\nwas %+v", what, b.Densities, a.Densities)
		}
		if x, y := link(s), link(other); x != y {
			t.Errorf("%s: the link is %s, was %s", what, y, x)
		}
		redo, undo := a.Densities.Redo, a.Densities.Undo
		for range redo {
			s.Redo()
			other.Redo()
			if !same(snapshot(other), snapshot(s)) {
				t.Fatalf("%s: redo leads elsewhere", what)
			}
		}
		for range redo + undo {
			s.Undo()
			other.Undo()
			if !same(snapshot(other), snapshot(s)) {
				t.Fatalf("%s: undo leads elsewhere", what)
			}
		}
		for range undo {
			s.Redo()
		}
		// By link.
		text, whole := func() (string, bool) { sn, _ := s.Session(); return sn.Link() }()
		if !whole {
			return
		}
		third := New()
		if err := third.OpenSession(parse(t, text)); err != nil {
			t.Fatal(err)
		}
		serve(third, engine)
		if !same(snapshot(third), snapshot(s)) {
			t.Fatalf("%s: by link the densities are others", what)
		}
		if d := third.State().Densities; d.Undo != 0 || d.Redo != 0 {
			t.Errorf("%s: a link carries a way back: %+v", what, d)
		}
	}
	check("as it opened")
	s.Epsilon(0.05)
	s.Method("certified")
	s.Delta(0.02)
	s.Levels(5)
	s.View.Wireframe(true)
	s.View.Split(false)
	s.Playback.Show(MassDensity)
	stroke(ToolSource, 0.08, 0.7, 3, 4, 5, 200)
	stroke(ToolErase, 0.2, 0.9, 30, 300)
	check("two strokes")
	s.Swap()
	s.Preset("two-spots")
	serve(s, e)
	stroke(ToolTarget, 0.05, 0.3, 20, 21)
	s.Undo()
	s.Undo()
	check("undone")
	s.Clear()
	check("cleared")
	stroke(ToolSource, 0.05, 1, 100)
	for range 2 * maxUndo {
		s.Swap()
	}
	check("further than undo goes back")
	for s.State().Densities.Undo > 0 {
		s.Undo()
	}
	check("as far as undo goes back")
	// Long paintings become values.
	n := int32(s.Mesh.Vertices())
	for i := int32(0); i < 2*maxDabs; i += 300 {
		var through []int32
		for k := range int32(300) {
			through = append(through, (i+k*7)%n)
		}
		stroke(ToolTarget, 0.02, 0.5, through...)
	}
	sn, _ := s.Session()
	values := 0
	for _, step := range sn.Painting.Steps {
		if step.Kind == job.StepValues {
			values++
		}
	}
	if values != 2 {
		t.Errorf("after %d dabs the densities themselves were kept %d times", 2*maxDabs, values)
	}
	check("a long painting")
}

// A painting that is not of this mesh is refused in a sentence, and the mesh
// has the densities that every mesh begins with.
func TestPaintingOfAnotherMesh(t *testing.T) {
	s, e := New(), engine.New(engine.Options{})
	err := s.OpenSession(&session.Session{Kind: "sphere", Level: -1, Painting: &session.Painting{Vertices: 7, Steps: []job.Step{{Kind: job.StepClear}}, Now: 1}})
	if err != nil {
		t.Fatal(err)
	}
	serve(s, e)
	if st := s.State(); !strings.Contains(st.Error, "mesh of 7 vertices") || st.Densities.Preset != "paper" || st.Densities.Source == 0 {
		t.Errorf("%q, %+v", st.Error, st.Densities)
	}
	// One that the person stopped is not thrown away by keeping what is there.
	sn := &session.Session{Kind: "sphere", Level: -1, Painting: &session.Painting{Vertices: 162, Steps: []job.Step{{Kind: job.StepClear}}, Now: 1}}
	r := opened(t, sn, grid(9, 7))
	id, _ := one[*job.Generate](r)
	r.answer(id, r.mesh)
	for _, q := range r.take() {
		if _, ok := q.Body.(*job.Paint); ok {
			r.answer(q.ID, &job.Cancelled{})
		}
	}
	if _, complete := r.s.Session(); complete {
		t.Error("densities that were not made anew may be kept in their place")
	}
	r.s.Clear()
	if _, complete := r.s.Session(); !complete {
		t.Error("new densities may not be kept")
	}
}

// A link brings back the task and the section; a task that nobody knows is named, and another taken.
func TestTaskComesBack(t *testing.T) {
	for _, task := range []Task{TaskTransport, TaskSeparators, TaskTreewidth, TaskInspect} {
		r := ready(t)
		r.s.OpenFile("spot.obj", nil, nil, "spot.obj")
		r.run()
		r.s.Task(task)
		if task == TaskInspect {
			r.s.View.Section("view", 0.25)
		}
		text := link(r.s)
		other := opened(t, parse(t, text), grid(9, 7))
		other.run()
		a, b := r.s.State(), other.s.State()
		if b.Task != task || a.View.Section != b.View.Section || link(other.s) != text {
			t.Errorf("%s: %s comes back as %s, section %+v, %s", task, text, b.Task, b.View.Section, link(other.s))
		}
	}
	other := opened(t, parse(t, "mesh=a&task=cooking"), grid(9, 7))
	other.run()
	if st := other.s.State(); st.Task != TaskTransport || !strings.Contains(strings.Join(st.Mesh.Warnings, "\n"), `task "cooking"`) {
		t.Errorf("task %s, warnings %q", st.Task, st.Mesh.Warnings)
	}
	for _, bad := range []string{"section=w,0.5", "section=x", "section=x,2", "section=,0.5"} {
		if sn := parse(t, bad); sn.Section != (session.Section{}) || len(sn.Odd) != 1 {
			t.Errorf("%s is taken: %+v", bad, sn)
		}
	}
}
