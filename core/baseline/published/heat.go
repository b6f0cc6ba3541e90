package published

import (
	"context"
	"fmt"
	"math"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
)

// heat is a Chebyshev expansion of exp(-time L).
type heat struct {
	g            *graph.Graph
	weights      []float64 // of the edges, as the graph's lengths
	degrees      []float64 // their sums
	coefficients []float64
	bound        float64 // on the eigenvalues of L
	space        [2][]float64
}

// NewHeat is the heat kernel exp(-time L) by its Chebyshev expansion of the given degree (Huguet, Tong, Zapatero, Tape, Wolf and
// Krishnaswamy 2023). L is the Laplacian whose weight of an edge is its inverse length, so that time is a length; the paper takes
// epsilon/4 and degree 20. Where that is low for the size of time L entries are wrong, and may be negative.
// No length may be 0. The eigenvalues of L are at most the greatest sum of the degrees at the ends
// of an edge (Anderson and Morley 1985): no estimate that could be too low.
func NewHeat(g *graph.Graph, epsilon, time float64, degree int) (*Kernel, error) {
	if err := positive("epsilon", epsilon); err != nil {
		return nil, err
	}
	if err := positive("the time of diffusion", time); err != nil {
		return nil, err
	}
	if degree < 1 || degree > 10000 {
		return nil, fmt.Errorf("published: the degree is %d, not from 1 to 10000", degree)
	}
	n := g.Len()
	h := &heat{g: g, weights: make([]float64, len(g.Weights)), degrees: make([]float64, n), space: [2][]float64{make([]float64, n), make([]float64, n)}}
	for v := range n {
		to, lengths := g.Neighbours(int32(v))
		for k, l := range lengths {
			if !(1/l < math.Inf(1)) {
				return nil, fmt.Errorf("published: the edge from %d to %d has the length %g, whose inverse is no weight", v, to[k], l)
			}
			h.weights[int(g.Offsets[v])+k] = 1 / l
			h.degrees[v] += 1 / l
		}
	}
	for v := range n {
		to, _ := g.Neighbours(int32(v))
		for _, t := range to {
			h.bound = max(h.bound, h.degrees[v]+h.degrees[t])
		}
	}
	if h.bound == 0 {
		h.bound = 1 // no edges: L is 0
	}
	z := time * h.bound / 2
	if !(z < 1e8) {
		return nil, fmt.Errorf("published: the time of diffusion is %g, too long for edges so short", time)
	}
	// The coefficients of exp(-z (1+x)) are cosine sums; so many nodes alias nothing above rounding.
	nodes := 2*degree + 64 + int(16*math.Sqrt(z))
	h.coefficients = make([]float64, degree+1)
	for j := range nodes {
		angle := math.Pi * (float64(j) + 0.5) / float64(nodes)
		f := math.Exp(-z*(1+math.Cos(angle))) * 2 / float64(nodes)
		for k := range h.coefficients {
			h.coefficients[k] += f * math.Cos(float64(k)*angle)
		}
	}
	h.coefficients[0] /= 2
	return &Kernel{g, epsilon, h}, nil
}

func (h *heat) multiply(ctx context.Context, dst, x []float64) error {
	if len(dst) < 4096 { // a loop takes less than starting it on several processors
		return h.apply(ctx, dst, x, h.space, alone)
	}
	return h.apply(ctx, dst, x, h.space, parallel.LoopContext)
}

// alone is a loop on one processor.
func alone(ctx context.Context, n int, body func(piece, lo, hi int)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	body(0, 0, n)
	return nil
}

// apply sums the series by T_k+1 = 2 M T_k - T_k-1, M = 2 L/bound - 1, with loops of its own or shared ones.
func (h *heat) apply(ctx context.Context, dst, x []float64, space [2][]float64, loop func(context.Context, int, func(piece, lo, hi int)) error) error {
	last, now := space[0], space[1]
	for k, c := range h.coefficients {
		err := loop(ctx, len(dst), func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				if k == 0 {
					now[i] = x[i]
					dst[i] = c * x[i]
					continue
				}
				sum := h.degrees[i] * now[i]
				for e := h.g.Offsets[i]; e < h.g.Offsets[i+1]; e++ {
					sum -= now[h.g.Targets[e]] * h.weights[e]
				}
				next := 2*sum/h.bound - now[i]
				if k > 1 {
					next = 2*next - last[i]
				}
				last[i] = next
				dst[i] += c * next
			}
		})
		if err != nil {
			return err
		}
		if k > 0 {
			last, now = now, last
		}
	}
	return nil
}

func (h *heat) rows() func(dst []float64, i int) {
	space := [2][]float64{make([]float64, len(h.degrees)), make([]float64, len(h.degrees))}
	x := make([]float64, len(h.degrees))
	return func(dst []float64, i int) {
		x[i] = 1
		_ = h.apply(context.Background(), dst, x, space, alone)
		x[i] = 0
	}
}

// floor is log 2^-52. Rounding hides smaller entries of the kernel.
func (h *heat) floor() float64 { return math.Log(0x1p-52) }

func (h *heat) bytes() int64 {
	return 8 * int64(len(h.weights)+3*len(h.degrees)+len(h.coefficients))
}
