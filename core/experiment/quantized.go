package experiment

import (
	"fmt"
	"math"

	"genussink/core/internal/heap"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/method"
	"genussink/core/transport"
)

// embedded measures hub labels of a nested host.
func (t *trial) embedded() error {
	r := t.row(job.Embedded)
	r.Delta = t.Distortion
	if n := t.g.Len(); n > t.DenseLimit {
		r.Note = fmt.Sprintf("not measured on more than %s vertices", thousands(t.DenseLimit))
		t.found(r)
		return nil
	}
	m := heap.Watch()
	defer m.Stop()
	m.Restart()
	err := t.solve(&r, t.maker(), job.KernelSpec{Method: job.Embedded, Delta: job.Fraction(r.Delta)}, m)
	if err != nil && t.refused(&r, err) {
		return nil
	}
	return err
}

// quantized measures plans between so many cells, each with a net of its own, and what the method takes the exact plan's cost for.
func (t *trial) quantized() error {
	n := t.g.Len()
	m := heap.Watch()
	defer m.Stop()
	for _, k := range t.Cells {
		if k > n/2 || k < t.space.Count {
			continue
		}
		m.Restart()
		r := t.row(job.Quantized)
		r.Cells = k
		if err := t.gather(&r, m); err != nil && !t.refused(&r, err) {
			return err
		}
	}
	return nil
}

func (t *trial) gather(r *Row, m *heap.Meter) error {
	spec, err := t.spec(job.KernelSpec{Method: job.Quantized, Representatives: r.Cells})
	if err != nil {
		return err
	}
	maker, run, o := t.maker(), t.start(), transport.Options{Tolerance: t.Tolerance, Progress: t.Progress}
	found, err := maker.Gather(run, spec, t.source, t.target, o, method.Goal{})
	if err != nil {
		return err
	}
	r.took(run.Timings)
	again := found.Solution
	resolve := func() {
		if err == nil {
			again, err = maker.SolveCells(t.start(), spec, t.repainted, t.target, o, found.Solution)
		}
	}
	resolve()
	r.Peak = m.Peak()
	m.Pause()
	r.Resolve = median(resolve)
	if err != nil {
		return err
	}
	e := found.Estimate
	r.Solution, r.Again = found.Result.Solution, again.Result.Iterations
	r.Estimated, r.Low, r.High = e.Cost, e.Low, e.High
	r.Error = math.Abs(r.Cost-t.reference) / t.reference
	r.EstimateError = math.Abs(r.Estimated-t.reference) / t.reference
	return t.report(r, found)
}

// took takes over the timings of a request: the set-up's stages, the solve and the estimate.
func (r *Row) took(timings []job.Timing) {
	for _, x := range timings {
		switch x.Stage {
		case job.StageSolve:
			r.Solve = x.Seconds
		case job.StageEstimate:
			r.Estimate = x.Seconds
		default:
			r.Stages = append(r.Stages, x)
		}
	}
}

// report measures a query and a product of the cells' kernel, and reports the row.
func (t *trial) report(r *Row, f *method.Found) error {
	plan, err := transport.NewPlan(f.Kernel, t.epsilon, f.Result.LogU, f.Result.LogV)
	if err != nil {
		return err
	}
	if err := t.ask(r, plan, f.Kernel); err != nil {
		return err
	}
	t.found(*r)
	return nil
}

// spotsTolerance is the marginal error at which both exact and support stop, so that their costs can be compared to 1e-9.
const spotsTolerance = 1e-12

// exactSpots solves between the two painted spots with k, a kernel of the method exact. The set-up of k is measured
// already: it is copied from the row r. The cost found is the reference that the method support is compared with.
func (t *trial) exactSpots(r Row, k linop.Kernel) error {
	spots := t.row(r.Method)
	spots.Spots, spots.Precision, spots.Stages, spots.Peak = true, r.Precision, r.Stages, r.Peak
	var result *transport.Result
	var err error
	spots.Solve = stopwatch(func() {
		result, err = transport.Solve(t.ctx, transport.Problem{Kernel: k, Source: t.spots[0], Target: t.spots[1], Epsilon: t.epsilon}, transport.Options{Tolerance: spotsTolerance, Progress: t.Progress})
	})
	if err != nil {
		return err
	}
	spots.Solution, spots.Error = result.Solution, 0
	t.spotsReference = result.Cost
	t.found(spots)
	return nil
}

// support measures true distances between the vertices of the painted spots alone.
func (t *trial) support() error {
	r := t.row(job.Support)
	r.Spots = true
	m := heap.Watch()
	defer m.Stop()
	m.Restart()
	spec, err := t.spec(job.KernelSpec{Method: job.Support})
	if err != nil {
		return err
	}
	run := t.start()
	found, err := t.maker().SolveSupport(run, spec, t.spots[0], t.spots[1], transport.Options{Tolerance: spotsTolerance, Progress: t.Progress})
	if err != nil {
		if t.refused(&r, err) {
			return nil
		}
		return err
	}
	r.took(run.Timings)
	r.Peak = m.Peak()
	m.Pause()
	r.Solution = found.Result.Solution
	r.Error = math.Abs(r.Cost-t.spotsReference) / t.spotsReference
	return t.report(&r, found)
}
