package engine

import (
	"context"
	"time"

	"genussink/core/baseline"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/transport"
)

// denseRows is how many rows of the dense matrix are computed to predict what
// all of them would take.
const denseRows = 8

// tally is a kernel that counts what a solve asks of it, and the seconds that takes.
type tally struct {
	linop.Kernel
	now             func() time.Time
	products, costs int // K x, and <P, D>
	seconds         float64
}

// counting returns what adds the time until it is called.
func (k *tally) counting(products, costs int) (end func()) {
	k.products, k.costs = k.products+products, k.costs+costs
	start := k.now()
	return func() { k.seconds += k.now().Sub(start).Seconds() }
}

func (k *tally) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	defer k.counting(1, 0)()
	return k.Kernel.MulVec(ctx, dst, x)
}

func (k *tally) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	defer k.counting(1, 0)()
	return k.Kernel.LogMulVec(ctx, dst, x)
}

func (k *tally) PlanCost(ctx context.Context, logu, logv []float64) (float64, error) {
	defer k.counting(0, 1)()
	return k.Kernel.PlanCost(ctx, logu, logv)
}

// MulPlan is linop.MulPlan.
func (k *tally) MulPlan(ctx context.Context, ku, kv, u, v []float64) (float64, error) {
	products := 1
	if kv != nil {
		products = 2
	}
	defer k.counting(products, 1)()
	return linop.MulPlan(ctx, k.Kernel, ku, kv, u, v)
}

var (
	_ linop.Kernel         = (*tally)(nil)
	_ linop.PlanMultiplier = (*tally)(nil)
)

// compare predicts what the dense matrix would take, on as many processors as took part in the solve. Its own code makes
// some of its rows: they tell how long all would take. The same solve asks for as many products and costs, and does
// besides what it did here. More processors than this process's are taken to divide it: that is kind to the dense method.
func (e *Engine) compare(ctx context.Context, sc *scene, k *kernel, t *tally, seconds float64, done *job.Solved) error {
	rate, err := e.rate(ctx, sc, k.plea, done.Form == transport.Log)
	if err != nil {
		return err
	}
	share := float64(threads()) / float64(done.Threads)
	done.DenseSetup = rate.Build * share
	for _, t := range done.Setup {
		if t.Stage == "coarse" {
			done.DenseSetup += t.Seconds
		}
	}
	done.DenseSolve = max(0, seconds-t.seconds) + (float64(t.products)*rate.Product+float64(t.costs)*rate.Cost)*share
	return nil
}

// rate is what the dense matrix takes here, in scalings or in logarithms. Where p wants any answer soon it is not
// measured, and zero if it was not before.
func (e *Engine) rate(ctx context.Context, sc *scene, p plea, log bool) (baseline.Prediction, error) {
	rate := &sc.held.rates[0]
	if log {
		rate = &sc.held.rates[1]
	}
	if rate.Rows == 0 && !p.any {
		measured, err := baseline.Predict[float64](ctx, sc.graph, p.epsilon, denseRows, log, e.now)
		if err != nil {
			return *rate, err
		}
		*rate = measured
	}
	return *rate, nil
}
