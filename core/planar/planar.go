// Package planar tells whether a graph is planar, in linear time, and proves
// the answer: an Embedding in the sphere, or a Witness, which is a subdivision
// of K5 or K3,3 within the graph (Kuratowski's theorem). Both can be checked by
// Verify, which shares nothing with what made them.
package planar

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"genussink/core/graph"
)

// ErrNotPlanar is returned by Embed where there is no embedding; Kuratowski
// finds out why.
var ErrNotPlanar = errors.New("planar: the graph is not planar")

// Embedding is a rotation system: it fixes the order of the arcs around every
// vertex, and with it the faces of a drawing without crossings. Arcs are named
// by their place in the graph's Targets.
type Embedding struct {
	Twin []int32 // of an arc: the arc back
	Next []int32 // of an arc: the one that follows it around the face to its left
}

// Clockwise is the arc after a clockwise around the vertex that a leaves.
func (e *Embedding) Clockwise(a int32) int32 { return e.Next[e.Twin[a]] }

// Embed embeds a graph, connected or not, in the sphere, in linear time and
// without recursion. It returns ErrNotPlanar where that is impossible, and
// ctx's error when that ends. The same graph has the same embedding
// everywhere.
func Embed(ctx context.Context, g *graph.Graph) (*Embedding, error) {
	lr := newLeftRight(ctx, g.Offsets, g.Targets)
	if planar, err := lr.test(); err != nil {
		return nil, err
	} else if !planar {
		return nil, ErrNotPlanar
	}
	return lr.embed()
}

// Twins returns for every arc of g the arc back.
func Twins(g *graph.Graph) []int32 { return twins(g.Offsets, g.Targets) }

// twins pairs the arcs of rows that are in ascending order: the arcs into a
// vertex then come in the order of its own row.
func twins(offsets, targets []int32) []int32 {
	place := slices.Clone(offsets[:len(offsets)-1])
	twin := make([]int32, len(targets))
	for a, to := range targets {
		twin[a] = place[to]
		place[to]++
	}
	return twin
}

// Verify checks the embedding against g: every arc is answered by its twin,
// the arcs of a vertex form one cycle around it, and in every component
// vertices - edges + faces = 2 (Euler's formula, which holds of no rotation
// system but those of the sphere). It names the place that fails.
func (e *Embedding) Verify(g *graph.Graph) error {
	arcs := len(g.Targets)
	if len(e.Twin) != arcs || len(e.Next) != arcs {
		return fmt.Errorf("planar: %d twins and %d successors for %d arcs", len(e.Twin), len(e.Next), arcs)
	}
	entered := make([]bool, arcs) // is the successor of an arc
	for v := range int32(g.Len()) {
		for a := g.Offsets[v]; a < g.Offsets[v+1]; a++ {
			w := g.Targets[a]
			if b := e.Twin[a]; b < g.Offsets[w] || b >= g.Offsets[w+1] || g.Targets[b] != v {
				return fmt.Errorf("planar: twin: arc %d from %d to %d is not answered by %d", a, v, w, b)
			}
			b := e.Next[a]
			if b < g.Offsets[w] || b >= g.Offsets[w+1] {
				return fmt.Errorf("planar: face: arc %d ends in %d, its successor %d does not start there", a, w, b)
			}
			if entered[b] {
				return fmt.Errorf("planar: face: arc %d succeeds two arcs", b)
			}
			entered[b] = true
		}
	}
	for v := range int32(g.Len()) {
		first, degree := g.Offsets[v], int32(0)
		for a := first; degree == 0 || a != first; a = e.Clockwise(a) {
			if g.Offsets[v+1] == first {
				break
			}
			degree++
		}
		if degree != g.Offsets[v+1]-first {
			return fmt.Errorf("planar: rotation: %d of the %d arcs of vertex %d in one cycle", degree, g.Offsets[v+1]-first, v)
		}
	}
	component, count := g.Components()
	euler := make([]int, count)   // vertices - edges + faces
	example := make([]int, count) // a vertex of the component
	seen := make([]bool, arcs)
	for v, c := range component {
		euler[c]++
		example[c] = v
		row := g.Offsets[v+1] - g.Offsets[v]
		if row == 0 {
			euler[c]++ // the face around an isolated vertex
		}
		for a := g.Offsets[v]; a < g.Offsets[v+1]; a++ {
			if e.Twin[a] > a {
				euler[c]--
			}
			if !seen[a] {
				euler[c]++
				for b := a; !seen[b]; b = e.Next[b] {
					seen[b] = true
				}
			}
		}
	}
	for c, x := range euler {
		if x != 2 {
			return fmt.Errorf("planar: Euler: vertices - edges + faces is %d in the component of vertex %d", x, example[c])
		}
	}
	return nil
}
