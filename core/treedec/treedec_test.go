package treedec

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/meshio"
)

func drawGraph(t *rapid.T, limit int) *graph.Graph {
	n := rapid.IntRange(0, limit).Draw(t, "n")
	var edges []graph.Edge
	if n > 0 {
		vertex := rapid.Int32Range(0, int32(n-1))
		for range rapid.IntRange(0, 3*n).Draw(t, "m") {
			edges = append(edges, graph.Edge{U: vertex.Draw(t, "u"), V: vertex.Draw(t, "v"), Weight: 1})
		}
	}
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestDecompositionsHold makes decompositions of arbitrary graphs and checks
// everything that is said of them.
func TestDecompositionsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 25)
		n := g.Len()
		low := max(Degeneracy(g), MinorMinWidth(g))
		for _, rule := range []Rule{MinDegree, MinFill} {
			order, err := Order(context.Background(), g, rule, rapid.Uint64().Draw(t, "seed"))
			if err != nil {
				t.Fatal(err)
			}
			checkGreedy(t, g, rule, order)
			d, err := FromOrder(g, order)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Validate(g); err != nil {
				t.Fatal(err)
			}
			if want := eliminationWidth(g, order); d.Width() != want {
				t.Fatalf("width %d, the elimination has %d", d.Width(), want)
			}
			if d.Width() < low && n > 0 {
				t.Fatalf("width %d below the lower bound %d", d.Width(), low)
			}
			clean, err := d.Clean()
			if err != nil {
				t.Fatal(err)
			}
			if err := clean.Validate(g); err != nil {
				t.Fatalf("clean: %v", err)
			}
			if clean.Width() != d.Width() || len(clean.Bags) > max(n, 1) {
				t.Fatalf("clean: width %d of %d, %d bags of %d vertices", clean.Width(), d.Width(), len(clean.Bags), n)
			}
			for _, e := range clean.Tree {
				if subset(clean.Bags[e[0]], clean.Bags[e[1]]) || subset(clean.Bags[e[1]], clean.Bags[e[0]]) {
					t.Fatalf("clean: bags %v and %v", clean.Bags[e[0]], clean.Bags[e[1]])
				}
			}
			back, err := clean.Order()
			if err != nil {
				t.Fatal(err)
			}
			if w := eliminationWidth(g, back); w > clean.Width() {
				t.Fatalf("the order of a decomposition of width %d has width %d", clean.Width(), w)
			}
			if n == 0 {
				continue
			}
			c, err := clean.Centroid()
			if err != nil {
				t.Fatal(err)
			}
			if most := largestPart(g, clean.Bags[c]); 2*most > n {
				t.Fatalf("the centroid leaves a component of %d of %d vertices", most, n)
			}
			var file bytes.Buffer
			if err := clean.WritePACE(&file); err != nil {
				t.Fatal(err)
			}
			again, err := ReadPACE(&file)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(again, clean) {
				t.Fatalf("read back %v of %v", again, clean)
			}
		}
	})
}

// eliminationWidth is the slow twin: the elimination on a matrix.
func eliminationWidth(g *graph.Graph, order []int32) int {
	n := g.Len()
	adj := make([][]bool, n)
	for v := range adj {
		adj[v] = make([]bool, n)
		to, _ := g.Neighbours(int32(v))
		for _, u := range to {
			adj[v][u] = true
		}
	}
	width := -1
	for _, v := range order {
		var around []int
		for u, is := range adj[v] {
			if is {
				around = append(around, u)
			}
		}
		width = max(width, len(around))
		for _, u := range around {
			adj[u][v] = false
			for _, w := range around {
				adj[u][w] = u != w
			}
		}
	}
	return width
}

