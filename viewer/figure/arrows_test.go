package figure

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// From every point of a chart the arrow keys lead to every other, wherever the points lie: at one place, too.
func TestArrowsReachEveryPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := make([]Target, rapid.IntRange(1, 9).Draw(t, "points"))
		for i := range all {
			coordinate := rapid.Float64Range(0, 300)
			all[i] = Target{Ref: Ref{Point, i}, X: coordinate.Draw(t, "x"), Y: coordinate.Draw(t, "y")}
			if i > 0 && rapid.Bool().Draw(t, "same") {
				all[i].X, all[i].Y = all[i-1].X, all[i-1].Y
			}
		}
		for from := range all {
			if n := len(reached(all, from)); n != len(all) {
				t.Fatalf("from %d of %d points %d are reached", from, len(all), n)
			}
		}
	})
}

// reached are the targets that arrow keys lead to.
func reached(all []Target, from int) []int {
	list := []int{from}
	for k := 0; k < len(list); k++ {
		for _, key := range []string{"ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"} {
			if to := Next(all, list[k], key); !slices.Contains(list, to) {
				list = append(list, to)
			}
		}
	}
	return list
}

// An arrow leads to what is nearest in its direction, and stays where there is nothing.
func TestArrowsOfAGrid(t *testing.T) {
	const side = 5
	var all []Target
	for i := range side * side {
		all = append(all, Target{Ref: Ref{Vertex, i}, X: float64(20*(i%side)) + rand.Float64(), Y: float64(20*(i/side)) + rand.Float64()})
	}
	for i := range all {
		x, y := i%side, i/side
		for key, want := range map[string]int{
			"ArrowLeft": y*side + max(x-1, 0), "ArrowRight": y*side + min(x+1, side-1),
			"ArrowUp": max(y-1, 0)*side + x, "ArrowDown": min(y+1, side-1)*side + x,
		} {
			got := Next(all, i, key)
			if want != i && got != want {
				t.Errorf("%s leads from %d to %d, not %d", key, i, got, want)
			}
		}
	}
}
