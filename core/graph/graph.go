// Package graph holds the weighted undirected graph in compressed sparse row
// form that separators, shortest paths and the integrator work on.
//
// # Deviations
//
// From the paper (Sec. 2): an edge may have length 0, where the paper's are
// positive. Of parallel edges the shortest is kept, and loops are left out.
package graph

import (
	"fmt"
	"math"
	"slices"

	"genussink/core/mesh"
)

// Edge is an undirected edge with its length.
type Edge struct {
	U, V   int32
	Weight float64 // in the graph's unit, finite and >= 0
}

// Graph is an undirected weighted graph: the neighbours of v are
// Targets[Offsets[v]:Offsets[v+1]], ascending, with the lengths in Weights at
// the same places. Every edge is stored from both ends. A Graph does not
// change after New, so any number of goroutines may read one.
type Graph struct {
	Offsets []int32   // len n+1
	Targets []int32   // len 2m
	Weights []float64 // len 2m
}

// New builds the graph on vertices 0..n-1. Of parallel edges the shortest is
// kept; loops say nothing about distance and are dropped. A vertex out of
// range, or a weight that is negative, NaN or infinite, is an error that names
// the edge; so are weights whose sum, and with it a path, no float64 holds.
func New(n int, edges []Edge) (*Graph, error) {
	if n < 0 || n > math.MaxInt32-1 {
		return nil, fmt.Errorf("graph: %d vertices, 0 to %d are possible", n, math.MaxInt32-1)
	}
	if len(edges) > math.MaxInt32/2 {
		return nil, fmt.Errorf("graph: %d edges, at most %d", len(edges), math.MaxInt32/2)
	}
	whole := 0.0
	for i, e := range edges {
		if e.U < 0 || int(e.U) >= n || e.V < 0 || int(e.V) >= n {
			return nil, fmt.Errorf("graph: edge %d joins %d and %d, vertices are 0 to %d", i, e.U, e.V, n-1)
		}
		if !(e.Weight >= 0) || math.IsInf(e.Weight, 1) {
			return nil, fmt.Errorf("graph: edge %d (%d-%d) has weight %g", i, e.U, e.V, e.Weight)
		}
		if whole += e.Weight; math.IsInf(whole, 1) {
			return nil, fmt.Errorf("graph: up to edge %d (%d-%d) of weight %g the weights add up to more than a float64 holds", i, e.U, e.V, e.Weight)
		}
	}
	// Two stable counting sorts, by target and then by source, put every row in
	// ascending order. The first keeps edge numbers only: arc 2e leads from U to
	// V of edge e, arc 2e+1 back.
	start := make([]int32, n+1)
	for _, e := range edges {
		if e.U != e.V {
			start[e.U]++
			start[e.V]++
		}
	}
	total := int32(0)
	for v, count := range start {
		start[v] = total
		total += count
	}
	byTarget := make([]int32, total)
	next := slices.Clone(start)
	for i, e := range edges {
		if e.U != e.V {
			byTarget[next[e.V]] = int32(2 * i)
			next[e.V]++
			byTarget[next[e.U]] = int32(2*i + 1)
			next[e.U]++
		}
	}
	g := &Graph{Offsets: make([]int32, n+1), Targets: make([]int32, total), Weights: make([]float64, total)}
	copy(next, start)
	for _, a := range byTarget {
		e := edges[a/2]
		from, to := e.U, e.V
		if a&1 == 1 {
			from, to = to, from
		}
		k := next[from]
		if k > start[from] && g.Targets[k-1] == to { // parallel to the arc before
			g.Weights[k-1] = min(g.Weights[k-1], e.Weight)
			continue
		}
		g.Targets[k], g.Weights[k] = to, e.Weight
		next[from]++
	}
	// Close the gaps that parallel edges left.
	used := int32(0)
	for v := range n {
		row := next[v] - start[v]
		copy(g.Targets[used:], g.Targets[start[v]:next[v]])
		copy(g.Weights[used:], g.Weights[start[v]:next[v]])
		used += row
		g.Offsets[v+1] = used
	}
	g.Targets, g.Weights = g.Targets[:used:used], g.Weights[:used:used]
	return g, nil
}

