// Package squared multiplies by the kernel exp(-D^2/s) of a graph's shortest-path distances D, the one of squared distance and so of
// the Wasserstein distance W2 (the paper, Sec. 3.1), without forming it. It works on the same cover of hubs as the kernel exp(-D/epsilon) of package hub.
//
// The cover says for every pair through which hub its shortest path goes. The distance is a sum of two labels, a + b. With exp such a
// block has rank one. Here it does not: exp(-(a+b)^2/s) has the factor exp(-2ab/s). Large blocks of this kind are interpolated by Chebyshev
// polynomials (see nodes). All other pairs are visited, each once for both directions. On meshes these are most of all pairs. With a tolerance the distances of a tile are whole numbers of steps, called codes. One small table then has the
// kernel's value for every sum of two codes. It is made for the tile and thrown away. A pair costs one look-up and two
// multiplications, and the memory is that of the cover. Without a tolerance a pair costs an exponential, about ten times as much.
//
// # Scale
//
// exp(-D^2/s) underflows at a distance of 27 sqrt(s). So a block has a scale. Its table is relative to the entry of its least
// distance, and its part of x is relative to the largest number there. What underflows at that scale is lost. Every row keeps a bound
// on its loss. A product in logarithms sums a row again, from its distances, if the bound is not negligible beside the row's sum (again.go).
// Every entry of a product is right in all digits but a few, whatever s is.
//
// # Other functions
//
// A table can hold any function. So NewOf takes any other positive function that is greatest at 0, such as a polynomial, at the same cost.
// Of polynomials it interpolates large rank-one blocks too, exactly.
//
// # Deviations
//
// The paper's general product for squared distance uses random features or Taylor series (Sec. 3.1). Their errors are relative to the
// largest entry, where the series is one for the whole block. But Sinkhorn divides by small entries too. Here the error of every entry is relative to that entry.
package squared

import (
	"context"
	"errors"
	"fmt"
	"math"

	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
	"genussink/core/linop"
)

// Kernel is exp(-D^2/s), or another function f(D), for the distances D of a cover. No distance is off by more than Cover.Bound. PlanCost
// uses D, not its square and not -log f(D). One goroutine at a time.
type Kernel struct {
	cover *cover.Cover
	cuts  cover.Cuts
	s     float64                 // a length squared
	f     func(d float64) float64 // another function than exp(-d^2/s), of d >= 0, positive, f(0) = 1; nil: that one
	// polynomial says that f is one, of a degree below nodes-1, and has leastOfPolynomial at least.
	polynomial bool
	longest    float64 // no distance is longer
	floor      float64 // no logarithm of an entry is less

	entries []float64 // of the pairs in rows of labels, hub by hub
	starts  []int     // by hub: where its entries begin

	spans, separatorSpans []span // by tile and by separator block, with a tolerance

	kept    *rows    // for products in logarithms; tempered kernels have the same
	loses   bool     // one of these lost too much in most of its rows
	lost    []int    // rows of the product under way
	summers []summer // by worker
	sumLost func(worker, n int)

	ctx     context.Context // of the product under way
	form    form
	in      []float64 // by vertex: x as it was given
	x       wide      // by rank
	dst     []float64 // by vertex, of the product under way
	lanes   [cover.Lanes]sums
	workers [cover.Lanes]*worker // nil until it has work
	stages  [2]func(worker, g int)
}

// form says what a product multiplies.
type form struct {
	logs  bool // x and the product are logarithms
	power int  // the entries are K_ij (D_ij/longest)^power: 0, 1 or 2
}

// sums are what one lane adds to a product, by rank.
type sums struct {
	wide
	lost []float64 // logarithms of upper bounds on what has underflowed
}

var (
	_ linop.Kernel     = (*Kernel)(nil)
	_ linop.LogEntrier = (*Kernel)(nil)
	_ linop.Temperer   = (*Kernel)(nil)
)

// New makes the kernel exp(-D^2/s) of a whole cover, s > 0, in the graph's unit squared.
func New(ctx context.Context, t *cover.Cover, s float64) (*Kernel, error) {
	if !(s > 0) || math.IsInf(s, 1) {
		return nil, fmt.Errorf("squared: s is %g, not a positive length squared", s)
	}
	if most := math.Sqrt(600 * s); t.Delta > most { // an entry of a distance -delta would underflow
		return nil, fmt.Errorf("squared: delta is %.3g, and an s of %.3g can do with %.3g", t.Delta, s, most)
	}
	k := &Kernel{s: s}
	k.take(t)
	k.floor = k.LogEntry(k.longest)
	return k.prepare(ctx)
}

