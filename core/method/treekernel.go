package method

import (
	"errors"

	"genussink/core/job"
	"genussink/core/treedec"
	"genussink/core/treekernel"
)

// bagWidth is the width up to which a graph is multiplied along its decomposition. On grids and
// partial k-trees of 12,000 vertices the tree along a decomposition took a
// twentieth of the separator tree's memory at width 11, a fifth at 41, and as much
// at 100; its set-up took a fifth of the other's time at 11, and as much at 41.
const bagWidth = 32

// exactWidth is the width up to which the method exact takes the tree along a
// decomposition: both are exact. On strips, series-parallel graphs and partial
// k-trees of 12,000 and 48,000 vertices, set-up and products took less time than hub labels by
// a factor of 2 to 25 at every width up to 21, and as much at 41; the memory was a
// seventh at width 1, the same at 11, and twice as much at 20.
const exactWidth = 16

// bagTree returns the graph's tree along a decomposition by minimum degree,
// nil where that is wider than width, or a separator tree of some shape was asked for.
func (m *Maker) bagTree(r *Run, width int, limit int64) (*treekernel.Tree, error) {
	if m.kept.shape != (Shape{}) || m.kept.wider >= width {
		return nil, nil
	}
	if t := m.kept.bags; t != nil {
		if t.Report().Width > width {
			return nil, nil
		}
		return t, nil
	}
	end := r.Begin(job.StageTree)
	order, _, err := treedec.OrderWithin(r.Context, m.Graph, m.Graph.Len(), width)
	if errors.Is(err, treedec.ErrWide) {
		m.kept.wider = width
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d, err := treedec.FromOrder(m.Graph, order)
	if err != nil {
		return nil, err
	}
	t, err := treekernel.Build(r.Context, m.Graph, d, treekernel.Options{MemoryLimit: limit, Progress: r.Progress})
	if err != nil {
		return nil, err
	}
	end()
	m.kept.bags, m.kept.took.bags = t, r.Latest()
	return t, nil
}

// bagKernel is the kernel of that tree, nil where there is none.
func (m *Maker) bagKernel(r *Run, p Spec, width int, limit int64) (*Kernel, error) {
	t, err := m.bagTree(r, width, limit)
	if t == nil || err != nil {
		return nil, err
	}
	defer r.Begin(job.StageKernel)()
	k, err := treekernel.NewKernel(r.Context, t, p.Epsilon, max(1, limit-t.Bytes()))
	if err != nil {
		return nil, err
	}
	c := t.Report()
	made := p.made(k, k.Bytes()+t.Bytes())
	made.Made.Width, made.Made.Depth, made.Made.Crosses = c.Width, c.Depth, job.Crosses{Single: c.Single, Range: c.Range, Pairs: c.Pairs}
	made.Stages, made.shared = []job.Timing{m.kept.took.bags}, t.Bytes()
	return made, nil
}
