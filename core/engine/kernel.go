package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"genussink/core/baseline"
	"genussink/core/embed"
	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/internal/budget"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/narrow"
	"genussink/core/separator"
	"genussink/core/septree"
	"genussink/core/sgfi"
	"genussink/core/transport/check"
	"genussink/core/transport/coarse"
)

// held is what a scene keeps for requests to come, each made when it is needed.
type held struct {
	shape   shape
	tree    *septree.Tree
	fine    *septree.Tree // with leaves of a handful of vertices, to be looked at
	labels  *label.Labels
	host    *host
	sketch  *sketch // of a host
	walk    *walk
	narrow  *narrow.Tree // of the method tree
	wider   int          // minimum degree finds no decomposition of this width
	cramped bool         // there was no room for exact in float64
	kernel  *kernel
	coarse  *standIn
	took    took                   // of tree, labels and narrow
	rates   [2]baseline.Prediction // of the dense matrix, in scalings and in logarithms; zero until measured
}

// took is what stages took that several kernels need.
type took struct{ tree, labels, narrow job.Timing }

// shape is what a separator tree is asked to be.
type shape struct {
	finder  string
	balance float64
	depth   int
	root    string // job.Separate.Root
}

// kernel is a Gibbs kernel and what it was made from.
type kernel struct {
	linop.Kernel
	plea
	stored   label.Precision          // of distances
	bound    float64                  // by how much a distance may be wrong, proved; NaN: any amount
	width    int                      // of the tree decomposition that it follows, -1: none
	bytes    int64                    // with the tree behind it
	rows     linop.Distancer          // its distances, from any goroutine; nil: those of Kernel, one after the other
	distance func(i, j int32) float64 // of certified: the true ones, but for rounding, from any goroutine
	setup    float64                  // seconds, of the request that made it
	stages   []job.Timing             // all that it took, whichever request paid for it
	metric   metric                   // its distances; nil: they are not to be had at little cost
	accuracy *check.Accuracy          // nil until measured
	crosses  job.Crosses
	walk     *walk // of exact and certified on labels, whose rows are to be had at any time; nil: there is none
}

// metric knows the distances of some vertices from one another, m x m.
type metric interface {
	Among(ctx context.Context, vertices []int32) ([]float64, error)
}

// standIn is that of the scene's graph that kernels of this metric solve with.
type standIn struct {
	graph  *coarse.Graph
	metric metric
	took   job.Timing
}

// plea is what a kernel is asked to be, lengths in the scene's unit.
type plea struct {
	method         string
	host           string // of embedded
	precision      string // "": the method's own
	epsilon, delta float64
	sample         job.Sample // of sampled
	any            bool       // of quantized and auto: what is there first is accurate enough
}

// The methods.
const (
	exact     = "exact"     // hub labels, every path through the hub it takes
	certified = "certified" // hub labels, every distance within delta
	embedded  = "embedded"  // hub labels of a host of small treewidth, every distance at most delta too long
	tree      = "tree"      // the paper's recursion, along a tree decomposition where that is narrow
	sampled   = "sampled"   // the paper's recursion on thinned separators, approximate
	dense     = "dense"     // the matrix
)

// separate builds the tree that Solve and Apply use from now on.
func (e *Engine) separate(r *run, sc *scene, b *job.Separate) (job.Body, error) {
	finder, err := separator.ByName(b.Finder)
	if err != nil {
		return nil, err
	}
	if err := e.solving.enter(r); err != nil {
		return nil, err
	}
	defer e.solving.leave()
	before := sc.held
	if f := e.treeForecast(r.ctx, sc, b.Patience); f != nil {
		return f, nil
	}
	if want := (shape{b.Finder, b.Balance, b.Depth, string(b.Root)}); want != before.shape {
		sc.held = held{shape: want, rates: before.rates}
	}
	fine, err := e.fineTree(r, sc)
	if err != nil {
		sc.held = before
		return nil, separator.Named(err, sc.name)
	}
	nodes, cells := fine.Outline()
	separated := &job.Separated{Finder: finder.Name(), Nodes: make([]job.Node, len(nodes)), Cells: cells, Timings: r.timings}
	for i, n := range nodes {
		separated.Nodes[i] = job.Node(n)
	}
	return separated, nil
}

