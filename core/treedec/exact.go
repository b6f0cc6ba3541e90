package treedec

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"genussink/core/graph"
)

// Result is what is known of a graph's treewidth.
type Result struct {
	Decomposition *Decomposition // the narrowest found, clean
	Lower         int            // no decomposition is narrower
	Exact         bool           // the decomposition has width Lower, which is proved
}

// Options governs Treewidth. The zero value asks for the default.
type Options struct {
	Tries    int    // elimination orders by minimum fill, all but the first with random ties; 0: 2 to 200 by the graph's size
	Seed     uint64 // of the ties
	Progress func(stage string, fraction float64)
	Improved func(Result) // told of every better bound when it is found; nil: nobody
}

// maxExact bounds the vertices, after reduction, of graphs whose treewidth
// Treewidth tries to prove, and maxBytes the sets that one search keeps;
// beyond them only the bounds are given.
const (
	maxExact = 4096
	maxBytes = 1 << 29
)

var errFull = errors.New("treedec: the search keeps too many sets")

// Treewidth bounds the treewidth from both sides and goes on until the bounds
// meet: elimination orders from above; degeneracy, MMD+ and then, width by
// width, Tamaki's positive-instance driven search from below. The graph is
// reduced first: simplicial vertices, and almost simplicial ones of degree at
// most the lower bound, are eliminated, which is safe. When ctx ends it returns
// the best it has with ctx's error; there is none yet only if the first
// elimination order was not finished.
func Treewidth(ctx context.Context, g *graph.Graph, o Options) (Result, error) {
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	if o.Improved == nil {
		o.Improved = func(Result) {}
	}
	if o.Tries < 0 {
		return Result{}, fmt.Errorf("treedec: %d tries", o.Tries)
	}
	var best Result
	keep := func(order []int32) error {
		d, err := FromOrder(g, order)
		if err != nil {
			return err
		}
		if best.Decomposition == nil || d.Width() < best.Decomposition.Width() {
			if best.Decomposition, err = d.Clean(); err != nil {
				return err
			}
			best.Exact = best.Decomposition.Width() == best.Lower
			o.Improved(best)
		}
		best.Exact = best.Decomposition.Width() == best.Lower
		return nil
	}
	best.Lower = max(Degeneracy(g), MinorMinWidth(g))
	if g.Len() == 0 {
		best.Lower = -1
	}
	r, prefix := reduce(g, &best.Lower)
	rest := r.Len()
	if o.Tries == 0 {
		o.Tries = min(max(2, 100000/(1+rest+r.Edges())), 200)
	}
	for try := range o.Tries + 1 {
		o.Progress("elimination orders", float64(try)/float64(o.Tries+1))
		rule, seed := MinFill, o.Seed+uint64(try)
		if try == 0 {
			rule, seed = MinDegree, 0
		}
		order, err := Order(ctx, r.Graph, rule, seed)
		if err != nil {
			return best, err
		}
		if err := keep(r.lift(prefix, order)); err != nil {
			return best, err
		}
		if best.Exact || rest == 0 {
			break
		}
	}
	if best.Exact || rest > maxExact {
		return best, nil
	}
	// The treewidth of the graph is the largest of the parts' and of what the
	// reduction met: widen part after part until it has a decomposition.
	component, count := r.Components()
	parts := make([][]int32, count)
	for v, c := range component {
		parts[c] = append(parts[c], int32(v))
	}
	orders := make([][]int32, count)
	for c, part := range parts {
		sub := r.Induced(part)
		for width := best.Lower; ; width++ {
			if width >= best.Decomposition.Width() {
				return best, nil // no part can make the graph's bounds meet below
			}
			o.Progress("exact search", float64(c)/float64(count))
			d, err := decide(ctx, sub, width)
			if errors.Is(err, errFull) {
				return best, nil
			}
			if err != nil {
				return best, err
			}
			if d != nil {
				order, err := d.Order()
				if err != nil {
					return best, err
				}
				for _, v := range order {
					orders[c] = append(orders[c], part[v])
				}
				break
			}
			best.Lower = width + 1
			best.Exact = best.Decomposition.Width() == best.Lower
			o.Improved(best)
			if best.Exact {
				return best, nil
			}
		}
	}
	err := keep(r.lift(prefix, slices.Concat(orders...)))
	return best, err
}

