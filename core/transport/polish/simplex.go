package polish

import (
	"cmp"
	"math"
	"slices"

	"genussink/core/graph"
)

// transshipment is mass on its way along the edges of a graph, from one density to another. Its cost is never below the
// unregularised optimum, which it reaches in the end. A spanning tree carries the mass; improve exchanges its edges, by the
// network simplex method (Ahuja, Magnanti and Orlin 1993, Chapter 11). Any tree is a start, as every edge may be
// used in both directions. In a component whose masses differ the root keeps what is left.
type transshipment struct {
	g       *graph.Graph
	parent  []int32 // -1 of a root
	depth   []int32
	first   []int32 // child, -1: none
	next    []int32 // child of the same parent, -1: none
	before  []int32 // child of the same parent, -1: it is the first
	up      []bool  // the mass goes from the vertex to its parent
	mass    []float64
	weight  []float64 // of the edge to the parent
	price   []float64 // a unit's: along the tree's edges it falls by their length, in the direction of the mass
	cost    float64
	noise   float64 // differences of prices below are rounding
	at      int32   // where the search for the next edge goes on
	optimal bool
}

// newTransshipment begins with the tree that fits prices best: one whose edges are as long as these differ, as nearly as can be.
func newTransshipment(g *graph.Graph, source, target, prices []float64) *transshipment {
	n := g.Len()
	t := &transshipment{
		g: g, parent: make([]int32, n), depth: make([]int32, n), first: make([]int32, n), next: make([]int32, n), before: make([]int32, n),
		up: make([]bool, n), mass: make([]float64, n), weight: make([]float64, n), price: make([]float64, n),
	}
	// Kruskal's algorithm.
	type edge struct {
		u, v   int32
		w, off float64
	}
	edges := make([]edge, 0, g.Edges())
	for u := range int32(n) {
		targets, weights := g.Neighbours(u)
		for k, v := range targets {
			if u < v {
				off := weights[k] - math.Abs(prices[u]-prices[v])
				if math.IsNaN(off) { // of vertices without prices
					off = math.Inf(1)
				}
				edges = append(edges, edge{u, v, weights[k], math.Abs(off)})
			}
		}
	}
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(a.u, b.u), cmp.Compare(a.v, b.v))
	})
	joined := t.parent // by the algorithm: the way to each tree's first vertex
	for v := range joined {
		joined[v] = int32(v)
	}
	find := func(v int32) int32 {
		for joined[v] != v {
			joined[v] = joined[joined[v]]
			v = joined[v]
		}
		return v
	}
	var taken []graph.Edge
	for _, e := range edges {
		if u, v := find(e.u), find(e.v); u != v {
			joined[max(u, v)] = min(u, v)
			taken = append(taken, graph.Edge{U: e.u, V: e.v, Weight: e.w})
		}
	}
	forest, err := graph.New(n, taken)
	if err != nil {
		panic("polish: " + err.Error()) // its edges are the graph's
	}
	for v := range n {
		t.parent[v], t.first[v], t.next[v], t.before[v] = -1, -1, -1, -1
		t.mass[v] = source[v] - target[v]
	}
	order, seen := make([]int32, 0, n), make([]bool, n) // parents first
	for root := range int32(n) {
		if seen[root] {
			continue
		}
		seen[root] = true
		order = append(order, root)
		for k := len(order) - 1; k < len(order); k++ {
			v := order[k]
			targets, weights := forest.Neighbours(v)
			for e, c := range targets {
				if !seen[c] {
					seen[c] = true
					t.weight[c] = weights[e]
					t.hang(c, v)
					order = append(order, c)
				}
			}
		}
	}
	for _, v := range slices.Backward(order) {
		if p := t.parent[v]; p >= 0 {
			t.mass[p] += t.mass[v]
		}
		t.up[v], t.mass[v] = t.mass[v] >= 0, math.Abs(t.mass[v])
	}
	least, most := 0.0, 0.0
	for _, v := range order {
		t.settle(v)
		least, most = min(least, t.price[v]), max(most, t.price[v])
	}
	t.noise = (most - least) * 0x1p-40
	t.sum()
	return t
}

