package hub

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"genussink/core/hub/label"
	"genussink/core/internal/buffer"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
	"genussink/core/septree"
)

// Tiles say which hubs the shortest paths between the vertices of a graph go
// through. They know distances only, neither epsilon nor the kernel's
// function, so one Tiles serves every epsilon.
//
// Every pair of ranks is in exactly one of:
//   - the rows of a cell's labels, when one of the two is in its separator: the
//     leaves', and others' while they are small or there is no slack, as they are; or else
//     a fan, in which bundles stand for vertices;
//   - a link: all pairs of two patches go through one hub;
//   - a tile: two small patches, or bundles of their vertices, the runs of their rows listed;
//   - a stair: rows and columns of a whole cell with few hubs.
//
// With slack delta > 0 the hub named for a pair may make its path longer than
// the shortest by at most delta. Slack is spent once: the walk drops hubs exactly
// (slack 0) while it descends, and a link or a run accepts one hub against all
// that were left. All paths being too long would show in the transport's cost, so
// the distances of a link or a tile are those paths less their mean surplus, taken
// from a sample and at most delta: a distance is off by at most delta either way, and
// by next to nothing in the mean. Where labels are float32, the slack is what their
// rounding leaves of delta.
type Tiles struct {
	labels      *label.Labels
	clusters    *clusters
	delta       float64 // no distance is off by more, in any kernel
	slack       float64 // of it what the rounding of labels, and to steps, leaves
	fine        float64 // the slack in fineness spacings of vertices, from 1 to finest; beyond 1 tiles have bundles
	steps       steps   // of tiles and fans
	part, parts int

	slots   int // the most that a block has
	stairs  stairs
	crosses Crosses

	patches []members
	riders  []int32 // of all patches
	moments []moment
	links   []link
	blocks  []block // the last one is empty: it is where the others end
	finds
	packed packed // with slack

	indexing sync.Mutex            // who makes the index
	index    atomic.Pointer[index] // nil until somebody asks
	readers  sync.Pool             // of *reader
}

// finds are the contents of a block, or of all of them one after the other.
type finds struct {
	bundles []bundle
	ranks   []int32  // of the bundles
	offsets []uint16 // of the bundles, in steps
	fans    []fan
	tileList
	distances int // that products take one after the other, of fans and tiles
}

// empty is without finds, but with the space.
func (f *finds) empty() finds {
	return finds{f.bundles[:0], f.ranks[:0], f.offsets[:0], f.fans[:0], f.tileList.empty(), 0}
}

// clone is a copy no larger than it is.
func (f *finds) clone() finds {
	return finds{slices.Clone(f.bundles), slices.Clone(f.ranks), slices.Clone(f.offsets), slices.Clone(f.fans), f.tileList.clone(), f.distances}
}

// grow makes room for the finds of walkers.
func (f *finds) grow(all []*walker) {
	var bundles, ranks, fans int
	var lists []*tileList
	for _, o := range all {
		bundles, ranks, fans, lists = bundles+len(o.bundles), ranks+len(o.ranks), fans+len(o.fans), append(lists, &o.tileList)
	}
	f.bundles, f.ranks, f.offsets, f.fans = make([]bundle, 0, bundles), make([]int32, 0, ranks), make([]uint16, 0, ranks), make([]fan, 0, fans)
	f.tileList.grow(lists)
}

// add appends others.
func (f *finds) add(o *finds) {
	for _, one := range o.bundles {
		one.from += int32(len(f.ranks))
		one.to += int32(len(f.ranks))
		f.bundles = append(f.bundles, one)
	}
	for _, one := range o.fans {
		one.order += len(f.order)
		f.fans = append(f.fans, one)
	}
	f.ranks, f.offsets = append(f.ranks, o.ranks...), append(f.offsets, o.offsets...)
	f.tileList.add(&o.tileList)
	f.distances += o.distances
}

func (f *finds) size() int64 {
	return int64(12*len(f.bundles)+6*len(f.ranks)+32*len(f.fans)) + f.tileList.size()
}

// linedBytes is the memory that a kernel takes for the factors and the distances of tiles without slack, in bytes.
func (f *finds) linedBytes(factors, distances label.Precision) int64 {
	return int64(16*len(f.tiles)) + (factors.Bytes()+distances.Bytes())*int64(f.distances)
}

// members are the ranks of a patch: [lo,hi) and Tiles.riders[from:to].
type members struct{ lo, hi, from, to int32 }

