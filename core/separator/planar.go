package separator

import (
	"context"
	"math"

	"genussink/core/graph"
)

// rooted is an embedded graph with a breadth-first tree. Its vertices have the
// numbers of the search, so that the root is 0, the parent of a vertex is the
// first of its neighbours, a level is a range, and what is near in the graph is
// near in memory.
type rooted struct {
	*embedding
	order   []int32 // the vertex of the given graph that has the number
	levels  []int32 // the first vertex of a level; the number of vertices at the end
	roles   []role  // of a slot
	handles []int32 // slots, one per edge: as many as the genus; cut along them and the tree, the surface is a disc
}

type role uint8

const (
	barrier role = 1 << iota // the edge is the tree's or one of handles: no triangles are joined across it
	home                     // the slot's triangle is where a vertex weighs
)

// embedder is embedPlanar or embedSurface.
type embedder func(ctx context.Context, g *graph.Graph, faces [][3]int32) (*embedding, error)

// root embeds the graph and grows the tree from a vertex far from the one that
// the seed names, where levels are many and small.
func root(ctx context.Context, g *graph.Graph, o Options, embed embedder) (*rooted, error) {
	far := breadthFirst(g, int32(o.Seed%uint64(g.Len())))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	order := breadthFirst(g, far[len(far)-1])
	number := far // its space
	for i, v := range order {
		number[v] = int32(i)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e, err := embed(ctx, renumber(g, order, number), renumberFaces(o.Faces, number))
	if err != nil {
		return nil, Renamed(err, order)
	}
	r := &rooted{embedding: e, order: order, roles: make([]role, len(e.twin))}
	depth := make([]int32, len(order))
	r.levels = append(r.levels, 0)
	for v := int32(1); int(v) < len(depth); v++ {
		depth[v] = depth[r.parent(v)] + 1
		if depth[v] > depth[v-1] {
			r.levels = append(r.levels, v)
		}
	}
	r.levels = append(r.levels, int32(len(order)))
	for v := range int32(len(order)) {
		for i, w := range e.larger(v) {
			if r.parent(w) == v {
				s := e.beside[e.first[v]+int32(i)]
				r.roles[s] |= barrier | home
				r.roles[e.twin[s]] |= barrier
			}
		}
	}
	r.cutHandles(depth)
	return r, ctx.Err()
}

// renumber is the graph whose vertex i is order[i] of g, number the other way
// round, without lengths.
func renumber(g *graph.Graph, order, number []int32) *graph.Graph {
	out := &graph.Graph{Offsets: make([]int32, len(order)+1), Targets: make([]int32, len(g.Targets))}
	for i, v := range order {
		out.Offsets[i+1] = out.Offsets[i] + g.Offsets[v+1] - g.Offsets[v]
	}
	position := append([]int32(nil), out.Offsets[:len(order)]...)
	for i, v := range order { // ascending, so that every row is
		for a := g.Offsets[v]; a < g.Offsets[v+1]; a++ {
			t := number[g.Targets[a]]
			out.Targets[position[t]] = int32(i)
			position[t]++
		}
	}
	return out
}

// renumberFaces gives the faces' vertices their numbers and puts the faces in
// the order of their smallest one.
func renumberFaces(faces [][3]int32, number []int32) [][3]int32 {
	start := make([]int32, len(number)+1)
	smallest := func(t [3]int32) int32 { return min(number[t[0]], number[t[1]], number[t[2]]) }
	for _, t := range faces {
		start[smallest(t)+1]++
	}
	for v := range number {
		start[v+1] += start[v]
	}
	out := make([][3]int32, len(faces))
	for _, t := range faces {
		v := smallest(t)
		out[start[v]] = [3]int32{number[t[0]], number[t[1]], number[t[2]]}
		start[v]++
	}
	return out
}

// parent of a vertex other than the root.
func (r *rooted) parent(v int32) int32 { return r.g.Targets[r.g.Offsets[v]] }

// fundamental is the cycle of an edge without a barrier and of the tree path
// that joins its ends. The triangles joined across such edges are a tree, so
// each splits it: one side is the triangles of rank first..last-1, those beyond
// its slot, and inside is the number of vertices that weigh there.
type fundamental struct {
	slot        int32
	first, last int32
	inside      int32
}

// fundamentals returns the fundamental cycles and the rank of the triangle
// where each vertex weighs. That is one at the edge to its parent, so that a
// triangle has at most as many vertices as sides in the tree. Vertices outside
// from..to-1 and those in the separator weigh nothing.
func (r *rooted) fundamentals(ctx context.Context, from, to int32, sides []side) (cycles []fundamental, rank []int32, err error) {
	// Triangles in depth-first order of their tree, so that a subtree is a
	// range. Each is entered by the twin of the slot where its parent, for now
	// kept as last, is left.
	rank = make([]int32, len(r.order))
	triangles := make([]fundamental, 0, len(r.triangles))
	stack := []fundamental{{slot: 0, last: none}}
	for len(stack) > 0 {
		i := int32(len(triangles))
		if i&(1<<13-1) == 0 {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
		}
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		at.first = i
		for s, end := at.slot-at.slot%3, at.slot-at.slot%3+3; s < end; s++ {
			if r.roles[s]&home != 0 {
				u, v := r.ends(s)
				for v := max(u, v); ; v = 0 { // the root weighs where vertex 1 does
					rank[v] = i
					if v >= from && v < to && sides[v] != inS {
						at.inside++
					}
					if v != 1 {
						break
					}
				}
			}
			if r.roles[s]&barrier == 0 && (s != at.slot || i == 0) {
				stack = append(stack, fundamental{slot: r.twin[s], last: i})
			}
		}
		triangles = append(triangles, at)
	}
	size := make([]int32, len(triangles))
	for i := int32(len(triangles)) - 1; i > 0; i-- {
		t := &triangles[i]
		parent := t.last
		size[i]++
		size[parent] += size[i]
		triangles[parent].inside += t.inside
		t.last = i + size[i]
	}
	return triangles[1:], rank, ctx.Err()
}

// cycle calls visit for the vertices of the tree path between the ends of a
// slot.
func (r *rooted) cycle(s int32, visit func(v int32)) {
	u, v := r.ends(s)
	for u != v {
		if u < v {
			u, v = v, u
		}
		visit(u)
		u = r.parent(u) // a smaller number
	}
	visit(u)
}

// liptonTarjan finds a separator of at most sqrt(8n) vertices with at most
// 2n/3 on either side in linear time (Lipton and Tarjan, A separator theorem
// for planar graphs, SIAM J. Appl. Math. 36, 1979).
func liptonTarjan(ctx context.Context, g *graph.Graph, o Options, least int) ([]side, error) {
	r, err := root(ctx, g, o, embedPlanar)
	if err != nil {
		return nil, err
	}
	sides, err := r.levelsAndCycles(ctx)
	if err != nil {
		return nil, err
	}
	return r.finish(g, sides, 2*g.Len()/3, least)
}

// levelsAndCycles separates the graph by two levels of the tree and, between
// them, k+1 fundamental cycles, k being the genus: those of the handles, which
// leave a disc, and one that splits that. Of n vertices the separator has at
// most sqrt(8(k+1)n) and either side at most 2n/3.
//
// Proof, after Lipton and Tarjan, whose theorem is k = 0. Let the middle level
// be the first up to which at least half of the vertices lie, a of them, and
// let c = k+1. If every level l up to the middle had more than
// 2 sqrt(ca) - 2c(middle-l) vertices, there would be more than a; so some low
// level has no more, and likewise some high one above the middle at most
// 2 sqrt(c(n-a)) - 2c(high-middle-1). A fundamental cycle has at most two
// vertices on each of the high-low-1 levels between, so that cycles and levels
// together have at most 2 sqrt(c)(sqrt(a) + sqrt(n-a)) <= sqrt(8cn). Below low
// and above high lies at most half of the graph.
//
// Where Lipton and Tarjan shrink the lower levels to a vertex and drop the
// upper ones, here they weigh nothing and the part of a cycle that lies there
// is left out.
func (r *rooted) levelsAndCycles(ctx context.Context) ([]side, error) {
	n, height := len(r.order), len(r.levels)-2
	size := func(l int) int {
		if l > height {
			return 0
		}
		return int(r.levels[l+1] - r.levels[l])
	}
	middle := 0
	for 2*int(r.levels[middle+1]) < n {
		middle++
	}
	perLevel := 2 * (len(r.handles) + 1)
	low, high := middle, middle+1
	for l := middle; l >= 0; l-- {
		if size(l)+perLevel*(middle-l) < size(low)+perLevel*(middle-low) {
			low = l
		}
	}
	for l := middle + 1; l <= height+1; l++ {
		if size(l)+perLevel*(l-middle-1) < size(high)+perLevel*(high-middle-1) {
			high = l
		}
	}
	sides := make([]side, n)
	from, to := r.levels[low+1], r.levels[min(high, height+1)] // the vertices between
	for v := r.levels[low]; v < from; v++ {
		sides[v] = inS
	}
	for v := to; int(v) < int(to)+size(high); v++ {
		sides[v] = inS
	}
	between := int(to - from)
	cut := func(v int32) {
		if v >= from && v < to && sides[v] != inS {
			sides[v] = inS
			between--
		}
	}
	if 3*between > 2*n {
		for _, s := range r.handles {
			u, w := r.ends(s)
			for _, v := range [2]int32{u, w} {
				for ; v >= to || v >= from && sides[v] != inS; v = r.parent(v) {
					cut(v)
				}
			}
		}
	}
	if 3*between > 2*n {
		cycles, _, err := r.fundamentals(ctx, from, to, sides)
		if err != nil {
			return nil, err
		}
		best, lightest := 0, int32(math.MaxInt32)
		for i, c := range cycles {
			if heavier := max(c.inside, int32(between)-c.inside); heavier < lightest {
				best, lightest = i, heavier
			}
		}
		r.cycle(cycles[best].slot, cut)
	}
	dealComponents(r.g, sides)
	return sides, ctx.Err()
}

// finish gives the sides to the vertices of the given graph and drops useless
// ones from the separator, as long as no side has more than most vertices or
// less than least.
func (r *rooted) finish(g *graph.Graph, sides []side, most, least int) ([]side, error) {
	out := make([]side, len(sides))
	for i, v := range r.order {
		out[v] = sides[i]
	}
	trim(g, out, most)
	if tally(out).lighter() < least {
		return nil, ErrNoSeparation
	}
	return out, nil
}

// fundamentalCycle takes the shortest fundamental cycle of a breadth-first
// tree that has the balance; measuring all cycles takes n times the tree's
// height.
func fundamentalCycle(ctx context.Context, g *graph.Graph, o Options, least int) ([]side, error) {
	r, err := root(ctx, g, o, embedPlanar)
	if err != nil {
		return nil, err
	}
	n := g.Len()
	sides := make([]side, n)
	cycles, rank, err := r.fundamentals(ctx, 0, int32(n), sides)
	if err != nil {
		return nil, err
	}
	var best fundamental
	bestLength, bestLighter, most := n, 0, mostSide(n, o.Balance)
	for i, c := range cycles {
		if i%256 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		length, inside := 0, int(c.inside)
		r.cycle(c.slot, func(v int32) {
			length++
			if k := rank[v]; k >= c.first && k < c.last {
				inside--
			}
		})
		lighter := min(inside, n-length-inside)
		if lighter >= least && n-length-lighter <= most && (length < bestLength || length == bestLength && lighter > bestLighter) {
			best, bestLength, bestLighter = c, length, lighter
		}
	}
	if bestLighter == 0 {
		return nil, ErrNoSeparation
	}
	r.cycle(best.slot, func(v int32) { sides[v] = inS })
	dealComponents(r.g, sides) // two sides would do; the components may not add up to them
	return r.finish(g, sides, n, least)
}

// dealComponents deals what is left of the graph without the separator to A
// and B, the largest component first and each to the lighter side. When every
// component has at most 2n/3 vertices, so has a side.
func dealComponents(g *graph.Graph, sides []side) {
	n := len(sides)
	seen := make([]bool, n)
	members := make([]int32, 0, n) // component after component
	begin := []int32{}             // of each
	for v, s := range sides {
		if s == inS || seen[v] {
			continue
		}
		seen[v] = true
		begin = append(begin, int32(len(members)))
		members = append(members, int32(v))
		for i := len(members) - 1; i < len(members); i++ {
			v := members[i]
			for _, t := range g.Targets[g.Offsets[v]:g.Offsets[v+1]] {
				if sides[t] != inS && !seen[t] {
					seen[t] = true
					members = append(members, t)
				}
			}
		}
	}
	begin = append(begin, int32(len(members)))
	// The largest first, by counting.
	bySize := make([]int32, n+2)
	sized := func(c int) int { return n - int(begin[c+1]-begin[c]) }
	for c := range len(begin) - 1 {
		bySize[sized(c)+1]++
	}
	for i := 1; i < len(bySize); i++ {
		bySize[i] += bySize[i-1]
	}
	sorted := make([]int32, len(begin)-1)
	for c := range sorted {
		k := sized(c)
		sorted[bySize[k]] = int32(c)
		bySize[k]++
	}
	var weight [2]int
	for _, c := range sorted {
		to, k := inA, 0
		if weight[1] < weight[0] {
			to, k = inB, 1
		}
		for _, v := range members[begin[c]:begin[c+1]] {
			sides[v] = to
			weight[k]++
		}
	}
}
