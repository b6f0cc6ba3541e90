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
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"genussink/core/internal/exponential"
	"genussink/core/internal/parallel"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/measure"
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

// state is a solve under way. Everything is in shares of the total mass, so
// that both sides total 1; the result is scaled back.
type state struct {
	ctx        context.Context
	progress   func(stage string, fraction float64)
	done       float64 // what it was told last
	kernel     linop.Kernel
	epsilon    float64
	n          int
	mass       float64
	turned     bool // a is the problem's target and b its source
	a, b       []float64
	loga, logb []float64
	logu, logv []float64
	kv, ku     []float64  // log K v and log K^T u, of the current v and u
	x          []float64  // a factor of the scaling form's products
	y          []float64  // likewise: the plan's other scaling
	cost       float64    // of the current u and v, per unit of mass; NaN: not known
	image      []float64  // the v that one more update would make
	improved   []float64  // image, corrected
	rows       []float64  // sums of the plan's, of the current u and v; a, but for rounding, unless kv was a guess
	columns    []float64  // likewise
	space      *workspace // for all that the result does not keep
	correction *correction
	anderson   *anderson
	tolerance  float64
	most       int
	watch      Watch // nil: nobody
	result     Result
}

// of returns the products of a result as the state has them, or the state's as a result has them.
func (s *state) of(p products) products {
	if s.turned {
		return p.turned()
	}
	return p
}

// fits is an error where a kernel cannot be one of a problem's, with that epsilon.
func fits(kernel linop.Kernel, epsilon float64) error {
	if kernel == nil {
		return errors.New("transport: there is no kernel")
	}
	if n, cols := kernel.Dims(); n != cols {
		return fmt.Errorf("transport: a kernel of %d x %d, it must be square", n, cols)
	}
	if !(epsilon > 0) || math.IsInf(epsilon, 1) {
		return fmt.Errorf("transport: epsilon is %g, it must be positive and finite", epsilon)
	}
	if k, known := kernel.(linop.Scaler); known && k.Epsilon() != epsilon {
		return fmt.Errorf("transport: epsilon is %g, and the kernel's is %g", epsilon, k.Epsilon())
	}
	return nil
}

func newState(ctx context.Context, p Problem, o Options) (*state, error) {
	if err := fits(p.Kernel, p.Epsilon); err != nil {
		return nil, err
	}
	n, _ := p.Kernel.Dims()
	if !(o.Reach >= 0) || math.IsInf(o.Reach, 1) {
		return nil, fmt.Errorf("transport: the reach is %g, it must be positive and finite", o.Reach)
	}
	if math.IsInf(p.Kernel.LogFloor(), -1) {
		return nil, fmt.Errorf("transport: epsilon is %g: a distance divided by it is too large for a float64", p.Epsilon)
	}
	if !(o.Tolerance >= 0) || math.IsInf(o.Tolerance, 1) {
		return nil, fmt.Errorf("transport: the tolerance is %g, it must be positive and finite", o.Tolerance)
	}
	if o.MaxIterations < 0 {
		return nil, fmt.Errorf("transport: at most %d iterations", o.MaxIterations)
	}
	if o.Last != nil && len(o.Last.LogU) != n {
		return nil, fmt.Errorf("transport: the last result is of %d vertices, the kernel of %d", len(o.Last.LogU), n)
	}
	if o.Coarse != nil {
		if of, _ := o.Coarse.Len(); of != n {
			return nil, fmt.Errorf("transport: the coarse graph is of %d vertices, the kernel of %d", of, n)
		}
	}
	for _, w := range []struct {
		name   string
		values []float64
	}{{"LogU", o.LogU}, {"LogV", o.LogV}} {
		if w.values != nil && len(w.values) != n {
			return nil, fmt.Errorf("transport: %s has %d values for %d vertices", w.name, len(w.values), n)
		}
	}
	if err := measure.Validate(p.Source, n); err != nil {
		return nil, fmt.Errorf("transport: source: %w", err)
	}
	if err := measure.Validate(p.Target, n); err != nil {
		return nil, fmt.Errorf("transport: target: %w", err)
	}
	ma, mb := measure.Total(p.Source), measure.Total(p.Target)
	mass := ma
	if o.Reach != 0 {
		mass = geometric(p.Source, p.Target)
		ma, mb = mass, mass
	}
	if math.Abs(ma-mb) > 1e-9*max(ma, mb) {
		return nil, fmt.Errorf("transport: the source's mass is %g and the target's %g, they must agree", ma, mb)
	}
	room := workspaceFor(n)
	s := &state{
		ctx: ctx, progress: o.Progress,
		kernel: p.Kernel, epsilon: p.Epsilon, n: n, mass: mass,
		a: share(room.vector(), p.Source, ma), b: share(make([]float64, n), p.Target, mb),
		tolerance: o.Tolerance, most: o.MaxIterations, watch: o.Watch,
		loga: room.vector(), logb: room.vector(), logv: room.vector(), x: room.vector(), y: room.vector(),
		kv: make([]float64, n), ku: make([]float64, n), // for the result, as b and logu
		cost:  math.NaN(),
		image: room.vector(), improved: room.vector(), rows: room.vector(), columns: room.vector(),
		space: room,
	}
	s.result.target = s.b
	if s.turned = o.Last != nil && slices.Equal(o.Last.target, s.b); s.turned {
		s.a, s.b = s.b, s.a
	}
	s.anderson = newAnderson(s.b, room)
	parallel.Loop(n, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			s.loga[i], s.logb[i] = math.Log(s.a[i]), math.Log(s.b[i])
		}
	})
	s.logu = slices.Clone(s.loga) // -Inf without mass
	if s.tolerance == 0 {
		s.tolerance = defaultTolerance
	}
	if s.most == 0 {
		s.most = 10000
	}
	return s, nil
}

