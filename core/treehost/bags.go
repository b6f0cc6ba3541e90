package treehost

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"genussink/core/graph"
	"genussink/core/internal/sets"
	"genussink/core/treedec"
)

// bags is a tree decomposition of a graph, one tree per component, whose bags
// are named by few vertices: bag i holds corners[i] and, where closed, the
// whole tree paths from the roots to them. Every bag holds top besides.
type bags struct {
	*forest
	corners [][]int32
	links   [][]int32 // of a bag: its neighbours in the tree
	home    []int32   // of a vertex: a bag with it as a corner
	top     []int32   // ascending; where closed, with all their ancestors
	closed  bool
}

// fromOrder takes the bags of an elimination order.
func fromOrder(ctx context.Context, g *graph.Graph, f *forest) (*bags, error) {
	d, err := treedec.Eliminate(ctx, g, treedec.MinDegree, 0)
	if err != nil {
		return nil, err
	}
	b := &bags{forest: f, corners: d.Bags, links: make([][]int32, len(d.Bags))}
	b.settle(g.Len())
	for _, e := range d.Tree {
		// Trees of different components hang together by edges that say nothing.
		if overlap(d.Bags[e[0]], d.Bags[e[1]]) {
			b.link(e[0], e[1])
		}
	}
	return b, nil
}

func overlap(a, b []int32) bool {
	for _, v := range a {
		if _, ok := slices.BinarySearch(b, v); ok {
			return true
		}
	}
	return false
}

func (b *bags) link(i, j int32) {
	b.links[i] = append(b.links[i], j)
	b.links[j] = append(b.links[j], i)
}

// settle gives every vertex a home.
func (b *bags) settle(n int) {
	b.home = make([]int32, n)
	for v := range b.home {
		b.home[v] = none
	}
	for i, corners := range b.corners {
		for _, v := range corners {
			if b.home[v] == none {
				b.home[v] = int32(i)
			}
		}
	}
}

// fromFaces takes a bag for every face: the tree paths to its corners. Faces
// that share an edge outside the forest are linked as far as that makes no
// cycle. In a planar graph that is a tree decomposition; in others the paths
// for which it is none go to top (see the package comment).
func fromFaces(g *graph.Graph, f *forest, faces [][3]int32) (*bags, error) {
	n := g.Len()
	b := &bags{forest: f, closed: true}
	for i, face := range faces {
		for _, v := range face {
			if v < 0 || int(v) >= n {
				return nil, fmt.Errorf("treehost: face %d has the vertex %d of a graph of %d", i, v, n)
			}
			if f.root(v) != f.root(face[0]) {
				return nil, fmt.Errorf("treehost: face %d joins the vertices %d and %d, between which no path leads", i, face[0], v)
			}
		}
		corners := slices.Clone(face[:])
		slices.Sort(corners)
		b.corners = append(b.corners, slices.Compact(corners))
	}
	sides := b.sides(g)
	candidates := b.fans(sides)
	for i := 0; i < len(sides); {
		j := i + 1
		for ; j < len(sides) && sides[j].u == sides[i].u && sides[j].v == sides[i].v; j++ {
			if !b.inForest(sides[i].u, sides[i].v) {
				candidates = append(candidates, candidate{sides[j-1].bag, sides[j].bag, b.dist[sides[i].u] + b.dist[sides[i].v]})
			}
		}
		i = j
	}
	b.settle(n)
	b.span(candidates)
	b.cut()
	return b, nil
}

func (f *forest) root(v int32) int32 {
	for v = f.head[v]; f.parent[v] != none; v = f.head[f.parent[v]] {
	}
	return v
}

func (b *bags) inForest(u, v int32) bool { return b.parent[u] == v || b.parent[v] == u }

// a side is an edge u < v of a bag's corners.
type side struct{ u, v, bag int32 }

// sides lists the edges between corners in ascending order. It makes bags of
// their own for edges and vertices that no face has.
func (b *bags) sides(g *graph.Graph) []side {
	var sides []side
	add := func(bag int32) {
		corners := b.corners[bag]
		for i, u := range corners {
			for _, v := range corners[i+1:] {
				sides = append(sides, side{u, v, bag})
			}
		}
	}
	for i := range b.corners {
		add(int32(i))
	}
	order := func(s, t side) int {
		return cmp.Or(cmp.Compare(s.u, t.u), cmp.Compare(s.v, t.v), cmp.Compare(s.bag, t.bag))
	}
	slices.SortFunc(sides, order)
	count, at := len(sides), 0
	for u := range int32(g.Len()) {
		to, _ := g.Neighbours(u)
		if len(to) == 0 {
			b.corners = append(b.corners, []int32{u})
		}
		for _, v := range to {
			if v < u {
				continue
			}
			for at < count && (sides[at].u < u || sides[at].u == u && sides[at].v < v) {
				at++
			}
			if at == count || sides[at].u != u || sides[at].v != v {
				b.corners = append(b.corners, []int32{u, v})
				add(int32(len(b.corners)) - 1)
			}
		}
	}
	slices.SortFunc(sides, order)
	return sides
}

// a candidate is a link that the tree may have; those of great length come
// first, so that the links left out close short loops.
type candidate struct {
	i, j   int32
	length float64
}

