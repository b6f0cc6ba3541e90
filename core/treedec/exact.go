package treedec

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"genussink/core/graph"
)

// maxBytes bounds the sets that one search keeps.
const maxBytes = 1 << 29

var (
	errFull   = errors.New("treedec: the search keeps too many sets")
	errPaused = errors.New("treedec: the search has used up its steps")
)

// newSearch asks for a decomposition of the connected graph of at most the
// given width. The search builds feasible sets: connected sets C such
// that C with its neighbourhood N(C), made a clique, has one. Unions of them
// with at most width+1 neighbours offer the bags N(A) and, for v in N(A),
// N(A) + N(v) - A; the vertices of a bag whose neighbours all lie in the bag
// or in A join A and make a larger feasible set. Only sets that are not the
// side of the least vertex among the components of their neighbourhood are
// kept (H. Tamaki, Positive-instance driven dynamic programming for treewidth,
// ESA 2017).
func newSearch(g *graph.Graph, width int) *search {
	n := g.Len()
	words := (n + 63) / 64
	s := &search{
		g: g, n: n, width: width, sparse: 2*g.Edges() < 4*n*words,
		adj: make([]bits, n), seenBlocks: map[string]bool{}, seenUnions: map[string]bool{},
	}
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

// run goes on with the search and returns the decomposition, nil if there is
// none. After about the given number of steps, of some nanoseconds each, it
// ends with errPaused and can be run again.
func (s *search) run(ctx context.Context, steps int) (*Decomposition, error) {
	s.steps = steps
	for ; s.first < int32(s.n); s.first++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		copy(s.bag, s.adj[s.first])
		s.bag.add(s.first)
		if s.bag.count() <= s.width+1 && s.offer(s.bag, s.empty, nil) {
			return s.decomposition(), nil
		}
	}
	perUnion := 8*4*len(s.empty) + 200 // two sets, its key, its rim again; headers and blocks
	for ; s.next < len(s.blocks); s.next++ {
		if len(s.unions) > maxBytes/perUnion {
			return nil, errFull
		}
		if s.steps < 0 {
			return nil, errPaused
		}
		done, err := s.extend(ctx, int32(s.next))
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
	g                          *graph.Graph
	n, width                   int
	sparse                     bool // lists of neighbours are shorter than sets
	stack                      []int32
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
	first                      int32 // vertex whose neighbourhood is offered next
	next                       int   // block to extend next
	steps                      int   // left in this run
}

// extend joins block i to every union that it can join and offers the bags
// that follow. A union whose rim has room for j more needs all but j of the
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
				s.steps -= 256
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
	s.steps -= 8 * len(bag)
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
	met := 0
	if s.sparse {
		copy(s.reached, rim)
		s.reached.add(v)
		s.stack = append(s.stack[:0], v)
		for len(s.stack) > 0 {
			u := s.stack[len(s.stack)-1]
			s.stack = s.stack[:len(s.stack)-1]
			to, _ := s.g.Neighbours(u)
			met += len(to)
			for _, w := range to {
				if !s.reached.has(w) {
					s.reached.add(w)
					s.stack = append(s.stack, w)
				}
			}
		}
		for w := range s.reached {
			s.reached[w] &^= rim[w]
		}
	} else {
		clear(s.reached)
		clear(s.frontier)
		s.reached.add(v)
		s.frontier.add(v)
		for u := v; u >= 0; u = s.frontier.first() {
			s.frontier.remove(u)
			met += len(s.frontier)
			for w := range s.frontier {
				fresh := s.adj[u][w] &^ rim[w] &^ s.reached[w]
				s.reached[w] |= fresh
				s.frontier[w] |= fresh
			}
		}
	}
	s.steps -= met / 2
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
