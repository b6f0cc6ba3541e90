package inspect

import (
	"context"
	"math"
)

// What Symmetry takes for symmetric.
const (
	closeBy  = 0.01 // of the bounding box's diagonal: how far from a vertex's mirror image its partner may be
	partners = 0.95 // of the vertices must have one
	sampled  = 256  // vertices that are looked at before all are
	patience = 1024 // vertices between two looks at the context
)

// Symmetry finds the axis, 0 to 2, across which points mirror onto themselves at the middle of their bounding box, and of each vertex the one
// nearest to its mirror image, -1 where that is not close by. Of several axes it is the one with the closest images. It is -1, nil where there
// is none; an axis along which the points have no extent to speak of is none. An ended context is the only error.
func Symmetry(ctx context.Context, points [][3]float64) (axis int, partner []int32, err error) {
	if len(points) == 0 {
		return -1, nil, nil
	}
	lo, hi := points[0], points[0]
	for _, p := range points {
		for k, x := range p {
			lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
		}
	}
	reach := closeBy * math.Hypot(math.Hypot(hi[0]-lo[0], hi[1]-lo[1]), hi[2]-lo[2])
	if !(reach > 0) || math.IsInf(reach, 1) {
		return -1, nil, nil
	}
	cell := func(p [3]float64) (c [3]int32) {
		for k := range p {
			c[k] = int32((p[k] - lo[k]) / reach)
		}
		return c
	}
	cells := map[[3]int32][]int32{}
	for v, p := range points {
		if v%patience == 0 && ctx.Err() != nil {
			return -1, nil, ctx.Err()
		}
		c := cell(p)
		cells[c] = append(cells[c], int32(v))
	}
	mirrored := func(v, k int) (near int32, off float64) {
		image := points[v]
		image[k] = lo[k] + (hi[k] - image[k])
		c := cell(image)
		near, off = -1, reach
		for i := range int32(27) {
			for _, w := range cells[[3]int32{c[0] + i%3 - 1, c[1] + i/3%3 - 1, c[2] + i/9 - 1}] {
				q := points[w]
				if d := math.Hypot(math.Hypot(q[0]-image[0], q[1]-image[1]), q[2]-image[2]); d < off {
					near, off = w, d
				}
			}
		}
		return near, off
	}
	axis, best := -1, math.Inf(1)
	for k := range 3 {
		if hi[k]-lo[k] < 10*reach {
			continue
		}
		found, step := 0, max(1, len(points)/sampled)
		for v := 0; v < len(points); v += step {
			if near, _ := mirrored(v, k); near >= 0 {
				found++
			}
		}
		if float64(found*step) < partners*float64(len(points)) {
			continue
		}
		of, sum := make([]int32, len(points)), 0.0
		found = 0
		for v := range points {
			if v%patience == 0 && ctx.Err() != nil {
				return -1, nil, ctx.Err()
			}
			near, off := mirrored(v, k)
			if of[v] = near; near >= 0 {
				found++
			}
			sum += off
		}
		if float64(found) >= partners*float64(len(points)) && sum < best {
			axis, partner, best = k, of, sum
		}
	}
	return axis, partner, nil
}
