package hub

import (
	"context"

	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/hub/loops"
	"genussink/core/hub/tile"
	"genussink/core/internal/buffer"
)

// planProduct is what a product with both scalings and the cost needs besides the kernel's own.
//
// The cost of a pair is its mass times a distance that is a sum: a vertex's from the hub, the other's,
// an aggregate's offsets, less the shift. So each mass, which the product forms where it hands out what has arrived, is
// multiplied there by that vertex's share, and the cost takes no sums of its own.
type planProduct struct {
	v       []float64 // by rank: the other scaling
	sums    []float64 // by hub moment: of v
	acc     [cover.Lanes][]float64
	cost    [cover.Lanes]float64
	hub     func(h int32, x []loops.Pair, p *lane) (cost float64)
	tile    func(worker int, n int32, p *lane) (cost float64) // without a tolerance
	workers [cover.Lanes]planScratch

	tileDist ordered // without a tolerance: the distances as Kernel.tileFactors has factors; of none until the second product

	stages [4]func(worker, g int)
	ku, kv []float64 // by vertex: of the product under way
}

// planScratch is one worker's scratch space.
type planScratch struct {
	begun bool
	x     []loops.Pair // by slot

	// Of the tile or separator block under way: what its slots are scaled by, what arrives at them, and what
	// runs add up, by band.
	xs, ys []loops.Pair
	starts tile.Starts
	sums   []loops.RunningPair

	dist, factors cover.MomentRow
	blockDist     []float64 // of a separator block's hub, without a tolerance
	near, far     hubLabels // of the staircase under way
}

// hubLabels are some vertices' distances from a hub and factors.
type hubLabels struct{ dist, factors []float64 }

func (c *hubLabels) of(k *Kernel, hub int32, ranks []int32) {
	c.dist, c.factors = buffer.Sized(c.dist, len(ranks)), buffer.Sized(c.factors, len(ranks))
	k.cover.Labels.Gather(c.dist, hub, ranks)
	k.factors.Gather(c.factors, hub, ranks)
}

// MulPlan is linop.MulPlan; it takes a little less time than two products.
func (k *Kernel) MulPlan(ctx context.Context, ku, kv, u, v []float64) (cost float64, err error) {
	k.begin(ctx)
	defer k.end()
	n := len(k.x)
	ku, kv = check(ku, u, n), check(kv, v, n)
	if k.plan == nil {
		k.plan = k.newPlanProduct()
	} else if k.cover.Tolerance == 0 && k.plan.tileDist.from == nil { // most solves ask once: it pays from the second time on
		dist, err := k.orderTiles(&k.cover.Labels.Values)
		if err != nil {
			return 0, err // and some are missing
		}
		k.plan.tileDist = dist
	}
	o := k.plan
	o.ku, o.kv = ku, kv
	k.load(u)
	for p, w := range k.cover.Labels.Order {
		o.v[p] = v[w]
	}
	for w := range o.workers {
		o.workers[w].begun = false
	}
	if err := k.run(o.stages[:]...); err != nil {
		return 0, err
	}
	for _, c := range o.cost {
		cost += c
	}
	return cost, nil
}

func (k *Kernel) collectPlan(_, g int) {
	from, to := k.laneRanks(g)
	for i, v := range k.cover.Labels.Order[from:to] {
		var sum loops.Pair
		for g := range k.lanes {
			sum.U += k.lanes[g].y[from+i]
			sum.V += k.lanes[g].z[from+i]
		}
		k.plan.ku[v], k.plan.kv[v] = sum.U, sum.V
	}
}

func (k *Kernel) newPlanProduct() *planProduct {
	o := &planProduct{v: make([]float64, len(k.x)), sums: make([]float64, len(k.sums))}
	for g := range k.lanes {
		p := &k.lanes[g]
		p.z = make([]float64, len(p.y), cap(p.y))
		o.acc[g] = make([]float64, len(p.acc))
	}
	o.stages = [4]func(worker, g int){k.sumUpPlan, k.multiplyPlan, k.handOutPlan, k.collectPlan}
	if len(k.sums) == 0 {
		o.stages[0], o.stages[2] = nil, nil
	}
	switch l, dist, tiles := &k.cover.Labels.Values, &o.tileDist, &k.tileFactors; {
	case l.Short == nil:
		planLoops(k, o, l.Long, k.factors.Long, &dist.long, tiles.long)
	case k.factors.Short == nil:
		planLoops(k, o, l.Short, k.factors.Long, &dist.short, tiles.long)
	default:
		planLoops(k, o, l.Short, k.factors.Short, &dist.short, tiles.short)
	}
	return o
}

