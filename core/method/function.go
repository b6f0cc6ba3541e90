package method

import (
	"fmt"
	"math"
	"strings"

	"genussink/core/hub/label"
	"genussink/core/job"
	"genussink/core/kernel"
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
func (m *Maker) sum(p Spec) (kernel.Sum, error) {
	refuse := func(why string) (kernel.Sum, error) {
		return kernel.Sum{}, &job.SpecError{Option: "kernel", Value: p.Function, Why: why}
	}
	f, err := Function(p.Function)
	if err != nil {
		return kernel.Sum{}, err
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
	if !sum.Relative {
		return refuse("its sum of exponentials is accurate beside f(0) alone, which small entries do not survive")
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
func (m *Maker) sumKernel(r *Run, p Spec, limit int64, build func(*Run, Spec, int64) (*Kernel, error)) (*Kernel, error) {
	sum, err := m.sum(p)
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
