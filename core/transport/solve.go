// Package transport solves entropic optimal transport over any linop.Kernel
// by Sinkhorn's iteration and answers questions about the plan without ever
// forming it.
//
// With the kernel K = exp(-D/epsilon) the plan is P_ij = u_i K_ij v_j (the
// paper, Sec. 1, Eq. 4, for f = exp); it is kept as log u and log v.
package transport

import (
	"context"
	"fmt"
	"math"
	"time"

	"genussink/core/linop"
	"genussink/core/measure"
)

// Problem is to move Source to Target at the least entropic cost
// <P, D> + Epsilon sum_ij P_ij (log P_ij - 1).
type Problem struct {
	Kernel         linop.Kernel // n x n, of the same Epsilon
	Source, Target []float64    // n values each, finite and >= 0, of equal totals; vertices without mass are legal
	Epsilon        float64      // in the unit of D, positive
}

// Options of Solve. The zero value works.
type Options struct {
	Tolerance     float64   // L1 marginal error to stop at, as a share of the total mass; 0: 1e-9
	MaxIterations int       // 0: 10000; ordinary problems need 10 to 100, a kernel floor of e^-100 some thousands
	LogU, LogV    []float64 // potentials to start from, as a Result of other densities or another epsilon has them; LogU is enough, LogV alone will do; nil: from nothing
	Progress      func(stage string, fraction float64)
}

// A Result's Status and Form.
const (
	Converged  = "converged"  // the marginal error is within the tolerance
	Iterations = "iterations" // the iterations ran out before
	Scaling    = "scaling"    // iterated on u and v
	Log        = "log"        // iterated on log u and log v
)

// Result is the solution and the evidence for it.
type Result struct {
	Status        string
	Form          string // the form of the last iteration
	Iterations    int
	MarginalError float64   // L1, a share of the total mass: the larger of |P 1 - a| and |P^T 1 - b|
	Trace         []float64 // MarginalError after each iteration
	Cost          float64   // <P, D>
	Dual          float64   // epsilon (a.log u + b.log v), a sum over the vertices with mass
	Gap           float64   // primal minus dual, see gap
	LogU, LogV    []float64 // -Inf where there is no mass
	Seconds       float64
}

// Solve runs Sinkhorn's iteration u = a/(K v), v = b/(K^T u).
//
// The scaling form is chosen when nothing in it can leave float64. Let L be
// -LogFloor, R the largest -log of a positive share of mass, and c = log n.
// One update spreads log u over at most L+R, since the entries of K differ by
// no factor beyond e^L; some product u_i K_ij v_j is at least 1/n^2 of the
// mass and none exceeds it, so in the balanced gauge |log u| and |log v| stay
// within L+R+c, and so does the dominant term of each sum. Hence the rule
// L+R+c <= linop.MaxLog. Below that floor, or when an update meets 0, a denormal or
// infinity in spite of it (potentials to start from may be anything), the
// iteration goes on in logarithms from the last good potentials.
//
// Errors: bad data, or mass that no mass of the other side can reach.
// Components whose source and target masses differ never converge: check them
// first (measure.Components). When ctx ends, its error is returned.
func Solve(ctx context.Context, p Problem, o Options) (*Result, error) {
	start := time.Now()
	s, err := newState(p, o)
	if err != nil {
		return nil, err
	}
	s.ctx, s.progress = ctx, o.Progress
	s.result.Status, s.result.Form = Converged, Scaling
	if s.n > 0 {
		if !s.scalingIsSafe() {
			s.result.Form = Log
		}
		s.begin(o.LogU, o.LogV)
		if err := s.iterate(); err != nil {
			return nil, err
		}
		s.evidence()
	}
	s.result.Seconds = time.Since(start).Seconds()
	return &s.result, nil
}

// state is a solve under way. Everything is in shares of the total mass, so
// that both sides total 1; the result is scaled back.
type state struct {
	ctx        context.Context
	progress   func(stage string, fraction float64)
	kernel     linop.Kernel
	epsilon    float64
	n          int
	mass       float64
	a, b       []float64
	loga, logb []float64
	u, v       []float64 // the scaling form's
	logu, logv []float64 // the log form's, and the last good ones of the scaling form
	kv, ku     []float64 // K v and K^T u, or their logarithms
	tolerance  float64
	most       int
	result     Result
}

