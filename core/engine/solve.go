package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"genussink/core/internal/heap"
	"genussink/core/job"
	"genussink/core/measure"
	"genussink/core/method"
	"genussink/core/transport"
	"genussink/core/transport/check"
	"genussink/core/transport/polish"
)

// solved is the plan solved last, and what asks it.
type solved struct {
	kernel  *method.Kernel
	problem transport.Problem // with the kernel as it is
	result  *transport.Result
	reach   float64        // in the unit; 0: balanced
	lower   float64        // check.LowerBound; NaN with a reach and of functions other than exp
	seconds float64        // of set-up and solve
	polish  *polish.Polish // of its cost, nil before the first request; in the queue of solves
	again   again
}

func (e *Engine) solve(r *run, sc *scene, b *job.Solve) (job.Body, error) {
	p, err := sc.Spec(b.KernelSpec)
	if err != nil {
		return nil, err
	}
	if least := transport.LeastEpsilon(sc.Reach(), b.Tolerance); p.Epsilon < least {
		least *= 1.01 // when it is rounded to three digits it is still enough
		return nil, fmt.Errorf("epsilon is %.3g in mesh units: on this mesh the smallest that can be solved to that tolerance is %.3g, which is %.3g of the diagonal",
			sc.Unit.In(p.Epsilon), sc.Unit.In(least), least/sc.Diagonal)
	}
	if most := transport.MostEpsilon(sc.Reach()); most > 0 && p.Epsilon > most {
		return nil, fmt.Errorf("epsilon is %.3g in mesh units: above %.3g the figures of a plan are lost to rounding; the plan is the product of the densities from far less on",
			sc.Unit.In(p.Epsilon), sc.Unit.In(most))
	}
	source, target, err := sc.densities(b.Source, b.Target)
	if err != nil {
		return nil, err
	}
	if b.Debias && (b.Reach.Value != 0 || !job.Whole(p.Method)) {
		return nil, &job.SpecError{Option: "debias", Value: "true", Why: "needs balanced transport, and a method whose kernel is of the whole graph: take exact"}
	}
	if p.Function != job.Exp && b.Reach.Value != 0 {
		return nil, &job.SpecError{Option: "kernel", Value: p.Function, Why: "a reach is of exp alone"}
	}
	reach := 0.0
	if b.Reach.Value != 0 {
		if reach, err = sc.reach(b.Reach, p.Method); err != nil {
			return nil, err
		}
		for j, share := 0, measure.Total(b.Target)/measure.Total(b.Source); j < len(target); j++ {
			target[j] *= share
		}
	} else if err := measure.Components(source, target, sc.Component, sc.Count); err != nil {
		return nil, err
	}
	if err := e.solving.enter(r); err != nil {
		return nil, err
	}
	defer e.solving.leave()
	requested, why := p.Method, ""
	haste := math.IsInf(b.Accuracy, 1) && (p.Method == job.Quantized || p.Method == job.Auto) // what is there first is accurate enough
	if p.Method == job.Auto {
		p.Method, why = sc.maker.Choose(r.ctx, p, haste, source, target)
	}
	if p.Method == job.Support || p.Method == job.Quantized {
		done, enough, err := e.quick(r, sc, p, b, haste, source, target, requested, why)
		if err != nil || enough {
			return done, err
		}
		p.Method, p.Representatives = job.Exact, 0
		if look, _ := sc.maker.Outlook(r.ctx, p); requested == job.Quantized || look.Bytes > e.machine.MemoryLimit || b.Patience > 0 && look.Seconds > b.Patience {
			done.Note = missed(done)
			return done, nil
		}
		why = missed(done) + " Exact takes over: it is quicker than as many cells as that would need."
	}
	if f := sc.maker.Forecast(r.ctx, p, b.Patience); f != nil {
		return f, nil
	}
	meter := heap.Watch()
	defer meter.Stop()
	k, err := sc.maker.Kernel(&r.Run, p)
	if err != nil {
		return nil, err
	}
	if p.Function != job.Exp { // what the bounds on epsilon are is not known in its unit
		switch far := -k.Kernel.LogFloor() * p.Epsilon; {
		case p.Epsilon < transport.LeastEpsilon(far, b.Tolerance):
			return nil, fmt.Errorf("epsilon is %.3g in mesh units, too small for the kernel %s: rounding alone is above the tolerance", sc.Unit.In(p.Epsilon), p.Function)
		case far > 0 && p.Epsilon > transport.MostEpsilon(far):
			return nil, fmt.Errorf("epsilon is %.3g in mesh units: so far as this mesh goes the kernel %s hardly falls, and the figures of a plan are lost to rounding", sc.Unit.In(p.Epsilon), p.Function)
		}
	}
	o := transport.Options{Tolerance: b.Tolerance, MaxIterations: b.MaxIterations, Reach: reach, Progress: r.progress}
	begun := e.now()
	var took job.Timing
	if reach == 0 {
		if o.Coarse, took, err = sc.maker.Coarse(&r.Run, k); err != nil {
			return nil, err
		}
	}
	end := r.Begin(job.StageSolve)
	// A method's own last plan is a start; dense, which others are compared with, always starts from nothing.
	if last := sc.plan.Load(); b.Warm && last != nil && reach == 0 && last.reach == 0 && k.Spec.Method != job.Dense && last.kernel.Spec.Method == k.Spec.Method && last.kernel.Spec.Function == k.Spec.Function {
		if last.kernel == k {
			o.Last = last.result
		} else {
			o.LogU = last.start(k)
		}
	}
	problem := transport.Problem{Kernel: k.Kernel, Source: source, Target: target, Epsilon: p.Epsilon}
	counting := &method.Tally{Kernel: k.Kernel, Now: e.now}
	counted := problem
	counted.Kernel = counting
	result, err := transport.Solve(r.ctx, counted, o)
	if err != nil {
		return nil, err
	}
	lower := math.NaN()
	if reach == 0 && p.Function == job.Exp {
		solver, put := sc.Solver()
		lower, err = check.LowerBound(r.ctx, problem, result, sc.Graph, solver)
		put()
		if err != nil {
			return nil, err
		}
	}
	root := math.NaN()
	if k.Square != nil {
		if root, err = k.Square(r.ctx, result.LogU, result.LogV); err != nil {
			return nil, err
		}
		root = math.Sqrt(root)
	}
	end()
	seconds := r.Latest().Seconds
	divergence, within := math.NaN(), math.NaN()
	if b.Debias {
		end := r.Begin(job.StageDebias)
		if divergence, within, err = transport.Divergence(r.ctx, problem, result, o); err != nil {
			return nil, err
		}
		end()
	}
	plan := &solved{
		kernel: k, problem: problem, result: result, reach: reach, lower: lower, seconds: k.Setup + e.now().Sub(begun).Seconds(),
		again: repeat(problem, o),
	}
	if requested == p.Method {
		requested, why = sc.maker.Instead(k, p)
	}
	done := sc.evidence(k.Answer(p, requested, why), result, lower)
	done.Reach, done.Destroyed, done.Created = reach, result.Destroyed, result.Created
	if p.Function == job.Exp {
		within += 2 * done.Bound // the cost moves by no more than a distance does, and so does the mean of the two that are taken off
	} else if done.Bound != 0 {
		within = math.NaN()
	} else { // likewise the cost -epsilon log f, where f is off by its share at most
		within -= 2 * p.Epsilon * measure.Total(source) * math.Log1p(-k.Made.Share)
	}
	done.RootMeanSquare, done.Divergence, done.DivergenceWithin = root, divergence, within
	done.Warm, done.Setup = o.Last != nil || o.LogU != nil, slices.Clone(k.Stages)
	if k.Cover != nil {
		done.Threads += k.Cover.Members()
	}
	if o.Coarse != nil {
		done.Setup = append(done.Setup, took)
	}
	if err := e.compare(r.ctx, sc, k, haste || e.uncompared, counting, seconds, done); err != nil {
		return nil, err
	}
	if k.Made.Bound > 0 || k.Spec.Method == job.Certified || k.Spec.Method == job.Embedded || k.Spec.Method == job.Sampled {
		if err := e.examine(r, sc, k, done); err != nil {
			return nil, err
		}
	}
	sc.keep(plan) // once nothing can go wrong: who cancels a solve has the plan before it
	done.Timings = r.Timings
	done.PeakBytes = meter.Peak()
	return done, nil
}

