package hub

import (
	"context"

	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/hub/loops"
	"genussink/core/hub/tile"
	"genussink/core/internal/buffer"
)

// MulVec computes dst = K x.
func (k *Kernel) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	k.begin(ctx)
	defer k.end()
	k.dst = check(dst, x, len(k.x))
	k.load(x)
	if err := k.run(k.plainStages[:]...); err != nil {
		return nil, err
	}
	k.form = plain
	return k.dst, nil
}

// load takes up x.
func (k *Kernel) load(x []float64) {
	k.form = none
	for p, v := range k.cover.Labels.Order {
		k.x[p] = x[v]
	}
	for w := range k.workers {
		k.workers[w].begun = false
	}
}

// workerX is the worker's x.
func (k *Kernel) workerX(worker int) []float64 {
	s := &k.workers[worker]
	if !s.begun {
		if s.x == nil {
			s.x = make([]float64, 0, k.cover.Slots)
		}
		s.begun, s.x = true, append(s.x[:0], k.x...)
	}
	return s.x
}

// laneRanks is the range of ranks that a lane collects.
func (k *Kernel) laneRanks(g int) (from, to int) {
	return g * len(k.x) / cover.Lanes, (g + 1) * len(k.x) / cover.Lanes
}

func (k *Kernel) collectLane(_, g int) {
	from, to := k.laneRanks(g)
	for p, v := range k.cover.Labels.Order[from:to] {
		sum := 0.0
		for i := range k.lanes {
			sum += k.lanes[i].y[from+p]
		}
		k.dst[v] = sum
	}
}

func (k *Kernel) sumUpLane(_, g int) {
	for m := k.Moments[g]; m < k.Moments[g+1]; m++ {
		k.sums[m] = k.sumOf(m, k.x)
	}
}

// sumOf is the sum of a hub moment's vertices.
func (k *Kernel) sumOf(m int, x []float64) float64 {
	from := k.momentFactors.from[m]
	if k.factors.Short != nil {
		return sumMoment(k.cover, m, k.momentFactors.short[from:], x)
	}
	return sumMoment(k.cover, m, k.momentFactors.long[from:], x)
}

func sumMoment[T label.Float](t *cover.Cover, m int, f []T, x []float64) float64 {
	p := &t.Patches[t.Moments[m].Patch]
	n := p.Hi - p.Lo
	sum := label.Dot(f[:n], x[p.Lo:p.Hi])
	f = f[n:]
	for i, v := range t.Attached[p.From:p.To] {
		sum += float64(f[i]) * x[v]
	}
	return sum
}

func (k *Kernel) multiplyLane(worker, g int) {
	p := &k.lanes[g]
	p.x = k.x
	if k.cover.Slots > len(k.x) { // some batch has aggregates
		p.x = k.workerX(worker)
	}
	clear(p.y)
	clear(p.acc)
	k.multiplyHubs(g, p)
	for _, c := range k.cover.RankOnes[k.RankOnes[g]:k.RankOnes[g+1]] {
		gain := k.gain(c.Shift)
		p.acc[c.A] += gain * k.sums[c.B]
		p.acc[c.B] += gain * k.sums[c.A]
	}
	k.multiplyStaircases(g, p)
	for n := k.Batches[g]; n < k.Batches[g+1]; n++ {
		k.multiplyBatch(n, p)
	}
}

func (k *Kernel) handOutLane(_, g int) {
	p := &k.lanes[g]
	for m := k.Moments[g]; m < k.Moments[g+1]; m++ {
		sum := 0.0
		for q := range k.lanes {
			sum += k.lanes[q].acc[m]
		}
		if sum == 0 {
			continue
		}
		from := k.momentFactors.from[m]
		if k.factors.Short != nil {
			handOutMoment(k.cover, m, k.momentFactors.short[from:], p.y, sum)
		} else {
			handOutMoment(k.cover, m, k.momentFactors.long[from:], p.y, sum)
		}
	}
}

