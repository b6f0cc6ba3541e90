// Package treedec makes, checks and exchanges tree decompositions. Elimination orders come from rules, and are improved around the
// widest bags. Treewidth proves lower bounds and, where it can, the treewidth. A decomposition has a centroid bag, a nice form and a
// shape. It is read and written as a PACE .td file, an elimination order as a list.
//
// # Deviations
//
// From the paper (Sec. 2.1):
//
//   - With k the treewidth, the paper takes an algorithm that finds a width of at most 2k+1 in time 2^O(k) n. It is not here. Eliminate
//     is fast, and promises no width. Treewidth searches until the width is proved or its time is up. A proof may take exponential time.
package treedec

import (
	"fmt"
	"slices"

	"genussink/core/graph"
	"genussink/core/internal/sets"
)

// Decomposition is a tree decomposition: a tree whose nodes are bags of
// vertices. Every vertex lies in a bag, so do both ends of every edge, and the
// bags of a vertex hang together (the paper, Sec. 2). Validate checks that.
type Decomposition struct {
	Vertices int        // of the graph
	Bags     [][]int32  // each ascending
	Tree     [][2]int32 // pairs of bags
}

// Width is the size of the largest bag minus one, -1 without vertices.
func (d *Decomposition) Width() int {
	width := -1
	for _, b := range d.Bags {
		width = max(width, len(b)-1)
	}
	return width
}

// Violation says which rule a decomposition breaks, and where.
type Violation struct {
	Rule   string // "size", "bag", "tree", "vertex", "connectivity" or "edge"
	Where  string // vertices and bags numbered from 0, as everywhere here
	InFile string // the same, numbered from 1 as in PACE files
}

func (v *Violation) Error() string { return "treedec: " + v.Rule + ": " + v.Where }

// number is that of a vertex, a bag or an edge of the tree, from 0.
type number int

func violated(rule, format string, args ...any) error {
	v := &Violation{Rule: rule, Where: fmt.Sprintf(format, args...)}
	for i, a := range args {
		if k, is := a.(number); is {
			args[i] = k + 1
		}
	}
	v.InFile = fmt.Sprintf(format, args...)
	return v
}

// Validate checks the decomposition of g. A *Violation names the rule that is broken, and where: "size", "bag" (range and order),
// "tree", "vertex", "edge" or "connectivity". The time is linear in the bags and the graph, but for the search in bags.
func (d *Decomposition) Validate(g *graph.Graph) error {
	n := g.Len()
	if d.Vertices != n {
		return violated("size", "made for %d vertices, the graph has %d", d.Vertices, n)
	}
	for b, bag := range d.Bags {
		for k, v := range bag {
			if v < 0 || int(v) >= n {
				return violated("bag", "bag %d holds vertex %d of %d", number(b), number(v), n)
			}
			if k > 0 && bag[k-1] >= v {
				return violated("bag", "bag %d holds %d after %d", number(b), number(v), number(bag[k-1]))
			}
		}
	}
	order, err := d.root(0)
	if err != nil {
		return err
	}
	// The bags of a vertex hang together exactly when all but one of them have
	// the vertex in the bag above too.
	tops := make([]int32, n)
	top := make([]int32, n) // the position in the order of the topmost bag
	for i, s := range order {
		for _, v := range d.Bags[s.bag] {
			if s.parent < 0 || !contains(d.Bags[s.parent], v) {
				tops[v]++
				top[v] = int32(i)
			}
		}
	}
	for v, t := range tops {
		if t == 0 {
			return violated("vertex", "vertex %d lies in no bag", number(v))
		}
	}
	for v, t := range tops {
		if t > 1 {
			return violated("connectivity", "the bags of vertex %d are in %d parts", number(v), t)
		}
	}
	for u := range int32(n) {
		to, _ := g.Neighbours(u)
		for _, v := range to {
			// A bag with both ends lies below both topmost bags, so the later
			// of these holds both ends too.
			bag := d.Bags[order[max(top[u], top[v])].bag]
			if u < v && (!contains(bag, u) || !contains(bag, v)) {
				return violated("edge", "no bag holds both ends of edge %d-%d", number(u), number(v))
			}
		}
	}
	return nil
}

func contains(bag []int32, v int32) bool {
	_, ok := slices.BinarySearch(bag, v)
	return ok
}

// visit is a bag with the one above it, -1 at the root.
type visit struct{ bag, parent int32 }

