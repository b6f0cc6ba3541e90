package sgfi

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
	"genussink/core/separator"
	"genussink/core/shortest"
)

// Options governs Build. The zero value asks for the default.
type Options struct {
	Finder    string       // of separations, as separator.ByName knows it; "" the default
	Balance   float64      // of separators (separator.Options), in (0, 0.5]; 0: the default
	Depth     int          // most levels of separators; 0: until the pieces are small
	LeafSize  int          // vertices of a piece that is not split further; 0: 64
	Positions [][3]float64 // of the vertices, for finders that use geometry; nil: none

	// Sample keeps few vertices of every separator: the paper's practical
	// variant (Sec. 3.3), which is approximate. Nil: all are kept.
	Sample *Sample

	// Progress is told "tree" and the share of the work done, by one goroutine
	// at a time. Nil: nobody asks.
	Progress func(stage string, fraction float64)

	// MemoryLimit is how many bytes the nodes' distances may take; beyond it the
	// error is a *linop.MemoryError. 0: any number.
	MemoryLimit int64
}

// leafSize balances the Dijkstras inside a leaf against the search for one
// more separator. Measured on a bumpy icosphere of 2,562 vertices: tree and
// kernel together took 0.65 s of one processor at 32, 0.50 at 64, 0.49 at 128,
// 0.58 at 256.
const leafSize = 64

// worthwhile is the share of its parent that a child may keep. The separator
// vertices that a node has inherited go to a child whole, so that small pieces
// consist of them and would be split without end.
const worthwhile = 0.85

// maxDepth bounds the levels: one bit of a mask each. A child keeps at most
// worthwhile of its parent, so only graphs of more than 64/0.85^62 = 1.5
// million vertices could be split further, where splits are that lopsided.
const maxDepth = 62

// Build separates g and its pieces recursively and measures the distances from
// the separators. A graph without a separation is one leaf.
func Build(ctx context.Context, g *graph.Graph, o Options) (*Tree, error) {
	finder, err := separator.ByName(o.Finder)
	if err != nil {
		return nil, err
	}
	n := g.Len()
	switch {
	case o.Depth < 0:
		return nil, fmt.Errorf("sgfi: depth %d", o.Depth)
	case o.LeafSize < 0:
		return nil, fmt.Errorf("sgfi: leaf size %d", o.LeafSize)
	case o.Balance != 0 && !(o.Balance > 0 && o.Balance <= 0.5):
		return nil, fmt.Errorf("sgfi: balance %g, must lie in (0, 0.5]", o.Balance)
	case o.Positions != nil && len(o.Positions) != n:
		return nil, fmt.Errorf("sgfi: %d positions for %d vertices", len(o.Positions), n)
	}
	if o.LeafSize == 0 {
		o.LeafSize = leafSize
	}
	if o.Depth == 0 || o.Depth > maxDepth {
		o.Depth = maxDepth
	}
	if o.Sample != nil {
		s := *o.Sample
		if err := s.check(n); err != nil {
			return nil, err
		}
		o.Sample = &s
	}
	ids := make([]int32, n)
	for v := range ids {
		ids[v] = int32(v)
	}
	b := &builder{finder: finder, n: n}
	b.levels = max(1, min(o.Depth, bits.Len(uint(n/o.LeafSize)))+1)
	root, err := b.node(ctx, piece{g: g, ids: ids, o: o, fresh: n, path: 1})
	if err != nil {
		return nil, err
	}
	t := &Tree{Graph: g, Root: root, sampled: o.Sample != nil}
	t.diameter = root.reach()
	return t, nil
}

type builder struct {
	finder separator.Finder
	n      int
	levels int // expected, for progress

	bytes atomic.Int64 // of the distances so far

	mu   sync.Mutex
	done float64 // of n*levels
}

// piece is a graph to build a node for.
type piece struct {
	g     *graph.Graph
	ids   []int32 // of its vertices in the whole graph, ascending
	o     Options // Depth levels are left
	level int
	fresh int    // vertices in no separator yet
	path  uint64 // 1 at the root; a child's is twice its parent's, on the right one more
}

// advance records that fresh vertices have passed the given levels.
func (b *builder) advance(p piece, fresh, levels int) {
	if p.o.Progress == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done += float64(fresh) * float64(max(0, levels))
	if b.n > 0 {
		p.o.Progress("tree", min(1, b.done/float64(b.n*b.levels)))
	}
}

