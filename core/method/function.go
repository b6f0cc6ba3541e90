package method

import (
	"fmt"
	"math"
	"strings"

	"genussink/core/hub/label"
	"genussink/core/hub/squared"
	"genussink/core/job"
	"genussink/core/kernel"
	"genussink/core/linop"
	"genussink/core/mixture"
)

// Function is the function of distance over epsilon that a specification names. An error is a *job.SpecError.
func Function(name string) (kernel.Function, error) {
	f, err := kernel.Parse(name)
	if err != nil {
		return nil, &job.SpecError{Option: "kernel", Value: name, Why: err.Error()}
	}
	return f, nil
}

// What a sum of exponentials may err by, as a share of f: where distances are exact, and where they are wrong by a delta, which shows more.
const (
	exactShare = 1e-10
	looseShare = 1e-6
)

// mostRate bounds delta times the greatest rate of a sum. Products of hub labels lose exp(delta rate) of their digits.
const mostRate = 20

// sum is the sum of exponentials for a specification's function, with f(0) = 1 and rates per epsilon.
func (m *Maker) sum(p Spec, f kernel.Function) (kernel.Sum, error) {
	refuse := func(why string) (kernel.Sum, error) {
		return kernel.Sum{}, &job.SpecError{Option: "kernel", Value: p.Function, Why: why}
	}
	share := exactShare
	if job.Bounded(p.Method) {
		share = looseShare
	}
	// A distance may be too long by delta, or by what float32 rounds.
	diameter := (m.Reach()*(1+1e-6) + p.Delta) / p.Epsilon
	if err := kernel.Positive(f, diameter); err != nil {
		return refuse(strings.TrimPrefix(err.Error(), fmt.Sprintf("kernel %v ", f)) + "; x is distance over epsilon, and Sinkhorn needs a positive kernel")
	}
	sum, err := kernel.Exponentials(f, diameter, share)
	if err != nil {
		return refuse(err.Error())
	}
	top, most := f.At(0), 0.0
	for k := range sum.Terms {
		sum.Terms[k].Weight /= complex(top, 0)
		most = max(most, real(sum.Terms[k].Rate))
	}
	if p.Delta*most > mostRate*p.Epsilon {
		return refuse(fmt.Sprintf("delta is %.3g epsilons, and this function can do with %.3g", p.Delta/p.Epsilon, mostRate/most))
	}
	return sum, nil
}

// flat stands for the rate 0 of a constant term: exp(-flat x) is 1 at every distance.
const flat = 1e-200

// sumKernel adds up kernels of one cover.
func (m *Maker) sumKernel(r *Run, p Spec, f kernel.Function, limit int64, build func(*Run, Spec, int64) (*Kernel, error)) (*Kernel, error) {
	sum, err := m.sum(p, f)
	if err != nil {
		return nil, err
	}
	epsilon := func(t kernel.Term) float64 { return p.Epsilon / max(real(t.Rate), flat) }
	term := p // what all terms' kernels have in common
	term.Function = job.Exp
	for _, t := range sum.Terms {
		term.Epsilon = min(term.Epsilon, epsilon(t)) // the least asks for the most digits
	}
	if p.Method == job.Exact && m.stored(term) == label.Float64 { // one precision for all: they share labels
		term.Precision = label.Float64.String()
	}
	var made *Kernel
	var terms []mixture.Term
	held, nearest := int64(0), math.Inf(1)
	begun := len(r.Timings)
	for _, t := range sum.Terms {
		term.Epsilon = epsilon(t)
		k, err := build(r, term, max(1, limit-held))
		if err != nil {
			return nil, err
		}
		if made == nil {
			made = k
			held = k.Made.MemoryBytes
		} else {
			held += k.Made.MemoryBytes - made.shared
		}
		if off := math.Abs(math.Log(term.Epsilon / p.Epsilon)); off < nearest {
			nearest, made.gibbs, made.gibbsEpsilon = off, k.Kernel, term.Epsilon
		}
		terms = append(terms, mixture.Term{Kernel: k.Kernel, Epsilon: term.Epsilon, Weight: real(t.Weight)})
	}
	r.Timings = merged(r.Timings, begun, job.StageKernel)
	if made.Kernel, err = mixture.New(terms); err != nil {
		return nil, err
	}
	made.Spec, made.metric = p, nil // stand-ins know exp alone
	made.Made.Function, made.Made.Epsilon, made.Made.MemoryBytes, made.Made.Share = p.Function, p.Epsilon, held, sum.Bound
	return made, nil
}

// ofSquare says whether the function of that name is one of squared distance.
func ofSquare(name string) bool {
	f, _ := kernel.Parse(name) // nil with an error
	_, ok := f.(kernel.Gauss)
	return ok
}

// squaredKernel is exp(-D^2/s), s being that of f times epsilon squared.
func (m *Maker) squaredKernel(r *Run, p Spec, f kernel.Gauss, limit int64, build func(*Run, Spec, int64) (*Kernel, error)) (*Kernel, error) {
	s := f.Square() * p.Epsilon * p.Epsilon
	steepest := p // at the longest distance an entry changes as that of exp does at this epsilon
	steepest.Epsilon = min(p.Epsilon, s/(2*m.Reach()))
	own := p
	own.Function = job.Exp
	if p.Method == job.Exact && m.stored(steepest) == label.Float64 {
		own.Precision = label.Float64.String()
	}
	made, err := build(r, own, limit)
	if err != nil {
		return nil, err
	}
	whole := made.Cover.Alone()
	if whole == nil {
		return nil, &job.SpecError{Option: "kernel", Value: p.Function, Why: "squared distance is not shared with members"}
	}
	begun := len(r.Timings)
	end := r.Begin(job.StageKernel)
	k, err := squared.New(r.Context, whole, s)
	if err != nil {
		return nil, err
	}
	end()
	held := made.Made.MemoryBytes + k.Bytes()
	if held > limit {
		return nil, &linop.MemoryError{What: "squared: kernel", Vertices: m.Graph.Len(), Need: held, Limit: limit}
	}
	r.Timings = merged(r.Timings, begun-1, job.StageKernel)
	made.gibbs, made.gibbsEpsilon, made.Kernel = made.Kernel, p.Epsilon, k
	made.Spec, made.metric = p, nil // stand-ins know exp alone
	made.Made.Function, made.Made.MemoryBytes, made.Made.Share = p.Function, held, k.Share()
	return made, nil
}

// merged is timings with those of a stage from some place on as one, at the end.
func merged(t []job.Timing, from int, stage string) []job.Timing {
	all := job.Timing{Stage: stage}
	kept := t[:from]
	for _, one := range t[from:] {
		if one.Stage == stage {
			all.Seconds += one.Seconds
		} else {
			kept = append(kept, one)
		}
	}
	return append(kept, all)
}
