// Package transport solves entropic optimal transport over any linop.Kernel
// by Sinkhorn's iteration and answers questions about the plan without ever
// forming it.
//
// With the kernel K = exp(-D/epsilon) the plan is P_ij = u_i K_ij v_j (the
// paper, Sec. 1, Eq. 4, for f = exp); it is kept as log u and log v.
//
// # Deviations
//
// From the paper (Sec. 1):
//
//   - With another f (linop.LogEntrier) the iteration is the same, which is that of matrix scaling: it converges for every positive
//     kernel (Sinkhorn, 1964; Franklin and Lorenz, 1989). The plan is u f v. It minimises <P, C> + epsilon KL(P | a b^T/m) for the cost
//     C = -epsilon log f(D), and that is what primal, dual and gap are of. The paper regularises by an h = f^-1 and the distance
//     instead; whether the plan minimises that is not shown. Cost is of the distance.
//   - The iteration is accelerated (anderson.go) and begins on a problem of few
//     vertices (correction.go). Its fixed point is the same.
//   - It ends when the marginal error is within a tolerance, not after a
//     constant number of steps.
//   - Where exp(-D/epsilon) would leave a float64, products are taken in
//     logarithms.
//   - Vertices without mass are left out; there u or v is 0.
//   - With Options.Reach transport is unbalanced (unbalanced.go), which the paper has not.
package transport

import (
	"context"
	"time"

	"genussink/core/job"
	"genussink/core/linop"
)

// Problem is to move Source to Target at the least entropic cost
// <P, D> + Epsilon sum_ij P_ij log(P_ij mass/(a_i b_j)), a being the Source and b the
// Target, sums over P_ij > 0: the regulariser is the relative entropy of the plan to the product of
// its marginals, which is 0 for that product and never negative. So the entropic cost is at
// least <P, D>, and that of the optimum at least the unregularised optimum. Other constants, as in
// <P, D> + Epsilon sum_ij P_ij (log P_ij - 1), have the same plan.
type Problem struct {
	Kernel         linop.Kernel // n x n, of the same Epsilon; it serves one Solve at a time
	Source, Target []float64    // n values each, finite and >= 0, of equal totals; vertices without mass are legal
	Epsilon        float64      // in the unit of D, positive
}

// Options of Solve. The zero value works.
type Options struct {
	Tolerance     float64 // L1 marginal error to stop at, as a share of the total mass; 0: 1e-9
	MaxIterations int     // 0: 10000; meshes need 10 at an epsilon of 0.2 diagonals, some 100 at 0.005

	// LogU and LogV are potentials to start from, of a Result with other densities; one of them is enough. Those of a Result with
	// another epsilon must be multiplied by that epsilon over the new one. nil: the solve starts from nothing.
	LogU, LogV []float64

	// Last is a result of the same kernel. The solve then starts from its potentials and their known products, and ignores LogU and
	// LogV. nil: there is none. A problem of at most 64 vertices with distances above 8 epsilon is annealed: it ignores Last, LogU and
	// LogV.
	Last *Result

	// Coarse is made from the kernel's graph and distances. With it a solve takes fewer iterations; the smaller epsilon is, the more
	// it saves. nil: there is none.
	Coarse Coarse

	Progress func(stage string, fraction float64)
	Watch    Watch // nil: nobody watches; it is not called with a Reach

	// Reach, in the unit of D, lets mass be created and destroyed at a price: unbalanced transport. The totals may differ. Let the
	// rows of a plan sum to r and its columns to c. The plan then costs Reach (KL(r|a) + KL(c|b)) more, where KL(x|y) is
	// sum x log(x/y) - x + y. So mass moves about as far as Reach and not much further. The regulariser is Epsilon KL(P | a b^T/m),
	// where m is the geometric mean of the totals. Last and Coarse are ignored then. 0: balanced.
	Reach float64
}

// Watch is called after every iteration. Iterations are numbered from 1. rows and columns are the sums of the plan's rows and columns, n
// values each, as shares of the total mass; they are 0 at vertices without mass. Watch must not keep the slices. If the last update made
// the sums of one side exact, up to rounding, that side is nil: its sums are the masses.
type Watch func(iteration int, rows, columns []float64)

const defaultTolerance = 1e-9

// LeastEpsilon is the least epsilon at which a solve can reach a tolerance (0: the default), where no distance exceeds reach. Potentials
// are distances over epsilon. Rounding changes them by about 2^-50 of themselves. Below the least epsilon that alone is a larger marginal
// error than the tolerance. A tolerance below the default counts as the default: there the iterations decide how far a solve comes.
func LeastEpsilon(reach, tolerance float64) float64 {
	return reach * 0x1p-50 / max(tolerance, defaultTolerance)
}

