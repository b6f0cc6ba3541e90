package hub

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"genussink/core/internal/parallel"
	"genussink/core/linop"
)

// Tiles say which hubs the shortest paths between the vertices of a graph go
// through. They know distances only, neither epsilon nor the kernel's
// function, so one Tiles serves every epsilon.
//
// Every pair of places is in exactly one of:
//   - the rows of a region's labels, when one of the two is in its separator;
//   - a link: all pairs of two patches go through one hub;
//   - a tile: two small patches, the runs of their rows listed.
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
	labels      *Labels
	clusters    *clusters
	delta       float64 // no distance is longer by more, in any kernel
	part, parts int

	patches []members
	riders  []int32 // of all patches
	moments []moment
	links   []link
	tiles   []tile
	bands   []band  // of all tiles
	order   []int32 // of all tiles: their rows and columns
	groups  []uint8 // of all tiles: the number of rows in each group
	runs    []run   // of all tiles, by group
}

// members are the places of a patch: [lo,hi) and Tiles.riders[from:to].
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
	MemoryLimit int64   // bytes that the tiles may take; 0: any number
	Progress    func(stage string, fraction float64)
}

// Walk finds the tiles of the labels. With parts, every part's kernel holds
// some pairs, and the products of all parts add up to the whole one. Beyond the
// memory limit the error is a *linop.MemoryError that says how much was needed up to
// where the walk stopped. A delta that the rounding of float32 labels takes up
// is ErrFloat32.
func Walk(ctx context.Context, l *Labels, o WalkOptions) (*Tiles, error) {
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
	slack := o.Delta
	if l.Precision() == Float32 {
		lost := rounding(l.reach)
		if t.delta = max(o.Delta, lost); o.Delta > 0 && o.Delta <= lost {
			return nil, fmt.Errorf("hub: slack of %g, the rounding of float32 labels is up to %g: %w", o.Delta, lost, ErrFloat32)
		}
		slack = max(0, o.Delta-lost)
	}
	// A task is a pair of clusters of one region's two sides. The large regions'
	// are cut up so that there are enough to go round.
	type task struct {
		region int32
		a, b   *patch
	}
	var tasks []task
	load := make([]int64, o.Parts) // pairs, by part
	for at := range l.regions {
		r := &l.regions[at]
		if r.lo < r.sep {
			for _, a := range t.clusters.cut(t.clusters.patch(t.clusters.of[r.left], nil), 2) {
				for _, b := range t.clusters.cut(t.clusters.patch(t.clusters.of[r.right], nil), 2) {
					least := slices.Index(load, slices.Min(load))
					load[least] += int64(a.len()) * int64(b.len())
					if least == o.Part {
						tasks = append(tasks, task{int32(at), a, b})
					}
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
		k := newWalker(ctx, t, slack, spare[w])
		spare[w] = k
		if k.err == nil && !tooMany() {
			// Patches of its own: others may be at work on the same clusters.
			k.region = tasks[i].region
			a, b := tasks[i].a, tasks[i].b
			k.pairs(k.clusters.patch(a.id, a.riders), k.clusters.patch(b.id, b.riders), l.regions[k.region].hubs)
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
	if tooMany() {
		return nil, &linop.MemoryError{What: "hub: tiles", Vertices: l.Len(), Need: bytes.Load(), Limit: o.MemoryLimit}
	}
	t.gather(found)
	return t, nil
}

// walker descends pairs of patches and collects what it finds.
type walker struct {
	ctx   context.Context
	err   error
	steps int

	l        *Labels
	clusters *clusters
	region   int32
	delta    float64

	links  []linked
	tiles  []tile
	bands  []band
	order  []int32
	groups []uint8
	runs   []run

	tie    float64   // Precision.unit of the labels
	low    []float64 // scratch of one pair
	weaver weaver    // scratch of one tile
}

type linked struct {
	hub   int32
	a, b  *patch
	shift float64
}

func newWalker(ctx context.Context, t *Tiles, slack float64, old *walker) *walker {
	k := &walker{}
	if old != nil {
		*k = *old // its scratch space
		k.links, k.tiles, k.bands, k.order, k.groups, k.runs = k.links[:0], k.tiles[:0], k.bands[:0], k.order[:0], k.groups[:0], k.runs[:0]
	}
	k.ctx, k.l, k.clusters, k.delta = ctx, t.labels, t.clusters, slack
	k.tie = k.l.Precision().unit()
	k.weaver.tie, k.weaver.usual = k.tie, 0 // the same whatever was found before
	return k
}

// result is what was found, no larger than it is.
func (k *walker) result() *walker {
	return &walker{
		region: k.region, links: slices.Clone(k.links), tiles: slices.Clone(k.tiles), bands: slices.Clone(k.bands),
		order: slices.Clone(k.order), groups: slices.Clone(k.groups), runs: slices.Clone(k.runs),
	}
}

// bytes is what the walker's finds take in Tiles, but for the moments.
func (k *walker) bytes() int64 {
	return int64(16*len(k.links) + 56*len(k.tiles) + 8*len(k.bands) + 4*len(k.order) + len(k.groups) + 2*len(k.runs))
}

// lead is the least lead of a hub over a pivot in a patch. It stops early once it
// is below enough.
func (k *walker) lead(h, pivot int32, p *patch, enough float64) float64 {
	least := k.l.lead(h, pivot, p.lo, p.hi, enough)
	if least >= enough {
		for _, v := range p.riders {
			least = min(least, k.l.label(h, v)-k.l.label(pivot, v))
		}
	}
	return least
}

// pairs settles all pairs of the patches a and b, whose shortest paths all go
// through one of the hubs.
func (k *walker) pairs(a, b *patch, hubs []int32) {
	if a.len() == 0 || b.len() == 0 || len(hubs) == 0 || k.err != nil {
		return // no hubs: the two sides are different components
	}
	if k.steps++; k.steps%64 == 0 {
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
		d := k.l.label(h, a.centre) + k.l.label(h, b.centre)
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
	single := true
	for n, h := range hubs {
		if h == pivot {
			left = append(left, h)
			continue
		}
		d := k.low[n]
		if d > beyond {
			continue
		}
		// The centre's lead bounds the least from above.
		cb := k.l.label(h, b.centre) - k.l.label(pivot, b.centre)
		gain := -k.delta - cb // below it the lead over a alone decides that h stays
		la := k.lead(h, pivot, a, gain)
		if la < gain {
			left, single = append(left, h), false
			continue
		}
		lb := k.lead(h, pivot, b, -k.delta-la)
		if la+lb < -k.delta {
			single = false
		}
		if la+lb < 0 {
			left = append(left, h)
		}
	}
	leafA, leafB := a.cluster.kids[0] < 0, b.cluster.kids[0] < 0
	switch {
	case single:
		k.links = append(k.links, linked{pivot, a, b, k.surplus(a, b, pivot, left)})
	case leafA && leafB || max(a.len(), b.len()) <= rowSide && min(a.len(), b.len()) <= tileSide:
		if a.len() < b.len() {
			a, b = b, a
		}
		r := &k.l.regions[k.region]
		k.resolve(a.places(r.lo), b.places(r.lo), left)
		k.err = k.ctx.Err() // a tile is milliseconds of work
	case leafB || !leafA && a.len() >= b.len():
		for _, kid := range k.clusters.split(a) {
			k.pairs(kid, b, left)
		}
	default:
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
		v := a.place((2*i + 1) * a.len() / (2 * down))
		for j := range across {
			w := b.place((2*j + 1) * b.len() / (2 * across))
			best := math.Inf(1)
			for _, h := range hubs {
				best = min(best, k.l.label(h, v)+k.l.label(h, w))
			}
			total += k.l.label(pivot, v) + k.l.label(pivot, w) - best
		}
	}
	least := [2]float64{math.Inf(1), math.Inf(1)}
	for i, p := range [2]*patch{a, b} {
		for j := range p.len() {
			least[i] = min(least[i], k.l.label(pivot, p.place(j)))
		}
	}
	return min(total/float64(across*down), k.delta, least[0]+least[1])
}

// gather joins what the tasks found, in the tasks' order, and numbers the moments.
func (t *Tiles) gather(found []*walker) {
	type side struct{ region, cluster int32 } // tells patches apart
	patches, moments := map[side]int32{}, map[moment]int32{}
	id := func(hub, region int32, p *patch) int32 {
		at, ok := patches[side{region, p.id}]
		if !ok {
			at = int32(len(t.patches))
			patches[side{region, p.id}] = at
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
	var links, tiles, bands, order, groups, runs int
	for _, f := range found {
		links, tiles, bands = links+len(f.links), tiles+len(f.tiles), bands+len(f.bands)
		order, groups, runs = order+len(f.order), groups+len(f.groups), runs+len(f.runs)
	}
	t.links, t.tiles, t.bands = make([]link, 0, links), make([]tile, 0, tiles), make([]band, 0, bands)
	t.order, t.groups, t.runs = make([]int32, 0, order), make([]uint8, 0, groups), make([]run, 0, runs)
	for i, f := range found {
		found[i] = nil // to be collected on the way
		for _, k := range f.links {
			t.links = append(t.links, link{id(k.hub, f.region, k.a), id(k.hub, f.region, k.b), k.shift})
		}
		for _, one := range f.tiles {
			one.band += int32(len(t.bands))
			one.order += len(t.order)
			one.group += len(t.groups)
			one.run += len(t.runs)
			t.tiles = append(t.tiles, one)
		}
		t.bands = append(t.bands, f.bands...)
		t.order = append(t.order, f.order...)
		t.groups = append(t.groups, f.groups...)
		t.runs = append(t.runs, f.runs...)
	}
}

// sides are the rows and the columns of a tile, in its order, from its first on.
func (t *Tiles) sides(o *tile) (rows, cols []int32) {
	order := t.order[o.order:][:o.rows+o.cols]
	return order[:o.rows], order[o.rows:]
}

// each calls f for the runs of a tile: of the rows [first,last) and the columns
// from on, in the tile's order.
func (t *Tiles) each(o *tile, f func(run run, first, last, from int)) {
	groups, runs := t.groups[o.group:], t.runs[o.run:]
	for first := 0; first < int(o.rows); groups = groups[1:] {
		last := first + int(groups[0])
		for from := 0; from < int(o.cols); runs = runs[1:] {
			f(runs[0], first, last, from)
			from = int(runs[0].last) + 1
		}
		first = last
	}
}

// row is what numbers hold for a moment.
type row struct {
	places []int32
	values []float64
}

// of fills the row, by place.
func (r *row) of(t *Tiles, n *numbers, m *moment) ([]int32, []float64) {
	p := &t.patches[m.patch]
	r.places = r.places[:0]
	for v := p.lo; v < p.hi; v++ {
		r.places = append(r.places, v)
	}
	r.places = append(r.places, t.riders[p.from:p.to]...)
	r.values = sized(r.values, len(r.places))
	n.gather(r.values, m.hub, 0, r.places)
	return r.places, r.values
}

// Bound is by how much a distance may be wrong, in the graph's unit: what
// Walk was allowed or, where that was nothing, the rounding of float32 labels.
func (t *Tiles) Bound() float64 { return t.delta }

// Bytes is the memory of the tiles, in bytes, without the labels'.
func (t *Tiles) Bytes() int64 {
	return int64(16*cap(t.patches) + 4*cap(t.riders) + 8*cap(t.moments) + 16*cap(t.links) + 56*cap(t.tiles) +
		8*cap(t.bands) + 4*cap(t.order) + cap(t.groups) + 2*cap(t.runs))
}
