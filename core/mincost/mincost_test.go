package mincost

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"genussink/core/graph"
	"genussink/core/internal/shared/corpus"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/measure"
	"genussink/core/measure/preset"
	"genussink/core/mesh/generate"
	"genussink/core/shortest"
)

//go:embed testdata/oracle.json
var oracle []byte // made by testdata/oracle.py, of POT and scipy

func TestAgainstOracle(t *testing.T) {
	var cases []struct {
		Name           string
		Vertices       int
		Edges          [][3]float64
		Source, Target []float64
		Cost           float64
	}
	if err := json.Unmarshal(oracle, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 6 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, c := range cases {
		var edges []graph.Edge
		for _, e := range c.Edges {
			edges = append(edges, graph.Edge{U: int32(e[0]), V: int32(e[1]), Weight: e[2]})
		}
		g, err := graph.New(c.Vertices, edges)
		if err != nil {
			t.Fatal(err)
		}
		o, err := Solve(context.Background(), g, c.Source, c.Target)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(o.Cost-c.Cost) > 1e-12*c.Cost {
			t.Errorf("%s: cost %.15g, not %.15g", c.Name, o.Cost, c.Cost)
		}
		certify(t, c.Name, g, c.Source, c.Target, o)
	}
}

// certify proves that a flow is the cheapest: it is one, and its potentials are slack where they may be and tight where it runs.
func certify(t *testing.T, name string, g *graph.Graph, source, target []float64, o *Optimum) {
	t.Helper()
	ma, mb := measure.Total(source), measure.Total(target)
	rest, length := make([]float64, g.Len()), map[[2]int32]float64{}
	longest := 0.0
	for v := range rest {
		rest[v] = source[v]/ma - target[v]/mb
		longest = max(longest, math.Abs(o.Potential[v]))
		to, lengths := g.Neighbours(int32(v))
		for k, u := range to {
			length[[2]int32{int32(v), u}] = lengths[k]
		}
	}
	for arc, l := range length {
		if over := o.Potential[arc[0]] - o.Potential[arc[1]] - l; over > 1e-11*longest {
			t.Errorf("%s: from %d to %d the potential falls by %g more than the length %g", name, arc[0], arc[1], over, l)
		}
	}
	cost := 0.0
	for _, arc := range o.Flow {
		l, ok := length[[2]int32{arc.From, arc.To}]
		if off := o.Potential[arc.From] - o.Potential[arc.To] - l; !ok || arc.Mass <= 0 || math.Abs(off) > 1e-13*longest {
			t.Errorf("%s: %g flows from %d to %d, whose potentials differ by %g more than the length %g", name, arc.Mass, arc.From, arc.To, off, l)
		}
		rest[arc.From] -= arc.Mass
		rest[arc.To] += arc.Mass
		cost += arc.Mass * l
	}
	for v, x := range rest {
		if math.Abs(x) > 1e-14 {
			t.Errorf("%s: %g is left at vertex %d", name, x, v)
		}
	}
	if math.Abs(cost-o.Cost) > 1e-13*longest || math.Abs(o.Dual-o.Cost) > 1e-12*longest {
		t.Errorf("%s: the flow costs %.15g, cost %.15g, dual %.15g", name, cost, o.Cost, o.Dual)
	}
}

// On every kind of mesh, several components, isolated vertices and edges of length 0 included.
func TestCorpus(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, m := range corpus.Meshes(t) {
		g, err := graph.FromMesh(m.Mesh)
		if err != nil {
			t.Fatal(err)
		}
		component, count := g.Components()
		a, b := make([]float64, g.Len()), make([]float64, g.Len())
		for v := range a {
			a[v], b[v] = 0.1+rng.Float64(), float64(rng.IntN(2))
		}
		if a, b, _, err = measure.Balance(a, b, component, count); err != nil {
			continue // not a vertex with mass of both
		}
		o, err := Solve(context.Background(), g, a, b)
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		certify(t, m.Name, g, a, b, o)
	}
}

// Equal masses on equal edges: most trees have edges without flow, and no tree may come twice.
func TestDegenerate(t *testing.T) {
	const side = 24
	var edges []graph.Edge
	for v := range int32(side * side) {
		if v%side < side-1 {
			edges = append(edges, graph.Edge{U: v, V: v + 1, Weight: float64(v % 2)})
		}
		if v < side*(side-1) {
			edges = append(edges, graph.Edge{U: v, V: v + side, Weight: 1})
		}
	}
	g, err := graph.New(side*side, edges)
	if err != nil {
		t.Fatal(err)
	}
	a, b := make([]float64, g.Len()), make([]float64, g.Len())
	for v := range a {
		a[v], b[v] = float64((v+v/side)%2), float64(v/side%2)
	}
	o, err := Solve(context.Background(), g, a, b)
	if err != nil {
		t.Fatal(err)
	}
	certify(t, "chessboard", g, a, b, o)
}

// Between two vertices the cost is the distance and the flow a path; from a density to itself nothing moves.
func TestSimpleOptima(t *testing.T) {
	g := torus(t, 40, 25)
	a, b := make([]float64, g.Len()), make([]float64, g.Len())
	a[3], b[777] = 2, 5
	o, err := Solve(context.Background(), g, a, b)
	if err != nil {
		t.Fatal(err)
	}
	if d := shortest.From(g, 3)[777]; math.Abs(o.Cost-d) > 1e-12*d {
		t.Errorf("cost %.15g, distance %.15g", o.Cost, d)
	}
	certify(t, "two vertices", g, a, b, o)
	if o, err = Solve(context.Background(), g, b, b); err != nil || o.Cost != 0 || len(o.Flow) != 0 {
		t.Errorf("to itself: %v, %v", o, err)
	}
}

func torus(t testing.TB, segments, sides float64) *graph.Graph {
	t.Helper()
	_, g := genmesh.Make(t, "torus", map[string]float64{"segments": segments, "sides": sides})
	return g
}

// ending is a context that ends once it has been asked a number of times.
type ending struct {
	context.Context
	left int
}

func (c *ending) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestErrors(t *testing.T) {
	g := torus(t, 40, 25)
	n := g.Len()
	one := make([]float64, n)
	for v := range one {
		one[v] = float64(v * v % 7)
	}
	other := make([]float64, n)
	other[5] = 1
	if o, err := Solve(&ending{context.Background(), 2}, g, one, other); !errors.Is(err, context.Canceled) || o != nil {
		t.Errorf("cancelled: %v, %v", o, err)
	}
	bad := make([]float64, n)
	bad[2] = math.NaN()
	if _, err := Solve(context.Background(), g, bad, one); err == nil || !strings.Contains(err.Error(), "source") {
		t.Errorf("NaN: %v", err)
	}
	if _, err := Solve(context.Background(), g, one, one[1:]); err == nil || !strings.Contains(err.Error(), "target") {
		t.Errorf("too short: %v", err)
	}
	apart, err := graph.New(4, []graph.Edge{{U: 0, V: 1, Weight: 1}, {U: 2, V: 3, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	var unequal *measure.UnequalError
	if _, err := Solve(context.Background(), apart, []float64{1, 0, 0, 0}, []float64{0, 0, 0, 1}); !errors.As(err, &unequal) {
		t.Errorf("two components: %v", err)
	}
	empty, err := graph.New(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if o, err := Solve(context.Background(), empty, nil, nil); err != nil || o.Cost != 0 {
		t.Errorf("no vertices: %v, %v", o, err)
	}
}

func BenchmarkSolve(b *testing.B) {
	for _, side := range []float64{70, 100, 150, 300} {
		m, err := generate.Make("torus", map[string]float64{"segments": side, "sides": side})
		if err != nil {
			b.Fatal(err)
		}
		g, err := graph.FromMesh(m)
		if err != nil {
			b.Fatal(err)
		}
		pair, err := preset.ByName("paper", "", m, g, preset.Floor)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(g.Len()), func(b *testing.B) {
			for b.Loop() {
				o, err := Solve(context.Background(), g, pair.Source, pair.Target)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(o.Iterations), "pivots")
			}
		})
	}
}
