// Package hub multiplies by exp(-d/epsilon) through hub labels: every vertex
// knows its distance to the separators of the regions that hold it, which
// answers any distance exactly, and a dual walk over pairs of clusters finds
// out which separator vertex (hub) a block of pairs goes through.
//
// It is the engine for ordinary meshes, whose separators are too large for the
// paper's cross_compute (Sec. 3.1.2).
//
// # Deviations
//
// From the paper:
//
//   - Regions are induced subgraphs without shortcut edges, and the distances are
//     those of the whole graph, so that a pair split at a region needs the region's
//     separator and the vertices around the region, nothing else (see region.hubs).
//   - The walk takes the place of cross_compute where separators have more than a
//     few vertices. Range searching remains for the others.
//   - With slack a distance may be off by delta either way. The paper has no such
//     form.
//   - Labels and tiles grow faster than n on meshes, as separators do: the time is
//     not near-linear, as it is in the paper for small treewidth.
//
// # Which product for which pairs
//
// Pairs within a leaf, and those of a small region's separator, are multiplied entry by
// entry (dense): below DefaultLeaf vertices, as measured, nothing else pays. For the two
// sides of a region the walk decides pair of patches by pair of patches, by what a product
// will cost, in units of a few nanoseconds:
//
//	link   (rows + columns) / linkGain, once for all links of the patch and the hub
//	tile   (5 columns of its bands + 2 rows of its runs, or its rows' ways, + 6 runs) / 6 + rows + columns
//	split  the sum over the parts
//
// A link costs least and is taken wherever one hub serves. A tile is split while its patches
// have more than rowSide and tileSide vertices, or more than that where they are bundled, and while its columns or hubs
// are more than a byte can number: up to there a part needs nearly as many
// hubs as the whole, so that splitting only repeats columns; beyond, the hubs per row
// grow with the tile's width. The figures are next to these constants.
//
// With slack, the rows and columns of tiles, and of fans, which are the pairs of a separator
// with its region, are bundles of vertices: as many as the hubs in question see as one.
// A bundle costs its vertices once for all tiles and fans that use it. So a product grows
// more slowly than the number of pairs, labels or tiles does: the finer the mesh, the larger are the bundles.
// Their distances are numbers of steps, some 8,000 for the longest, so that a pair takes two bytes and one table
// has the factors, whatever epsilon is.
//
// A region can be crossed whole by the paper's range searching instead
// (Sec. 3.1.2), which finds stairs:
//
//	stair  rows + columns, one hub's
//
// Hubs are left out that another one serves everywhere as well as. With two left and
// no slack that is the whole choice, for there are two stairs at most: on dumbbells,
// strips and tubes of 700 to 6,000 vertices a side their product took a half to a seventh
// of the time that links and tiles did. Otherwise, up to rangeHubs, the walk goes
// first, and stairs take its place where they cost at most half, the search being given
// up once they cost more: with three hubs between discs of 5,600 vertices their product took
// 0.4 to 0.5 of the time, on strips and tubes, where the walk stays, 1 to 1.9. With five
// or more the search took longer than 50 products saved, up to 25,000 vertices a side. A
// stair's row or column took 1.8 to 2.7 ns, a unit of a walk's cost 1.8 to 2.3, less
// where the processor has the tile at hand. BenchmarkCross has both, region by region.
//
// Where separators are a few vertices throughout, package narrow does better than
// all this, by its own choice at every node; the engine takes it for exact solves up
// to a width that is measured there. Sampled separators (package sgfi) have no bound
// and are taken on request alone.
package hub

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/separator"
)

// DefaultLeaf is the number of vertices below which a region is not separated
// further; of 32, 64, 96 and 128 the fastest on a noisy grid of 10,000 vertices.
const DefaultLeaf = 96

// FineLeaf is the leaf of a tree to be looked at rather than computed with, of a graph of n
// vertices: a 256th of them, so that trees of all graphs are about as deep, but at least 2
// and at most DefaultLeaf. Refine takes a tree that far.
func FineLeaf(n int) int { return min(max(n/256, 2), DefaultLeaf) }

