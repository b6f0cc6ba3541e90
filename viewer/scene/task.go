package scene

import "genussink/viewer/timeline"

// Task turns to a task. The mesh shows what it is about, one thing at a time: transport its densities and mass, separators the split,
// treewidth a bag or an elimination, inspect the defects or a field. Each can be shown with another task too, if a person wants that. Nothing
// is computed.
func (s *Scene) Task(t Task) {
	switch t {
	case TaskTransport, TaskSeparators, TaskTreewidth, TaskInspect:
	default:
		return
	}
	if t == s.task {
		return
	}
	s.task = t
	s.View.looks.Split = t == TaskSeparators
	if t == TaskSeparators && s.Transport.tree {
		s.Transport.putOff = false
	}
	s.View.looks.Densities, s.View.looks.Flow = t == TaskTransport, t == TaskTransport
	s.BrushTool(ToolNone) // every tool belongs to one task
	if t == TaskTransport {
		s.Playback.enter()
	} else {
		s.Playback.leave()
		s.ShowChange(false)
		s.ShowBarycentre(false)
		s.View.Arrows(false)
		s.HideIterations()
		s.ShowBlock(-1)
		s.PointMatrix(-1, -1)
	}
	if t != TaskSeparators {
		s.FocusCell(-1)
		s.Separation.Move((*timeline.Timeline).Pause)
	}
	if t != TaskTreewidth {
		s.ShowBag(-1)
	}
	if t != TaskInspect {
		s.ShowField(FieldNone)
		s.LookAt(0, -1)
		s.LetGo()
		s.View.Section("", s.View.looks.Section.Position)
	} else {
		s.FocusVertex(-1) // its partners are transport's
	}
	s.ShowDefects(t == TaskInspect)
	s.recolor(true)
	s.changed()
}
