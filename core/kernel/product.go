package kernel

import (
	"context"
	"fmt"
	"math"

	"genussink/core/internal/buffer"
)

// Product is the matrix f(x_i + y_j), known by its products with vectors (Appendix A of the paper). It is a linop.Operator, though
// this package does not say so: it imports none of ours. Not for concurrent use.
type Product struct {
	rows, cols int
	by         method
}

// A method multiplies: dst_i = sum_j f(x_i+y_j) w_j, or transposed dst_j = sum_i f(x_i+y_j) w_i. When ctx ends its error is
// returned, after 10 ms at most where both sides have 134,000 points.
type method interface {
	multiply(ctx context.Context, dst, w []float64, transposed bool) error
	steps() int64
}

// NewProduct prepares for products with f(x_i + y_j). x and y are lengths >= 0 in any order, equal ones welcome; they are kept and must
// not change. It is an error where f is not finite on [0, max x + max y].
func NewProduct(f Function, x, y []float64) (*Product, error) {
	most := 0.0
	for side, points := range [][]float64{x, y} {
		top := 0.0
		for i, p := range points {
			if !(p >= 0) || math.IsInf(p, 0) {
				return nil, fmt.Errorf("kernel: distance %s[%d] is %v, not a finite length", [...]string{"x", "y"}[side], i, p)
			}
			top = max(top, p)
		}
		most += top
	}
	if len(x) > math.MaxInt32 || len(y) > math.MaxInt32 {
		return nil, fmt.Errorf("kernel: %d by %d distances are too many", len(x), len(y))
	}
	if err := f.Check(most); err != nil {
		return nil, err
	}
	return &Product{len(x), len(y), f.method(x, y)}, nil
}

// Dims is the numbers of the x and of the y.
func (p *Product) Dims() (rows, cols int) { return p.rows, p.cols }

// MulVec computes dst_i = sum_j f(x_i + y_j) w_j; nil allocates. But for underflow, and but for random features, it is
// right to 1e-10 of sum_j |f(x_i + y_j) w_j|. For a polynomial the absolute values are those of its terms. When ctx ends its
// error is returned, without a vector.
func (p *Product) MulVec(ctx context.Context, dst, w []float64) ([]float64, error) {
	return p.multiply(ctx, dst, w, false)
}

// MulVecT computes dst_j = sum_i f(x_i + y_j) w_i likewise.
func (p *Product) MulVecT(ctx context.Context, dst, w []float64) ([]float64, error) {
	return p.multiply(ctx, dst, w, true)
}

func (p *Product) multiply(ctx context.Context, dst, w []float64, transposed bool) ([]float64, error) {
	rows, cols := p.rows, p.cols
	if transposed {
		rows, cols = cols, rows
	}
	dst = buffer.Vector(dst, rows)
	if len(w) != cols {
		panic(fmt.Sprintf("kernel: a vector has length %d, not %d", len(w), cols))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := p.by.multiply(ctx, dst, w, transposed); err != nil {
		return nil, err
	}
	return dst, nil
}

// StandardError estimates the standard error of each entry of MulVec(ctx, nil, w), from independent batches of random features; nil
// where f has none. When ctx ends its error is returned.
func (p *Product) StandardError(ctx context.Context, w []float64) ([]float64, error) {
	if by, ok := p.by.(*features); ok {
		return by.standardError(ctx, w)
	}
	return nil, ctx.Err()
}

// Steps counts the work of one product, in multiplications of a number that is known with a number that is not, and in values of f where these are
// not kept. It does not depend on the vector.
func (p *Product) Steps() int64 { return p.by.steps() }
