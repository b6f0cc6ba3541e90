package model

import (
	"slices"
)

// Elimination is what happens when vertices are eliminated one by one: the
// neighbours of each become a clique.
type Elimination struct {
	Vertex int
	Around []int    // its neighbours by then, ascending
	Added  [][2]int // fill edges
	Width  int      // the most neighbours met so far
	Fill   int      // fill edges so far
}

// Eliminate eliminates vertices in an order, which may stop before all are gone.
func Eliminate(g *Graph, order []int) []Elimination {
	rows := adjacency(g)
	var out []Elimination
	width, fill := 0, 0
	for _, v := range order {
		e := rows.eliminate(v)
		width, fill = max(width, len(e.Around)), fill+len(e.Added)
		e.Width, e.Fill = width, fill
		out = append(out, e)
	}
	return out
}

// matrix says which vertices are joined.
type matrix [][]bool

func adjacency(g *Graph) matrix {
	m := make(matrix, g.N)
	for v := range m {
		m[v] = make([]bool, g.N)
	}
	for _, e := range g.Edges {
		m[e[0]][e[1]], m[e[1]][e[0]] = true, true
	}
	return m
}

func (m matrix) around(v int) (out []int) {
	for u, joined := range m[v] {
		if joined {
			out = append(out, u)
		}
	}
	return out
}

func (m matrix) eliminate(v int) Elimination {
	e := Elimination{Vertex: v, Around: m.around(v)}
	for i, u := range e.Around {
		for _, w := range e.Around[i+1:] {
			if !m[u][w] {
				m[u][w], m[w][u] = true, true
				e.Added = append(e.Added, [2]int{u, w})
			}
		}
		m[u][v], m[v][u] = false, false
	}
	return e
}

// MinDegree is the order that always takes a vertex of fewest neighbours, the first of several.
func MinDegree(g *Graph) []int {
	rows, gone := adjacency(g), make([]bool, g.N)
	order := make([]int, 0, g.N)
	for range g.N {
		best, least := -1, g.N+1
		for v := range g.N {
			if d := len(rows.around(v)); !gone[v] && d < least {
				best, least = v, d
			}
		}
		gone[best] = true
		rows.eliminate(best)
		order = append(order, best)
	}
	return order
}

// Width is the width of an elimination order: the most neighbours that a vertex
// has when it is eliminated. It is -1 for an empty order.
func Width(g *Graph, order []int) int {
	steps := Eliminate(g, order)
	if len(steps) == 0 {
		return -1
	}
	return steps[len(steps)-1].Width
}

// Contraction is a step of a proof that no decomposition is narrower than the
// least degree met: the vertex has the fewest neighbours, and goes into one of
// them. What is left is a minor, whose treewidth is no larger.
type Contraction struct {
	Vertex, Into int // Into is -1 for a vertex without neighbours
	Degree       int
	Bound        int // the largest degree so far
}

// Contract proves a lower bound of the treewidth (Bodlaender and Koster, Treewidth computations II: MMD+).
func Contract(g *Graph) (steps []Contraction, bound int) {
	rows, gone := adjacency(g), make([]bool, g.N)
	for range g.N {
		c := Contraction{Vertex: -1, Into: -1, Degree: g.N + 1}
		for v := range g.N {
			if d := len(rows.around(v)); !gone[v] && d < c.Degree {
				c.Vertex, c.Degree = v, d
			}
		}
		fewest := g.N + 1
		around := rows.around(c.Vertex)
		for _, u := range around {
			common := 0
			for _, w := range around {
				if rows[u][w] {
					common++
				}
			}
			if common < fewest {
				c.Into, fewest = u, common
			}
		}
		gone[c.Vertex] = true
		for _, w := range around {
			rows[c.Vertex][w], rows[w][c.Vertex] = false, false
			if w != c.Into {
				rows[c.Into][w], rows[w][c.Into] = true, true
			}
		}
		bound = max(bound, c.Degree)
		c.Bound = bound
		steps = append(steps, c)
	}
	return steps, bound
}

// Decomposition is a tree of bags.
type Decomposition struct {
	Bags   [][]int // each ascending
	Parent []int   // -1 for the root
}

// FromOrder makes the bags of an elimination order and takes away those that a neighbour contains.
func FromOrder(g *Graph, order []int) *Decomposition {
	d := &Decomposition{}
	place := make([]int, g.N)
	for i, v := range order {
		place[v] = i
	}
	for _, e := range Eliminate(g, order) {
		bag := append([]int{e.Vertex}, e.Around...)
		slices.Sort(bag)
		up := -1
		for _, u := range e.Around {
			if up < 0 || place[u] < up {
				up = place[u]
			}
		}
		d.Bags, d.Parent = append(d.Bags, bag), append(d.Parent, up)
	}
	// Components hang from the last bag, which is a root.
	for b := range d.Parent {
		if d.Parent[b] < 0 && b != len(d.Bags)-1 {
			d.Parent[b] = len(d.Bags) - 1
		}
	}
	return d.clean()
}

