package transport

import (
	"context"
	"math"

	"genussink/core/internal/parallel"
	"genussink/core/measure"
)

// evidence fills the result from the last potentials, scaled back to the mass
// that was given: u v K totals mass when log u and log v carry half of log
// mass each.
func (s *state) evidence() (err error) {
	r := &s.result
	r.Gap = s.mass * s.gap()
	r.Dual = s.mass * s.dual()
	r.Primal = r.Dual + r.Gap
	r.products = s.of(products{s.kv, s.ku})
	if s.correction != nil {
		r.coarse, r.wanted = s.correction.c, s.of(s.correction.wanted)
	}
	r.LogU, r.LogV = s.logu, make([]float64, s.n)
	shift := math.Log(s.mass) / 2
	for i := range s.n {
		r.LogU[i] += shift
		r.LogV[i] = s.logv[i] + shift
	}
	if s.turned {
		r.LogU, r.LogV = r.LogV, r.LogU
	}
	if r.Cost = s.mass * s.cost; math.IsNaN(r.Cost) {
		r.Cost, err = s.kernel.PlanCost(s.ctx, r.LogU, r.LogV)
	}
	return err
}

// dual is the dual value per unit of mass, with the potentials f = epsilon log(u/a) and g = epsilon log(v/b):
// a.f + b.g - epsilon (sum P - 1). For any potentials it is at most the optimum.
func (s *state) dual() float64 {
	value := 1 - measure.Total(s.columns)
	for i, a := range s.a {
		if a > 0 {
			value += a * (s.logu[i] - s.loga[i])
		}
	}
	for j, b := range s.b {
		if b > 0 {
			value += b * (s.logv[j] - s.logb[j])
		}
	}
	return s.epsilon * value
}

// gap is a certified bound on how far the plan is from optimal, per unit of
// mass: the entropic cost of a plan with exactly the right marginals, less the
// dual value. It takes no product. Both are meant with the regulariser epsilon sum_ij P_ij (log P_ij - 1) and
// its dual value epsilon (a.log u + b.log v - sum P), which differ from those of Problem by one constant.
//
// With r and c the sums of P's rows and columns the feasible plan scales the rows by x = min(1, a/r) and the columns
// by y = min(1, b/c), and adds the missing mass e as the
// product of the two remainders (Altschuler, Weed and Rigollet 2017). With
// h(t) = t (log t - 1) and masses at most 1, h(p+q) <= h(p) + q, so that the
// addition costs at most e (D_max + epsilon). For the scaled plan P' with
// marginals a', b', the entropic cost less the dual value is
//
//	epsilon ((a'-a).log u + a'.log x + (b'-b).log v + b'.log y + sum P - sum P'),
//
// in which nothing cancels. Rounding may take it below 0: then it is 0. Of each side's part side says what is
// known without a product, and at most what is not. As sum P - sum P' is at most what both scalings take away,
// e is at most what the rows lack and the columns have over.
func (s *state) gap() float64 {
	var rows, columns side
	sideBySide(func() { rows = sideOf(s.a, s.rows, s.loga, s.logu, s.kv) }, func() { columns = sideOf(s.b, s.columns, s.logb, s.logv, s.ku) })
	var own, other float64
	sideBySide(func() { own = rows.value(columns) }, func() { other = columns.value(rows) })
	return max(0, s.epsilon*(own+other+rows.over+columns.over+
		(rows.lack+columns.over)*(1-s.kernel.LogFloor())))
}

// sideBySide calls the two on two processors.
func sideBySide(first, second func()) {
	_ = parallel.Each(context.Background(), parallel.Workers(2), 2, func(_, i int) {
		if i == 0 {
			first()
		} else {
			second()
		}
	})
}

// side is one side of a plan whose marginal is not quite what it should be.
type side struct {
	mass, scaling []float64 // those wanted; log u or log v
	over, lack    float64   // how much the sums have over the masses, and lack
	share         float64   // the most of a sum that its scaling takes away
	known, scaled float64   // (m-a).log u and m.log x for the least of sums and masses, m
}

// sideOf takes a side's masses, the plan's sums, the logarithms of the masses and of the scaling and that of
// the product with the other one.
func sideOf(mass, sums, logs, scaling, product []float64) side {
	out, least := side{mass: mass, scaling: scaling}, 0.0
	for i, m := range mass {
		if m == 0 {
			continue
		}
		if excess := sums[i] - m; excess > 0 {
			x := logs[i] - scaling[i] - product[i]
			out.over += excess
			out.scaled += m * x
			least = min(least, x)
		} else {
			out.lack -= excess
			out.known += excess * scaling[i]
		}
	}
	out.share = -math.Expm1(least)
	return out
}

// value is at least (a'-a).log u + a'.log x. A sum that its own scaling leaves m of loses no more of that than the
// other side's scaling takes of any: a' >= (1-share) m. In all a loses what that takes of the plan, over, but for
// at most the own share of it. The loss times -log u is at most what it is with all of that taken where log u is least, and
// what the difference might have made; those of about the same log u are taken for one.
func (s *side) value(other side) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for i, a := range s.mass {
		if a > 0 {
			low, high = min(low, s.scaling[i]), max(high, s.scaling[i])
		}
	}
	var groups [1024]struct{ mass, low float64 } // by log u
	last := float64(len(groups) - 1)
	for i, a := range s.mass {
		if a > 0 {
			at := 0
			if high > low {
				at = int(last * ((s.scaling[i] - low) / (high - low)))
			}
			g := &groups[at]
			if g.mass == 0 {
				g.low = s.scaling[i]
			}
			g.mass, g.low = g.mass+a, min(g.low, s.scaling[i])
		}
	}
	value, rest := s.known+(1-other.share)*s.scaled, other.over
	for _, g := range groups {
		loss := min(rest, other.share*g.mass)
		value -= loss * g.low
		rest -= loss
	}
	return value + other.over*s.share*max(math.Abs(low), math.Abs(high))
}

// share sets dst to a's shares of the mass.
func share(dst, a []float64, mass float64) []float64 {
	for i, x := range a {
		dst[i] = x / mass
	}
	return dst
}
