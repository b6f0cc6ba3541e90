package engine

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"

	"genussink/core/graph"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/sgfi"
)

// Team is engines elsewhere, each answering as Engine.Run does, that a lead
// shares its trees and its kernels with. They are members 0 to Size()-1.
type Team interface {
	Size() int
	// Call has a member do a request and returns its final event. A member that
	// cannot be reached is an error; one that failed may be either, an error or
	// Failed. When ctx ends Call returns and tells the member to stop. Safe
	// for concurrent use, also with the same member.
	Call(ctx context.Context, member int, request job.Body) (job.Body, error)
}

// teamVertices is the least mesh that is shared: below it a tree and a kernel
// take less time than the messages about them.
const teamVertices = 1000

// call asks a member and expects an answer of one type.
func call[Answer job.Body](ctx context.Context, t Team, member int, request job.Body) (answer Answer, err error) {
	final, err := t.Call(ctx, member, request)
	if err != nil {
		return answer, err
	}
	switch b := final.(type) {
	case Answer:
		return b, nil
	case *job.Failed:
		return answer, fmt.Errorf("%s", b.Message)
	}
	return answer, fmt.Errorf("member %d answers %T with %T", member, request, final)
}

// delegate offers the subtrees of a tree of n vertices to members that have
// nothing to do; nil without a team.
func (e *Engine) delegate(n int) func(context.Context, *graph.Graph, sgfi.Options) (*sgfi.Node, error) {
	if e.team == nil || e.team.Size() == 0 || n < teamVertices {
		return nil
	}
	idle := make(chan int, e.team.Size())
	for m := range e.team.Size() {
		idle <- m
	}
	// A piece as large as half as much again as one engine's share is split
	// once more first, so that everybody gets something.
	most := 3 * n / (2 * (e.team.Size() + 1))
	return func(ctx context.Context, g *graph.Graph, o sgfi.Options) (*sgfi.Node, error) {
		if g.Len() > max(most, teamVertices) || g.Len() < teamVertices/4 {
			return nil, nil
		}
		var member int
		select {
		case member = <-idle:
		default:
			return nil, nil
		}
		grow := &job.Grow{
			Graph: sgfi.AppendGraph(nil, g), Finder: o.Finder, Balance: o.Balance, Depth: o.Depth,
		}
		for _, p := range o.Positions {
			grow.Positions = append(grow.Positions, p[:]...)
		}
		grown, err := call[*job.Grown](ctx, e.team, member, grow)
		var node *sgfi.Node
		if err == nil {
			node, err = sgfi.ParseNode(grown.Tree)
		}
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			e.logf("engine: member %d did not build its subtree, the lead does: %v", member, err)
			return nil, nil // and the member is not asked again for this tree
		}
		idle <- member
		return node, nil
	}
}

// teamKernel is a kernel in parts: part 0 is the lead's own, part m+1 member
// m's, until that fails and the lead takes it over. Products of the parts are
// added. It serves one request at a time, whose context it is told by use.
type teamKernel struct {
	linop.Kernel // part 0; dimensions, distances and the floor are the whole one's
	e            *Engine
	tree         *sgfi.Tree
	epsilon      float64
	limit        int64          // of each part that the lead takes over
	taken        []linop.Kernel // by part: the lead's, nil while it is the member's

	ctx context.Context
	err error // that some part could not be had at all
}

// share builds a kernel with the team and says how many bytes it holds in all.
func (e *Engine) share(r *run, tree *sgfi.Tree, epsilon float64, limit int64) (*teamKernel, int64, error) {
	parts := e.team.Size() + 1
	k := &teamKernel{e: e, tree: tree, epsilon: epsilon, limit: limit, taken: make([]linop.Kernel, parts), ctx: r.ctx}
	graph, nodes := sgfi.AppendGraph(nil, tree.Graph), sgfi.AppendNode(nil, tree.Root)
	bytes, errs := make([]int64, parts), make([]error, parts)
	var wait sync.WaitGroup
	for p := 1; p < parts; p++ {
		wait.Go(func() {
			held, err := call[*job.Held](r.ctx, e.team, p-1, &job.Hold{
				Graph: graph, Tree: nodes, Epsilon: epsilon, Part: p, Parts: parts,
			})
			if errs[p] = err; err == nil {
				bytes[p] = held.Bytes
			}
		})
	}
	runtime.Gosched() // where there is one thread the messages must leave before it is taken
	own, err := sgfi.NewKernel(r.ctx, tree, epsilon, sgfi.KernelOptions{Parts: parts, MemoryLimit: limit, Progress: r.progress})
	wait.Wait()
	if err != nil {
		return nil, 0, err
	}
	k.Kernel, k.taken[0] = own, own
	total := own.Bytes()
	for p := 1; p < parts; p++ {
		if errs[p] != nil {
			if err := k.take(p, errs[p]); err != nil {
				return nil, 0, err
			}
			bytes[p] = k.taken[p].(*sgfi.Kernel).Bytes()
		}
		total += bytes[p]
	}
	return k, total, nil
}

