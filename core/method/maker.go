// Package method makes kernels. All programs make them this way. A Maker takes a graph and a specification (job.KernelSpec). It returns
// the kernel, the proved bound on its distances, the memory that it holds and the time that it took.
//
// The Maker decides what the specification leaves open. It takes a tree decomposition where one is narrow. It takes exact in place of
// certified where an error of distances saves no time. It chooses the precision of labels, and another one where memory is short. It
// predicts the time and the memory of a kernel and a solve, and which other methods would fit.
//
// Several kernels may need the separator tree, labels, cover, host or cells. The Maker makes each when it is first needed, and keeps
// one of each.
package method

import (
	"context"
	"fmt"
	"slices"
	"time"

	"genussink/core/baseline"
	"genussink/core/hub/label"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/quantized"
	"genussink/core/separator"
	"genussink/core/septree"
	"genussink/core/shortest"
	"genussink/core/team"
	"genussink/core/treehost"
	"genussink/core/treekernel"
)

// Run is one request under way: its context, its clock, the function that is told of its progress, and how long its stages took. All are needed but
// Progress.
type Run struct {
	Context  context.Context
	Now      func() time.Time
	Progress func(stage string, fraction float64) // nil: nobody is told
	Timings  []job.Timing                         // of stages that have ended
}

// Begin starts a stage; the function it returns ends it and notes how long it
// took.
func (r *Run) Begin(stage string) (end func()) {
	r.tell(stage, 0)
	start := r.Now()
	return func() {
		r.Timings = append(r.Timings, job.Timing{Stage: stage, Seconds: r.Now().Sub(start).Seconds()})
	}
}

// tell says how far a stage is.
func (r *Run) tell(stage string, fraction float64) {
	if r.Progress != nil {
		r.Progress(stage, fraction)
	}
}

// Latest is the stage that ended last.
func (r *Run) Latest() job.Timing { return r.Timings[len(r.Timings)-1] }

// Maker makes the kernels of a space and keeps what several need. One goroutine at a time.
type Maker struct {
	*Space
	*Machine

	kept    kept
	inUse   *Kernel
	release func()
}

// New returns a maker that has made nothing yet.
func New(s *Space, on *Machine) *Maker { return &Maker{Space: s, Machine: on} }

// kept is what a maker keeps for kernels to come, each made when it is needed.
type kept struct {
	shape   Shape
	tree    *septree.Tree
	fine    *septree.Tree // with leaves of a handful of vertices, to be looked at
	labels  *label.Labels
	host    *host
	sketch  *sketch // of a host
	cover   *team.Cover
	bags    *treekernel.Tree // of the method tree
	wider   int              // minimum degree finds no decomposition as narrow as this
	cramped bool             // there was no room for exact in float64
	kernel  *Kernel
	coarse  *standIn
	longest float64                                        // distance; 0: not computed yet
	took    struct{ tree, labels, cover, bags job.Timing } // what each of these took to make

	rates [2]baseline.Prediction // of the dense matrix, in scalings and in logarithms; zero until measured
	cells
}

// cells is what the methods support and quantized keep from one pair of densities to the next.
type cells struct {
	spread   *shortest.Spread
	net      *quantized.Net
	support  *quantized.Support
	solution *quantized.Solution // what Gather found last
}

// InUse names the kernel that stays in use while the next one is made. Its memory counts against the limit. If the next one does not
// fit beside it, the maker calls release and tries again without it. A nil k means that none is in use.
func (m *Maker) InUse(k *Kernel, release func()) { m.inUse, m.release = k, release }

// Lost drops a kernel that cannot multiply any more.
func (m *Maker) Lost(k *Kernel) {
	if m.kept.kernel == k {
		m.kept.kernel = nil
	}
}

// Forget drops all but the separator tree.
func (m *Maker) Forget() {
	took := m.kept.took.tree
	m.kept = kept{shape: m.kept.shape, tree: m.kept.tree, rates: m.kept.rates}
	m.kept.took.tree = took
	m.inUse, m.release = nil, nil
}

// Shape says what a separator tree is to look like. The zero value is the default. Separate asks for other shapes.
type Shape struct {
	Finder  string  // of separators; "": the default
	Balance float64 // each side has this share of the vertices at least; 0: the default
	Depth   int     // there are so many levels at most; 0: until pieces are small
	Root    string  // the first separation, a byte for each vertex: 0 in A, 1 in S, 2 in B. The graph is connected. "": the finder's
}

// Separate makes the separator tree that kernels use from now on, and returns it with leaves of a handful of vertices.
// After an error all is as before.
func (m *Maker) Separate(r *Run, s Shape) (*septree.Tree, error) {
	before := m.kept
	if s != before.shape {
		m.kept = kept{shape: s, rates: before.rates, cells: before.cells}
	}
	fine, err := m.fineTree(r)
	if err != nil {
		m.kept = before
	}
	return fine, err
}

// fineTree returns the separator tree with leaves of a handful of
// vertices.
func (m *Maker) fineTree(r *Run) (*septree.Tree, error) {
	if m.kept.fine != nil {
		return m.kept.fine, nil
	}
	t, err := m.tree(r)
	if err != nil {
		return nil, err
	}
	o, err := m.splitting()
	if err != nil {
		return nil, err
	}
	defer r.Begin("levels")()
	o.Leaf = septree.FineLeaf(t.Len())
	m.kept.fine, err = t.Refine(r.Context, o)
	return m.kept.fine, err
}

