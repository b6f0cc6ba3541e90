package hub

import (
	"context"

	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/hub/tile"
	"genussink/core/internal/buffer"
)

// pair is a number of each of a plan's two scalings, or of what the kernel makes of them.
type pair struct{ u, v float64 }

// plus is the sum with f times a pair. A value, not a pointer: running sums must stay in registers.
func (p pair) plus(f float64, x pair) pair { return pair{p.u + f*x.u, p.v + f*x.v} }

// times is f times a pair.
func (p pair) times(f float64) pair { return pair{f * p.u, f * p.v} }

// less is the difference.
func (p pair) less(q pair) pair { return pair{p.u - q.u, p.v - q.v} }

// runningPair is running of both scalings.
type runningPair struct{ before, change pair }

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
	hub     func(h int32, x []pair, p *lane) (cost float64)
	tile    func(worker int, n int32, p *lane) (cost float64) // without a tolerance
	workers [cover.Lanes]planScratch

	tileDist ordered // without a tolerance: the distances as Kernel.tileFactors has factors

	stages [4]func(worker, g int)
	ku, kv []float64 // by vertex: of the product under way
}

// planScratch is one worker's scratch space.
type planScratch struct {
	begun bool
	x     []pair // by slot

	// Of the tile or separator block under way: what its slots are scaled by, what arrives at them, and what
	// runs add up, by band.
	xs, ys []pair
	starts tile.Starts
	sums   []runningPair

	dist, factors row
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
		if k.plan, err = k.newPlanProduct(); err != nil {
			return 0, err
		}
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
		var sum pair
		for g := range k.lanes {
			sum.u += k.lanes[g].y[from+i]
			sum.v += k.lanes[g].z[from+i]
		}
		k.plan.ku[v], k.plan.kv[v] = sum.u, sum.v
	}
}

func (k *Kernel) newPlanProduct() (*planProduct, error) {
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
	l := &k.cover.Labels.Values
	if k.cover.Tolerance == 0 {
		var err error
		if o.tileDist, err = k.orderTiles(l); err != nil {
			return nil, err
		}
	}
	switch dist, tiles := &o.tileDist, &k.tileFactors; {
	case l.Short == nil:
		planLoops(k, o, l.Long, k.factors.Long, dist.long, tiles.long)
	case k.factors.Short == nil:
		planLoops(k, o, l.Short, k.factors.Long, dist.short, tiles.long)
	default:
		planLoops(k, o, l.Short, k.factors.Short, dist.short, tiles.short)
	}
	return o, nil
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
			s.x = make([]pair, k.cover.Slots)
		}
		for i, x := range k.x {
			s.x[i] = pair{x, o.v[i]}
		}
		s.begun = true
	}
	cost := 0.0
	for h := int32(k.Hubs[g]); h < int32(k.Hubs[g+1]) && !k.over(int(h)); h++ {
		cost += o.hub(h, s.x, p)
	}
	for _, c := range k.cover.RankOnes[k.RankOnes[g]:k.RankOnes[g+1]] {
		gain := k.gain(c.Shift)
		a, b := pair{gain * k.sums[c.A], gain * o.sums[c.A]}, pair{k.sums[c.B], o.sums[c.B]}
		cost -= c.Shift * (a.u*b.v + a.v*b.u)
		p.acc[c.A] += gain * b.u
		acc[c.A] += gain * b.v
		p.acc[c.B] += a.u
		acc[c.B] += a.v
	}
	for n := k.Staircases[g]; n < k.Staircases[g+1] && !k.over(n); n++ {
		cost += s.staircase(k, &k.cover.Staircases.List[n], p)
	}
	for n := k.Batches[g]; n < k.Batches[g+1]; n++ {
		b, end := &k.cover.Batches[n], &k.cover.Batches[n+1]
		if k.cover.Tolerance > 0 {
			cost += s.batch(k, b, end, p)
			continue
		}
		for i := b.Tile; i < end.Tile && !k.over(int(i)); i++ {
			cost += o.tile(worker, i, p)
		}
	}
	o.cost[g] = cost
}

