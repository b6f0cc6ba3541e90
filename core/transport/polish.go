package transport

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
	"genussink/core/shortest"
)

// PolishOptions of Polish and Recost. The zero value works.
type PolishOptions struct {
	Rows     int    // rows of true distances to compute; 0: 512, in Polish more until the standard error is 3e-5 of the cost. All that carry mass are computed where there are no more than this
	Seed     uint64 // of the rows drawn
	Progress func(stage string, fraction float64)
}

// Polished is a cost on true distances, and how well it is known.
type Polished struct {
	Cost          float64 // in the unit of distance, for the problem's mass
	StandardError float64 // of Cost, because the rows are a sample; 0 where all were computed
	Rows          int     // distinct rows computed
}

// nudge is by how much of itself epsilon is moved to see how the potentials
// follow it. The error of a difference is of the size of the nudge, that of the
// potentials is nudgeTolerance over it.
const (
	nudge          = 1e-3
	nudgeTolerance = 1e-5
)

// usualRows is how many rows are computed where nothing else is asked for, and
// usualError the share of the cost below which Polish's standard error then is.
const (
	usualRows  = 512
	usualError = 3e-5
)

// ErrUnpolished is that of Polish for plans that it can say nothing about.
var ErrUnpolished = errors.New("the cost cannot be polished")

// Polish estimates the cost <P, d> of the plan that is optimal for the true
// distances d, those of g, from the plan r that solves p with an approximate
// kernel. Let e be the error of the approximate distances; the approximate
// plan's own cost is off by the order of e, and so is its cost on true
// distances, for it is the optimal plan of other ones. What is returned is off by
// the order of e^2. ErrUnpolished: the plan has not converged, so that it is
// optimal for nothing, or epsilon is so large beside the distances that they
// are lost in the potentials' rounding.
//
// Derivation: F(epsilon), the greatest value of the dual
//
//	J(psi, epsilon) = b.psi - epsilon a.log sum_j exp((psi_j - d_ij)/epsilon) + terms without psi,
//
// is the entropic optimum, and the cost is F - epsilon F'. J is stationary at its maximum, so that
// at the potential psi(epsilon) of the approximate kernel it is F but for e^2, at every epsilon. Hence
//
//	cost = b.w + a.E[d - w],   w = psi - epsilon psi' = -epsilon^2 (log v)',
//
// where E_i is the mean over j with weights exp(-d_ij/epsilon) v_j: row i of the plan that one exact
// half iteration makes of v. The derivative is a difference: tune returns the
// approximate kernel for another epsilon, and a few warm iterations solve with it.
//
// E_i takes a row of true distances, one run of Dijkstra's algorithm. Only
// some are computed, drawn by mass, one from each of equal parts of it, and
// only for their difference to the same mean of the approximate kernel, which
// products give for all rows at once: the estimate has no bias from that and a small variance.
func Polish(ctx context.Context, p Problem, r *Result, g *graph.Graph, tune func(epsilon float64) (linop.Kernel, error), o PolishOptions) (*Polished, error) {
	n, _ := p.Kernel.Dims()
	if g.Len() != n || len(p.Source) != n || len(p.Target) != n || len(r.LogU) != n || len(r.LogV) != n {
		return nil, fmt.Errorf("transport: a plan of %d vertices on a graph of %d", n, g.Len())
	}
	if n == 0 {
		return &Polished{}, nil
	}
	if r.Status != Converged {
		return nil, fmt.Errorf("transport: a marginal error of %g: %w", r.MarginalError, ErrUnpolished)
	}
	if floor := p.Kernel.LogFloor(); floor > -1e-9 && floor < 0 {
		return nil, fmt.Errorf("transport: distances of at most %g epsilon: %w", -floor, ErrUnpolished)
	}
	w, control, err := p.follow(ctx, r, tune)
	if err != nil {
		return nil, err
	}
	known := inner(p.Target, w)
	for i, a := range p.Source {
		if a > 0 {
			known += a * control[i]
		}
	}
	estimate := func(o PolishOptions) (*Polished, error) {
		return p.sampleRows(ctx, g, o, known, func() func(i int32, d []float64) float64 {
			return func(i int32, d []float64) float64 { return meanOver(d, w, r.LogV, p.Epsilon) - control[i] }
		})
	}
	first, err := estimate(o)
	if err != nil || o.Rows > 0 {
		return first, err
	}
	short := first.StandardError / (usualError * first.Cost)
	if !(short > 1) {
		return first, nil
	}
	o.Rows = int(min(usualRows*short*short, float64(n))) + 1
	return estimate(o)
}

// Recost estimates what the plan r, found with an approximate kernel, costs on
// the true distances d, those of g: sum_ij P_ij d_ij. It is for kernels so far
// from the true one that Polish's second order is no small error. The
// approximate distances are asked for by row, from several goroutines at once.
// Their share of the cost is known: only the difference is estimated.
func Recost(ctx context.Context, p Problem, r *Result, g *graph.Graph, approximate func(dst []float64, i int32) []float64, o PolishOptions) (*Polished, error) {
	n, _ := p.Kernel.Dims()
	if g.Len() != n || len(p.Source) != n || len(r.LogU) != n || len(r.LogV) != n {
		return nil, fmt.Errorf("transport: a plan of %d vertices on a graph of %d", n, g.Len())
	}
	return p.sampleRows(ctx, g, o, r.Cost, func() func(i int32, d []float64) float64 {
		own := make([]float64, n)
		return func(i int32, d []float64) float64 {
			approximate(own, i)
			sum := 0.0
			for j, l := range r.LogV {
				if x := own[j]; l > math.Inf(-1) && x < math.Inf(1) {
					sum += math.Exp(r.LogU[i]+l-x/p.Epsilon) * (d[j] - x)
				}
			}
			return sum / p.Source[i]
		}
	})
}

