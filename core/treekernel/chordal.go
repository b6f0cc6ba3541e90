package treekernel

import (
	"context"
	"fmt"
	"math"
	"slices"

	"genussink/core/graph"
	"genussink/core/linop"
	"genussink/core/treedec"
)

// chordal is the graph with an edge between any two vertices of a bag, as long
// as their distance in the graph: the shortcut edges of the paper's G^S (Sec.
// 3.1.2) for all bags at once. They let every distance be found inside the bags
// of a sub-tree, and the decomposition stays one.
//
// Vertices are numbered by position in an elimination order in which every
// sub-tree is a range. The bag of v is v with above(v), the neighbours that
// come later; it hangs on the bag of the first of them.
type chordal struct {
	order  []int32 // position -> vertex of the graph
	parent []int32 // -1 at a root, one for every component
	first  []int   // above v: next[first[v]:first[v+1]], ascending
	next   []int32
	length []float64 // of the edges to them
}

func (c *chordal) len() int { return len(c.parent) }

// above is the adhesion of v's bag and its parent's, empty at a root.
func (c *chordal) above(v int32) []int32 { return c.next[c.first[v]:c.first[v+1]] }

func (c *chordal) lengths(v int32) []float64 { return c.length[c.first[v]:c.first[v+1]] }

// distance is that of two vertices of a bag.
func (c *chordal) distance(u, v int32) float64 {
	if u == v {
		return 0
	}
	if u > v {
		u, v = v, u
	}
	for i, w := range c.above(u) {
		if w == v {
			return c.lengths(u)[i]
		}
	}
	panic("treekernel: vertices of no common bag")
}

// width is the size of the largest bag minus one.
func (c *chordal) width() int {
	width := -1
	for v := range c.parent {
		width = max(width, c.first[v+1]-c.first[v])
	}
	return width
}

// chordalBytes is what an edge takes.
const chordalBytes = 12

// newChordal fills the graph in by the elimination order that the
// decomposition gives. Any order gives right distances; a decomposition that is
// not one of this graph gives needless width.
func newChordal(ctx context.Context, g *graph.Graph, d *treedec.Decomposition, limit int64) (*chordal, error) {
	n := g.Len()
	order, err := d.Order()
	if err != nil {
		return nil, err
	}
	position := make([]int32, n)
	for v := range position {
		position[v] = -1
	}
	if len(order) != n {
		return nil, fmt.Errorf("treekernel: a decomposition of %d vertices for a graph of %d", len(order), n)
	}
	for i, v := range order {
		if v < 0 || int(v) >= n || position[v] >= 0 {
			return nil, fmt.Errorf("treekernel: the decomposition's order has vertex %d twice or out of range", v)
		}
		position[v] = int32(i)
	}
	c := &chordal{}
	c.number(g, order, position)
	if err := c.fill(ctx, g, position, limit); err != nil {
		return nil, err
	}
	return c, c.measure(ctx)
}

// number finds the elimination tree of the order and renumbers it so that
// every sub-tree is a range, which leaves the bags as they are.
func (c *chordal) number(g *graph.Graph, order, position []int32) {
	n := len(order)
	// above is what a vertex hangs on, or a later vertex of the same tree that
	// was found there (Liu's path compression).
	parent, above := make([]int32, n), make([]int32, n)
	for i, v := range order {
		parent[i], above[i] = -1, -1
		to, _ := g.Neighbours(v)
		for _, u := range to {
			r := position[u]
			for r < int32(i) {
				next := above[r]
				above[r] = int32(i)
				if next < 0 {
					parent[r] = int32(i)
					break
				}
				r = next
			}
		}
	}
	// Depth first, children in ascending order; a vertex is numbered after its
	// children.
	child, sibling := above, make([]int32, n)
	for i := range child {
		child[i] = -1
	}
	for i := n - 1; i >= 0; i-- {
		if p := parent[i]; p >= 0 {
			sibling[i], child[p] = child[p], int32(i)
		}
	}
	c.order, c.parent = make([]int32, 0, n), make([]int32, n)
	var stack []int32
	for r := range parent {
		if parent[r] >= 0 {
			continue
		}
		for stack = append(stack[:0], int32(r)); len(stack) > 0; {
			v := stack[len(stack)-1]
			if down := child[v]; down >= 0 {
				child[v] = sibling[down]
				stack = append(stack, down)
				continue
			}
			stack = stack[:len(stack)-1]
			position[order[v]] = int32(len(c.order))
			c.order = append(c.order, order[v])
		}
	}
	for i, p := range parent {
		c.parent[position[order[i]]] = -1
		if p >= 0 {
			c.parent[position[order[i]]] = position[order[p]]
		}
	}
}

