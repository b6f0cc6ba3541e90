package tile

import (
	"math/bits"

	"genussink/core/hub/label"
	"genussink/core/internal/buffer"
)

// classes are sets of a side's vertices that are alike: the lead of each hub over each other is the same at all of them. So they are
// nearest to the same hubs, and have the same runs. They are large where shortest paths run together, as those to few hubs far
// away do, and on lattices.
type classes struct {
	members []int32 // the vertices, class by class; nil: each is a class of its own
	ends    []int32 // by class: where its members end
	single  [1]int32

	keys   []uint64 // by vertex: leads of a few hubs
	table  []int32  // classes plus 1, by their keys, open addressing; 0: none
	names  []int32  // by vertex: its class
	sorted []int32  // the space of members
}

// of are the members of a class.
func (c *classes) of(n int32) []int32 {
	if c.members == nil {
		c.single[0] = n
		return c.single[:]
	}
	from := int32(0)
	if n > 0 {
		from = c.ends[n-1]
	}
	return c.members[from:c.ends[n]]
}

// keyHubs is the number of hubs whose leads tell most vertices apart.
const keyHubs = 4

// classify condenses the side to one vertex of each class, given the hubs that were kept and by how much leads may differ. Where
// that leaves more than seven eighths of the vertices it is not worth it, and each vertex is a class.
func (s *Side) classify(kept []int32, most label.Fixed) {
	size := s.Len()
	digits := bits.Len(uint(2 * size))
	s.keys, s.names, s.table = buffer.Sized(s.keys, size), buffer.Sized(s.names, size), buffer.Sized(s.table, 1<<digits)
	clear(s.keys)
	clear(s.table)
	base, shift := s.row(kept[0]), bits.Len64(uint64(most))
	half := label.Fixed(1) << shift >> 1
	for i := range keyHubs {
		for v, d := range s.row(kept[(i+1)*(len(kept)-1)/keyHubs]) {
			s.keys[v] = (s.keys[v] ^ uint64((d-base[v]+half)>>shift)) * 0x9e3779b97f4a7c15 // 2^64 over the golden ratio: Fibonacci hashing
		}
	}
	s.Centres, s.ends = s.Centres[:0], s.ends[:0]
	misses := 0
	for v, key := range s.keys {
		at := key >> (64 - digits)
		for {
			n := s.table[at] - 1
			if n < 0 {
				n = int32(len(s.Centres))
				s.table[at] = n + 1
				s.Centres, s.ends = append(s.Centres, int32(v)), append(s.ends, 0)
			} else if first := s.Centres[n]; s.keys[first] != key || !s.alike(int(first), v, kept, most) {
				if misses++; misses > 4*size {
					return // these hubs do not tell them apart
				}
				at = (at + 1) & (1<<digits - 1)
				continue
			}
			s.names[v] = n
			s.ends[n]++
			break
		}
	}
	if 8*len(s.Centres) > 7*size {
		return
	}
	sum := int32(0)
	for n, count := range s.ends {
		s.ends[n] = sum
		sum += count
	}
	s.sorted = buffer.Sized(s.sorted, size)
	s.members = s.sorted
	for v, n := range s.names {
		s.members[s.ends[n]] = int32(v)
		s.ends[n]++
	}
	s.Condense(kept)
}

// alike reports whether the leads of the hubs over each other are the same at two vertices.
func (s *Side) alike(v, w int, kept []int32, most label.Fixed) bool {
	size := s.Len()
	first := s.Labels[int(kept[0])*size:]
	least := first[v] - first[w]
	greatest := least
	for _, n := range kept[1:] {
		row := s.Labels[int(n)*size:]
		d := row[v] - row[w]
		least, greatest = min(least, d), max(greatest, d)
		if greatest-least > most {
			return false
		}
	}
	return true
}
