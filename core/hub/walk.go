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
//   - a link: all pairs of two clusters go through one hub;
//   - a tile: two small clusters, the runs of each row listed.
//
// With slack delta > 0 the hub named for a pair may make its path longer than
// the shortest by at most delta, never shorter. Slack is spent once: the walk
// drops hubs exactly (slack 0) while it descends, and a link or a run accepts
// one hub against all that were left. Where labels are float32, the slack is
// what their rounding leaves of delta.
type Tiles struct {
	labels      *Labels
	clusters    *clusters
	delta       float64 // no distance is longer by more, in any kernel
	part, parts int

	moments []moment
	links   []link
	tiles   []tile
	bands   []band  // of all tiles
	order   []uint8 // of all tiles: their columns
	runs    []run   // of all tiles, by row
}

// moment is a cluster seen from a hub: the sum over the cluster of
// exp(-d(hub,.)/epsilon) x is needed, and what arrives at the hub is handed
// out to the cluster with the same factors.
type moment struct {
	hub, lo, hi int32
}

// link joins two moments of one hub.
type link struct{ a, b int32 }

// WalkOptions of Walk. The zero value asks for all tiles, exact.
type WalkOptions struct {
	Delta       float64 // by how much a distance may be too long, in the graph's unit, >= 0; 0: as little as the labels allow
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
	type task struct{ region, i, j int32 }
	var tasks []task
	load := make([]int64, o.Parts) // pairs, by part
	for at := range l.regions {
		r := &l.regions[at]
		if r.lo < r.sep {
			for _, i := range t.clusters.cut(t.clusters.of[r.left], 2) {
				for _, j := range t.clusters.cut(t.clusters.of[r.right], 2) {
					least := slices.Index(load, slices.Min(load))
					load[least] += int64(t.clusters.list[i].hi-t.clusters.list[i].lo) * int64(t.clusters.list[j].hi-t.clusters.list[j].lo)
					if least == o.Part {
						tasks = append(tasks, task{int32(at), i, j})
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
			k.pairs(tasks[i].i, tasks[i].j, l.regions[tasks[i].region].hubs)
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

// cut lists the descendants of a cluster depth levels below it, and those
// above that have no children.
func (c *clusters) cut(id int32, depth int) []int32 {
	if depth == 0 || c.list[id].kids[0] < 0 {
		return []int32{id}
	}
	var ids []int32
	for _, kid := range c.list[id].kids {
		if kid >= 0 && c.list[kid].lo < c.list[kid].hi {
			ids = append(ids, c.cut(kid, depth-1)...)
		}
	}
	return ids
}

// walker descends pairs of clusters and collects what it finds.
type walker struct {
	ctx   context.Context
	err   error
	steps int

	l     *Labels
	list  []cluster
	delta float64

	links []linked
	tiles []tile
	bands []band
	order []uint8
	runs  []run

	tie    float64   // Precision.unit of the labels
	low    []float64 // scratch of one pair
	weaver weaver    // scratch of one tile
}

// stretch is a range of places.
type stretch struct{ lo, hi int32 }

type linked struct{ hub, i, j int32 }

func newWalker(ctx context.Context, t *Tiles, slack float64, old *walker) *walker {
	k := &walker{}
	if old != nil {
		*k = *old // its scratch space
		k.links, k.tiles, k.bands, k.order, k.runs = nil, nil, nil, nil, nil
	}
	k.ctx, k.l, k.list, k.delta = ctx, t.labels, t.clusters.list, slack
	k.tie = k.l.Precision().unit()
	k.weaver.tie = k.tie
	return k
}

func (k *walker) result() *walker {
	return &walker{links: k.links, tiles: k.tiles, bands: k.bands, order: k.order, runs: k.runs}
}

// bytes is what the walker's finds take in Tiles, but for the moments.
func (k *walker) bytes() int64 {
	return int64(8*len(k.links) + 40*len(k.tiles) + 8*len(k.bands) + len(k.order) + 2*len(k.runs))
}

// pairs settles all pairs of clusters i and j, whose shortest paths all go
// through one of the hubs.
func (k *walker) pairs(i, j int32, hubs []int32) {
	a, b := &k.list[i], &k.list[j]
	if a.lo == a.hi || b.lo == b.hi || len(hubs) == 0 || k.err != nil {
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
		la := k.l.lead(h, pivot, a.lo, a.hi, gain)
		if la < gain {
			left, single = append(left, h), false
			continue
		}
		lb := k.l.lead(h, pivot, b.lo, b.hi, -k.delta-la)
		if la+lb < -k.delta {
			single = false
		}
		if la+lb < 0 {
			left = append(left, h)
		}
	}
	switch {
	case single:
		k.links = append(k.links, linked{pivot, i, j})
	case max(a.hi-a.lo, b.hi-b.lo) <= rowSide && min(a.hi-a.lo, b.hi-b.lo) <= tileSide:
		rows, columns := stretch{a.lo, a.hi}, stretch{b.lo, b.hi}
		if a.hi-a.lo < b.hi-b.lo {
			rows, columns = columns, rows
		}
		k.resolve(rows, columns, left)
		k.err = k.ctx.Err() // a tile is milliseconds of work
	case a.hi-a.lo >= b.hi-b.lo:
		for _, kid := range a.kids {
			if kid >= 0 {
				k.pairs(kid, j, left)
			}
		}
	default:
		for _, kid := range b.kids {
			if kid >= 0 {
				k.pairs(i, kid, left)
			}
		}
	}
}

// halves resolves the halves of the longer side, each with the hubs that its
// pairs use: there were more than a byte can name.
func (k *walker) halves(a, b stretch, hubs []int32) {
	for _, half := range [2]bool{false, true} {
		x, y := a, b
		if long := &x; true {
			if b.hi-b.lo > a.hi-a.lo {
				long = &y
			}
			if mid := (long.lo + long.hi) / 2; half {
				long.lo = mid
			} else {
				long.hi = mid
			}
		}
		need := map[int32]bool{}
		for v := x.lo; v < x.hi; v++ {
			for w := y.lo; w < y.hi; w++ {
				best, at := math.Inf(1), int32(0)
				for _, h := range hubs {
					if d := k.l.label(h, v) + k.l.label(h, w); d < best {
						best, at = d, h
					}
				}
				need[at] = true
			}
		}
		var left []int32
		for _, h := range hubs {
			if need[h] {
				left = append(left, h)
			}
		}
		k.resolve(x, y, left)
	}
}

// gather joins what the tasks found, in the tasks' order, and numbers the moments.
func (t *Tiles) gather(found []*walker) {
	ids := map[moment]int32{}
	id := func(hub, lo, hi int32) int32 {
		m := moment{hub, lo, hi}
		n, ok := ids[m]
		if !ok {
			n = int32(len(t.moments))
			ids[m] = n
			t.moments = append(t.moments, m)
		}
		return n
	}
	for _, f := range found {
		for _, k := range f.links {
			a, b := &t.clusters.list[k.i], &t.clusters.list[k.j]
			t.links = append(t.links, link{id(k.hub, a.lo, a.hi), id(k.hub, b.lo, b.hi)})
		}
		for _, one := range f.tiles {
			one.band += int32(len(t.bands))
			one.order += len(t.order)
			one.run += len(t.runs)
			t.tiles = append(t.tiles, one)
		}
		t.bands = append(t.bands, f.bands...)
		t.order = append(t.order, f.order...)
		t.runs = append(t.runs, f.runs...)
	}
}

// Bound is by how much a distance may be too long, in the graph's unit: what
// Walk was allowed or, where that was nothing, the rounding of float32 labels.
func (t *Tiles) Bound() float64 { return t.delta }

// Bytes is the memory of the tiles, in bytes, without the labels'.
func (t *Tiles) Bytes() int64 {
	return int64(12*cap(t.moments) + 8*cap(t.links) + 40*cap(t.tiles) + 8*cap(t.bands) + cap(t.order) + 2*cap(t.runs))
}
