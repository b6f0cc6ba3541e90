package label

import (
	"context"
	"math"
	"slices"

	"genussink/core/internal/minplus"
	"genussink/core/internal/parallel"
)

// Among returns the distances of some vertices from one another, m x m in the
// order given, +Inf where no path leads. It takes far less than a Distance for
// every pair: where a cell is cut, each side's labels are looked up once.
func (l *Labels) Among(ctx context.Context, vertices []int32) ([]float64, error) {
	m := len(vertices)
	out := make([]float64, m*m)
	for i := range out {
		out[i] = math.Inf(1)
	}
	number := make([]int, m) // the vertices by rank
	for i := range number {
		number[i] = i
	}
	slices.SortFunc(number, func(i, j int) int { return int(l.Rank[vertices[i]] - l.Rank[vertices[j]]) })
	ranks := make([]int32, m)
	for k, i := range number {
		ranks[k] = l.Rank[vertices[i]]
	}
	set := func(k, c int, d float64) {
		out[number[k]*m+number[c]], out[number[c]*m+number[k]] = d, d
	}
	return out, parallel.Each(ctx, parallel.Workers(len(l.Cells)), len(l.Cells), func(_, at int) {
		r := &l.Cells[at]
		lo, _ := slices.BinarySearch(ranks, r.Lo)
		mid, _ := slices.BinarySearch(ranks, r.Mid)
		sep, _ := slices.BinarySearch(ranks, r.Sep)
		hi, _ := slices.BinarySearch(ranks, r.Hi)
		for k := sep; k < hi; k++ {
			for c := lo; c < hi; c++ {
				set(k, c, l.At(ranks[k], ranks[c]))
			}
		}
		if lo == mid || mid == sep {
			return
		}
		right := make([]float64, 0, len(r.Hubs)*(sep-mid))
		for _, h := range r.Hubs {
			for _, p := range ranks[mid:sep] {
				right = append(right, l.At(h, p))
			}
		}
		left, row := make([]float64, len(r.Hubs)), make([]float64, sep-mid)
		for k := lo; k < mid; k++ {
			for i, h := range r.Hubs {
				left[i] = l.At(h, ranks[k])
			}
			minplus.Row(row, left, right, len(row))
			for i, d := range row {
				set(k, mid+i, d)
			}
		}
	})
}