func (k *Kernel) handOutPlan(worker, g int) {
	o, p := k.plan, &k.lanes[g]
	s, cost := &o.workers[worker], 0.0
	for m := k.Moments[g]; m < k.Moments[g+1]; m++ {
		var sum pair
		for q := range k.lanes {
			sum.u += k.lanes[q].acc[m]
			sum.v += o.acc[q][m]
		}
		if sum == (pair{}) {
			continue
		}
		ranks, dist := s.dist.of(k.cover, &k.cover.Labels.Values, &k.cover.Moments[m])
		_, factors := s.factors.of(k.cover, &k.factors, &k.cover.Moments[m])
		for i, v := range ranks {
			cost += dist[i] * p.arrive(v, factors[i], sum, pair{k.x[v], o.v[v]})
		}
	}
	o.cost[g] += cost
}

// arrive adds f times a sum at a slot scaled by x, and returns the mass that it brings, both ways.
func (p *lane) arrive(slot int32, f float64, sum, x pair) (mass float64) {
	y, mass := pair{p.y[slot], p.z[slot]}.arrive(f, sum, x)
	p.y[slot], p.z[slot] = y.u, y.v
	return mass
}

// planLoops are the loops of a plan's product over the hubs' rows and over tiles without a tolerance.
func planLoops[S, T label.Float](k *Kernel, o *planProduct, labels [][]S, factors [][]T, tileDist []S, tileFactors []T) {
	tree := k.cover.Labels.Tree
	o.hub = func(h int32, x []pair, p *lane) float64 {
		r := &tree.Cells[tree.Owner[h]]
		from := k.cover.DenseFrom(r)
		dist, f := label.RowOf(tree, labels, h, from, r.Hi), label.RowOf(tree, factors, h, from, r.Hi)
		here, sides := x[h], int(r.Sep-from)
		sum, cost := bothPairs(p.y[from:r.Sep], p.z[from:r.Sep], x[from:r.Sep], f[:sides], dist[:sides], here)
		inner, within := innerPairs(x[r.Sep:r.Hi], f[sides:], dist[sides:])
		p.y[h] += sum.u + inner.u
		p.z[h] += sum.v + inner.v
		return here.u*(cost.v+within) + here.v*cost.u
	}
	o.tile = func(worker int, n int32, p *lane) (total float64) {
		t, s := &k.cover.Tiles[n], &o.workers[worker]
		dist, factors := tileDist[o.tileDist.from[n]:], tileFactors[k.tileFactors.from[n]:]
		rows, cols := k.cover.Sides(t)
		bands := k.cover.BandsOf(t)
		s.open(cols)
		s.sums = buffer.Sized(s.sums, s.starts.Set(bands))
		columns, columnDist := factors, dist
		for n, b := range bands {
			size := b.To - b.From
			sumUpPairs(tile.BandSums(s.sums, &s.starts, n, b), s.xs[b.From:b.To], factors[:size])
			dist, factors = dist[size:], factors[size:]
		}
		runs, ways, groups := k.cover.Runs[t.Run:], k.cover.RowHubs[t.RowHub:], k.cover.Groups[t.Group:]
		for i, v := range rows {
			g := groups[i]
			y, cost := multiplyPairs(s.x[v], factors[:g.Size], dist[:g.Size], ways[:g.Size], s.sums, runs[:g.Runs])
			runs, factors, dist, ways = runs[g.Runs:], factors[g.Size:], dist[g.Size:], ways[g.Size:]
			p.y[v] += y.u
			p.z[v] += y.v
			total += cost
		}
		for n, b := range bands {
			size := b.To - b.From
			total += handDownPairs(s.ys[b.From:b.To], s.xs[b.From:b.To], tile.BandSums(s.sums, &s.starts, n, b), columns[:size], columnDist[:size])
			columns, columnDist = columns[size:], columnDist[size:]
		}
		s.close(cols, p)
		return total
	}
}

