package engine_test

import (
	"fmt"
	"math"
	"testing"

	"genussink/core/engine"
	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/core/mesh"
	"genussink/internal/race"
)

// leastCost is the unregularised optimum on a connected graph: mass flows along its edges, from
// where a-b is positive to where it is negative, by successive shortest paths.
// The potentials that end it prove it: they are checked.
func leastCost(t *testing.T, g *graph.Graph, a, b []float64) float64 {
	t.Helper()
	n := g.Len()
	back := make([]int32, len(g.Targets)) // of every arc the one back
	at := map[[2]int32]int32{}
	for v := range int32(n) {
		for k := g.Offsets[v]; k < g.Offsets[v+1]; k++ {
			at[[2]int32{v, g.Targets[k]}] = k
		}
	}
	for arc, k := range at {
		back[k] = at[[2]int32{arc[1], arc[0]}]
	}
	flow, supply, h := make([]float64, len(g.Targets)), make([]float64, n), make([]float64, n)
	left, last := 0.0, 0.0
	for i := range supply {
		supply[i] = a[i] - b[i]
		left += max(0, supply[i])
	}
	const dust = 1e-15
	for left > 1e-13 {
		// Dijkstra with reduced costs from all that is left to send, without a heap.
		d, before, by, done := make([]float64, n), make([]int32, n), make([]int32, n), make([]bool, n)
		for v := range d {
			d[v], before[v] = math.Inf(1), -1
			if supply[v] > dust {
				d[v] = max(0, -h[v]) // from a vertex before all sources, whose potential is 0
			}
		}
		end := int32(-1)
		for {
			v := int32(-1)
			for w := range int32(n) {
				if !done[w] && d[w] < math.Inf(1) && (v < 0 || d[w] < d[v]) {
					v = w
				}
			}
			if v < 0 {
				break
			}
			done[v] = true
			if supply[v] < -dust && (end < 0 || d[v]+h[v] < d[end]+h[end]) {
				end = v
			}
			for k := g.Offsets[v]; k < g.Offsets[v+1]; k++ {
				w := g.Targets[k]
				cost := g.Weights[k]
				if flow[back[k]] > dust { // taking back what flows the other way
					cost = -g.Weights[k]
				}
				if x := d[v] + max(0, cost+h[v]-h[w]); x < d[w] {
					d[w], before[w], by[w] = x, v, k
				}
			}
		}
		if end < 0 {
			break
		}
		reached := max(0, d[end]+h[end]-last) // the vertex behind all sinks
		last += reached
		for v := range h {
			h[v] += min(d[v], reached)
		}
		send := -supply[end]
		start := end
		for v := end; before[v] >= 0; v = before[v] {
			if r := flow[back[by[v]]]; r > dust {
				send = min(send, r)
			}
			start = before[v]
		}
		send = min(send, supply[start])
		for v := end; before[v] >= 0; v = before[v] {
			if r := &flow[back[by[v]]]; *r > dust {
				*r -= send
			} else {
				flow[by[v]] += send
			}
		}
		supply[start] -= send
		supply[end] += send
		left -= send
	}
	cost, proof := 0.0, 0.0
	for k, f := range flow {
		cost += f * g.Weights[k]
	}
	for i := range h {
		proof -= (a[i] - b[i]) * h[i]
		for k := g.Offsets[i]; k < g.Offsets[i+1]; k++ {
			if h[g.Targets[k]]-h[i] > g.Weights[k]*(1+1e-9) {
				t.Fatalf("the oracle's potential is steeper than 1 along an edge")
			}
		}
	}
	if relative(cost, proof) > 1e-9 {
		t.Fatalf("the oracle costs %.15g and proves %.15g", cost, proof)
	}
	return cost
}

// meshGraph is the graph of a Loaded with faces.
func meshGraph(t *testing.T, l *job.Loaded) *graph.Graph {
	t.Helper()
	m := &mesh.Mesh{}
	for i := 0; i < len(l.Positions); i += 3 {
		m.Positions = append(m.Positions, [3]float64(l.Positions[i:]))
	}
	for i := 0; i < len(l.Faces); i += 3 {
		m.Faces = append(m.Faces, [3]int32(l.Faces[i:]))
	}
	g, err := graph.FromMesh(m)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The figures of a cost are in order, whatever the method, delta and epsilon: the lower bound is at most
// the unregularised optimum on true distances, which methods of exact distances cannot cost less than; the
// entropic dual is at most the primal, the gap apart, and both are at least the transport cost of the plan where the
// distances are the method's own. What was not proved has no value.
func TestFiguresOfTheCost(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	epsilons := []float64{1, 0.2, 0.03, 0.002}
	if testing.Short() {
		epsilons = []float64{0.2, 0.01}
	}
	for name, body := range meshes() {
		t.Run(name, func(t *testing.T) {
			if name != "torus" && name != "with boundary" {
				shared.Long(t)
			}
			c := newClient(t, engine.Options{})
			l, d := c.open(body)
			least := leastCost(t, meshGraph(t, l), d.Source, d.Target)
			length := l.Report.Diagonal
			for _, epsilon := range epsilons {
				for _, m := range []struct {
					method, precision string
					delta             float64
				}{
					{"dense", "", 0}, {"exact", "", 0}, {"exact", "float64", 0}, {"tree", "", 0},
					{"certified", "", 0.003}, {"certified", "", 0.1}, {"embedded", "", 0.01}, {"embedded", "", 0.1}, {"sampled", "", 0},
				} {
					s := ask[*job.Solved](c, &job.Solve{
						Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Method: m.method, Precision: m.precision, Delta: job.Fraction(m.delta)}, MaxIterations: 2000,
					})
					what := fmt.Sprintf("%s %s, delta %g, epsilon %g", m.method, m.precision, m.delta, epsilon)
					if !(s.LowerBound >= 0 && s.LowerBound <= least*(1+1e-12)) {
						t.Errorf("%s: lower bound %.15g of an optimum of %.15g", what, s.LowerBound, least)
					}
					if epsilon <= 0.01 && m.delta <= 0.01 && m.method != job.Sampled && s.LowerBound < 0.95*least {
						t.Errorf("%s: a lower bound of %g says little of an optimum of %g", what, s.LowerBound, least)
					}
					if s.Status != "converged" {
						continue
					}
					if relative(s.Primal-s.Dual, s.Gap) > 1e-6 && math.Abs(s.Primal-s.Dual-s.Gap) > 1e-13*length || s.Gap < -1e-12*length ||
						s.Dual < 0 || s.Primal < s.Cost-1e-9*length {
						t.Errorf("%s: cost %g, primal %g, dual %g, gap %g", what, s.Cost, s.Primal, s.Dual, s.Gap)
					}
					if s.Bound == 0 && !(s.Cost >= least*(1-1e-7)) {
						t.Errorf("%s: cost %g of an optimum of %g", what, s.Cost, least)
					}
					if known := !math.IsNaN(s.Delta); known != (m.delta > 0) || math.IsNaN(s.Bound) != (m.method == job.Sampled) || known && s.Bound > s.Delta*(1+1e-12) {
						t.Errorf("%s: delta %g, bound %g", what, s.Delta, s.Bound)
					}
				}
			}
		})
	}
}
