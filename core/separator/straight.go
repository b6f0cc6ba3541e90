package separator

import (
	"math"

	"genussink/core/graph"
)

// straight cuts a convex part of a square lattice in the plane along one of its rows or columns. It reports whether the graph is one, and has
// such a cut with so many vertices on either side at least. In a convex part, whose rows and columns each are one stretch, distances are those
// of the grid: |x| + |y|.
//
// A slanted cut may have fewer vertices, down to 0.7 times as many. But seen from a straight one all vertices of a line across it are alike: they
// have the same nearest vertex in it. So a kernel has fewer and larger blocks. The cut with the least score is taken, so that it is small and
// even. The score is its size, times 1 plus a third of the difference of both sides as a share of all vertices.
func straight(g *graph.Graph, o Options, least int) ([]side, bool) {
	if len(o.Positions) != g.Len() {
		return nil, false
	}
	lines, ok := latticeLines(g, o.Positions)
	if !ok {
		return nil, false
	}
	score, best, at := math.Inf(1), 0, int32(0)
	for axis, l := range lines {
		before := 0
		for k, size := range l.sizes {
			after := g.Len() - before - size
			if min(before, after) >= least {
				uneven := math.Abs(float64(before-after)) / float64(g.Len())
				if x := float64(size) * (1 + uneven/3); x < score {
					score, best, at = x, axis, int32(k)
				}
			}
			before += size
		}
	}
	if math.IsInf(score, 1) {
		return nil, false
	}
	sides := make([]side, g.Len())
	for v, k := range lines[best].of {
		switch {
		case k < at:
			sides[v] = inA
		case k > at:
			sides[v] = inB
		default:
			sides[v] = inS
		}
	}
	return sides, true
}

// parallels are the lines of a lattice along one axis, its columns or its rows.
type parallels struct {
	of    []int32 // by vertex: the number of its line
	sizes []int   // by line: its vertices
}

// latticeLines are the columns and the rows, if a connected graph is a convex part of a square lattice: its edges go along the axes and all have
// the length of the first, and each row and each column is one stretch.
func latticeLines(g *graph.Graph, positions [][3]float64) (lines [2]parallels, ok bool) {
	if g.Edges() == 0 {
		return lines, false
	}
	step := 0.0
	edges := [2]int{} // along each axis, from both ends
	for v := range int32(g.Len()) {
		to, weights := g.Neighbours(v)
		for i, w := range to {
			p, q := positions[v], positions[w]
			axis := 0
			if p[0] == q[0] {
				axis = 1
			}
			length := math.Abs(p[axis] - q[axis])
			if step == 0 {
				step = length
			}
			const tolerance = 1e-9
			if p[1-axis] != q[1-axis] || p[2] != q[2] || !(math.Abs(length-step) <= tolerance*step) || !(math.Abs(weights[i]-step) <= tolerance*step) {
				return lines, false
			}
			edges[axis]++
		}
	}
	for axis := range lines {
		first := math.Inf(1)
		for _, p := range positions {
			first = min(first, p[axis])
		}
		l := parallels{make([]int32, g.Len()), make([]int, g.Len())}
		used := 0
		for v, p := range positions {
			k := math.Round((p[axis] - first) / step)
			if !(k < float64(g.Len())) {
				return lines, false // it is not connected
			}
			l.of[v] = int32(k)
			if l.sizes[l.of[v]]++; l.sizes[l.of[v]] == 1 {
				used++
			}
		}
		if edges[1-axis]/2 != g.Len()-used {
			return lines, false // a line along the other axis has a gap
		}
		l.sizes = l.sizes[:used]
		lines[axis] = l
	}
	return lines, true
}
