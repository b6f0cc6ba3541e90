package graph

import (
	"fmt"
	"math"
)

// FromRows is the graph with the given rows, which it keeps: slices as Graph
// describes them, from a place that shares no memory. Rows that are not those
// of an undirected graph without loops are an error.
func FromRows(offsets, targets []int32, weights []float64) (*Graph, error) {
	n := len(offsets) - 1
	if n < 0 || offsets[0] != 0 || int(offsets[n]) != len(targets) || len(targets) != len(weights) {
		return nil, fmt.Errorf("graph: rows of %d offsets, %d targets and %d weights do not fit", len(offsets), len(targets), len(weights))
	}
	g := &Graph{Offsets: offsets, Targets: targets, Weights: weights}
	for v := range n {
		if offsets[v+1] < offsets[v] || int(offsets[v+1]) > len(targets) {
			return nil, fmt.Errorf("graph: row %d runs from %d to %d", v, offsets[v], offsets[v+1])
		}
	}
	next := make([]int32, n) // in each row, the arc that the next arc towards it must answer
	copy(next, offsets)
	for v := range int32(n) {
		to, w := g.Neighbours(v)
		for k, t := range to {
			switch {
			case t < 0 || int(t) >= n || t == v || k > 0 && to[k-1] >= t:
				return nil, fmt.Errorf("graph: arc %d of row %d leads to %d", k, v, t)
			case !(w[k] >= 0) || math.IsInf(w[k], 1):
				return nil, fmt.Errorf("graph: arc %d of row %d has weight %g", k, v, w[k])
			}
			// Rows come in ascending order, so do the arcs back in row t.
			back := next[t]
			if back >= offsets[t+1] || targets[back] != v || weights[back] != w[k] {
				return nil, fmt.Errorf("graph: the edge from %d to %d does not lead back", v, t)
			}
			next[t]++
		}
	}
	return g, nil
}