// Options of Split. The zero value asks for the defaults.
type Options struct {
	Finder    string                // separator.ByName; "": its default
	Balance   float64               // separator.Options.Balance; 0: its default
	Depth     int                   // most levels of separators; 0: until leaves are small
	Leaf      int                   // vertices in a leaf; 0: DefaultLeaf
	Positions [][3]float64          // a hint for the finder; nil: none
	Faces     [][3]int32            // what embeds the graph, for the finders that need it; nil: none
	Root      *separator.Separation // of a connected graph, to split it by at the root; nil: the finder's
	Progress  func(stage string, fraction float64)

	// Elsewhere separates a part that Dissect separates, on one of Helpers places that
	// share no memory with this one; the zero value: it could not.
	Helpers   int
	Elsewhere func(helper int, p Part) Dissection
}

// Tree is the separator tree of a graph: its regions, each cut in two by a
// separator until it is small. Vertices are renumbered by place so that every
// region is a range: its left part, its right part, its separator. It does not
// change after Split and any number of goroutines may read it.
type Tree struct {
	Order []int32 // place -> vertex

	graph   *graph.Graph // renumbered by place
	place   []int32      // vertex -> place
	owner   []int32      // place -> the region whose separator it is in
	regions []region     // parents before children; one root for every component
}

// region is a connected or disconnected part of the graph, the places
// [lo,hi): left [lo,mid), right [mid,sep), separator [sep,hi). A leaf has
// lo = mid = sep: all its vertices are hubs.
type region struct {
	lo, mid, sep, hi          int32
	parent, left, right, deep int32 // regions, -1 where there is none; depth

	// hubs are the places through which some shortest path runs between any
	// vertex of the left and any of the right: the separator, for paths inside the
	// region, and the vertices next to the region, for paths that leave it. The
	// latter lie in separators of ancestors.
	hubs []int32
}

// labels is how many a region has.
func (r *region) labels() int64 { return int64(r.hi-r.sep) * int64(r.hi-r.lo) }

// below is the end of the regions from a region on that are it and all below it.
func (t *Tree) below(at int32) int32 {
	end := at + 1
	for int(end) < len(t.regions) && t.regions[end].deep > t.regions[at].deep {
		end++
	}
	return end
}

// Split finds the tree of g.
func Split(ctx context.Context, g *graph.Graph, o Options) (*Tree, error) {
	n := g.Len()
	s, err := newSplitter(n, o)
	if err != nil {
		return nil, err
	}
	t := &Tree{Order: make([]int32, 0, n), place: make([]int32, n), owner: make([]int32, n)}
	component, count := g.Components()
	if o.Root != nil {
		if count > 1 {
			return nil, fmt.Errorf("hub: one separation at the root for a graph of %d components: each has a root of its own", count)
		}
		if err := separator.Verify(g, *o.Root, math.SmallestNonzeroFloat64); err != nil {
			return nil, err
		}
	}
	members := make([][]int32, count)
	for v, c := range component {
		members[c] = append(members[c], int32(v))
	}
	for _, ids := range members {
		part := g
		if count > 1 {
			part = g.Induced(ids)
		}
		p, err := s.split(ctx, part, ids, within(o.Faces, ids, n), 0)
		if err != nil {
			return nil, separator.Renamed(err, ids) // it is about the root: below that others take over
		}
		t.number(p, -1, 0)
	}
	return t, t.finish(ctx, g)
}

