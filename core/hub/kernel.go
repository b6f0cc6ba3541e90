package hub

import (
	"context"
	"math"

	"genussink/core/hub/label"
	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
)

// groups is how many parts a product is cut into, each with sums of its own:
// fixed, so that a product does not depend on the number of processors.
const groups = 16

// Kernel is exp(-d/epsilon) for the distances that Tiles name: exact with
// slack 0 and float64 labels; otherwise no distance is off by more than
// Tiles.Bound, so that every entry is within a factor exp(Bound/epsilon) of the
// true one and positive. It is symmetric. One goroutine at a time.
type Kernel struct {
	t       *Tiles
	epsilon float64
	floor   float64
	factors label.Values // exp(-label/epsilon)

	packedFactors *table // of the packed distances; nil without slack

	momentFactors lined // of a patch's ranks and then its riders
	tileFactors   lined // without slack: of the columns of each band, and then of each row's ways

	// Each group works on a run of hubs, blocks, stairs, links and moments, see cut.
	hubs, blocks, stairs, links, moments [groups + 1]int

	ctx   context.Context // of the product under way
	x     []float64       // by rank
	slots [groups]slotted // by worker
	dst   []float64       // by vertex: of the product under way
	sums  []float64       // by moment
	tops  []float64       // by moment: the exponent that sums is relative to in a log product; nil until the first
	parts [groups]part
	plan  *planProduct // nil until the first
	form  form         // of the product made last, as long as Draw can tell from what is left of it

	// What groups do side by side, one stage after the other; bound once, so
	// that a product allocates nothing.
	plainStages, logStages [4]func(worker, g int)
}

// part is what one group adds up.
type part struct {
	x   []float64 // by slot: its worker's
	y   []float64 // by rank; of the block under way by slot
	z   []float64 // likewise, of a plan's other scaling; nil until the first
	acc []float64 // by moment: what arrives at its hub, to be handed out

	// Of the tile or fan under way: what runs add up, by band; x and y of its rows and columns, in its order.
	starts bandStarts
	sums   []running
	xs, ys []float64

	buffer, more []float64 // rows in float64
	row          row

	// Log products: the exponents that y and acc are relative to; nil until the first.
	yTop, accTop []float64
}

// slotted is a worker's x by slot: those of the ranks, and of the bundles of the block under way.
type slotted struct {
	begun bool // in the product under way
	x     []float64
}

var (
	_ linop.Kernel         = (*Kernel)(nil)
	_ linop.PlanMultiplier = (*Kernel)(nil)
	_ linop.Rower          = (*Kernel)(nil)
	_ linop.Drawer         = (*Kernel)(nil)
)

// NewKernel prepares the kernel at epsilon > 0, in the graph's unit. It holds
// one factor for every label, although with slack it uses some of them only, and those of moments and, without
// slack, of tiles once more (Tiles.KernelBytes).
func NewKernel(ctx context.Context, t *Tiles, epsilon float64) (*Kernel, error) {
	if err := checkEpsilon(epsilon); err != nil {
		return nil, err
	}
	l := t.labels
	k := &Kernel{
		t: t, epsilon: epsilon, ctx: context.Background(),
		factors: label.NewValues(l.Tree, l.FactorPrecision(epsilon)),
		x:       make([]float64, l.Len()),
		sums:    make([]float64, len(t.moments)),
	}
	if t.slack > 0 {
		k.packedFactors = t.steps.table(epsilon)
	}
	// A way through a hub is two labels: never more than twice the reach.
	k.floor = -(l.Reach + min(t.delta, l.Reach+label.Rounding(l.Reach))) / epsilon
	k.hubs = t.hubs()
	if err := k.weigh(ctx); err != nil {
		return nil, err
	}
	k.blocks = [groups + 1]int(cut(len(t.blocks)-1, 1, t.cost))
	k.stairs = [groups + 1]int(cut(len(t.stairs.list), 1, func(n int) int { return t.stairs.list[n].cost() }))
	k.links = [groups + 1]int(cut(len(t.links), 1, func(int) int { return 1 }))
	k.moments = [groups + 1]int(cut(len(t.moments), 1, func(n int) int { return t.patches[t.moments[n].patch].len() }))
	if err := k.lineUp(ctx); err != nil {
		return nil, err
	}
	k.plainStages = [4]func(worker, g int){k.sumUpGroup, k.multiplyGroup, k.handOutGroup, k.collectGroup}
	k.logStages = [4]func(worker, g int){k.logSumUpGroup, k.logMultiplyGroup, k.logHandOutGroup, k.logCollectGroup}
	if len(k.sums) == 0 { // no moment has a sum, nor is one handed out
		for _, stages := range []*[4]func(worker, g int){&k.plainStages, &k.logStages} {
			stages[0], stages[2] = nil, nil
		}
	}
	for g := range k.parts {
		k.parts[g] = part{y: make([]float64, l.Len(), t.slots), acc: make([]float64, len(t.moments))}
	}
	return k, nil
}