// clean merges a bag into a neighbour that contains it.
func (d *Decomposition) clean() *Decomposition {
	into := make([]int, len(d.Bags))
	for b := range into {
		into[b] = b
	}
	find := func(b int) int {
		for into[b] != b {
			b = into[b]
		}
		return b
	}
	for changed := true; changed; {
		changed = false
		for b, up := range d.Parent {
			if up < 0 {
				continue
			}
			x, y := find(b), find(up)
			if x == y {
				continue
			}
			switch {
			case subset(d.Bags[x], d.Bags[y]):
				into[x], changed = y, true
			case subset(d.Bags[y], d.Bags[x]):
				into[y], changed = x, true
			}
		}
	}
	number, out := make([]int, len(d.Bags)), &Decomposition{}
	for b := range d.Bags {
		if into[b] == b {
			number[b] = len(out.Bags)
			out.Bags = append(out.Bags, d.Bags[b])
		}
	}
	var edges [][2]int
	for b, up := range d.Parent {
		if up >= 0 && find(b) != find(up) {
			edges = append(edges, [2]int{number[find(b)], number[find(up)]})
		}
	}
	return Hang(out.Bags, edges, max(len(out.Bags)-1, 0))
}

func subset(a, b []int) bool {
	for _, v := range a {
		if _, ok := slices.BinarySearch(b, v); !ok {
			return false
		}
	}
	return true
}

// Hang makes a decomposition of bags and the edges of their tree, hung from a bag.
func Hang(bags [][]int, edges [][2]int, root int) *Decomposition {
	d := &Decomposition{Bags: bags, Parent: make([]int, len(bags))}
	next := make([][]int, len(bags))
	for _, e := range edges {
		next[e[0]], next[e[1]] = append(next[e[0]], e[1]), append(next[e[1]], e[0])
	}
	seen := make([]bool, len(bags))
	for i := range bags {
		d.Parent[i] = -1
	}
	if len(bags) > 0 {
		seen[root] = true
		for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
			for _, b := range next[queue[0]] {
				if !seen[b] {
					seen[b], d.Parent[b] = true, queue[0]
					queue = append(queue, b)
				}
			}
		}
	}
	return d
}

// Width is the size of the largest bag less one.
func (d *Decomposition) Width() int {
	w := 0
	for _, bag := range d.Bags {
		w = max(w, len(bag))
	}
	return w - 1
}

// Violation is a rule that bags break, and where.
type Violation struct {
	Rule     string // "vertex", "edge" or "connected"
	Vertices []int  // the vertex, or the ends of the edge
	Bags     []int  // of "connected": a bag on each side of the gap
}

// Check lists where bags break the three rules of a tree decomposition (the
// paper, Sec. 2.1): every vertex is in a bag, every edge is, and the bags of a
// vertex hang together.
func (d *Decomposition) Check(g *Graph) (out []Violation) {
	holding := make([][]int, g.N)
	for b, bag := range d.Bags {
		for _, v := range bag {
			holding[v] = append(holding[v], b)
		}
	}
	for v, bags := range holding {
		if len(bags) == 0 {
			out = append(out, Violation{Rule: "vertex", Vertices: []int{v}})
		}
	}
	for _, e := range g.Edges {
		if !slices.ContainsFunc(holding[e[0]], func(b int) bool { return slices.Contains(d.Bags[b], e[1]) }) {
			out = append(out, Violation{Rule: "edge", Vertices: []int{e[0], e[1]}})
		}
	}
	for v, bags := range holding {
		// The bags of a vertex are one subtree where all but one hang from another of them.
		var tops []int
		for _, b := range bags {
			if up := d.Parent[b]; up < 0 || !slices.Contains(d.Bags[up], v) {
				tops = append(tops, b)
			}
		}
		if len(tops) > 1 {
			out = append(out, Violation{Rule: "connected", Vertices: []int{v}, Bags: tops})
		}
	}
	return out
}

// WalkStep is a bag on the walk to the centroid: how many vertices lie in it
// and below.
type WalkStep struct{ Bag, Below int }

// Centroid finds a bag that leaves no component with more than half the
// vertices, in time linear in the bags: from the leaves up, the first bag with
// at least half of the vertices in it and below (the paper, Sec. 2.1). The walk
// is what was looked at, in order.
func (d *Decomposition) Centroid(g *Graph) (bag int, walk []WalkStep) {
	depth := make([]int, len(d.Bags))
	order := make([]int, len(d.Bags))
	for b := range d.Bags {
		order[b] = b
		for x := b; d.Parent[x] >= 0; x = d.Parent[x] {
			depth[b]++
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return depth[b] - depth[a] })
	// A vertex belongs to its topmost bag; below that bag nothing new of it appears.
	below := make([]int, len(d.Bags))
	for b, bag := range d.Bags {
		for _, v := range bag {
			if up := d.Parent[b]; up < 0 || !slices.Contains(d.Bags[up], v) {
				below[b]++
			}
		}
	}
	for _, b := range order {
		held := below[b]
		for _, v := range d.Bags[b] { // those of the bag that belong further up are in it too
			if up := d.Parent[b]; up >= 0 && slices.Contains(d.Bags[up], v) {
				held++
			}
		}
		walk = append(walk, WalkStep{b, held})
		if 2*held >= g.N {
			return b, walk
		}
		if up := d.Parent[b]; up >= 0 {
			below[up] += below[b]
		}
	}
	return -1, walk
}

// Leaves is the largest component that a bag leaves.
func (d *Decomposition) Leaves(g *Graph, bag int) int {
	return Separate(g, d.Bags[bag]).Largest()
}
