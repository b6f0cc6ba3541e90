package quantized

import (
	"cmp"
	"math"
	"slices"

	"genussink/core/shortest"
)

// landmarks is how many views bound a distance in a search. With 4 a path takes half as long again, with 12 no less.
const landmarks = 8

// Path appends a shortest path between two vertices, with both ends, and how far along the path each vertex is. Its search uses bounds
// of distances from the rows of the views (Goldberg and Harrelson 2005). These are float32, and the path may be longer than the
// shortest by their rounding. If no path leads there it is not ok, and appends nothing. Safe for concurrent use.
func (t *Net) Path(vertices []int32, along []float64, from, to int32) (path []int32, at []float64, ok bool) {
	if t.rank[from] < 0 || t.rank[to] < 0 {
		return vertices, along, false
	}
	n := len(t.order)
	views := make([]int, t.views)
	gain := make([]float32, t.views)
	for a := range views {
		views[a] = a
		if gain[a] = abs(t.row[a*n+int(t.rank[from])] - t.row[a*n+int(t.rank[to])]); gain[a] != gain[a] {
			gain[a] = -1 // in another component
		}
	}
	slices.SortStableFunc(views, func(a, b int) int { return cmp.Compare(gain[b], gain[a]) })
	var rows [landmarks][]float32
	for i := range rows {
		a := views[min(i, len(views)-1)]
		rows[i] = t.row[a*n:][:n]
	}
	goal := t.rank[to]
	lower := func(position int32) float64 {
		least := float32(0)
		for _, row := range rows {
			if d := abs(row[position] - row[goal]); d > least {
				least = d
			}
		}
		return float64(least)
	}
	s, _ := t.solvers.Get().(*shortest.Solver)
	if s == nil {
		s = shortest.NewSolver(t.near)
	}
	defer t.solvers.Put(s)
	found := s.Toward(t.rank[from], goal, lower)
	if found == nil {
		return vertices, along, false
	}
	sum := 0.0
	for i, v := range found {
		if i > 0 {
			next, weights := t.near.Neighbours(found[i-1])
			edge, _ := slices.BinarySearch(next, v)
			sum += weights[edge]
		}
		vertices, along = append(vertices, t.order[v]), append(along, sum)
	}
	return vertices, along, true
}

func abs(x float32) float32 { return float32(math.Abs(float64(x))) }
