//go:build e2e && !js

package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"genussink/core/engine"
	"genussink/core/graph"
	"genussink/core/job"
	"genussink/core/mesh/generate"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

// answered is the view of a machine's step once an engine has answered all that it asks.
func answered(t *testing.T, m *lesson.Machine, d *lesson.Desk) lesson.View {
	t.Helper()
	for {
		v := m.View()
		if !v.Waiting {
			return v
		}
		if !answer(t, d) {
			t.Fatal("the step waits for nothing that is asked of its graph")
		}
	}
}

// answer has an engine answer the oldest question about a graph that lies on a desk; it says whether there is one.
func answer(t *testing.T, d *lesson.Desk) bool {
	t.Helper()
	errand, ok := d.Take()
	if !ok || errand.Graph == nil {
		return false
	}
	e := engine.New(engine.Options{})
	var last job.Body
	for _, body := range append([]job.Body{&job.Load{Name: "lesson.gr", Data: errand.Graph.PACE()}}, errand.Requests...) {
		e.Run(context.Background(), job.Request{ID: 1, Body: body}, func(event job.Event) { last = event.Body })
	}
	d.Answer(errand.Key, last)
	return true
}

// numbers are the values in a text, as the page writes them.
func numbers(text string, v *lesson.View) []string {
	out := []string{}
	for _, s := range lesson.Fill(text, v, nil) {
		if s.Kind == lesson.Value {
			out = append(out, s.Text)
		}
	}
	return out
}

// "Try it on yours" puts the part of the mesh around the clicked vertex in the place of each lesson's graph. Every number
// that is shown is the one that the same lesson computes natively from the core's graph of that mesh. A vertex pointed
// at in a figure is shown on the mesh; another mesh gives the lessons' graphs back.
func TestLessonOnOwnMesh(t *testing.T) {
	t.Parallel()
	r := newReader(open(t, "?make=torus&p.segments=24&p.sides=10&on=wireframe", middle), pointer)
	r.settled()
	at := r.find(0.3, 0.5)
	r.do(chromedp.MouseClickXY(at.X, at.Y))
	around := r.wait("s.hover && s.hover.focused").Hover.Vertex

	m, err := generate.Make("torus", map[string]float64{"segments": 24, "sides": 10})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.FromMesh(m)
	if err != nil {
		t.Fatal(err)
	}
	desk := &lesson.Desk{}
	native := lesson.New(desk)
	native.SetOwn(func(most int) *model.Graph { return model.Patch(g.Offsets, g.Targets, around, most) })

	r.press("Learn")
	r.at(1, 1)
	r.press("Try it on yours")
	r.wait("s.lesson.own")
	if says, want := r.text("lesson-whose"), fmt.Sprintf("around vertex %d, 60 vertices and ", around); !strings.Contains(says, want) {
		t.Errorf("shown is %q, not %q", says, want)
	}
	r.picture("lesson-own")
	f := answered(t, opened(t, native, 1, 1), desk).Figures
	on := native.Own().Of[5]
	if len(f) == 0 {
		t.Fatal("no figure")
	}
	r.mouse(chromedp.MouseMoved, r.place(target(0, "vertex", 5)), 0)
	r.do(chromedp.MouseClickXY(at.X, at.Y)) // nothing is in focus: what is pointed at in the figure shows
	r.mouse(chromedp.MouseMoved, r.place(target(0, "vertex", 5)), 0)
	r.wait(fmt.Sprintf("s.hover && s.hover.vertex == %d", on))

	for i, l := range lesson.Lessons() {
		for k, s := range l.Steps {
			if l.Own == 0 || s.Alone || s.Mesh { // the mesh itself is asked about in other tests
				continue
			}
			eval[bool](r.tab, fmt.Sprintf("(location.hash = 'learn=%d.%d', true)", i+1, k+1))
			r.at(i+1, k+1)
			v := answered(t, opened(t, native, i+1, k+1), desk)
			if got, want := r.values("lesson-say"), numbers(s.Text.Say, &v); !slices.Equal(got, want) {
				t.Errorf("%d.%d says %q, not %q", i+1, k+1, got, want)
			}
			if s.Text.Reveal == "" {
				continue
			}
			if q := v.Question; q != nil && q.Choices != nil {
				r.choose(0)
			} else if q != nil {
				r.guess(0, "2")
			}
			if v.Question != nil {
				if err := native.Act(lesson.Act{Verb: lesson.Predict, X: map[bool]float64{true: 0, false: 2}[v.Question.Choices != nil]}); err != nil {
					t.Fatal(err)
				}
			}
			r.press("Reveal")
			r.calm()
			if err := native.Reveal(); err != nil {
				t.Fatal(err)
			}
			v = answered(t, native, desk)
			if got, want := r.values("lesson-reveal"), numbers(s.Text.Reveal, &v); !slices.Equal(got, want) {
				t.Errorf("%d.%d reveals %q, not %q", i+1, k+1, got, want)
			}
		}
	}
	// A run of the stored block lights its vertices, and a vertex the runs of its row.
	eval[bool](r.tab, "(location.hash = 'learn=6.4', true)")
	r.at(6, 4)
	r.calm()
	lit := func(kind string) string {
		return fmt.Sprintf("document.querySelectorAll('#lesson-figures [data-kind=%s][data-lit]').length", kind)
	}
	r.mouse(chromedp.MouseMoved, r.place(target(1, "run", 0)), 0)
	r.until(lit("run") + " == 1 && " + lit("vertex") + " > 2")
	r.mouse(chromedp.MouseMoved, r.place(target(0, "vertex", 5)), 0)
	r.until(lit("run") + " > 0 && " + lit("vertex") + " == 1")
	// The page writes the address that it shows; one that is asked for is opened even so.
	eval[bool](r.tab, "(location.hash = 'learn=2.2', history.replaceState(history.state, '', '#learn=2.1'), true)")
	r.at(2, 2)
	r.file(gallery("swan.glb"))
	if r.wait("s.ready && s.mesh.name == 'swan.glb'").Lesson.Own {
		t.Error("the lesson still shows the mesh before")
	}
}

// opened is a machine at a step.
func opened(t *testing.T, m *lesson.Machine, number, step int) *lesson.Machine {
	t.Helper()
	if err := m.Open(number, step); err != nil {
		t.Fatal(err)
	}
	return m
}

// values are the numbers in a part of the lesson.
func (r *reader) values(id string) []string {
	r.t.Helper()
	return eval[[]string](r.tab, fmt.Sprintf("[...document.querySelectorAll('#%s b')].map((e) => e.textContent)", id))
}
