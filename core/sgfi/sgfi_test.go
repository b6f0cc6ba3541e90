package sgfi

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/linop/linoptest"
	"genussink/core/shortest"
	"genussink/internal/race"
)

// A subject is a graph of the classified set.
type subject struct {
	name      string
	g         *graph.Graph
	positions [][3]float64
}

func newGraph(t testing.TB, n int, edges []graph.Edge) *graph.Graph {
	t.Helper()
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// grid is a w x h triangulated grid, its sides joined where asked; every
// length is drawn by weight.
func grid(t testing.TB, w, h int, joinX, joinY bool, weight func() float64) *graph.Graph {
	var edges []graph.Edge
	for y := range h {
		for x := range w {
			for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}} {
				u, v := x+d[0], y+d[1]
				if u >= w && !joinX || v >= h && !joinY {
					continue
				}
				edges = append(edges, graph.Edge{U: int32(y*w + x), V: int32(v%h*w + u%w), Weight: weight()})
			}
		}
	}
	return newGraph(t, w*h, edges)
}

// icosphere is an icosahedron whose faces were cut in four a few times, on a
// bumpy sphere.
func icosphere(t testing.TB, cuts int) subject {
	phi := (1 + math.Sqrt(5)) / 2
	positions := [][3]float64{{-1, phi, 0}, {1, phi, 0}, {-1, -phi, 0}, {1, -phi, 0}, {0, -1, phi}, {0, 1, phi},
		{0, -1, -phi}, {0, 1, -phi}, {phi, 0, -1}, {phi, 0, 1}, {-phi, 0, -1}, {-phi, 0, 1}}
	faces := [][3]int32{{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
		{3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9}, {4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1}}
	for range cuts {
		middle := map[[2]int32]int32{}
		mid := func(a, b int32) int32 {
			key := [2]int32{min(a, b), max(a, b)}
			if m, ok := middle[key]; ok {
				return m
			}
			p, q := positions[a], positions[b]
			positions = append(positions, [3]float64{(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2})
			middle[key] = int32(len(positions) - 1)
			return middle[key]
		}
		var cut [][3]int32
		for _, f := range faces {
			a, b, c := mid(f[0], f[1]), mid(f[1], f[2]), mid(f[2], f[0])
			cut = append(cut, [3]int32{f[0], a, c}, [3]int32{f[1], b, a}, [3]int32{f[2], c, b}, [3]int32{a, b, c})
		}
		faces = cut
	}
	for v, p := range positions {
		r := math.Sqrt(p[0]*p[0] + p[1]*p[1] + p[2]*p[2])
		bump := 1 + 0.1*math.Sin(3*p[0]/r+1)*math.Cos(4*p[1]/r) + 0.05*math.Sin(7*p[2]/r)
		for c := range 3 {
			positions[v][c] = p[c] / r * bump
		}
	}
	var edges []graph.Edge
	for _, f := range faces {
		for c := range 3 {
			u, v := f[c], f[(c+1)%3]
			if u < v {
				p, q := positions[u], positions[v]
				edges = append(edges, graph.Edge{U: u, V: v, Weight: math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))})
			}
		}
	}
	return subject{fmt.Sprintf("icosphere %d", len(positions)), newGraph(t, len(positions), edges), positions}
}

func union(t testing.TB, parts ...*graph.Graph) *graph.Graph {
	var edges []graph.Edge
	n := 0
	for _, g := range parts {
		for v := range int32(g.Len()) {
			to, w := g.Neighbours(v)
			for k, u := range to {
				edges = append(edges, graph.Edge{U: int32(n) + v, V: int32(n) + u, Weight: w[k]})
			}
		}
		n += g.Len()
	}
	return newGraph(t, n, edges)
}

func path(t testing.TB, n int, weight func() float64) *graph.Graph {
	var edges []graph.Edge
	for v := 1; v < n; v++ {
		edges = append(edges, graph.Edge{U: int32(v - 1), V: int32(v), Weight: weight()})
	}
	return newGraph(t, n, edges)
}

func tree(t testing.TB, n int, rng *rand.Rand) *graph.Graph {
	var edges []graph.Edge
	for v := 1; v < n; v++ {
		edges = append(edges, graph.Edge{U: int32(rng.IntN(v)), V: int32(v), Weight: rng.Float64()})
	}
	return newGraph(t, n, edges)
}

