// Package pool deals requests to Web Workers and delivers their events. What a Worker is, and how its messages travel, is the host's
// affair: the browser's is in port.
package pool

import (
	"maps"
	"math"
	"slices"
	"strings"

	"genussink/core/job"
)

// Host starts Workers and keeps the time. All happens on one thread: the page's.
type Host interface {
	Start(heard Heard) (Conn, error) // a new Worker; heard gets what it says
	After(milliseconds int, f func())
	Now() float64 // milliseconds
	Warn(text string)
}

// Conn is the line to a Worker. What is sent waits until the Worker listens.
type Conn interface {
	Post(id uint32, b job.Body)
	Forward(id uint32, f Frame) // a frame of another Worker's, as it came
	Pulse()                     // asks whether it is there
	Help(number int, helper Conn)
	Break(silently bool) // for tests: it ends as if it had crashed, or as when the browser kills it
	End()
}

// Heard is what becomes of a Worker's words.
type Heard struct {
	Pulse   func()
	Frame   func(id uint32, f Frame)
	Crashed func(why string) // it ended, or it failed
}

// Frame is an encoded message.
type Frame interface {
	Decode() (job.Body, error)
}

// Grace is how long a Worker may take to acknowledge a cancelled request, in
// milliseconds, before it is ended and replaced. A Worker looks at its
// messages every 15 ms; three times that leaves room for a slow machine
// and keeps cancelling under 100 ms whatever the Worker is doing.
const Grace = 50

// The Workers by what they do. Interactive answers while a person's hand is
// on the mesh and solves what is to be solved at once, whatever its accuracy; Compute holds the separator tree and the
// plan; further ones help it. The last one of all, which starts when it is first
// needed, studies the graph: it searches for tree decompositions and separators, so
// that ending it costs nothing else.
const (
	Interactive = iota
	Compute
	firstHelper
)

// besides is no Worker of those: one beside them.
const besides = -1

// A Worker that goes without a word, as when the browser takes its memory, is
// found out by its silence: every Pulse milliseconds it is asked whether it is
// there, and once it has let Silence questions pass it counts as dead. That is
// longer than any computation keeps its event loop waiting.
const (
	Pulse   = 3000
	Silence = 8
)

// Pool sends requests to Web Workers and delivers their events, on the page's
// thread. Every Worker has its own engine. One of them reads a mesh file; the others, and those that start later or take the
// place of one that died, are told the mesh that it read.
type Pool struct {
	host     Host
	deliver  func(job.Event)
	replaced func(plan bool)
	workers  []*worker
	pending  map[uint32]*request
	lessons  aside // asked by Aside
	methods  aside // compares them

	// What a new Worker has to be told: the mesh that is open, as it was delivered, and the
	// separation in force. They count once they have been answered, so that a
	// broken file leaves the old mesh in place.
	mesh       *job.Opened
	separation job.Body

	gone  string // why no Worker can be started, a sentence; "": they can
	early int    // Workers in a row that ended before they said anything
	plan  int    // the Worker that solved last

	Published Host    // starts the Worker that compares methods, whose program is another
	Replaced  int     // Workers replaced so far
	CancelMax float64 // longest time from a Cancel to its request's end, ms
}

type request struct {
	body        job.Body
	worker      int
	opened      bool    // the mesh that it opens is there
	cancelledAt float64 // performance.now, 0 while nobody cancelled it
}

type worker struct {
	Conn
	recalled bool // it has answered since it was told again
	heard    bool // it has said something
	unheard  int  // questions that it has let pass since
}

// New starts Workers: the interactive one and those that share a solve, one at least.
// deliver gets every event of every request; replaced is told when a
// Worker died and another is in its place, after its requests have failed, and
// whether it held the plan or a part of it.
func New(host Host, shares int, deliver func(job.Event), replaced func(plan bool)) *Pool {
	p := &Pool{host: host, deliver: deliver, replaced: replaced, plan: Compute, pending: map[uint32]*request{}}
	p.lessons = aside{pool: p, what: "of the lessons"}
	p.methods = aside{pool: p, what: "that compares methods"}
	p.workers = make([]*worker, Compute+max(shares, 1)+1)
	for i := range p.study() {
		p.start(i)
	}
	p.introduce()
	host.After(Pulse, p.pulse)
	return p
}

// most is how many Workers in a row may end before they say anything: then the browser lets none start.
const most = 4

// give gives up: no Worker can be started. Whatever waits, and will be asked, fails.
func (p *Pool) give(why string) {
	advice := "An extension or a policy may block Worker scripts: allow them, and reload the page."
	if strings.Contains(why, "memory") {
		advice = "Close other pages and programs, and reload the page."
	}
	p.gone = "The browser does not let this page start its background programs (" + why + "). " + advice
	p.host.Warn(p.gone)
	for i, w := range p.workers {
		if w != nil {
			w.End()
			p.workers[i] = nil
		}
	}
	p.methods.end()
	for _, id := range slices.Sorted(maps.Keys(p.pending)) {
		p.finish(id, &job.Failed{Kind: "blocked", Message: p.gone})
	}
	next := p.lessons.next
	if p.lessons.end(); next != nil {
		next(&job.Failed{Kind: "blocked", Message: p.gone})
	}
}

