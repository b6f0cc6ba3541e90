package cover

// groups is how many parts a product is cut into, each with sums of its own:
// fixed, so that a product does not depend on the number of processors.
const Lanes = 16

// cuts say where each group's hubs, blocks, stairs, links and moments begin, and the last one's end.
type Cuts struct {
	Hubs, Batches, Staircases, RankOnes, Moments [Lanes + 1]int
}

func (t *Cover) Cuts() Cuts {
	return Cuts{
		Hubs:       t.laneHubs(),
		Batches:    [Lanes + 1]int(Cut(len(t.Batches)-1, 1, t.batchCost)),
		Staircases: [Lanes + 1]int(Cut(len(t.Staircases.List), 1, func(n int) int { return t.Staircases.List[n].cost() })),
		RankOnes:   [Lanes + 1]int(Cut(len(t.RankOnes), 1, func(int) int { return 1 })),
		Moments:    [Lanes + 1]int(Cut(len(t.Moments), 1, func(n int) int { return t.Patches[t.Moments[n].Patch].Len() })),
	}
}

// cost is that of a block's product, in the units of the package's documentation.
func (t *Cover) batchCost(n int) (cost int) {
	b, end := &t.Batches[n], &t.Batches[n+1]
	for _, o := range t.Aggregates[b.Aggregate:end.Aggregate] {
		cost += int(o.To - o.From)
	}
	for i := b.SeparatorBlock; i < end.SeparatorBlock; i++ {
		o := &t.SeparatorBlocks[i]
		cost += o.pairs()/3 + o.Width
	}
	for i := b.Tile; i < end.Tile; i++ {
		cost += t.TileCost(int(i))
	}
	return cost
}

// cut divides 0..n-1 among the groups of every part and returns where they end, the
// first of which is 0. All parts cost about the same; of a part's groups the first costs four times
// the last, so that workers, which take them in order, end together.
func Cut(n, parts int, cost func(int) int) []int {
	ends := make([]int, 1, Lanes*parts+1)
	total := 0
	for i := range n {
		total += cost(i)
	}
	sum := 0
	for i := range n {
		own := cost(i)
		for len(ends) < Lanes*parts {
			part, group := len(ends)/Lanes, float64(len(ends)%Lanes)/Lanes
			if float64(2*sum+own)*float64(parts) < 2*float64(total)*(float64(part)+group*(1.6-0.6*group)) {
				break
			}
			ends = append(ends, i)
		}
		sum += own
	}
	for len(ends) <= Lanes*parts {
		ends = append(ends, n)
	}
	return ends
}

// hubs are those of the part, by group: a part of a kernel has its share of the hubs, and the blocks that were walked
// for it.
func (t *Cover) laneHubs() [Lanes + 1]int {
	l := t.Labels
	ends := Cut(l.Len(), t.shards, func(h int) int {
		r := &l.Cells[l.Owner[h]]
		return int(r.Hi - t.DenseFrom(r))
	})
	return [Lanes + 1]int(ends[Lanes*t.shard:])
}
