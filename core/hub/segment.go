package hub

import (
	"context"
	"math"
	"slices"

	"genussink/core/hub/label"
	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
)

// segment is some pairs of one vertex: with the i-th slot at the distance near + far[i] - shift, and with a
// bundle's vertices at their offsets more.
type segment struct {
	slots       []int32
	far         []float64
	near, shift float64
	stored      bool     // the distances are labels as they are, whose factors are stored, not of whole steps
	bundles     []bundle // of the block, where slots may be bundles
}

// index tells where a vertex is in the tiles. It is made when somebody first asks.
type index struct {
	hubs  [groups + 1]int // the part's hubs, by group
	ranks []int32         // 0, 1, ...

	moments lists     // by patch: its moments
	links   lists     // by moment: its links
	tiles   []homings // of their rows and columns
	blocks  []homings // of their vertices left and right
}

// homings are the least and the greatest home of the vertices on two sides: one whose home is
// beyond is not among them.
type homings [2]struct{ least, most int32 }

func (h *homings) reset() {
	for side := range h {
		h[side].least, h[side].most = math.MaxInt32, -1
	}
}

func (h *homings) add(side int, home int32) {
	h[side].least, h[side].most = min(h[side].least, home), max(h[side].most, home)
}

func (h *homings) holds(side int, home int32) bool {
	return h[side].least <= home && home <= h[side].most
}

// lists are some numbers for each of several things.
type lists struct{ from, all []int32 }

func (l *lists) of(n int32) []int32 { return l.all[l.from[n]:l.from[n+1]] }

// listed makes lists: each calls add for every thing and one of its numbers, in the order that the lists are to have.
func listed(count int, each func(add func(thing, number int32))) (l lists) {
	l.from = make([]int32, count+1)
	each(func(thing, _ int32) { l.from[thing+1]++ })
	for i := range count {
		l.from[i+1] += l.from[i]
	}
	l.all = make([]int32, l.from[count])
	next := slices.Clone(l.from)
	each(func(thing, number int32) {
		l.all[next[thing]] = number
		next[thing]++
	})
	return l
}

// where is the index, once it is prepared.
func (t *Tiles) where() *index { return t.index.Load() }

// prepare makes the index unless it is there.
func (t *Tiles) prepare(ctx context.Context) error {
	if err := ctx.Err(); err != nil || t.where() != nil {
		return err
	}
	t.indexing.Lock()
	defer t.indexing.Unlock()
	if t.where() != nil {
		return nil
	}
	x := &index{hubs: t.hubs(), ranks: make([]int32, t.labels.Len())}
	for i := range x.ranks {
		x.ranks[i] = int32(i)
	}
	x.moments = listed(len(t.patches), func(add func(thing, number int32)) {
		for m := range t.moments {
			add(t.moments[m].patch, int32(m))
		}
	})
	x.links = listed(len(t.moments), func(add func(thing, number int32)) {
		for i, c := range t.links {
			add(c.a, int32(i))
			add(c.b, int32(i))
		}
	})
	var err error
	if x.tiles, x.blocks, err = t.homings(ctx); err != nil {
		return err
	}
	t.index.Store(x)
	return nil
}

func (t *Tiles) homings(ctx context.Context) (tiles, blocks []homings, err error) {
	tiles, blocks = make([]homings, len(t.tiles)), make([]homings, len(t.blocks)-1)
	n, home := int32(t.labels.Len()), t.clusters.home
	for at := range blocks {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		b, end := &t.blocks[at], &t.blocks[at+1]
		bundles, mid := t.bundles[b.bundle:end.bundle], t.labels.Cells[b.cell].Mid
		own := &blocks[at]
		own.reset()
		members := func(slot int32, f func(side int, home int32)) {
			rank, some := slot, []int32{slot}
			if slot >= n {
				o := bundles[slot-n]
				rank, some = o.centre, t.ranks[o.from:o.to]
			}
			side := 0
			if rank >= mid {
				side = 1
			}
			for _, v := range some {
				f(side, home[v])
			}
		}
		for i := b.fan; i < end.fan; i++ {
			for _, v := range t.order[t.fans[i].order:][:t.fans[i].width] {
				members(v, own.add)
			}
		}
		for i := b.tile; i < end.tile; i++ {
			tiles[i].reset()
			for c, v := range t.slotsOf(&t.tiles[i]) {
				side := 0
				if c >= int(t.tiles[i].rows) {
					side = 1
				}
				members(v, func(across int, home int32) {
					own.add(across, home)
					tiles[i].add(side, home)
				})
			}
		}
	}
	return tiles, blocks, nil
}