// weigh computes the factors that the part's products use: of its own hubs within labelled, of hubs that have moments or stairs,
// and without slack of the tiles' hubs within their cells.
func (k *Kernel) weigh(ctx context.Context) error {
	t, l := k.t, k.t.labels
	used := make([]struct{ lo, hi int32 }, l.Len()) // by hub: the ranks
	use := func(h, lo, hi int32) {
		u := &used[h]
		if u.lo == u.hi {
			u.lo, u.hi = lo, hi
		}
		u.lo, u.hi = min(u.lo, lo), max(u.hi, hi)
	}
	whole := func(h int32) {
		r := &l.Cells[l.Owner[h]]
		use(h, r.Lo, r.Hi)
	}
	for h := int32(k.hubs[0]); h < int32(k.hubs[groups]); h++ {
		r := &l.Cells[l.Owner[h]]
		use(h, t.labelled(r), r.Hi)
	}
	for _, m := range t.moments {
		whole(m.hub)
	}
	for _, s := range t.stairs.list {
		whole(s.hub)
	}
	for i := range t.tiles {
		if o := &t.tiles[i]; t.slack == 0 {
			r := &l.Cells[o.cell]
			for _, b := range t.bandsOf(o) {
				use(b.hub, r.Lo, r.Hi)
			}
		}
	}
	workers := parallel.Workers(len(l.Cells))
	buffers, rows := make([][]float64, workers), make([][]float64, workers)
	return parallel.Each(ctx, workers, len(l.Cells), func(w, i int) {
		r := &l.Cells[i]
		for h := r.Sep; h < r.Hi; h++ {
			u := used[h]
			if u.lo == u.hi {
				continue
			}
			rows[w] = buffer.Sized(rows[w], int(u.hi-u.lo))
			for n, d := range l.Row(&buffers[w], h, u.lo, u.hi) {
				rows[w][n] = exponential.Exp(-d / k.epsilon)
			}
			k.factors.PutRows(h, u.lo, rows[w], false)
		}
	})
}

// lined are factors in the order in which products take them, of moments or of tiles: in the matrix they lie all over memory,
// where a product would wait for them. As many digits as there.
type lined struct {
	from  []int // where those of each begin
	short []float32
	long  []float64
}

// newLined has room for count lists of these sizes.
func newLined(p label.Precision, count int, size func(i int) int) (l lined) {
	total := 0
	l.from = make([]int, count)
	for i := range l.from {
		l.from[i] = total
		total += size(i)
	}
	if p == label.Float32 {
		l.short = make([]float32, total)
	} else {
		l.long = make([]float64, total)
	}
	return l
}

// lineUp fills the moments' factors and, without slack, the tiles'.
func (k *Kernel) lineUp(ctx context.Context) error {
	t, p := k.t, k.factors.Precision()
	k.begin(ctx)
	defer k.end()
	k.momentFactors = newLined(p, len(t.moments), func(m int) int { return t.patches[t.moments[m].patch].len() })
	err := k.run(func(_, g int) {
		if k.factors.Short != nil {
			lineUpMoments(k, g, k.factors.Short, k.momentFactors.short)
		} else {
			lineUpMoments(k, g, k.factors.Long, k.momentFactors.long)
		}
	})
	if t.slack == 0 && err == nil {
		k.tileFactors, err = k.lineUpTiles(&k.factors)
	}
	return err
}

