package treedec

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// Rooted is the same decomposition with the given bag as its root. The root
// becomes bag 0, and every bag comes after its parent. Edge i of the tree joins
// bag i+1 to its parent, and names the parent first. The bags share memory with
// those of d.
func (d *Decomposition) Rooted(bag int) (*Decomposition, error) {
	if bag < 0 || bag >= len(d.Bags) {
		return nil, fmt.Errorf("treedec: bag %d of %d for a root", bag, len(d.Bags))
	}
	visits, err := d.root(bag)
	if err != nil {
		return nil, err
	}
	out := &Decomposition{Vertices: d.Vertices, Bags: make([][]int32, len(visits)), Tree: make([][2]int32, 0, len(visits)-1)}
	position := make([]int32, len(visits))
	for i, s := range visits {
		position[s.bag] = int32(i)
		out.Bags[i] = d.Bags[s.bag]
		if s.parent >= 0 {
			out.Tree = append(out.Tree, [2]int32{position[s.parent], int32(i)})
		}
	}
	return out, nil
}

// Shape says how a tree of bags looks. A path has no forks, and a diameter of
// one less than its bags.
type Shape struct {
	Bags     int
	Mean     float64 // vertices in a bag
	Leaves   int     // bags with at most one neighbour
	Forks    int     // bags with three neighbours or more
	Diameter int     // edges of a longest path
	Depth    int     // edges from the centroid to the farthest bag
}

// Shape measures the decomposition, which must be valid.
func (d *Decomposition) Shape() (Shape, error) {
	s := Shape{Bags: len(d.Bags)}
	if s.Bags == 0 {
		return s, nil
	}
	for _, b := range d.Bags {
		s.Mean += float64(len(b))
	}
	s.Mean /= float64(s.Bags)
	degree := make([]int, s.Bags)
	for i, e := range d.Tree {
		for _, b := range e {
			if b < 0 || int(b) >= s.Bags {
				return s, violated("tree", "edge %d names bag %d of %d", number(i), number(b), s.Bags)
			}
			degree[b]++
		}
	}
	for _, k := range degree {
		if k <= 1 {
			s.Leaves++
		}
		if k >= 3 {
			s.Forks++
		}
	}
	// The farthest bag from anywhere is one end of a longest path.
	_, end, err := d.height(0)
	if err != nil {
		return s, err
	}
	if s.Diameter, _, err = d.height(end); err != nil {
		return s, err
	}
	centroid, err := d.Centroid()
	if err != nil {
		return s, err
	}
	s.Depth, _, err = d.height(centroid)
	return s, err
}

// height is the number of edges to the bag farthest from a root, and that bag.
func (d *Decomposition) height(root int) (height, farthest int, err error) {
	visits, err := d.root(root)
	if err != nil {
		return 0, 0, err
	}
	depth := make([]int, len(d.Bags))
	for _, s := range visits[1:] {
		depth[s.bag] = depth[s.parent] + 1
	}
	farthest = int(visits[len(visits)-1].bag) // breadth first
	return depth[farthest], farthest, nil
}

// Kind is that of a node of a nice decomposition.
type Kind int8

// The kinds of nodes.
const (
	Leaf      Kind = iota // an empty bag, no child
	Introduce             // the child's bag with one vertex more
	Forget                // the child's bag with one vertex less
	Join                  // two children with the same bag
)

// NiceNode is a node of a nice decomposition.
type NiceNode struct {
	Kind     Kind
	Vertex   int32    // introduced or forgotten, or -1
	Children [2]int32 // nodes, or -1
}

// Nice is a nice tree decomposition: rooted, with nodes of four kinds, so that
// a dynamic program needs four steps (Kloks, Treewidth, Sec. 13.1). Children
// come before their parents; the last node is the root, with an empty bag.
type Nice struct {
	Vertices int // of the graph
	Nodes    []NiceNode
}

// Write writes a line "s ntd nodes vertices", then a line for every node,
// children first and the root last: "leaf", "introduce vertex child",
// "forget vertex child" or "join child child". Vertices and nodes count from 1.
func (n *Nice) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	if _, err := fmt.Fprintf(b, "s ntd %d %d\n", len(n.Nodes), n.Vertices); err != nil {
		return err
	}
	for _, node := range n.Nodes {
		line := []byte([...]string{Leaf: "leaf", Introduce: "introduce", Forget: "forget", Join: "join"}[node.Kind])
		for _, k := range [...]int32{node.Vertex, node.Children[0], node.Children[1]} {
			if k >= 0 {
				line = strconv.AppendInt(append(line, ' '), int64(k)+1, 10)
			}
		}
		if _, err := b.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return b.Flush()
}

// maxNodes bounds a nice decomposition: a gigabyte.
const maxNodes = 1 << 26

// Nice makes the decomposition nice. The decomposition must be valid. Of
// n > 0 vertices and width w it has at most (2w+5)n nodes, of which n forget a
// vertex: O(w n), as the paper says of its bags (Sec. 2). More than 2^26 are an
// error.
func (d *Decomposition) Nice() (*Nice, error) {
	clean, err := d.Clean()
	if err != nil {
		return nil, err
	}
	visits, err := clean.root(0)
	if err != nil {
		return nil, err
	}
	out := &Nice{Vertices: d.Vertices}
	add := func(kind Kind, v, a, b int32) int32 {
		out.Nodes = append(out.Nodes, NiceNode{kind, v, [2]int32{a, b}})
		return int32(len(out.Nodes) - 1)
	}
	// change leads from a node with bag from to one with bag to.
	change := func(node int32, from, to []int32) int32 {
		for _, v := range from {
			if !contains(to, v) {
				node = add(Forget, v, node, -1)
			}
		}
		for _, v := range to {
			if !contains(from, v) {
				node = add(Introduce, v, node, -1)
			}
		}
		return node
	}
	top := make([]int32, len(clean.Bags)) // the node with the bag of each, so far
	for b := range top {
		top[b] = -1
	}
	for i := len(visits) - 1; i >= 0; i-- {
		if len(out.Nodes) > maxNodes {
			return nil, fmt.Errorf("treedec: a nice decomposition of more than %d nodes", maxNodes)
		}
		b, p := visits[i].bag, visits[i].parent
		if top[b] < 0 {
			top[b] = change(add(Leaf, -1, -1, -1), nil, clean.Bags[b])
		}
		if p < 0 {
			change(top[b], clean.Bags[b], nil)
			break
		}
		node := change(top[b], clean.Bags[b], clean.Bags[p])
		if top[p] >= 0 {
			node = add(Join, -1, top[p], node)
		}
		top[p] = node
	}
	if len(visits) == 0 {
		add(Leaf, -1, -1, -1)
	}
	return out, nil
}
