package treedec

import (
	"context"
	"errors"
	"fmt"
	"math"
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
	Sweep                 // next to what is eliminated, and fewest new neighbours of that
)

// maxEntries bounds what the rows of an elimination, or the bags of an order,
// hold together: a gigabyte.
const maxEntries = 1 << 28

// Order eliminates the vertices one by one, joining the neighbours of each, and
// returns them in that order. Ties go by vertex, or by random numbers from a
// seed that is not 0. It ends with ctx, or with an error when the elimination
// grows past 2^27 edges.
func Order(ctx context.Context, g *graph.Graph, rule Rule, seed uint64) ([]int32, error) {
	order, _, err := eliminate(ctx, g, rule, seed, g.Len(), g.Len())
	return order, err
}

// OrderWithin orders the first own vertices of g by minimum degree; the others are to be eliminated after them. It also returns the
// width: the most neighbours that one of the first has when it is eliminated. If that would exceed the given width it gives up at
// once, with ErrWide, before the elimination has become dear.
func OrderWithin(ctx context.Context, g *graph.Graph, own, width int) ([]int32, int, error) {
	return eliminate(ctx, g, MinDegree, 0, own, width)
}

// ErrWide says that an order is wider than it may be.
var ErrWide = errors.New("treedec: the elimination is wider than it may be")

// eliminate is Order that returns the width too, and ends with ErrWide where it
// can tell that this is more than a limit. Minimum degree may leave vertices in
// position, all but the first own.
func eliminate(ctx context.Context, g *graph.Graph, rule Rule, seed uint64, own, limit int) (order []int32, width int, err error) {
	if rule < 0 || rule > Sweep {
		return nil, 0, fmt.Errorf("treedec: there is no rule %d", rule)
	}
	n := g.Len()
	var tie []int32
	start := int32(-1)
	if seed != 0 {
		tie = make([]int32, n)
		for v, k := range rand.New(rand.NewPCG(seed, 1)).Perm(n) {
			if tie[v] = int32(k); k == 0 {
				start = int32(v)
			}
		}
	}
	if rule == Sweep {
		order, err = sweep(ctx, g, tie, start)
		return order, 0, err
	}
	e := newElimination(g)
	key := make([]int, n)
	for v := range int32(n) {
		if v%256 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
		}
		if v >= int32(own) {
			key[v] = math.MaxInt // never its turn
			continue
		}
		if key[v] = int(e.degree[v]); rule == MinFill {
			key[v] = e.fill(v)
		}
	}
	h := newHeap(key, tie)
	// The fill changes several times in one step, positions in the heap once.
	var changed []int32
	listed := make([]bool, n)
	f := fills{e, key, func(v int32) {
		if !listed[v] {
			listed[v] = true
			changed = append(changed, v)
		}
	}}
	order = make([]int32, 0, own)
	for len(order) < own {
		if len(order)%16 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			if e.arcs > maxEntries {
				return nil, 0, fmt.Errorf("treedec: after %d of %d vertices the elimination has %d edges, more than are kept", len(order), n, e.arcs/2)
			}
		}
		v, _ := h.pop()
		if width = max(width, int(e.degree[v])); width > limit {
			return nil, 0, ErrWide
		}
		order = append(order, v)
		if rule == MinFill {
			f.eliminate(v)
			for _, u := range changed {
				listed[u] = false
				h.change(u, f.fill[u])
			}
			changed = changed[:0]
			continue
		}
		for _, u := range e.eliminate(v) {
			if int(u) < own {
				h.change(u, int(e.degree[u]))
			}
		}
	}
	return order, width, nil
}

// sweep orders the vertices one by one. The next one is a neighbour of those taken: the one with the fewest new neighbours. A vertex is new
// if it is neither taken nor a neighbour of one that is taken. This suits long graphs, whose best decompositions are nearly paths.
// The sweep begins at start. Where start is negative, or a new component begins, it takes a vertex of least degree.
func sweep(ctx context.Context, g *graph.Graph, tie []int32, start int32) ([]int32, error) {
	n := g.Len()
	key := make([]int, n) // new neighbours, and n more where v is no neighbour of those taken
	for v := range key {
		key[v] = n + int(g.Offsets[v+1]-g.Offsets[v])
	}
	if start >= 0 {
		key[start] = 0
	}
	h := newHeap(key, tie)
	taken, met := make([]bool, n), make([]bool, n)
	meet := func(v int32) {
		if met[v] {
			return
		}
		met[v] = true
		to, _ := g.Neighbours(v)
		for _, u := range to {
			if !taken[u] {
				h.lower(u, 1)
			}
		}
	}
	order := make([]int32, 0, n)
	for len(h.items) > 0 {
		if len(order)%64 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		v, _ := h.pop()
		order = append(order, v)
		taken[v] = true
		meet(v)
		to, _ := g.Neighbours(v)
		for _, u := range to {
			if !met[u] {
				h.lower(u, n)
				meet(u)
			}
		}
	}
	return order, nil
}

