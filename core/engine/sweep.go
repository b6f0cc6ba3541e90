package engine

import (
	"genussink/core/job"
	"genussink/core/method"
	"genussink/core/separator"
)

// sweep lists separations by size against balance.
func (e *Engine) sweep(r *run, sc *scene) (job.Body, error) {
	end := r.Begin("sweep")
	list, err := separator.Pareto(r.ctx, sc.Graph, separator.Options{Positions: sc.Mesh.Positions, Faces: sc.Mesh.Faces})
	if err != nil {
		return nil, err
	}
	end()
	swept := &job.Swept{Cuts: make([]job.Cut, len(list)), Timings: r.Timings}
	for i, s := range list {
		swept.Cuts[i] = job.Cut{A: int32(len(s.A)), S: int32(len(s.S)), B: int32(len(s.B)), Sides: sides(s, sc.Graph.Len())}
	}
	return swept, nil
}

// sides is where a separation puts each of n vertices: 0 in A, 1 in S, 2 in B.
func sides(s separator.Separation, n int) []byte {
	where := make([]byte, n)
	for i, part := range [][]int32{s.A, s.S, s.B} {
		for _, v := range part {
			where[v] = byte(i)
		}
	}
	return where
}

// separate builds the tree that Solve and Apply use from now on.
func (e *Engine) separate(r *run, sc *scene, b *job.Separate) (job.Body, error) {
	finder, err := separator.ByName(b.Finder)
	if err != nil {
		return nil, err
	}
	if err := e.solving.enter(r); err != nil {
		return nil, err
	}
	defer e.solving.leave()
	if f := sc.maker.ForecastTree(r.ctx, b.Patience); f != nil {
		return f, nil
	}
	fine, err := sc.maker.Separate(&r.Run, method.Shape{Finder: b.Finder, Balance: b.Balance, Depth: b.Depth, Root: string(b.Root)})
	if err != nil {
		return nil, separator.Named(err, sc.name)
	}
	nodes, cells := fine.Outline()
	separated := &job.Separated{Finder: finder.Name(), Nodes: make([]job.Node, len(nodes)), Cells: cells, Timings: r.Timings}
	for i, n := range nodes {
		separated.Nodes[i] = job.Node(n)
	}
	return separated, nil
}
