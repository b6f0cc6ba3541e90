package pool

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/job"
)

// browser is a host whose clock and whose Workers do what a test says.
type browser struct {
	t       interface{ Fatalf(string, ...any) }
	now     float64
	timers  []timer
	started []*fake // in order, the replaced ones too
	refuse  error   // what starting a Worker fails with
	warned  []string
}

type timer struct {
	at float64
	f  func()
}

func (b *browser) Now() float64     { return b.now }
func (b *browser) Warn(text string) { b.warned = append(b.warned, text) }
func (b *browser) After(milliseconds int, f func()) {
	b.timers = append(b.timers, timer{b.now + float64(milliseconds), f})
}

func (b *browser) Start(heard Heard) (Conn, error) {
	if b.refuse != nil {
		return nil, b.refuse
	}
	f := &fake{heard: heard, lead: -1}
	b.started = append(b.started, f)
	return f, nil
}

// wait lets time pass.
func (b *browser) wait(milliseconds float64) {
	until := b.now + milliseconds
	for {
		next := -1
		for k, t := range b.timers {
			if t.at <= until && (next < 0 || t.at < b.timers[next].at) {
				next = k
			}
		}
		if next < 0 {
			break
		}
		t := b.timers[next]
		b.timers = slices.Delete(b.timers, next, next+1)
		b.now = max(b.now, t.at)
		t.f()
	}
	b.now = until
}

// fake is a Worker.
type fake struct {
	heard     Heard
	told      []post
	pulses    int
	lead      int // the number that it helps as
	ended     bool
	breakings []bool
}

type post struct {
	id   uint32
	body job.Body // of a frame that was forwarded too
}

type frame struct{ body job.Body }

func (f frame) Decode() (job.Body, error) {
	if f.body == nil {
		return nil, errors.New("not a frame")
	}
	return f.body, nil
}

func (f *fake) Post(id uint32, b job.Body)    { f.told = append(f.told, post{id, b}) }
func (f *fake) Forward(id uint32, what Frame) { f.told = append(f.told, post{id, what.(frame).body}) }
func (f *fake) Pulse()                        { f.pulses++ }
func (f *fake) Help(number int, helper Conn)  { helper.(*fake).lead = number }
func (f *fake) Break(silently bool)           { f.breakings = append(f.breakings, silently) }
func (f *fake) End()                          { f.ended = true }
func (f *fake) says(id uint32, body job.Body) { f.heard.Frame(id, frame{body}) }
func (f *fake) asked(id uint32) (b job.Body) {
	for _, p := range f.told {
		if p.id == id {
			b = p.body
		}
	}
	return b
}

// page is a pool of so many Workers that share a solve, and what it delivers.
type page struct {
	*Pool
	*browser
	got      map[uint32][]job.Body
	replaced []bool
}

func open(t interface{ Fatalf(string, ...any) }, shares int) *page {
	p := &page{browser: &browser{t: t, now: 1}, got: map[uint32][]job.Body{}}
	p.Pool = New(p.browser, shares, func(e job.Event) { p.got[e.ID] = append(p.got[e.ID], e.Body) }, func(plan bool) { p.replaced = append(p.replaced, plan) })
	return p
}

// at is the Worker that has a place now.
func (p *page) at(i int) *fake { return p.workers[i].Conn.(*fake) }

func (p *page) send(id uint32, b job.Body) { p.Send(job.Request{ID: id, Body: b}) }

// final is a request's last answer; there must be no more than one that is.
func (p *page) final(id uint32) job.Body {
	var last job.Body
	for _, b := range p.got[id] {
		if !job.Interim(b) {
			if last != nil {
				p.t.Fatalf("request %d ends with %T and with %T", id, last, b)
			}
			last = b
		}
	}
	return last
}

// mesh opens one, as far as Compute's answer.
func (p *page) mesh(id uint32) {
	p.send(id, &job.Load{Name: "a.obj"})
	p.at(Interactive).says(id, &job.Opened{Name: "a.obj"})
	p.at(Interactive).says(id, &job.Loaded{Name: "brief"})
	p.at(Compute).says(id, &job.Loaded{Name: "whole"})
}