// NewOf makes the kernel f(D) of a whole cover. f takes distances d >= 0 in the graph's unit. f(0) is 1. Up to the longest distance the
// values of f are from least, which is positive, to 1. That is the caller's promise. It is looked at for the distances from three vertices, and
// broken there it is an error. Any number of goroutines call f. A tolerance may leave a distance below 0: it counts as 0. If f is a polynomial up to the longest
// distance, degree is its degree, else -1.
func NewOf(ctx context.Context, t *cover.Cover, f func(d float64) float64, least float64, degree int) (*Kernel, error) {
	if !(least > tiny && least <= 1) {
		return nil, fmt.Errorf("squared: the least value of a function is %g, not from %g to 1", least, tiny)
	}
	k := &Kernel{f: f, floor: math.Log(least), polynomial: degree >= 0 && degree < nodes-1 && least >= leastOfPolynomial}
	k.take(t)
	if f == nil {
		return nil, errors.New("squared: there is no function")
	}
	if err := k.try(ctx, least); err != nil {
		return nil, err
	}
	return k.prepare(ctx)
}

// try is an error where the function breaks NewOf's promise at a distance from the first, the middle or the last vertex.
func (k *Kernel) try(ctx context.Context, least float64) error {
	const rounding = 1e-9
	if y := k.f(0); !(math.Abs(y-1) <= rounding) {
		return fmt.Errorf("squared: the function is %g at 0, not 1", y)
	}
	n := k.cover.Len()
	var dist []float64
	for _, v := range [3]int{0, n / 2, n - 1} {
		if n == 0 {
			break
		}
		var err error
		if dist, err = k.cover.Distances(ctx, dist, v); err != nil {
			return err
		}
		for _, d := range dist {
			if math.IsInf(d, 1) {
				continue
			}
			if y := k.value(d); !(y >= least*(1-rounding) && y <= 1+rounding) {
				return fmt.Errorf("squared: the function is %g at the distance %g, not from %g to 1", y, d, least)
			}
		}
	}
	return nil
}

// take takes a cover.
func (k *Kernel) take(t *cover.Cover) {
	l := t.Labels
	k.cover, k.cuts, k.ctx, k.x = t, t.Cuts(), context.Background(), newWide(t.Len())
	// A way through a hub is two labels: never more than twice the reach.
	k.longest = l.Reach + min(t.Delta, l.Reach+label.Rounding(l.Reach))
	if k.longest == 0 { // then there is nothing to weigh
		k.longest = 1
	}
}

