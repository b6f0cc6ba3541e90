package published

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/measure"
	"genussink/core/transport"
)

// ScreenkhornOptions of Screenkhorn. The zero value has the paper's.
type ScreenkhornOptions struct {
	Budget         float64 // the share of the vertices with mass that each side keeps, above 0 and at most 1; 0: 0.5
	Tolerance      float64 // of the optimality conditions, an L1 error as a share of the mass; 0: 1e-9
	MaxEvaluations int     // of the function and its gradient, two products each; 0: 500
}

// Screenkhorn solves a problem by the screened dual of Alaya, Bérar, Gasso and Rakotomamonjy (2019): the vertices with the least mass for
// the sum of their kernel's row keep the least scaling, and the scalings of the others, in bounds (their Proposition 1), minimise
//
//	u^T K v - kappa a^T log u - b^T log v / kappa.
//
// The plan is divided by its sum, and has the marginals but for what the screening changes: that is the Result's MarginalError, of both
// sides. Its Status tells whether the optimality conditions hold; its Iterations are evaluations, its trace is the last error alone, its Primal,
// Dual and Gap are NaN. Where exp(-d/epsilon) or scalings leave float64 it is an error.
func Screenkhorn(ctx context.Context, p transport.Problem, o ScreenkhornOptions) (*transport.Result, error) {
	start := time.Now()
	if o.Budget == 0 {
		o.Budget = 0.5
	}
	if !(o.Budget > 0 && o.Budget <= 1) {
		return nil, fmt.Errorf("published: the budget is %g, it must be above 0 and at most 1", o.Budget)
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-9
	}
	if err := positive("the tolerance", o.Tolerance); err != nil {
		return nil, err
	}
	if o.MaxEvaluations < 0 {
		return nil, fmt.Errorf("published: at most %d evaluations", o.MaxEvaluations)
	}
	if o.MaxEvaluations == 0 {
		o.MaxEvaluations = 500
	}
	mass, err := balanced(p)
	if err != nil {
		return nil, err
	}
	s, err := screen(ctx, p, o.Budget)
	if err != nil {
		return nil, err
	}
	x, err := s.warm()
	if err != nil {
		return nil, err
	}
	r := &transport.Result{}
	r.Form, r.Status = job.Scaling, job.Iterations
	o.Tolerance *= s.sides[0].weight + s.sides[1].weight // the masses of the function
	dual := box{s.low, s.high, s.evaluate}
	var missed float64
	if x, r.Iterations, missed, err = dual.minimise(x, o.Tolerance, o.MaxEvaluations); err != nil {
		return nil, err
	}
	if missed <= o.Tolerance {
		r.Status = job.Converged
	}
	if err := s.set(x); err != nil {
		return nil, err
	}
	total := 0.0
	for i, u := range s.sides[0].scaling {
		total += u * s.sides[0].sums[i]
	}
	if !(total > 0) || math.IsInf(total, 1) {
		return nil, fmt.Errorf("published: at an epsilon of %g the scalings leave float64", p.Epsilon)
	}
	var logs [2][]float64
	for k, side := range s.sides {
		logs[k] = make([]float64, len(side.mass))
		for i, u := range side.scaling {
			logs[k][i] = math.Log(u) + math.Log(mass/total)/2
			r.MarginalError += math.Abs(u*side.sums[i]/total - side.mass[i])
		}
	}
	r.LogU, r.LogV, r.Trace = logs[0], logs[1], []float64{r.MarginalError}
	if r.Cost, err = p.Kernel.PlanCost(ctx, r.LogU, r.LogV); err != nil {
		return nil, err
	}
	r.Primal, r.Dual, r.Gap = math.NaN(), math.NaN(), math.NaN()
	r.Seconds = time.Since(start).Seconds()
	return r, nil
}

// screened is the dual of a problem. Its variables are the logarithms of the kept scalings, the source's first.
type screened struct {
	ctx       context.Context
	kernel    linop.Kernel
	sides     [2]*half
	low, high []float64 // bounds of the variables
}

// half is one side. Slices have a value for every vertex.
type half struct {
	mass    []float64 // shares
	all     int       // vertices with mass
	kept    []int     // those of them whose scaling is a variable
	weight  float64   // of mass in the function: kappa, or 1/kappa
	scaling []float64 // 0 where there is no mass
	sums    []float64 // of the kernel's rows times the other side's scaling
}