// fineTree returns the scene's separator tree with leaves of a handful of
// vertices. In the solving lane.
func (e *Engine) fineTree(r *run, sc *scene) (*septree.Tree, error) {
	if sc.held.fine != nil {
		return sc.held.fine, nil
	}
	t, err := e.tree(r, sc)
	if err != nil {
		return nil, err
	}
	o, err := sc.splitting()
	if err != nil {
		return nil, err
	}
	defer r.begin("levels")()
	o.Leaf = septree.FineLeaf(t.Len())
	sc.held.fine, err = t.Refine(r.ctx, o)
	return sc.held.fine, err
}

// tree returns the scene's separator tree. In the solving lane.
func (e *Engine) tree(r *run, sc *scene) (*septree.Tree, error) {
	if sc.held.tree != nil {
		return sc.held.tree, nil
	}
	end := r.begin("tree")
	o, err := sc.splitting()
	if err != nil {
		return nil, err
	}
	o.Progress = r.progress
	t, err := septree.Split(r.ctx, sc.graph, e.shared(r, sc.graph.Len(), o))
	if err != nil {
		return nil, err
	}
	end()
	sc.held.tree, sc.held.took.tree = t, r.latest()
	return t, nil
}

// splitting is how the scene's graph is to be split.
func (sc *scene) splitting() (o septree.Options, err error) {
	s := sc.held.shape
	o = septree.Options{Finder: s.finder, Balance: s.balance, Depth: s.depth, Positions: sc.mesh.Positions, Faces: sc.mesh.Faces}
	if s.root != "" {
		root, err := separation(s.root, sc.graph.Len())
		if err != nil {
			return o, err
		}
		o.Root = &root
	}
	return o, nil
}

// labels returns the scene's hub labels. It holds those of one precision;
// float32 are had from float64 at once. In the solving lane.
func (e *Engine) labels(r *run, sc *scene, p label.Precision, limit int64) (*label.Labels, error) {
	held := sc.held.labels
	if held != nil && held.Precision() == p {
		return held, nil
	}
	if held != nil && p == label.Float32 {
		l, err := held.Rounded()
		if err != nil {
			return nil, err
		}
		sc.held.labels = l
		return l, nil
	}
	sc.held.labels, sc.held.walk = nil, nil
	t, err := e.tree(r, sc)
	if err != nil {
		return nil, err
	}
	if sc.held.labels, err = e.distances(r, t, p, limit); err == nil {
		sc.held.took.labels = r.latest()
	}
	return sc.held.labels, err
}

func (e *Engine) distances(r *run, t *septree.Tree, p label.Precision, limit int64) (*label.Labels, error) {
	if need := 2 * label.Bytes(t, p); need > limit {
		return nil, &linop.MemoryError{What: "hub: labels and factors", Vertices: t.Len(), Need: need, Limit: limit}
	}
	end := r.begin("labels")
	o := label.MeasureOptions{Precision: p, MemoryLimit: limit, Progress: r.progress}
	e.delegate(r, t, &o)
	l, err := label.Measure(r.ctx, t, o)
	if err != nil {
		return nil, err
	}
	end()
	return l, nil
}

// host is a graph of small treewidth in place of the scene's, as far as kernels
// need it.
type host struct {
	name              string  // of the construction
	distortion, bound float64 // as asked for, and as proved
	width             int
	labels            *label.Labels
	stages            []job.Timing
}

// hostOptions are those of a host of a name.
func (sc *scene) hostOptions(name string, distortion float64) embed.Options {
	o := embed.Options{Construction: hosts[name], Distortion: distortion}
	if len(sc.mesh.Faces) > 0 {
		o.Faces = sc.mesh.Faces
	}
	return o
}

// hosts are the constructions of hosts, by name.
var hosts = map[string]embed.Construction{nested: embed.Nested, emulated: embed.Emulated}

const (
	nested   = "nested"   // treewidth O(log n / delta)
	emulated = "emulated" // O((log log n)^2 / delta), wider on all meshes measured
)

// host returns the scene's host of that name and distortion. In the solving lane.
func (e *Engine) host(r *run, sc *scene, name string, distortion float64, limit int64) (*host, error) {
	if h := sc.held.host; h != nil && h.name == name && h.distortion == distortion {
		return h, nil
	}
	sc.held.host = nil
	first := len(r.timings)
	end := r.begin("host")
	o := sc.hostOptions(name, distortion)
	o.MemoryLimit, o.Progress = limit, r.progress
	h, err := embed.Embed(r.ctx, sc.graph, o)
	if err != nil {
		return nil, err
	}
	end()
	end = r.begin("tree")
	t, err := septree.Along(r.ctx, h.Graph, h.Decomposition, septree.Options{Progress: r.progress})
	if err != nil {
		return nil, err
	}
	end()
	l, err := e.distances(r, t, label.Float64, limit)
	if err != nil {
		return nil, err
	}
	sc.held.host = &host{name, distortion, h.Bound, h.Decomposition.Width(), l, slices.Clone(r.timings[first:])}
	return sc.held.host, nil
}

