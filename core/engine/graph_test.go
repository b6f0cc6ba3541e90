package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"genussink/core/engine"
	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/core/treedec"
)

// paceGrid is a grid as a PACE file.
func paceGrid(w, h int) *job.Load {
	var edges bytes.Buffer
	count := 0
	for y := range h {
		for x := range w {
			v := y*w + x + 1
			if x+1 < w {
				fmt.Fprintln(&edges, v, v+1)
				count++
			}
			if y+1 < h {
				fmt.Fprintln(&edges, v, v+w)
				count++
			}
		}
	}
	return &job.Load{Name: "grid.gr", Data: append(fmt.Appendf(nil, "p tw %d %d\n", w*h, count), edges.Bytes()...)}
}

// graphOf is the graph of a Loaded without faces, every edge of length 1.
func graphOf(t *testing.T, l *job.Loaded) *graph.Graph {
	t.Helper()
	var edges []graph.Edge
	for i := 0; i < len(l.Edges); i += 2 {
		edges = append(edges, graph.Edge{U: l.Edges[i], V: l.Edges[i+1], Weight: 1})
	}
	g, err := graph.New(len(l.Positions)/3, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A graph without faces goes the whole way: it is laid out, separated, painted
// and solved.
func TestGraphWithoutFaces(t *testing.T) {
	for _, space := range []bool{false, true} {
		c := newClient(t, engine.Options{})
		load := paceGrid(20, 15)
		load.Space = space
		l, m := c.open(load)
		r := l.Report
		if l.Format != "PACE" || r.Vertices != 300 || r.Edges != 565 || r.Faces != 0 || r.Components != 1 || len(l.Faces) != 0 ||
			len(l.Edges) != 2*565 || len(l.Positions) != 900 || l.Flat == space || r.EdgeMin != 1 || r.EdgeMax != 1 {
			t.Fatalf("loaded %+v, %d edges, flat %v", r, len(l.Edges)/2, l.Flat)
		}
		depth := 0.0
		for i := 2; i < len(l.Positions); i += 3 {
			depth = max(depth, math.Abs(l.Positions[i]))
		}
		if depth > 0 != space {
			t.Errorf("in space %v: the picture is %g deep", space, depth)
		}
		if !slices.Contains(stages(l.Timings), "layout") {
			t.Errorf("timings %v", l.Timings)
		}
		if s := ask[*job.Separated](c, &job.Separate{}); len(s.Cells) != 300 {
			t.Errorf("%d cells", len(s.Cells))
		}
		for _, method := range []string{"exact", "tree", "dense"} {
			s := ask[*job.Solved](c, &job.Solve{Source: m.Source, Target: m.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: method}})
			if s.Status != "converged" || !(s.Cost > 0) {
				t.Errorf("%s: %s at cost %g", method, s.Status, s.Cost)
			}
		}
		if f := flowing(c, &job.Flow{Particles: 10, Seed: 1}); len(f.Offsets) != 11 {
			t.Errorf("%d particles", len(f.Offsets)-1)
		}
		refuse(c, &job.Measure{Preset: "area"}, "input", "area")
		if s := ask[*job.Separated](c, &job.Separate{Finder: "lipton-tarjan"}); len(s.Cells) != 300 { // planar, though there are no faces to say so
			t.Errorf("%d cells", len(s.Cells))
		}
	}
}

// A generated graph without faces lies where its generator puts it, and goes the same way.
func TestGeneratedGraph(t *testing.T) {
	c := newClient(t, engine.Options{})
	l, m := c.open(&job.Generate{Kind: "grid", Params: []job.Param{{Name: "side", Value: 9}}})
	r := l.Report
	if l.Name != "grid" || l.Format != "generated" || !l.Flat || r.Vertices != 81 || r.Edges != 144 || len(l.Edges) != 288 || len(l.Faces) != 0 || slices.Contains(stages(l.Timings), "layout") ||
		relative(r.Diagonal, 8*math.Sqrt2) > 1e-12 || !slices.Equal(l.Positions[3*80:], []float64{8, 8, 0}) {
		t.Fatalf("%s, %s, flat %t, %+v, %v", l.Name, l.Format, l.Flat, r, l.Timings)
	}
	var cost [2]float64
	for i, method := range []string{"exact", "dense"} {
		cost[i] = ask[*job.Solved](c, &job.Solve{Source: m.Source, Target: m.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: method}}).Cost
	}
	if !(cost[0] > 0) || relative(cost[0], cost[1]) > 1e-9 {
		t.Errorf("cost %g, dense %g", cost[0], cost[1])
	}
	refuse(c, &job.Generate{Kind: "grid", Params: []job.Param{{Name: "side", Value: 1}}}, "input", "side is 1")
}