// bytes is the memory that it takes besides the kernel's own.
func (o *planProduct) bytes() int64 {
	sum := len(o.v) + len(o.sums)
	for g := range o.acc {
		sum += len(o.acc[g]) + 2*cap(o.workers[g].x)
	}
	return 8 * int64(sum)
}

func (k *Kernel) sumUpPlan(_, g int) {
	for m := k.Moments[g]; m < k.Moments[g+1]; m++ {
		k.sums[m], k.plan.sums[m] = k.sumOf(m, k.x), k.sumOf(m, k.plan.v)
	}
}

func (k *Kernel) multiplyPlan(worker, g int) {
	o, p := k.plan, &k.lanes[g]
	s, acc := &o.workers[worker], o.acc[g]
	clear(p.y)
	clear(p.z)
	clear(p.acc)
	clear(acc)
	if !s.begun {
		if s.x == nil {
			s.x = make([]loops.Pair, k.cover.Slots)
		}
		for i, x := range k.x {
			s.x[i] = loops.Pair{U: x, V: o.v[i]}
		}
		s.begun = true
	}
	cost := 0.0
	for h := int32(k.Hubs[g]); h < int32(k.Hubs[g+1]) && !k.over(int(h)); h++ {
		cost += o.hub(h, s.x, p)
	}
	for _, c := range k.cover.RankOnes[k.RankOnes[g]:k.RankOnes[g+1]] {
		gain := k.gain(c.Shift)
		a, b := loops.Pair{U: gain * k.sums[c.A], V: gain * o.sums[c.A]}, loops.Pair{U: k.sums[c.B], V: o.sums[c.B]}
		cost -= c.Shift * (a.U*b.V + a.V*b.U)
		p.acc[c.A] += gain * b.U
		acc[c.A] += gain * b.V
		p.acc[c.B] += a.U
		acc[c.B] += a.V
	}
	for n := k.Staircases[g]; n < k.Staircases[g+1] && !k.over(n); n++ {
		cost += s.staircase(k, &k.cover.Staircases.List[n], p)
	}
	for n := k.Batches[g]; n < k.Batches[g+1]; n++ {
		cost += o.batch(k, worker, n, p)
	}
	o.cost[g] = cost
}

func (k *Kernel) handOutPlan(worker, g int) {
	o, p := k.plan, &k.lanes[g]
	s, cost := &o.workers[worker], 0.0
	for m := k.Moments[g]; m < k.Moments[g+1]; m++ {
		var sum loops.Pair
		for q := range k.lanes {
			sum.U += k.lanes[q].acc[m]
			sum.V += o.acc[q][m]
		}
		if sum == (loops.Pair{}) {
			continue
		}
		ranks, dist := s.dist.Of(k.cover, &k.cover.Labels.Values, &k.cover.Moments[m])
		_, factors := s.factors.Of(k.cover, &k.factors, &k.cover.Moments[m])
		for i, v := range ranks {
			cost += dist[i] * p.arrive(v, factors[i], sum, loops.Pair{U: k.x[v], V: o.v[v]})
		}
	}
	o.cost[g] += cost
}

// arrive adds f times a sum at a slot scaled by x, and returns the mass that it brings, both ways.
func (p *lane) arrive(slot int32, f float64, sum, x loops.Pair) (mass float64) {
	y, mass := loops.Pair{U: p.y[slot], V: p.z[slot]}.Arrive(f, sum, x)
	p.y[slot], p.z[slot] = y.U, y.V
	return mass
}

// planLoops are the loops of a plan's product over the hubs' rows and over tiles without a tolerance.
func planLoops[S, T label.Float](k *Kernel, o *planProduct, labels [][]S, factors [][]T, tileDist *[]S, tileFactors []T) {
	tree := k.cover.Labels.Tree
	o.hub = func(h int32, x []loops.Pair, p *lane) float64 {
		r := &tree.Cells[tree.Owner[h]]
		from := k.cover.DenseFrom(r)
		dist, f := label.RowOf(tree, labels, h, from, r.Hi), label.RowOf(tree, factors, h, from, r.Hi)
		here, sides := x[h], int(r.Sep-from)
		sum, cost := loops.BothPairs(p.y[from:r.Sep], p.z[from:r.Sep], x[from:r.Sep], f[:sides], dist[:sides], here)
		inner, within := loops.InnerPairs(x[r.Sep:r.Hi], f[sides:], dist[sides:])
		p.y[h] += sum.U + inner.U
		p.z[h] += sum.V + inner.V
		return here.U*(cost.V+within) + here.V*cost.U
	}
	var own [cover.Lanes][]S // by worker: the distances of the tile under way
	o.tile = func(worker int, n int32, p *lane) float64 {
		t, dist := &k.cover.Tiles[n], own[worker]
		if o.tileDist.from != nil {
			dist = (*tileDist)[o.tileDist.from[n]:]
		} else {
			dist = buffer.Sized(dist, t.Distances)
			own[worker] = dist
			orderTile(k.cover, n, labels, dist)
		}
		return multiplyPlanTile(k, &o.workers[worker], t, tileFactors[k.tileFactors.from[n]:], dist, p)
	}
}

