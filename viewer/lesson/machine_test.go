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
var optional = []string{"meshN", "meshS", "meshRoot", "mine", "degree", "sampledCost", "sampledError", "length", "detour", "true", "yourS", "yourBalance", "factor"}

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
