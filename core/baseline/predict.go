package baseline

import (
	"context"
	"time"

	"genussink/core/graph"
)

// Prediction is what a Matrix that need not fit would take, in seconds with
// all processors at work.
type Prediction struct {
	Build   float64 // NewMatrix
	Product float64 // MulVec
	Rows    int     // measured
}

// Predict measures tile rows of a Matrix that hold at least so many rows, spread
// over the graph, built and multiplied by the same code as a whole one, and takes the
// others to be like them. Products are memory traffic: rows that stay in the
// processor's cache flatter them.
func Predict[T Float](ctx context.Context, g *graph.Graph, epsilon float64, rows int) (Prediction, error) {
	side := (g.Len() + tile - 1) / tile
	every := max(1, side*tile/max(rows, tile))
	start := time.Now()
	m, err := newMatrix[T](ctx, g, epsilon, Options{}, every)
	if err != nil || m.n == 0 {
		return Prediction{}, err
	}
	build := time.Since(start).Seconds()
	x := make([]float64, m.n)
	for i := range x {
		x[i] = 1 / float64(m.n)
	}
	y := m.MulVec(nil, x)
	const repeats = 3
	start = time.Now()
	for range repeats {
		m.MulVec(y, x)
	}
	product := time.Since(start).Seconds() / repeats
	whole := float64(cells) * float64(side) * float64(side+1) / 2
	measured := min(m.n, len(m.held)*tile)
	return Prediction{
		Build:   build * float64(m.n) / float64(measured),
		Product: product * whole / float64(len(m.k)),
		Rows:    measured,
	}, nil
}
