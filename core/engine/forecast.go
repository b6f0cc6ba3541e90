package engine

import (
	"context"
	"math"
	"time"

	"genussink/core/embed"
	"genussink/core/graph"
	"genussink/core/hub/label"
	"genussink/core/job"
	"genussink/core/septree"
	"genussink/core/sgfi"
	"genussink/core/shortest"
)

// What the stages of a solve take, in edges that Dijkstra's algorithm looks at. How long one takes is measured on
// the machine, once a session (Engine.pace), so that the figures hold for a browser as for a processor.
// They were fitted to the times of the shared meshes, of 1,000 to 134,000 vertices, and hold to a factor of two:
// docs/FORECASTS.md has the table, TestForecast a part of it.
const (
	treeCost   = 2.75   // a vertex, times log2(n)^2
	labelCost  = 5.1    // a label
	walkCost   = 0.42   // exact: a unit of hub.Effort.Walk
	looseWalk  = 0.56   // certified: the same at 2,500 vertices and a delta of 1 %
	kernelCost = 0.52   // a label
	solveCost  = 1.6    // exact: a label, at an epsilon of 20 %
	looseSolve = 1.1    // certified: likewise
	portalCost = 0.89   // embedded: an edge of the graph, from a portal
	hostLabel  = 0.15   // a label of the host, times the labels of a vertex, which has nearly as many edges
	hostWalk   = 1.09   // a unit of the host's Walk
	makeCost   = 0.285  // sampled: a byte of the kernel
	readCost   = 0.0101 // the same, in an iteration
	treeMake   = 0.29   // tree: likewise
	treeRead   = 0.0058
	expCost    = 6.0  // times as much to read where the kernel holds exponents
	denseCost  = 1.5  // an entry within a component, for each of its edges per vertex
	denseEntry = 0.25 // an entry
	denseSolve = 0.65 // an entry, at an epsilon of 1 %
)

// Bytes that are held in the end.
const (
	exactBytes = 18.0 // a label, at 3,000 vertices; with float64 twice that
	looseBytes = 14.0
	hostBytes  = 32.0 // a label of the host
	denseBytes = 8.3  // an entry
)

// largerDelta is what certified is offered with where the delta asked for is too fine; a fraction of the diagonal.
const largerDelta = 0.1

// tasks are what there is to do for a scene, whatever the method.
type tasks struct {
	tree   float64 // in edges
	effort septree.Effort
	square float64 // sum over components of vertices squared
}

func (sc *scene) tasks() (t tasks) {
	sizes := make([]int, sc.count)
	for _, c := range sc.component {
		sizes[c]++
	}
	for _, size := range sizes {
		n, part := float64(size), septree.EffortOf(size)
		t.tree += treeCost * n * math.Pow(math.Log2(n+1), 2)
		t.square += n * n
		t.effort.Labels, t.effort.Walk = t.effort.Labels+part.Labels, t.effort.Walk+part.Walk
	}
	if sc.held.tree != nil {
		t.tree, t.effort = 0, sc.held.tree.Effort()
	}
	return t
}

// seconds is how long so many edges take, shared with the team or not. In the solving lane.
func (e *Engine) seconds(sc *scene, edges float64, shared bool) float64 {
	workers := threads()
	if shared && e.team != nil && sc.graph.Len() >= teamVertices {
		workers += e.team.Size()
	}
	return edges * e.pace() / (1 + 0.8*float64(workers-1)) // two take a little more than half
}

