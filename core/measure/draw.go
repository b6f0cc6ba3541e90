package measure

import (
	"math"
	"slices"
)

// Accumulate replaces masses by their running sums.
func Accumulate(mass []float64) {
	total := 0.0
	for i, m := range mass {
		total += m
		mass[i] = total
	}
}

// Draw picks the place where the running sums reach the share u of the last, u in
// [0,1), never one without mass.
func Draw(sums []float64, u float64) int {
	total := sums[len(sums)-1]
	x := min(u*total, math.Nextafter(total, 0))
	i, _ := slices.BinarySearchFunc(sums, x, func(s, x float64) int {
		if s <= x {
			return -1
		}
		return 1
	})
	return i
}
