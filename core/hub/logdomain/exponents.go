// Package logdomain multiplies on a cover in the log domain, where exp(-d/epsilon) would underflow. It takes distances from the
// cover and knows no factors. Cost is a plan's cost from the logarithms of its scalings.
//
// The glossary of package hub has every term with its formula.
package logdomain

import (
	"math"

	"genussink/core/hub/cover"
	"genussink/core/internal/exponential"
)

// Exponents is a list of numbers Sum[i]*exp(Top[i]), 0 where Top is -Inf.
type Exponents struct{ Top, Sum []float64 }

// Clear makes all of them 0.
func (e Exponents) Clear() {
	for i := range e.Top {
		e.Top[i], e.Sum[i] = math.Inf(-1), 0
	}
}

// Add adds w*exp(t) to number i.
func (e Exponents) Add(i int, t, w float64) {
	switch top := e.Top[i]; {
	case t <= top:
		if t > math.Inf(-1) {
			e.Sum[i] += w * exponential.Exp(t-top)
		}
	case top == math.Inf(-1):
		e.Top[i], e.Sum[i] = t, w
	default:
		e.Top[i], e.Sum[i] = t, e.Sum[i]*exponential.Exp(top-t)+w
	}
}

// Log is the logarithm of number i.
func (e Exponents) Log(i int) float64 {
	if e.Top[i] == math.Inf(-1) {
		return e.Top[i]
	}
	return e.Top[i] + math.Log(e.Sum[i])
}

// Relative is exp(t-top), 0 where both are -Inf.
func Relative(t, top float64) float64 {
	if t == math.Inf(-1) {
		return 0
	}
	return exponential.Exp(t - top)
}

// AggregateSum is what an aggregate is of x: log sum_i exp(x_i - offset_i*scale).
func AggregateSum(t *cover.Cover, o cover.Aggregate, x []float64, scale float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for j := o.From; j < o.To; j++ {
		top = max(top, x[t.Ranks[j]]-t.Offset(j)*scale)
	}
	if top == math.Inf(-1) {
		return top
	}
	for j := o.From; j < o.To; j++ {
		sum += exponential.Exp(x[t.Ranks[j]] - t.Offset(j)*scale - top)
	}
	return top + math.Log(sum)
}
