package check

import (
	"context"
	"math"
	"sync"

	"genussink/core/graph"
	"genussink/core/linop"
	"genussink/core/shortest"
)

// Accuracy is how far a kernel's distances are from the true ones, over the
// pairs of some rows that a path joins.
type Accuracy struct {
	Rows                       int
	Least, Most, Mean          float64 // error, in the unit of distance: positive where the kernel's distance is too long; Mean of magnitudes
	MostRelative, MeanRelative float64 // magnitude of the error over the true distance, where that is not 0
}

// MeasureAccuracy compares rows of a kernel with Dijkstra's algorithm on g. The
// rows, spread over the vertices' numbers, are products with unit vectors: what is
// measured is what the kernel multiplies with.
func MeasureAccuracy(ctx context.Context, k linop.Kernel, epsilon float64, g *graph.Graph, rows int) (*Accuracy, error) {
	n := g.Len()
	out := &Accuracy{Rows: max(0, min(rows, n))}
	if out.Rows == 0 {
		return out, nil
	}
	solver := shortest.NewSolver(g)
	own, d := make([]float64, n), make([]float64, n)
	row := productRows(k, epsilon)
	out.Least, out.Most = math.Inf(1), math.Inf(-1)
	pairs, apart := 0, 0
	for r := range out.Rows {
		i := r * n / out.Rows
		if _, err := row(ctx, own, int32(i)); err != nil {
			return nil, err
		}
		solver.Distances(d, int32(i))
		for j, want := range d {
			if math.IsInf(want, 1) {
				continue
			}
			e := own[j] - want
			pairs++
			out.Least, out.Most = min(out.Least, e), max(out.Most, e)
			out.Mean += math.Abs(e)
			if want > 0 {
				apart++
				out.MostRelative = max(out.MostRelative, math.Abs(e)/want)
				out.MeanRelative += math.Abs(e) / want
			}
		}
	}
	out.Mean /= float64(pairs) // a row has itself
	if apart > 0 {
		out.MeanRelative /= float64(apart)
	}
	return out, nil
}

// productRows returns rows of a kernel's distances: logarithms of its products with unit vectors. Goroutines take turns.
func productRows(k linop.Kernel, epsilon float64) func(ctx context.Context, dst []float64, i int32) ([]float64, error) {
	n, _ := k.Dims()
	x, zero := make([]float64, n), 0.0
	plain := k.LogFloor() > -linop.MaxLog // entries fit float64, so that products need no logarithms
	if !plain {
		zero = math.Inf(-1)
	}
	for j := range x {
		x[j] = zero
	}
	var turn sync.Mutex
	return func(ctx context.Context, dst []float64, i int32) (row []float64, err error) {
		turn.Lock()
		defer turn.Unlock()
		if plain {
			x[i] = 1
			row, err = k.MulVec(ctx, dst, x)
			for j, e := range row {
				row[j] = math.Log(e)
			}
		} else {
			x[i] = 0
			row, err = k.LogMulVec(ctx, dst, x)
		}
		x[i] = zero
		for j, e := range row {
			row[j] = 0 - epsilon*e // 0, not -0, from a vertex to itself
		}
		return row, err
	}
}
