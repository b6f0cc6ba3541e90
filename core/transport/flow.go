package transport

import (
	"context"
	"fmt"
	"math"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/shortest"
)

// Paths are shortest paths, one per particle: particle p visits
// Vertices[Offsets[p]:Offsets[p+1]], source first, at the distances from its
// start in Along, in the graph's unit. Every particle carries the same mass.
type Paths struct {
	Offsets, Vertices []int32
	Along             []float64
}

// Flow draws particles from the plan and joins source and target of each by a
// shortest path in g, which must be the graph of the plan's distances. The
// same seed gives the same paths. One Dijkstra per distinct source, on all
// processors.
func Flow(ctx context.Context, p *Plan, g *graph.Graph, particles int, seed uint64) (*Paths, error) {
	if g.Len() != p.Len() {
		return nil, fmt.Errorf("transport: a graph of %d vertices for a plan of %d", g.Len(), p.Len())
	}
	pairs, err := p.Sample(ctx, particles, seed)
	if err != nil {
		return nil, err
	}
	var groups []int // where each distinct source begins in pairs
	for i, pair := range pairs {
		if i == 0 || pairs[i-1].From != pair.From {
			groups = append(groups, i)
		}
	}
	groups = append(groups, len(pairs))
	sources := len(groups) - 1

	workers := parallel.Workers(sources)
	tracers := make([]*tracer, workers)
	for w := range tracers {
		tracers[w] = newTracer(g)
	}
	found := make([]trace, sources)
	if err := parallel.Each(ctx, workers, sources, func(w, s int) {
		found[s] = tracers[w].trace(pairs[groups[s]:groups[s+1]])
	}); err != nil {
		return nil, err
	}

	total := 0
	for _, f := range found {
		if f.err != nil {
			return nil, f.err
		}
		total += len(f.vertices)
	}
	if total > math.MaxInt32 {
		return nil, fmt.Errorf("transport: the paths of %d particles have %d vertices, at most %d", particles, total, math.MaxInt32)
	}
	paths := &Paths{
		Offsets:  make([]int32, 1, len(pairs)+1),
		Vertices: make([]int32, 0, total),
		Along:    make([]float64, 0, total),
	}
	for _, f := range found {
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

// tracer walks back along Dijkstra's predecessors.
type tracer struct {
	solver *shortest.Solver
	dist   []float64
	pred   []int32
}

func newTracer(g *graph.Graph) *tracer {
	return &tracer{shortest.NewSolver(g), make([]float64, g.Len()), make([]int32, g.Len())}
}

func (t *tracer) trace(pairs []Pair) (f trace) {
	t.solver.Distances(t.dist, pairs[0].From)
	t.solver.Predecessors(t.pred)
	for _, pair := range pairs {
		first := len(f.vertices)
		for v := pair.To; ; v = t.pred[v] {
			if t.pred[v] < 0 {
				f.err = fmt.Errorf("transport: the plan moves mass from vertex %d to %d and no path leads there", pair.From, pair.To)
				return f
			}
			f.vertices = append(f.vertices, v)
			if v == pair.From {
				break
			}
		}
		path := f.vertices[first:]
		for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
			path[i], path[j] = path[j], path[i]
		}
		for _, v := range path {
			f.along = append(f.along, t.dist[v])
		}
		f.lengths = append(f.lengths, int32(len(path)))
	}
	return f
}