// FromMesh is the graph of a mesh's edges, weighted by Euclidean length (the
// paper, Sec. 4.1). Vertices keep their numbers; one that no face uses is
// isolated in the graph. A face of a vertex that there is not is an error, and an edge whose length is not finite.
func FromMesh(m *mesh.Mesh) (*Graph, error) {
	n := len(m.Positions)
	if len(m.Faces) > math.MaxInt32/6 {
		return nil, fmt.Errorf("graph: %d faces, at most %d", len(m.Faces), math.MaxInt32/6)
	}
	for i, f := range m.Faces {
		for _, v := range f {
			if v < 0 || int(v) >= n {
				return nil, fmt.Errorf("graph: face %d has vertex %d, vertices are 0 to %d", i, v, n-1)
			}
		}
	}
	start := make([]int32, n+1) // of each row, and then its end
	arcs := func(visit func(from, to int32)) {
		for _, f := range m.Faces {
			for c := range 3 {
				if u, v := f[c], f[(c+1)%3]; u != v {
					visit(u, v)
					visit(v, u)
				}
			}
		}
	}
	arcs(func(from, _ int32) { start[from+1]++ })
	for v := range n {
		start[v+1] += start[v]
	}
	targets := make([]int32, start[n])
	arcs(func(from, to int32) {
		targets[start[from]] = to
		start[from]++
	})
	g := &Graph{Offsets: make([]int32, n+1)}
	used, from := int32(0), int32(0)
	for v, end := range start[:n] { // each edge once
		row := targets[from:end]
		slices.Sort(row)
		used += int32(copy(targets[used:], slices.Compact(row)))
		g.Offsets[v+1], from = used, end
	}
	g.Targets, g.Weights = slices.Clone(targets[:used]), make([]float64, used)
	whole := 0.0 // each edge twice
	for u := range int32(n) {
		to, lengths := g.Neighbours(u)
		for k, v := range to { // one orientation, so that both sides of an edge measure it alike
			lengths[k] = mesh.Distance(m.Positions[min(u, v)], m.Positions[max(u, v)])
			if whole += lengths[k]; !(lengths[k] < math.Inf(1)) {
				return nil, fmt.Errorf("graph: the edge from %d to %d is %g long", u, v, lengths[k])
			} else if math.IsInf(whole, 1) {
				return nil, fmt.Errorf("graph: up to the edge from %d to %d, %g long, the lengths add up to more than a float64 holds", u, v, lengths[k])
			}
		}
	}
	return g, nil
}

// Len is the number of vertices.
func (g *Graph) Len() int { return len(g.Offsets) - 1 }

// Edges is the number of undirected edges.
func (g *Graph) Edges() int { return len(g.Targets) / 2 }

// Neighbours returns the neighbours of v, ascending, and the lengths of the
// edges to them. The slices belong to the graph.
func (g *Graph) Neighbours(v int32) ([]int32, []float64) {
	lo, hi := g.Offsets[v], g.Offsets[v+1]
	return g.Targets[lo:hi], g.Weights[lo:hi]
}

// Induced returns the subgraph on the given vertices (G[T] in the paper, Sec.
// 2), whose vertex i is vertices[i] of g. The vertices must be distinct and in
// range; Induced panics otherwise.
func (g *Graph) Induced(vertices []int32) *Graph {
	local := make([]int32, g.Len())
	for i := range local {
		local[i] = -1
	}
	for i, v := range vertices {
		if local[v] >= 0 {
			panic("graph: Induced: a vertex is named twice")
		}
		local[v] = int32(i)
	}
	sub := &Graph{Offsets: make([]int32, len(vertices)+1)}
	for i, v := range vertices {
		sub.Offsets[i+1] = sub.Offsets[i]
		to, _ := g.Neighbours(v)
		for _, t := range to {
			if local[t] >= 0 {
				sub.Offsets[i+1]++
			}
		}
	}
	size := sub.Offsets[len(vertices)]
	sub.Targets, sub.Weights = make([]int32, size), make([]float64, size)
	next := slices.Clone(sub.Offsets) // by vertex: where its next neighbour goes; they come in ascending order
	for i, v := range vertices {
		to, w := g.Neighbours(v)
		for k, t := range to {
			if j := local[t]; j >= 0 {
				sub.Targets[next[j]], sub.Weights[next[j]] = int32(i), w[k]
				next[j]++
			}
		}
	}
	return sub
}

// Components numbers the connected components 0..count-1 in the order of their
// smallest vertex and returns the component of every vertex.
func (g *Graph) Components() (component []int32, count int) {
	component = make([]int32, g.Len())
	for i := range component {
		component[i] = -1
	}
	var stack []int32
	for v := range component {
		if component[v] >= 0 {
			continue
		}
		component[v] = int32(count)
		stack = append(stack[:0], int32(v))
		for len(stack) > 0 {
			u := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			to, _ := g.Neighbours(u)
			for _, t := range to {
				if component[t] < 0 {
					component[t] = int32(count)
					stack = append(stack, t)
				}
			}
		}
		count++
	}
	return component, count
}
