package transport_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/transport"
	"genussink/core/transport/coarse"
	"genussink/internal/race"
)

// Tiny graphs are solved at any epsilon that can be solved at all, most in a few iterations, whatever they begin with; the four
// vertices of a tetrahedron took 10,000, in vain.
func TestTinyGraphsConverge(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	complete := func(n int32) (edges []graph.Edge) {
		for i := range n {
			for j := range i {
				edges = append(edges, graph.Edge{U: i, V: j, Weight: 1})
			}
		}
		return edges
	}
	random := func(n int32, rng *rand.Rand) (edges []graph.Edge) {
		for i := int32(1); i < n; i++ {
			edges = append(edges, graph.Edge{U: i, V: i - 1, Weight: 0.1 + rng.Float64()}, graph.Edge{U: i, V: rng.Int32N(i), Weight: 0.1 + rng.Float64()})
		}
		return edges
	}
	var path, star []graph.Edge
	for i := range int32(6) {
		path = append(path, graph.Edge{U: i, V: i + 1, Weight: 1})
	}
	for i := range int32(30) {
		star = append(star, graph.Edge{U: 30, V: i, Weight: 1 + float64(i%3)})
	}
	rng := rand.New(rand.NewPCG(2, 2))
	for _, c := range []struct {
		name  string
		edges []graph.Edge
	}{
		{"tetrahedron", complete(4)}, {"path", path}, {"twelve at one distance", complete(12)}, {"star", star},
		{"random, 9", random(9, rng)}, {"random, 40", random(40, rng)}, {"random, 64", random(64, rng)},
	} {
		name, edges := c.name, c.edges
		n := 0
		for _, e := range edges {
			n = max(n, int(e.U)+1, int(e.V)+1)
		}
		g, err := graph.New(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		reach := 0.0
		for _, share := range []float64{1, 0.1, 0.03, 0.01, 1e-3, 1e-5, 0} {
			epsilon := share * reach
			if share == 0 {
				epsilon = transport.LeastEpsilon(reach, 0)
			}
			if reach == 0 {
				epsilon = 1
			}
			k, err := baseline.NewDense(t.Context(), g, epsilon, baseline.Options{})
			if err != nil {
				t.Fatal(err)
			}
			reach = -k.LogFloor() * epsilon
			standIn, err := coarse.New(t.Context(), g, func(ctx context.Context, v []int32) ([]float64, error) { return k.Among(ctx, v) })
			if err != nil {
				t.Fatal(err)
			}
			source, target := make([]float64, n), make([]float64, n)
			for i := range n { // almost the same: little mass is to move far
				source[i], target[i] = 1+0.1*rng.Float64(), 1+0.1*rng.Float64()
			}
			source[0] += total(target) - total(source)
			far := make([]float64, n) // all mass comes from one vertex
			far[0] = total(target)
			last, err := transport.Solve(t.Context(), transport.Problem{Kernel: k, Source: far, Target: target, Epsilon: epsilon}, transport.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range []transport.Options{{}, {Coarse: standIn}, {Last: last}, {LogU: last.LogU}} {
				r, err := transport.Solve(t.Context(), transport.Problem{Kernel: k, Source: source, Target: target, Epsilon: epsilon}, o)
				if err != nil {
					t.Fatal(err)
				}
				if r.Status != transport.Converged || r.Iterations > most || math.Abs(r.Gap) > 1e-6*reach {
					t.Errorf("%s at %.2g: %s after %d iterations, error %.2g, gap %.2g; at most %d", name, share, r.Status, r.Iterations, r.MarginalError, r.Gap, most)
				}
			}
		}
	}
}

// most of a default of 10,000.
const most = 2000

func total(a []float64) (sum float64) {
	for _, x := range a {
		sum += x
	}
	return sum
}

// If a vertex has next to no mass, rounding adds a large constant to Newton's step. The constant must not stay in the potentials. When it did, the primal
// value was below the optimum. The error of the divergence was 1e7 times the stated bound.
func TestTinyGraphsKeepTheirGauge(t *testing.T) {
	const epsilon = 1e-3
	var edges []graph.Edge
	for i := range int32(5) {
		for j := range i {
			edges = append(edges, graph.Edge{U: i, V: j, Weight: 1 + float64(i+j)/7})
		}
	}
	g, err := graph.New(5, edges)
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := baseline.NewDense(t.Context(), g, epsilon, baseline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		p := transport.Problem{Kernel: kernel, Epsilon: epsilon, Source: make([]float64, 5), Target: make([]float64, 5)}
		for v := range 5 {
			p.Source[v], p.Target[v] = 0.2, math.Pow(10, -14*rng.Float64())
		}
		total := 0.0
		for _, b := range p.Target {
			total += b
		}
		for v := range p.Target {
			p.Target[v] /= total
		}
		r, err := transport.Solve(t.Context(), p, transport.Options{Tolerance: 1e-9})
		if err != nil {
			t.Fatal(err)
		}
		if r.Gap < 0 || r.Gap > 1e-6 || r.Primal < r.Dual {
			t.Fatalf("%v: the gap is %g", p.Target, r.Gap)
		}
		for v := range 5 {
			if l := math.Abs(r.LogU[v]); l > 4/epsilon {
				t.Fatalf("%v: log u is %g, of costs of %g epsilon", p.Target, l, 2.1/epsilon)
			}
		}
		value, within, err := transport.Divergence(t.Context(), p, r, transport.Options{Tolerance: 1e-9})
		if err != nil {
			t.Fatal(err)
		}
		if !(value >= -within) {
			t.Fatalf("%v: the divergence is %g within %g", p.Target, value, within)
		}
	}
}
