package hub

import (
	"cmp"
	"context"
	"math"
	"slices"

	"genussink/core/hub/cover"
	"genussink/core/hub/logdomain"
	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
)

// form is that of a product.
type form int

const (
	none form = iota
	plain
	logarithmic
)

// Draw is linop.Draw. It uses the product up: there are no targets without another one.
//
// It takes less than one more product, whatever the number of sources: every piece of the tiles that has some of them is
// multiplied again, and each source asks what it brings.
func (k *Kernel) Draw(ctx context.Context, sources []int32, u []float64) (targets []int32, dist []float64, err error) {
	k.begin(ctx)
	defer k.end()
	if len(sources) != len(u) {
		panic("hub: Draw without a number for every source")
	}
	if k.form == none {
		return nil, nil, ctx.Err()
	}
	if err := k.cover.Prepare(ctx); err != nil {
		return nil, nil, err
	}
	defer k.Forget()
	var by [cover.Lanes][]query
	for n, v := range sources {
		t := query{number: int32(n), rank: k.cover.Labels.Rank[v], chosen: portion{kind: noPortion}}
		if k.form == logarithmic {
			t.base = math.Inf(-1)
			for g := range k.lanes {
				t.base = max(t.base, k.lanes[g].yTop[t.rank])
			}
		}
		var masses [cover.Lanes]float64
		total := 0.0
		for g := range k.lanes {
			masses[g] = k.lanes[g].y[t.rank]
			if k.form == logarithmic {
				masses[g] *= logdomain.Relative(k.lanes[g].yTop[t.rank], t.base)
			}
			total += masses[g]
		}
		t.left = u[n] * total
		at := -1
		for g, m := range masses {
			if m > 0 && t.left >= 0 {
				at, t.rest = g, t.left
				t.left -= m
			}
		}
		if at >= 0 {
			t.left = t.rest
			by[at] = append(by[at], t)
		}
	}
	targets, dist = make([]int32, len(sources)), make([]float64, len(sources))
	for n := range targets {
		targets[n] = -1
	}
	err = k.run(func(worker, g int) {
		if len(by[g]) == 0 {
			return
		}
		d := newDraw(k, worker, g, by[g])
		defer d.leave()
		d.ask()
		if !k.over(0) {
			d.choose(func(t *query, rank int32, d float64) {
				targets[t.number], dist[t.number] = k.cover.Labels.Order[rank], d
			})
		}
	})
	if err != nil {
		return nil, nil, err
	}
	return targets, dist, nil
}

// Forget has Draw ask for a product of its own.
func (k *Kernel) Forget() { k.form = none }

// query is a target to be drawn.
type query struct {
	number, rank int32
	base         float64 // left and rest are relative to exp(base)
	left         float64 // the running sum that is still to be reached
	rest         float64 // what was left before the portion that was chosen
	chosen       portion
}

// offer offers a portion that brings a mass. Once the running sum is reached no other is taken. Where rounding keeps it from
// that, the last with any mass is.
func (t *query) offer(mass float64, p portion) {
	if mass > 0 && t.left >= 0 {
		t.chosen, t.rest = p, t.left
		t.left -= mass
	}
}

// portion is some of a vertex's pairs.
type portion struct {
	kind  kind
	batch int32 // of tiles and separator blocks
	index int32 // the other vertex of a pair, or which hub moment, staircase, separator block or tile
	slot  int32 // of a tile or a separator block: which of its slots the vertex is in; -1: it is a hub of the separator block
	// offset is the vertex's in that slot.
	offset float64
}

type kind int32

const (
	noPortion     kind = iota
	pairPortion        // with a hub above
	ownPortion         // with all in the labels' row of its own
	momentPortion      // rank-one blocks of the hub moment
	staircasePortion
	separatorPortion
	tilePortion
)

// draw is what one lane's queries need.
type draw struct {
	k       *Kernel
	g       int
	p       *lane
	y       logdomain.Exponents // p's; without tops in a plain product
	queries []query             // by rank
	reader  *cover.Reader

	watchers []int32 // by slot of the batch under way: the first of entries that asks there, from 1 on; 0: nobody
	entries  []watcher

	weights []float64 // of some slots
	sums    []float64 // and their running sums
}

