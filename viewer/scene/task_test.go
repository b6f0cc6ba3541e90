package scene

import "testing"

// Each task shows what it is about, and nothing of the others. The engine is asked nothing when a person turns to one.
func TestTasks(t *testing.T) {
	r, id := inspecting(t)
	r.answer(id, findings(r.s.Mesh.Mesh))
	r.s.FocusVertex(-1)
	for _, c := range []struct {
		task    Task
		fill    Fill
		dense   bool
		defects int
	}{
		{TaskTransport, FillPlain, true, 0}, {TaskSeparators, FillSeparation, false, 0}, {TaskTreewidth, FillPlain, false, 0},
		{TaskInspect, FillPlain, false, 7}, {TaskTransport, FillPlain, true, 0},
	} {
		pose := r.s.View.Camera().Goal()
		r.s.Task(c.task)
		on := r.s.Showing()
		if on.Fill != c.fill || on.Densities != c.dense || on.Mass != AtRest && !c.dense || len(r.s.Inspection.Lines()) != c.defects {
			t.Errorf("%s shows %+v and %d defects", c.task, on, len(r.s.Inspection.Lines()))
		}
		if r.s.State().Task != c.task || r.s.View.Camera().Goal() != pose || len(r.take()) != 0 {
			t.Errorf("%s: the task is %s, the camera moves or something is asked", c.task, r.s.State().Task)
		}
	}
	// What was looked at in one task is let go in the next.
	r.s.Task(TaskSeparators)
	r.s.FocusCell(0)
	r.s.Task(TaskTransport)
	if r.s.Faded() != nil || r.s.State().Separation.Cell != -1 {
		t.Error("a cell is still in focus")
	}
	r.s.Task(TaskInspect)
	r.s.ShowField(FieldMean)
	r.s.Task(TaskTransport)
	if r.s.Showing().Fill != FillPlain {
		t.Error("a field still colours the mesh")
	}
	if r.s.Task("cooking"); r.s.State().Task != TaskTransport {
		t.Error("a task that there is not")
	}
}
