package benchmark

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"genussink/core/internal/heap"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/measure"
	"genussink/core/method"
	"genussink/core/transport"
	"genussink/core/transport/flow"
)

// Most vertices of a dense matrix, and most particles of a plan, that Answer makes: more keep a browser's tab busy for minutes.
const (
	mostDense     = 6000
	mostParticles = 20000
)

// Answer is the engine's hook (engine.Options.Benchmark): it runs the methods that are asked for and tells of each as it ends. Lengths are in the unit of the space.
func Answer(r *method.Run, s *method.Space, asked *job.Benchmark, source, target []float64, memory int64, tell func(*job.Benchmarking)) (*job.Benchmarked, error) {
	if asked.Particles < 0 || asked.Particles > mostParticles {
		return nil, fmt.Errorf("%d particles: 0 to %d are possible", asked.Particles, mostParticles)
	}
	for _, name := range asked.Methods {
		if !slices.Contains(job.Contenders, name) {
			return nil, fmt.Errorf("there is no method %q to compare", name)
		}
	}
	epsilon, err := s.Length("epsilon", asked.Epsilon)
	if err != nil {
		return nil, err
	}
	p := Problem{Space: s, Source: source, Target: target, Epsilon: epsilon / s.Diagonal, DenseLimit: mostDense, MemoryLimit: memory}
	chosen := slices.DeleteFunc(p.Contenders(), func(c Contender) bool { return len(asked.Methods) > 0 && !slices.Contains(asked.Methods, c.Method) })
	meter := heap.Watch()
	defer meter.Stop()
	done, reference := &job.Benchmarked{}, math.NaN()
	for _, c := range chosen {
		r.Progress(c.Method, 0)
		o, err := c.Run(r.Context, Meters{Heap: meter}, true)
		if err != nil {
			return nil, err
		}
		if done.Reference == "" && (c.Method == job.Dense || c.Method == job.Exact) && !math.IsNaN(o.Cost) {
			done.Reference, reference = c.Method, o.Cost
		}
		row := &job.Benchmarking{
			Method: c.Method, Setting: c.Setting, Note: o.Note, Cost: o.Cost, Error: Error(o.Cost, reference), Bound: o.Bound, MarginalError: o.MarginalError,
			Setup: o.Setup, Solve: o.Solve, Iterations: o.Iterations, PeakBytes: int64(o.Peak),
		}
		switch {
		case o.Err != nil:
			row.Setup, row.Solve, row.PeakBytes = math.NaN(), math.NaN(), 0
		case math.IsInf(o.Cost, 1):
			row.Note = "some of its mass goes where no path leads"
		case asked.Particles > 0:
			paths, err := c.flow(r.Context, &o, asked.Particles)
			if ended := r.Context.Err(); ended != nil {
				return nil, ended
			}
			if err != nil {
				row.Note = err.Error()
				break
			}
			row.Flowing = job.Flowing{Offsets: paths.Offsets, Vertices: paths.Vertices, Along: paths.Along}
		}
		tell(row)
	}
	return done, r.Context.Err()
}

// flow draws particles from the plan of a run and moves them on shortest paths.
func (c *Contender) flow(ctx context.Context, o *Outcome, count int) (flow.Paths, error) {
	pairs, err := c.sample(ctx, o, count, 1)
	if err != nil {
		return flow.Paths{}, err
	}
	all := flow.Paths{Offsets: []int32{0}}
	return all, flow.Trace(ctx, c.problem.Space.Graph, pairs, 1, func(p flow.Paths) {
		at := int32(len(all.Vertices))
		for _, x := range p.Offsets[1:] {
			all.Offsets = append(all.Offsets, at+x)
		}
		all.Vertices, all.Along = append(all.Vertices, p.Vertices...), append(all.Along, p.Along...)
	})
}

// sample draws pairs (i,j), by ascending i: i by the source's mass, then j by its row of the plan, u_i K_ij v_j. The same seed draws the same pairs. Negative
// entries, which are rounding (published.Cost), count as 0.
func (c *Contender) sample(ctx context.Context, o *Outcome, count int, seed uint64) ([]transport.Pair, error) {
	n := len(c.problem.Source)
	u, v := make([]float64, n), make([]float64, n)
	if !linop.Scalings(u, v, o.result.LogU, o.result.LogV, o.solver.floor) {
		return nil, fmt.Errorf("%s: the plan's scalings leave float64", c.Method)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	sums, draws := make([]float64, n), make([]int, n)
	for i, x := range c.problem.Source {
		if u[i] > 0 {
			sums[i] = x
		}
	}
	measure.Accumulate(sums)
	for range count {
		draws[measure.Draw(sums, rng.Float64())]++
	}
	rows, row, pairs := o.solver.rows(), make([]float64, n), make([]transport.Pair, 0, count)
	for i, times := range draws {
		if times == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := rows(ctx, row, i); err != nil {
			return nil, err
		}
		for j, x := range row {
			sums[j] = max(0, x) * v[j]
		}
		measure.Accumulate(sums)
		if !(sums[n-1] > 0) {
			continue // no mass of the plan comes from here
		}
		for range times {
			pairs = append(pairs, transport.Pair{From: int32(i), To: int32(measure.Draw(sums, rng.Float64()))})
		}
	}
	return pairs, nil
}
