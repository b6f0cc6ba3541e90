// Package linop holds linear operators known only by their products, which is
// all that Sinkhorn and Gromov-Wasserstein ask of a kernel.
package linop

import (
	"math"

	"genussink/core/internal/exponential"
)

// Operator is a real rows x cols matrix known by its products. Both products
// write to dst and return it; a nil dst allocates, a reused one keeps them
// free of allocation. dst must not overlap x. They panic when a length does
// not fit. An Operator may keep scratch space: one goroutine at a time.
type Operator interface {
	Dims() (rows, cols int)
	MulVec(dst, x []float64) []float64  // dst = A x,   len(dst) = rows, len(x) = cols
	MulVecT(dst, x []float64) []float64 // dst = A^T x, len(dst) = cols, len(x) = rows
}

// Kernel is the symmetric Gibbs kernel K = exp(-D/epsilon) of a distance D
// with zero diagonal (but where vertices stand for cells: see quantized): an Operator that also multiplies in the log domain, where nothing
// underflows, and integrates the distance against a plan. An unreachable pair
// has D = +Inf, K = 0.
type Kernel interface {
	Operator

	// LogMulVec computes dst_i = log sum_j exp(x_j - D_ij/epsilon). x may hold
	// -Inf (no mass); a row that nothing reaches is -Inf.
	LogMulVec(dst, x []float64) []float64

	// PlanCost is sum_ij P_ij D_ij for the plan
	// P_ij = exp(logu_i - D_ij/epsilon + logv_j), in the unit of D.
	PlanCost(logu, logv []float64) float64

	// Distances fills dst (len n, nil allocates) with row i of D, as the kernel
	// knows it, in the unit of D, and returns it; +Inf where unreachable.
	Distances(dst []float64, i int) []float64

	// LogFloor is a lower bound on -D_ij/epsilon over the reachable pairs: how
	// small, in logarithm, an entry of K can get.
	LogFloor() float64
}

// MulPlan computes ku = K u and, unless that is nil, kv = K v, and returns the cost sum_ij u_i K_ij D_ij v_j of a
// plan, in the unit of D: at once where the kernel has a MulPlan of its own, for less than that takes, otherwise
// one after the other.
func MulPlan(k Kernel, ku, kv, u, v []float64) float64 {
	if own, ok := k.(interface {
		MulPlan(ku, kv, u, v []float64) float64
	}); ok {
		return own.MulPlan(ku, kv, u, v)
	}
	k.MulVec(ku, u)
	if kv != nil {
		k.MulVec(kv, v)
	}
	logu, logv := make([]float64, len(u)), make([]float64, len(v))
	for i := range u {
		logu[i], logv[i] = math.Log(u[i]), math.Log(v[i])
	}
	return k.PlanCost(logu, logv)
}

// Row fills dst (len n, nil allocates) with row i of K, as products multiply with it, and returns it: by the kernel's own
// Row where it has one, otherwise from its distances.
func Row(k Kernel, epsilon float64, dst []float64, i int) []float64 {
	if own, ok := k.(interface {
		Row(dst []float64, i int) []float64
	}); ok {
		return own.Row(dst, i)
	}
	dst = k.Distances(dst, i)
	for j, d := range dst {
		dst[j] = exponential.Exp(-d / epsilon)
	}
	return dst
}

// Draw draws for each source i, given a number u in [0,1), the target j at which the running sum of K_ij x_j reaches the share
// u of (K x)_i, in some order of the vertices: with u uniform that is j with probability K_ij x_j / (K x)_i. x is that of the
// product made last, MulVec or LogMulVec, and must not have changed. dist is D_ij, as the kernel knows it; the
// target is -1 where (K x)_i is 0. A kernel without a Draw of its own gives no targets.
func Draw(k Kernel, sources []int32, u []float64) (targets []int32, dist []float64) {
	if own, ok := k.(interface {
		Draw(sources []int32, u []float64) ([]int32, []float64)
	}); ok {
		return own.Draw(sources, u)
	}
	return nil, nil
}
