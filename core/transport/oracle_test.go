package transport

import (
	_ "embed"
	"encoding/json"
	"math"
	"testing"

	"genussink/core/graph"
	"genussink/core/measure"
)

//go:embed testdata/oracle.json
var oracle []byte // made by testdata/oracle.py, which POT agrees with

// oracleCase is a problem, densities of total 1, and what solves it.
type oracleCase struct {
	Name           string
	Vertices       int
	Edges          [][3]float64
	Source, Target []float64
	Epsilon        float64
	Cost, Dual     float64
	graph          *graph.Graph
}

func oracleCases(t *testing.T) (cases []oracleCase) {
	t.Helper()
	if err := json.Unmarshal(oracle, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 8 {
		t.Fatalf("%d cases", len(cases))
	}
	for i := range cases {
		c := &cases[i]
		var edges []graph.Edge
		for _, e := range c.Edges {
			edges = append(edges, graph.Edge{U: int32(e[0]), V: int32(e[1]), Weight: e[2]})
		}
		var err error
		if c.graph, err = graph.New(c.Vertices, edges); err != nil {
			t.Fatal(err)
		}
		measure.Normalise(c.Source)
		measure.Normalise(c.Target)
	}
	return cases
}

//go:embed testdata/others.json
var others []byte // made by testdata/others.py, by POT

// otherCase is what other problems with the densities of an oracleCase come to.
type otherCase struct {
	Unbalanced []struct{ Reach, Cost, Primal, Moved float64 }
	Divergence float64
	Barycentre []float64
	Squared    []float64 // the barycentre of squared distance
}

// otherCases are those of oracleCases, in that order.
func otherCases(t *testing.T) (cases []otherCase) {
	t.Helper()
	if err := json.Unmarshal(others, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 8 {
		t.Fatalf("%d cases", len(cases))
	}
	return cases
}

func TestSolveAgainstOracle(t *testing.T) {
	for _, c := range oracleCases(t) {
		a, b := c.Source, c.Target
		// POT's value leaves out the entropies of the marginals.
		constant := -c.Epsilon * (inner(a, logs(a)) + inner(b, logs(b)))
		for name, p := range map[string]Problem{
			Scaling: {dense(t, c.graph, c.Epsilon), a, b, c.Epsilon},
			Log:     {lowered{dense(t, c.graph, c.Epsilon)}, a, b, c.Epsilon},
		} {
			r := solve(t, p, Options{Tolerance: 1e-12})
			if r.Form != name || r.Status != Converged || !near(r.Cost/c.Cost, 1, 1e-9) || math.Abs(r.Dual-c.Dual-constant) > 1e-9*math.Abs(c.Dual) {
				t.Errorf("%s, eps=%g, %s %s: cost %.15g, dual %.15g, not %.15g and %.15g", c.Name, c.Epsilon, r.Form, r.Status, r.Cost, r.Dual, c.Cost, c.Dual+constant)
			}
		}
	}
}

func logs(a []float64) []float64 {
	out := make([]float64, len(a))
	for i, x := range a {
		out[i] = math.Log(x)
	}
	return out
}

// inner is the sum of a_i x_i over the a_i that are not 0: 0 log 0 is 0.
func inner(a, x []float64) float64 {
	total := 0.0
	for i, m := range a {
		if m != 0 {
			total += m * x[i]
		}
	}
	return total
}
