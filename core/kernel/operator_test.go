package kernel_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"genussink/core/kernel"
	"genussink/core/linop"
	"genussink/core/linop/linoptest"
)

var _ linop.Operator = (*kernel.Product)(nil)

// A product is an operator, whatever the function. One that is given up returns the context's error, and the next is right again.
func TestProductIsAnOperator(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	x, y, w := make([]float64, 700), make([]float64, 500), make([]float64, 500)
	for i := range x {
		x[i] = 2 * rng.Float64()
	}
	for j := range y {
		y[j], w[j] = 3*rng.Float64(), 1+rng.Float64()
	}
	for _, spec := range []string{"exp", "poly:1,0.5,0.25", "rational:1/1,2,1", "cauchy:lambda=-2,c=0.001", "gauss:s=0.5", "features:count=64,seed=1,f=gauss:s=0.5"} {
		f, err := kernel.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		p, err := kernel.NewProduct(f, x, y)
		if err != nil {
			t.Fatal(err)
		}
		linoptest.Operator(t, p)
		before := linoptest.Value(p.MulVec(t.Context(), nil, w))(t)
		linoptest.GivenUp(t, linoptest.Slice(spec, func(ctx context.Context) ([]float64, error) { return p.MulVec(ctx, nil, w) }))
		linoptest.GivenUp(t, linoptest.Slice(spec+", transposed", func(ctx context.Context) ([]float64, error) { return p.MulVecT(ctx, nil, x) }))
		for i, v := range linoptest.Value(p.MulVec(t.Context(), nil, w))(t) {
			if v != before[i] {
				t.Fatalf("%s: element %d is %v after a product that was given up, was %v", spec, i, v, before[i])
			}
		}
		errors, err := p.StandardError(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		if errors != nil {
			linoptest.GivenUp(t, linoptest.Slice(spec+", error", func(ctx context.Context) ([]float64, error) { return p.StandardError(ctx, w) }))
		}
	}
}
