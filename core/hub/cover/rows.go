package cover

import (
	"context"
	"math"
	"slices"

	"genussink/core/hub/tile"
	"genussink/core/internal/buffer"
)

// Segment is some pairs of one vertex with others, a slot for each. A slot is a vertex or an aggregate of vertices. The
// distance to slot i is Near + Far[i] - Shift. For a vertex of an aggregate its offset is added.
type Segment struct {
	Slots       []int32
	Far         []float64
	Near, Shift float64
	Stored      bool        // the distances are labels, whose factors a kernel stores; false: they are of whole steps
	Aggregates  []Aggregate // of the batch, where slots may stand for aggregates
}

// index tells where a vertex is in the tiles. It is made when somebody first asks.
type index struct {
	hubs  [Lanes + 1]int // the shard's hubs, by lane
	ranks []int32        // 0, 1, ...

	moments  lists          // by patch: its hub moments
	rankOnes lists          // by hub moment: its rank-one blocks
	tiles    []anchorRanges // of their rows and columns
	batches  []anchorRanges // of their vertices left and right
}

// anchorRanges are the least and the greatest anchor of some vertices, for each of two sides. A vertex whose anchor lies outside
// its side's range is not among them. One whose anchor lies inside may be or not.
type anchorRanges [2]struct{ least, most int32 }

func (h *anchorRanges) reset() {
	for side := range h {
		h[side].least, h[side].most = math.MaxInt32, -1
	}
}

func (h *anchorRanges) add(side int, anchor int32) {
	h[side].least, h[side].most = min(h[side].least, anchor), max(h[side].most, anchor)
}

func (h *anchorRanges) holds(side int, anchor int32) bool {
	return h[side].least <= anchor && anchor <= h[side].most
}

// lists holds a list of numbers for every owner 0, 1, and so on, one after the other in one slice.
type lists struct{ from, all []int32 }

// of is the list of an owner.
func (l *lists) of(owner int32) []int32 { return l.all[l.from[owner]:l.from[owner+1]] }

// makeLists makes the lists of count owners. It calls each twice, first to count and then to fill. Each calls add for every
// number of every owner. A list has its numbers in the order of these calls.
func makeLists(count int, each func(add func(owner, number int32))) (l lists) {
	l.from = make([]int32, count+1)
	each(func(owner, _ int32) { l.from[owner+1]++ })
	for i := range count {
		l.from[i+1] += l.from[i]
	}
	l.all = make([]int32, l.from[count])
	next := slices.Clone(l.from)
	each(func(owner, number int32) {
		l.all[next[owner]] = number
		next[owner]++
	})
	return l
}

// indexed is the index; nil before Prepare.
func (t *Cover) indexed() *index { return t.index.Load() }

// AllRanks are 0 to n-1. Prepare must have been called.
func (t *Cover) AllRanks() []int32 { return t.indexed().ranks }

// RankOnesOf are the numbers of the rank-one blocks of a hub moment. Prepare must have been called.
func (t *Cover) RankOnesOf(moment int32) []int32 { return t.indexed().rankOnes.of(moment) }

// Prepare makes the index, unless it has been made.
func (t *Cover) Prepare(ctx context.Context) error {
	if err := ctx.Err(); err != nil || t.indexed() != nil {
		return err
	}
	t.indexing.Lock()
	defer t.indexing.Unlock()
	if t.indexed() != nil {
		return nil
	}
	x := &index{hubs: t.laneHubs(), ranks: make([]int32, t.Labels.Len())}
	for i := range x.ranks {
		x.ranks[i] = int32(i)
	}
	x.moments = makeLists(len(t.Patches), func(add func(owner, number int32)) {
		for m := range t.Moments {
			add(t.Moments[m].Patch, int32(m))
		}
	})
	x.rankOnes = makeLists(len(t.Moments), func(add func(owner, number int32)) {
		for i, c := range t.RankOnes {
			add(c.A, int32(i))
			add(c.B, int32(i))
		}
	})
	var err error
	if x.tiles, x.batches, err = t.anchorRanges(ctx); err != nil {
		return err
	}
	t.index.Store(x)
	return nil
}

