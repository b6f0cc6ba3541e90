package cover

import (
	"cmp"
	"slices"

	"genussink/core/hub/cluster"
	"genussink/core/hub/tile"
)

// runShare is the share of the tolerance that runs spend, and fineRunShare that where there are
// aggregates, which spend aggregateShare each. With all of it there are an eighth fewer runs, and at an
// epsilon of 0.02 diagonals the polished cost of some meshes is off by more than 1e-4. With a fineRunShare of 0.6 instead of 0.3
// products take an eighth longer at 190,000 vertices and as long at 45,000, and the walk a seventh longer, for aggregates are smaller.
const (
	runShare       = 0.85
	fineRunShare   = 0.3
	aggregateShare = (1 - fineRunShare) / 2
)

// rankOneShare is how many times the tolerance ways through one hub may be longer than the shortest.
const rankOneShare = 1.5

// buildTile makes a tile of rows and columns, given as ranks from the cell's first, whose shortest
// paths all go through one of the hubs. If those that are left of them, or the columns, are more than a byte can number, it
// returns these hubs instead.
func (k *builder) buildTile(rows, cols, hubs []int32) (left []int32) {
	s := &k.tileBuilder
	s.Sides[0].Ranks, s.Sides[1].Ranks = rows, cols
	for i := range s.Sides {
		s.Sides[i].Load(k.labels, k.labels.Cells[k.cell].Lo, hubs)
	}
	kept := s.Prune(len(hubs))
	if len(kept) > tile.MaxSide || !k.entriesOf(&s.Sides[1], k.sides[1], kept, tile.MaxSide) {
		left = make([]int32, len(kept))
		for i, n := range kept {
			left[i] = hubs[n]
		}
		return left
	}
	k.entriesOf(&s.Sides[0], k.sides[0], kept, len(rows))
	if k.ctx.Err() != nil {
		return nil // what was found is of no use any more
	}
	tolerance := k.tolerance * runShare
	if k.fineness > 1 {
		tolerance = k.tolerance * fineRunShare
	}
	k.distances += s.Build(&k.List, k.cell, hubs, kept, tolerance, k.tolerance, float64(k.step))
	return nil
}

// splitTile resolves the halves of the longer side, plain: there were more hubs, or
// more columns, than a byte can number.
func (k *builder) splitTile(rows, cols, hubs []int32) {
	k.sides = [2]*cluster.Patch{}
	resolve := func(rows, cols []int32) {
		if left := k.buildTile(rows, cols, hubs); left != nil {
			k.splitTile(rows, cols, left)
		}
	}
	switch {
	case len(rows) == 1 && len(cols) == 1: // hubs that all but tie
		base := k.labels.Cells[k.cell].Lo
		way := func(h int32) float64 { return k.labels.At(h, base+rows[0]) + k.labels.At(h, base+cols[0]) }
		best := slices.MinFunc(hubs, func(g, h int32) int { return cmp.Compare(way(g), way(h)) })
		k.buildTile(rows, cols, []int32{best})
	case len(rows) > len(cols) && len(cols) <= tile.MaxSide:
		resolve(rows[:len(rows)/2], cols)
		resolve(rows[len(rows)/2:], cols)
	default:
		resolve(rows, cols[:len(cols)/2])
		resolve(rows, cols[len(cols)/2:])
	}
}
