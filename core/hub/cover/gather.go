package cover

import (
	"cmp"
	"slices"

	"genussink/core/hub/cluster"
)

// sortAggregates puts the aggregates of a copy in the order of their sizes, so that a processor foresees where each ends.
func (f *contents) sortAggregates(original *contents) {
	order, rank := make([]int32, len(f.Aggregates)), make([]int32, len(f.Aggregates))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		a, b := &original.Aggregates[i], &original.Aggregates[j]
		return cmp.Or(cmp.Compare(a.To-a.From, b.To-b.From), cmp.Compare(i, j))
	})
	from := int32(0)
	for at, i := range order {
		o := original.Aggregates[i]
		copy(f.Ranks[from:], original.Ranks[o.From:o.To])
		if len(f.Lengths) > 0 {
			copy(f.Lengths[from:], original.Lengths[o.From:o.To])
		} else {
			copy(f.Offsets[from:], original.Offsets[o.From:o.To])
		}
		to := from + o.To - o.From
		f.Aggregates[at], rank[i], from = Aggregate{o.centre, from, to}, int32(at), to
	}
	for i, e := range f.Order {
		if e < 0 {
			f.Order[i] = ^rank[^e]
		}
	}
}

// gatherStaircases joins the staircases that the tasks found and counts the crosses.
func (t *Cover) gatherStaircases(found []*builder) {
	list, numbers := 0, 0
	for _, f := range found {
		list, numbers = list+len(f.staircases.List), numbers+len(f.staircases.Numbers)
	}
	t.Staircases = staircases{make([]Staircase, 0, list), make([]int32, 0, numbers)}
	for len(found) > 0 {
		cell, links, tiles, staircases := found[0].cell, 0, 0, 0
		for len(found) > 0 && found[0].cell == cell { // the tasks of a cell stand together
			f := found[0]
			found = found[1:]
			links, tiles, staircases = links+len(f.rankOnes), tiles+len(f.Tiles), staircases+len(f.staircases.List)
			for _, s := range f.staircases.List {
				s.at += len(t.Staircases.Numbers)
				t.Staircases.List = append(t.Staircases.List, s)
			}
			t.Staircases.Numbers = append(t.Staircases.Numbers, f.staircases.Numbers...)
		}
		switch {
		case staircases > 0:
			t.crosses.Range++
		case links == 1 && tiles == 0:
			t.crosses.Single++
		case links+tiles > 0:
			t.crosses.Cover++
		}
	}
	for i := range t.Labels.Cells {
		if r := &t.Labels.Cells[i]; r.Lo == r.Sep {
			t.crosses.Leaves++
		}
	}
}

// gather joins what the tasks found, in the tasks' order, and numbers the hub moments.
func (t *Cover) gather(found []*builder) {
	type side struct{ cell, cluster int32 } // tells patches apart
	patches, moments := map[side]int32{}, map[HubMoment]int32{}
	id := func(hub, cell int32, p *cluster.Patch) int32 {
		at, ok := patches[side{cell, p.ID}]
		if !ok {
			at = int32(len(t.Patches))
			patches[side{cell, p.ID}] = at
			from := int32(len(t.Attached))
			t.Attached = append(t.Attached, p.Attached...)
			t.Patches = append(t.Patches, Patch{p.Lo, p.Hi, from, int32(len(t.Attached))})
		}
		m := HubMoment{hub, at}
		n, ok := moments[m]
		if !ok {
			n = int32(len(t.Moments))
			moments[m] = n
			t.Moments = append(t.Moments, m)
		}
		return n
	}
	t.gatherStaircases(found)
	links := 0
	for _, f := range found {
		links += len(f.rankOnes)
	}
	t.RankOnes, t.Batches = make([]RankOne, 0, links), make([]Batch, 0, len(found)+1)
	t.grow(found)
	n := int32(t.Labels.Len())
	t.Slots = int(n)
	for i, f := range found {
		found[i] = nil // to be collected on the way
		for _, k := range f.rankOnes {
			t.RankOnes = append(t.RankOnes, RankOne{id(k.hub, f.cell, k.a), id(k.hub, f.cell, k.b), k.shift})
		}
		if t.firstAggregate != nil && len(f.Aggregates) > 0 {
			t.firstAggregate[f.cell] = int32(len(t.Aggregates))
		}
		t.Batches = append(t.Batches, Batch{f.cell, int32(len(t.Aggregates)), int32(len(t.Tiles)), int32(len(t.SeparatorBlocks))})
		lo := t.Labels.Cells[f.cell].Lo
		for i, e := range f.Order {
			if e >= 0 {
				f.Order[i] = lo + e
			} else {
				f.Order[i] = n + ^e
			}
		}
		t.Slots = max(t.Slots, int(n)+len(f.Aggregates))
		t.add(&f.contents)
	}
	t.Batches = append(t.Batches, Batch{-1, int32(len(t.Aggregates)), int32(len(t.Tiles)), int32(len(t.SeparatorBlocks))})
}
