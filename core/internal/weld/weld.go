// Package weld joins the vertices of a mesh that lie at one place.
package weld

import (
	"math"

	"genussink/core/mesh"
)

// Join joins vertices at equal positions, or within tolerance (mesh units) of
// a vertex met before, renumbers them by first appearance in the faces, and returns the positions
// that are kept. Vertices of no face go. Faces stay, also those that lose a corner.
func Join(positions [][3]float64, faces [][3]int32, tolerance float64) (kept [][3]float64) {
	number := make([]int32, len(positions))
	for v := range number {
		number[v] = -1
	}
	find := equal()
	if tolerance > 0 {
		find = Within(tolerance)
	}
	for f := range faces {
		t := &faces[f]
		for c, v := range t {
			if number[v] < 0 {
				w := find(kept, positions[v])
				if int(w) == len(kept) {
					kept = append(kept, positions[v])
				}
				number[v] = w
			}
			t[c] = number[v]
		}
	}
	return kept
}

// equal finds the number of an equal position in kept, or takes the next
// one. Map keys compare as numbers, so -0 and 0 are equal.
func equal() func(kept [][3]float64, p [3]float64) int32 {
	at := make(map[[3]float64]int32)
	return func(kept [][3]float64, p [3]float64) int32 {
		if v, ok := at[p]; ok {
			return v
		}
		v := int32(len(kept))
		at[p] = v
		return v
	}
}

// Within gives a position the number of an equal one met before, or of the
// nearest kept one within the tolerance, the first one of those alike. Kept
// positions lie further apart than that, so a cell holds a bounded number of
// them. Cells are twice as wide as the tolerance, which leaves room for the
// rounding of the division.
func Within(tolerance float64) func(kept [][3]float64, p [3]float64) int32 {
	cells := make(map[[3]float64][]int32)
	at := make(map[[3]float64]int32)
	return func(kept [][3]float64, p [3]float64) int32 {
		if v, ok := at[p]; ok {
			return v
		}
		var cell [3]float64
		for c, x := range p {
			cell[c] = math.Floor(x / (2 * tolerance))
		}
		best, nearest := int32(len(kept)), tolerance
		for n := range 27 {
			for _, v := range cells[[3]float64{
				cell[0] + float64(n%3-1), cell[1] + float64(n/3%3-1), cell[2] + float64(n/9-1)}] {
				if d := mesh.Distance(p, kept[v]); d < nearest || d == nearest && v < best {
					best, nearest = v, d
				}
			}
		}
		if int(best) == len(kept) {
			cells[cell] = append(cells[cell], best)
		}
		at[p] = best
		return best
	}
}
