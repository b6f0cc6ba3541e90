package separator

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/graph"
)

// general are the finders that need no faces.
var general = []string{"level-set", "inertial-flow", "flow-cutter", "centroid-bag"}

func find(t testing.TB, name string, g *graph.Graph, o Options) (Separation, error) {
	t.Helper()
	f, err := ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return f.Find(context.Background(), g, o)
}

// drawGraph draws a graph of at most limit vertices, sparse to dense, with
// ties, zero lengths and isolated vertices.
func drawGraph(t *rapid.T, limit int) *graph.Graph {
	n := rapid.IntRange(0, limit).Draw(t, "n")
	var edges []graph.Edge
	if n > 0 {
		vertex := rapid.Int32Range(0, int32(n-1))
		weight := rapid.SampledFrom([]float64{0, 0.5, 1, 1, 1, 3})
		m := rapid.IntRange(0, 3*n).Draw(t, "m")
		for range m {
			edges = append(edges, graph.Edge{U: vertex.Draw(t, "u"), V: vertex.Draw(t, "v"), Weight: weight.Draw(t, "w")})
		}
	}
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestFindersHold asks every finder for separations of arbitrary graphs: what
// it returns verifies, and it returns something wherever the contract says so.
func TestFindersHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 30)
		n := g.Len()
		o := Options{
			Balance: rapid.SampledFrom([]float64{0, 1e-9, 0.1, 0.25, 1.0 / 3, 0.5}).Draw(t, "balance"),
			Seed:    rapid.Uint64().Draw(t, "seed"),
		}
		if rapid.Bool().Draw(t, "placed") {
			o.Positions = make([][3]float64, n)
			for v := range o.Positions {
				o.Positions[v][v%3] = float64(v * v % 7)
			}
		}
		for _, name := range general {
			f, err := ByName(name)
			if err != nil {
				t.Fatal(err)
			}
			s, err := f.Find(context.Background(), g, o)
			if errors.Is(err, ErrNoSeparation) {
				complete := g.Edges() == n*(n-1)/2
				if o.Balance == 1e-9 && n >= 2 && !complete {
					t.Fatalf("%s found no separation, though one vertex a side would do", name)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := Verify(g, s, o.Balance); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			again, err := f.Find(context.Background(), g, o)
			if err != nil || !slices.Equal(s.A, again.A) || !slices.Equal(s.S, again.S) || !slices.Equal(s.B, again.B) {
				t.Fatalf("%s: a second run differs", name)
			}
			small, err := shrunk(context.Background(), g, s, o)
			if err != nil {
				t.Fatalf("%s: shrink: %v", name, err)
			}
			if err := Verify(g, small, o.Balance); err != nil && len(small.S) > 0 { // components are for Find to deal
				t.Fatalf("%s: shrink: %v", name, err)
			}
			if len(small.S) > len(s.S) {
				t.Fatalf("%s: shrink made %d vertices of %d", name, len(small.S), len(s.S))
			}
		}
	})
}

// TestMinCut compares the flow with the smallest of all vertex cuts.
func TestMinCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 11)
		n := g.Len()
		if n < 2 {
			return
		}
		sides := make([]side, n)
		for v := range sides {
			sides[v] = rapid.SampledFrom([]side{inA, inS, inS, inS, inB}).Draw(t, "side")
		}
		for v, s := range sides {
			to, _ := g.Neighbours(int32(v))
			for _, u := range to {
				if s == inA && sides[u] == inB {
					return
				}
			}
		}
		want := n
		for cut := range 1 << n {
			if size := bits.OnesCount(uint(cut)); size < want && cuts(g, sides, cut) {
				want = size
			}
		}
		c := newCutter(g)
		cut := slices.Clone(sides)
		for _, limit := range []int{want - 1, want} {
			ok, err := c.minCut(context.Background(), cut, limit)
			if err != nil || ok != (limit == want) {
				t.Fatalf("limit %d, smallest cut %d: ok=%v, %v", limit, want, ok, err)
			}
		}
		size := 0
		for v, s := range cut {
			if s == inS {
				size++
			}
			if s != sides[v] && sides[v] != inS {
				t.Fatalf("terminal %d changed its side", v)
			}
			to, _ := g.Neighbours(int32(v))
			for _, u := range to {
				if s == inA && cut[u] == inB {
					t.Fatalf("edge %d-%d is not cut", v, u)
				}
			}
		}
		if size != want || c.value != want {
			t.Fatalf("cut of %d vertices, flow %d, smallest cut %d", size, c.value, want)
		}
	})
}

// cuts reports whether the vertices of the bit set, none a terminal, separate
// source from sink.
func cuts(g *graph.Graph, sides []side, set int) bool {
	reached := 0
	var visit func(v int32) bool
	visit = func(v int32) bool {
		if reached>>v&1 == 1 || set>>v&1 == 1 {
			return true
		}
		reached |= 1 << v
		if sides[v] == inB {
			return false
		}
		to, _ := g.Neighbours(v)
		for _, u := range to {
			if !visit(u) {
				return false
			}
		}
		return true
	}
	for v, s := range sides {
		if s != inS && set>>v&1 == 1 {
			return false
		}
	}
	for v, s := range sides {
		if s == inA && !visit(int32(v)) {
			return false
		}
	}
	return true
}