// outlook is what is to be expected of a method that is asked for as p says: the bytes that it will hold in the end, and
// the seconds until a plan is there, without what is at hand already. It says false where nothing is
// known. In the solving lane.
func (e *Engine) outlook(ctx context.Context, sc *scene, p plea) (job.Outlook, bool) {
	asked := p
	p = sc.paying(p)
	n, t := float64(sc.graph.Len()), sc.tasks()
	labels := t.effort.Labels
	measure := labelCost * labels
	if held := sc.held.labels; held != nil && held.Precision() == sc.stored(p) {
		measure = 0
	}
	fine := math.Pow(min(max(p.epsilon/sc.diagonal, 1e-4), 1), -0.45) // iterations grow so as epsilon falls
	at20, at1 := fine*math.Pow(0.2, 0.45), fine*math.Pow(0.01, 0.45)
	var edges, bytes float64
	switch p.method {
	case exact:
		edges = t.tree + measure + walkCost*t.effort.Walk + (kernelCost+solveCost*at20)*labels
		bytes = exactBytes * math.Pow(n/3000, 0.12) * labels
	case certified:
		loose := math.Pow(0.01*sc.diagonal/p.delta, 0.28) * math.Pow(n/2500, -0.35)
		edges = t.tree + measure + looseWalk*loose*t.effort.Walk + (kernelCost+looseSolve*at20)*labels
		bytes = looseBytes * labels
	case embedded:
		s, err := sc.sketch(ctx, p.host, p.delta)
		if err != nil {
			return job.Outlook{}, false
		}
		labels = s.effort.Labels
		edges = portalCost*s.portals*float64(sc.graph.Edges()) + hostLabel*labels*labels/n + hostWalk*s.effort.Walk
		bytes = hostBytes * labels
	case sampled, tree:
		iterations := 3 + 7*math.Pow(0.2*sc.diagonal/p.epsilon, 0.6) // three for what is computed in the end
		if sgfi.Exponents(sc.graph, p.epsilon) {
			iterations *= expCost
		}
		if p.method == sampled {
			bytes = 17.9 * math.Pow(t.effort.Walk, 0.312) * math.Pow(n, 1.09) * math.Pow(max(1, n/12000), -0.79) // the share that is kept falls
			edges = (makeCost + readCost*iterations) * bytes
		} else {
			bytes = 3.5 * math.Pow(t.effort.Walk, 0.563) * math.Pow(n, 0.919)
			edges = (treeMake + treeRead*iterations) * bytes
		}
	case dense:
		edges = denseCost*float64(sc.graph.Edges())/n*t.square + (denseEntry+denseSolve*at1)*n*n
		bytes = denseBytes * n * n
	default:
		return job.Outlook{}, false
	}
	if (p.method == exact || p.method == certified) && sc.stored(p) == label.Float64 && (p.precision != "" || 2*bytes <= float64(e.limit)) {
		bytes *= 2 // where nobody asked for float64 and it has no room, float32 it is
	}
	o := job.Outlook{Method: asked.method, Bytes: int64(bytes), Seconds: e.seconds(sc, edges, p.method == exact || p.method == certified)}
	if asked.delta > 0 {
		o.Delta = asked.delta / sc.diagonal
	}
	return o, true
}

// sketch is what a host asks for.
type sketch struct {
	name       string
	distortion float64
	effort     septree.Effort
	portals    float64
}

// sketch finds out what a host asks for, without its edges: in some hundredths of the time that embedded takes. In the
// solving lane.
func (sc *scene) sketch(ctx context.Context, name string, distortion float64) (*sketch, error) {
	if s := sc.held.sketch; s != nil && s.name == name && s.distortion == distortion {
		return s, nil
	}
	made, err := embed.NewSketch(ctx, sc.graph, sc.hostOptions(name, distortion))
	if err != nil {
		return nil, err
	}
	effort, err := septree.EffortAlong(ctx, sc.graph, made.Decomposition)
	if err != nil {
		return nil, err
	}
	sc.held.sketch = &sketch{name, distortion, effort, float64(made.Portals)}
	return sc.held.sketch, nil
}