// watcher is a source that asks at a slot: its first query.
type watcher struct {
	query, next int32
	offset      float64
}

func newDraw(k *Kernel, worker, g int, queries []query) *draw {
	slices.SortFunc(queries, func(a, b query) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.number, b.number))
	})
	d := &draw{k: k, g: g, p: &k.lanes[g], queries: queries, reader: k.cover.Reader(), watchers: make([]int32, k.cover.Slots)}
	d.p.x = k.x
	if k.cover.Slots > len(k.x) || k.form == logarithmic {
		d.p.x = k.workerX(worker)
	}
	d.y.Sum = d.p.y[:cap(d.p.y)]
	clear(d.y.Sum)
	if k.form == logarithmic {
		d.y.Top = d.p.yTop[:cap(d.p.yTop)]
		d.y.Clear()
	}
	for at := range queries {
		if at == 0 || queries[at].rank != queries[at-1].rank {
			d.entries = append(d.entries, watcher{query: int32(at)})
			d.watchers[queries[at].rank] = int32(len(d.entries))
		}
	}
	return d
}

// between are the queries of the ranks [from,to).
func (d *draw) between(from, to int32) []query {
	find := func(rank int32) int {
		at, _ := slices.BinarySearchFunc(d.queries, rank, func(t query, rank int32) int { return cmp.Compare(t.rank, rank) })
		return at
	}
	return d.queries[find(from):find(to)]
}

// mass is what a slot with x brings at a distance, relative to exp(base).
func (d *draw) mass(x, dist, base float64) float64 {
	if d.k.form == logarithmic {
		return logdomain.Relative(x-dist/d.k.epsilon, base)
	}
	if x == 0 {
		return 0
	}
	return x * exponential.Exp(-dist/d.k.epsilon)
}

// arrived is what a sum that has arrived at a hub brings at a distance from there, relative to exp(base).
func (d *draw) arrived(sum, top, dist, base float64) float64 {
	if sum == 0 {
		return 0
	}
	if e := top - dist/d.k.epsilon - base; e != 0 {
		sum *= exponential.Exp(e)
	}
	return sum
}

// ask offers every portion of the lane to the queries.
func (d *draw) ask() {
	k, t := d.k, d.k.cover
	l, x := t.Labels, k.x
	var cell int32 = -1
	var above []query
	for h := int32(k.Hubs[d.g]); h < int32(k.Hubs[d.g+1]) && !k.over(int(h)); h++ {
		r := &l.Cells[l.Owner[h]]
		if l.Owner[h] != cell {
			cell, above = l.Owner[h], nil
			if from := t.DenseFrom(r); from < r.Sep {
				above = d.between(from, r.Sep)
			}
		}
		for i := range above {
			o := &above[i]
			o.offer(d.mass(x[h], l.At(h, o.rank), o.base), portion{kind: pairPortion, index: h})
		}
		if e := d.watchers[h]; e > 0 {
			first := d.entries[e-1].query
			own, mass := d.reader.Hub(h), 0.0
			for i, v := range own.Slots {
				mass += d.mass(x[v], own.Far[i], d.queries[first].base)
			}
			d.offer(h, func(*query, float64) float64 { return mass }, portion{kind: ownPortion})
		}
	}
	for m := k.Moments[d.g]; m < k.Moments[d.g+1]; m++ {
		d.askMoment(m)
	}
	for n := k.Staircases[d.g]; n < k.Staircases[d.g+1] && !k.over(n); n++ {
		d.askStaircase(n)
	}
	for n := k.Batches[d.g]; n < k.Batches[d.g+1] && !k.over(8*n); n++ {
		if r := &l.Cells[t.Batches[n].Cell]; len(d.between(r.Lo, r.Hi)) > 0 {
			d.askBatch(n)
		}
	}
}

// offer offers a portion to all who ask at a slot.
func (d *draw) offer(slot int32, mass func(t *query, offset float64) float64, p portion) {
	for e := d.watchers[slot]; e > 0; e = d.entries[e-1].next {
		o := &d.entries[e-1]
		p.offset = o.offset
		first := &d.queries[o.query]
		m := mass(first, o.offset)
		for i := int(o.query); i < len(d.queries) && d.queries[i].rank == first.rank; i++ {
			d.queries[i].offer(m, p)
		}
	}
}

