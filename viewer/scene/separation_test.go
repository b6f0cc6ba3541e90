package scene

import (
	"slices"
	"testing"

	"genussink/core/job"
	"genussink/viewer/timeline"
)

func TestLevels(t *testing.T) {
	r := ready(t)
	st := r.s.State()
	if len(st.Separation.Levels) != 3 {
		t.Fatalf("levels %+v", st.Separation.Levels)
	}
	if l := st.Separation.Levels[0]; l.A != 31 || l.S != 1 || l.B != 31 || l.Nodes != 1 {
		t.Errorf("root %+v", l)
	}
	if l := st.Separation.Levels[1]; l.A+l.S+l.B != 62 || l.Nodes != 2 || l.S != 2 || l.MaxS != 1 {
		t.Errorf("level 1 %+v", l)
	}
	r.s.Task(TaskSeparators)
	r.s.Separation.Level(99)
	if got := r.s.State().Separation.Level; got != 2 {
		t.Errorf("level %d", got)
	}
	r.s.Separation.Level(-5)
	if got := r.s.State().Separation.Level; got != 0 {
		t.Errorf("level %d", got)
	}
	if got := len(r.s.Dots(nil)); got != 1 {
		t.Errorf("%d dots at level 0", got)
	}
	r.s.Separation.Level(2)
	if got := len(r.s.Dots(nil)); got != 7 {
		t.Errorf("%d dots at level 2", got)
	}
}

// The tree is played level by level, from the root's split where the end was reached, and stops with the task.
func TestLevelsPlay(t *testing.T) {
	r := ready(t)
	r.s.Task(TaskSeparators)
	p := &r.s.Separation
	p.Move((*timeline.Timeline).Toggle)
	if st := r.s.State().Separation; st.Level != 0 || !st.Playing {
		t.Fatalf("plays from %+v", st)
	}
	var seen []int
	for range 40 {
		before := r.s.Revision()
		was := p.Shown()
		if r.s.Tick(0.1); p.Shown() != was {
			if seen = append(seen, p.Shown()); r.s.Revision() == before {
				t.Errorf("nobody is told of level %d", p.Shown())
			}
		}
	}
	if st := r.s.State().Separation; !slices.Equal(seen, []int{1, 2}) || st.Playing || st.Level != 2 {
		t.Errorf("played through %v, then %+v", seen, st)
	}
	p.Move((*timeline.Timeline).Back)
	p.Move((*timeline.Timeline).Toggle)
	if r.s.Task(TaskTransport); p.Timeline().Playing() || p.Shown() != 1 {
		t.Errorf("in another task level %d plays on", p.Shown())
	}
	r.s.Task(TaskSeparators)
	p.Move((*timeline.Timeline).Toggle)
	if r.s.FocusCell(0); p.Timeline().Playing() || p.Shown() != 0 {
		t.Errorf("with a cell in focus level %d plays on", p.Shown())
	}
}

func TestHoverSaysTheSide(t *testing.T) {
	r := ready(t)
	for _, c := range []struct {
		vertex int32
		level  int
		side   string
		depth  int
	}{
		{31, 0, "S", 0}, {0, 0, "A", 0}, {62, 0, "B", 0},
		{15, 1, "S", 1}, {15, 0, "A", 0}, {31, 2, "S", 0}, {0, 2, "A", 2}, {47, 1, "S", 1},
	} {
		r.s.Separation.Level(c.level)
		r.s.Hover(c.vertex)
		h := r.s.State().Hover
		if h.Side != c.side || h.Depth != c.depth {
			t.Errorf("vertex %d at level %d: %s at depth %d, want %s at %d", c.vertex, c.level, h.Side, h.Depth, c.side, c.depth)
		}
	}
}

