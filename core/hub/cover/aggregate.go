package cover

import (
	"math"

	"genussink/core/hub/cluster"
	"genussink/core/hub/tile"
)

// aggregateMost is the most vertices of an aggregate: larger ones are few.
const aggregateMost = 64

// entriesOf lists the entries of a tile's side, given the hubs that were kept: aggregates of the patch that it is, those of its cell's classes, or
// vertices. It reports whether they are at most so many. If not there are none of the patch's aggregates.
func (k *builder) entriesOf(s *tile.Side, p *cluster.Patch, kept []int32, limit int) bool {
	if k.fineness <= 1 || p == nil {
		s.Lowest = nil
		if k.entries == nil {
			s.Entries = s.Ranks
		} else {
			s.Entries = make([]int32, s.Len())
			for i, v := range s.Ranks {
				s.Entries[i] = k.entries[v]
			}
		}
		return s.Len() <= limit
	}
	before, ranks := len(k.Aggregates), len(k.Ranks)
	k.aggregate(s, p, k.tileBuilder.Pivots, kept, k.tolerance*aggregateShare)
	if s.Len() <= limit {
		return true
	}
	k.Aggregates, k.Ranks, k.Offsets = k.Aggregates[:before], k.Ranks[:ranks], k.Offsets[:ranks]
	made := p.Bisection(k.labels, k.labels.Cells[k.cell].Hubs).Aggregates
	for i, list := range made {
		for len(list) > 0 && int(list[len(list)-1]) >= before {
			list = list[:len(list)-1]
		}
		made[i] = list
	}
	return false
}

// aggregate replaces the vertices of a side by aggregates. The side holds the vertices of a patch. Each aggregate is as large as
// the tolerance allows for the hubs in first and in kept; those in first are checked first.
func (k *builder) aggregate(s *tile.Side, p *cluster.Patch, first, kept []int32, tolerance float64) {
	s.Entries, s.Centres, s.Lowest = s.Entries[:0], s.Centres[:0], s.Lowest[:0]
	k.aggregateNode(s, p.Bisection(k.labels, k.labels.Cells[k.cell].Hubs), 1, 0, s.Len(), first, kept, tolerance)
	s.Condense(kept)
}

// aggregateNode appends the vertices of a node to the side's entries.
func (k *builder) aggregateNode(s *tile.Side, c *cluster.Bisection, node, lo, hi int, first, kept []int32, tolerance float64) {
	centre := c.Order[(lo+hi)/2]
	entry, lowest := s.Ranks[centre], 0.0
	if hi-lo > 1 {
		b := int32(-1)
		if hi-lo <= aggregateMost {
			b = k.aggregateOf(s, c, node, c.Order[lo:hi], first, kept, tolerance)
		}
		if b < 0 {
			mid := (lo + hi) / 2
			k.aggregateNode(s, c, 2*node, lo, mid, first, kept, tolerance)
			k.aggregateNode(s, c, 2*node+1, mid, hi, first, kept, tolerance)
			return
		}
		entry = ^b
		for _, offset := range k.Offsets[k.Aggregates[b].From:k.Aggregates[b].To] {
			lowest = min(lowest, k.step.Length(offset))
		}
	}
	s.Entries, s.Centres, s.Lowest = append(s.Entries, entry), append(s.Centres, centre), append(s.Lowest, lowest)
}

// aggregateOf is the number of an aggregate of the vertices, -1 if they are none for these hubs, some of
// which are asked first.
func (k *builder) aggregateOf(s *tile.Side, c *cluster.Bisection, node int, vertices, first, kept []int32, tolerance float64) int32 {
	size := s.Len()
	centre := vertices[len(vertices)/2]
	lowest := k.labels.Scale.Fixed(tolerance + float64(k.step))
	var least, most [aggregateMost]float64
	for i := range vertices {
		least[i], most[i] = math.Inf(1), math.Inf(-1)
	}
	for _, hubs := range [2][]int32{first, kept} {
		for _, n := range hubs {
			row := s.Labels[int(n)*size:][:size]
			base := row[centre]
			for i, v := range vertices {
				d := k.labels.Scale.Length(row[v] - base)
				if d < least[i] { // min and max are calls in WebAssembly
					least[i] = d
				}
				if d > most[i] {
					most[i] = d
				}
				if most[i]-least[i] > 2*tolerance || row[v] < lowest { // no distance becomes negative
					return -1
				}
			}
		}
	}
	fits := func(i int, offset uint16) bool {
		d := k.step.Length(offset)
		return most[i]-d <= tolerance && d-least[i] <= tolerance
	}
search:
	for _, b := range c.Aggregates[node] {
		for i, offset := range k.Offsets[k.Aggregates[b].From:k.Aggregates[b].To] {
			if !fits(i, offset) {
				continue search
			}
		}
		return b
	}
	b, from := int32(len(k.Aggregates)), int32(len(k.Ranks))
	base := k.labels.Cells[k.cell].Lo
	for i, v := range vertices {
		offset := k.step.Code((least[i] + most[i]) / 2)
		if !fits(i, offset) {
			k.Ranks, k.Offsets = k.Ranks[:from], k.Offsets[:from]
			return -1
		}
		k.Ranks, k.Offsets = append(k.Ranks, base+s.Ranks[v]), append(k.Offsets, offset)
	}
	k.Aggregates = append(k.Aggregates, Aggregate{base + s.Ranks[centre], from, int32(len(k.Ranks))})
	c.Aggregates[node] = append(c.Aggregates[node], b)
	return b
}

// separatorBlockHubs is the most hubs of a separator block.
const separatorBlockHubs = 16

// separatorShare is the share of the tolerance that the aggregates of a separator block spend. What they are off
// by has no sign, so that little of it is left in the mean.
const separatorShare = 0.5

// separatorBlocksOf finds the separator blocks of a patch and the separator of its cell.
func (k *builder) separatorBlocksOf(p *cluster.Patch) {
	r := &k.labels.Cells[k.cell]
	s := &k.tileBuilder.Sides[1]
	hubs := make([]int32, 0, separatorBlockHubs)
	for from := r.Sep; from < r.Hi; from += separatorBlockHubs {
		to := min(from+separatorBlockHubs, r.Hi)
		hubs = hubs[:0]
		for h := from; h < to; h++ {
			hubs = append(hubs, h)
		}
		s.Ranks = p.Ranks(r.Lo)
		s.Load(k.labels, r.Lo, hubs)
		all := k.tileBuilder.Numbers(len(hubs))
		k.aggregate(s, p, []int32{0, int32(len(hubs)) - 1}, all, k.tolerance*separatorShare)
		k.SeparatorBlocks = append(k.SeparatorBlocks, SeparatorBlock{from, to, len(k.Order), len(s.Entries)})
		k.distances += k.SeparatorBlocks[len(k.SeparatorBlocks)-1].Pairs()
		k.Order = append(k.Order, s.Entries...)
	}
	k.err = k.ctx.Err()
}
