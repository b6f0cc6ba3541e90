package transport

import "sync"

// workspace is room for vectors of n numbers. What a solve has used the next one uses again: fresh memory is
// taken page by page, which costs a re-solve of 10,000 vertices a tenth of its time.
type workspace struct {
	n       int
	vectors [][]float64
	taken   int
}

var workspaces sync.Pool // of *workspace, of solves that have ended

// workspaceFor is room for vectors of n numbers, until it is left.
func workspaceFor(n int) *workspace {
	if s, ok := workspaces.Get().(*workspace); ok && s.n == n {
		return s
	}
	return &workspace{n: n}
}

// vector is one of zeros.
func (s *workspace) vector() []float64 {
	if s.taken == len(s.vectors) {
		s.vectors = append(s.vectors, make([]float64, s.n))
	}
	v := s.vectors[s.taken]
	s.taken++
	clear(v)
	return v
}

// leave leaves the room, and all vectors, to another solve.
func (s *workspace) leave() {
	s.taken = 0
	workspaces.Put(s)
}