// screen chooses what is kept, and the bounds.
func screen(ctx context.Context, p transport.Problem, budget float64) (*screened, error) {
	n := len(p.Source)
	s := &screened{ctx: ctx, kernel: p.Kernel}
	for k, masses := range [2][]float64{p.Source, p.Target} {
		side := &half{measure.Normalise(slices.Clone(masses)), 0, nil, 1, make([]float64, n), make([]float64, n)}
		for i, a := range side.mass {
			if a > 0 {
				side.all++
				side.scaling[i] = 1
			}
		}
		s.sides[k] = side
	}
	if err := s.multiply(); err != nil {
		return nil, err
	}
	var squares [2]float64 // of the least scaling: of u times kappa, of v over kappa
	for k, side := range s.sides {
		ratios := make([]float64, 0, side.all)
		for i, a := range side.mass {
			if a > 0 {
				ratios = append(ratios, a/side.sums[i])
			}
		}
		slices.Sort(ratios)
		if budget < 1 {
			squares[k] = ratios[side.all-max(1, int(budget*float64(side.all)))]
		}
		for i, a := range side.mass {
			if a > 0 && a/side.sums[i] >= squares[k] {
				side.kept = append(side.kept, i)
			}
		}
	}
	if budget == 1 { // the whole dual
		for _, side := range s.sides {
			for range side.kept {
				s.low, s.high = append(s.low, math.Inf(-1)), append(s.high, math.Inf(1))
			}
		}
		return s, nil
	}
	epsilon, kappa := math.Pow(squares[0]*squares[1], 1./4), math.Sqrt(squares[1]/squares[0])
	s.sides[0].weight, s.sides[1].weight = kappa, 1/kappa
	smallest, row := 1.0, make([]float64, n) // entry of the kernel between kept vertices
	for _, i := range s.sides[0].kept {
		if _, err := linop.Row(ctx, p.Kernel, p.Epsilon, row, i); err != nil {
			return nil, err
		}
		for _, j := range s.sides[1].kept {
			smallest = min(smallest, row[j])
		}
	}
	smallest = max(smallest, 0x1p-1022)
	for k, side := range s.sides {
		other := s.sides[1-k]
		least, most := side.extremes()
		_, others := other.extremes()
		low := max(epsilon/side.weight, least/(float64(other.all-len(other.kept))*epsilon+float64(len(other.kept))*other.weight*others/(float64(side.all)*epsilon*smallest)))
		high := max(low, most/(float64(other.all)*epsilon*smallest))
		for i := range side.scaling {
			side.scaling[i] *= epsilon / side.weight
		}
		for range side.kept {
			s.low, s.high = append(s.low, math.Log(low)), append(s.high, math.Log(high))
		}
	}
	return s, nil
}

// extremes is the least and the greatest mass that is kept.
func (h *half) extremes() (least, most float64) {
	least = math.Inf(1)
	for _, i := range h.kept {
		least, most = min(least, h.mass[i]), max(most, h.mass[i])
	}
	return least, most
}

// multiply computes both sides' sums.
func (s *screened) multiply() error {
	for k, side := range s.sides {
		if _, err := s.kernel.MulVec(s.ctx, side.sums, s.sides[1-k].scaling); err != nil {
			return err
		}
	}
	return nil
}

// warm is where the minimisation begins: a few of Sinkhorn's iterations, in the bounds.
func (s *screened) warm() ([]float64, error) {
	const iterations = 5
	for range iterations {
		for k := range 2 {
			side := s.sides[1-k] // the target's first
			if _, err := s.kernel.MulVec(s.ctx, side.sums, s.sides[k].scaling); err != nil {
				return nil, err
			}
			for _, i := range side.kept {
				side.scaling[i] = side.weight * side.mass[i] / side.sums[i]
			}
		}
	}
	x := make([]float64, 0, len(s.low))
	for _, side := range s.sides {
		for _, i := range side.kept {
			x = append(x, min(max(math.Log(side.scaling[i]), s.low[len(x)]), s.high[len(x)]))
		}
	}
	return x, nil
}

// set sets the scalings to those of the variables, and the sums.
func (s *screened) set(x []float64) error {
	for _, side := range s.sides {
		for _, i := range side.kept {
			side.scaling[i], x = math.Exp(x[0]), x[1:]
		}
	}
	return s.multiply()
}

// evaluate computes the function but for a constant, its gradient g, and h, which is no less than the diagonal of its second derivative.
func (s *screened) evaluate(g, h, x []float64) (f float64, err error) {
	if err := s.set(x); err != nil {
		return 0, err
	}
	for i, u := range s.sides[0].scaling {
		f += u * s.sides[0].sums[i]
	}
	at := 0
	for _, side := range s.sides {
		for _, i := range side.kept {
			has, wanted := side.scaling[i]*side.sums[i], side.weight*side.mass[i]
			f -= wanted * x[at]
			g[at], h[at] = has-wanted, max(has, wanted)
			at++
		}
	}
	return f, nil
}