// begin sets logv to log b - log K^T u of the last result, which has a value wherever
// u reaches, new mass included, with log K^T u changed by as much as that of the small problem is.
// Without a last result, u is LogU, or else logv is LogV, or the small problem's, or 0.
func (s *state) begin(o Options) error {
	if last := o.Last; last != nil {
		copy(s.ku, s.of(last.products).ku)
		if k := s.correction; k != nil && k.c == last.coarse {
			k.follow(s.ku, k.wanted.ku, s.of(last.wanted).ku)
		}
	} else if o.LogU != nil {
		if err := s.reach(o.LogU); err != nil {
			return err
		}
	} else if k := s.correction; k != nil && o.LogV == nil {
		clear(s.x)
		k.c.Interpolate(s.x, k.wanted.ku)
	}
	for j, b := range s.logb {
		switch {
		case b == math.Inf(-1):
			s.logv[j] = b
		case o.Last != nil || o.LogU != nil:
			if finite(s.ku[j]) {
				s.logv[j] = b - s.ku[j]
			}
		case o.LogV != nil:
			if finite(o.LogV[j]) {
				s.logv[j] = o.LogV[j]
			}
		case s.correction != nil:
			s.logv[j] = b - s.x[j]
		}
	}
	return nil
}

// reach sets ku to log K^T u.
func (s *state) reach(logu []float64) error {
	top := math.Inf(-1)
	for _, x := range logu {
		if x < math.Inf(1) {
			top = max(top, x)
		}
	}
	w := make([]float64, s.n)
	for i, x := range logu {
		w[i] = math.Inf(-1)
		if x < math.Inf(1) && top > math.Inf(-1) { // not NaN
			w[i] = x - top // a common factor of u is none of the plan's
		}
	}
	return s.product(s.ku, w, s.logb)
}

func finite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }

// iterate runs to the tolerance or the last iteration and leaves the
// potentials in logu and logv, with kv of the same v.
func (s *state) iterate() error {
	if err := s.product(s.kv, s.logv, s.loga); err != nil {
		return err
	}
	guessed := false // kv is a guess
	for {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if i := s.follow(s.logu, s.loga, s.kv); i < s.n {
			return s.stranded(!s.turned, s.a[i], i)
		}
		s.cost = math.NaN()
		closed := false
		if s.closing() {
			var err error
			if closed, err = s.close(guessed); err != nil {
				return err
			}
		}
		if !closed {
			guessed = false
			if err := s.product(s.ku, s.logu, s.logb); err != nil {
				return err
			}
		}
		if j := s.follow(s.image, s.logb, s.ku); j < s.n {
			return s.stranded(s.turned, s.b[j], j)
		}
		e := s.measure(s.columns, s.b, s.logv, s.ku)
		if guessed {
			e = max(e, s.measure(s.rows, s.a, s.logu, s.kv))
		} else {
			copy(s.rows, s.a)
		}
		last, err := s.record(e)
		s.tell(guessed)
		if last || err != nil {
			return err
		}
		if guessed { // not good enough; u is made anew of the K v that is known now
			guessed = false
			continue
		}
		if guessed, err = s.step(e); err != nil {
			return err
		}
	}
}

