package experiment

import (
	"errors"
	"fmt"
	"math"

	"genussink/core/embed"
	"genussink/core/hub"
	"genussink/core/hub/label"
	"genussink/core/internal/heap"
	"genussink/core/linop"
	"genussink/core/quantized"
	"genussink/core/septree"
	"genussink/core/shortest"
	"genussink/core/transport"
	"genussink/core/transport/polish"
)

// checkRows is how many rows of true distances on either side an estimate takes.
const checkRows = 16

// embedded measures hub labels of a nested host.
func (t *trial) embedded() error {
	r := t.row("embedded")
	r.Delta = t.Distortion
	m := heap.Watch()
	defer m.Stop()
	m.Restart()
	err := t.host(&r, m)
	if memory := (*linop.MemoryError)(nil); errors.As(err, &memory) {
		r.Note = err.Error()
		t.found(r)
		return nil
	}
	return err
}

func (t *trial) host(r *Row, m *heap.Meter) (err error) {
	if n := t.g.Len(); n > t.DenseLimit {
		r.Note = fmt.Sprintf("not measured on more than %s vertices", thousands(t.DenseLimit))
		t.found(*r)
		return nil
	}
	var h *embed.Host
	r.Host = stopwatch(func() {
		h, err = embed.Embed(t.ctx, t.g, embed.Options{Distortion: r.Delta * t.diagonal, Faces: t.c.Mesh.Faces, MemoryLimit: t.MemoryLimit, Progress: t.Progress})
	})
	if err != nil {
		return err
	}
	var tree *septree.Tree
	r.Tree = stopwatch(func() {
		tree, err = septree.Along(t.ctx, h.Graph, h.Decomposition, septree.Options{Progress: t.Progress})
	})
	if err != nil {
		return err
	}
	var labels *label.Labels
	r.Labels = stopwatch(func() {
		labels, err = label.Measure(t.ctx, tree, label.MeasureOptions{Precision: label.Float64, MemoryLimit: t.MemoryLimit, Progress: t.Progress})
	})
	if err != nil {
		return err
	}
	k, _, err := t.walk(r, labels, 0)
	if err != nil {
		return err
	}
	return t.run(r, k, m, &truth{polish.Options{Most: h.Bound}, labels, nil})
}

// quantized measures plans between so many cells, each with a net of its own, and what the method takes the exact plan's cost for.
func (t *trial) quantized() error {
	n := t.g.Len()
	m := heap.Watch()
	defer m.Stop()
	_, components := t.g.Components()
	for _, k := range t.Cells {
		if k > n/2 || k < components {
			continue
		}
		m.Restart()
		r := t.row("quantized")
		r.Cells = k
		if need := quantized.NetBytes(n, k); need > t.MemoryLimit {
			r.Note = fmt.Sprintf("the cells need %s", size(need))
			t.found(r)
			continue
		}
		if err := t.gather(&r, m); err != nil {
			return err
		}
	}
	return nil
}

