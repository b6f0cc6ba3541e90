package engine

import (
	"math"

	"genussink/core/internal/heap"
	"genussink/core/job"
	"genussink/core/method"
	"genussink/core/transport"
	"genussink/core/transport/check"
)

// quick solves by support or quantized. In the queue of solves.
func (e *Engine) quick(r *run, sc *scene, p method.Spec, b *job.Solve, haste bool, source, target []float64, requested, why string) (done *job.Solved, enough bool, err error) {
	meter := heap.Watch()
	defer meter.Stop()
	begun := e.now()
	o := transport.Options{Tolerance: b.Tolerance, MaxIterations: b.MaxIterations, Progress: r.progress}
	var found *method.Found
	if p.Method == job.Support {
		found, err = sc.maker.SolveSupport(&r.Run, p, source, target, o)
	} else {
		found, err = sc.maker.Gather(&r.Run, p, source, target, o, method.Goal{Accuracy: b.Accuracy, Haste: haste})
	}
	if err != nil {
		return nil, false, err
	}
	k, result := sc.maker.Between(p, found), found.Result
	problem := transport.Problem{Kernel: k.Kernel, Source: source, Target: target, Epsilon: p.Epsilon}
	lower := math.NaN()
	if !haste || p.Method == job.Support { // whose answer is the last, and took more searches than these two
		solver, put := sc.Solver()
		lower, err = check.LowerBound(r.ctx, problem, result, sc.Graph, solver)
		put()
		if err != nil {
			return nil, false, err
		}
	}
	plan := &solved{kernel: k, problem: problem, result: result, lower: lower, seconds: e.now().Sub(begun).Seconds(), again: found.Repeat}
	if requested == p.Method {
		requested, why = "", ""
	}
	done = sc.evidence(k.Answer(p, requested, why), result, lower)
	done.Representatives, done.Estimate = found.Count, found.Estimate
	if rate, err := sc.maker.DenseRate(r.ctx, p.Epsilon, result.Form == transport.Log, haste || e.uncompared); err != nil {
		return nil, false, err
	} else if rate.Rows > 0 {
		done.DenseSetup, done.DenseSolve = rate.Build, float64(2*result.Iterations)*rate.Product+rate.Cost
	}
	sc.keep(plan)
	done.Timings = r.Timings
	done.PeakBytes = meter.Peak()
	return done, found.Enough, nil
}
