package scene

import (
	"math"
	"reflect"
	"testing"

	"genussink/core/job"
	"genussink/viewer/colormap"
)

// findings are what an engine might find out about the mesh of ready.
func findings(m *Mesh) *job.Inspected {
	n := m.Vertices()
	e := &job.Inspected{
		BoundaryLoops:    []job.Loop{{Vertices: []int32{0, 1, 2, 0}}, {Vertices: []int32{3, 4, 3}}},
		NonmanifoldEdges: []int32{1, 2}, FlippedFaces: []int32{1}, IsolatedVertices: []int32{5}, SmallComponents: []job.Component{{Vertices: []int32{6, 7, 8}}},
		Edges: []int32{0, 1, 1, 2, 0, 2, 6, 7, 7, 8}, EdgeLengths: []float64{1, 2, 3, 4, 5}, AspectRatios: []float64{1, math.Inf(1)},
		Degrees: make([]float64, n), Mean: make([]float64, n), Gaussian: make([]float64, n),
	}
	for v := range n {
		e.Degrees[v], e.Mean[v], e.Gaussian[v] = float64(3+v%3), float64(v), 1
	}
	e.Mean[0] = math.NaN()
	return e
}

// inspecting is a scene that awaits its findings.
func inspecting(t *testing.T) (r *rig, id uint32) {
	t.Helper()
	r = ready(t)
	r.run()
	r.s.Task(TaskInspect)
	r.s.Inspect()
	id, _ = one[*job.Inspect](r)
	return r, id
}

func TestInspect(t *testing.T) {
	r, id := inspecting(t)
	if f := r.s.State().Findings; !f.Running || f.Known {
		t.Errorf("asked: %+v", f)
	}
	r.answer(id, findings(r.s.Mesh.Mesh))
	f := r.s.State().Findings
	if f.Running || !f.Known || !f.Shown || !reflect.DeepEqual(f.Counts, []int{2, 1, 0, 0, 1, 1, 1}) {
		t.Fatalf("found: %+v", f)
	}
	if n := len(r.s.Inspection.Lines()); n != 7 { // two of them are a component's edges
		t.Errorf("%d defects are drawn", n)
	}
	if r.s.Inspect(); len(r.take()) != 0 {
		t.Error("what is known is asked again")
	}

	// One is looked at: the camera flies there, and it is drawn above all others.
	before := r.s.View.Camera().Goal()
	r.s.LookAt(FlippedFace, 0)
	after, face := r.s.View.Camera().Goal(), r.s.Mesh.Faces[3:6]
	if before == after || after.Size >= before.Size {
		t.Errorf("the camera stays at %+v", after)
	}
	lines := r.s.Inspection.Lines()
	if last := lines[len(lines)-1]; len(lines) != 7 || !last.Strong || !reflect.DeepEqual(last.Vertices, []int32{face[0], face[1], face[2], face[0]}) || last.Color != colormap.Defect(int(FlippedFace)) {
		t.Errorf("drawn: %+v", lines)
	}
	if r.s.ShowDefects(false); len(r.s.Inspection.Lines()) != 1 {
		t.Error("the one that is looked at is not drawn alone")
	}
	if r.s.LookAt(FlippedFace, 7); len(r.s.Inspection.Lines()) != 0 || r.s.State().Findings.Item != -1 {
		t.Error("a defect that there is not is looked at")
	}

	// Around a component that is looked at all else is faded.
	colors := append([]colormap.RGB{}, r.s.Colors()...)
	r.s.View.ReducedMotion(true)
	r.s.LookAt(SmallComponent, 0)
	if lines := r.s.Inspection.Lines(); len(lines) != 2 || !lines[1].Strong || !reflect.DeepEqual(lines[1].Vertices, []int32{7, 8}) {
		t.Errorf("a component is drawn by %+v", lines)
	}
	if faded := r.s.Faded(); faded[7] || !faded[9] || r.s.Colors()[9] == colors[9] || r.s.Colors()[7] != colors[7] {
		t.Errorf("faded: %v", faded)
	}
	if r.s.LookAt(SmallComponent, -1); !reflect.DeepEqual(r.s.Colors(), colors) {
		t.Error("without it all is not as it was")
	}

	// A field is the one meaning of the colours; without it all is as it was.
	r.s.ShowField(FieldMean)
	if on := r.s.Showing(); on.Fill != FillField || on.Densities || on.Mass != AtRest {
		t.Errorf("shown: %+v", on)
	}
	last := r.s.Mesh.Vertices() - 1
	if shown := r.s.Colors(); shown[0] != colormap.Clay(r.s.View.Theme()) || shown[1] != colormap.Viridis(0) || shown[last] != colormap.Viridis(1) {
		t.Errorf("colours %v, %v, %v", shown[0], shown[1], shown[last])
	}
	if f := r.s.State().Field; f.Name != FieldMean || !f.Shown || f.Without != 1 || !(f.From >= 1 && f.To > f.From && f.To <= float64(last)) {
		t.Errorf("the scale: %+v", f)
	}
	r.s.ShowField(FieldGaussian) // the same everywhere
	if r.s.Colors()[3] != colormap.Viridis(0.5) {
		t.Error("a field that is the same everywhere has no colour of its own")
	}
	r.s.ShowField("height")
	if !reflect.DeepEqual(r.s.Colors(), colors) {
		t.Error("without a field the colours are others than before")
	}

	// Whoever plays or paints sees that.
	r.s.View.Flow(true)
	for what, do := range map[string]func(){"playing": r.s.Play, "a brush": func() { r.s.BrushTool(ToolSource) }} {
		r.s.ShowField(FieldMean)
		if do(); r.s.Showing().Fill == FillField {
			t.Errorf("a field hides what %s shows", what)
		}
	}

	// Another mesh has findings of its own.
	r.s.ShowField(FieldDegree)
	r.s.OpenFile("other.off", []byte("x"), nil, "")
	r.run()
	if st := r.s.State(); st.Field.Name != FieldNone {
		t.Errorf("the field of the mesh before: %+v", st.Field)
	}
	if f := r.s.State().Findings; f.Known || f.Item != -1 || len(r.s.Inspection.Lines()) != 0 {
		t.Errorf("of the mesh before: %+v", f)
	}
}

