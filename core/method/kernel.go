package method

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"genussink/core/hub"
	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/sgfi"
	"genussink/core/team"
	"genussink/core/transport"
	"genussink/core/transport/check"
	"genussink/core/transport/coarse"
)

// Kernel is a Gibbs kernel, what it was made from, and what is known of it.
type Kernel struct {
	Kernel   linop.Kernel
	Spec     Spec
	Made     job.Kernel               // lengths in the space's unit; Requested and Note are left to Answer
	Rows     linop.Distancer          // its distances, from any goroutine; nil: those of Kernel, one after the other
	Cover    *team.Cover              // that it was made of, whose rows are to be had at any time; nil: there is none
	Distance func(i, j int32) float64 // of certified: the true ones, but for rounding, from any goroutine
	Paths    *label.Labels            // of the graph, down which its shortest paths are found; nil: there are none
	Setup    float64                  // seconds, of the request that made it
	Stages   []job.Timing             // all that it took, whichever request paid for it
	Accuracy *check.Accuracy          // nil until Examine

	// Square is <P, D^2> of the plan P_ij = exp(logu_i - D_ij^2/s + logv_j), in the space's unit squared; nil but of squared distance.
	Square func(ctx context.Context, logu, logv []float64) (float64, error)

	// Of another function than exp: see Gibbs. Nil: Kernel is one itself.
	gibbs        linop.Kernel
	gibbsEpsilon float64

	metric metric // its distances; nil: they are not to be had at little cost
	shared int64  // of its bytes those that another kernel of the same labels and cover has too
}

// made is a kernel as a specification wants it, of float64, exact and of no tree decomposition until more is said.
func (p Spec) made(k linop.Kernel, bytes int64) *Kernel {
	return &Kernel{Kernel: k, Spec: p, Made: job.Kernel{
		Method: p.Method, Function: p.Function, Epsilon: p.Epsilon, Delta: p.allowed(), Host: p.Host,
		Precision: label.Float64.String(), Width: -1, Depth: -1, MemoryBytes: bytes,
	}}
}

// Gibbs is a kernel exp(-d/epsilon) of the distances that the kernel multiplies with, and its epsilon.
func (k *Kernel) Gibbs() (linop.Kernel, float64) {
	if k.gibbs != nil {
		return k.gibbs, k.gibbsEpsilon
	}
	return k.Kernel, k.Spec.Epsilon
}

// Answer says what the kernel is in answer to a specification; where its method is another than the one requested, that
// and why.
func (k *Kernel) Answer(asked Spec, requested, note string) job.Kernel {
	made := k.Made
	made.Delta, made.Requested, made.Note = asked.allowed(), requested, note
	return made
}

// Errors are by how much a distance of a kernel may be too short, at most 0, and too long.
func (m *Maker) Errors(k *Kernel) (least, most float64) {
	switch k.Spec.Method {
	case job.Certified:
		return -k.Made.Bound, k.Made.Bound
	case job.Sampled:
		return 0, math.Inf(1)
	case job.Quantized:
		return -m.Reach(), math.Inf(1)
	}
	return 0, k.Made.Bound
}

// metric knows the distances of some vertices from one another, m x m.
type metric interface {
	Among(ctx context.Context, vertices []int32) ([]float64, error)
}

// standIn is that of the graph that kernels of this metric solve with.
type standIn struct {
	graph  *coarse.Graph
	metric metric
	took   job.Timing
}

// Coarse returns the stand-in for the graph to solve with a kernel, and what it took, whichever request paid for it; nil where
// there is none or no room for it.
func (m *Maker) Coarse(r *Run, k *Kernel) (transport.Coarse, job.Timing, error) {
	if k.metric == nil || k.Made.MemoryBytes+coarse.Bytes(m.Graph.Len()) > m.MemoryLimit {
		return nil, job.Timing{}, nil
	}
	if m.kept.coarse == nil || m.kept.coarse.metric != k.metric {
		end := r.Begin(job.StageCoarse)
		c, err := coarse.New(r.Context, m.Graph, k.metric.Among)
		if err != nil {
			return nil, job.Timing{}, err
		}
		end()
		m.kept.coarse = &standIn{c, k.metric, r.Latest()}
	}
	return m.kept.coarse.graph, m.kept.coarse.took, nil
}

// Kernel returns the kernel that is asked for, of any method but support, quantized and auto, or, where a tolerance would cost time
// instead of saving it, the exact one in place of a certified.
func (m *Maker) Kernel(r *Run, p Spec) (*Kernel, error) {
	begun := m.Now()
	if instead := m.paying(p); instead != p {
		if k, err := m.find(r, instead, begun); !IsMemory(err) {
			return k, err
		}
	}
	return m.find(r, p, begun)
}