// sampleRows adds to what is known the sum over the rows of source mass times
// value, which is told a row's true distances, from rows drawn by mass. Every
// worker has a value of its own.
func (p Problem) sampleRows(ctx context.Context, g *graph.Graph, o PolishOptions, known float64, newValue func() func(i int32, d []float64) float64) (*Polished, error) {
	if o.Rows < 0 {
		return nil, fmt.Errorf("transport: %d rows", o.Rows)
	}
	if o.Rows == 0 {
		o.Rows = usualRows
	}
	draws := drawByMass(p.Source, o.Rows, o.Seed)
	rows := slices.Compact(slices.Clone(draws))
	values := make([]float64, g.Len())
	type scratch struct {
		solver *shortest.Solver
		d      []float64
		value  func(i int32, d []float64) float64
	}
	work := make([]scratch, parallel.Workers(len(rows)))
	err := parallel.Each(ctx, len(work), len(rows), func(worker, k int) {
		w := &work[worker]
		if w.solver == nil {
			*w = scratch{shortest.NewSolver(g), make([]float64, g.Len()), newValue()}
		}
		values[rows[k]] = w.value(rows[k], w.solver.Distances(w.d, rows[k]))
		if o.Progress != nil && worker == 0 {
			o.Progress("polish", float64(k)/float64(len(rows)))
		}
	})
	if err != nil {
		return nil, err
	}
	out := &Polished{Cost: known, Rows: len(rows)}
	if len(draws) < o.Rows { // all rows
		for _, i := range rows {
			out.Cost += p.Source[i] * values[i]
		}
		return out, nil
	}
	total, steps := 0.0, 0.0
	for k, i := range draws {
		total += values[i]
		if k > 0 { // neighbouring parts are alike: their difference is noise
			step := values[i] - values[draws[k-1]]
			steps += step * step
		}
	}
	mass, count := sum(p.Source), float64(len(draws))
	out.Cost += mass * total / count
	if count > 1 {
		out.StandardError = mass * math.Sqrt(steps/(2*(count-1)*count))
	}
	return out, nil
}

// follow returns w of Polish, and of every row the mean of d - w with the
// approximate kernel, d by a difference. The mean is a control for the rows
// computed: it need be near only.
func (p Problem) follow(ctx context.Context, r *Result, tune func(epsilon float64) (linop.Kernel, error)) (w, control []float64, err error) {
	n := len(r.LogU)
	next := p
	next.Epsilon = p.Epsilon * (1 + nudge)
	if next.Kernel, err = tune(next.Epsilon); err != nil {
		return nil, nil, err
	}
	start := make([]float64, n) // the same potential epsilon log u
	for i, x := range r.LogU {
		start[i] = x / (1 + nudge)
	}
	moved, err := solvePotentials(ctx, next, Options{LogU: start, Tolerance: nudgeTolerance})
	if err != nil {
		return nil, nil, err
	}
	w = make([]float64, n)
	shift, count := 0.0, 0.0
	for j, b := range p.Target {
		if b > 0 {
			w[j] = -p.Epsilon * (moved.logv[j] - r.LogV[j]) / nudge
			shift, count = shift+w[j], count+1
		}
	}
	for j, b := range p.Target { // a constant in w changes nothing but the digits lost
		if b > 0 {
			w[j] -= shift / count
		}
	}
	here, err := NewPlan(p.Kernel, p.Epsilon, r.LogU, r.LogV)
	if err != nil {
		return nil, nil, err
	}
	there, err := NewPlan(next.Kernel, next.Epsilon, r.LogU, r.LogV)
	if err != nil {
		return nil, nil, err
	}
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	rows, weighted, after := here.Push(nil, ones), here.Push(nil, w), there.Push(nil, ones)
	control = make([]float64, n)
	inverse := 1/p.Epsilon - 1/next.Epsilon
	for i, m := range rows {
		if m > 0 && after[i] > 0 {
			control[i] = math.Log(after[i]/m)/inverse - weighted[i]/m
		}
	}
	return w, control, ctx.Err()
}

// drawByMass cuts the mass into equal parts along the vertices' order and draws
// a vertex from each, by mass. Where no more vertices than draws have mass, it
// returns those, fewer than draws.
func drawByMass(mass []float64, draws int, seed uint64) []int32 {
	var carriers []int32
	for i, m := range mass {
		if m > 0 {
			carriers = append(carriers, int32(i))
		}
	}
	if len(carriers) < draws {
		return carriers
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	drawn := make([]int32, draws)
	total := sum(mass)
	at, below := 0, mass[carriers[0]]
	for k := range drawn {
		x := total * (float64(k) + rng.Float64()) / float64(draws)
		for below <= x && at+1 < len(carriers) {
			at++
			below += mass[carriers[at]]
		}
		drawn[k] = carriers[at]
	}
	return drawn
}

// meanOver is the mean of d - w with the weights exp(logv - d/epsilon).
func meanOver(d, w, logv []float64, epsilon float64) float64 {
	top := math.Inf(-1)
	for j, l := range logv {
		top = max(top, l-d[j]/epsilon)
	}
	if top == math.Inf(-1) {
		return 0 // reaches nothing: such a row carries no mass
	}
	total, moment := 0.0, 0.0
	for j, l := range logv {
		if x := d[j]; l > math.Inf(-1) && x < math.Inf(1) {
			share := math.Exp(l - x/epsilon - top)
			total += share
			moment += share * (x - w[j])
		}
	}
	return moment / total
}