// hang makes v a child of p.
func (t *transshipment) hang(v, p int32) {
	t.parent[v], t.before[v], t.next[v] = p, -1, t.first[p]
	if c := t.first[p]; c >= 0 {
		t.before[c] = v
	}
	t.first[p] = v
}

// cut takes v from its parent.
func (t *transshipment) cut(v int32) {
	if b := t.before[v]; b >= 0 {
		t.next[b] = t.next[v]
	} else {
		t.first[t.parent[v]] = t.next[v]
	}
	if c := t.next[v]; c >= 0 {
		t.before[c] = t.before[v]
	}
}

// settle finds the depth and the price of v by its parent's.
func (t *transshipment) settle(v int32) {
	p := t.parent[v]
	if p < 0 {
		return
	}
	t.depth[v] = t.depth[p] + 1
	if t.up[v] {
		t.price[v] = t.price[p] + t.weight[v]
	} else {
		t.price[v] = t.price[p] - t.weight[v]
	}
}

// sum finds the cost.
func (t *transshipment) sum() {
	t.cost = 0
	for v, p := range t.parent {
		if p >= 0 {
			t.cost += t.mass[v] * t.weight[v]
		}
	}
}

// improve exchanges so many edges, as far as there are any left.
func (t *transshipment) improve(exchanges int) {
	for ; exchanges > 0 && !t.optimal; exchanges-- {
		t.optimal = !t.exchange()
	}
	t.sum()
}

// exchange lets mass take the edge along which prices fall the most below its length, of a stretch of
// the vertices; false: there is none.
func (t *transshipment) exchange() bool {
	n := int32(t.g.Len())
	stretch := int32(math.Sqrt(float64(n))) + 8
	from, to, length, gain := int32(-1), int32(-1), 0.0, t.noise
	for looked := int32(0); looked < n; {
		for k := int32(0); k < stretch && looked < n; k++ {
			u := t.at
			if t.at++; t.at == n {
				t.at = 0
			}
			looked++
			targets, weights := t.g.Neighbours(u)
			for e, v := range targets {
				if g := t.price[u] - t.price[v] - weights[e]; g > gain {
					from, to, length, gain = u, v, weights[e], g
				}
			}
		}
		if from >= 0 {
			t.pivot(from, to, length)
			return true
		}
	}
	return false
}

// pivot sends as much mass as there is straight from one vertex to another, and not along the tree. Of the tree's edges whose mass
// that takes, one leaves: the last, on the way from where the two ways meet down to the first vertex and up again from the
// other. So it cannot go round in circles (Cunningham 1976).
func (t *transshipment) pivot(from, to int32, length float64) {
	a, b := from, to
	for a != b {
		if t.depth[a] >= t.depth[b] {
			a = t.parent[a]
		} else {
			b = t.parent[b]
		}
	}
	meet := a
	moved, leaving, first := math.Inf(1), int32(-1), true
	for v := from; v != meet; v = t.parent[v] {
		if t.up[v] && t.mass[v] < moved {
			moved, leaving = t.mass[v], v
		}
	}
	for v := to; v != meet; v = t.parent[v] {
		if !t.up[v] && t.mass[v] <= moved {
			moved, leaving, first = t.mass[v], v, false
		}
	}
	move := func(v int32, less bool) {
		for ; v != meet; v = t.parent[v] {
			if t.up[v] == less {
				t.mass[v] -= moved
			} else {
				t.mass[v] += moved
			}
		}
	}
	move(from, true)
	move(to, false)
	// What hung from the leaving edge hangs from the other end of the new one.
	v, p, up := from, to, true
	if !first {
		v, p, up = to, from, false
	}
	root, mass := v, moved
	for {
		was, wasMass, wasUp, wasLength := t.parent[v], t.mass[v], t.up[v], t.weight[v]
		t.cut(v)
		t.mass[v], t.up[v], t.weight[v] = mass, up, length
		t.hang(v, p)
		if v == leaving {
			break
		}
		v, p, mass, up, length = was, v, wasMass, !wasUp, wasLength
	}
	for v := root; ; {
		t.settle(v)
		if c := t.first[v]; c >= 0 {
			v = c
			continue
		}
		for v != root && t.next[v] < 0 {
			v = t.parent[v]
		}
		if v == root {
			return
		}
		v = t.next[v]
	}
}
