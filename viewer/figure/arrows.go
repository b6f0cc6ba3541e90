package figure

import (
	"cmp"
	"math"
	"slices"
)

// Next is where an arrow key leads from a target: the index in all of the nearest target in the arrow's direction, or of the
// same where there is none. ArrowLeft and ArrowRight lead from a point to the one before or after it from left to right: points
// are measured, they may lie anywhere, and every one has to be reached.
func Next(all []Target, here int, key string) int {
	if all[here].Kind == Point && (key == "ArrowLeft" || key == "ArrowRight") {
		return beside(all, here, key == "ArrowRight")
	}
	best, to := math.Inf(1), here
	for i, t := range all {
		along, off := t.X-all[here].X, t.Y-all[here].Y
		switch key {
		case "ArrowLeft":
			along = -along
		case "ArrowUp":
			along, off = -off, along
		case "ArrowDown":
			along, off = off, along
		}
		if along <= 0.5 {
			continue
		}
		if d := along + 2*math.Abs(off); d < best {
			best, to = d, i
		}
	}
	return to
}

// beside is the target after or before another from left to right; of two at one place the first in the list comes first.
func beside(all []Target, here int, after bool) int {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all[a].X, all[b].X) })
	k := slices.Index(order, here)
	if after {
		return order[min(k+1, len(order)-1)]
	}
	return order[max(k-1, 0)]
}