func handOutMoment[T label.Float](t *cover.Cover, m int, f []T, y []float64, sum float64) {
	p := &t.Patches[t.Moments[m].Patch]
	n := p.Hi - p.Lo
	label.Axpy(y[p.Lo:p.Hi], sum, f[:n])
	f = f[n:]
	for i, v := range t.Attached[p.From:p.To] {
		y[v] += sum * float64(f[i])
	}
}

// multiplyHubs adds the pairs that have an end in the separator of a cell
// that holds both.
func (k *Kernel) multiplyHubs(g int, p *lane) {
	l := k.cover.Labels
	for h := int32(k.Hubs[g]); h < int32(k.Hubs[g+1]) && !k.over(int(h)); h++ {
		r := &l.Cells[l.Owner[h]]
		if from := k.cover.DenseFrom(r); from < r.Sep {
			p.y[h] += k.factors.DotAxpy(p.y[from:r.Sep], k.x[from:r.Sep], k.x[h], h, from)
		}
		p.y[h] += k.factors.Dot(h, r.Sep, k.x[r.Sep:r.Hi])
	}
}

// multiplyBatch adds the pairs of a batch, both ways.
func (k *Kernel) multiplyBatch(n int, p *lane) {
	b, end := &k.cover.Batches[n], &k.cover.Batches[n+1]
	aggregates, size := k.cover.Aggregates[b.Aggregate:end.Aggregate], len(k.x)
	p.y = p.y[:size+len(aggregates)]
	clear(p.y[size:])
	k.sumAggregates(aggregates, p)
	for i := b.SeparatorBlock; i < end.SeparatorBlock && !k.over(int(i)); i++ {
		k.multiplySeparatorBlock(i, p)
	}
	for i := b.Tile; i < end.Tile && !k.over(int(i)); i++ {
		k.multiplyTile(i, p)
	}
	k.handOutAggregates(aggregates, p)
	p.x, p.y = p.x[:size], p.y[:size]
}

// sumAggregates appends to the lane's x what the aggregates are of it.
func (k *Kernel) sumAggregates(aggregates []cover.Aggregate, p *lane) {
	if len(aggregates) == 0 {
		return
	}
	size := len(k.x)
	p.x = p.x[:size+len(aggregates)]
	x, sums, c := p.x[:size], p.x[size:], k.cover
	for i, o := range aggregates {
		if ranks := c.Ranks[o.From:o.To]; c.Tolerance > 0 {
			sums[i] = k.packedFactors.Dot(x, ranks, c.Offsets[o.From:o.To])
		} else {
			sums[i] = loops.DotAt(x, ranks, k.offsetFactors[o.From:o.To])
		}
	}
}

// handOutAggregates hands out to the aggregates' vertices what has arrived for the aggregates.
func (k *Kernel) handOutAggregates(aggregates []cover.Aggregate, p *lane) {
	c, y, sums := k.cover, p.y[:len(k.x)], p.y[len(k.x):]
	for i, o := range aggregates {
		if ranks := c.Ranks[o.From:o.To]; c.Tolerance > 0 {
			k.packedFactors.Axpy(y, sums[i], ranks, c.Offsets[o.From:o.To])
		} else {
			loops.AxpyAt(y, sums[i], ranks, k.offsetFactors[o.From:o.To])
		}
	}
}

// multiplyTile adds the pairs of a tile, both ways.
func (k *Kernel) multiplyTile(n int32, p *lane) {
	switch t := &k.cover.Tiles[n]; {
	case k.cover.Tolerance > 0:
		k.multiplyPackedTile(n, p)
	case k.factors.Short != nil:
		multiplyStoredTile(k, k.tileFactors.short[k.tileFactors.from[n]:], t, p)
	default:
		multiplyStoredTile(k, k.tileFactors.long[k.tileFactors.from[n]:], t, p)
	}
}

