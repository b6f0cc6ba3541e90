package separator

import (
	"cmp"
	"context"
	"math"
	"slices"

	"genussink/core/graph"
)

// rooted is an embedded graph with a breadth-first tree.
type rooted struct {
	*embedding
	order  []int32 // vertices in breadth-first order
	level  []int32 // of a vertex
	parent []int32 // the arc from a vertex to its parent, none at the root
}

// root embeds the graph and grows the tree from a vertex far from the one that
// the seed names, where levels are many and small.
func root(g *graph.Graph, o Options) (*rooted, error) {
	e, err := embed(g, o.Faces)
	if err != nil {
		return nil, err
	}
	e.triangulate()
	far := breadthFirst(g, int32(o.Seed%uint64(g.Len())))
	order := breadthFirst(g, far[len(far)-1])
	r := &rooted{embedding: e, order: order, level: make([]int32, g.Len()), parent: make([]int32, g.Len())}
	for v := range r.parent {
		r.level[v], r.parent[v] = none, none
	}
	r.level[order[0]] = 0
	for _, v := range order {
		for a := g.Offsets[v]; a < g.Offsets[v+1]; a++ {
			if t := g.Targets[a]; r.level[t] < 0 {
				r.level[t] = r.level[v] + 1
				r.parent[t] = e.twin[a]
			}
		}
	}
	return r, nil
}

// fundamental is a cycle of one edge outside the tree and the tree path that
// joins its ends u and v. The edges outside the tree are a tree of triangles,
// so each splits the sphere: one side is the triangles of rank first..last-1,
// and inside is the weight of the vertices that weigh on those.
type fundamental struct {
	u, v        int32
	first, last int32
	inside      int
}

// home is the triangle that a vertex weighs on: to the left of its parent arc.
// Because the tree is breadth-first, no triangle is the home of two vertices,
// the root apart.
func (r *rooted) home(v int32) int32 {
	if a := r.parent[v]; a != none {
		return r.triangle[a]
	}
	return r.triangle[r.g.Offsets[v]]
}

// fundamentals returns the fundamental cycles for vertex weights 0 and 1, and
// the ranks of the triangles.
func (r *rooted) fundamentals(weighs func(v int32) bool) (cycles []fundamental, rank []int32) {
	inTree := func(a int32) bool {
		return a >= 0 && (r.parent[r.origin[a]] == a || r.parent[r.g.Targets[a]] == r.twin[a])
	}
	weight := make([]int32, len(r.sides))
	for v := range int32(len(r.parent)) {
		if weighs(v) {
			weight[r.home(v)]++
		}
	}
	// Triangles in depth-first order of their tree, so that a subtree is a range.
	type visit struct {
		triangle, from int32
		side           int8 // of the triangle from
	}
	visits := make([]visit, 0, len(r.sides))
	rank = make([]int32, len(r.sides))
	stack := []visit{{0, none, 0}}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		rank[at.triangle] = int32(len(visits))
		visits = append(visits, at)
		for s, next := range r.sides[at.triangle] {
			if next != none && next != at.from && !inTree(r.crossing[at.triangle][s]) {
				stack = append(stack, visit{next, at.triangle, int8(s)})
			}
		}
	}
	size := make([]int32, len(r.sides))
	cycles = make([]fundamental, 0, len(visits)-1)
	for i := int32(len(visits)) - 1; i > 0; i-- {
		t, from := visits[i].triangle, visits[i].from
		size[t]++
		u, v := r.cycleEnds(from, int(visits[i].side))
		cycles = append(cycles, fundamental{u, v, i, i + size[t], int(weight[t])})
		weight[from] += weight[t]
		size[from] += size[t]
	}
	return cycles, rank
}

// cycle calls visit for the vertices of the tree path from u to v.
func (r *rooted) cycle(u, v int32, visit func(v int32)) {
	for u != v {
		if r.level[u] < r.level[v] {
			u, v = v, u
		}
		visit(u)
		u = r.g.Targets[r.parent[u]]
	}
	visit(u)
}

