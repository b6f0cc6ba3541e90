package engine_test

import (
	"math"
	"slices"
	"testing"

	"genussink/core/baseline"
	"genussink/core/engine"
	"genussink/core/job"
	"genussink/core/mesh/generate"
	"genussink/core/shortest"
	"genussink/core/transport"
	"genussink/internal/race"
)

// The barycentre of squared distance lies between three densities as their mean does, and is the one of the matrix.
func TestBarycentreOfSquaredDistance(t *testing.T) {
	race.Alone(t)
	const side, n = 15, 225
	g, _, err := generate.MakeGraph("grid", map[string]float64{"side": side})
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, engine.Options{})
	loaded, _ := c.open(&job.Generate{Kind: "grid", Params: []job.Param{{Name: "side", Value: side}}})
	// Dabs on the diagonal, with x + y = 4, 14 and 24: along the grid's edges that is how far apart they are.
	places, weights := [][2]int{{2, 2}, {7, 7}, {12, 12}}, []float64{2, 1, 1}
	const mean = (2*4 + 14 + 24) / 4.0
	densities := make([][]float64, len(places))
	for k, at := range places {
		densities[k] = make([]float64, n)
		for i := range n {
			x, y := float64(i%side-at[0]), float64(i/side-at[1])
			densities[k][i] = math.Exp(-(x*x + y*y) / 2)
		}
	}
	share := 0.1
	epsilon := share * loaded.Report.Diagonal
	matrix, err := baseline.NewMatrixOf[float64](t.Context(), n, epsilon*epsilon, baseline.Options{}, func(dst []float64, i int) {
		for j, d := range shortest.From(g, int32(i)) {
			dst[j] = d * d
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	want, err := transport.FindBarycentre(t.Context(), matrix, epsilon*epsilon, densities, weights, transport.Options{Tolerance: 1e-10})
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range []job.KernelSpec{
		{Method: job.Exact, Function: "squared", Precision: job.Float64},
		{Method: job.Certified, Function: "squared", Delta: job.Fraction(0.001)},
	} {
		spec.Epsilon = job.Fraction(share)
		got := ask[*job.Barycentred](c, &job.Barycentre{KernelSpec: spec, Densities: slices.Concat(densities...), Weights: weights, Tolerance: 1e-10})
		off, at := 0.0, 0.0
		for i, p := range got.Density {
			off += math.Abs(p - want.Density[i])
			at += p * float64(i%side+i/side)
		}
		// The distances may be off by delta, and with them the square over epsilon^2 by 2 d delta/epsilon^2.
		most := 1e-7
		if spec.Method == job.Certified {
			most = 2 * float64(2*side) * got.Bound / (epsilon * epsilon)
		}
		if got.Status != job.Converged || got.Function != "squared" || !(off <= most) {
			t.Errorf("%s: %s, of %s, %g of the mass is elsewhere, at most %g", spec.Method, got.Status, got.Function, off, most)
		}
		if math.Abs(at-mean) > 0.5 {
			t.Errorf("%s: its mean has x + y = %.3g, not %g", spec.Method, at, mean)
		}
	}
}
