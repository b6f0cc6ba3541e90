package engine

import (
	"fmt"
	"math"
	"slices"

	"genussink/core/baseline"
	"genussink/core/job"
	"genussink/core/measure"
	"genussink/core/transport"
)

// solved is the plan solved last, and what asks it.
type solved struct {
	kernel     *kernel
	logu, logv []float64
}

func (s *solved) kernelOrNil() *kernel {
	if s == nil {
		return nil
	}
	return s.kernel
}

// massTolerance is how far a component's two masses may differ, as a share of
// the whole: the rounding of densities that were written as text.
const massTolerance = 1e-9

func (e *Engine) solve(r *run, sc *scene, b *job.Solve) (job.Body, error) {
	method, err := methodOf(b.Method, b.Kernel)
	if err != nil {
		return nil, err
	}
	epsilon, err := sc.epsilon(b.Epsilon, b.EpsilonUnits)
	if err != nil {
		return nil, err
	}
	source, err := sc.density("source", b.Source)
	if err != nil {
		return nil, err
	}
	target, err := sc.density("target", b.Target)
	if err != nil {
		return nil, err
	}
	if err := measure.Components(source, target, sc.component, sc.count, massTolerance); err != nil {
		return nil, err
	}
	if err := e.solving.enter(r.ctx); err != nil {
		return nil, err
	}
	defer e.solving.leave()
	k, err := e.kernel(r, sc, method, epsilon)
	if err != nil {
		return nil, err
	}
	defer sc.use(r, k)()
	o := transport.Options{Tolerance: b.Tolerance, MaxIterations: b.MaxIterations, Progress: r.progress}
	end := r.begin("solve")
	p := transport.Problem{Kernel: patient{k, r.ctx}, Source: source, Target: target, Epsilon: epsilon}
	if last := sc.plan.Load(); b.Warm && last != nil {
		o.LogV = last.start(p)
	}
	result, err := transport.Solve(r.ctx, p, o)
	if err == nil {
		err = r.ctx.Err() // a product may have been left out
	}
	if err == nil {
		err = failureOf(k)
	}
	if err != nil {
		return nil, err
	}
	end()
	sc.plan.Store(&solved{kernel: k, logu: result.LogU, logv: result.LogV})
	done := &job.Solved{
		Method: method, Kernel: "exp", Form: result.Form, Status: result.Status,
		Vertices: sc.graph.Len(), Edges: sc.graph.Edges(), Epsilon: epsilon,
		Iterations: result.Iterations, MarginalError: result.MarginalError, Trace: result.Trace,
		Cost: result.Cost, Dual: result.Dual, Gap: result.Gap, LogU: slices.Clone(result.LogU), LogV: slices.Clone(result.LogV),
		MemoryBytes: k.bytes, DenseBytes: baseline.DenseBytes(sc.graph.Len()), Threads: threads(), Timings: r.timings,
	}
	if method == dense {
		for _, t := range r.timings {
			done.DenseSeconds += t.Seconds
		}
	} else {
		done.DenseSeconds = e.predictDense(sc, epsilon, result.Iterations)
	}
	return done, nil
}

// density checks a density and makes it one of total 1.
func (sc *scene) density(name string, values []float64) ([]float64, error) {
	if err := measure.Validate(values, sc.graph.Len()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return measure.Normalise(slices.Clone(values)), nil
}

// start is the log v to start p from: the last one at the same potentials
// epsilon log v, where it had mass; elsewhere what the last log u calls for.
func (s *solved) start(p transport.Problem) []float64 {
	scale := s.kernel.epsilon / p.Epsilon
	logv := make([]float64, len(s.logv))
	fresh := false
	for j, x := range s.logv {
		logv[j] = x * scale // -Inf stays
		fresh = fresh || p.Target[j] > 0 && math.IsInf(x, -1)
	}
	if !fresh {
		return logv
	}
	logu := make([]float64, len(s.logu))
	for i, x := range s.logu {
		logu[i] = x * scale
	}
	for j, reached := range p.Kernel.LogMulVec(nil, logu) {
		if p.Target[j] > 0 && math.IsInf(logv[j], -1) {
			logv[j] = math.Log(p.Target[j]) - reached
		}
	}
	return logv
}

func (e *Engine) apply(r *run, sc *scene, b *job.Apply) (job.Body, error) {
	method, err := methodOf(b.Method, b.Kernel)
	if err != nil {
		return nil, err
	}
	epsilon, err := sc.epsilon(b.Epsilon, b.EpsilonUnits)
	if err != nil {
		return nil, err
	}
	if err := sc.vector(b.Values); err != nil {
		return nil, err
	}
	if err := e.solving.enter(r.ctx); err != nil {
		return nil, err
	}
	defer e.solving.leave()
	k, err := e.kernel(r, sc, method, epsilon)
	if err != nil {
		return nil, err
	}
	defer sc.use(r, k)()
	end := r.begin("apply")
	y := patient{k, r.ctx}.MulVec(nil, b.Values)
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	if err := failureOf(k); err != nil {
		return nil, err
	}
	end()
	return &job.Applied{Values: y, Method: method, Kernel: "exp", Epsilon: epsilon, MemoryBytes: k.bytes, Timings: r.timings}, nil
}

func (sc *scene) vector(x []float64) error {
	if n := sc.graph.Len(); len(x) != n {
		return fmt.Errorf("a vector of %d values for %d vertices", len(x), n)
	}
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("value %d of the vector is %g", i, v)
		}
	}
	return nil
}
