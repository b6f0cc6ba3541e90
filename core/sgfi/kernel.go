package sgfi

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"genussink/core/graph"
	"genussink/core/internal/exponential"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
)

// Kernel is exp(-D/epsilon) for the distances D of a Tree, kept as tiles that
// cover every pair of vertices once. It implements linop.Kernel, exactly.
type Kernel struct {
	t         *Tree
	n         int
	epsilon   float64
	exponents bool // tiles hold d/epsilon instead of exp(-d/epsilon)
	component []int32
	shift     [2][]float64 // of each component, for x and y
	bytes     int64

	lanes []lane
	ctx   context.Context // of the product under way
	x, y  []float64       // of the product under way
	u, v  []float64       // scaled copies of them
	top   []float64

	multiply, peak, sum, integrate func(worker, at int) // bound once, so that products do not allocate
}

var (
	_ linop.Kernel = (*Kernel)(nil)
	_ linop.Scaler = (*Kernel)(nil)
)

// KernelOptions governs NewKernel. The zero value builds the whole kernel.
type KernelOptions struct {
	MemoryLimit int64 // bytes that the tiles may take; 0: no limit

	// Progress is told "kernel" and the share of the work done, by one
	// goroutine at a time. Nil: nobody asks.
	Progress func(stage string, fraction float64)
}

// A product of kernel entries and two scalings must stay within float64's
// 1e+-308: scalings of a plan reach 1/K_min, so entries from exp(-300) = 5e-131 up are safe. Where they could be
// smaller the tiles hold exponents. They also do where all entries are so
// close to 1 that distances could not be read back from them to 1e-12.
const (
	smallestLog  = 300.
	smallestSpan = 1e-3
)

// exponents reports whether a kernel of distances up to diameter holds exponents.

func exponents(diameter, epsilon float64) bool {
	span := diameter / epsilon
	return span > smallestLog || span > 0 && span < smallestSpan
}

// Exponents reports whether a kernel of g will hold exponents, as far as can be told without a tree. Its products take
// an exponential for every entry.
func Exponents(g *graph.Graph, epsilon float64) bool { return exponents(diameterBound(g), epsilon) }

// lanes is the number of accumulators that a product's tiles are dealt to. It
// is fixed so that sums do not depend on the number of processors.
const lanes = 16

// NewKernel evaluates the kernel for epsilon > 0, in the graph's unit. Above
// the memory limit the error is a *linop.MemoryError.
func NewKernel(ctx context.Context, t *Tree, epsilon float64, o KernelOptions) (*Kernel, error) {
	if !(epsilon > 0) || math.IsInf(epsilon, 1) {
		return nil, fmt.Errorf("sgfi: epsilon is %g, it must be positive and finite", epsilon)
	}
	n := t.Graph.Len()
	k := &Kernel{t: t, n: n, epsilon: epsilon}
	k.exponents = exponents(t.diameter, epsilon)

	plan, err := t.plan(ctx)
	if err != nil {
		return nil, err
	}
	for _, b := range plan {
		k.bytes += b.bytes()
	}
	if o.MemoryLimit > 0 && k.bytes > o.MemoryLimit {
		return nil, &linop.MemoryError{What: "sgfi: the tree and kernel", Vertices: n, Need: k.bytes, Limit: o.MemoryLimit}
	}
	tiles, err := k.evaluate(ctx, plan, o.Progress)
	if err != nil {
		return nil, err
	}
	if k.exponents && exponents(k.epsilon*longest(tiles), k.epsilon) != k.exponents { // the diameter is a bound
		k.exponents = false
		for _, t := range tiles {
			for _, values := range [][]float64{t.direct, t.left, t.right} {
				for i, d := range values {
					values[i] = exponential.Exp(-d)
				}
			}
		}
	}
	k.lay(tiles)
	return k, nil
}

// longest is the greatest finite exponent of tiles that hold exponents; of those of rank one a bound.
func longest(tiles []tile) (most float64) {
	peak := func(values []float64) (most float64) {
		for _, d := range values {
			if d > most && d < math.Inf(1) {
				most = d
			}
		}
		return most
	}
	for _, t := range tiles {
		most = max(most, peak(t.direct), peak(t.left)+peak(t.right))
	}
	return most
}

// evaluate makes the tiles of all blocks.
func (k *Kernel) evaluate(ctx context.Context, plan []block, progress func(string, float64)) ([]tile, error) {
	made := make([][]tile, len(plan))
	workers := parallel.Workers(len(plan))
	scratch := make([]scratch, workers)
	var mu sync.Mutex
	var done, all float64
	for _, b := range plan {
		all += b.work()
	}
	err := parallel.Each(ctx, workers, len(plan), func(w, i int) {
		if made[i] = k.tiles(ctx, plan[i], &scratch[w]); progress != nil {
			mu.Lock()
			defer mu.Unlock()
			done += plan[i].work()
			progress("kernel", done/all)
		}
	})
	if err == nil {
		err = ctx.Err() // tiles stops early when cancelled
	}
	return slices.Concat(made...), err
}

// lay deals the tiles to lanes and prepares the products' scratch space.
func (k *Kernel) lay(tiles []tile) {
	k.component, _ = k.t.Graph.Components()
	count := 0
	for _, c := range k.component {
		count = max(count, int(c)+1)
	}
	k.shift = [2][]float64{make([]float64, count), make([]float64, count)}
	k.u, k.v, k.top = make([]float64, k.n), make([]float64, k.n), make([]float64, k.n)
	for _, own := range deal(tiles, lanes, func(t tile) float64 { return float64(t.size()) }) {
		if len(own) == 0 {
			continue
		}
		l := lane{tiles: own, sum: make([]float64, k.n)}
		if k.exponents {
			l.top = make([]float64, k.n)
		}
		rows, cols := 0, 0
		for _, t := range own {
			rows, cols = max(rows, len(t.rows)), max(cols, len(t.cols))
		}
		for i := range l.a {
			l.a[i], l.b[i] = make([]float64, rows), make([]float64, cols)
		}
		k.lanes = append(k.lanes, l)
	}
	k.multiply, k.peak, k.sum, k.integrate = k.multiplyLane, k.peakLane, k.sumLane, k.integrateLane
}