// lineUpTiles lists the numbers of the tiles without slack.
func (k *Kernel) lineUpTiles(n *label.Values) (lined, error) {
	t := k.t
	l := newLined(n.Precision(), len(t.tiles), func(i int) int { return t.tiles[i].distances })
	err := k.run(func(_, g int) {
		for i := t.blocks[k.blocks[g]].tile; i < t.blocks[k.blocks[g+1]].tile && !k.over(int(i)); i++ {
			if from := l.from[i]; n.Short != nil {
				lineUpTile(t, i, n.Short, l.short[from:])
			} else {
				lineUpTile(t, i, n.Long, l.long[from:])
			}
		}
	})
	return l, err
}

func lineUpMoments[T label.Float](k *Kernel, g int, factors [][]T, moments []T) {
	t, tree := k.t, k.t.labels.Tree
	for m := k.moments[g]; m < k.moments[g+1]; m++ {
		o, to := &t.moments[m], moments[k.momentFactors.from[m]:]
		p, r := &t.patches[o.patch], &tree.Cells[tree.Owner[o.hub]]
		row := label.RowOf(tree, factors, o.hub, r.Lo, r.Hi)
		n := copy(to, row[p.lo-r.Lo:p.hi-r.Lo])
		for i, v := range t.riders[p.from:p.to] {
			to[n+i] = row[v-r.Lo]
		}
	}
}

// lineUpTile lists the numbers of a tile's columns, band by band, and of its ways, row by row.
func lineUpTile[T label.Float](t *Tiles, n int32, numbers [][]T, to []T) {
	o := &t.tiles[n]
	bands := t.bandsOf(o)
	rows, cols := t.sides(o)
	lo := t.labels.Cells[o.cell].Lo
	var hubs [most][]T
	for n, b := range bands {
		row := bandRow(t, o, numbers, b)
		for j, v := range cols[b.from:b.to] {
			to[j] = row[v-lo]
		}
		hubs[n], to = row, to[b.to-b.from:]
	}
	var names hubNames
	names.of(bands)
	ways := t.ways[o.way:]
	for i, v := range rows {
		own := ways[:t.groups[o.group+i].size]
		for n, start := range own {
			to[n] = hubs[names[start]][v-lo]
		}
		to, ways = to[len(own):], ways[len(own):]
	}
}

// bandRow is the row of a band's hub within the tile's cell.
func bandRow[T label.Float](t *Tiles, o *tile, numbers [][]T, b band) []T {
	r := &t.labels.Cells[o.cell]
	return label.RowOf(t.labels.Tree, numbers, b.hub, r.Lo, r.Hi)
}

// cost is that of a block's product, in the units of the package's documentation.
func (t *Tiles) cost(n int) (cost int) {
	b, end := &t.blocks[n], &t.blocks[n+1]
	for _, o := range t.bundles[b.bundle:end.bundle] {
		cost += int(o.to - o.from)
	}
	for i := b.fan; i < end.fan; i++ {
		o := &t.fans[i]
		cost += o.pairs()/3 + o.width
	}
	for i := b.tile; i < end.tile; i++ {
		cost += t.tileCost(int(i))
	}
	return cost
}

// cut divides 0..n-1 among the groups of every part and returns where they end, the
// first of which is 0. All parts cost about the same; of a part's groups the first costs four times
// the last, so that workers, which take them in order, end together.
func cut(n, parts int, cost func(int) int) []int {
	ends := make([]int, 1, groups*parts+1)
	total := 0
	for i := range n {
		total += cost(i)
	}
	sum := 0
	for i := range n {
		own := cost(i)
		for len(ends) < groups*parts {
			part, group := len(ends)/groups, float64(len(ends)%groups)/groups
			if float64(2*sum+own)*float64(parts) < 2*float64(total)*(float64(part)+group*(1.6-0.6*group)) {
				break
			}
			ends = append(ends, i)
		}
		sum += own
	}
	for len(ends) <= groups*parts {
		ends = append(ends, n)
	}
	return ends
}

// hubs are those of the part, by group: a part of a kernel has its share of the hubs, and the blocks that were walked
// for it.
func (t *Tiles) hubs() [groups + 1]int {
	l := t.labels
	ends := cut(l.Len(), t.parts, func(h int) int {
		r := &l.Cells[l.Owner[h]]
		return int(r.Hi - t.labelled(r))
	})
	return [groups + 1]int(ends[groups*t.part:])
}

