package scene

import (
	"math"
	"testing"

	"genussink/core/job"
	"genussink/viewer/camera"
)

// A section is a plane at a share of the mesh's extent, with the eye in front of it. Another task shows the whole mesh.
func TestSection(t *testing.T) {
	r := newRig(t, grid(4, 3))
	r.s.OpenGenerated("torus", []job.Param{{Name: "segments", Value: 40}})
	r.run()
	s := r.s
	share := func(l camera.Lens) float64 { // of the vertices that are seen
		n := 0
		for v := range int32(s.Mesh.Vertices()) {
			if l.Section.Behind(s.Mesh.point(v)) >= 0 {
				n++
			}
		}
		return float64(n) / float64(s.Mesh.Vertices())
	}
	if l := s.Lens(100, 100); l.Section != (camera.Plane{}) {
		t.Errorf("a section that nobody asked for: %+v", l.Section)
	}
	s.Task(TaskInspect)
	for _, axis := range []string{"x", "y", "view"} {
		for _, yaw := range []float64{0.6, 2.4} {
			pose := s.View.Camera().Goal()
			pose.Yaw, pose.Pitch = yaw, 0.4
			s.View.Camera().Set(pose)
			before := s.Revision()
			s.View.Section(axis, 0.3)
			if got := s.State().View.Section; got != (SectionState{axis, 0.3}) || s.Revision() == before && yaw == 0.6 {
				t.Errorf("%s: %+v", axis, got)
			}
			l := s.Lens(100, 100)
			if at := l.Section.Behind(l.Eye); !(at < 0) {
				t.Errorf("%s, yaw %g: the eye is %g behind the plane", axis, yaw, at)
			}
			if got := share(l); !(got > 0.05 && got < 0.95) {
				t.Errorf("%s, yaw %g: %g of the vertices are seen", axis, yaw, got)
			}
		}
	}
	// Along the view, 0 is the whole mesh.
	s.View.Section("view", -3)
	if got := share(s.Lens(100, 100)); got != 1 || s.State().View.Section.Position != 0 {
		t.Errorf("at 0 of the view %g of the vertices are seen", got)
	}
	s.View.Section("view", 1)
	if got := share(s.Lens(100, 100)); got > 0.1 {
		t.Errorf("at 1 of the view %g of the vertices are seen", got)
	}
	s.View.Section("w", 0.5)
	s.View.Section("x", math.NaN())
	if got := s.State().View.Section; got != (SectionState{"view", 1}) {
		t.Errorf("bad input gives %+v", got)
	}
	s.Task(TaskTransport)
	if l := s.Lens(100, 100); l.Section != (camera.Plane{}) {
		t.Error("another task has the section too")
	}
}
