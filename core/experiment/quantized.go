package experiment

import (
	"fmt"
	"math"

	"genussink/core/internal/heap"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/method"
	"genussink/core/quantized"
	"genussink/core/transport"
)

// checkRows is how many rows of true distances on either side an estimate takes.
const checkRows = 16

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
	maker, run := t.maker(), t.start()
	net, err := maker.Net(run, r.Cells, false)
	if err != nil {
		return err
	}
	mean := make([]float64, t.g.Len())
	solve := func(run *method.Run, source []float64, last *quantized.Solution) (s *quantized.Solution, seconds float64) {
		for v := range mean {
			mean[v] = (source[v] + t.target[v]) / 2
		}
		var c *quantized.Cells
		if err == nil {
			c, err = maker.Cells(run, net, mean)
		}
		seconds = stopwatch(func() {
			if err == nil {
				s, err = quantized.Solve(t.ctx, c, source, t.target, t.epsilon, transport.Options{Tolerance: t.Tolerance, Progress: t.Progress}, last)
			}
		})
		return s, seconds
	}
	var s, again *quantized.Solution
	s, r.Solve = solve(run, t.source, nil)
	r.Stages = run.Timings
	var e quantized.Estimate
	r.Estimate = stopwatch(func() {
		if err == nil {
			e, err = s.Estimate(t.ctx, net, checkRows, transport.Options{Tolerance: 1e-6})
		}
	})
	if err != nil {
		return err
	}
	again, _ = solve(t.start(), t.repainted, s)
	r.Peak = m.Peak()
	m.Pause()
	r.Resolve = median(func() { again, _ = solve(t.start(), t.repainted, s) })
	if err != nil {
		return err
	}
	r.Solution, r.Again = s.Result.Solution, again.Result.Iterations
	r.Estimated, r.Low, r.High = e.Cost, e.Low, e.High
	r.Error = math.Abs(r.Cost-t.reference) / t.reference
	r.EstimateError = math.Abs(r.Estimated-t.reference) / t.reference
	return t.report(r, s)
}

// report measures a query and a product of the cells' kernel, and reports the row.
func (t *trial) report(r *Row, s *quantized.Solution) error {
	plan, err := transport.NewPlan(s.Kernel, t.epsilon, s.Result.LogU, s.Result.LogV)
	if err != nil {
		return err
	}
	if err := t.ask(r, plan, s.Kernel); err != nil {
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
	run := t.start()
	c, err := t.maker().Support(run, t.spots[0], t.spots[1])
	if err != nil {
		if t.refused(&r, err) {
			return nil
		}
		return err
	}
	r.Stages = run.Timings
	var s *quantized.Solution
	r.Solve = stopwatch(func() {
		s, err = quantized.Solve(t.ctx, c, t.spots[0], t.spots[1], t.epsilon, transport.Options{Tolerance: spotsTolerance, Progress: t.Progress}, nil)
	})
	if err != nil {
		return err
	}
	r.Peak = m.Peak()
	m.Pause()
	r.Solution = s.Result.Solution
	r.Error = math.Abs(r.Cost-t.spotsReference) / t.spotsReference
	return t.report(&r, s)
}