// multiplyPlanTile is multiplyTile.
func multiplyPlanTile[S, T label.Float](k *Kernel, s *planScratch, t *tile.Tile, factors []T, dist []S, p *lane) (total float64) {
	l, starts := &k.cover.List, &s.starts
	rows, cols := l.Sides(t)
	s.sums = buffer.Sized(s.sums, starts.Set(l.BandsOf(t)))
	s.open(cols)
	x, y, z, xs, ys, sums := s.x, p.y, p.z, s.xs, s.ys, s.sums
	for n, c := range l.ColumnsOf(t) {
		loops.SumUpPairs(tile.BandSums(sums, starts, n, c.Band), xs[c.From:c.To], factors[c.At:][:c.To-c.From])
	}
	runs, hubs := l.Runs, l.RowHubs
	for i, r := range l.RowsOf(t) {
		v := rows[i]
		sum, cost := loops.MultiplyPairs(x[v], factors[r.At:][:r.Size], dist[r.At:][:r.Size], hubs[r.RowHub:][:r.Size], sums, runs[r.Run:][:r.Runs])
		y[v] += sum.U
		z[v] += sum.V
		total += cost
	}
	for n, c := range l.ColumnsOf(t) {
		size := c.To - c.From
		total += loops.HandDownPairs(ys[c.From:c.To], xs[c.From:c.To], tile.BandSums(sums, starts, n, c.Band), factors[c.At:][:size], dist[c.At:][:size])
	}
	s.close(cols, p)
	return total
}

// staircase adds the pairs of a staircase, both ways, in a loop of its own for the reason given at loops.Staircase.
func (s *planScratch) staircase(k *Kernel, o *cover.Staircase, p *lane) (total float64) {
	rows, cols, from := o.Sides(k.cover.Staircases.Numbers)
	s.near.of(k, o.Hub, rows)
	s.far.of(k, o.Hub, cols)
	var sum loops.Pair
	at := len(cols)
	for n := len(rows) - 1; n >= 0; n-- {
		for at > int(from[n]) {
			at--
			sum = sum.Plus(s.far.factors[at], s.x[cols[at]])
		}
		total += s.near.dist[n] * p.arrive(rows[n], s.near.factors[n], sum, s.x[rows[n]])
	}
	sum = loops.Pair{}
	for n, i := range rows {
		sum = sum.Plus(s.near.factors[n], s.x[i])
		to := len(cols)
		if n+1 < len(rows) {
			to = int(from[n+1])
		}
		for j := int(from[n]); j < to; j++ {
			total += s.far.dist[j] * p.arrive(cols[j], s.far.factors[j], sum, s.x[cols[j]])
		}
	}
	return total
}

// batch is multiplyBatch. With a tolerance costs are in steps within.
func (o *planProduct) batch(k *Kernel, worker, n int, p *lane) (total float64) {
	s, b, end := &o.workers[worker], &k.cover.Batches[n], &k.cover.Batches[n+1]
	aggregates, size, packed := k.cover.Aggregates[b.Aggregate:end.Aggregate], len(k.x), k.cover.Tolerance > 0
	p.y, p.z = p.y[:size+len(aggregates)], p.z[:size+len(aggregates)]
	clear(p.y[size:])
	clear(p.z[size:])
	for i, a := range aggregates {
		s.x[size+i] = s.aggregate(k, a)
	}
	for i := b.SeparatorBlock; i < end.SeparatorBlock && !k.over(int(i)); i++ {
		total += s.separatorBlock(k, i, p)
	}
	for i := b.Tile; i < end.Tile && !k.over(int(i)); i++ {
		if packed {
			total += s.packed(k, i, p)
		} else {
			total += o.tile(worker, i, p)
		}
	}
	for i, a := range aggregates {
		total += s.handOut(k, a, loops.Pair{U: p.y[size+i], V: p.z[size+i]}, p)
	}
	p.y, p.z = p.y[:size], p.z[:size]
	if packed {
		total *= float64(k.cover.Step)
	}
	return total
}

