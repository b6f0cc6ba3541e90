package transport

import "sync"

// space is room for vectors of n numbers. What a solve has used the next one uses again: fresh memory is
// taken page by page, which costs a re-solve of 10,000 vertices a tenth of its time.
type space struct {
	n       int
	vectors [][]float64
	taken   int
}

var spaces sync.Pool // of *space, of solves that have ended

// spaceFor is room for vectors of n numbers, until it is left.
func spaceFor(n int) *space {
	if s, ok := spaces.Get().(*space); ok && s.n == n {
		return s
	}
	return &space{n: n}
}

// vector is one of zeros.
func (s *space) vector() []float64 {
	if s.taken == len(s.vectors) {
		s.vectors = append(s.vectors, make([]float64, s.n))
	}
	v := s.vectors[s.taken]
	s.taken++
	clear(v)
	return v
}

// leave leaves the room, and all vectors, to another solve.
func (s *space) leave() {
	s.taken = 0
	spaces.Put(s)
}
