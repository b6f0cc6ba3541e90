package transport

import (
	"context"
	"math"
	"time"

	"genussink/core/internal/exponential"
	"genussink/core/measure"
)

// solveUnbalanced solves with a Reach. The iteration is u = a (K v)^-x, v = b (K^T u)^-x with x = reach/(reach+epsilon)
// (Chizat, Peyre, Schmitzer and Vialard, Scaling algorithms for unbalanced transport problems, 2018; here u and v are
// those of the relative entropy to a b^T), accelerated as Solve's is. Mass that no mass of the other side can reach stays where it is, and
// is destroyed or created.
//
// With f = epsilon log(u/a) and g = epsilon log(v/b) the marginals of the optimum are a exp(-f/reach) and b exp(-g/reach). As u is exact for its v the rows
// are; the marginal error is that of the columns. Reach times the relative entropies of what the marginals are to what they
// should be is the gap.
func solveUnbalanced(ctx context.Context, p Problem, o Options) (*Result, error) {
	start := time.Now()
	o.Last, o.Coarse = nil, nil
	s, err := newState(ctx, p, o)
	if err != nil {
		return nil, err
	}
	defer s.space.leave()
	s.result.Status, s.result.Form = Converged, Scaling
	if s.n > 0 {
		if !s.scalingIsSafe() {
			s.result.Form = Log
		}
		if err := s.strand(); err != nil {
			return nil, err
		}
		s.anderson = newAnderson(s.b, s.space)
		if err := s.begin(o); err != nil {
			return nil, err
		}
		if err := s.relax(o.Reach); err != nil {
			return nil, err
		}
		if err := s.relaxed(p, o.Reach); err != nil {
			return nil, err
		}
	}
	s.result.Seconds = time.Since(start).Seconds()
	return &s.result, nil
}

// strand leaves out the mass that no mass of the other side can reach.
func (s *state) strand() error {
	for _, side := range []struct{ log, other []float64 }{{s.loga, s.b}, {s.logb, s.a}} {
		var err error
		if s.result.Form == Scaling { // in which nothing that is reached underflows
			_, err = s.kernel.MulVec(s.ctx, s.x, side.other)
		} else {
			for i, m := range side.other {
				s.y[i] = math.Log(m)
			}
			_, err = s.kernel.LogMulVec(s.ctx, s.x, s.y)
			for i, l := range s.x {
				if l > math.Inf(-1) {
					s.x[i] = 1
				} else {
					s.x[i] = 0
				}
			}
		}
		if err != nil {
			return err
		}
		for i, reached := range s.x {
			if reached == 0 {
				side.log[i] = math.Inf(-1)
			}
		}
	}
	for i := range s.n {
		if s.loga[i] == math.Inf(-1) {
			s.a[i], s.logu[i] = 0, math.Inf(-1)
		}
		if s.logb[i] == math.Inf(-1) {
			s.b[i], s.logv[i], s.image[i] = 0, math.Inf(-1), math.Inf(-1)
		}
	}
	return nil
}

// relax iterates until record says that it is over. The potentials are then in logu and logv, and their products in ku and kv.
func (s *state) relax(reach float64) error {
	share := reach / (reach + s.epsilon)
	for {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if err := s.product(s.kv, s.logv, s.loga); err != nil {
			return err
		}
		power(s.logu, s.loga, s.kv, share)
		if err := s.product(s.ku, s.logu, s.logb); err != nil {
			return err
		}
		power(s.image, s.logb, s.ku, share)
		e := 0.0
		for j, l := range s.logb {
			if s.columns[j] = 0; s.b[j] > 0 {
				s.columns[j] = exponential.Exp(s.logv[j] + s.ku[j])
				e += math.Abs(s.columns[j] - exponential.Exp(l-(s.logv[j]-l)*s.epsilon/reach))
			}
		}
		if last, err := s.record(e); last || err != nil {
			return err
		}
		s.anderson.next(s.logv, s.image, nil, e)
	}
}

// power sets x to logmass - share y where there is mass.
func power(x, logmass, y []float64, share float64) {
	for i, m := range logmass {
		if m > math.Inf(-1) {
			x[i] = m - share*y[i]
		}
	}
}

// relaxed fills the result from the last potentials, scaled back to the mass that was given.
func (s *state) relaxed(p Problem, reach float64) (err error) {
	r := &s.result
	total := 0.0
	for _, side := range []struct {
		given, mass, log, scaling, product []float64
		lost, gained                       *float64
	}{{p.Source, s.a, s.loga, s.logu, s.kv, &r.Destroyed, &r.Created}, {p.Target, s.b, s.logb, s.logv, s.ku, &r.Created, &r.Destroyed}} {
		total = 0
		for i, m := range side.given {
			m /= s.mass
			if side.mass[i] == 0 {
				r.Dual += reach * m
				*side.lost += s.mass * m
				continue
			}
			f := side.scaling[i] - side.log[i] // over epsilon
			is, should := exponential.Exp(side.scaling[i]+side.product[i]), exponential.Exp(side.log[i]-f*s.epsilon/reach)
			total += is
			*side.lost += s.mass * max(0, m-is)
			*side.gained += s.mass * max(0, is-m)
			r.Dual -= reach * m * math.Expm1(-f*s.epsilon/reach)
			if is > 0 && should > 0 {
				r.Gap += reach * max(0, is*math.Log(is/should)-is+should)
			} else {
				r.Gap += reach * should
			}
		}
	}
	r.Dual = s.mass * (r.Dual - s.epsilon*(total-1)) // of the plan and of a b^T, whose mass is 1
	r.Gap *= s.mass
	r.Primal = r.Dual + r.Gap
	r.LogU, r.LogV = s.logu, make([]float64, s.n)
	shift := math.Log(s.mass) / 2
	for i := range s.n {
		r.LogU[i] += shift
		r.LogV[i] = s.logv[i] + shift
	}
	r.products = products{s.kv, s.ku}
	r.Cost, err = s.kernel.PlanCost(s.ctx, r.LogU, r.LogV)
	return err
}

// geometric is the mean mass of both sides: the relative entropy to a b^T over it is balanced transport's where they are equal.
func geometric(a, b []float64) float64 {
	return math.Sqrt(measure.Total(a)) * math.Sqrt(measure.Total(b))
}