// bothPairs is both of both scalings, without and with the distances.
func bothPairs[S, T label.Float](u, v []float64, x []pair, factors []T, dist []S, here pair) (sum, cost pair) {
	u, v, factors, dist = u[:len(x)], v[:len(x)], factors[:len(x)], dist[:len(x)]
	for i, x := range x {
		f := float64(factors[i])
		x.u *= f
		x.v *= f
		sum.u += x.u
		sum.v += x.v
		u[i] += f * here.u
		v[i] += f * here.v
		d := float64(dist[i])
		cost.u += d * x.u
		cost.v += d * x.v
	}
	return sum, cost
}

// innerPairs is the product of a row with others of its own separator: the cost of one scaling alone, for the other end has the other.
func innerPairs[S, T label.Float](x []pair, factors []T, dist []S) (sum pair, cost float64) {
	factors, dist = factors[:len(x)], dist[:len(x)]
	for i, x := range x {
		f := float64(factors[i])
		sum = sum.plus(f, x)
		cost += f * float64(dist[i]) * x.v
	}
	return sum, cost
}

// sumUpPairs is sumUpColumns.
func sumUpPairs[T label.Float](sums []runningPair, x []pair, factors []T) {
	var sum pair
	sums, x = sums[:len(factors)+1], x[:len(factors)]
	for j, f := range factors {
		sums[j] = runningPair{before: sum}
		sum = sum.plus(float64(f), x[j])
	}
	sums[len(factors)] = runningPair{before: sum}
}

// multiplyPairs is multiplyRow, with the cost of the row's part of the distances.
func multiplyPairs[S, T label.Float](x pair, factors []T, dist []S, ways []uint16, sums []runningPair, runs []tile.Run) (y pair, cost float64) {
	var moved pair
	dist, ways = dist[:len(factors)], ways[:len(factors)]
	from := 0
	for _, r := range runs {
		f, d := float64(factors[r.Band]), float64(dist[r.Band])
		a, b, to := tile.Ends(r, ways[r.Band], sums, from)
		from = to
		u, v := f*(b.before.u-a.before.u), f*(b.before.v-a.before.v)
		y.u += u
		y.v += v
		moved.u += d * u
		moved.v += d * v
		u, v = f*x.u, f*x.v
		a.change.u += u
		a.change.v += v
		b.change.u -= u
		b.change.v -= v
	}
	return y, x.u*moved.v + x.v*moved.u
}

// handDownPairs is handDownColumns, with the cost of the columns' part of the distances.
func handDownPairs[S, T label.Float](y, x []pair, sums []runningPair, factors []T, dist []S) (cost float64) {
	var sum pair
	sums, x, y, dist = sums[:len(factors)], x[:len(factors)], y[:len(factors)], dist[:len(factors)]
	for j, f := range factors {
		sum = sum.plus(1, sums[j].change)
		var mass float64
		y[j], mass = y[j].arrive(float64(f), sum, x[j])
		cost += float64(dist[j]) * mass
	}
	return cost
}

// arrive is the sum with f times another, at a slot scaled by x, and the mass that this brings, both ways.
func (p pair) arrive(f float64, sum, x pair) (y pair, mass float64) {
	u, v := f*sum.u, f*sum.v
	return pair{p.u + u, p.v + v}, x.u*v + x.v*u
}

