package method

import (
	"context"
	"math"
	"runtime"
	"time"

	"genussink/core/graph"
	"genussink/core/hub/label"
	"genussink/core/job"
	"genussink/core/kernel"
	"genussink/core/linop"
	"genussink/core/septree"
	"genussink/core/sgfi"
	"genussink/core/shortest"
	"genussink/core/team"
	"genussink/core/treehost"
)

// What the stages of a solve take, in edges that Dijkstra's algorithm looks at. How long one takes is measured on
// the machine, once a session (Machine.pace), so that the figures hold for a browser as for a processor.
// They were fitted to the times of the shared meshes, of 1,000 to 134,000 vertices, and hold to a factor of two:
// docs/FORECASTS.md has the table, TestForecast a part of it.
const (
	treeCost   = 2.75   // a vertex, times log2(n)^2
	labelCost  = 5.1    // a label
	walkCost   = 0.42   // exact: a unit of septree.Effort.Cover
	looseWalk  = 0.56   // certified: the same at 2,500 vertices and a delta of 1 %
	kernelCost = 0.52   // a label
	solveCost  = 1.6    // exact: a label, at an epsilon of 20 %
	looseSolve = 1.1    // certified: likewise
	portalCost = 0.89   // embedded: an edge of the graph, from a portal
	hostLabel  = 0.15   // a label of the host, times the labels of a vertex, which has nearly as many edges
	hostWalk   = 1.09   // a unit of the host's Cover
	makeCost   = 0.285  // sampled: a byte of the kernel
	readCost   = 0.0101 // the same, in an iteration
	treeMake   = 0.29   // tree: likewise
	treeRead   = 0.0058
	expCost    = 6.0  // times as much to read where the kernel holds exponents
	denseCost  = 1.5  // an entry within a component, for each of its edges per vertex
	denseEntry = 0.25 // an entry
	denseSolve = 0.65 // an entry, at an epsilon of 1 %
)

// Of functions other than exp, besides what exp takes.
const (
	termCost        = 6.5   // exact and embedded: a label, for each further exponential of a sum
	looseTerm       = 3.5   // certified: likewise
	fullPair        = 1.3   // exact and embedded: a pair in a product that takes every pair
	loosePair       = 0.075 // certified: likewise
	logPair         = 0.3   // certified, in logarithms
	pairLabel       = 0.1   // a label in such a product
	gaussIterations = 24    // at a root of s of 10 % of the diagonal
	mildIterations  = 5
)

// Bytes that are held in the end.
const (
	exactBytes     = 18.0 // a label, at 3,000 vertices; with float64 twice that
	looseBytes     = 14.0
	hostBytes      = 32.0 // a label of the host
	denseBytes     = 8.3  // an entry
	termBytes      = 21.0 // exact and embedded: a label, for each further exponential of a sum
	looseTermBytes = 4.6
)

// largerDelta is what certified is offered with where the delta asked for is too fine; a fraction of the diagonal.
const largerDelta = 0.1

// tasks are what there is to do for a scene, whatever the method.
type tasks struct {
	tree   float64 // in edges
	effort septree.Effort
	square float64 // sum over components of vertices squared
}

func (m *Maker) tasks() (t tasks) {
	sizes := make([]int, m.Count)
	for _, c := range m.Component {
		sizes[c]++
	}
	for _, size := range sizes {
		n, part := float64(size), septree.EffortOf(size)
		t.tree += treeCost * n * math.Pow(math.Log2(n+1), 2)
		t.square += n * n
		t.effort.Labels, t.effort.Cover = t.effort.Labels+part.Labels, t.effort.Cover+part.Cover
	}
	if m.kept.tree != nil {
		t.tree, t.effort = 0, m.kept.tree.Effort()
	}
	return t
}

// Seconds is how long so many edges take, shared with members or not.
func (m *Maker) Seconds(edges float64, shared bool) float64 {
	workers := runtime.GOMAXPROCS(0)
	if shared {
		workers += m.Lead.Helpers(m.Graph.Len())
	}
	return edges * m.pace() / (1 + 0.8*float64(workers-1)) // two take a little more than half
}

