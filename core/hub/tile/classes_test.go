package tile

import (
	"math/rand/v2"
	"testing"

	"genussink/core/hub/label"
)

// The vertices of a class are alike, those of two are not, and every vertex is in one.
func TestClasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, kinds := range []int{1, 5, 60, 1000} {
		const size, hubs, most = 300, 9, 64
		var s Side
		s.Labels = make([]label.Fixed, hubs*size)
		kind := make([]int, size)
		for v := range size {
			kind[v] = rng.IntN(kinds)
			own := rand.New(rand.NewPCG(uint64(kind[v]), 0))
			away := label.Fixed(rng.IntN(1000)) << 20
			for h := range hubs {
				s.Labels[h*size+v] = away + label.Fixed(own.IntN(1000))<<20 + label.Fixed(rng.IntN(2))
			}
			s.Ranks = append(s.Ranks, int32(v))
		}
		s.classify([]int32{0, 2, 3, 5, 6, 8}, most)
		if kinds == 1000 {
			if s.members != nil || s.Len() != size {
				t.Errorf("%d kinds: %d classes", kinds, s.Len())
			}
			continue
		}
		if s.Len() > kinds {
			t.Errorf("%d kinds: %d classes", kinds, s.Len())
		}
		seen := make([]bool, size)
		for n := range int32(s.Len()) {
			for _, v := range s.of(n) {
				if seen[v] || kind[v] != kind[s.of(n)[0]] {
					t.Errorf("%d kinds: vertex %d is of kind %d, in a class of kind %d; seen before: %t", kinds, v, kind[v], kind[s.of(n)[0]], seen[v])
				}
				seen[v] = true
			}
		}
		for v, ok := range seen {
			if !ok {
				t.Errorf("%d kinds: vertex %d is in no class", kinds, v)
			}
		}
	}
}