// tell calls Watch for the iteration that was recorded. Unless kv was a guess, u makes the rows' sums exact.
func (s *state) tell(guessed bool) {
	if s.watch == nil {
		return
	}
	rows, columns := s.rows, s.columns
	if !guessed {
		rows = nil
	}
	if s.turned {
		rows, columns = columns, rows
	}
	s.watch(s.result.Iterations, rows, columns)
}

// record notes that an iteration has come to a marginal error, and says whether it was the last one.
func (s *state) record(e float64) (last bool, err error) {
	if !finite(e) {
		return true, fmt.Errorf("transport: the iteration left float64: marginal error %g", e)
	}
	r := &s.result
	r.Iterations++
	r.MarginalError, r.Trace = e, append(r.Trace, e)
	if r.Status = Iterations; e <= s.tolerance {
		r.Status = Converged
	}
	if r.Status == Converged || r.Iterations == s.most {
		return true, nil
	}
	if first := r.Trace[0]; s.progress != nil { // the error falls geometrically, not always
		s.done = max(s.done, min(1, math.Log(e/first)/math.Log(s.tolerance/first)))
		s.progress("solve", s.done)
	}
	return false, nil
}

// stranded is the error of a share of mass that nothing reaches.
func (s *state) stranded(source bool, share float64, vertex int) error {
	if source {
		return fmt.Errorf("transport: no target mass can be reached from the source mass %g at vertex %d", share*s.mass, vertex)
	}
	return fmt.Errorf("transport: no source mass can reach the target mass %g at vertex %d", share*s.mass, vertex)
}

// step sets logv to the next one, and kv to its log K v: before the closing iteration to a guess, where that will do.
func (s *state) step(e float64) (guessed bool, err error) {
	if s.result.Form != Scaling {
		s.correction = nil
	}
	if s.correction != nil {
		copy(s.correction.prediction.logv, s.logv)
	}
	if err := s.advance(e); err != nil {
		return false, err
	}
	if s.correction == nil {
		return false, s.product(s.kv, s.logv, s.loga)
	}
	f := s.correction.prediction
	f.look(s.correction, s.kv, s.logv, s.b)
	if s.closing() && f.predict(s.kv, e, s.tolerance) {
		return true, nil
	}
	if err := s.product(s.kv, s.logv, s.loga); err != nil {
		return false, err
	}
	f.learn(s.kv, s.a, e)
	return false, nil
}

// advance sets logv to the next one. A correction that led astray is the last: there
// epsilon is too small for the representatives.
func (s *state) advance(e float64) error {
	if s.correction == nil {
		s.anderson.next(s.logv, s.image, nil, e)
		return nil
	}
	copy(s.improved, s.image)
	ok, err := s.correction.correct(s.improved, s.columns, e)
	if err != nil {
		return err
	}
	if !ok {
		s.correction = nil
		s.anderson.next(s.logv, s.image, nil, e)
	} else if s.anderson.next(s.logv, s.improved, s.image, e) {
		s.correction = nil
	}
	return nil
}

// follow sets x to logmass - y where there is mass, and returns the first place
// under mass whose y is not finite, or n.
func (s *state) follow(x, logmass, y []float64) int {
	bad := make([]int, parallel.Pieces(s.n))
	parallel.Loop(s.n, func(p, lo, hi int) {
		bad[p] = s.n
		for i := lo; i < hi; i++ {
			m := logmass[i]
			if m == math.Inf(-1) {
				continue // and x is -Inf
			}
			if !finite(y[i]) {
				bad[p] = min(bad[p], i)
			}
			x[i] = m - y[i]
		}
	})
	return slices.Min(bad)
}

// measure computes the sums of the plan over one side, of these masses and scalings and with these
// logarithms of products, and returns their L1 distance from the masses.
func (s *state) measure(sums, mass, scaling, product []float64) float64 {
	errors := make([]float64, parallel.Pieces(s.n))
	parallel.Loop(s.n, func(p, lo, hi int) {
		e := 0.0
		for j := lo; j < hi; j++ {
			sums[j] = 0
			if m := mass[j]; m > 0 {
				sums[j] = exponential.Exp(scaling[j] + product[j])
				e += math.Abs(sums[j] - m)
			}
		}
		errors[p] = e
	})
	return measure.Total(errors)
}

// closing reports whether the iteration to come is the last: whether its error will be within the tolerance if it falls
// as it did last time: then it and the plan's cost are found at once, in the scaling form.
func (s *state) closing() bool {
	trace := s.result.Trace
	last := len(trace) - 1
	return s.result.Form == Scaling && last >= 1 && trace[last]*trace[last] <= s.tolerance*trace[last-1]
}