// pulse asks every Worker whether it is there.
func (p *Pool) pulse() {
	for i, w := range p.workers {
		if w == nil {
			continue
		}
		if w.silent() {
			p.replace(i, "it fell silent")
			continue
		}
		w.Pulse()
	}
	for _, a := range []*aside{&p.lessons, &p.methods} {
		switch {
		case a.worker == nil:
		case a.silent():
			a.crash("it fell silent")
		default:
			a.Pulse()
		}
	}
	p.host.After(Pulse, p.pulse)
}

// silent notes one more question, and says whether the Worker has let too many pass.
func (w *worker) silent() bool {
	if w.heard { // one that starts may take its time
		w.unheard++
	}
	return w.unheard > Silence
}

// Len is the number of Workers that have been started.
func (p *Pool) Len() int {
	switch {
	case p.gone != "":
		return 0
	case p.workers[p.study()] == nil:
		return p.study()
	}
	return len(p.workers)
}

// study is the number of the Worker that studies the graph.
func (p *Pool) study() int { return len(p.workers) - 1 }

// Unfinished is the number of requests that have not ended.
func (p *Pool) Unfinished() int { return len(p.pending) }

// start makes Worker i.
func (p *Pool) start(i int) {
	if p.gone != "" {
		return
	}
	w := &worker{recalled: true}
	heard := func(f func()) { // but not from one that has been replaced
		if p.workers[i] == w {
			f()
		}
	}
	conn, err := p.host.Start(Heard{
		Pulse:   func() { heard(func() { p.hear(w) }) },
		Frame:   func(id uint32, f Frame) { heard(func() { p.receive(i, w, id, f) }) },
		Crashed: func(why string) { heard(func() { p.replace(i, why) }) },
	})
	if err != nil {
		p.give(err.Error())
		return
	}
	w.Conn, p.workers[i] = conn, w
}

// introduce gives the computing Worker a fresh line to every helper.
func (p *Pool) introduce() {
	if p.gone != "" {
		return
	}
	for i := firstHelper; i < p.study(); i++ {
		p.workers[Compute].Help(i-firstHelper, p.workers[i].Conn)
	}
}

// duty is the Worker that answers a request.
func (p *Pool) duty(b job.Body) int {
	switch q := b.(type) {
	case *job.Load, *job.Generate, *job.Measure, *job.Brush, *job.Distance:
		return Interactive
	case *job.Solve:
		if math.IsInf(q.Accuracy, 1) {
			return Interactive
		}
	case *job.Partners, *job.Retrace, *job.Block, *job.Push, *job.Flow, *job.Polish, *job.Centres, *job.Export:
		return p.plan
	case *job.Sweep, *job.Decompose, *job.Check, *job.Inspect, *job.Shade, *job.Mirror, *job.Animate, *job.Profile:
		return p.study()
	}
	return Compute
}

// Send sends a request. Its events go to deliver, the last of them exactly
// once, whatever becomes of the Worker.
func (p *Pool) Send(r job.Request) {
	if c, ok := r.Body.(*job.Cancel); ok {
		p.cancel(r.ID, c.Request)
		return
	}
	if _, ok := r.Body.(*job.Benchmark); ok {
		p.benchmark(r)
		return
	}
	i := p.duty(r.Body)
	if p.workers[i] == nil {
		p.begin(i)
	}
	p.pending[r.ID] = &request{body: r.Body, worker: i}
	if p.gone != "" {
		p.host.After(0, func() {
			if p.pending[r.ID] != nil {
				p.finish(r.ID, &job.Failed{Kind: "blocked", Message: p.gone})
			}
		})
		return
	}
	p.post(r.ID)
}

// post puts a pending request to its Worker.
func (p *Pool) post(id uint32) {
	r := p.pending[id]
	body := r.body
	switch b := body.(type) { // Compute examines the mesh, while Interactive goes on
	case *job.Load:
		c := *b
		c.Brief, body = true, &c
	case *job.Generate:
		c := *b
		c.Brief, body = true, &c
	}
	p.workers[r.worker].Post(id, body)
}

// others are the Workers besides the Interactive one that work with the mesh.
func (p *Pool) others() (all []*worker) {
	for _, w := range []*worker{p.workers[Compute], p.workers[p.study()]} {
		if w != nil {
			all = append(all, w)
		}
	}
	return all
}

// opened hands the mesh that the Interactive Worker has read to the others, as its frame came, before anything is asked about it.
// The answer is Compute's.
func (p *Pool) opened(id uint32, r *request, mesh *job.Opened, frame Frame) {
	p.mesh, p.separation, r.opened, r.worker = mesh, nil, true, Compute
	for _, w := range p.others() {
		w.Forward(id, frame)
	}
}

