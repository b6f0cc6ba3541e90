package hub

import (
	"cmp"
	"slices"
)

// runShare is the share of the slack that runs spend, and fineShare that where there are
// bundles, which spend bundleShare each. With all of it there are an eighth fewer runs, and at an
// epsilon of 0.02 diagonals the polished cost of some meshes is off by more than 1e-4. With a fineShare of 0.6 instead of 0.3
// products take an eighth longer at 190,000 vertices and as long at 45,000, and the walk a seventh longer, for bundles are smaller.
const (
	runShare    = 0.85
	fineShare   = 0.3
	bundleShare = (1 - fineShare) / 2
)

// linkShare is how many times the slack ways through one hub may be longer than the shortest.
const linkShare = 1.5

// resolve makes a tile of rows and columns, given as ranks from the cell's first, whose shortest
// paths all go through one of the hubs. If those that are left of them, or the columns, are more than a byte can number, it
// returns these hubs instead.
func (k *walker) resolve(rows, cols, hubs []int32) (left []int32) {
	s := &k.weaver
	s.sides[0].ranks, s.sides[1].ranks = rows, cols
	for i := range s.sides {
		s.sides[i].load(k.l, k.l.Cells[k.cell].Lo, hubs)
	}
	kept := s.prune(len(hubs))
	if len(kept) > most || !k.enter(&s.sides[1], k.sides[1], kept, most) {
		left = make([]int32, len(kept))
		for i, n := range kept {
			left[i] = hubs[n]
		}
		return left
	}
	k.enter(&s.sides[0], k.sides[0], kept, len(rows))
	if k.ctx.Err() != nil {
		return nil // what was found is of no use any more
	}
	slack := k.delta * runShare
	if k.fine > 1 {
		slack = k.delta * fineShare
	}
	k.distances += s.build(&k.tileList, k.cell, hubs, kept, slack, k.delta, float64(k.steps))
	return nil
}

// halves resolves the halves of the longer side, plain: there were more hubs, or
// more columns, than a byte can number.
func (k *walker) halves(rows, cols, hubs []int32) {
	k.sides = [2]*patch{}
	resolve := func(rows, cols []int32) {
		if left := k.resolve(rows, cols, hubs); left != nil {
			k.halves(rows, cols, left)
		}
	}
	switch {
	case len(rows) == 1 && len(cols) == 1: // hubs that all but tie
		base := k.l.Cells[k.cell].Lo
		way := func(h int32) float64 { return k.l.At(h, base+rows[0]) + k.l.At(h, base+cols[0]) }
		best := slices.MinFunc(hubs, func(g, h int32) int { return cmp.Compare(way(g), way(h)) })
		k.resolve(rows, cols, []int32{best})
	case len(rows) > len(cols) && len(cols) <= most:
		resolve(rows[:len(rows)/2], cols)
		resolve(rows[len(rows)/2:], cols)
	default:
		resolve(rows, cols[:len(cols)/2])
		resolve(rows, cols[len(cols)/2:])
	}
}
