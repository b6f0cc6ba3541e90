package treedec

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"genussink/core/graph"
)

// Rule chooses the vertex to eliminate next.
type Rule int

// The rules of elimination.
const (
	MinDegree Rule = iota // fewest neighbours
	MinFill               // fewest missing edges between the neighbours
)

// Order eliminates the vertices one by one, joining the neighbours of each, and
// returns them in that order. Ties go by vertex, or by random numbers from a
// seed that is not 0. It ends with ctx.
func Order(ctx context.Context, g *graph.Graph, rule Rule, seed uint64) ([]int32, error) {
	n := g.Len()
	e := newElimination(g)
	tie := make([]int, n)
	for v := range tie {
		tie[v] = v
	}
	if seed != 0 {
		tie = rand.New(rand.NewPCG(seed, 1)).Perm(n)
	}
	key := make([]int, n)
	measure := func(v int32) int {
		if rule == MinFill {
			return e.fill(v)
		}
		return len(e.adj[v])
	}
	h := heap{key: key, tie: tie, place: make([]int32, n), items: make([]int32, n)}
	for v := range int32(n) {
		key[v] = measure(v)
		h.items[v], h.place[v] = v, v
	}
	for i := n/4 + 1; i >= 0; i-- {
		h.down(int32(i))
	}
	order := make([]int32, 0, n)
	stale := make([]int, n) // the step in which a key was last measured, plus 1
	for len(h.items) > 0 {
		if len(order)%16 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		v := h.items[0]
		h.pop()
		order = append(order, v)
		filled := rule == MinFill && key[v] > 0
		for _, u := range e.eliminate(v) {
			if stale[u] != len(order) {
				stale[u] = len(order)
				key[u] = measure(u)
				h.fix(u)
			}
			if !filled {
				continue // without a new edge, only the neighbours' fill changes
			}
			for _, w := range e.adj[u] {
				if stale[w] != len(order) {
					stale[w] = len(order)
					key[w] = measure(w)
					h.fix(w)
				}
			}
		}
	}
	return order, nil
}

// elimination is the graph that is left, rows ascending.
type elimination struct {
	adj    [][]int32
	merged []int32
	marked []bool
}

func newElimination(g *graph.Graph) *elimination {
	e := &elimination{adj: make([][]int32, g.Len()), marked: make([]bool, g.Len())}
	for v := range e.adj {
		to, _ := g.Neighbours(int32(v))
		e.adj[v] = slices.Clone(to)
	}
	return e
}

// eliminate removes v, joins its neighbours and returns them.
func (e *elimination) eliminate(v int32) []int32 {
	around := e.adj[v]
	e.adj[v] = nil
	for _, u := range around {
		out := e.merged[:0]
		a, b := e.adj[u], around
		for len(a) > 0 || len(b) > 0 {
			var w int32
			switch {
			case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
				w, a = a[0], a[1:]
			case len(a) == 0 || b[0] < a[0]:
				w, b = b[0], b[1:]
			default:
				w, a, b = a[0], a[1:], b[1:]
			}
			if w != u && w != v {
				out = append(out, w)
			}
		}
		e.adj[u] = append(e.adj[u][:0], out...)
		e.merged = out
	}
	return around
}

// fill is the number of edges missing between the neighbours of v.
func (e *elimination) fill(v int32) int {
	around := e.adj[v]
	for _, u := range around {
		e.marked[u] = true
	}
	there := 0
	for _, u := range around {
		for _, w := range e.adj[u] {
			if e.marked[w] {
				there++
			}
		}
	}
	for _, u := range around {
		e.marked[u] = false
	}
	return (len(around)*(len(around)-1) - there) / 2
}

// heap is a 4-ary min-heap of vertices by key and tie.
type heap struct {
	key, tie     []int
	items, place []int32
}

func (h *heap) less(u, v int32) bool {
	return h.key[u] < h.key[v] || h.key[u] == h.key[v] && h.tie[u] < h.tie[v]
}

func (h *heap) set(i int32, v int32) { h.items[i], h.place[v] = v, i }

func (h *heap) up(i int32) {
	v := h.items[i]
	for i > 0 {
		p := (i - 1) / 4
		if !h.less(v, h.items[p]) {
			break
		}
		h.set(i, h.items[p])
		i = p
	}
	h.set(i, v)
}

func (h *heap) down(i int32) {
	n := int32(len(h.items))
	if i >= n {
		return
	}
	v := h.items[i]
	for {
		c := 4*i + 1
		if c >= n {
			break
		}
		least := c
		for k := c + 1; k < min(c+4, n); k++ {
			if h.less(h.items[k], h.items[least]) {
				least = k
			}
		}
		if !h.less(h.items[least], v) {
			break
		}
		h.set(i, h.items[least])
		i = least
	}
	h.set(i, v)
}

func (h *heap) fix(v int32) {
	h.up(h.place[v])
	h.down(h.place[v])
}

func (h *heap) pop() {
	last := len(h.items) - 1
	v := h.items[last]
	h.items = h.items[:last]
	if last > 0 {
		h.set(0, v)
		h.down(0)
	}
}

// FromOrder returns the decomposition of an elimination order: the bag of v is
// v with its neighbours at its elimination, and hangs on that of the first of
// them to be eliminated. Bags are not cleaned. An order that is none is an
// error.
func FromOrder(g *graph.Graph, order []int32) (*Decomposition, error) {
	n := g.Len()
	if len(order) != n {
		return nil, fmt.Errorf("treedec: an order of %d for %d vertices", len(order), n)
	}
	when := make([]int32, n)
	for v := range when {
		when[v] = -1
	}
	for i, v := range order {
		if v < 0 || int(v) >= n || when[v] >= 0 {
			return nil, fmt.Errorf("treedec: place %d of the order is vertex %d, out of range or twice", i, v)
		}
		when[v] = int32(i)
	}
	d := &Decomposition{Vertices: n, Bags: make([][]int32, n)}
	children := make([][]int32, n) // by place in the order
	roots := int32(-1)
	in := make([]int32, n) // the last bag, plus 1, that a vertex was put in
	for i, v := range order {
		bag := []int32{v}
		in[v] = int32(i) + 1
		put := func(u int32) {
			if when[u] > int32(i) && in[u] != int32(i)+1 {
				in[u] = int32(i) + 1
				bag = append(bag, u)
			}
		}
		to, _ := g.Neighbours(v)
		for _, u := range to {
			put(u)
		}
		for _, c := range children[i] {
			for _, u := range d.Bags[c] {
				put(u)
			}
		}
		first := int32(n)
		for _, u := range bag[1:] {
			first = min(first, when[u])
		}
		slices.Sort(bag)
		d.Bags[i] = bag
		switch {
		case first < int32(n):
			children[first] = append(children[first], int32(i))
			d.Tree = append(d.Tree, [2]int32{int32(i), first})
		case roots >= 0: // another component: hang its root on the one before
			d.Tree = append(d.Tree, [2]int32{int32(i), roots})
			roots = int32(i)
		default:
			roots = int32(i)
		}
	}
	return d, nil
}

// Order returns an elimination order whose decomposition is at most as wide:
// vertices leave with their topmost bag, from the leaves up.
func (d *Decomposition) Order() ([]int32, error) {
	steps, err := d.root()
	if err != nil {
		return nil, err
	}
	order := make([]int32, 0, d.Vertices)
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		for _, v := range d.Bags[s.bag] {
			if s.parent < 0 || !contains(d.Bags[s.parent], v) {
				order = append(order, v)
			}
		}
	}
	return order, nil
}
