package treehost

import (
	"context"
	"fmt"
	"math"

	"genussink/core/graph"
	"genussink/core/linop"
	"genussink/core/treedec"
)

var inf = math.Inf(1)

// Options governs Embed. The zero value asks for the graph's own distances.
type Options struct {
	Distortion   float64      // how much longer than in the graph a distance in the host may be, in the graph's unit; 0: not at all
	Faces        [][3]int32   // of the surface that the graph lies on; nil: the separators come from an elimination order
	Construction Construction // of the host

	// MemoryLimit is how many bytes making the host may take; beyond it the
	// error is a *linop.MemoryError. 0: any number.
	MemoryLimit int64

	// Progress is told "portals" or "host" and the share of the work done, by
	// one goroutine at a time. Nil: nobody asks.
	Progress func(stage string, fraction float64)
}

// Construction chooses how the host is made.
type Construction int

// The constructions.
const (
	Nested   Construction = iota // treewidth O(log n / eps)
	Emulated                     // treewidth O((log log n)^2 / eps), with constants that do not pay
)

// Host is a graph of small treewidth on the vertices of another one, in which
// no distance is shorter, and none longer by more than Bound.
type Host struct {
	Graph         *graph.Graph
	Decomposition *treedec.Decomposition // of Graph
	Bound         float64                // in the graph's unit, proved; at most Options.Distortion
	Portals       []int32                // ascending
}

// Embed finds a host of g. Components of g are those of the host. It ends with
// ctx.
func Embed(ctx context.Context, g *graph.Graph, o Options) (*Host, error) {
	p, err := take(ctx, g, o)
	if err != nil {
		return nil, err
	}
	if need := p.bytes(); o.MemoryLimit > 0 && need > o.MemoryLimit {
		return nil, &linop.MemoryError{What: "treehost: the parts of a host", Vertices: g.Len(), Need: need, Limit: o.MemoryLimit}
	}
	h := &Host{Bound: p.bound, Decomposition: p.decomposition(g.Len())}
	for v, is := range p.portal {
		if is {
			h.Portals = append(h.Portals, int32(v))
		}
	}
	h.Graph, err = p.assemble(ctx, g, h.Decomposition, o.report("host"))
	if err != nil {
		return nil, err
	}
	return h, nil
}

// Sketch is a host without its edges, which take most of the time to measure.
type Sketch struct {
	Decomposition *treedec.Decomposition
	Portals       int // from each of which edges are measured
}

// NewSketch makes the sketch of the host that Embed finds.
func NewSketch(ctx context.Context, g *graph.Graph, o Options) (*Sketch, error) {
	p, err := take(ctx, g, o)
	if err != nil {
		return nil, err
	}
	s := &Sketch{Decomposition: p.decomposition(g.Len())}
	for _, is := range p.portal {
		if is {
			s.Portals++
		}
	}
	return s, nil
}

func (o *Options) report(stage string) func(float64) {
	return func(fraction float64) {
		if o.Progress != nil {
			o.Progress(stage, fraction)
		}
	}
}

// take finds the parts of a host.
func take(ctx context.Context, g *graph.Graph, o Options) (*parts, error) {
	if !(o.Distortion >= 0) || math.IsInf(o.Distortion, 1) {
		return nil, fmt.Errorf("treehost: distortion %v: must be finite and not negative", o.Distortion)
	}
	f, err := grow(g)
	if err != nil {
		return nil, err
	}
	var b *bags
	if o.Faces == nil {
		b, err = fromOrder(ctx, g, f)
	} else {
		b, err = fromFaces(g, f, o.Faces)
	}
	if err != nil {
		return nil, err
	}
	switch o.Construction {
	case Nested:
		s, err := nest(ctx, g, b, o.Distortion, o.report("portals"))
		if err != nil {
			return nil, err
		}
		return &parts{s.pieces, s.portal, 2 * s.tolerance}, nil
	case Emulated:
		pieces, portal, bound, err := emulate(ctx, b, o.Distortion)
		return &parts{pieces, portal, bound}, err
	}
	return nil, fmt.Errorf("treehost: construction %d: there is none", o.Construction)
}