// Outlook is what is to be expected of a method that is asked for as p says: the bytes that it will hold in the end, and
// the seconds until a plan is there, without what is at hand already. It says false where nothing is
// known.
func (m *Maker) Outlook(ctx context.Context, p Spec) (job.Outlook, bool) {
	asked := p
	p = m.paying(p)
	n, t := float64(m.Graph.Len()), m.tasks()
	labels := t.effort.Labels
	measure := labelCost * labels
	if held := m.kept.labels; held != nil && held.Precision() == m.stored(p) {
		measure = 0
	}
	fine := math.Pow(min(max(p.Epsilon/m.Diagonal, 1e-4), 1), -0.45) // iterations grow so as epsilon falls
	at20, at1 := fine*math.Pow(0.2, 0.45), fine*math.Pow(0.01, 0.45)
	var edges, bytes float64
	switch p.Method {
	case job.Exact:
		edges = t.tree + measure + walkCost*t.effort.Cover + (kernelCost+solveCost*at20)*labels
		bytes = exactBytes * math.Pow(n/3000, 0.12) * labels
	case job.Certified:
		loose := math.Pow(0.01*m.Diagonal/p.Delta, 0.28) * math.Pow(n/2500, -0.35)
		edges = t.tree + measure + looseWalk*loose*t.effort.Cover + (kernelCost+looseSolve*at20)*labels
		bytes = looseBytes * labels
	case job.Embedded:
		s, err := m.sketch(ctx, p.Host, p.Delta)
		if err != nil {
			return job.Outlook{}, false
		}
		labels = s.effort.Labels
		edges = portalCost*s.portals*float64(m.Graph.Edges()) + hostLabel*labels*labels/n + hostWalk*s.effort.Cover
		bytes = hostBytes * labels
	case job.Sampled, job.Tree:
		iterations := 3 + 7*math.Pow(0.2*m.Diagonal/p.Epsilon, 0.6) // three for what is computed in the end
		if sgfi.Exponents(m.Graph, p.Epsilon) {
			iterations *= expCost
		}
		if p.Method == job.Sampled {
			bytes = 17.9 * math.Pow(t.effort.Cover, 0.312) * math.Pow(n, 1.09) * math.Pow(max(1, n/12000), -0.79) // the share that is kept falls
			edges = (makeCost + readCost*iterations) * bytes
		} else {
			bytes = 3.5 * math.Pow(t.effort.Cover, 0.563) * math.Pow(n, 0.919)
			edges = (treeMake + treeRead*iterations) * bytes
		}
		if p.Levels > 0 { // the pairs within leaves, whose distances are searched for in them
			leaf := n / math.Exp2(float64(p.Levels))
			bytes = max(bytes, 4*n*leaf)
			edges += float64(m.Graph.Edges()) * leaf
		}
	case job.Dense:
		edges = denseCost*float64(m.Graph.Edges())/n*t.square + (denseEntry+denseSolve*at1)*n*n
		bytes = denseBytes * n * n
	default:
		return job.Outlook{}, false
	}
	if (p.Method == job.Exact || p.Method == job.Certified) && (m.stored(p) == label.Float64 || p.Method == job.Exact && p.Function != job.Exp) && (p.Precision != "" || 2*bytes <= float64(m.MemoryLimit)) {
		bytes *= 2 // where nobody asked for float64 and it has no room, float32 it is
	}
	shared := p.Method == job.Exact || p.Method == job.Certified
	if p.Function != job.Exp {
		more, held, known := m.beyond(p, labels, t.square/2)
		if !known {
			return job.Outlook{}, false
		}
		edges, bytes, shared = edges+more, bytes+held, false
	}
	if !shared {
		measure = 0 // it is among the edges
	}
	seconds := m.Seconds(edges-measure, shared) + m.Seconds(measure, false) // labels are not shared
	o := job.Outlook{
		KernelSpec: job.KernelSpec{Method: asked.Method, Epsilon: job.Fraction(asked.Epsilon / m.Diagonal), Delta: job.Fraction(asked.Delta / m.Diagonal)},
		Bytes:      int64(bytes), Seconds: seconds,
	}
	return o, true
}

// beyond is what a function takes beyond what exp takes, in edges and bytes, on a graph of so many labels and pairs of vertices. It says
// false where the function is refused.
func (m *Maker) beyond(p Spec, labels, pairs float64) (edges, bytes float64, known bool) {
	f, err := Function(p.Function)
	if err != nil || p.Method != job.Exact && !job.Bounded(p.Method) {
		return 0, 0, false
	}
	term, held, pair := termCost, termBytes, fullPair
	if p.Method == job.Certified {
		term, held, pair = looseTerm, looseTermBytes, loosePair
	}
	if !everyPair(f) {
		sum, err := m.sum(p, f)
		more := labels * float64(len(sum.Terms)-1)
		return term * more, held * more, err == nil
	}
	iterations := float64(mildIterations)
	if g, square := f.(kernel.Gauss); square {
		wide := math.Sqrt(g.Square()) * p.Epsilon
		iterations = max(iterations, gaussIterations*math.Pow(0.1*m.Diagonal/wide, 1.15))
		if far := m.Reach() / wide; far*far > linop.MaxLog {
			pair = max(pair, logPair)
			bytes = min(16*pairs, float64(m.MemoryLimit/rowsShare))
		}
	}
	return (2*iterations + 3) * (pair*pairs + pairLabel*labels), bytes, true
}

// sketch is what a host asks for.
type sketch struct {
	name       string
	distortion float64
	effort     septree.Effort
	portals    float64
}

