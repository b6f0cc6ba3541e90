// Package linop holds linear operators known only by their products, which is
// all that Sinkhorn and Gromov-Wasserstein ask of a kernel.
//
// Whatever can take longer than 50 ms gets a context and returns an error. Once the context has ended, the error is the
// context's. Then the slice returned is nil and the content of dst is unspecified. The next product is right again.
package linop

import (
	"context"
	"math"

	"genussink/core/internal/exponential"
)

// Operator is a real rows x cols matrix known by its products. A product
// writes to dst and returns it; a nil dst allocates, a reused one keeps it
// free of allocation. dst must not overlap x. It panics when a length does
// not fit. An Operator may keep scratch space: one goroutine at a time.
type Operator interface {
	Dims() (rows, cols int)
	MulVec(ctx context.Context, dst, x []float64) ([]float64, error) // dst = A x, len(dst) = rows, len(x) = cols
}

// Kernel is the symmetric Gibbs kernel K = exp(-D/epsilon) of a distance D
// with zero diagonal (but where vertices stand for cells: see quantized): an Operator that also multiplies in the log domain, where nothing
// underflows, and integrates the distance against a plan. An unreachable pair
// has D = +Inf, K = 0.
type Kernel interface {
	Operator
	Distancer

	// LogMulVec computes dst_i = log sum_j exp(x_j - D_ij/epsilon). x may hold
	// -Inf (no mass); a row that nothing reaches is -Inf.
	LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error)

	// PlanCost is sum_ij P_ij D_ij for the plan
	// P_ij = exp(logu_i - D_ij/epsilon + logv_j), in the unit of D.
	PlanCost(ctx context.Context, logu, logv []float64) (float64, error)

	// LogFloor is a lower bound on -D_ij/epsilon over the reachable pairs: how
	// small, in logarithm, an entry of K can get.
	LogFloor() float64
}

// Distancer knows the rows of D.
type Distancer interface {
	// Distances fills dst (len n, nil allocates) with row i of D, as the kernel
	// knows it, in the unit of D, and returns it; +Inf where unreachable.
	Distances(ctx context.Context, dst []float64, i int) ([]float64, error)
}

// LogEntrier is a Kernel f(D) for another function f than exp(-D/epsilon). f is positive and f(0) = 1. What is said of
// exp(-D_ij/epsilon) above holds for f(D_ij). The plan is optimal for the cost -epsilon log f(D). PlanCost still is
// sum_ij P_ij D_ij.
type LogEntrier interface {
	// LogEntry is log f(d), an entry's logarithm at the distance d >= 0; -Inf at +Inf. Any number of goroutines may call it.
	LogEntry(d float64) float64
}

// Wrapper is a Kernel around another one, with the same entries. A struct that embeds a Kernel has none of its other abilities. LogEntry asks for the
// wrapped one, and so finds its function.
type Wrapper interface {
	Wrapped() Kernel
}

// Temperer is a Kernel f(D) that makes others of the same distances which fall less: f(D)^t.
type Temperer interface {
	// Tempered is the kernel f(D)^t, 0 < t <= 1, that is used before the next product of this one; nil where there is none.
	Tempered(ctx context.Context, t float64) (Kernel, error)
}

// PlanMultiplier is a Kernel that computes the products and the cost of a plan together, in less time than one by one.
type PlanMultiplier interface {
	// MulPlan is the function MulPlan.
	MulPlan(ctx context.Context, ku, kv, u, v []float64) (cost float64, err error)
}

// Scaler is a Kernel that says what its epsilon is, in the unit of D.
type Scaler interface {
	Epsilon() float64
}

// Rower is a Kernel that knows the rows of K.
type Rower interface {
	// Row fills dst (len n, nil allocates) with row i of K and returns it. The entries are those that products use.
	Row(ctx context.Context, dst []float64, i int) ([]float64, error)
}

// Drawer is a Kernel that draws from the product made last.
type Drawer interface {
	// Draw is the function Draw.
	Draw(ctx context.Context, sources []int32, u []float64) (targets []int32, dist []float64, err error)
}

// MulPlan computes ku = K u and, unless kv is nil, kv = K v. It returns the cost sum_ij u_i K_ij D_ij v_j of a plan, in the
// unit of D. A PlanMultiplier does all of it together; for any other kernel it is done one by one.
func MulPlan(ctx context.Context, k Kernel, ku, kv, u, v []float64) (cost float64, err error) {
	if own, ok := k.(PlanMultiplier); ok {
		return own.MulPlan(ctx, ku, kv, u, v)
	}
	if _, err := k.MulVec(ctx, ku, u); err != nil {
		return 0, err
	}
	if kv != nil {
		if _, err := k.MulVec(ctx, kv, v); err != nil {
			return 0, err
		}
	}
	logu, logv := make([]float64, len(u)), make([]float64, len(v))
	for i := range u {
		logu[i], logv[i] = math.Log(u[i]), math.Log(v[i])
	}
	return k.PlanCost(ctx, logu, logv)
}

// Row fills dst (len n, nil allocates) with row i of K and returns it. The entries are those that products use. A Rower
// computes them itself; for any other kernel they are computed from its distances.
func Row(ctx context.Context, k Kernel, epsilon float64, dst []float64, i int) ([]float64, error) {
	if own, ok := k.(Rower); ok {
		return own.Row(ctx, dst, i)
	}
	dst, err := k.Distances(ctx, dst, i)
	entry := LogEntry(k, epsilon)
	for j, d := range dst {
		dst[j] = exponential.Exp(entry(d))
	}
	return dst, err
}

// LogEntry returns the logarithm of a kernel's entry as a function of the distance.
func LogEntry(k Kernel, epsilon float64) func(d float64) float64 {
	switch own := k.(type) {
	case LogEntrier:
		return own.LogEntry
	case Wrapper:
		return LogEntry(own.Wrapped(), epsilon)
	}
	return func(d float64) float64 { return -d / epsilon }
}

// Draw draws a target j for each source i, by a number u in [0,1). It adds up K_ij x_j over the vertices in some order, and
// takes the j at which the sum reaches u times (K x)_i. So if u is uniform, j has the probability K_ij x_j / (K x)_i. x is
// that of the last product, MulVec or LogMulVec, and must not have changed. dist is D_ij, as the kernel knows it. The
// target is -1 where (K x)_i is 0. There are no targets if the kernel is no Drawer or knows no last product.
func Draw(ctx context.Context, k Kernel, sources []int32, u []float64) (targets []int32, dist []float64, err error) {
	if own, ok := k.(Drawer); ok {
		return own.Draw(ctx, sources, u)
	}
	return nil, nil, ctx.Err()
}
