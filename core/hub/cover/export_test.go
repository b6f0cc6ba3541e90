package cover

import (
	"context"
	"math"
	"slices"
	"testing"

	"genussink/core/hub/cluster"
	"genussink/core/hub/label"
)

// RangeAround is rangeAround.
const RangeAround = rangeAround

// StaircaseBytes is what the staircases of the tiles take, in bytes.
func StaircaseBytes(t *Cover) int64 { return t.Staircases.bytes() }

// Forced are tiles in which staircases cross every cell of up to 8 hubs, in shards and,
// last, whole.
func Forced(t testing.TB, l *label.Labels, shards int) []*Cover {
	t.Helper()
	clusters := cluster.New(l)
	all := make([][]*builder, shards+1)
	for at := range l.Cells {
		r := &l.Cells[at]
		if r.Lo == r.Sep || len(r.Hubs) == 0 {
			continue
		}
		k := newBuilder(t.Context(), &Cover{Labels: l, clusters: clusters}, nil)
		k.cell = int32(at)
		if hubs := k.neededHubs(r); len(hubs) > 8 { // too many to search
			k.pairs(k.clusters.Patch(k.clusters.Of[r.Left], nil), k.clusters.Patch(k.clusters.Of[r.Right], nil), hubs)
		} else if !k.search(hubs, 1, math.MaxInt) {
			t.Fatalf("cell %d: no staircases through %d hubs", at, len(hubs))
		}
		for _, i := range [2]int{at % shards, shards} {
			all[i] = append(all[i], k.result())
		}
	}
	list := make([]*Cover, shards+1)
	for i := range list {
		list[i] = &Cover{Labels: l, clusters: clusters, shard: i, shards: shards}
		if i == shards {
			list[i].shard, list[i].shards = 0, 1
		}
		if l.Precision() == label.Float32 {
			list[i].Delta = label.Rounding(l.Reach)
		}
		list[i].gather(slices.Clone(all[i]))
	}
	return list
}

// Crossing crosses one cell.
type Crossing struct {
	builder *builder
	none    *Cover
	Hubs    []int32 // those that are needed
}

// NewCrossing is that of a cell.
func NewCrossing(ctx context.Context, l *label.Labels, cell int32) *Crossing {
	none := &Cover{Labels: l, clusters: cluster.New(l), shards: 1}
	c := &Crossing{builder: newBuilder(ctx, none, nil), none: none}
	c.builder.cell = cell
	c.Hubs = c.builder.neededHubs(&l.Cells[cell])
	return c
}

// Forget drops what was found.
func (c *Crossing) Forget() { c.builder.forget() }

func (c *Crossing) patches() (one, other *cluster.Patch) {
	r := &c.none.Labels.Cells[c.builder.cell]
	return c.builder.clusters.Patch(c.builder.clusters.Of[r.Left], nil), c.builder.clusters.Patch(c.builder.clusters.Of[r.Right], nil)
}

// Descend finds rank-one blocks and tiles.
func (c *Crossing) Descend() {
	c.Forget()
	one, other := c.patches()
	c.builder.pairs(one, other, c.Hubs)
}

// Search finds staircases.
func (c *Crossing) Search() {
	c.Forget()
	c.builder.search(c.Hubs, 1, math.MaxInt)
}

// Cross finds whatever costs less.
func (c *Crossing) Cross() {
	c.Forget()
	c.builder.cross(c.patches())
}

// Cost is that of the rank-one blocks and tiles found.
func (c *Crossing) Cost() int { return c.builder.cost() }

// Staircases are the cost and the number of the staircases found.
func (c *Crossing) Staircases() (cost, count int) {
	for i := range c.builder.staircases.List {
		cost += c.builder.staircases.List[i].cost()
	}
	return cost, len(c.builder.staircases.List)
}

// Cover are those of what was found.
func (c *Crossing) Cover() *Cover {
	t := &Cover{Labels: c.none.Labels, clusters: c.none.clusters, shards: 1}
	t.gather([]*builder{c.builder.result()})
	return t
}