// sketch finds out what a host asks for, without its edges: in some hundredths of the time that embedded takes.
func (m *Maker) sketch(ctx context.Context, name string, distortion float64) (*sketch, error) {
	if s := m.kept.sketch; s != nil && s.name == name && s.distortion == distortion {
		return s, nil
	}
	made, err := treehost.NewSketch(ctx, m.Graph, m.hostOptions(name, distortion))
	if err != nil {
		return nil, err
	}
	effort, err := septree.EffortAlong(ctx, m.Graph, made.Decomposition)
	if err != nil {
		return nil, err
	}
	m.kept.sketch = &sketch{name, distortion, effort, float64(made.Portals)}
	return m.kept.sketch, nil
}

// Forecast says what a solve and its alternatives would take, if it would take longer than the patience or more memory
// than there is; nil: it would not, or nothing is known.
func (m *Maker) Forecast(ctx context.Context, p Spec, patience float64) *job.Forecasted {
	if patience <= 0 || m.Known(m.paying(p)) != nil {
		return nil
	}
	asked, known := m.Outlook(ctx, p)
	if known && asked.Seconds > patience && !m.paced {
		m.measurePace(ctx, settled())
		asked, _ = m.Outlook(ctx, p)
	}
	if !known || asked.Seconds <= patience && asked.Bytes <= m.MemoryLimit {
		return nil
	}
	f := &job.Forecasted{Asked: asked, Patience: patience, Limit: m.MemoryLimit}
	others := [4]Spec{p.of(job.Exact), p.of(job.Certified), p.of(job.Certified), p.of(job.Sampled)}
	if others[1].Delta = p.Delta; p.Delta == 0 {
		others[1].Delta = 0.01 * m.Diagonal
	}
	others[2].Delta = largerDelta * m.Diagonal
	for _, o := range others {
		if o.Method == p.Method && o.Delta == p.Delta {
			continue
		}
		look, known := m.Outlook(ctx, o)
		last := math.Inf(1) // what is further from the exact answer must be quicker
		if asked.Bytes <= m.MemoryLimit {
			last = asked.Seconds
		}
		if len(f.Others) > 0 {
			last = f.Others[len(f.Others)-1].Seconds
		}
		if known && look.Bytes <= m.MemoryLimit && look.Seconds < last {
			f.Others = append(f.Others, look)
		}
	}
	return f
}

// ForecastTree says what a tree would take, if that is longer than the patience; nil: it is not.
func (m *Maker) ForecastTree(ctx context.Context, patience float64) *job.Forecasted {
	if patience <= 0 || m.kept.tree != nil {
		return nil
	}
	steps := m.tasks().tree
	if !m.paced && m.Seconds(steps, true) > patience {
		m.measurePace(ctx, settled())
	}
	seconds := m.Seconds(steps, true)
	if seconds <= patience {
		return nil
	}
	return &job.Forecasted{Asked: job.Outlook{Seconds: seconds}, Patience: patience, Limit: m.MemoryLimit}
}

// Machine is what kernels are made on and with. One maker at a time.
type Machine struct {
	MemoryLimit int64            // bytes that tree and kernel together may hold; needed
	Now         func() time.Time // the clock; needed
	Lead        team.Lead        // shares trees, labels and kernels with others, if there are any

	edge  float64 // see pace
	paced bool    // it has been measured for long
}

// pace is how long Dijkstra's algorithm takes for an edge here, in seconds, as far as it has been measured.
func (m *Machine) pace() float64 {
	if m.edge == 0 {
		m.measurePace(context.Background(), 0)
	}
	return m.edge
}

// settled is how long measurePace looks for a better time than it has, before a person is told that something takes long.
// A browser compiles what runs often anew, and that is several times as fast. Machine code has only to run undisturbed.
func settled() time.Duration {
	if runtime.GOOS == "js" {
		return time.Second
	}
	return time.Second / 10
}

// measurePace takes the best of some runs, each so short that hardly any is interrupted, and goes on until there was
// none better for so long.
func (m *Machine) measurePace(ctx context.Context, patience time.Duration) {
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
		panic("method: " + err.Error())
	}
	solver, row := shortest.NewSolver(g), make([]float64, g.Len())
	last := m.Now()
	for n := 0; n < rounds || m.Now().Sub(last) < patience && ctx.Err() == nil; n++ {
		start := m.Now()
		for k := range runs {
			solver.Distances(row, int32(k*g.Len()/runs))
		}
		took := max(m.Now().Sub(start).Seconds(), 1e-6) / float64(runs*len(edges)) // a clock may tick rarely
		if m.edge == 0 || took < 0.95*m.edge {
			last = m.Now()
		}
		if m.edge == 0 || took < m.edge {
			m.edge = took
		}
	}
	m.paced = m.paced || patience > 0
}