// deal gives each item to the pile that weighs least, the heaviest first.
// Within a pile the items keep their order.
func deal[T any](items []T, piles int, weight func(T) float64) [][]T {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight(items[b]), weight(items[a])) })
	to := make([]int, len(items))
	load := make([]float64, piles)
	for _, i := range order {
		least := 0
		for p := range load {
			if load[p] < load[least] {
				least = p
			}
		}
		to[i] = least
		load[least] += weight(items[i])
	}
	out := make([][]T, piles)
	for i, p := range to {
		out[p] = append(out[p], items[i])
	}
	return out
}

// Dims returns n, n.
func (k *Kernel) Dims() (rows, cols int) { return k.n, k.n }

// Epsilon is the regularisation the kernel was made for, in the graph's unit.
func (k *Kernel) Epsilon() float64 { return k.epsilon }

// Bytes is the memory in bytes that the tiles take.
func (k *Kernel) Bytes() int64 { return k.bytes }

// LogFloor is -d/epsilon for an upper bound d on the finite distances.
func (k *Kernel) LogFloor() float64 { return -k.t.diameter / k.epsilon }

// Distances fills dst (len n, nil allocates) with the distances of vertex i.
func (k *Kernel) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return k.t.Distances(ctx, dst, i)
}

func (k *Kernel) vector(dst []float64) []float64 {
	if dst == nil {
		return make([]float64, k.n)
	}
	if len(dst) != k.n {
		panic("sgfi: vector of the wrong length")
	}
	return dst
}

// each runs a stage of a product for every lane. It returns the context's error as soon as it has one.
func (k *Kernel) each(ctx context.Context, body func(worker, at int)) error {
	k.ctx = ctx
	defer func() { k.ctx = nil }()
	if err := parallel.Each(ctx, parallel.Workers(len(k.lanes)), len(k.lanes), body); err != nil {
		return err
	}
	return ctx.Err() // a lane may have given up
}

// over asks the product's context, once in so many tiles. A lane that gives up says nothing: each asks again.
func (k *Kernel) over(tile int) bool { return tile%8 == 0 && k.ctx.Err() != nil }

// MulVec computes dst = K x.
func (k *Kernel) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	dst = k.vector(dst)
	k.x = k.vector(x)
	if err := k.each(ctx, k.multiply); err != nil {
		return nil, err
	}
	k.total(dst)
	return dst, nil
}

// total adds the lanes' sums, in their order.
func (k *Kernel) total(dst []float64) {
	clear(dst)
	for _, l := range k.lanes {
		for i, s := range l.sum {
			dst[i] += s
		}
	}
}

// LogMulVec computes dst_i = log sum_j exp(x_j - d_ij/epsilon).
//
// Where the tiles hold entries, x is shifted by its greatest value in each
// component. The vertex that has it gives each row of the component a term of
// at least exp(-300), so that a term which underflows, below exp(-708), is
// beyond the last digit.
func (k *Kernel) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	dst = k.vector(dst)
	k.x = k.vector(x)
	if k.exponents {
		if err := k.each(ctx, k.peak); err != nil {
			return nil, err
		}
		for i := range k.top {
			k.top[i] = math.Inf(-1)
			for l := range k.lanes {
				k.top[i] = max(k.top[i], k.lanes[l].top[i])
			}
		}
		if err := k.each(ctx, k.sum); err != nil {
			return nil, err
		}
		k.total(dst)
		for i, s := range dst {
			dst[i] = k.top[i] + math.Log(s)
		}
		return dst, nil
	}
	k.scale(k.u, x, k.shift[0])
	k.x = k.u
	if err := k.each(ctx, k.multiply); err != nil {
		return nil, err
	}
	k.total(dst)
	for i, s := range dst {
		dst[i] = math.Log(s)
		if s > 0 {
			dst[i] += k.shift[0][k.component[i]]
		}
	}
	return dst, nil
}

// scale computes dst_i = exp(x_i - shift), where shift is the greatest x of
// i's component.
func (k *Kernel) scale(dst, x, shift []float64) {
	for c := range shift {
		shift[c] = math.Inf(-1)
	}
	for i, c := range k.component {
		shift[c] = max(shift[c], x[i])
	}
	for i, c := range k.component {
		dst[i] = 0
		if x[i] != math.Inf(-1) {
			dst[i] = exponential.Exp(x[i] - shift[c])
		}
	}
}

// PlanCost is sum_ij P_ij d_ij for P_ij = exp(logu_i - d_ij/epsilon + logv_j).
// Where the tiles hold entries the distances are read back from them, and u and v are shifted as
// in LogMulVec.
func (k *Kernel) PlanCost(ctx context.Context, logu, logv []float64) (float64, error) {
	k.x, k.y = k.vector(logu), k.vector(logv)
	if !k.exponents {
		k.scale(k.u, logu, k.shift[0])
		k.scale(k.v, logv, k.shift[1])
	}
	if err := k.each(ctx, k.integrate); err != nil {
		return 0, err
	}
	k.total(k.top)
	cost := 0.0
	for i, s := range k.top {
		if s > 0 && !k.exponents {
			c := k.component[i]
			s = exponential.Exp(math.Log(s) + k.shift[0][c] + k.shift[1][c])
		}
		cost += s
	}
	return cost * k.epsilon, nil
}
