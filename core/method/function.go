package method

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"genussink/core/hub/cover"
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

// rowsShare is what part of the memory limit rows of a squared distance take at most: with the 2 GiB of a browser's tab these are all rows of
// 8,192 vertices.
const rowsShare = 4

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
	diameter := p.diameter(m.Reach())
	if err := kernel.Positive(f, diameter); err != nil {
		return kernel.Sum{}, unfit(p, f, err)
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

// unfit is the error of a function that Sinkhorn cannot do with.
func unfit(p Spec, f kernel.Function, err error) error {
	why := strings.TrimPrefix(err.Error(), fmt.Sprintf("kernel %v", f))
	if strings.HasPrefix(why, " ") {
		why = "it" + why
	}
	return &job.SpecError{Option: "kernel", Value: p.Function, Why: strings.TrimLeft(why, ": ") + "; x is distance over epsilon, and Sinkhorn needs a positive kernel"}
}

// Check returns the values of a specification's function, of distance over epsilon as products have them, or why it is refused on this
// graph. An error is a *job.SpecError.
func (m *Maker) Check(r *Run, p Spec) (at func(x float64) float64, err error) {
	f, err := Function(p.Function)
	if err != nil {
		return nil, err
	}
	if _, square := f.(kernel.Gauss); square || p.Function == job.Exp {
		return f.At, nil
	}
	if !everyPair(f) {
		if _, err := m.sum(p, f); err != nil {
			return nil, err
		}
		return f.At, nil
	}
	if at, _, _, err = m.values(r, p, f); err != nil && r.Context.Err() == nil {
		err = unfit(p, f, err)
	}
	return at, err
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
	term.Function, term.alone = job.Exp, true
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

// everyPair says whether a product with the function takes every pair: it does with squared distance, polynomials and random features.
func everyPair(f kernel.Function) bool {
	switch f := f.(type) {
	case kernel.Gauss, kernel.Features:
		return true
	case kernel.Polynomial:
		return !f.CompletelyMonotone()
	}
	return false
}

// namedEveryPair is everyPair of the function of that name.
func namedEveryPair(name string) bool {
	f, err := kernel.Parse(name)
	return err == nil && everyPair(f)
}

// pairKernel is f of every pair. It is made on the cover of the kernel that build makes.
func (m *Maker) pairKernel(r *Run, p Spec, f kernel.Function, limit int64, build func(*Run, Spec, int64) (*Kernel, error)) (*Kernel, error) {
	own := p
	own.Function, own.alone = job.Exp, true
	var on func(c *cover.Cover) (*squared.Kernel, error)
	share := 0.0 // of f, besides the kernel's own
	square, ofSquare := f.(kernel.Gauss)
	if ofSquare {
		s := square.Square() * p.Epsilon * p.Epsilon
		steepest := p // at the longest distance an entry changes as that of exp does at this epsilon
		steepest.Epsilon = min(p.Epsilon, s/(2*m.Reach()))
		if p.Method == job.Exact && m.stored(steepest) == label.Float64 {
			own.Precision = label.Float64.String()
		}
		on = func(c *cover.Cover) (*squared.Kernel, error) { return squared.New(r.Context, c, s) }
	} else {
		at, least, off, err := m.values(r, p, f)
		if ended := r.Context.Err(); ended != nil {
			return nil, ended
		}
		if err != nil {
			return nil, unfit(p, f, err)
		}
		share = off
		if p.Method == job.Exact && p.Precision == "" {
			own.Precision = label.Float64.String()
		}
		top := at(0)
		degree := -1
		if f, ok := f.(kernel.Polynomial); ok {
			degree = f.Degree()
		}
		on = func(c *cover.Cover) (*squared.Kernel, error) {
			return squared.NewOf(r.Context, c, func(d float64) float64 { return at(d/p.Epsilon) / top }, least/top, degree)
		}
	}
	made, err := build(r, own, limit)
	if err != nil {
		return nil, err
	}
	begun := len(r.Timings)
	end := r.Begin(job.StageKernel)
	k, err := on(made.Cover.Alone())
	if err != nil {
		return nil, err
	}
	end()
	k.Keep(0) // Bytes is then of all the rest
	k.Keep(min(limit/rowsShare, limit-made.Made.MemoryBytes-k.Bytes()))
	held := made.Made.MemoryBytes + k.Bytes()
	if held > limit {
		return nil, &linop.MemoryError{What: "squared: kernel", Vertices: m.Graph.Len(), Need: held, Limit: limit}
	}
	r.Timings = merged(r.Timings, begun-1, job.StageKernel)
	made.gibbs, made.gibbsEpsilon, made.Kernel = made.Kernel, p.Epsilon, k
	if ofSquare {
		made.Square = k.PlanSquare
	}
	made.Spec, made.metric = p, nil // stand-ins know exp alone
	made.Made.Function, made.Made.MemoryBytes, made.Made.Share = p.Function, held, share+k.Share()
	return made, nil
}

// values is a polynomial, or what random features make of their function, of distance over epsilon; its least value up to the diameter, and
// by what share of itself it may be off.
func (m *Maker) values(r *Run, p Spec, f kernel.Function) (at func(x float64) float64, least, share float64, err error) {
	diameter := p.diameter(m.Reach())
	switch f := f.(type) {
	case kernel.Polynomial:
		fits := func(diameter float64) error { return cmp.Or(kernel.Positive(f, diameter), f.Falls(diameter)) }
		if err := fits(diameter); err != nil {
			if shorter := fits(p.diameter(m.Reach() / 2)); shorter != nil { // a distance that there is
				return nil, 0, 0, shorter
			}
			if len(m.Component) > mostLongest {
				return nil, 0, 0, fmt.Errorf("%w; the diameter is a bound, up to twice the longest distance: of more than %d vertices that is not computed", err, mostLongest)
			}
			longest, err := m.longest(r.Context)
			if err != nil {
				return nil, 0, 0, err
			}
			diameter = p.diameter(longest)
			if err := fits(diameter); err != nil {
				return nil, 0, 0, err
			}
		}
		return func(x float64) float64 { return f.At(min(x, diameter)) }, f.At(diameter), f.Share(diameter), nil
	case kernel.Features:
		t, err := f.Table(r.Context, diameter)
		if err != nil {
			return nil, 0, 0, err
		}
		return t.At, t.Least(), t.Share(), nil
	}
	panic("method: no values of " + f.String())
}

// diameter is a length over epsilon that no entry's distance is beyond, if none is longer than reach: an entry's may be too long by delta, or by what float32 rounds.
func (p Spec) diameter(reach float64) float64 { return (reach*(1+1e-6) + p.Delta) / p.Epsilon }

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

// mostLongest is for how many vertices the longest distance is computed at most: it takes a search from each.
const mostLongest = 4096

// longest is the longest distance. It is kept.
func (m *Maker) longest(ctx context.Context) (float64, error) {
	if m.kept.longest > 0 {
		return m.kept.longest, nil
	}
	solver, done := m.Solver()
	defer done()
	var row []float64
	longest := 0.0
	for v := range int32(len(m.Component)) {
		var err error
		if row, err = solver.DistancesContext(ctx, row, []int32{v}, nil); err != nil {
			return 0, err
		}
		for _, d := range row {
			if !math.IsInf(d, 1) {
				longest = max(longest, d)
			}
		}
	}
	m.kept.longest = longest
	return longest, nil
}
