// Package septree finds the separator tree of a graph. Its finders are those of package separator, which cut a cell in two, then both
// sides, and so on: nested dissection. Along finds a tree along a tree decomposition instead. A helper that shares no memory can
// separate a part of the graph and send back its tree.
//
// # Deviations
//
// From the paper:
//
//   - In the paper's tree (Sec. 3.1.2) both sides of a cell keep the separator. Here a cell is an induced subgraph, without the
//     separators above it and without added edges. Distances are those of the whole graph. Cell.Hubs has the separator and the vertices
//     around the cell, which is what they need.
package septree

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

// DefaultLeaf is the number of vertices below which a cell is not separated further. Of 32, 64, 96 and 128 it was the fastest, on a
// noisy grid of 10,000 vertices.
const DefaultLeaf = 96

// FineLeaf is the leaf of a tree that is looked at, and not computed with. For a graph of n vertices it is a 256th of them, so that
// all trees are about as deep, but at least 2 and at most DefaultLeaf. Refine takes a tree that far.
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

	// Elsewhere has one of so many Helpers call Dissect on a part. They share no memory with this program. The zero value of its
	// answer means that the helper could not.
	Helpers   int
	Elsewhere func(helper int, p Part) Dissection
}

// Tree is the separator tree of a graph: its cells, each cut in two by a
// separator until it is small. Vertices are renumbered by rank so that every
// cell is a range: its left part, its right part, its separator. It does not
// change after Split and any number of goroutines may read it.
type Tree struct {
	Order []int32 // rank -> vertex

	Graph *graph.Graph // renumbered by rank
	Rank  []int32      // vertex -> rank
	Owner []int32      // rank -> the cell whose separator it is in
	Cells []Cell       // parents before children; one root for every component
}

// Cell is a part of the graph, connected or not. It has the ranks [lo,hi): left [lo,mid), right [mid,sep), separator [sep,hi). A leaf
// has lo = mid = sep: all its vertices are hubs.
type Cell struct {
	Lo, Mid, Sep, Hi           int32
	Parent, Left, Right, Depth int32 // cells, -1 where there is none; depth

	// Hubs are the ranks through which some shortest path runs between any
	// vertex of the left and any of the right: the separator, for paths inside the
	// cell, and the vertices next to the cell, for paths that leave it. The
	// latter lie in separators of ancestors.
	Hubs []int32
}

// Labels is how many a cell has.
func (r *Cell) Labels() int64 { return int64(r.Hi-r.Sep) * int64(r.Hi-r.Lo) }

