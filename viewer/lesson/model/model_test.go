package model_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/separator"
	"genussink/core/shortest"
	"genussink/core/transport"
	"genussink/core/treedec"
	"genussink/viewer/lesson/model"
)

// family is the graphs that every model is held to the core on.
func family() []*model.Graph {
	return []*model.Graph{
		model.Seven(), model.Vase(), model.Grid(4, 6), model.Torus(4), model.Cycle(9), model.Tree(12), model.Clique(5),
		model.Path(11), model.Planar(4, 5, 1), model.Planar(5, 6, 2), model.Planar(3, 9, 3),
	}
}

// opened is the graph as the core knows it, by way of the file that the engine gets.
func opened(t *testing.T, g *model.Graph) *graph.Graph {
	t.Helper()
	var edges []graph.Edge
	for _, e := range g.Edges {
		edges = append(edges, graph.Edge{U: int32(e[0]), V: int32(e[1]), Weight: 1})
	}
	out, err := graph.New(g.N, edges)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func int32s(list []int) []int32 {
	out := make([]int32, len(list))
	for i, v := range list {
		out[i] = int32(v)
	}
	return out
}

func TestSeparate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, g := range family() {
		core := opened(t, g)
		for range 40 {
			var removed []int
			for v := range g.N {
				if r.IntN(4) == 0 {
					removed = append(removed, v)
				}
			}
			c := model.Separate(g, removed)
			if c.A+c.B+c.S != g.N || c.S != len(removed) || len(c.Members(0)) != c.A || len(c.Members(2)) != c.B {
				t.Fatalf("%s without %v: %+v", g.Name, removed, c)
			}
			if c.A > 0 && c.B > 0 {
				s := separator.Separation{A: int32s(c.Members(0)), S: int32s(c.Members(1)), B: int32s(c.Members(2))}
				if err := separator.Verify(core, s, min(c.Balance(), 0.5)); err != nil {
					t.Errorf("%s without %v: %v", g.Name, removed, err)
				}
			}
			// No other way to deal the parts is more even.
			if len(c.Parts) <= 10 {
				for mask := range 1 << len(c.Parts) {
					a := 0
					for i, p := range c.Parts {
						if mask>>i&1 == 1 {
							a += len(p)
						}
					}
					if b := g.N - c.S - a; min(a, b) > min(c.A, c.B) {
						t.Fatalf("%s without %v: %d | %d, not %d | %d", g.Name, removed, c.A, c.B, a, b)
					}
				}
			}
		}
	}
}

func TestDistances(t *testing.T) {
	for _, g := range family() {
		core := opened(t, g)
		for v := range g.N {
			want := shortest.From(core, int32(v))
			if got := g.Distances(v, nil); !slices.Equal(got, want) {
				t.Errorf("%s from %d: %v, not %v", g.Name, v, got, want)
			}
			to := (v + 3) % g.N
			if path := g.Route(v, to); float64(len(path)-1) != want[to] {
				t.Errorf("%s from %d to %d: %v", g.Name, v, to, path)
			}
		}
	}
}

func TestElimination(t *testing.T) {
	for _, g := range family() {
		core := opened(t, g)
		order := model.MinDegree(g)
		want, err := treedec.Order(context.Background(), core, treedec.MinDegree, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(int32s(order), want) {
			t.Errorf("%s: min-degree %v, not %v", g.Name, order, want)
		}
		if _, bound := model.Contract(g); bound != treedec.MinorMinWidth(core) {
			t.Errorf("%s: bound %d, not %d", g.Name, bound, treedec.MinorMinWidth(core))
		}
		r := rand.New(rand.NewPCG(5, 6))
		for range 10 {
			order := r.Perm(g.N)
			whole, err := treedec.FromOrder(core, int32s(order))
			if err != nil {
				t.Fatal(err)
			}
			if w := model.Width(g, order); w != whole.Width() {
				t.Errorf("%s: width %d of %v, not %d", g.Name, w, order, whole.Width())
			}
			d := model.FromOrder(g, order)
			clean, err := whole.Clean()
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Bags) != len(clean.Bags) || d.Width() != whole.Width() {
				t.Errorf("%s: %d bags of width %d, not %d of %d", g.Name, len(d.Bags), d.Width(), len(clean.Bags), whole.Width())
			}
			if v := d.Check(g); len(v) > 0 {
				t.Errorf("%s: %+v", g.Name, v[0])
			}
			if err := asCore(g, d).Validate(core); err != nil {
				t.Errorf("%s: %v", g.Name, err)
			}
		}
	}
}

func asCore(g *model.Graph, d *model.Decomposition) *treedec.Decomposition {
	out := &treedec.Decomposition{Vertices: g.N}
	for b, bag := range d.Bags {
		out.Bags = append(out.Bags, int32s(bag))
		if d.Parent[b] >= 0 {
			out.Tree = append(out.Tree, [2]int32{int32(b), int32(d.Parent[b])})
		}
	}
	return out
}

