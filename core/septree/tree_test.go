package septree

import (
	"context"
	"errors"
	"math"
	"testing"

	"genussink/core/graph"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/mesh/generate"
	"genussink/core/separator"
)

// The finders that need the faces' embedding have it in every cell of a
// sphere, and refuse a torus, which genus takes.
func TestSplitByFaces(t *testing.T) {
	for _, finder := range []string{"lipton-tarjan", "fundamental-cycle"} {
		m, err := generate.Make("sphere", map[string]float64{"frequency": 8})
		if err != nil {
			t.Fatal(err)
		}
		g, err := graph.FromMesh(m)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := Split(context.Background(), g, Options{Finder: finder, Faces: m.Faces, Leaf: 20})
		if err != nil {
			t.Fatal(err)
		}
		nodes, _ := tree.Outline()
		if root := nodes[0]; root.S == 0 || float64(root.S) > math.Sqrt(8*float64(g.Len())) || len(nodes) < 20 {
			t.Errorf("%s: root %+v, %d nodes", finder, root, len(nodes))
		}
		ring, err := generate.Make("torus", nil)
		if err != nil {
			t.Fatal(err)
		}
		if g, err = graph.FromMesh(ring); err != nil {
			t.Fatal(err)
		}
		if _, err := Split(context.Background(), g, Options{Finder: finder, Faces: ring.Faces}); !errors.Is(err, separator.ErrNotPlanar) {
			t.Errorf("%s on a torus: %v", finder, err)
		}
		if tree, err = Split(context.Background(), g, Options{Finder: "genus", Faces: ring.Faces}); err != nil {
			t.Errorf("genus on a torus: %v", err)
		} else if nodes, _ := tree.Outline(); nodes[0].S == 0 || float64(nodes[0].S) > math.Sqrt(24*float64(g.Len())) || len(nodes) < 20 {
			t.Errorf("genus: root %+v, %d nodes", nodes[0], len(nodes))
		}
	}
}

// The outline counts every vertex once and its cells lead to its nodes.
func TestOutline(t *testing.T) {
	for name, g := range gengraph.All(t) {
		tree, err := Split(context.Background(), g, Options{Leaf: 8})
		if err != nil {
			t.Fatal(err)
		}
		nodes, cells := tree.Outline()
		under := make([]int32, len(nodes))
		ends := make([]int32, len(nodes))
		for _, c := range cells {
			ends[c]++
			for at := c; at >= 0; at = nodes[at].Parent {
				under[at]++
			}
		}
		for i, node := range nodes {
			if node.A+node.S+node.B != under[i] {
				t.Errorf("%s: node %d has %d+%d+%d vertices, %d end below it", name, i, node.A, node.S, node.B, under[i])
			}
			if node.Left < 0 {
				if node.S != 0 || node.B != 0 || ends[i] != node.A {
					t.Errorf("%s: leaf %d is %+v, %d end there", name, i, node, ends[i])
				}
			} else if ends[i] != node.S || under[node.Left] != node.A || under[node.Right] != node.B {
				t.Errorf("%s: node %d is %+v: %d end there, %d and %d below", name, i, node, ends[i], under[node.Left], under[node.Right])
			}
		}
	}
}
