package transport

import "math"

// Spread is a result between groups of vertices as one between the vertices: a group sends and receives by each of its vertices in
// proportion to their masses. r is of the problem with the groups' total masses and their kernel; group is that of each vertex, -1 where it
// has none and no mass either. All distances of a group's vertices are the group's: so cost, gap and entropy are what they were, as the
// relative entropy of the plan to the product of its marginals is.
func (r *Result) Spread(group []int32, source, target []float64) *Result {
	out := *r
	out.coarse, out.wanted, out.target = nil, products{}, nil
	out.LogU, out.products.kv = spread(group, source, r.LogU, r.products.kv)
	out.LogV, out.products.ku = spread(group, target, r.LogV, r.products.ku)
	return &out
}

// spread returns the potentials of one side's vertices, in proportion to their masses, and the products of its groups.
func spread(group []int32, mass, potential, product []float64) (logs, products []float64) {
	total := make([]float64, len(potential))
	for v, g := range group {
		if g >= 0 {
			total[g] += mass[v]
		}
	}
	logs, products = make([]float64, len(group)), make([]float64, len(group))
	for v, g := range group {
		logs[v], products[v] = math.Inf(-1), math.Inf(-1)
		if g >= 0 {
			products[v] = product[g]
		}
		if g >= 0 && mass[v] > 0 {
			logs[v] = potential[g] + math.Log(mass[v]/total[g])
		}
	}
	return logs, products
}