func (t *trial) gather(r *Row, m *heap.Meter) (err error) {
	var net *quantized.Net
	t.Progress("net", 0)
	r.Net = stopwatch(func() {
		s := shortest.NewSpread(t.g)
		if _, err = s.Extend(t.ctx, r.Cells); err == nil {
			net, err = quantized.NewNet(t.ctx, t.g, s, false, func(f float64) { t.Progress("net", f) })
		}
	})
	if err != nil {
		return err
	}
	mean := make([]float64, t.g.Len())
	solve := func(source []float64, last *quantized.Solution) (s *quantized.Solution, means, solve float64) {
		var c *quantized.Cells
		means = stopwatch(func() {
			for v := range mean {
				mean[v] = (source[v] + t.target[v]) / 2
			}
			if err == nil {
				c, err = net.Cells(t.ctx, mean)
			}
		})
		solve = stopwatch(func() {
			if err == nil {
				s, err = quantized.Solve(t.ctx, c, source, t.target, t.epsilon, transport.Options{Tolerance: t.Tolerance, Progress: t.Progress}, last)
			}
		})
		return s, means, solve
	}
	var s, again *quantized.Solution
	s, r.Means, r.Solve = solve(t.source, nil)
	var e quantized.Estimate
	r.Estimate = stopwatch(func() {
		if err == nil {
			e, err = s.Estimate(t.ctx, net, checkRows, transport.Options{Tolerance: 1e-6})
		}
	})
	if err != nil {
		return err
	}
	again, _, _ = solve(t.repainted, s)
	r.Peak = m.Peak()
	m.Pause()
	r.Resolve = median(func() { again, _, _ = solve(t.repainted, s) })
	if err != nil {
		return err
	}
	r.Iterations, r.Again = s.Result.Iterations, again.Result.Iterations
	r.Cost, r.Estimated, r.Low, r.High = s.Result.Cost, e.Cost, e.Low, e.High
	r.Error = math.Abs(r.Cost-t.reference) / t.reference
	r.EstimateError = math.Abs(r.Estimated-t.reference) / t.reference
	return t.report(r, s)
}

// report measures a query and a product of the cells' kernel, and reports the row.
func (t *trial) report(r *Row, s *quantized.Solution) error {
	plan, err := transport.NewPlan(s.Kernel, t.epsilon, s.Result.LogU, s.Result.LogV)
	if err != nil {
		return err
	}
	if err := t.ask(r, plan, s.Kernel); err != nil {
		return err
	}
	t.found(*r)
	return nil
}

// spotsTolerance is the marginal error at which both exact and support stop, so that their costs can be compared to 1e-9.
const spotsTolerance = 1e-12

// exactSpots solves between the painted spots with exact's kernel, whose set-up r has.
func (t *trial) exactSpots(r Row, k *hub.Kernel) error {
	spots := t.row(r.Method)
	spots.Spots, spots.Tree, spots.Labels, spots.Tiles, spots.Kernel, spots.Peak = true, r.Tree, r.Labels, r.Tiles, r.Kernel, r.Peak
	var result *transport.Result
	var err error
	spots.Solve = stopwatch(func() {
		result, err = transport.Solve(t.ctx, transport.Problem{Kernel: k, Source: t.spots[0], Target: t.spots[1], Epsilon: t.epsilon}, transport.Options{Tolerance: spotsTolerance, Progress: t.Progress})
	})
	if err != nil {
		return err
	}
	spots.Iterations, spots.Cost, spots.Error = result.Iterations, result.Cost, 0
	t.spotsReference = result.Cost
	t.found(spots)
	return nil
}

// support measures true distances between the vertices of the painted spots alone.
func (t *trial) support() error {
	r := t.row("support")
	r.Spots = true
	m := heap.Watch()
	defer m.Stop()
	m.Restart()
	var c *quantized.Cells
	var s *quantized.Solution
	var err error
	t.Progress("rows", 0)
	small, others := quantized.Vertices(t.spots[0], t.spots[1])
	all := int64(len(small) + len(others))
	if need := 24*all*all + 8*int64(len(small))*int64(t.g.Len()); need > t.MemoryLimit {
		r.Note = fmt.Sprintf("%d vertices have mass: distances between them need %s", all, size(need))
		t.found(r)
		return nil
	}
	r.Kernel = stopwatch(func() { c, err = quantized.NewSupport(t.g).Cells(t.ctx, t.spots[0], t.spots[1]) })
	if err != nil {
		return err
	}
	r.Solve = stopwatch(func() {
		s, err = quantized.Solve(t.ctx, c, t.spots[0], t.spots[1], t.epsilon, transport.Options{Tolerance: spotsTolerance, Progress: t.Progress}, nil)
	})
	if err != nil {
		return err
	}
	r.Peak = m.Peak()
	m.Pause()
	r.Iterations, r.Cost = s.Result.Iterations, s.Result.Cost
	r.Error = math.Abs(r.Cost-t.spotsReference) / t.spotsReference
	return t.report(&r, s)
}