// paying is the exact kernel to take in place of a certified whose delta saves no time, or p. It is
// of float64 where float32 would round by more than delta.
func (m *Maker) paying(p Spec) Spec {
	if p.Method != job.Certified || p.Delta >= cover.UsefulDelta(m.Graph) {
		return p
	}
	if namedEveryPair(p.Function) {
		return p // whose products take less with any delta
	}
	instead := p.of(job.Exact)
	instead.Precision = p.Precision
	if label.Rounding(m.Reach()) > p.Delta {
		if p.Precision == label.Float32.String() {
			return p
		}
		instead.Precision = label.Float64.String()
	}
	return instead
}

// Instead says why a kernel is not of the method that was asked for, "" where it is.
func (m *Maker) Instead(k *Kernel, asked Spec) (requested, note string) {
	if k.Made.Method == asked.Method {
		return "", ""
	}
	return asked.Method, fmt.Sprintf("On this mesh %s is set up no faster than %s with a delta of %.3g, which is less than vertices are apart. So %s was taken; its distances are within %.3g.",
		asked.Method, k.Made.Method, m.Unit.In(asked.Delta), k.Made.Method, m.Unit.In(k.Made.Bound))
}

// find returns the kernel that is asked for: the one at hand, the one in use, or
// a new one, for which work has begun then.
func (m *Maker) find(r *Run, p Spec, begun time.Time) (*Kernel, error) {
	if m.kept.kernel = m.Known(p); m.kept.kernel != nil {
		return m.kept.kernel, nil
	}
	var build func(*Run, Spec, int64) (*Kernel, error)
	switch p.Method {
	case job.Exact, job.Certified:
		build = m.hubKernel
	case job.Embedded:
		build = m.hostKernel
	case job.Tree, job.Sampled:
		build = m.treeKernel
	case job.Dense:
		build = m.denseKernel
	default: // their kernels depend on the densities: see Net, Cells and Support
		return nil, fmt.Errorf("method: %s has no kernel without densities", p.Method)
	}
	limit := m.MemoryLimit
	if m.inUse != nil {
		limit = max(1, limit-m.inUse.Made.MemoryBytes) // it can be asked until the new one is there
	}
	if p.Function != job.Exp {
		f, err := Function(p.Function)
		if err != nil {
			return nil, err
		}
		exponential := build
		build = func(r *Run, p Spec, limit int64) (*Kernel, error) { return m.sumKernel(r, p, f, limit, exponential) }
		if everyPair(f) {
			if p.Method == job.Exact {
				exponential = m.labelKernel // a tree decomposition has no cover
			}
			build = func(r *Run, p Spec, limit int64) (*Kernel, error) {
				return m.pairKernel(r, p, f, limit, exponential)
			}
		}
	}
	k, err := build(r, p, limit)
	if m.inUse != nil && IsMemory(err) {
		m.release()
		m.InUse(nil, nil)
		runtime.GC() // else its memory would be taken until the new one has taken as much again
		k, err = build(r, p, m.MemoryLimit)
	}
	if IsMemory(err) && p.Precision == "" && m.stored(p) == label.Float64 { // rather than nothing
		m.kept.cramped = true
		if short, why := build(r, p, m.MemoryLimit); !errors.Is(why, label.ErrFloat32) {
			k, err = short, why
		}
	}
	if err != nil {
		return nil, m.advise(r, p, err)
	}
	k.Setup = m.Now().Sub(begun).Seconds()
	k.Stages = append(k.Stages, r.Latest()) // "kernel"
	m.kept.kernel = k
	return k, nil
}

// Known is the kernel at hand that is what is asked for, nil: there is none.
func (m *Maker) Known(p Spec) *Kernel {
	for _, k := range []*Kernel{m.kept.kernel, m.inUse} {
		if k != nil && k.Spec == p {
			return k
		}
	}
	return nil
}

// hubKernel is exact or certified, of the precision that stored says, or of float64 where nobody asked for one and
// float32 cannot express the lengths. Exact on a narrow graph is of float64 anyway.
func (m *Maker) hubKernel(r *Run, p Spec, limit int64) (*Kernel, error) {
	if p.Method == job.Exact && p.Precision != label.Float32.String() {
		k, err := m.bagKernel(r, p, exactWidth, limit)
		if k != nil || err != nil && !IsMemory(err) {
			return k, err
		}
	}
	return m.labelKernel(r, p, limit)
}

// labelKernel is hubKernel but for narrow graphs.
func (m *Maker) labelKernel(r *Run, p Spec, limit int64) (*Kernel, error) {
	k, err := m.storedKernel(r, p, m.stored(p), limit)
	if p.Precision == "" && errors.Is(err, label.ErrFloat32) && !m.kept.cramped {
		k, err = m.storedKernel(r, p, label.Float64, limit)
	}
	return k, err
}

func (m *Maker) storedKernel(r *Run, p Spec, stored label.Precision, limit int64) (*Kernel, error) {
	l, err := m.labels(r, stored, limit)
	if err != nil {
		return nil, err
	}
	return m.coverKernel(r, l, []job.Timing{m.kept.took.tree, m.kept.took.labels}, p, p.Delta, limit)
}