// prepare makes what all products use.
func (k *Kernel) prepare(ctx context.Context) (*Kernel, error) {
	t, l, n := k.cover, k.cover.Labels, k.cover.Len()
	for g := range k.lanes {
		k.lanes[g] = sums{newWide(n), make([]float64, n)}
	}
	k.starts = make([]int, n+1)
	for h := range n {
		r := &l.Cells[l.Owner[h]]
		k.starts[h+1] = k.starts[h] + int(r.Hi-t.DenseFrom(r))
	}
	k.entries = make([]float64, k.starts[n])
	err := cover.EachLane(ctx, func(_, g int) {
		var row []float64
		for h := g * n / cover.Lanes; h < (g+1)*n/cover.Lanes && ctx.Err() == nil; h++ {
			r := &l.Cells[l.Owner[h]]
			for j, d := range l.Row(&row, int32(h), t.DenseFrom(r), r.Hi) {
				if e := k.value(d); e > tiny {
					k.entries[k.starts[h]+j] = e
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if t.Tolerance > 0 && k.spans == nil {
		if k.spans, k.separatorSpans, err = spans(ctx, t); err != nil {
			return nil, err
		}
	}
	k.stages = [2]func(worker, g int){k.multiplyLane, k.collectLane}
	if k.kept == nil {
		k.kept = &rows{costs: make([][]float64, n)}
		k.Keep(keptBytes)
	}
	return k, nil
}

// Tempered is the kernel exp(-t D^2/s), 0 < t <= 1, of the same distances; nil for another function.
func (k *Kernel) Tempered(ctx context.Context, t float64) (linop.Kernel, error) {
	if k.f != nil {
		return nil, nil
	}
	other := &Kernel{s: k.s / t, kept: k.kept, spans: k.spans, separatorSpans: k.separatorSpans}
	other.take(k.cover)
	other.floor = other.LogEntry(other.longest)
	return other.prepare(ctx)
}

// Bytes is the memory that the kernel takes besides the cover and the labels, in bytes, with what products in logarithms may keep.
func (k *Kernel) Bytes() int64 {
	bytes := int64(20*(cover.Lanes+1)*k.cover.Len()+8*len(k.entries)+16*(len(k.spans)+len(k.separatorSpans))) + k.kept.most
	for _, w := range k.workers {
		if w != nil {
			bytes += w.bytes()
		}
	}
	return bytes
}

// Dims returns n, n.
func (k *Kernel) Dims() (rows, cols int) { return k.cover.Len(), k.cover.Len() }

// LogFloor is a lower bound on the logarithm of an entry between connected vertices.
func (k *Kernel) LogFloor() float64 { return k.floor }

// LogEntry is -d^2/s, or the logarithm of another function's value.
func (k *Kernel) LogEntry(d float64) float64 {
	switch {
	case k.f == nil:
		return -d * (d / k.s)
	case math.IsInf(d, 1):
		return math.Inf(-1)
	}
	return math.Log(k.value(d))
}

// value is an entry as a number.
func (k *Kernel) value(d float64) float64 {
	if k.f == nil {
		return exponential.Exp(k.LogEntry(d))
	}
	return k.f(max(0, d))
}

// Share bounds the relative error of an entry, given an exact distance and, for another function, an exact value of it. It covers the
// rounding of the exponent. It also covers the rounding of a table, whose entries are made from the ones before, and interpolation.
func (k *Kernel) Share() float64 {
	share := (8*math.Abs(k.LogFloor()) + anchor*anchor/8 + 32) * 0x1p-53
	switch {
	case k.f == nil:
		share += interpolated
	case k.polynomial:
		share += interpolated * exponential.Exp(-k.floor)
	}
	return share
}

// Distances fills dst (len n, nil allocates) with the distances of vertex i that the products are made of. Any number of
// goroutines may call it, while one multiplies.
func (k *Kernel) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return k.cover.Distances(ctx, dst, i)
}

// MulVec computes dst = K x.
func (k *Kernel) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	return k.multiply(ctx, form{}, dst, x)
}

// LogMulVec computes dst_i = log sum_j exp(x_j - d_ij^2/s).
func (k *Kernel) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	return k.multiply(ctx, form{logs: true}, dst, x)
}

// PlanCost is sum_ij P_ij D_ij for P_ij = exp(logu_i - D_ij^2/s + logv_j). It takes as long as one product.
func (k *Kernel) PlanCost(ctx context.Context, logu, logv []float64) (float64, error) {
	share, err := k.moment(ctx, 1, logu, logv)
	return share * k.longest, err
}

// PlanSquare is sum_ij P_ij D_ij^2, in the unit of D squared, for the P of PlanCost: what a plan for squared distance costs. It takes as
// long as one product.
func (k *Kernel) PlanSquare(ctx context.Context, logu, logv []float64) (float64, error) {
	share, err := k.moment(ctx, 2, logu, logv)
	return share * k.longest * k.longest, err
}

// moment is sum_ij P_ij (D_ij/longest)^power.
func (k *Kernel) moment(ctx context.Context, power int, logu, logv []float64) (total float64, err error) {
	if len(logu) != k.cover.Len() {
		panic("squared: a vector has the wrong length")
	}
	moved, err := k.multiply(ctx, form{logs: true, power: power}, nil, logv)
	if err != nil {
		return 0, err
	}
	for i, m := range moved {
		total += exponential.Exp(logu[i] + m)
	}
	return total, nil
}

func (k *Kernel) multiply(ctx context.Context, f form, dst, x []float64) ([]float64, error) {
	if len(x) != k.cover.Len() {
		panic("squared: a vector has the wrong length")
	}
	k.ctx, k.form, k.in, k.dst = ctx, f, x, buffer.Vector(dst, len(x))
	defer func() { k.ctx, k.in = context.Background(), nil }()
	if f == (form{logs: true}) && k.fromRows() {
		for i := range k.dst {
			k.dst[i] = math.NaN()
		}
		if err := k.again(ctx); err != nil {
			return nil, err
		}
		return k.dst, nil
	}
	for p, v := range k.cover.Labels.Order {
		if f.logs {
			k.x.part[p], k.x.power[p] = split(x[v])
		} else {
			k.x.part[p], k.x.power[p] = scaled(x[v])
		}
	}
	for _, stage := range k.stages {
		if err := cover.EachLane(ctx, stage); err != nil {
			return nil, err
		}
	}
	if err := k.again(ctx); err != nil {
		return nil, err
	}
	return k.dst, nil
}

// sure is the logarithm of the share of a row's sum that each block may lose.
const sure = -40

// collectLane adds up what all lanes have for the ranks of lane g. A row that has lost too much is NaN.
func (k *Kernel) collectLane(_, g int) {
	n, total := k.cover.Len(), wide{[]float64{0}, []int32{none}}
	for p := g * n / cover.Lanes; p < (g+1)*n/cover.Lanes; p++ {
		total.clear()
		lost := math.Inf(-1)
		for i := range k.lanes {
			total.add(0, k.lanes[i].part[p], k.lanes[i].power[p])
			lost = max(lost, k.lanes[i].lost[p])
		}
		y := total.value(0)
		if k.form.logs {
			if y = total.log(0); lost > math.Inf(-1) && !(lost < y+sure) {
				y = math.NaN()
			}
		}
		k.dst[k.cover.Labels.Order[p]] = y
	}
}

// weight is what an entry at the distance d is multiplied with, where the power is not 0.
func (k *Kernel) weight(d float64) float64 {
	w := d / k.longest
	if k.form.power == 2 {
		return w * w
	}
	return w
}
