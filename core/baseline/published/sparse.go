package published

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"genussink/core/graph"
	"genussink/core/internal/exponential"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
	"genussink/core/shortest"
)

// sparse is rows of the entries that are kept.
type sparse struct {
	columns [][]int32
	values  [][]float64
	least   float64 // the logarithm of the least entry
	entries int64
}

// NewSparse keeps the entries exp(-d/epsilon) >= threshold, 0 < threshold <= 1 (the truncation of Schmitzer 2019, Sec. 3.3, which also
// changes it as potentials do: the paper's does not), found by a Dijkstra from every vertex that stops at
// the distance -epsilon log(threshold). limit is how many bytes it may hold, 0: any number; beyond, the error is a *linop.MemoryError.
func NewSparse(ctx context.Context, g *graph.Graph, epsilon, threshold float64, limit int64) (*Kernel, error) {
	if err := positive("epsilon", epsilon); err != nil {
		return nil, err
	}
	if !(threshold > 0 && threshold <= 1) {
		return nil, fmt.Errorf("published: the threshold is %g, it must be above 0 and at most 1", threshold)
	}
	n := g.Len()
	s := &sparse{columns: make([][]int32, n), values: make([][]float64, n)}
	radius := -epsilon * math.Log(threshold)
	workers := parallel.Workers(n)
	solvers, far := make([]*shortest.Solver, workers), make([]float64, workers)
	var entries atomic.Int64
	err := parallel.Each(ctx, workers, n, func(w, i int) {
		if limit > 0 && entrySize*entries.Load() > limit {
			return
		}
		if solvers[w] == nil {
			solvers[w] = shortest.NewSolver(g)
		}
		near, d := solvers[w].Within(radius, int32(i))
		columns, values := make([]int32, len(near)), make([]float64, len(near))
		for k, j := range near {
			columns[k], values[k] = j, exponential.Exp(-d[j]/epsilon)
		}
		s.columns[i], s.values[i] = columns, values
		far[w] = max(far[w], d[near[len(near)-1]])
		entries.Add(int64(len(near)))
	})
	if err != nil {
		return nil, err
	}
	s.entries = entries.Load()
	for _, d := range far {
		s.least = min(s.least, -d/epsilon)
	}
	if limit > 0 && s.bytes() > limit {
		return nil, &linop.MemoryError{What: "published: sparse kernel", Vertices: n, Need: s.bytes(), Limit: limit}
	}
	return &Kernel{g, epsilon, s}, nil
}

// entrySize is the bytes of a column and a value.
const entrySize = 12

func (s *sparse) multiply(ctx context.Context, dst, x []float64) error {
	return parallel.LoopContext(ctx, len(dst), func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			values, sum := s.values[i], 0.0
			for k, j := range s.columns[i] {
				sum += values[k] * x[j]
			}
			dst[i] = sum
		}
	})
}

func (s *sparse) rows() func(dst []float64, i int) {
	return func(dst []float64, i int) {
		clear(dst)
		for k, j := range s.columns[i] {
			dst[j] = s.values[i][k]
		}
	}
}

func (s *sparse) floor() float64 { return s.least }
func (s *sparse) bytes() int64   { return entrySize * s.entries }
