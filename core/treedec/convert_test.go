package treedec

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// unfold lists the bags of a nice decomposition, holding every node to its kind.
func unfold(t *rapid.T, nice *Nice) *Decomposition {
	d := &Decomposition{Vertices: nice.Vertices, Bags: make([][]int32, len(nice.Nodes))}
	used := make([]int, len(nice.Nodes))
	for i, node := range nice.Nodes {
		children := map[Kind]int{Leaf: 0, Introduce: 1, Forget: 1, Join: 2}[node.Kind]
		for k, c := range node.Children {
			if (c >= 0) != (k < children) || int(c) >= i {
				t.Fatalf("node %d of kind %d has children %v", i, node.Kind, node.Children)
			}
			if c >= 0 {
				used[c]++
				d.Tree = append(d.Tree, [2]int32{c, int32(i)})
			}
		}
		if (node.Vertex >= 0) != (children == 1) {
			t.Fatalf("node %d of kind %d has vertex %d", i, node.Kind, node.Vertex)
		}
		if children == 0 {
			continue
		}
		bag := slices.Clone(d.Bags[node.Children[0]])
		k, there := slices.BinarySearch(bag, node.Vertex)
		switch node.Kind {
		case Introduce:
			if there {
				t.Fatalf("node %d introduces %d a second time", i, node.Vertex)
			}
			bag = slices.Insert(bag, k, node.Vertex)
		case Forget:
			if !there {
				t.Fatalf("node %d forgets %d, which is not there", i, node.Vertex)
			}
			bag = slices.Delete(bag, k, k+1)
		case Join:
			if other := d.Bags[node.Children[1]]; !slices.Equal(bag, other) {
				t.Fatalf("node %d joins %v and %v", i, bag, other)
			}
		}
		d.Bags[i] = bag
	}
	for i, u := range used {
		if want := 1; i < len(used)-1 && u != want || i == len(used)-1 && u != 0 {
			t.Fatalf("node %d of %d has %d parents", i, len(used), u)
		}
	}
	return d
}

// readNice parses what Nice.Write has written.
func readNice(t *rapid.T, text string) *Nice {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	n := &Nice{}
	nodes := 0
	if k, err := fmt.Sscanf(lines[0], "s ntd %d %d", &nodes, &n.Vertices); k != 2 || nodes != len(lines)-1 {
		t.Fatalf("%q before %d lines: %v", lines[0], len(lines)-1, err)
	}
	for _, line := range lines[1:] {
		f := strings.Fields(line)
		node := NiceNode{map[string]Kind{"leaf": Leaf, "introduce": Introduce, "forget": Forget, "join": Join}[f[0]], -1, [2]int32{-1, -1}}
		for _, to := range map[Kind][]*int32{Introduce: {&node.Vertex, &node.Children[0]}, Forget: {&node.Vertex, &node.Children[0]}, Join: {&node.Children[0], &node.Children[1]}}[node.Kind] {
			v, err := strconv.Atoi(f[1])
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			*to, f = int32(v-1), f[1:]
		}
		if len(f) != 1 {
			t.Fatalf("%q", line)
		}
		n.Nodes = append(n.Nodes, node)
	}
	return n
}

func TestNice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 25)
		n := g.Len()
		order, err := Order(context.Background(), g, MinDegree, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		d, err := FromOrder(g, order)
		if err != nil {
			t.Fatal(err)
		}
		nice, err := d.Nice()
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := nice.Write(&file); err != nil {
			t.Fatal(err)
		}
		if again := readNice(t, file.String()); !reflect.DeepEqual(again, nice) {
			t.Fatalf("%q for %v", &file, nice)
		}
		all := unfold(t, nice)
		if err := all.Validate(g); err != nil {
			t.Fatal(err)
		}
		w := d.Width()
		if all.Width() != w || len(all.Bags[len(all.Bags)-1]) != 0 {
			t.Fatalf("width %d of %d, root %v", all.Width(), w, all.Bags[len(all.Bags)-1])
		}
		var kinds [4]int
		for _, node := range nice.Nodes {
			kinds[node.Kind]++
		}
		if len(nice.Nodes) > max(1, (2*w+5)*n) || kinds[Forget] != n || kinds[Introduce] < n || kinds[Join] != kinds[Leaf]-1 {
			t.Fatalf("%d nodes, %v by kind, for %d vertices of width %d", len(nice.Nodes), kinds, n, w)
		}
	})
}

func TestShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// A tree of one-vertex bags.
		n := rapid.IntRange(1, 12).Draw(t, "bags")
		d := &Decomposition{Vertices: n}
		far := make([][]int, n)
		for b := range n {
			d.Bags = append(d.Bags, []int32{int32(b)})
			far[b] = make([]int, n)
			for c := range far[b] {
				far[b][c] = n
			}
			far[b][b] = 0
			if b > 0 {
				p := rapid.IntRange(0, b-1).Draw(t, "parent")
				d.Tree = append(d.Tree, [2]int32{int32(b), int32(p)})
				far[b][p], far[p][b] = 1, 1
			}
		}
		for k := range n {
			for a := range n {
				for b := range n {
					far[a][b] = min(far[a][b], far[a][k]+far[k][b])
				}
			}
		}
		s, err := d.Shape()
		if err != nil {
			t.Fatal(err)
		}
		c, err := d.Centroid()
		if err != nil {
			t.Fatal(err)
		}
		want := Shape{Bags: n, Mean: 1, Depth: slices.Max(far[c])}
		for b := range n {
			want.Diameter = max(want.Diameter, slices.Max(far[b]))
			neighbours := 0
			for _, k := range far[b] {
				if k == 1 {
					neighbours++
				}
			}
			if neighbours <= 1 {
				want.Leaves++
			}
			if neighbours > 2 {
				want.Forks++
			}
		}
		if s != want {
			t.Fatalf("%+v, want %+v", s, want)
		}
		root := rapid.IntRange(0, n-1).Draw(t, "root")
		r, err := d.Rooted(root)
		if err != nil {
			t.Fatal(err)
		}
		for i, bag := range r.Bags {
			b := int(bag[0]) // in d
			if i == 0 && b != root || i > 0 && (int(r.Tree[i-1][1]) != i || int(r.Tree[i-1][0]) >= i) {
				t.Fatalf("bag %d at position %d, edges %v", b, i, r.Tree)
			}
			if i > 0 {
				if p := r.Bags[r.Tree[i-1][0]][0]; far[b][p] != 1 || far[root][b] != far[root][p]+1 {
					t.Fatalf("bag %d at position %d hangs on %d", b, i, p)
				}
			}
		}
		if len(r.Bags) != n || len(r.Tree) != n-1 || r.Vertices != n {
			t.Fatalf("%d bags and %d edges of %d", len(r.Bags), len(r.Tree), n)
		}
	})
	if s, err := (&Decomposition{}).Shape(); s != (Shape{}) || err != nil {
		t.Errorf("no bags: %+v, %v", s, err)
	}
	d := &Decomposition{4, [][]int32{{0, 1}, {1, 2, 3}}, [][2]int32{{0, 1}}}
	if s, err := d.Shape(); err != nil || s != (Shape{Bags: 2, Mean: 2.5, Leaves: 2, Diameter: 1, Depth: 1}) || math.IsNaN(s.Mean) {
		t.Errorf("%+v, %v", s, err)
	}
	for _, root := range []int{-1, 2} {
		if _, err := d.Rooted(root); err == nil {
			t.Errorf("root %d of 2 bags", root)
		}
	}
	d.Tree[0][1] = 2
	if _, err := d.Shape(); err == nil {
		t.Error("a tree edge to no bag is measured")
	}
}

func TestOrderFiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "n")
		order := make([]int32, n)
		for v := range order {
			order[v] = int32(v)
		}
		order = rapid.Permutation(order).Draw(t, "order")
		var file bytes.Buffer
		if err := WriteOrder(&file, order); err != nil {
			t.Fatal(err)
		}
		again, err := ReadOrder(&file, n)
		if err != nil || !slices.Equal(again, order) {
			t.Fatalf("%v, %v: want %v", again, err, order)
		}
	})
	for text, want := range map[string]string{
		"2\nc first\n3\n1\n": "",
		"2\n3\n":             "line 2: the order ends without vertex 1, after 2 of 3",
		"2\n3\n1\n2\n":       "line 4: vertex 2 a second time, after line 1",
		"2\n4\n1\n":          "line 2: vertex: 4 is not in 1 to 3",
		"0\n":                "line 1: vertex: 0 is not in 1 to 3",
		"1\nx\n":             `line 2: vertex: "x" is not a number`,
		"1 2\n3\n":           `line 1: "1 2", want one vertex`,
		"1\n\n2\n3\n":        `line 2: "", want one vertex`,
		"":                   "line 0: the order ends without vertex 1",
	} {
		_, err := ReadOrder(strings.NewReader(text), 3)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if order, err := ReadOrder(strings.NewReader(""), 0); err != nil || len(order) != 0 {
		t.Errorf("no vertices: %v, %v", order, err)
	}
}

func FuzzReadOrder(f *testing.F) {
	for _, seed := range []string{"1\n2\n3\n", "c\n3\n1\n2", "+1\n", "1\n1\n", "99999999999999999999"} {
		f.Add([]byte(seed), uint8(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, n uint8) {
		order, err := ReadOrder(bytes.NewReader(data), int(n))
		if err != nil {
			return
		}
		sorted := slices.Sorted(slices.Values(order))
		for v, u := range sorted {
			if int(u) != v {
				t.Fatalf("%q: %v is no order", data, order)
			}
		}
		if len(order) != int(n) {
			t.Fatalf("%q: %d of %d vertices", data, len(order), n)
		}
	})
}
