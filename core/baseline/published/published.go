// Package published holds the methods of others that the paper compares with
// (Sec. 4 and the Appendix "Numerical Experiments"), as they were published:
// kernels that take the place of exp(-d/epsilon) in Sinkhorn's iteration
// (Sparse, Heat, Nystroem, Ambient), and solvers of their own (Greenkhorn, Screenkhorn).
// What their plans cost is told on true graph distances, whatever distance a
// method has in mind.
//
// # Deviations
//
// From the paper: its Appendix names the settings and not the code.
//
//   - Screenkhorn minimises over the logarithms of the scalings, where its function is convex, by a projection that is simpler
//     than L-BFGS-B's; the minimum is the same. Vertices without mass are left out before the screening.
//   - Sinkhorn's iteration is transport.Solve, which is accelerated; its fixed
//     point is the same.
//   - A kernel whose products are negative for vectors that are not, or whose
//     plan has negative entries beyond rounding, is refused: it has no plan.
//     So is one whose scalings leave float64, as where too many entries are 0.
//   - Ambient takes squared Euclidean distances over epsilon^2, so that the
//     unit of length does not matter.
package published

import (
	"context"
	"errors"
	"fmt"
	"math"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
	"genussink/core/measure"
	"genussink/core/shortest"
	"genussink/core/transport"
)

// ErrNotPositive is that a kernel has negative values, and so no plan.
var ErrNotPositive = errors.New("published: the kernel is not positive")

// negligible is what share of a plan's mass negative entries may have, as rounding: it is the marginal error that a solve ends at by
// default.
const negligible = 1e-9

// Kernel is a symmetric n x n matrix of one of the methods, for the vertices of a graph. It serves one goroutine at a time.
type Kernel struct {
	g       *graph.Graph
	epsilon float64
	matrix  matrix
}

// matrix is what a method makes.
type matrix interface {
	// multiply computes dst = K x, both of n values.
	multiply(ctx context.Context, dst, x []float64) error
	// rows makes what computes rows of K, for one goroutine.
	rows() func(dst []float64, i int)
	// floor is a lower bound on the logarithm of the entries that are not 0, but for rounding.
	floor() float64
	// bytes is how much the matrix holds.
	bytes() int64
}

// Bytes is the memory that the kernel holds.
func (k *Kernel) Bytes() int64 { return k.matrix.bytes() }

// Solve runs Sinkhorn's iteration on the kernel. The Solution's costs are NaN: Cost computes what the plan costs, apart,
// since that takes all distances. The error is ErrNotPositive where a product has a negative value.
func (k *Kernel) Solve(ctx context.Context, source, target []float64, o transport.Options) (*transport.Result, error) {
	r, err := transport.Solve(ctx, transport.Problem{Kernel: products{k}, Source: source, Target: target, Epsilon: k.epsilon}, o)
	if err != nil {
		return nil, err
	}
	r.Cost, r.Primal, r.Dual, r.Gap = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	return r, nil
}

// Cost is sum_ij u_i K_ij v_j d_ij with the graph's shortest-path distances d, in its unit, from one Dijkstra and one row of K
// for every vertex with mass. The error is ErrNotPositive where more than rounding of the plan is negative.
func (k *Kernel) Cost(ctx context.Context, logu, logv []float64) (float64, error) {
	return Cost(ctx, k.g, parallel.Workers(k.g.Len()), k.LogFloor(), logu, logv, k.Rows)
}

// Rows makes what computes rows of the kernel, for one goroutine.
func (k *Kernel) Rows() Rows {
	row := k.matrix.rows()
	return func(_ context.Context, dst []float64, i int) error {
		row(dst, i)
		return nil
	}
}

// LogFloor is a lower bound on the logarithm of the entries that are not 0, but for rounding.
func (k *Kernel) LogFloor() float64 { return k.matrix.floor() }

// Rows computes row i of a kernel, of n values, for one goroutine.
type Rows func(ctx context.Context, dst []float64, i int) error

