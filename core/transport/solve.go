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
	MaxIterations int       // 0: 10000; meshes need 10 at an epsilon of 0.2 diagonals, some 100 at 0.005
	LogU, LogV    []float64 // potentials to start from, of a Result with other densities, or with another epsilon times the old over the new; LogU is enough, LogV alone will do; nil: from nothing
	Progress      func(stage string, fraction float64)
}

// A Result's Status and Form.
const (
	Converged  = "converged"  // the marginal error is within the tolerance
	Iterations = "iterations" // the iterations ran out before
	Scaling    = "scaling"    // products with u and v
	Log        = "log"        // products in logarithms
)

// Result is the solution and the evidence for it.
type Result struct {
	Status        string
	Form          string // how the last product was formed
	Iterations    int
	MarginalError float64   // L1, a share of the total mass: the larger of |P 1 - a| and |P^T 1 - b|
	Trace         []float64 // MarginalError after each iteration
	Cost          float64   // <P, D>
	Dual          float64   // epsilon (a.log u + b.log v), a sum over the vertices with mass
	Gap           float64   // primal minus dual, see gap
	LogU, LogV    []float64 // -Inf where there is no mass
	Seconds       float64
}

// Solve runs Sinkhorn's iteration u = a/(K v), v = b/(K^T u), accelerated
// (anderson.go). The last u is exact for its v, so that the plan's rows are the
// source; the marginal error is that of the columns. The potentials are kept as logarithms; the form says how they meet the kernel: by MulVec on u and v (scaling) or by
// LogMulVec (log).
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
// Errors: bad data, or mass that no mass of the other side can reach.
// Components whose source and target masses differ never converge: check them
// first (measure.Components). When ctx ends, its error is returned.
func Solve(ctx context.Context, p Problem, o Options) (*Result, error) {
	start := time.Now()
	s, err := solvePotentials(ctx, p, o)
	if err != nil {
		return nil, err
	}
	if s.n > 0 {
		s.evidence()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	s.result.Seconds = time.Since(start).Seconds()
	return &s.result, nil
}

// solvePotentials is Solve without the evidence: potentials for a mass of 1.
func solvePotentials(ctx context.Context, p Problem, o Options) (*state, error) {
	s, err := newState(p, o)
	if err != nil {
		return nil, err
	}
	s.ctx, s.progress = ctx, o.Progress
	s.result.Status, s.result.Form = Converged, Scaling
	if s.n == 0 {
		return s, nil
	}
	if !s.scalingIsSafe() {
		s.result.Form = Log
	}
	s.begin(o.LogU, o.LogV)
	err = s.iterate()
	if stopped := ctx.Err(); stopped != nil { // first: a kernel that heeds ctx too may have left products out
		return nil, stopped
	}
	return s, err
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
	logu, logv []float64
	kv, ku     []float64 // log K v and log K^T u, of the current v and u
	x          []float64 // a factor of the scaling form's products
	image      []float64 // the v that one more update would make
	anderson   *anderson
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
	if math.IsInf(p.Kernel.LogFloor(), -1) {
		return nil, fmt.Errorf("transport: epsilon is %g: a distance divided by it is too large for a float64", p.Epsilon)
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
		logv: make([]float64, n), x: make([]float64, n),
		kv: make([]float64, n), ku: make([]float64, n),
		image: make([]float64, n),
	}
	s.anderson = newAnderson(s.b)
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
		s.product(s.ku, w, s.logb)
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

// iterate runs to the tolerance or the last iteration and leaves the
// potentials in logu and logv, with kv of the same v.
func (s *state) iterate() error {
	s.result.Status = Iterations
	s.product(s.kv, s.logv, s.loga)
	done := 0.0
	for {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if i := follow(s.logu, s.loga, s.kv); i >= 0 {
			return fmt.Errorf("transport: no target mass can be reached from the source mass %g at vertex %d", s.a[i]*s.mass, i)
		}
		s.product(s.ku, s.logu, s.logb)
		if j := follow(s.image, s.logb, s.ku); j >= 0 {
			return fmt.Errorf("transport: no source mass can reach the target mass %g at vertex %d", s.b[j]*s.mass, j)
		}
		e := max(distance(s.a, s.logu, s.kv), distance(s.b, s.logv, s.ku))
		if !finite(e) {
			return fmt.Errorf("transport: the iteration left float64: marginal error %g", e)
		}
		s.result.Iterations++
		s.result.MarginalError = e
		s.result.Trace = append(s.result.Trace, e)
		if e <= s.tolerance {
			s.result.Status = Converged
			return nil
		}
		if s.result.Iterations == s.most {
			return nil
		}
		if first := s.result.Trace[0]; s.progress != nil { // the error falls geometrically, not always
			done = max(done, min(1, math.Log(e/first)/math.Log(s.tolerance/first)))
			s.progress("solve", done)
		}
		s.anderson.next(s.logv, s.image, e)
		s.product(s.kv, s.logv, s.loga)
	}
}

// follow sets x to logmass - y where there is mass, and returns the first place
// under mass whose y is not finite, or -1.
func follow(x, logmass, y []float64) int {
	for i, m := range logmass {
		if m == math.Inf(-1) {
			continue // and x is -Inf
		}
		if !finite(y[i]) {
			return i
		}
		x[i] = m - y[i]
	}
	return -1
}

// distance is the L1 distance of a marginal exp(x + y) from the mass it
// should be.
func distance(mass, x, y []float64) float64 {
	total := 0.0
	for i, m := range mass {
		if m > 0 {
			total += math.Abs(math.Exp(x[i]+y[i]) - m)
		}
	}
	return total
}

// product sets dst = log K exp(logx). Only where logmass is above -Inf does
// the result matter; where it leaves the scaling form's range there, the
// logarithms take over for good.
func (s *state) product(dst, logx, logmass []float64) {
	if s.result.Form == Scaling {
		if s.multiply(dst, logx, logmass) {
			return
		}
		s.result.Form = Log
	}
	s.kernel.LogMulVec(dst, logx)
}

func (s *state) multiply(dst, logx, logmass []float64) bool {
	for i, l := range logx {
		if l > linop.MaxLog {
			return false
		}
		s.x[i] = math.Exp(l)
	}
	s.kernel.MulVec(dst, s.x)
	for i, y := range dst {
		dst[i] = math.Log(y)
		if logmass[i] > math.Inf(-1) && !(math.Abs(dst[i]) <= linop.MaxLog) {
			return false
		}
	}
	return true
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
	for i, k := range s.kv {
		if row := math.Exp(s.logu[i] + k); s.a[i] > 0 {
			before += row
			x[i] = min(0, s.loga[i]-s.logu[i]-k)
		}
		w[i] = s.logu[i] + x[i]
	}
	value, lost, after := 0.0, 0.0, 0.0
	columns := make([]float64, n)
	s.product(s.ku, w, s.logb)
	for j, k := range s.ku {
		if s.b[j] > 0 {
			y[j] = min(0, s.logb[j]-s.logv[j]-k)
			columns[j] = math.Exp(s.logv[j] + y[j] + k)
			value += (columns[j]-s.b[j])*s.logv[j] + columns[j]*y[j]
			lost += max(0, s.b[j]-columns[j])
			after += columns[j]
		}
		y[j] += s.logv[j]
	}
	s.product(s.kv, y, s.loga)
	for i, k := range s.kv {
		if s.a[i] > 0 {
			row := math.Exp(w[i] + k)
			value += (row-s.a[i])*s.logu[i] + row*x[i]
		}
	}
	return s.epsilon * (value + before - after + lost*(1-s.kernel.LogFloor()))
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