// The rules fail where the core's do, and nowhere else.
func TestCheck(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	rules := map[string]int{}
	for _, g := range family() {
		core := opened(t, g)
		for range 60 {
			d := model.FromOrder(g, r.Perm(g.N))
			for range r.IntN(3) {
				b := r.IntN(len(d.Bags))
				if len(d.Bags[b]) > 1 && r.IntN(2) == 0 {
					i := r.IntN(len(d.Bags[b]))
					d.Bags[b] = slices.Delete(slices.Clone(d.Bags[b]), i, i+1)
				} else if v := r.IntN(g.N); !slices.Contains(d.Bags[b], v) {
					d.Bags[b] = append(slices.Clone(d.Bags[b]), v)
					slices.Sort(d.Bags[b])
				}
			}
			found := d.Check(g)
			for _, v := range found {
				rules[v.Rule]++
				if len(v.Vertices) == 0 {
					t.Error("a violation of nothing")
				}
			}
			if err := asCore(g, d).Validate(core); (err != nil) != (len(found) > 0) {
				t.Errorf("%s, %v: %v, the core says %v", g.Name, d, found, err)
			}
		}
	}
	if rules["vertex"] == 0 || rules["edge"] == 0 || rules["connected"] == 0 {
		t.Errorf("not every rule failed: %v", rules)
	}
}

func TestCentroid(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for _, g := range family() {
		for range 10 {
			d := model.FromOrder(g, r.Perm(g.N))
			bag, walk := d.Centroid(g)
			if bag < 0 || 2*d.Leaves(g, bag) > g.N || len(walk) > len(d.Bags) {
				t.Errorf("%s: bag %d of %v leaves %d of %d", g.Name, bag, d, d.Leaves(g, bag), g.N)
			}
			core, err := asCore(g, d).Centroid()
			if err != nil {
				t.Fatal(err)
			}
			if 2*d.Leaves(g, core) > g.N {
				t.Errorf("%s: the core's bag %d leaves %d", g.Name, core, d.Leaves(g, core))
			}
		}
	}
}

// The product without the matrix is the product with it, for one separator
// vertex to five, ties and all.
func TestCross(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for hubs := 1; hubs <= 5; hubs++ {
		for range 30 {
			b := model.Block{Epsilon: 2}
			draw := func(n int) (rows [][]float64) {
				for range n {
					row := make([]float64, hubs)
					for k := range row {
						row[k] = float64(r.IntN(6))
					}
					rows = append(rows, row)
				}
				return rows
			}
			b.Rows, b.Columns = draw(1+r.IntN(60)), draw(1+r.IntN(60))
			x := make([]float64, len(b.Columns))
			for j := range x {
				x[j] = r.Float64()
			}
			want, dense := b.Dense(x)
			got, work := b.Cross(x)
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-12*want[i] {
					t.Fatalf("%d hubs, row %d: %v, not %v", hubs, i, got[i], want[i])
				}
			}
			if n := len(b.Rows) * len(b.Columns); dense.Multiply != n || dense.Add != n {
				t.Errorf("dense counts %+v for %d pairs", dense, n)
			}
			if n := len(b.Rows) + len(b.Columns); hubs == 1 && work.Multiply != n {
				t.Errorf("|S| = 1 takes %d products for %d vertices", work.Multiply, n)
			}
		}
	}
}

// A block's distances are the graph's, and its hubs lie on shortest paths.
func TestBlock(t *testing.T) {
	for _, g := range family()[:6] {
		for _, removed := range [][]int{{g.N / 2}, {1, g.N / 2}, {0, g.N / 2, g.N - 1}} {
			c := model.Separate(g, removed)
			b := model.BlockOf(g, c, 1)
			hubs := b.Hubs()
			for i, v := range b.Of {
				for j, w := range b.To {
					k := hubs[i][j]
					if d := g.Distances(v, nil)[w]; b.Rows[i][k]+b.Columns[j][k] != d {
						t.Errorf("%s without %v: %d to %d is %v, not %v", g.Name, removed, v, w, b.Rows[i][k]+b.Columns[j][k], d)
					}
					through, least := model.Via(g, removed, v, w)
					if through[least] != b.Rows[i][k]+b.Columns[j][k] {
						t.Errorf("%s: via says %v", g.Name, through[least])
					}
				}
			}
		}
	}
}

