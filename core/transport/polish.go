package transport

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
	"genussink/core/shortest"
)

// PolishOptions of Polish. The zero value works.
type PolishOptions struct {
	Rows     int    // rows of true distances to compute; 0: 512. All that carry mass are computed where there are no more than this
	Seed     uint64 // of the rows drawn
	Progress func(stage string, fraction float64)
}

// Polished is what the optimal plan costs on true distances, and how well that
// is known.
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

// Polish estimates the cost <P, d> of the plan that is optimal for the true
// distances d, those of g, from the plan r that solves p with an approximate
// kernel. Let e be the error of the approximate distances; the approximate
// plan's own cost is off by the order of e, and so is its cost on true
// distances, for it is the optimal plan of other ones. What is returned is off by
// the order of e^2.
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
	if o.Rows < 0 {
		return nil, fmt.Errorf("transport: %d rows", o.Rows)
	}
	if n == 0 {
		return &Polished{}, nil
	}
	w, control, err := p.follow(ctx, r, tune)
	if err != nil {
		return nil, err
	}
	if o.Rows == 0 {
		o.Rows = 512
	}
	draws := drawByMass(p.Source, o.Rows, o.Seed)
	var rows []int32
	for k, i := range draws {
		if k == 0 || i != draws[k-1] {
			rows = append(rows, i)
		}
	}
	means := make([]float64, n)
	solvers := make([]*shortest.Solver, parallel.Workers(len(rows)))
	distances := make([][]float64, len(solvers))
	err = parallel.Each(ctx, len(solvers), len(rows), func(worker, k int) {
		if solvers[worker] == nil {
			solvers[worker] = shortest.NewSolver(g)
		}
		distances[worker] = solvers[worker].Distances(distances[worker], rows[k])
		means[rows[k]] = meanOver(distances[worker], w, r.LogV, p.Epsilon)
		if o.Progress != nil && worker == 0 {
			o.Progress("polish", float64(k)/float64(len(rows)))
		}
	})
	if err != nil {
		return nil, err
	}
	mass, cost := 0.0, inner(p.Target, w)
	for i, a := range p.Source {
		if a > 0 {
			mass += a
			cost += a * control[i]
		}
	}
	out := &Polished{Rows: len(rows)}
	if len(draws) < o.Rows { // all rows
		for _, i := range rows {
			cost += p.Source[i] * (means[i] - control[i])
		}
		out.Cost = cost
		return out, nil
	}
	sum, steps := 0.0, 0.0
	for k, i := range draws {
		x := means[i] - control[i]
		sum += x
		if k > 0 { // neighbouring parts are alike: their difference is noise
			step := x - (means[draws[k-1]] - control[draws[k-1]])
			steps += step * step
		}
	}
	count := float64(len(draws))
	out.Cost = cost + mass*sum/count
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