// kernel returns the kernel that is asked for or, where slack would cost time instead of
// saving it, the exact one in place of a certified. In the solving lane.
func (e *Engine) kernel(r *run, sc *scene, p plea) (*kernel, error) {
	begun := e.now()
	if instead := sc.paying(p); instead != p {
		if k, err := e.made(r, sc, instead, begun); !isMemory(err) {
			return k, err
		}
	}
	return e.made(r, sc, p, begun)
}

// paying is the exact kernel to take in place of a certified whose slack saves no time, or p. It is
// of float64 where float32 would round by more than delta.
func (sc *scene) paying(p plea) plea {
	if p.method != certified || p.delta >= cover.UsefulDelta(sc.graph) {
		return p
	}
	instead := plea{method: exact, precision: p.precision, epsilon: p.epsilon}
	if label.Rounding(sc.reach()) > p.delta {
		if p.precision == label.Float32.String() {
			return p
		}
		instead.precision = label.Float64.String()
	}
	return instead
}

// note says why a kernel is not of the method that was asked for, "" where it is.
func (k *kernel) note(asked plea, u unit) (requested, note string) {
	if k.method == asked.method {
		return "", ""
	}
	return asked.method, fmt.Sprintf("On this mesh %s is set up no faster than %s with a delta of %.3g, which is less than vertices are apart. So %s was taken; its distances are within %.3g.",
		asked.method, k.method, u.in(asked.delta), k.method, u.in(k.bound))
}

// made returns the kernel that is asked for: the one at hand, the plan's, or
// a new one, for which work has begun then.
func (e *Engine) made(r *run, sc *scene, p plea, begun time.Time) (*kernel, error) {
	last := sc.plan.Load()
	if sc.held.kernel = sc.kernelOf(p); sc.held.kernel != nil {
		return sc.held.kernel, nil
	}
	make := e.hubKernel
	switch p.method {
	case embedded:
		make = e.hostKernel
	case tree, sampled:
		make = e.treeKernel
	case dense:
		make = e.denseKernel
	}
	limit := e.limit
	if last != nil {
		limit = max(1, limit-last.kernel.bytes) // the old plan can be asked until the new one is there
	}
	k, err := make(r, sc, p, limit)
	if last != nil && isMemory(err) {
		sc.plan.Store(nil)
		runtime.GC() // else its memory would be taken until the new one has taken as much again
		k, err = make(r, sc, p, e.limit)
	}
	if isMemory(err) && p.precision == "" && sc.stored(p) == label.Float64 { // rather than nothing
		sc.held.cramped = true
		if short, why := make(r, sc, p, e.limit); !errors.Is(why, label.ErrFloat32) {
			k, err = short, why
		}
	}
	if err != nil {
		return nil, e.advise(r, sc, p, err)
	}
	k.setup = e.now().Sub(begun).Seconds()
	k.stages = append(k.stages, r.latest()) // "kernel"
	sc.held.kernel = k
	return k, nil
}

// kernelOf is the kernel at hand that is what is asked for, nil: there is none.
func (sc *scene) kernelOf(p plea) *kernel {
	for _, k := range []*kernel{sc.held.kernel, sc.plan.Load().kernelOrNil()} {
		if k != nil && k.plea == p {
			return k
		}
	}
	return nil
}

// hubKernel is exact or certified, of the precision that stored says, or of float64 where nobody asked for one and
// float32 cannot express the lengths. Exact on a narrow graph is of float64 anyway.
func (e *Engine) hubKernel(r *run, sc *scene, p plea, limit int64) (*kernel, error) {
	if p.method == exact && p.precision != label.Float32.String() {
		k, err := e.narrowKernel(r, sc, p, exactWidth, limit)
		if k != nil || err != nil && !isMemory(err) {
			return k, err
		}
	}
	k, err := e.storedKernel(r, sc, p, sc.stored(p), limit)
	if p.precision == "" && errors.Is(err, label.ErrFloat32) && !sc.held.cramped {
		k, err = e.storedKernel(r, sc, p, label.Float64, limit)
	}
	return k, err
}

func (e *Engine) storedKernel(r *run, sc *scene, p plea, stored label.Precision, limit int64) (*kernel, error) {
	l, err := e.labels(r, sc, stored, limit)
	if err != nil {
		return nil, err
	}
	return e.walkKernel(r, sc, l, []job.Timing{sc.held.took.tree, sc.held.took.labels}, p, p.delta, limit)
}

