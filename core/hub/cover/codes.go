package cover

import (
	"context"
	"math"

	"genussink/core/hub/tile"
	"genussink/core/internal/buffer"
	"genussink/core/internal/parallel"
)

// steps are the lengths that the tiles of a walk with slack, and its fans, are made of: whole multiples
// of one, numbered from origin on, for a bundle's offsets may be negative. So one small table
// holds a kernel's factors at every epsilon, and a pair takes two bytes.
type Step float64

// origin is the number of the length 0, and of steps in the greatest label. With twice as many the table
// of those that are used would be larger than a processor's first cache.
const Origin = 1 << 13

// among masks a number of steps for a table of 2*origin, so that no index is out of it.
const CodeMask = 2*Origin - 1

// stepsTo are those with which lengths up to far are numbered.
func stepFor(far float64) Step {
	if s := Step(far / (Origin - 1)); s > 0 {
		return s
	}
	return 1 // all lengths are 0, or as good as that
}

// number is that of the nearest multiple.
func (s Step) Code(d float64) uint16 { return uint16(Origin + math.Round(d/float64(s))) }

// length is the multiple of a number.
func (s Step) Length(number uint16) float64 { return float64(int(number)-Origin) * float64(s) }

// packed are the distances of fans and of tiles with slack in the order in which a product
// takes them: few of a label row's are taken, from here and there. Of a fan these are its
// pairs, hub by hub; of a tile the columns of each band, and then the rows of each run.
type packed struct {
	separatorBlock, tile []int // by fan, by tile: where it begins
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
		size += t.SeparatorBlocks[i].pairs()
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

// next fills dst with the distances of a hub and some ranks: the next ones of those that
// are packed, whose rest it returns, or, where none are, the labels.
func (t *Cover) NextDistances(dst []float64, packed []uint16, hub int32, ranks []int32) []uint16 {
	if t.Tolerance == 0 {
		t.Labels.Gather(dst, hub, ranks)
		return nil
	}
	for i := range dst {
		dst[i] = t.Step.Length(packed[i])
	}
	return packed[len(dst):]
}

// packedFan and packedTile are the packed distances from those of a fan or a tile on; nil without slack.
func (t *Cover) SeparatorCodes(n int32) []uint16 { return t.packed.codes[t.packed.separatorBlock[n]:] }

func (t *Cover) TileCodes(n int32) []uint16 {
	if t.Tolerance == 0 {
		return nil
	}
	return t.packed.codes[t.packed.tile[n]:]
}

// stepsOf is how many steps a number stands for.
func StepsOf(number uint16) float64 { return float64(int(number) - Origin) }
