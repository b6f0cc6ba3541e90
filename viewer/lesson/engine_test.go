package lesson_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

// engines answers a desk's questions as a page's Workers do: an engine for
// every graph, and one with a mesh. Answers are kept for all tests.
type engines struct {
	mesh    *engine.Engine
	at      int // of meshes
	answers map[string]job.Body
	ofMesh  map[string]bool
}

// meshes are those that the lessons' measurements are made on.
var meshes = []*job.Generate{
	{Kind: "torus", Params: []job.Param{{Name: "segments", Value: 24}, {Name: "sides", Value: 10}}},
	{Kind: "sphere", Params: []job.Param{{Name: "frequency", Value: 5}}},
	{Kind: "torus", Params: []job.Param{{Name: "segments", Value: 18}, {Name: "sides", Value: 12}, {Name: "minor", Value: 0.6}}},
	{Kind: "dumbbell", Params: []job.Param{{Name: "radius", Value: 6}, {Name: "width", Value: 2}}},
	{Kind: "dumbbell", Params: []job.Param{{Name: "radius", Value: 7}, {Name: "width", Value: 3}}},
	{Kind: "pseudo-genus", Params: []job.Param{{Name: "order", Value: 2}, {Name: "vertices", Value: 300}}},
}

// open takes another mesh; what is known of the one before is forgotten.
func (o *engines) open(at int) {
	if at != o.at {
		o.at, o.mesh = at, nil
		for key := range o.ofMesh {
			delete(o.answers, key)
		}
		o.ofMesh = map[string]bool{}
	}
}

var office = &engines{answers: map[string]job.Body{}, ofMesh: map[string]bool{}}

// run does a request and returns its last event.
func run(e *engine.Engine, body job.Body) (last job.Body) {
	e.Run(context.Background(), job.Request{ID: 1, Body: body}, func(ev job.Event) { last = ev.Body })
	return last
}

func (o *engines) answer(t *testing.T, errand lesson.Errand) job.Body {
	t.Helper()
	if a, ok := o.answers[errand.Key]; ok {
		return a
	}
	e := engine.New(engine.Options{})
	if errand.Graph != nil {
		if loaded, ok := run(e, &job.Load{Name: "lesson.gr", Data: errand.Graph.PACE()}).(*job.Loaded); !ok || loaded.Report.Vertices != errand.Graph.N {
			t.Fatalf("%s does not open", errand.Graph.Name)
		}
	} else {
		if o.mesh == nil {
			o.mesh = engine.New(engine.Options{})
			if m, ok := run(o.mesh, meshes[o.at]).(*job.Loaded); !ok {
				t.Fatalf("no mesh: %v", m)
			}
		}
		e = o.mesh
		o.ofMesh[errand.Key] = true
	}
	a := run(e, errand.Request)
	o.answers[errand.Key] = a
	return a
}

// settle answers all that the machine's view asks for.
func settle(t *testing.T, d *lesson.Desk, view func() bool) {
	t.Helper()
	for range 200 {
		if !view() {
			return
		}
		some := false
		for {
			errand, ok := d.Take()
			if !ok {
				break
			}
			some = true
			d.Answer(errand.Key, office.answer(t, errand))
		}
		if !some {
			t.Fatal("the view waits, and nothing is asked for")
		}
	}
	t.Fatal("the view waits on and on")
}

// reader plays a machine.
type reader struct {
	*testing.T
	*lesson.Machine
	desk *lesson.Desk
}

func newReader(t *testing.T, own *model.Graph) *reader {
	r := &reader{T: t, desk: &lesson.Desk{}}
	r.Machine = lesson.New(r.desk)
	r.SetOwn(own)
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

func (r *reader) act(verb lesson.Verb, a, b int, x float64) {
	r.Helper()
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

// others are the graphs that every number is held to the core on, beside the lessons' own.
func others() []*model.Graph {
	return []*model.Graph{dumbbell(4, 1, 4), model.Grid(5, 7), model.Planar(5, 5, 3), model.TwoTree(18, 9), model.Torus(4)}
}

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
	graphs := append([]*model.Graph{nil}, others()...)
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
