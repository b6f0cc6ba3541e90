package check

import (
	"context"
	"testing"

	"genussink/core/internal/shared/gengraph"
	"genussink/core/linop/linoptest"
	"genussink/core/shortest"
	"genussink/core/transport"
)

// A bound that is given up is an error and no bound.
func TestLowerBoundIsGivenUp(t *testing.T) {
	const n, epsilon = 120, 0.7
	g := gengraph.Bridged(t, n, 10)
	p := transport.Problem{Kernel: dense(t, g, epsilon), Source: make([]float64, n), Target: make([]float64, n), Epsilon: epsilon}
	for v := range n / 3 {
		p.Source[v], p.Target[n-1-v] = 1, 1
	}
	r := linoptest.Value(transport.Solve(t.Context(), p, transport.Options{}))(t)
	s := shortest.NewSolver(g)
	bound := func(ctx context.Context) (float64, error) { return LowerBound(ctx, p, r, g, s) }
	linoptest.GivenUp(t, linoptest.Number("LowerBound", bound))
	if x := linoptest.Value(bound(t.Context()))(t); !(x > 0 && x <= r.Cost) {
		t.Errorf("no plan costs less than %g, and one costs %g", x, r.Cost)
	}
	linoptest.GivenUp(t, linoptest.Number("MeasureAccuracy", func(ctx context.Context) (float64, error) {
		a, err := MeasureAccuracy(ctx, p.Kernel, epsilon, g, 8)
		if err != nil {
			return 0, err
		}
		return float64(a.Rows), nil
	}))
}