// evidence is what a solve found, before anything is said of an estimate, of dense and of time.
func (sc *scene) evidence(k job.Kernel, result *transport.Result, lower float64) *job.Solved {
	return &job.Solved{
		Kernel: k, Solution: result.Solution, LowerBound: lower, LogU: slices.Clone(result.LogU), LogV: slices.Clone(result.LogV),
		Vertices: sc.Graph.Len(), Edges: sc.Graph.Edges(), Threads: threads(),
		RootMeanSquare: math.NaN(), Divergence: math.NaN(), DivergenceWithin: math.NaN(),
		Estimate: job.NoEstimate(), DenseBytes: sc.DenseBytes(job.Float64), DenseSetup: math.NaN(), DenseSolve: math.NaN(),
	}
}

// missed says by how much an estimate may be wrong.
func missed(done *job.Solved) string {
	e := done.Estimate
	return fmt.Sprintf("With %d cells the cost may be %.2g %% off.", done.Representatives, 50*(e.High-e.Low)/e.Cost)
}

// keep makes a plan the scene's last.
func (sc *scene) keep(s *solved) {
	sc.plan.Store(s)
	sc.maker.InUse(s.kernel, func() { sc.plan.Store(nil) })
}

// reach is a reach in the unit.
func (sc *scene) reach(l job.Length, method string) (float64, error) {
	switch {
	case !(l.Value > 0) || math.IsInf(l.Value, 1):
		return 0, &job.SpecError{Option: "reach", Value: l.String(), Why: "must be positive and finite"}
	case !job.Whole(method):
		return 0, &job.SpecError{Option: "method", Value: method, Why: "its kernel is of balanced densities, a reach lets them differ: take exact"}
	}
	return sc.Length("reach", l)
}

