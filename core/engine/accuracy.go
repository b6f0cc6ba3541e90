package engine

import (
	"errors"

	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/transport"
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
		a, err := transport.MeasureAccuracy(r.ctx, k.patient(r.ctx), k.epsilon, sc.graph, accuracyRows)
		if lost := failureOf(k); lost != nil {
			err = lost
		}
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
		Holds: a.Least >= -short && (k.rows != nil || a.Most <= k.bound+slack),
	}
	return nil
}

// polish estimates the cost on true distances, unless the second kernel that
// certified takes for it would not fit, or nothing can be said.
func (e *Engine) polish(r *run, sc *scene, k *kernel, problem transport.Problem, result *transport.Result, done *job.Solved) error {
	o := transport.PolishOptions{Progress: r.progress}
	defer r.begin("polish")()
	var p *transport.Polished
	var err error
	if k.rows != nil {
		p, err = transport.Recost(r.ctx, problem, result, sc.graph, k.rows, o)
	} else {
		if 2*k.bytes > e.limit {
			return nil
		}
		var second *kernel
		p, err = transport.Polish(r.ctx, problem, result, sc.graph, func(epsilon float64) (linop.Kernel, error) {
			t, err := k.tune(r, epsilon)
			if err != nil {
				return nil, err
			}
			second = &kernel{Kernel: t, plea: plea{epsilon: epsilon}}
			return second.patient(r.ctx), nil
		}, o)
		for _, k := range []*kernel{k, second} {
			if k != nil && failureOf(k) != nil {
				err = failureOf(k)
			}
		}
	}
	switch {
	case errors.Is(err, transport.ErrUnpolished):
		return nil
	case err != nil:
		return err
	}
	done.Polished, done.PolishedError, done.PolishedRows = p.Cost, p.StandardError, p.Rows
	return nil
}