// take makes a part the lead's.
func (k *teamKernel) take(part int, why error) error {
	if err := k.ctx.Err(); err != nil {
		return err
	}
	k.e.logf("engine: member %d does not do its part of the kernel, the lead does: %v", part-1, why)
	own, err := sgfi.NewKernel(k.ctx, k.tree, k.epsilon, sgfi.KernelOptions{Part: part, Parts: len(k.taken), MemoryLimit: k.limit})
	if err != nil {
		return err
	}
	k.taken[part] = own
	return nil
}

// products returns every part's share of a product. When the context ends or
// a part cannot be had it returns nil.
func (k *teamKernel) products(name string, x, y []float64, size int, own func(linop.Kernel) []float64) [][]float64 {
	if k.err != nil {
		return nil
	}
	shares, errs := make([][]float64, len(k.taken)), make([]error, len(k.taken))
	var wait sync.WaitGroup
	for p, mine := range k.taken {
		if mine == nil {
			wait.Go(func() {
				answer, err := call[*job.Multiplied](k.ctx, k.e.team, p-1, &job.Multiply{Product: name, X: x, Y: y})
				if err == nil && len(answer.Values) != size {
					err = fmt.Errorf("%d values for %d", len(answer.Values), size)
				}
				if errs[p] = err; err == nil {
					shares[p] = answer.Values
				}
			})
		}
	}
	runtime.Gosched() // as in share
	for p, mine := range k.taken {
		if mine != nil {
			shares[p] = own(mine)
		}
	}
	wait.Wait()
	for p, why := range errs {
		if why == nil {
			continue
		}
		if err := k.take(p, why); err != nil {
			if k.ctx.Err() == nil {
				k.err = err
			}
			return nil
		}
		shares[p] = own(k.taken[p])
	}
	return shares
}

// The names of products in job.Multiply.
const (
	productVec  = "vec"
	productLog  = "log"
	productCost = "cost"
)

func (k *teamKernel) MulVec(dst, x []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(x))
	}
	shares := k.products(productVec, x, nil, len(x), func(p linop.Kernel) []float64 { return p.MulVec(nil, x) })
	clear(dst)
	for _, s := range shares {
		for i, v := range s {
			dst[i] += v
		}
	}
	return dst
}

func (k *teamKernel) MulVecT(dst, x []float64) []float64 { return k.MulVec(dst, x) }

func (k *teamKernel) LogMulVec(dst, x []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(x))
	}
	shares := k.products(productLog, x, nil, len(x), func(p linop.Kernel) []float64 { return p.LogMulVec(nil, x) })
	for i := range dst {
		top, sum := math.Inf(-1), 0.0
		for _, s := range shares {
			top = max(top, s[i])
		}
		if !math.IsInf(top, -1) {
			for _, s := range shares {
				sum += math.Exp(s[i] - top)
			}
		}
		dst[i] = top + math.Log(sum)
	}
	return dst
}

func (k *teamKernel) PlanCost(logu, logv []float64) float64 {
	shares := k.products(productCost, logu, logv, 1, func(p linop.Kernel) []float64 {
		return []float64{p.PlanCost(logu, logv)}
	})
	sum := 0.0
	for _, s := range shares {
		sum += s[0]
	}
	return sum
}

// use lends a kernel to a request; the function it returns takes it back, and
// drops the kernel when a part of it is lost.
func (sc *scene) use(r *run, k *kernel) (done func()) {
	shared, ok := k.Kernel.(*teamKernel)
	if !ok {
		return func() {}
	}
	shared.ctx = r.ctx
	return func() {
		if shared.err != nil && sc.held.kernel == k {
			sc.held.kernel = nil
		}
	}
}

// failureOf is why a product of the kernel is missing, if one is.
func failureOf(k *kernel) error {
	if shared, ok := k.Kernel.(*teamKernel); ok {
		return shared.err
	}
	return nil
}
