package shortest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"genussink/core/graph"
)

// TestStepper compares a Stepper's distances with a Solver's, bit by bit: on graphs whose edges are alike, of very different lengths, of
// none, and on one that is not connected, from sources with offsets.
func TestStepper(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	lengths := map[string]func() float64{
		"alike":     func() float64 { return 1 },
		"random":    rng.Float64,
		"different": func() float64 { return math.Exp(40 * rng.NormFloat64()) },
		"tiny":      func() float64 { return math.SmallestNonzeroFloat64 },
	}
	var s Stepper
	for name, length := range lengths {
		for _, edges := range []int{0, 150, 1500} {
			const n = 400
			var list []graph.Edge
			for range edges {
				u, v := rng.Int32N(n), rng.Int32N(n)
				if u != v {
					list = append(list, graph.Edge{U: u, V: v, Weight: length()})
				}
			}
			g, err := graph.New(n, list)
			if err != nil {
				t.Fatal(err)
			}
			s.Turn(g)
			solver, got := NewSolver(g), make([]float64, n)
			for range 20 {
				sources := []int32{rng.Int32N(n), rng.Int32N(n), rng.Int32N(n)}
				offsets := []float64{0, rng.Float64(), math.Inf(1)}
				s.Seeded(got, sources, offsets)
				for v, want := range solver.Seeded(nil, sources, offsets) {
					if got[v] != want {
						t.Fatalf("%s, %d edges: vertex %d at %v, not %v", name, edges, v, got[v], want)
					}
				}
			}
		}
	}
}

// Given lengths of paths through another vertex, Lower finds the distances but for NoShorter. What lies behind that vertex it leaves alone.
func TestLower(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for name, length := range map[string]func() float64{"alike": func() float64 { return 1 }, "random": rng.Float64} {
		const side = 30
		var list []graph.Edge
		for i := range int32(side * side) {
			if i%side+1 < side {
				list = append(list, graph.Edge{U: i, V: i + 1, Weight: length()})
			}
			if i+side < side*side {
				list = append(list, graph.Edge{U: i, V: i + side, Weight: length()})
			}
		}
		g, err := graph.New(side*side+1, list) // the last vertex is out of reach
		if err != nil {
			t.Fatal(err)
		}
		var s Stepper
		s.Turn(g)
		solver := NewSolver(g)
		for range 20 {
			source, other := rng.Int32N(side*side), rng.Int32N(side*side)
			bounds := solver.Distances(nil, other)
			apart := bounds[source]
			for v := range bounds {
				bounds[v] += apart
			}
			got := slices.Clone(bounds)
			s.Lower(got, []int32{source}, []float64{0})
			for v, want := range solver.Distances(nil, source) {
				if !(math.Abs(got[v]-want) <= side*side*NoShorter*want) && got[v] != want {
					t.Fatalf("%s: vertex %d is at %v from %d, not %v", name, v, got[v], source, want)
				}
				if bounds[v] <= want*(1+NoShorter/2) && got[v] != bounds[v] {
					t.Fatalf("%s: vertex %d, behind %d, was visited: %v, %v before", name, v, other, got[v], bounds[v])
				}
			}
		}
	}
}

// On a path whose vertices have long edges to its begin, all in one bucket, every round brings all of them nearer. A Solver takes over.
func TestStepperGivesUp(t *testing.T) {
	var list []graph.Edge
	const n = 60
	for i := int32(1); i < n; i++ {
		list = append(list, graph.Edge{U: i - 1, V: i, Weight: 1}, graph.Edge{U: 0, V: i, Weight: 2 * float64(i)})
	}
	list = append(list, graph.Edge{U: 0, V: n, Weight: 1e6})
	g, err := graph.New(n+1, list)
	if err != nil {
		t.Fatal(err)
	}
	var s Stepper
	for _, run := range []func(dst []float64, sources []int32, offsets []float64){s.Seeded, s.Lower} {
		s.Turn(g)
		got := slices.Repeat([]float64{math.Inf(1)}, n+1)
		run(got, []int32{0}, []float64{0})
		for v, want := range NewSolver(g).Distances(nil, 0) {
			if got[v] != want {
				t.Errorf("vertex %d at %v, not %v", v, got[v], want)
			}
		}
		if s.solver == nil {
			t.Error("no solver has taken over")
		}
	}
}
