package lesson_test

import (
	"context"
	"os"
	"runtime"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

// TestMain takes one processor: on graphs as small as the lessons' two mostly wait for each other.
func TestMain(m *testing.M) {
	runtime.GOMAXPROCS(1)
	os.Exit(m.Run())
}

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

// opened are engines with a graph, by its file: to place a graph's vertices takes longer than most answers.
var opened = map[string]*engine.Engine{}

// engineOf is an engine with a graph, one for all tests.
func engineOf(t *testing.T, g *model.Graph) *engine.Engine {
	t.Helper()
	data := g.PACE()
	if e := opened[string(data)]; e != nil {
		return e
	}
	e := engine.New(engine.Options{Uncompared: true})
	if loaded, ok := run(e, &job.Load{Name: "lesson.gr", Data: data}).(*job.Loaded); !ok || loaded.Report.Vertices != g.N {
		t.Fatalf("%s does not open", g.Name)
	}
	opened[string(data)] = e
	return e
}

func failed(b job.Body) bool { _, is := b.(*job.Failed); return is }

func (o *engines) answer(t *testing.T, errand lesson.Errand) job.Body {
	t.Helper()
	if a, ok := o.answers[errand.Key]; ok {
		return a
	}
	var e *engine.Engine
	if errand.Graph != nil {
		e = engineOf(t, errand.Graph)
	} else {
		if o.mesh == nil {
			o.mesh = engine.New(engine.Options{Uncompared: true})
			if m, ok := run(o.mesh, meshes[o.at]).(*job.Loaded); !ok {
				t.Fatalf("no mesh: %v", m)
			}
		}
		e = o.mesh
		o.ofMesh[errand.Key] = true
	}
	var a job.Body
	for _, request := range errand.Requests {
		if m, is := request.(*job.Measure); is && m.Preset == lesson.AtHand {
			request = &job.Measure{Preset: "paper"}
		}
		if a = run(e, request); failed(a) {
			break
		}
	}
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
