package hub

import (
	"cmp"
	"context"
	"math"
	"slices"

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
	if err := k.t.prepare(ctx); err != nil {
		return nil, nil, err
	}
	defer k.Forget()
	var by [groups][]token
	for n, v := range sources {
		t := token{number: int32(n), rank: k.t.labels.Rank[v], chosen: portion{kind: noPortion}}
		if k.form == logarithmic {
			t.base = math.Inf(-1)
			for g := range k.parts {
				t.base = max(t.base, k.parts[g].yTop[t.rank])
			}
		}
		var masses [groups]float64
		total := 0.0
		for g := range k.parts {
			masses[g] = k.parts[g].y[t.rank]
			if k.form == logarithmic {
				masses[g] *= relative(k.parts[g].yTop[t.rank], t.base)
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
			d.choose(func(t *token, rank int32, d float64) { targets[t.number], dist[t.number] = k.t.labels.Order[rank], d })
		}
	})
	if err != nil {
		return nil, nil, err
	}
	return targets, dist, nil
}

// Forget has Draw ask for a product of its own.
func (k *Kernel) Forget() { k.form = none }

// token is a target to be drawn.
type token struct {
	number, rank int32
	base         float64 // left and rest are relative to exp(base)
	left         float64 // the running sum that is still to be reached
	rest         float64 // what was left before the portion that was chosen
	chosen       portion
}

// offer offers a portion that brings a mass. Once the running sum is reached no other is taken. Where rounding keeps it from
// that, the last with any mass is.
func (t *token) offer(mass float64, p portion) {
	if mass > 0 && t.left >= 0 {
		t.chosen, t.rest = p, t.left
		t.left -= mass
	}
}

// portion is some of a vertex's pairs.
type portion struct {
	kind  kind
	block int32 // of tiles and fans
	index int32 // the other vertex of a pair, or which moment, stair, fan or tile
	slot  int32 // of a tile or a fan: which of its slots the vertex is in; -1: it is a hub of the fan
	// offset is the vertex's in that slot.
	offset float64
}

type kind int32

const (
	noPortion     kind = iota
	pairPortion        // with a hub above
	ownPortion         // with all in the labels' row of its own
	momentPortion      // links of the moment
	stairPortion
	fanPortion
	tilePortion
)

// draw is what one group's tokens need.
type draw struct {
	k      *Kernel
	g      int
	p      *part
	y      exponents // p's; without tops in a plain product
	tokens []token   // by rank
	reader *reader

	watch   []int32 // by slot of the block under way: the first of entries that asks there, from 1 on; 0: nobody
	entries []entry

	weights []float64 // of some slots
	sums    []float64 // and their running sums
}

// entry is a source that asks at a slot: its first token.
type entry struct {
	token, next int32
	offset      float64
}

func newDraw(k *Kernel, worker, g int, tokens []token) *draw {
	slices.SortFunc(tokens, func(a, b token) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.number, b.number))
	})
	d := &draw{k: k, g: g, p: &k.parts[g], tokens: tokens, reader: k.t.reader(), watch: make([]int32, k.t.slots)}
	d.p.x = k.x
	if k.t.slack > 0 || k.form == logarithmic {
		d.p.x = k.own(worker)
	}
	d.y.sum = d.p.y[:cap(d.p.y)]
	clear(d.y.sum)
	if k.form == logarithmic {
		d.y.top = d.p.yTop[:cap(d.p.yTop)]
		d.y.clear()
	}
	for at := range tokens {
		if at == 0 || tokens[at].rank != tokens[at-1].rank {
			d.entries = append(d.entries, entry{token: int32(at)})
			d.watch[tokens[at].rank] = int32(len(d.entries))
		}
	}
	return d
}

// between are the tokens of the ranks [from,to).
func (d *draw) between(from, to int32) []token {
	find := func(rank int32) int {
		at, _ := slices.BinarySearchFunc(d.tokens, rank, func(t token, rank int32) int { return cmp.Compare(t.rank, rank) })
		return at
	}
	return d.tokens[find(from):find(to)]
}

