package engine

import (
	"genussink/core/job"
	"genussink/core/transport/check"
)

// accuracyRows is how many rows of an approximate kernel are compared with true
// distances, once for every kernel. Each takes a product.
const accuracyRows = 8

// rounding is by what share of the longest distance a kernel may miss its
// bound without being at fault: distances of float32 add up to that.
const rounding = 0x1p-22

// examine measures the distances of a kernel that are not exact.
func (e *Engine) examine(r *run, sc *scene, k *kernel, done *job.Solved) error {
	if k.accuracy == nil {
		end := r.begin("examine")
		a, err := check.MeasureAccuracy(r.ctx, k.Kernel, k.epsilon, sc.graph, accuracyRows)
		if err != nil {
			return err
		}
		end()
		k.accuracy = a
	}
	a := k.accuracy
	slack := -k.LogFloor() * k.epsilon * rounding
	short := slack // by how much a distance may be too short
	if k.method == certified {
		short += k.bound
	}
	done.Accuracy = job.Accuracy{
		Rows: a.Rows, Least: a.Least, Most: a.Most, Mean: a.Mean, MostRelative: a.MostRelative, MeanRelative: a.MeanRelative,
		Holds: a.Least >= -short && a.Most <= k.bound+slack, // with a NaN false
	}
	return nil
}
