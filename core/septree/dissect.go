package septree

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"genussink/core/graph"
)

// leastShared is the least number of vertices of a part that is handed elsewhere below shareDepth.
const leastShared = 200

// shareDepth is the first depth at which parts are handed elsewhere. There are enough of them for all helpers and for who asks, of much the
// same size.
func (s *splitter) shareDepth() int { return bits.Len(uint(s.o.Helpers)) }

// Part is a part of a graph that is to be separated by itself, by a helper or here.
type Part struct {
	Graph     *graph.Graph
	Positions [][3]float64 // as of Options
	Faces     [][3]int32   // as of Options
	Depth     int          // at which it is in the tree
}

// Dissection is the tree of a part as plain slices, which can be sent to a helper that shares no memory. It lists the pieces: parents
// before children, left before right.
type Dissection struct {
	Vertices []int32 // of the part: those of every piece's separator, of a leaf all
	Sizes    []int32 // by piece: how many; of a leaf ^n
}

// Dissect separates a part of a graph, as Split does with the same options. Positions, Faces and Root of the options do not count.
func Dissect(ctx context.Context, p Part, o Options) (d Dissection, err error) {
	n := p.Graph.Len()
	if p.Depth < 0 {
		return d, fmt.Errorf("septree: a part at depth %d", p.Depth)
	}
	for i, f := range p.Faces {
		if min(f[0], f[1], f[2]) < 0 || int(max(f[0], f[1], f[2])) >= n {
			return d, fmt.Errorf("septree: face %d is %v, of %d vertices", i, f, n)
		}
	}
	o.Positions, o.Root = p.Positions, nil
	s, err := newSplitter(n, o)
	if err != nil {
		return d, err
	}
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32(i)
	}
	root, err := s.split(ctx, p.Graph, ids, p.Faces, p.Depth)
	if err != nil {
		return d, err
	}
	d.add(root)
	return d, nil
}

func (d *Dissection) add(p *piece) {
	d.Vertices = append(d.Vertices, p.separator...)
	size := int32(len(p.separator))
	if p.left == nil {
		d.Sizes = append(d.Sizes, ^size)
		return
	}
	d.Sizes = append(d.Sizes, size)
	d.add(p.left)
	d.add(p.right)
}

// pieces are those of a part whose vertex i is ids[i] of the whole graph; nil where the dissection is not one
// of so many vertices.
func (d Dissection) pieces(ids []int32) *piece {
	if len(d.Vertices) != len(ids) {
		return nil
	}
	seen := make([]bool, len(ids))
	for _, v := range d.Vertices {
		if v < 0 || int(v) >= len(ids) || seen[v] {
			return nil
		}
		seen[v] = true
	}
	root := d.take(ids)
	if len(d.Vertices) > 0 || len(d.Sizes) > 0 {
		return nil
	}
	return root
}

// take removes the first piece and all below it; nil where there are too few.
func (d *Dissection) take(ids []int32) *piece {
	if len(d.Sizes) == 0 {
		return nil
	}
	size := d.Sizes[0]
	d.Sizes = d.Sizes[1:]
	leaf := size < 0
	if leaf {
		size = ^size
	}
	if int(size) > len(d.Vertices) {
		return nil
	}
	p := &piece{separator: slices.Clone(d.Vertices[:size])}
	d.Vertices = d.Vertices[size:]
	for i, v := range p.separator {
		p.separator[i] = ids[v]
	}
	if !leaf {
		if p.left, p.right = d.take(ids), d.take(ids); p.left == nil || p.right == nil {
			return nil
		}
	}
	return p
}

// elsewhere has a helper that is free separate a part; nil: there is none, or it could not. It is not asked again then.
func (s *splitter) elsewhere(g *graph.Graph, ids []int32, faces [][3]int32, depth int) *piece {
	if s.o.Elsewhere == nil || depth < s.shareDepth() || depth > s.shareDepth() && g.Len() < leastShared {
		return nil
	}
	select {
	case helper := <-s.free:
		p := s.o.Elsewhere(helper, Part{g, s.positions(ids), faces, depth}).pieces(ids)
		if p != nil {
			s.placed.Add(int64(len(ids)))
			s.free <- helper
		}
		return p
	default:
		return nil
	}
}
