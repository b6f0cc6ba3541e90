package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"genussink/core/baseline"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/separator"
	"genussink/core/sgfi"
)

// held is what a scene keeps for requests to come.
type held struct {
	shape  shape
	tree   *sgfi.Tree // nil until it is needed
	kernel *kernel    // nil until it is needed
	rates  rates      // of the dense kernel, zero until measured
}

// shape is what a separator tree is asked to be.
type shape struct {
	finder  string
	balance float64
	depth   int
}

// kernel is a Gibbs kernel and what it was made from.
type kernel struct {
	linop.Kernel
	method  string
	epsilon float64 // mesh units
	bytes   int64   // with the tree behind it
}

// The methods.
const (
	exact = "exact"
	dense = "dense"
)

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
	if want := (shape{b.Finder, b.Balance, b.Depth}); want != sc.held.shape {
		before := sc.held
		sc.held = held{shape: want, rates: before.rates}
		if _, err := e.tree(r, sc); err != nil {
			sc.held = before
			return nil, err
		}
	}
	tree, err := e.tree(r, sc)
	if err != nil {
		return nil, err
	}
	nodes, cells := tree.Outline()
	separated := &job.Separated{Finder: finder.Name(), Nodes: make([]job.Node, len(nodes)), Cells: cells, Timings: r.timings}
	for i, n := range nodes {
		separated.Nodes[i] = job.Node{Parent: n.Parent, Left: n.Left, Right: n.Right, Depth: n.Depth, A: n.A, S: n.S, B: n.B}
	}
	return separated, nil
}

// tree returns the scene's separator tree. In the solving lane.
func (e *Engine) tree(r *run, sc *scene) (*sgfi.Tree, error) {
	if sc.held.tree != nil {
		return sc.held.tree, nil
	}
	end := r.begin("tree")
	s := sc.held.shape
	tree, err := sgfi.Build(r.ctx, sc.graph, sgfi.Options{
		Finder: s.finder, Balance: s.balance, Depth: s.depth, Positions: sc.mesh.Positions,
		Progress: r.progress, Delegate: e.delegate(sc.graph.Len()),
	})
	if err != nil {
		return nil, err
	}
	end()
	sc.held.tree = tree
	return tree, nil
}

// kernel returns the kernel of a method and an epsilon in mesh units: the one
// at hand, the plan's, or a new one. In the solving lane.
func (e *Engine) kernel(r *run, sc *scene, method string, epsilon float64) (*kernel, error) {
	last := sc.plan.Load()
	for _, k := range []*kernel{sc.held.kernel, last.kernelOrNil()} {
		if k != nil && k.method == method && k.epsilon == epsilon {
			sc.held.kernel = k
			return k, nil
		}
	}
	sc.held.kernel = nil
	make := e.exactKernel
	if method == dense {
		make = e.denseKernel
	}
	limit := e.limit
	if last != nil {
		limit = max(1, limit-last.kernel.bytes) // the old plan can be asked until the new one is there
	}
	k, err := make(r, sc, epsilon, limit)
	if last != nil && isMemory(err) {
		sc.plan.Store(nil)
		k, err = make(r, sc, epsilon, e.limit)
	}
	if err != nil {
		return nil, e.advise(r, sc, err)
	}
	sc.held.kernel = k
	return k, nil
}

func (e *Engine) exactKernel(r *run, sc *scene, epsilon float64, limit int64) (*kernel, error) {
	tree, err := e.tree(r, sc)
	if err != nil {
		return nil, err
	}
	limit = max(1, limit-tree.Bytes())
	defer r.begin("kernel")()
	if e.team != nil && e.team.Size() > 0 && sc.graph.Len() >= teamVertices {
		shared, bytes, err := e.share(r, tree, epsilon, limit)
		if err != nil {
			return nil, err
		}
		return &kernel{shared, exact, epsilon, bytes + tree.Bytes()}, nil
	}
	k, err := sgfi.NewKernel(r.ctx, tree, epsilon, sgfi.KernelOptions{MemoryLimit: limit, Progress: r.progress})
	if err != nil {
		return nil, err
	}
	return &kernel{k, exact, epsilon, k.Bytes() + tree.Bytes()}, nil
}

