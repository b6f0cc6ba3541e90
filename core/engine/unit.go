package engine

import (
	"genussink/core/job"
	"genussink/core/method"
)

// say brings the lengths of an event to mesh units and returns it.
func say(u method.Unit, b job.Body) job.Body {
	var numbers []*float64
	var lists [][]float64
	switch b := b.(type) {
	case *job.Loaded:
		r := &b.Report
		numbers = []*float64{&r.EdgeMin, &r.EdgeMean, &r.EdgeMax, &r.Diagonal}
	case *job.Brushed:
		lists = [][]float64{b.Distances, b.Lengths}
	case *job.Path:
		numbers = []*float64{&b.Length}
	case *job.Solved:
		a, x := &b.Accuracy, &b.Estimate
		numbers = append(b.Lengths(), &b.Epsilon, &b.Delta, &b.Bound, &b.LowerBound, &b.Reach, &b.RootMeanSquare, &b.Divergence, &b.DivergenceWithin, &a.Least, &a.Most, &a.Mean, &x.Cost, &x.Low, &x.High)
	case *job.Minimised:
		numbers, lists = []*float64{&b.Cost, &b.Dual}, [][]float64{b.Potential}
	case *job.Polishing:
		numbers = []*float64{&b.Cost, &b.Low, &b.High}
	case *job.Polished:
		numbers = []*float64{&b.Cost, &b.Low, &b.High}
	case *job.Applied:
		numbers = []*float64{&b.Epsilon, &b.Delta, &b.Bound}
	case *job.Barycentred:
		numbers, lists = []*float64{&b.Epsilon, &b.Delta, &b.Bound}, [][]float64{b.Costs}
	case *job.Profiled:
		numbers = []*float64{&b.Longest, &b.Tenth}
	case *job.Partnered:
		lists = [][]float64{b.Distances, b.True}
	case *job.Centred:
		lists = [][]float64{b.Positions}
	case *job.Benchmarking:
		numbers, lists = []*float64{&b.Cost, &b.Bound}, [][]float64{b.Along}
	case *job.Flowing:
		lists = [][]float64{b.Along}
	}
	for _, x := range numbers {
		*x = u.In(*x)
	}
	for _, list := range lists {
		for i, x := range list {
			list[i] = u.In(x)
		}
	}
	return b
}