// A graph that is not planar is refused by the vertices of its file, whatever
// part of it is to blame, and what else is no graph says what it is.
func TestGraphRefusals(t *testing.T) {
	// A path of 20 vertices, then K3,3 on 21 to 26 with a path of 300 behind it.
	var edges strings.Builder
	count := 0
	join := func(u, v int) {
		fmt.Fprintf(&edges, "%d %d\n", u, v)
		count++
	}
	for v := 2; v <= 20; v++ {
		join(v-1, v)
	}
	for u := 21; u <= 23; u++ {
		for v := 24; v <= 26; v++ {
			join(u, v)
		}
	}
	for v := 27; v <= 326; v++ {
		join(v-1, v)
	}
	c := newClient(t, engine.Options{})
	ask[*job.Loaded](c, &job.Load{Name: "parts.gr", Data: []byte(fmt.Sprintf("p tw 326 %d\n%s", count, &edges))})
	for _, v := range []string{"21", "22", "23", "24", "25", "26"} {
		refuse(c, &job.Separate{Finder: "lipton-tarjan"}, "input", v)
	}
	refuse(c, &job.Separate{Finder: "lipton-tarjan"}, "input", "of the file")
	refuse(c, &job.Load{Name: "parts.td", Data: []byte("s td 1 1 1\nb 1 1\n")}, "input", "tree decomposition")
	refuse(c, &job.Load{Name: "mesh.obj.gz", Data: []byte("\x1f\x8b\x08")}, "input", "gunzip")
}

func TestGraphFiles(t *testing.T) {
	c := newClient(t, engine.Options{})
	l := ask[*job.Loaded](c, &job.Load{Name: "points.csv", Data: []byte("1,40.5,-74\n2,40.501,-74\n3,40.501,-74.001\n"),
		Files: []job.File{{Name: "edges.csv", Data: []byte("1,1,2\n2,2,3\n")}}})
	if l.Report.Vertices != 3 || l.Report.Edges != 2 || !l.Flat || slices.Contains(stages(l.Timings), "layout") || len(l.Report.Warnings) != 1 {
		t.Errorf("loaded %+v", l.Report)
	}
	refuse(c, &job.Load{Name: "empty.gr", Data: []byte("p tw 0 0\n")}, "input", "no vertices")
	refuse(c, &job.Load{Name: "points.csv", Data: []byte("1,40.5,-74\n")}, "input", "together")
	refuse(c, &job.Load{Name: "bad.gr", Data: []byte("p tw 2 1\n1 3\n")}, "input", "line 2")
	for _, text := range []string{"p tw 1 0\n", "p tw 2 1\n1 2\n", "p tw 5 0\n"} {
		l := ask[*job.Loaded](c, &job.Load{Name: "small.gr", Data: []byte(text)})
		ask[*job.Measured](c, &job.Measure{Preset: "uniform"})
		if s := ask[*job.Separated](c, &job.Separate{}); len(s.Cells) != l.Report.Vertices {
			t.Errorf("%q: %d cells", text, len(s.Cells))
		}
		if d := ask[*job.Decomposed](c, &job.Decompose{}); !d.Exact {
			t.Errorf("%q: %+v", text, d)
		}
	}
}

// Mass that would have to pass between components is refused in words.
func TestDisconnectedGraph(t *testing.T) {
	c := newClient(t, engine.Options{})
	l := ask[*job.Loaded](c, &job.Load{Name: "two.gr", Data: []byte("p tw 5 3\n1 2\n2 3\n4 5\n")})
	if l.Report.Components != 2 || len(l.Report.Warnings) != 1 {
		t.Errorf("loaded %+v", l.Report)
	}
	refuse(c, &job.Solve{Source: []float64{1, 0, 0, 0, 0}, Target: []float64{0, 0, 0, 1, 0}, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1)}}, "unequal", "in component 0 (3 vertices, from vertex 0) with source mass 1 and target mass 0")
	ask[*job.Solved](c, &job.Solve{Source: []float64{1, 0, 0, 0, 0}, Target: []float64{0, 0, 1, 0, 0}, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1)}})
	for _, preset := range []string{"paper", "two-spots", "uniform"} {
		for _, components := range []string{"each", "largest"} {
			m := ask[*job.Measured](c, &job.Measure{Preset: preset, Components: components})
			s := ask[*job.Solved](c, &job.Solve{Source: m.Source, Target: m.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1)}})
			if s.Status != "converged" || (m.Source[3] > 0) != (components == "each") || (m.Target[4] > 0) != (components == "each") {
				t.Errorf("%s, %s: %v to %v, %s", preset, components, m.Source, m.Target, s.Status)
			}
			if words := map[string]string{"each": "Each of 2 components", "largest": "Only the largest of 2 components has mass: 3 of 5 vertices."}[components]; !strings.HasPrefix(m.Note, words) || m.Components != components {
				t.Errorf("%s, %s: %q", preset, m.Components, m.Note)
			}
		}
	}
	refuse(c, &job.Separate{Root: []byte{0, 1, 2, 2, 2}}, "input", "components")
}

