package scene

import (
	"slices"
	"strings"
	"testing"

	"genussink/core/job"
)

// A mesh is shown as soon as it is read: its separators and densities are asked for at once, and what is found
// about its topology later does not start anything again.
func TestPictureBeforeTopology(t *testing.T) {
	r := newRig(t, grid(9, 7))
	id, _ := one[*job.Generate](r)
	r.answer(id, &job.Progress{Stage: "load", Fraction: 0.5})
	r.s.Handle(job.Event{ID: id, Body: &job.Opened{Name: "grid", Format: "test", Positions: r.mesh.Positions, Faces: r.mesh.Faces, Diagonal: 10}})
	st := r.s.State()
	if !st.Ready || st.Phase != PhaseComputing || st.Error != "" || r.s.Mesh.Mesh == nil {
		t.Fatalf("after Opened: %s, ready %v, %q", st.Phase, st.Ready, st.Error)
	}
	if m := st.Mesh; m.Examined || m.Vertices != 63 || m.Faces != 96 || len(r.s.Mesh.Edges()) != 2*158 || m.Diagonal != 10 || m.Name != "grid" {
		t.Errorf("mesh after Opened %+v", m)
	}
	if r.s.Hover(5); r.s.State().Hover == nil {
		t.Error("nothing to be inspected after Opened")
	}
	shown := r.s.Mesh.Revision()
	measure, _ := one[*job.Measure](r)
	r.s.Drawn() // the tree waits for the picture
	separate, _ := one[*job.Separate](r)
	r.s.Drawn()
	if out := r.take(); len(out) != 0 {
		t.Fatalf("after the second picture: %v", kinds(out))
	}
	r.answer(separate, &job.Progress{Stage: "tree", Fraction: 0.25})
	r.answer(id, &job.Progress{Stage: "topology", Fraction: 0.5})
	if st := r.s.State(); st.Stage != "tree" || st.Fraction != 0.25 {
		t.Errorf("progress of %s, %g: want the tree's", st.Stage, st.Fraction)
	}
	report := r.mesh.Report
	report.Genus, report.Components = 3, 2
	r.answer(id, &job.Loaded{Name: "grid", Format: "test", Positions: r.mesh.Positions, Faces: r.mesh.Faces, Report: report})
	if out := r.take(); len(out) != 0 || r.s.Mesh.Revision() != shown {
		t.Errorf("the report asks for %v, mesh revision %d after %d", kinds(out), r.s.Mesh.Revision(), shown)
	}
	if m := r.s.State().Mesh; !m.Examined || m.Genus != 3 || m.Components != 2 {
		t.Errorf("mesh after Loaded %+v", m)
	}
	r.answer(separate, tree(63, 3))
	density := make([]float64, 63)
	density[3] = 1
	r.answer(measure, &job.Measured{Preset: "paper", Source: density, Target: density})
	one[*job.Solve](r)
}

// Another mesh takes the place of one that is still being examined, whose report then says nothing.
func TestReportOfAMeshThatIsGone(t *testing.T) {
	r := newRig(t, grid(9, 7))
	id, _ := one[*job.Generate](r)
	r.answer(id, &job.Opened{Name: "first", Positions: r.mesh.Positions, Faces: r.mesh.Faces})
	r.s.OpenGenerated("other", nil)
	r.answer(id, r.mesh)
	if st := r.s.State(); st.Mesh.Name != "first" || st.Mesh.Examined || st.Phase != PhaseLoading {
		t.Errorf("a report that was called off: %+v, %s", st.Mesh, st.Phase)
	}
	// One that is no mesh is an error, and leaves the one before.
	next := r.take()
	r.answer(next[len(next)-1].ID, &job.Opened{Positions: []float64{1}})
	if st := r.s.State(); st.Phase != PhaseError || st.Mesh.Name != "first" {
		t.Errorf("no mesh: %s, %q", st.Phase, st.Mesh.Name)
	}
}

