package engine

import (
	"fmt"

	"genussink/core/job"
	"genussink/core/separator"
)

// sweep lists separations by size against balance.
func (e *Engine) sweep(r *run, sc *scene) (job.Body, error) {
	end := r.begin("sweep")
	list, err := separator.Pareto(r.ctx, sc.graph, separator.Options{Positions: sc.mesh.Positions, Faces: sc.mesh.Faces})
	if err != nil {
		return nil, err
	}
	end()
	swept := &job.Swept{Cuts: make([]job.Cut, len(list)), Timings: r.timings}
	for i, s := range list {
		swept.Cuts[i] = job.Cut{A: int32(len(s.A)), S: int32(len(s.S)), B: int32(len(s.B)), Sides: sides(s, sc.graph.Len())}
	}
	return swept, nil
}

// sides is where a separation puts each of n vertices: 0 in A, 1 in S, 2 in B.
func sides(s separator.Separation, n int) []byte {
	where := make([]byte, n)
	for i, part := range [][]int32{s.A, s.S, s.B} {
		for _, v := range part {
			where[v] = byte(i)
		}
	}
	return where
}

// separation is what sides tells of n vertices.
func separation(sides string, n int) (s separator.Separation, err error) {
	if len(sides) != n {
		return s, fmt.Errorf("a separation of %d vertices for %d", len(sides), n)
	}
	parts := [...]*[]int32{&s.A, &s.S, &s.B}
	for v, side := range []byte(sides) {
		if int(side) >= len(parts) {
			return s, fmt.Errorf("vertex %d is on side %d: there are 0, 1 and 2", v, side)
		}
		*parts[side] = append(*parts[side], int32(v))
	}
	return s, nil
}