func (d *draw) askMoment(m int) {
	k, t := d.k, d.k.cover
	sum, top := 0.0, 0.0
	if k.form == logarithmic {
		total := logdomain.Exponents{Top: []float64{math.Inf(-1)}, Sum: []float64{0}}
		for q := range k.lanes {
			total.Add(0, k.lanes[q].accTop[m], k.lanes[q].acc[m])
		}
		sum, top = total.Sum[0], total.Top[0]
	} else {
		for q := range k.lanes {
			sum += k.lanes[q].acc[m]
		}
	}
	if sum == 0 {
		return
	}
	o, hub := &t.Patches[t.Moments[m].Patch], t.Moments[m].Hub
	p := portion{kind: momentPortion, index: int32(m)}
	tell := func(t *query, _ float64) float64 {
		return d.arrived(sum, top, k.cover.Labels.At(hub, t.rank), t.base)
	}
	in := d.between(o.Lo, o.Hi)
	for i := range in {
		in[i].offer(tell(&in[i], 0), p)
	}
	for _, v := range t.Attached[o.From:o.To] {
		if d.watchers[v] > 0 {
			d.offer(v, tell, p)
		}
	}
}

// running sets sums to the running sums of what slots bring to a hub at their distances, relative to exp(top): sums[i] is that of
// those before i.
func (d *draw) running(slots []int32, dist []float64) (sums []float64, top float64) {
	d.weights, d.sums = buffer.Sized(d.weights, len(slots)), buffer.Sized(d.sums, len(slots)+1)
	if d.k.form == logarithmic {
		top = math.Inf(-1)
		for i, v := range slots {
			top = max(top, d.k.x[v]-dist[i]/d.k.epsilon)
		}
	}
	d.sums[0] = 0
	for i, v := range slots {
		d.sums[i+1] = d.sums[i] + d.mass(d.k.x[v], dist[i], top)
	}
	return d.sums, top
}

func (d *draw) askStaircase(n int) {
	t := d.k.cover
	s := &t.Staircases.List[n]
	rows, cols, from := s.Sides(t.Staircases.Numbers)
	label := func(v int32) float64 { return t.Labels.At(s.Hub, v) }
	p := portion{kind: staircasePortion, index: int32(n)}
	watched := func(ranks []int32) bool {
		return slices.ContainsFunc(ranks, func(v int32) bool { return d.watchers[v] > 0 })
	}
	far := func(ranks []int32) []float64 {
		d.reader.Far = buffer.Sized(d.reader.Far, len(ranks))
		t.Labels.Gather(d.reader.Far, s.Hub, ranks)
		return d.reader.Far
	}
	if watched(rows) {
		sums, top := d.running(cols, far(cols))
		for i, v := range rows {
			d.offer(v, func(t *query, _ float64) float64 {
				return d.arrived(sums[len(cols)]-sums[from[i]], top, label(v), t.base)
			}, p)
		}
	}
	if watched(cols) {
		sums, top := d.running(rows, far(rows))
		row := 0
		for j, v := range cols {
			for row < len(rows) && int(from[row]) <= j {
				row++
			}
			d.offer(v, func(t *query, _ float64) float64 { return d.arrived(sums[row], top, label(v), t.base) }, p)
		}
	}
}

// openBatch sums up the aggregates of a batch.
func (d *draw) openBatch(n int) (b, end *cover.Batch) {
	k, t, p := d.k, d.k.cover, d.p
	b, end = &t.Batches[n], &t.Batches[n+1]
	aggregates, size := t.Aggregates[b.Aggregate:end.Aggregate], len(k.x)
	p.y = p.y[:size+len(aggregates)]
	if k.form == logarithmic {
		p.x, p.yTop = p.x[:size], p.yTop[:size+len(aggregates)]
		d.y = logdomain.Exponents{Top: p.yTop, Sum: p.y}
		for _, o := range aggregates {
			p.x = append(p.x, logdomain.AggregateSum(t, o, p.x, 1/k.epsilon))
		}
		return b, end
	}
	d.y.Sum = p.y
	k.sumAggregates(aggregates, p)
	return b, end
}

