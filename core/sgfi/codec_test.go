package sgfi

import (
	"bytes"
	"slices"
	"testing"
)

func TestBinaryFormsReturnWhatWentIn(t *testing.T) {
	for _, s := range classified(t) {
		g := AppendGraph(nil, s.g)
		back, err := ParseGraph(g)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if !slices.Equal(back.Offsets, s.g.Offsets) || !slices.Equal(back.Targets, s.g.Targets) || !slices.Equal(back.Weights, s.g.Weights) {
			t.Errorf("%s: the graph came back changed", s.name)
		}
		tree := build(t, s.g, Options{LeafSize: 16})
		b := AppendNode([]byte("before"), tree.Root)[6:]
		root, err := ParseNode(b)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if again := AppendNode(nil, root); !bytes.Equal(again, b) {
			t.Errorf("%s: the node came back changed", s.name)
		}
		other, err := NewTree(s.g, root)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		x := masses(s.g.Len(), 3)
		epsilon := max(tree.Diameter(), 1)
		if !slices.Equal(kernel(t, other, epsilon, KernelOptions{}).MulVec(nil, x), kernel(t, tree, epsilon, KernelOptions{}).MulVec(nil, x)) {
			t.Errorf("%s: the tree read multiplies otherwise", s.name)
		}
	}
}

func TestEveryTruncationIsAnError(t *testing.T) {
	s := icosphere(t, 2)
	tree := build(t, s.g, Options{LeafSize: 30})
	node, g := AppendNode(nil, tree.Root), AppendGraph(nil, s.g)
	for n := 0; n < len(node); n += 7 {
		if _, err := ParseNode(node[:n]); err == nil {
			t.Fatalf("%d of %d bytes of a node: no error", n, len(node))
		}
	}
	for n := range len(g) {
		if _, err := ParseGraph(g[:n]); err == nil {
			t.Fatalf("%d of %d bytes of a graph: no error", n, len(g))
		}
	}
}

func TestNewTreeRefusesNodesOfAnotherGraph(t *testing.T) {
	small, large := icosphere(t, 1), icosphere(t, 2)
	if _, err := NewTree(large.g, build(t, small.g, Options{}).Root); err == nil {
		t.Error("a tree of 42 vertices passes for one of 162")
	}
}

// seeds are small enough for a fuzzer to change to good purpose.
func seeds(f *testing.F) (graphs, nodes [][]byte) {
	for _, s := range []subject{
		{g: newGraph(f, 0, nil)}, {g: newGraph(f, 3, nil)}, {g: path(f, 5, func() float64 { return 1 })},
		{g: grid(f, 3, 4, false, true, func() float64 { return 0.5 })},
	} {
		graphs = append(graphs, AppendGraph(nil, s.g))
		nodes = append(nodes, AppendNode(nil, build(f, s.g, Options{LeafSize: 3}).Root))
	}
	return graphs, nodes
}

func FuzzParseGraph(f *testing.F) {
	graphs, _ := seeds(f)
	for _, b := range graphs {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := ParseGraph(b)
		if err == nil && !bytes.Equal(AppendGraph(nil, g), b) {
			t.Error("another form of the same graph was read")
		}
	})
}

func FuzzParseNode(f *testing.F) {
	_, nodes := seeds(f)
	for _, b := range nodes {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := ParseNode(b)
		if err != nil {
			return
		}
		if !bytes.Equal(AppendNode(nil, n), b) {
			t.Error("another form of the same node was read")
		}
		n.reach() // what NewTree does with it must not panic
	})
}