// mass is what a slot with x brings at a distance, relative to exp(base).
func (d *draw) mass(x, dist, base float64) float64 {
	if d.k.form == logarithmic {
		return relative(x-dist/d.k.epsilon, base)
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

// ask offers every portion of the group to the tokens.
func (d *draw) ask() {
	k, t := d.k, d.k.t
	l, x := t.labels, k.x
	var cell int32 = -1
	var above []token
	for h := int32(k.hubs[d.g]); h < int32(k.hubs[d.g+1]) && !k.over(int(h)); h++ {
		r := &l.Cells[l.Owner[h]]
		if l.Owner[h] != cell {
			cell, above = l.Owner[h], nil
			if from := t.labelled(r); from < r.Sep {
				above = d.between(from, r.Sep)
			}
		}
		for i := range above {
			o := &above[i]
			o.offer(d.mass(x[h], l.At(h, o.rank), o.base), portion{kind: pairPortion, index: h})
		}
		if e := d.watch[h]; e > 0 {
			first := d.entries[e-1].token
			own, mass := d.reader.hub(h), 0.0
			for i, v := range own.slots {
				mass += d.mass(x[v], own.far[i], d.tokens[first].base)
			}
			d.offer(h, func(*token, float64) float64 { return mass }, portion{kind: ownPortion})
		}
	}
	for m := k.moments[d.g]; m < k.moments[d.g+1]; m++ {
		d.askMoment(m)
	}
	for n := k.stairs[d.g]; n < k.stairs[d.g+1] && !k.over(n); n++ {
		d.askStair(n)
	}
	for n := k.blocks[d.g]; n < k.blocks[d.g+1] && !k.over(8*n); n++ {
		if r := &l.Cells[t.blocks[n].cell]; len(d.between(r.Lo, r.Hi)) > 0 {
			d.askBlock(n)
		}
	}
}

// offer offers a portion to all who ask at a slot.
func (d *draw) offer(slot int32, mass func(t *token, offset float64) float64, p portion) {
	for e := d.watch[slot]; e > 0; e = d.entries[e-1].next {
		o := &d.entries[e-1]
		p.offset = o.offset
		first := &d.tokens[o.token]
		m := mass(first, o.offset)
		for i := int(o.token); i < len(d.tokens) && d.tokens[i].rank == first.rank; i++ {
			d.tokens[i].offer(m, p)
		}
	}
}

func (d *draw) askMoment(m int) {
	k, t := d.k, d.k.t
	sum, top := 0.0, 0.0
	if k.form == logarithmic {
		total := exponents{[]float64{math.Inf(-1)}, []float64{0}}
		for q := range k.parts {
			total.add(0, k.parts[q].accTop[m], k.parts[q].acc[m])
		}
		sum, top = total.sum[0], total.top[0]
	} else {
		for q := range k.parts {
			sum += k.parts[q].acc[m]
		}
	}
	if sum == 0 {
		return
	}
	o, hub := &t.patches[t.moments[m].patch], t.moments[m].hub
	p := portion{kind: momentPortion, index: int32(m)}
	tell := func(t *token, _ float64) float64 {
		return d.arrived(sum, top, k.t.labels.At(hub, t.rank), t.base)
	}
	in := d.between(o.lo, o.hi)
	for i := range in {
		in[i].offer(tell(&in[i], 0), p)
	}
	for _, v := range t.riders[o.from:o.to] {
		if d.watch[v] > 0 {
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

func (d *draw) askStair(n int) {
	t := d.k.t
	s := &t.stairs.list[n]
	rows, cols, from := s.parts(t.stairs.treads)
	label := func(v int32) float64 { return t.labels.At(s.hub, v) }
	p := portion{kind: stairPortion, index: int32(n)}
	watched := func(ranks []int32) bool {
		return slices.ContainsFunc(ranks, func(v int32) bool { return d.watch[v] > 0 })
	}
	far := func(ranks []int32) []float64 {
		d.reader.far = buffer.Sized(d.reader.far, len(ranks))
		t.labels.Gather(d.reader.far, s.hub, ranks)
		return d.reader.far
	}
	if watched(rows) {
		sums, top := d.running(cols, far(cols))
		for i, v := range rows {
			d.offer(v, func(t *token, _ float64) float64 {
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
			d.offer(v, func(t *token, _ float64) float64 { return d.arrived(sums[row], top, label(v), t.base) }, p)
		}
	}
}

// enter sums up the bundles of a block.
func (d *draw) enter(n int) (b, end *block) {
	k, t, p := d.k, d.k.t, d.p
	b, end = &t.blocks[n], &t.blocks[n+1]
	bundles, size := t.bundles[b.bundle:end.bundle], len(k.x)
	p.y = p.y[:size+len(bundles)]
	if k.form == logarithmic {
		p.x, p.yTop = p.x[:size], p.yTop[:size+len(bundles)]
		d.y = exponents{p.yTop, p.y}
		for _, o := range bundles {
			p.x = append(p.x, t.logSum(o, p.x, 1/k.epsilon))
		}
		return b, end
	}
	d.y.sum = p.y
	if len(bundles) > 0 {
		p.x = p.x[:size+len(bundles)]
		for i, o := range bundles {
			p.x[size+i] = k.packedFactors.dot(p.x[:size], t.ranks[o.from:o.to], t.offsets[o.from:o.to])
		}
	}
	return b, end
}

func (d *draw) askBlock(n int) {
	k, t, p := d.k, d.k.t, d.p
	b, end := d.enter(n)
	size, ranks := len(k.x), len(d.entries)
	for i, o := range t.bundles[b.bundle:end.bundle] {
		for j := o.from; j < o.to; j++ {
			if e := d.watch[t.ranks[j]]; e > 0 {
				d.entries = append(d.entries, entry{d.entries[e-1].token, d.watch[size+i], t.steps.length(t.offsets[j])})
				d.watch[size+i] = int32(len(d.entries))
			}
		}
	}
	watched := func(slots []int32) bool {
		return slices.ContainsFunc(slots, func(v int32) bool { return d.watch[v] > 0 })
	}
	collect := func(slots []int32, of portion, first int) {
		for c, v := range slots {
			sum, top := d.y.sum[v], 0.0
			d.y.sum[v] = 0
			if d.y.top != nil {
				top, d.y.top[v] = d.y.top[v], math.Inf(-1)
			}
			if sum != 0 && d.watch[v] > 0 {
				if of.slot = -1; first >= 0 {
					of.slot = int32(first + c)
				}
				d.offer(v, func(t *token, offset float64) float64 { return d.arrived(sum, top, offset, t.base) }, of)
			}
		}
	}
	for i := b.fan; i < end.fan && !k.over(int(i)); i++ {
		o := &t.fans[i]
		slots, hubs := t.order[o.order:][:o.width], t.where().ranks[o.from:o.to]
		if !watched(slots) && !watched(hubs) {
			continue
		}
		if k.form == logarithmic {
			k.logMultiplyFan(i, p, d.y)
		} else {
			k.multiplyFan(i, p)
		}
		of := portion{kind: fanPortion, block: int32(n), index: i}
		collect(hubs, of, -1)
		collect(slots, of, 0)
	}
	for i := b.tile; i < end.tile && !k.over(int(i)); i++ {
		slots := t.slotsOf(&t.tiles[i])
		if !watched(slots) {
			continue
		}
		switch {
		case k.form == logarithmic:
			k.logMultiplyTile(i, p, d.y)
		case t.slack > 0:
			k.multiplyPacked(i, p)
		case k.factors.Short != nil:
			multiplyTile(k, k.tileFactors.short[k.tileFactors.from[i]:], &t.tiles[i], p)
		default:
			multiplyTile(k, k.tileFactors.long[k.tileFactors.from[i]:], &t.tiles[i], p)
		}
		collect(slots, portion{kind: tilePortion, block: int32(n), index: i}, 0)
	}
	clear(d.watch[size : size+int(end.bundle-b.bundle)])
	d.entries = d.entries[:ranks]
}

// choose chooses among the pairs of each token's portion.
func (d *draw) choose(chosen func(t *token, rank int32, dist float64)) {
	k, t, r := d.k, d.k.t, d.reader
	slices.SortFunc(d.tokens, func(a, b token) int {
		p, q := &a.chosen, &b.chosen
		return cmp.Or(cmp.Compare(p.kind, q.kind), cmp.Compare(p.block, q.block), cmp.Compare(p.index, q.index), cmp.Compare(a.number, b.number))
	})
	inBlock := int32(-1)
	var sums runningSums
	for i := range d.tokens {
		o := &d.tokens[i]
		p := o.chosen
		c := chooser{d: d, base: o.base, rest: o.rest, slot: -1}
		if p.kind >= fanPortion && p.block != inBlock {
			inBlock = p.block
			d.enter(int(inBlock))
		}
		switch p.kind {
		case noPortion:
			continue
		case pairPortion:
			chosen(o, p.index, t.labels.At(p.index, o.rank))
			continue
		case ownPortion:
			c.visit(r.hub(o.rank))
		case momentPortion:
			rank, dist := d.link(o, &sums)
			chosen(o, rank, dist)
			continue
		case stairPortion:
			r.stair(&t.stairs.list[p.index], o.rank, c.visit)
		case fanPortion:
			b, end := &t.blocks[p.block], &t.blocks[p.block+1]
			if p.slot < 0 {
				r.fanHub(b, end, p.index, o.rank, c.visit)
			} else {
				c.visit(r.fanSlot(b, end, p.index, int(p.slot), p.offset))
			}
		case tilePortion:
			r.tile(&t.blocks[p.block], &t.blocks[p.block+1], p.index, int(p.slot), p.offset, c.visit)
		}
		if c.slot >= 0 && int(c.slot) >= len(k.x) {
			of, dist := &c.bundles[int(c.slot)-len(k.x)], c.dist
			c.rest, c.slot = c.before, -1
			for j := of.from; j < of.to; j++ {
				c.take(t.ranks[j], dist+t.steps.length(t.offsets[j]))
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
	d.k.t.readers.Put(d.reader)
}

// chooser chooses among slots as a token does among pieces.
type chooser struct {
	d            *draw
	base         float64
	rest, before float64
	slot         int32 // chosen; -1: none yet
	dist         float64
	bundles      []bundle
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
func (c *chooser) visit(s *segment) bool {
	c.bundles = s.bundles
	for i, v := range s.slots {
		c.take(v, s.near+s.far[i]-s.shift)
	}
	return c.rest >= 0
}

// runningSums are those of a moment's vertices.
type runningSums struct {
	moment int32 // from 1 on
	slots  []int32
	dist   []float64
	sums   []float64
	top    float64
}

// link chooses among the pairs of the links of a token's moment. Sums are those of the moment asked for last.
func (d *draw) link(o *token, sums *runningSums) (rank int32, dist float64) {
	k, t := d.k, d.k.t
	m := o.chosen.index
	near := t.labels.At(t.moments[m].hub, o.rank)
	rest, other, shift := o.rest, int32(-1), 0.0
	for _, n := range t.where().links.of(m) {
		c := &t.links[n]
		end := c.a
		if m == c.a {
			end = c.b
		}
		top := 0.0
		if k.form == logarithmic {
			top = k.tops[end]
		}
		if mass := d.arrived(k.sums[end], top+c.shift/k.epsilon, near, o.base); mass > 0 && rest >= 0 || other < 0 && k.sums[end] > 0 {
			o.rest, other, shift = rest, end, c.shift
			rest -= mass
		}
	}
	if sums.moment != other+1 {
		p := &t.patches[t.moments[other].patch]
		sums.moment, sums.slots = other+1, append(append(sums.slots[:0], t.where().ranks[p.lo:p.hi]...), t.riders[p.from:p.to]...)
		sums.dist = buffer.Sized(sums.dist, len(sums.slots))
		t.labels.Gather(sums.dist, t.moments[other].hub, sums.slots)
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