// run runs stages one after the other, each for every group; nil has nothing to do. It returns the error of the product's
// context as soon as it has one: then some groups were left out, or gave up.
func (k *Kernel) run(stages ...func(worker, g int)) error {
	for _, stage := range stages {
		if stage == nil {
			continue
		}
		if err := parallel.Each(k.ctx, parallel.Workers(groups), groups, stage); err != nil {
			return err
		}
	}
	return k.ctx.Err()
}

// begin begins a product, or whatever else run runs, under a context.
func (k *Kernel) begin(ctx context.Context) { k.ctx = ctx }

// end lets go of the context.
func (k *Kernel) end() { k.ctx = context.Background() }

// Bytes is the memory that the kernel holds in bytes, tiles and labels included.
func (k *Kernel) Bytes() int64 {
	l := k.t.labels
	vectors, more := int64(len(k.x)+len(k.sums)), int64(0)
	for i := range k.parts {
		p := &k.parts[i]
		vectors += int64(cap(p.y) + cap(p.z) + len(p.acc))
	}
	for w := range k.slots {
		vectors += int64(cap(k.slots[w].x))
	}
	if k.plan != nil {
		more = k.plan.bytes()
	}
	if k.t.slack > 0 {
		vectors += int64(len(k.packedFactors))
	}
	return label.Bytes(l.Tree, l.Precision()) + k.t.Bytes() + k.t.KernelBytes(k.epsilon) + 8*vectors + more
}

// over asks the product's context, once every so many calls. A group that gives up says nothing: run asks again.
func (k *Kernel) over(calls int) bool {
	return calls%128 == 0 && k.ctx.Err() != nil
}

// Dims returns n, n.
func (k *Kernel) Dims() (rows, cols int) { return len(k.x), len(k.x) }

// MulVecT is MulVec: the kernel is symmetric.
func (k *Kernel) MulVecT(ctx context.Context, dst, x []float64) ([]float64, error) {
	return k.MulVec(ctx, dst, x)
}

func check(dst, x []float64, n int) []float64 {
	if len(x) != n {
		panic("hub: a vector has the wrong length")
	}
	return buffer.Vector(dst, n)
}

// MulVec computes dst = K x.
func (k *Kernel) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	k.begin(ctx)
	defer k.end()
	k.dst = check(dst, x, len(k.x))
	k.enter(x)
	if err := k.run(k.plainStages[:]...); err != nil {
		return nil, err
	}
	k.form = plain
	return k.dst, nil
}

// enter takes up x.
func (k *Kernel) enter(x []float64) {
	k.form = none
	for p, v := range k.t.labels.Order {
		k.x[p] = x[v]
	}
	for w := range k.slots {
		k.slots[w].begun = false
	}
}

// own is the worker's x.
func (k *Kernel) own(worker int) []float64 {
	s := &k.slots[worker]
	if !s.begun {
		if s.x == nil {
			s.x = make([]float64, 0, k.t.slots)
		}
		s.begun, s.x = true, append(s.x[:0], k.x...)
	}
	return s.x
}

// share is the range of ranks that a group collects.
func (k *Kernel) share(g int) (from, to int) {
	return g * len(k.x) / groups, (g + 1) * len(k.x) / groups
}

func (k *Kernel) collectGroup(_, g int) {
	from, to := k.share(g)
	for p, v := range k.t.labels.Order[from:to] {
		sum := 0.0
		for i := range k.parts {
			sum += k.parts[i].y[from+p]
		}
		k.dst[v] = sum
	}
}

func (k *Kernel) sumUpGroup(_, g int) {
	for m := k.moments[g]; m < k.moments[g+1]; m++ {
		k.sums[m] = k.sumOf(m, k.x)
	}
}

// sumOf is the sum of a moment's vertices.
func (k *Kernel) sumOf(m int, x []float64) float64 {
	from := k.momentFactors.from[m]
	if k.factors.Short != nil {
		return sumMoment(k.t, m, k.momentFactors.short[from:], x)
	}
	return sumMoment(k.t, m, k.momentFactors.long[from:], x)
}

func sumMoment[T label.Float](t *Tiles, m int, f []T, x []float64) float64 {
	p := &t.patches[t.moments[m].patch]
	n := p.hi - p.lo
	sum := label.Dot(f[:n], x[p.lo:p.hi])
	f = f[n:]
	for i, v := range t.riders[p.from:p.to] {
		sum += float64(f[i]) * x[v]
	}
	return sum
}