func clique(t testing.TB, n int, weight func() float64) *graph.Graph {
	var edges []graph.Edge
	for v := range n {
		for u := range v {
			edges = append(edges, graph.Edge{U: int32(u), V: int32(v), Weight: weight()})
		}
	}
	return newGraph(t, n, edges)
}

// handles is a chain of k grids joined by bridges of the given width: small
// separators between pieces that are worth splitting.
func handles(t testing.TB, k, size, width int, weight func() float64) *graph.Graph {
	parts := make([]*graph.Graph, k)
	for i := range parts {
		parts[i] = grid(t, size, size, false, false, weight)
	}
	g := union(t, parts...)
	var edges []graph.Edge
	for v := range int32(g.Len()) {
		to, w := g.Neighbours(v)
		for i, u := range to {
			edges = append(edges, graph.Edge{U: v, V: u, Weight: w[i]})
		}
	}
	for i := range k - 1 {
		for b := range width {
			at := b * (size - 1) / max(1, width-1)
			edges = append(edges, graph.Edge{
				U: int32(i*size*size + at*size + size - 1), V: int32((i+1)*size*size + at*size), Weight: weight()})
		}
	}
	return newGraph(t, g.Len(), edges)
}

// classified is the set that exactness is tested on.
func classified(t testing.TB) []subject {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() float64 { return 0.5 + rng.Float64() }
	unit := func() float64 { return 1 }
	halves := func() float64 { return float64(rng.IntN(3)) / 2 } // ties, and zero lengths
	zero := func() float64 { return 0 }
	s := func(name string, g *graph.Graph) subject { return subject{name: name, g: g} }
	return []subject{
		s("nothing", newGraph(t, 0, nil)),
		s("one vertex", newGraph(t, 1, nil)),
		s("two apart", newGraph(t, 2, nil)),
		s("one edge", path(t, 2, random)),
		s("isolated vertices", newGraph(t, 120, nil)),
		icosphere(t, 3),
		s("boundary", grid(t, 15, 17, false, false, random)),
		s("unit grid", grid(t, 14, 18, false, false, unit)),
		s("cylinder", grid(t, 16, 14, true, false, random)),
		s("torus", grid(t, 15, 16, true, true, random)),
		s("unit torus", grid(t, 15, 15, true, true, unit)),
		s("ties and zero lengths", grid(t, 14, 16, true, false, halves)),
		s("all lengths zero", grid(t, 12, 13, false, false, zero)),
		s("components", union(t, grid(t, 10, 12, false, false, random), newGraph(t, 1, nil), grid(t, 7, 20, true, true, unit), path(t, 40, random))),
		s("many components", union(t, grid(t, 9, 9, false, false, random), grid(t, 9, 9, false, false, random), grid(t, 9, 9, false, false, halves), newGraph(t, 50, nil))),
		s("path", path(t, 300, random)),
		s("unit path", path(t, 233, unit)),
		s("tree", tree(t, 300, rng)),
		s("clique", clique(t, 70, random)),
		s("unit clique", clique(t, 70, unit)),
		s("one bridge", handles(t, 3, 10, 1, random)),
		s("two bridges", handles(t, 3, 10, 2, random)),
		s("three unit bridges", handles(t, 3, 10, 3, unit)),
		s("four bridges", handles(t, 2, 15, 4, halves)),
	}
}