// Any separation of the list can be the root's.
func TestSweep(t *testing.T) {
	c := newClient(t, engine.Options{})
	l := ask[*job.Loaded](c, sphere(8))
	n := l.Report.Vertices
	swept := ask[*job.Swept](c, &job.Sweep{})
	if len(swept.Cuts) == 0 || !slices.Contains(stages(swept.Timings), "sweep") {
		t.Fatalf("swept %d, %v", len(swept.Cuts), swept.Timings)
	}
	for i, cut := range swept.Cuts {
		var count [3]int32
		for _, side := range cut.Sides {
			count[side]++
		}
		if len(cut.Sides) != n || count != [3]int32{cut.A, cut.S, cut.B} {
			t.Fatalf("cut %d: %v vertices on the sides, announced %d, %d, %d", i, count, cut.A, cut.S, cut.B)
		}
		if i > 0 && (cut.S <= swept.Cuts[i-1].S || min(cut.A, cut.B) <= min(swept.Cuts[i-1].A, swept.Cuts[i-1].B)) {
			t.Errorf("cut %d is no better than the one before", i)
		}
		s := ask[*job.Separated](c, &job.Separate{Root: cut.Sides})
		if root := s.Nodes[0]; root.A != cut.A || root.S != cut.S || root.B != cut.B {
			t.Errorf("cut %d: the root is %+v", i, root)
		}
		for v, cell := range s.Cells {
			if (cell == 0) != (cut.Sides[v] == 1) {
				t.Fatalf("cut %d: vertex %d, on side %d, ends in cell %d", i, v, cut.Sides[v], cell)
			}
		}
	}
	refuse(c, &job.Separate{Root: []byte{0}}, "input", "vertices")
	bad := slices.Clone(swept.Cuts[0].Sides)
	bad[0] = 3
	refuse(c, &job.Separate{Root: bad}, "input", "side 3")
	refuse(c, &job.Separate{Root: make([]byte, n)}, "input", "balance")
	mixed := make([]byte, n)
	mixed[0] = 2
	refuse(c, &job.Separate{Root: mixed}, "input", "joins A and B")
}

// unpacked is a decomposition as treedec has it.
func unpacked(n int, d job.Decomposition) *treedec.Decomposition {
	out := &treedec.Decomposition{Vertices: n}
	for b, up := range d.Parents {
		out.Bags = append(out.Bags, d.Bag(int32(b)))
		if up >= 0 {
			out.Tree = append(out.Tree, [2]int32{up, int32(b)})
		}
	}
	return out
}

func TestDecompose(t *testing.T) {
	c := newClient(t, engine.Options{})
	g := graphOf(t, ask[*job.Loaded](c, paceGrid(6, 6)))
	p := c.start(context.Background(), &job.Decompose{})
	d, ok := (<-p.final).(*job.Decomposed)
	if !ok || !d.Exact || d.Status != "exact" || d.Lower != 6 || d.Upper != 6 {
		t.Fatalf("decomposed %+v", d)
	}
	check := func(d job.Decomposition, width int) {
		t.Helper()
		tree := unpacked(g.Len(), d)
		if err := tree.Validate(g); err != nil {
			t.Error(err)
		}
		again, err := treedec.FromOrder(g, d.Order)
		if err != nil {
			t.Fatal(err)
		}
		if tree.Width() != width || again.Width() != width {
			t.Errorf("bags of width %d, an order of width %d, announced %d", tree.Width(), again.Width(), width)
		}
		if want, err := tree.Centroid(); err != nil || int32(want) != d.Root() {
			t.Errorf("centroid %d, want %d, %v", d.Root(), want, err)
		}
	}
	check(d.Decomposition, d.Upper)
	before := &job.Narrowed{Upper: math.MaxInt}
	for i, b := range p.told {
		n := b.(*job.Narrowed)
		if len(n.Offsets) > 0 {
			check(n.Decomposition, n.Upper)
		} else if i == 0 {
			t.Error("bounds without a decomposition come first")
		}
		if n.Lower < before.Lower || n.Upper > before.Upper {
			t.Errorf("the bounds part: %d to %d after %d to %d", n.Lower, n.Upper, before.Lower, before.Upper)
		}
		before = n
	}
	if len(p.told) == 0 {
		t.Error("nothing is told on the way")
	}
	refuse(c, &job.Decompose{Seconds: -1}, "input", "-1 seconds")
	refuse(c, &job.Decompose{Seconds: math.NaN()}, "input", "NaN seconds")
}