// anchorRanges are those of every tile, by rows and columns, and of every batch, by the left and the right side of its cell.
func (t *Cover) anchorRanges(ctx context.Context) (tiles, batches []anchorRanges, err error) {
	tiles, batches = make([]anchorRanges, len(t.Tiles)), make([]anchorRanges, len(t.Batches)-1)
	n, anchors := int32(t.Labels.Len()), t.clusters.Anchor
	for at := range batches {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		b, end := &t.Batches[at], &t.Batches[at+1]
		aggregates, mid := t.Aggregates[b.Aggregate:end.Aggregate], t.Labels.Cells[b.Cell].Mid
		own := &batches[at]
		own.reset()
		members := func(slot int32, f func(side int, anchor int32)) {
			rank, some := slot, []int32{slot}
			if slot >= n {
				o := aggregates[slot-n]
				rank, some = o.centre, t.Ranks[o.From:o.To]
			}
			side := 0
			if rank >= mid {
				side = 1
			}
			for _, v := range some {
				f(side, anchors[v])
			}
		}
		for i := b.SeparatorBlock; i < end.SeparatorBlock; i++ {
			for _, v := range t.Order[t.SeparatorBlocks[i].Order:][:t.SeparatorBlocks[i].Width] {
				members(v, own.add)
			}
		}
		for i := b.Tile; i < end.Tile; i++ {
			tiles[i].reset()
			for c, v := range t.SlotsOf(&t.Tiles[i]) {
				side := 0
				if c >= int(t.Tiles[i].Rows) {
					side = 1
				}
				members(v, func(across int, anchor int32) {
					own.add(across, anchor)
					tiles[i].add(side, anchor)
				})
			}
		}
	}
	return tiles, batches, nil
}

// batchesOf says that the batches of a cell are numbered from from to below to. Batches are sorted by cell.
func (t *Cover) batchesOf(cell int32) (from, to int) {
	list := t.Batches[:len(t.Batches)-1]
	find := func(cell int32) int {
		at, _ := slices.BinarySearchFunc(list, cell, func(b Batch, cell int32) int { return int(b.Cell - cell) })
		return at
	}
	return find(cell), find(cell + 1)
}

// staircasesOf are the staircase blocks of a cell. They are sorted by cell, too.
func (t *Cover) staircasesOf(cell int32) []Staircase {
	find := func(cell int32) int {
		at, _ := slices.BinarySearchFunc(t.Staircases.List, cell, func(s Staircase, cell int32) int { return int(s.Cell - cell) })
		return at
	}
	return t.Staircases.List[find(cell):find(cell+1)]
}

// Reader finds the segments of vertices. One goroutine at a time; any number may each have one (Cover.Reader).
type Reader struct {
	t         *Cover
	Far       []float64
	slots     []slotOf
	at        []int32 // by slot of the batch under way: which of slots it is, from 1 on; 0: none
	tileIndex tileIndex
}

// slotOf is a slot that a vertex is in, at the offset.
type slotOf struct {
	slot   int32
	offset float64
}

func newReader(t *Cover) *Reader {
	return &Reader{t: t, at: make([]int32, t.Slots)}
}

// Row visits all segments of a rank. Each pair of it is in one of them. What a segment holds is good until the next visit.
// Prepare must have been called.
func (r *Reader) Row(ctx context.Context, p int32, visit func(*Segment) bool) error {
	t, l := r.t, r.t.Labels
	x := t.indexed()
	if x.hubs[0] <= int(p) && int(p) < x.hubs[Lanes] {
		visit(r.Hub(p))
	}
	for at := l.Owner[p]; at >= 0; at = l.Cells[at].Parent {
		own := &l.Cells[at]
		if p < own.Sep && p >= t.DenseFrom(own) {
			from, to := max(own.Sep, int32(x.hubs[0])), min(own.Hi, int32(x.hubs[Lanes]))
			if from < to {
				r.Far = buffer.Sized(r.Far, int(to-from))
				for h := from; h < to; h++ {
					r.Far[h-from] = l.At(h, p)
				}
				visit(&Segment{Slots: x.ranks[from:to], Far: r.Far, Stored: true})
			}
		}
		for i := range t.staircasesOf(at) {
			r.Staircase(&t.staircasesOf(at)[i], p, visit)
		}
		for from, to := t.batchesOf(at); from < to; from++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			r.batch(from, p, visit)
		}
	}
	anchor := t.clusters.Anchor[p]
	for i := range t.Patches {
		if i%1024 == 0 && ctx.Err() != nil {
			break
		}
		o := &t.Patches[i]
		if anchor < o.Lo || anchor >= o.Hi || (p < o.Lo || p >= o.Hi) && !slices.Contains(t.Attached[o.From:o.To], p) {
			continue
		}
		for _, m := range x.moments.of(int32(i)) {
			for _, c := range x.rankOnes.of(m) {
				visit(r.rankOne(c, m, p))
			}
		}
	}
	return ctx.Err()
}