func newState(p Problem, o Options) (*state, error) {
	n, cols := p.Kernel.Dims()
	if n != cols {
		return nil, fmt.Errorf("transport: a kernel of %d x %d, it must be square", n, cols)
	}
	if !(p.Epsilon > 0) || math.IsInf(p.Epsilon, 1) {
		return nil, fmt.Errorf("transport: epsilon is %g, it must be positive and finite", p.Epsilon)
	}
	if !(o.Tolerance >= 0) || math.IsInf(o.Tolerance, 1) {
		return nil, fmt.Errorf("transport: the tolerance is %g, it must be positive and finite", o.Tolerance)
	}
	if o.MaxIterations < 0 {
		return nil, fmt.Errorf("transport: at most %d iterations", o.MaxIterations)
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
	ma, mb := sum(p.Source), sum(p.Target)
	if math.Abs(ma-mb) > 1e-9*max(ma, mb) {
		return nil, fmt.Errorf("transport: the source's mass is %g and the target's %g, they must agree", ma, mb)
	}
	s := &state{
		kernel: p.Kernel, epsilon: p.Epsilon, n: n, mass: ma,
		a: share(p.Source, ma), b: share(p.Target, mb),
		tolerance: o.Tolerance, most: o.MaxIterations,
		u: make([]float64, n), v: make([]float64, n),
		logv: make([]float64, n),
		kv:   make([]float64, n), ku: make([]float64, n),
	}
	s.loga, s.logb = logs(s.a), logs(s.b)
	s.logu = logs(s.a) // -Inf without mass
	if s.tolerance == 0 {
		s.tolerance = 1e-9
	}
	if s.most == 0 {
		s.most = 10000
	}
	return s, nil
}

// begin sets logv to half an iteration from LogU, log b - log K^T u, which
// has a value wherever u reaches, new mass included; else to LogV, else to 0.
func (s *state) begin(logu, logv []float64) {
	if logu != nil {
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
		s.product(s.ku, w)
	}
	for j, b := range s.logb {
		switch {
		case b == math.Inf(-1):
			s.logv[j] = b
		case logu != nil && finite(s.ku[j]):
			s.logv[j] = b - s.ku[j]
		case logu == nil && logv != nil && finite(logv[j]):
			s.logv[j] = logv[j]
		}
	}
}

func finite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }

// iterate runs to the tolerance or the last iteration, in either form, and
// leaves the potentials in logu and logv.
func (s *state) iterate() error {
	s.result.Status = Iterations
	started := false // kv belongs to the current v
	for s.result.Iterations < s.most {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		var e float64
		if s.result.Form == Scaling {
			var ok bool
			if e, ok = s.scale(started); !ok {
				s.result.Form, started = Log, false
				continue
			}
		} else {
			var err error
			if e, err = s.logScale(started); err != nil {
				return err
			}
		}
		started = true
		s.result.Iterations++
		s.result.MarginalError = e
		s.result.Trace = append(s.result.Trace, e)
		if e <= s.tolerance {
			s.result.Status = Converged
			break
		}
		if first := s.result.Trace[0]; s.progress != nil { // the error falls geometrically
			s.progress("solve", min(1, max(0, math.Log(e/first)/math.Log(s.tolerance/first))))
		}
	}
	return nil
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

// scale does one iteration on u and v and measures it. It reports false, and
// changes neither logu nor logv, when a value leaves the safe range.
func (s *state) scale(started bool) (e float64, ok bool) {
	if !started {
		for j, x := range s.logv {
			s.v[j] = math.Exp(x)
		}
		s.kernel.MulVec(s.kv, s.v)
	}
	if !divide(s.u, s.a, s.kv) {
		return 0, false
	}
	s.kernel.MulVecT(s.ku, s.u)
	if !divide(s.v, s.b, s.ku) {
		return 0, false
	}
	s.kernel.MulVec(s.kv, s.v)
	var rows, columns float64
	for i := range s.n {
		rows += math.Abs(s.u[i]*s.kv[i] - s.a[i])
		columns += math.Abs(s.v[i]*s.ku[i] - s.b[i])
	}
	e = max(rows, columns)
	if !(e < math.Inf(1)) {
		return 0, false
	}
	for i := range s.n {
		s.logu[i], s.logv[i] = math.Log(s.u[i]), math.Log(s.v[i])
	}
	return e, true
}

// divide sets x = mass/y where there is mass and 0 elsewhere, and reports
// whether every y under mass and every x lies well inside float64.
func divide(x, mass, y []float64) bool {
	const least, most = 1e-300, 1e300
	for i, m := range mass {
		if m == 0 {
			x[i] = 0
			continue
		}
		x[i] = m / y[i]
		if !(y[i] >= least && y[i] <= most && x[i] >= least && x[i] <= most) {
			return false
		}
	}
	return true
}

// logScale is scale in logarithms. What no mass reaches is an error.
func (s *state) logScale(started bool) (e float64, err error) {
	if !started {
		s.kernel.LogMulVec(s.kv, s.logv)
	}
	if i := subtract(s.logu, s.loga, s.kv); i >= 0 {
		return 0, fmt.Errorf("transport: no target mass can be reached from the source mass %g at vertex %d", s.a[i]*s.mass, i)
	}
	s.kernel.LogMulVec(s.ku, s.logu)
	if j := subtract(s.logv, s.logb, s.ku); j >= 0 {
		return 0, fmt.Errorf("transport: no source mass can reach the target mass %g at vertex %d", s.b[j]*s.mass, j)
	}
	s.kernel.LogMulVec(s.kv, s.logv)
	var rows, columns float64
	for i := range s.n {
		if s.a[i] > 0 {
			rows += math.Abs(math.Exp(s.logu[i]+s.kv[i]) - s.a[i])
		}
		if s.b[i] > 0 {
			columns += math.Abs(math.Exp(s.logv[i]+s.ku[i]) - s.b[i])
		}
	}
	e = max(rows, columns)
	if !finite(e) {
		return 0, fmt.Errorf("transport: the iteration left float64: marginal error %g", e)
	}
	return e, nil
}

// subtract sets x = logmass - y where there is mass, -Inf elsewhere, and
// returns the first vertex whose y is not finite under mass, or -1.
func subtract(x, logmass, y []float64) int {
	for i, m := range logmass {
		if m == math.Inf(-1) {
			x[i] = m
			continue
		}
		if !finite(y[i]) {
			return i
		}
		x[i] = m - y[i]
	}
	return -1
}

// evidence fills the result from the last potentials, scaled back to the mass
// that was given: u v K totals mass when log u and log v carry half of log
// mass each.
func (s *state) evidence() {
	s.result.Gap = s.mass * s.gap()
	shift := math.Log(s.mass) / 2
	for i := range s.n {
		s.logu[i] += shift
		s.logv[i] += shift
	}
	s.result.LogU, s.result.LogV = s.logu, s.logv
	s.result.Cost = s.kernel.PlanCost(s.logu, s.logv)
	s.result.Dual = s.epsilon * s.mass * (inner(s.a, s.logu) + inner(s.b, s.logv))
}

// gap is a certified bound on how far the plan is from optimal, per unit of
// mass: the entropic cost of a plan with exactly the right marginals, less the
// dual value epsilon (a.log u + b.log v - sum P).
//
// The feasible plan scales the rows of P down by x = min(1, a/row sum), then
// its columns by y = min(1, b/column sum), and adds the missing mass e as the
// product of the two remainders (Altschuler, Weed and Rigollet 2017). With
// h(t) = t (log t - 1) and masses at most 1, h(p+q) <= h(p) + q, so that the
// addition costs at most e (D_max + epsilon). For the scaled plan P' with
// marginals a', b', the entropic cost less the dual value is
//
//	epsilon ((a'-a).log u + (b'-b).log v + a'.log x + b'.log y + sum P - sum P'),
//
// in which nothing cancels. It is >= 0 up to rounding.
func (s *state) gap() float64 {
	n := s.n
	x, y := make([]float64, n), make([]float64, n) // logarithms
	w := make([]float64, n)
	before := 0.0
	for i, k := range s.kv { // K v of the last iteration
		if s.result.Form == Scaling {
			k = math.Log(k)
		}
		if row := math.Exp(s.logu[i] + k); s.a[i] > 0 {
			before += row
			x[i] = min(0, s.loga[i]-s.logu[i]-k)
		}
		w[i] = s.logu[i] + x[i]
	}
	value, lost, after := 0.0, 0.0, 0.0
	columns := make([]float64, n)
	for j, k := range s.product(s.ku, w) {
		if s.b[j] > 0 {
			y[j] = min(0, s.logb[j]-s.logv[j]-k)
			columns[j] = math.Exp(s.logv[j] + y[j] + k)
			value += (columns[j]-s.b[j])*s.logv[j] + columns[j]*y[j]
			lost += max(0, s.b[j]-columns[j])
			after += columns[j]
		}
		y[j] += s.logv[j]
	}
	for i, k := range s.product(s.kv, y) {
		if s.a[i] > 0 {
			row := math.Exp(w[i] + k)
			value += (row-s.a[i])*s.logu[i] + row*x[i]
		}
	}
	return s.epsilon * (value + before - after + lost*(1-s.kernel.LogFloor()))
}

// product is log K exp(logx), by way of whichever form is safe.
func (s *state) product(dst, logx []float64) []float64 {
	if s.result.Form == Log {
		return s.kernel.LogMulVec(dst, logx)
	}
	x := make([]float64, s.n)
	for i, l := range logx {
		x[i] = math.Exp(l)
	}
	s.kernel.MulVec(dst, x)
	for i, y := range dst {
		dst[i] = math.Log(y)
	}
	return dst
}

func sum(a []float64) float64 {
	total := 0.0
	for _, x := range a {
		total += x
	}
	return total
}

func share(a []float64, mass float64) []float64 {
	b := make([]float64, len(a))
	for i, x := range a {
		b[i] = x / mass
	}
	return b
}

func logs(a []float64) []float64 {
	b := make([]float64, len(a))
	for i, x := range a {
		b[i] = math.Log(x)
	}
	return b
}

// inner is the sum of a_i x_i over the a_i that are not 0: 0 log 0 is 0.
func inner(a, x []float64) float64 {
	total := 0.0
	for i, m := range a {
		if m != 0 {
			total += m * x[i]
		}
	}
	return total
}
