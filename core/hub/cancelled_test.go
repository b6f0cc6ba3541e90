package hub_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"genussink/core/graph"
	"genussink/core/hub"
	"genussink/core/hub/label"
	"genussink/core/linop/linoptest"
	"genussink/core/mesh/generate"
)

// After a product that was cancelled, wherever it was, the next one has the right cost.
func TestCancelledMulPlan(t *testing.T) {
	m, err := generate.Make("sphere", map[string]float64{"frequency": 7})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.FromMesh(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []label.Precision{label.Float64, label.Float32} {
		n := g.Len()
		u, v := make([]float64, n), make([]float64, n)
		for i := range u {
			u[i], v[i] = 1+float64(i%7), 1+float64(i%5)
		}
		for at := 0; ; at++ {
			k, err := hub.New(context.Background(), g, hub.Options{Epsilon: 0.3, Precision: p})
			if err != nil {
				t.Fatal(err)
			}
			want, err := k.MulPlan(context.Background(), nil, nil, u, v)
			if err != nil {
				t.Fatal(err)
			}
			ctx := linoptest.NewCountdown(at)
			_, err = k.MulPlan(ctx, nil, nil, u, v)
			if ctx.Asked() <= at {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("cancelled at question %d: %v", at, err)
			}
			got, err := k.MulPlan(context.Background(), nil, nil, u, v)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got-want) > 1e-12*want {
				t.Fatalf("%v: after a product that was cancelled at question %d the cost is %.9g, before %.9g", p, at, got, want)
			}
		}
	}
}