// A search that would go on ends with its time and keeps what it has; one that
// is cancelled ends at once.
func TestDecomposeEnds(t *testing.T) {
	path := shared.Path(t, "treewidth", "pace2017_exact", "ex106.gr") // treewidth 70: not proved within seconds
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, engine.Options{})
	g := graphOf(t, ask[*job.Loaded](c, &job.Load{Name: filepath.Base(path), Data: data}))
	d := ask[*job.Decomposed](c, &job.Decompose{Seconds: 1})
	if d.Exact || d.Status != "time" || d.Upper < 70 || d.Lower > 70 {
		t.Errorf("status %s, %d to %d, exact %v", d.Status, d.Lower, d.Upper, d.Exact)
	}
	if err := unpacked(g.Len(), d.Decomposition).Validate(g); err != nil {
		t.Error(err)
	}
	refuse(c, &job.Decompose{Seconds: 1e-9}, "input", "in 1e-09 seconds")
	p := c.start(context.Background(), &job.Decompose{Seconds: 1000})
	p.wait(t, "treewidth")
	start := shared.Processor()
	c.do(&job.Cancel{Request: p.id})
	if _, ok := (<-p.final).(*job.Cancelled); !ok {
		t.Error("not cancelled")
	}
	if took := shared.Processor().Sub(start); took > 5*time.Second {
		t.Errorf("cancelling took %v of processors", took)
	}
}

// Small graphs have separators to see, and those that are shown change no answer.
func TestSmallGraphsAreSplit(t *testing.T) {
	for name, c := range map[string]struct {
		file         string
		nodes, depth int
		root         job.Node
	}{
		"tree of seven":     {"p tw 7 6\n1 2\n1 3\n2 4\n2 5\n3 6\n3 7\n", 7, 2, job.Node{A: 3, S: 1, B: 3}},
		"path":              {"p tw 5 4\n1 2\n2 3\n3 4\n4 5\n", 3, 1, job.Node{A: 2, S: 1, B: 2}},
		"complete, of four": {"p tw 4 6\n1 2\n1 3\n1 4\n2 3\n2 4\n3 4\n", 1, 0, job.Node{A: 4}},
	} {
		load := &job.Load{Name: "small.gr", Data: []byte(c.file)}
		client, other := newClient(t, engine.Options{}), newClient(t, engine.Options{})
		_, m := client.open(load)
		other.open(load)
		s := ask[*job.Separated](client, &job.Separate{})
		depth := int32(0)
		for _, n := range s.Nodes {
			depth = max(depth, n.Depth)
		}
		if r := s.Nodes[0]; len(s.Nodes) != c.nodes || int(depth) != c.depth || r.A != c.root.A || r.S != c.root.S || r.B != c.root.B {
			t.Errorf("%s: %d nodes down to depth %d, the root %+v", name, len(s.Nodes), depth, r)
		}
		if s := ask[*job.Separated](client, &job.Separate{Depth: 1}); len(s.Nodes) > 3 {
			t.Errorf("%s: %d nodes in one level", name, len(s.Nodes))
		}
		ask[*job.Separated](client, &job.Separate{})
		for _, method := range []string{"exact", "tree", "sampled"} {
			solve := &job.Solve{Source: m.Source, Target: m.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: method}}
			if a, b := ask[*job.Solved](client, solve), ask[*job.Solved](other, solve); a.Cost != b.Cost || !slices.Equal(a.LogU, b.LogU) {
				t.Errorf("%s, %s: cost %v, without looking at the tree %v", name, method, a.Cost, b.Cost)
			}
		}
	}
}
