package cover

import (
	"context"
	"math"

	"genussink/core/hub/tile"
	"genussink/core/internal/buffer"
	"genussink/core/internal/parallel"
)

// Step is the unit in which tiles and separator blocks keep their distances where there is a tolerance. A distance is a whole number of
// steps, its code, in two bytes. One small table has the factors of all codes at an epsilon.
type Step float64

// Origin is the code of the length 0, for an aggregate's offsets may be negative; and the number of steps in the greatest
// label. With twice as many the part of the table that is used would be larger than a processor's first cache.
const Origin = 1 << 13

// CodeMask keeps an index within a table of 2*Origin values without a check.
const CodeMask = 2*Origin - 1

// stepFor is the step for lengths up to far.
func stepFor(far float64) Step {
	if s := Step(far / (Origin - 1)); s > 0 {
		return s
	}
	return 1 // all lengths are 0, or as good as that
}

// Code is that of the whole number of steps nearest to a length.
func (s Step) Code(d float64) uint16 { return uint16(Origin + math.Round(d/float64(s))) }

// Length is that of a code.
func (s Step) Length(code uint16) float64 { return float64(int(code)-Origin) * float64(s) }

// packed are the codes of separator blocks and tiles in the order in which a product takes them. In the labels they lie
// far apart. A separator block has those of its pairs, hub by hub. A tile has those of its columns, band by band, and
// then those of its rows, run by run.
type packed struct {
	separatorBlock, tile []int // by separator block, by tile: where it begins
	codes                []uint16
}

// bytes is the memory that they take.
func (q *packed) bytes() int64 { return int64(8*(len(q.separatorBlock)+len(q.tile)) + 2*len(q.codes)) }

// pack fills packed from the labels.
func (t *Cover) pack(ctx context.Context) error {
	if t.Tolerance == 0 {
		return nil
	}
	q, size := &t.packed, 0
	q.separatorBlock, q.tile = make([]int, len(t.SeparatorBlocks)), make([]int, len(t.Tiles))
	for i := range t.SeparatorBlocks {
		q.separatorBlock[i] = size
		size += t.SeparatorBlocks[i].Pairs()
	}
	for i := range t.Tiles {
		q.tile[i] = size
		size += t.Tiles[i].Distances
	}
	q.codes = make([]uint16, size)
	workers := parallel.Workers(len(t.Batches) - 1)
	scratch := make([]struct {
		ranks []int32
		dist  []float64
	}, workers)
	return parallel.Each(ctx, workers, len(t.Batches)-1, func(w, n int) {
		b, end, s := &t.Batches[n], &t.Batches[n+1], &scratch[w]
		aggregates := t.Aggregates[b.Aggregate:end.Aggregate]
		take := func(to []uint16, hub int32, slots []int32) []uint16 {
			s.ranks, s.dist = buffer.Sized(s.ranks, len(slots)), buffer.Sized(s.dist, len(slots))
			t.Labels.Gather(s.dist, hub, t.centres(s.ranks, slots, aggregates))
			for i, d := range s.dist {
				to[i] = t.Step.Code(d)
			}
			return to[len(slots):]
		}
		for i := b.SeparatorBlock; i < end.SeparatorBlock; i++ {
			o, to := &t.SeparatorBlocks[i], q.codes[q.separatorBlock[i]:]
			for h := o.From; h < o.To; h++ {
				to = take(to, h, t.Order[o.Order:][:o.Width])
			}
		}
		for i := b.Tile; i < end.Tile; i++ {
			o, to := &t.Tiles[i], q.codes[q.tile[i]:]
			rows, cols := t.Sides(o)
			bands := t.BandsOf(o)
			for _, b := range bands {
				to = take(to, b.Hub, cols[b.From:b.To])
			}
			t.Each(o, func(run tile.Run, first, last, _ int) { to = take(to, bands[run.Band].Hub, rows[first:last]) })
		}
	})
}

// NextDistances fills dst with the distances of some slots from a hub: with a tolerance the first of those that are
// packed, and it returns the rest of them; otherwise the labels.
func (t *Cover) NextDistances(dst []float64, packed []uint16, hub int32, slots []int32) []uint16 {
	if t.Tolerance == 0 {
		t.Gather(dst, hub, slots)
		return nil
	}
	for i := range dst {
		dst[i] = t.Step.Length(packed[i])
	}
	return packed[len(dst):]
}

// SeparatorCodes are the packed codes of separator block n and of all after it. Without a tolerance they are nil.
func (t *Cover) SeparatorCodes(n int32) []uint16 {
	if t.Tolerance == 0 {
		return nil
	}
	return t.packed.codes[t.packed.separatorBlock[n]:]
}

// TileCodes are those of tile n; nil without a tolerance.
func (t *Cover) TileCodes(n int32) []uint16 {
	if t.Tolerance == 0 {
		return nil
	}
	return t.packed.codes[t.packed.tile[n]:]
}

// StepsOf is how many steps a code stands for.
func StepsOf(code uint16) float64 { return float64(int(code) - Origin) }
