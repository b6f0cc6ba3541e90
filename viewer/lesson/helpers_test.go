package lesson_test

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/treedec"
	"genussink/viewer/figure"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

// core is a graph as the core reads it.
func core(t *testing.T, g *model.Graph) *graph.Graph {
	t.Helper()
	n, edges, err := graph.ReadPACE(bytes.NewReader(g.PACE()))
	if err != nil {
		t.Fatal(err)
	}
	out, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func ints(list []int32) (out []int) {
	for _, v := range list {
		out = append(out, int(v))
	}
	return out
}

func shorts(list []int) (out []int32) {
	for _, v := range list {
		out = append(out, int32(v))
	}
	return out
}

// split is what is left of a graph without some vertices, by the core: the sizes of the fairest two sides, the larger
// first.
func split(t *testing.T, g *graph.Graph, removed []int) (a, b, largest int) {
	var rest []int32
	for v := range g.Len() {
		if !slices.Contains(removed, v) {
			rest = append(rest, int32(v))
		}
	}
	if len(rest) == 0 {
		return 0, 0, 0
	}
	component, count := g.Induced(rest).Components()
	sizes := make([]int, count)
	for _, c := range component {
		sizes[c]++
	}
	slices.SortFunc(sizes, func(x, y int) int { return y - x })
	sums := map[int]bool{sizes[0]: true}
	for _, s := range sizes[1:] {
		next := map[int]bool{}
		for sum := range sums {
			next[sum], next[sum+s] = true, true
		}
		sums = next
	}
	best := 0
	for sum := range sums {
		if min(sum, len(rest)-sum) > min(best, len(rest)-best) || min(sum, len(rest)-sum) == min(best, len(rest)-best) && best == 0 {
			best = sum
		}
	}
	return max(best, len(rest)-best), min(best, len(rest)-best), sizes[0]
}

func same(a, b, n int) float64 { return float64(min(a, b)) / float64(n) }

// treewidth is the core's, proved.
func treewidth(t *testing.T, g *model.Graph) treedec.Result {
	t.Helper()
	res, err := treedec.Treewidth(context.Background(), core(t, g), treedec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !res.Exact {
		t.Fatalf("%s: the treewidth is not proved", g.Name)
	}
	return res
}

var figureLook = figure.Look{Width: 480, Height: 340}

// The roles that tests look for.
const (
	current   = figure.Current
	out       = figure.Gone
	separates = figure.Separator
	sideA     = figure.SideA
	sideB     = figure.SideB
)

func cmpFloat(a, b float64) int { return cmp.Compare(a, b) }

// graphOf is the first graph of a view.
func graphOf(v lesson.View) *figure.Graph {
	for _, f := range v.Figures {
		if g, ok := f.(*figure.Graph); ok {
			return g
		}
	}
	return nil
}

func coverOf(v lesson.View) *figure.Cover {
	for _, f := range v.Figures {
		if c, ok := f.(*figure.Cover); ok {
			return c
		}
	}
	return nil
}

// roles are the vertices of a role in a view's first graph.
func roles(v lesson.View, role figure.Role) (list []int) {
	for x, r := range graphOf(v).Roles {
		if r == role {
			list = append(list, x)
		}
	}
	return list
}

// bagsOf is the tree of a view.
func bagsOf(v lesson.View) *model.Decomposition {
	for _, f := range v.Figures {
		if t, ok := f.(*figure.Tree); ok {
			return &model.Decomposition{Bags: t.Members, Parent: t.Parent}
		}
	}
	return nil
}

// linked holds what the dots of a view's chart are about. A dot lights that and itself in all figures, and is lit by each of it and by nothing else.
func linked(t *testing.T, v lesson.View, about ...figure.Lit) {
	t.Helper()
	light := func(kind figure.Kind, id int) figure.Lit {
		return figure.Select(figure.Ref{Kind: kind, ID: id}, v.Figures...)
	}
	i := slices.IndexFunc(v.Figures, func(f figure.Figure) bool { _, is := f.(*figure.Chart); return is })
	if dots := v.Figures[i].(*figure.Chart).Dots; len(dots) != len(about) {
		t.Fatalf("%d dots, not %d", len(dots), len(about))
	}
	for i, want := range about {
		slices.Sort(want.Vertices)
		slices.Sort(want.Bags)
		if lit := light(figure.Point, i); !slices.Equal(lit.Vertices, want.Vertices) || !slices.Equal(lit.Bags, want.Bags) || !slices.Equal(lit.Points, []int{i}) {
			t.Errorf("point %d lights %v, not %v", i, lit, want)
		}
		for x := range graphOf(v).N {
			if slices.Contains(light(figure.Vertex, x).Points, i) != slices.Contains(want.Vertices, x) {
				t.Errorf("point %d: vertex %d lights the points %v", i, x, light(figure.Vertex, x).Points)
			}
		}
		if d := bagsOf(v); d != nil {
			for b := range d.Bags {
				if slices.Contains(light(figure.Bag, b).Points, i) != slices.Contains(want.Bags, b) {
					t.Errorf("point %d: bag %d lights the points %v", i, b, light(figure.Bag, b).Points)
				}
			}
		}
	}
}

func asCore(g *model.Graph, d *model.Decomposition) *treedec.Decomposition {
	c := &treedec.Decomposition{Vertices: g.N}
	for b, bag := range d.Bags {
		c.Bags = append(c.Bags, shorts(bag))
		if d.Parent[b] >= 0 {
			c.Tree = append(c.Tree, [2]int32{int32(b), int32(d.Parent[b])})
		}
	}
	return c
}

// violations are the numbers of broken rules, counted by hand.
func violations(t *testing.T, g *model.Graph, d *model.Decomposition) wants {
	t.Helper()
	w := wants{"loose": 0, "uncovered": 0, "torn": 0, "width": float64(asCore(g, d).Width())}
	holds := func(v int) (bags []int) {
		for b, bag := range d.Bags {
			if slices.Contains(bag, v) {
				bags = append(bags, b)
			}
		}
		return bags
	}
	for v := range g.N {
		bags := holds(v)
		if len(bags) == 0 {
			w["loose"]++
			continue
		}
		links := 0 // a forest of so many bags and links has as many trees as the difference
		for _, b := range bags {
			if up := d.Parent[b]; up >= 0 && slices.Contains(bags, up) {
				links++
			}
		}
		if len(bags)-links > 1 {
			w["torn"]++
		}
	}
	for _, e := range g.Edges {
		if !slices.ContainsFunc(holds(e[0]), func(b int) bool { return slices.Contains(d.Bags[b], e[1]) }) {
			w["uncovered"]++
		}
	}
	if broken := w["loose"]+w["uncovered"]+w["torn"] > 0; broken == (asCore(g, d).Validate(core(t, g)) == nil) {
		t.Errorf("%v broken, the core says %v", w, asCore(g, d).Validate(core(t, g)))
	}
	return w
}

// hangs is how many vertices lie in a bag and below it.
func hangs(d *model.Decomposition, bag int) int {
	in := map[int]bool{}
	for b := range d.Bags {
		for x := b; x >= 0; x = d.Parent[x] {
			if x == bag {
				for _, v := range d.Bags[b] {
					in[v] = true
				}
			}
		}
	}
	return len(in)
}
