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
		return p.Aside(graph, []job.Body{&job.Sweep{}}, func(b job.Body) { got = append(got, b) })
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

	// Requests in a row: the last one's answer counts, or the first failure.
	row := func() {
		p.Aside(path, []job.Body{&job.Solve{}, &job.Block{}}, func(b job.Body) { got = append(got, b) })
		answer(&job.Loaded{})
		if _, ok := last().body.(*job.Solve); !ok {
			t.Fatalf("first of two it is told %T", last().body)
		}
	}
	row()
	answer(&job.Solved{})
	if _, ok := last().body.(*job.Block); !ok || len(got) != 3 {
		t.Fatalf("second of two it is told %T", last().body)
	}
	answer(&job.Blocked{Count: 7})
	if b, ok := got[len(got)-1].(*job.Blocked); !ok || b.Count != 7 || len(got) != 4 {
		t.Errorf("two requests are answered by %v", got[3:])
	}
	p.Aside(path, []job.Body{&job.Solve{}, &job.Block{}}, func(b job.Body) { got = append(got, b) })
	answer(&job.Failed{Message: "no plan"})
	if f, ok := got[len(got)-1].(*job.Failed); !ok || f.Message != "no plan" || len(got) != 5 {
		t.Errorf("a failure is answered by %v", got[4:])
	}
	if _, ok := last().body.(*job.Solve); !ok {
		t.Errorf("after a failure it is told %T", last().body)
	}
	got = got[:3]

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

// A comparison has a Worker of its own, of another program, which ends with it. A cancelled one ends at once.
func TestBenchmark(t *testing.T) {
	p := open(t, 2)
	other := &browser{t: t}
	p.Published = other
	p.mesh(1)
	before := len(p.started)
	p.Send(job.Request{ID: 7, Body: &job.Benchmark{}})
	if len(other.started) != 1 || len(p.started) != before {
		t.Fatalf("%d Workers of the other program, %d of the page's", len(other.started), len(p.started)-before)
	}
	w := other.started[0]
	last := func() post { return w.told[len(w.told)-1] }
	if _, ok := last().body.(*job.Opened); !ok {
		t.Fatalf("it is told %T first", last().body)
	}
	w.says(last().id, &job.Progress{})
	w.says(last().id, &job.Loaded{})
	if _, ok := last().body.(*job.Benchmark); !ok {
		t.Fatalf("then %T", last().body)
	}
	w.says(last().id, &job.Benchmarking{Method: "dense"})
	if len(p.got[7]) != 1 || p.Unfinished() != 1 {
		t.Errorf("of a row: %+v", p.got[7])
	}
	w.says(last().id, &job.Benchmarked{})
	if _, ok := p.final(7).(*job.Benchmarked); !ok || !w.ended || p.Unfinished() != 0 {
		t.Errorf("in the end: %+v, ended %v", p.got[7], w.ended)
	}

	p.Send(job.Request{ID: 8, Body: &job.Benchmark{}})
	w = other.started[1]
	w.says(last().id, &job.Loaded{})
	p.Send(job.Request{ID: 9, Body: &job.Cancel{Request: 8}})
	w.says(last().id, &job.Benchmarking{})
	if _, ok := p.final(8).(*job.Cancelled); !ok || !w.ended || len(p.got[8]) != 1 || len(p.got[9]) != 1 {
		t.Errorf("cancelled: %+v, %+v, ended %v", p.got[8], p.got[9], w.ended)
	}

	p.Send(job.Request{ID: 10, Body: &job.Benchmark{}})
	other.started[2].heard.Crashed("TypeError: Failed to fetch")
	if f, ok := p.final(10).(*job.Failed); !ok || f.Message != "The program that compares methods could not be started (TypeError: Failed to fetch)." {
		t.Errorf("a program that cannot be had: %+v", p.got[10])
	}
	if p.Replaced != 0 || len(p.started) != before {
		t.Error("the page's Workers are disturbed")
	}
}
