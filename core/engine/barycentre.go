package engine

import (
	"fmt"

	"genussink/core/job"
	"genussink/core/measure"
	"genussink/core/transport"
)

// mostDensities is how many densities a barycentre lies between at most: each holds some vectors.
const mostDensities = 16

// barycentre computes on the same kernel as a solve.
func (e *Engine) barycentre(r *run, sc *scene, b *job.Barycentre) (job.Body, error) {
	p, err := sc.Spec(b.KernelSpec)
	if err != nil {
		return nil, err
	}
	if !job.Whole(p.Method) {
		return nil, &job.SpecError{Option: "method", Value: p.Method, Why: "a barycentre needs the kernel of the whole graph: take exact"}
	}
	n, count := sc.Graph.Len(), len(b.Weights)
	if count < 1 || count > mostDensities || len(b.Densities) != count*n {
		return nil, fmt.Errorf("a barycentre of %d values with %d weights, it must be 1 to %d densities of %d values each", len(b.Densities), count, mostDensities, n)
	}
	densities := make([][]float64, count)
	for i := range densities {
		if densities[i], err = sc.density(fmt.Sprintf("density %d", i+1), b.Densities[i*n:(i+1)*n]); err != nil {
			return nil, err
		}
		if err := measure.Components(densities[0], densities[i], sc.Component, sc.Count); err != nil {
			return nil, fmt.Errorf("density 1 as source and density %d as target: %w", i+1, err)
		}
	}
	if err := e.solving.enter(r); err != nil {
		return nil, err
	}
	defer e.solving.leave()
	k, err := sc.maker.Kernel(&r.Run, p)
	if err != nil {
		return nil, err
	}
	end := r.Begin(job.StageSolve)
	found, err := transport.FindBarycentre(r.ctx, k.Kernel, k.Spec.Epsilon, densities, b.Weights,
		transport.Options{Tolerance: b.Tolerance, MaxIterations: b.MaxIterations, Progress: r.progress})
	if err != nil {
		return nil, err
	}
	end()
	requested, note := sc.maker.Instead(k, p)
	return &job.Barycentred{
		Kernel: k.Answer(p, requested, note), Density: found.Density, Costs: found.Costs, Status: found.Status, Iterations: found.Iterations,
		MarginalError: found.MarginalError, Timings: r.Timings,
	}, nil
}