// fans fills holes of the surface: where edges with one face form a cycle,
// triangles from one of its vertices to the others are bags too.
func (b *bags) fans(sides []side) (candidates []candidate) {
	type rim struct{ to, bag int32 }
	rims := make(map[int32][]rim)
	var starts []side
	for i, s := range sides {
		alone := (i == 0 || sides[i-1].u != s.u || sides[i-1].v != s.v) && (i+1 == len(sides) || sides[i+1].u != s.u || sides[i+1].v != s.v)
		if alone && len(b.corners[s.bag]) == 3 {
			rims[s.u] = append(rims[s.u], rim{s.v, s.bag})
			rims[s.v] = append(rims[s.v], rim{s.u, s.bag})
			starts = append(starts, s)
		}
	}
	take := func(u, v int32) (bag int32, ok bool) {
		i := slices.IndexFunc(rims[u], func(r rim) bool { return r.to == v })
		if i < 0 {
			return none, false
		}
		bag = rims[u][i].bag
		rims[u] = slices.Delete(rims[u], i, i+1)
		i = slices.IndexFunc(rims[v], func(r rim) bool { return r.to == u })
		rims[v] = slices.Delete(rims[v], i, i+1)
		return bag, true
	}
	for _, s := range starts {
		bag, ok := take(s.u, s.v)
		if !ok {
			continue
		}
		loop, across := []int32{s.u}, []int32{bag} // across[i] is the face at loop[i]-loop[i+1]
		for v := s.v; v != s.u; {
			loop = append(loop, v)
			if len(rims[v]) == 0 {
				break
			}
			to := rims[v][0].to
			bag, _ = take(v, to)
			across = append(across, bag)
			v = to
		}
		if len(across) != len(loop) || len(loop) < 3 {
			continue // not a cycle
		}
		apex := 0
		for i, v := range loop {
			if b.dist[v] < b.dist[loop[apex]] {
				apex = i
			}
		}
		k := len(loop)
		at := func(i int) int32 { return loop[(apex+i)%k] }
		length := func(u, v int32) float64 { return b.dist[u] + b.dist[v] }
		outside := func(i int, bag int32) { // the face beyond the rim's edge i
			if u, v := at(i), at(i+1); !b.inForest(u, v) {
				candidates = append(candidates, candidate{across[(apex+i)%k], bag, length(u, v)})
			}
		}
		for i := 1; i+1 < k; i++ {
			bag := int32(len(b.corners))
			corners := []int32{at(0), at(i), at(i + 1)}
			slices.Sort(corners)
			b.corners = append(b.corners, slices.Compact(corners))
			outside(i, bag)
			if i == 1 {
				outside(0, bag)
			} else {
				candidates = append(candidates, candidate{bag - 1, bag, length(at(0), at(i))})
			}
			if i+2 == k {
				outside(k-1, bag)
			}
		}
	}
	return candidates
}

// span links the bags of every component to a tree: over candidates, then over
// shared vertices, the farthest from the root first.
func (b *bags) span(candidates []candidate) {
	b.links = make([][]int32, len(b.corners))
	joined := sets.New(len(b.corners))
	join := func(i, j int32) {
		if r, s := joined.Find(i), joined.Find(j); r != s {
			joined.Join(r, s)
			b.link(i, j)
		}
	}
	slices.SortStableFunc(candidates, func(c, d candidate) int { return cmp.Compare(d.length, c.length) })
	for _, c := range candidates {
		join(c.i, c.j)
	}
	at := make([][]int32, len(b.home))
	for i, corners := range b.corners {
		for _, v := range corners {
			at[v] = append(at[v], int32(i))
		}
	}
	far := slices.Clone(b.order)
	slices.SortStableFunc(far, func(u, v int32) int { return cmp.Compare(b.dist[v], b.dist[u]) })
	for _, v := range far {
		for _, i := range at[v][1:] {
			join(at[v][0], i)
		}
	}
}

// cut finds the vertices whose bags do not hang together and puts the tree
// paths to them into top. The bags with vertex p are a forest; it is a tree
// when there is one bag more than links between two of them.
func (b *bags) cut() {
	surplus := make([]int32, len(b.home))
	var ends []int32
	for i, corners := range b.corners {
		ends = append(ends[:0], corners...)
		b.paths(ends, surplus, 1)
		for _, j := range b.links[i] {
			if j < int32(i) {
				continue
			}
			ends = ends[:0]
			for _, u := range corners {
				for _, v := range b.corners[j] {
					ends = append(ends, b.meet(u, v))
				}
			}
			b.paths(ends, surplus, -1)
		}
	}
	b.sum(surplus)
	inTop := make([]bool, len(b.home))
	for p, s := range surplus {
		if s != 1 {
			for v := int32(p); v != none && !inTop[v]; v = b.parent[v] {
				inTop[v] = true
				b.top = append(b.top, v)
			}
		}
	}
	slices.Sort(b.top)
}

// paths adds by to the vertices of the union of the tree paths to ends, once
// count is summed over subtrees. It sorts ends.
func (b *bags) paths(ends []int32, count []int32, by int32) {
	slices.SortFunc(ends, func(u, v int32) int { return cmp.Compare(b.position[u], b.position[v]) })
	for i, v := range ends {
		count[v] += by
		if i > 0 {
			count[b.meet(ends[i-1], v)] -= by
		}
	}
}