// What was cancelled while the topology is examined does not begin when it is known.
func TestReportStartsNothing(t *testing.T) {
	r := newRig(t, grid(9, 7))
	id, _ := one[*job.Generate](r)
	r.answer(id, &job.Opened{Name: "grid", Positions: r.mesh.Positions, Faces: r.mesh.Faces})
	out := r.take()
	density := make([]float64, 63)
	density[3] = 1
	r.answer(out[1].ID, &job.Measured{Preset: "paper", Source: density, Target: density})
	r.s.Cancel()
	r.take()
	r.answer(id, r.mesh)
	if out := r.take(); len(out) != 0 || !r.s.State().Mesh.Examined {
		t.Errorf("after a cancel the report asks for %v", kinds(out))
	}
}

// A graph without faces is shown as soon as it is read, too.
func TestGraphBeforeReport(t *testing.T) {
	s := New()
	s.OpenFile("a.gr", nil, nil, "")
	id := s.flight.asked[toOpen].id
	positions, edges := []float64{0, 0, 0, 1, 0, 0, 0, 1, 0}, []int32{0, 1, 1, 2}
	s.Handle(job.Event{ID: id, Body: &job.Opened{
		Name: "a.gr", Graph: true, Flat: true, Positions: positions, Edges: edges, Lengths: []float64{1, 1}, Timings: []job.Timing{{Stage: "layout"}},
	}})
	if m := s.State().Mesh; !m.Graph || !m.Flat || !m.Laid || m.Examined || m.Edges != 2 || m.Vertices != 3 {
		t.Errorf("after Opened %+v", m)
	}
	s.Handle(job.Event{ID: id, Body: &job.Loaded{Name: "a.gr", Flat: true, Report: job.Report{Vertices: 3, Edges: 2, Components: 1}}})
	if m := s.State().Mesh; !m.Graph || !m.Flat || !m.Laid || !m.Examined || m.Edges != 2 {
		t.Errorf("after Loaded %+v", m)
	}
}

// How a mesh is shaded is asked for once nothing has been under way for a while, and once only. What does not fit the mesh is not shown.
func TestShade(t *testing.T) {
	asked := func(s *Scene) (id uint32) {
		for range 10 {
			s.Tick(0.1)
			for _, q := range s.Outbox() {
				if _, ok := q.Body.(*job.Shade); ok {
					id = q.ID
				}
			}
		}
		return id
	}
	shaded := func(m *Mesh) *job.Shaded {
		e := &job.Shaded{Faces: slices.Clone(m.Faces), Doubles: []int32{m.Faces[0]}}
		e.Faces[0] = int32(m.Vertices())
		e.Normals, e.Open = make([]float32, 3*(m.Vertices()+1)), make([]float32, m.Vertices()+1)
		return e
	}
	r := ready(t)
	r.s.Outbox()
	if r.s.Tick(idleSeconds / 2); len(r.s.Outbox()) != 0 {
		t.Error("asked at once")
	}
	id := asked(r.s)
	if id == 0 || r.s.Phase() == PhaseComputing {
		t.Fatalf("request %d, phase %s", id, r.s.Phase())
	}
	if r.s.Mesh.Shading() != nil || r.s.Mesh.Shade() != 0 {
		t.Error("shaded before the answer")
	}
	e := shaded(r.s.Mesh.Mesh)
	for v := range e.Open {
		e.Open[v] = 1
	}
	e.Open[3] = 0.25
	r.s.Task(TaskInspect)
	r.field(FieldOcclusion, 0, 0, "Looking at the mesh from all sides…")
	r.answer(id, e)
	r.field(FieldOcclusion, 0, 0.75, "")
	if hidden := r.s.Inspection.Values(); hidden[3] != 0.75 || hidden[4] != 0 {
		t.Errorf("hidden are %v", hidden[3:5])
	}
	r.s.Task(TaskTransport)
	r.s.Tick(easeSeconds / 2)
	if half := r.s.Mesh.Shade(); r.s.Mesh.Shading() != e || half <= 0 || half >= 1 {
		t.Errorf("in between: %g", half)
	}
	if r.s.Tick(easeSeconds); r.s.Mesh.Shade() != 1 {
		t.Errorf("at the end: %g", r.s.Mesh.Shade())
	}
	if asked(r.s) != 0 {
		t.Error("asked again")
	}
	for what, harm := range map[string]func(e *job.Shaded){
		"a face less":           func(e *job.Shaded) { e.Faces = e.Faces[3:] },
		"another vertex":        func(e *job.Shaded) { e.Faces[0] = e.Faces[1] },
		"a vertex too many":     func(e *job.Shaded) { e.Faces[0] += 5 },
		"a negative vertex":     func(e *job.Shaded) { e.Faces[0] = -1 },
		"the double of nothing": func(e *job.Shaded) { e.Doubles[0] = int32(r.s.Mesh.Vertices()) },
		"a normal less":         func(e *job.Shaded) { e.Normals = e.Normals[3:] },
		"no openness":           func(e *job.Shaded) { e.Open = nil },
	} {
		r := ready(t)
		id := asked(r.s)
		e := shaded(r.s.Mesh.Mesh)
		harm(e)
		if r.answer(id, e); r.s.State().Error == "" || r.s.Mesh.Shading() != nil {
			t.Errorf("%s: %q", what, r.s.State().Error)
		}
		if asked(r.s) != 0 {
			t.Errorf("%s: asked again", what)
		}
	}
	r = ready(t)
	id = asked(r.s)
	r.answer(id, &job.Failed{Kind: "exhausted", Message: "no room"})
	if r.s.State().Error != "" || asked(r.s) != 0 {
		t.Errorf("a picture without shade is no failure: %q", r.s.State().Error)
	}
}

