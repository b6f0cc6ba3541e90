package hub

import (
	"math"
	"slices"
)

// tile is a block of pairs of rows and columns, all in one cell. Both are put in
// an order of the tile's own, in which rows that reach the columns through the
// same hubs stand together in groups, and so do columns that a row reaches
// through the same hub, in runs. Its distances are shift less than those by way of
// the hubs.
type tile struct {
	cell, rows, cols int32
	band, bands      int32 // its hubs are Tiles.bands[band:band+bands]
	order, group     int   // where it begins in Tiles.order (rows, then columns, see Tiles) and Tiles.groups
	run, way         int   // likewise in Tiles.runs and Tiles.ways
	shift            float64
	distances        int // that a product takes one after the other: the columns of its bands, and the rows of its runs or, without slack, the ways
}

// band is a hub of a tile with columns [from,to), in the tile's order, that
// some rows reach through it. A hub has one for every stretch of them.
type band struct {
	hub      int32
	from, to uint16
}

// rowGroup is the number of rows in a group, and of their runs. Without slack every row is a group of its own, and
// size is the number of its ways, the hubs that it uses.
type rowGroup struct{ size, runs uint8 }

// run is a part of a group: the columns after the run before it, up to the last,
// are reached through the hub of a band; without slack through that of one of the row's ways.
type run struct{ band, last uint8 }

// most is the most hubs, and the most columns, that a tile can number.
const most = math.MaxUint8

// tileList are tiles, and what they are made of.
type tileList struct {
	grouped bool // rows stand in groups that share runs: there is slack
	tiles   []tile
	bands   []band
	order   []int32    // rows and columns, as slots: ranks, and then the bundles of the block; between them those of fans
	groups  []rowGroup // of rows
	ways    []uint16   // without groups, by row: the hubs that it uses, by their bandStarts
	runs    []run      // by group
}

// empty is without tiles, but with the space.
func (l *tileList) empty() tileList {
	return tileList{l.grouped, l.tiles[:0], l.bands[:0], l.order[:0], l.groups[:0], l.ways[:0], l.runs[:0]}
}

// clone is a copy no larger than it is.
func (l *tileList) clone() tileList {
	return tileList{
		l.grouped, slices.Clone(l.tiles), slices.Clone(l.bands), slices.Clone(l.order), slices.Clone(l.groups), slices.Clone(l.ways), slices.Clone(l.runs),
	}
}

// grow makes room for other lists.
func (l *tileList) grow(all []*tileList) {
	var tiles, bands, order, groups, ways, runs int
	for _, o := range all {
		tiles, bands, order = tiles+len(o.tiles), bands+len(o.bands), order+len(o.order)
		groups, ways, runs = groups+len(o.groups), ways+len(o.ways), runs+len(o.runs)
	}
	l.tiles, l.bands, l.order = make([]tile, 0, tiles), make([]band, 0, bands), make([]int32, 0, order)
	l.groups, l.ways, l.runs = make([]rowGroup, 0, groups), make([]uint16, 0, ways), make([]run, 0, runs)
}

// add appends another list.
func (l *tileList) add(o *tileList) {
	for _, one := range o.tiles {
		one.band += int32(len(l.bands))
		one.order += len(l.order)
		one.group += len(l.groups)
		one.run += len(l.runs)
		one.way += len(l.ways)
		l.tiles = append(l.tiles, one)
	}
	l.bands, l.order, l.groups = append(l.bands, o.bands...), append(l.order, o.order...), append(l.groups, o.groups...)
	l.ways, l.runs = append(l.ways, o.ways...), append(l.runs, o.runs...)
}

// size is the memory that they take, in bytes.
func (l *tileList) size() int64 {
	return int64(72*len(l.tiles) + 8*len(l.bands) + 4*len(l.order) + 2*len(l.groups) + 2*len(l.ways) + 2*len(l.runs))
}

// sides are the rows and the columns of a tile, in its order.
func (l *tileList) sides(o *tile) (rows, cols []int32) {
	slots := l.slotsOf(o)
	return slots[:o.rows], slots[o.rows:]
}

// slotsOf are a tile's rows and then its columns, bandsOf its bands.
func (l *tileList) slotsOf(o *tile) []int32 { return l.order[o.order:][:o.rows+o.cols] }
func (l *tileList) bandsOf(o *tile) []band  { return l.bands[o.band:][:o.bands] }

// each calls f for the runs of a tile: of the rows [first,last) and the columns
// from on, in the tile's order.
func (l *tileList) each(o *tile, f func(run run, first, last, from int)) {
	groups, ways, runs := l.groups[o.group:], l.ways[o.way:], l.runs[o.run:]
	var names hubNames
	bands := l.bandsOf(o)
	if !l.grouped {
		names.of(bands)
	}
	for first := 0; first < int(o.rows); groups = groups[1:] {
		g := groups[0]
		last := first + int(g.size)
		if !l.grouped {
			last = first + 1
		}
		from := 0
		for _, r := range runs[:g.runs] {
			if !l.grouped {
				r.band = serving(bands, names[ways[r.band]], from)
			}
			f(r, first, last, from)
			from = int(r.last) + 1
		}
		runs = runs[g.runs:]
		if !l.grouped {
			ways = ways[g.size:]
		}
		first = last
	}
}

// tileCost is that of a tile's product, in the units of the package's documentation. Fitted
// to all tiles of three meshes it tells the times of most to a tenth.
func (l *tileList) tileCost(n int) int {
	o, runs := &l.tiles[n], len(l.runs)
	if n+1 < len(l.tiles) {
		runs = l.tiles[n+1].run
	}
	columns := 0 // up and down
	for _, b := range l.bands[o.band:][:o.bands] {
		columns += int(b.to - b.from)
	}
	return (5*columns+2*(o.distances-columns)+6*(runs-o.run))/6 + int(o.rows+o.cols)
}

// serving is the band of a hub that has a column, given the hub's first.
func serving(bands []band, first uint8, column int) uint8 {
	for int(bands[first].to) <= column {
		first++
	}
	return first
}