func TestMalformedFindings(t *testing.T) {
	for name, spoil := range map[string]func(*job.Inspected){
		"a loop out of the mesh":  func(e *job.Inspected) { e.BoundaryLoops[1].Vertices[0] = 1 << 20 },
		"half an edge":            func(e *job.Inspected) { e.NonmanifoldEdges = e.NonmanifoldEdges[:1] },
		"a face before all":       func(e *job.Inspected) { e.FlippedFaces[0] = -1 },
		"a component of none":     func(e *job.Inspected) { e.SmallComponents[0].Vertices = nil },
		"a component out of it":   func(e *job.Inspected) { e.SmallComponents[0].Vertices[0] = 1 << 20 },
		"an edge out of the mesh": func(e *job.Inspected) { e.Edges[0] = -1 },
		"too few degrees":         func(e *job.Inspected) { e.Degrees = e.Degrees[1:] },
		"too few curvatures":      func(e *job.Inspected) { e.Mean = e.Mean[1:] },
	} {
		r, id := inspecting(t)
		e := findings(r.s.Mesh.Mesh)
		spoil(e)
		r.answer(id, e)
		if st := r.s.State(); st.Findings.Known || st.Error == "" {
			t.Errorf("%s: %+v, %q", name, st.Findings, st.Error)
		}
	}
}

func TestHistogram(t *testing.T) {
	i := &Inspection{found: &job.Inspected{
		EdgeLengths: []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 10}, AspectRatios: []float64{math.Inf(1), 2, 2}, Degrees: []float64{3, 5, 5, 6},
	}}
	for q, want := range map[Quantity]Histogram{
		EdgeLength:  {From: 0, To: 10, Bins: []int{2, 2, 2, 2, 2}, Median: 5},
		AspectRatio: {From: 2, To: 2, Bins: []int{2}, Median: 2, Infinite: 1},
		Degree:      {From: 2.5, To: 6.5, Bins: []int{1, 0, 2, 1}, Median: 5},
		Angle:       {},
	} {
		if got := i.Histogram(q, 5); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", q, got, want)
		}
	}
	if got := i.Histogram(Degree, 3); len(got.Bins) != 3 || got.From != 3 {
		t.Errorf("more degrees than bins: %+v", got)
	}
}