// reduced is a graph on some vertices of another.
type reduced struct {
	*graph.Graph
	vertices []int32
}

// lift is the elimination order of the whole graph.
func (r reduced) lift(prefix, order []int32) []int32 {
	all := slices.Clone(prefix)
	for _, v := range order {
		all = append(all, r.vertices[v])
	}
	return all
}

// reduce eliminates vertices as long as that is safe, raises the lower bound to
// the degrees of the simplicial ones, and returns what is left and the order.
func reduce(g *graph.Graph, lower *int) (r reduced, order []int32) {
	n := g.Len()
	e := newElimination(g)
	gone := make([]bool, n)
	queued := make([]bool, n)
	queue := make([]int32, 0, n)
	push := func(v int32) {
		if !gone[v] && !queued[v] {
			queued[v] = true
			queue = append(queue, v)
		}
	}
	for v := range int32(n) {
		push(v)
	}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		queued[v] = false
		degree := len(e.adj[v])
		simplicial := e.fill(v) == 0
		if !simplicial && (degree > *lower || !e.almostSimplicial(v)) {
			continue
		}
		if simplicial && degree > *lower {
			*lower = degree
			for u := range int32(n) {
				push(u) // more vertices may be safe now
			}
		}
		gone[v] = true
		order = append(order, v)
		for _, u := range e.eliminate(v) {
			push(u)
			for _, w := range e.adj[u] {
				push(w)
			}
		}
	}
	var edges []graph.Edge
	local := make([]int32, n)
	for v := range int32(n) {
		if !gone[v] {
			local[v] = int32(len(r.vertices))
			r.vertices = append(r.vertices, v)
		}
	}
	for _, v := range r.vertices {
		for _, u := range e.adj[v] {
			edges = append(edges, graph.Edge{U: local[v], V: local[u], Weight: 1})
		}
	}
	var err error
	if r.Graph, err = graph.New(len(r.vertices), edges); err != nil {
		panic("treedec: the elimination graph is no graph")
	}
	return r, order
}

// almostSimplicial reports whether the neighbours of v without one of them are
// all joined.
func (e *elimination) almostSimplicial(v int32) bool {
	missing := e.fill(v)
	around := e.adj[v]
	for _, u := range around {
		// Every missing edge must be at u.
		if len(around)-1-common(e.adj[u], around) == missing {
			return true
		}
	}
	return false
}

// decide returns a decomposition of the connected graph of at most the given
// width, nil if there is none. It builds feasible sets: connected sets C such
// that C with its neighbourhood N(C), made a clique, has one. Unions of them
// with at most width+1 neighbours offer the bags N(A) and, for v in N(A),
// N(A) + N(v) - A; the vertices of a bag whose neighbours all lie in the bag
// or in A join A and make a larger feasible set. Only sets that are not the
// side of the least vertex among the components of their neighbourhood are
// kept (H. Tamaki, Positive-instance driven dynamic programming for treewidth,
// ESA 2017).
func decide(ctx context.Context, g *graph.Graph, width int) (*Decomposition, error) {
	return newSearch(g, width).run(ctx)
}

func (s *search) run(ctx context.Context) (*Decomposition, error) {
	for v := range int32(s.n) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		copy(s.bag, s.adj[v])
		s.bag.add(v)
		if s.bag.count() <= s.width+1 && s.offer(s.bag, s.empty, nil) {
			return s.decomposition(), nil
		}
	}
	perUnion := 8*4*len(s.empty) + 200 // two sets, its key, its rim again; headers and blocks
	for i := 0; i < len(s.blocks); i++ {
		if len(s.unions) > maxBytes/perUnion {
			return nil, errFull
		}
		done, err := s.extend(ctx, int32(i))
		if err != nil {
			return nil, err
		}
		if done {
			return s.decomposition(), nil
		}
	}
	return nil, nil
}