func (m *members) len() int { return int(m.hi - m.lo + m.to - m.from) }

// moment is a patch seen from a hub: the sum over the patch of
// exp(-d(hub,.)/epsilon) x is needed, and what arrives at the hub is handed
// out to the patch with the same factors.
type moment struct{ hub, patch int32 }

// link joins two moments of one hub. Its distances are shift less than those by
// way of the hub.
type link struct {
	a, b  int32
	shift float64
}

// WalkOptions of Walk. The zero value asks for all tiles, exact.
type WalkOptions struct {
	Delta       float64 // by how much a distance may be wrong, in the graph's unit, >= 0; 0: as little as the labels allow
	Part, Parts int     // find the tiles of this part of so many; 0, 0: all
	MemoryLimit int64   // bytes that the tiles, and a kernel's factors of their moments and, without slack, of them, may take; 0: any number
	Progress    func(stage string, fraction float64)
}

// Walk finds the tiles of the labels. With parts, every part's kernel holds
// some pairs, and the products of all parts add up to the whole one. Beyond the
// memory limit the error is a *linop.MemoryError that says how much was needed up to
// where the walk stopped. A delta that the rounding of float32 labels takes up
// is ErrFloat32. One of less than four steps, a 2,000th of the greatest label, is spent on
// nothing: the tiles are as exact as the labels.
func Walk(ctx context.Context, l *label.Labels, o WalkOptions) (*Tiles, error) {
	if o.Parts == 0 {
		o.Parts = 1
	}
	switch {
	case !(o.Delta >= 0) || math.IsInf(o.Delta, 1):
		return nil, fmt.Errorf("hub: slack of %g", o.Delta)
	case o.Part < 0 || o.Part >= o.Parts:
		return nil, fmt.Errorf("hub: part %d of %d", o.Part, o.Parts)
	}
	t := &Tiles{labels: l, clusters: newClusters(l), delta: o.Delta, part: o.Part, parts: o.Parts}
	t.slack = o.Delta
	if l.Precision() == label.Float32 {
		lost := label.Rounding(l.Reach)
		if t.delta = max(o.Delta, lost); o.Delta > 0 && o.Delta <= lost {
			return nil, fmt.Errorf("hub: delta is %.3g of what rounding distances to float32 may add: %w", o.Delta/lost, label.ErrFloat32)
		}
		t.slack = max(0, o.Delta-lost)
	}
	// The two labels of a way are off by half a step each, and a shift may be a step less than it should be.
	t.steps = stepsTo(l.Far)
	if t.slack -= 2 * float64(t.steps); t.slack < 2*float64(t.steps) {
		t.slack = 0
	}
	t.fine, t.grouped = 1, t.slack > 0
	if enough := fineness * spacing(l); t.slack > enough { // spacing is 0 where leaves are single vertices
		t.fine = min(t.slack/enough, finest)
	}
	// A task is a pair of clusters of one cell's two sides. The large cells'
	// are cut up so that there are enough to go round, but for those of few hubs.
	type task struct {
		cell int32
		a, b *patch // b is nil: the fans of a
	}
	var tasks []task
	load := make([]float64, o.Parts) // by part: pairs of fans, or what takes as long
	take := func(c task) {
		least := slices.Index(load, slices.Min(load))
		if o.Parts > 1 {
			load[least] += pairEffort(l, &l.Cells[c.cell], c.a, c.b)
		}
		if least == o.Part {
			tasks = append(tasks, c)
		}
	}
	for at := range l.Cells {
		r := &l.Cells[at]
		if t.fanned(r) {
			for _, side := range [2]int32{r.Left, r.Right} {
				for _, p := range t.clusters.small(t.clusters.patch(t.clusters.of[side], nil)) {
					take(task{int32(at), p, nil})
				}
			}
		}
		if r.Lo < r.Sep {
			depth := 0
			for size := int(r.Hi - r.Lo); depth < 2 && size > l.Len()/8 && len(r.Hubs) > rangeAround; size /= 4 {
				depth++
			}
			for _, a := range t.clusters.cut(t.clusters.patch(t.clusters.of[r.Left], nil), depth) {
				for _, b := range t.clusters.cut(t.clusters.patch(t.clusters.of[r.Right], nil), depth) {
					take(task{int32(at), a, b})
				}
			}
		}
	}
	var done atomic.Int64
	found := make([]*walker, len(tasks))
	spare := make([]*walker, parallel.Workers(len(tasks)))
	var bytes atomic.Int64
	tooMany := func() bool { return o.MemoryLimit > 0 && bytes.Load() > o.MemoryLimit }
	err := parallel.Each(ctx, len(spare), len(tasks), func(w, i int) {
		k := newWalker(ctx, t, spare[w])
		spare[w] = k
		if k.err == nil && !tooMany() {
			// Patches of its own: others may be at work on the same clusters.
			k.cell = tasks[i].cell
			a, b := tasks[i].a, tasks[i].b
			if b == nil {
				k.fan(k.clusters.patch(a.id, a.riders))
			} else {
				k.cross(k.clusters.patch(a.id, a.riders), k.clusters.patch(b.id, b.riders))
			}
		}
		found[i] = k.result()
		bytes.Add(found[i].bytes())
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
		t.gather(found)
		bytes.Add(t.patchBytes() + t.momentBytes(l.Precision()))
	}
	if tooMany() {
		return nil, &linop.MemoryError{What: "hub: tiles", Vertices: l.Len(), Need: bytes.Load(), Limit: o.MemoryLimit}
	}
	if err := t.pack(ctx); err != nil {
		return nil, err
	}
	return t, nil
}

// pairEffort is about how long it takes to settle the pairs of two patches of a cell's sides, in pairs of a
// fan, or to find the fans of a, where b is nil. A few pairs tell how many hubs share them. Fitted to the tasks of three meshes of 10,000 vertices:
// most of the time is told to a third, by pairs alone to two thirds.
func pairEffort(l *label.Labels, r *septree.Cell, a, b *patch) float64 {
	const looks = 8 // vertices on either side
	if b == nil {
		return float64(a.len()) * float64(r.Hi-r.Sep)
	}
	if a.len() == 0 || b.len() == 0 {
		return 0
	}
	var ranks [2][looks]int32
	for side, p := range [2]*patch{a, b} {
		for i := range ranks[side] {
			ranks[side][i] = p.rank((2*i + 1) * p.len() / (2 * looks))
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
	return 3 * float64(len(slices.Compact(hubs[:]))) * math.Pow(float64(a.len())*float64(b.len()), 0.75)
}

// walker descends pairs of patches and collects what it finds.
type walker struct {
	ctx   context.Context
	err   error
	count int // of pairs of patches

	l                 *label.Labels
	clusters          *clusters
	cell              int32
	delta             float64
	fine              float64
	rowSide, tileSide int // the most vertices of a tile's patches
	steps             steps

	links  []linked
	stairs stairs
	finds

	tie      float64   // Precision.unit of the labels
	low      []float64 // scratch of one pair
	outlooks [2]outlook
	weaver   weaver    // scratch of one tile
	sides    [2]*patch // whose patches its sides are; nil: parts of some
}

type linked struct {
	hub   int32
	a, b  *patch
	shift float64
}

func newWalker(ctx context.Context, t *Tiles, old *walker) *walker {
	k := &walker{}
	if old != nil {
		*k = *old // its scratch space
		k.forget()
	}
	k.ctx, k.l, k.clusters, k.delta, k.fine, k.steps = ctx, t.labels, t.clusters, t.slack, t.fine, t.steps
	k.tie = k.l.Precision().Unit()
	k.grouped = k.delta > 0
	// The finer a mesh is, the more vertices a bundle has. At 190,000 products take a fourteenth less than with the
	// same patches at all sizes, with twice as many vertices everywhere up to a quarter more.
	more := math.Sqrt(k.fine)
	k.rowSide, k.tileSide = int(rowSide*more), int(tileSide*more)
	k.weaver.tie, k.weaver.scale, k.weaver.usual = k.tie, k.l.Scale, 0 // the same whatever was found before
	return k
}

// forget drops what was found and keeps the space.
func (k *walker) forget() {
	k.links, k.finds = k.links[:0], k.empty()
	k.stairs.drop()
}

// result is what was found, no larger than it is.
func (k *walker) result() *walker {
	finds := k.clone()
	finds.rankBundles(&k.finds)
	return &walker{l: k.l, delta: k.delta, cell: k.cell, links: slices.Clone(k.links), finds: finds, stairs: stairs{slices.Clone(k.stairs.list), slices.Clone(k.stairs.treads)}}
}

// bytes is what the walker's finds take in Tiles or, without slack, in a kernel, too, but for the moments.
func (k *walker) bytes() int64 {
	lined := int64(8*(len(k.fans)+len(k.tiles)) + 2*k.distances) // packed
	if k.delta == 0 {
		lined = k.linedBytes(k.l.Precision(), k.l.Precision())
	}
	return int64(16*len(k.links)+16) + k.size() + k.stairs.bytes() + lined
}

// outlook is a side of a pair of patches as seen from the pivot: the pivot's labels of its riders and
// of a few ranks.
type outlook struct {
	riders []float64
	some   [glances]int32
	glance [glances]float64
}

func (k *walker) outlook(o *outlook, p *patch, pivot int32) {
	o.riders = buffer.Sized(o.riders, len(p.riders))
	k.l.Gather(o.riders, pivot, p.riders)
	o.some = p.glances()
	k.l.Gather(o.glance[:], pivot, o.some[:])
}

// lead is the least lead of a hub over the pivot in a patch. It stops early once it
// is below enough.
func (k *walker) lead(h, pivot int32, p *patch, o *outlook, enough float64) float64 {
	least := k.l.Lead(h, pivot, p.lo, p.hi, enough)
	if least >= enough {
		least = min(least, k.l.LeadAt(h, p.riders, o.riders))
	}
	return least
}

// pairs settles all pairs of the patches a and b, whose shortest paths all go
// through one of the hubs.
func (k *walker) pairs(a, b *patch, hubs []int32) {
	if a.len() == 0 || b.len() == 0 || len(hubs) == 0 || k.err != nil {
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
		d := k.l.At(h, a.centre) + k.l.At(h, b.centre)
		k.low[n] = d
		if d < best {
			best, pivot = d, h
		}
	}
	// A hub whose path between the centres is longer by twice both radii is
	// longer between any two vertices, also as the labels have it: each may miss
	// the distance that the triangle inequality holds for.
	beyond := (best + 2*(a.radius+b.radius)) * (1 + 4*k.tie)
	left := make([]int32, 0, len(hubs))
	wide := k.delta * linkShare
	here, there := &k.outlooks[0], &k.outlooks[1]
	if len(hubs) > 1 {
		k.outlook(here, a, pivot)
		k.outlook(there, b, pivot)
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
		la, lb := k.l.LeadAt(h, here.some[:], here.glance[:]), k.l.LeadAt(h, there.some[:], there.glance[:])
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
		single = -worst-shift <= k.delta
	}
	if single {
		k.links = append(k.links, linked{pivot, a, b, shift})
		return
	}
	leafA, leafB := a.cluster.kids[0] < 0, b.cluster.kids[0] < 0
	if leafA && leafB || max(a.len(), b.len()) <= k.rowSide && min(a.len(), b.len()) <= k.tileSide {
		rows, cols := a, b
		if a.len() < b.len() {
			rows, cols = b, a
		}
		lo := k.l.Cells[k.cell].Lo
		k.sides = [2]*patch{rows, cols}
		left = k.resolve(rows.ranks(lo), cols.ranks(lo), left)
		if k.err = k.ctx.Err(); left == nil || k.err != nil { // a tile is milliseconds of work
			return
		}
		if leafA && leafB {
			k.halves(rows.ranks(lo), cols.ranks(lo), left)
			return
		}
	}
	if leafB || !leafA && a.len() >= b.len() {
		for _, kid := range k.clusters.split(a) {
			k.pairs(kid, b, left)
		}
	} else {
		for _, kid := range k.clusters.split(b) {
			k.pairs(a, kid, left)
		}
	}
}

// surplus is by how much the ways through the pivot are longer than the
// shortest through the hubs, the mean over some pairs.
func (k *walker) surplus(a, b *patch, pivot int32, hubs []int32) float64 {
	if k.delta == 0 || len(hubs) == 1 {
		return 0
	}
	total := 0.0
	across, down := min(probes, b.len()), min(probes, a.len())
	for i := range down {
		v := a.rank((2*i + 1) * a.len() / (2 * down))
		for j := range across {
			w := b.rank((2*j + 1) * b.len() / (2 * across))
			best := math.Inf(1)
			for _, h := range hubs {
				best = min(best, k.l.At(h, v)+k.l.At(h, w))
			}
			total += k.l.At(pivot, v) + k.l.At(pivot, w) - best
		}
	}
	least := [2]float64{math.Inf(1), math.Inf(1)}
	for i, p := range [2]*patch{a, b} {
		for j := range p.len() {
			least[i] = min(least[i], k.l.At(pivot, p.rank(j)))
		}
	}
	return min(total/float64(across*down), k.delta, least[0]+least[1])
}

// gather joins what the tasks found, in the tasks' order, and numbers the moments.
func (t *Tiles) gather(found []*walker) {
	type side struct{ cell, cluster int32 } // tells patches apart
	patches, moments := map[side]int32{}, map[moment]int32{}
	id := func(hub, cell int32, p *patch) int32 {
		at, ok := patches[side{cell, p.id}]
		if !ok {
			at = int32(len(t.patches))
			patches[side{cell, p.id}] = at
			from := int32(len(t.riders))
			t.riders = append(t.riders, p.riders...)
			t.patches = append(t.patches, members{p.lo, p.hi, from, int32(len(t.riders))})
		}
		m := moment{hub, at}
		n, ok := moments[m]
		if !ok {
			n = int32(len(t.moments))
			moments[m] = n
			t.moments = append(t.moments, m)
		}
		return n
	}
	t.climbed(found)
	links := 0
	for _, f := range found {
		links += len(f.links)
	}
	t.links, t.blocks = make([]link, 0, links), make([]block, 0, len(found)+1)
	t.grow(found)
	n := int32(t.labels.Len())
	t.slots = int(n)
	for i, f := range found {
		found[i] = nil // to be collected on the way
		for _, k := range f.links {
			t.links = append(t.links, link{id(k.hub, f.cell, k.a), id(k.hub, f.cell, k.b), k.shift})
		}
		t.blocks = append(t.blocks, block{f.cell, int32(len(t.bundles)), int32(len(t.tiles)), int32(len(t.fans))})
		lo := t.labels.Cells[f.cell].Lo
		for i, e := range f.order {
			if e >= 0 {
				f.order[i] = lo + e
			} else {
				f.order[i] = n + ^e
			}
		}
		t.slots = max(t.slots, int(n)+len(f.bundles))
		t.add(&f.finds)
	}
	t.blocks = append(t.blocks, block{-1, int32(len(t.bundles)), int32(len(t.tiles)), int32(len(t.fans))})
}

// centres are the ranks of a block's slots, a bundle's that of its centre. Dst has room
// for them, unless there are no bundles.
func (t *Tiles) centres(dst, slots []int32, bundles []bundle) []int32 {
	if len(bundles) == 0 {
		return slots
	}
	n := int32(t.labels.Len())
	dst = dst[:len(slots)]
	for i, v := range slots {
		if v >= n {
			v = bundles[v-n].centre
		}
		dst[i] = v
	}
	return dst
}

// row is what numbers hold for a moment.
type row struct {
	ranks  []int32
	values []float64
}

// of fills the row, by rank.
func (r *row) of(t *Tiles, n *label.Values, m *moment) ([]int32, []float64) {
	p := &t.patches[m.patch]
	r.ranks = r.ranks[:0]
	for v := p.lo; v < p.hi; v++ {
		r.ranks = append(r.ranks, v)
	}
	r.ranks = append(r.ranks, t.riders[p.from:p.to]...)
	r.values = buffer.Sized(r.values, len(r.ranks))
	n.Gather(r.values, m.hub, r.ranks)
	return r.ranks, r.values
}

// Bound is by how much a distance may be wrong, in the graph's unit: what
// Walk was allowed or, where that was nothing, the rounding of float32 labels.
func (t *Tiles) Bound() float64 { return t.delta }

// patchBytes is the memory of the patches and the moments, in bytes.
func (t *Tiles) patchBytes() int64 {
	return int64(16*cap(t.patches) + 4*cap(t.riders) + 8*cap(t.moments))
}

// momentBytes is the memory that a kernel takes for the moments' factors.
func (t *Tiles) momentBytes(p label.Precision) int64 {
	bytes := int64(8 * len(t.moments))
	for _, m := range t.moments {
		bytes += p.Bytes() * int64(t.patches[m.patch].len())
	}
	return bytes
}

// KernelBytes is the memory that a kernel of the tiles takes besides them and the labels, in bytes, but
// for some vectors.
func (t *Tiles) KernelBytes(epsilon float64) int64 {
	p := t.labels.FactorPrecision(epsilon)
	bytes := t.labels.FactorBytes(epsilon) + t.momentBytes(p)
	if t.slack == 0 {
		bytes += t.linedBytes(p, t.labels.Precision())
	}
	return bytes
}

// Bytes is the memory of the tiles, in bytes, without the labels'.
func (t *Tiles) Bytes() int64 {
	return t.patchBytes() + int64(16*cap(t.links)+16*cap(t.blocks)) + t.size() + t.stairs.bytes() + t.packed.bytes()
}
