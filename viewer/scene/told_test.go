package scene

import "testing"

// What changes on the canvas is told once, in words, and nothing is told while mass plays or a stroke goes on.
func TestTold(t *testing.T) {
	r := ready(t)
	before := State{}
	expect := func(when, want string) {
		t.Helper()
		now := r.s.State()
		if got := now.Told(&before); got != want {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
		before = now
	}
	r.s.Playback.Pause()
	r.s.Playback.Seek(0)
	expect("opened", "grid is open: 63 vertices. On the mesh: Densities: source; Mass: at the source. Source on 1 vertex, target on 1 vertex.")
	expect("nothing new", "")
	r.s.Task(TaskSeparators)
	expect("another task", "On the mesh: Split: A, B, separator.")
	r.s.Toggle(LayerSplit)
	expect("nothing shown", "Nothing is on the mesh.")
	r.s.ShowField(FieldSource)
	expect("a field", "On the mesh: Field: source density.")
	r.s.ShowField(FieldNone)
	r.s.Task(TaskTransport)
	expect("back", "On the mesh: Densities: source; Mass: at the source.")
	r.s.Play()
	expect("playing", "On the mesh: Densities: source, target; Mass.")
	r.s.Tick(1)
	expect("on its way", "")
	r.s.Clear()
	expect("no densities", "Nothing is on the mesh. Source on 0 vertices, target on 0 vertices.")
	r.s.Brush.active = true
	r.s.Task(TaskSeparators)
	expect("during a stroke", "")
}
