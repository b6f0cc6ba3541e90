package lesson_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"genussink/viewer/colormap"
	"genussink/viewer/figure"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

// Every step shows figures, and has its words filled, before and after the
// reveal, on the lessons' graphs and on the reader's. FIGURES names a directory
// to write them to.
func TestSteps(t *testing.T) {
	each(t, func(t *testing.T, r *reader, g *model.Graph) {
		for i, l := range lesson.Lessons() {
			if g != nil && l.Own == 0 {
				continue
			}
			for k, s := range l.Steps {
				r.open(i+1, k+1)
				v := r.view()
				if v.Question != nil {
					for q := range max(1, len(v.Question.Names)) {
						r.act(lesson.Predict, q, 0, max(v.Question.Lo, 1))
					}
				}
				show(t, fmt.Sprintf("%d.%d", i+1, k+1), g, v)
				whole(t, v, s.Text.Say, nil)
				if s.Text.Reveal == "" {
					continue
				}
				v = r.reveal()
				if v.Length > 0 {
					r.Timeline().Seek(float64(v.Length))
					v = r.view()
				}
				show(t, fmt.Sprintf("%d.%dr", i+1, k+1), g, v)
				whole(t, v, s.Text.Reveal, nil)
			}
		}
	})
}

// optional readings are there once something has been done, or where the engine has a mesh.
var optional = []string{"meshN", "meshS", "meshRoot", "mine", "degree", "length", "detour", "true", "yourS", "yourBalance"}

// whole fails for a sentence with a number that is not there.
func whole(t *testing.T, v lesson.View, text string, verdict *lesson.Verdict) {
	t.Helper()
	for _, span := range lesson.Fill(text, &v, verdict) {
		if span.Kind == lesson.Value && span.Text == "–" && !slices.Contains(optional, span.Key) {
			t.Errorf("%q: no {%s}", text, span.Key)
		}
	}
}