// aggregate is the sum of an aggregate's vertices.
func (s *planScratch) aggregate(k *Kernel, a cover.Aggregate) (sum loops.Pair) {
	ranks := k.cover.Ranks[a.From:a.To]
	if k.cover.Tolerance > 0 {
		for j, code := range k.cover.Offsets[a.From:a.To] {
			sum = sum.Plus(k.packedFactors[code&cover.CodeMask], s.x[ranks[j]])
		}
		return sum
	}
	for j, f := range k.offsetFactors[a.From:a.To] {
		sum = sum.Plus(f, s.x[ranks[j]])
	}
	return sum
}

// handOut hands out to an aggregate's vertices what has arrived for it, and returns the cost of the offsets.
func (s *planScratch) handOut(k *Kernel, a cover.Aggregate, sum loops.Pair, p *lane) (cost float64) {
	ranks := k.cover.Ranks[a.From:a.To]
	if k.cover.Tolerance > 0 {
		for j, code := range k.cover.Offsets[a.From:a.To] {
			cost += cover.StepsOf(code) * p.arrive(ranks[j], k.packedFactors[code&cover.CodeMask], sum, s.x[ranks[j]])
		}
		return cost
	}
	for j, f := range k.offsetFactors[a.From:a.To] {
		cost += k.cover.Lengths[int(a.From)+j] * p.arrive(ranks[j], f, sum, s.x[ranks[j]])
	}
	return cost
}

// open sets xs to what the slots are scaled by, and ys to 0.
func (s *planScratch) open(slots []int32) {
	s.xs, s.ys = buffer.Sized(s.xs, len(slots)), buffer.Sized(s.ys, len(slots))
	clear(s.ys)
	for j, v := range slots {
		s.xs[j] = s.x[v]
	}
}

// close adds ys to what arrives.
func (s *planScratch) close(slots []int32, p *lane) {
	for j, v := range slots {
		p.y[v] += s.ys[j].U
		p.z[v] += s.ys[j].V
	}
}

// separatorBlock is multiplySeparatorBlock.
func (s *planScratch) separatorBlock(k *Kernel, n int32, p *lane) (total float64) {
	o, codes := &k.cover.SeparatorBlocks[n], k.cover.SeparatorCodes(n)
	order := k.cover.Order[o.Order:][:o.Width]
	s.open(order)
	xs, ys := s.xs[:o.Width], s.ys[:o.Width]
	for h := o.From; h < o.To; h++ {
		var sum loops.Pair
		var cost float64
		if k.cover.Tolerance > 0 {
			sum, cost = k.packedFactors.BothPairs(ys, xs, s.x[h], 0, codes)
			codes = codes[o.Width:]
		} else {
			s.blockDist = buffer.Sized(s.blockDist, o.Width)
			k.cover.Gather(s.blockDist, h, order)
			factors := k.blockFactors.long[k.blockFactors.from[n]+int(h-o.From)*o.Width:]
			sum, cost = loops.BlockPairs(ys, xs, factors[:o.Width], s.blockDist, s.x[h])
		}
		p.y[h] += sum.U
		p.z[h] += sum.V
		total += cost
	}
	s.close(order, p)
	return total
}

// packed is multiplyPackedTile.
func (s *planScratch) packed(k *Kernel, n int32, p *lane) (total float64) {
	l, starts := &k.cover.List, &s.starts
	t, codes, factors := &l.Tiles[n], k.cover.TileCodes(n), k.packedFactors
	s.sums = buffer.Sized(s.sums, starts.Set(l.BandsOf(t)))
	slots := l.SlotsOf(t)
	s.open(slots)
	rowX, rowY, xs, ys, sums := s.xs[:t.Rows], s.ys[:t.Rows], s.xs[t.Rows:], s.ys[t.Rows:], s.sums
	for n, c := range l.ColumnsOf(t) {
		factors.SumUpPairs(tile.BandSums(sums, starts, n, c.Band), xs[c.From:c.To], codes[c.At:][:c.To-c.From])
	}
	gain, shift, runs := k.gain(t.Shift), t.Shift/float64(k.cover.Step), l.Runs
	for i, r := range l.RowsOf(t) {
		total += factors.MultiplyPairs(rowY[i:][:r.Size], rowX[i:][:r.Size], gain, shift, sums, starts, runs[r.Run:][:r.Runs], codes[r.At:])
	}
	for n, c := range l.ColumnsOf(t) {
		total += factors.HandDownPairs(ys[c.From:c.To], xs[c.From:c.To], tile.BandSums(sums, starts, n, c.Band), codes[c.At:][:c.To-c.From])
	}
	s.close(slots, p)
	return total
}