// block is a feasible set with its topmost bag and the blocks below.
type block struct {
	set, around, bag bits
	below            []int32
}

// union is blocks that do not touch one another.
type union struct {
	set, around bits
	blocks      []int32
}

type search struct {
	n, width                   int
	adj                        []bits
	empty, all                 bits
	bag, offered, inside, rim  bits // scratch
	reached, frontier, outside bits
	blocks                     []block
	unions                     []union
	rims                       bits        // of the unions, one after the other, because most tests end there
	bySize                     [][]int32   // the unions by the size of their rim
	byVertex                   [][][]int32 // and by a vertex of it
	seenBlocks, seenUnions     map[string]bool
	root                       block // set to everything when found
}

func newSearch(g *graph.Graph, width int) *search {
	n := g.Len()
	words := (n + 63) / 64
	s := &search{n: n, width: width, adj: make([]bits, n), seenBlocks: map[string]bool{}, seenUnions: map[string]bool{}}
	for _, b := range []*bits{&s.empty, &s.all, &s.bag, &s.offered, &s.inside, &s.rim, &s.reached, &s.frontier, &s.outside} {
		*b = make(bits, words)
	}
	s.bySize = make([][]int32, width+2)
	s.byVertex = make([][][]int32, width+2)
	for size := range s.byVertex {
		s.byVertex[size] = make([][]int32, n)
	}
	for v := range int32(n) {
		s.all.add(v)
		s.adj[v] = make(bits, words)
		to, _ := g.Neighbours(v)
		for _, u := range to {
			s.adj[v].add(u)
		}
	}
	return s
}

// extend joins block i to every union that it can join and offers the bags
// that follow. A union with j places left in its rim needs all but j of the
// block's rim, so one of any j+1 vertices of that: the unions of one rim size
// are looked up by the j+1 vertices that the fewest of them have.
func (s *search) extend(ctx context.Context, i int32) (bool, error) {
	c := s.blocks[i]
	if s.join(union{s.empty, s.empty, nil}, c, i) {
		return true, nil
	}
	var rim []int32
	c.around.each(func(v int32) { rim = append(rim, v) })
	words := len(s.empty)
	tests := 0
	try := func(list []int32, chosen []int32) (bool, error) {
		for _, k := range list {
			if tests++; tests%256 == 0 {
				if err := ctx.Err(); err != nil {
					return false, err
				}
			}
			around := s.rims[int(k)*words : int(k+1)*words]
			if around.countWith(c.around) > s.width+1 {
				continue
			}
			a := &s.unions[k]
			if a.set.meets(c.set) || a.around.meets(c.set) || c.around.meets(a.set) ||
				slices.ContainsFunc(chosen, func(v int32) bool { return a.around.has(v) }) {
				continue
			}
			if s.join(*a, c, i) {
				return true, nil
			}
		}
		return false, nil
	}
	for size := range s.bySize {
		left := s.width + 1 - size
		if left >= len(rim) {
			if done, err := try(s.bySize[size], nil); done || err != nil {
				return done, err
			}
			continue
		}
		slices.SortFunc(rim, func(u, v int32) int {
			return cmp.Or(cmp.Compare(len(s.byVertex[size][u]), len(s.byVertex[size][v])), cmp.Compare(u, v))
		})
		for k, v := range rim[:left+1] {
			if done, err := try(s.byVertex[size][v], rim[:k]); done || err != nil {
				return done, err
			}
		}
	}
	return false, nil
}

