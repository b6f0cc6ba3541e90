package job

import (
	"math"
	"slices"
)

// A Solution's Form and Status.
const (
	Scaling    = "scaling"    // products with u and v
	Log        = "log"        // products in logarithms
	Converged  = "converged"  // the marginal error is within the tolerance
	Iterations = "iterations" // the iterations ran out before
)

// Solution is what a solve found and how it went, wherever that is told: in a transport.Result, a Solved, the row of a bench and
// the page's state. Costs are in the unit of distance: in a Solved mesh units, per unit of mass.
type Solution struct {
	Form          string    `json:"form"` // how the last product was formed
	Status        string    `json:"status"`
	Iterations    int       `json:"iterations"`
	MarginalError float64   `json:"marginalError"` // L1, a share of the total mass, of the side that has the greater
	Trace         []float64 `json:"trace"`         // MarginalError after each iteration
	Cost          float64   `json:"cost"`          // <P, D> of the plan found, D being the kernel's own distances
	Primal        float64   `json:"primal"`        // <P, D> + epsilon KL(P | a b^T / mass) of a plan with exactly the marginals
	Dual          float64   `json:"dual"`          // the dual value: the optimum lies between it and Primal
	Gap           float64   `json:"gap"`           // Primal - Dual, found without cancellation
}

// Lengths are the figures that are lengths times masses, to be brought to another unit.
func (s *Solution) Lengths() []*float64 { return []*float64{&s.Cost, &s.Primal, &s.Dual, &s.Gap} }

// Finite is the solution with 0 for whatever is no finite number.
func (s Solution) Finite() Solution {
	s.Trace = slices.Clone(s.Trace)
	finite(append(s.Lengths(), &s.MarginalError)...)
	for i := range s.Trace {
		finite(&s.Trace[i])
	}
	return s
}

// Accuracy is the error of a method's distances against rows of true ones, in
// mesh units: positive where its distance is too long.
type Accuracy struct {
	Rows         int     `json:"rows"` // 0: not measured
	Least        float64 `json:"least"`
	Most         float64 `json:"most"`
	Mean         float64 `json:"mean"`
	MostRelative float64 `json:"mostRelative"` // of magnitudes, over the true distance, as is the next
	MeanRelative float64 `json:"meanRelative"`
	Holds        bool    `json:"holds"` // no distance seen is off by more than the bound, and but for certified none is too short; false without a bound
}

// Finite is the accuracy with 0 for whatever is no finite number.
func (a Accuracy) Finite() Accuracy {
	finite(&a.Least, &a.Most, &a.Mean, &a.MostRelative, &a.MeanRelative)
	return a
}

// Estimated is what the exact plan of a problem would cost, by comparison with coarser cells and with rows of true distances, and an
// interval that held that in 95 % of cases. NaN where there is none.
type Estimated struct {
	Cost float64 `json:"cost"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// NoEstimate is that there is none.
func NoEstimate() Estimated { return Estimated{math.NaN(), math.NaN(), math.NaN()} }

// Estimate is what the solved plan costs on true distances, in mesh units per unit of mass, and an interval that holds
// that cost in 95 % of cases at least. The plan is the kernel's own, which has the densities as its marginals, but for
// Solution.MarginalError: no such plan costs less than the unregularised optimum.
type Estimate struct {
	Cost  float64 `json:"cost"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Rows  int     `json:"rows"`  // of true distances computed; 0: the kernel's own distances are known to be near enough
	Of    int     `json:"of"`    // of how many that are in question
	Pairs int     `json:"pairs"` // of vertices drawn from the plan beside
	Known bool    `json:"known"` // all rows are computed: Low and High are apart by rounding alone
}

// Finite is the estimate with 0 for whatever is no finite number.
func (e Estimate) Finite() Estimate {
	finite(&e.Cost, &e.Low, &e.High)
	return e
}

// finite makes 0 of what is no finite number.
func finite(numbers ...*float64) {
	for _, x := range numbers {
		if math.IsNaN(*x) || math.IsInf(*x, 0) {
			*x = 0
		}
	}
}