// densities checks a source and a target.
func (sc *scene) densities(from, to []float64) (source, target []float64, err error) {
	if source, err = sc.density("source", from); err == nil {
		target, err = sc.density("target", to)
	}
	return source, target, err
}

// density checks a density and makes it one of total 1.
func (sc *scene) density(name string, values []float64) ([]float64, error) {
	if err := measure.Validate(values, sc.Graph.Len()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return measure.Normalise(slices.Clone(values)), nil
}

// bench has methods run side by side.
func (e *Engine) bench(r *run, sc *scene, b *job.Benchmark) (job.Body, error) {
	if e.benchmark == nil {
		return nil, errors.New("this program compares no methods")
	}
	source, target, err := sc.densities(b.Source, b.Target)
	if err == nil {
		err = measure.Components(source, target, sc.Component, sc.Count)
	}
	if err != nil {
		return nil, err
	}
	if err := e.solving.enter(r); err != nil {
		return nil, err
	}
	defer e.solving.leave()
	return e.benchmark(&r.Run, sc.Space, b, source, target, e.machine.MemoryLimit, func(row *job.Benchmarking) { r.tell(row) })
}

// start is the log u to start from with a kernel of another epsilon: that of the same potential epsilon log u, and of epsilon^2 log u for squared
// distance. There it is nil if epsilon is much less: easier problems are a better start.
func (s *solved) start(k *method.Kernel) []float64 {
	ratio := s.kernel.Spec.Epsilon / k.Spec.Epsilon
	if k.Square != nil {
		if ratio > 1.5 {
			return nil
		}
		ratio *= ratio
	}
	logu := make([]float64, len(s.result.LogU))
	for i, x := range s.result.LogU {
		logu[i] = x * ratio // -Inf stays
	}
	return logu
}

func (e *Engine) apply(r *run, sc *scene, b *job.Apply) (job.Body, error) {
	p, err := sc.Spec(b.KernelSpec)
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
	requested, note := p.Method, ""
	if p.Method == job.Auto {
		p.Method, note = job.Exact, "A product with the whole kernel is exact's."
	}
	var k *method.Kernel
	switch p.Method {
	case job.Support:
		return nil, errors.New("the method support is for two densities: a product with any vector needs all distances")
	case job.Quantized:
		k, err = sc.maker.Quantized(&r.Run, p)
	default:
		k, err = sc.maker.Kernel(&r.Run, p)
	}
	if err != nil {
		return nil, err
	}
	end := r.Begin(job.StageApply)
	y, err := k.Kernel.MulVec(r.ctx, nil, b.Values)
	if err != nil {
		return nil, err
	}
	end()
	if p.Function != job.Exp { // kernels are of f/f(0)
		f, err := method.Function(p.Function)
		if err != nil {
			return nil, err
		}
		for i, top := 0, f.At(0); i < len(y); i++ {
			y[i] *= top
		}
	}
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("value %d of the product is %g: the vector's values are too large for a float64's sums", i, v)
		}
	}
	if requested == p.Method {
		requested, note = sc.maker.Instead(k, p)
	}
	return &job.Applied{Values: y, Kernel: k.Answer(p, requested, note), Timings: r.Timings}, nil
}

func (sc *scene) vector(x []float64) error {
	if n := sc.Graph.Len(); len(x) != n {
		return fmt.Errorf("a vector of %d values for %d vertices", len(x), n)
	}
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("value %d of the vector is %g", i, v)
		}
	}
	return nil
}