// blocksOf are a cell's, [from,to): they stand in the order of the cells.
func (t *Tiles) blocksOf(cell int32) (from, to int) {
	list := t.blocks[:len(t.blocks)-1]
	find := func(cell int32) int {
		at, _ := slices.BinarySearchFunc(list, cell, func(b block, cell int32) int { return int(b.cell - cell) })
		return at
	}
	return find(cell), find(cell + 1)
}

// stairsOf are a cell's.
func (t *Tiles) stairsOf(cell int32) []stair {
	find := func(cell int32) int {
		at, _ := slices.BinarySearchFunc(t.stairs.list, cell, func(s stair, cell int32) int { return int(s.cell - cell) })
		return at
	}
	return t.stairs.list[find(cell):find(cell+1)]
}

// reader finds the segments of vertices. Any number of goroutines may each have one.
type reader struct {
	t     *Tiles
	far   []float64
	slots []slotOf
	at    []int32 // by slot of the block under way: which of slots it is, from 1 on; 0: none
	view  view
}

// slotOf is a slot that a vertex is in, at the offset.
type slotOf struct {
	slot   int32
	offset float64
}

func newReader(t *Tiles) *reader {
	return &reader{t: t, at: make([]int32, t.slots)}
}

// row visits all segments of a rank, each pair of it once. What a segment holds is good until the next.
func (r *reader) row(ctx context.Context, p int32, visit func(*segment) bool) error {
	t, l := r.t, r.t.labels
	x := t.where()
	if x.hubs[0] <= int(p) && int(p) < x.hubs[groups] {
		visit(r.hub(p))
	}
	for at := l.Owner[p]; at >= 0; at = l.Cells[at].Parent {
		own := &l.Cells[at]
		if p < own.Sep && p >= t.labelled(own) {
			from, to := max(own.Sep, int32(x.hubs[0])), min(own.Hi, int32(x.hubs[groups]))
			if from < to {
				r.far = buffer.Sized(r.far, int(to-from))
				for h := from; h < to; h++ {
					r.far[h-from] = l.At(h, p)
				}
				visit(&segment{slots: x.ranks[from:to], far: r.far, stored: true})
			}
		}
		for i := range t.stairsOf(at) {
			r.stair(&t.stairsOf(at)[i], p, visit)
		}
		for from, to := t.blocksOf(at); from < to; from++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			r.block(from, p, visit)
		}
	}
	home := t.clusters.home[p]
	for i := range t.patches {
		if i%1024 == 0 && ctx.Err() != nil {
			break
		}
		o := &t.patches[i]
		if home < o.lo || home >= o.hi || (p < o.lo || p >= o.hi) && !slices.Contains(t.riders[o.from:o.to], p) {
			continue
		}
		for _, m := range x.moments.of(int32(i)) {
			for _, c := range x.links.of(m) {
				visit(r.link(c, m, p))
			}
		}
	}
	return ctx.Err()
}

// hub is the segment of a rank in its own separator's labels.
func (r *reader) hub(p int32) *segment {
	own := &r.t.labels.Cells[r.t.labels.Owner[p]]
	from := r.t.labelled(own)
	return &segment{slots: r.t.where().ranks[from:own.Hi], far: r.t.labels.Row(&r.far, p, from, own.Hi), stored: true}
}

