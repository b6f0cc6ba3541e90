// Package benchmark runs the methods that the paper compares side by side on one problem: ours, and those of others
// (core/baseline/published) with the paper's settings (Appendix, "Details using Thingi10K data"). All but Greenkhorn and Screenkhorn solve
// by the same iteration. Each starts from nothing, and what its plan costs is told on true distances.
//
// # Deviations
//
// From the paper:
//
//   - The solve stops at the same tolerance, and is accelerated (see transport). It takes at most 1,000 iterations.
//   - Every plan's cost is told on true distances, also where a method has others in mind.
package benchmark

import (
	"context"
	"fmt"
	"math"
	"time"

	"genussink/core/baseline/published"
	"genussink/core/internal/heap"
	"genussink/core/internal/parallel"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/method"
	"genussink/core/transport"
)

// What lengths ours may be wrong by, as shares of the diagonal.
const (
	certifiedDelta = 0.01
	embeddedDelta  = 0.1
)

// The paper's settings of the published methods.
const (
	sparseThreshold = 1e-4
	heatShare       = 0.25 // time of diffusion over epsilon
	heatDegree      = 20
	nystroemRank    = 64
	ambientFeatures = 64
)

// mostIterations is of a solve: a kernel with few entries may have no plan with the marginals.
const mostIterations = 1000

// Problem is what the methods solve. The zero values of the limits stand for any number.
type Problem struct {
	Space          *method.Space
	Source, Target []float64 // each sums to 1; in every component of the graph both have the same mass
	Epsilon        float64   // share of the diagonal
	Tolerance      float64   // marginal error to stop at; 0: the paper's 1e-7. Greenkhorn has its own
	DenseLimit     int       // the most vertices for which the dense kernel is made
	MemoryLimit    int64     // bytes that a kernel may take; a method that needs more is refused
}

// Contender is a method, with its setting in words.
type Contender struct {
	Method, Setting string

	problem *Problem
	setUp   func(ctx context.Context) (solver, error)
}

// solver is a method that is set up. exact says that the result's cost is on true distances; rows and floor are of the plan's kernel (published.Cost).
type solver struct {
	solve   func(ctx context.Context) (*transport.Result, error)
	exact   bool
	rows    func() published.Rows
	workers int
	floor   float64
	bound   float64 // on errors of distances, in the unit of the space
	note    string
}

// Outcome is one run of a method, in the unit of its space. NaN stands for what is not known.
type Outcome struct {
	Cost          float64 // of the plan on true distances; it is in neither of the times
	Bound         float64 // by how much a distance of the method is wrong at most; +Inf: any length
	MarginalError float64 // L1, share of the mass
	Iterations    int     // of Greenkhorn the updates of a row or a column, of Screenkhorn the evaluations of the dual

	Setup, Solve, Processor float64 // seconds; of all processors for both
	Peak                    float64 // the most bytes of heap above what there was before
	Note                    string  // why something is missing
	Err                     error   // why it is refused; nil: it is not

	solver solver
	result *transport.Result
}

// Meters measure a run.
type Meters struct {
	Heap      *heap.Meter    // nil: one for the run
	Processor func() float64 // seconds of processors that the process has taken; nil: not measured
}

