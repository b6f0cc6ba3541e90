package method

import (
	"context"
	"time"

	"genussink/core/linop"
)

// Tally is a kernel that counts what a solve asks of it, and the seconds that takes.
type Tally struct {
	linop.Kernel
	Now             func() time.Time
	Products, Costs int // K x, and <P, D>
	Seconds         float64
}

// counting returns what adds the time until it is called.
func (k *Tally) counting(products, costs int) (end func()) {
	k.Products, k.Costs = k.Products+products, k.Costs+costs
	start := k.Now()
	return func() { k.Seconds += k.Now().Sub(start).Seconds() }
}

// MulVec is the kernel's, counted, as are the others.
func (k *Tally) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	defer k.counting(1, 0)()
	return k.Kernel.MulVec(ctx, dst, x)
}

// LogMulVec is the kernel's.
func (k *Tally) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	defer k.counting(1, 0)()
	return k.Kernel.LogMulVec(ctx, dst, x)
}

// PlanCost is the kernel's.
func (k *Tally) PlanCost(ctx context.Context, logu, logv []float64) (float64, error) {
	defer k.counting(0, 1)()
	return k.Kernel.PlanCost(ctx, logu, logv)
}

// MulPlan is linop.MulPlan.
func (k *Tally) MulPlan(ctx context.Context, ku, kv, u, v []float64) (float64, error) {
	products := 1
	if kv != nil {
		products = 2
	}
	defer k.counting(products, 1)()
	return linop.MulPlan(ctx, k.Kernel, ku, kv, u, v)
}

var (
	_ linop.Kernel         = (*Tally)(nil)
	_ linop.PlanMultiplier = (*Tally)(nil)
)