func build(t testing.TB, g *graph.Graph, o Options) *Tree {
	t.Helper()
	tree, err := Build(context.Background(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func oracle(t testing.TB, g *graph.Graph, epsilon float64) *baseline.Dense {
	t.Helper()
	d, err := baseline.NewDense(context.Background(), g, epsilon, baseline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// masses is a positive vector with some zeros.
func masses(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 0))
	x := make([]float64, n)
	for i := range x {
		if rng.IntN(5) > 0 {
			x[i] = rng.Float64()
		}
	}
	return x
}

// near fails unless got is want to the relative tolerance everywhere.
func near(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] && !(math.Abs(got[i]-want[i]) <= tolerance*math.Abs(want[i])) {
			t.Fatalf("%s: at %d %v, want %v (relative error %g)", what, i, got[i], want[i], math.Abs(got[i]/want[i]-1))
		}
	}
}

func options(s subject) []Options {
	return []Options{
		{LeafSize: 8, Positions: s.positions},
		{Finder: "level-set", LeafSize: 20},
		{Depth: 1, LeafSize: 1},
	}
}

// TestKernelEqualsDense holds the kernel, and the paper's Algorithm 1, against
// all pairs' Dijkstra for an ordinary kernel, a nearly constant one, and one
// that float64 cannot hold.
func TestKernelEqualsDense(t *testing.T) {
	race.Alone(t)
	for _, s := range classified(t) {
		n := s.g.Len()
		x, y := masses(n, 7), logs(n, 8)
		all := oracle(t, s.g, 1)
		for o, options := range options(s) {
			tree := build(t, s.g, options)
			for _, share := range []float64{0.1, 1e5, 1e-3} {
				t.Run(fmt.Sprintf("%s/%d/%g", s.name, o, share), func(t *testing.T) {
					epsilon := share * max(tree.Diameter(), 1e-9)
					product, sum, cost := make([]float64, n), make([]float64, n), 0.0
					for i := range n {
						for j := range n {
							d := all.Distance(i, j)
							e := math.Exp(-d / epsilon)
							product[i] += e * x[j]
							sum[i] += math.Exp(y[j] - d/epsilon)
							if e > 0 {
								cost += math.Exp(y[i]-d/epsilon+y[j]) * d
							}
						}
					}
					k := kernel(t, tree, epsilon, KernelOptions{})
					near(t, "MulVec", linoptest.Must(t, k).MulVec(nil, x), product, 1e-12)
					near(t, "LogMulVec", exp(linoptest.Must(t, k).LogMulVec(nil, y)), sum, 3e-12)
					near(t, "PlanCost", []float64{linoptest.Must(t, k).PlanCost(y, y)}, []float64{cost}, 1e-11)
					if share == 0.1 && o == 0 {
						f := func(d float64) float64 { return math.Exp(-d / epsilon) }
						integrate := func(ctx context.Context) ([]float64, error) { return tree.Integrate(ctx, nil, x, f) }
						near(t, "Integrate", linoptest.Value(integrate(t.Context()))(t), product, 1e-12)
						linoptest.GivenUp(t, linoptest.Slice("Integrate", integrate))
					}
				})
			}
		}
	}
}

func logs(n int, seed uint64) []float64 {
	x := masses(n, seed)
	for i := range x {
		x[i] = math.Log(x[i])
	}
	return x
}

func exp(x []float64) []float64 {
	for i := range x {
		x[i] = math.Exp(x[i])
	}
	return x
}

func TestDistancesInsideEveryNodeAreTheGraphs(t *testing.T) {
	race.Alone(t)
	for _, s := range classified(t) {
		all := oracle(t, s.g, 1)
		for o, options := range options(s) {
			t.Run(fmt.Sprintf("%s/%d", s.name, o), func(t *testing.T) {
				tree := build(t, s.g, options)
				var walk func(n *Node)
				walk = func(n *Node) {
					if n.Explicit != nil {
						for i, v := range n.LeftIDs {
							want := make([]float64, len(n.LeftIDs))
							for j, u := range n.LeftIDs {
								want[j] = all.Distance(int(v), int(u))
							}
							near(t, "in a leaf", shortest.From(n.Explicit, int32(i)), want, 1e-13)
						}
						return
					}
					sep := len(n.SepIDs)
					for k, v := range n.SepIDs {
						for i, u := range n.LeftIDs {
							near(t, "LeftDist", n.LeftDist[i*sep+k:][:1], []float64{all.Distance(int(u), int(v))}, 1e-13)
						}
						for i, u := range n.RightIDs {
							near(t, "RightDist", n.RightDist[i*sep+k:][:1], []float64{all.Distance(int(u), int(v))}, 1e-13)
						}
						for i, u := range n.SepIDs {
							near(t, "SepDist", n.SepDist[i*sep+k:][:1], []float64{all.Distance(int(u), int(v))}, 1e-13)
						}
					}
					walk(n.Left)
					walk(n.Right)
				}
				walk(tree.Root)
				if err := tree.Root.covers(slices.Sorted(slices.Values(slices.Concat(tree.Root.LeftIDs, tree.Root.SepIDs, tree.Root.RightIDs)))); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
