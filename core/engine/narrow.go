package engine

import (
	"errors"

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

// narrowTree returns the scene's tree along a decomposition by minimum degree,
// nil where that is wide, or a separator tree of some shape was asked for. In the solving lane.
func (e *Engine) narrowTree(r *run, sc *scene, limit int64) (*narrow.Tree, error) {
	if sc.held.shape != (shape{}) || sc.held.wide {
		return nil, nil
	}
	if sc.held.narrow != nil {
		return sc.held.narrow, nil
	}
	end := r.begin("tree")
	order, _, err := treedec.OrderWithin(r.ctx, sc.graph, sc.graph.Len(), narrowWidth)
	if errors.Is(err, treedec.ErrWide) {
		sc.held.wide = true
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
	sc.held.narrow = t
	return t, nil
}

func (e *Engine) narrowKernel(r *run, t *narrow.Tree, p plea, limit int64) (*kernel, error) {
	defer r.begin("kernel")()
	k, err := narrow.NewKernel(r.ctx, t, p.epsilon, max(1, limit-t.Bytes()))
	if err != nil {
		return nil, err
	}
	c := t.Report()
	return &kernel{Kernel: k, plea: p, bytes: k.Bytes() + t.Bytes(), crosses: job.Crosses{Width: c.Width, Single: c.Single, Range: c.Range, Pairs: c.Pairs}}, nil
}

// crossesOf is how a separator tree's kernels multiply.
func crossesOf(t *sgfi.Tree) job.Crosses {
	c := job.Crosses{Width: -1}
	c.Single, c.Range, c.Pairs = t.Crosses()
	return c
}