func TestRequestsGoToTheirWorkers(t *testing.T) {
	p := open(t, 2)
	if len(p.started) != 3 || p.at(firstHelper).lead != 0 || p.Len() != 3 {
		t.Fatalf("%d Workers are started, the helper is number %d, Len is %d", len(p.started), p.at(firstHelper).lead, p.Len())
	}
	for id, c := range []struct {
		body job.Body
		to   int
	}{
		{&job.Measure{}, Interactive}, {&job.Brush{}, Interactive}, {&job.Solve{Accuracy: math.Inf(1)}, Interactive},
		{&job.Solve{}, Compute}, {&job.Separate{}, Compute}, {&job.Flow{}, Compute}, {&job.Sweep{}, 3}, {&job.Decompose{}, 3},
	} {
		p.send(uint32(id+1), c.body)
		if p.at(c.to).asked(uint32(id+1)) != c.body {
			t.Errorf("%T does not reach Worker %d", c.body, c.to)
		}
	}
	if p.Len() != 4 || p.Unfinished() != 8 {
		t.Errorf("%d Workers, %d requests under way", p.Len(), p.Unfinished())
	}
	p.at(Interactive).says(3, &job.Progress{Stage: "net"})
	p.at(Interactive).says(3, &job.Solved{})
	p.at(Interactive).says(3, &job.Solved{}) // once more: nobody waits for it
	if len(p.got[3]) != 2 || p.final(3) == nil || p.Unfinished() != 7 {
		t.Errorf("answers %v, %d unfinished", p.got[3], p.Unfinished())
	}
	p.send(20, &job.Flow{}) // of the plan solved last
	if p.at(Interactive).asked(20) == nil {
		t.Error("the flow is not asked of the Worker that solved")
	}
}

// The Worker that reads a mesh hands it on, and does not examine it: the answer is Compute's.
func TestMeshGoesToAll(t *testing.T) {
	p := open(t, 1)
	load := &job.Load{Name: "a.obj"}
	p.send(1, load)
	if asked := p.at(Interactive).asked(1).(*job.Load); !asked.Brief || load.Brief {
		t.Errorf("asked in brief: %v; the request itself: %v", asked.Brief, load.Brief)
	}
	o := &job.Opened{Name: "a.obj"}
	p.at(Interactive).says(1, o)
	if p.at(Compute).asked(1) != job.Body(o) {
		t.Error("Compute is not told of the mesh")
	}
	p.at(Interactive).says(1, &job.Loaded{Name: "brief"})
	if p.final(1) != nil {
		t.Error("the brief answer is delivered")
	}
	p.at(Compute).says(1, &job.Loaded{Name: "whole"})
	if l, _ := p.final(1).(*job.Loaded); l == nil || l.Name != "whole" {
		t.Errorf("delivered: %v", p.got[1])
	}
	// Whoever starts later is told the mesh, not the file.
	p.send(2, &job.Decompose{})
	if told := p.at(p.study()).told; len(told) != 2 || told[0] != (post{0, o}) {
		t.Errorf("the Worker that studies is told %v", told)
	}
}

// A Worker that dies fails its requests, and another is told what it knew. What the old one still says is not heard.
func TestReplaced(t *testing.T) {
	for why, kind := range map[string]string{"it stopped": "crash", "out of memory": "exhausted"} {
		p := open(t, 2)
		p.mesh(1)
		separate := &job.Separate{Finder: "levelset"}
		p.send(2, separate)
		p.at(Compute).says(2, &job.Separated{})
		p.send(3, &job.Solve{})
		p.send(4, &job.Brush{})
		old := p.at(Compute)
		old.heard.Crashed(why)
		if f, _ := p.final(3).(*job.Failed); f == nil || f.Kind != kind || p.final(4) != nil || !old.ended || p.Replaced != 1 {
			t.Fatalf("%s: answers %v and %v, %d replaced", why, p.got[3], p.got[4], p.Replaced)
		}
		now := p.at(Compute)
		if now == old || len(now.told) != 2 || now.told[0].id != 0 || now.told[1] != (post{0, separate}) || p.at(firstHelper).lead != 0 {
			t.Errorf("%s: the new Worker is told %v", why, now.told)
		}
		if !slices.Equal(p.replaced, []bool{true}) || len(p.warned) != 1 {
			t.Errorf("%s: told of %v, warned %q", why, p.replaced, p.warned)
		}
		old.says(3, &job.Solved{})
		old.heard.Crashed("again")
		old.heard.Pulse()
		if p.final(3).(*job.Failed).Kind != kind || p.Replaced != 1 {
			t.Errorf("%s: the old Worker is heard", why)
		}
		// It dies of what it was told: the next is told nothing.
		now.heard.Crashed(why)
		if next := p.at(Compute); len(next.told) != 0 {
			t.Errorf("%s: told again %v", why, next.told)
		}
	}
}

