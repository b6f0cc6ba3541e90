package pool

import "genussink/core/job"

// aside is a Worker beside those that work for the page, with an engine of its
// own. It starts when it is first asked, so that what it does disturbs no other.
type aside struct {
	*worker
	holds any // what its engine has opened: the text of a graph's file, or the page's mesh
	id    uint32
	next  func(answer job.Body) // what becomes of the answer that is due
}

// Aside asks the Worker beside the others, and calls done with the answer. Its
// engine first opens the graph, or the mesh at hand where the graph is nil; no is
// the answer while there is no mesh. One question is asked at a time.
func (p *Pool) Aside(graph *job.Load, request job.Body, done func(answer job.Body)) bool {
	var holds any
	var open job.Body
	switch {
	case graph != nil:
		holds, open = string(graph.Data), graph
	case p.mesh != nil:
		holds, open = p.mesh, p.mesh
	default:
		return false
	}
	if p.beside == nil {
		p.startAside()
	}
	if p.gone != "" {
		p.host.After(0, func() { done(&job.Failed{Kind: "blocked", Message: p.gone}) })
		return true
	}
	a := p.beside
	if a.holds == holds {
		a.ask(request, done)
		return true
	}
	a.holds = nil
	a.ask(open, func(answer job.Body) {
		if _, ok := answer.(*job.Loaded); !ok {
			done(answer)
			return
		}
		a.holds = holds
		a.ask(request, done)
	})
	return true
}

// EndAside ends the Worker beside the others. A question under way gets no answer.
func (p *Pool) EndAside() {
	if p.beside != nil {
		p.beside.End()
		p.beside = nil
	}
}

func (a *aside) ask(b job.Body, next func(answer job.Body)) {
	a.id++
	a.next = next
	a.Post(a.id, b)
}

// answer hands on an answer, once.
func (a *aside) answer(b job.Body) {
	if next := a.next; next != nil {
		a.next = nil
		next(b)
	}
}

func (p *Pool) startAside() {
	if p.gone != "" {
		return
	}
	a := &aside{worker: &worker{}}
	heard := func(f func()) { // but not from one that has ended
		if p.beside == a {
			f()
		}
	}
	conn, err := p.host.Start(Heard{
		Pulse: func() { heard(func() { p.hear(a.worker) }) },
		Frame: func(id uint32, f Frame) {
			heard(func() {
				p.hear(a.worker)
				if id != a.id {
					return
				}
				body, err := f.Decode()
				if err != nil {
					body = &job.Failed{Kind: "internal", Message: err.Error()}
				}
				if !job.Interim(body) {
					a.answer(body)
				}
			})
		},
		Crashed: func(why string) { heard(func() { p.crashAside(why) }) },
	})
	if err != nil {
		p.give(err.Error())
		return
	}
	a.Conn, p.beside = conn, a
}

// crashAside gives up the Worker beside the others; the next question starts another.
func (p *Pool) crashAside(why string) {
	a := p.beside
	p.EndAside()
	p.host.Warn("the Worker of the lessons ended: " + why)
	a.answer(&job.Failed{Kind: "crash", Message: "The background program stopped."})
}