// entryShare bounds what float32 labels may add to a distance by rounding, as a share of epsilon. It holds for exact
// where nobody asked for a precision. An entry of the kernel then has at most this relative error, and an entry of
// the plan a third of it, as measured (TestPrecisionFollowsEpsilon). Where rounding could add more, exact takes float64
// labels. That is so for an epsilon below about a tenth of the diagonal.
const entryShare = 1e-5

// stored is how the labels of exact and certified are stored: as is asked for, otherwise as float32, but for exact where
// that shows in the plan and there is room for it.
func (m *Maker) stored(p Spec) label.Precision {
	shows := p.Method == job.Exact && label.Rounding(m.Reach()) > entryShare*p.Epsilon
	if p.Precision == label.Float64.String() || p.Precision == "" && shows && !m.kept.cramped {
		return label.Float64
	}
	return label.Float32
}

// hostKernel is the exact kernel of the host.
func (m *Maker) hostKernel(r *Run, p Spec, limit int64) (*Kernel, error) {
	h, err := m.host(r, p.Host, p.Delta, limit)
	if err != nil {
		return nil, err
	}
	k, err := m.coverKernel(r, h.labels, h.stages, p, 0, limit)
	if err != nil {
		return nil, err
	}
	k.Made.Bound, k.Made.Width, k.Rows, k.Paths = h.bound, h.width, h.labels, nil
	return k, nil
}

// coverKernel is a kernel on labels, which took these stages.
func (m *Maker) coverKernel(r *Run, l *label.Labels, stages []job.Timing, p Spec, delta float64, limit int64) (*Kernel, error) {
	lead := &m.Lead
	if p.alone {
		lead = &team.Lead{}
	}
	if c := m.kept.cover; c == nil || !c.Of(l, delta, lead) {
		m.kept.cover = nil
		end := r.Begin(job.StageCover)
		c, err := lead.Cover(r.Context, l, delta, p.Epsilon, limit, r.Progress)
		if err != nil {
			return nil, err
		}
		end()
		m.kept.cover, m.kept.took.cover = c, r.Latest()
	} else if err := c.Fits(p.Epsilon, limit, m.inUse != nil && m.inUse.Cover == c); err != nil {
		return nil, err
	}
	defer r.Begin(job.StageKernel)()
	c := m.kept.cover
	k, bytes, err := c.Kernel(r.Context, p.Epsilon)
	if err != nil {
		return nil, err
	}
	made := p.made(k, bytes)
	made.Cover = c
	made.Made.Precision, made.Made.Bound, made.Made.Crosses = l.Precision().String(), c.Bound(), c.Crosses()
	made.metric, made.Paths, made.Stages = l, l, append(slices.Clone(stages), m.kept.took.cover)
	if alone := c.Alone(); alone != nil {
		made.Rows, made.shared = alone, bytes-hub.KernelBytes(alone, p.Epsilon)
	}
	if p.Method == job.Certified {
		made.Distance = l.Distance
	}
	return made, nil
}

func (m *Maker) treeKernel(r *Run, p Spec, limit int64) (*Kernel, error) {
	if p.Method == job.Tree && p.Levels == 0 {
		k, err := m.bagKernel(r, p, bagWidth, limit)
		if k != nil || err != nil {
			return k, err
		}
	}
	s := m.kept.shape
	end := r.Begin(job.StageTree)
	o := sgfi.Options{
		Finder: s.Finder, Balance: s.Balance, Depth: cmp.Or(p.Levels, s.Depth), Positions: m.Mesh.Positions,
		MemoryLimit: limit, Progress: r.Progress,
	}
	if p.Method == job.Sampled {
		o.Sample = &sgfi.Sample{Keep: p.Sample.Keep, Farthest: p.Sample.Farthest, Seed: p.Sample.Seed}
	}
	t, err := sgfi.Build(r.Context, m.Graph, o)
	if err != nil {
		return nil, err
	}
	end()
	defer r.Begin(job.StageKernel)()
	k, err := sgfi.NewKernel(r.Context, t, p.Epsilon, sgfi.KernelOptions{MemoryLimit: max(1, limit-t.Bytes()), Progress: r.Progress})
	if err != nil {
		return nil, err
	}
	made := p.made(k, k.Bytes()+t.Bytes())
	made.Stages = []job.Timing{r.Latest()}
	made.Made.Depth = t.Depth()
	x := &made.Made.Crosses
	x.Single, x.Range, x.Pairs = t.Crosses()
	if p.Method == job.Sampled {
		made.Rows, made.Made.Bound = k, math.NaN()
	}
	return made, nil
}

// Labels are labels of the graph, down which its shortest paths are found: those at hand, or those of a kernel in use; nil where
// there are none.
func (m *Maker) Labels(inUse *Kernel) *label.Labels {
	if m.kept.labels != nil {
		return m.kept.labels
	}
	return inUse.Paths
}