// Cost is what the plan u_i K_ij v_j costs on a graph's shortest-path distances, in its unit, whatever distances its kernel K has in mind. rows makes
// what computes rows of K, at most as often as there are workers; floor is a lower bound on the logarithms of K's entries that are not 0.
// The error is ErrNotPositive where more than rounding of the plan is negative.
func Cost(ctx context.Context, g *graph.Graph, workers int, floor float64, logu, logv []float64, rows func() Rows) (float64, error) {
	n := g.Len()
	if len(logu) != n || len(logv) != n {
		return 0, fmt.Errorf("published: %d and %d potentials for %d vertices", len(logu), len(logv), n)
	}
	u, v := make([]float64, n), make([]float64, n)
	if !linop.Scalings(u, v, logu, logv, floor) {
		return 0, errors.New("published: the plan's scalings leave float64")
	}
	type part struct{ cost, mass, negative float64 }
	parts := make([]part, n) // summed in order: the answer does not depend on timing
	type worker struct {
		solver *shortest.Solver
		row    Rows
		d, k   []float64
	}
	each, errs := make([]*worker, workers), make([]error, workers)
	err := parallel.Each(ctx, workers, n, func(w, i int) {
		if u[i] == 0 || errs[w] != nil {
			return
		}
		if each[w] == nil {
			each[w] = &worker{shortest.NewSolver(g), rows(), make([]float64, n), make([]float64, n)}
		}
		me := each[w]
		me.solver.Distances(me.d, int32(i))
		if errs[w] = me.row(ctx, me.k, i); errs[w] != nil {
			return
		}
		var p part
		for j, x := range me.k {
			if x == 0 || v[j] == 0 {
				continue
			}
			x *= u[i] * v[j]
			p.mass += math.Abs(x)
			p.negative += max(0, -x)
			p.cost += x * me.d[j] // infinite where mass goes where no path leads
		}
		parts[i] = p
	})
	if err := errors.Join(err, errors.Join(errs...)); err != nil {
		return 0, err
	}
	var all part
	for _, p := range parts {
		all.cost, all.mass, all.negative = all.cost+p.cost, all.mass+p.mass, all.negative+p.negative
	}
	if all.negative > negligible*all.mass {
		return 0, fmt.Errorf("%w: %.2g of the plan's mass is negative", ErrNotPositive, all.negative/all.mass)
	}
	return all.cost, nil
}

// products is a Kernel as transport.Solve needs it: products alone, and no cost.
type products struct{ *Kernel }

// Dims is n, n.
func (k products) Dims() (rows, cols int) { return k.g.Len(), k.g.Len() }

// MulVec is K x, for an x without negative values. A negative value of K x shows that K has negative entries: the error is ErrNotPositive.
func (k products) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	if dst == nil {
		dst = make([]float64, len(x))
	}
	if err := k.matrix.multiply(ctx, dst, x); err != nil {
		return nil, err
	}
	for i, y := range dst {
		if y < 0 {
			return nil, fmt.Errorf("%w: row %d times the scaling of the other side is %.2g", ErrNotPositive, i, y)
		}
	}
	return dst, nil
}

// LogMulVec is an error: what is known by its products alone has none in logarithms, and would need none if it reached where mass must go.
func (k products) LogMulVec(context.Context, []float64, []float64) ([]float64, error) {
	return nil, errors.New("published: the scalings leave float64: the kernel is 0, or nearly, where mass must go")
}

// PlanCost is nothing: see Kernel.Cost.
func (k products) PlanCost(context.Context, []float64, []float64) (float64, error) { return 0, nil }

// MulPlan is the products, and no cost.
func (k products) MulPlan(ctx context.Context, ku, kv, u, v []float64) (float64, error) {
	if _, err := k.MulVec(ctx, ku, u); err != nil || kv == nil {
		return 0, err
	}
	_, err := k.MulVec(ctx, kv, v)
	return 0, err
}

// Distances are the graph's.
func (k products) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return shortest.NewSolver(k.g).DistancesContext(ctx, dst, []int32{int32(i)}, nil)
}

// balanced checks a problem that is solved with the kernel's values, not their logarithms, and returns the mass of its densities.
func balanced(p transport.Problem) (mass float64, err error) {
	if err := positive("epsilon", p.Epsilon); err != nil {
		return 0, err
	}
	n, _ := p.Kernel.Dims()
	for s, masses := range [2][]float64{p.Source, p.Target} {
		if err := measure.Validate(masses, n); err != nil {
			return 0, fmt.Errorf("published: density %d: %w", s, err)
		}
	}
	mass = measure.Total(p.Source)
	if other := measure.Total(p.Target); !measure.Agree(mass, other) {
		return 0, fmt.Errorf("published: the source's mass is %g and the target's %g, they must agree", mass, other)
	}
	if p.Kernel.LogFloor() < -linop.MaxLog {
		return 0, fmt.Errorf("published: at an epsilon of %g the kernel leaves float64", p.Epsilon)
	}
	return mass, nil
}

// positive checks a parameter.
func positive(name string, x float64) error {
	if !(x > 0) || math.IsInf(x, 1) {
		return fmt.Errorf("published: %s is %g, it must be positive and finite", name, x)
	}
	return nil
}