// entryShare is the share of epsilon that the rounding of float32 labels may add to a distance of exact where
// nobody asked for a precision: it changes an entry of the kernel by as much of itself, and one of the plan by a third of
// that, as measured (TestPrecisionFollowsEpsilon). Beyond, labels are of float64: below an epsilon of some tenth of the diagonal.
const entryShare = 1e-5

// stored is how the labels of exact and certified are stored: as is asked for, otherwise as float32, but for exact where
// that shows in the plan and there is room for it. In the solving lane.
func (sc *scene) stored(p plea) label.Precision {
	shows := p.method == exact && label.Rounding(sc.reach()) > entryShare*p.epsilon
	if p.precision == label.Float64.String() || p.precision == "" && shows && !sc.held.cramped {
		return label.Float64
	}
	return label.Float32
}

// hostKernel is the exact kernel of the host.
func (e *Engine) hostKernel(r *run, sc *scene, p plea, limit int64) (*kernel, error) {
	h, err := e.host(r, sc, p.host, p.delta, limit)
	if err != nil {
		return nil, err
	}
	k, err := e.walkKernel(r, sc, h.labels, h.stages, p, 0, limit)
	if err != nil {
		return nil, err
	}
	k.bound, k.width, k.rows = h.bound, h.width, h.labels
	return k, nil
}

// walkKernel is a kernel on labels, which took these stages.
func (e *Engine) walkKernel(r *run, sc *scene, l *label.Labels, stages []job.Timing, p plea, slack float64, limit int64) (*kernel, error) {
	if w := sc.held.walk; w == nil || w.labels != l || w.delta != slack {
		sc.held.walk = nil
		var err error
		if sc.held.walk, err = e.walk(r, l, slack, p.epsilon, limit); err != nil {
			return nil, err
		}
		sc.held.walk.took = r.latest()
	} else if err := w.fits(p.epsilon, limit, sc.plan.Load().kernelOrNil()); err != nil {
		return nil, err
	}
	defer r.begin("kernel")()
	w := sc.held.walk
	k, bytes, err := w.kernel(r, p.epsilon)
	if err != nil {
		return nil, err
	}
	made := &kernel{Kernel: k, walk: w, plea: p, stored: l.Precision(), bound: w.own[0].Bound(), width: -1, bytes: bytes, metric: l, stages: append(slices.Clone(stages), w.took), crosses: w.crosses()}
	if len(w.own) == 1 {
		made.rows = w.own[0]
	}
	if p.method == certified {
		made.distance = l.Distance
	}
	return made, nil
}

func (e *Engine) treeKernel(r *run, sc *scene, p plea, limit int64) (*kernel, error) {
	if p.method == tree {
		k, err := e.narrowKernel(r, sc, p, narrowWidth, limit)
		if k != nil || err != nil {
			return k, err
		}
	}
	s := sc.held.shape
	end := r.begin("tree")
	o := sgfi.Options{
		Finder: s.finder, Balance: s.balance, Depth: s.depth, Positions: sc.mesh.Positions,
		MemoryLimit: limit, Progress: r.progress,
	}
	if p.method == sampled {
		o.Depth = p.sample.Levels
		o.Sample = &sgfi.Sample{Keep: p.sample.Keep, Farthest: p.sample.Farthest, Seed: p.sample.Seed}
	}
	t, err := sgfi.Build(r.ctx, sc.graph, o)
	if err != nil {
		return nil, err
	}
	end()
	defer r.begin("kernel")()
	k, err := sgfi.NewKernel(r.ctx, t, p.epsilon, sgfi.KernelOptions{MemoryLimit: max(1, limit-t.Bytes()), Progress: r.progress})
	if err != nil {
		return nil, err
	}
	made := &kernel{Kernel: k, plea: p, stored: label.Float64, width: -1, bytes: k.Bytes() + t.Bytes(), stages: []job.Timing{r.latest()}, crosses: crossesOf(t)}
	if p.method == sampled {
		made.rows, made.bound = k, math.NaN()
	}
	return made, nil
}

func (e *Engine) denseKernel(r *run, sc *scene, p plea, limit int64) (*kernel, error) {
	defer r.begin("kernel")()
	k, err := baseline.NewDense(r.ctx, sc.graph, p.epsilon, baseline.Options{MemoryLimit: limit, Progress: r.progress})
	if err != nil {
		return nil, err
	}
	return &kernel{Kernel: k, plea: p, stored: label.Float64, width: -1, bytes: baseline.DenseBytes(sc.graph.Len()), metric: k}, nil
}