func (d *draw) askBatch(n int) {
	k, t, p := d.k, d.k.cover, d.p
	b, end := d.openBatch(n)
	size, ranks := len(k.x), len(d.entries)
	for i, o := range t.Aggregates[b.Aggregate:end.Aggregate] {
		for j := o.From; j < o.To; j++ {
			if e := d.watchers[t.Ranks[j]]; e > 0 {
				d.entries = append(d.entries, watcher{d.entries[e-1].query, d.watchers[size+i], t.Offset(j)})
				d.watchers[size+i] = int32(len(d.entries))
			}
		}
	}
	watched := func(slots []int32) bool {
		return slices.ContainsFunc(slots, func(v int32) bool { return d.watchers[v] > 0 })
	}
	collect := func(slots []int32, of portion, first int) {
		for c, v := range slots {
			sum, top := d.y.Sum[v], 0.0
			d.y.Sum[v] = 0
			if d.y.Top != nil {
				top, d.y.Top[v] = d.y.Top[v], math.Inf(-1)
			}
			if sum != 0 && d.watchers[v] > 0 {
				if of.slot = -1; first >= 0 {
					of.slot = int32(first + c)
				}
				d.offer(v, func(t *query, offset float64) float64 { return d.arrived(sum, top, offset, t.base) }, of)
			}
		}
	}
	for i := b.SeparatorBlock; i < end.SeparatorBlock && !k.over(int(i)); i++ {
		o := &t.SeparatorBlocks[i]
		slots, hubs := t.Order[o.Order:][:o.Width], t.AllRanks()[o.From:o.To]
		if !watched(slots) && !watched(hubs) {
			continue
		}
		if k.form == logarithmic {
			p.logs.SeparatorBlock(t, i, k.epsilon, p.x, d.y)
		} else {
			k.multiplySeparatorBlock(i, p)
		}
		of := portion{kind: separatorPortion, batch: int32(n), index: i}
		collect(hubs, of, -1)
		collect(slots, of, 0)
	}
	for i := b.Tile; i < end.Tile && !k.over(int(i)); i++ {
		slots := t.SlotsOf(&t.Tiles[i])
		if !watched(slots) {
			continue
		}
		if k.form == logarithmic {
			p.logs.Tile(t, i, k.epsilon, p.x, d.y)
		} else {
			k.multiplyTile(i, p)
		}
		collect(slots, portion{kind: tilePortion, batch: int32(n), index: i}, 0)
	}
	clear(d.watchers[size : size+int(end.Aggregate-b.Aggregate)])
	d.entries = d.entries[:ranks]
}

// choose chooses among the pairs of each query's portion.
func (d *draw) choose(chosen func(t *query, rank int32, dist float64)) {
	k, t, r := d.k, d.k.cover, d.reader
	slices.SortFunc(d.queries, func(a, b query) int {
		p, q := &a.chosen, &b.chosen
		return cmp.Or(cmp.Compare(p.kind, q.kind), cmp.Compare(p.batch, q.batch), cmp.Compare(p.index, q.index), cmp.Compare(a.number, b.number))
	})
	inBlock := int32(-1)
	var sums runningSums
	for i := range d.queries {
		o := &d.queries[i]
		p := o.chosen
		c := chooser{d: d, base: o.base, rest: o.rest, slot: -1}
		if p.kind >= separatorPortion && p.batch != inBlock {
			inBlock = p.batch
			d.openBatch(int(inBlock))
		}
		switch p.kind {
		case noPortion:
			continue
		case pairPortion:
			chosen(o, p.index, t.Labels.At(p.index, o.rank))
			continue
		case ownPortion:
			c.visit(r.Hub(o.rank))
		case momentPortion:
			rank, dist := d.askRankOnes(o, &sums)
			chosen(o, rank, dist)
			continue
		case staircasePortion:
			r.Staircase(&t.Staircases.List[p.index], o.rank, c.visit)
		case separatorPortion:
			b, end := &t.Batches[p.batch], &t.Batches[p.batch+1]
			if p.slot < 0 {
				r.SeparatorHub(b, end, p.index, o.rank, c.visit)
			} else {
				c.visit(r.SeparatorSlot(b, end, p.index, int(p.slot), p.offset))
			}
		case tilePortion:
			r.Tile(&t.Batches[p.batch], &t.Batches[p.batch+1], p.index, int(p.slot), p.offset, c.visit)
		}
		if c.slot >= 0 && int(c.slot) >= len(k.x) {
			of, dist := &c.aggregates[int(c.slot)-len(k.x)], c.dist
			c.rest, c.slot = c.before, -1
			for j := of.From; j < of.To; j++ {
				c.take(t.Ranks[j], dist+t.Offset(j))
			}
		}
		if c.slot >= 0 {
			chosen(o, c.slot, c.dist)
		}
	}
}