// liptonTarjan finds a separator of at most sqrt(8n) vertices with at most
// 2n/3 on either side in linear time (Lipton and Tarjan, A separator theorem
// for planar graphs, SIAM J. Appl. Math. 36, 1979): two levels of a
// breadth-first tree and, between them, a fundamental cycle. Where the paper
// shrinks the lower levels to a vertex and drops the upper ones, here they
// weigh nothing and the part of the cycle that lies there is left out.
func liptonTarjan(ctx context.Context, g *graph.Graph, o Options, least int) ([]side, error) {
	r, err := root(g, o)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sides := r.liptonTarjan()
	var count [3]int
	for _, s := range sides {
		count[s]++
	}
	if min(count[inA], count[inB]) < least {
		return nil, ErrNoSeparation
	}
	return sides, nil
}

func (r *rooted) liptonTarjan() []side {
	n := len(r.level)
	height := int(r.level[r.order[n-1]])
	size := make([]int, height+2)
	for _, l := range r.level {
		size[l]++
	}
	// The middle level is the first up to which at least half the vertices lie.
	middle, upTo := 0, size[0]
	for 2*upTo < n {
		middle++
		upTo += size[middle]
	}
	// The levels that make the bound: the theorem says that the first sum is at
	// most 2 sqrt(upTo) and the second at most 2 sqrt(n-upTo).
	low, high := middle, middle+1
	for l := middle; l >= 0; l-- {
		if size[l]+2*(middle-l) < size[low]+2*(middle-low) {
			low = l
		}
	}
	for l := middle + 1; l <= height+1; l++ {
		if size[l]+2*(l-middle-1) < size[high]+2*(high-middle-1) {
			high = l
		}
	}
	sides := make([]side, n)
	between := 0
	inBetween := func(v int32) bool { return int(r.level[v]) > low && int(r.level[v]) < high }
	for v, l := range r.level {
		if int(l) == low || int(l) == high {
			sides[v] = inS
		} else if inBetween(int32(v)) {
			between++
		}
	}
	if 3*between > 2*n {
		cycles, _ := r.fundamentals(inBetween)
		best := cycles[0]
		for _, c := range cycles {
			if max(c.inside, between-c.inside) < max(best.inside, between-best.inside) {
				best = c
			}
		}
		r.cycle(best.u, best.v, func(v int32) {
			if inBetween(v) {
				sides[v] = inS
			}
		})
	}
	dealComponents(r.g, sides)
	trim(r.g, sides, 2*n/3)
	return sides
}

// fundamentalCycle takes the shortest fundamental cycle of a breadth-first
// tree that has the balance; measuring all cycles takes n times the tree's
// height.
func fundamentalCycle(ctx context.Context, g *graph.Graph, o Options, least int) ([]side, error) {
	r, err := root(g, o)
	if err != nil {
		return nil, err
	}
	n := g.Len()
	cycles, rank := r.fundamentals(func(int32) bool { return true })
	var best fundamental
	bestLength, bestLighter := n, 0
	for i, c := range cycles {
		if i%256 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		length, inside := 0, c.inside
		r.cycle(c.u, c.v, func(v int32) {
			length++
			if k := rank[r.home(v)]; k >= c.first && k < c.last {
				inside--
			}
		})
		lighter := min(inside, n-length-inside)
		if lighter >= least && (length < bestLength || length == bestLength && lighter > bestLighter) {
			best, bestLength, bestLighter = c, length, lighter
		}
	}
	if bestLighter == 0 {
		return nil, ErrNoSeparation
	}
	sides := make([]side, n)
	r.cycle(best.u, best.v, func(v int32) { sides[v] = inS })
	if a, b := dealComponents(g, sides); min(a, b) < least {
		return nil, ErrNoSeparation // two sides would do, the components do not add up to them
	}
	trim(g, sides, math.MaxInt)
	return sides, nil
}

// dealComponents deals what is left of the graph without the separator to A
// and B, the largest component first and each to the lighter side, and returns
// their sizes. When every component has at most 2n/3 vertices, so has a side.
func dealComponents(g *graph.Graph, sides []side) (a, b int) {
	var members [][]int32
	seen := make([]bool, len(sides))
	for v, s := range sides {
		if s == inS || seen[v] {
			continue
		}
		seen[v] = true
		part := []int32{int32(v)}
		for i := 0; i < len(part); i++ {
			to, _ := g.Neighbours(part[i])
			for _, t := range to {
				if sides[t] != inS && !seen[t] {
					seen[t] = true
					part = append(part, t)
				}
			}
		}
		members = append(members, part)
	}
	slices.SortStableFunc(members, func(a, b []int32) int { return cmp.Compare(len(b), len(a)) })
	return deal(sides, members, 0, 0)
}
