package cover

import (
	"context"

	"genussink/core/internal/parallel"
)

// Lanes is the number of lanes of a product. Each adds up its share of the blocks, in sums of its own. There are as many
// whatever the number of processors, so that a product does not depend on that.
const Lanes = 16

// EachLane runs a stage of a product for every lane. It returns the context's error as soon as it has one: then some lanes
// were left out, or gave up.
func EachLane(ctx context.Context, stage func(worker, g int)) error {
	if err := parallel.Each(ctx, parallel.Workers(Lanes), Lanes, stage); err != nil {
		return err
	}
	return ctx.Err()
}

// Cuts say which hubs, batches and so on a lane has: those of lane g are numbered from Hubs[g] to below Hubs[g+1].
type Cuts struct {
	Hubs, Batches, Staircases, RankOnes, Moments [Lanes + 1]int
}

// Cuts are those of the cover, by the cost of each thing.
func (t *Cover) Cuts() Cuts {
	return Cuts{
		Hubs:       t.laneHubs(),
		Batches:    [Lanes + 1]int(cut(len(t.Batches)-1, 1, t.batchCost)),
		Staircases: [Lanes + 1]int(cut(len(t.Staircases.List), 1, func(n int) int { return t.Staircases.List[n].cost() })),
		RankOnes:   [Lanes + 1]int(cut(len(t.RankOnes), 1, func(int) int { return 1 })),
		Moments:    [Lanes + 1]int(cut(len(t.Moments), 1, func(n int) int { return t.Patches[t.Moments[n].Patch].Len() })),
	}
}

// batchCost is that of a batch's product, in the units of package hub.
func (t *Cover) batchCost(n int) (cost int) {
	b, end := &t.Batches[n], &t.Batches[n+1]
	for _, o := range t.Aggregates[b.Aggregate:end.Aggregate] {
		cost += int(o.To - o.From)
	}
	for i := b.SeparatorBlock; i < end.SeparatorBlock; i++ {
		o := &t.SeparatorBlocks[i]
		cost += o.Pairs()/3 + o.Width
	}
	for i := b.Tile; i < end.Tile; i++ {
		cost += t.TileCost(int(i))
	}
	return cost
}

// cut divides 0..n-1 among the lanes of every shard and returns where they end, the first of which is 0. All shards cost
// about the same. Of a shard's lanes the first costs four times the last, so that workers, which take them in order, end together.
func cut(n, shards int, cost func(int) int) []int {
	ends := make([]int, 1, Lanes*shards+1)
	total := 0
	for i := range n {
		total += cost(i)
	}
	sum := 0
	for i := range n {
		own := cost(i)
		for len(ends) < Lanes*shards {
			shard, lane := len(ends)/Lanes, float64(len(ends)%Lanes)/Lanes
			if float64(2*sum+own)*float64(shards) < 2*float64(total)*(float64(shard)+lane*(1.6-0.6*lane)) {
				break
			}
			ends = append(ends, i)
		}
		sum += own
	}
	for len(ends) <= Lanes*shards {
		ends = append(ends, n)
	}
	return ends
}

// laneHubs are the hubs of the lanes. A shard has its share of all hubs, and the batches that were built for it.
func (t *Cover) laneHubs() [Lanes + 1]int {
	l := t.Labels
	ends := cut(l.Len(), t.shards, func(h int) int {
		r := &l.Cells[l.Owner[h]]
		return int(r.Hi - t.DenseFrom(r))
	})
	return [Lanes + 1]int(ends[Lanes*t.shard:])
}