// tell repeats to a new Worker what its predecessor knew. Nobody waits for the
// answer: 0 is never a request's own id.
func (p *Pool) tell(i int, b job.Body) { p.workers[i].Post(0, b) }

func (p *Pool) cancel(id, target uint32) {
	r, ok := p.pending[target]
	if !ok { // it has ended already
		p.deliver(job.Event{ID: id, Body: &job.Cancelled{}})
		return
	}
	if r.worker == besides {
		p.methods.end()
	}
	if p.gone != "" || r.worker == besides {
		p.finish(target, &job.Cancelled{})
		p.deliver(job.Event{ID: id, Body: &job.Cancelled{}})
		return
	}
	r.cancelledAt = p.host.Now()
	p.workers[r.worker].Post(id, &job.Cancel{Request: target})
	p.host.After(Grace, func() {
		if p.pending[target] != r {
			return
		}
		p.finish(target, &job.Cancelled{})
		stuck := p.workers[r.worker]
		p.host.After(0, func() { // the person sees it first
			// Where something else waits for this Worker, such as the solve that
			// takes the place of the cancelled one, it may go on: all it has built
			// would have to be built again.
			// Polishing ends by itself after a step, and what it asks is the plan that a person looks at.
			_, polishing := r.body.(*job.Polish)
			if p.workers[r.worker] == stuck && len(p.ids(r.worker)) == 0 && !polishing {
				p.renew(r.worker)
			}
		})
	})
	p.deliver(job.Event{ID: id, Body: &job.Cancelled{}})
}

// finish delivers a request's last event.
func (p *Pool) finish(id uint32, b job.Body) {
	if r := p.pending[id]; r.cancelledAt > 0 {
		p.CancelMax = max(p.CancelMax, p.host.Now()-r.cancelledAt)
	}
	delete(p.pending, id)
	p.deliver(job.Event{ID: id, Body: b})
}

// hear notes that Worker w is there.
func (p *Pool) hear(w *worker) { w.heard, w.unheard, p.early = true, 0, 0 }

// receive takes one frame from Worker i.
func (p *Pool) receive(i int, w *worker, id uint32, frame Frame) {
	p.hear(w)
	w.recalled = true
	r, ok := p.pending[id]
	if !ok || r.worker != i {
		return // the answer to what it was told, or to a Cancel
	}
	body, err := frame.Decode()
	if err != nil {
		body = &job.Failed{Kind: "internal", Message: err.Error()}
	}
	switch b := body.(type) {
	case *job.Opened:
		p.opened(id, r, b, frame)
	case *job.Separated:
		p.separation = r.body
	case *job.Solved:
		if r.cancelledAt == 0 {
			p.plan = i
		}
	}
	if job.Interim(body) {
		p.deliver(job.Event{ID: id, Body: body})
		return
	}
	p.finish(id, body)
}

// renew ends Worker i and starts another that knows what the old one knew.
func (p *Pool) renew(i int) {
	p.workers[i].End()
	p.Replaced++
	p.begin(i)
	if i >= Compute && i < p.study() {
		p.introduce()
	}
}

// begin starts Worker i, and tells it what it has to know.
func (p *Pool) begin(i int) {
	p.start(i)
	if i >= firstHelper && i < p.study() {
		return
	}
	if p.gone != "" {
		return
	}
	if p.mesh != nil {
		p.workers[i].recalled = false
		p.tell(i, p.mesh)
	}
	if p.separation != nil && i == Compute {
		p.tell(i, p.separation)
	}
}

// ids are the requests that Worker i has to answer, in the order of asking.
func (p *Pool) ids(i int) []uint32 {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(p.pending)), func(id uint32) bool { return p.pending[id].worker != i })
}

// replace puts a new Worker in the place of one that died. Its requests, which
// may be why, fail; those of one that has not even started go to the new one.
func (p *Pool) replace(i int, why string) {
	started := p.workers[i].heard
	if !started {
		if p.early++; p.early == most {
			p.give(why)
			return
		}
	}
	if !p.workers[i].recalled { // it fell over what it was told: do not tell it again
		p.mesh, p.separation = nil, nil
	}
	if p.renew(i); p.gone != "" {
		return
	}
	p.host.Warn("a Worker was replaced: " + why)
	failed := job.Failed{Kind: "crash", Message: "The background program stopped and was replaced."}
	if strings.Contains(why, "memory") {
		failed = job.Failed{Kind: "exhausted", Message: "The background program ran out of memory and was replaced."}
	}
	for _, id := range p.ids(i) {
		if started || p.pending[id].opened {
			p.finish(id, &failed)
		} else {
			p.post(id)
		}
	}
	share := i >= Compute && i < p.study()
	p.replaced(i == p.plan || share && p.plan == Compute)
}

// Break makes Worker i end for tests of what follows: as if it had crashed, or
// silently, as when the browser kills it.
func (p *Pool) Break(i int, silently bool) { p.workers[i].Break(silently) }
