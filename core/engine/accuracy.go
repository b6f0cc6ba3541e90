package engine

import (
	"genussink/core/job"
	"genussink/core/method"
	"genussink/core/transport/check"
)

// accuracyRows is how many rows of an approximate kernel are compared with true
// distances, once for every kernel. Each takes a product.
const accuracyRows = 8

// rounding is by what share of the longest distance a kernel may miss its
// bound without being at fault: distances of float32 add up to that.
const rounding = 0x1p-22

// examine measures the distances of a kernel that are not exact.
func (e *Engine) examine(r *run, sc *scene, k *method.Kernel, done *job.Solved) error {
	of, epsilon := k.Gibbs()
	if k.Accuracy == nil {
		end := r.Begin(job.StageExamine)
		a, err := check.MeasureAccuracy(r.ctx, of, epsilon, sc.Graph, accuracyRows)
		if err != nil {
			return err
		}
		end()
		k.Accuracy = a
	}
	a := k.Accuracy
	tolerance := -of.LogFloor() * epsilon * rounding
	short := tolerance // by how much a distance may be too short
	if k.Spec.Method == job.Certified {
		short += k.Made.Bound
	}
	done.Accuracy = job.Accuracy{
		Rows: a.Rows, Least: a.Least, Most: a.Most, Mean: a.Mean, MostRelative: a.MostRelative, MeanRelative: a.MeanRelative,
		Holds: a.Least >= -short && a.Most <= k.Made.Bound+tolerance, // with a NaN false
	}
	return nil
}
