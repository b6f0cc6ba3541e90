package pool

import (
	"errors"
	"testing"

	"genussink/core/job"
)

// The Worker beside the others opens what a question is about, once, and what it is asked reaches no other Worker.
func TestAside(t *testing.T) {
	p := open(t, 2)
	var got []job.Body
	ask := func(graph *job.Load) bool {
		return p.Aside(graph, &job.Sweep{}, func(b job.Body) { got = append(got, b) })
	}
	if ask(nil) {
		t.Error("the mesh is asked about while there is none")
	}
	p.mesh(1)
	before := len(p.started)
	told := func() (n int) {
		for _, f := range p.started[:before] {
			n += len(f.told)
		}
		return n
	}
	others := told()
	path := &job.Load{Name: "path.gr", Data: []byte("p tw 2 1\n1 2\n")}
	ask(path)
	if len(p.started) != before+1 {
		t.Fatalf("%d Workers for one question", len(p.started)-before)
	}
	w := p.started[before]
	last := func() post { return w.told[len(w.told)-1] }
	answer := func(b job.Body) { w.says(last().id, b) }
	if l, ok := last().body.(*job.Load); !ok || l.Name != "path.gr" {
		t.Fatalf("it is told %T first", last().body)
	}
	answer(&job.Opened{})
	answer(&job.Loaded{})
	if _, ok := last().body.(*job.Sweep); !ok {
		t.Fatalf("then %T", last().body)
	}
	answer(&job.Swept{})
	if len(got) != 1 {
		t.Fatalf("%d answers", len(got))
	}
	n := len(w.told)
	ask(path)
	answer(&job.Swept{})
	if len(w.told) != n+1 || len(got) != 2 {
		t.Errorf("the same graph again: %d words, %d answers", len(w.told)-n, len(got))
	}
	ask(nil)
	if _, ok := last().body.(*job.Opened); !ok {
		t.Errorf("of the mesh it is told %T", last().body)
	}
	answer(&job.Failed{Message: "no"})
	if f, ok := got[2].(*job.Failed); !ok || f.Message != "no" {
		t.Errorf("a mesh that does not open is answered by %v", got[2])
	}

	ask(path)
	w.heard.Crashed("it stopped")
	if f, ok := got[len(got)-1].(*job.Failed); !ok || f.Kind != "crash" || !w.ended {
		t.Errorf("a crash is answered by %v", got[len(got)-1])
	}
	ask(path)
	if w = p.started[len(p.started)-1]; len(p.started) != before+2 {
		t.Error("no other Worker takes its place")
	}
	w.says(0, &job.Loaded{})
	for range Silence + 1 {
		p.wait(Pulse)
		for _, f := range p.started[:before] {
			f.heard.Pulse()
		}
	}
	if f, ok := got[len(got)-1].(*job.Failed); !ok || f.Kind != "crash" || len(got) != 5 {
		t.Errorf("silence is answered by %v", got[len(got)-1])
	}
	ask(path)
	w = p.started[len(p.started)-1]
	p.EndAside()
	answer(&job.Loaded{})
	if len(got) != 5 || !w.ended {
		t.Error("it goes on after its end")
	}
	if told() != others {
		t.Error("other Workers are told of it")
	}
	p.refuse = errors.New("no")
	ask(path)
	p.wait(1)
	if f, ok := got[len(got)-1].(*job.Failed); !ok || f.Kind != "blocked" {
		t.Errorf("without Workers the answer is %v", got[len(got)-1])
	}
}
