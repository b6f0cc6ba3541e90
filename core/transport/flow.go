package transport

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

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

// batch is how many particles Flow hands over at once: the first is there
// after a fifteenth of the work for 3,000, and each is cheap to take in.
const batch = 200

// Flow draws particles from the plan and joins source and target of each by a
// shortest path in g, which must be the graph of the plan's distances. emit
// gets the paths in batches of about 200 as they are found; each batch is a
// fair sample of the plan. The same seed gives the same batches. One Dijkstra
// per distinct source, on all processors.
func Flow(ctx context.Context, p *Plan, g *graph.Graph, particles int, seed uint64, emit func(Paths)) error {
	if g.Len() != p.Len() {
		return fmt.Errorf("transport: a graph of %d vertices for a plan of %d", g.Len(), p.Len())
	}
	pairs, err := p.Sample(ctx, particles, seed)
	if err != nil {
		return err
	}
	// Groups of pairs with one source. In random order, as pairs come by vertex.
	var groups [][]Pair
	for lo, hi := 0, 1; lo < len(pairs); hi++ {
		if hi == len(pairs) || pairs[hi].From != pairs[lo].From || hi-lo == batch {
			groups = append(groups, pairs[lo:hi])
			lo = hi
		}
	}
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })

	tracers := make([]*tracer, parallel.Workers(len(groups)))
	for w := range tracers {
		tracers[w] = newTracer(g)
	}
	total := 0
	for len(groups) > 0 {
		count, particles := 0, 0
		for count < len(groups) && particles < batch {
			particles += len(groups[count])
			count++
		}
		found := make([]trace, count)
		if err := parallel.Each(ctx, len(tracers), count, func(w, s int) {
			found[s] = tracers[w].trace(groups[s])
		}); err != nil {
			return err
		}
		groups = groups[count:]
		paths, err := join(found)
		if err != nil {
			return err
		}
		if total += len(paths.Vertices); total > math.MaxInt32 {
			return fmt.Errorf("transport: the paths of %d particles have more than %d vertices", len(pairs), math.MaxInt32)
		}
		emit(paths)
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
