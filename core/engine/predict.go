package engine

import (
	"math"
)

// denseRows is how many rows of the dense kernel are computed to predict what
// all of them would take.
const denseRows = 8

// predictDense is how many seconds the solve would have taken with an n x n
// kernel, on the same processors: a Dijkstra and n exponentials for each row,
// measured on rows spread over the mesh, and for each iteration two products,
// measured on the same rows. They stay in the processor's cache, as a large
// kernel does not: the prediction is kind to the dense method.
func (e *Engine) predictDense(sc *scene, epsilon float64, iterations int) float64 {
	n := sc.graph.Len()
	if n == 0 {
		return 0
	}
	if sc.held.rates == (rates{}) {
		sc.held.rates = e.measure(sc, epsilon)
	}
	row := sc.held.rates.build + 2*float64(iterations)*sc.held.rates.product
	return float64(n) * row / float64(threads())
}

// rates are seconds per row of the dense kernel, on one processor.
type rates struct {
	build, product float64
}

func (e *Engine) measure(sc *scene, epsilon float64) rates {
	n := sc.graph.Len()
	rows := min(denseRows, n)
	solver := sc.solver()
	defer sc.solvers.Put(solver)
	kernel := make([][]float64, rows)
	x := make([]float64, n)
	for i := range x {
		x[i] = 1 / float64(n)
	}
	start := e.now()
	for k := range kernel {
		row := solver.Distances(nil, int32(k*n/rows))
		for j, d := range row {
			row[j] = math.Exp(-d / epsilon)
		}
		kernel[k] = row
	}
	build := e.now().Sub(start).Seconds() / float64(rows)

	const repeats = 25 // for clocks that tick every tenth of a millisecond
	start = e.now()
	sink := 0.0
	for range repeats {
		for _, row := range kernel {
			sum := 0.0
			for j, v := range x {
				sum += row[j] * v
			}
			sink += sum
		}
	}
	product := e.now().Sub(start).Seconds() / float64(rows*repeats)
	if math.IsNaN(sink) {
		return rates{} // never: it keeps the products from being left out
	}
	return rates{build, product}
}
