package treehost

import (
	"context"
	"slices"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/shortest"
	"genussink/core/treedec"
)

// A piece is a bag of the host: members and anchors. The host has an edge
// between a member and any other vertex of the piece if one of them is a
// portal, as long as their distance in the graph, unless a way through another
// portal of the piece is as short; and it has the graph's edges between
// members. The anchors are portals, and every two of them are joined in some
// piece. A vertex that is no portal is a member of one piece.
type piece struct {
	parent           int32 // piece, none at the root of a tree
	members, anchors []int32
}

// parts are what a host is made of.
type parts struct {
	pieces []piece
	portal []bool  // by vertex
	bound  float64 // Host.Bound
}

// edgeBytes is about what assemble takes for an edge: 24 bytes, as many for its
// two entries in the graph, 12 for its distance and 4 in a bag.
const edgeBytes = 64

// bytes is about what assemble takes.
func (p *parts) bytes() (bytes int64) {
	for _, piece := range p.pieces {
		portals := len(piece.anchors)
		for _, v := range piece.members {
			if p.portal[v] {
				portals++
			}
		}
		bytes += edgeBytes * int64(portals) * int64(len(piece.members))
	}
	return bytes
}

// decomposition is the host's, of n vertices: its bags are the pieces.
func (p *parts) decomposition(n int) *treedec.Decomposition {
	d := &treedec.Decomposition{Vertices: n, Bags: make([][]int32, len(p.pieces))}
	root := none
	for i, p := range p.pieces {
		bag := slices.Concat(p.members, p.anchors)
		slices.Sort(bag)
		d.Bags[i] = slices.Compact(bag)
		switch {
		case p.parent != none:
			d.Tree = append(d.Tree, [2]int32{p.parent, int32(i)})
		case root != none:
			d.Tree = append(d.Tree, [2]int32{root, int32(i)})
		default:
			root = int32(i)
		}
	}
	return d
}

// assemble makes the host.
func (p *parts) assemble(ctx context.Context, g *graph.Graph, d *treedec.Decomposition, report func(float64)) (*graph.Graph, error) {
	n, portal := g.Len(), p.portal
	spokes := make([][]int32, n) // of a portal: the vertices that it has an edge to
	home := make([]int32, n)     // of another vertex: its piece
	var edges []graph.Edge
	for i, p := range p.pieces {
		for _, a := range p.anchors {
			for _, v := range p.members {
				if !portal[v] {
					spokes[a] = append(spokes[a], v)
				}
			}
		}
		for _, v := range p.members {
			if portal[v] {
				spokes[v] = append(spokes[v], d.Bags[i]...)
				continue
			}
			home[v] = int32(i)
			to, length := g.Neighbours(v)
			for k, u := range to {
				if v < u && slices.Contains(p.members, u) {
					edges = append(edges, graph.Edge{U: v, V: u, Weight: length[k]})
				}
			}
		}
	}
	workers := parallel.Workers(n)
	solvers := make([]*ways, workers)
	dist := make([][]float64, n)
	err := parallel.Each(ctx, workers, n, func(worker, p int) {
		if len(spokes[p]) == 0 {
			return
		}
		slices.Sort(spokes[p])
		spokes[p] = slices.Compact(spokes[p])
		if solvers[worker] == nil {
			solvers[worker] = &ways{Solver: shortest.NewSolver(g), portal: portal, last: make([]int32, n), known: make([]int32, n)}
		}
		w := solvers[worker]
		w.asked++
		dist[p] = w.To(nil, spokes[p], int32(p))
		for k, v := range spokes[p] {
			if !portal[v] && w.passes(v, d.Bags[home[v]]) {
				dist[p][k] = inf
			}
		}
		if worker == 0 {
			report(float64(p+1) / float64(n))
		}
	})
	if err != nil {
		return nil, err
	}
	for p := range int32(n) {
		for k, v := range spokes[p] {
			if v != p && dist[p][k] < inf {
				edges = append(edges, graph.Edge{U: p, V: v, Weight: dist[p][k]})
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return graph.New(n, edges)
}

// ways follows shortest paths back to the vertex that the solver was asked of.
type ways struct {
	*shortest.Solver
	portal []bool
	last   []int32 // of a vertex: the portal that its path passes last
	known  []int32 // of a vertex: the question for which last is known
	asked  int32
}

// passes says whether the path to v runs through another portal of v's bag.
// That one is nearer to v than the path's start, which keeps edges without
// length from standing in for each other in a circle.
func (w *ways) passes(v int32, bag []int32) bool {
	for {
		v = w.before(v)
		if d, _ := w.At(v); d == 0 || d == inf {
			return false
		}
		if _, in := slices.BinarySearch(bag, v); in {
			return true
		}
	}
}

// before is the portal that the path to v passes last before v, and v itself at
// the start or where there is no path.
func (w *ways) before(v int32) int32 {
	known := v
	for w.known[known] != w.asked {
		_, u := w.At(known)
		if u == known || u < 0 || w.portal[u] {
			if u < 0 {
				u = known
			}
			w.last[known], w.known[known] = u, w.asked
			break
		}
		known = u
	}
	portal := w.last[known]
	for ; v != known; _, v = w.At(v) {
		w.last[v], w.known[v] = portal, w.asked
	}
	return portal
}