// checkGreedy follows an order on a matrix: every vertex is one of least degree
// or least fill when it goes.
func checkGreedy(t *rapid.T, g *graph.Graph, rule Rule, order []int32) {
	n := g.Len()
	adj := make([][]bool, n)
	for v := range adj {
		adj[v] = make([]bool, n)
		to, _ := g.Neighbours(int32(v))
		for _, u := range to {
			adj[v][u] = true
		}
	}
	gone := make([]bool, n)
	key := func(v int) (key int) {
		for u := range n {
			for w := range u {
				if adj[v][u] && adj[v][w] && !adj[u][w] && rule == MinFill {
					key++
				}
			}
			if adj[v][u] && rule == MinDegree {
				key++
			}
		}
		return key
	}
	for position, v := range order {
		for u := range n {
			if !gone[u] && key(u) < key(int(v)) {
				t.Fatalf("rule %d: position %d of the order has key %d, vertex %d has %d", rule, position, key(int(v)), u, key(u))
			}
		}
		gone[v] = true
		for u := range n {
			for w := range n {
				if adj[v][u] && adj[v][w] && u != w {
					adj[u][w] = true
				}
			}
		}
		for u := range n {
			adj[u][v], adj[v][u] = false, false
		}
	}
}

// largestPart is the size of the largest component without the bag.
func largestPart(g *graph.Graph, bag []int32) int {
	var kept []int32
	for v := range int32(g.Len()) {
		if !contains(bag, v) {
			kept = append(kept, v)
		}
	}
	component, count := g.Induced(kept).Components()
	size := make([]int, count+1)
	for _, c := range component {
		size[c]++
	}
	return slices.Max(size)
}

// TestTinyCorpus reads the shared corpus of valid and invalid decompositions:
// each verdict must be right and name the rule.
func TestTinyCorpus(t *testing.T) {
	root := shared.Path(t, "treewidth", "td_validate")
	reasons := map[string]string{
		"bag-index-out-of-bounds":     "line 5: vertex: 6 is not in 1 to 5",
		"edge-before-s":               "line 1 comes before the solution line",
		"edge-labels-out-of-bounds":   "line 6: bag: 7 is not in 1 to 4",
		"empty-line-in-td":            "line 2 is empty",
		"s-line-missing":              "line 1 comes before the solution line",
		"s-num-bags-too-small":        "line 4: bag: 3 is not in 1 to 2",
		"s-width-bigger-than-n_graph": "the file announces a largest bag of 6 and gives one of 3",
		"s-width-too-small":           "the file announces a largest bag of 2 and gives one of 3",
		"td-halfedge":                 "line 7: want two bags, got 1 words",
		"td-not-a-tree-2":             "tree: 3 edges between 5 bags",
		"td-not-a-tree-4-cycle":       "tree: bag 3 is not reached from bag 0",
		"td-not-all-vertices-covered": "vertex: vertex 4 lies in no bag",
		"td-s-line-wrong-order":       "line 1 comes before the solution line",
		"empty-td-file":               "no solution line",
		// These four graphs are at fault themselves.
		"p-appears-twice":       "line 2: a second problem line",
		"p-num-edges-too-small": "line 5: more than the 3 edges announced",
		"p-too-many-arguments":  "line 1: the problem line is \"p tw 0 0 7\"",
		"wrong-order":           "line 1: \"1 2\" comes before the problem line",
	}
	files, err := filepath.Glob(filepath.Join(root, "*", "*.gr"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	refused := 0
	for _, file := range files {
		base := strings.TrimSuffix(filepath.Base(file), ".gr")
		err := verdict(file, strings.TrimSuffix(file, ".gr")+".td")
		if filepath.Base(filepath.Dir(file)) == "valid" {
			if err != nil {
				t.Errorf("%s: %v", base, err)
			}
			continue
		}
		refused++
		if want := reasons[base]; err == nil || want == "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", base, err, want)
		}
	}
	if refused != len(reasons) {
		t.Errorf("%d files refused, %d reasons", refused, len(reasons))
	}
}