// Refine returns the tree with its leaves separated further, down to o.Leaf vertices; the
// regions above stay as they are. Options are as Split had them. Leaves of more than
// DefaultLeaf vertices are kept: no separation was found there, or the depth does not
// allow any.
func (t *Tree) Refine(ctx context.Context, o Options) (*Tree, error) {
	n := t.Len()
	o.Elsewhere, o.Helpers = nil, 0
	s, err := newSplitter(n, o)
	if err != nil {
		return nil, err
	}
	coarse := func(r *region) bool {
		size := int(r.hi - r.lo)
		return r.lo == r.sep && size > s.o.Leaf && size <= DefaultLeaf
	}
	leaf := make([]int32, n) // of a vertex: its region where that is to be separated, else -1
	any := false
	for i := range t.regions {
		r := &t.regions[i]
		at := int32(-1)
		if coarse(r) {
			at, any = int32(i), true
		}
		for _, v := range t.Order[r.sep:r.hi] {
			leaf[v] = at
		}
	}
	if !any {
		return t, nil
	}
	faces := map[int32][][3]int32{} // of those leaves, by the vertices' rank there
	for _, f := range o.Faces {
		if at := leaf[f[0]]; at >= 0 && at == leaf[f[1]] && at == leaf[f[2]] {
			lo := t.regions[at].lo
			faces[at] = append(faces[at], [3]int32{t.place[f[0]] - lo, t.place[f[1]] - lo, t.place[f[2]] - lo})
		}
	}
	var refined func(at int32) (*piece, error)
	refined = func(at int32) (p *piece, err error) {
		r := &t.regions[at]
		ids := t.Order[r.sep:r.hi]
		if coarse(r) {
			places := make([]int32, len(ids))
			for i := range places {
				places[i] = r.lo + int32(i)
			}
			p, err = s.split(ctx, t.graph.Induced(places), ids, faces[at], int(r.deep))
			return p, separator.Renamed(err, ids)
		}
		p = &piece{separator: ids}
		if r.lo == r.sep {
			return p, nil
		}
		if p.left, err = refined(r.left); err == nil {
			p.right, err = refined(r.right)
		}
		return p, err
	}
	fine := &Tree{Order: make([]int32, 0, n), place: make([]int32, n), owner: make([]int32, n)}
	for i := range t.regions {
		if t.regions[i].parent >= 0 {
			continue
		}
		p, err := refined(int32(i))
		if err != nil {
			return nil, err
		}
		fine.number(p, -1, 0)
	}
	return fine, fine.finish(ctx, t.graph.Induced(t.place))
}

