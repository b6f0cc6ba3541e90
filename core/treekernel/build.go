package treekernel

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/treedec"
)

// Options governs Build. The zero value asks for the default.
type Options struct {
	LeafSize int // bags of a piece that is not split further; 0: 16

	// MemoryLimit is how many bytes the tree may take; beyond it the error is a
	// *linop.MemoryError. 0: any number.
	MemoryLimit int64

	// Progress is told "tree" and the share of the work done, by one goroutine
	// at a time. Nil: nobody asks.
	Progress func(stage string, fraction float64)
}

// leafSize balances the pairs within a leaf against the classes of one.
// Measured at 100,000 vertices, at 8, 16 and 32: on trees a product took 2.6,
// 2.6 and 2.9 ms, one of logarithms 17, 22 and 33; on 3 x n grids 7.0, 5.4 and 4.7, and
// 63, 55 and 59.
const leafSize = 16

// Tree is the separator tree of a graph along a tree decomposition, unrolled
// into programs. Any number of goroutines may use one.
type Tree struct {
	n        int
	diameter float64
	report   Report

	parts []program // pieces of the graph, independent of each other
	top   program   // what joins them
	slots int
	part  []int32 // by vertex
	first []int32 // see post
}

// Report says what a tree is made of.
type Report struct {
	Width  int // of the decomposition
	Nodes  int // that split a piece at a bag
	Leaves int
	Depth  int // nodes above the deepest leaf

	// Crosses by their form: classes seen from one side are one (two sums, the
	// paper's case |S| = 1), are few (all pairs of them), or many (range searching).
	Single, Pairs, Range int
}

// Report is what the tree is made of.
func (t *Tree) Report() Report { return t.report }

// Diameter is an upper bound on the finite distances, at most twice the
// greatest.
func (t *Tree) Diameter() float64 { return t.diameter }

// Bytes is the memory in bytes that the tree holds.
func (t *Tree) Bytes() int64 {
	b := t.top.size()
	for i := range t.parts {
		b += t.parts[i].size()
	}
	return b
}

// Build makes the tree. A piece is split at the bag that leaves no more than
// half its bags on any side; the sides are sub-trees of the decomposition, which is never made again.
func Build(ctx context.Context, g *graph.Graph, d *treedec.Decomposition, o Options) (*Tree, error) {
	if o.LeafSize < 0 {
		return nil, fmt.Errorf("treekernel: leaf size %d", o.LeafSize)
	}
	if o.LeafSize == 0 {
		o.LeafSize = leafSize
	}
	c, err := newChordal(ctx, g, d, o.MemoryLimit)
	if err != nil {
		return nil, err
	}
	b := &builder{chordal: c, o: o, nodes: count(c.len()), spare: make([]int32, c.len()), label: make([]int32, c.len()), taken: make([]bool, c.len())}
	b.used.Store(int64(len(c.next)) * chordalBytes)
	b.partSize = max(1024, (c.len()+63)/64)
	t, err := b.build(ctx)
	if err != nil {
		return nil, err
	}
	component, _ := g.Components()
	t.diameter, err = t.bound(ctx, component)
	return t, err
}

type builder struct {
	*chordal
	o        Options
	partSize int

	nodes []int32 // every piece is a run of them, ascending
	spare []int32
	label []int32 // of a node being split: the side it lies on; before that, how many are below
	taken []bool  // by vertex: lies in a separator already

	used atomic.Int64 // bytes

	mu   sync.Mutex
	done int // nodes in finished leaves
}

// piece is a sub-tree of the decomposition with the adhesions to the bags it
// was cut from.
type piece struct {
	lo, hi int // its nodes, a run of the builder's
	adh    []adhesion
	rim    []int32 // vertices of its bags that are none of its nodes, ascending: above the topmost
}

func (p *piece) len() int { return p.hi - p.lo }

// adhesion is the vertices that a bag of the piece, that of at, shares with a
// neighbour outside, ascending; or several bags of a leaf with one neighbour.
type adhesion struct {
	own []int32
	at  int32
}

// split is a piece cut at the bag of x.
type split struct {
	x     int32
	adh   []adhesion     // of the whole piece
	fresh []int32        // vertices of the bag that lie in no earlier separator, ascending
	parts []piece        // the first adhesion of each is the one to x
	host  []hostAdhesion // of each adhesion in adh: the part's adhesion that stands for it
}