// multiplyStoredTile adds the pairs of a tile without a tolerance, both ways, by differences of running
// sums. These are safe: a hub's factors for a pair are at most the kernel's
// entry, so that what is subtracted is at most a part of the row's own sum.
//
// It walks over bands and rows by itself, as multiplyPackedTile does. By tile.List.ColumnsOf and RowsOf, as all other products
// do, the tiles took 2 to 5 % longer, with and without a tolerance (docs/engineering/measurements.md, "shared walk").
func multiplyStoredTile[T label.Float](k *Kernel, factors []T, t *tile.Tile, p *lane) {
	rows, cols := k.cover.Sides(t)
	bands := k.cover.BandsOf(t)
	p.running = buffer.Sized(p.running, p.starts.Set(bands))
	p.open(cols)
	columns, x, y := factors, p.x, p.y
	for n, b := range bands {
		size := b.To - b.From
		loops.SumUpColumns(tile.BandSums(p.running, &p.starts, n, b), p.xs[b.From:b.To], factors[:size])
		factors = factors[size:]
	}
	runs, hubs, groups := k.cover.Runs[t.Run:], k.cover.RowHubs[t.RowHub:], k.cover.Groups[t.Group:]
	for i, v := range rows {
		g := groups[i]
		y[v] += loops.MultiplyRow(x[v], factors[:g.Size], hubs[:g.Size], p.running, runs[:g.Runs])
		runs, factors, hubs = runs[g.Runs:], factors[g.Size:], hubs[g.Size:]
	}
	for n, b := range bands {
		size := b.To - b.From
		loops.HandDownColumns(p.ys[b.From:b.To], tile.BandSums(p.running, &p.starts, n, b), columns[:size])
		columns = columns[size:]
	}
	p.close(cols)
}

// open copies the values of x at the slots to xs, and sets ys to 0.
func (p *lane) open(slots []int32) {
	p.xs, p.ys = buffer.Sized(p.xs, len(slots)), buffer.Sized(p.ys, len(slots))
	clear(p.ys)
	x, xs := p.x, p.xs[:len(slots)]
	for j, v := range slots {
		xs[j] = x[v]
	}
}

// close adds ys to y.
func (p *lane) close(slots []int32) {
	y, ys := p.y, p.ys[:len(slots)]
	for j, v := range slots {
		y[v] += ys[j]
	}
}

// multiplySeparatorBlock adds the pairs of a separator block.
func (k *Kernel) multiplySeparatorBlock(n int32, p *lane) {
	o := &k.cover.SeparatorBlocks[n]
	order := k.cover.Order[o.Order:][:o.Width]
	p.open(order)
	xs, ys := p.xs[:o.Width], p.ys[:o.Width]
	if k.cover.Tolerance > 0 {
		dist, factors := k.cover.SeparatorCodes(n), k.packedFactors
		for h := o.From; h < o.To; h++ {
			p.y[h] += factors.Both(ys, xs, k.x[h], dist)
			dist = dist[o.Width:]
		}
	} else {
		factors := k.blockFactors.long[k.blockFactors.from[n]:]
		for h := o.From; h < o.To; h++ {
			p.y[h] += label.Both(ys, xs, k.x[h], factors[:o.Width])
			factors = factors[o.Width:]
		}
	}
	p.close(order)
}

