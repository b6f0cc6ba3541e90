// Package separator finds balanced separations of a graph: a small vertex set
// S whose removal leaves two sides A and B without an edge between them (the
// paper, Sec. 2). Finders share one contract, checked by Verify:
//
//   - Each side holds at least max(1, floor(Balance*n)) vertices.
//   - In a disconnected graph whole components are dealt to the sides, the
//     largest first and each to the lighter side, so that S is empty when that
//     is balanced; otherwise the largest component is separated and the rest
//     dealt.
//   - ErrNoSeparation where there is none: n < 2, complete graphs, and graphs
//     in which no separation that balanced was found. With Balance small
//     enough that one vertex a side will do, the finders that need no faces
//     separate every graph that is not complete.
//   - Finders that need a planar embedding take it from Options.Faces and
//     return ErrNotPlanar where the faces do not make one; the others need
//     nothing but the graph.
//   - The same graph and options give the same separation on every platform.
package separator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"genussink/core/graph"
)

// ErrNoSeparation is returned where no separation of the wanted balance with
// both sides non-empty exists, or the finder found none.
var ErrNoSeparation = errors.New("separator: no separation of that balance")

// DefaultBalance is the share of the vertices that either side holds at least
// when Options does not say. Over seven real meshes a separator tree has the
// fewest distance labels at 0.3; from 0.25 to 0.35 they are within 1.5 % of
// that, at 0.2 they are 3.5 % more, at 0.1 24 %. The search takes less time the
// larger the balance is.
const DefaultBalance = 0.3

// Separation is a partition of the vertices 0..n-1 into A, S and B, each in
// ascending order, without an edge between A and B.
type Separation struct {
	A, S, B []int32
}

// Options governs a search. The zero value asks for the default.
type Options struct {
	Balance   float64      // least share of n on either side, at most 0.5; 0: DefaultBalance
	Seed      uint64       // of the choices that are free, such as where a sweep starts
	Positions [][3]float64 // of the vertices, a hint for finders that can use geometry; nil: none
	Faces     [][3]int32   // of the mesh, oriented alike, for finders that need a planar embedding
}

// Finder finds separations.
type Finder interface {
	Name() string
	Find(ctx context.Context, g *graph.Graph, o Options) (Separation, error)
}

var finders = [...]finder{
	{"level-set", levelSet},
	{"inertial-flow", inertialFlow},
	{"fundamental-cycle", fundamentalCycle},
	{"lipton-tarjan", liptonTarjan},
}

// Names lists the finders: first those that need nothing but the graph, then
// those that need Options.Faces.
func Names() []string {
	names := make([]string, len(finders))
	for i, f := range finders {
		names[i] = f.name
	}
	return names
}

// ByName returns the finder of that name; "" is the default, the best trade of
// size against time.
func ByName(name string) (Finder, error) {
	if name == "" {
		name = "inertial-flow"
	}
	for _, f := range finders {
		if f.name == name {
			return f, nil
		}
	}
	return nil, fmt.Errorf("separator: no finder %q, there are %q", name, Names())
}

// side is where a vertex lies during a search.
type side int8

const (
	inA side = iota
	inS
	inB
)

// finder is a splitter with the work common to all around it.
type finder struct {
	name string
	// split separates a connected graph of at least two vertices that is not
	// complete so that either side has at least least vertices.
	split func(ctx context.Context, g *graph.Graph, o Options, least int) ([]side, error)
}

func (f finder) Name() string { return f.name }