// root orders the bags from one of them outwards, which is bag 0 where there
// are none.
func (d *Decomposition) root(at int) ([]visit, error) {
	count := len(d.Bags)
	if len(d.Tree) != max(0, count-1) {
		return nil, violated("tree", "%d edges between %d bags", len(d.Tree), count)
	}
	start := make([]int32, count+1)
	for i, e := range d.Tree {
		for _, b := range e {
			if b < 0 || int(b) >= count {
				return nil, violated("tree", "edge %d names bag %d of %d", number(i), number(b), count)
			}
			start[b]++
		}
	}
	for b := range count {
		start[b+1] += start[b]
	}
	next := make([]int32, 2*len(d.Tree))
	for i := len(d.Tree) - 1; i >= 0; i-- {
		a, b := d.Tree[i][0], d.Tree[i][1]
		start[a]--
		next[start[a]] = b
		start[b]--
		next[start[b]] = a
	}
	seen := make([]bool, count)
	order := make([]visit, 0, count)
	if count > 0 {
		seen[at] = true
		order = append(order, visit{int32(at), -1})
	}
	for i := 0; i < len(order); i++ {
		at := order[i].bag
		for _, b := range next[start[at]:start[at+1]] {
			if !seen[b] {
				seen[b] = true
				order = append(order, visit{b, at})
			}
		}
	}
	if len(order) < count {
		return nil, violated("tree", "bag %d is not reached from bag %d", number(slices.Index(seen, false)), number(at))
	}
	return order, nil
}

// Parents hangs the tree from a bag, its root. It returns the parent of each bag, and -1 for the root.
func (d *Decomposition) Parents(root int) ([]int32, error) {
	order, err := d.root(root)
	if err != nil {
		return nil, err
	}
	parents := make([]int32, len(d.Bags))
	for _, s := range order {
		parents[s.bag] = s.parent
	}
	return parents, nil
}

// Clean removes bags that a neighbouring bag contains, until none is left.
// The decomposition must be valid; its bags are then at most as many as its
// vertices.
func (d *Decomposition) Clean() (*Decomposition, error) {
	order, err := d.root(0)
	if err != nil {
		return nil, err
	}
	into := sets.New(len(d.Bags)) // the bag that stands for each
	// From the leaves up: a bag may swallow its parent, and then stands for it
	// towards the rest.
	for i := len(order) - 1; i > 0; i-- {
		b, p := into.Find(order[i].bag), into.Find(order[i].parent)
		switch {
		case subset(d.Bags[b], d.Bags[p]):
			into.Join(b, p)
		case subset(d.Bags[p], d.Bags[b]):
			into.Join(p, b)
		}
	}
	number := make([]int32, len(d.Bags))
	out := &Decomposition{Vertices: d.Vertices}
	for b, bag := range d.Bags {
		if into[b] == int32(b) {
			number[b] = int32(len(out.Bags))
			out.Bags = append(out.Bags, bag)
		}
	}
	for _, e := range d.Tree {
		if a, b := into.Find(e[0]), into.Find(e[1]); a != b {
			out.Tree = append(out.Tree, [2]int32{number[a], number[b]})
		}
	}
	return out, nil
}

func subset(a, b []int32) bool {
	if len(a) > len(b) {
		return false
	}
	k := 0
	for _, v := range a {
		for k < len(b) && b[k] < v {
			k++
		}
		if k == len(b) || b[k] != v {
			return false
		}
	}
	return true
}

// Centroid returns a bag without which no component of the graph has more than half the vertices. It is the first bag, from the leaves
// up, with at least half the vertices in it and below. Those that its parent holds too do not count. The time is linear in the bags. The
// decomposition must be valid and have a bag.
func (d *Decomposition) Centroid() (int, error) {
	order, err := d.root(0)
	if err != nil {
		return 0, err
	}
	if len(order) == 0 {
		return 0, fmt.Errorf("treedec: no bags, so no centroid")
	}
	// A vertex counts at its topmost bag.
	below := make([]int, len(d.Bags))
	for i := len(order) - 1; i >= 0; i-- {
		b, p := order[i].bag, order[i].parent
		for _, v := range d.Bags[b] {
			if p < 0 || !contains(d.Bags[p], v) {
				below[b]++
			}
		}
		// What lies below and not in the parent bag is at most half for every
		// child, and what lies above is less than half here for the first time.
		if 2*below[b] >= d.Vertices || p < 0 {
			return int(b), nil
		}
		below[p] += below[b]
	}
	return 0, nil
}
