package transport

import "math"

// relaxation chooses the factor omega of over-relaxed Sinkhorn updates,
// log u <- (1-omega) log u + omega (log a - log K v). Near the solution the
// iteration is a Gauss-Seidel iteration whose plain rate theta is the square
// of a singular value of the plan; omega = 2/(1+sqrt(1-theta)) brings the rate
// down to omega-1 (Young; for Sinkhorn: Thibault et al. 2017, Lehmann et al.
// 2021). The plain iteration shows theta; with omega on, a rate lambda above
// omega-1 says that theta is (lambda+omega-1)^2/(lambda omega^2).
type relaxation struct {
	omega, limit float64
	last, rate   float64 // the error and its rate one iteration ago; 0: not known yet
	mark         float64 // the error when omega was chosen
	since        int     // iterations since
}

func newRelaxation() relaxation { return relaxation{omega: 1, limit: 1.99} }

// update relaxes x towards logmass - y where there is mass, and returns the
// first place under mass whose y is not finite, or -1.
func (r *relaxation) update(x, logmass, y []float64) int {
	for i, m := range logmass {
		if m == math.Inf(-1) {
			continue // and x is -Inf
		}
		if !finite(y[i]) {
			return i
		}
		if r.omega == 1 {
			x[i] = m - y[i]
		} else {
			x[i] += r.omega * (m - y[i] - x[i])
		}
	}
	return -1
}

// observe is told the error after each iteration and chooses omega for the
// next. Far from the solution a rate means nothing: omega changes only while
// the rate holds still, and an omega that has not helped is taken back, and
// the next kept lower.
func (r *relaxation) observe(e float64) {
	rate := e / r.last
	steady := r.rate > 0 && rate < 1 && math.Abs(rate-r.rate) < 0.1*(1-rate)
	r.last, r.rate = e, rate
	r.since++
	switch {
	case r.omega > 1 && r.since >= 6 && e > r.mark:
		r.limit, r.omega = 1+(r.omega-1)/2, 1
	case steady && rate > r.omega-1 && r.since >= 3:
		over := rate + r.omega - 1
		theta := over * over / (rate * r.omega * r.omega)
		r.omega = min(r.limit, 2/(1+math.Sqrt(max(0, 1-theta))))
	default:
		return
	}
	r.mark, r.since, r.rate = e, 0, 0
}