// leave leaves everything as a product finds it.
func (d *draw) leave() {
	p, size := d.p, len(d.k.x)
	p.x, p.y = p.x[:size], p.y[:size]
	if p.yTop != nil {
		p.yTop = p.yTop[:size]
	}
	d.k.cover.Release(d.reader)
}

// chooser chooses among slots as a query does among pieces.
type chooser struct {
	d            *draw
	base         float64
	rest, before float64
	slot         int32 // chosen; -1: none yet
	dist         float64
	aggregates   []cover.Aggregate
}

func (c *chooser) take(slot int32, dist float64) {
	if c.rest < 0 {
		return
	}
	if m := c.d.mass(c.d.p.x[slot], dist, c.base); m > 0 {
		c.slot, c.dist, c.before = slot, dist, c.rest
		c.rest -= m
	}
}

// visit returns whether more is wanted.
func (c *chooser) visit(s *cover.Segment) bool {
	c.aggregates = s.Aggregates
	for i, v := range s.Slots {
		c.take(v, s.Near+s.Far[i]-s.Shift)
	}
	return c.rest >= 0
}

// runningSums are those of a hub moment's vertices.
type runningSums struct {
	moment int32 // from 1 on
	slots  []int32
	dist   []float64
	sums   []float64
	top    float64
}

// askRankOnes chooses among the pairs of the rank-one blocks of a query's hub moment. Sums are those of the hub moment asked for last.
func (d *draw) askRankOnes(o *query, sums *runningSums) (rank int32, dist float64) {
	k, t := d.k, d.k.cover
	m := o.chosen.index
	near := t.Labels.At(t.Moments[m].Hub, o.rank)
	rest, other, shift := o.rest, int32(-1), 0.0
	for _, n := range t.RankOnesOf(m) {
		c := &t.RankOnes[n]
		end := c.A
		if m == c.A {
			end = c.B
		}
		top := 0.0
		if k.form == logarithmic {
			top = k.tops[end]
		}
		if mass := d.arrived(k.sums[end], top+c.Shift/k.epsilon, near, o.base); mass > 0 && rest >= 0 || other < 0 && k.sums[end] > 0 {
			o.rest, other, shift = rest, end, c.Shift
			rest -= mass
		}
	}
	if sums.moment != other+1 {
		p := &t.Patches[t.Moments[other].Patch]
		sums.moment, sums.slots = other+1, append(append(sums.slots[:0], t.AllRanks()[p.Lo:p.Hi]...), t.Attached[p.From:p.To]...)
		sums.dist = buffer.Sized(sums.dist, len(sums.slots))
		t.Labels.Gather(sums.dist, t.Moments[other].Hub, sums.slots)
		sums.sums, sums.top = d.running(sums.slots, sums.dist)
	}
	// Of the running sums the one that the rest is short of, but not beyond the last.
	share := d.arrived(1, sums.top+shift/k.epsilon, near, o.base)
	at := len(sums.slots) - 1
	for sums.sums[at] == sums.sums[at+1] && at > 0 {
		at--
	}
	if first, found := slices.BinarySearch(sums.sums[:at+1], o.rest/share); found {
		at = first
	} else {
		at = first - 1
	}
	for sums.sums[at+1] == sums.sums[at] {
		at++
	}
	return sums.slots[at], near + sums.dist[at] - shift
}
