package separator

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"genussink/core/graph"
	"genussink/core/shortest"
)

// orders are the vertex orders that level sets and inertial flow cut along:
// for far pairs (p, q), the vertices by d(p,.)-d(q,.). Ties go by vertex.
func orders(g *graph.Graph, o Options, count int) [][]int32 {
	solver := shortest.NewSolver(g)
	n := g.Len()
	start := int32(rand.New(rand.NewPCG(o.Seed, 0)).IntN(n))
	if degree(g, start) == n-1 {
		start = leastDegree(g)
	}
	// Landmarks: each is farthest from those before it; the first is farthest
	// from the start and replaces it.
	var landmarks []int32
	var from [][]float64
	nearest := solver.Distances(nil, start)
	for range count {
		far := int32(0)
		for v, d := range nearest {
			if d > nearest[far] {
				far = int32(v)
			}
		}
		d := solver.Distances(nil, far)
		if len(landmarks) == 0 {
			copy(nearest, d)
		} else {
			for v, x := range d {
				nearest[v] = math.Min(nearest[v], x)
			}
		}
		landmarks, from = append(landmarks, far), append(from, d)
	}
	var list [][]int32
	for j := range landmarks {
		for i := range j {
			key := make([]float64, n)
			for v := range key {
				key[v] = from[i][v] - from[j][v]
			}
			list = append(list, sorted(key))
		}
	}
	return list
}

func sorted(key []float64) []int32 {
	order := make([]int32, len(key))
	for v := range order {
		order[v] = int32(v)
	}
	slices.SortFunc(order, func(u, v int32) int { return cmp.Or(cmp.Compare(key[u], key[v]), cmp.Compare(u, v)) })
	return order
}

func degree(g *graph.Graph, v int32) int { return int(g.Offsets[v+1] - g.Offsets[v]) }

func leastDegree(g *graph.Graph) int32 {
	best := int32(0)
	for v := range int32(g.Len()) {
		if degree(g, v) < degree(g, best) {
			best = v
		}
	}
	return best
}
