package hub

import (
	"context"
	"math"
	"slices"

	"genussink/core/internal/minplus"
	"genussink/core/internal/parallel"
)

// Among returns the distances of some vertices from one another, m x m in the
// order given, +Inf where no path leads. It takes far less than a Distance for
// every pair: where a region is cut, each side's labels are looked up once.
func (l *Labels) Among(ctx context.Context, vertices []int32) ([]float64, error) {
	m := len(vertices)
	out := make([]float64, m*m)
	for i := range out {
		out[i] = math.Inf(1)
	}
	number := make([]int, m) // the vertices by place
	for i := range number {
		number[i] = i
	}
	slices.SortFunc(number, func(i, j int) int { return int(l.place[vertices[i]] - l.place[vertices[j]]) })
	places := make([]int32, m)
	for k, i := range number {
		places[k] = l.place[vertices[i]]
	}
	set := func(k, c int, d float64) {
		out[number[k]*m+number[c]], out[number[c]*m+number[k]] = d, d
	}
	return out, parallel.Each(ctx, parallel.Workers(len(l.regions)), len(l.regions), func(_, at int) {
		r := &l.regions[at]
		lo, _ := slices.BinarySearch(places, r.lo)
		mid, _ := slices.BinarySearch(places, r.mid)
		sep, _ := slices.BinarySearch(places, r.sep)
		hi, _ := slices.BinarySearch(places, r.hi)
		for k := sep; k < hi; k++ {
			for c := lo; c < hi; c++ {
				set(k, c, l.label(places[k], places[c]))
			}
		}
		if lo == mid || mid == sep {
			return
		}
		right := make([]float64, 0, len(r.hubs)*(sep-mid))
		for _, h := range r.hubs {
			for _, p := range places[mid:sep] {
				right = append(right, l.label(h, p))
			}
		}
		left, row := make([]float64, len(r.hubs)), make([]float64, sep-mid)
		for k := lo; k < mid; k++ {
			for i, h := range r.hubs {
				left[i] = l.label(h, places[k])
			}
			minplus.Row(row, left, right, len(row))
			for i, d := range row {
				set(k, mid+i, d)
			}
		}
	})
}

// Among is that of the labels.
func (k *Kernel) Among(ctx context.Context, vertices []int32) ([]float64, error) {
	return k.t.labels.Among(ctx, vertices)
}