// product sets dst = log K exp(logx). Only where logmass is above -Inf does
// the result matter; where it leaves the scaling form's range there, the
// logarithms take over for good.
func (s *state) product(dst, logx, logmass []float64) error {
	if s.result.Form == Scaling {
		if s.exponentials(s.x, logx) {
			if _, err := s.kernel.MulVec(s.ctx, dst, s.x); err != nil {
				return err
			}
			if s.logarithms(dst, logmass) {
				return nil
			}
		}
		s.result.Form = Log
	}
	_, err := s.kernel.LogMulVec(s.ctx, dst, logx)
	return err
}

// close sets ku and the cost, and kv where it is a guess, to those of the current u and v. False: not in the
// scaling form; then the logarithms have taken over, and u is exact for v.
func (s *state) close(guessed bool) (closed bool, err error) {
	if s.exponentials(s.x, s.logu) && s.exponentials(s.y, s.logv) {
		var kv []float64
		if guessed {
			kv = s.kv
		}
		if s.cost, err = linop.MulPlan(s.ctx, s.kernel, s.ku, kv, s.x, s.y); err != nil {
			return false, err
		}
		if s.logarithms(s.ku, s.logb) && (!guessed || s.logarithms(s.kv, s.loga)) {
			return true, nil
		}
	}
	s.result.Form, s.cost = Log, math.NaN()
	if guessed {
		if err := s.product(s.kv, s.logv, s.loga); err != nil {
			return false, err
		}
		s.follow(s.logu, s.loga, s.kv)
	}
	return false, nil
}

// logarithms replaces the values of dst by theirs. False: some, where logmass is above -Inf, are out of the
// scaling form's range.
func (s *state) logarithms(dst, logmass []float64) bool {
	out := make([]bool, parallel.Pieces(s.n))
	parallel.Loop(s.n, func(p, lo, hi int) {
		left := false // its own: out's places lie in one cache line
		for i := lo; i < hi; i++ {
			dst[i] = math.Log(dst[i])
			left = left || logmass[i] > math.Inf(-1) && !(math.Abs(dst[i]) <= linop.MaxLog)
		}
		out[p] = left
	})
	return !slices.Contains(out, true)
}

// exponentials sets dst = exp(logx). False: some are out of the scaling form's range.
func (s *state) exponentials(dst, logx []float64) bool {
	out := make([]bool, parallel.Pieces(s.n))
	parallel.Loop(s.n, func(p, lo, hi int) {
		left := false
		for i := lo; i < hi; i++ {
			left = left || logx[i] > linop.MaxLog
			dst[i] = exponential.Exp(logx[i])
		}
		out[p] = left
	})
	return !slices.Contains(out, true)
}

func (s *state) scalingIsSafe() bool {
	reach := -s.kernel.LogFloor() + math.Log(float64(s.n))
	least := 0.0
	for i := range s.n {
		if s.a[i] > 0 {
			least = min(least, s.loga[i])
		}
		if s.b[i] > 0 {
			least = min(least, s.logb[i])
		}
	}
	return reach-least <= linop.MaxLog
}

// evidence fills the result from the last potentials, scaled back to the mass
// that was given: u v K totals mass when log u and log v carry half of log
// mass each.
func (s *state) evidence() (err error) {
	r := &s.result
	r.Gap = s.mass * s.gap()
	r.Dual = s.mass * s.dual()
	r.Primal = r.Dual + r.Gap
	r.products = s.of(products{s.kv, s.ku})
	if s.correction != nil {
		r.coarse, r.wanted = s.correction.c, s.of(s.correction.wanted)
	}
	r.LogU, r.LogV = s.logu, make([]float64, s.n)
	shift := math.Log(s.mass) / 2
	for i := range s.n {
		r.LogU[i] += shift
		r.LogV[i] = s.logv[i] + shift
	}
	if s.turned {
		r.LogU, r.LogV = r.LogV, r.LogU
	}
	if r.Cost = s.mass * s.cost; math.IsNaN(r.Cost) {
		r.Cost, err = s.kernel.PlanCost(s.ctx, r.LogU, r.LogV)
	}
	return err
}

// dual is the dual value per unit of mass, with the potentials f = epsilon log(u/a) and g = epsilon log(v/b):
// a.f + b.g - epsilon (sum P - 1). For any potentials it is at most the optimum.
func (s *state) dual() float64 {
	value := 1 - measure.Total(s.columns)
	for i, a := range s.a {
		if a > 0 {
			value += a * (s.logu[i] - s.loga[i])
		}
	}
	for j, b := range s.b {
		if b > 0 {
			value += b * (s.logv[j] - s.logb[j])
		}
	}
	return s.epsilon * value
}