// Hub is the segment of a separator vertex, of rank p, in the labels of its own separator: the pairs of p with the vertices
// of p's cell. Where the cell has separator blocks, these hold the pairs with the two sides, and the segment has only the
// pairs within the separator.
func (r *Reader) Hub(p int32) *Segment {
	own := &r.t.Labels.Cells[r.t.Labels.Owner[p]]
	from := r.t.DenseFrom(own)
	return &Segment{Slots: r.t.indexed().ranks[from:own.Hi], Far: r.t.Labels.Row(&r.Far, p, from, own.Hi), Stored: true}
}

// rankOne is the segment of rank p in rank-one block n. The block joins two patches, each with a hub moment. m is the hub
// moment on p's own side, and the segment's slots are the vertices of the other patch.
func (r *Reader) rankOne(n, m, p int32) *Segment {
	t, c := r.t, r.t.RankOnes[n]
	other := c.A
	if m == c.A {
		other = c.B
	}
	o, hub := &t.Patches[t.Moments[other].Patch], t.Moments[m].Hub
	slots := t.indexed().ranks[o.Lo:o.Hi]
	if o.From < o.To {
		slots = slices.Concat(slots, t.Attached[o.From:o.To])
	}
	r.Far = buffer.Sized(r.Far, len(slots))
	t.Labels.Gather(r.Far, hub, slots)
	return &Segment{Slots: slots, Far: r.Far, Near: t.Labels.At(hub, p), Shift: c.Shift, Stored: true}
}

// Staircase visits the segments of a rank in a staircase.
func (r *Reader) Staircase(s *Staircase, p int32, visit func(*Segment) bool) {
	l := r.t.Labels
	rows, cols, from := s.Sides(r.t.Staircases.Numbers)
	var slots []int32
	if mid := l.Cells[s.Cell].Mid; (p < mid) == (rows[0] < mid) {
		n := slices.Index(rows, p)
		if n < 0 {
			return
		}
		slots = cols[from[n]:]
	} else {
		n := slices.Index(cols, p)
		if n < 0 {
			return
		}
		last, _ := slices.BinarySearch(from, int32(n)+1)
		slots = rows[:last]
	}
	r.Far = buffer.Sized(r.Far, len(slots))
	l.Gather(r.Far, s.Hub, slots)
	visit(&Segment{Slots: slots, Far: r.Far, Near: l.At(s.Hub, p), Stored: true})
}

// batch visits the segments of a rank in a batch.
func (r *Reader) batch(n int, p int32, visit func(*Segment) bool) {
	t, x := r.t, r.t.indexed()
	b, end := &t.Batches[n], &t.Batches[n+1]
	own, anchor, side := &t.Labels.Cells[b.Cell], t.clusters.Anchor[p], 0
	if p >= own.Mid {
		side = 1
	}
	if p >= own.Sep {
		for i := b.SeparatorBlock; i < end.SeparatorBlock; i++ {
			if o := &t.SeparatorBlocks[i]; o.From <= p && p < o.To {
				r.SeparatorHub(b, end, i, p, visit)
			}
		}
		return
	}
	if !x.batches[n].holds(side, anchor) {
		return
	}
	r.slots = append(r.slots[:0], slotOf{slot: p})
	aggregates := t.Aggregates[b.Aggregate:end.Aggregate]
	for i := 0; i < len(aggregates); i++ {
		from, to := aggregates[i].From, aggregates[len(aggregates)-1].To
		at := slices.Index(t.Ranks[from:to], p)
		if at < 0 {
			break
		}
		for at += int(from); at >= int(aggregates[i].To); i++ {
		}
		r.slots = append(r.slots, slotOf{int32(len(x.ranks) + i), t.Offset(int32(at))})
	}
	for i, s := range r.slots {
		r.at[s.slot] = int32(i + 1)
	}
	for i := b.SeparatorBlock; i < end.SeparatorBlock; i++ {
		o := &t.SeparatorBlocks[i]
		for c, v := range t.Order[o.Order:][:o.Width] {
			if s := r.at[v]; s > 0 {
				visit(r.SeparatorSlot(b, end, i, c, r.slots[s-1].offset))
			}
		}
	}
	for i := b.Tile; i < end.Tile; i++ {
		if !x.tiles[i].holds(0, anchor) && !x.tiles[i].holds(1, anchor) {
			continue
		}
		for c, v := range t.SlotsOf(&t.Tiles[i]) {
			if s := r.at[v]; s > 0 {
				r.Tile(b, end, i, c, r.slots[s-1].offset, visit)
			}
		}
	}
	for _, s := range r.slots {
		r.at[s.slot] = 0
	}
}