// tree returns the separator tree.
func (m *Maker) tree(r *Run) (*septree.Tree, error) {
	if m.kept.tree != nil {
		return m.kept.tree, nil
	}
	end := r.Begin(job.StageTree)
	o, err := m.splitting()
	if err != nil {
		return nil, err
	}
	o.Progress = r.Progress
	t, err := septree.Split(r.Context, m.Graph, m.Lead.Splitting(r.Context, m.Graph.Len(), o))
	if err != nil {
		return nil, err
	}
	end()
	m.kept.tree, m.kept.took.tree = t, r.Latest()
	return t, nil
}

// splitting is how the graph is to be split.
func (m *Maker) splitting() (o septree.Options, err error) {
	s := m.kept.shape
	o = septree.Options{Finder: s.Finder, Balance: s.Balance, Depth: s.Depth, Positions: m.Mesh.Positions, Faces: m.Mesh.Faces}
	if s.Root != "" {
		root, err := Separation(s.Root, m.Graph.Len())
		if err != nil {
			return o, err
		}
		o.Root = &root
	}
	return o, nil
}

// labels returns the hub labels in precision p. The maker keeps labels of one
// precision only. If it has float64 and p is float32, it rounds them, which takes
// next to no time, and keeps the rounded ones. Otherwise it computes them
// anew. The labels and the factors of one kernel must then fit into limit bytes.
func (m *Maker) labels(r *Run, p label.Precision, limit int64) (*label.Labels, error) {
	held := m.kept.labels
	if held != nil && held.Precision() == p {
		return held, nil
	}
	if held != nil && p == label.Float32 {
		l, err := held.Rounded()
		if err != nil {
			return nil, err
		}
		m.kept.labels = l
		return l, nil
	}
	m.kept.labels, m.kept.cover = nil, nil
	t, err := m.tree(r)
	if err != nil {
		return nil, err
	}
	if m.kept.labels, err = m.distances(r, t, p, limit); err == nil {
		m.kept.took.labels = r.Latest()
	}
	return m.kept.labels, err
}

// distances computes the labels of a tree, the graph's or a host's.
func (m *Maker) distances(r *Run, t *septree.Tree, p label.Precision, limit int64) (*label.Labels, error) {
	if need := 2 * label.Bytes(t, p); need > limit {
		return nil, &linop.MemoryError{What: "hub: labels and factors", Vertices: t.Len(), Need: need, Limit: limit}
	}
	end := r.Begin(job.StageLabels)
	l, err := label.Measure(r.Context, t, label.MeasureOptions{Precision: p, MemoryLimit: limit, Progress: r.Progress})
	if err != nil {
		return nil, err
	}
	end()
	return l, nil
}

// Separation is what a shape's Root says of n vertices.
func Separation(sides string, n int) (s separator.Separation, err error) {
	if len(sides) != n {
		return s, fmt.Errorf("a separation of %d vertices for %d", len(sides), n)
	}
	parts := [...]*[]int32{&s.A, &s.S, &s.B}
	for v, side := range []byte(sides) {
		if int(side) >= len(parts) {
			return s, fmt.Errorf("vertex %d is on side %d: there are 0, 1 and 2", v, side)
		}
		*parts[side] = append(*parts[side], int32(v))
	}
	return s, nil
}

// host is a graph of small treewidth in place of the graph, as far as kernels
// need it.
type host struct {
	name              string  // of the construction
	distortion, bound float64 // as asked for, and as proved
	width             int
	labels            *label.Labels
	stages            []job.Timing
}

// hostOptions are those of a host of a name.
func (m *Maker) hostOptions(name string, distortion float64) treehost.Options {
	o := treehost.Options{Construction: hosts[name], Distortion: distortion}
	if len(m.Mesh.Faces) > 0 {
		o.Faces = m.Mesh.Faces
	}
	return o
}

// hosts are the constructions of hosts, by name.
var hosts = map[string]treehost.Construction{job.Nested: treehost.Nested, job.Emulated: treehost.Emulated}

// host returns the graph's host of that name and distortion.
func (m *Maker) host(r *Run, name string, distortion float64, limit int64) (*host, error) {
	if h := m.kept.host; h != nil && h.name == name && h.distortion == distortion {
		return h, nil
	}
	m.kept.host = nil
	first := len(r.Timings)
	end := r.Begin(job.StageHost)
	o := m.hostOptions(name, distortion)
	o.MemoryLimit, o.Progress = limit, r.Progress
	h, err := treehost.Embed(r.Context, m.Graph, o)
	if err != nil {
		return nil, err
	}
	end()
	end = r.Begin(job.StageTree)
	t, err := septree.Along(r.Context, h.Graph, h.Decomposition, septree.Options{Progress: r.Progress})
	if err != nil {
		return nil, err
	}
	end()
	l, err := m.distances(r, t, label.Float64, limit)
	if err != nil {
		return nil, err
	}
	m.kept.host = &host{name, distortion, h.Bound, h.Decomposition.Width(), l, slices.Clone(r.Timings[first:])}
	return m.kept.host, nil
}