func verdict(gr, td string) error {
	data, err := os.ReadFile(gr)
	if err != nil {
		return err
	}
	n, edges, err := graph.ReadPACE(bytes.NewReader(data))
	if err != nil {
		return err
	}
	g, err := graph.New(n, edges)
	if err != nil {
		return err
	}
	if data, err = os.ReadFile(td); err != nil {
		return err
	}
	d, err := ReadPACE(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return d.Validate(g)
}

// TestValidateNamesTheRule gives one wrong decomposition of a path of four
// vertices for every rule.
func TestValidateNamesTheRule(t *testing.T) {
	g, err := graph.New(4, []graph.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}})
	if err != nil {
		t.Fatal(err)
	}
	line := [][2]int32{{0, 1}, {1, 2}}
	cases := []struct {
		d    Decomposition
		want string
	}{
		{Decomposition{4, [][]int32{{0, 1}, {1, 2}, {2, 3}}, line}, ""},
		{Decomposition{5, [][]int32{{0, 1}, {1, 2}, {2, 3}}, line}, "size: made for 5"},
		{Decomposition{4, [][]int32{{0, 1}, {1, 2}, {2, 4}}, line}, "bag: bag 2 holds vertex 4"},
		{Decomposition{4, [][]int32{{0, 1}, {2, 1}, {2, 3}}, line}, "bag: bag 1 holds 1 after 2"},
		{Decomposition{4, [][]int32{{0, 1}, {1, 2}, {2, 3}}, line[:1]}, "tree: 1 edges"},
		{Decomposition{4, [][]int32{{0, 1}, {1, 2}, {2, 3}}, [][2]int32{{0, 1}, {1, 0}}}, "tree: bag 2 is not reached"},
		{Decomposition{4, [][]int32{{0, 1}, {1, 2}, {2, 3}}, [][2]int32{{0, 1}, {1, 3}}}, "tree: edge 1 names bag 3"},
		{Decomposition{4, [][]int32{{0, 1}, {1, 2}, {2}}, line}, "vertex: vertex 3"},
		{Decomposition{4, [][]int32{{0, 1}, {1, 2}, {3}}, line}, "edge: no bag holds both ends of edge 2-3"},
		{Decomposition{4, [][]int32{{0, 1}, {1, 2}, {0, 2, 3}}, line}, "connectivity: the bags of vertex 0 are in 2"},
	}
	for i, c := range cases {
		err := c.d.Validate(g)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("case %d: error %v, want %q", i, err, c.want)
		}
		var v *Violation
		if err != nil && (!errors.As(err, &v) || !strings.HasPrefix(c.want, v.Rule+": ")) {
			t.Errorf("case %d: %v breaks %v", i, err, v)
		}
	}
	var v *Violation
	if err := cases[9].d.Validate(g); !errors.As(err, &v) || v.InFile != "the bags of vertex 1 are in 2 parts" {
		t.Errorf("in a file: %v", v)
	}
	if err := cases[6].d.Validate(g); !errors.As(err, &v) || v.InFile != "edge 2 names bag 4 of 3" {
		t.Errorf("in a file: %v", v)
	}
}