func show(t *testing.T, name string, g *model.Graph, v lesson.View) {
	t.Helper()
	if len(v.Figures) == 0 && v.Failed == "" {
		t.Errorf("%s has no figure", name)
	}
	for i, f := range v.Figures {
		for _, look := range []figure.Look{{Width: 480, Height: 340}, {Width: 358, Height: 300, Theme: colormap.Light}} {
			text := f.SVG(fmt.Sprintf("f%d", i), look)
			if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
				t.Errorf("%s: figure %d has a coordinate that is none", name, i)
			}
			if dir := os.Getenv("FIGURES"); dir != "" && g == nil {
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d-%.0f.svg", name, i, look.Width)), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// Leaving a step and coming back, by step or by address or by what is kept, finds it exactly as it was.
func TestResume(t *testing.T) {
	r := newReader(t, nil)
	r.open(3, 3)
	for _, v := range []int{3, 5, 12} {
		r.act(lesson.Toggle, v, 0, 0)
	}
	r.Timeline().Seek(4)
	want, record := r.view(), r.Record()
	address := r.Address()
	if address != "learn=3.3/v3_v5_v12_t4" {
		t.Errorf("address %q", address)
	}
	same := func(what string, r *reader) {
		t.Helper()
		if got := r.view(); !reflect.DeepEqual(drawn(got), drawn(want)) || !reflect.DeepEqual(r.Record(), record) || r.State().Number != 3 || r.State().Step != 3 {
			t.Errorf("%s: the step is not as it was: %+v, not %+v", what, r.Record(), record)
		}
	}
	r.Next()
	r.Previous()
	same("a step on and back", r)
	r.Timeline().Forward()
	r.Timeline().Back()
	same("the timeline on and back", r)
	r.act(lesson.Toggle, 7, 0, 0)
	r.Undo()
	same("an act taken back", r)
	r.wrong()
	verdict := *r.Verdict()
	if r.Next(); r.Verdict() != nil {
		t.Error("the next step has the verdict of this one")
	}
	r.Previous()
	if r.Verdict() == nil || !reflect.DeepEqual(*r.Verdict(), verdict) {
		t.Errorf("the verdict was %+v and is %+v", verdict, r.Verdict())
	}
	record = r.Record()
	same("a check, a step on and back", r)
	r.act(lesson.Toggle, 7, 0, 0)
	if r.Verdict() != nil {
		t.Error("something was done, and the verdict of before stands")
	}
	r.Undo()
	record = r.Record()
	other := newReader(t, nil)
	if err := other.Resume(address); err != nil {
		t.Fatal(err)
	}
	same("by address", other)
	kept := newReader(t, nil)
	if lost := kept.Recall(r.Keep()); lost != 0 {
		t.Errorf("%d lines lost", lost)
	}
	if err := kept.Resume("learn=3.3"); err != nil {
		t.Fatal(err)
	}
	same("by what was kept", kept)
}

// drawn is a view as drawings and numbers.
func drawn(v lesson.View) (out []string) {
	for _, f := range v.Figures {
		out = append(out, f.SVG("f", figure.Look{Width: 400, Height: 300}))
	}
	for _, r := range v.Readings {
		out = append(out, r.Name+" "+r.String())
	}
	return out
}

// Every address that is written is read; those that make no sense open nothing.
func TestAddress(t *testing.T) {
	r := newReader(t, nil)
	if r.State() != nil || r.Address() != "" {
		t.Error("a lesson is open at the start")
	}
	for _, bad := range []string{"", "learn", "learn=", "learn=0.1", "learn=9.1", "learn=1.9", "learn=1.0", "learn=x", "learn=1.x", "learn=1.1/z3", "learn=1.1/v", "learn=1.1/v-1", "learn=1.1/tNaN", "learn=1.1/xInf",
		"learn=1.1/d3", "learn=1.1/_", "learn=1.1/g1", "learn=1.1/vx", "learn=1.1/" + strings.Repeat("v1_", 3000) + "v1"} {
		if err := r.Resume(bad); err == nil {
			t.Errorf("%q opens", bad)
		}
		if r.State() != nil {
			t.Fatalf("%q has opened a lesson", bad)
		}
	}
	if err := r.Resume("learn=2"); err != nil || r.State().Number != 2 || r.State().Step != 1 {
		t.Errorf("learn=2: %v", err)
	}
	if lost := r.Recall("1.1/v3\nnonsense\n99.1/v3\n1.1\n"); lost != 3 {
		t.Errorf("%d lines lost, not 3", lost)
	}
}

func TestMachine(t *testing.T) {
	r := newReader(t, nil)
	for _, err := range []error{r.Act(lesson.Act{Verb: lesson.Toggle}), r.Reveal()} {
		if err == nil {
			t.Error("something can be done where no lesson is open")
		}
	}
	if r.Next() || r.Previous() || r.Undo() || r.Check() != nil {
		t.Error("a step from nowhere")
	}
	r.OpenFirst()
	if s := r.State(); s.Number != 1 || s.Step != 1 || s.Steps != 5 || s.Passed || len(s.Done) != 0 {
		t.Errorf("%+v", s)
	}
	if r.Previous() {
		t.Error("a step before the first")
	}
	if r.Act(lesson.Act{Verb: lesson.Drop}) == nil || r.Act(lesson.Act{Verb: lesson.Predict}) == nil || r.Act(lesson.Act{Verb: lesson.Toggle, A: -1}) == nil {
		t.Error("a step takes what it has no use for")
	}
	steps := 1
	for r.Next() {
		steps++
	}
	want := 0
	for _, l := range lesson.Lessons() {
		want += len(l.Steps)
	}
	if steps != want {
		t.Errorf("%d steps, not %d", steps, want)
	}
	r.open(1, 2)
	if r.Reveal() == nil {
		t.Error("the answer shows before a prediction")
	}
	if verdict := r.Verdict(); verdict == nil || !verdict.Unpredicted() {
		t.Errorf("the verdict is %v", verdict)
	}
	v := r.view()
	if _, ok := v.Reading("found"); ok {
		t.Error("the answer is in the view before it is revealed")
	}
	r.act(lesson.Predict, 0, 0, 3)
	r.act(lesson.Predict, 0, 0, 2)
	if n := len(r.Record().Acts); n != 1 {
		t.Errorf("%d predictions are kept", n)
	}
	v = r.reveal()
	if _, ok := v.Reading("found"); !ok {
		t.Error("the answer does not show")
	}
	r.StartOver()
	if rec := r.Record(); len(rec.Acts) > 0 || rec.Revealed {
		t.Error("starting over leaves something")
	}
	if r.Key("ArrowRight") != 0 {
		t.Error("arrow keys step outside the teacher's view")
	}
	r.Teach(true)
	if r.Key("ArrowRight") != 1 || r.Key("PageDown") != 1 || r.Key("ArrowLeft") != -1 || r.Key("PageUp") != -1 || r.Key("x") != 0 {
		t.Error("arrow keys do not step in the teacher's view")
	}
	r.Close()
	if r.State() != nil {
		t.Error("closed and still open")
	}
}

// The steps that ask the engine about the mesh at hand are those that say so.
func TestMeshSteps(t *testing.T) {
	for i, l := range lesson.Lessons() {
		for k, s := range l.Steps {
			r := newReader(t, nil)
			if err := r.Resume(fmt.Sprintf("learn=%d.%d/r", i+1, k+1)); err != nil {
				t.Fatal(err)
			}
			asks := false
			for r.View().Waiting {
				e, some := r.desk.Take()
				if !some {
					t.Fatalf("%d.%d waits for nothing", i+1, k+1)
				}
				asks = asks || e.Graph == nil
				r.desk.Answer(e.Key, office.answer(t, e))
			}
			if asks != s.Mesh {
				t.Errorf("%d.%d asks about the mesh: %v, and says %v", i+1, k+1, asks, s.Mesh)
			}
		}
	}
}

// A right prediction passes at once, and its words have their numbers: what passes reveals the answer. A check without a prediction asks
// for one, and judges nothing.
func TestPassReveals(t *testing.T) {
	r := newReader(t, nil)
	r.open(5, 1)
	verdict := r.check()
	v := r.view()
	if verdict.Pass || !verdict.Unpredicted() || r.Step().Text.Hint(verdict) == "" || r.Record().Revealed {
		t.Errorf("without a prediction: %+v", verdict)
	}
	if _, told := v.Reading("depth"); told {
		t.Error("the depth is told before the prediction")
	}
	r.act(lesson.Predict, 0, 0, 5)
	r.right()
	if !r.Record().Revealed {
		t.Error("a pass does not reveal the answer")
	}
	r.open(2, 3)
	r.act(lesson.Predict, 0, 0, 2.9)
	r.wrong()
	r.act(lesson.Predict, 0, 0, 2)
	r.right()
}

// Once the answer is shown the prediction stays: who copies the answer does not pass. Who starts over predicts again.
func TestPredictionStays(t *testing.T) {
	r := newReader(t, nil)
	r.open(5, 1)
	r.act(lesson.Predict, 0, 0, 40)
	r.wrong()
	told := r.reveal()
	depth, ok := told.Reading("depth")
	if !ok {
		t.Fatal("no depth is told")
	}
	copied := lesson.Act{Verb: lesson.Predict, X: depth.Value}
	if err := r.Act(copied); err == nil {
		t.Error("the answer was copied")
	}
	if r.Undoes() || r.Undo() {
		t.Error("the prediction was taken back")
	}
	if r.wrong(); r.Finished() {
		t.Error("the step is done")
	}
	r.StartOver()
	if err := r.Act(copied); err != nil {
		t.Error(err)
	}
	r.right()
	// What a reader does besides is still taken back.
	r.open(1, 2)
	r.toggle(3)
	r.act(lesson.Predict, 0, 0, 1)
	r.toggle(4)
	r.reveal()
	undone := 0
	for r.Undo() {
		undone++
	}
	if undone != 2 {
		t.Errorf("two vertices were taken away, and %d acts are taken back", undone)
	}
	if acts := r.Record().Acts; len(acts) != 1 || acts[0].Verb != lesson.Predict {
		t.Errorf("what stays is %+v", acts)
	}
}

// What was passed stays done: on the reader's graph that is given back, after a check that fails, and in a browser that comes again.
func TestDoneStays(t *testing.T) {
	r := newReader(t, patched(core(t, model.Tree(200)), 100)(30))
	r.open(3, 1)
	r.toggle(r.Own().N - 1) // a leaf
	r.right()
	r.SetOwn(nil)
	r.open(3, 1)
	if r.State().Passed {
		t.Error("passed on the lesson's graph, where nothing was done")
	}
	r.wrong()
	if !r.Finished() {
		t.Error("a check that fails undoes the step")
	}
	again := lesson.New(&lesson.Desk{})
	if lost := again.Recall(r.Keep()); lost != 0 {
		t.Errorf("%d lines were lost", lost)
	}
	if err := again.Open(3, 1); err != nil || !again.Finished() {
		t.Errorf("a browser that comes again has not done it: %v", err)
	}
	if kept := r.Keep(); !strings.Contains(kept, "3.1/k") {
		t.Errorf("kept is %q", kept)
	}
	r.StartOver()
	if kept := r.Keep(); strings.Contains(kept, "3.1") && strings.Contains(kept, "k") {
		t.Errorf("started over, and kept is %q", kept)
	}
}

// A vertex that was eliminated cannot be eliminated again.
func TestGoneStays(t *testing.T) {
	r := newReader(t, nil)
	r.open(3, 2)
	r.toggle(5)
	if err := r.Act(lesson.Act{Verb: lesson.Toggle, A: 5}); err == nil || len(r.Record().Acts) != 1 {
		t.Errorf("%v, and %v was done", err, r.Record().Acts)
	}
}

// Pages that keep their progress in one place keep each other's.
func TestMerge(t *testing.T) {
	for _, c := range []struct{ before, now, there, want string }{
		{"", "3.2/v3\n", "1.1/v20_v21\n", "1.1/v20_v21\n3.2/v3\n"},                       // the other page's stays
		{"1.1/v2\n", "1.1/v2\n3.2/v3\n", "1.1/v2_v9\n", "1.1/v2_v9\n3.2/v3\n"},           // its later one, too
		{"1.1/v2\n", "1.1/v2_v4\n", "1.1/v2_v9\n", "1.1/v2_v4\n"},                        // of the same step the last one counts
		{"1.1/v2\n3.2/v3\n", "3.2/v3\n", "1.1/v2\n2.1/v1\n3.2/v3\n", "2.1/v1\n3.2/v3\n"}, // what is taken back here is gone
		{"1.1/v2\n", "1.1/v2\n2.1/k\n", "", "2.1/k\n"},                                   // what is cleared elsewhere stays cleared
		{"", "1.1/v2\n", "nonsense", "1.1/v2\n"},
	} {
		if got := lesson.Merge(c.before, c.now, c.there); got != c.want {
			t.Errorf("before %q, now %q, there %q: %q, want %q", c.before, c.now, c.there, got, c.want)
		}
	}
}