func TestBrokenFileKeepsTheMesh(t *testing.T) {
	p := open(t, 1)
	p.mesh(1)
	p.send(2, &job.Load{Name: "broken.obj"})
	p.at(Interactive).says(2, &job.Failed{Kind: "input", Message: "line 3"})
	p.at(Compute).heard.Crashed("it stopped")
	if told := p.at(Compute).told; len(told) != 1 || told[0].body.(*job.Opened).Name != "a.obj" {
		t.Errorf("told %v", told)
	}
}

func TestCancel(t *testing.T) {
	p := open(t, 1)
	p.mesh(1)
	p.send(2, &job.Solve{})
	p.send(3, &job.Cancel{Request: 2})
	if p.final(3) == nil || p.final(2) != nil {
		t.Fatalf("the cancel: %v, the solve: %v", p.got[3], p.got[2])
	}
	p.wait(20)
	p.at(Compute).says(2, &job.Cancelled{})
	p.wait(1000)
	if p.final(2) == nil || p.Replaced != 0 || p.CancelMax != 20 {
		t.Errorf("it lets go after %v ms, %d replaced", p.CancelMax, p.Replaced)
	}
	// One that does not let go: the person waits no longer than Grace, and the Worker is ended.
	stuck := p.at(Compute)
	p.send(4, &job.Solve{})
	p.send(5, &job.Cancel{Request: 4})
	p.wait(Grace)
	if _, ok := p.final(4).(*job.Cancelled); !ok || !stuck.ended || p.Replaced != 1 || p.CancelMax != Grace {
		t.Errorf("answers %v, ended %v, %d replaced, after %v ms", p.got[4], stuck.ended, p.Replaced, p.CancelMax)
	}
	stuck.says(4, &job.Solved{})
	// But not where something else waits for it, nor where it polishes.
	for _, c := range [][]job.Body{{&job.Solve{}, &job.Solve{}}, {&job.Polish{}}} {
		before := p.Replaced
		for k, b := range c {
			p.send(uint32(10+k), b)
		}
		p.send(20, &job.Cancel{Request: 10})
		p.wait(Grace)
		if p.final(10) == nil || p.Replaced != before {
			t.Errorf("%T of %d: answers %v, %d replaced", c[0], len(c), p.got[10], p.Replaced-before)
		}
		for id := range p.got {
			delete(p.got, id)
		}
		for _, id := range p.ids(Compute) {
			p.at(Compute).says(id, &job.Cancelled{})
		}
		clear(p.got)
	}
	// What has ended cannot be cancelled, and does not matter.
	p.send(30, &job.Cancel{Request: 99})
	if p.final(30) == nil {
		t.Error("a cancel of nothing has no answer")
	}
}

func TestSilence(t *testing.T) {
	p := open(t, 1)
	p.mesh(1) // both have spoken
	p.send(2, &job.Solve{})
	for range Silence {
		p.wait(Pulse)
		p.at(Interactive).heard.Pulse()
	}
	if p.Replaced != 0 || p.at(Compute).pulses != Silence {
		t.Fatalf("%d replaced after %d questions", p.Replaced, p.at(Compute).pulses)
	}
	p.wait(Pulse)
	if f, _ := p.final(2).(*job.Failed); f == nil || f.Kind != "crash" || p.Replaced != 1 {
		t.Errorf("answers %v, %d replaced", p.got[2], p.Replaced)
	}
	// The new one starts: it may take its time.
	for range 3 * Silence {
		p.wait(Pulse)
		p.at(Interactive).heard.Pulse()
	}
	if p.Replaced != 1 {
		t.Errorf("one that starts is replaced %d times", p.Replaced-1)
	}
}

