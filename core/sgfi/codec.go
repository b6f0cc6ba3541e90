package sgfi

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"genussink/core/graph"
)

// The binary forms, for handing graphs and nodes to another thread that shares
// no memory. Counts and ids are 4 bytes, distances their 8 bytes of bits, all
// little endian.
//
//	graph: vertices, arcs, the degree of each vertex, targets, weights
//	node:  1 byte leafKind, vertices, their ids, the graph; or
//	       1 byte splitKind, |A|, |S|, |B|, the ids of each, SepDist,
//	       LeftDist, RightDist, the left node, the right node
const (
	leafKind  = 0
	splitKind = 1
)

// AppendGraph appends the binary form of g.
func AppendGraph(dst []byte, g *graph.Graph) []byte {
	dst = slices.Grow(dst, 8+4*g.Len()+12*len(g.Targets))
	dst = appendCount(dst, g.Len())
	dst = appendCount(dst, len(g.Targets))
	for v := range g.Len() {
		dst = appendCount(dst, int(g.Offsets[v+1]-g.Offsets[v]))
	}
	return appendFloats(appendIDs(dst, g.Targets), g.Weights)
}

// AppendNode appends the binary form of n and all below it.
func AppendNode(dst []byte, n *Node) []byte {
	if n.Explicit != nil {
		dst = appendCount(append(dst, leafKind), len(n.LeftIDs))
		return AppendGraph(appendIDs(dst, n.LeftIDs), n.Explicit)
	}
	dst = append(dst, splitKind)
	parts := [...][]int32{n.LeftIDs, n.SepIDs, n.RightIDs}
	for _, ids := range parts {
		dst = appendCount(dst, len(ids))
	}
	for _, ids := range parts {
		dst = appendIDs(dst, ids)
	}
	for _, d := range [...][]float64{n.SepDist, n.LeftDist, n.RightDist} {
		dst = appendFloats(dst, d)
	}
	return AppendNode(AppendNode(dst, n.Left), n.Right)
}

func appendCount(dst []byte, n int) []byte { return binary.LittleEndian.AppendUint32(dst, uint32(n)) }

func appendIDs(dst []byte, ids []int32) []byte {
	dst = slices.Grow(dst, 4*len(ids))
	for _, v := range ids {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	return dst
}

func appendFloats(dst []byte, x []float64) []byte {
	dst = slices.Grow(dst, 8*len(x))
	for _, f := range x {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(f))
	}
	return dst
}

// ParseGraph reads what AppendGraph wrote. It never panics: bytes that are not
// a graph are an error.
func ParseGraph(b []byte) (*graph.Graph, error) {
	r := &reader{b: b}
	g := r.graph()
	if err := r.end(); err != nil {
		return nil, err
	}
	return g, nil
}

// ParseNode reads what AppendNode wrote. It never panics: bytes that are not a
// node whose vertices fit its children's are an error. Whether the distances
// are those of some graph is not checked.
func ParseNode(b []byte) (*Node, error) {
	r := &reader{b: b}
	n := r.node(0)
	if err := r.end(); err != nil {
		return nil, err
	}
	all := slices.Concat(n.LeftIDs, n.SepIDs, n.RightIDs)
	slices.Sort(all)
	for i, v := range all {
		if i > 0 && all[i-1] == v {
			return nil, fmt.Errorf("sgfi: vertex %d twice in a node", v)
		}
	}
	if err := n.covers(all); err != nil {
		return nil, err
	}
	return n, nil
}

// reader reads from the start of b. After the first error it yields zeros.
type reader struct {
	b   []byte
	err error
}

func (r *reader) fail(format string, a ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("sgfi: "+format, a...)
	}
}

func (r *reader) end() error {
	if r.err == nil && len(r.b) > 0 {
		r.fail("%d bytes too many", len(r.b))
	}
	return r.err
}

