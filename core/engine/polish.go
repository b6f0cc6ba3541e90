package engine

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/transport"
	"genussink/core/transport/polish"
)

// polishShare is what share of a plan's set-up and solve polishing takes by default: a quarter at most, with room for a step that takes longer than the one before.
const polishShare = 0.2

// polishInterval is the least time between two interim answers.
const polishInterval = 250 * time.Millisecond

// rough says why a plan cannot be polished, "" where it can.
func (p *solved) rough() string {
	switch f := p.kernel.Spec.Function; {
	case p.result.Status != transport.Converged:
		return fmt.Sprintf("The solve stopped after %d iterations, before it converged: its plan misses the densities by %.2g of their mass.", p.result.Iterations, p.result.MarginalError)
	case p.reach > 0:
		return "With a reach the plan need not have the densities as its marginals."
	case f != job.Exp:
		return "Polishing is for the kernel exp, and this one is " + f + "."
	}
	return ""
}

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
	if why := last.rough(); why != "" {
		nan := math.NaN()
		return &job.Polished{Estimate: job.Estimate{Cost: nan, Low: nan, High: nan}, Why: why}, nil
	}
	budget := b.Seconds
	if budget == 0 {
		budget = polishShare * last.seconds
	}
	stage := job.StagePolish
	if last.polish != nil {
		stage = job.StageRefine
	}
	end := r.Begin(stage)
	begun := e.now()
	var o polish.Refinement
	err := e.alone(r, func() (err error) {
		o, err = e.refinement(sc, last)
		return err
	})
	if err != nil {
		return nil, err
	}
	o.Seconds = budget - e.now().Sub(begun).Seconds()
	o.Draw = func(draw func() error) error { return e.alone(r, draw) }
	told := begun
	o.Told = func(p polish.Polished, fraction float64) (on bool) {
		r.progress(stage, fraction)
		if t := e.now(); t.Sub(told) >= polishInterval {
			told = t
			r.tell(&job.Polishing{Estimate: job.Estimate(p)})
		}
		return sc.plan.Load() == last
	}
	known, err := last.polish.Refine(r.ctx, o)
	if err != nil {
		return nil, err
	}
	end()
	return &job.Polished{Estimate: job.Estimate(known), Timings: r.Timings}, nil
}

// alone does something with the plan's kernel to itself.
func (e *Engine) alone(r *run, do func() error) error {
	if err := e.solving.enter(r); err != nil {
		return err
	}
	defer e.solving.leave()
	return do()
}

// turns are distances that are asked for one row after the other.
type turns struct {
	mu sync.Mutex
	of linop.Distancer
}

var _ linop.Distancer = (*turns)(nil)

func (t *turns) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.of.Distances(ctx, dst, i)
}

// refinement is what polishing needs of a plan's kernel. The first begins it.
func (e *Engine) refinement(sc *scene, s *solved) (o polish.Refinement, err error) {
	k := s.kernel
	if s.polish == nil {
		p := polish.Options{LowerBound: s.lower}
		p.Least, p.Most = sc.maker.Errors(k)
		if s.polish, err = polish.New(s.problem, s.result, sc.Graph, p); err != nil {
			return o, err
		}
	}
	o = polish.Refinement{Now: e.now, Own: k.Rows, Distance: k.Distance}
	if o.Plan, err = transport.NewPlan(k.Kernel, k.Spec.Epsilon, s.result.LogU, s.result.LogV); err != nil {
		return o, err
	}
	if o.Own == nil {
		o.Own = &turns{of: k.Kernel}
	}
	return o, nil
}