// gap is a certified bound on how far the plan is from optimal, per unit of
// mass: the entropic cost of a plan with exactly the right marginals, less the
// dual value. It takes no product. Both are meant with the regulariser epsilon sum_ij P_ij (log P_ij - 1) and
// its dual value epsilon (a.log u + b.log v - sum P), which differ from those of Problem by one constant.
//
// With r and c the sums of P's rows and columns the feasible plan scales the rows by x = min(1, a/r) and the columns
// by y = min(1, b/c), and adds the missing mass e as the
// product of the two remainders (Altschuler, Weed and Rigollet 2017). With
// h(t) = t (log t - 1) and masses at most 1, h(p+q) <= h(p) + q, so that the
// addition costs at most e (D_max + epsilon). For the scaled plan P' with
// marginals a', b', the entropic cost less the dual value is
//
//	epsilon ((a'-a).log u + a'.log x + (b'-b).log v + b'.log y + sum P - sum P'),
//
// in which nothing cancels. It is >= 0 up to rounding. Of each side's part side says what is
// known without a product, and at most what is not. As sum P - sum P' is at most what both scalings take away,
// e is at most what the rows lack and the columns have over.
func (s *state) gap() float64 {
	var rows, columns side
	sideBySide(func() { rows = sideOf(s.a, s.rows, s.loga, s.logu, s.kv) }, func() { columns = sideOf(s.b, s.columns, s.logb, s.logv, s.ku) })
	var own, other float64
	sideBySide(func() { own = rows.value(columns) }, func() { other = columns.value(rows) })
	return s.epsilon * (own + other + rows.over + columns.over +
		(rows.lack+columns.over)*(1-s.kernel.LogFloor()))
}

// sideBySide calls the two on two processors.
func sideBySide(first, second func()) {
	_ = parallel.Each(context.Background(), parallel.Workers(2), 2, func(_, i int) {
		if i == 0 {
			first()
		} else {
			second()
		}
	})
}

// side is one side of a plan whose marginal is not quite what it should be.
type side struct {
	mass, scaling []float64 // those wanted; log u or log v
	over, lack    float64   // how much the sums have over the masses, and lack
	share         float64   // the most of a sum that its scaling takes away
	known, scaled float64   // (m-a).log u and m.log x for the least of sums and masses, m
}

// sideOf takes a side's masses, the plan's sums, the logarithms of the masses and of the scaling and that of
// the product with the other one.
func sideOf(mass, sums, logs, scaling, product []float64) side {
	out, least := side{mass: mass, scaling: scaling}, 0.0
	for i, m := range mass {
		if m == 0 {
			continue
		}
		if excess := sums[i] - m; excess > 0 {
			x := logs[i] - scaling[i] - product[i]
			out.over += excess
			out.scaled += m * x
			least = min(least, x)
		} else {
			out.lack -= excess
			out.known += excess * scaling[i]
		}
	}
	out.share = -math.Expm1(least)
	return out
}

// value is at least (a'-a).log u + a'.log x. A sum that its own scaling leaves m of loses no more of that than the
// other side's scaling takes of any: a' >= (1-share) m. In all a loses what that takes of the plan, over, but for
// at most the own share of it. The loss times -log u is at most what it is with all of that taken where log u is least, and
// what the difference might have made; those of about the same log u are taken for one.
func (s *side) value(other side) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for i, a := range s.mass {
		if a > 0 {
			low, high = min(low, s.scaling[i]), max(high, s.scaling[i])
		}
	}
	var groups [1024]struct{ mass, low float64 } // by log u
	last := float64(len(groups) - 1)
	for i, a := range s.mass {
		if a > 0 {
			at := 0
			if high > low {
				at = int(last * ((s.scaling[i] - low) / (high - low)))
			}
			g := &groups[at]
			if g.mass == 0 {
				g.low = s.scaling[i]
			}
			g.mass, g.low = g.mass+a, min(g.low, s.scaling[i])
		}
	}
	value, rest := s.known+(1-other.share)*s.scaled, other.over
	for _, g := range groups {
		loss := min(rest, other.share*g.mass)
		value -= loss * g.low
		rest -= loss
	}
	return value + other.over*s.share*max(math.Abs(low), math.Abs(high))
}

// share sets dst to a's shares of the mass.
func share(dst, a []float64, mass float64) []float64 {
	for i, x := range a {
		dst[i] = x / mass
	}
	return dst
}
