package hub

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/mesh/generate"
	"genussink/core/separator"
)

// The parts of a kernel, each made from labels that went through Flat, add up
// to the whole: products, products of logarithms and costs.
func TestParts(t *testing.T) {
	const parts, epsilon = 3, 2.0
	for name, g := range graphs(t) {
		n := g.Len()
		l := labelsOf(t, g, Options{Leaf: 8}, precisions[n%2])
		whole := kernelOf(t, walk(t, l, 0.1), epsilon)
		rng := rand.New(rand.NewPCG(4, 4))
		x, logs := make([]float64, n), make([]float64, n)
		for i := range n {
			logs[i] = -3 * rng.Float64()
			x[i] = math.Exp(logs[i])
		}
		sum, tops, cost := make([]float64, n), make([]float64, n), 0.0
		for part := range parts {
			copied, err := l.Flat().Labels()
			if err != nil {
				t.Fatal(err)
			}
			tiles, err := Walk(context.Background(), copied, WalkOptions{Delta: 0.1, Part: part, Parts: parts})
			if err != nil {
				t.Fatal(err)
			}
			k := kernelOf(t, tiles, epsilon)
			for i, y := range k.MulVec(nil, x) {
				sum[i] += y
			}
			for i, y := range k.LogMulVec(nil, logs) {
				tops[i] += math.Exp(y)
			}
			cost += k.PlanCost(logs, logs)
		}
		if want := whole.PlanCost(logs, logs); math.Abs(cost-want) > 1e-12*want {
			t.Errorf("%s: cost %g in parts, %g whole", name, cost, want)
		}
		for i, want := range whole.MulVec(nil, x) {
			// Logarithms are of labels, not of factors, which may be float32.
			if math.Abs(sum[i]-want) > 1e-12*want || math.Abs(tops[i]-want) > (1e-12+rounded32(whole.factors.Precision(), 0x1p-20))*want {
				t.Fatalf("%s: row %d is %g in parts, %g through logarithms, %g whole", name, i, sum[i], tops[i], want)
			}
		}
	}
}

// The finders that need the faces' embedding have it in every region of a
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
	for name, g := range graphs(t) {
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

// Broken slices are errors, never panics.
func FuzzFlat(f *testing.F) {
	goods := [2]Flat{}
	for i, p := range precisions {
		goods[i] = labelsOf(f, grid(f, 9, 7, 0.3, 1), Options{Leaf: 4}, p).Flat()
	}
	f.Add(uint8(0), 0, 0)
	f.Add(uint8(1), 3, 1<<30)
	f.Add(uint8(2), 5, -1)
	f.Add(uint8(3), 2, 7)
	f.Add(uint8(15), 2, 7)
	f.Fuzz(func(t *testing.T, field uint8, at, value int) {
		good := goods[field/8%2]
		flat := Flat{slices.Clone(good.Order), slices.Clone(good.Sizes), slices.Clone(good.Hubs), slices.Clone(good.Long), slices.Clone(good.Short)}
		cut := func(n int) int { return (at%max(1, n) + n) % max(1, n) }
		lists := [3]*[]int32{&flat.Order, &flat.Sizes, &flat.Hubs}
		if field %= 8; field < 3 {
			list := *lists[field]
			list[(at%len(list)+len(list))%len(list)] = int32(value)
		} else if field < 6 {
			list := lists[field-3]
			*list = (*list)[:(at%len(*list)+len(*list))%len(*list)]
		} else {
			flat.Long = flat.Long[:cut(len(flat.Long))]
			flat.Short = flat.Short[:cut(len(flat.Short))]
		}
		got, err := flat.Labels()
		if err != nil {
			return
		}
		tiles, err := Walk(context.Background(), got, WalkOptions{})
		if err != nil {
			t.Fatal(err)
		}
		k, err := NewKernel(context.Background(), tiles, 1)
		if err != nil {
			t.Fatal(err)
		}
		k.MulVec(nil, make([]float64, got.Len()))
	})
}
