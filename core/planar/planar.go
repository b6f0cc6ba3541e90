// Package planar tells whether a graph is planar, in linear time, and proves
// the answer: an Embedding in the sphere, or a Witness, which is a subdivision
// of K5 or K3,3 within the graph (Kuratowski's theorem). Witness.Verify shares
// nothing with what made the witness; the tests hold embeddings to Euler's formula.
package planar

import (
	"context"
	"errors"
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
