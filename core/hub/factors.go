package hub

import (
	"context"

	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/hub/tile"
	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
	"genussink/core/internal/parallel"
)

// fillFactors computes the factors that the shard's products use: of its own hubs within DenseFrom, of hubs that have hub moments or staircases,
// and without a tolerance of the tiles' hubs within their cells, but where these have classes.
func (k *Kernel) fillFactors(ctx context.Context) error {
	t, l := k.cover, k.cover.Labels
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
	for h := int32(k.Hubs[0]); h < int32(k.Hubs[cover.Lanes]); h++ {
		r := &l.Cells[l.Owner[h]]
		use(h, t.DenseFrom(r), r.Hi)
	}
	for _, m := range t.Moments {
		whole(m.Hub)
	}
	for _, s := range t.Staircases.List {
		whole(s.Hub)
	}
	for i := range t.Tiles {
		if o := &t.Tiles[i]; t.Tolerance == 0 && !t.HasClasses(o.Cell) {
			r := &l.Cells[o.Cell]
			for _, b := range t.BandsOf(o) {
				use(b.Hub, r.Lo, r.Hi)
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
			row := rows[w]
			if k.factors.Long != nil { // where they are stored
				row = label.RowOf(l.Tree, k.factors.Long, h, u.lo, u.hi)
			} else {
				row = buffer.Sized(row, int(u.hi-u.lo))
				rows[w] = row
			}
			exponential.Decays(row, l.Row(&buffers[w], h, u.lo, u.hi), k.epsilon)
			if k.factors.Long == nil {
				k.factors.PutRows(h, u.lo, row, false)
			}
		}
	})
}

// ordered are factors in the order in which products take them, of hub moments or of tiles: in the matrix they lie all over memory,
// where a product would wait for them. As many digits as there.
type ordered struct {
	from  []int // where those of each begin
	short []float32
	long  []float64
}

// newOrdered has room for count lists of these sizes.
func newOrdered(p label.Precision, count int, size func(i int) int) (l ordered) {
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

// orderFactors fills the hub moments' factors and, without a tolerance, the tiles'.
func (k *Kernel) orderFactors(ctx context.Context) error {
	t, p := k.cover, k.factors.Precision()
	k.begin(ctx)
	defer k.end()
	k.momentFactors = newOrdered(p, len(t.Moments), func(m int) int { return t.Patches[t.Moments[m].Patch].Len() })
	err := k.run(func(_, g int) {
		if k.factors.Short != nil {
			orderMoments(k, g, k.factors.Short, k.momentFactors.short)
		} else {
			orderMoments(k, g, k.factors.Long, k.momentFactors.long)
		}
	})
	if t.Tolerance == 0 && err == nil {
		if k.tileFactors, err = k.orderTiles(&k.factors); err == nil {
			k.blockFactors, err = k.orderBlocks()
		}
		k.offsetFactors = make([]float64, len(t.Lengths))
		exponential.Decays(k.offsetFactors, t.Lengths, k.epsilon)
	}
	return err
}

// orderBlocks lists the factors of separator blocks, without a tolerance.
func (k *Kernel) orderBlocks() (ordered, error) {
	t := k.cover
	l := newOrdered(label.Float64, len(t.SeparatorBlocks), func(i int) int { return t.SeparatorBlocks[i].Pairs() })
	err := k.run(func(_, g int) {
		for i := t.Batches[k.Batches[g]].SeparatorBlock; i < t.Batches[k.Batches[g+1]].SeparatorBlock; i++ {
			o, to := &t.SeparatorBlocks[i], l.long[l.from[i]:]
			for h := o.From; h < o.To && !k.over(int(h)); h++ {
				t.Gather(to[:o.Width], h, t.Order[o.Order:][:o.Width])
				to = to[o.Width:]
			}
			exponential.Decays(l.long[l.from[i]:][:o.Pairs()], l.long[l.from[i]:][:o.Pairs()], k.epsilon)
		}
	})
	return l, err
}

// orderTiles lists the numbers of the tiles without a tolerance.
func (k *Kernel) orderTiles(n *label.Values) (ordered, error) {
	t := k.cover
	l := newOrdered(n.Precision(), len(t.Tiles), func(i int) int { return t.Tiles[i].Distances })
	err := k.run(func(_, g int) {
		for i := t.Batches[k.Batches[g]].Tile; i < t.Batches[k.Batches[g+1]].Tile && !k.over(int(i)); i++ {
			switch from := l.from[i]; {
			case n.Short != nil:
				orderTile(t, i, n.Short, l.short[from:])
			case n == &k.factors && t.HasClasses(t.Tiles[i].Cell):
				list := l.long[from:][:t.Tiles[i].Distances]
				orderTile(t, i, t.Labels.Long, list)
				exponential.Decays(list, list, k.epsilon)
			default:
				orderTile(t, i, n.Long, l.long[from:])
			}
		}
	})
	return l, err
}

func orderMoments[T label.Float](k *Kernel, g int, factors [][]T, moments []T) {
	t, tree := k.cover, k.cover.Labels.Tree
	for m := k.Moments[g]; m < k.Moments[g+1]; m++ {
		o, to := &t.Moments[m], moments[k.momentFactors.from[m]:]
		p, r := &t.Patches[o.Patch], &tree.Cells[tree.Owner[o.Hub]]
		row := label.RowOf(tree, factors, o.Hub, r.Lo, r.Hi)
		n := copy(to, row[p.Lo-r.Lo:p.Hi-r.Lo])
		for i, v := range t.Attached[p.From:p.To] {
			to[n+i] = row[v-r.Lo]
		}
	}
}

// orderTile lists the numbers of a tile's columns, band by band, and of its row hubs, row by row.
func orderTile[T label.Float](t *cover.Cover, n int32, numbers [][]T, to []T) {
	o := &t.Tiles[n]
	var centres []int32
	slots := t.Centres(&centres, o.Cell, t.SlotsOf(o))
	rows, cols := slots[:o.Rows], slots[o.Rows:]
	lo := t.Labels.Cells[o.Cell].Lo
	var labels [tile.MaxSide][]T // by band
	for n, c := range t.ColumnsOf(o) {
		labels[n] = bandRow(t, o, numbers, c.Band)
		for j, v := range cols[c.From:c.To] {
			to[c.At+j] = labels[n][v-lo]
		}
	}
	var names tile.FirstBands
	names.Set(t.BandsOf(o))
	for i, r := range t.RowsOf(o) {
		for n, start := range t.RowHubs[r.RowHub:][:r.Size] {
			to[r.At+n] = labels[names[start]][rows[i]-lo]
		}
	}
}

// bandRow is the row of a band's hub within the tile's cell.
func bandRow[T label.Float](t *cover.Cover, o *tile.Tile, numbers [][]T, b tile.Band) []T {
	r := &t.Labels.Cells[o.Cell]
	return label.RowOf(t.Labels.Tree, numbers, b.Hub, r.Lo, r.Hi)
}
