package engine

import (
	"fmt"
	"math"
	"time"

	"genussink/core/job"
	"genussink/core/transport"
)

// polishShare is what share of a plan's set-up and solve polishing takes by default.
const polishShare = 0.25

// Polishing begins with polishRows rows, of fewer the mean says little, and goes on by as many as take about polishStep.
const (
	polishRows = 32
	polishStep = 20 * time.Millisecond
)

// polishInterval is the least time between two interim answers.
const polishInterval = 250 * time.Millisecond

// polish says what the last plan costs on true distances, and how well that is known. It
// goes on from where the request before it ended. Other requests that need the kernel go between its steps.
func (e *Engine) polish(r *run, sc *scene, b *job.Polish) (job.Body, error) {
	if !(b.Seconds >= 0) {
		return nil, fmt.Errorf("polishing for %g seconds: it must not be negative", b.Seconds)
	}
	last := sc.plan.Load()
	if last == nil {
		return nil, errNoPlan
	}
	if s := last.result; s.Status != transport.Converged {
		nan := math.NaN()
		return &job.Polished{Estimate: job.Estimate{Cost: nan, Low: nan, High: nan}, Why: fmt.Sprintf(
			"The solve stopped after %d iterations, before it converged: its plan misses the densities by %.2g of their mass.", s.Iterations, s.MarginalError)}, nil
	}
	budget := b.Seconds
	if budget == 0 {
		budget = polishShare * last.seconds
	}
	stage := "polish"
	if last.polish != nil {
		stage = "refine"
	}
	end := r.begin(stage)
	begun := e.now()
	told := begun
	now := func() float64 { return e.now().Sub(begun).Seconds() }
	rows := polishRows
	if last.kernel.rows == nil { // each takes a product
		rows = threads()
	}
	var known transport.Polished
	for {
		start := now()
		var err error
		if known, err = e.polishOn(r, sc, last, rows); err != nil {
			return nil, err
		}
		took := now() - start
		if took < polishStep.Seconds()/2 {
			rows, took = 2*rows, 2*took
		} else if took > 2*polishStep.Seconds() && rows > 1 {
			rows, took = rows/2, took/2
		}
		if known.Enough() || now()+took > budget || sc.plan.Load() != last { // the next step takes as long
			break
		}
		r.progress(stage, max(now()/budget, float64(known.Rows)/float64(known.Of)))
		if t := e.now(); t.Sub(told) >= polishInterval {
			told = t
			r.tell(&job.Polishing{Estimate: estimate(known)})
		}
	}
	end()
	return &job.Polished{Estimate: estimate(known), Timings: r.timings}, nil
}

func estimate(p transport.Polished) job.Estimate {
	return job.Estimate{Cost: p.Cost, Low: p.Low, High: p.High, Rows: p.Rows, Of: p.Of, Known: p.Known}
}

// polishOn goes on by so many rows, with the kernel to itself.
func (e *Engine) polishOn(r *run, sc *scene, s *solved, rows int) (transport.Polished, error) {
	if err := e.solving.enter(r); err != nil {
		return transport.Polished{}, err
	}
	defer e.solving.leave()
	k := s.kernel
	defer sc.use(r, k)()
	if s.polish == nil {
		o := transport.PolishOptions{Most: k.bound}
		switch k.method {
		case certified:
			o.Least = -k.bound
		case sampled:
			o.Most = math.Inf(1)
		}
		var err error
		if s.polish, err = transport.NewPolish(r.ctx, s.problem, s.result, sc.graph, o); err != nil {
			return transport.Polished{}, err
		}
	}
	if known := s.polish.Estimate(); known.Enough() {
		return known, nil
	}
	own := k.rows
	if own == nil {
		own = transport.ProductRows(k.patient(r.ctx), k.epsilon)
	}
	known, err := s.polish.Step(r.ctx, rows, own)
	if lost := failureOf(k); lost != nil {
		err = lost
	}
	return known, err
}
