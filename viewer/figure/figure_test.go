package figure

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"genussink/viewer/colormap"
)

func seven() *Graph {
	return &Graph{Title: "A graph", Desc: "Seven vertices", N: 7, Labels: strings.Split("ABCDEFG", ""),
		Edges: [][2]int{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 4}, {2, 5}, {4, 5}, {3, 6}, {4, 6}},
		Roles: []Role{SideA, Separator, Separator, Separator, SideB, SideB, Hint}, Added: [][2]int{{0, 3}}}
}

func bags() *Tree {
	return &Tree{Title: "Bags", Parent: []int{1, -1, 1, 2, 2}, Members: [][]int{{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {2, 4, 5}, {3, 4, 6}},
		Names: strings.Split("ABCDEFG", ""), Roles: []Role{Plain, Separator, Plain, Current, Hint}}
}

// many is a random tree of n bags: some long paths, some bushes.
func many(n int, seed uint64) *Tree {
	r := rand.New(rand.NewPCG(seed, 1))
	t := &Tree{Title: "Many bags"}
	for b := range n {
		up := b - 1
		if b > 0 && r.IntN(3) == 0 {
			up = r.IntN(b)
		}
		t.Parent = append(t.Parent, up)
		t.Members = append(t.Members, []int{b, b + 1})
	}
	return t
}

func figures() map[string]Figure {
	var decay, growth Curve
	decay.Name, growth.Name, growth.Form, growth.Color = "error of the columns", "√n", Dashed, 1
	heat := &Heat{Title: "Plan", Rows: 24, Columns: 24, RowWant: make([]float64, 24), RowHave: make([]float64, 24), ColWant: make([]float64, 24), ColHave: make([]float64, 24)}
	for i := range 24 {
		decay.Points = append(decay.Points, [2]float64{float64(i), math.Exp(-float64(i))})
		growth.Points = append(growth.Points, [2]float64{float64(i), 0.001 * math.Sqrt(float64(i))})
		heat.RowWant[i], heat.ColWant[i] = 1+float64(i%5), 3
		for j := range 24 {
			x := math.Exp(-math.Abs(float64(i-j)) / 2)
			heat.Values = append(heat.Values, x)
			heat.RowHave[i] += x
			heat.ColHave[j] += x
		}
	}
	cover := block()
	cover.Mark, cover.Roles = &[2]int{3, 2}, []Role{Plain, Hint}
	var ring Graph
	ring.N, ring.Title = 60, "Dumbbell"
	for v := range 60 {
		ring.Edges = append(ring.Edges, [2]int{v, (v + 1) % 60})
		ring.Labels = append(ring.Labels, fmt.Sprint("v", v))
	}
	ring.Edges = append(ring.Edges, [2]int{0, 30}, [2]int{10, 40})
	return map[string]Figure{
		"graph": seven(), "ring": &ring, "tree": bags(), "bags": many(3000, 4), "some-bags": many(30, 5),
		"curve": &Chart{Title: "Errors", X: Axis{Label: "iteration"}, Y: Axis{Label: "marginal error", Log: true}, Curves: []Curve{decay, growth}},
		"front": Front("Front", "Size against balance", []Cut{{2, 0.1, []int{1, 3}}, {3, 0.3, []int{1, 2, 3}}, {5, 0.48, nil}}, &Cut{5, 0.31, []int{2}}),
		"bars":  &Chart{Title: "Piles", X: Axis{Label: "vertex"}, Y: Axis{Label: "mass"}, Curves: []Curve{{Name: "source", Form: Bars, Points: decay.Points, Color: 2}}},
		"heat":  heat, "cover": cover, "table": list(),
	}
}

// list has the bags of bags, a row each.
func list() *Table {
	t := &Table{Title: "Bags", Head: []string{"Bag", "Vertices", "Size"}}
	for b, members := range bags().Members {
		t.Entries = append(t.Entries, Entry{Ref: Ref{Bag, b}, Cells: []string{fmt.Sprint(b + 1), fmt.Sprint(members), fmt.Sprint(len(members))}})
	}
	t.Entries[3].Role = Current
	return t
}

// A vertex that is moved stands where it was put, at any size, and not outside of the frame; the others and all sizes stay.
func TestMove(t *testing.T) {
	g, l := seven(), Look{Width: 400, Height: 300}
	before := g.Targets(l)
	g.Move(l, 3, 100, 60)
	g.Move(l, 4, -50, 900)
	after := g.Targets(l)
	for v := range before {
		want := before[v]
		switch r := before[v].W / 2; v {
		case 3:
			want.X, want.Y = 100, 60
		case 4:
			want.X, want.Y = r, 300-r
		}
		if got := after[v]; math.Hypot(got.X-want.X, got.Y-want.Y) > 1e-9 || got.W != want.W || got.Name != want.Name {
			t.Errorf("vertex %d is %+v, not %+v", v, got, want)
		}
	}
	if got := g.Targets(Look{Width: 800, Height: 150})[3]; math.Hypot(got.X-200, got.Y-30) > 1e-9 {
		t.Errorf("in another size it stands at %g, %g", got.X, got.Y)
	}
	if room := g.Room(l); room != seven().Room(l) {
		t.Errorf("the drawing needs %g", room)
	}
}

// A point lights what it is about, its row and itself; each of these lights the point. A lit dot stands in a ring, in both themes.
func TestPointIsLinked(t *testing.T) {
	g, tree := seven(), bags()
	dots := &Chart{Title: "Dots", X: Axis{Label: "x"}, Y: Axis{Label: "y"}, Dots: []Dot{
		{X: 1, Y: 1, Name: "C and D", Vertices: []int{2, 3}}, {X: 2, Y: 3, Name: "C, and a bag", Vertices: []int{2}, Bags: []int{4}, Role: Truth}, {X: 3, Y: 2, Name: "nothing"}}}
	rows := &Table{Title: "Rows", Head: []string{"Dot"}}
	for i := range dots.Dots {
		rows.Entries = append(rows.Entries, Entry{Ref: Ref{Point, i}, Cells: []string{fmt.Sprint(i)}})
	}
	for _, c := range []struct {
		at   Ref
		want Lit
	}{
		{Ref{Point, 0}, Lit{Vertices: []int{2, 3}, Points: []int{0}}},
		{Ref{Point, 1}, Lit{Vertices: []int{2}, Bags: []int{4}, Points: []int{1}}},
		{Ref{Point, 2}, Lit{Points: []int{2}}},
		{Ref{Point, 3}, Lit{Points: []int{3}}}, // of a step before
		{Ref{Point, -1}, Lit{Points: []int{-1}}},
		{Ref{Vertex, 2}, Lit{Vertices: []int{2}, Bags: []int{0, 1, 2, 3}, Points: []int{0, 1}}},
		{Ref{Row, 3}, Lit{Vertices: []int{3}, Bags: []int{1, 2, 4}, Points: []int{0}}},
		{Ref{Bag, 4}, Lit{Vertices: []int{3, 4, 6}, Bags: []int{4}, Points: []int{1}}},
		{Ref{Bag, 2}, Lit{Vertices: []int{2, 3, 4}, Bags: []int{2}}},
		{Ref{Edge, 2}, Lit{Vertices: []int{1, 2}}},
	} {
		lit := Select(c.at, g, tree, dots, rows)
		if !slices.Equal(lit.Vertices, c.want.Vertices) || !slices.Equal(lit.Bags, c.want.Bags) || !slices.Equal(lit.Points, c.want.Points) {
			t.Errorf("%v lights %v, not %v", c.at, lit, c.want)
		}
		for _, theme := range []colormap.Theme{colormap.Dark, colormap.Light} {
			l := Look{Width: 400, Height: 300, Theme: theme, Lit: lit}
			plain := l
			plain.Lit = Lit{}
			for i := range dots.Dots {
				for name, f := range map[string]Figure{"chart": dots, "table": rows} {
					if on := regexp.MustCompile(fmt.Sprintf(`id="p-point-%d"[^>]*data-lit="true"`, i)).MatchString(f.SVG("p", l)); on != slices.Contains(c.want.Points, i) {
						t.Errorf("%v: in the %s point %d is lit: %v", c.at, name, i, on)
					}
				}
			}
			n := len(slices.DeleteFunc(slices.Clone(c.want.Points), func(i int) bool { return i < 0 || i > 2 }))
			if more := strings.Count(dots.SVG("p", l), "<circle") - strings.Count(dots.SVG("p", plain), "<circle"); more != n {
				t.Errorf("%v: %d rings around %d dots", c.at, more, n)
			}
		}
	}
}

// A bag that is pointed at, in the tree or in the table, is lit in both, and a vertex lights the rows of its bags. Letters shrink until a table fits.
func TestTableIsLinked(t *testing.T) {
	tree, table := bags(), list()
	for _, c := range []struct {
		at   Ref
		rows []int
	}{{Ref{Bag, 1}, []int{1}}, {Ref{Vertex, 2}, []int{0, 1, 2, 3}}, {Ref{Point, 1}, nil}} {
		l := Look{Width: 358, Height: 160, Lit: Select(c.at, tree, table)}
		text := table.SVG("t", l)
		for b := range tree.Members {
			lit := regexp.MustCompile(fmt.Sprintf(`id="t-bag-%d"[^>]*data-lit="true"`, b)).MatchString(text)
			if lit != slices.Contains(c.rows, b) {
				t.Errorf("%v: row %d is lit: %v", c.at, b, lit)
			}
		}
	}
	wide, narrow := Look{Width: 480}, Look{Width: 60}
	if x, size := table.columns(wide); size != wide.text() || len(x) != 3 || x[2] > 480 {
		t.Errorf("columns at %v, letters of %v", x, size)
	}
	if x, size := table.columns(narrow); size >= narrow.text() || x[2] > 60 {
		t.Errorf("in a narrow drawing columns at %v, letters of %v", x, size)
	}
	if high := table.Room(wide); high != 6*wide.text()*rowHeight {
		t.Errorf("five rows and a head take %v", high)
	}
	if name := table.Targets(wide)[3].Name; name != "Bag 4, Vertices [2 4 5], Size 3, now" {
		t.Errorf("a row is read as %q", name)
	}
}

// Every figure is well-formed, has a title, unique ids, and a target in the
// drawing for each group that can be pointed at, in both themes and at the
// sizes that pages use. FIGURES names a directory to write them to, for looking at.
func TestFigures(t *testing.T) {
	ids := regexp.MustCompile(` id="([^"]*)"`)
	for name, f := range figures() {
		for _, l := range []Look{{Width: 480, Height: 320}, {Width: 358, Height: 280, Theme: colormap.Light}, {Width: 900, Height: 560, Large: true}} {
			l.Lit = Select(Ref{Vertex, 3}, f)
			text := f.SVG(name, l)
			if dir := os.Getenv("FIGURES"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%.0f.svg", name, l.Width)), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for dec := xml.NewDecoder(strings.NewReader(text)); ; {
				if _, err := dec.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			if !strings.Contains(text, "<title id=\""+name+"-title\">") || !strings.Contains(text, "<desc ") {
				t.Errorf("%s has no title or description", name)
			}
			if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
				t.Errorf("%s: a coordinate is no number", name)
			}
			seen := map[string]bool{}
			for _, m := range ids.FindAllStringSubmatch(text, -1) {
				if seen[m[1]] {
					t.Errorf("%s: id %s twice", name, m[1])
				}
				seen[m[1]] = true
			}
			targets := f.Targets(l)
			for _, x := range targets {
				if x.Name == "" || x.X < 0 || x.Y < 0 || x.X > l.Width || x.Y > l.Height {
					t.Errorf("%s: target %v lies outside", name, x)
				}
				if id := fmt.Sprintf("%s-%s-%d", name, x.Kind, x.ID); !seen[id] {
					t.Errorf("%s: target %s is not drawn", name, id)
				}
			}
			if n := strings.Count(text, `class="target"`); n > len(targets) {
				t.Errorf("%s draws %d targets of %d", name, n, len(targets))
			}
		}
	}
}

// block is one of five rows, four of which stand for two vertices, and three columns, of vertices 20 to 22: two hubs serve it, 30 and 31.
func block() *Cover {
	c := &Cover{Title: "Block", Columns: [][]int{{20}, {21}, {22}}, Hubs: []int{30, 31}, HubNames: []string{"30", "31"},
		Runs: BlockRuns([]int32{0, 2, 0, 3, 30, 2, 5, 0, 1, 30, 2, 5, 1, 3, 31}, []int32{30, 31})}
	for i := range 5 {
		c.Rows = append(c.Rows, []int{i, 10 + i})
	}
	c.Rows[4] = c.Rows[4][:1]
	return c
}

// A run that is pointed at lights its vertices, and those light no run but it. A vertex lights the runs of its row or column, a hub its own.
func TestSelectRun(t *testing.T) {
	c := block()
	for id, want := range [][]int{{0, 1, 10, 11, 20, 21, 22, 30}, {2, 3, 4, 12, 13, 20, 30}, {2, 3, 4, 12, 13, 21, 22, 31}} {
		lit := Select(Ref{Run, id}, seven(), c)
		if !slices.Equal(lit.Vertices, want) {
			t.Errorf("run %d lights %v, not %v", id, lit.Vertices, want)
		}
		for k, on := range c.lit(lit) {
			if on != (k == id) {
				t.Errorf("run %d: run %d is lit %v", id, k, on)
			}
		}
	}
	for v, want := range map[int][]bool{12: {false, true, true}, 20: {true, true, false}, 30: {true, true, false}, 31: {false, false, true}, 40: {false, false, false}} {
		if got := c.lit(Select(Ref{Vertex, v}, seven(), c)); !slices.Equal(got, want) {
			t.Errorf("vertex %d lights %v", v, got)
		}
	}
	if n := strings.Count(c.SVG("c", Look{Width: 480, Height: 320, Lit: Select(Ref{Vertex, 12}, c)}), `data-lit="true"`); n != 2 {
		t.Errorf("%d runs are drawn as lit", n)
	}
}

// Rows and columns are numbered from 1 as far as there is room.
func TestCoverNumbers(t *testing.T) {
	if text := block().SVG("c", Look{Width: 480, Height: 320}); strings.Count(text, ">3</text>") != 2 || strings.Count(text, ">5</text>") != 1 {
		t.Error("of five rows and three columns not each has its number")
	}
	if text := block().SVG("c", Look{Width: 10, Height: 10}); strings.Count(text, ">1</text>") != 2 || strings.Contains(text, ">2</text>") {
		t.Error("where there is no room more than the first have a number")
	}
	narrow := &Cover{Columns: make([][]int, 60), Rows: make([][]int, 4)}
	for n, want := range map[int]int{1: 2, 2: 0, 5: 1, 10: 1, 12: 0, 60: 1} {
		if got := strings.Count(narrow.SVG("c", Look{Width: 480, Height: 320}), fmt.Sprintf(">%d</text>", n)); got != want {
			t.Errorf("of 60 narrow columns and 4 low rows number %d is shown %d times, not %d", n, got, want)
		}
	}
}

// What is lit in one figure is lit in the others.
func TestSelect(t *testing.T) {
	g, tree := seven(), bags()
	if lit := Select(Ref{Vertex, 4}, g, tree); !slices.Equal(lit.Vertices, []int{4}) || !slices.Equal(lit.Bags, []int{2, 3, 4}) {
		t.Errorf("vertex 4: %v", lit)
	}
	if lit := Select(Ref{Bag, 1}, g, tree); !slices.Equal(lit.Vertices, []int{1, 2, 3}) || !slices.Equal(lit.Bags, []int{1}) {
		t.Errorf("bag 1: %v", lit)
	}
	if lit := Select(Ref{Edge, 0}, g, tree); !slices.Equal(lit.Vertices, []int{0, 1}) {
		t.Errorf("edge 0: %v", lit)
	}
	for _, text := range []string{g.SVG("g", Look{Width: 400, Height: 300, Lit: Lit{Vertices: []int{4}}}), tree.SVG("t", Look{Width: 400, Height: 300, Lit: Lit{Bags: []int{2}}})} {
		if strings.Count(text, `data-lit="true"`) != 1 {
			t.Error("the selection is not lit")
		}
	}
}

// Labels do not meet each other or the discs; where there is room all are there.
func TestLabels(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	p := labels{size: 13, frame: box{0, 0, 600, 400}}
	for range 60 {
		x, y := 600*r.Float64(), 400*r.Float64()
		p.block(x, y, 5)
	}
	discs := slices.Clone(p.taken)
	for i, d := range discs {
		p.place(fmt.Sprint("label ", i), d.x0+5, d.y0+5, 7)
	}
	if len(p.placed) < 30 {
		t.Errorf("%d of 60 labels found a place", len(p.placed))
	}
	for i, a := range p.placed {
		for _, b := range p.placed[:i] {
			if a.meets(b.box) {
				t.Errorf("%q meets %q", a.words, b.words)
			}
		}
		if slices.ContainsFunc(discs, a.meets) {
			t.Errorf("%q meets a disc", a.words)
		}
	}
}

// Bags of a level keep their distance, parents stand over their children, and
// a subtree is drawn the same wherever it hangs.
func TestTidy(t *testing.T) {
	for seed := range uint64(20) {
		tree := many(200, seed)
		plan := newTidy(tree.Parent)
		width := make([]float64, 200)
		for b := range width {
			width[b] = 1 + float64((b*7)%5)
		}
		x := plan.place(width, 0.5)
		last := map[int]int{}
		for _, b := range plan.order {
			if a, ok := last[plan.depth[b]]; ok && x[b]-x[a] < (width[a]+width[b])/2+0.5-1e-9 {
				t.Fatalf("seed %d: bags %d and %d are %.3f apart", seed, a, b, x[b]-x[a])
			}
			last[plan.depth[b]] = b
			if kids := plan.children[b]; len(kids) > 0 {
				if middle := (x[kids[0]] + x[kids[len(kids)-1]]) / 2; math.Abs(middle-x[b]) > 1e-9 {
					t.Fatalf("seed %d: bag %d is off its children by %g", seed, b, middle-x[b])
				}
			}
		}
	}
}

// The steps of a layout grow with the bags, not with their square: a path, a
// bush and a random tree of 20,000 bags are placed, which a quadratic walk
// over contours would show in the test's own time limit.
// On a phone a deep tree has letters where it is given the room for them, and not in less.
func TestTreeRoom(t *testing.T) {
	deep := &Tree{Parent: []int{-1, 0, 1, 2, 3, 4, 5, 3}, Members: [][]int{{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 5}, {4, 5, 6}, {5, 6, 7}, {6, 7, 8}, {3, 9}}}
	l := Look{Width: 358}
	l.Height = deep.Room(l)
	if l.Height < 7*1.5*l.text() || l.Height > 320 {
		t.Errorf("seven levels want a height of %g", l.Height)
	}
	if p := deep.layout(l); !p.letters || p.size != l.text() {
		t.Errorf("in that much room letters of %g, %t", p.size, p.letters)
	}
	if l.Height--; deep.layout(l).letters {
		t.Error("in less there are letters too")
	}
	if l.Width = 60; !math.IsInf(deep.Room(l), 1) {
		t.Errorf("between margins too narrow for it: a height of %g", deep.Room(l))
	}
}

func TestTidyLarge(t *testing.T) {
	for name, tree := range map[string]*Tree{"random": many(20000, 1), "path": {}, "bush": {}} {
		if name != "random" {
			for b := range 20000 {
				up := b - 1
				if name == "bush" && b > 0 {
					up = 0
				}
				tree.Parent = append(tree.Parent, up)
				tree.Members = append(tree.Members, nil)
			}
		}
		if n := len(tree.Targets(Look{Width: 800, Height: 600})); n != 20000 {
			t.Errorf("%s: %d bags", name, n)
		}
	}
}

// Stress majorisation draws a grid as a grid: neighbours are nearer than others.
func TestLayout(t *testing.T) {
	var edges [][2]int
	for v := range 25 {
		if v%5 < 4 {
			edges = append(edges, [2]int{v, v + 1})
		}
		if v < 20 {
			edges = append(edges, [2]int{v, v + 5})
		}
	}
	p := Layout(25, edges)
	d := func(a, b int) float64 { return math.Hypot(p[a][0]-p[b][0], p[a][1]-p[b][1]) }
	for _, e := range edges {
		for v := range 25 {
			// Two steps straight on are farther than one.
			if e[0]+2*(e[1]-e[0]) == v && d(e[0], v) < 1.3*d(e[0], e[1]) {
				t.Errorf("%v: a fold at %d", e, v)
			}
		}
	}
	if q := Layout(25, edges); !slices.Equal(p, q) {
		t.Error("two layouts of one graph differ")
	}
	for _, n := range []int{0, 1, 2, 401} {
		for _, q := range Layout(n, nil) {
			if math.IsNaN(q[0]) || math.IsNaN(q[1]) {
				t.Errorf("n = %d: not a place", n)
			}
		}
	}
}

func TestTreeSearch(t *testing.T) {
	if got := bags().Holding(2, 4); !slices.Equal(got, []int{2, 3}) {
		t.Errorf("bags with C and E: %v", got)
	}
}

func BenchmarkTree(b *testing.B) {
	for b.Loop() {
		many(5000, 1).SVG("t", Look{Width: 800, Height: 600})
	}
}

// A graph that is drawn with the height of Room takes the whole width. With more height it is no larger.
func TestRoom(t *testing.T) {
	wide := &Graph{N: 6, Places: [][2]float64{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 1}}}
	for _, l := range []Look{{Width: 300}, {Width: 300, Large: true}} {
		l.Height = wide.Room(l)
		tight, _ := wide.fitted(l)
		l.Height *= 3
		loose, _ := wide.fitted(l)
		for _, at := range [][][2]float64{tight, loose} {
			if x := at[5][0] - at[0][0]; math.Abs(x-(l.Width-3.2*l.text())) > 1e-9 {
				t.Errorf("it is %v wide", x)
			}
		}
		if room := wide.Room(l); room > l.Width/2 {
			t.Errorf("it needs %v of height", room)
		}
	}
}

// The row and the column of an entry are outlined, each where it is; one that is not there is not.
func TestHeatEntry(t *testing.T) {
	h := Heat{Rows: 2, Columns: 4, Values: make([]float64, 8)}
	l := Look{Width: 200, Height: 200}
	plain := strings.Count(h.SVG("x", l), "<rect")
	for at, more := range map[[2]int]int{{0, 3}: 2, {1, -1}: 1, {-1, 2}: 1, {-1, -1}: 0, {2, 3}: 1} {
		h.At = &at
		if n := strings.Count(h.SVG("x", l), "<rect") - plain; n != more {
			t.Errorf("at %v %d outlines, want %d", at, n, more)
		}
	}
}
