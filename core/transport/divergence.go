package transport

import (
	"context"
	"math"
)

// Divergence is the debiased entropic cost, or Sinkhorn divergence, of a problem and its result: OT(a,b) - (OT(a,a) + OT(b,b))/2, OT being the
// entropic cost as Problem has it, <P, D> + epsilon KL(P | a b^T) (Feydy et al., Interpolating between optimal transport and MMD using
// Sinkhorn divergences, 2019). It takes away what epsilon alone costs: from a density to itself it is 0. It is never negative where
// exp(-D/epsilon) is positive definite, which a graph's distances do not promise. It is wrong by at most within, which the solves' gaps say. Both are in the unit of D,
// times the mass. Of the options Tolerance and MaxIterations count.
func Divergence(ctx context.Context, p Problem, r *Result, o Options) (value, within float64, err error) {
	value, own := r.Primal, 0.0
	for _, side := range [][]float64{p.Source, p.Target} {
		p.Source, p.Target = side, side
		primal, gap, err := self(ctx, p, Options{Tolerance: o.Tolerance, MaxIterations: o.MaxIterations})
		if err != nil {
			return 0, 0, err
		}
		value -= primal / 2
		own += gap / 2
	}
	return value, max(r.Gap, own), nil
}

// self is the primal value and the gap of a density's transport to itself. There u is v, and the mean of log u and what Sinkhorn's iteration makes
// of it comes to the fixed point soon, where the iteration itself hardly moves: at a small epsilon hardly any mass leaves its place.
func self(ctx context.Context, p Problem, o Options) (primal, gap float64, err error) {
	s, err := newState(ctx, p, o)
	if err != nil {
		return 0, 0, err
	}
	defer s.space.leave()
	if s.n == 0 {
		return 0, 0, nil
	}
	s.result.Form = Scaling
	if !s.scalingIsSafe() {
		s.result.Form = Log
	}
	for i, l := range s.loga {
		s.logv[i], s.image[i] = l/2, math.Inf(-1) // all mass in its place, exact as epsilon falls
	}
	for {
		if err := s.ctx.Err(); err != nil {
			return 0, 0, err
		}
		if err := s.product(s.kv, s.logv, s.loga); err != nil {
			return 0, 0, err
		}
		e := s.measure(s.rows, s.a, s.logv, s.kv)
		if last, err := s.record(e); err != nil {
			return 0, 0, err
		} else if last {
			break
		}
		for i, l := range s.loga {
			if l > math.Inf(-1) {
				s.image[i] = (s.logv[i] + l - s.kv[i]) / 2
			}
		}
		s.anderson.next(s.logv, s.image, nil, e)
	}
	copy(s.logu, s.logv)
	copy(s.columns, s.rows)
	copy(s.ku, s.kv)
	gap = s.mass * s.gap()
	return s.mass*s.dual() + gap, gap, nil
}
