package separator

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"genussink/core/graph"
)

// build makes a graph of unit edges.
func build(t testing.TB, n int, pairs ...[2]int32) *graph.Graph {
	t.Helper()
	edges := make([]graph.Edge, len(pairs))
	for i, p := range pairs {
		edges[i] = graph.Edge{U: p[0], V: p[1], Weight: 1}
	}
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func path(n int) (pairs [][2]int32) {
	for v := 1; v < n; v++ {
		pairs = append(pairs, [2]int32{int32(v - 1), int32(v)})
	}
	return pairs
}

func star(n int) (pairs [][2]int32) {
	for v := 1; v < n; v++ {
		pairs = append(pairs, [2]int32{0, int32(v)})
	}
	return pairs
}

func clique(n int) (pairs [][2]int32) {
	for v := range n {
		for u := range v {
			pairs = append(pairs, [2]int32{int32(u), int32(v)})
		}
	}
	return pairs
}

func bipartite(a, b int) (pairs [][2]int32) {
	for u := range a {
		for v := range b {
			pairs = append(pairs, [2]int32{int32(u), int32(a + v)})
		}
	}
	return pairs
}

func randomTree(n int, seed uint64) (pairs [][2]int32) {
	r := rand.New(rand.NewPCG(seed, 1))
	for v := 1; v < n; v++ {
		pairs = append(pairs, [2]int32{int32(r.IntN(v)), int32(v)})
	}
	return pairs
}

func shift(pairs [][2]int32, by int32) [][2]int32 {
	out := slices.Clone(pairs)
	for i := range out {
		out[i][0] += by
		out[i][1] += by
	}
	return out
}

// TestDocumentedCases pins the size of the separator on the graphs the package
// comment speaks of; -1 stands for ErrNoSeparation.
func TestDocumentedCases(t *testing.T) {
	cases := []struct {
		name  string
		n     int
		pairs [][2]int32
		size  int
	}{
		{"n=0", 0, nil, -1},
		{"n=1", 1, nil, -1},
		{"n=2 apart", 2, nil, 0},
		{"n=2 edge", 2, path(2), -1},
		{"n=3 apart", 3, nil, 0},
		{"n=3 edge and point", 3, path(2), 0},
		{"n=3 path", 3, path(3), 1},
		{"n=3 triangle", 3, clique(3), -1},
		{"path", 100, path(100), 1},
		{"star", 50, star(50), 1},
		{"K10", 10, clique(10), -1},
		{"K3,3", 6, bipartite(3, 3), 3},
		{"K2,20", 22, bipartite(2, 20), 2},
		{"two paths", 40, append(path(20), shift(path(20), 20)...), 0},
		{"path and points", 40, path(37), 1},
		{"K9 and a point", 10, clique(9), -1},
		{"two K5 sharing a vertex", 9, append(clique(5), shift(clique(5), 4)...), 1},
	}
	for _, c := range cases {
		g := build(t, c.n, c.pairs...)
		for _, name := range general {
			f, err := ByName(name)
			if err != nil {
				t.Fatal(err)
			}
			s, err := f.Find(context.Background(), g, Options{})
			if c.size < 0 {
				if !errors.Is(err, ErrNoSeparation) {
					t.Errorf("%s, %s: got %v and error %v, want ErrNoSeparation", c.name, name, s, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, name, err)
				continue
			}
			if err := Verify(g, s, 0); err != nil {
				t.Errorf("%s, %s: %v", c.name, name, err)
			}
			if len(s.S) != c.size {
				t.Errorf("%s, %s: separator %v, want %d vertices", c.name, name, s.S, c.size)
			}
		}
		// The planar finders: the same errors, a valid separation, or the proof
		// that there is no embedding.
		for _, name := range []string{"fundamental-cycle", "lipton-tarjan", "genus"} {
			s, err := find(t, name, g, Options{Balance: 0.2})
			var crossing *NotPlanarError
			switch {
			case c.size < 0:
				if !errors.Is(err, ErrNoSeparation) {
					t.Errorf("%s, %s: got %v and error %v, want ErrNoSeparation", c.name, name, s, err)
				}
			case errors.As(err, &crossing):
				if err := crossing.Witness.Verify(g); err != nil {
					t.Errorf("%s, %s: %v", c.name, name, err)
				}
			case err != nil:
				t.Errorf("%s, %s: %v", c.name, name, err)
			default:
				if err := Verify(g, s, 0.2); err != nil {
					t.Errorf("%s, %s: %v", c.name, name, err)
				}
				if len(s.S)*len(s.S) > 8*c.n {
					t.Errorf("%s, %s: separator %v", c.name, name, s.S)
				}
			}
			if planar := c.name != "K3,3" && c.name != "two K5 sharing a vertex"; planar == errors.Is(err, ErrNotPlanar) {
				t.Errorf("%s, %s: error %v", c.name, name, err)
			}
		}
	}
}

// TestBalances asks every finder for every balance: what it returns keeps it,
// and it returns something up to the balance that it cannot miss.
func TestBalances(t *testing.T) {
	cases := []struct {
		name  string
		n     int
		pairs [][2]int32
		sure  float64
	}{
		{"star", 51, star(51), 0.5},
		{"path", 101, path(101), 0.45},
		{"grid 14x14", 196, grid(14, 14), 0.3},
		{"random tree", 300, randomTree(300, 4), 0.3},
		{"K3,3", 6, bipartite(3, 3), 0.2},
		{"K2,20", 22, bipartite(2, 20), 0.4},
		{"K10", 10, clique(10), 0},
		{"nine points", 9, nil, 0.4},
		{"two grids", 72, append(grid(6, 6), shift(grid(6, 6), 36)...), 0.5},
		{"grid and points", 80, grid(6, 6), 0.4},
	}
	for _, c := range cases {
		g := build(t, c.n, c.pairs...)
		for _, name := range general {
			for step := 2; step <= 10; step++ {
				balance := float64(step) / 20
				s, err := find(t, name, g, Options{Balance: balance})
				if errors.Is(err, ErrNoSeparation) {
					if balance <= c.sure {
						t.Errorf("%s, %s: nothing at balance %g", c.name, name, balance)
					}
					continue
				}
				if err == nil {
					err = Verify(g, s, balance)
				}
				if err != nil {
					t.Errorf("%s, %s, balance %g: %v", c.name, name, balance, err)
				}
			}
		}
	}
}
