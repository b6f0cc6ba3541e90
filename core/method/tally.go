package method

import (
	"context"
	"time"

	"genussink/core/linop"
)

// Tally is a kernel that counts what a solve asks of it, and the seconds that takes. It has the products of several vectors at once
// (linop.PlanMultiplier) where the kernel has them, and otherwise makes them one after the other. It hides rows and draws
// (linop.Rower, linop.Drawer): a solve asks for none, and whoever asks a plan has the kernel itself.
type Tally struct {
	linop.Kernel
	Now             func() time.Time
	Products, Costs int // K x, and <P, D>
	Seconds         float64

	of *Tally // whose tempered kernel it is: there it counts
}

var (
	_ linop.Kernel         = (*Tally)(nil)
	_ linop.PlanMultiplier = (*Tally)(nil)
	_ linop.Temperer       = (*Tally)(nil)
	_ linop.Wrapper        = (*Tally)(nil)
)

// Wrapped is the kernel that is counted.
func (k *Tally) Wrapped() linop.Kernel { return k.Kernel }

// count adds products and costs that began then. A closure in its place would allocate.
func (k *Tally) count(products, costs int, begun time.Time) {
	if k.of != nil {
		k.of.count(products, costs, begun)
		return
	}
	k.Products, k.Costs = k.Products+products, k.Costs+costs
	k.Seconds += k.Now().Sub(begun).Seconds()
}

// Tempered is the kernel's, whose products count as the kernel's own.
func (k *Tally) Tempered(ctx context.Context, t float64) (linop.Kernel, error) {
	own, ok := k.Kernel.(linop.Temperer)
	if !ok {
		return nil, nil
	}
	other, err := own.Tempered(ctx, t)
	if other == nil || err != nil {
		return nil, err
	}
	return &Tally{Kernel: other, Now: k.Now, of: k}, nil
}

// MulVec is the kernel's, counted, as are the others.
func (k *Tally) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	defer k.count(1, 0, k.Now())
	return k.Kernel.MulVec(ctx, dst, x)
}

// LogMulVec is the kernel's.
func (k *Tally) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	defer k.count(1, 0, k.Now())
	return k.Kernel.LogMulVec(ctx, dst, x)
}

// PlanCost is the kernel's.
func (k *Tally) PlanCost(ctx context.Context, logu, logv []float64) (float64, error) {
	defer k.count(0, 1, k.Now())
	return k.Kernel.PlanCost(ctx, logu, logv)
}

// MulPlan is linop.MulPlan.
func (k *Tally) MulPlan(ctx context.Context, ku, kv, u, v []float64) (float64, error) {
	products := 1
	if kv != nil {
		products = 2
	}
	defer k.count(products, 1, k.Now())
	return linop.MulPlan(ctx, k.Kernel, ku, kv, u, v)
}
