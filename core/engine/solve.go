package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"genussink/core/baseline"
	"genussink/core/internal/heap"
	"genussink/core/job"
	"genussink/core/measure"
	"genussink/core/transport"
	"genussink/core/transport/check"
	"genussink/core/transport/coarse"
	"genussink/core/transport/polish"
)

// solved is the plan solved last, and what asks it.
type solved struct {
	kernel  *kernel
	problem transport.Problem // with the kernel as it is
	result  *transport.Result
	lower   float64        // check.LowerBound
	seconds float64        // of set-up and solve
	polish  *polish.Polish // of its cost, nil before the first request; in the solving lane
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
	p, err := sc.plea(asked{b.Method, b.Host, b.Precision, b.Kernel, b.Epsilon, b.EpsilonUnits, b.Delta, b.DeltaUnits, b.Sample})
	if err != nil {
		return nil, err
	}
	if least := transport.LeastEpsilon(sc.reach(), b.Tolerance); p.epsilon < least {
		least *= 1.01 // when it is rounded to three digits it is still enough
		return nil, fmt.Errorf("epsilon is %.3g in mesh units: on this mesh the smallest that can be solved to that tolerance is %.3g, which is %.3g of the diagonal",
			sc.unit.in(p.epsilon), sc.unit.in(least), least/sc.diagonal)
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
	if err := e.solving.enter(r); err != nil {
		return nil, err
	}
	defer e.solving.leave()
	requested, why := p.method, ""
	if p.any = math.IsInf(b.Accuracy, 1) && (p.method == quantize || p.method == automatic); p.method == automatic {
		p.method, why = e.choose(r.ctx, sc, p, source, target)
	}
	if p.method == support || p.method == quantize {
		done, enough, err := e.quick(r, sc, p, b, source, target, requested, why)
		if err != nil || enough {
			return done, err
		}
		p.method = exact
		if look, _ := e.outlook(r.ctx, sc, p); requested == quantize || look.Bytes > e.limit || b.Patience > 0 && look.Seconds > b.Patience {
			done.Note = missed(done)
			return done, nil
		}
		why = missed(done) + " Exact takes over: it is quicker than as many cells as that would need."
	}
	if f := e.forecast(r.ctx, sc, p, b.Patience); f != nil {
		return f, nil
	}
	meter := heap.Watch()
	defer meter.Stop()
	k, err := e.kernel(r, sc, p)
	if err != nil {
		return nil, err
	}
	o := transport.Options{Tolerance: b.Tolerance, MaxIterations: b.MaxIterations, Progress: r.progress}
	begun := e.now()
	if o.Coarse, err = e.coarse(r, sc, k); err != nil {
		return nil, err
	}
	end := r.begin("solve")
	// A method's own last plan is a start; dense, which others are compared with, always starts from nothing.
	if last := sc.plan.Load(); b.Warm && last != nil && k.method != dense && last.kernel.method == k.method {
		if last.kernel == k {
			o.Last = last.result
		} else {
			o.LogU = last.start(p.epsilon)
		}
	}
	problem := transport.Problem{Kernel: k.Kernel, Source: source, Target: target, Epsilon: p.epsilon}
	counting := &tally{Kernel: k.Kernel, now: e.now}
	counted := problem
	counted.Kernel = counting
	result, err := transport.Solve(r.ctx, counted, o)
	if err != nil {
		return nil, err
	}
	solver := sc.solver()
	lower := check.LowerBound(r.ctx, problem, result, sc.graph, solver)
	sc.solvers.Put(solver)
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	end()
	sc.plan.Store(&solved{kernel: k, problem: problem, result: result, lower: lower, seconds: k.setup + e.now().Sub(begun).Seconds()})
	if requested == p.method {
		requested, why = k.note(p, sc.unit)
	}
	done := &job.Solved{
		Method: k.method, Host: k.host, Requested: requested, Note: why, Kernel: "exp", Form: result.Form, Status: result.Status,
		Vertices: sc.graph.Len(), Edges: sc.graph.Edges(), Epsilon: p.epsilon, Precision: k.stored.String(), Delta: p.allowed(), Bound: k.bound, Width: k.width,
		Iterations: result.Iterations, MarginalError: result.MarginalError, Trace: result.Trace,
		Estimate: job.Estimated{Cost: math.NaN(), Low: math.NaN(), High: math.NaN()},
		Cost:     result.Cost, Primal: result.Primal, Dual: result.Dual, Gap: result.Gap, LowerBound: lower, LogU: slices.Clone(result.LogU), LogV: slices.Clone(result.LogV),
		Crosses: k.crosses, MemoryBytes: k.bytes, DenseBytes: baseline.DenseBytes(sc.graph.Len()), Threads: threads(),
		Warm: o.Last != nil || o.LogU != nil, Setup: slices.Clone(k.stages),
	}
	if k.walk != nil {
		done.Threads += k.walk.members()
	}
	if o.Coarse != nil {
		done.Setup = append(done.Setup, sc.held.coarse.took)
	}
	if err := e.compare(r.ctx, sc, k, counting, r.latest().Seconds, done); err != nil {
		return nil, err
	}
	if k.bound > 0 || k.method == certified || k.method == embedded || k.method == sampled {
		if err := e.examine(r, sc, k, done); err != nil {
			return nil, err
		}
	}
	done.Timings = r.timings
	done.PeakBytes = meter.Peak()
	return done, nil
}

// missed says by how much an estimate may be wrong.
func missed(done *job.Solved) string {
	e := done.Estimate
	return fmt.Sprintf("With %d cells the cost may be %.2g %% off.", done.Representatives, 50*(e.High-e.Low)/e.Cost)
}

// coarse returns the stand-in to solve with a kernel, nil where there is none or no
// room for it. In the solving lane.
func (e *Engine) coarse(r *run, sc *scene, k *kernel) (transport.Coarse, error) {
	if k.metric == nil || k.bytes+coarse.Bytes(sc.graph.Len()) > e.limit {
		return nil, nil
	}
	if sc.held.coarse == nil || sc.held.coarse.metric != k.metric {
		end := r.begin("coarse")
		c, err := coarse.New(r.ctx, sc.graph, k.metric.Among)
		if err != nil {
			return nil, err
		}
		end()
		sc.held.coarse = &standIn{c, k.metric, r.latest()}
	}
	return sc.held.coarse.graph, nil
}

// density checks a density and makes it one of total 1.
func (sc *scene) density(name string, values []float64) ([]float64, error) {
	if err := measure.Validate(values, sc.graph.Len()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return measure.Normalise(slices.Clone(values)), nil
}

// start is the log u to start from at another epsilon: that of the same
// potential epsilon log u.
func (s *solved) start(epsilon float64) []float64 {
	logu := make([]float64, len(s.result.LogU))
	for i, x := range s.result.LogU {
		logu[i] = x * s.kernel.epsilon / epsilon // -Inf stays
	}
	return logu
}

func (e *Engine) apply(r *run, sc *scene, b *job.Apply) (job.Body, error) {
	p, err := sc.plea(asked{b.Method, b.Host, b.Precision, b.Kernel, b.Epsilon, b.EpsilonUnits, b.Delta, b.DeltaUnits, b.Sample})
	if err != nil {
		return nil, err
	}
	if err := sc.vector(b.Values); err != nil {
		return nil, err
	}
	if err := e.solving.enter(r); err != nil {
		return nil, err
	}
	defer e.solving.leave()
	requested, note := p.method, ""
	if p.method == automatic {
		p.method, note = exact, "A product with the whole kernel is exact's."
	}
	var k *kernel
	switch p.method {
	case support:
		return nil, errors.New("the method support is for two densities: a product with any vector needs all distances")
	case quantize:
		k, err = e.cellKernel(r, sc, p, b.Representatives)
	default:
		k, err = e.kernel(r, sc, p)
	}
	if err != nil {
		return nil, err
	}
	end := r.begin("apply")
	y, err := k.MulVec(r.ctx, nil, b.Values)
	if err != nil {
		return nil, err
	}
	end()
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("value %d of the product is %g: the vector's values are too large for a float64's sums", i, v)
		}
	}
	if requested == p.method {
		requested, note = k.note(p, sc.unit)
	}
	return &job.Applied{Values: y, Method: k.method, Host: k.host, Requested: requested, Note: note, Kernel: "exp", Epsilon: p.epsilon, Precision: k.stored.String(), Delta: p.allowed(), Bound: k.bound, MemoryBytes: k.bytes, Timings: r.timings}, nil
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