// hostAdhesion is an adhesion of a part; part is -1 for one that hangs at x itself.
type hostAdhesion struct{ part, adh int }

// cut splits a piece at its centroid.
func (b *builder) cut(p piece) *split {
	nodes := b.nodes[p.lo:p.hi]
	top := nodes[len(nodes)-1]
	for _, v := range nodes {
		b.label[v] = 1
	}
	x := top
	for _, v := range nodes {
		if 2*int(b.label[v]) >= len(nodes) {
			x = v
			break
		}
		b.label[b.parent[v]] += b.label[v]
	}
	s := &split{x: x, adh: p.adh}
	for _, v := range append([]int32{x}, b.above(x)...) {
		if !b.taken[v] {
			b.taken[v] = true
			s.fresh = append(s.fresh, v)
		}
	}
	// Each side of x gets a number, and how many nodes it has.
	var sides []piece
	var size []int
	add := func(a adhesion, rim []int32) int32 {
		sides = append(sides, piece{adh: []adhesion{a}, rim: rim})
		size = append(size, 0)
		return int32(len(size) - 1)
	}
	for i := len(nodes) - 1; i >= 0; i-- {
		v := nodes[i]
		switch {
		case v == x:
			b.label[v] = -1
			continue
		case v == top:
			b.label[v] = add(adhesion{b.above(x), b.parent[x]}, p.rim)
		case b.parent[v] == x:
			b.label[v] = add(adhesion{b.above(v), v}, b.above(v))
		default:
			b.label[v] = b.label[b.parent[v]]
		}
		size[b.label[v]]++
	}
	part := b.gather(s, sides, size)
	spare := b.spare[p.lo:p.hi]
	copy(spare, nodes)
	for _, v := range spare {
		if l := b.label[v]; l >= 0 {
			s.parts[part[l]].hi++
		}
	}
	at := p.lo
	for i := range s.parts {
		q := &s.parts[i]
		q.lo, q.hi, at = at, at, at+q.hi
	}
	for _, v := range spare {
		if l := b.label[v]; l >= 0 {
			q := &s.parts[part[l]]
			b.nodes[q.hi] = v
			q.hi++
		}
	}
	return s
}

// gather makes parts of the sides of a split, several of one where they are
// small and have no adhesion but to the bag itself, below it; and says which
// part each side is in.
func (b *builder) gather(s *split, sides []piece, size []int) (part []int) {
	busy := make([]bool, len(sides))
	for _, a := range s.adh {
		if l := b.label[a.at]; l >= 0 {
			busy[l] = true
		}
	}
	part = make([]int, len(sides))
	last, room := -1, 0 // the part that small sides go to, and how many more nodes it takes
	for i, side := range sides {
		small := !busy[i] && size[i] <= b.o.LeafSize/2 && side.adh[0].at < s.x
		if small && size[i] <= room {
			q := &s.parts[last]
			rim := slices.Concat(q.rim, side.rim)
			slices.Sort(rim)
			q.rim = slices.Compact(rim)
			q.adh[0] = adhesion{q.rim, side.adh[0].at}
			part[i], room = last, room-size[i]
			continue
		}
		part[i] = len(s.parts)
		s.parts = append(s.parts, side)
		if small {
			last, room = part[i], b.o.LeafSize-size[i]
		}
	}
	for _, a := range s.adh {
		l := b.label[a.at]
		if l < 0 {
			s.host = append(s.host, hostAdhesion{part: -1})
			continue
		}
		q := &s.parts[part[l]]
		s.host = append(s.host, hostAdhesion{part[l], len(q.adh)})
		q.adh = append(q.adh, a)
	}
	return part
}

// built is what a piece shows to the rest.
type built struct {
	adh   []adhesion
	start []int     // of each adhesion's vertices among all of them; the last is their number
	dist  []float64 // between vertices of different adhesions, a row for each
	table []table   // one for each adhesion
	depth int
}

// between is the distances of adhesion i's vertices from those of j: the row of vertex u is at
// u*stride.
func (p *built) between(i, j int) (d []float64, stride int) {
	stride = p.start[len(p.adh)]
	return p.dist[p.start[i]*stride+p.start[j]:], stride
}