// MostEpsilon is the greatest epsilon of a solve, where no distance exceeds reach. The primal value is a cost and epsilon times a penalty. Rounding
// changes the penalty by about 2^-50. With a greater epsilon that would be more than a millionth of the longest distance.
func MostEpsilon(reach float64) float64 { return reach * 0x1p30 }

// A Solution's Status and Form.
const (
	Converged  = job.Converged
	Iterations = job.Iterations
	Scaling    = job.Scaling
	Log        = job.Log
)

// Result is the solution and the evidence for it.
type Result struct {
	job.Solution
	LogU, LogV []float64 // -Inf where there is no mass
	Seconds    float64

	// With a Reach: the mass that is destroyed, and that which is created. The source's mass - Destroyed + Created is the target's.
	Destroyed, Created float64

	// For Options.Last and Products: log K v and log K^T u, those of the small graph, and the target's shares.
	products products
	coarse   Coarse
	wanted   products
	target   []float64
}

// Products are log K v and log K^T u, of potentials for a mass of 1: -epsilon times them are nearly dual potentials of
// the unregularised problem, and they have values wherever mass reaches. They are not to be changed.
func (r *Result) Products() (kv, ku []float64) { return r.products.kv, r.products.ku }

// Solve runs Sinkhorn's iteration u = a/(K v), v = b/(K^T u), accelerated
// (anderson.go) and, in the scaling form, corrected on a coarse graph (correction.go). As u
// is exact for its v, the plan's rows are the source, and the marginal error is that
// of the columns. Only the last u may be made from a guess of K v (prediction.go): then the product that ends
// the solve, which tells the cost too, tells the errors of both sides. After a last result with the same target, source and target change
// places: K v, which follows v, changes more smoothly than K^T u, which follows the new source, and is
// the easier one to predict. The potentials are kept as logarithms; the form says how they
// meet the kernel: by MulVec on u and v (scaling) or by LogMulVec (log).
//
// The scaling form is chosen when nothing in it can leave float64. Let L be
// -LogFloor, R the largest -log of a positive share of mass, and c = log n.
// One update spreads log u over at most L+R, since the entries of K differ by
// no factor beyond e^L; some product u_i K_ij v_j is at least 1/n^2 of the
// mass and none exceeds it, so in the balanced gauge |log u| and |log v| stay
// within L+R+c, and so does the dominant term of each sum. Hence the rule
// L+R+c <= linop.MaxLog. Below that floor, or when a product leaves the safe
// range in spite of it (potentials to start from may be anything), logarithms
// take over from the potentials at hand.
//
// A density's transport to itself takes another iteration (symmetric.go); its plan misses both marginals by as much.
//
// Errors: bad data, or mass that no mass of the other side can reach.
// Components whose source and target masses differ never converge: check them
// first (measure.Components). When ctx ends, its error is returned.
func Solve(ctx context.Context, p Problem, o Options) (*Result, error) {
	if o.Reach != 0 {
		return solveUnbalanced(ctx, p, o)
	}
	start := time.Now()
	s, err := solvePotentials(ctx, p, o)
	if err != nil {
		return nil, err
	}
	defer s.space.leave() // the result has nothing of it
	if s.n > 0 {
		if err := s.evidence(); err != nil {
			return nil, err
		}
	}
	s.result.Seconds = time.Since(start).Seconds()
	return &s.result, nil
}

// solvePotentials is Solve without the evidence: potentials for a mass of 1.
func solvePotentials(ctx context.Context, p Problem, o Options) (*state, error) {
	s, err := newState(ctx, p, o)
	if err != nil {
		return nil, err
	}
	s.result.Status, s.result.Form = Converged, Scaling
	if s.n == 0 {
		return s, nil
	}
	cold, symmetric := o.Last == nil && o.LogU == nil && o.LogV == nil, s.symmetric()
	annealing := !symmetric && s.n <= tiny && -s.kernel.LogFloor() > steep
	if !s.scalingIsSafe() {
		s.result.Form = Log
	} else if o.Coarse != nil && !symmetric && !annealing {
		var ku []float64
		if last := o.Last; last != nil && last.coarse == o.Coarse {
			ku = s.of(last.wanted).ku
		}
		if s.correction, err = newCorrection(ctx, o.Coarse, s.epsilon, s.a, s.b, s.tolerance/10, ku, s.space); err != nil {
			return nil, err
		}
	}
	if annealing { // from nothing: other potentials are no better to begin with
		o.Last, o.LogU, o.LogV = nil, nil, nil
	}
	if cold && !symmetric && !annealing && s.result.Form == Log {
		if o.LogU, err = temper(ctx, p, o); err != nil {
			return nil, err
		}
		if o.LogU != nil {
			s.done = begun
		}
	}
	if err = s.begin(o); err == nil && annealing {
		err = s.anneal()
	}
	switch {
	case err != nil:
	case symmetric:
		err = s.iterateMean(cold)
	default:
		err = s.iterate()
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}