func (b *builder) node(ctx context.Context, p piece) (*Node, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n := p.g.Len()
	leaf := func() *Node {
		b.advance(p, p.fresh, b.levels-p.level)
		return &Node{Explicit: p.g, LeftIDs: p.ids}
	}
	if n <= p.o.LeafSize || p.o.Depth == 0 {
		return leaf(), nil
	}
	sep, err := b.finder.Find(ctx, p.g, separator.Options{Balance: p.o.Balance, Positions: p.o.Positions})
	if errors.Is(err, separator.ErrNoSeparation) {
		return leaf(), nil
	}
	if err != nil {
		return nil, err
	}
	if s := p.o.Sample; s != nil {
		sep = s.thin(p, sep)
	}
	if keep := max(len(sep.A), len(sep.B)) + len(sep.S); float64(keep) > worthwhile*float64(n) {
		return leaf(), nil
	}
	node := &Node{LeftIDs: pick(p.ids, sep.A), SepIDs: pick(p.ids, sep.S), RightIDs: pick(p.ids, sep.B)}
	need := 8 * int64(len(sep.S)) * int64(n)
	if total := b.bytes.Add(need); p.o.MemoryLimit > 0 && total > p.o.MemoryLimit {
		return nil, &linop.MemoryError{What: "sgfi: the tree's parts", Vertices: b.n, Need: total, Limit: p.o.MemoryLimit}
	}
	cuts, err := node.measure(ctx, p.g, sep)
	if err != nil {
		return nil, err
	}
	left := p.child(sep.A, sep.S, node.SepDist, cuts, inRight)
	right := p.child(sep.B, sep.S, node.SepDist, cuts, inLeft)
	left.path, right.path = 2*p.path, 2*p.path+1
	if p.o.Sample != nil {
		left.rejoin(node, node.LeftIDs, node.LeftDist)
		right.rejoin(node, node.RightIDs, node.RightDist)
	}
	// Only progress is told which vertices are new; a side's share will do.
	left.fresh = p.fresh * len(sep.A) / n
	right.fresh = p.fresh * len(sep.B) / n
	b.advance(p, p.fresh, 1)
	b.advance(p, p.fresh-left.fresh-right.fresh, b.levels-p.level-1)

	build := [2]func() error{
		func() (err error) { node.Left, err = b.node(ctx, left); return err },
		func() (err error) { node.Right, err = b.node(ctx, right); return err },
	}
	if runtime.GOMAXPROCS(0) == 1 {
		if err := build[0](); err != nil {
			return nil, err
		}
		if err := build[1](); err != nil {
			return nil, err
		}
		return node, nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	other := make(chan error)
	go func() {
		err := build[0]()
		if err != nil {
			cancel()
		}
		other <- err
	}()
	err = build[1]()
	if err != nil {
		cancel()
	}
	return node, first(<-other, err)
}

// first prefers a reason to the cancellation that it led to.
func first(a, b error) error {
	if a == nil || errors.Is(a, context.Canceled) && b != nil {
		return b
	}
	return a
}

func pick(ids, at []int32) []int32 {
	out := make([]int32, len(at))
	for i, v := range at {
		out[i] = ids[v]
	}
	return out
}

// A shortcut stands for a shortest path between two separator vertices, k < l
// by position in S, whose inner vertices all lie in one part, or in a sampled
// tree in both.
type shortcut struct {
	k, l int32
	part uint8
}

// measure fills in the distances by a Dijkstra from each separator vertex, and
// cuts the shortest paths it meets between separator vertices into shortcuts.
//
// A child needs shortcuts for distances between its vertices to stay what they
// are, but not a clique: take a shortest path of the Dijkstra from k to l and
// cut it wherever it meets S. Each piece is an edge between separator
// vertices or has its inner vertices all in A or all in B, since no edge joins
// these. The child on A has the first two kinds itself; one shortcut for each of the third keeps the
// whole path. Every tree path is kept in that way, so ties need no care.
func (n *Node) measure(ctx context.Context, g *graph.Graph, sep separator.Separation) ([]shortcut, error) {
	s := len(sep.S)
	n.SepDist = make([]float64, s*s)
	n.LeftDist = make([]float64, len(sep.A)*s)
	n.RightDist = make([]float64, len(sep.B)*s)
	part := make([]uint8, g.Len())
	position := make([]int32, g.Len()) // in S
	for _, v := range sep.B {
		part[v] = inRight
	}
	for k, v := range sep.S {
		part[v], position[v] = inSep, int32(k)
	}
	type scratch struct {
		solver *shortest.Solver
		dist   []float64
		pred   []int32
		cuts   []shortcut
	}
	workers := parallel.Workers(s)
	work := make([]scratch, workers)
	err := parallel.Each(ctx, workers, s, func(worker, k int) {
		w := &work[worker]
		if w.solver == nil {
			*w = scratch{solver: shortest.NewSolver(g), dist: make([]float64, g.Len()), pred: make([]int32, g.Len())}
		}
		w.solver.Distances(w.dist, sep.S[k])
		w.solver.Predecessors(w.pred)
		for i, v := range sep.A {
			n.LeftDist[i*s+k] = w.dist[v]
		}
		for j, v := range sep.B {
			n.RightDist[j*s+k] = w.dist[v]
		}
		for l, v := range sep.S {
			n.SepDist[k*s+l] = w.dist[v]
			if w.pred[v] < 0 || w.pred[v] == v || part[w.pred[v]] == inSep {
				continue
			}
			u := w.pred[v]
			side := part[u]
			for part[u] != inSep {
				if part[u] != side {
					side = inBoth
				}
				u = w.pred[u]
			}
			w.cuts = append(w.cuts, shortcut{min(position[u], int32(l)), max(position[u], int32(l)), side})
		}
	})
	if err != nil {
		return nil, err
	}
	for k := range s { // the sums along a path and back may round apart
		for l := range k {
			d := min(n.SepDist[k*s+l], n.SepDist[l*s+k])
			n.SepDist[k*s+l], n.SepDist[l*s+k] = d, d
		}
	}
	var cuts []shortcut
	for _, w := range work {
		cuts = append(cuts, w.cuts...)
	}
	slices.SortFunc(cuts, func(a, b shortcut) int {
		if a.k != b.k {
			return int(a.k - b.k)
		}
		if a.l != b.l {
			return int(a.l - b.l)
		}
		return int(a.part) - int(b.part)
	})
	return slices.Compact(cuts), nil
}

// child is G^S[side+S] with the shortcuts whose paths run through the part
// that it lacks.
func (p piece) child(side, sep []int32, sepDist []float64, cuts []shortcut, lacks uint8) piece {
	c := piece{o: p.o, level: p.level + 1}
	c.o.Depth--
	own := slices.Concat(side, sep)
	slices.Sort(own) // as in Algorithm 1, l. 7
	c.ids = pick(p.ids, own)
	if p.o.Positions != nil {
		c.o.Positions = make([][3]float64, len(own))
		for i, v := range own {
			c.o.Positions[i] = p.o.Positions[v]
		}
	}
	var extra []arc
	for _, cut := range cuts {
		if cut.part == lacks || cut.part == inBoth {
			k, _ := slices.BinarySearch(own, sep[cut.k])
			l, _ := slices.BinarySearch(own, sep[cut.l])
			d := sepDist[int(cut.k)*len(sep)+int(cut.l)]
			extra = append(extra, arc{int32(k), int32(l), d}, arc{int32(l), int32(k), d})
		}
	}
	c.g = join(p.g.Induced(own), extra)
	return c
}

type arc struct {
	from, to int32
	weight   float64
}

// join adds arcs, both directions of each edge, to a graph; of parallel edges
// the shorter is kept.
func join(g *graph.Graph, extra []arc) *graph.Graph {
	if len(extra) == 0 {
		return g
	}
	slices.SortFunc(extra, func(a, b arc) int {
		if a.from != b.from {
			return int(a.from - b.from)
		}
		return int(a.to - b.to)
	})
	out := &graph.Graph{
		Offsets: make([]int32, 1, len(g.Offsets)),
		Targets: make([]int32, 0, len(g.Targets)+len(extra)),
		Weights: make([]float64, 0, len(g.Targets)+len(extra)),
	}
	add := func(to int32, w float64) {
		if last := len(out.Targets) - 1; last >= int(out.Offsets[len(out.Offsets)-1]) && out.Targets[last] == to {
			out.Weights[last] = min(out.Weights[last], w)
			return
		}
		out.Targets = append(out.Targets, to)
		out.Weights = append(out.Weights, w)
	}
	for v := range int32(g.Len()) {
		targets, weights := g.Neighbours(v)
		for k, to := range targets {
			for len(extra) > 0 && extra[0].from == v && extra[0].to <= to {
				add(extra[0].to, extra[0].weight)
				extra = extra[1:]
			}
			add(to, weights[k])
		}
		for len(extra) > 0 && extra[0].from == v {
			add(extra[0].to, extra[0].weight)
			extra = extra[1:]
		}
		out.Offsets = append(out.Offsets, int32(len(out.Targets)))
	}
	return out
}
