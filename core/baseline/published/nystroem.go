package published

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"genussink/core/graph"
	"genussink/core/internal/exponential"
	"genussink/core/shortest"
)

// factors is K = L R with L n x r and R r x n.
type factors struct {
	left, right *mat.Dense
	middle      *mat.VecDense
	least       float64
}

// NewNystroem is C W^+ C^T for the columns C = exp(-d/epsilon) of as many landmarks as rank says, and their rows W of it, which is
// the kernel where that has no greater rank (Altschuler, Bach, Rudi and Niles-Weed 2019, on graph distances as in the paper's Appendix,
// "Details on the pseudo-genus family"). Landmarks are farthest points on graph distance (Gonzalez 1985). The pseudo-inverse leaves out
// eigenvalues below rounding: rank times 2^-52 of the greatest. Entries may be negative.
func NewNystroem(ctx context.Context, g *graph.Graph, epsilon float64, rank int) (*Kernel, error) {
	if err := positive("epsilon", epsilon); err != nil {
		return nil, err
	}
	n := g.Len()
	if rank < 1 || rank > n {
		return nil, fmt.Errorf("published: the rank is %d, not from 1 to %d, the number of vertices", rank, n)
	}
	spread := shortest.NewSpread(g)
	if _, err := spread.Extend(ctx, rank); err != nil {
		return nil, err
	}
	rank = len(spread.Vertices) // fewer, where all others are at distance 0 from one
	c, w := mat.NewDense(n, rank, nil), mat.NewSymDense(rank, nil)
	solver, d := shortest.NewSolver(g), make([]float64, n)
	far := 0.0
	for l, v := range spread.Vertices {
		if _, err := solver.DistancesContext(ctx, d, []int32{v}, nil); err != nil {
			return nil, err
		}
		for i, x := range d {
			c.Set(i, l, exponential.Exp(-x/epsilon))
			if !math.IsInf(x, 1) {
				far = max(far, x)
			}
		}
		for m := range l + 1 {
			w.SetSym(l, m, c.At(int(spread.Vertices[m]), l))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(w, true) { //nolint:misspell // gonum's name
		return nil, fmt.Errorf("published: the eigenvalues of %d landmarks' kernel were not found", rank)
	}
	values := eigen.Values(nil)
	least := max(-slices.Min(values), slices.Max(values)) * float64(rank) * 0x1p-52
	var vectors, scaled, inverse, right mat.Dense
	eigen.VectorsTo(&vectors)
	scaled.Apply(func(_, j int, x float64) float64 {
		if math.Abs(values[j]) <= least {
			return 0
		}
		return x / values[j]
	}, &vectors)
	inverse.Mul(&scaled, vectors.T())
	right.Mul(&inverse, c.T())
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &Kernel{g, epsilon, &factors{c, &right, mat.NewVecDense(rank, nil), -2 * far / epsilon}}, nil
}

func (f *factors) multiply(ctx context.Context, dst, x []float64) error {
	f.middle.MulVec(f.right, mat.NewVecDense(len(x), x))
	mat.NewVecDense(len(dst), dst).MulVec(f.left, f.middle)
	return ctx.Err()
}

func (f *factors) rows() func(dst []float64, i int) {
	return func(dst []float64, i int) {
		mat.NewVecDense(len(dst), dst).MulVec(f.right.T(), f.left.RowView(i))
	}
}

func (f *factors) floor() float64 { return f.least }

func (f *factors) bytes() int64 {
	n, r := f.left.Dims()
	return 16 * int64(n) * int64(r)
}
