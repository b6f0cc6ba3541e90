package scene

import (
	"math"
	"testing"

	"genussink/core/job"
)

// field checks what the panel shows of a field: its values' ends, or why there are none.
func (r *rig) field(f Field, least, most float64, missing string) {
	r.t.Helper()
	r.s.ShowField(f)
	st := r.s.State().Field
	if st.Name != f || st.Shown != (missing == "") || st.Missing != missing || st.Least != least || st.Most != most {
		r.t.Errorf("%s: %+v, want %g to %g, %q", f, st, least, most, missing)
	}
	if shown := r.s.Showing().Fill == FillField; shown != st.Shown {
		r.t.Errorf("%s: the colours show it: %v", f, shown)
	}
}

func TestFields(t *testing.T) {
	r := ready(t) // 9 by 7
	r.run()
	r.s.Task(TaskInspect)

	// Distances are from the vertex that is clicked. Those before stand until the new ones are there.
	r.field(FieldDistance, 0, 0, "Click a vertex: distances are measured from it.")
	r.s.Click(on(0))
	id, b := one[*job.Brush](r)
	if b.Center != 0 || !math.IsInf(b.Radius, 1) {
		t.Errorf("asked: %+v", b)
	}
	r.field(FieldDistance, 0, 0, "Measuring the distances…")
	r.answer(id, r.ball(b))
	r.field(FieldDistance, 0, 14, "")
	r.s.Hover(9)
	ask, _ := one[*job.Partners](r)
	r.answer(ask, &job.Partnered{Vertex: 9, Vertices: []int32{2}, Mass: []float64{1}, Total: 1})
	if m := r.s.Markers(nil); len(m) != 2 || m[0].Vertex != 0 || m[1].Vertex != 9 { // no partners
		t.Errorf("marked: %+v", m)
	}
	r.s.Hover(-1)
	r.s.Click(on(4))
	id, b = one[*job.Brush](r)
	if st := r.s.State().Field; !st.Shown || st.Vertex != 4 {
		t.Errorf("while they are measured anew: %+v", st)
	}
	far := r.ball(b)
	far.Vertices, far.Distances, far.Before = far.Vertices[:62], far.Distances[:62], far.Before[:62] // one is out of reach
	r.answer(id, far)
	if st := r.s.State().Field; st.Without != 1 || !math.IsNaN(r.s.Inspection.Values()[62]) {
		t.Errorf("out of reach: %+v", st)
	}
	r.s.Click(on(-1))
	if len(r.take()) != 0 {
		t.Error("a click beside the mesh asks")
	}

	r.field(FieldLevel, 0, 3, "")
	r.field(FieldSource, 0, 1, "")
	r.s.Clear()
	r.field(FieldTarget, 0, 0, "The target has no mass.")
	r.s.Undo()
	r.field(FieldTarget, 0, 1, "")

	// The displacement is the plan's, and the next plan has another.
	r.s.ShowField(FieldDisplacement)
	id, _ = one[*job.Centres](r)
	r.field(FieldDisplacement, 0, 0, "Finding the displacement…")
	centres := &job.Centred{Positions: append([]float64{}, r.mesh.Positions...)}
	centres.Positions[0], centres.Positions[1] = 3, 4
	r.answer(id, centres)
	r.field(FieldDisplacement, 5, 5, "")
	if st := r.s.State().Field; st.Without != 62 || st.From != 0 {
		t.Errorf("where nothing is sent there is no displacement: %+v", st)
	}
	r.s.Solve()
	id, _ = one[*job.Solve](r)
	r.answer(id, &job.Solved{Solution: job.Solution{Status: job.Converged, Cost: 2}})
	asked := 0
	for _, q := range r.take() {
		if _, ok := q.Body.(*job.Centres); ok {
			asked++
			r.field(FieldDisplacement, 0, 0, "Finding the displacement…")
			r.answer(q.ID, &job.Failed{Message: "no"})
		}
	}
	if st := r.s.State(); asked != 1 || st.Field.Name != FieldNone || st.Error == "" {
		t.Errorf("asked %d times, then %+v, %q", asked, st.Field, st.Error)
	}

	// A brush puts the field away, and a field the brush.
	r.s.BrushTool(ToolSource)
	r.field(FieldSource, 0, 1, "")
	if r.s.Brush.Tool() != ToolNone {
		t.Error("the brush paints under the field")
	}
	r.s.Task(TaskTransport)
	if r.s.State().Field.Name != FieldNone {
		t.Error("the field is another task's")
	}
}

func TestMissingFields(t *testing.T) {
	r := newRig(t, &job.Loaded{Name: "edge", Positions: []float64{0, 0, 0, 1, 0, 0}, Edges: []int32{0, 1}, Report: job.Report{Vertices: 2, Edges: 1}})
	for _, q := range r.take() {
		r.answer(q.ID, r.mesh)
	}
	r.s.Task(TaskInspect)
	r.take()
	r.field(FieldLevel, 0, 0, "There is no separator tree yet.")
	r.field(FieldDisplacement, 0, 0, "Nothing is solved yet: press Solve.")
	r.field(FieldMean, 0, 0, "The mesh is being inspected…")
	id, _ := one[*job.Inspect](r)
	r.answer(id, &job.Inspected{Degrees: []float64{1, 1}})
	r.field(FieldMean, 0, 0, "A graph without faces has no curvature.")
	r.field(FieldDegree, 1, 1, "")

	// What does not fit the mesh is not shown.
	r.s.ShowField(FieldDistance)
	r.s.Click(on(1))
	id, _ = one[*job.Brush](r)
	r.answer(id, &job.Brushed{Center: 1, Vertices: []int32{7}, Distances: []float64{0}})
	if st := r.s.State(); st.Field.Shown || st.Error == "" {
		t.Errorf("%+v, %q", st.Field, st.Error)
	}
}