// multiplyPackedTile adds the pairs of a tile with a tolerance, both ways, by differences of running
// sums. A hub's factors for a pair are at most the kernel's entry within the tolerance. So what is subtracted
// is at most exp(tolerance/epsilon) times the row's own sum, and of that sum it loses as many times the unit
// of rounding: nothing that shows where the tolerance is a few epsilons, digits where it is thirty.
func (k *Kernel) multiplyPackedTile(n int32, p *lane) {
	t, dist, factors := &k.cover.Tiles[n], k.cover.TileCodes(n), k.packedFactors
	height := int(t.Rows)
	bands := k.cover.BandsOf(t)
	p.running = buffer.Sized(p.running, p.starts.Set(bands))
	order := k.cover.SlotsOf(t)
	p.open(order)
	columns := dist
	for n, b := range bands {
		d, sum := dist[:b.To-b.From], 0.0
		dist = dist[len(d):]
		at := int(p.starts[n]) + int(b.From)
		sums, xs := p.running[at:][:len(d)], p.xs[height+int(b.From):][:len(d)]
		j := 0
		for ; j+1 < len(d); j += 2 { // by two: one addition waits for the last, not two
			x, y := factors[d[j]&cover.CodeMask]*xs[j], factors[d[j+1]&cover.CodeMask]*xs[j+1]
			sums[j], sums[j+1] = loops.Running{Before: sum}, loops.Running{Before: sum + x}
			sum += x + y
		}
		if j < len(d) {
			sums[j] = loops.Running{Before: sum}
			sum += factors[d[j]&cover.CodeMask] * xs[j]
		}
		p.running[at+len(d)] = loops.Running{Before: sum}
	}
	gain := k.gain(t.Shift)
	all, sums, row := k.cover.Runs[t.Run:], p.running, 0
	for _, g := range k.cover.Groups[t.Group:] {
		if row == height {
			break
		}
		xs, ys, runs := p.xs[row:][:g.Size], p.ys[row:][:g.Size], all[:g.Runs]
		all, row = all[g.Runs:], row+int(g.Size)
		from := 0
		if g.Size == 1 { // one and two are the most frequent, and have the most runs: a loop would take a tenth longer
			x, y := xs[0]*gain, 0.0
			for i, d := range dist[:len(runs)] {
				a, b, to := tile.Ends(runs[i], p.starts[runs[i].Band], sums, from)
				from = to
				f := factors[d&cover.CodeMask]
				y += f * (b.Before - a.Before)
				f *= x
				a.Change += f
				b.Change -= f
			}
			dist = dist[len(runs):]
			ys[0] = y * gain
			continue
		}
		if g.Size == 2 {
			x0, x1, y0, y1 := xs[0]*gain, xs[1]*gain, 0.0, 0.0
			for _, r := range runs {
				a, b, to := tile.Ends(r, p.starts[r.Band], sums, from)
				from = to
				f0, f1 := factors[dist[0]&cover.CodeMask], factors[dist[1]&cover.CodeMask]
				dist = dist[2:]
				out := b.Before - a.Before
				y0 += f0 * out
				y1 += f1 * out
				in := f0*x0 + f1*x1
				a.Change += in
				b.Change -= in
			}
			ys[0], ys[1] = y0*gain, y1*gain
			continue
		}
		for _, r := range runs {
			a, b, to := tile.Ends(r, p.starts[r.Band], sums, from)
			from = to
			in := factors.Both(ys, xs, (b.Before-a.Before)*gain, dist) * gain
			dist = dist[len(xs):]
			a.Change += in
			b.Change -= in
		}
	}
	k.handDown(bands, columns, &p.starts, p.ys[height:], p.running)
	p.close(order)
}

// handDown adds to a tile's columns what has arrived from its rows at their bands.
func (k *Kernel) handDown(bands []tile.Band, dist []uint16, starts *tile.Starts, ys []float64, sums []loops.Running) {
	factors := k.packedFactors
	for n, b := range bands {
		d, sum := dist[:b.To-b.From], 0.0
		dist = dist[len(d):]
		sums, ys := tile.BandSums(sums, starts, n, b), ys[b.From:][:len(d)]
		j := 0
		for ; j+1 < len(d); j += 2 { // by two, as there
			first, both := sums[j].Change, sums[j].Change+sums[j+1].Change
			ys[j] += factors[d[j]&cover.CodeMask] * (sum + first)
			sum += both
			ys[j+1] += factors[d[j+1]&cover.CodeMask] * sum
		}
		if j < len(d) {
			ys[j] += factors[d[j]&cover.CodeMask] * (sum + sums[j].Change)
		}
	}
}

// multiplyStaircases adds the pairs of the lane's staircases, both ways.
func (k *Kernel) multiplyStaircases(g int, p *lane) {
	for n := k.Staircases[g]; n < k.Staircases[g+1] && !k.over(n); n++ {
		s := &k.cover.Staircases.List[n]
		r := &k.cover.Labels.Cells[s.Cell]
		rows, cols, from := s.Sides(k.cover.Staircases.Numbers)
		if f := &k.factors; f.Short != nil {
			loops.Staircase(k.x, p.y, label.RowOf(f.Tree, f.Short, s.Hub, r.Lo, r.Hi), r.Lo, rows, cols, from)
		} else {
			loops.Staircase(k.x, p.y, label.RowOf(f.Tree, f.Long, s.Hub, r.Lo, r.Hi), r.Lo, rows, cols, from)
		}
	}
}
