package quantized

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"genussink/core/internal/exponential"
	"genussink/core/internal/parallel"
	"genussink/core/shortest"
	"genussink/core/transport"
)

// Solution is a plan between cells, spread over their vertices in proportion to the mass.
type Solution struct {
	Kernel *Kernel
	Result *transport.Result // its potentials are those of the vertices

	source, target []float64
	small          *transport.Result // the same of the cells
	options        transport.Options // what that was solved with
}

// Solve solves between the cells. Source and target are densities of the n vertices, with nothing where there is no cell. The
// potentials to start from are those of last, if it has as many cells. Entropic cost, dual value and gap are those of the plan between
// the vertices, too: the relative entropy of P to the product of its marginals is the same.
func Solve(ctx context.Context, c *Cells, source, target []float64, epsilon float64, o transport.Options, last *Solution) (*Solution, error) {
	k, err := NewKernel(ctx, c, epsilon)
	if err != nil {
		return nil, err
	}
	s := &Solution{Kernel: k, source: source, target: target}
	s.options = k.from(o, last)
	if s.small, err = k.between(ctx, source, target, s.options); err != nil {
		return nil, err
	}
	s.Result = s.small.Spread(c.Of, source, target)
	return s, nil
}

// Repeat solves the problem between the cells again, from the same start. After every iteration it calls watch with the marginals of
// the plan between the vertices.
func (s *Solution) Repeat(ctx context.Context, progress func(stage string, fraction float64), watch transport.Watch) error {
	c := s.Kernel.cells
	var sides [2][]float64
	wanted := [2][]float64{s.source, s.target}
	sums := [2][]float64{c.Sum(s.source), c.Sum(s.target)}
	spread := func(side int, marginal []float64) []float64 {
		if marginal == nil {
			return nil
		}
		if sides[side] == nil {
			sides[side] = make([]float64, len(c.Of))
		}
		for v, cell := range c.Of {
			if x := wanted[side][v]; x > 0 { // its cell has mass, then
				sides[side][v] = marginal[cell] * x / sums[side][cell]
			}
		}
		return sides[side]
	}
	o := s.options
	o.Progress = progress
	o.Watch = func(iteration int, rows, columns []float64) { watch(iteration, spread(0, rows), spread(1, columns)) }
	_, err := s.Kernel.between(ctx, s.source, s.target, o)
	return err
}

// from is the options with the potentials of last to start from, where that has as many cells.
func (k *Kernel) from(o transport.Options, last *Solution) transport.Options {
	if last != nil && last.Kernel.cells.Count() == k.cells.Count() {
		o.LogU = make([]float64, len(last.small.LogU))
		for i, x := range last.small.LogU {
			o.LogU[i] = x * last.Kernel.epsilon / k.epsilon
		}
	}
	return o
}

func (k *Kernel) between(ctx context.Context, source, target []float64, o transport.Options) (*transport.Result, error) {
	return transport.Solve(ctx, transport.Problem{Kernel: k.small, Source: k.cells.Sum(source), Target: k.cells.Sum(target), Epsilon: k.epsilon}, o)
}

// Estimate is what the exact plan is estimated to cost, with an interval.
type Estimate struct {
	Cost, Low, High float64
	Cells           float64 // estimated: what the size of the cells adds to the cost
	Distances       float64 // estimated: what wrong distances add
	Spread          float64 // the standard error of Distances
}

// The estimate's constants, fitted to 360 costs of twelve meshes (docs/QUANTIZED.md); TestInterval holds them on other meshes.
const (
	order    = 0.75 // what the size of the cells adds, over what merging them in pairs adds
	doubt    = 0.5  // the share of what merging adds that may be wrong
	rising   = 3    // doubt grows by this, times what merging adds over the cost
	risen    = 0.5  // and by this at most
	trust    = 0.7  // the share of the error that rows of true distances show that is corrected
	standard = 2    // how many standard errors of that error the interval allows for
	least    = 4e-4 // the share of the cost that may always be wrong
	few      = 250  // of fewer cells that share grows like 1/k^3: merging them tells little
	fewest   = 100  // with fewer there is no estimate
	rounded  = 1e-6 // the share of the cost that rounding may be wrong by, where every vertex is a cell
)

