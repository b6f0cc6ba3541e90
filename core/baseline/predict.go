package baseline

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
)

// Prediction is what a Matrix that need not fit would take, in seconds with
// all processors at work.
type Prediction struct {
	Build   float64 // NewMatrix
	Product float64 // MulVec, or LogMulVec
	Cost    float64 // PlanCost
	Rows    int     // measured
}

// traffic is the entries of a product that is measured, at least: 16 MB of float64.
const traffic = 2 << 20

// least is how long a product is repeated at least, seconds. Browsers' clocks
// tick every tenth of a millisecond, others hundreds of times as often.
func least() float64 {
	if runtime.GOOS == "js" {
		return 4e-3
	}
	return 1e-3
}

// Predict measures tile rows of a Matrix that hold at least so many rows, spread
// over the graph, built and multiplied by the same code as a whole one, in logarithms if asked for, and takes the
// others to be like them. Products of scalings are memory traffic: they are measured with at least as many entries as do not stay
// in a processor's own cache, if need be with the numbers of rows that were not built made up. Those in logarithms wait for
// exponentials, wherever the entries lie. The clock is now.
func Predict[T Float](ctx context.Context, g *graph.Graph, epsilon float64, rows int, log bool, now func() time.Time) (Prediction, error) {
	n := g.Len()
	side := (n + tile - 1) / tile
	hold := (rows + tile - 1) / tile // rows of tiles
	if !log {
		hold = max(hold, 2*traffic/(cells*max(side, 1)))
	}
	every := max(1, side/max(hold, 1))
	step := max(1, min(n, tile*hold)/max(rows, 1))
	var mu sync.Mutex
	var took []float64 // by row
	m, err := newMatrix[T](ctx, g.Len(), epsilon, Options{row: func() (end func()) {
		start := now()
		return func() {
			mu.Lock()
			defer mu.Unlock()
			took = append(took, now().Sub(start).Seconds())
		}
	}}, every, step, dijkstra(g))
	if err != nil || n == 0 {
		return Prediction{}, err
	}
	// A row that the machine was taken away from says nothing: the middle one counts. Below the clock's tick all do.
	slices.Sort(took)
	each := took[len(took)/2]
	if each == 0 {
		for _, t := range took {
			each += t / float64(len(took))
		}
	}
	if step > 1 {
		for i := range m.k {
			m.d[i], m.k[i] = 1, 0.5
		}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = 1 / float64(n)
	}
	logx := make([]float64, n)
	for i := range logx {
		logx[i] = -math.Log(float64(n))
	}
	y := make([]float64, n)
	product := func() error { _, err := m.MulVec(ctx, y, x); return err }
	if log {
		product = func() error { _, err := m.LogMulVec(ctx, y, logx); return err }
	}
	cost := func() error { _, err := m.PlanCost(ctx, logx, logx); return err }
	var p, rest Prediction
	measure := func(p *Prediction) error {
		if p.Product, err = repeated(now, product); err == nil {
			p.Cost, err = repeated(now, cost)
		}
		return err
	}
	if err := measure(&p); err != nil {
		return Prediction{}, err
	}
	// What is the same however many rows there are: vectors cleared and added up.
	held := m.held
	m.held = nil
	if err := measure(&rest); err != nil {
		return Prediction{}, err
	}
	m.held = held
	// Few rows of tiles are too few strips for all processors.
	workers := parallel.Workers(strips)
	share := float64(min(workers, (len(m.held)+1)/2)) / float64(workers)
	if n <= 256 {
		share = 1 // one processor, as the whole has
	}
	whole := float64(cells) * float64(side) * float64(side+1) / 2 / float64(len(m.k)) * share
	return Prediction{
		Build:   each * float64(n) / float64(parallel.Workers(n)),
		Product: max(0, p.Product-rest.Product)*whole + rest.Product,
		Cost:    max(0, p.Cost-rest.Cost)*whole + rest.Cost,
		Rows:    len(took),
	}, nil
}

// stopped is after how many calls a clock that has not moved is taken to stand still.
const stopped = 64

// repeated is the seconds that f takes, once it has been called: the least of three means, as above; 0 by a clock that stands still.
// An error of f ends it.
func repeated(now func() time.Time, f func() error) (float64, error) {
	if err := f(); err != nil {
		return 0, err
	}
	best := math.Inf(1)
	for range 3 {
		start, calls, t := now(), 0, 0.0
		for t < least() && (t > 0 || calls < stopped) {
			if err := f(); err != nil {
				return 0, err
			}
			calls++
			t = now().Sub(start).Seconds()
		}
		best = min(best, max(0, t)/float64(calls))
	}
	return best, nil
}