// lengths fills Far with the lengths of codes.
func (r *Reader) lengths(codes []uint16) []float64 {
	r.Far = buffer.Sized(r.Far, len(codes))
	for i, c := range codes {
		r.Far[i] = r.t.Step.Length(c)
	}
	return r.Far
}

// SeparatorHub is the segment of a separator block's hub.
func (r *Reader) SeparatorHub(b, end *Batch, n, hub int32, visit func(*Segment) bool) {
	t, o := r.t, &r.t.SeparatorBlocks[n]
	slots, codes := t.Order[o.Order:][:o.Width], t.SeparatorCodes(n)
	if codes != nil {
		codes = codes[int(hub-o.From)*o.Width:]
	}
	r.Far = buffer.Sized(r.Far, o.Width)
	t.NextDistances(r.Far, codes, hub, slots)
	visit(&Segment{Slots: slots, Far: r.Far, Aggregates: t.Aggregates[b.Aggregate:end.Aggregate]})
}

// SeparatorSlot is the segment of the c-th slot of a separator block, for a vertex at this offset.
func (r *Reader) SeparatorSlot(b, end *Batch, n int32, c int, offset float64) *Segment {
	t, o := r.t, &r.t.SeparatorBlocks[n]
	dist := t.SeparatorCodes(n)
	r.Far = buffer.Sized(r.Far, int(o.To-o.From))
	for i := range r.Far {
		if t.Tolerance > 0 {
			r.Far[i] = t.Step.Length(dist[i*o.Width+c])
		} else {
			r.Far[i] = t.at(o.From+int32(i), t.Order[o.Order+c])
		}
	}
	return &Segment{Slots: t.indexed().ranks[o.From:o.To], Far: r.Far, Near: offset, Aggregates: t.Aggregates[b.Aggregate:end.Aggregate]}
}

// tileIndex is what a reader knows of the tile that it was asked about last.
type tileIndex struct {
	tile    *tile.Tile
	first   tile.FirstBands       // without a tolerance
	columns [tile.MaxSide + 1]int // by band: where the codes of its columns begin, less the first column
	groups  []rowGroup
	groupOf []int32 // by row: its row group
}

// rowGroup is the rows [first,last).
type rowGroup struct {
	first, last int
	tile.Rows
}

// turnTo turns to a tile.
func (r *Reader) turnTo(n int32) *tileIndex {
	t, o, v := r.t, &r.t.Tiles[n], &r.tileIndex
	if v.tile == o {
		return v
	}
	v.tile, v.groups, v.groupOf = o, v.groups[:0], v.groupOf[:0]
	if t.Tolerance == 0 {
		v.first.Set(t.BandsOf(o))
	}
	for n, c := range t.ColumnsOf(o) {
		v.columns[n] = c.At - int(c.From)
	}
	for first, rows := range t.RowsOf(o) {
		g := rowGroup{first, first + 1, rows}
		if t.Tolerance > 0 {
			g.last = first + int(rows.Size)
		}
		for range g.last - g.first {
			v.groupOf = append(v.groupOf, int32(len(v.groups)))
		}
		v.groups = append(v.groups, g)
	}
	return v
}

// Tile visits the segments of the c-th slot of a tile, rows and then columns, for a vertex at this offset, until a visit returns
// false. Nothing else stops at that: tiles alone have many segments.
func (r *Reader) Tile(b, end *Batch, n int32, c int, offset float64, visit func(*Segment) bool) {
	t, o, v := r.t, &r.t.Tiles[n], r.turnTo(n)
	aggregates := t.Aggregates[b.Aggregate:end.Aggregate]
	s := Segment{Shift: o.Shift, Stored: t.Tolerance == 0 && len(aggregates) == 0, Aggregates: aggregates}
	if height := int(o.Rows); c < height {
		r.tileRow(v, n, c, offset, &s, visit)
	} else {
		r.tileColumn(v, n, c-height, offset, &s, visit)
	}
}