func TestBlocked(t *testing.T) {
	for name, advice := range map[string]string{"NetworkError": "extension", "not enough memory": "Close other pages"} {
		p := open(t, 1)
		p.send(1, &job.Load{Name: "a.obj"})
		for range most {
			if p.final(1) != nil {
				t.Fatalf("%s: %v while Workers are tried", name, p.got[1])
			}
			p.at(Interactive).heard.Crashed(name)
		}
		if p.Len() != 0 {
			t.Fatalf("%s: %d Workers", name, p.Len())
		}
		p.wait(0)
		p.send(2, &job.Solve{})
		p.wait(0)
		p.send(3, &job.Cancel{Request: 2})
		p.wait(10 * Pulse)
		for id := range uint32(3) {
			if f, ok := p.final(id + 1).(*job.Failed); id < 2 && (!ok || f.Kind != "blocked" || !strings.Contains(f.Message, advice)) {
				t.Errorf("%s: request %d is answered %v", name, id+1, p.got[id+1])
			}
		}
		if p.final(3) == nil || p.Unfinished() != 0 {
			t.Errorf("%s: the cancel is answered %v, %d unfinished", name, p.got[3], p.Unfinished())
		}
	}
	b := &browser{t: t, refuse: errors.New("SecurityError")}
	var got []job.Event
	p := New(b, 2, func(e job.Event) { got = append(got, e) }, func(bool) { t.Error("replaced") })
	p.Send(job.Request{ID: 1, Body: &job.Generate{}})
	b.wait(0)
	if len(got) != 1 || got[0].Body.(*job.Failed).Kind != "blocked" || !strings.Contains(b.warned[0], "SecurityError") {
		t.Errorf("answered %v, warned %q", got, b.warned)
	}
}

// Whatever Workers do, every request ends exactly once.
func TestEveryRequestEndsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := open(t, rapid.IntRange(1, 3).Draw(t, "shares"))
		var sent []uint32
		bodies := []func() job.Body{
			func() job.Body { return &job.Load{} }, func() job.Body { return &job.Generate{} }, func() job.Body { return &job.Solve{} },
			func() job.Body { return &job.Solve{Accuracy: math.Inf(1)} }, func() job.Body { return &job.Separate{} }, func() job.Body { return &job.Flow{} },
			func() job.Body { return &job.Polish{} }, func() job.Body { return &job.Decompose{} }, func() job.Body { return &job.Brush{} },
		}
		for k := range rapid.IntRange(1, 60).Draw(t, "steps") {
			id := uint32(k + 1)
			some := func() uint32 { return sent[rapid.IntRange(0, len(sent)-1).Draw(t, "which")] }
			// Any Worker that ever was may speak.
			speaker := func() *fake { return p.started[rapid.IntRange(0, len(p.started)-1).Draw(t, "worker")] }
			switch what := rapid.IntRange(0, 7).Draw(t, "what"); {
			case what < 2 || len(sent) == 0:
				p.send(id, bodies[rapid.IntRange(0, len(bodies)-1).Draw(t, "body")]())
				sent = append(sent, id)
			case what == 2:
				p.send(id, &job.Cancel{Request: some()})
				sent = append(sent, id)
			case what == 3:
				speaker().heard.Crashed("it stopped")
			case what == 4:
				speaker().heard.Pulse()
			case what == 5:
				p.wait(rapid.SampledFrom([]float64{1, Grace, Pulse, 10 * Pulse}).Draw(t, "time"))
			default:
				answers := []job.Body{&job.Opened{}, &job.Loaded{}, &job.Solved{}, &job.Separated{}, &job.Progress{}, &job.Cancelled{}, &job.Failed{}, nil}
				speaker().says(some(), answers[rapid.IntRange(0, len(answers)-1).Draw(t, "answer")])
			}
			for _, id := range sent {
				p.final(id)
			}
		}
		// At the end all Workers die until nothing is under way.
		for k := 0; p.Unfinished() > 0; k++ {
			if k > 3*len(p.workers) {
				t.Fatalf("%d requests never end", p.Unfinished())
			}
			for i, w := range p.workers {
				if w != nil && p.workers[i] == w {
					w.Conn.(*fake).heard.Crashed("the end")
				}
			}
			p.wait(Grace)
		}
		for _, id := range sent {
			if p.final(id) == nil {
				t.Fatalf("request %d has no end: %v", id, fmt.Sprint(p.got[id]))
			}
		}
	})
}
