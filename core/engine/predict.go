package engine

import (
	"context"
	"runtime"

	"genussink/core/job"
	"genussink/core/method"
	"genussink/core/transport"
)

// compare predicts what the dense matrix would take, on as many processors as took part in the solve. Its own code makes
// some of its rows: they tell how long all would take. The same solve asks for as many products and costs, and does
// besides what it did here. More processors than this process's are taken to divide it: that is kind to the dense method.
// In haste it makes none, and where none were made before it predicts nothing.
func (e *Engine) compare(ctx context.Context, sc *scene, k *method.Kernel, hasty bool, t *method.Tally, seconds float64, done *job.Solved) error {
	rate, err := sc.maker.DenseRate(ctx, k.Spec.Epsilon, done.Form == transport.Log, hasty)
	if err != nil || rate.Rows == 0 {
		return err
	}
	share := float64(threads()) / float64(done.Threads)
	done.DenseSetup = rate.Build * share
	for _, t := range done.Setup {
		if t.Stage == job.StageCoarse {
			done.DenseSetup += t.Seconds
		}
	}
	done.DenseSolve = max(0, seconds-t.Seconds) + (float64(t.Products)*rate.Product+float64(t.Costs)*rate.Cost)*share
	return nil
}

// threads is how many processors this process uses.
func threads() int { return runtime.GOMAXPROCS(0) }
