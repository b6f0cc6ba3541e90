package hub

import (
	"context"

	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
)

// Row fills dst (len n, nil allocates) with row i of the tiles' kernel at epsilon, in the graph's unit: what MulVec
// multiplies with, but for the order in which it does; 0 where the shard has none. Any number of goroutines may call it.
func Row(ctx context.Context, t *cover.Cover, dst []float64, i int, epsilon float64) ([]float64, error) {
	l := t.Labels
	dst = buffer.Vector(dst, l.Len())
	clear(dst)
	factor := func(d float64) float64 { return exponential.Exp(-d / epsilon) }
	if l.FactorPrecision(epsilon) == label.Float32 {
		factor = func(d float64) float64 { return float64(label.Round32(exponential.Exp(-d/epsilon), false)) }
	}
	if err := t.Prepare(ctx); err != nil {
		return nil, err
	}
	r := t.Reader()
	defer t.Release(r)
	err := r.Row(ctx, l.Rank[i], func(s *cover.Segment) bool {
		if s.Stored {
			near := factor(s.Near) * gain(s.Shift, epsilon)
			for i, v := range s.Slots {
				dst[l.Order[v]] = near * factor(s.Far[i])
			}
			return true
		}
		t.EachRank(s, func(v int32, d float64) { dst[l.Order[v]] = exponential.Exp(-d / epsilon) })
		return true
	})
	if err != nil {
		return nil, err
	}
	return dst, nil
}

// KernelBytes is the memory that a kernel of the tiles takes besides them and the labels, in bytes, but
// for some vectors.
func KernelBytes(t *cover.Cover, epsilon float64) int64 {
	p := t.Labels.FactorPrecision(epsilon)
	bytes := t.Labels.FactorBytes(epsilon) + t.MomentBytes(p)
	if t.Tolerance == 0 {
		bytes += t.OrderedBytes(p, t.Labels.Precision())
	}
	return bytes
}