// Eliminate returns the decomposition of the elimination order by a rule. It is clean: no bag is contained in a neighbour.
func Eliminate(ctx context.Context, g *graph.Graph, rule Rule, seed uint64) (*Decomposition, error) {
	order, err := Order(ctx, g, rule, seed)
	if err != nil {
		return nil, err
	}
	d, err := FromOrder(g, order)
	if err != nil {
		return nil, err
	}
	return d.Clean()
}

// FromOrder returns the decomposition of an elimination order. The bag of v is v with its neighbours when it is eliminated. It hangs
// on the bag of the first of them to be eliminated. Bags are not cleaned. What is not an order is an error, and so are bags of more
// than 2^28 vertices together.
func FromOrder(g *graph.Graph, order []int32) (*Decomposition, error) {
	return fromOrder(g, order, g.Len())
}

// fromOrder is FromOrder that ends with ErrWide where a bag makes the width
// larger than a limit.
func fromOrder(g *graph.Graph, order []int32, limit int) (*Decomposition, error) {
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
			return nil, fmt.Errorf("treedec: position %d of the order is vertex %d, out of range or twice", i, v)
		}
		when[v] = int32(i)
	}
	d := &Decomposition{Vertices: n, Bags: make([][]int32, n), Tree: make([][2]int32, 0, max(0, n-1))}
	// The bags that hang on one, by position in the order, are a list: its first,
	// and after each the next, plus 1.
	first, next := make([]int32, n), make([]int32, n)
	root := int32(-1)
	in := make([]int32, n) // the last bag, plus 1, that a vertex was put in
	var bag, room []int32
	entries := 0
	for i, v := range order {
		bag = append(bag[:0], v)
		in[v] = int32(i) + 1
		above := int32(n)
		put := func(u int32) {
			if in[u] != int32(i)+1 && when[u] > int32(i) {
				in[u] = int32(i) + 1
				above = min(above, when[u])
				bag = append(bag, u)
			}
		}
		to, _ := g.Neighbours(v)
		for _, u := range to {
			put(u)
		}
		for c := first[i]; c > 0; c = next[c-1] {
			for _, u := range d.Bags[c-1] {
				put(u)
			}
		}
		if len(bag) > limit+1 {
			return nil, ErrWide
		}
		if entries += len(bag); entries > maxEntries {
			return nil, fmt.Errorf("treedec: the bags of the order's first %d vertices hold %d entries, more than are kept", i+1, entries)
		}
		slices.Sort(bag)
		// Small bags share blocks of memory.
		if len(bag) > cap(room)-len(room) {
			room = make([]int32, 0, max(len(bag), min(4*n, 1<<16)))
		}
		room = append(room, bag...)
		d.Bags[i] = room[len(room)-len(bag) : len(room) : len(room)]
		switch {
		case above < int32(n):
			next[i], first[above] = first[above], int32(i)+1
			d.Tree = append(d.Tree, [2]int32{int32(i), above})
		case root >= 0: // another component: hang its root on the one before
			d.Tree = append(d.Tree, [2]int32{int32(i), root})
			root = int32(i)
		default:
			root = int32(i)
		}
	}
	return d, nil
}

// Order returns an elimination order whose decomposition is at most as wide:
// vertices leave with their topmost bag, from the leaves up.
func (d *Decomposition) Order() ([]int32, error) { return d.OrderTo(0) }

// OrderTo is Order with the given bag at the root, whose vertices come last.
func (d *Decomposition) OrderTo(root int) ([]int32, error) {
	visits, err := d.root(root)
	if err != nil {
		return nil, err
	}
	order := make([]int32, 0, d.Vertices)
	for i := len(visits) - 1; i >= 0; i-- {
		s := visits[i]
		for _, v := range d.Bags[s.bag] {
			if s.parent < 0 || !contains(d.Bags[s.parent], v) {
				order = append(order, v)
			}
		}
	}
	return order, nil
}