// A mesh's unit is what its format says or a person has named, and a session keeps the latter.
func TestUnit(t *testing.T) {
	r := ready(t)
	if r.s.Unit("cm"); r.s.State().Mesh.Unit != "cm" {
		t.Errorf("the unit is %q", r.s.State().Mesh.Unit)
	}
	sn, _ := r.s.Session()
	if sn.Unit != "cm" {
		t.Errorf("the session has %q", sn.Unit)
	}
	sn.Painting = nil
	if err := r.s.OpenSession(sn); err != nil {
		t.Fatal(err)
	}
	if r.run(); r.s.Mesh.Unit() != "cm" {
		t.Errorf("opened again the unit is %q", r.s.Mesh.Unit())
	}
	if r.s.Unit(" " + strings.Repeat("µ", 20)); r.s.Mesh.Unit() != strings.Repeat("µ", 16) {
		t.Errorf("a long unit: %q", r.s.Mesh.Unit())
	}
	r.s.Unit("")
	if sn, _ := r.s.Session(); sn.Unit != "" || r.s.Mesh.Unit() != "" {
		t.Errorf("without a unit: %q, %q", sn.Unit, r.s.Mesh.Unit())
	}
	r.mesh.Format = "glb"
	r.s.OpenGenerated("grid", nil)
	if r.run(); r.s.Mesh.Unit() != "m" {
		t.Errorf("of glTF: %q", r.s.Mesh.Unit())
	}
}

// What nobody waits for gives way to what a person wants, and to Cancel. It comes back later.
func TestShadeGivesWay(t *testing.T) {
	for what, do := range map[string]func(s *Scene){"Solve": (*Scene).Solve, "Cancel": (*Scene).Cancel} {
		r := ready(t)
		asked, ended := map[uint32]bool{}, map[uint32]bool{}
		tick := func() {
			for range 10 {
				r.s.Tick(0.1)
				for _, q := range r.s.Outbox() {
					switch q.Body.(type) {
					case *job.Shade, *job.Mirror:
						asked[q.ID] = true
					}
				}
			}
		}
		tick()
		first := len(asked)
		if first == 0 {
			t.Fatalf("%s: nothing is under way", what)
		}
		do(r.s)
		r.s.Tick(0.1)
		for _, q := range r.s.Outbox() {
			switch b := q.Body.(type) {
			case *job.Cancel:
				ended[b.Request] = true
			case *job.Solve:
				r.answer(q.ID, &job.Cancelled{})
			}
		}
		for id := range asked {
			if !ended[id] {
				t.Errorf("%s leaves request %d under way", what, id)
			}
		}
		if r.s.Mesh.Shading() != nil || r.s.State().Error != "" {
			t.Errorf("%s: %q", what, r.s.State().Error)
		}
		if tick(); len(asked) <= first {
			t.Errorf("%s: not asked for again", what)
		}
	}
}