// TestMinDegreeOnGrid asks for the order of a graph the size of a mesh.
func TestMinDegreeOnGrid(t *testing.T) {
	g := grid(t, 100, 100, true)
	order, err := Order(context.Background(), g, MinDegree, 0)
	if err != nil {
		t.Fatal(err)
	}
	d, err := FromOrder(g, order)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Validate(g); err != nil {
		t.Fatal(err)
	}
	if d.Width() > 250 {
		t.Errorf("width %d of a grid of treewidth about 100", d.Width())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Order(ctx, g, MinFill, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search: error %v", err)
	}
}

// BenchmarkMinDegree is on a triangulated grid of 10,000 vertices and on the shared
// meshes of about that size; the bar is half a second of a processor.
func BenchmarkMinDegree(b *testing.B) {
	order := func(b *testing.B, g *graph.Graph) {
		for b.Loop() {
			start := shared.Processor()
			if _, err := Order(context.Background(), g, MinDegree, 0); err != nil {
				b.Fatal(err)
			}
			if took := shared.Processor().Sub(start); took > time.Second/2 {
				b.Errorf("%v", took)
			}
		}
	}
	b.Run("grid", func(b *testing.B) { order(b, grid(b, 100, 100, true)) })
	for _, name := range []string{"cgal__turbine.off", "cgal__cheese.off", "odedstein__plane_holes.obj"} {
		b.Run(name, func(b *testing.B) {
			data, err := os.ReadFile(shared.Path(b, "meshes", name))
			if err != nil {
				b.Fatal(err)
			}
			read, err := meshio.Read(name, bytes.NewReader(data), meshio.Options{})
			if err != nil {
				b.Fatal(err)
			}
			g, err := graph.FromMesh(read.Mesh)
			if err != nil {
				b.Fatal(err)
			}
			order(b, g)
		})
	}
}

func grid(t testing.TB, w, h int, diagonals bool) *graph.Graph {
	t.Helper()
	var edges []graph.Edge
	for y := range h {
		for x := range w {
			v := int32(y*w + x)
			if x > 0 {
				edges = append(edges, graph.Edge{U: v - 1, V: v, Weight: 1})
			}
			if y > 0 {
				edges = append(edges, graph.Edge{U: v - int32(w), V: v, Weight: 1})
			}
			if x > 0 && y > 0 && diagonals {
				edges = append(edges, graph.Edge{U: v - int32(w) - 1, V: v, Weight: 1})
			}
		}
	}
	g, err := graph.New(w*h, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func FuzzReadPACE(f *testing.F) {
	for _, seed := range []string{"s td 1 2 2\nb 1 1 2\n", "s td 2 1 2\nb 1 1\nb 2 2\n1 2\n", "c x\ns td 0 0 0", "s td 999999999 1 1\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := ReadPACE(bytes.NewReader(data))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := d.WritePACE(&out); err != nil {
			t.Fatal(err)
		}
		again, err := ReadPACE(&out)
		if err != nil || !reflect.DeepEqual(d, again) {
			t.Fatalf("%q does not read back: %v", data, err)
		}
	})
}

// TestOrderWithin: the order is that of minimum degree where it is no wider,
// and there is none where it is. Of some vertices it is one by minimum degree in
// the graph that is left at each.
func TestOrderWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		g := drawGraph(t, 30)
		want, err := Order(ctx, g, MinDegree, 0)
		if err != nil {
			t.Fatal(err)
		}
		d, err := FromOrder(g, want)
		if err != nil {
			t.Fatal(err)
		}
		if got, width, err := OrderWithin(ctx, g, g.Len(), d.Width()); err != nil && g.Len() > 0 || !slices.Equal(got, want) || width != max(0, d.Width()) {
			t.Errorf("width %d: %v, %d, %v, want %v", d.Width(), got, width, err, want)
		}
		if _, _, err := OrderWithin(ctx, g, g.Len(), d.Width()-1); g.Len() > 0 && !errors.Is(err, ErrWide) {
			t.Errorf("width %d of %d: %v", d.Width()-1, d.Width(), err)
		}

		own := rapid.IntRange(0, g.Len()).Draw(t, "own")
		order, width, err := OrderWithin(ctx, g, own, g.Len())
		if err != nil || len(order) != own {
			t.Fatalf("%d of %d: %v, %v", own, g.Len(), order, err)
		}
		next := newElimination(g)
		widest := 0
		for i, v := range order {
			for _, u := range order[i:] {
				if int(u) >= own || next.degree[u] < next.degree[v] {
					t.Fatalf("%v: %d goes before %d", order, v, u)
				}
			}
			widest = max(widest, len(next.eliminate(v)))
		}
		if width != widest {
			t.Errorf("width %d, it is %d", width, widest)
		}
		if _, _, err := OrderWithin(ctx, g, own, width-1); own > 0 && !errors.Is(err, ErrWide) {
			t.Errorf("own width %d of %d: %v", width-1, width, err)
		}
	})
}
