// Package sets holds disjoint sets: union and find.
package sets

// Disjoint are disjoint sets of 0..n-1: of each member the next one on the way
// to its set's representative, which is its own.
type Disjoint []int32

// New puts each of n members in a set of its own.
func New(n int) Disjoint {
	d := make(Disjoint, n)
	for i := range d {
		d[i] = int32(i)
	}
	return d
}

// Find is the representative of i's set. It halves the way there.
func (d Disjoint) Find(i int32) int32 {
	for d[i] != i {
		d[i] = d[d[i]]
		i = d[i]
	}
	return i
}

// Join puts the set of representative i into that of representative into.
func (d Disjoint) Join(i, into int32) { d[i] = into }
