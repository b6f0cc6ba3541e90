package transport

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/linop"
	"genussink/core/measure"
	"genussink/core/mesh"
	"genussink/core/shortest"
	"genussink/internal/race"
)

// Barycentres of three densities are POT's, in both forms, of the distance and of its square.
func TestBarycentreAgainstOracle(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	cases, want := oracleCases(t), otherCases(t)
	for k, c := range cases {
		third := make([]float64, c.Vertices)
		for i := range third {
			third[i] = (c.Source[i]+c.Target[i])/4 + 0.5/float64(c.Vertices)
		}
		densities := [][]float64{c.Source, c.Target, third}
		check := func(what string, of linop.Kernel, epsilon float64, want []float64) {
			b, err := FindBarycentre(context.Background(), of, epsilon, densities, []float64{5, 3, 2}, Options{Tolerance: 1e-11})
			if err != nil {
				t.Fatal(err)
			}
			off := 0.0
			for i, x := range b.Density {
				off += math.Abs(x - want[i])
			}
			if b.Status != Converged || off > 1e-8 {
				t.Errorf("%s, epsilon %g, %s: %s after %d iterations, %g of the mass elsewhere than POT's", c.Name, c.Epsilon, what, b.Status, b.Iterations, off)
			}
		}
		kernel := dense(t, c.graph, c.Epsilon)
		check("scaling", kernel, c.Epsilon, want[k].Barycentre)
		if c.Epsilon >= 2 { // otherwise hundreds of slow products
			check("log", lowered{kernel}, c.Epsilon, want[k].Barycentre)
		}
		longest, rows := 0.0, make([][]float64, c.Vertices)
		for i := range rows {
			rows[i] = shortest.From(c.graph, int32(i))
			longest = max(longest, slices.Max(rows[i]))
		}
		squared, err := baseline.NewMatrixOf[float64](t.Context(), c.Vertices, c.Epsilon*longest, baseline.Options{}, func(dst []float64, i int) {
			for j, d := range rows[i] {
				dst[j] = d * d
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		check("squared", squared, c.Epsilon*longest, want[k].Squared)
	}
}

// The barycentre of one density is where it goes most cheaply; weights count in proportion; densities in different components, bad weights and a
// cancelled context are errors.
func TestBarycentreAtTheEdges(t *testing.T) {
	ctx := context.Background()
	g, err := graph.New(5, []graph.Edge{{U: 0, V: 1, Weight: 1}, {U: 1, V: 2, Weight: 1}, {U: 3, V: 4, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	k := dense(t, g, 0.05)
	find := func(weights []float64, densities ...[]float64) (*Barycentre, error) {
		return FindBarycentre(ctx, k, 0.05, densities, weights, Options{})
	}
	left, middle, right, apart := []float64{1, 0, 0, 0, 0}, []float64{0, 2, 0, 0, 0}, []float64{0, 0, 3, 0, 0}, []float64{0, 0, 0, 1, 0}
	b, err := find([]float64{1, 1, 1}, left, middle, right)
	if err != nil || !(b.Density[1] > 0.99) || !near(b.Costs[0], 1, 1e-2) || !near(b.Costs[2], 1, 1e-2) {
		t.Errorf("between three: %+v, %v", b, err)
	}
	most, err := find([]float64{6, 2, 2}, left, middle, right)
	if large, err := find([]float64{1.2e308, 4e307, 4e307}, left, middle, right); err != nil || !slices.EqualFunc(large.Density, most.Density, func(x, y float64) bool { return near(x, y, 1e-12) }) {
		t.Errorf("weights of a total above all float64s: %+v, %v; want %+v", large, err, most)
	}
	if err != nil || !(most.Density[0] > 0.95) {
		t.Errorf("with most of the weight at the left: %+v, %v", most, err)
	}
	if _, err := find([]float64{1, 1}, left, apart); err == nil {
		t.Error("a barycentre between components")
	}
	for _, weights := range [][]float64{{1}, {1, 0}, {1, -1}, {1, math.NaN()}, {1, math.Inf(1)}} {
		if _, err := find(weights, left, right); err == nil {
			t.Errorf("weights %v are taken", weights)
		}
	}
	if _, err := find(nil); err == nil {
		t.Error("a barycentre of nothing")
	}
	if _, err := find([]float64{1, 1}, left, make([]float64, 5)); err == nil {
		t.Error("a density without mass is taken")
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := FindBarycentre(gone, k, 0.05, [][]float64{left, right}, []float64{1, 1}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// paintings are three densities of total 1. Each is a dab of the brush, whose radius is a share of the mesh's diagonal, and a little
// mass everywhere else. The dabs lie far apart.
func paintings(m *mesh.Mesh, g *graph.Graph, share float64) [][]float64 {
	far := make([]float64, g.Len())
	for i := range far {
		far[i] = math.Inf(1)
	}
	centre, out := int32(0), make([][]float64, 3)
	for k := range out {
		out[k] = make([]float64, g.Len())
		from := shortest.From(g, centre)
		for i, d := range from {
			near := max(0, 1-math.Pow(d/(share*m.Diagonal()), 2))
			out[k][i] = 1e-3 + near*near
			far[i] = min(far[i], d)
		}
		out[k] = measure.Normalise(out[k])
		for i, d := range far {
			if d > far[centre] {
				centre = int32(i)
			}
		}
	}
	return out
}

// The barycentre of three paintings takes less than ten times the products of a solve between two of them, with much blur and with little, of the distance, where
// a solve has the coarse graph, and of its square. Without acceleration it takes 14 times and 32 times at the small epsilon.
func TestBarycentreTakesFewSolves(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	m, g := genmesh.Make(t, "torus", map[string]float64{"segments": 40, "sides": 16})
	rows := make([][]float64, g.Len())
	for i := range rows {
		rows[i] = shortest.From(g, int32(i))
	}
	densities := paintings(m, g, 0.15)
	for _, share := range []float64{0.05, 0.2} {
		epsilon := share * m.Diagonal()
		plain := dense(t, g, epsilon)
		squared, err := baseline.NewMatrixOf[float64](t.Context(), g.Len(), epsilon*epsilon, baseline.Options{}, func(dst []float64, i int) {
			for j, d := range rows[i] {
				dst[j] = d * d
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			what    string
			kernel  linop.Kernel
			epsilon float64
			o       Options
		}{{"distance", plain, epsilon, Options{Coarse: standIn(t, g)}}, {"squared", squared, epsilon * epsilon, Options{}}} {
			k := &tally{Kernel: c.kernel}
			solve(t, Problem{k, densities[0], densities[1], c.epsilon}, c.o)
			once := k.products + k.plans // of both scalings
			k.products, k.plans = 0, 0
			b, err := FindBarycentre(t.Context(), k, c.epsilon, densities, []float64{1, 1, 1}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			products := k.products + 2*len(densities) // the costs
			if b.Status != Converged || products >= 10*once {
				t.Errorf("%s, epsilon of %g diagonals: %s after %d products, a solve takes %d", c.what, share, b.Status, products, once)
			}
		}
	}
}
