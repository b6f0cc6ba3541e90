package transport

import (
	"context"
	"fmt"
	"math"

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

// FindBarycentre finds the density p that minimises the weighted sum of the entropic costs <P_s, C> + epsilon KL(P_s | K) of moving the densities to
// it, C being -epsilon log K: the distance D of the kernel exp(-D/epsilon), and D^2/epsilon of exp(-D^2/epsilon^2), by iterative Bregman projections: u_s = a_s / K v_s, p = prod (v_s K u_s)^w_s, v_s = p / K u_s (Benamou, Carlier, Cuturi, Nenna and
// Peyre, SIAM Journal on Scientific Computing 37, 2015, A1111-A1138, Sec. 3.2), accelerated as Solve's is (anderson.go), with all v_s as one
// potential: at a small epsilon that takes a tenth of the iterations. Densities are n values each, finite and >= 0,
// with some mass; each counts as of total 1. Weights are positive, of any total. In every component of the graph the densities must have equal shares. With
// the distance it is like a median: it gathers where the densities overlap, and of two densities at weights of a half anything
// between them costs the same but for epsilon. With the square it is like a mean, the barycentre of W2. Of the options Tolerance, MaxIterations and Progress count.
func FindBarycentre(ctx context.Context, kernel linop.Kernel, epsilon float64, densities [][]float64, weights []float64, o Options) (*Barycentre, error) {
	if len(densities) == 0 || len(weights) != len(densities) {
		return nil, fmt.Errorf("transport: a barycentre of %d densities with %d weights", len(densities), len(weights))
	}
	total := 0.0
	for i, w := range weights {
		if !(w > 0) || math.IsInf(w, 1) {
			return nil, fmt.Errorf("transport: weight %d is %g, it must be positive and finite", i, w)
		}
		total += w
	}
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
				logp[i] += weights[k] / total * (s.logv[i] + l)
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
			e += weights[k] / total * off
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
			step = newAnderson(barycentreMass(logp, weights, total), room)
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

// barycentreMass is by how much each of the potentials counts: by the density where it is, times its weight. It is 0 where there is nothing, now and later.
// The weights stay those of the first iteration: with those of every iteration's own density the steps were as many, or a third more.
func barycentreMass(logp, weights []float64, total float64) []float64 {
	mass := make([]float64, 0, len(weights)*len(logp))
	for _, w := range weights {
		for _, l := range logp {
			m := 0.0
			if l > math.Inf(-1) {
				m = max(w/total*math.Exp(l), 0x1p-1000) // its logarithm still counts
			}
			mass = append(mass, m)
		}
	}
	return mass
}
