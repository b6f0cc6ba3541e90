package sgfi

import (
	"context"
	"math"

	"genussink/core/shortest"
)

// Integrate computes dst_i = sum_j f(d_ij) x_j over the vertices j that i
// reaches, by the paper's Algorithm 1 as it stands there. Nothing is kept
// between calls: it is the reference that Kernel is tested against, and the
// way for an f that has no Kernel. dst (len n, nil allocates) is returned. When ctx ends its error is returned, without dst.
func (t *Tree) Integrate(ctx context.Context, dst, x []float64, f func(distance float64) float64) ([]float64, error) {
	n := t.Graph.Len()
	if dst == nil {
		dst = make([]float64, n)
	}
	if len(dst) != n || len(x) != n {
		panic("sgfi: Integrate: vector of the wrong length")
	}
	clear(dst)
	if err := t.Root.integrate(ctx, dst, x, f); err != nil {
		return nil, err
	}
	return dst, nil
}

// integrate adds the products inside the node's graph. Ids are the whole
// graph's, so the vectors need not be cut down for the children (l. 7-9).
func (n *Node) integrate(ctx context.Context, y, x []float64, f func(float64) float64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
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
		return nil
	}
	s := len(n.SepIDs)
	for i, v := range n.LeftIDs { // l. 5 and 6: cross_compute, brute force
		if err := ctx.Err(); err != nil {
			return err
		}
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
	for _, child := range [...]*Node{n.Left, n.Right} { // l. 8 and 9
		if err := child.integrate(ctx, y, x, f); err != nil {
			return err
		}
	}
	for i, v := range n.SepIDs { // l. 10: S x S was counted in both children
		for j, d := range n.SepDist[i*s:][:s] {
			if d < math.Inf(1) {
				y[v] -= f(d) * x[n.SepIDs[j]]
			}
		}
	}
	return nil
}
