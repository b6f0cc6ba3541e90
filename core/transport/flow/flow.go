// Package flow shows a plan as particles on shortest paths.
package flow

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/shortest"
	"genussink/core/transport"
)

// Paths are shortest paths, one per particle: particle p visits
// Vertices[Offsets[p]:Offsets[p+1]], source first, at the distances from its
// start in Along, in the graph's unit. Every particle carries the same mass.
type Paths struct {
	Offsets, Vertices []int32
	Along             []float64
}

// batch is how many particles Draw hands over at once. The first are drawn by themselves: each draw takes two products
// and, for 3,000 particles, as long again. Each batch is cheap to take in.
const batch = 200

// few is how many of them it hands over first: mass moves as soon as these are found.
const few = 50

// Pathfinder finds shortest paths without a search: it appends one, both ends included, and how far along it each vertex is. Where it
// cannot it is not ok and appends nothing. Safe for concurrent use.
type Pathfinder interface {
	Path(vertices []int32, along []float64, from, to int32) (path []int32, at []float64, ok bool)
}

// Draw draws particles from the plan and joins source and target of each by a
// shortest path in g, on all processors: by the pathfinder's, which is for g, and where that is nil or
// has none by a run of Dijkstra's algorithm for each source, as far as its targets. emit
// gets the paths in batches of about 200 as they are found, the first of some 50 and before the others are drawn; each batch is a
// fair sample of the plan. The same seed gives the same batches.
func Draw(ctx context.Context, p *transport.Plan, g *graph.Graph, finder Pathfinder, particles int, seed uint64, emit func(Paths)) error {
	if g.Len() != p.Len() {
		return fmt.Errorf("flow: a graph of %d vertices for a plan of %d", g.Len(), p.Len())
	}
	f, rng := newTracing(g, finder, particles, seed, emit)
	first := min(particles, batch)
	for _, draw := range [2]struct {
		count int
		seed  uint64
	}{{first, seed}, {particles - first, ^seed}} {
		pairs, err := p.Sample(ctx, draw.count, draw.seed)
		if err != nil {
			return err
		}
		if err := f.follow(ctx, pairs, rng); err != nil {
			return err
		}
	}
	return nil
}

// Trace is Draw for pairs that are drawn already, by ascending source, without a pathfinder.
func Trace(ctx context.Context, g *graph.Graph, pairs []transport.Pair, seed uint64, emit func(Paths)) error {
	f, rng := newTracing(g, nil, len(pairs), seed, emit)
	return f.follow(ctx, pairs, rng)
}

func newTracing(g *graph.Graph, finder Pathfinder, particles int, seed uint64, emit func(Paths)) (*tracing, *rand.Rand) {
	f := &tracing{tracers: make([]tracer, parallel.Workers(particles)), next: few, emit: emit}
	for w := range f.tracers {
		f.tracers[w] = tracer{g: g, finder: finder}
	}
	return f, rand.New(rand.NewPCG(seed, 1))
}

// tracing is a Draw under way.
type tracing struct {
	tracers []tracer // by worker
	total   int      // vertices of the paths so far
	next    int      // particles of the next batch
	emit    func(Paths)
}

// follow finds the paths of pairs, in batches.
func (f *tracing) follow(ctx context.Context, pairs []transport.Pair, rng *rand.Rand) error {
	// Pairs with one source are a group. Groups are taken in random order: the pairs come in the order of vertices.
	var groups [][]transport.Pair
	for lo, hi := 0, 1; lo < len(pairs); hi++ {
		if hi == len(pairs) || pairs[hi].From != pairs[lo].From || hi-lo == batch {
			groups = append(groups, pairs[lo:hi])
			lo = hi
		}
	}
	rng.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	for len(groups) > 0 {
		count, particles := 0, 0
		for count < len(groups) && particles < f.next {
			particles += len(groups[count])
			count++
		}
		found := make([]trace, count)
		if err := parallel.Each(ctx, len(f.tracers), count, func(w, s int) {
			found[s] = f.tracers[w].trace(groups[s])
		}); err != nil {
			return err
		}
		groups, f.next = groups[count:], batch
		paths, err := join(found)
		if err != nil {
			return err
		}
		if f.total += len(paths.Vertices); f.total > math.MaxInt32 {
			return fmt.Errorf("flow: the paths have more than %d vertices", math.MaxInt32)
		}
		f.emit(paths)
	}
	return nil
}

// join puts the paths of several sources one after the other.
func join(found []trace) (Paths, error) {
	paths := Paths{Offsets: []int32{0}}
	for _, f := range found {
		if f.err != nil {
			return Paths{}, f.err
		}
		paths.Vertices = append(paths.Vertices, f.vertices...)
		paths.Along = append(paths.Along, f.along...)
		for _, length := range f.lengths {
			paths.Offsets = append(paths.Offsets, paths.Offsets[len(paths.Offsets)-1]+length)
		}
	}
	return paths, nil
}

// trace is the paths of one source's pairs, one after the other.
type trace struct {
	lengths  []int32
	vertices []int32
	along    []float64
	err      error
}

// tracer finds the paths of one source's pairs.
type tracer struct {
	g       *graph.Graph
	finder  Pathfinder
	solver  *shortest.Solver // nil until it is needed
	dist    []float64
	targets []int32
}

func (t *tracer) trace(pairs []transport.Pair) (f trace) {
	searched := false
	for _, pair := range pairs {
		first := len(f.vertices)
		ok := false
		if t.finder != nil {
			f.vertices, f.along, ok = t.finder.Path(f.vertices, f.along, pair.From, pair.To)
		}
		if !ok {
			if !searched {
				t.search(pairs)
				searched = true
			}
			if d, _ := t.solver.At(pair.To); math.IsInf(d, 1) {
				f.err = fmt.Errorf("flow: the plan moves mass from vertex %d to %d and no path leads there", pair.From, pair.To)
				return f
			}
			f.vertices, f.along = t.back(f.vertices, f.along, pair)
		}
		f.lengths = append(f.lengths, int32(len(f.vertices)-first))
	}
	return f
}

// search runs Dijkstra's algorithm as far as the pairs' targets.
func (t *tracer) search(pairs []transport.Pair) {
	if t.solver == nil {
		t.solver = shortest.NewSolver(t.g)
	}
	t.targets = t.targets[:0]
	for _, pair := range pairs {
		t.targets = append(t.targets, pair.To)
	}
	t.dist = t.solver.To(slices.Grow(t.dist[:0], len(pairs))[:len(pairs)], t.targets, pairs[0].From)
}

// back appends the path that the search found, from its end to its start.
func (t *tracer) back(vertices []int32, along []float64, pair transport.Pair) ([]int32, []float64) {
	first := len(vertices)
	for v := pair.To; ; {
		d, before := t.solver.At(v)
		vertices, along = append(vertices, v), append(along, d)
		if v == pair.From {
			break
		}
		v = before
	}
	slices.Reverse(vertices[first:])
	slices.Reverse(along[len(along)-(len(vertices)-first):])
	return vertices, along
}
