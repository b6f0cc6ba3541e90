package layout

import (
	"cmp"
	"math"
	"slices"
)

// box is the bounding box of a component.
type box struct{ lo, hi [3]float64 }

func boxOf(at [][3]float64) box {
	b := box{at[0], at[0]}
	for _, p := range at {
		for k, x := range p {
			b.lo[k], b.hi[k] = min(b.lo[k], x), max(b.hi[k], x)
		}
	}
	return b
}

// pack sets boxes on shelves, the highest first, into about a square, gap
// apart, and returns what to add to each box's positions.
func pack(boxes []box, gap float64) [][3]float64 {
	order := make([]int, len(boxes))
	area, widest := 0.0, 0.0
	for i, b := range boxes {
		order[i] = i
		w, h := b.hi[0]-b.lo[0]+gap, b.hi[1]-b.lo[1]+gap
		area += float64(w * h)
		widest = max(widest, w)
	}
	height := func(i int) float64 { return boxes[i].hi[1] - boxes[i].lo[1] }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(height(j), height(i)) })
	width := max(widest, 1.2*math.Sqrt(area))
	offsets := make([][3]float64, len(boxes))
	x, y, shelf := 0.0, 0.0, 0.0
	for _, i := range order {
		b := boxes[i]
		w := b.hi[0] - b.lo[0] + gap
		if x > 0 && x+w > width*(1+1e-9) {
			x, y, shelf = 0, y-shelf, 0
		}
		shelf = max(shelf, height(i)+gap)
		offsets[i] = [3]float64{x - b.lo[0], y - b.hi[1], -(b.lo[2] + b.hi[2]) / 2}
		x += w
	}
	return offsets
}