func (b *builder) shape(adh []adhesion) built {
	p := built{adh: adh, start: make([]int, 1, len(adh)+1), table: make([]table, len(adh))}
	for _, a := range adh {
		p.start = append(p.start, p.start[len(p.start)-1]+len(a.own))
	}
	w := p.start[len(adh)]
	p.dist = make([]float64, w*w)
	return p
}

// build cuts the graph into parts, builds each of them by itself, side by side,
// and joins them. What the parts are does not depend on the processors.
func (b *builder) build(ctx context.Context) (*Tree, error) {
	t := &Tree{n: b.len(), part: make([]int32, b.len())}
	var pieces []piece
	var cuts func(p piece) (*node, error)
	cuts = func(p piece) (*node, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if p.len() <= max(b.partSize, b.o.LeafSize) {
			pieces = append(pieces, p)
			return &node{piece: len(pieces) - 1}, nil
		}
		n := &node{split: b.cut(p)}
		for _, part := range n.split.parts {
			child, err := cuts(part)
			if err != nil {
				return nil, err
			}
			n.children = append(n.children, child)
		}
		return n, nil
	}
	var roots []*node
	for v, p := range b.parent {
		if p < 0 {
			lo := 0
			if len(roots) > 0 {
				lo = roots[len(roots)-1].end
			}
			n, err := cuts(piece{lo: lo, hi: v + 1})
			if err != nil {
				return nil, err
			}
			n.end = v + 1
			roots = append(roots, n)
		}
	}
	workers := parallel.Workers(len(pieces))
	makers := make([]maker, len(pieces))
	done := make([]built, len(pieces))
	var failed atomic.Pointer[error]
	err := parallel.Each(ctx, workers, len(pieces), func(_, i int) {
		makers[i] = maker{builder: b}
		var err error
		if done[i], err = makers[i].build(ctx, pieces[i]); err != nil {
			failed.CompareAndSwap(nil, &err)
		}
		makers[i].end()
	})
	if err == nil && failed.Load() != nil {
		err = *failed.Load()
	}
	if err != nil {
		return nil, err
	}
	base := int32(0)
	for i := range makers {
		m := &makers[i]
		m.move(base)
		for k := range done[i].table {
			done[i].table[k].first += base
		}
		t.deliver(m, i)
		t.parts = append(t.parts, m.program)
		t.report.add(m.report)
		if int64(base)+int64(m.slots) > math.MaxInt32/2 { // the top has its slots yet to come
			return nil, fmt.Errorf("treekernel: %d vertices and their classes need more numbers than int32 counts", t.n)
		}
		base += m.slots
	}
	top := maker{builder: b, program: program{base: base}}
	var join func(n *node) (built, error)
	join = func(n *node) (built, error) {
		if n.split == nil {
			return done[n.piece], nil
		}
		parts := make([]built, len(n.children))
		for i, c := range n.children {
			var err error
			if parts[i], err = join(c); err != nil {
				return built{}, err
			}
		}
		return top.join(ctx, n.split, parts)
	}
	for _, r := range roots {
		p, err := join(r)
		if err != nil {
			return nil, err
		}
		t.report.Depth = max(t.report.Depth, p.depth)
	}
	top.end()
	t.deliver(&top, len(makers))
	t.report.add(top.report)
	t.report.Width = b.width()
	t.top = top.program
	t.slots = int(base + top.slots)
	t.address()
	return t, nil
}

// deliver notes where the values of a part's vertices go: after those of the
// parts before it.
func (t *Tree) deliver(m *maker, part int) {
	if part > 0 {
		before := t.program(part - 1)
		m.mail = before.mail + len(before.homes)
	}
	for _, h := range m.placed {
		t.part[h.vertex] = int32(part)
	}
	m.placed = nil
}

// node is a piece that is cut into parts, or a part.
type node struct {
	split    *split
	children []*node
	piece    int
	end      int
}

func (r *Report) add(s Report) {
	r.Nodes += s.Nodes
	r.Leaves += s.Leaves
	r.Single += s.Single
	r.Pairs += s.Pairs
	r.Range += s.Range
}
