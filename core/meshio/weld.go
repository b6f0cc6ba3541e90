package meshio

import (
	"math"

	"genussink/core/mesh"
)

// weld joins vertices at equal positions, or within tolerance (mesh units) of
// a vertex met before, and renumbers them by first appearance in the faces.
// Vertices of no face go. Faces stay, also those that lose a corner.
func (b *builder) weld(tolerance float64) {
	number := make([]int32, len(b.positions))
	for v := range number {
		number[v] = -1
	}
	find := exactWelder()
	if tolerance > 0 {
		find = gridWelder(tolerance)
	}
	var kept [][3]float64
	for f := range b.faces {
		t := &b.faces[f]
		for c, v := range t {
			if number[v] < 0 {
				w := find(kept, b.positions[v])
				if int(w) == len(kept) {
					kept = append(kept, b.positions[v])
				}
				number[v] = w
			}
			t[c] = number[v]
		}
	}
	b.positions = kept
}

// exactWelder finds the number of an equal position in kept, or takes the next
// one. Map keys compare as numbers, so -0 and 0 are equal.
func exactWelder() func(kept [][3]float64, p [3]float64) int32 {
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

// gridWelder gives a position the number of an equal one met before, or of the
// nearest kept one within the tolerance, the first one of those alike. Kept
// positions lie further apart than that, so a cell holds a bounded number of
// them. Cells are twice as wide as the tolerance, which leaves room for the
// rounding of the division.
func gridWelder(tolerance float64) func(kept [][3]float64, p [3]float64) int32 {
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
