package transport

import (
	"math"
	"slices"
)

// symmetric says whether source and target are the same density. Then one vector is both scalings, u = v.
func (s *state) symmetric() bool { return slices.Equal(s.a, s.b) }

// iterateMean is the iteration where source and target are the same. A step replaces log v by the mean of log v and log(a/(K v)). The
// second is Sinkhorn's update (Feydy et al., Interpolating between optimal transport and MMD using Sinkhorn divergences, 2019). Let lambda
// be an eigenvalue of the plan, each row divided by its mass. Sinkhorn's iteration multiplies that eigenvector's part of the error by
// lambda^2, the mean multiplies it by (1-lambda)/2. At a small epsilon hardly any mass leaves its place. Many lambda are near 1 then, and
// Sinkhorn's iteration hardly moves. A solve from nothing starts at u = v = sqrt a, the solution in the limit of epsilon to 0.
func (s *state) iterateMean(cold bool) error {
	for i, l := range s.loga {
		if cold {
			s.logv[i] = l / 2
		}
		s.image[i] = math.Inf(-1)
	}
	for {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if err := s.product(s.kv, s.logv, s.loga); err != nil {
			return err
		}
		e := s.measure(s.rows, s.a, s.logv, s.kv)
		last, err := s.record(e)
		if s.watch != nil {
			s.watch(s.result.Iterations, s.rows, s.rows)
		}
		if err != nil {
			return err
		}
		if last {
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
	return nil
}