// A cut of the list becomes the root's separation; a cell in focus fades the
// rest.
func TestSweepAndCell(t *testing.T) {
	s, _ := graphScene(t, 3, 3)
	tree := &job.Separated{Finder: "x", Nodes: []job.Node{
		{Parent: -1, Left: 1, Right: 2, A: 3, S: 3, B: 3}, {Parent: 0, Left: -1, Right: -1, Depth: 1, A: 3}, {Parent: 0, Left: -1, Right: -1, Depth: 1, A: 3},
	}, Cells: []int32{1, 1, 1, 0, 0, 0, 2, 2, 2}}
	s.answer(t, s.flight.asked[toSeparate].id, tree)
	s.Sweep()
	if s.Phase() != PhaseComputing {
		t.Errorf("phase %s", s.Phase())
	}
	cuts := []job.Cut{{A: 3, S: 3, B: 3, Sides: []byte{0, 0, 0, 1, 1, 1, 2, 2, 2}}}
	s.answer(t, s.flight.asked[toSweep].id, &job.Swept{Cuts: cuts})
	if st := s.State().Separation; !st.Swept || len(st.Cuts) != 1 || st.Cuts[0] != (CutState{3, 3, 3}) || st.Taken != -1 {
		t.Errorf("%+v", st)
	}
	s.Take(0)
	out := s.Outbox()
	if r, ok := out[len(out)-1].Body.(*job.Separate); !ok || !slices.Equal(r.Root, cuts[0].Sides) {
		t.Errorf("asked for %+v", out[len(out)-1].Body)
	}
	s.answer(t, s.flight.asked[toSeparate].id, tree)
	s.Take(5)
	if s.Separation.taken != 0 {
		t.Errorf("cut %d is taken", s.Separation.taken)
	}
	s.FocusCell(1)
	if st := s.State().Separation; st.Cell != 1 {
		t.Errorf("cell %d", st.Cell)
	}
	if f := s.Faded(); f[0] || !f[3] || !f[6] {
		t.Errorf("faded %v", f)
	}
	if len(s.Dots(nil)) != 0 {
		t.Error("the faded separator keeps its dots")
	}
	s.Click(on(7))                                // the focus follows
	if st := s.State().Separation; st.Cell != 0 { // at level 0 vertex 7 lies in the root's split
		t.Errorf("cell %d after a click", st.Cell)
	}
	s.Click(on(-1))
	if st := s.State().Separation; st.Cell != -1 {
		t.Errorf("cell %d after a click beside", st.Cell)
	}
	s.Finder("level-set")
	if s.Separation.taken != -1 {
		t.Error("another finder keeps the cut")
	}
	bad := &job.Swept{Cuts: []job.Cut{{Sides: []byte{0}}}}
	s.Sweep()
	s.Handle(job.Event{ID: s.flight.asked[toSweep].id, Body: bad})
	if s.Phase() != PhaseError {
		t.Error("a cut of another graph is taken")
	}
}

// A link's level and cut wait for the tree and the list, and say in words where there is no such thing.
func TestSeparationOfALink(t *testing.T) {
	p := Separation{changes: &changes{}}
	p.reset()
	p.Level(9)
	p.linked = 9
	if p.Shown() != 9 {
		t.Error("without a tree no level is too deep")
	}
	if odd, ok := p.take(tree(63, 3), 63); !ok || odd == "" || p.Shown() != 2 || p.linked != 0 {
		t.Errorf("level %d of a tree of 3 levels, says %q", p.Shown(), odd)
	}
	if _, ok := p.take(tree(63, 3), 64); ok {
		t.Error("the tree of another mesh is taken")
	}
	cuts := &job.Swept{Cuts: []job.Cut{{A: 1, S: 1, B: 1, Sides: make([]byte, 3)}, {A: 0, S: 2, B: 1, Sides: make([]byte, 3)}}}
	for _, c := range []struct{ wants, taken int }{{0, 0}, {1, 1}, {-1, -1}} {
		p.reset()
		if p.wanted.S = 9; c.wants >= 0 {
			p.wanted = sizeOf(cuts.Cuts[c.wants])
		}
		wanted, found, ok := p.list(cuts, 3)
		if !ok || !wanted || found != (c.wants >= 0) || p.taken != c.taken || p.waits() {
			t.Errorf("wanted %d: found %v, taken %d", c.wants, found, p.taken)
		}
		if r := p.request(2); (c.taken >= 0) != (len(r.Root) == 3) || r.Patience != 2 {
			t.Errorf("wanted %d: asks for %+v", c.wants, r)
		}
	}
	if _, _, ok := p.list(cuts, 4); ok {
		t.Error("the cuts of another mesh are taken")
	}
}
