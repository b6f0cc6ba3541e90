package hub_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"genussink/core/graph"
	"genussink/core/hub/hubtest"
	"genussink/core/hub/label"
	"genussink/core/linop/linoptest"
	"genussink/core/mesh/generate"
	"genussink/core/septree"
	"genussink/internal/race"
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
	for _, p := range hubtest.Precisions {
		t.Run(p.String(), func(t *testing.T) {
			if p == label.Float32 {
				race.Alone(t)
			}
			n := g.Len()
			u, v := make([]float64, n), make([]float64, n)
			for i := range u {
				u[i], v[i] = 1+float64(i%7), 1+float64(i%5)
			}
			cov := hubtest.BuildCover(t, hubtest.LabelsOf(t, g, septree.Options{}, p), 0)
			for at := 0; ; at++ {
				k := hubtest.KernelOf(t, cov, 0.3)
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
		})
	}
}