func (e *Engine) denseKernel(r *run, sc *scene, epsilon float64, limit int64) (*kernel, error) {
	defer r.begin("kernel")()
	k, err := baseline.NewDense(r.ctx, sc.graph, epsilon, baseline.Options{MemoryLimit: limit, Progress: r.progress})
	if err != nil {
		return nil, err
	}
	return &kernel{k, dense, epsilon, baseline.DenseBytes(sc.graph.Len())}, nil
}

// methodOf checks a request's method and kernel function.
func methodOf(method, function string) (string, error) {
	if function != "" && function != "exp" {
		return "", fmt.Errorf("there is no kernel %q; there is exp", function)
	}
	switch method {
	case "", exact:
		return exact, nil
	case dense:
		return dense, nil
	}
	return "", fmt.Errorf("there is no method %q; there are exact and dense", method)
}

// needOf is what a refusal for want of memory asked for, 0 for other errors.
func needOf(err error) (need int64) {
	var s *sgfi.MemoryError
	var d *baseline.MemoryError
	switch {
	case errors.As(err, &s):
		return s.Need
	case errors.As(err, &d):
		return d.Need
	}
	return 0
}

func isMemory(err error) bool {
	var m *memoryError
	return needOf(err) > 0 || errors.As(err, &m)
}

// memoryError is a refusal in words for a person.
type memoryError struct{ message string }

func (e *memoryError) Error() string { return e.message }

// advise says of a refusal for want of memory which method would fit.
func (e *Engine) advise(r *run, sc *scene, err error) error {
	need := needOf(err)
	if need == 0 {
		return err
	}
	var d *baseline.MemoryError
	if !errors.As(err, &d) {
		return &memoryError{fmt.Sprintf("The exact kernel of %d vertices needs %s (%d bytes) and %s are allowed; no other method needs less.",
			sc.graph.Len(), gigabytes(need), need, gigabytes(e.limit))}
	}
	refusal := fmt.Sprintf("The dense kernel of %d vertices needs %s (%d bytes) and %s are allowed; ",
		sc.graph.Len(), gigabytes(need), need, gigabytes(e.limit))
	tree, treeErr := e.tree(r, sc)
	if treeErr != nil {
		return treeErr
	}
	other := sgfi.KernelBytes(tree) + tree.Bytes()
	if other > e.limit {
		return &memoryError{refusal + fmt.Sprintf("the exact method needs %s, which does not fit either.", gigabytes(other))}
	}
	return &memoryError{refusal + fmt.Sprintf("the exact method gives the same answer in %s.", gigabytes(other))}
}

func gigabytes(bytes int64) string {
	if bytes < 1e8 {
		return fmt.Sprintf("%.3g MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.3g GB", float64(bytes)/1e9)
}

// patient asks its context before every product and every row: the caller's
// event loop runs there, and once the context has ended there are no more
// products, only zeros. Whoever uses it asks the context when it is done.
type patient struct {
	linop.Kernel
	ctx context.Context
}

func (k patient) over(dst []float64) ([]float64, bool) {
	if dst == nil {
		n, _ := k.Dims()
		dst = make([]float64, n)
	}
	if k.ctx.Err() == nil {
		return dst, false
	}
	clear(dst)
	return dst, true
}

func (k patient) MulVec(dst, x []float64) []float64 {
	dst, over := k.over(dst)
	if over {
		return dst
	}
	return k.Kernel.MulVec(dst, x)
}

func (k patient) MulVecT(dst, x []float64) []float64 {
	dst, over := k.over(dst)
	if over {
		return dst
	}
	return k.Kernel.MulVecT(dst, x)
}

func (k patient) LogMulVec(dst, x []float64) []float64 {
	dst, over := k.over(dst)
	if over {
		return dst
	}
	return k.Kernel.LogMulVec(dst, x)
}

func (k patient) PlanCost(logu, logv []float64) float64 {
	if k.ctx.Err() != nil {
		return 0
	}
	return k.Kernel.PlanCost(logu, logv)
}

func (k patient) Distances(dst []float64, i int) []float64 {
	dst, over := k.over(dst)
	if over {
		return dst
	}
	return k.Kernel.Distances(dst, i)
}

func threads() int { return runtime.GOMAXPROCS(0) }
