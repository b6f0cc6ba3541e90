package engine

import (
	"errors"
	"fmt"

	"genussink/core/job"
	"genussink/core/sgfi"
)

// part is the part of a lead's kernel that this engine holds.
type part struct {
	kernel *sgfi.Kernel // nil: none
}

// grow builds a separator tree for a lead.
func (e *Engine) grow(r *run, b *job.Grow) (job.Body, error) {
	g, err := sgfi.ParseGraph(b.Graph)
	if err != nil {
		return nil, err
	}
	var positions [][3]float64
	if len(b.Positions) > 0 {
		if len(b.Positions) != 3*g.Len() {
			return nil, fmt.Errorf("%d coordinates for %d vertices", len(b.Positions), g.Len())
		}
		positions = make([][3]float64, g.Len())
		for v := range positions {
			positions[v] = [3]float64(b.Positions[3*v:])
		}
	}
	if err := e.solving.enter(r); err != nil {
		return nil, err
	}
	defer e.solving.leave()
	tree, err := sgfi.Build(r.ctx, g, sgfi.Options{
		Finder: b.Finder, Balance: b.Balance, Depth: b.Depth, Positions: positions, Progress: r.progress,
	})
	if err != nil {
		return nil, err
	}
	return &job.Grown{Tree: sgfi.AppendNode(nil, tree.Root)}, nil
}

// hold builds a part of a lead's kernel and keeps it.
func (e *Engine) hold(r *run, b *job.Hold) (job.Body, error) {
	if err := e.solving.enter(r); err != nil {
		return nil, err
	}
	defer e.solving.leave()
	e.part = part{}
	g, err := sgfi.ParseGraph(b.Graph)
	if err != nil {
		return nil, err
	}
	root, err := sgfi.ParseNode(b.Tree)
	if err != nil {
		return nil, err
	}
	tree, err := sgfi.NewTree(g, root)
	if err != nil {
		return nil, err
	}
	k, err := sgfi.NewKernel(r.ctx, tree, b.Epsilon, sgfi.KernelOptions{
		Part: b.Part, Parts: b.Parts, MemoryLimit: max(1, e.limit-tree.Bytes()), Progress: r.progress,
	})
	if err != nil {
		return nil, err
	}
	e.part = part{k}
	return &job.Held{Bytes: k.Bytes() + tree.Bytes()}, nil
}

// multiply multiplies with the part held.
func (e *Engine) multiply(r *run, b *job.Multiply) (job.Body, error) {
	if err := e.solving.enter(r); err != nil {
		return nil, err
	}
	defer e.solving.leave()
	k := e.part.kernel
	if k == nil {
		return nil, errors.New("no part of a kernel is held here")
	}
	n, _ := k.Dims()
	if len(b.X) != n || b.Product == productCost && len(b.Y) != n {
		return nil, fmt.Errorf("vectors of %d and %d values for a kernel of %d vertices", len(b.X), len(b.Y), n)
	}
	switch b.Product {
	case productVec:
		return &job.Multiplied{Values: k.MulVec(nil, b.X)}, nil
	case productLog:
		return &job.Multiplied{Values: k.LogMulVec(nil, b.X)}, nil
	case productCost:
		return &job.Multiplied{Values: []float64{k.PlanCost(b.X, b.Y)}}, nil
	}
	return nil, fmt.Errorf("there is no product %q", b.Product)
}