// Estimate compares the plan with one between half as many cells. It also compares its distances with true ones, in some rows: checks
// is the number of Dijkstra searches on either side, and may be 0. With fewer than 100 cells there is no estimate: its numbers are NaN.
// Where every vertex is a cell, distances are the true ones, but for rounding, and the plan is the exact one.
func (s *Solution) Estimate(ctx context.Context, t *Net, checks int, o transport.Options) (e Estimate, err error) {
	c := s.Kernel.cells
	if cost := s.small.Cost; t.Radius == 0 {
		return Estimate{Cost: cost, Low: cost * (1 - rounded), High: cost * (1 + rounded)}, nil
	}
	if c.Count() < fewest {
		nan := math.NaN()
		return Estimate{nan, nan, nan, nan, nan, nan}, nil
	}
	half, err := NewKernel(ctx, c.Merge((c.Count()+1)/2), s.Kernel.epsilon)
	if err != nil {
		return e, err
	}
	o.Last, o.LogU, o.LogV = nil, nil, nil
	r, err := half.between(ctx, s.source, s.target, o)
	if err != nil {
		return e, err
	}
	added := math.Abs(r.Cost - s.small.Cost)
	e.Cells = order * (r.Cost - s.small.Cost)
	if checks > 0 {
		if e.Distances, e.Spread, err = s.check(ctx, t, checks); err != nil {
			return e, err
		}
		e.Distances *= trust
	}
	e.Cost = max(0, s.small.Cost-e.Cells-e.Distances)
	wide := doubt * added
	if s.small.Cost > 0 {
		wide += min(risen, rising*added/s.small.Cost) * added
	}
	unsure := least
	if fewer := few / float64(c.Count()); fewer > 1 {
		unsure *= fewer * fewer * fewer
	}
	if checks == 0 {
		unsure += t.reach.doubt
	}
	wide = math.Hypot(wide, standard*e.Spread) + unsure*e.Cost
	e.Low, e.High = max(0, e.Cost-wide), e.Cost+wide
	return e, nil
}

// check says by how much the distances of the plan are too long on average, and the standard error of that. On either side it
// draws cells by their mass and compares the means of true distances from their representatives with those that the net has.
func (s *Solution) check(ctx context.Context, t *Net, checks int) (mean, spread float64, err error) {
	c, k := s.Kernel.cells, s.Kernel.cells.Count()
	sides := [2]struct{ own, other, potential []float64 }{
		{s.source, s.target, s.small.LogV}, {s.target, s.source, s.small.LogU},
	}
	rng := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, 2*checks)
	solvers := make([]*shortest.Solver, parallel.Workers(len(values)))
	cells := make([]int, len(values))
	var masses [2][]float64
	var tops [2]float64
	mass := 0.0
	for side, x := range sides {
		tops[side] = slices.Max(x.potential)
		masses[side] = c.Sum(x.other)
		sums := c.Sum(x.own)
		mass = 0
		for i, m := range sums {
			mass += m
			sums[i] = mass
		}
		for r := range checks { // one in each of as many shares of the mass
			cells[side*checks+r], _, _ = pick(sums, mass*(float64(r)+rng.Float64())/float64(checks))
		}
	}
	err = parallel.Each(ctx, len(solvers), len(values), func(w, r int) {
		if solvers[w] == nil {
			solvers[w] = shortest.NewSolver(t.near)
		}
		side, i := r/checks, cells[r]
		x := sides[side]
		_, row := solvers[w].Within(math.Inf(1), t.position[i])
		means := make([]float64, k)
		for at, cell := range t.cell {
			if c.Mass[cell] > 0 {
				v := t.order[at]
				means[cell] += (s.source[v] + s.target[v]) / (2 * c.Mass[cell]) * row[at]
			}
		}
		// The error of the plan's row: sum_J P_IJ (d(r_I, J) - the net's mean for it - half the error of the representatives' distance). Either
		// side counts half of that error.
		var sum, total float64
		for j, d := range c.Distance[i*k:][:k] {
			if !(masses[side][j] > 0) || math.IsInf(d, 1) {
				continue
			}
			p := exponential.Exp(x.potential[j] - d/s.Kernel.epsilon - tops[side])
			far, back := c.further[i*k+j], c.further[j*k+i]
			direct := row[t.position[j]] - (d - far - back)
			if i == j {
				direct, back = 0, d-far
			}
			sum += p * (means[j] - (d - back) - direct/2)
			total += p
		}
		if total > 0 {
			values[r] = -sum / total
		}
	})
	if err != nil {
		return 0, 0, err
	}
	for side := range sides {
		m, sq := 0.0, 0.0
		for _, x := range values[side*checks:][:checks] {
			m += x / float64(checks)
		}
		for _, x := range values[side*checks:][:checks] {
			sq += (x - m) * (x - m)
		}
		mean += m * mass
		if checks > 1 {
			spread += sq / float64(checks*(checks-1)) * mass * mass
		}
	}
	return mean, math.Sqrt(spread), nil
}
