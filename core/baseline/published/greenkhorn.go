package published

import (
	"context"
	"fmt"
	"math"
	"time"

	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/measure"
	"genussink/core/transport"
)

// GreenkhornOptions of Greenkhorn. The zero value has the paper's.
type GreenkhornOptions struct {
	Tolerance  float64 // the L1 marginal errors of both sides to stop at, added, as a share of the mass; 0: 1e-4
	MaxUpdates int     // of one row or column each; 0: 50000
}

// Greenkhorn solves a problem by the greedy iteration of Altschuler, Weed and Rigollet (2017): from u = v = 1 over the sum of the kernel,
// each step scales the one row or column to its mass whose gain is largest, rho(m, s) = s - m + m log(m/s) for the mass m
// and the sum s. A step takes a row of the kernel and O(n). The Result's Iterations are steps; its trace is the last error alone,
// its Primal, Dual and Gap are NaN. Where exp(-d/epsilon) or scalings leave float64 it is an error.
func Greenkhorn(ctx context.Context, p transport.Problem, o GreenkhornOptions) (*transport.Result, error) {
	start := time.Now()
	if !(o.Tolerance >= 0) || math.IsInf(o.Tolerance, 1) {
		return nil, fmt.Errorf("published: the tolerance is %g, it must be positive and finite", o.Tolerance)
	}
	if o.MaxUpdates < 0 {
		return nil, fmt.Errorf("published: at most %d updates", o.MaxUpdates)
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-4
	}
	if o.MaxUpdates == 0 {
		o.MaxUpdates = 50000
	}
	mass, err := balanced(p)
	if err != nil {
		return nil, err
	}
	n := len(p.Source)
	sides := [2]*greedy{newGreedy(p.Source), newGreedy(p.Target)}
	// All sums come from two products; a step changes those of the other side by its row.
	if err := sums(ctx, p.Kernel, sides); err != nil {
		return nil, err
	}
	if total := measure.Total(sides[0].sums); total > 0 {
		for i := range sides[0].scaling {
			sides[0].scaling[i] /= total
		}
		for _, s := range sides {
			for i := range s.sums {
				s.sums[i] /= total
			}
		}
	}
	r := &transport.Result{}
	r.Form, r.Status = job.Scaling, job.Iterations
	row := make([]float64, n)
	for ; ; r.Iterations++ {
		i, gain, error0 := sides[0].best()
		j, other, error1 := sides[1].best()
		r.MarginalError = error0 + error1
		if !(r.MarginalError > o.Tolerance) {
			r.Status = job.Converged
			break
		}
		if r.Iterations == o.MaxUpdates {
			break
		}
		own, across := sides[0], sides[1]
		if other > gain {
			own, across, i = sides[1], sides[0], j
		}
		if _, err := linop.Row(ctx, p.Kernel, p.Epsilon, row, i); err != nil {
			return nil, err
		}
		if own.sums[i] <= 0 {
			return nil, fmt.Errorf("published: vertex %d has a mass of %g that nothing reaches", i, own.mass[i]*mass)
		}
		before := own.scaling[i]
		own.scaling[i] *= own.mass[i] / own.sums[i]
		own.sums[i] = own.mass[i]
		change := own.scaling[i] - before
		for k, x := range row {
			across.sums[k] += change * x * across.scaling[k]
		}
	}
	// Steps add up rounding: the evidence is of fresh sums.
	if err := sums(ctx, p.Kernel, sides); err != nil {
		return nil, err
	}
	_, _, error0 := sides[0].best()
	_, _, error1 := sides[1].best()
	r.MarginalError = error0 + error1
	if math.IsNaN(r.MarginalError) {
		return nil, fmt.Errorf("published: at an epsilon of %g the scalings leave float64", p.Epsilon)
	}
	r.Trace = []float64{r.MarginalError}
	r.LogU, r.LogV = sides[0].logarithms(mass), sides[1].logarithms(mass)
	if r.Cost, err = p.Kernel.PlanCost(ctx, r.LogU, r.LogV); err != nil {
		return nil, err
	}
	r.Primal, r.Dual, r.Gap = math.NaN(), math.NaN(), math.NaN()
	r.Seconds = time.Since(start).Seconds()
	return r, nil
}

// greedy is a side: shares of mass, and what the plan has.
type greedy struct{ mass, scaling, sums []float64 }

func newGreedy(masses []float64) *greedy {
	n, total := len(masses), measure.Total(masses)
	g := &greedy{make([]float64, n), make([]float64, n), make([]float64, n)}
	for i, m := range masses {
		if m > 0 {
			g.mass[i], g.scaling[i] = m/total, 1
		}
	}
	return g
}

// sums computes both sides' sums of the plan anew.
func sums(ctx context.Context, k linop.Kernel, sides [2]*greedy) error {
	for s, g := range sides {
		if _, err := k.MulVec(ctx, g.sums, sides[1-s].scaling); err != nil {
			return err
		}
		for i, x := range g.scaling {
			g.sums[i] *= x
		}
	}
	return nil
}

// best is the first vertex of largest gain, and the side's L1 marginal error.
func (g *greedy) best() (at int, gain, missed float64) {
	gain = -1
	for i, m := range g.mass {
		if m == 0 {
			continue
		}
		s := g.sums[i]
		missed += math.Abs(s - m)
		if rho := m * excess((s-m)/m); rho > gain {
			at, gain = i, rho
		}
	}
	return at, gain, missed
}

// excess is x - log(1+x), by its series where that would cancel.
func excess(x float64) float64 {
	if math.Abs(x) < 1e-4 {
		return x * x * (1./2 - x*(1./3-x/4))
	}
	return x - math.Log1p(x)
}

// logarithms are those of the scaling, for the mass that was given.
func (g *greedy) logarithms(mass float64) []float64 {
	out := make([]float64, len(g.scaling))
	for i, x := range g.scaling {
		out[i] = math.Log(x) + math.Log(mass)/2
	}
	return out
}