func (r *Reader) tileRow(v *tileIndex, n int32, row int, offset float64, s *Segment, visit func(*Segment) bool) {
	t := r.t
	rows, cols := t.Sides(v.tile)
	bands, packed := t.BandsOf(v.tile), t.TileCodes(n)
	g := &v.groups[v.groupOf[row]]
	from, height := 0, g.last-g.first
	for i, run := range t.Runs[g.Run:][:g.Runs] {
		to := int(run.Last) + 1
		s.Slots = cols[from:to]
		if packed == nil {
			hub := bands[v.first[t.RowHubs[g.RowHub+int(run.Band)]]].Hub
			r.Far = buffer.Sized(r.Far, to-from)
			t.Gather(r.Far, hub, s.Slots)
			s.Near, s.Far = offset+t.at(hub, rows[row]), r.Far
		} else {
			s.Near = offset + t.Step.Length(packed[g.At+i*height+row-g.first])
			s.Far = r.lengths(packed[v.columns[run.Band]+from:][:to-from])
		}
		if !visit(s) {
			return
		}
		from = to
	}
}

func (r *Reader) tileColumn(v *tileIndex, n int32, column int, offset float64, s *Segment, visit func(*Segment) bool) {
	t := r.t
	rows, cols := t.Sides(v.tile)
	bands, packed := t.BandsOf(v.tile), t.TileCodes(n)
	var near [tile.MaxSide + 1]float64 // by the first band of a hub, or by the band; 0: not looked up yet
	for i := range v.groups {
		g := &v.groups[i]
		height, runs := g.last-g.first, t.Runs[g.Run:][:g.Runs]
		at := 0
		for int(runs[at].Last) < column {
			at++
		}
		s.Slots = rows[g.first:g.last]
		if packed == nil {
			first := v.first[t.RowHubs[g.RowHub+int(runs[at].Band)]]
			r.Far = buffer.Sized(r.Far, 1)
			r.Far[0] = t.at(bands[first].Hub, rows[g.first])
			if near[first] == 0 {
				near[first] = offset + t.at(bands[first].Hub, cols[column])
			}
			s.Near, s.Far = near[first], r.Far
		} else {
			n := runs[at].Band
			if near[n] == 0 {
				near[n] = offset + t.Step.Length(packed[v.columns[n]+column])
			}
			s.Near = near[n]
			s.Far = r.lengths(packed[g.At+at*height:][:height])
		}
		if !visit(s) {
			return
		}
	}
}

// EachRank calls f for the ranks of a segment and their distances.
func (t *Cover) EachRank(s *Segment, f func(rank int32, d float64)) {
	n := int32(t.Labels.Len())
	for i, v := range s.Slots {
		d := s.Near + s.Far[i] - s.Shift
		if v < n {
			f(v, d)
			continue
		}
		o := &s.Aggregates[v-n]
		for j := o.From; j < o.To; j++ {
			f(t.Ranks[j], d+t.Offset(j))
		}
	}
}

// Distances fills dst (len n, nil allocates) with the distances from vertex i to all vertices, in the graph's unit. They are
// the distances that kernels of the cover multiply with, so they may differ from the true ones as theirs do. An entry is +Inf
// where no path leads to the vertex, or where the pair is in another shard. Any number of goroutines may call it.
func (t *Cover) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	l := t.Labels
	dst = buffer.Vector(dst, l.Len())
	for j := range dst {
		dst[j] = math.Inf(1)
	}
	if err := t.Prepare(ctx); err != nil {
		return nil, err
	}
	r := t.Reader()
	defer t.Release(r)
	err := r.Row(ctx, l.Rank[i], func(s *Segment) bool {
		t.EachRank(s, func(v int32, d float64) { dst[l.Order[v]] = d })
		return true
	})
	if err != nil {
		return nil, err
	}
	return dst, nil
}

// Release gives a reader back, for others to use.
func (t *Cover) Release(r *Reader) { t.readers.Put(r) }

// Reader is one for the caller alone, until its Release.
func (t *Cover) Reader() *Reader {
	if r, ok := t.readers.Get().(*Reader); ok {
		return r
	}
	return newReader(t)
}
