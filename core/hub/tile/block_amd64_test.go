package tile

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/hub/label"
)

// Four numbers at a time give what one at a time does: nearest hubs, leads, and the shortest ways from a vertex.
func TestByFours(t *testing.T) {
	if !wide {
		t.Skip("this processor has no AVX2")
	}
	rapid.Check(t, func(t *rapid.T) {
		hubs, columns := rapid.IntRange(1, MaxSide+1).Draw(t, "hubs"), chunk*rapid.IntRange(1, 3).Draw(t, "blocks")
		// Short lengths often are equal. Some differ only in the bits of keyMask, which do not count everywhere. The longest are the longest
		// that labels have.
		longest := rapid.SampledFrom([]int64{3, 1 << 35, 1<<53 - 1}).Draw(t, "longest")
		labelsOf := func(what string, n int) []label.Fixed {
			all := make([]label.Fixed, n)
			seed := rapid.Uint64().Draw(t, what)
			for i := range all {
				seed = seed*6364136223846793005 + 1442695040888963407 // Knuth's
				all[i] = label.Fixed(seed>>8) % label.Fixed(longest+1) << 8
			}
			return all
		}
		row, cols := labelsOf("row", hubs), matrix{labelsOf("columns", hubs*columns), columns}
		from := chunk * rapid.IntRange(0, columns/chunk-1).Draw(t, "from")
		near := rapid.SliceOfN(rapid.Int32Range(0, int32(hubs-1)), 1, hubs).Draw(t, "near")
		height, width := rapid.IntRange(1, 20).Draw(t, "height"), rapid.IntRange(1, 3*chunk).Draw(t, "width")
		one := Side{Ranks: make([]int32, height), Labels: labelsOf("rows of a tile", hubs*height)}
		two := Side{Ranks: make([]int32, width), Labels: labelsOf("columns of a tile", hubs*width)}
		v := rapid.IntRange(0, height-1).Draw(t, "vertex")
		pivot := (*[chunk]label.Fixed)(cols.labels[int(near[0])*columns+from:])
		results := func() (keys [chunk]label.Fixed, leads, ways []label.Fixed) {
			nearestOf(&keys, row, cols.from(from), near)
			leads = make([]label.Fixed, hubs)
			leadsOf(leads, pivot, cols.from(from))
			return keys, leads, new(Builder).shortestWays(&one, v, &two, near)
		}
		keys, leads, ways := results()
		wide = false
		defer func() { wide = true }()
		oneKeys, oneLeads, oneWays := results()
		if keys != oneKeys {
			t.Fatalf("nearest hubs %x, one by one %x", keys, oneKeys)
		}
		if !slices.Equal(leads, oneLeads) {
			t.Fatalf("leads %x, one by one %x", leads, oneLeads)
		}
		if !slices.Equal(ways, oneWays) {
			t.Fatalf("shortest ways %x, one by one %x", ways, oneWays)
		}
	})
}
