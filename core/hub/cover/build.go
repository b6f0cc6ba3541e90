package cover

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"genussink/core/hub/cluster"
	"genussink/core/hub/label"
	"genussink/core/hub/tile"
	"genussink/core/internal/buffer"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
	"genussink/core/septree"
)

var _ linop.Distancer = (*Cover)(nil)

// Options of Build. The zero value asks for a whole cover, exact.
type Options struct {
	Delta         float64 // by how much a distance may be wrong, in the graph's unit, >= 0; 0: as little as the labels allow
	Shard, Shards int     // cover the pairs of this shard of so many; 0, 0: all pairs
	MemoryLimit   int64   // bytes for the cover and for what a kernel keeps in its order; 0: any number
	Progress      func(stage string, fraction float64)
}

// Build makes the cover of a graph's labels. Every pair is in one shard: the products of the kernels of all shards add up
// to the whole product.
//
// A delta of less than four steps, a 2,000th of the greatest label, counts as 0. A delta that the rounding of float32
// labels takes up is ErrFloat32. Beyond the memory limit the error is a *linop.MemoryError that says how much was needed
// up to where Build stopped.
func Build(ctx context.Context, l *label.Labels, o Options) (*Cover, error) {
	if o.Shards == 0 {
		o.Shards = 1
	}
	switch {
	case !(o.Delta >= 0) || math.IsInf(o.Delta, 1):
		return nil, fmt.Errorf("cover: a delta of %g", o.Delta)
	case o.Shard < 0 || o.Shard >= o.Shards:
		return nil, fmt.Errorf("cover: shard %d of %d", o.Shard, o.Shards)
	}
	t := &Cover{Labels: l, clusters: cluster.New(l), Delta: o.Delta, shard: o.Shard, shards: o.Shards}
	t.Tolerance = o.Delta
	if l.Precision() == label.Float32 {
		lost := label.Rounding(l.Reach)
		if t.Delta = max(o.Delta, lost); o.Delta > 0 && o.Delta <= lost {
			return nil, fmt.Errorf("cover: delta is %.3g of what rounding distances to float32 may add: %w", o.Delta/lost, label.ErrFloat32)
		}
		t.Tolerance = max(0, o.Delta-lost)
	}
	// The two labels of a way are off by half a step each, and a shift may be a step less than it should be.
	t.Step = stepFor(l.Far)
	if t.Tolerance -= 2 * float64(t.Step); t.Tolerance < 2*float64(t.Step) {
		t.Tolerance = 0
	}
	t.fineness, t.Grouped = 1, t.Tolerance > 0
	if enough := aggregateSpacing * spacing(l); t.Tolerance > enough { // spacing is 0 where leaves are single vertices
		t.fineness = min(t.Tolerance/enough, maxFineness)
	}
	// A task is a pair of clusters of one cell's two sides. The large cells'
	// are cut up so that there are enough to go round, but for those of few hubs.
	type task struct {
		cell    int32
		a, b    *cluster.Patch // b is nil: the separator blocks of a
		classes *classes       // not nil: all pairs of both sides and of these with the separator
	}
	var tasks []task
	load := make([]float64, o.Shards) // by shard: pairs of separator blocks, or what takes as long
	effort := func(c task) float64 {
		r := &l.Cells[c.cell]
		if c.classes != nil {
			return float64(r.Labels())
		}
		return pairEffort(l, r, c.a, c.b)
	}
	take := func(c task) {
		least := slices.Index(load, slices.Min(load))
		if o.Shards > 1 {
			load[least] += effort(c)
		}
		if least == o.Shard {
			tasks = append(tasks, c)
		}
	}
	sides, err := t.findClasses(ctx)
	if err != nil {
		return nil, err
	}
	for at := range l.Cells {
		r := &l.Cells[at]
		if sides != nil && sides[at] != nil {
			take(task{cell: int32(at), classes: sides[at]})
			continue
		}
		if t.hasSeparatorBlocks(r) {
			for _, side := range [2]int32{r.Left, r.Right} {
				for _, p := range t.clusters.Small(t.clusters.Patch(t.clusters.Of[side], nil)) {
					take(task{cell: int32(at), a: p})
				}
			}
		}
		if r.Lo < r.Sep {
			depth := 0
			for size := int(r.Hi - r.Lo); depth < 2 && size > l.Len()/8 && len(r.Hubs) > rangeAround; size /= 4 {
				depth++
			}
			for _, a := range t.clusters.Cut(t.clusters.Patch(t.clusters.Of[r.Left], nil), depth) {
				for _, b := range t.clusters.Cut(t.clusters.Patch(t.clusters.Of[r.Right], nil), depth) {
					take(task{cell: int32(at), a: a, b: b})
				}
			}
		}
	}
	var done atomic.Int64
	finds := make([]*builder, len(tasks))
	spare := make([]*builder, parallel.Workers(len(tasks)))
	var bytes atomic.Int64
	tooMany := func() bool { return o.MemoryLimit > 0 && bytes.Load() > o.MemoryLimit }
	err = parallel.Each(ctx, len(spare), len(tasks), func(w, i int) {
		k := newBuilder(ctx, t, spare[w])
		spare[w] = k
		if k.err == nil && !tooMany() {
			// Patches of its own: others may be at work on the same clusters.
			k.cell = tasks[i].cell
			a, b := tasks[i].a, tasks[i].b
			if c := tasks[i].classes; c != nil {
				k.crossClasses(c)
			} else if b == nil {
				k.separatorBlocksOf(k.clusters.Patch(a.ID, a.Attached))
			} else {
				k.cross(k.clusters.Patch(a.ID, a.Attached), k.clusters.Patch(b.ID, b.Attached))
			}
		}
		finds[i] = k.result()
		bytes.Add(finds[i].bytes())
		if o.Progress != nil {
			o.Progress("tiles", float64(done.Add(1))/float64(len(tasks)))
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	if !tooMany() {
		t.gather(finds)
		bytes.Add(t.patchBytes() + t.MomentBytes(l.Precision()))
	}
	if tooMany() {
		return nil, &linop.MemoryError{What: "cover: blocks", Vertices: l.Len(), Need: bytes.Load(), Limit: o.MemoryLimit}
	}
	if err := t.pack(ctx); err != nil {
		return nil, err
	}
	return t, nil
}

// pairEffort is about how long it takes to settle the pairs of two patches of a cell's sides, in pairs of a
// separator block, or to find the separator blocks of a, where b is nil. A few pairs tell how many hubs share them. Fitted to the tasks of three meshes of 10,000 vertices:
// most of the time is told to a third, by pairs alone to two thirds.
func pairEffort(l *label.Labels, r *septree.Cell, a, b *cluster.Patch) float64 {
	const looks = 8 // vertices on either side
	if b == nil {
		return float64(a.Len()) * float64(r.Hi-r.Sep)
	}
	if a.Len() == 0 || b.Len() == 0 {
		return 0
	}
	var ranks [2][looks]int32
	for side, p := range [2]*cluster.Patch{a, b} {
		for i := range ranks[side] {
			ranks[side][i] = p.Rank((2*i + 1) * p.Len() / (2 * looks))
		}
	}
	var best [looks * looks]float64
	var hubs [looks * looks]int32
	for i := range best {
		best[i] = math.Inf(1)
	}
	var far [2][looks]float64
	for _, h := range r.Hubs {
		l.Gather(far[0][:], h, ranks[0][:])
		l.Gather(far[1][:], h, ranks[1][:])
		for i, d := range far[0] {
			for j, e := range far[1] {
				if at := i*looks + j; d+e < best[at] {
					best[at], hubs[at] = d+e, h
				}
			}
		}
	}
	slices.Sort(hubs[:])
	return 3 * float64(len(slices.Compact(hubs[:]))) * math.Pow(float64(a.Len())*float64(b.Len()), 0.75)
}

// builder descends pairs of patches and collects what it finds.
type builder struct {
	ctx   context.Context
	err   error
	count int // of pairs of patches

	labels            *label.Labels
	clusters          *cluster.Clusters
	cell              int32
	tolerance         float64
	fineness          float64
	rowSide, tileSide int // the most vertices of a tile's patches
	step              Step

	rankOnes   []foundRankOne
	staircases staircases
	contents

	tie         float64   // Precision.unit of the labels
	low         []float64 // scratch of one pair
	pivotLabels [2]pivotLabels
	tileBuilder tile.Builder      // scratch of one tile
	sides       [2]*cluster.Patch // whose patches its sides are; nil: pieces of some
	entries     []int32           // where a cell has classes, by centre: their entries, as in order; nil: they are the vertices
}

type foundRankOne struct {
	hub   int32
	a, b  *cluster.Patch
	shift float64
}

func newBuilder(ctx context.Context, t *Cover, old *builder) *builder {
	k := &builder{}
	if old != nil {
		*k = *old // its scratch space
		k.forget()
	}
	k.ctx, k.labels, k.clusters, k.tolerance, k.fineness, k.step = ctx, t.Labels, t.clusters, t.Tolerance, t.fineness, t.Step
	k.tie = k.labels.Precision().Unit()
	k.Grouped = k.tolerance > 0
	// The finer a mesh is, the more vertices an aggregate has. At 190,000 products take a fourteenth less than with the
	// same patches at all sizes, with twice as many vertices everywhere up to a quarter more.
	more := math.Sqrt(k.fineness)
	k.rowSide, k.tileSide = int(cluster.RowSide*more), int(cluster.TileSide*more)
	k.tileBuilder.Tie, k.tileBuilder.Scale, k.tileBuilder.GroupSize = k.tie, k.labels.Scale, 0 // the same whatever was found before
	if k.labels.Precision() == label.Float64 {
		k.tileBuilder.Alike = k.labels.Scale.Fixed(k.tie * k.labels.Far)
	}
	return k
}

// forget drops what was found and keeps the space.
func (k *builder) forget() {
	k.rankOnes, k.contents = k.rankOnes[:0], k.empty()
	k.staircases.drop()
}

// result is what was found, no larger than it is.
func (k *builder) result() *builder {
	finds := k.clone()
	finds.sortAggregates(&k.contents)
	return &builder{labels: k.labels, tolerance: k.tolerance, cell: k.cell, rankOnes: slices.Clone(k.rankOnes), contents: finds, staircases: staircases{slices.Clone(k.staircases.List), slices.Clone(k.staircases.Numbers)}}
}

// bytes is what the builder's finds take in Tiles or, without a tolerance, in a kernel, too, but for the hub moments.
func (k *builder) bytes() int64 {
	lined := int64(8*(len(k.SeparatorBlocks)+len(k.Tiles)) + 2*k.distances) // packed
	if k.tolerance == 0 {
		lined = k.OrderedBytes(k.labels.Precision(), k.labels.Precision())
	}
	return int64(16*len(k.rankOnes)+16) + k.size() + k.staircases.bytes() + lined
}

// pivotLabels is a side of a pair of patches as seen from the pivot: the pivot's labels of its attached vertices and
// of a few ranks.
type pivotLabels struct {
	attached []float64
	sample   [cluster.Samples]int32
	sampled  [cluster.Samples]float64
}

func (k *builder) pivotLabelsOf(o *pivotLabels, p *cluster.Patch, pivot int32) {
	o.attached = buffer.Sized(o.attached, len(p.Attached))
	k.labels.Gather(o.attached, pivot, p.Attached)
	o.sample = p.Sample()
	k.labels.Gather(o.sampled[:], pivot, o.sample[:])
}

// lead is the least lead of a hub over the pivot in a patch. It stops early once it
// is below enough.
func (k *builder) lead(h, pivot int32, p *cluster.Patch, o *pivotLabels, enough float64) float64 {
	least := k.labels.Lead(h, pivot, p.Lo, p.Hi, enough)
	if least >= enough {
		least = min(least, k.labels.LeadAt(h, p.Attached, o.attached))
	}
	return least
}

// pairs settles all pairs of the patches a and b, whose shortest paths all go
// through one of the hubs.
func (k *builder) pairs(a, b *cluster.Patch, hubs []int32) {
	if a.Len() == 0 || b.Len() == 0 || len(hubs) == 0 || k.err != nil {
		return // no hubs: the two sides are different components
	}
	if k.count++; k.count%64 == 0 {
		if k.err = k.ctx.Err(); k.err != nil {
			return
		}
	}
	// The pivot is the hub of the centres' shortest path.
	best, pivot := math.Inf(1), hubs[0]
	if cap(k.low) < len(hubs) {
		k.low = make([]float64, 2*len(hubs))
	}
	for n, h := range hubs {
		d := k.labels.At(h, a.Centre) + k.labels.At(h, b.Centre)
		k.low[n] = d
		if d < best {
			best, pivot = d, h
		}
	}
	// A hub whose path between the centres is longer by twice both radii is
	// longer between any two vertices, also as the labels have it: each may miss
	// the distance that the triangle inequality holds for.
	beyond := (best + 2*(a.Radius+b.Radius)) * (1 + 4*k.tie)
	left := make([]int32, 0, len(hubs))
	wide := k.tolerance * rankOneShare
	pivot = k.shortestOnSamples(a, b, hubs, best, pivot)
	here, there := &k.pivotLabels[0], &k.pivotLabels[1]
	if len(hubs) > 1 {
		k.pivotLabelsOf(here, a, pivot)
		k.pivotLabelsOf(there, b, pivot)
	}
	worst := 0.0 // lead over the pivot of any other hub
	for n, h := range hubs {
		if h == pivot {
			left = append(left, h)
			continue
		}
		d := k.low[n]
		if d > beyond {
			continue
		}
		// What a few vertices lead by bounds the least from above.
		la, lb := k.labels.LeadAt(h, here.sample[:], here.sampled[:]), k.labels.LeadAt(h, there.sample[:], there.sampled[:])
		if la+lb >= -wide {
			la = k.lead(h, pivot, a, here, -wide-lb)
		}
		if la+lb < -wide {
			left, worst = append(left, h), math.Inf(-1)
			continue
		}
		lb = k.lead(h, pivot, b, there, -wide-la)
		worst = min(worst, la+lb)
		if la+lb < 0 {
			left = append(left, h)
		}
	}
	// All ways through the pivot are longer by up to -worst, and by the surplus in the
	// mean: less that, they are off by no more than delta either way.
	shift, single := 0.0, false
	if worst >= -wide {
		shift = k.surplus(a, b, pivot, left)
		single = -worst-shift <= k.tolerance
	}
	if single {
		k.rankOnes = append(k.rankOnes, foundRankOne{pivot, a, b, shift})
		return
	}
	leafA, leafB := a.Leaf(), b.Leaf()
	if leafA && leafB || max(a.Len(), b.Len()) <= k.rowSide && min(a.Len(), b.Len()) <= k.tileSide {
		rows, cols := a, b
		if a.Len() < b.Len() {
			rows, cols = b, a
		}
		lo := k.labels.Cells[k.cell].Lo
		k.sides = [2]*cluster.Patch{rows, cols}
		left = k.buildTile(rows.Ranks(lo), cols.Ranks(lo), left)
		if k.err = k.ctx.Err(); left == nil || k.err != nil { // a tile is milliseconds of work
			return
		}
		if leafA && leafB {
			k.splitTile(rows.Ranks(lo), cols.Ranks(lo), left)
			return
		}
	}
	if leafB || !leafA && a.Len() >= b.Len() {
		for _, kid := range k.clusters.Split(a) {
			k.pairs(kid, b, left)
		}
	} else {
		for _, kid := range k.clusters.Split(b) {
			k.pairs(a, kid, left)
		}
	}
}

// shortestOnSamples is that of the hubs tied for the shortest way between the centres whose ways between the patches' samples are
// shortest in the mean. On a lattice many are tied, and one in the middle serves more pairs than the first.
func (k *builder) shortestOnSamples(a, b *cluster.Patch, hubs []int32, best float64, first int32) int32 {
	least, pivot := math.Inf(1), first
	limit, ranks := best*(1+k.tie), [2][cluster.Samples]int32{a.Sample(), b.Sample()}
	for n, h := range hubs {
		if k.low[n] > limit {
			continue
		}
		sum := 0.0
		for side := range ranks {
			for _, v := range ranks[side] {
				sum += k.labels.At(h, v)
			}
		}
		if sum < least {
			least, pivot = sum, h
		}
	}
	return pivot
}

// surplus is by how much the ways through the pivot are longer than the
// shortest through the hubs, the mean over some pairs.
func (k *builder) surplus(a, b *cluster.Patch, pivot int32, hubs []int32) float64 {
	if k.tolerance == 0 || len(hubs) == 1 {
		return 0
	}
	total := 0.0
	across, down := min(tile.Probes, b.Len()), min(tile.Probes, a.Len())
	for i := range down {
		v := a.Rank((2*i + 1) * a.Len() / (2 * down))
		for j := range across {
			w := b.Rank((2*j + 1) * b.Len() / (2 * across))
			best := math.Inf(1)
			for _, h := range hubs {
				best = min(best, k.labels.At(h, v)+k.labels.At(h, w))
			}
			total += k.labels.At(pivot, v) + k.labels.At(pivot, w) - best
		}
	}
	least := [2]float64{math.Inf(1), math.Inf(1)}
	for i, p := range [2]*cluster.Patch{a, b} {
		for j := range p.Len() {
			least[i] = min(least[i], k.labels.At(pivot, p.Rank(j)))
		}
	}
	return min(total/float64(across*down), k.tolerance, least[0]+least[1])
}