func (f finder) Find(ctx context.Context, g *graph.Graph, o Options) (Separation, error) {
	if err := ctx.Err(); err != nil {
		return Separation{}, err
	}
	n := g.Len()
	least, err := leastSide(n, o.Balance)
	if err != nil {
		return Separation{}, err
	}
	if o.Positions != nil && len(o.Positions) != n {
		return Separation{}, fmt.Errorf("separator: %d positions for %d vertices", len(o.Positions), n)
	}
	for f, t := range o.Faces {
		for _, v := range t {
			if v < 0 || int(v) >= n {
				return Separation{}, fmt.Errorf("separator: face %d has vertex %d of %d", f, v, n)
			}
		}
	}
	if n < 2 || g.Edges() == n*(n-1)/2 {
		return Separation{}, ErrNoSeparation
	}
	component, count := g.Components()
	if count == 1 {
		sides, err := f.split(ctx, g, o, least)
		if err != nil {
			return Separation{}, err
		}
		return collect(sides), nil
	}
	return f.findInParts(ctx, g, o, least, component, count)
}

// findInParts separates a graph of several components.
func (f finder) findInParts(ctx context.Context, g *graph.Graph, o Options, least int, component []int32, count int) (Separation, error) {
	members := make([][]int32, count)
	for v, c := range component {
		members[c] = append(members[c], int32(v))
	}
	slices.SortStableFunc(members, func(a, b []int32) int { return cmp.Compare(len(b), len(a)) })

	n := g.Len()
	sides := make([]side, n)
	if a, b := deal(sides, members, 0, 0); min(a, b) >= least {
		return collect(sides), nil
	}
	largest := members[0]
	sub := g.Induced(largest)
	if c := sub.Len(); c < 2 || sub.Edges() == c*(c-1)/2 {
		return Separation{}, ErrNoSeparation
	}
	if o.Positions != nil {
		positions := make([][3]float64, len(largest))
		for i, v := range largest {
			positions[i] = o.Positions[v]
		}
		o.Positions = positions
	}
	o.Faces = facesWithin(o.Faces, component, largest)
	part, err := f.split(ctx, sub, o, max(1, least-(n-len(largest))))
	if err != nil {
		return Separation{}, err
	}
	var a, b int
	for i, v := range largest {
		sides[v] = part[i]
		switch part[i] {
		case inA:
			a++
		case inB:
			b++
		}
	}
	if a, b = deal(sides, members[1:], a, b); min(a, b) < least {
		return Separation{}, ErrNoSeparation
	}
	return collect(sides), nil
}

// facesWithin numbers the faces of one component by the places of its members.
func facesWithin(faces [][3]int32, component, members []int32) [][3]int32 {
	local := make([]int32, len(component))
	for i, v := range members {
		local[v] = int32(i)
	}
	var kept [][3]int32
	for _, t := range faces {
		if component[t[0]] == component[members[0]] {
			kept = append(kept, [3]int32{local[t[0]], local[t[1]], local[t[2]]})
		}
	}
	return kept
}

// deal gives each component to the lighter side, A when they weigh the same,
// and returns the weights.
func deal(sides []side, members [][]int32, a, b int) (int, int) {
	for _, m := range members {
		to := inA
		if b < a {
			to = inB
			b += len(m)
		} else {
			a += len(m)
		}
		for _, v := range m {
			sides[v] = to
		}
	}
	return a, b
}

// leastSide is the number of vertices that either side must hold.
func leastSide(n int, balance float64) (int, error) {
	if balance == 0 {
		balance = DefaultBalance
	}
	if !(balance > 0 && balance <= 0.5) {
		return 0, fmt.Errorf("separator: balance %g, must lie in (0, 0.5]", balance)
	}
	// The sum is a guard against 1/3 of 9 being taken for less than 3.
	return max(1, int(math.Floor(float64(balance*float64(n))+1e-9))), nil
}

func collect(sides []side) Separation {
	var count [3]int
	for _, s := range sides {
		count[s]++
	}
	s := Separation{
		A: make([]int32, 0, count[inA]),
		S: make([]int32, 0, count[inS]),
		B: make([]int32, 0, count[inB]),
	}
	for v, where := range sides {
		switch where {
		case inA:
			s.A = append(s.A, int32(v))
		case inS:
			s.S = append(s.S, int32(v))
		default:
			s.B = append(s.B, int32(v))
		}
	}
	return s
}
