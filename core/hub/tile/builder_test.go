package tile

import (
	"testing"

	"pgregory.net/rapid"
)

// A set of columns is one, whatever stretches it is made of.
func TestColumnSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var set columnSet
		var want [MaxSide + 2]bool
		for range rapid.IntRange(0, 8).Draw(t, "stretches") {
			from := rapid.IntRange(0, MaxSide-1).Draw(t, "from")
			to := rapid.IntRange(from+1, MaxSide).Draw(t, "to")
			set.add(from, to)
			for i := from; i < to; i++ {
				want[i] = true
			}
		}
		at, one := rapid.IntRange(0, MaxSide).Draw(t, "at"), rapid.Bool().Draw(t, "one")
		first := at
		for first <= MaxSide && want[first] != one {
			first++
		}
		if got := set.next(at, one); got != first {
			t.Fatalf("from column %d on the first that is one (%v) is %d, not %d", at, one, got, first)
		}
	})
}

// The probed vertices of a side are found wherever they stand.
func TestProbesOf(t *testing.T) {
	for size := 1; size <= MaxSide; size++ {
		s := Side{Ranks: make([]int32, size)}
		for at := range size {
			s.order = append(s.order, int32(size-1-at))
		}
		probes := min(Probes, size)
		list := s.probesOf(nil)
		if len(list) != probes {
			t.Fatalf("of %d vertices %d are probed", size, len(list))
		}
		for i, p := range list {
			if want := sampleOf(p.n, probes, size); p.n != probes-1-i || int(s.order[p.at]) != want {
				t.Fatalf("of %d vertices the %d-th probed one is %d, not %d", size, p.n, s.order[p.at], want)
			}
		}
	}
}