// With its shortcuts a side has the whole graph's distances.
func TestShortcuts(t *testing.T) {
	some := false
	for _, g := range append(family(), model.Cycle(12)) {
		for _, removed := range [][]int{{0, 3}, {1, g.N / 2, g.N - 1}} {
			c := model.Separate(g, removed)
			for _, side := range []int8{0, 2} {
				list := model.Shortcuts(g, c, side)
				var edges []graph.Edge
				for _, e := range g.Edges {
					if c.Side[e[0]] != 2-side && c.Side[e[1]] != 2-side {
						edges = append(edges, graph.Edge{U: int32(e[0]), V: int32(e[1]), Weight: 1})
					}
				}
				for _, x := range list {
					some = true
					if x.Detour < x.True {
						t.Errorf("%s: %+v", g.Name, x)
					}
					edges = append(edges, graph.Edge{U: int32(x.S), V: int32(x.T), Weight: x.Length})
				}
				part, err := graph.New(g.N, edges)
				if err != nil {
					t.Fatal(err)
				}
				for v := range g.N {
					if c.Side[v] == 2-side {
						continue
					}
					inside, whole := shortest.From(part, int32(v)), g.Distances(v, nil)
					for w := range g.N {
						if c.Side[w] != 2-side && inside[w] != whole[w] {
							t.Fatalf("%s without %v, side %d: %d to %d is %v, not %v", g.Name, removed, side, v, w, inside[w], whole[w])
						}
					}
				}
			}
		}
	}
	if !some {
		t.Error("no shortcut was needed anywhere")
	}
}

// The iteration ends where the core's does.
func TestSinkhorn(t *testing.T) {
	for _, g := range family() {
		for _, epsilon := range []float64{0.5, 3} {
			source, target := model.Piles(g, 0, g.N-1)
			p := model.NewTransport(g, source, target, epsilon)
			count, last := p.Iterations(1e-9, 4000)
			kernel, err := baseline.NewDense(context.Background(), opened(t, g), epsilon, baseline.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want, err := transport.Solve(context.Background(), transport.Problem{Kernel: kernel, Source: p.Source, Target: p.Target, Epsilon: epsilon}, transport.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for name, pair := range map[string][2]float64{"cost": {last.Cost, want.Cost}, "primal": {last.Primal, want.Primal}, "dual": {last.Dual, want.Dual}} {
				if math.Abs(pair[0]-pair[1]) > 1e-6*max(1, math.Abs(pair[1])) {
					t.Errorf("%s, epsilon %v, %d iterations: %s %v, not %v", g.Name, epsilon, count, name, pair[0], pair[1])
				}
			}
			steps := p.Steps(1e-6, 400)
			for i, s := range steps[1:] {
				if i%2 == 0 && s.RowError > 1e-12 || i%2 == 1 && s.ColError > 1e-12 {
					t.Errorf("%s: half step %d leaves %v and %v", g.Name, i, s.RowError, s.ColError)
				}
				if s.Gap < -1e-9 {
					t.Errorf("%s: gap %v", g.Name, s.Gap)
				}
			}
		}
	}
}

// A patch has the vertices nearest to one, the nearest first, and the edges that the core finds among them.
func TestPatch(t *testing.T) {
	for _, whole := range family() {
		g := opened(t, whole)
		for _, most := range []int{1, 3, 8, 100} {
			around := int32(most % g.Len())
			p := model.Patch(g.Offsets, g.Targets, around, most)
			d := shortest.From(g, around)
			if p.N != min(most, g.Len()) || p.N != len(p.Of) || p.Of[0] != around {
				t.Fatalf("%s: %d vertices around %d: %v", whole.Name, p.N, around, p.Of)
			}
			far := 0.0
			for _, v := range p.Of {
				if d[v] < far {
					t.Errorf("%s: %d is nearer than those before it", whole.Name, v)
				}
				far = d[v]
			}
			for v, x := range d {
				if x < far && !slices.Contains(p.Of, int32(v)) {
					t.Errorf("%s: %d is missing, at %v of %v", whole.Name, v, x, far)
				}
			}
			want := g.Induced(p.Of)
			if got := opened(t, p); !slices.Equal(got.Offsets, want.Offsets) || !slices.Equal(got.Targets, want.Targets) {
				t.Errorf("%s: the patch of %d around %d has other edges", whole.Name, most, around)
			}
		}
	}
}

// Cliques and cycles of all sizes have the edges that they should, between vertices that are there.
func TestCliques(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for g, want := range map[*model.Graph]int{model.Clique(n): n * (n - 1) / 2, model.Cycle(n): min(n, n*(n-1)/2)} {
			if len(g.Edges) != want || g.N != n || len(g.Places) != n {
				t.Errorf("%s: %d vertices, %d places, %d edges, not %d", g.Name, g.N, len(g.Places), len(g.Edges), want)
			}
			for _, e := range g.Edges {
				if e[0] < 0 || e[0] >= e[1] || e[1] >= n {
					t.Errorf("%s has the edge %v", g.Name, e)
				}
			}
		}
	}
}
