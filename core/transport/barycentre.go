package transport

import (
	"context"
	"fmt"
	"math"
	"slices"

	"genussink/core/linop"
)

// Barycentre is the density that lies between others.
type Barycentre struct {
	Density       []float64 // n values of total 1
	Costs         []float64 // of moving each of the others to it, <P, D> in the unit of D
	Status        string    // Converged or Iterations
	Iterations    int
	MarginalError float64 // how far the plans' columns are from the density, L1, the mean with the weights
}

// FindBarycentre finds the density p for which the weighted sum of entropic costs sum_s w_s (<P_s, C> + epsilon KL(P_s | K)) is the least. P_s moves
// density a_s to p. C is -epsilon log K: the distance D of the kernel exp(-D/epsilon), and D^2/epsilon of exp(-D^2/epsilon^2).
//
// Densities are n values each, finite and >= 0, with some mass. Each counts as of total 1. In every component of the graph they must have equal
// shares. Weights are positive and finite, of any total. Of the options Tolerance, MaxIterations and Progress count.
//
// It iterates Bregman projections: u_s = a_s / K v_s, p = prod (v_s K u_s)^w_s, v_s = p / K u_s (Benamou, Carlier, Cuturi, Nenna and Peyre, SIAM
// Journal on Scientific Computing 37, 2015, A1111-A1138, Sec. 3.2). They are accelerated as Solve's iteration is (anderson.go), with all v_s as
// one potential. At a small epsilon that takes a tenth of the iterations.
//
// With the distance the barycentre is like a median: it gathers where the densities overlap. Of two densities with equal weights anything between
// them costs the same but for epsilon. With the square it is like a mean, the barycentre of W2.
func FindBarycentre(ctx context.Context, kernel linop.Kernel, epsilon float64, densities [][]float64, weights []float64, o Options) (*Barycentre, error) {
	if len(densities) == 0 || len(weights) != len(densities) {
		return nil, fmt.Errorf("transport: a barycentre of %d densities with %d weights", len(densities), len(weights))
	}
	for i, w := range weights {
		if !(w > 0) || math.IsInf(w, 1) {
			return nil, fmt.Errorf("transport: weight %d is %g, it must be positive and finite", i, w)
		}
	}
	weights = sharesOf(weights)
	var sides []*state
	defer func() {
		for _, s := range sides {
			s.space.leave()
		}
	}()
	for i, a := range densities {
		s, err := newState(ctx, Problem{kernel, a, a, epsilon}, Options{Tolerance: o.Tolerance, MaxIterations: o.MaxIterations, Progress: o.Progress})
		if err != nil {
			return nil, fmt.Errorf("density %d: %w", i, err)
		}
		sides = append(sides, s)
		if s.result.Form = Scaling; !s.scalingIsSafe() {
			s.result.Form = Log
		}
		clear(s.logv)
	}
	n := sides[0].n
	b := &Barycentre{Status: Converged, Density: make([]float64, n), Costs: make([]float64, len(sides))}
	if n == 0 {
		return b, nil
	}
	everywhere, logp := make([]float64, n), make([]float64, n)
	x, image := make([]float64, len(sides)*n), make([]float64, len(sides)*n) // all log v, one after the other
	for k, s := range sides {
		s.logv, s.image = x[k*n:][:n], image[k*n:][:n]
	}
	room := &workspace{n: len(x)}
	var step *anderson // nil until the first p
	for {
		clear(logp)
		for k, s := range sides {
			if err := s.ctx.Err(); err != nil {
				return nil, err
			}
			if err := s.product(s.kv, s.logv, s.loga); err != nil {
				return nil, err
			}
			if i := s.follow(s.logu, s.loga, s.kv); i < n {
				return nil, fmt.Errorf("transport: density %d has mass at vertex %d, which no mass of another reaches", k, i)
			}
			if err := s.product(s.ku, s.logu, everywhere); err != nil {
				return nil, err
			}
			for i, l := range s.ku {
				logp[i] += weights[k] * (s.logv[i] + l)
			}
		}
		e := 0.0
		for k, s := range sides {
			off := 0.0
			for i, l := range logp {
				was := s.logv[i] + s.ku[i]
				s.image[i] = math.Inf(-1)
				if l > math.Inf(-1) {
					off += math.Abs(math.Exp(was) - math.Exp(l))
					s.image[i] = l - s.ku[i]
				} else if was > math.Inf(-1) {
					off += math.Exp(was)
				}
			}
			e += weights[k] * off
		}
		last, err := sides[0].record(e)
		if err != nil {
			return nil, err
		}
		if last || step == nil {
			copy(x, image)
		}
		if last {
			break
		}
		if step == nil {
			step = newAnderson(barycentreMass(logp, weights), room)
		} else {
			step.next(x, image, nil, e)
		}
	}
	r := &sides[0].result
	b.Status, b.Iterations, b.MarginalError = r.Status, r.Iterations, r.MarginalError
	sum := 0.0
	for i, l := range logp {
		b.Density[i] = math.Exp(l)
		sum += b.Density[i]
	}
	for i := range b.Density {
		b.Density[i] /= sum
	}
	for k, s := range sides {
		var err error
		if b.Costs[k], err = kernel.PlanCost(ctx, s.logu, s.logv); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// sharesOf are weights of total 1, whatever the total was.
func sharesOf(weights []float64) []float64 {
	most, total := slices.Max(weights), 0.0
	for _, w := range weights {
		total += w / most
	}
	shares := make([]float64, len(weights))
	for k, w := range weights {
		shares[k] = max(w/most/total, math.SmallestNonzeroFloat64)
	}
	return shares
}

// barycentreMass is by how much each of the potentials counts: by the density where it is, times its weight. It is 0 where there is nothing, now and later.
// The weights stay those of the first iteration: with those of every iteration's own density the steps were as many, or a third more.
func barycentreMass(logp, weights []float64) []float64 {
	mass := make([]float64, 0, len(weights)*len(logp))
	for _, w := range weights {
		for _, l := range logp {
			m := 0.0
			if l > math.Inf(-1) {
				m = max(w*math.Exp(l), 0x1p-1000) // its logarithm still counts
			}
			mass = append(mass, m)
		}
	}
	return mass
}