// Split finds the tree of g.
func Split(ctx context.Context, g *graph.Graph, o Options) (*Tree, error) {
	n := g.Len()
	s, err := newSplitter(n, o)
	if err != nil {
		return nil, err
	}
	t := &Tree{Order: make([]int32, 0, n), Rank: make([]int32, n), Owner: make([]int32, n)}
	component, count := g.Components()
	if o.Root != nil {
		if count > 1 {
			return nil, fmt.Errorf("septree: one separation at the root for a graph of %d components: each has a root of its own", count)
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

// Refine returns the tree with its leaves separated further, down to o.Leaf vertices. The cells above stay as they are. Options are
// those that Split had. Leaves of more than DefaultLeaf vertices stay: no separation was found there, or the depth does not allow any.
func (t *Tree) Refine(ctx context.Context, o Options) (*Tree, error) {
	n := t.Len()
	o.Elsewhere, o.Helpers = nil, 0
	s, err := newSplitter(n, o)
	if err != nil {
		return nil, err
	}
	coarse := func(r *Cell) bool {
		size := int(r.Hi - r.Lo)
		return r.Lo == r.Sep && size > s.o.Leaf && size <= DefaultLeaf
	}
	leaf := make([]int32, n) // of a vertex: its cell where that is to be separated, else -1
	found := false
	for i := range t.Cells {
		r := &t.Cells[i]
		at := int32(-1)
		if coarse(r) {
			at, found = int32(i), true
		}
		for _, v := range t.Order[r.Sep:r.Hi] {
			leaf[v] = at
		}
	}
	if !found {
		return t, nil
	}
	faces := map[int32][][3]int32{} // of those leaves, by the vertices' rank there
	for _, f := range o.Faces {
		if at := leaf[f[0]]; at >= 0 && at == leaf[f[1]] && at == leaf[f[2]] {
			lo := t.Cells[at].Lo
			faces[at] = append(faces[at], [3]int32{t.Rank[f[0]] - lo, t.Rank[f[1]] - lo, t.Rank[f[2]] - lo})
		}
	}
	var refined func(at int32) (*piece, error)
	refined = func(at int32) (p *piece, err error) {
		r := &t.Cells[at]
		ids := t.Order[r.Sep:r.Hi]
		if coarse(r) {
			ranks := make([]int32, len(ids))
			for i := range ranks {
				ranks[i] = r.Lo + int32(i)
			}
			p, err = s.split(ctx, t.Graph.Induced(ranks), ids, faces[at], int(r.Depth))
			return p, separator.Renamed(err, ids)
		}
		p = &piece{separator: ids}
		if r.Lo == r.Sep {
			return p, nil
		}
		if p.left, err = refined(r.Left); err == nil {
			p.right, err = refined(r.Right)
		}
		return p, err
	}
	fine := &Tree{Order: make([]int32, 0, n), Rank: make([]int32, n), Owner: make([]int32, n)}
	for i := range t.Cells {
		if t.Cells[i].Parent >= 0 {
			continue
		}
		p, err := refined(int32(i))
		if err != nil {
			return nil, err
		}
		fine.number(p, -1, 0)
	}
	return fine, fine.finish(ctx, t.Graph.Induced(t.Rank))
}

// finish renumbers the graph once all vertices have ranks.
func (t *Tree) finish(ctx context.Context, g *graph.Graph) error {
	for i, v := range t.Order {
		t.Rank[v] = int32(i)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	t.Graph = g.Induced(t.Order)
	seen := make([]bool, g.Len())
	for i := range t.Cells {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.Cells[i].surround(t.Graph, seen)
	}
	return nil
}

// Len is the number of vertices.
func (t *Tree) Len() int { return len(t.Order) }

// piece is a cell before its ranks are known.
type piece struct {
	left, right *piece
	separator   []int32 // vertices of the whole graph; all of them in a leaf
}

type splitter struct {
	finder separator.Finder
	usual  separator.Finder // the default
	o      Options
	n      int           // vertices in all
	placed atomic.Int64  // of them, those whose rank in the tree is settled
	spare  chan struct{} // one token for every further goroutine under way
	free   chan int      // the helpers that do nothing
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
		return nil, fmt.Errorf("septree: leaves of %d vertices, at least 1 is possible", o.Leaf)
	case o.Depth < 0:
		return nil, fmt.Errorf("septree: a tree of %d levels", o.Depth)
	case !(o.Balance >= 0 && o.Balance <= 0.5):
		return nil, fmt.Errorf("septree: a balance of %g, 0 to 1/2 is possible", o.Balance)
	case o.Positions != nil && len(o.Positions) != n:
		return nil, fmt.Errorf("septree: %d positions for %d vertices", len(o.Positions), n)
	}
	usual, err := separator.ByName("")
	if err != nil {
		return nil, err
	}
	s := &splitter{finder: finder, usual: usual, o: o, n: n, spare: make(chan struct{}, parallel.Workers(n)-1+o.Helpers), free: make(chan int, o.Helpers)}
	for helper := range o.Helpers {
		s.free <- helper
	}
	return s, nil
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

// within lists the faces whose vertices are all among ids, of n, by their rank
// there.
func within(faces [][3]int32, ids []int32, n int) [][3]int32 {
	if faces == nil {
		return nil
	}
	rank := make([]int32, n)
	for i := range rank {
		rank[i] = -1
	}
	for i, v := range ids {
		rank[v] = int32(i)
	}
	inside := make([][3]int32, 0, len(faces))
	for _, f := range faces {
		if g := [3]int32{rank[f[0]], rank[f[1]], rank[f[2]]}; min(g[0], g[1], g[2]) >= 0 {
			inside = append(inside, g)
		}
	}
	return inside
}

// split separates g down to leaves. Vertex i of g is ids[i] of the whole graph. The default finder takes the place of the one asked
// for in two cases: the faces no longer embed a piece below the root, and there is no separation of the wanted balance for a piece of
// at most DefaultLeaf vertices. If it finds none for such a piece either, sides of one vertex will do. Then only complete graphs stay
// whole.
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

// inRuns orders the vertices of a separator: depth first, over neighbours and their neighbours. So a run of them is a short stretch of
// the separator.
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

// number gives the piece's vertices the next ranks and its cell an index.
func (t *Tree) number(p *piece, parent, depth int32) int32 {
	at := int32(len(t.Cells))
	t.Cells = append(t.Cells, Cell{Lo: int32(len(t.Order)), Parent: parent, Left: -1, Right: -1, Depth: depth})
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
		t.Owner[int(sep)+i] = at
	}
	t.Order = append(t.Order, p.separator...)
	r := &t.Cells[at]
	r.Left, r.Right, r.Mid, r.Sep, r.Hi = left, right, mid, sep, int32(len(t.Order))
	return at
}

// surround finds the cell's hubs. seen is scratch space, all false.
func (r *Cell) surround(g *graph.Graph, seen []bool) {
	if r.Lo == r.Sep {
		return // a leaf splits no pair
	}
	r.Hubs = r.Around(g, seen)
	for s := r.Sep; s < r.Hi; s++ {
		r.Hubs = append(r.Hubs, s)
	}
}

// Around lists the ranks next to the cell, ascending. seen is scratch space, all false.
func (r *Cell) Around(g *graph.Graph, seen []bool) (ranks []int32) {
	for v := r.Lo; v < r.Hi; v++ {
		to, _ := g.Neighbours(v)
		for _, t := range to {
			if (t < r.Lo || t >= r.Hi) && !seen[t] {
				seen[t] = true
				ranks = append(ranks, t)
			}
		}
	}
	slices.Sort(ranks)
	for _, h := range ranks {
		seen[h] = false
	}
	return ranks
}

// Node is a cell as seen from outside: a separation of its vertices, or a
// leaf, whose vertices are all in A.
type Node struct {
	Parent, Left, Right, Depth int32 // ranks in the outline, -1 for none; the root's depth is 0
	A, S, B                    int32 // vertices on the left, in the separator, on the right
}

// Outline lists the nodes of the tree: the root first, parents before children. It also says in which node every vertex ends: the one
// whose separator it is in, or its leaf. If there are several components, nodes with an empty separator stand above theirs.
func (t *Tree) Outline() (nodes []Node, cells []int32) {
	var roots []int32
	for i := range t.Cells {
		if t.Cells[i].Parent < 0 {
			roots = append(roots, int32(i))
		}
	}
	cells = make([]int32, t.Len())
	var cell func(at, parent, depth int32) int32
	cell = func(at, parent, depth int32) int32 {
		r := &t.Cells[at]
		id := int32(len(nodes))
		nodes = append(nodes, Node{Parent: parent, Left: -1, Right: -1, Depth: depth, A: r.Mid - r.Lo, S: r.Hi - r.Sep, B: r.Sep - r.Mid})
		for _, v := range t.Order[r.Sep:r.Hi] {
			cells[v] = id
		}
		if r.Lo == r.Sep {
			nodes[id].A, nodes[id].S = nodes[id].S, 0
			return id
		}
		left := cell(r.Left, id, depth+1)
		right := cell(r.Right, id, depth+1)
		nodes[id].Left, nodes[id].Right = left, right
		return id
	}
	var forest func(roots []int32, parent, depth int32) int32
	forest = func(roots []int32, parent, depth int32) int32 {
		if len(roots) == 1 {
			return cell(roots[0], parent, depth)
		}
		id, half := int32(len(nodes)), len(roots)/2
		nodes = append(nodes, Node{Parent: parent, Depth: depth})
		first, last := t.Cells[roots[0]], t.Cells[roots[len(roots)-1]]
		mid := t.Cells[roots[half]].Lo
		nodes[id].A, nodes[id].B = mid-first.Lo, last.Hi-mid
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

// Outside lists the hubs that are not in the cell's own separator.
func (r *Cell) Outside() []int32 {
	if r.Lo == r.Sep {
		return nil
	}
	return r.Hubs[:len(r.Hubs)-int(r.Hi-r.Sep)]
}
