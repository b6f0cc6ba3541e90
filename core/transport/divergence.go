package transport

import (
	"context"
	"fmt"
	"math"

	"genussink/core/measure"
)

// Divergence is the debiased entropic cost, or Sinkhorn divergence, of a problem and its result: OT(a,b) - (OT(a,a) + OT(b,b))/2, OT being the
// entropic cost as Problem has it, <P, D> + epsilon KL(P | a b^T) (Feydy et al., Interpolating between optimal transport and MMD using
// Sinkhorn divergences, 2019). From a density to itself it is 0. It may lie below the optimum without epsilon. It is never negative where
// exp(-D/epsilon) is positive definite, which a graph's distances do not promise. It is wrong by at most within, which the solves' gaps say, and rounding. Both are in the unit of D,
// times the mass. Of the options Tolerance and MaxIterations count.
func Divergence(ctx context.Context, p Problem, r *Result, o Options) (value, within float64, err error) {
	if n := len(p.Source); r == nil || len(r.LogU) != n {
		return 0, 0, fmt.Errorf("transport: the divergence of a problem of %d vertices needs its result", n)
	}
	value, own := r.Primal, 0.0
	terms := p.Epsilon*measure.Total(p.Source) + math.Abs(r.Primal) // that are rounded
	for _, side := range [][]float64{p.Source, p.Target} {
		p.Source, p.Target = side, side
		primal, gap, err := self(ctx, p, Options{Tolerance: o.Tolerance, MaxIterations: o.MaxIterations})
		if err != nil {
			return 0, 0, err
		}
		value -= primal / 2
		terms += math.Abs(primal)
		own += gap / 2
	}
	return value, max(r.Gap, own) + rounding*terms, nil
}

// rounding bounds the rounding error of a value, as a share of its terms. A float64 is rounded by 1.1e-16 of itself.
const rounding = 1e-15

// self is the primal value and the gap of a density's transport to itself.
func self(ctx context.Context, p Problem, o Options) (primal, gap float64, err error) {
	s, err := solvePotentials(ctx, p, o)
	if err != nil {
		return 0, 0, err
	}
	defer s.space.leave()
	if s.n == 0 {
		return 0, 0, nil
	}
	gap = s.mass * s.gap()
	return s.mass*s.dual() + gap, gap, nil
}
