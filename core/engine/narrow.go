package engine

import (
	"errors"

	"genussink/core/hub/label"
	"genussink/core/job"
	"genussink/core/narrow"
	"genussink/core/sgfi"
	"genussink/core/treedec"
)

// narrowWidth is the width up to which a graph counts as narrow. On grids and
// partial k-trees of 12,000 vertices the tree along a decomposition took a
// twentieth of the separator tree's memory at width 11, a fifth at 41, and as much
// at 100; its set-up took a fifth of the other's time at 11, and as much at 41.
const narrowWidth = 32

// exactWidth is the width up to which the method exact takes the tree along a
// decomposition: both are exact. On strips, series-parallel graphs and partial
// k-trees of 12,000 and 48,000 vertices, set-up and products took less time than hub labels by
// a factor of 2 to 25 at every width up to 21, and as much at 41; the memory was a
// seventh at width 1, the same at 11, and twice as much at 20.
const exactWidth = 16

// narrowTree returns the scene's tree along a decomposition by minimum degree,
// nil where that is wider than width, or a separator tree of some shape was asked for. In
// the solving lane.
func (e *Engine) narrowTree(r *run, sc *scene, width int, limit int64) (*narrow.Tree, error) {
	if sc.held.shape != (shape{}) || sc.held.wider >= width {
		return nil, nil
	}
	if t := sc.held.narrow; t != nil {
		if t.Report().Width > width {
			return nil, nil
		}
		return t, nil
	}
	end := r.begin("tree")
	order, _, err := treedec.OrderWithin(r.ctx, sc.graph, sc.graph.Len(), width)
	if errors.Is(err, treedec.ErrWide) {
		sc.held.wider = width
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d, err := treedec.FromOrder(sc.graph, order)
	if err != nil {
		return nil, err
	}
	t, err := narrow.Build(r.ctx, sc.graph, d, narrow.Options{MemoryLimit: limit, Progress: r.progress})
	if err != nil {
		return nil, err
	}
	end()
	sc.held.narrow, sc.held.took.narrow = t, r.latest()
	return t, nil
}

// narrowKernel is the kernel of that tree, nil where there is none.
func (e *Engine) narrowKernel(r *run, sc *scene, p plea, width int, limit int64) (*kernel, error) {
	t, err := e.narrowTree(r, sc, width, limit)
	if t == nil || err != nil {
		return nil, err
	}
	defer r.begin("kernel")()
	k, err := narrow.NewKernel(r.ctx, t, p.epsilon, max(1, limit-t.Bytes()))
	if err != nil {
		return nil, err
	}
	c := t.Report()
	return &kernel{Kernel: k, plea: p, stored: label.Float64, width: c.Width, bytes: k.Bytes() + t.Bytes(), stages: []job.Timing{sc.held.took.narrow}, crosses: job.Crosses{Single: c.Single, Range: c.Range, Pairs: c.Pairs}}, nil
}

// crossesOf is how a separator tree's kernels multiply.
func crossesOf(t *sgfi.Tree) (c job.Crosses) {
	c.Single, c.Range, c.Pairs = t.Crosses()
	return c
}
