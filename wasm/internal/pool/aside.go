package pool

import "genussink/core/job"

// aside is a Worker beside those that work for the page, with an engine of its
// own. It starts when it is first asked, so that what it does disturbs no other.
type aside struct {
	pool    *Pool
	what    string // what it is for, in words
	*worker        // nil: none has started
	holds   any    // what its engine has opened: the text of a graph's file, or the page's mesh
	id      uint32
	next    func(answer job.Body) // what becomes of the answers that are due
}

// Aside asks the Worker beside the others, and calls done with the answer: to the last of the requests, or to the first that fails. Its
// engine first opens the graph, or the mesh at hand where the graph is nil; no is
// the answer while there is no mesh. One question is asked at a time.
func (p *Pool) Aside(graph *job.Load, requests []job.Body, done func(answer job.Body)) bool {
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
	p.lessons.request(p.host, holds, open, requests, func(answer job.Body) {
		if !job.Interim(answer) {
			done(answer)
		}
	})
	return true
}

// EndAside ends the Worker beside the others. A question under way gets no answer.
func (p *Pool) EndAside() { p.lessons.end() }

// benchmark asks the Worker that compares methods. It ends with the answer: the next comparison begins from nothing too.
func (p *Pool) benchmark(r job.Request) {
	p.pending[r.ID] = &request{body: r.Body, worker: besides}
	if p.mesh == nil { // a Worker fell over it
		p.host.After(0, func() {
			if p.pending[r.ID] != nil {
				p.finish(r.ID, &job.Failed{Kind: "crash", Message: "The mesh has to be opened again."})
			}
		})
		return
	}
	p.methods.request(p.Published, p.mesh, p.mesh, []job.Body{r.Body}, func(answer job.Body) {
		if job.Interim(answer) {
			p.deliver(job.Event{ID: r.ID, Body: answer})
			return
		}
		p.methods.end()
		if p.pending[r.ID] != nil {
			p.finish(r.ID, answer)
		}
	})
}

// request asks questions, one after the other, about what an engine has opened, or opens first.
func (a *aside) request(host Host, holds any, open job.Body, questions []job.Body, next func(answer job.Body)) {
	if a.worker == nil {
		a.start(host)
	}
	if gone := a.pool.gone; gone != "" {
		a.pool.host.After(0, func() { next(&job.Failed{Kind: "blocked", Message: gone}) })
		return
	}
	if a.holds == holds {
		a.askAll(questions, next)
		return
	}
	a.holds = nil
	a.ask(open, func(answer job.Body) {
		switch {
		case job.Interim(answer):
			return
		case !isLoaded(answer):
			next(answer)
			return
		}
		a.holds = holds
		a.askAll(questions, next)
	})
}

// askAll asks one question after the other.
func (a *aside) askAll(questions []job.Body, next func(answer job.Body)) {
	a.ask(questions[0], func(answer job.Body) {
		_, failed := answer.(*job.Failed)
		switch {
		case failed || len(questions) == 1:
			next(answer)
		case !job.Interim(answer):
			a.askAll(questions[1:], next)
		}
	})
}

func isLoaded(b job.Body) bool {
	_, ok := b.(*job.Loaded)
	return ok
}

func (a *aside) ask(b job.Body, next func(answer job.Body)) {
	a.id++
	a.next = next
	a.Post(a.id, b)
}

// answer hands on an answer, the last one once.
func (a *aside) answer(b job.Body) {
	if next := a.next; next != nil {
		if !job.Interim(b) {
			a.next = nil
		}
		next(b)
	}
}

// end ends the Worker. A question under way gets no answer.
func (a *aside) end() {
	if a.worker != nil {
		a.End()
	}
	a.worker, a.holds, a.next = nil, nil, nil
}

func (a *aside) start(host Host) {
	p := a.pool
	if p.gone != "" {
		return
	}
	w := &worker{}
	heard := func(f func()) { // but not from one that has ended
		if a.worker == w {
			f()
		}
	}
	conn, err := host.Start(Heard{
		Pulse: func() { heard(func() { p.hear(w) }) },
		Frame: func(id uint32, f Frame) {
			heard(func() {
				p.hear(w)
				if id != a.id {
					return
				}
				body, err := f.Decode()
				if err != nil {
					body = &job.Failed{Kind: "internal", Message: err.Error()}
				}
				a.answer(body)
			})
		},
		Crashed: func(why string) { heard(func() { a.crash(why) }) },
	})
	if err != nil {
		p.give(err.Error())
		return
	}
	w.Conn, a.worker = conn, w
}

// crash gives the Worker up; the next question starts another.
func (a *aside) crash(why string) {
	message := "The background program stopped."
	if !a.heard {
		message = "The program " + a.what + " could not be started (" + why + ")."
	}
	next := a.next
	a.end()
	a.pool.host.Warn("the Worker " + a.what + " ended: " + why)
	if next != nil {
		next(&job.Failed{Kind: "crash", Message: message})
	}
}