// link is the segment of a rank in a link, at its moment m.
func (r *reader) link(n, m, p int32) *segment {
	t, c := r.t, r.t.links[n]
	other := c.a
	if m == c.a {
		other = c.b
	}
	o, hub := &t.patches[t.moments[other].patch], t.moments[m].hub
	slots := t.where().ranks[o.lo:o.hi]
	if o.from < o.to {
		slots = slices.Concat(slots, t.riders[o.from:o.to])
	}
	r.far = buffer.Sized(r.far, len(slots))
	t.labels.Gather(r.far, hub, slots)
	return &segment{slots: slots, far: r.far, near: t.labels.At(hub, p), shift: c.shift, stored: true}
}

// stair visits the segments of a rank in a stair.
func (r *reader) stair(s *stair, p int32, visit func(*segment) bool) {
	l := r.t.labels
	rows, cols, from := s.parts(r.t.stairs.treads)
	var slots []int32
	if mid := l.Cells[s.cell].Mid; (p < mid) == (rows[0] < mid) {
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
	r.far = buffer.Sized(r.far, len(slots))
	l.Gather(r.far, s.hub, slots)
	visit(&segment{slots: slots, far: r.far, near: l.At(s.hub, p), stored: true})
}

// block visits the segments of a rank in a block.
func (r *reader) block(n int, p int32, visit func(*segment) bool) {
	t, x := r.t, r.t.where()
	b, end := &t.blocks[n], &t.blocks[n+1]
	own, home, side := &t.labels.Cells[b.cell], t.clusters.home[p], 0
	if p >= own.Mid {
		side = 1
	}
	if p >= own.Sep {
		for i := b.fan; i < end.fan; i++ {
			if o := &t.fans[i]; o.from <= p && p < o.to {
				r.fanHub(b, end, i, p, visit)
			}
		}
		return
	}
	if !x.blocks[n].holds(side, home) {
		return
	}
	r.slots = append(r.slots[:0], slotOf{slot: p})
	bundles := t.bundles[b.bundle:end.bundle]
	for i := 0; i < len(bundles); i++ {
		from, to := bundles[i].from, bundles[len(bundles)-1].to
		at := slices.Index(t.ranks[from:to], p)
		if at < 0 {
			break
		}
		for at += int(from); at >= int(bundles[i].to); i++ {
		}
		r.slots = append(r.slots, slotOf{int32(len(x.ranks) + i), t.steps.length(t.offsets[at])})
	}
	for i, s := range r.slots {
		r.at[s.slot] = int32(i + 1)
	}
	for i := b.fan; i < end.fan; i++ {
		o := &t.fans[i]
		for c, v := range t.order[o.order:][:o.width] {
			if s := r.at[v]; s > 0 {
				visit(r.fanSlot(b, end, i, c, r.slots[s-1].offset))
			}
		}
	}
	for i := b.tile; i < end.tile; i++ {
		if !x.tiles[i].holds(0, home) && !x.tiles[i].holds(1, home) {
			continue
		}
		for c, v := range t.slotsOf(&t.tiles[i]) {
			if s := r.at[v]; s > 0 {
				r.tile(b, end, i, c, r.slots[s-1].offset, visit)
			}
		}
	}
	for _, s := range r.slots {
		r.at[s.slot] = 0
	}
}

// lengths fills far with the lengths of some numbers of steps.
func (r *reader) lengths(numbers []uint16) []float64 {
	r.far = buffer.Sized(r.far, len(numbers))
	for i, d := range numbers {
		r.far[i] = r.t.steps.length(d)
	}
	return r.far
}

// fanHub is the segment of a fan's hub.
func (r *reader) fanHub(b, end *block, n, hub int32, visit func(*segment) bool) {
	t, o := r.t, &r.t.fans[n]
	dist := t.packedFan(n)[int(hub-o.from)*o.width:][:o.width]
	visit(&segment{slots: t.order[o.order:][:o.width], far: r.lengths(dist), bundles: t.bundles[b.bundle:end.bundle]})
}

// fanSlot is the segment of the c-th slot of a fan, for a vertex at this offset.
func (r *reader) fanSlot(b, end *block, n int32, c int, offset float64) *segment {
	t, o := r.t, &r.t.fans[n]
	dist := t.packedFan(n)
	r.far = buffer.Sized(r.far, int(o.to-o.from))
	for i := range r.far {
		r.far[i] = t.steps.length(dist[i*o.width+c])
	}
	return &segment{slots: t.where().ranks[o.from:o.to], far: r.far, near: offset, bundles: t.bundles[b.bundle:end.bundle]}
}

// view is what a reader knows of the tile that it was asked about last.
type view struct {
	tile    *tile
	names   hubNames      // without slack
	columns [most + 1]int // by band: where the packed distances of its columns begin, less the first column
	groups  []groupView
	of      []int32 // by row: its group
}

// groupView is where a group's rows, runs and ways, or packed distances, begin.
type groupView struct{ row, run, way, dist int }

// look turns to a tile.
func (r *reader) look(n int32) *view {
	t, o, v := r.t, &r.t.tiles[n], &r.view
	if v.tile == o {
		return v
	}
	v.tile, v.groups, v.of = o, v.groups[:0], v.of[:0]
	bands := t.bandsOf(o)
	at := groupView{run: o.run, way: o.way}
	if t.slack == 0 {
		v.names.of(bands)
	}
	for n, b := range bands {
		v.columns[n] = at.dist - int(b.from)
		at.dist += int(b.to - b.from)
	}
	for _, g := range t.groups[o.group:] {
		v.groups = append(v.groups, at)
		rows := 1
		if t.slack > 0 {
			rows = int(g.size)
		}
		for range rows {
			v.of = append(v.of, int32(len(v.groups)-1))
		}
		at.row, at.run, at.way, at.dist = at.row+rows, at.run+int(g.runs), at.way+int(g.size), at.dist+rows*int(g.runs)
		if at.row == int(o.rows) {
			break
		}
	}
	v.groups = append(v.groups, at)
	return v
}

// tile visits the segments of the c-th slot of a tile, rows and then columns, for a vertex at this offset, until a visit returns
// false. Nothing else stops at that: tiles alone have many segments.
func (r *reader) tile(b, end *block, n int32, c int, offset float64, visit func(*segment) bool) {
	t, o, v := r.t, &r.t.tiles[n], r.look(n)
	s := segment{shift: o.shift, stored: t.slack == 0, bundles: t.bundles[b.bundle:end.bundle]}
	if height := int(o.rows); c < height {
		r.tileRow(v, n, c, offset, &s, visit)
	} else {
		r.tileColumn(v, n, c-height, offset, &s, visit)
	}
}

func (r *reader) tileRow(v *view, n int32, row int, offset float64, s *segment, visit func(*segment) bool) {
	t := r.t
	rows, cols := t.sides(v.tile)
	bands, packed := t.bandsOf(v.tile), t.packedTile(n)
	g, next := &v.groups[v.of[row]], &v.groups[v.of[row]+1]
	from, height := 0, next.row-g.row
	for i, run := range t.runs[g.run:next.run] {
		to := int(run.last) + 1
		s.slots = cols[from:to]
		if packed == nil {
			hub := bands[v.names[t.ways[g.way+int(run.band)]]].hub
			r.far = buffer.Sized(r.far, to-from)
			t.labels.Gather(r.far, hub, s.slots)
			s.near, s.far = t.labels.At(hub, rows[row]), r.far
		} else {
			s.near = offset + t.steps.length(packed[g.dist+i*height+row-g.row])
			s.far = r.lengths(packed[v.columns[run.band]+from:][:to-from])
		}
		if !visit(s) {
			return
		}
		from = to
	}
}

func (r *reader) tileColumn(v *view, n int32, column int, offset float64, s *segment, visit func(*segment) bool) {
	t := r.t
	rows, cols := t.sides(v.tile)
	bands, packed := t.bandsOf(v.tile), t.packedTile(n)
	var near [most + 1]float64 // by the first band of a hub, or by the band; 0: not looked up yet
	for i := range v.groups[:len(v.groups)-1] {
		g, next := &v.groups[i], &v.groups[i+1]
		height, runs := next.row-g.row, t.runs[g.run:next.run]
		at := 0
		for int(runs[at].last) < column {
			at++
		}
		s.slots = rows[g.row:next.row]
		if packed == nil {
			first := v.names[t.ways[g.way+int(runs[at].band)]]
			r.far = buffer.Sized(r.far, 1)
			r.far[0] = t.labels.At(bands[first].hub, rows[g.row])
			if near[first] == 0 {
				near[first] = t.labels.At(bands[first].hub, cols[column])
			}
			s.near, s.far = near[first], r.far
		} else {
			n := runs[at].band
			if near[n] == 0 {
				near[n] = offset + t.steps.length(packed[v.columns[n]+column])
			}
			s.near = near[n]
			s.far = r.lengths(packed[g.dist+at*height:][:height])
		}
		if !visit(s) {
			return
		}
	}
}

// eachRank calls f for the ranks of a segment and their distances.
func (t *Tiles) eachRank(s *segment, f func(rank int32, d float64)) {
	n := int32(t.labels.Len())
	for i, v := range s.slots {
		d := s.near + s.far[i] - s.shift
		if v < n {
			f(v, d)
			continue
		}
		o := &s.bundles[v-n]
		for j := o.from; j < o.to; j++ {
			f(t.ranks[j], d+t.steps.length(t.offsets[j]))
		}
	}
}

// Distances fills dst (len n, nil allocates) with the distances of vertex i that kernels of the tiles multiply
// with; +Inf where they have none. Any number of goroutines may call it.
func (t *Tiles) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	l := t.labels
	dst = buffer.Vector(dst, l.Len())
	for j := range dst {
		dst[j] = math.Inf(1)
	}
	if err := t.prepare(ctx); err != nil {
		return nil, err
	}
	r := t.reader()
	defer t.readers.Put(r)
	err := r.row(ctx, l.Rank[i], func(s *segment) bool {
		t.eachRank(s, func(v int32, d float64) { dst[l.Order[v]] = d })
		return true
	})
	if err != nil {
		return nil, err
	}
	return dst, nil
}

