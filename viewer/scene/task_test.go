package scene

import (
	"testing"

	"genussink/viewer/timeline"
)

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
	r.s.Task(TaskTreewidth)
	studiedBag(r.s, func(TreewidthState) int { return -1 })
	r.s.Eliminate(timeline.To(10))
	if r.s.Showing().Fill != FillElimination {
		t.Fatal("no elimination is shown")
	}
	for _, task := range []Task{TaskTransport, TaskTreewidth} {
		if r.s.Task(task); r.s.Showing().Fill != FillPlain {
			t.Errorf("%s shows the elimination", task)
		}
	}
	// Every tool is put down.
	for tool, task := range map[Tool]Task{ToolSource: TaskTransport, ToolErase: TaskTransport, ToolGoes: TaskTransport, ToolMeasure: TaskInspect} {
		r.s.Task(task)
		r.s.BrushTool(tool)
		if r.s.Task(TaskSeparators); r.s.State().Densities.Tool != ToolNone {
			t.Errorf("%s is still in hand", tool)
		}
	}
	if r.s.Task("cooking"); r.s.State().Task != TaskSeparators {
		t.Error("a task that there is not")
	}
}

// Mass stands where it is not seen, and goes on where it is. Play shows it.
func TestMassStandsUnseen(t *testing.T) {
	r := ready(t)
	r.run()
	r.s.Play()
	r.s.Tick(0.2)
	if r.s.Task(TaskSeparators); r.s.State().Playback.Playing {
		t.Error("it plays unseen")
	}
	at := r.s.Playback.Position()
	r.s.Tick(0.2)
	if r.s.Task(TaskTransport); !r.s.State().Playback.Playing || r.s.Playback.Position() != at {
		t.Errorf("it does not go on: %+v, from %g", r.s.State().Playback, at)
	}
	r.s.Playback.Pause()
	r.s.Task(TaskInspect)
	if r.s.Task(TaskTransport); r.s.State().Playback.Playing {
		t.Error("what was paused plays")
	}
	r.s.Task(TaskInspect)
	if r.s.Play(); r.s.State().Task != TaskTransport || r.s.Showing().Mass != InMotion {
		t.Errorf("Play shows %+v", r.s.Showing())
	}
}

// Without densities nothing moves, and the legend says so. Painting again moves mass again.
func TestClearedMassIsGone(t *testing.T) {
	r := ready(t)
	r.run()
	r.s.Play()
	r.s.Clear()
	st := r.s.State()
	if on := r.s.Showing(); st.Playback.Playing || st.Playback.Available || on.Mass != AtRest || !st.Transport.Stale || r.s.Starting() {
		t.Errorf("cleared, it shows %+v, %+v, about to move %v", on, st.Playback, r.s.Starting())
	}
	for _, e := range st.Legend {
		if e.On {
			t.Errorf("the legend has %+v", e)
		}
	}
	r.s.Undo()
	for range 20 {
		r.s.Tick(0.1)
		r.run()
	}
	if st := r.s.State(); !st.Playback.Playing || st.Transport.Stale {
		t.Errorf("undone: %+v", st.Playback)
	}
}
