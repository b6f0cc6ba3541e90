package cover

import (
	"sort"

	"genussink/core/hub/tile"
)

// View is a tile as it is stored, with vertices of the graph in place of ranks.
type View struct {
	Rows, Columns [][]int32 // the vertices of each, in the tile's order: one, or those of an aggregate
	Runs          []ViewRun
}

// ViewRun is the rows [FirstRow,LastRow) that reach the columns [From,To) through one hub, a vertex.
type ViewRun struct{ FirstRow, LastRow, From, To, Hub int32 }

// View is a tile, by its number.
func (t *Cover) View(n int) (v View) {
	o := &t.Tiles[n]
	batch := &t.Batches[sort.Search(len(t.Batches)-1, func(b int) bool { return int(t.Batches[b+1].Tile) > n })]
	vertices := func(slots []int32) (list [][]int32) {
		for _, slot := range slots {
			ranks := []int32{slot}
			if own := int(slot) - t.Labels.Len(); own >= 0 {
				a := t.Aggregates[int(batch.Aggregate)+own]
				ranks = t.Ranks[a.From:a.To]
			}
			one := make([]int32, len(ranks))
			for i, rank := range ranks {
				one[i] = t.Labels.Order[rank]
			}
			list = append(list, one)
		}
		return list
	}
	rows, cols := t.Sides(o)
	v.Rows, v.Columns = vertices(rows), vertices(cols)
	bands := t.BandsOf(o)
	t.Each(o, func(run tile.Run, first, last, from int) {
		v.Runs = append(v.Runs, ViewRun{int32(first), int32(last), int32(from), int32(run.Last) + 1, t.Labels.Order[bands[run.Band].Hub]})
	})
	return v
}