// finish renumbers the graph once all vertices have places.
func (t *Tree) finish(ctx context.Context, g *graph.Graph) error {
	for i, v := range t.Order {
		t.place[v] = int32(i)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	t.graph = g.Induced(t.Order)
	seen := make([]bool, g.Len())
	for i := range t.regions {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.regions[i].surround(t.graph, seen)
	}
	return nil
}

// Graph is the graph, its vertices renumbered by place.
func (t *Tree) Graph() *graph.Graph { return t.graph }

// Len is the number of vertices.
func (t *Tree) Len() int { return len(t.Order) }

// piece is a region before its places are known.
type piece struct {
	left, right *piece
	separator   []int32 // vertices of the whole graph; all of them in a leaf
}

type splitter struct {
	finder separator.Finder
	usual  separator.Finder // the default
	o      Options
	n      int           // vertices in all
	placed atomic.Int64  // of them, those whose place in the tree is settled
	spare  chan struct{} // one token for every further goroutine under way
	asked  atomic.Int32  // helpers
}

func newSplitter(n int, o Options) (*splitter, error) {
	finder, err := separator.ByName(o.Finder)
	if err != nil {
		return nil, err
	}
	if o.Leaf == 0 {
		o.Leaf = DefaultLeaf
	}
	switch {
	case o.Leaf < 1:
		return nil, fmt.Errorf("hub: leaves of %d vertices, at least 1 is possible", o.Leaf)
	case o.Depth < 0:
		return nil, fmt.Errorf("hub: a tree of %d levels", o.Depth)
	case o.Positions != nil && len(o.Positions) != n:
		return nil, fmt.Errorf("hub: %d positions for %d vertices", len(o.Positions), n)
	}
	usual, err := separator.ByName("")
	if err != nil {
		return nil, err
	}
	return &splitter{finder: finder, usual: usual, o: o, n: n, spare: make(chan struct{}, parallel.Workers(n)-1+o.Helpers)}, nil
}

// positions are those of some vertices; nil: there are none.
func (s *splitter) positions(ids []int32) [][3]float64 {
	if s.o.Positions == nil {
		return nil
	}
	some := make([][3]float64, len(ids))
	for i, v := range ids {
		some[i] = s.o.Positions[v]
	}
	return some
}

// within lists the faces whose vertices are all among ids, of n, by their place
// there.
func within(faces [][3]int32, ids []int32, n int) [][3]int32 {
	if faces == nil {
		return nil
	}
	place := make([]int32, n)
	for i := range place {
		place[i] = -1
	}
	for i, v := range ids {
		place[v] = int32(i)
	}
	inside := make([][3]int32, 0, len(faces))
	for _, f := range faces {
		if g := [3]int32{place[f[0]], place[f[1]], place[f[2]]}; min(g[0], g[1], g[2]) >= 0 {
			inside = append(inside, g)
		}
	}
	return inside
}

// split separates g, whose vertex i is ids[i] of the whole graph, down to
// leaves. Where faces no longer embed a piece below the root, cut apart as it
// is, the default finder takes the finder's place. It does so too where the finder has no
// separation of the wanted balance for a piece of DefaultLeaf vertices or fewer, and where it has
// none either, one vertex a side will do: of those pieces only complete graphs stay whole.
func (s *splitter) split(ctx context.Context, g *graph.Graph, ids []int32, faces [][3]int32, depth int) (*piece, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if g.Len() <= s.o.Leaf || s.o.Depth > 0 && depth >= s.o.Depth {
		return s.settled(&piece{separator: ids}), nil
	}
	if p := s.elsewhere(g, ids, faces, depth); p != nil {
		return p, ctx.Err()
	}
	so := separator.Options{Balance: s.o.Balance, Positions: s.positions(ids), Faces: faces}
	var sep separator.Separation
	var err error
	if s.o.Root != nil && depth == 0 {
		sep = *s.o.Root
	} else {
		sep, err = s.finder.Find(ctx, g, so)
	}
	if errors.Is(err, separator.ErrNotPlanar) && depth > 0 {
		sep, err = s.usual.Find(ctx, g, so)
	}
	for _, balance := range []float64{s.o.Balance, math.SmallestNonzeroFloat64} {
		if errors.Is(err, separator.ErrNoSeparation) && g.Len() <= DefaultLeaf {
			so.Balance = balance
			sep, err = s.usual.Find(ctx, g, so)
		}
	}
	if errors.Is(err, separator.ErrNoSeparation) {
		return s.settled(&piece{separator: ids}), nil
	}
	if err != nil {
		return nil, err
	}
	child := func(part []int32) (*piece, error) {
		sub := make([]int32, len(part))
		for i, v := range part {
			sub[i] = ids[v]
		}
		return s.split(ctx, g.Induced(part), sub, within(faces, part, g.Len()), depth+1)
	}
	p := &piece{separator: inRuns(g, sep.S)}
	for i, v := range p.separator {
		p.separator[i] = ids[v]
	}
	s.settled(p)
	var rightErr error
	var wait sync.WaitGroup
	select {
	case s.spare <- struct{}{}:
		wait.Go(func() {
			p.right, rightErr = child(sep.B)
			<-s.spare
		})
		p.left, err = child(sep.A)
		wait.Wait()
	default:
		if p.left, err = child(sep.A); err == nil {
			p.right, rightErr = child(sep.B)
		}
	}
	return p, errors.Join(err, rightErr)
}

// settled tells of progress.
func (s *splitter) settled(p *piece) *piece {
	if done := s.placed.Add(int64(len(p.separator))); s.o.Progress != nil {
		s.o.Progress("tree", float64(done)/float64(s.n))
	}
	return p
}

// inRuns orders the vertices of a separator so that a run of them is a short
// stretch of it: depth first over neighbours and neighbours of neighbours.
func inRuns(g *graph.Graph, s []int32) []int32 {
	const outside, waiting, taken = 0, 1, 2
	state := make([]byte, g.Len())
	for _, v := range s {
		state[v] = waiting
	}
	order := make([]int32, 0, len(s))
	var stack []int32
	for _, v := range s {
		stack = append(stack, v)
		for len(stack) > 0 {
			u := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if state[u] != waiting {
				continue
			}
			state[u] = taken
			order = append(order, u)
			to, _ := g.Neighbours(u)
			for _, w := range to {
				far, _ := g.Neighbours(w)
				for _, x := range far {
					if state[x] == waiting {
						stack = append(stack, x)
					}
				}
			}
			for _, w := range to {
				if state[w] == waiting {
					stack = append(stack, w)
				}
			}
		}
	}
	return order
}

// number gives the piece's vertices the next places and its region an index.
func (t *Tree) number(p *piece, parent, depth int32) int32 {
	at := int32(len(t.regions))
	t.regions = append(t.regions, region{lo: int32(len(t.Order)), parent: parent, left: -1, right: -1, deep: depth})
	left, right := int32(-1), int32(-1)
	if p.left != nil {
		left = t.number(p.left, at, depth+1)
	}
	mid := int32(len(t.Order))
	if p.right != nil {
		right = t.number(p.right, at, depth+1)
	}
	sep := int32(len(t.Order))
	for i := range p.separator {
		t.owner[int(sep)+i] = at
	}
	t.Order = append(t.Order, p.separator...)
	r := &t.regions[at]
	r.left, r.right, r.mid, r.sep, r.hi = left, right, mid, sep, int32(len(t.Order))
	return at
}

// surround finds the region's hubs. Nothing is seen before and after.
func (r *region) surround(g *graph.Graph, seen []bool) {
	if r.lo == r.sep {
		return // a leaf splits no pair
	}
	r.hubs = r.around(g, seen)
	for s := r.sep; s < r.hi; s++ {
		r.hubs = append(r.hubs, s)
	}
}

// around lists the places next to the region, ascending. Nothing is seen before
// and after.
func (r *region) around(g *graph.Graph, seen []bool) (places []int32) {
	for v := r.lo; v < r.hi; v++ {
		to, _ := g.Neighbours(v)
		for _, t := range to {
			if (t < r.lo || t >= r.hi) && !seen[t] {
				seen[t] = true
				places = append(places, t)
			}
		}
	}
	slices.Sort(places)
	for _, h := range places {
		seen[h] = false
	}
	return places
}

// Node is a region as seen from outside: a separation of its vertices, or a
// leaf, whose vertices are all in A.
type Node struct {
	Parent, Left, Right, Depth int32 // places in the outline, -1 for none; the root's depth is 0
	A, S, B                    int32 // vertices on the left, in the separator, on the right
}

// Outline lists the tree's nodes, the root first and parents before children,
// and the node that every vertex ends in: the one whose separator it is in, or
// its leaf. Where there are several components, nodes with an empty separator
// stand above theirs.
func (t *Tree) Outline() (nodes []Node, cells []int32) {
	var roots []int32
	for i := range t.regions {
		if t.regions[i].parent < 0 {
			roots = append(roots, int32(i))
		}
	}
	cells = make([]int32, t.Len())
	var region func(at, parent, depth int32) int32
	region = func(at, parent, depth int32) int32 {
		r := &t.regions[at]
		id := int32(len(nodes))
		nodes = append(nodes, Node{Parent: parent, Left: -1, Right: -1, Depth: depth, A: r.mid - r.lo, S: r.hi - r.sep, B: r.sep - r.mid})
		for _, v := range t.Order[r.sep:r.hi] {
			cells[v] = id
		}
		if r.lo == r.sep {
			nodes[id].A, nodes[id].S = nodes[id].S, 0
			return id
		}
		left := region(r.left, id, depth+1)
		right := region(r.right, id, depth+1)
		nodes[id].Left, nodes[id].Right = left, right
		return id
	}
	var forest func(roots []int32, parent, depth int32) int32
	forest = func(roots []int32, parent, depth int32) int32 {
		if len(roots) == 1 {
			return region(roots[0], parent, depth)
		}
		id, half := int32(len(nodes)), len(roots)/2
		nodes = append(nodes, Node{Parent: parent, Depth: depth})
		first, last := t.regions[roots[0]], t.regions[roots[len(roots)-1]]
		mid := t.regions[roots[half]].lo
		nodes[id].A, nodes[id].B = mid-first.lo, last.hi-mid
		left := forest(roots[:half], id, depth+1)
		right := forest(roots[half:], id, depth+1)
		nodes[id].Left, nodes[id].Right = left, right
		return id
	}
	if len(roots) == 0 {
		return []Node{{Parent: -1, Left: -1, Right: -1}}, cells // no vertices: an empty leaf
	}
	forest(roots, -1, 0)
	return nodes, cells
}