// take returns the next count*size bytes, nil when there are not so many.
func (r *reader) take(count, size int) []byte {
	if r.err == nil && count > len(r.b)/size {
		r.err = errors.New("sgfi: the bytes end early")
	}
	if r.err != nil {
		return nil
	}
	b := r.b[:count*size]
	r.b = r.b[count*size:]
	return b
}

func (r *reader) count() int {
	b := r.take(1, 4)
	if b == nil {
		return 0
	}
	n := binary.LittleEndian.Uint32(b)
	if n > math.MaxInt32-1 {
		r.fail("a count of %d", n)
		return 0
	}
	return int(n)
}

// ids reads vertices; ascending ones when asked.
func (r *reader) ids(count int, ascending bool) []int32 {
	b := r.take(count, 4)
	if b == nil {
		return nil
	}
	ids := make([]int32, count)
	for i := range ids {
		ids[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
		if ids[i] < 0 || ascending && i > 0 && ids[i-1] >= ids[i] {
			r.fail("vertex %d out of order", ids[i])
			return nil
		}
	}
	return ids
}

// distances reads rows*columns distances or lengths, +Inf only where allowed.
func (r *reader) distances(rows, columns int, infinite bool) []float64 {
	if columns > 0 && rows > len(r.b)/8/columns {
		r.fail("the bytes end early")
		return nil
	}
	b := r.take(rows*columns, 8)
	if b == nil {
		return nil
	}
	d := make([]float64, rows*columns)
	for i := range d {
		d[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		if !(d[i] >= 0) || math.IsInf(d[i], 1) && !infinite {
			r.fail("a distance of %g", d[i])
			return nil
		}
	}
	return d
}

func (r *reader) graph() *graph.Graph {
	n, arcs := r.count(), r.count()
	degrees := r.take(n, 4)
	if degrees == nil {
		return nil
	}
	g := &graph.Graph{Offsets: make([]int32, n+1)}
	at := 0
	for v := range n {
		if at += int(binary.LittleEndian.Uint32(degrees[4*v:])); at > arcs {
			break
		}
		g.Offsets[v+1] = int32(at)
	}
	if at != arcs {
		r.fail("degrees do not add up to %d arcs", arcs)
		return nil
	}
	g.Targets = r.ids(arcs, false)
	g.Weights = r.distances(arcs, 1, false)
	if r.err != nil {
		return nil
	}
	for v := range int32(n) {
		to, w := g.Neighbours(v)
		for k, u := range to {
			if int(u) >= n || u == v || k > 0 && to[k-1] >= u {
				r.fail("an arc from %d to %d", v, u)
				return nil
			}
			back, bw := g.Neighbours(u)
			if i, ok := slices.BinarySearch(back, v); !ok || bw[i] != w[k] {
				r.fail("the arc from %d to %d has no equal one back", v, u)
				return nil
			}
		}
	}
	return g
}

func (r *reader) node(level int) *Node {
	kind := r.take(1, 1)
	switch {
	case kind == nil:
		return nil
	case kind[0] == leafKind:
		n := &Node{LeftIDs: r.ids(r.count(), true)}
		if n.Explicit = r.graph(); r.err == nil && n.Explicit.Len() != len(n.LeftIDs) {
			r.fail("a leaf of %d vertices has a graph of %d", len(n.LeftIDs), n.Explicit.Len())
		}
		return n
	case kind[0] != splitKind:
		r.fail("a node of kind %d", kind[0])
		return nil
	case level == maxDepth:
		r.fail("more than %d levels", maxDepth)
		return nil
	}
	a, s, b := r.count(), r.count(), r.count()
	n := &Node{LeftIDs: r.ids(a, true), SepIDs: r.ids(s, true), RightIDs: r.ids(b, true)}
	n.SepDist, n.LeftDist, n.RightDist = r.distances(s, s, true), r.distances(a, s, true), r.distances(b, s, true)
	if r.err == nil && (a == 0 || b == 0) {
		r.fail("a separation of %d, %d and %d vertices", a, s, b)
	}
	if r.err == nil {
		n.Left = r.node(level + 1)
		n.Right = r.node(level + 1)
	}
	return n
}
