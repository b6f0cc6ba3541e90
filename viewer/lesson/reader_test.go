package lesson_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

// reader plays a machine.
type reader struct {
	*testing.T
	*lesson.Machine
	desk *lesson.Desk
}

func newReader(t *testing.T, own *model.Graph) *reader {
	r := &reader{T: t, desk: &lesson.Desk{}}
	r.Machine = lesson.New(r.desk)
	if own != nil {
		r.SetOwn(func(int) *model.Graph { return own })
	}
	return r
}

// view is the step's, with all answers there.
func (r *reader) view() (v lesson.View) {
	r.Helper()
	settle(r.T, r.desk, func() bool { v = r.View(); return v.Waiting })
	return v
}

// check is the step's verdict.
func (r *reader) check() *lesson.Verdict {
	r.Helper()
	r.view()
	var verdict *lesson.Verdict
	settle(r.T, r.desk, func() bool { verdict = r.Check(); return verdict == nil })
	return verdict
}

// act does something. To predict again once the answer is shown, it starts over and does the rest again.
func (r *reader) act(verb lesson.Verb, a, b int, x float64) {
	r.Helper()
	if did := r.Record(); verb == lesson.Predict && did.Revealed {
		r.StartOver()
		r.view()
		for _, again := range did.Acts {
			if again.Verb != lesson.Predict {
				r.act(again.Verb, again.A, again.B, again.X)
			}
		}
	}
	if err := r.Act(lesson.Act{Verb: verb, A: a, B: b, X: x}); err != nil {
		r.Fatal(err)
	}
}

// open goes to a step.
func (r *reader) open(number, step int) {
	r.Helper()
	if err := r.Open(number, step); err != nil {
		r.Fatal(err)
	}
	r.view()
}

func (r *reader) reveal() lesson.View {
	r.Helper()
	if err := r.Reveal(); err != nil {
		r.Fatal(err)
	}
	return r.view()
}

// reading is a number of the view.
func (r *reader) reading(name string) float64 {
	r.Helper()
	v := r.view()
	x, ok := v.Reading(name)
	if !ok {
		r.Fatalf("%d.%d has no %s", r.State().Number, r.State().Step, name)
	}
	return x.Value
}

// others are further graphs on which every number of the lessons must be the core's. The last is a part of a mesh.
func others(t *testing.T) []*model.Graph {
	if further != nil {
		return further
	}
	part := patched(surface(t, "torus", map[string]float64{"segments": 24, "sides": 10}), 7)(30)
	further = []*model.Graph{dumbbell(4, 1, 4), model.Grid(5, 7), model.Planar(5, 5, 3), model.TwoTree(18, 9), model.Torus(4), part}
	return further
}

var further []*model.Graph

// dumbbell is two k x k grids with a bridge of the given width and length between them.
func dumbbell(k, width, length int) *model.Graph {
	g := &model.Graph{Name: fmt.Sprintf("dumbbell of width %d", width)}
	at := map[[2]int]int{}
	put := func(x, y int) {
		at[[2]int{x, y}] = g.N
		g.N++
		g.Places = append(g.Places, [2]float64{float64(x), float64(y)})
	}
	from := (k - width) / 2
	for x := range 2*k + length {
		for y := range k {
			if x < k || x >= k+length || y >= from && y < from+width {
				put(x, y)
			}
		}
	}
	for p, v := range at {
		for _, q := range [][2]int{{p[0] + 1, p[1]}, {p[0], p[1] + 1}} {
			if w, ok := at[q]; ok {
				g.Edges = append(g.Edges, [2]int{min(v, w), max(v, w)})
			}
		}
	}
	slices.SortFunc(g.Edges, func(a, b [2]int) int { return (a[0]-b[0])*1_000_000 + a[1] - b[1] })
	return g
}

// each runs a test on the lessons' own graphs and on the others.
func each(t *testing.T, run func(t *testing.T, r *reader, g *model.Graph)) {
	graphs := append([]*model.Graph{nil}, others(t)...)
	if testing.Short() {
		graphs = graphs[:2]
	}
	for i, g := range graphs {
		name := "default"
		if g != nil {
			name = g.Name
		}
		t.Run(fmt.Sprint(i, " ", name), func(t *testing.T) { run(t, newReader(t, g), g) })
	}
}

// wants are the values that the readings of a view have to have. Every reading of the view has to be wanted.
type wants map[string]float64

func (r *reader) hold(v lesson.View, want wants) {
	r.Helper()
	place := fmt.Sprintf("%d.%d", r.State().Number, r.State().Step)
	if v.Failed != "" {
		r.Fatalf("%s: %s", place, v.Failed)
	}
	for _, x := range v.Readings {
		w, ok := want[x.Name]
		if !ok {
			r.Errorf("%s: nothing holds {%s} to the core", place, x.Name)
		} else if !(math.Abs(x.Value-w) <= 1e-6*max(1, math.Abs(w))) && x.Value != w {
			r.Errorf("%s: {%s} is %v, not %v", place, x.Name, x.Value, w)
		}
	}
	for name := range want {
		if _, ok := v.Reading(name); !ok {
			r.Errorf("%s: there is no {%s}", place, name)
		}
	}
}

// wrong expects a hint that the text has, and that points at places in the figures.
func (r *reader) wrong() {
	r.Helper()
	v := r.view()
	verdict := r.check()
	place := fmt.Sprintf("%d.%d", r.State().Number, r.State().Step)
	switch {
	case verdict.Pass:
		r.Errorf("%s: the wrong answer passes", place)
		return
	case verdict.Unpredicted():
		return
	case r.Step().Text.Hints[verdict.Hint] == "":
		r.Errorf("%s: no words for the hint %q", place, verdict.Hint)
	case len(verdict.Place) == 0:
		r.Errorf("%s: the hint %q points nowhere", place, verdict.Hint)
	}
	whole(r.T, v, r.Step().Text.Hints[verdict.Hint], verdict)
	for _, spot := range verdict.Place {
		if spot.Figure >= len(v.Figures) {
			r.Errorf("%s: the hint %q points at figure %d of %d", place, verdict.Hint, spot.Figure, len(v.Figures))
			continue
		}
		some := false
		for _, x := range v.Figures[spot.Figure].Targets(figureLook) {
			some = some || x.Ref == spot.Ref
		}
		if !some {
			r.Errorf("%s: the hint %q points at %v, which figure %d has not", place, verdict.Hint, spot.Ref, spot.Figure)
		}
	}
	if r.State().Passed {
		r.Errorf("%s is passed", place)
	}
}

// right expects to pass.
func (r *reader) right() {
	r.Helper()
	if verdict := r.check(); !verdict.Pass {
		r.Errorf("%d.%d: the right answer gets the hint %q (%s)", r.State().Number, r.State().Step, verdict.Hint, verdict.Say)
	}
	if !r.State().Passed {
		r.Errorf("%d.%d is not passed", r.State().Number, r.State().Step)
	}
	whole(r.T, r.view(), r.Step().Text.Why, nil)
}

func (r *reader) toggle(list ...int) {
	r.Helper()
	for _, v := range list {
		r.act(lesson.Toggle, v, 0, 0)
	}
}