// forecast says what a solve and its alternatives would take, if it would take longer than the patience or more memory
// than there is; nil: it would not, or nothing is known. In the solving lane.
func (e *Engine) forecast(ctx context.Context, sc *scene, p plea, patience float64) *job.Forecasted {
	if patience <= 0 || sc.kernelOf(sc.paying(p)) != nil {
		return nil
	}
	asked, known := e.outlook(ctx, sc, p)
	if known && asked.Seconds > patience && !e.paced {
		e.measurePace(ctx, settled)
		asked, _ = e.outlook(ctx, sc, p)
	}
	if !known || asked.Seconds <= patience && asked.Bytes <= e.limit {
		return nil
	}
	f := &job.Forecasted{Asked: asked, Patience: patience, Limit: e.limit}
	others := []plea{
		{method: exact, epsilon: p.epsilon},
		{method: certified, epsilon: p.epsilon, delta: p.delta},
		{method: certified, epsilon: p.epsilon, delta: largerDelta * sc.diagonal},
		{method: sampled, epsilon: p.epsilon},
	}
	if p.delta == 0 {
		others[1].delta = 0.01 * sc.diagonal
	}
	for _, o := range others {
		if o.method == p.method && o.delta == p.delta {
			continue
		}
		look, known := e.outlook(ctx, sc, o)
		last := math.Inf(1) // what is further from the exact answer must be quicker
		if asked.Bytes <= e.limit {
			last = asked.Seconds
		}
		if len(f.Others) > 0 {
			last = f.Others[len(f.Others)-1].Seconds
		}
		if known && look.Bytes <= e.limit && look.Seconds < last {
			f.Others = append(f.Others, look)
		}
	}
	return f
}

// treeForecast says what a tree would take, if that is longer than the patience; nil: it is not. In the solving lane.
func (e *Engine) treeForecast(ctx context.Context, sc *scene, patience float64) *job.Forecasted {
	if patience <= 0 || sc.held.tree != nil {
		return nil
	}
	steps := sc.tasks().tree
	if !e.paced && e.seconds(sc, steps, true) > patience {
		e.measurePace(ctx, settled)
	}
	seconds := e.seconds(sc, steps, true)
	if seconds <= patience {
		return nil
	}
	return &job.Forecasted{Asked: job.Outlook{Seconds: seconds}, Patience: patience, Limit: e.limit}
}

// pace is how long Dijkstra's algorithm takes for an edge here, in seconds, as far as it has been measured. In the solving lane.
func (e *Engine) pace() float64 {
	if e.edge == 0 {
		e.measurePace(context.Background(), 0)
	}
	return e.edge
}

// settled is how long measurePace looks for a better time than it has, before a person is told that something takes long:
// a browser compiles what runs often anew, and that is several times as fast.
const settled = time.Second

// measurePace takes the best of some runs, each so short that hardly any is interrupted, and goes on until there was
// none better for so long.
func (e *Engine) measurePace(ctx context.Context, patience time.Duration) {
	const side, rounds, runs = 32, 5, 8
	var edges []graph.Edge
	join := func(u, v int) {
		_, uneven := math.Modf(float64(u+3*v) * 0.618034) // so that ties are rare
		edges = append(edges, graph.Edge{U: int32(u), V: int32(v), Weight: 1 + uneven})
	}
	for i := range side {
		for j := range side {
			if i+1 < side {
				join(i*side+j, (i+1)*side+j)
			}
			if j+1 < side {
				join(i*side+j, i*side+j+1)
			}
			if i+1 < side && j+1 < side {
				join(i*side+j, (i+1)*side+j+1)
			}
		}
	}
	g, err := graph.New(side*side, edges)
	if err != nil {
		panic("engine: " + err.Error())
	}
	solver, row := shortest.NewSolver(g), make([]float64, g.Len())
	last := e.now()
	for n := 0; n < rounds || e.now().Sub(last) < patience && ctx.Err() == nil; n++ {
		start := e.now()
		for k := range runs {
			solver.Distances(row, int32(k*g.Len()/runs))
		}
		took := max(e.now().Sub(start).Seconds(), 1e-6) / float64(runs*len(edges)) // a clock may tick rarely
		if e.edge == 0 || took < 0.95*e.edge {
			last = e.now()
		}
		if e.edge == 0 || took < e.edge {
			e.edge = took
		}
	}
	e.paced = e.paced || patience > 0
}