// Run sets the method up and solves, and finds what the plan costs if that is asked for. A method that cannot is no error of
// Run: it is one only if the context ends.
func (c *Contender) Run(ctx context.Context, with Meters, cost bool) (Outcome, error) {
	if with.Processor == nil {
		with.Processor = math.NaN
	}
	if with.Heap == nil {
		with.Heap = heap.Watch()
		defer with.Heap.Stop()
	}
	with.Heap.Restart()
	var result *transport.Result
	begun, taken := time.Now(), with.Processor()
	s, err := c.setUp(ctx)
	o := Outcome{Cost: math.NaN(), Bound: s.bound, MarginalError: math.NaN(), Setup: time.Since(begun).Seconds(), Note: s.note}
	if err == nil {
		begun = time.Now()
		result, err = s.solve(ctx)
		o.Solve = time.Since(begun).Seconds()
	}
	o.Processor, o.Peak = with.Processor()-taken, float64(with.Heap.Peak())
	if err == nil {
		o.MarginalError, o.Cost, o.Iterations = result.MarginalError, result.Cost, result.Iterations
		o.solver, o.result = s, result
		if result.Status != job.Converged {
			o.Note = fmt.Sprintf("stopped after %d iterations at a marginal error of %.2g", result.Iterations, result.MarginalError)
		}
		if cost && !s.exact {
			o.Cost, err = published.Cost(ctx, c.problem.Space.Graph, s.workers, s.floor, result.LogU, result.LogV, s.rows)
		}
	}
	if ended := ctx.Err(); ended != nil {
		return Outcome{}, ended
	}
	if err != nil {
		o.Err, o.Note, o.Cost, o.Iterations, o.result = err, job.Refused+err.Error(), math.NaN(), 0, nil
	}
	return o, nil
}

// Error is by what share a cost misses that of the best plan; NaN where either is not known.
func Error(cost, reference float64) float64 {
	if !(reference > 0) {
		return math.NaN()
	}
	return math.Abs(cost-reference) / reference
}

// Contenders are the methods of job.Contenders, in that order.
func (p *Problem) Contenders() []Contender {
	if p.Tolerance == 0 {
		p.Tolerance = 1e-7
	}
	if p.DenseLimit == 0 {
		p.DenseLimit = math.MaxInt
	}
	if p.MemoryLimit <= 0 {
		p.MemoryLimit = math.MaxInt64 - 1
	}
	g, epsilon := p.Space.Graph, p.Epsilon*p.Space.Diagonal
	greenkhorn := func(ctx context.Context, q transport.Problem) (*transport.Result, error) {
		return published.Greenkhorn(ctx, q, published.GreenkhornOptions{})
	}
	screenkhorn := func(ctx context.Context, q transport.Problem) (*transport.Result, error) {
		return published.Screenkhorn(ctx, q, published.ScreenkhornOptions{})
	}
	all := []Contender{
		{Setting: "float64", setUp: p.ours(job.KernelSpec{Method: job.Dense}, nil)},
		{Setting: "float64", setUp: p.ours(job.KernelSpec{Method: job.Exact, Precision: job.Float64}, nil)},
		{Setting: fmt.Sprintf("delta %g", certifiedDelta), setUp: p.ours(job.KernelSpec{Method: job.Certified, Delta: job.Fraction(certifiedDelta)}, nil)},
		{Setting: fmt.Sprintf("delta %g", embeddedDelta), setUp: p.ours(job.KernelSpec{Method: job.Embedded, Delta: job.Fraction(embeddedDelta)}, nil)},
		{Setting: "log log n vertices", setUp: p.ours(job.KernelSpec{Method: job.Sampled}, nil)},
		{Setting: "the paper's recursion", setUp: p.ours(job.KernelSpec{Method: job.Tree}, nil)},
		{Setting: "50,000 updates, tolerance 1e-4", setUp: p.ours(job.KernelSpec{Method: job.Dense}, greenkhorn)},
		{Setting: "half of the vertices, 500 evaluations", setUp: p.ours(job.KernelSpec{Method: job.Dense}, screenkhorn)},
		{Setting: fmt.Sprintf("K >= %g", sparseThreshold), setUp: p.others(func(ctx context.Context) (*published.Kernel, error) {
			return published.NewSparse(ctx, g, epsilon, sparseThreshold, p.MemoryLimit)
		})},
		{Setting: fmt.Sprintf("time %g epsilon, degree %d", heatShare, heatDegree), setUp: p.others(func(context.Context) (*published.Kernel, error) {
			return published.NewHeat(g, epsilon, heatShare*epsilon, heatDegree)
		})},
		{Setting: fmt.Sprintf("rank %d", nystroemRank), setUp: p.others(func(ctx context.Context) (*published.Kernel, error) {
			return published.NewNystroem(ctx, g, epsilon, min(nystroemRank, g.Len()))
		})},
		{Setting: fmt.Sprintf("%d features", ambientFeatures), setUp: p.others(func(ctx context.Context) (*published.Kernel, error) {
			return published.NewAmbient(ctx, g, p.Space.Mesh.Positions, epsilon, ambientFeatures, 1)
		})},
	}
	for i := range all {
		all[i].Method, all[i].problem = job.Contenders[i], p
	}
	return all
}