func (k *Kernel) multiplyGroup(worker, g int) {
	p := &k.parts[g]
	p.x = k.x
	if k.t.slack > 0 {
		p.x = k.own(worker)
	}
	clear(p.y)
	clear(p.acc)
	k.multiplyHubs(g, p)
	for _, c := range k.t.links[k.links[g]:k.links[g+1]] {
		gain := k.gain(c.shift)
		p.acc[c.a] += gain * k.sums[c.b]
		p.acc[c.b] += gain * k.sums[c.a]
	}
	k.multiplyStairs(g, p)
	for n := k.blocks[g]; n < k.blocks[g+1]; n++ {
		switch {
		case k.t.slack > 0:
			k.multiplyBlock(n, p)
		case k.factors.Short != nil:
			multiplyTiles(k, k.tileFactors.short, n, p)
		default:
			multiplyTiles(k, k.tileFactors.long, n, p)
		}
	}
}

// gain is the factor of an entry whose distance is shift less than the way it
// is made of; not beyond float64, where ways have no factors left.
func (k *Kernel) gain(shift float64) float64 { return gain(shift, k.epsilon) }

func gain(shift, epsilon float64) float64 { return exponential.Exp(min(shift/epsilon, linop.MaxLog)) }

func (k *Kernel) handOutGroup(_, g int) {
	p := &k.parts[g]
	for m := k.moments[g]; m < k.moments[g+1]; m++ {
		sum := 0.0
		for q := range k.parts {
			sum += k.parts[q].acc[m]
		}
		if sum == 0 {
			continue
		}
		from := k.momentFactors.from[m]
		if k.factors.Short != nil {
			handOutMoment(k.t, m, k.momentFactors.short[from:], p.y, sum)
		} else {
			handOutMoment(k.t, m, k.momentFactors.long[from:], p.y, sum)
		}
	}
}

func handOutMoment[T label.Float](t *Tiles, m int, f []T, y []float64, sum float64) {
	p := &t.patches[t.moments[m].patch]
	n := p.hi - p.lo
	label.Axpy(y[p.lo:p.hi], sum, f[:n])
	f = f[n:]
	for i, v := range t.riders[p.from:p.to] {
		y[v] += sum * float64(f[i])
	}
}

// multiplyHubs adds the pairs that have an end in the separator of a cell
// that holds both.
func (k *Kernel) multiplyHubs(g int, p *part) {
	l := k.t.labels
	for h := int32(k.hubs[g]); h < int32(k.hubs[g+1]) && !k.over(int(h)); h++ {
		r := &l.Cells[l.Owner[h]]
		if from := k.t.labelled(r); from < r.Sep {
			p.y[h] += k.factors.DotAxpy(p.y[from:r.Sep], k.x[from:r.Sep], k.x[h], h, from)
		}
		p.y[h] += k.factors.Dot(h, r.Sep, k.x[r.Sep:r.Hi])
	}
}

// multiplyTiles adds the pairs of a block without slack, both ways.
func multiplyTiles[T label.Float](k *Kernel, factors []T, n int, p *part) {
	for i := k.t.blocks[n].tile; i < k.t.blocks[n+1].tile && !k.over(int(i)); i++ {
		multiplyTile(k, factors[k.tileFactors.from[i]:], &k.t.tiles[i], p)
	}
}

// running is what a band knows of a column, in the tile's order: the sum of
// factor times x over its columns before this one, and by how much what arrives
// from the rows at its hub for this column differs from that for the one before.
type running struct{ before, change float64 }

// bandStarts are where the sums of a tile's bands begin, less the band's first column: those of a hub's bands are as
// far apart as their columns, those of another hub come after them. They begin at most, so that no start is
// negative, and all fit in 16 bits. As hubs that serve late columns only come first, each has a greater start than
// the one before.
type bandStarts [most + 1]uint16

// of sets them, and returns where the sums end: a band has one for every column and for the one after the last.
func (s *bandStarts) of(bands []band) (end int) {
	end = most
	for n, b := range bands {
		if n > 0 && bands[n-1].hub == b.hub {
			s[n] = s[n-1]
		} else {
			s[n] = uint16(end) - b.from
		}
		end = int(s[n]) + int(b.to) + 1
	}
	return end
}

// hubNames are by start the first bands of the hubs.
type hubNames [math.MaxUint16 + 1]uint8

