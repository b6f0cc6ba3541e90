package engine

import (
	"math"

	"genussink/core/internal/heap"
	"genussink/core/job"
	"genussink/core/method"
	"genussink/core/quantized"
	"genussink/core/transport"
	"genussink/core/transport/check"
)

const (
	accuracyGoal = 1e-3
	checkRows    = 16 // rows of true distances on either side that an estimate takes
)

// quick solves by support or quantized. In the solving lane.
func (e *Engine) quick(r *run, sc *scene, p method.Spec, b *job.Solve, haste bool, source, target []float64, requested, why string) (done *job.Solved, enough bool, err error) {
	meter := heap.Watch()
	defer meter.Stop()
	begun := e.now()
	o := transport.Options{Tolerance: b.Tolerance, MaxIterations: b.MaxIterations, Progress: r.progress}
	var s *quantized.Solution
	estimate := job.NoEstimate()
	count, enough := 0, true
	if p.Method == job.Support {
		s, err = e.supported(r, sc, p, o, source, target)
	} else {
		s, estimate, enough, err = e.gathered(r, sc, p, b, haste, o, source, target)
		if s != nil {
			count = s.Kernel.Cells().Count()
		}
	}
	if err != nil {
		return nil, false, err
	}
	k := sc.maker.Between(&r.Run, p, s)
	problem := transport.Problem{Kernel: s.Kernel, Source: source, Target: target, Epsilon: p.Epsilon}
	lower := math.NaN()
	if !haste {
		solver, put := sc.Solver()
		lower, err = check.LowerBound(r.ctx, problem, s.Result, sc.Graph, solver)
		put()
		if err != nil {
			return nil, false, err
		}
	}
	result := s.Result
	sc.keep(&solved{kernel: k, problem: problem, result: result, lower: lower, seconds: e.now().Sub(begun).Seconds()})
	if requested == p.Method {
		requested, why = "", ""
	}
	done = sc.evidence(k.Answer(p, requested, why), result, lower)
	done.Representatives, done.Estimate = count, estimate
	if rate, err := sc.maker.DenseRate(r.ctx, p.Epsilon, result.Form == transport.Log, haste); err != nil {
		return nil, false, err
	} else if rate.Rows > 0 {
		done.DenseSetup, done.DenseSolve = rate.Build, float64(2*result.Iterations)*rate.Product+rate.Cost
	}
	done.Timings = r.Timings
	done.PeakBytes = meter.Peak()
	return done, enough, nil
}

// supported solves between the vertices with mass.
func (e *Engine) supported(r *run, sc *scene, p method.Spec, o transport.Options, source, target []float64) (*quantized.Solution, error) {
	cells, err := sc.maker.Support(&r.Run, source, target)
	if err != nil {
		return nil, err
	}
	defer r.Begin(job.StageSolve)()
	return quantized.Solve(r.ctx, cells, source, target, p.Epsilon, o, nil)
}

// gathered solves between cells, of which it takes more until the estimate of the cost is accurate enough. Where it is not
// and more cells would take longer than exact, it says so.
func (e *Engine) gathered(r *run, sc *scene, p method.Spec, b *job.Solve, haste bool, o transport.Options, source, target []float64) (s *quantized.Solution, estimate job.Estimated, enough bool, err error) {
	n := sc.Graph.Len()
	goal := b.Accuracy
	if goal == 0 {
		goal = accuracyGoal
	}
	count := min(method.FirstCells, n)
	rough := haste && sc.maker.Haste()
	if rough {
		count = method.HastyCells
	}
	if net := sc.maker.KeptNet(); net != nil && (!haste || len(net.Representatives) <= method.FirstCells) {
		count = max(count, len(net.Representatives))
	}
	if b.Representatives > 0 {
		count = min(b.Representatives, n)
	}
	mass := make([]float64, n)
	for v := range mass {
		mass[v] = (source[v] + target[v]) / 2
	}
	for {
		net, err := sc.maker.Net(&r.Run, count, rough)
		if err != nil {
			return nil, estimate, false, err
		}
		cells, err := sc.maker.Cells(&r.Run, net, mass)
		if err != nil {
			return nil, estimate, false, err
		}
		end := r.Begin(job.StageSolve)
		if s, err = quantized.Solve(r.ctx, cells, source, target, p.Epsilon, o, sc.cells); err != nil {
			return nil, estimate, false, err
		}
		sc.cells = s
		end()
		end = r.Begin(job.StageEstimate)
		checks := checkRows
		if haste {
			checks = 0
		}
		found, err := s.Estimate(r.ctx, net, checks, transport.Options{Tolerance: 1e-6})
		if err != nil {
			return nil, estimate, false, err
		}
		end()
		estimate = job.Estimated{Cost: found.Cost, Low: found.Low, High: found.High}
		miss := (found.High - found.Low) / 2
		if b.Representatives > 0 || haste || miss <= goal*found.Cost {
			return s, estimate, true, nil
		}
		// The error falls as cells grow in number.
		need := count
		for ; miss > goal*found.Cost && need <= method.MostCells; miss /= 2 {
			need *= 2
		}
		exact := p
		exact.Method, exact.Representatives = job.Exact, 0
		whole, _ := sc.maker.Outlook(r.ctx, exact)
		if need > min(n/2, method.MostCells) || sc.maker.NetSeconds(need) > whole.Seconds {
			return s, estimate, false, nil
		}
		count = need
	}
}
