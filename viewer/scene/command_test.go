package scene

import (
	"strings"
	"testing"

	"genussink/core/job"
	"genussink/viewer/timeline"
)

// The line says what is shown, and what it does not bring along.
func TestCommand(t *testing.T) {
	look := Look{Width: 800, Height: 600, Zoom: 1.5}
	if line, needs := New().Command("solve", "", look); line != "" || needs != "" {
		t.Errorf("without a mesh: %q, %q", line, needs)
	}
	r := newRig(t, grid(4, 3))
	r.s.OpenGenerated("torus", []job.Param{{Name: "segments", Value: 40}})
	r.run()
	s := r.s
	for _, c := range []struct {
		change             func()
		verb, line, needed string
	}{
		{func() {}, "solve", "genussink generate torus -segments 40 -out grid.ply && genussink solve grid.ply -measures paper -method exact -epsilon 0.01", ""},
		{func() { s.Method("certified"); s.Epsilon(0.2); s.Delta(0.03) }, "solve", "-method certified -epsilon 0.2 -delta 0.03", ""},
		{func() { s.Method("tree"); s.Levels(3) }, "solve", "-method tree -epsilon 0.2 -levels 3", ""},
		{func() { s.Method("certified") }, "solve", "-method certified -epsilon 0.2 -delta 0.03", ""},
		{func() { s.Task(TaskSeparators); s.Separation.Level(1); s.Finder("inertial-flow") }, "export", "-what split -level 1 -finder inertial-flow -theme dark -out grid-shown.ply", ""},
		{func() { s.Balance(0.4) }, "export", "-what split", "its own balance"},
		{func() {
			s.Task(TaskTransport)
			s.View.Wireframe(true)
			s.View.Up("z")
			s.View.Section("view", 0.25)
			s.Playback.Pause()
			s.Playback.Seek(0.4)
		}, "picture",
			"-azimuth -34.4 -elevation 18.3 -zoom 1.5 -up z -size 800x600 -wireframe -section view:0.25 -mass particles -position 0.4 -out grid-shown.png", ""},
		{func() { s.View.Arrows(true) }, "picture", "-mass particles -position 0.4 -arrows -out", ""},
		{func() { s.View.Flow(false) }, "picture", "-what densities", "flow arrows with mass on the move alone"},
		{func() { s.View.Arrows(false); s.View.Split(true) }, "picture", "-what densities", "none over the other"},
		{func() { s.Task(TaskSeparators); s.View.Densities(true) }, "picture", "-what split", "none over the other"},
		{func() { s.View.Densities(false); s.View.Flow(true) }, "picture", "-what split", "none over the other"},
		{func() {
			s.Task(TaskInspect)
			s.View.Section("", 0.5)
			s.View.Flow(false)
			s.ShowField(FieldLevel)
			s.View.Wireframe(false)
			s.View.Smooth(false)
			s.View.Hidden(true)
			s.View.Orthographic(true)
		}, "picture", "-what level -level 1 -finder inertial-flow -theme dark -azimuth -34.4 -elevation 18.3 -zoom 1.5 -up z -size 800x600 -flat -hidden -orthographic -out", ""},
		{func() {
			s.ShowField(FieldGiven)
			studiedBag(s, func(d TreewidthState) int { return d.Centroid })
		}, "picture", "-bag centroid -what bag -level 1", ""},
		{func() { s.ShowBag(s.State().Treewidth.Widest) }, "picture", "-bag widest -what bag", ""},
		{func() { s.ShowBag(2) }, "picture", "-what plain", "the centroid and the widest bag, no others"},
		{func() { s.Eliminate(timeline.To(7)) }, "picture", "-gone 7 -what elimination", ""},
		{func() { s.HideElimination(); s.Task(TaskTransport); s.Swap() }, "solve", "genussink solve grid.genussink -method certified", "save the session file grid.genussink first"},
	} {
		c.change()
		line, needs := s.Command(c.verb, "ply", look)
		if !strings.Contains(line, c.line) || (c.needed == "") != (needs == "") || !strings.Contains(needs, c.needed) {
			t.Errorf("%q, %q; want %q, %q", line, needs, c.line, c.needed)
		}
	}
}

func TestQuoted(t *testing.T) {
	for name, want := range map[string]string{"cat.glb": "cat.glb", "-x.ply": "./-x.ply", "a b.obj": "'a b.obj'", "it's": `'it'\''s'`} {
		if got := quoted(name); got != want {
			t.Errorf("%s as %s, want %s", name, got, want)
		}
	}
}

// The line of a road table has both tables.
func TestCommandOfTables(t *testing.T) {
	s, l := graphScene(t, 3, 3)
	s.OpenFile("nodes.csv", []byte("id,x,y"), []job.File{{Name: "edges of town.csv", Data: []byte("from,to")}}, "")
	l.Name = "nodes.csv"
	s.answer(t, s.flight.asked[toOpen].id, l)
	s.Densities.preset = "paper"
	if line, needs := s.Command("solve", "", Look{}); !strings.HasPrefix(line, "genussink solve nodes.csv -with 'edges of town.csv' ") || needs != "" {
		t.Errorf("%q, %q", line, needs)
	}
}
