package transport

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"genussink/core/internal/exponential"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
	"genussink/core/measure"
)

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

// of turns products of a result into the state's, and back: they differ where the state has exchanged source and target.
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
	switch longest := -p.Kernel.LogFloor() * p.Epsilon; {
	case p.Epsilon < LeastEpsilon(longest, o.Tolerance):
		return nil, fmt.Errorf("transport: epsilon is %g: rounding alone is above the tolerance where it is below %.3g", p.Epsilon, LeastEpsilon(longest, o.Tolerance))
	case longest > 0 && p.Epsilon > MostEpsilon(longest):
		return nil, fmt.Errorf("transport: epsilon is %g: the figures of a plan are lost to rounding where it is above %.3g", p.Epsilon, MostEpsilon(longest))
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
		if i := slices.IndexFunc(w.values, math.IsNaN); i >= 0 {
			return nil, fmt.Errorf("transport: %s of vertex %d is NaN", w.name, i)
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
	if !measure.Agree(ma, mb) {
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

// measure sets sums to the plan's row sums, or column sums. They are exp(scaling + product): both are logarithms.
// It returns the L1 distance of the sums from the masses.
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

// closing says whether the next iteration will be the last, if the error falls as it did last time. In the scaling form
// the error and the plan's cost are then found together.
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
