package squared

import (
	"context"
	"math"
	"sync/atomic"

	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
)

// rows are rows of the cost that a kernel is of, D^2 or -log f(D), in the order of vertices. They are kept as they are needed, while there is room.
type rows struct {
	costs [][]float64 // by vertex; nil: not kept
	room  atomic.Int64
	most  int64 // bytes that all may take
}

// keptBytes is the most that rows of one kernel take, unless Keep says otherwise. They are all rows of a graph of 2,896 vertices.
const keptBytes = 64 << 20

// Keep lets rows of the cost take at most so many bytes. Products in logarithms sum rows from there where blocks lose too much. Call it before the
// first product.
func (k *Kernel) Keep(bytes int64) {
	n := int64(len(k.kept.costs))
	k.kept.most = 0
	if -k.floor > linop.MaxLog/2 { // else no product need be in logarithms
		k.kept.most = max(0, min(bytes, 8*n*n))
	}
	k.kept.room.Store(k.kept.most)
}

// fromRows says whether a product in logarithms sums rows at once: all can be kept, and most lost too much before, or each pair costs an exponential
// in any case, as it does without a tolerance.
func (k *Kernel) fromRows() bool { return k.kept.whole() && (k.loses || k.cover.Tolerance == 0) }

// whole says whether there is room for all rows.
func (k *rows) whole() bool { return k.most == int64(8*len(k.costs))*int64(len(k.costs)) }

// again computes the rows that lost too much again, from their distances.
func (k *Kernel) again(ctx context.Context) error {
	if !k.form.logs {
		return ctx.Err()
	}
	k.lost = k.lost[:0]
	for i, y := range k.dst {
		if math.IsNaN(y) {
			k.lost = append(k.lost, i)
		}
	}
	if len(k.lost) == 0 {
		return ctx.Err()
	}
	k.loses = k.loses || k.form.power == 0 && 2*len(k.lost) > len(k.dst)
	workers := parallel.Workers(len(k.lost))
	for len(k.summers) < workers {
		k.summers = append(k.summers, summer{})
	}
	if k.sumLost == nil {
		k.sumLost = func(w, n int) {
			s, sum := &k.summers[w], k.rowSum
			if k.form.power > 0 {
				sum = k.weighedSum
			}
			if y, err := sum(k.lost[n], s); err != nil {
				s.err = err
			} else {
				k.dst[k.lost[n]] = y
			}
		}
	}
	err := parallel.Each(ctx, workers, len(k.lost), k.sumLost)
	for w := range k.summers {
		if s := &k.summers[w]; s.err != nil {
			err, s.err = s.err, nil
		}
	}
	return err
}

// summer is a worker's room for a row, and what went wrong.
type summer struct {
	row, terms []float64
	err        error
}

// costs is row i of the cost, and what to multiply it with.
func (k *Kernel) costs(i int, s *summer) (costs []float64, per float64, err error) {
	per = 1
	if k.f == nil {
		per = 1 / k.s
	}
	if costs = k.kept.costs[i]; costs != nil {
		return costs, per, nil
	}
	if costs, err = k.cover.Distances(k.ctx, s.row, i); err != nil {
		return nil, 0, err
	}
	for j, d := range costs {
		if k.f == nil {
			costs[j] = d * d
		} else {
			costs[j] = -k.LogEntry(d)
		}
	}
	if s.row = costs; k.kept.room.Add(-int64(8*len(costs))) >= 0 {
		k.kept.costs[i], s.row = costs, nil
	}
	return costs, per, nil
}

// negligible is a logarithm of a term beside the greatest of a sum: a million of such are less than its last digit.
const negligible = -60

// rowSum returns an entry of the product: the log-sum over j of log K_ij + x_j.
func (k *Kernel) rowSum(i int, s *summer) (float64, error) {
	costs, per, err := k.costs(i, s)
	if err != nil {
		return 0, err
	}
	terms, top := buffer.Sized(s.terms, len(costs)), math.Inf(-1)
	s.terms = terms
	for j, x := range k.in {
		t := x - costs[j]*per
		terms[j] = t
		if t > top {
			top = t
		}
	}
	if top == math.Inf(-1) {
		return exponential.LogSum(terms), nil // nothing, or NaN
	}
	sum, least := 0.0, top+negligible
	for _, t := range terms {
		if !(t <= least) { // NaN is not left out
			sum += exponential.Exp(t - top)
		}
	}
	return top + math.Log(sum), nil
}

// weighedSum is rowSum of entries that are weighed by a power of distance.
func (k *Kernel) weighedSum(i int, s *summer) (float64, error) {
	d, err := k.cover.Distances(k.ctx, s.row, i)
	if err != nil {
		return 0, err
	}
	s.row = d
	for j, x := range k.in {
		if l := k.LogEntry(d[j]) + x; l > math.Inf(-1) {
			d[j] = l + math.Log(max(0, k.weight(d[j])))
		} else {
			d[j] = l
		}
	}
	return exponential.LogSum(d), nil
}
