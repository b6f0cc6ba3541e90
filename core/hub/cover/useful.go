package cover

import (
	"math"
	"slices"

	"genussink/core/graph"
	"genussink/core/hub/label"
	"genussink/core/septree"
)

// aggregateSpacing is how many times the spacing of vertices the tolerance must be for tiles to have aggregates:
// at 1.4 to 1.8 products take a tenth longer than without them.
const aggregateSpacing = 2

// maxFineness is the most that Cover.fine tells apart: beyond, patches of tiles grow no more. With 14 products take as long as
// with patches that do not grow, and the walk up to twice as long; with 3, 4 and 7 both take less.
const maxFineness = 8

// usefulSpacing is how many times the spacing of vertices the tolerance must be for a solve to take less time than without. At 0.69
// it took 6 % longer on a sphere, at 0.89 4 % longer on another mesh, at 0.76 to 0.86 on four between 6 % less and 2 % more, at
// 0.95 to 1.07 on three between 7 % less and 6 % more; from 1.18 on it took 2 % to 19 % less on all of six.
const usefulSpacing = 1.1

// UsefulDelta is the least tolerance with which a solve on g takes less time than without.
func UsefulDelta(g *graph.Graph) float64 {
	sum := 0.0
	for v := range int32(g.Len()) {
		if _, lengths := g.Neighbours(v); len(lengths) > 0 {
			sum += slices.Min(lengths)
		}
	}
	return usefulSpacing * sum / float64(max(1, g.Len()))
}

// spacing is the mean distance of a vertex from the nearest other one, over some leaves.
func spacing(l *label.Labels) float64 {
	var leaves []*septree.Cell
	for i := range l.Cells {
		if r := &l.Cells[i]; r.Lo == r.Sep && r.Hi-r.Sep > 1 {
			leaves = append(leaves, r)
		}
	}
	sum, count := 0.0, 0
	var row []float64
	for i := 0; i < len(leaves); i += 1 + len(leaves)/64 {
		r := leaves[i]
		for h := r.Sep; h < r.Hi; h++ {
			least := math.Inf(1)
			for j, d := range l.Row(&row, h, r.Lo, r.Hi) {
				if r.Lo+int32(j) != h {
					least = min(least, d)
				}
			}
			if least < math.Inf(1) {
				sum += least
				count++
			}
		}
	}
	return sum / float64(max(1, count))
}