func grid(w, h int) (pairs [][2]int32) {
	for y := range h {
		for x := range w {
			v := int32(y*w + x)
			if x > 0 {
				pairs = append(pairs, [2]int32{v - 1, v})
			}
			if y > 0 {
				pairs = append(pairs, [2]int32{v - int32(w), v})
			}
		}
	}
	return pairs
}

// TestKnownSizes checks separators whose smallest size is known.
func TestKnownSizes(t *testing.T) {
	cases := []struct {
		name     string
		n        int
		pairs    [][2]int32
		levelSet int // at most, with sides of 0.3
		flow     int // at most
		bag      int // at most
	}{
		{"grid 40x10", 400, grid(40, 10), 14, 10, 14},
		{"grid 30x30", 900, grid(30, 30), 45, 30, 50},
		{"grid 2x200", 400, grid(2, 200), 2, 2, 3},
		{"random tree", 500, randomTree(500, 3), 6, 1, 2},
		{"two grids joined by an edge", 200, append(append(grid(10, 10), shift(grid(10, 10), 100)...), [2]int32{99, 100}), 1, 1, 2},
	}
	for _, c := range cases {
		g := build(t, c.n, c.pairs...)
		for name, most := range map[string]int{"level-set": c.levelSet, "inertial-flow": c.flow, "flow-cutter": c.flow, "centroid-bag": c.bag} {
			o := Options{}
			if name == "level-set" {
				o.Balance = 0.3
			}
			s, err := find(t, name, g, o)
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, name, err)
				continue
			}
			if err := Verify(g, s, o.Balance); err != nil {
				t.Errorf("%s, %s: %v", c.name, name, err)
			}
			if len(s.S) > most {
				t.Errorf("%s, %s: %d vertices, at most %d expected", c.name, name, len(s.S), most)
			}
		}
	}
}

// TestSameEverywhere pins the answers by their hash: it runs on every platform
// the project is built for.
func TestSameEverywhere(t *testing.T) {
	edges := make([]graph.Edge, 0, 2*37*23)
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range grid(37, 23) {
		if r.IntN(8) > 0 {
			edges = append(edges, graph.Edge{U: p[0], V: p[1], Weight: 1 + float64(r.IntN(64))/64})
		}
	}
	g, err := graph.New(37*23, edges)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		seed uint64
		want string
	}{
		{"level-set", 0, "b55905e3a2ffae21"},
		{"level-set", 7, "b55905e3a2ffae21"},
		{"inertial-flow", 0, "aa7c5fef9e9bb393"},
		{"inertial-flow", 7, "aa7c5fef9e9bb393"},
		{"flow-cutter", 0, "63a6d6ca2adf8243"},
		{"flow-cutter", 7, "63a6d6ca2adf8243"},
		{"centroid-bag", 0, "1fb33bfd9b0b1e3f"},
		{"centroid-bag", 7, "c7a54bc6ec457ead"},
	} {
		s, err := find(t, c.name, g, Options{Seed: c.seed})
		if err != nil {
			t.Fatal(err)
		}
		h := fnv.New64a()
		if _, err := fmt.Fprint(h, s.A, s.S, s.B); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%016x", h.Sum64()); got != c.want {
			t.Errorf("%s, seed %d: %s, want %s (|S| = %d)", c.name, c.seed, got, c.want, len(s.S))
		}
	}
}

func TestBadOptions(t *testing.T) {
	g := build(t, 4, path(4)...)
	nan := 0.0
	nan /= nan
	for _, o := range []Options{{Balance: -0.1}, {Balance: 0.51}, {Balance: nan}, {Positions: make([][3]float64, 3)}} {
		for _, name := range general {
			if s, err := find(t, name, g, o); err == nil || errors.Is(err, ErrNoSeparation) {
				t.Errorf("%s, %+v: got %v and error %v", name, o, s, err)
			}
		}
	}
	if _, err := ByName("no-such"); err == nil {
		t.Error("ByName accepts a name that is none")
	}
}

// limited is a context that ends at the count-th question.
type limited struct {
	context.Context
	left int
}

func (l *limited) Err() error {
	if l.left--; l.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancel ends the search at every point where it can end.
func TestCancel(t *testing.T) {
	g := build(t, 400, grid(20, 20)...)
	for _, name := range general {
		f, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		ended := 0
		for left := 0; ; left++ {
			_, err := f.Find(&limited{context.Background(), left}, g, Options{})
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: %v", name, err)
			}
			ended++
		}
		if ended < 4 {
			t.Errorf("%s asks its context only %d times", name, ended)
		}
	}
}

// shrunk is a separation of g after shrink.
func shrunk(ctx context.Context, g *graph.Graph, s Separation, o Options) (Separation, error) {
	least, err := leastSide(g.Len(), o.Balance)
	if err != nil {
		return Separation{}, err
	}
	if err := Verify(g, s, o.Balance); err != nil {
		return Separation{}, err
	}
	sides := make([]side, g.Len())
	for _, v := range s.S {
		sides[v] = inS
	}
	for _, v := range s.B {
		sides[v] = inB
	}
	if err := newCutter(g).shrink(ctx, sides, least); err != nil {
		return Separation{}, err
	}
	return collect(sides), nil
}
