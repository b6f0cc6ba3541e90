// Package squared multiplies by the kernel exp(-D^2/s) of a graph's shortest-path distances D, the one of squared distance and so of
// the Wasserstein distance W2 (the paper, Sec. 3.1), without forming it. It works on the same cover of hubs as the kernel exp(-D/epsilon) of package hub.
//
// The cover says of every pair through which hub its shortest path goes: the distance is a sum of two labels. For exp that makes
// a block of rank one. Here it does not: exp(-(a+b)^2/s) has the factor exp(-2ab/s). So a product takes every pair, once for both
// directions, and n^2/2 of them. With a tolerance a tile's distances are whole numbers of steps, codes, and the
// function of all sums of two codes is in one small table, made for the tile and thrown away: a pair costs a table's entry and two
// multiplications, and the memory is that of the cover. Without a tolerance a pair costs an exponential, some ten times as much.
//
// # Scale
//
// exp(-D^2/s) underflows at a distance of 27 sqrt(s). So a block has a scale: its table is relative to the entry of its least
// distance, and what it multiplies relative to the largest number there. What falls below that scale is lost. A bound of it is kept with
// every row. In logarithms a row whose bound is not next to nothing beside its sum is summed up again from its distances, which takes long where s
// is so small that many rows need it. Every entry of a product is right in all digits but a few, whatever s is.
//
// # Deviations
//
// The paper's general product for squared distance takes random features or Taylor series, whose errors are beside the largest entry
// (Sec. 3.1 of the paper). Sinkhorn divides by small entries as it does by large ones. Here every entry is right to a share of itself.
package squared

import (
	"context"
	"fmt"
	"math"

	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
)

// Kernel is exp(-D^2/s) for the distances D of a cover. No distance is off by more than Cover.Bound. PlanCost is of the distances
// themselves. One goroutine at a time.
type Kernel struct {
	cover   *cover.Cover
	cuts    cover.Cuts
	s       float64 // a length squared
	longest float64 // no distance is longer

	entries []float64 // of the pairs in rows of labels, hub by hub
	starts  []int     // by hub: where its entries begin

	spans, separatorSpans []span // by tile and by separator block, with a tolerance

	ctx     context.Context // of the product under way
	form    form
	x       wide      // by rank
	dst     []float64 // by vertex, of the product under way
	lanes   [cover.Lanes]sums
	workers [cover.Lanes]*worker // nil until it has work
	stages  [2]func(worker, g int)
}

// form is what a product is of.
type form struct {
	logs    bool // x and the product are logarithms
	weighed bool // of the entries K_ij D_ij/longest
}

// sums are the shares of one lane in a product, by rank.
type sums struct {
	wide
	lost []float64 // logarithms: no more than that can have underflowed
}

var (
	_ linop.Kernel     = (*Kernel)(nil)
	_ linop.LogEntrier = (*Kernel)(nil)
)