func (names *hubNames) of(bands []band) {
	var starts bandStarts
	starts.of(bands)
	for n := range bands {
		if n == 0 || starts[n] != starts[n-1] {
			names[starts[n]] = uint8(n)
		}
	}
}

// sumsOf are those of a band.
func sumsOf[T any](sums []T, s *bandStarts, n int, b band) []T {
	return sums[s[n]+b.from:][:b.to-b.from+1]
}

// ends are what a run's band, which starts there, knows of the run's first column, from, and of the column to, the next run's
// first.
func ends[T any](r run, start uint16, sums []T, from int) (first, next *T, to int) {
	to = int(r.last) + 1
	return &sums[int(start)+from], &sums[int(start)+to], to
}

// multiplyTile adds the pairs of a tile without slack, both ways, by differences of running
// sums. These are safe: a hub's factors for a pair are at most the kernel's
// entry, so that what is subtracted is at most a part of the row's own sum.
func multiplyTile[T label.Float](k *Kernel, factors []T, t *tile, p *part) {
	rows, cols := k.t.sides(t)
	bands := k.t.bandsOf(t)
	p.sums = buffer.Sized(p.sums, p.starts.of(bands))
	p.open(cols)
	columns, x, y := factors, p.x, p.y
	for n, b := range bands {
		size := b.to - b.from
		sumUpColumns(sumsOf(p.sums, &p.starts, n, b), p.xs[b.from:b.to], factors[:size])
		factors = factors[size:]
	}
	runs, ways, groups := k.t.runs[t.run:], k.t.ways[t.way:], k.t.groups[t.group:]
	for i, v := range rows {
		g := groups[i]
		y[v] += multiplyRow(x[v], factors[:g.size], ways[:g.size], p.sums, runs[:g.runs])
		runs, factors, ways = runs[g.runs:], factors[g.size:], ways[g.size:]
	}
	for n, b := range bands {
		size := b.to - b.from
		handDownColumns(p.ys[b.from:b.to], sumsOf(p.sums, &p.starts, n, b), columns[:size])
		columns = columns[size:]
	}
	p.close(cols)
}

// sumUpColumns sets a band's running sums of x over its columns, with these factors. The
// loops over a tile are functions of their own so that their variables find room in registers.
func sumUpColumns[T label.Float](sums []running, x []float64, factors []T) {
	sum := 0.0
	sums, x = sums[:len(factors)+1], x[:len(factors)]
	j := 0
	for ; j+1 < len(factors); j += 2 { // by two: one addition waits for the last, not two
		first, second := float64(factors[j])*x[j], float64(factors[j+1])*x[j+1]
		sums[j], sums[j+1] = running{before: sum}, running{before: sum + first}
		sum += first + second
	}
	if j < len(factors) {
		sums[j] = running{before: sum}
		sum += float64(factors[j]) * x[j]
	}
	sums[len(factors)] = running{before: sum}
}

// multiplyRow is the product of a row with a tile's columns, by its runs, given its ways' factors. It
// adds to the running sums what the row, scaled by x, hands out.
func multiplyRow[T label.Float](x float64, factors []T, ways []uint16, sums []running, runs []run) (y float64) {
	ways = ways[:len(factors)]
	from := 0
	for _, r := range runs {
		f := float64(factors[r.band])
		a, b, to := ends(r, ways[r.band], sums, from)
		from = to
		y += f * (b.before - a.before)
		f *= x
		a.change += f
		b.change -= f
	}
	return y
}

// handDownColumns adds to a band's columns what has arrived from the rows.
func handDownColumns[T label.Float](y []float64, sums []running, factors []T) {
	sum := 0.0
	sums, y = sums[:len(factors)], y[:len(factors)]
	for j, f := range factors {
		sum += sums[j].change
		y[j] += float64(f) * sum
	}
}

// Distances fills dst (len n, nil allocates) with the distances of vertex i that the products are made of. Any number of
// goroutines may call it, and Row, while one multiplies.
func (k *Kernel) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return k.t.Distances(ctx, dst, i)
}

// Row fills dst (len n, nil allocates) with row i of K.
func (k *Kernel) Row(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return k.t.Row(ctx, dst, i, k.epsilon)
}

// LogFloor is a lower bound on the logarithm of an entry between connected vertices.
func (k *Kernel) LogFloor() float64 { return k.floor }
