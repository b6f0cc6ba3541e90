package cover

import (
	"math"

	"genussink/core/hub/tile"
)

// bisection are the vertices of a patch in a binary tree. A node's are a stretch of the
// order, those of its kids the two halves; node i has the kids 2i and 2i+1, the root is 1.
type bisection struct {
	order      []int32   // numbers of vertices in the patch, see patch.rank
	aggregates [][]int32 // by node: those that were made of its vertices
}

// bisectionHubs is the number of hubs whose distances put a patch's vertices in order.
const bisectionHubs = 6

// bisected are a patch's, made when they are first asked for: vertices that are close together stand
// next to each other, for a node's are parted by their distance from the hub that tells
// them apart best.
func (k *builder) bisected(p *patch) *bisection {
	if p.bisection != nil {
		return p.bisection
	}
	size, stretch := p.len(), int(p.hi-p.lo)
	c := &bisection{order: make([]int32, size), aggregates: make([][]int32, 4*size)}
	for i := range c.order {
		c.order[i] = int32(i)
	}
	hubs := k.labels.Cells[k.cell].Hubs
	count := min(bisectionHubs, len(hubs))
	far := make([]float64, count*size)
	for n := range count {
		h, row := hubs[(2*n+1)*len(hubs)/(2*count)], far[n*size:][:size]
		k.labels.CopyRow(row[:stretch], h, p.lo)
		for i, v := range p.attached {
			row[stretch+i] = k.labels.At(h, v)
		}
	}
	c.sort(1, 0, size, far)
	p.bisection = c
	return c
}

// sort puts a node's vertices in order, given their distances by hub.
func (c *bisection) sort(node, lo, hi int, far []float64) {
	if hi-lo <= 2 {
		return
	}
	part, size := c.order[lo:hi], len(c.order)
	best, widest := far, -1.0
	for row := far; len(row) > 0; row = row[size:] {
		least, most := math.Inf(1), math.Inf(-1)
		for _, v := range part {
			least, most = min(least, row[v]), max(most, row[v])
		}
		if most-least > widest {
			best, widest = row, most-least
		}
	}
	mid := (lo + hi) / 2
	selectLeast(part, mid-lo, best)
	c.sort(2*node, lo, mid, far)
	c.sort(2*node+1, mid, hi, far)
}

// selectLeast puts the vertices with the least values first, so many (Hoare's selection).
func selectLeast(vertices []int32, count int, value []float64) {
	for len(vertices) > 1 {
		pivot := value[vertices[len(vertices)/2]]
		i, j := 0, len(vertices)-1
		for i <= j {
			for value[vertices[i]] < pivot {
				i++
			}
			for value[vertices[j]] > pivot {
				j--
			}
			if i <= j {
				vertices[i], vertices[j] = vertices[j], vertices[i]
				i++
				j--
			}
		}
		switch { // [0,j] <= pivot, [i,len) >= pivot
		case count <= j:
			vertices = vertices[:j+1]
		case count >= i:
			vertices, count = vertices[i:], count-i
		default:
			return
		}
	}
}

// aggregateMost is the most vertices of an aggregate: larger ones are few.
const aggregateMost = 64

// entriesOf lists the entries of a tile's side, aggregates of the patch that it is or vertices, given the hubs that were kept, and reports whether
// they are at most so many. If not there are none of the aggregates.
func (k *builder) entriesOf(s *tile.Side, p *patch, kept []int32, limit int) bool {
	if k.fineness <= 1 || p == nil {
		s.Entries, s.Lowest = s.Ranks, nil
		return s.Len() <= limit
	}
	before, ranks := len(k.Aggregates), len(k.Ranks)
	k.aggregate(s, p, k.tileBuilder.Pivots, kept, k.tolerance*aggregateShare)
	if s.Len() <= limit {
		return true
	}
	k.Aggregates, k.Ranks, k.Offsets = k.Aggregates[:before], k.Ranks[:ranks], k.Offsets[:ranks]
	for i, list := range p.bisection.aggregates {
		for len(list) > 0 && int(list[len(list)-1]) >= before {
			list = list[:len(list)-1]
		}
		p.bisection.aggregates[i] = list
	}
	return false
}

// aggregate replaces the vertices of a side, those of a patch, by aggregates, as large as the hubs that were
// kept allow within the tolerance; some are asked first.
func (k *builder) aggregate(s *tile.Side, p *patch, first, kept []int32, tolerance float64) {
	s.Entries, s.Centres, s.Lowest = s.Entries[:0], s.Centres[:0], s.Lowest[:0]
	k.aggregateNode(s, k.bisected(p), 1, 0, s.Len(), first, kept, tolerance)
	s.Condense(kept)
}

// aggregateNode appends the vertices of a node to the side's entries.
func (k *builder) aggregateNode(s *tile.Side, c *bisection, node, lo, hi int, first, kept []int32, tolerance float64) {
	centre := c.order[(lo+hi)/2]
	entry, lowest := s.Ranks[centre], 0.0
	if hi-lo > 1 {
		b := int32(-1)
		if hi-lo <= aggregateMost {
			b = k.aggregateOf(s, c, node, c.order[lo:hi], first, kept, tolerance)
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
func (k *builder) aggregateOf(s *tile.Side, c *bisection, node int, vertices, first, kept []int32, tolerance float64) int32 {
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
				least[i], most[i] = min(least[i], d), max(most[i], d)
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
	for _, b := range c.aggregates[node] {
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
	c.aggregates[node] = append(c.aggregates[node], b)
	return b
}

// separatorBlockHubs is the most hubs of a separator block.
const separatorBlockHubs = 16

// separatorShare is the share of the tolerance that the aggregates of a separator block spend. What they are off
// by has no sign, so that little of it is left in the mean.
const separatorShare = 0.5

// separatorBlocksOf finds the separator blocks of a patch and the separator of its cell.
func (k *builder) separatorBlocksOf(p *patch) {
	r := &k.labels.Cells[k.cell]
	s := &k.tileBuilder.Sides[1]
	hubs := make([]int32, 0, separatorBlockHubs)
	for from := r.Sep; from < r.Hi; from += separatorBlockHubs {
		to := min(from+separatorBlockHubs, r.Hi)
		hubs = hubs[:0]
		for h := from; h < to; h++ {
			hubs = append(hubs, h)
		}
		s.Ranks = p.ranks(r.Lo)
		s.Load(k.labels, r.Lo, hubs)
		all := k.tileBuilder.Numbers(len(hubs))
		k.aggregate(s, p, []int32{0, int32(len(hubs)) - 1}, all, k.tolerance*separatorShare)
		k.SeparatorBlocks = append(k.SeparatorBlocks, SeparatorBlock{from, to, len(k.Order), len(s.Entries)})
		k.distances += k.SeparatorBlocks[len(k.SeparatorBlocks)-1].pairs()
		k.Order = append(k.Order, s.Entries...)
	}
	k.err = k.ctx.Err()
}