// Row fills dst (len n, nil allocates) with row i of the tiles' kernel at epsilon, in the graph's unit: what MulVec
// multiplies with, but for the order in which it does; 0 where the part has none. Any number of goroutines may call it.
func (t *Tiles) Row(ctx context.Context, dst []float64, i int, epsilon float64) ([]float64, error) {
	l := t.labels
	dst = buffer.Vector(dst, l.Len())
	clear(dst)
	factor := func(d float64) float64 { return exponential.Exp(-d / epsilon) }
	if l.FactorPrecision(epsilon) == label.Float32 {
		factor = func(d float64) float64 { return float64(label.Round32(exponential.Exp(-d/epsilon), false)) }
	}
	if err := t.prepare(ctx); err != nil {
		return nil, err
	}
	r := t.reader()
	defer t.readers.Put(r)
	err := r.row(ctx, l.Rank[i], func(s *segment) bool {
		if s.stored {
			near := factor(s.near) * gain(s.shift, epsilon)
			for i, v := range s.slots {
				dst[l.Order[v]] = near * factor(s.far[i])
			}
			return true
		}
		t.eachRank(s, func(v int32, d float64) { dst[l.Order[v]] = exponential.Exp(-d / epsilon) })
		return true
	})
	if err != nil {
		return nil, err
	}
	return dst, nil
}

// Len is the number of vertices.
func (t *Tiles) Len() int { return t.labels.Len() }

func (t *Tiles) reader() *reader {
	if r, ok := t.readers.Get().(*reader); ok {
		return r
	}
	return newReader(t)
}