// New makes the kernel exp(-D^2/s) of a whole cover, s > 0, in the graph's unit squared.
func New(ctx context.Context, t *cover.Cover, s float64) (*Kernel, error) {
	if !(s > 0) || math.IsInf(s, 1) {
		return nil, fmt.Errorf("squared: s is %g, not a positive length squared", s)
	}
	if most := math.Sqrt(600 * s); t.Delta > most { // an entry of a distance -delta would underflow
		return nil, fmt.Errorf("squared: delta is %.3g, and an s of %.3g can do with %.3g", t.Delta, s, most)
	}
	l := t.Labels
	n := l.Len()
	k := &Kernel{
		cover: t, cuts: t.Cuts(), s: s, ctx: context.Background(), x: newWide(n),
		// A way through a hub is two labels: never more than twice the reach.
		longest: l.Reach + min(t.Delta, l.Reach+label.Rounding(l.Reach)),
	}
	if k.longest == 0 { // then there is nothing to weigh
		k.longest = 1
	}
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
				if e := exponential.Exp(k.LogEntry(d)); e > tiny {
					k.entries[k.starts[h]+j] = e
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if t.Tolerance > 0 {
		if k.spans, k.separatorSpans, err = spans(ctx, t); err != nil {
			return nil, err
		}
	}
	k.stages = [2]func(worker, g int){k.multiplyLane, k.collectLane}
	return k, nil
}

// Bytes is the memory that the kernel takes besides the cover and the labels, in bytes.
func (k *Kernel) Bytes() int64 {
	bytes := int64(20*(cover.Lanes+1)*k.cover.Len() + 8*len(k.entries) + 16*(len(k.spans)+len(k.separatorSpans)))
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
func (k *Kernel) LogFloor() float64 { return k.LogEntry(k.longest) }

// LogEntry is -d^2/s.
func (k *Kernel) LogEntry(d float64) float64 { return -d * (d / k.s) }

// Share bounds by what share of itself an entry may be off, the distance being right: what the exponent is rounded by, and an entry of a
// table by those before it.
func (k *Kernel) Share() float64 { return (8*math.Abs(k.LogFloor()) + anchor*anchor/8 + 32) * 0x1p-53 }

// Distances fills dst (len n, nil allocates) with the distances of vertex i that the products are made of. Any number of
// goroutines may call it, while one multiplies.
func (k *Kernel) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return k.cover.Distances(ctx, dst, i)
}

// MulVec computes dst = K x.
func (k *Kernel) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	return k.multiply(ctx, form{}, dst, x)
}

// MulVecT is MulVec: the kernel is symmetric.
func (k *Kernel) MulVecT(ctx context.Context, dst, x []float64) ([]float64, error) {
	return k.MulVec(ctx, dst, x)
}

// LogMulVec computes dst_i = log sum_j exp(x_j - d_ij^2/s).
func (k *Kernel) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	return k.multiply(ctx, form{logs: true}, dst, x)
}

// PlanCost is sum_ij P_ij D_ij for P_ij = exp(logu_i - D_ij^2/s + logv_j). It takes as long as a product, with v.
func (k *Kernel) PlanCost(ctx context.Context, logu, logv []float64) (float64, error) {
	if len(logu) != k.cover.Len() {
		panic("squared: PlanCost: a vector has the wrong length")
	}
	moved, err := k.multiply(ctx, form{logs: true, weighed: true}, nil, logv)
	if err != nil {
		return 0, err
	}
	total := 0.0
	for i, m := range moved {
		total += exponential.Exp(logu[i] + m)
	}
	return total * k.longest, nil
}

func (k *Kernel) multiply(ctx context.Context, f form, dst, x []float64) ([]float64, error) {
	if len(x) != k.cover.Len() {
		panic("squared: a vector has the wrong length")
	}
	k.ctx, k.form, k.dst = ctx, f, buffer.Vector(dst, len(x))
	defer func() { k.ctx = context.Background() }()
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

// sure is the logarithm of the share of a row's sum that may be lost, for each block.
const sure = -40

// collectLane adds up what all lanes have for the ranks of one. A row that has lost too much is NaN.
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

// again sums up from their distances the rows that lost too much.
func (k *Kernel) again(ctx context.Context) error {
	var rows []int
	for i, y := range k.dst {
		if math.IsNaN(y) && k.form.logs {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return ctx.Err()
	}
	workers := parallel.Workers(len(rows))
	dist, errs := make([][]float64, workers), make([]error, workers)
	err := parallel.Each(ctx, workers, len(rows), func(w, n int) {
		d, err := k.cover.Distances(ctx, dist[w], rows[n])
		if err != nil {
			errs[w] = err
			return
		}
		dist[w] = d
		k.dst[rows[n]] = k.rowSum(d)
	})
	for _, e := range errs {
		if err == nil {
			err = e
		}
	}
	return err
}

// rowSum is an entry of a product in logarithms, given the row's distances, which it overwrites.
func (k *Kernel) rowSum(d []float64) float64 {
	for p, v := range k.cover.Labels.Order {
		weight := 0.0
		if k.form.weighed {
			weight = math.Log(max(0, d[v]/k.longest))
		}
		if d[v] = k.LogEntry(d[v]) + k.x.log(p); d[v] > math.Inf(-1) {
			d[v] += weight
		}
	}
	return exponential.LogSum(d)
}
