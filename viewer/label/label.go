// Package label places words beside points of a picture, so that they cover neither each other nor the points.
package label

import "math"

// Label is a text's box beside the point that it names. All lengths are pixels.
type Label struct {
	X, Y, Width, Height float64 // the point, and the size of the text
	Keep                bool    // shown even where it must cover something
}

// Spot is where a label's left top corner goes.
type Spot struct {
	X, Y  float64
	Shown bool
}

const (
	gap   = 2.0 // between a disc and its label
	turns = 8   // directions that are tried
	reach = 3   // times the distance, for labels that must be shown
)

type box struct{ x, y, w, h float64 }

// covers is the area that two boxes share.
func (b box) covers(c box) float64 {
	w := min(b.x+b.w, c.x+c.w) - max(b.x, c.x)
	h := min(b.y+b.h, c.y+c.h) - max(b.y, c.y)
	return max(w, 0) * max(h, 0)
}

// Place finds a spot within width and height for each label beside its point, in their order: the first ones have the best. Every
// point is a disc of the given radius, which no label covers if that can be.
func Place(labels []Label, radius, width, height float64) []Spot {
	spots := make([]Spot, len(labels))
	taken := make([]box, 0, 2*len(labels))
	for _, l := range labels {
		taken = append(taken, box{l.X - radius, l.Y - radius, 2 * radius, 2 * radius})
	}
	for i, l := range labels {
		if !(l.X >= 0 && l.X <= width && l.Y >= 0 && l.Y <= height) {
			continue
		}
		best, at := math.Inf(1), box{}
		far := 1
		if l.Keep {
			far = reach
		}
		for k := 0; k < far*turns && best > 0; k++ {
			sin, cos := math.Sincos(2*math.Pi*float64(k%turns)/turns - math.Pi/4) // first to the right and up
			away := float64(1+k/turns)*radius + gap
			b := box{l.X + cos*(away+l.Width/2) - l.Width/2, l.Y + sin*(away+l.Height/2) - l.Height/2, l.Width, l.Height}
			cost := b.w*b.h - b.covers(box{0, 0, width, height})
			for _, t := range taken {
				cost += b.covers(t)
			}
			if cost = max(cost, 0); cost < 1e-9 {
				cost = 0
			}
			if cost < best {
				best, at = cost, b
			}
		}
		if best == 0 || l.Keep {
			spots[i] = Spot{at.x, at.y, true}
			taken = append(taken, at)
		}
	}
	return spots
}