func (p *Problem) options() transport.Options {
	return transport.Options{Tolerance: p.Tolerance, MaxIterations: mostIterations}
}

// ours sets one of our kernels up, for a solver of others; nil: Sinkhorn's iteration.
func (p *Problem) ours(asked job.KernelSpec, solve func(context.Context, transport.Problem) (*transport.Result, error)) func(context.Context) (solver, error) {
	return func(ctx context.Context) (solver, error) {
		none, space := solver{bound: math.NaN()}, p.Space
		if n := space.Graph.Len(); asked.Method == job.Dense && n > p.DenseLimit {
			return none, fmt.Errorf("the dense kernel of %d vertices: at most %d are possible", n, p.DenseLimit)
		}
		asked.Epsilon = job.Fraction(p.Epsilon)
		spec, err := space.Spec(asked)
		if err != nil {
			return none, err
		}
		maker := method.New(space, &method.Machine{MemoryLimit: p.MemoryLimit, Now: time.Now})
		k, err := maker.Kernel(&method.Run{Context: ctx, Now: time.Now, Progress: func(string, float64) {}}, spec)
		if err != nil {
			return none, err
		}
		s := none
		s.workers, s.floor = parallel.Workers(space.Graph.Len()), k.Kernel.LogFloor()
		solve := solve
		if solve == nil {
			solve = func(ctx context.Context, q transport.Problem) (*transport.Result, error) {
				return transport.Solve(ctx, q, p.options())
			}
			_, s.note = maker.Instead(k, spec)
			least, most := maker.Errors(k)
			s.bound = max(-least, most)
		}
		switch k.Made.Method {
		case job.Certified, job.Embedded, job.Sampled:
		default:
			s.exact = true
		}
		own := k.Rows
		if own == nil {
			own, s.workers = k.Kernel, 1
		}
		s.rows = func() published.Rows {
			return func(ctx context.Context, dst []float64, i int) error {
				_, err := own.Distances(ctx, dst, i)
				for j, d := range dst {
					dst[j] = math.Exp(-d / spec.Epsilon)
				}
				return err
			}
		}
		s.solve = func(ctx context.Context) (*transport.Result, error) {
			return solve(ctx, transport.Problem{Kernel: k.Kernel, Source: p.Source, Target: p.Target, Epsilon: spec.Epsilon})
		}
		return s, nil
	}
}

// others sets a kernel of others up.
func (p *Problem) others(set func(context.Context) (*published.Kernel, error)) func(context.Context) (solver, error) {
	return func(ctx context.Context) (solver, error) {
		none, n := solver{bound: math.NaN()}, p.Space.Graph.Len()
		k, err := set(ctx)
		if err == nil && k.Bytes() > p.MemoryLimit {
			err = &linop.MemoryError{What: "benchmark: a published kernel", Vertices: n, Need: k.Bytes(), Limit: p.MemoryLimit}
		}
		if err != nil {
			return none, err
		}
		s := none
		s.rows, s.floor, s.workers = k.Rows, k.LogFloor(), parallel.Workers(n)
		s.solve = func(ctx context.Context) (*transport.Result, error) {
			return k.Solve(ctx, p.Source, p.Target, p.options())
		}
		return s, nil
	}
}