// join adds a union of blocks and offers its bags.
func (s *search) join(a union, c block, i int32) bool {
	set := a.set.with(c.set)
	key := set.key()
	if s.seenUnions[key] {
		return false
	}
	s.seenUnions[key] = true
	u := union{set, a.around.with(c.around), append(slices.Clip(a.blocks), i)}
	size := u.around.count()
	s.bySize[size] = append(s.bySize[size], int32(len(s.unions)))
	u.around.each(func(v int32) { s.byVertex[size][v] = append(s.byVertex[size][v], int32(len(s.unions))) })
	s.unions = append(s.unions, u)
	s.rims = append(s.rims, u.around...)
	if s.offer(u.around, u.set, u.blocks) {
		return true
	}
	if size > s.width {
		return false
	}
	found := false
	u.around.each(func(v int32) {
		if found {
			return
		}
		for w := range s.offered {
			s.offered[w] = u.around[w] | s.adj[v][w]&^u.set[w]
		}
		if s.offered.count() <= s.width+1 {
			found = s.offer(s.offered, u.set, u.blocks)
		}
	})
	return found
}

// offer takes a bag above the given set of blocks. It reports whether the bag
// is the root of a decomposition, and keeps the feasible set that it makes.
func (s *search) offer(bag, set bits, below []int32) bool {
	copy(s.inside, set)
	absorbed := false
	bag.each(func(v int32) {
		if s.adj[v].within(set, bag) {
			s.inside.add(v)
			absorbed = true
		}
	})
	if !absorbed {
		return false
	}
	covered := true
	for w := range s.rim {
		s.rim[w] = bag[w] &^ s.inside[w]
		covered = covered && s.rim[w] == 0
	}
	if covered && s.inside.equals(s.all) {
		s.root = block{s.all, s.empty, slices.Clone(bag), slices.Clone(below)}
		return true
	}
	if s.rim.count() > s.width || covered {
		return false
	}
	// The set must hang together and touch its whole rim.
	s.reach(s.inside.first(), s.rim)
	if !s.reached.equals(s.inside) || !s.touches(s.rim) {
		return false
	}
	key := s.inside.key()
	if s.seenBlocks[key] {
		return false
	}
	set = slices.Clone(s.inside)
	// Is there a component with the same rim and a smaller first vertex?
	for w := range s.outside {
		s.outside[w] = s.all[w] &^ s.inside[w] &^ s.rim[w]
	}
	least := set.first()
	for {
		v := s.outside.first()
		if v < 0 || v > least {
			return false
		}
		s.reach(v, s.rim)
		if s.touches(s.rim) {
			break
		}
		for w := range s.outside {
			s.outside[w] &^= s.reached[w]
		}
	}
	s.seenBlocks[key] = true
	s.blocks = append(s.blocks, block{set, slices.Clone(s.rim), slices.Clone(bag), slices.Clone(below)})
	return false
}

// reach fills s.reached with the component of v without the rim.
func (s *search) reach(v int32, rim bits) {
	clear(s.reached)
	clear(s.frontier)
	s.reached.add(v)
	s.frontier.add(v)
	for {
		u := s.frontier.first()
		if u < 0 {
			return
		}
		s.frontier.remove(u)
		for w := range s.frontier {
			fresh := s.adj[u][w] &^ rim[w] &^ s.reached[w]
			s.reached[w] |= fresh
			s.frontier[w] |= fresh
		}
	}
}

// touches reports whether every vertex of the rim has a neighbour in s.reached.
func (s *search) touches(rim bits) bool {
	ok := true
	rim.each(func(v int32) { ok = ok && s.adj[v].meets(s.reached) })
	return ok
}

func (s *search) decomposition() *Decomposition {
	d := &Decomposition{Vertices: s.n}
	type todo struct {
		b      block
		parent int32
	}
	stack := []todo{{s.root, -1}}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		at := int32(len(d.Bags))
		var bag []int32
		t.b.bag.each(func(v int32) { bag = append(bag, v) })
		d.Bags = append(d.Bags, bag)
		if t.parent >= 0 {
			d.Tree = append(d.Tree, [2]int32{t.parent, at})
		}
		for _, i := range t.b.below {
			stack = append(stack, todo{s.blocks[i], at})
		}
	}
	return d
}