// staircase adds the pairs of a staircase, both ways, as multiplyStaircase does.
func (s *planScratch) staircase(k *Kernel, o *cover.Staircase, p *lane) (total float64) {
	rows, cols, from := o.Sides(k.cover.Staircases.Numbers)
	s.near.of(k, o.Hub, rows)
	s.far.of(k, o.Hub, cols)
	var sum pair
	at := len(cols)
	for n := len(rows) - 1; n >= 0; n-- {
		for at > int(from[n]) {
			at--
			sum = sum.plus(s.far.factors[at], s.x[cols[at]])
		}
		total += s.near.dist[n] * p.arrive(rows[n], s.near.factors[n], sum, s.x[rows[n]])
	}
	sum = pair{}
	for n, i := range rows {
		sum = sum.plus(s.near.factors[n], s.x[i])
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

// batch is multiplyBatch. Costs are in steps within.
func (s *planScratch) batch(k *Kernel, b, end *cover.Batch, p *lane) float64 {
	aggregates, factors := k.cover.Aggregates[b.Aggregate:end.Aggregate], k.packedFactors
	size, total := len(k.x), 0.0
	p.y, p.z = p.y[:size+len(aggregates)], p.z[:size+len(aggregates)]
	clear(p.y[size:])
	clear(p.z[size:])
	for i, o := range aggregates {
		var sum pair
		offsets := k.cover.Offsets[o.From:o.To]
		for j, v := range k.cover.Ranks[o.From:o.To] {
			sum = sum.plus(factors[offsets[j]&cover.CodeMask], s.x[v])
		}
		s.x[size+i] = sum
	}
	for i := b.SeparatorBlock; i < end.SeparatorBlock && !k.over(int(i)); i++ {
		total += s.separatorBlock(k, i, p)
	}
	for i := b.Tile; i < end.Tile && !k.over(int(i)); i++ {
		total += s.packed(k, i, p)
	}
	for i, o := range aggregates {
		sum, offsets := pair{p.y[size+i], p.z[size+i]}, k.cover.Offsets[o.From:o.To]
		for j, v := range k.cover.Ranks[o.From:o.To] {
			total += cover.StepsOf(offsets[j]) * p.arrive(v, factors[offsets[j]&cover.CodeMask], sum, s.x[v])
		}
	}
	p.y, p.z = p.y[:size], p.z[:size]
	return total * float64(k.cover.Step)
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
		p.y[v] += s.ys[j].u
		p.z[v] += s.ys[j].v
	}
}

// separator block is multiplySeparatorBlock.
func (s *planScratch) separatorBlock(k *Kernel, n int32, p *lane) (total float64) {
	o, dist, factors := &k.cover.SeparatorBlocks[n], k.cover.SeparatorCodes(n), k.packedFactors
	order := k.cover.Order[o.Order:][:o.Width]
	s.open(order)
	xs, ys := s.xs[:o.Width], s.ys[:o.Width]
	for h := o.From; h < o.To; h++ {
		sum, cost := factors.bothPairs(ys, xs, s.x[h], 0, dist)
		p.y[h] += sum.u
		p.z[h] += sum.v
		total += cost
		dist = dist[o.Width:]
	}
	s.close(order, p)
	return total
}

// packed is multiplyPackedTile.
func (s *planScratch) packed(k *Kernel, n int32, p *lane) (total float64) {
	t, dist, factors := &k.cover.Tiles[n], k.cover.TileCodes(n), k.packedFactors
	height := int(t.Rows)
	bands := k.cover.BandsOf(t)
	s.sums = buffer.Sized(s.sums, s.starts.Set(bands))
	order := k.cover.SlotsOf(t)
	s.open(order)
	columns := dist
	for n, b := range bands {
		d := dist[:b.To-b.From]
		dist = dist[len(d):]
		factors.sumUpPairs(tile.BandSums(s.sums, &s.starts, n, b), s.xs[height+int(b.From):][:len(d)], d)
	}
	gain, shift := k.gain(t.Shift), t.Shift/float64(k.cover.Step)
	all, row := k.cover.Runs[t.Run:], 0
	for _, g := range k.cover.Groups[t.Group:] {
		if row == height {
			break
		}
		xs, ys, runs := s.xs[row:][:g.Size], s.ys[row:][:g.Size], all[:g.Runs]
		all, row = all[g.Runs:], row+int(g.Size)
		var cost float64
		if g.Size == 1 { // the most frequent
			ys[0], cost = factors.multiplyPair(xs[0].times(gain), shift, s.sums, &s.starts, runs, dist)
			ys[0] = ys[0].times(gain)
		} else {
			cost = factors.multiplyPairs(ys, xs, gain, shift, s.sums, &s.starts, runs, dist)
		}
		dist = dist[len(runs)*len(xs):]
		total += cost
	}
	for n, b := range bands {
		d := columns[:b.To-b.From]
		columns = columns[len(d):]
		at := height + int(b.From)
		total += factors.handDownPairs(s.ys[at:][:len(d)], s.xs[at:][:len(d)], tile.BandSums(s.sums, &s.starts, n, b), d)
	}
	s.close(order, p)
	return total
}
