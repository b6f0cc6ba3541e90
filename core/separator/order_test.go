package separator

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Vertices are sorted by key and then by number, whatever the keys are.
func TestSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SliceOfN(rapid.OneOf(
			rapid.SampledFrom([]float64{0, 1, 2, 3, -7, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, math.MaxFloat64}),
			rapid.SampledFrom([]float64{0, 1, 2, 3}), rapid.Float64Range(-10, 10),
		), 1, 60).Draw(t, "keys")
		if rapid.Bool().Draw(t, "finite") {
			for i, k := range key {
				if math.IsNaN(k) || math.Abs(k) > 10 {
					key[i] = float64(i % 3)
				}
			}
		}
		want := make([]int32, len(key))
		for v := range want {
			want[v] = int32(v)
		}
		slices.SortStableFunc(want, func(v, w int32) int { return cmp.Compare(key[v], key[w]) })
		if got := sorted(key); !slices.Equal(got, want) {
			t.Fatalf("%v are sorted as %v, not %v", key, got, want)
		}
	})
}