// fill finds the bags: what comes later of v's neighbours and of its
// children's bags. limit bounds their bytes; 0: any number.
func (c *chordal) fill(ctx context.Context, g *graph.Graph, position []int32, limit int64) error {
	n := len(c.order)
	child, sibling := make([]int32, n), make([]int32, n)
	for v := range child {
		child[v] = -1
	}
	in := make([]int32, n) // the last bag, plus 1, that a vertex was put in
	c.first = make([]int, 1, n+1)
	c.next = make([]int32, 0, len(g.Targets))
	for v := range int32(n) {
		if v%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		start := len(c.next)
		put := func(u int32) {
			if u > v && in[u] != v+1 {
				in[u] = v + 1
				c.next = append(c.next, u)
			}
		}
		to, _ := g.Neighbours(c.order[v])
		for _, u := range to {
			put(position[u])
		}
		for w := child[v]; w >= 0; w = sibling[w] {
			for _, u := range c.above(w) {
				put(u)
			}
		}
		slices.Sort(c.next[start:])
		c.first = append(c.first, len(c.next))
		if p := c.parent[v]; p >= 0 {
			sibling[v], child[p] = child[p], v
		}
		if need := int64(len(c.next)) * chordalBytes; limit > 0 && need > limit {
			return &linop.MemoryError{What: "treekernel: the bags", Vertices: n, Need: need, Limit: limit}
		}
	}
	c.length = make([]float64, len(c.next))
	for i := range c.length {
		c.length[i] = math.Inf(1)
	}
	total := 0.0
	for v := range int32(n) {
		to, w := g.Neighbours(c.order[v])
		for k, u := range to {
			if u := position[u]; u > v {
				i, _ := slices.BinarySearch(c.above(v), u)
				c.lengths(v)[i] = w[k]
				total += w[k]
			}
		}
	}
	if total > math.MaxFloat64/8 { // so that no sum of a few distances overflows
		return fmt.Errorf("treekernel: the edges are %g long together, distances leave float64", total)
	}
	return nil
}

// measure makes every length the distance, in two sweeps (directed path
// consistency and its way back). Up: a path between two later neighbours of v
// may run through v. Down: the shortest path from v to a later neighbour
// leaves v's sub-tree through one of them.
func (c *chordal) measure(ctx context.Context) error {
	n := int32(len(c.parent))
	for v := range n {
		if v%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		above, lengths := c.above(v), c.lengths(v)
		for i, u := range above {
			a := lengths[i]
			next, best := c.above(u), c.lengths(u)
			k := 0
			for j := i + 1; j < len(above); j++ {
				for next[k] != above[j] {
					k++
				}
				best[k] = min(best[k], a+lengths[j])
			}
		}
	}
	for v := n - 1; v >= 0; v-- {
		if v%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		above, lengths := c.above(v), c.lengths(v)
		for i, u := range above {
			next, between := c.above(u), c.lengths(u)
			k := 0
			for j := i + 1; j < len(above); j++ {
				for next[k] != above[j] {
					k++
				}
				lengths[j] = min(lengths[j], lengths[i]+between[k])
				lengths[i] = min(lengths[i], lengths[j]+between[k])
			}
		}
	}
	return nil
}
