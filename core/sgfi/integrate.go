package sgfi

import (
	"math"

	"genussink/core/shortest"
)

// Integrate computes dst_i = sum_j f(d_ij) x_j over the vertices j that i
// reaches, by the paper's Algorithm 1 as it stands there. Nothing is kept
// between calls: it is the reference that Kernel is tested against, and the
// way for an f that has no Kernel. dst (len n, nil allocates) is returned.
func (t *Tree) Integrate(dst, x []float64, f func(distance float64) float64) []float64 {
	n := t.Graph.Len()
	if dst == nil {
		dst = make([]float64, n)
	}
	if len(dst) != n || len(x) != n {
		panic("sgfi: Integrate: vector of the wrong length")
	}
	clear(dst)
	t.Root.integrate(dst, x, f)
	return dst
}

// integrate adds the products inside the node's graph. Ids are the whole
// graph's, so the vectors need not be cut down for the children (l. 7-9).
func (n *Node) integrate(y, x []float64, f func(float64) float64) {
	if n.Explicit != nil { // l. 12
		solver := shortest.NewSolver(n.Explicit)
		var row []float64
		for i, v := range n.LeftIDs {
			row = solver.Distances(row, int32(i))
			for j, d := range row {
				if d < math.Inf(1) {
					y[v] += f(d) * x[n.LeftIDs[j]]
				}
			}
		}
		return
	}
	s := len(n.SepIDs)
	for i, v := range n.LeftIDs { // l. 5 and 6: cross_compute, brute force
		a := n.LeftDist[i*s:][:s]
		for j, w := range n.RightIDs {
			d := math.Inf(1)
			for k, b := range n.RightDist[j*s:][:s] {
				d = min(d, a[k]+b)
			}
			if d < math.Inf(1) {
				fd := f(d)
				y[v] += fd * x[w]
				y[w] += fd * x[v]
			}
		}
	}
	n.Left.integrate(y, x, f) // l. 8 and 9
	n.Right.integrate(y, x, f)
	for i, v := range n.SepIDs { // l. 10: S x S was counted in both children
		for j, d := range n.SepDist[i*s:][:s] {
			if d < math.Inf(1) {
				y[v] -= f(d) * x[n.SepIDs[j]]
			}
		}
	}
}