// asked is how a request asks for a kernel.
type asked struct {
	method, host, precision, function string
	epsilon                           float64
	epsilonUnits                      bool
	delta                             float64
	deltaUnits                        bool
	sample                            job.Sample
}

// plea checks what a request asks the kernel to be.
func (sc *scene) plea(a asked) (p plea, err error) {
	if err := sc.fits(); err != nil {
		return p, err
	}
	if a.function != "" && a.function != "exp" {
		return p, fmt.Errorf("there is no kernel %q; there is exp", a.function)
	}
	switch p.method = a.method; p.method {
	case "":
		p.method = exact
	case exact, certified, embedded, sampled, tree, dense, support, quantize, automatic:
	default:
		return p, fmt.Errorf("there is no method %q; there are auto, support, quantized, exact, certified, embedded, sampled, tree and dense", a.method)
	}
	if p.method == embedded {
		if p.host = a.host; p.host == "" {
			p.host = nested
		}
		if _, ok := hosts[p.host]; !ok {
			return p, fmt.Errorf("there is no host %q; there are nested and emulated", a.host)
		}
	} else if a.host != "" {
		return p, fmt.Errorf("host %q: only embedded has one", a.host)
	}
	switch p.precision = a.precision; {
	case a.precision == "":
	case p.method != exact && p.method != certified:
		return p, fmt.Errorf("precision %q: only exact and certified have a choice", a.precision)
	case a.precision != label.Float64.String() && a.precision != label.Float32.String():
		return p, fmt.Errorf("there is no precision %q; there are float64 and float32", a.precision)
	}
	if p.epsilon, err = sc.length("epsilon", a.epsilon, a.epsilonUnits); err != nil {
		return p, err
	}
	if p.method == certified || p.method == embedded {
		p.delta, err = sc.length("delta", a.delta, a.deltaUnits)
	}
	if p.method == sampled {
		p.sample = a.sample
	}
	return p, err
}

// allowed is the delta of a plea, NaN for methods that have none.
func (p plea) allowed() float64 {
	if p.delta == 0 {
		return math.NaN()
	}
	return p.delta
}

// needOf is what a refusal for want of memory asked for, 0 for other errors.
func needOf(err error) (need int64) {
	var m *linop.MemoryError
	if errors.As(err, &m) {
		return m.Need
	}
	return 0
}

func isMemory(err error) bool {
	var m *memoryError
	var f *budget.Error
	return needOf(err) > 0 || errors.As(err, &m) || errors.As(err, &f)
}

// memoryError is a refusal in words for a person.
type memoryError struct{ message string }

func (e *memoryError) Error() string { return e.message }

// advise says of a refusal for want of memory which method would fit.
func (e *Engine) advise(r *run, sc *scene, p plea, err error) error {
	need := needOf(err)
	if need == 0 {
		return err
	}
	refusal := fmt.Sprintf("The %s kernel of %d vertices needs %s (%d bytes) or more and %s are allowed; ",
		p.method, sc.graph.Len(), gigabytes(need), need, gigabytes(e.limit))
	t, treeErr := e.tree(r, sc)
	if treeErr != nil {
		return treeErr
	}
	labels := 2 * label.Bytes(t, label.Float32) // and the factors
	exactly, _ := e.outlook(r.ctx, sc, plea{method: exact, epsilon: p.epsilon})
	switch {
	case labels > e.limit:
		return &memoryError{refusal + fmt.Sprintf("the labels alone need %s, so that no other method fits.", gigabytes(labels))}
	case p.method == exact && sc.stored(p) == label.Float64 && p.precision != "":
		return &memoryError{refusal + "with float32 it needs less, certified needs less still, the less the larger delta is."}
	case p.method == exact:
		return &memoryError{refusal + "certified needs less, the less the larger delta is."}
	case p.method == certified || p.method == embedded:
		return &memoryError{refusal + "a larger delta needs less."}
	case p.method == sampled || exactly.Bytes > e.limit:
		return &memoryError{refusal + fmt.Sprintf("certified may fit: its labels take %s.", gigabytes(labels))}
	}
	return &memoryError{refusal + fmt.Sprintf("exact gives the same answer to 7 digits in some %s.", gigabytes(exactly.Bytes))}
}

func gigabytes(bytes int64) string {
	if bytes < 1e8 {
		return fmt.Sprintf("%.3g MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.3g GB", float64(bytes)/1e9)
}

func threads() int { return runtime.GOMAXPROCS(0) }
