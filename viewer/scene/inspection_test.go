package scene

import (
	"testing"

	"genussink/core/job"
	"genussink/viewer/pick"
)

// on is a click's place at a vertex.
func on(vertex int32) pick.Hit {
	hit := pick.Nothing()
	hit.Vertex = vertex
	return hit
}

func TestHoverAsksOneAtATime(t *testing.T) {
	r := ready(t)
	r.s.Hover(4)
	id, p := one[*job.Partners](r)
	if p.Vertex != 4 {
		t.Errorf("asks for %d", p.Vertex)
	}
	for v := int32(5); v < 20; v++ {
		r.s.Hover(v)
	}
	if got := r.take(); len(got) != 0 {
		t.Fatalf("more than one under way: %v", kinds(got))
	}
	r.answer(id, &job.Partnered{Vertex: 4, Vertices: []int32{1}, Mass: []float64{1}, Total: 1})
	id, p = one[*job.Partners](r)
	if p.Vertex != 19 {
		t.Errorf("asks for %d, the pointer is on 19", p.Vertex)
	}
	r.answer(id, &job.Partnered{Vertex: 19, Vertices: []int32{2, 3}, Mass: []float64{0.2, 0.1}, Total: 0.3})
	h := r.s.State().Hover
	if h == nil || h.Vertex != 19 || len(h.Partners) != 2 || h.Total != 0.3 {
		t.Fatalf("hover %+v", h)
	}
	if got := len(r.s.Markers(nil)); got != 3 {
		t.Errorf("%d markers", got)
	}
	for _, task := range []Task{TaskSeparators, TaskTreewidth, TaskInspect} { // whose colours mean something else
		if r.s.Task(task); len(r.s.Markers(nil)) > 1 {
			t.Errorf("%s shows partners: %v", task, r.s.Markers(nil))
		}
	}
	r.s.Task(TaskTransport)
	r.s.Click(on(19))
	r.s.Hover(2)
	if h = r.s.State().Hover; h.Vertex != 19 || !h.Focused {
		t.Errorf("the focus does not hold: %+v", h)
	}
	r.s.Click(on(19))
	if h = r.s.State().Hover; h.Vertex != 2 || h.Focused {
		t.Errorf("a second click does not let go: %+v", h)
	}
}
