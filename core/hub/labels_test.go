package hub

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/linop"
	"genussink/core/shortest"
)

// grid is a w x h grid graph with diagonals one way, its lengths 1 plus noise.
func grid(t testing.TB, w, h int, noise float64, seed uint64) *graph.Graph {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	var edges []graph.Edge
	at := func(x, y int) int32 { return int32(y*w + x) }
	add := func(u, v int32, d float64) {
		edges = append(edges, graph.Edge{U: u, V: v, Weight: d * (1 + noise*rng.Float64())})
	}
	for y := range h {
		for x := range w {
			if x+1 < w {
				add(at(x, y), at(x+1, y), 1)
			}
			if y+1 < h {
				add(at(x, y), at(x, y+1), 1)
			}
			if x+1 < w && y+1 < h {
				add(at(x, y), at(x+1, y+1), math.Sqrt2)
			}
		}
	}
	return build(t, w*h, edges)
}

func build(t testing.TB, n int, edges []graph.Edge) *graph.Graph {
	t.Helper()
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// random is a sparse graph on n vertices: rarely connected, often with ties.
func random(t testing.TB, n, m int, seed uint64) *graph.Graph {
	rng := rand.New(rand.NewPCG(seed, 2))
	var edges []graph.Edge
	for range m {
		edges = append(edges, graph.Edge{U: int32(rng.IntN(n)), V: int32(rng.IntN(n)), Weight: float64(rng.IntN(4))})
	}
	return build(t, n, edges)
}

func graphs(t testing.TB) map[string]*graph.Graph {
	clique := []graph.Edge{}
	for i := range int32(40) {
		for j := range i {
			clique = append(clique, graph.Edge{U: i, V: j, Weight: 1 + float64(i*j%7)})
		}
	}
	return map[string]*graph.Graph{
		"none":       build(t, 0, nil),
		"one":        build(t, 1, nil),
		"two apart":  build(t, 2, nil),
		"ties":       grid(t, 17, 13, 0, 1),
		"noisy":      grid(t, 23, 19, 0.3, 2),
		"strip":      grid(t, 150, 2, 0.3, 3),
		"path":       grid(t, 200, 1, 0.3, 4),
		"clique":     build(t, 40, clique),
		"components": random(t, 150, 150, 5),
		"sparse":     random(t, 200, 300, 6),
		"dense":      random(t, 80, 800, 7),
	}
}

func labels(t testing.TB, g *graph.Graph, o Options) *Labels {
	t.Helper()
	return labelsOf(t, g, o, Float64)
}

func labelsOf(t testing.TB, g *graph.Graph, o Options, p Precision) *Labels {
	t.Helper()
	tree, err := Split(context.Background(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Measure(context.Background(), tree, MeasureOptions{Precision: p})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// precisions are those that labels can have.
var precisions = []Precision{Float64, Float32}

// rounded32 is a tolerance that only float32 needs.
func rounded32(p Precision, tolerance float64) float64 {
	if p == Float32 {
		return tolerance
	}
	return 0
}

// agrees reports whether a distance by labels is the true one, but for the
// rounding of sums of the same edge lengths, and for that of float32, which
// makes it longer by at most 2^-23 of itself.
func agrees(got, want float64, p Precision) bool {
	if got == want {
		return true
	}
	return got >= want*(1-1e-13) && got <= want+(1e-13+rounded32(p, 0x1p-23))*want
}

// The labels answer every distance, one by one and by row.
func TestDistances(t *testing.T) {
	shared.Alone(t)
	for name, g := range graphs(t) {
		for _, leaf := range []int{1, 8, 0} {
			for _, p := range precisions {
				l := labelsOf(t, g, Options{Leaf: leaf}, p)
				solver := shortest.NewSolver(g)
				var want, row []float64
				for i := range int32(g.Len()) {
					want = solver.Distances(want, i)
					row = l.Distances(row, i)
					for j, d := range want {
						if got := l.Distance(i, int32(j)); !agrees(got, d, p) || !agrees(row[j], d, p) {
							t.Fatalf("%s, leaf %d, %v: d(%d,%d) = %g, in the row %g, Dijkstra %g", name, leaf, p, i, j, got, row[j], d)
						}
						if d < math.Inf(1) && d > l.reach {
							t.Fatalf("%s, leaf %d, %v: d(%d,%d) = %g, no distance should be above %g", name, leaf, p, i, j, d, l.reach)
						}
					}
				}
			}
		}
	}
}

// Lengths that float32 cannot hold with all its digits are refused, others are
// within the bound.
func TestExtremeLengths(t *testing.T) {
	path := func(length float64) *Tree {
		tree, err := Split(t.Context(), build(t, 3, []graph.Edge{{U: 0, V: 1, Weight: length}, {U: 1, V: 2, Weight: length}}), Options{Leaf: 1})
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	for _, length := range []float64{1e39, 1e-31, 1e-44, 1e-60} {
		if _, err := Measure(t.Context(), path(length), MeasureOptions{Precision: Float32}); !errors.Is(err, ErrFloat32) {
			t.Errorf("lengths of %g: %v", length, err)
		}
	}
	for _, length := range []float64{1e38, 1e-30, 0} {
		l, err := Measure(t.Context(), path(length), MeasureOptions{Precision: Float32})
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Distance(0, 2); got < 2*length || got > 2*length+Rounding(l.reach) {
			t.Errorf("twice %g is %g, the bound %g", length, got, Rounding(l.reach))
		}
	}
}

// What Measure, NewKernel and their estimates say is what is held.
func TestBytes(t *testing.T) {
	g := grid(t, 40, 30, 0.3, 11)
	held := func(n *numbers) (bytes int64) {
		for _, row := range n.short {
			bytes += 4 * int64(cap(row))
		}
		for _, row := range n.long {
			bytes += 8 * int64(cap(row))
		}
		return bytes
	}
	for _, c := range []struct {
		labels, factors Precision
		epsilon         float64
	}{{Float64, Float64, 2}, {Float32, Float32, 2}, {Float32, Float64, 0.1}, {Float32, Float64, 1000}} {
		l := labelsOf(t, g, Options{Leaf: 8}, c.labels)
		tiles := walk(t, l, 0)
		k := kernelOf(t, tiles, c.epsilon)
		if p := k.factors.Precision(); p != c.factors {
			t.Errorf("%v labels, epsilon %g: factors of %v", c.labels, c.epsilon, p)
		}
		order := int64(4 * (cap(l.Order) + cap(l.place) + cap(l.owner)))
		if got, want := LabelBytes(l.Tree, c.labels), held(&l.numbers)+order; got != want {
			t.Errorf("%v labels of %d bytes, %d are held", c.labels, got, want)
		}
		if got, want := l.FactorBytes(c.epsilon), held(&k.factors); got != want {
			t.Errorf("%v factors of %d bytes, %d are held", c.factors, got, want)
		}
		x := make([]float64, g.Len())
		k.MulPlan(nil, nil, x, x) // what it needs counts, too
		bytes := int64(0)
		for _, o := range []lined{k.momentFactors, k.tileFactors, k.plan.tileDist} {
			bytes += int64(8*(cap(o.from)+cap(o.long)) + 4*cap(o.short))
		}
		if got, want := tiles.KernelBytes(c.epsilon), l.FactorBytes(c.epsilon)+bytes; got != want {
			t.Errorf("a kernel of %d bytes besides its tiles, %d are held", got, want)
		}
		if got, want := k.Bytes(), LabelBytes(l.Tree, c.labels)+l.FactorBytes(c.epsilon)+tiles.Bytes()+bytes; got <= want || got > want+8*4*17*int64(g.Len()+len(tiles.moments)) {
			t.Errorf("a kernel of %d bytes on labels, factors and tiles of %d", got, want)
		}
	}
	tree, err := Split(t.Context(), g, Options{Leaf: 8})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range precisions {
		var refused *linop.MemoryError
		if _, err := Measure(t.Context(), tree, MeasureOptions{Precision: p, MemoryLimit: LabelBytes(tree, p) - 1}); !errors.As(err, &refused) || refused.Need < LabelBytes(tree, p) {
			t.Errorf("%v, a byte too little: %v", p, err)
		}
	}
}

// Every vertex is in one place, every region a range, no edge joins the two
// sides of one.
func TestRegions(t *testing.T) {
	for name, g := range graphs(t) {
		l := labels(t, g, Options{Leaf: 4})
		for i, v := range l.Order {
			if l.place[v] != int32(i) {
				t.Fatalf("%s: place[%d] = %d, want %d", name, v, l.place[v], i)
			}
		}
		for _, r := range l.regions {
			for v := r.lo; v < r.mid; v++ {
				to, _ := g.Neighbours(l.Order[v])
				for _, w := range to {
					if p := l.place[w]; p >= r.mid && p < r.sep {
						t.Fatalf("%s: an edge from place %d to %d crosses the separator [%d,%d)", name, v, p, r.sep, r.hi)
					}
				}
			}
		}
	}
}

func TestSplitRefuses(t *testing.T) {
	g := grid(t, 5, 5, 0, 1)
	for _, o := range []Options{{Finder: "no such"}, {Leaf: -1}, {Depth: -1}, {Positions: make([][3]float64, 3)}} {
		if _, err := Split(context.Background(), g, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Split(ctx, g, Options{}); err == nil {
		t.Error("a cancelled split returns a tree")
	}
}

// patient has whoever asks it wait for a moment, until others have had their
// turn: else a few workers may do everything before the rest have begun.
type patient struct {
	context.Context
	had func() bool
}

func (p patient) Err() error {
	for end := time.Now().Add(50 * time.Millisecond); !p.had() && time.Now().Before(end); {
		time.Sleep(100 * time.Microsecond)
	}
	return p.Context.Err()
}

// Labels that are computed elsewhere are the same to the last bit, also when
// a helper is lost on the way.
func TestMeasureElsewhere(t *testing.T) {
	g := grid(t, 40, 30, 0.3, 11)
	tree, err := Split(context.Background(), g, Options{Leaf: 8})
	if err != nil {
		t.Fatal(err)
	}
	surveyors := [2]*Surveyor{NewSurveyor(tree.Graph()), NewSurveyor(tree.Graph())}
	for _, p := range precisions {
		want, err := Measure(context.Background(), tree, MeasureOptions{Precision: p})
		if err != nil {
			t.Fatal(err)
		}
		for _, last := range []int32{3, math.MaxInt32} { // answers of each helper
			var asked [2]atomic.Int32
			var branches atomic.Int32
			var using [2]sync.Mutex
			all := func() bool {
				return asked[0].Load() > 0 && asked[1].Load() > 0 && (last == 3 || branches.Load() > 0)
			}
			got, err := Measure(patient{context.Background(), all}, tree, MeasureOptions{
				Precision: p,
				Helpers:   2,
				Elsewhere: func(helper int, w Work) []float64 {
					if asked[helper].Add(1) > last {
						return nil // lost
					}
					if len(w.Sizes) > 3 {
						branches.Add(1)
					}
					using[helper].Lock()
					defer using[helper].Unlock()
					rows, err := surveyors[helper].Rows(context.Background(), w)
					if err != nil {
						t.Error(err)
					}
					return rows
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if !all() {
				t.Errorf("%v: the helpers were asked %d and %d times, for %d branches", p, asked[0].Load(), asked[1].Load(), branches.Load())
			}
			if g, w := got.Flat(), want.Flat(); !slices.Equal(g.Long, w.Long) || !slices.Equal(g.Short, w.Short) {
				t.Errorf("%v: labels differ", p)
			}
		}
	}
	n := int32(g.Len())
	for _, w := range []Work{
		{Lo: -1}, {Lo: 5, Hi: 3}, {Hi: 1e6}, {Hi: 9, To: 1, Starts: []float64{1}}, {Hi: 9, To: 1, Starts: []float64{math.NaN()}},
		{Hi: n, Sizes: []int32{0, 0}},
		{Hi: n, Sizes: []int32{0, 0, n - 1}},
		{Hi: n, Sizes: []int32{0, 0, n + 1}},
		{Hi: n, Sizes: []int32{0, 0, -1}},
		{Sizes: []int32{0, 0, 0}},
		{Hi: n, Sizes: []int32{1, 0, n - 1}},
		{Hi: n, Sizes: []int32{1, 1, n - 2}},
		{Hi: n, Sizes: []int32{1, 1, n - 2, 0, 0, 2, 0, 0, 0}},
		{Hi: n, Sizes: []int32{0, 0, n, 0, 0, 0}},
		{Hi: n, Sizes: []int32{0, 0, n}, Starts: []float64{1}},
		{Hi: 9, Sizes: []int32{0, 0, 9}},
	} {
		if _, err := surveyors[0].Rows(context.Background(), w); err == nil {
			t.Errorf("%+v is accepted", w)
		}
	}
}
