// Package check compares answers with the true distances of a graph: a bound that no plan's cost is below, and how far a
// kernel's distances are off.
package check

import (
	"context"
	"math"

	"genussink/core/graph"
	"genussink/core/measure"
	"genussink/core/shortest"
	"genussink/core/transport"
)

// LowerBound is a bound that no plan's cost <P, d> is below, d being the
// shortest-path distances of g, entropic or not: of the problem that r solves,
// whatever the kernel takes for distances and however far the solve came.
//
// A function h with |h_i - h_j| <= d_ij everywhere gives one, for what a plan moves
// from i to j costs at least h_i - h_j a unit: <P, d> >= sum_i (a_i - b_i) h_i, by equality
// for the best h (Kantorovich and Rubinstein). The solve's potentials are nearly such
// functions; made so they are h_i = min_j (d_ij - g_j) over the target's vertices, the
// potential g = epsilon log(v/b) there, or likewise h_i = -min_j (d_ij - f_j) over the
// source's. Either is one run of Dijkstra's algorithm, started from everywhere at once, and
// needs no bound on the kernel's distances. The better one counts, or 0.
//
// Along a path of k edges sums of float64 may grow by k 2^-53 of themselves, and the
// last sum by n 2^-53: the bound is lowered by that. When ctx ends its error is returned.
func LowerBound(ctx context.Context, p transport.Problem, r *transport.Result, g *graph.Graph, s *shortest.Solver) (float64, error) {
	n := g.Len()
	best := 0.0
	h := make([]float64, n)
	kv, ku := r.Products()
	for _, side := range []struct {
		own, other []float64 // masses; h starts from where own has some
		product    []float64 // log K^T u of the target, whose g is -epsilon times that; log K v of the source
	}{
		{p.Target, p.Source, ku},
		{p.Source, p.Target, kv},
	} {
		var seeds []int32
		var starts []float64
		least := math.Inf(1)
		for j, m := range side.own {
			if m > 0 && math.Abs(side.product[j]) < math.Inf(1) {
				x := p.Epsilon * side.product[j]
				seeds, starts = append(seeds, int32(j)), append(starts, x)
				least = min(least, x)
			}
		}
		if len(seeds) == 0 {
			continue
		}
		for k := range starts {
			starts[k] -= least
		}
		if _, err := s.DistancesContext(ctx, h, seeds, starts); err != nil {
			return 0, err
		}
		bound, mass, top := 0.0, measure.Total(side.own), 0.0
		for i, x := range h {
			if m := side.other[i] - side.own[i]; m != 0 {
				bound += m * x
				top = max(top, x)
			}
		}
		if bound -= mass * top * float64(n) * 0x1p-51; bound < math.Inf(1) {
			best = max(best, bound)
		}
	}
	return best, nil
}
